"""Accidents, with real processes: whatever is killed, nothing is lost and nothing is twice."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import pytest
from runs import (
    command,
    environment,
    failures,
    fingerprint,
    finish,
    install_trap,
    list_children,
    make_corpus,
    read_states,
    run_json,
    start,
    write_document,
)

import tlex.corpus
from tlex.corpus import open_run
from tlex.errors import OptionError

KILLS = int(os.environ.get("TLEX_KILLS", "8"))
"""How often a driver is killed; 50 for a thorough test by hand."""

COUNT = 20 * KILLS


@pytest.fixture(scope="session")
def trap(tmp_path_factory):
    """Give the directory of the package with the harmful reader."""
    return install_trap(tmp_path_factory.mktemp("site") / "packages")


def make_slow_corpus(folder, count, seconds):
    """Write documents, most of which take some time."""
    make_corpus(folder, count // 4)
    for number in range(count - count // 4):
        path = folder / "slow" / f"doc{number:03}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"TRAP sleep {seconds}\n# {number}\n")
    return folder


def wait_for(condition, seconds=60.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.01)


def count_files(out):
    return len(list((out / "documents").glob("*")))


def has_moved(process, out, before):
    """Whether a run has put a shard into place, or has ended."""
    return process.poll() is not None or count_files(out) > before


def test_the_driver_is_killed_at_many_moments_and_the_result_is_that_of_an_undisturbed_run(
    tmp_path, trap
):
    corpus = make_slow_corpus(tmp_path / "corpus", COUNT, 0.04)
    words = (corpus, "-o")
    options = ("--jobs", 2, "--shard-size", 8)
    moments = random.Random()  # noqa: S311 -- other moments each time
    unfinished = 0
    out = tmp_path / "killed"

    for attempt in range(KILLS):
        before = count_files(out)
        process = start(*words, out, *options, sites=(trap,))
        if attempt % 4:  # at any moment of the work; otherwise, of starting and planning
            wait_for(partial(has_moved, process, out, before))
        time.sleep(moments.uniform(0.0, 0.4))
        process.kill()
        finish(process)
        try:
            unfinished += open_run(out).pending() > 0
        except OptionError:  # killed before it had begun
            assert not list(out.glob("*/*.parquet"))
        else:
            read_states(out)  # all files that it lists are there, and no document twice
    summary = run_json(*words, out, *options, sites=(trap,))
    run_json(*words, tmp_path / "undisturbed", *options, sites=(trap,))

    assert unfinished > KILLS // 4
    assert (summary["documents"], summary["failed"], summary["pending"]) == (COUNT, 0, 0)
    assert len(read_states(out)) == COUNT
    assert fingerprint(out) == fingerprint(tmp_path / "undisturbed")
    assert not list((out / "new").iterdir())


def start_stuck(folder, trap, word="mark"):
    """Start a run whose two workers are each stuck in a document by now."""
    corpus = make_corpus(folder / "corpus", 4)
    marks = [folder / "one", folder / "two"]
    for mark in marks:
        (corpus / f"{mark.name}.txt").write_text(f"TRAP {word} {mark}\n")
    words = (corpus, "-o", folder / "out", "--jobs", 2, "--shard-size", 1, "--timeout", 600)
    process = start(*words, sites=(trap,))
    wait_for(lambda: all(mark.exists() for mark in marks))
    return process


@pytest.mark.parametrize("word", ["mark", "hold"])
def test_workers_do_not_outlive_their_driver(tmp_path, trap, word):
    process = start_stuck(tmp_path, trap, word)
    workers = list_children(process.pid)
    assert len(workers) == 2

    process.kill()
    finish(process)

    wait_for(lambda: not any(is_alive(worker) for worker in workers))


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_is_killed_and_the_run_goes_on(tmp_path, trap):
    corpus = make_slow_corpus(tmp_path / "corpus", 40, 0.1)
    words = (corpus, "-o", tmp_path / "out", "--jobs", 2, "--shard-size", 20)
    process = start(*words, sites=(trap,))
    wait_for(lambda: len(list_children(process.pid)) == 2)
    time.sleep(1)

    for worker in list_children(process.pid):
        os.kill(worker, signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 0, err
    assert set(read_states(tmp_path / "out").values()) == {"done"}
    assert len(read_states(tmp_path / "out")) == 40


def test_a_document_that_kills_its_worker_is_alone_among_the_failed(tmp_path, trap):
    corpus = make_corpus(tmp_path / "corpus", 40)
    (corpus / "part1" / "a.txt").write_text("TRAP kill\n")
    (corpus / "part2" / "b.txt").write_text("TRAP exit\n")
    (corpus / "part2" / "c.txt").write_text(f"TRAP kill-once {tmp_path / 'mark'}\n")

    code, _, err = finish(start(corpus, "-o", tmp_path / "out", sites=(trap,)))

    assert code == 2
    assert failures(tmp_path / "out") == {
        "corpus/part1/a.txt": ("killed", "its worker process died twice: SIGKILL"),
        "corpus/part2/b.txt": ("killed", "its worker process died twice: exit code 3"),
    }
    assert len(read_states(tmp_path / "out")) == 43
    assert "failed: corpus/part1/a.txt: its worker process died twice: SIGKILL" in err
    assert "Traceback" not in err


def test_a_shard_whose_tables_kill_the_worker_fails_and_the_run_goes_on(tmp_path, trap):
    corpus = make_corpus(tmp_path / "corpus", 6)
    (corpus / "part1" / "a.txt").write_text("TRAP kill-later\n")

    words = (corpus, "-o", tmp_path / "out", "--shard-size", 3, "--jobs", 1)
    code, _, err = finish(start(*words, sites=(trap,)))

    message = ("killed", "its worker process died 3 times writing the tables: SIGKILL")
    assert code == 2, err
    found = failures(tmp_path / "out")
    assert "corpus/part1/a.txt" in found
    assert len(found) == 3
    assert set(found.values()) == {message}
    assert len(read_states(tmp_path / "out")) == 7


def test_endless_huge_and_failing_documents_fail_with_a_reason_and_all_others_are_done(
    tmp_path, trap
):
    corpus = make_corpus(tmp_path / "corpus", 30)
    (corpus / "part0" / "endless.txt").write_text("TRAP endless\n")
    (corpus / "part1" / "huge.txt").write_text("TRAP memory 3000\n")
    (corpus / "part1" / "large.txt").write_text("TRAP memory 100\n")
    (corpus / "part2" / "bug.txt").write_text("TRAP raise a mistake\n")
    words = (corpus, "-o", tmp_path / "out", "--timeout", 4, "--max-memory", "400M")

    code, _, _ = finish(start(*words, sites=(trap,)))

    assert code == 2
    assert failures(tmp_path / "out") == {
        "corpus/part0/endless.txt": ("timeout", "took longer than 4 seconds"),
        "corpus/part1/huge.txt": ("memory", "needs more than 419,430,400 bytes of memory"),
        "corpus/part2/bug.txt": ("read", "the reader 'trap' failed: a mistake"),
    }
    assert len(read_states(tmp_path / "out")) == 34


def test_what_failed_is_done_again_on_request_and_with_other_limits(tmp_path, trap):
    corpus = make_corpus(tmp_path / "corpus", 6)
    (corpus / "part1" / "slow.txt").write_text("TRAP sleep 1\n")
    words = (corpus, "-o", tmp_path / "out", "--jobs", 1)
    first = run_json(*words, "--timeout", 0.5, sites=(trap,))

    second = run_json(*words, "--timeout", 30, sites=(trap,))
    third = run_json(*words, "--timeout", 30, "--retry", sites=(trap,))

    assert (first["failed"], first["processed"]) == (1, 7)
    assert (second["failed"], second["processed"]) == (1, 0)
    assert (third["failed"], third["processed"]) == (0, 1)
    assert set(read_states(tmp_path / "out").values()) == {"done"}


def test_a_file_of_many_documents_loses_none_of_the_others_by_name(tmp_path, trap):
    corpus = make_corpus(tmp_path / "corpus", 3)
    (corpus / "many.txt").write_text("TRAP many a b a\n")

    summary = run_json(corpus, "-o", tmp_path / "out", sites=(trap,))

    assert summary["documents"] == 6
    assert {name for name in read_states(tmp_path / "out") if "many" in name} == {
        "corpus/many.txt:a",
        "corpus/many.txt:b",
        "corpus/many.txt:a#2",
    }


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_interrupt_finishes_the_running_documents_and_the_same_command_goes_on(
    tmp_path, trap, number
):
    corpus = make_slow_corpus(tmp_path / "corpus", 60, 0.1)
    out = tmp_path / "out"
    words = (corpus, "-o", out, "--jobs", 2, "--shard-size", 30)
    process = start(*words, sites=(trap,))
    wait_for(lambda: len(list_children(process.pid)) == 2)
    time.sleep(1.5)

    process.send_signal(number)
    code, _, err = finish(process)

    states = read_states(out)
    assert code == 130
    assert "give the same command again to go on" in err
    assert 0 < len(states) < 60
    assert len(states) + open_run(out).pending() == 60
    summary = run_json(*words, sites=(trap,))
    assert summary["processed"] == 60 - len(states)
    assert len(read_states(out)) == 60
    run_json(corpus, "-o", tmp_path / "calm", "--shard-size", 30, sites=(trap,))
    assert fingerprint(out) == fingerprint(tmp_path / "calm")


def test_a_second_interrupt_ends_at_once_and_leaves_a_valid_state(tmp_path, trap):
    process = start_stuck(tmp_path, trap)
    out = tmp_path / "out"

    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)

    assert code == 130
    assert "Traceback" not in err
    assert len(read_states(out)) + open_run(out).pending() == 6


BLOCKED = """
import os, sys, tlex.corpus.runs.driver as driver
from tlex.cli import main

class InputContent(driver.InputContent):
    def read(self, *place):
        ours, _ = os.pipe()
        open(sys.argv[-1] + ".mark", "w").close()
        os.read(ours, 1)  # comes back never

driver.InputContent = InputContent
main()
"""


def test_a_second_interrupt_ends_a_driver_that_waits_for_the_system(tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"links": []}\n')
    words = [sys.executable, "-c", BLOCKED, *command(corpus, "-j", 1, "-o", tmp_path / "out")[3:]]
    process = subprocess.Popen(  # noqa: S603
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_for((tmp_path / "out.mark").exists)

    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)

    assert (code, err) == (130, "tlex: interrupted\n")
    assert open_run(tmp_path / "out").pending() == 1


def test_a_second_run_into_the_same_directory_is_refused(tmp_path, trap):
    corpus = make_slow_corpus(tmp_path / "corpus", 20, 0.2)
    first = start(corpus, "-o", tmp_path / "out", "--jobs", 1, sites=(trap,))
    wait_for((tmp_path / "out" / "documents").is_dir)

    code, _, err = finish(start(corpus, "-o", tmp_path / "out", sites=(trap,)))

    assert code == 2
    assert err.count("\n") == 1
    assert "another run is writing there" in err
    assert finish(first)[0] == 0
    assert finish(start(corpus, "-o", tmp_path / "out", sites=(trap,)))[0] == 0


def in_a_small_file_system(folder, script):
    """Run a script in which $OUT is a file system of 300 kB; or skip."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare: a full disk cannot be made here")
    folder.mkdir()
    mount = f"export OUT={shlex.quote(str(folder))} && mount -t tmpfs -o size=300k none $OUT"
    words = [unshare, "--map-root-user", "--mount", "sh", "-c"]
    tried = subprocess.run([*words, mount], capture_output=True, check=False)  # noqa: S603
    if tried.returncode:
        pytest.skip(f"file systems cannot be mounted here: {tried.stderr.decode().strip()}")
    return subprocess.run(  # noqa: S603
        [*words, f"{mount} || exit 9\n{script}"],
        capture_output=True,
        check=False,
        env=environment(),
        text=True,
    )


def test_a_full_disk_is_reported_in_one_line_and_the_run_goes_on_when_there_is_room(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 60)
    run = shlex.join(command(corpus, "-o", "OUT", "--shard-size", 4, "--jobs", 2))
    run = run.replace("-o OUT", '-o "$OUT"')
    shown = shlex.quote(str(tmp_path / "copy"))

    done = in_a_small_file_system(
        tmp_path / "disk",
        f"{run}; echo code $?; mount -o remount,size=50m none $OUT\n"
        f"{run}; echo code $?; cp -r $OUT {shown}",
    )

    codes = [line for line in done.stdout.splitlines() if line.startswith("code")]
    assert codes == ["code 2", "code 0"], done.stderr
    message = done.stderr.splitlines()
    assert len(message) == 2
    assert "cannot be written: " in message[0]
    assert "full" in message[0] or "No space left" in message[0]
    assert len(read_states(tmp_path / "copy")) == 60
    tlex.corpus.run([corpus], tmp_path / "calm", shard_size=4)
    assert fingerprint(tmp_path / "copy") == fingerprint(tmp_path / "calm")


def test_a_directory_that_turns_read_only_is_reported_in_one_line_and_stays_valid(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 8)
    run = shlex.join(command(corpus, "-o", "OUT")).replace("-o OUT", '-o "$OUT"')
    shown = shlex.quote(str(tmp_path / "copy"))

    done = in_a_small_file_system(
        tmp_path / "disk",
        f"mount -o remount,size=50m none $OUT; {run}; echo code $?\n"
        f"rm {shlex.quote(str(corpus))}/part0/*; mount -o remount,ro none $OUT\n"
        f"{run}; echo code $?; cp -r $OUT {shown}; mount -o remount,rw none $OUT\n"
        f"{run}; echo code $?; cp -r $OUT {shown}-2",
    )

    codes = [line for line in done.stdout.splitlines() if line.startswith("code")]
    assert codes == ["code 0", "code 2", "code 0"], done.stderr
    message = done.stderr.splitlines()
    assert len(message) == 3
    assert "cannot be written: " in message[1]
    assert len(read_states(tmp_path / "copy")) == 8
    assert len(read_states(tmp_path / "copy-2")) == 5


def test_a_dask_worker_is_killed_and_the_run_goes_on(tmp_path, trap, monkeypatch):
    corpus = make_slow_corpus(tmp_path / "corpus", 60, 0.1)
    words = (corpus, "--shard-size", 5, "-o")
    # Dask would try a few times by itself, and then give up; here it gives up at once.
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    process = start(*words, tmp_path / "out", "--dask", "local", "--jobs", 2, sites=(trap,))
    wait_for(lambda: len(find_dask_workers(process.pid)) == 2)
    wait_for(lambda: len(list((tmp_path / "out" / "documents").glob("*"))) > 0)

    os.kill(find_dask_workers(process.pid)[0], signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 0, err
    run_json(*words, tmp_path / "calm", sites=(trap,))
    assert fingerprint(tmp_path / "out") == fingerprint(tmp_path / "calm")


def find_dask_workers(pid):
    """The processes below a driver that have a worker process of ours, or will have."""
    found = []
    for child in list_children(pid):
        for line in (child, *list_children(child)):
            try:
                with open(f"/proc/{line}/cmdline", "rb") as file:  # noqa: PTH123
                    words = file.read()
            except OSError:
                continue
            if b"spawn_main" in words or b"forkserver" in words:
                found.append(line)
    return found


def test_a_document_that_kills_its_worker_harms_no_dask_worker(tmp_path, trap):
    corpus = make_corpus(tmp_path / "corpus", 20)
    (corpus / "part1" / "a.txt").write_text("TRAP kill\n")
    words = (corpus, "-o", tmp_path / "out", "--dask", "local", "--jobs", 1)

    code, _, err = finish(start(*words, sites=(trap,)))

    assert code == 2, err
    assert list(failures(tmp_path / "out")) == ["corpus/part1/a.txt"]
    assert len(read_states(tmp_path / "out")) == 21


def test_a_changed_document_takes_the_place_of_its_rows_after_a_kill(tmp_path, trap):
    corpus = make_slow_corpus(tmp_path / "corpus", 40, 0.02)
    words = (corpus, "--shard-size", 10, "-o")
    run_json(*words, tmp_path / "out", sites=(trap,))
    for number in range(4, 8):
        write_document(corpus / f"part{number % 3}" / f"doc{number:03}.txt", number + 1)

    process = start(*words, tmp_path / "out", sites=(trap,))
    time.sleep(0.6)
    process.kill()
    finish(process)
    run_json(*words, tmp_path / "out", sites=(trap,))

    run_json(*words, tmp_path / "fresh", sites=(trap,))
    assert fingerprint(tmp_path / "out") == fingerprint(tmp_path / "fresh")
