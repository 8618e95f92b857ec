"""A release: everything but the texts, provable by whoever has these."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from release import make_release, restore_words, write_release

import tlex
from tlex.errors import WriteError

# Words that stand nowhere else, so that they can be looked for.
UNHEARD = """<TimeML>The quaggafish <EVENT eid="e1" class="OCCURRENCE">wibbled</EVENT> at
<TIMEX3 tid="t1" type="TIME" value="2001-02-03T04:05">zorptime</TIMEX3> and
<EVENT eid="e2" class="STATE">frobnicated</EVENT> <SIGNAL sid="s1">blorply</SIGNAL> on.
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<MAKEINSTANCE eiid="ei3" eventID="grault"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="ei2"/>
<TLINK lid="l2" relType="AFTER" eventInstanceID="ei1" relatedToEventInstance="ei2"/>
<TLINK lid="l3" relType="XYZZYWORD" timeID="t1" relatedToEventInstance="ei2" comment="plugh"/>
</TimeML>"""
WORDS = ("quaggafish", "wibbled", "zorptime", "frobnicated", "blorply", "XYZZYWORD", "plugh")


@pytest.fixture
def files() -> dict[str, bytes]:
    documents = [tlex.parse(UNHEARD, name="unheard.tml"), tlex.read("examples/story.tml")]
    return make_release({"own": [tlex.extract(document) for document in documents]})


def test_no_word_of_a_text_is_in_it(files):
    everything = b"".join(files.values()).decode()

    for word in WORDS:
        assert word in UNHEARD
        assert word not in everything
    story = tlex.read("examples/story.tml")
    lines = files["timelines/own.jsonl"].decode()
    for node in story.nodes:
        assert f'"{story.words(node)}"' not in lines


def test_whoever_has_the_texts_can_prove_every_line(files):
    documents = {
        "unheard.tml": tlex.parse(UNHEARD, name="unheard.tml"),
        "examples/story.tml": tlex.read("examples/story.tml"),
    }

    for line in files["timelines/own.jsonl"].splitlines():
        report = tlex.ExtractionRecord.from_json(line)
        document = documents[report.document.name]
        with pytest.raises(tlex.VerificationError):
            tlex.verify(document, report)
        whole = restore_words(report, document)
        assert whole == tlex.extract(document).record()
        assert tlex.verify(document, whole)


def test_a_certificate_says_what_is_proven_and_the_correction_is_the_least(files):
    unheard, story = map(json.loads, files["certificates/own.jsonl"].splitlines())

    assert (unheard["consistent"], unheard["removed"], unheard["minimum"]) == (False, ["l2"], True)
    assert unheard["proven"]["conflicts"] == 1
    assert unheard["corrected"]["conflicts"] == 0
    assert (story["consistent"], story["removed"], story["corrected"]) == (True, [], None)
    patch = json.loads(files["corrections/own.json"])
    assert [(f["path"], f["changes"]) for f in patch["files"]] == [
        (
            "unheard.tml",
            [{"link": "l2", "old": "AFTER", "new": None, "source": "ei1", "target": "ei2"}],
        )
    ]
    assert patch["files"][0]["sha256"] == unheard["sha256"]


def test_the_checksums_can_be_checked_and_a_change_is_seen(files, tmp_path):
    folder = tmp_path / "release"
    write_release(folder, files)

    def check() -> int:
        command = [shutil.which("sha256sum"), "-c", "--quiet", "SHA256SUMS"]
        return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode  # noqa: S603

    assert check() == 0
    listed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert listed == set(files)
    (folder / "README.md").write_text("another")
    assert check() == 1


def test_a_release_replaces_the_old_one_whole_and_nothing_that_is_none(files, tmp_path):
    folder = tmp_path / "release"
    write_release(folder, {**files, "old.txt": b"old"})

    write_release(folder, files)

    assert not (folder / "old.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(WriteError, match="is no release, so it is left alone"):
        write_release(other, files)
    assert (other / "thesis.txt").read_text() == "years of work"
    (folder / "thesis.txt").write_text("in the wrong place")
    with pytest.raises(WriteError, match="is no release"):
        write_release(folder, files)
    assert (folder / "thesis.txt").exists()


def test_a_release_is_the_same_to_the_byte_each_time(files):
    documents = [tlex.parse(UNHEARD, name="unheard.tml"), tlex.read("examples/story.tml")]

    assert make_release({"own": [tlex.extract(d) for d in documents]}) == files


# What make paper writes.


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.corpus
def test_the_release_of_the_corpora_has_no_stretch_of_their_texts(paper, meantime, timebank):
    pages = {
        path: path.read_text(encoding="utf-8")
        for path in paper.release.rglob("*")
        if path.is_file()
    }

    assert len(pages) == 14
    for document in (*meantime.values(), *timebank.values()):
        words = " ".join(document.text.split())
        stretches = [words[at : at + 40] for at in range(0, len(words) - 40, 997)]
        for page in pages.values():
            assert not any(stretch in page for stretch in stretches)
    for name in ("timebank-1.2", "meantime-en", "propplearner"):
        for report in read_lines(paper.release / "timelines" / f"{name}.jsonl"):
            assert {node["text"] for node in report["nodes"]} <= {""}


@pytest.mark.corpus
def test_the_words_of_events_are_not_among_the_strings_of_a_timeline(paper, meantime):
    for report in read_lines(paper.release / "timelines" / "meantime-en.jsonl"):
        document = meantime[report["document"]["name"]]
        words = {document.words(node) for node in document.nodes}
        strings = set(list_strings({**report, "document": None}))
        values = {node["value"] for node in report["nodes"]} | {"", "event", "time"}
        ids = {*document.index, *(link.id for link in document.links)}
        assert words & strings <= values | ids


def list_strings(data: object):
    if isinstance(data, dict):
        for value in data.values():
            yield from list_strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from list_strings(value)
    elif isinstance(data, str):
        yield data


@pytest.mark.corpus
def test_the_corrections_make_timebank_consistent(paper, corpora, tmp_path):
    from runs import run_tlex  # noqa: PLC0415

    patch = paper.release / "corrections" / "timebank-1.2.json"
    done = run_tlex("apply", patch, corpora / "timebank-1.2", "-o", tmp_path / "better")

    assert done.returncode == 0, done.stderr
    files = sorted((tmp_path / "better").glob("*.tml"))
    assert len(files) == 183
    assert all(tlex.extract(tlex.read(file)).consistent for file in files)


@pytest.mark.corpus
def test_every_correction_is_proven_to_be_the_smallest(paper):
    for name, inconsistent in (("timebank-1.2", 65), ("meantime-en", 36)):
        found = read_lines(paper.release / "certificates" / f"{name}.jsonl")
        assert all(certificate["minimum"] for certificate in found)
        assert sum(not certificate["consistent"] for certificate in found) == inconsistent
        assert sum(bool(certificate["removed"]) for certificate in found) == inconsistent
