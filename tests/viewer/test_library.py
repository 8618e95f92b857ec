"""The documents of a directory: found, judged, followed, and none from elsewhere."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from tlex import files
from tlex.errors import ReadError
from tlex.readers import parse_all
from tlex.viewer import library as library_module
from tlex.viewer.library import Library, UnknownDocumentError

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests" / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    shutil.copy(EXAMPLES / "story.tml", home / "story.tml")
    shutil.copy(EXAMPLES / "contradiction.tml", home / "deep" / "contradiction.tml")
    (home / "broken.tml").write_text("<TimeML><EVENT></TimeML>")
    (home / "notes.bin").write_bytes(bytes(range(256)))
    (home / ".hidden.tml").write_text("<TimeML/>")
    return home


def settle(library: Library) -> dict[str, str]:
    library.scan()
    for _ in library.settle():
        pass
    return {entry.name: entry.verdict for entry in library.list_entries()}


def test_each_document_is_listed_with_its_verdict(folder):
    library = Library(str(folder))
    library.scan()
    before = {entry.name: entry.verdict for entry in library.list_entries()}

    after = settle(library)

    assert set(before.values()) == {"waiting"}
    assert after == {
        "broken.tml": "broken",
        "story.tml": "consistent",
        "deep/contradiction.tml": "inconsistent",
    }
    broken = library.list_entries()[0]
    assert broken.message.startswith("broken.tml:1:")


def test_a_file_of_many_documents_is_listed_as_these(tmp_path):
    shutil.copy(DATA / "dense.tsv", tmp_path)
    library = Library(str(tmp_path))

    assert settle(library) == {"dense.tsv:doc_a": "consistent", "dense.tsv:doc_b": "consistent"}
    assert library.open("dense.tsv:doc_b").document.name == "dense.tsv:doc_b"


def test_places_lead_from_one_document_to_the_next(folder):
    library = Library(str(folder))
    settle(library)

    place = library.find_place("story.tml")

    assert (place.number, place.total) == (2, 3)
    assert (place.index, place.previous) == ("/", "/document/broken.tml")
    assert place.next == "/document/deep/contradiction.tml"


def test_what_changes_on_the_disk_changes_here(folder):
    library = Library(str(folder))
    settle(library)
    seen = library.version
    stamp = library.list_entries()[0].stamp

    (folder / "broken.tml").write_text("<TimeML>Well.</TimeML>")
    (folder / "new.tml").write_text("<TimeML>New.</TimeML>")
    verdicts = settle(library)

    assert verdicts["broken.tml"] == verdicts["new.tml"] == "consistent"
    fresh = library.list_entries(seen)
    assert [entry.name for entry in fresh] == ["broken.tml", "new.tml"]
    assert fresh[0].stamp != stamp

    (folder / "new.tml").unlink()
    seen = library.version
    settle(library)

    assert "new.tml" not in {entry.name for entry in library.list_entries()}
    assert library.shrunk > seen
    with pytest.raises(UnknownDocumentError):
        library.open("new.tml")


def test_without_a_change_nothing_is_read_again(folder):
    library = Library(str(folder))
    settle(library)
    version = library.version

    library.scan()

    assert list(library.settle()) == []
    assert library.version == version


@pytest.mark.parametrize(
    "name",
    ["../outside.tml", "/etc/passwd", "deep/../../outside.tml", "deep/../story.tml", "", ".",
     ".hidden.tml", "story.tml\0", "story.tml/", "STORY.TML:x"],
)  # fmt: skip
def test_only_names_that_were_found_can_be_opened(folder, name):
    (folder.parent / "outside.tml").write_text("<TimeML>secret</TimeML>")
    library = Library(str(folder))
    settle(library)

    with pytest.raises(UnknownDocumentError):
        library.open(name)


def test_links_that_lead_out_are_left_out(folder):
    outside = folder.parent / "outside.tml"
    outside.write_text("<TimeML>secret</TimeML>")
    (folder / "link.tml").symlink_to(outside)
    (folder / "inner.tml").symlink_to(folder / "story.tml")
    (folder / "up").symlink_to(folder.parent, target_is_directory=True)

    verdicts = settle(Library(str(folder)))

    assert "inner.tml" in verdicts
    assert "link.tml" not in verdicts
    assert not [name for name in verdicts if name.startswith("up/")]


def test_a_file_that_becomes_a_link_is_refused(folder):
    library = Library(str(folder))
    settle(library)
    outside = folder.parent / "outside.tml"
    outside.write_text("<TimeML>secret</TimeML>")
    (folder / "story.tml").unlink()
    (folder / "story.tml").symlink_to(outside)

    with pytest.raises(ReadError, match="leads out of the directory"):
        library.open("story.tml")


def test_the_text_beside_a_document_must_not_lie_elsewhere(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(DATA / "anafora.TimeML.gold.completed.xml", home)
    secret = tmp_path / "secret"
    shutil.copy(DATA / "anafora", secret)
    (home / "anafora").symlink_to(secret)
    library = Library(str(home))

    verdicts = settle(library)

    assert list(verdicts.values()) == ["broken"]
    assert "leads out of the directory" in library.list_entries()[0].message

    (home / "anafora").unlink()
    shutil.copy(secret, home / "anafora")
    (home / "anafora.TimeML.gold.completed.xml").touch()

    assert list(settle(library).values()) == ["consistent"]


def test_a_link_that_leads_out_only_while_it_is_opened_is_refused(folder, monkeypatch):
    outside = folder.parent / "outside.tml"
    outside.write_text("<TimeML>secret</TimeML>")
    link = folder / "link.tml"
    link.symlink_to(folder / "story.tml")
    library = Library(str(folder))
    settle(library)
    really_open = os.open

    def flip(path, *words):
        if os.fspath(path) != str(link):
            return really_open(path, *words)
        link.unlink()
        link.symlink_to(outside)
        try:
            return really_open(path, *words)
        finally:
            link.unlink()
            link.symlink_to(folder / "story.tml")

    def read_link(path, *words, really=os.readlink):
        if str(path).startswith("/proc"):
            raise FileNotFoundError(path)
        return really(path, *words)

    assert library.open("link.tml").document.links
    for proc in (True, False):
        with monkeypatch.context() as patch:
            patch.setattr(files.os, "open", flip)
            if not proc:  # as on systems that cannot name what is open
                patch.setattr(files.os, "readlink", read_link)
            with pytest.raises(ReadError, match="leads out of the directory"):
                library.open("link.tml")


def test_a_link_that_is_replaced_while_it_is_looked_at_comes_the_next_time(folder, monkeypatch):
    link = folder / "link.tml"
    link.symlink_to(folder / "story.tml")
    library = Library(str(folder))

    def find(path, *words, really=os.path.realpath, **more):
        if os.fspath(path) == str(link):
            raise OSError(errno.EINVAL, "Invalid argument", str(path))  # a link no more
        return really(path, *words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os.path, "realpath", find)
        first = settle(library)
    second = settle(library)

    assert "story.tml" in first
    assert "link.tml" not in first
    assert "link.tml" in second


def test_a_link_that_leads_out_does_not_hide_what_lies_beside_it(folder):
    shutil.copy(DATA / "dense.tsv", folder)
    shutil.copy(DATA / "anafora.TimeML.gold.completed.xml", folder)
    shutil.copy(DATA / "anafora", folder)
    outside = folder.parent / "outside.tml"
    outside.write_text("<TimeML>secret</TimeML>")
    (folder / "link.tml").symlink_to(outside)

    verdicts = settle(Library(str(folder)))

    assert verdicts["dense.tsv:doc_a"] == "consistent"
    assert verdicts["anafora.TimeML.gold.completed.xml"] == "consistent"
    assert "link.tml" not in verdicts


def test_a_file_of_many_documents_is_parsed_once_for_all_its_pages(tmp_path, monkeypatch):
    path = tmp_path / "many.jsonl"
    path.write_text('{"links": [{"source": "a", "target": "b", "type": "BEFORE"}]}\n' * 5)
    library = Library(str(tmp_path))
    parsed = []
    monkeypatch.setattr(
        library_module, "parse_all", lambda *a, **k: parsed.append(a) or parse_all(*a, **k)
    )
    settle(library)

    for number in range(1, 6):
        assert library.open(f"many.jsonl:{number}").document.name == f"many.jsonl:{number}"
    assert len(parsed) == 1

    stamp = path.stat().st_mtime_ns
    path.write_text(path.read_text().replace("BEFORE", "AFTER "))
    os.utime(path, ns=(stamp, stamp))
    assert library.open("many.jsonl:2").document.links[0].type == "AFTER"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_holds_nobody_up(folder):
    os.mkfifo(folder / "pipe.tml")

    assert "pipe.tml" not in settle(Library(str(folder)))


def test_one_file_is_all_there_is(folder):
    library = Library(str(folder / "story.tml"))

    assert settle(library) == {"story.tml": "consistent"}
    assert library.find_place("story.tml").index is None
    with pytest.raises(UnknownDocumentError):
        library.open("broken.tml")
