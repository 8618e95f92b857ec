"""``tlex corpus run``: what it reports, where that goes, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from commands import run_on_terminal
from runs import command, environment, finish, install_trap, make_corpus, start


def run_code(code: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_results_go_to_the_directory_and_talk_to_stderr(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 7)

    code, out, err = finish(start(corpus, "-o", tmp_path / "out"))

    assert code == 0
    assert out == ""
    assert err.startswith("tlex: 7 documents done, 2 contradictory, 0 failed; 7 now, in ")


def test_the_summary_is_one_json_object(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 7)
    (corpus / "broken.tml").write_text("<TimeML>")

    code, out, err = finish(start(corpus, tmp_path / "nix", "-o", tmp_path / "out", "--json"))

    summary = json.loads(out)
    assert code == 2
    assert (summary["documents"], summary["done"], summary["failed"]) == (8, 7, 1)
    assert summary["schema"] == "tlex-run/1"
    assert "tlex: failed: corpus/broken.tml: 1:9: not well-formed XML" in err
    assert f"tlex: {tmp_path / 'nix'}: cannot be read: there is no such file" in err


@pytest.mark.parametrize(
    ("count", "message"), [(1, "1 link, pipe or device"), (2, "2 links, pipes or devices")]
)
def test_what_is_left_out_is_reported(tmp_path, count, message):
    corpus = make_corpus(tmp_path / "corpus", 1)
    for number in range(count):
        os.mkfifo(corpus / f"pipe{number}")

    code, _, err = finish(start(corpus, "-o", tmp_path / "out"))

    assert code == 0
    assert f"tlex: note: left out {message}\n" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-memory", "much"], "'much' is no size; write it like 500M or 2G"),
        (["--times", "nix"], "'nix' is not one of 'interval', 'point'"),
        (["--labels", "no-such-file"], "no-such-file: cannot be read"),
        (["--jobs", "0"], "invalid value for"),
    ],
)
def test_wrong_options_are_reported_in_one_line(tmp_path, words, message):
    corpus = make_corpus(tmp_path / "corpus", 1)

    code, out, err = finish(start(corpus, "-o", tmp_path / "out", *words))

    assert (code, out) == (2, "")
    assert message in err.lower() if "invalid" in message else message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_log_has_lines_with_rate_and_time_left():
    code = (
        "import sys; from tlex.cli.corpus import run; from tlex.corpus import RunProgress\n"
        "run._EVERY = 0\n"
        "with run._show_progress() as show: show(RunProgress(\n"
        "  todo=400, finished=100, failed=3, inconsistent=20, seconds=50.0))\n"
    )

    words = "100 of 400, 2/s, 20 contradictory, 3 failed, 2 min 30 s left"
    assert run_code(code) == f"tlex: {words}\n"


def test_a_terminal_has_a_bar_with_rate_and_counts(tmp_path):
    trap = install_trap(tmp_path / "site")
    corpus = make_corpus(tmp_path / "corpus", 6)
    for number in range(20):
        (corpus / f"slow{number}.txt").write_text(f"TRAP sleep 0.1\n# {number}\n")
    code, text = run_on_terminal(
        *command(corpus, "-o", tmp_path / "out", "--jobs", 1, "--shard-size", 4)[3:],
        stream="stderr",
        COLUMNS="120",
        PYTHONPATH=environment(trap)["PYTHONPATH"],
    )

    assert code == 0
    assert "of 26" in text
    for word in ("/s", "contradictory", "failed", "left"):
        assert word in text


@pytest.mark.parametrize(
    ("missing", "options", "extra"),
    [("pyarrow", "", "tlex[corpus]"), ("distributed", ", dask='local'", "tlex[dask]")],
)
def test_a_package_that_is_missing_is_named_with_the_extra_that_has_it(
    tmp_path, missing, options, extra
):
    corpus = make_corpus(tmp_path / "corpus", 1)
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import tlex, tlex.errors\n"
        f"try: tlex.corpus.run([{str(corpus)!r}], {str(tmp_path / 'out')!r}{options})\n"
        "except tlex.errors.OptionError as error: print(error)\n"
    )

    assert f"pip install '{extra}'" in run_code(code)
