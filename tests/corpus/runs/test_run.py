"""A run: what it does, what it does not do again, and what it refuses."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from runs import failures, fingerprint, make_corpus, read_states, read_tables, write_document

from tlex.corpus import open_run, run
from tlex.corpus.runs import driver
from tlex.corpus.runs.engines import LocalEngine
from tlex.corpus.runs.supervisor import Supervisor
from tlex.errors import OptionError, ReadError, UnknownNameError
from tlex.export.table_schema import RUN_TABLES
from tlex.readers import parse_labels

LABELS = parse_labels(b'[TLINK]\nX = ["A- < B-"]', "own.toml")
DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Give a corpus that no test changes."""
    return make_corpus(tmp_path_factory.mktemp("made") / "corpus", 40)


@pytest.fixture(scope="module")
def result(corpus, tmp_path_factory):
    """Give the result of a run over it that no test changes."""
    out = tmp_path_factory.mktemp("result") / "out"
    run([corpus], out, shard_size=7, jobs=1)
    return out


def test_every_document_is_done_once_and_counted(corpus, tmp_path):
    summary = run([corpus], tmp_path / "out", jobs=2)

    assert (summary.documents, summary.done, summary.failed) == (40, 40, 0)
    assert summary.inconsistent == 8
    assert summary.complete
    assert set(read_states(tmp_path / "out")) == {
        f"corpus/{path.relative_to(corpus).as_posix()}" for path in corpus.rglob("*.txt")
    }


@pytest.mark.parametrize("engine", [{"jobs": 2}, {"jobs": 3}, {"dask": "local", "jobs": 2}])
def test_the_result_is_the_same_to_the_byte_whoever_does_the_work(corpus, result, tmp_path, engine):
    run([corpus], tmp_path / "out", shard_size=7, **engine)

    assert fingerprint(tmp_path / "out") == fingerprint(result)


def test_a_mended_run_has_an_order_for_every_document(corpus, result, tmp_path):
    summary = run([corpus], tmp_path / "out", jobs=1, mend=True)

    before, after = read_tables(result), read_tables(tmp_path / "out")
    assert summary.inconsistent == 8
    assert open_run(tmp_path / "out").options["mend"]
    assert not any(row["mended"] for row in before["documents"])
    assert [row["mended"] for row in after["documents"]] == [
        len(row["repair_links"]) for row in before["documents"]
    ]
    assert sum(row["inconsistent_timelines"] for row in before["documents"])
    assert not any(row["inconsistent_timelines"] for row in after["documents"])
    assert [row["left_out"] for row in after["links"]] == [row["removed"] for row in after["links"]]
    for name in ("consistent", "conflicts", "repaired_longest", "repaired_sections"):
        one, other = ([row[name] for row in rows["documents"]] for rows in (before, after))
        assert one == other
    assert [row["minimal"] for row in before["conflicts"]] == [
        row["minimal"] for row in after["conflicts"]
    ]


def test_rows_are_the_same_whatever_the_shards(corpus, result, tmp_path):
    run([corpus], tmp_path / "out", shard_size=1000)

    assert len(open_run(tmp_path / "out").files("points")) == 1
    assert len(open_run(result).files("points")) == 6
    assert read_tables(tmp_path / "out") == read_tables(result)


def test_the_same_again_does_nothing(corpus, tmp_path):
    run([corpus], tmp_path / "out")
    before = fingerprint(tmp_path / "out")

    summary = run([corpus], tmp_path / "out")

    assert summary.processed == 0
    assert summary.complete
    assert fingerprint(tmp_path / "out") == before


def test_what_is_new_changed_or_gone_is_done_and_nothing_else(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 20)
    run([corpus], tmp_path / "out", shard_size=5)
    write_document(corpus / "part0" / "doc003.txt", 99)
    (corpus / "part1" / "doc004.txt").unlink()
    write_document(corpus / "part1" / "new.txt", 7)

    summary = run([corpus], tmp_path / "out", shard_size=5)

    run([corpus], tmp_path / "fresh", shard_size=5)
    assert summary.processed == 2
    assert summary.documents == 20
    assert by_document(read_tables(tmp_path / "out")) == by_document(
        read_tables(tmp_path / "fresh")
    )


def by_document(tables):
    """The rows of all tables, by document."""
    found = {}
    for name, rows in tables.items():
        for row in rows:
            found.setdefault(row["document"], {}).setdefault(name, []).append(row)
    return found


def test_documents_of_one_name_lose_no_rows_when_one_of_them_changes(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    table = corpus / "t.tsv"
    table.write_text("d1\te1\te2\tb\nd1\te2\te3\tb\nd2\te1\te2\ta\n")
    for number, name in enumerate(["d1", "t.tsv:d1", "t.tsv#d1"]):
        write_document(corpus / name, number + 2)
    first = run([corpus], tmp_path / "out")
    table.write_text("d1\te1\te2\tb\nd1\te2\te3\tb\nd2\te1\te2\tb\nd3\te1\te2\tb\n")

    second = run([corpus], tmp_path / "out")

    run([corpus], tmp_path / "fresh")
    names = [row["document"] for row in read_tables(tmp_path / "out")["documents"]]
    assert (first.documents, second.documents, second.processed) == (5, 6, 3)
    assert sorted(names) == [
        *("corpus/d1", "corpus/t.tsv#d1", "corpus/t.tsv:d1", "corpus/t.tsv:d1"),
        *("corpus/t.tsv:d2", "corpus/t.tsv:d3"),
    ]
    assert fingerprint(tmp_path / "out") == fingerprint(tmp_path / "fresh")


def test_a_document_that_is_only_touched_is_not_done_again(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 4)
    old = time.time() - 1000
    for path in corpus.rglob("*.txt"):
        os.utime(path, (old, old))
    run([corpus], tmp_path / "out")
    os.utime(corpus / "part0" / "doc000.txt")

    assert run([corpus], tmp_path / "out").processed == 0


def test_a_change_is_seen_even_if_size_and_time_are_the_same(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 2)
    path = corpus / "part0" / "doc000.txt"
    path.write_text("a BEFORE b\n")
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    run([corpus], tmp_path / "out")

    path.write_text("a BEFORE c\n")
    os.utime(path, ns=times)

    assert run([corpus], tmp_path / "out").processed == 1


def test_input_can_be_added_and_not_left_out(tmp_path):
    one = make_corpus(tmp_path / "one", 3)
    two = make_corpus(tmp_path / "two", 3)
    run([one], tmp_path / "out")

    summary = run([one, two], tmp_path / "out")

    assert (summary.documents, summary.processed) == (6, 3)
    with pytest.raises(OptionError, match=r"an earlier run had the input '.*two' too"):
        run([one], tmp_path / "out")


def test_input_that_has_vanished_keeps_its_rows_and_is_reported(tmp_path):
    one = make_corpus(tmp_path / "one", 3)
    two = make_corpus(tmp_path / "two", 3)
    run([one, two], tmp_path / "out")
    two.rename(tmp_path / "elsewhere")
    empty = tmp_path / "two"

    summary = run([one, two], tmp_path / "out")
    empty.mkdir()
    again = run([one, two], tmp_path / "out")

    assert summary.unread == (f"{two}: cannot be read: there is no such file or directory",)
    assert again.unread == (f"{two}: no document in there",)
    assert summary.documents == again.documents == 6
    assert not summary.complete


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": "point"}, 'times "interval", and now it is "point"'),
        ({"links": ["TLINK"]}, r'links \["TLINK","ALINK"\], and now it is \["TLINK"\]'),
        ({"repair": False}, "repair true, and now it is false"),
        ({"scenarios": False}, "scenarios true"),
        ({"strict": True}, "strict false"),
        ({"max_bytes": 10}, "max-bytes"),
        ({"format": "plain"}, 'format null, and now it is "plain"'),
        ({"subordinating": ["MODAL"]}, "subordinating"),
        ({"mend": True}, "mend false, and now it is true"),
        ({"calendar": True}, "calendar false, and now it is true"),
        ({"labels": LABELS}, "labels"),
    ],
)
def test_other_options_into_the_same_directory_are_refused(corpus, result, options, message):
    before = fingerprint(result)

    with pytest.raises(OptionError, match=message):
        run([corpus], result, **options)

    assert fingerprint(result) == before


def test_another_version_of_tlex_is_refused(corpus, tmp_path, monkeypatch):
    run([corpus], tmp_path / "out")
    monkeypatch.setattr("tlex.corpus.runs.manifest.__version__", "99.0")

    with pytest.raises(OptionError, match=r"made by tlex .*, and this is 99\.0"):
        run([corpus], tmp_path / "out")


@pytest.mark.parametrize("name", ["notes.txt", "documents", ".git"])
def test_a_directory_that_is_not_ours_is_refused_and_left_alone(corpus, tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")

    with pytest.raises(OptionError, match="is not the result of a run"):
        run([corpus], tmp_path / "out")

    assert [path.name for path in (tmp_path / "out").iterdir()] == [name]


def test_a_file_or_a_strange_manifest_in_the_place_of_the_result_is_refused(corpus, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "manifest.sqlite").write_text("this is no database, but a long text")

    with pytest.raises(OptionError, match="not a directory"):
        run([corpus], tmp_path / "file")
    with pytest.raises(OptionError, match="is not the result of a run"):
        run([corpus], tmp_path / "strange")
    with pytest.raises(OptionError, match="not the result of a run"):
        open_run(corpus)
    with pytest.raises(OptionError, match="not the manifest of a run: it is not a database"):
        open_run(tmp_path / "strange")


@pytest.mark.parametrize("made", ["", "CREATE TABLE facts (x)", "CREATE TABLE thesis (x)"])
def test_a_directory_with_a_manifest_that_is_not_ours_is_left_alone(corpus, tmp_path, made):
    out = tmp_path / "out"
    thesis = out / "documents" / "thesis.doc"
    thesis.parent.mkdir(parents=True)
    thesis.write_text("mine")
    (out / "manifest.sqlite").touch()
    with closing(sqlite3.connect(out / "manifest.sqlite")) as database:
        database.execute(made)

    with pytest.raises(OptionError, match="is not the result of a run"):
        run([corpus], out)

    assert thesis.read_text() == "mine"
    assert not (out / "points").exists()


def test_a_run_that_ended_as_it_began_is_begun_again(corpus, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.sqlite").touch()
    (tmp_path / "out" / "lock").touch()

    assert run([corpus], tmp_path / "out").documents == 40


def test_files_that_the_manifest_does_not_list_are_cleaned_away(corpus, tmp_path):
    out = tmp_path / "out"
    run([corpus], out)
    before = fingerprint(out)
    (out / "points" / "part-00009-0123456789ab.parquet").write_bytes(b"left behind")
    (out / "new" / "points-part-00009-0123456789ab.parquet").write_bytes(b"half")
    kept = [out / "points" / "notes.parquet", out / "new" / "points-part"]
    for path in kept:
        path.write_text("mine")

    assert open_run(out).table("points").num_rows > 0
    run([corpus], out)

    assert [path for path in kept if path.read_text() == "mine"] == kept
    assert list((out / "new").iterdir()) == kept[1:]
    kept[0].unlink()
    assert fingerprint(out) == before


def test_a_file_that_somebody_has_removed_is_made_again(corpus, result, tmp_path):
    out = tmp_path / "out"
    run([corpus], out, shard_size=7)
    next((out / "points").iterdir()).unlink()

    summary = run([corpus], out, shard_size=7)

    assert 0 < summary.processed <= 7
    assert fingerprint(out) == fingerprint(result)


def test_a_file_that_was_cut_is_noticed_and_made_again(corpus, result, tmp_path):
    out = tmp_path / "out"
    run([corpus], out, shard_size=7)
    for table, size in (("points", 100), ("links", 0)):
        os.truncate(min((out / table).iterdir()), size)
    spoilt = sorted((out / "documents").iterdir())[1]
    spoilt.write_bytes(spoilt.read_bytes()[:-9] + b"123456789")
    with pytest.raises(ReadError, match="a file of the table points is damaged"):
        open_run(out).table("points")

    summary = run([corpus], out, shard_size=7)

    assert summary.processed == 14
    assert fingerprint(out) == fingerprint(result)


def test_limits_that_no_kernel_takes_are_no_limits(corpus, result, tmp_path):
    out = tmp_path / "out"

    summary = run([corpus], out, shard_size=7, timeout=1e300, max_memory=10**30, jobs=1)

    assert summary.complete
    assert fingerprint(out) == fingerprint(result)


def test_a_deleted_working_directory_costs_only_what_is_in_it(
    corpus, result, tmp_path, monkeypatch
):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    summary = run([corpus, "x.tml", ".", "*.tml"], tmp_path / "out", shard_size=7, jobs=1)

    monkeypatch.chdir(tmp_path)
    assert summary.unread == tuple(
        f"{name}: cannot be read: No such file or directory" for name in ("x.tml", ".", "*.tml")
    )
    assert fingerprint(tmp_path / "out") == fingerprint(result)


def test_there_are_no_more_processes_than_shards(corpus, result, tmp_path, monkeypatch):
    started = []

    def start(jobs, first):
        assert jobs <= 6  # before any other is started
        started.append(jobs)
        return LocalEngine(jobs, first)

    monkeypatch.setattr(driver, "LocalEngine", start)

    run([corpus], tmp_path / "out", shard_size=7, jobs=10**9)
    run([corpus], tmp_path / "out", shard_size=7, jobs=10**9)

    assert started == [6]
    assert fingerprint(tmp_path / "out") == fingerprint(result)


def test_a_worker_gets_ready_while_a_new_run_is_planned_and_ends_if_there_is_nothing_to_do(
    corpus, tmp_path, monkeypatch
):
    ready: list[int | None] = []
    supervisors: list[Supervisor] = []
    plan = driver.plan_run

    class Watched(Supervisor):
        def __init__(self):
            super().__init__()
            supervisors.append(self)

    def watch(*given, **options):
        ready.append(supervisors[-1].pid)
        return plan(*given, **options)

    monkeypatch.setattr(driver, "Supervisor", Watched)
    monkeypatch.setattr(driver, "plan_run", watch)

    run([corpus], tmp_path / "out", jobs=1)
    run([corpus], tmp_path / "out", jobs=1)
    run([tmp_path / "nothing"], tmp_path / "other", jobs=1)

    assert [pid is not None for pid in ready] == [True, False, True]
    assert [supervisor.pid for supervisor in supervisors] == [None, None, None]
    for pid in filter(None, ready):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_result_inside_the_input_is_no_input(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 4)

    summary = run([corpus], corpus / "out")
    again = run([corpus], corpus / "out")
    pattern = run([f"{corpus}/**/*"], corpus / "out-2")

    assert (summary.documents, summary.skipped) == (4, 0)
    assert (again.documents, again.skipped, again.processed) == (4, 0, 0)
    assert pattern.documents == 4


def test_a_result_inside_the_input_is_found_by_any_name(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 4)
    link = tmp_path / "link"
    link.symlink_to(corpus)

    for inputs, out in (
        ([link], corpus / "out"),
        ([corpus], link / "out-2"),
        ([f"{link}/**/*.*"], corpus / "out-3"),
    ):
        run(inputs, out)
        again = run(inputs, out)
        assert (again.documents, again.processed) == (4, 0)
        assert again.skipped == 0
        shutil.rmtree(out)
    assert run([corpus / "out"], corpus / "out").unread


def test_a_cluster_that_is_there_is_used_and_left_running(corpus, result, tmp_path):
    from distributed import Client, LocalCluster  # noqa: PLC0415 -- not light

    with LocalCluster(
        n_workers=1, threads_per_worker=2, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        run([corpus], tmp_path / "out", shard_size=7, dask=cluster.scheduler_address)
        with Client(cluster) as client:
            assert client.submit(len, "abc").result() == 3

    assert fingerprint(tmp_path / "out") == fingerprint(result)


def test_broken_documents_fail_with_the_place_and_unknown_files_are_skipped(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 3)
    (corpus / "broken.tml").write_text("<TimeML><EVENT eid='e1'>x</TimeML>")
    (corpus / "picture.bin").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (corpus / "empty.txt").write_text("")
    (corpus / ".hidden").write_text("a BEFORE b\n")
    (corpus / "gone.tml").symlink_to(tmp_path / "nowhere")

    summary = run([corpus], tmp_path / "out")
    again = run([corpus], tmp_path / "out")

    assert (summary.done, summary.failed, summary.skipped) == (3, 2, 2)
    assert (again.done, again.failed, again.processed) == (3, 2, 0)
    found = failures(tmp_path / "out")
    assert found["corpus/broken.tml"][0] == "read"
    assert found["corpus/broken.tml"][1].startswith("1:28: ")
    assert found["corpus/gone.tml"] == ("read", "cannot be read: No such file or directory")


def test_a_file_that_is_named_and_not_recognised_has_failed(tmp_path):
    path = tmp_path / "some" / "picture.bin"
    path.parent.mkdir()
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")

    summary = run([path], tmp_path / "out")

    assert (summary.failed, summary.skipped) == (1, 0)
    assert summary.failures[0].startswith("some/picture.bin: ")


def test_a_document_over_the_limit_of_bytes_fails_and_an_error_does_if_strict(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 3)
    (corpus / "large.txt").write_text("a BEFORE b\n" * 100)

    limited = run([corpus], tmp_path / "limited", max_bytes=500)
    (corpus / "large.txt").write_text("a NO_SUCH_LABEL b\n")
    strict = run([corpus], tmp_path / "strict", format="plain", strict=True)

    assert (limited.done, limited.failed) == (3, 1)
    assert "larger than 500 bytes" in limited.failures[0]
    assert (strict.done, strict.failed) == (3, 1)
    assert "NO_SUCH_LABEL" in strict.failures[0]


def test_the_same_name_in_two_corpora_is_two_documents_and_a_file_named_twice_is_one(tmp_path):
    one = make_corpus(tmp_path / "a" / "texts", 3)
    two = make_corpus(tmp_path / "b" / "texts", 3)
    inside = one / "part0" / "doc000.txt"

    summary = run([one, two, inside, f"{one}/part1/*.txt"], tmp_path / "out")

    assert summary.documents == 6
    assert summary.repeated == 2
    assert summary.duplicates == 3
    assert set(read_states(tmp_path / "out")) == {
        f"{corpus}/part{number}/doc00{number}.txt"
        for corpus in ("texts", "texts-2")
        for number in range(3)
    }


def test_the_same_content_under_two_names_is_two_documents_with_one_digest(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 2)
    (corpus / "copy.txt").write_bytes((corpus / "part0" / "doc000.txt").read_bytes())

    summary = run([corpus], tmp_path / "out")

    rows = open_run(tmp_path / "out").table("documents", ["name", "content"]).to_pylist()
    digests = {row["name"]: row["content"] for row in rows}
    assert summary.duplicates == 1
    assert digests["copy.txt"] == digests["part0/doc000.txt"] != digests["part1/doc001.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs cannot be 0"),
        ({"timeout": 0}, "timeout cannot be 0"),
        ({"timeout": float("nan")}, "timeout cannot be nan"),
        ({"max_memory": -1}, "max-memory cannot be -1"),
        ({"links": ["SLINK"]}, "links cannot be 'SLINK'"),
        ({"format": "nix"}, "format cannot be 'nix'"),
        ({"text": "no/such/place"}, "text must be a directory"),
        ({"dask": "tcp://127.0.0.1:1"}, "no Dask scheduler answers"),
        ({"dask": "nonsense"}, "no Dask scheduler answers at 'nonsense'"),
        ({"dask": "foo://bar:99"}, "no Dask scheduler answers at 'foo://bar:99'"),
    ],
)
def test_options_that_make_no_sense_are_refused(corpus, tmp_path, options, message):
    with pytest.raises(OptionError, match=message):
        run([corpus], tmp_path / "out", **options)


def test_without_input_there_is_no_run(tmp_path):
    with pytest.raises(OptionError, match="there is no input"):
        run([], tmp_path / "out")
    for inputs, out in (([""], "out"), ([tmp_path, ""], "out"), ([tmp_path], "")):
        with pytest.raises(OptionError, match="the name of an input or output is empty"):
            run(inputs, out and tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_document_can_be_read_again_and_must_be_the_same(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 4)
    (corpus / "table.tsv").write_bytes((DATA / "dense.tsv").read_bytes())
    run([corpus], tmp_path / "out")
    result = open_run(tmp_path / "out")
    names = result.table("documents", ["document"]).column("document").to_pylist()

    documents = [result.read(name) for name in names]

    assert len(names) == 6
    assert [f"corpus/{document.name}" for document in documents] == names
    (corpus / "part1" / "doc001.txt").write_text("a BEFORE b\n")
    with pytest.raises(ReadError, match="has changed since the run"):
        result.read("corpus/part1/doc001.txt")
    with pytest.raises(OptionError, match="has no document 'corpus/nix'"):
        result.read("corpus/nix")


def test_progress_is_reported_while_it_runs(corpus, tmp_path):
    seen = []

    run([corpus], tmp_path / "out", shard_size=5, progress=seen.append)

    assert seen[-1].finished == seen[-1].todo == 40
    assert seen[-1].inconsistent == 8
    assert [progress.finished for progress in seen] == sorted(
        progress.finished for progress in seen
    )
    assert seen[-1].left == 0


def test_an_empty_table_can_be_read(corpus, tmp_path):
    run([corpus], tmp_path / "out")

    table = open_run(tmp_path / "out").table("diagnostics")

    assert table.num_rows == 0
    names = [column.name for column in RUN_TABLES["diagnostics"].run_columns]
    assert table.column_names == names
    with pytest.raises(OptionError, match="there is no table 'nix'"):
        open_run(tmp_path / "out").files("nix")
    with pytest.raises(UnknownNameError, match="there is no table 'nix'; choose from documents"):
        open_run(tmp_path / "out").table("nix")
    with pytest.raises(UnknownNameError, match="there is no column 'nix'; choose from"):
        open_run(tmp_path / "out").table("diagnostics", ["nix"])


def test_an_input_that_does_not_exist_is_named_in_the_summary(tmp_path):
    summary = run([tmp_path / "nope"], tmp_path / "out")

    assert (summary.documents, len(summary.unread)) == (0, 1)
    assert "nope" in summary.unread[0]
