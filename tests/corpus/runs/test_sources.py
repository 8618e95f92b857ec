"""Input of every kind, hostile input too: archives, lines, names that are no text."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import tarfile
import zipfile

import pytest
from runs import failures, make_corpus, read_states, read_tables, write_document

from tlex.corpus import open_run, run
from tlex.corpus.runs import sources
from tlex.corpus.runs.sources import sign_file

ENDINGS = {"tar": "w", "tgz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}


def pack_tar(path, folder, mode):
    with tarfile.open(path, mode) as archive:
        archive.add(folder, arcname=".")


def add_bytes(archive, name, data):
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def pack_zip(path, folder):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))


def without_place(tables):
    """The rows without what tells where a document came from."""
    dropped = {"document", "corpus", "name", "path", "member"}
    return {
        name: [{key: row[key] for key in row if key not in dropped} for row in rows]
        for name, rows in tables.items()
    }


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Give a corpus, and its rows."""
    place = tmp_path_factory.mktemp("directory")
    corpus = make_corpus(place / "corpus", 12)
    run([corpus], place / "out", shard_size=5)
    return corpus, without_place(read_tables(place / "out"))


@pytest.mark.parametrize("ending", [*ENDINGS, "zip"])
def test_an_archive_gives_the_same_rows_as_the_directory(tmp_path, directory, ending):
    corpus, plain = directory
    path = tmp_path / f"packed.{ending}"
    if ending == "zip":
        pack_zip(path, corpus)
    else:
        pack_tar(path, corpus, ENDINGS[ending])

    summary = run([path], tmp_path / "out", shard_size=5)
    again = run([path], tmp_path / "out", shard_size=5)

    assert (summary.documents, summary.failed, again.processed) == (12, 0, 0)
    assert all(name.startswith("packed/") for name in read_states(tmp_path / "out"))
    assert without_place(read_tables(tmp_path / "out")) == plain
    result = open_run(tmp_path / "out")
    for name in read_states(tmp_path / "out"):
        assert result.read(name).links


def test_a_changed_archive_is_looked_at_and_only_what_changed_is_done(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 8)
    for ending in ("tar.gz", "zip"):
        path = tmp_path / f"packed.{ending}"
        out = tmp_path / f"out.{ending}"
        pack = pack_zip if ending == "zip" else lambda p, c: pack_tar(p, c, "w:gz")
        pack(path, corpus)
        run([path], out)
        write_document(corpus / "part0" / "doc003.txt", 50)
        (corpus / "part1" / "doc001.txt").unlink(missing_ok=True)
        pack(path, corpus)

        summary = run([path], out)

        assert summary.processed == 1, ending
        assert summary.documents == 7
        write_document(corpus / "part0" / "doc003.txt", 3)
        write_document(corpus / "part1" / "doc001.txt", 1)


def test_names_in_an_archive_are_only_names(tmp_path):
    place = tmp_path / "deep" / "er"
    place.mkdir(parents=True)
    names = ["../../evil.txt", "/etc/evil.txt", "a/../../evil.txt", "..\\evil.txt"]
    with tarfile.open(place / "one.tar", "w") as archive:
        for name in names:
            add_bytes(archive, name, b"a BEFORE b\n")
    with zipfile.ZipFile(place / "two.zip", "w") as archive:
        for name in names:
            archive.writestr(name, b"a BEFORE b\n")

    summary = run([place / "one.tar", place / "two.zip"], tmp_path / "out")

    assert (summary.done, summary.failed) == (8, 0)
    assert set(read_states(tmp_path / "out")) == {
        f"{corpus}/{name}" for corpus in ("one", "two") for name in names
    }
    assert not list(tmp_path.rglob("evil.txt"))


def test_links_and_devices_in_an_archive_are_left_out(tmp_path):
    with tarfile.open(tmp_path / "one.tar", "w") as archive:
        add_bytes(archive, "good.txt", b"a BEFORE b\n")
        for name, kind in (
            ("link.txt", tarfile.SYMTYPE),
            ("hard.txt", tarfile.LNKTYPE),
            ("device", tarfile.CHRTYPE),
            ("pipe", tarfile.FIFOTYPE),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        member = zipfile.ZipInfo("link.txt")
        member.external_attr = 0o120777 << 16
        archive.writestr(member, "/etc/passwd")
        archive.writestr("good.txt", b"a BEFORE b\n")

    summary = run([tmp_path / "one.tar", tmp_path / "two.zip"], tmp_path / "out")

    assert (summary.documents, summary.left_out) == (2, 5)


@pytest.mark.parametrize("pack", ["zip", "gz", "bz2", "xz"])
def test_an_archive_bomb_fails_and_takes_no_memory(tmp_path, pack):
    size = 64 << 20
    if pack == "zip":
        path = tmp_path / "bomb.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("good.txt", b"a BEFORE b\n")
            with archive.open("bomb.txt", "w", force_zip64=True) as file:
                for _ in range(size >> 20):
                    file.write(bytes(1 << 20))
    else:
        path = tmp_path / f"bomb.tar.{pack}"
        opener = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}[pack]
        member = tarfile.TarInfo("bomb.txt")
        member.size = size
        with opener(path, "wb") as file:
            good = tarfile.TarInfo("good.txt")
            good.size = 11
            file.write(good.tobuf() + b"a BEFORE b\n".ljust(512, b"\0") + member.tobuf())
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
            file.write(bytes(1024))

    summary = run([path], tmp_path / "out", max_bytes=1 << 20)

    states = read_states(tmp_path / "out")
    assert states["bomb/good.txt"] == "done"
    assert "failed" in states.values()
    assert summary.failed >= 1
    assert all(cause == "read" for cause, _ in failures(tmp_path / "out").values())


def test_a_zip_that_lies_about_sizes_is_read_no_further_than_the_limit(tmp_path):
    path = tmp_path / "liar.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", bytes(8 << 20))
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    path.write_bytes(bytes(data))

    summary = run([path], tmp_path / "out", max_bytes=1 << 20)

    assert (summary.done, summary.failed) == (0, 1)


def test_a_header_of_a_tar_is_not_read_if_it_is_huge(tmp_path):
    header = tarfile.TarInfo("././@PaxHeader")
    header.type, header.size = tarfile.XHDTYPE, 50 << 20
    with gzip.open(tmp_path / "pax.tar.gz", "wb") as file:
        file.write(header.tobuf())
        for _ in range(50):
            file.write(bytes(1 << 20))

    summary = run([tmp_path / "pax.tar.gz"], tmp_path / "out")

    assert summary.failures == (
        "pax/pax.tar.gz: the archive cannot be read: a header of 52,428,800 bytes",
    )


@pytest.mark.parametrize("name", ["broken.zip", "broken.tar", "broken.tar.gz", "broken.tar.xz"])
def test_a_broken_archive_is_one_failure_with_a_reason(tmp_path, name):
    (tmp_path / name).write_bytes(random.Random(7).randbytes(5000))  # noqa: S311
    good = make_corpus(tmp_path / "good", 3)

    summary = run([good, tmp_path / name], tmp_path / "out")

    assert (summary.done, summary.failed) == (3, 1)
    assert "the archive cannot be read: " in summary.failures[0]


def test_an_archive_that_breaks_off_gives_what_it_has(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 30)
    pack_tar(tmp_path / "whole.tar.gz", corpus, "w:gz")
    data = (tmp_path / "whole.tar.gz").read_bytes()
    (tmp_path / "half.tar.gz").write_bytes(data[: len(data) // 2])

    summary = run([tmp_path / "half.tar.gz"], tmp_path / "out")

    assert summary.failed == 1
    assert 0 < summary.done < 30


def test_a_locked_zip_and_one_with_a_wrong_checksum_fail_member_by_member(tmp_path):
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"a BEFORE b\n")
        archive.writestr("b.txt", b"b BEFORE c\n")
        archive.writestr("c.txt", b"c BEFORE d\n")
    data = bytearray(path.read_bytes())
    data[data.index(b"b BEFORE c")] = ord("x")  # the checksum does not fit
    for mark in (b"PK\x01\x02", b"PK\x03\x04"):
        flags = data.rindex(mark) + (8 if mark[2] == 1 else 6)
        data[flags] |= 1  # says that it is locked
    path.write_bytes(bytes(data))

    summary = run([path], tmp_path / "out")

    assert (summary.done, summary.failed) == (1, 2)
    found = failures(tmp_path / "out")
    assert "CRC" in found["odd/b.txt"][1]
    assert found["odd/c.txt"] == ("read", "the member is encrypted")


def test_a_name_that_an_archive_has_twice_gets_a_number(tmp_path):
    with tarfile.open(tmp_path / "twice.tar", "w") as archive:
        add_bytes(archive, "a.txt", b"a BEFORE b\n")
        add_bytes(archive, "a.txt", b"a BEFORE c\nc BEFORE d\n")

    run([tmp_path / "twice.tar"], tmp_path / "out")
    again = run([tmp_path / "twice.tar"], tmp_path / "out")

    assert set(read_states(tmp_path / "out")) == {"twice/a.txt", "twice/a.txt#2"}
    assert again.processed == 0
    assert len(open_run(tmp_path / "out").read("twice/a.txt#2").links) == 2


def test_a_file_that_may_change_unseen_has_no_signature(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a BEFORE b\n")
    changed = path.stat().st_ctime_ns

    assert sign_file(str(path), changed + 1_000_000_000) == ""
    assert sign_file(str(path), changed + 60_000_000_000).startswith("11:")


def test_names_that_are_no_text_are_spelled_out(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    raw = os.fsencode(corpus)
    with open(raw + b"/caf\xe9.txt", "wb") as file:  # noqa: PTH123
        file.write(b"a BEFORE b\n")
    (corpus / "new\nline.txt").write_text("a BEFORE b\n")
    with tarfile.open(tmp_path / "bytes.tar", "w") as archive:
        add_bytes(archive, os.fsdecode(b"na\xefve.txt"), b"a BEFORE b\n")

    summary = run([corpus, tmp_path / "bytes.tar"], tmp_path / "out")

    assert (summary.done, summary.failed) == (3, 0)
    assert set(read_states(tmp_path / "out")) == {
        "corpus/caf\\xe9.txt",
        "corpus/new\nline.txt",
        "bytes/na\\xefve.txt",
    }
    assert open_run(tmp_path / "out").read("corpus/caf\\xe9.txt").links


def test_files_that_must_not_be_read_fail_with_the_reason(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 3)
    locked = corpus / "locked.txt"
    locked.write_text("a BEFORE b\n")
    locked.chmod(0)
    os.mkfifo(corpus / "pipe")
    if os.access(locked, os.R_OK):
        locked.unlink()  # who may read everything finds other things that cannot be read
        locked.symlink_to("/proc/self/mem")

    summary = run([corpus], tmp_path / "out")

    assert (summary.done, summary.failed, summary.left_out) == (3, 1, 1)
    assert "cannot be read: " in summary.failures[0]


def test_each_line_of_json_is_a_document(tmp_path):
    lines = [
        json.dumps({"links": [{"source": "a", "type": "BEFORE", "target": f"b{number}"}]})
        for number in range(5)
    ]
    lines[2:2] = ["", '{"links": [', json.dumps({"text": "x" * 5000, "links": []})]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(lines) + "\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "inner.ndjson").write_text(lines[0])

    summary = run([path, folder], tmp_path / "out", max_bytes=2000)

    states = read_states(tmp_path / "out")
    assert (summary.done, summary.failed) == (6, 2)
    assert states["texts/1"] == "done"
    assert states["texts/4"] == states["texts/5"] == "failed"
    assert "texts/3" not in states
    assert states["folder/inner.ndjson:1"] == "done"
    assert open_run(tmp_path / "out").read("texts/6").links[0].target == "b2"
    path.write_text("\n".join([*lines, lines[0].replace("b0", "b9")]) + "\n")
    assert run([path, folder], tmp_path / "out", max_bytes=2000).processed == 1


BAD_LINES = [
    b'{"sch',
    b"null",
    b"[]",
    b"17",
    b'"links"',
    b"caf\xe9",
    b'{"text": "\xff\xfe"}',
    b"\xff\xfe{\0",
    b"\xef\xbb\xbf",
    b"a BEFORE b",
    b'{"schema": "tlex-result/1"}',
    b"[" * 100_000,
    b'{"links": ' * 100_000,
    b"\0",
]


def test_every_line_that_is_not_empty_is_done_or_failed(tmp_path):
    path = tmp_path / "lines.jsonl"
    good = [b"{}", b'{"links": []}']
    path.write_bytes(b"\n".join([*BAD_LINES, b"", b" \t", *good]))

    summary = run([path], tmp_path / "out")

    assert (summary.done, summary.failed, summary.skipped) == (2, len(BAD_LINES), 0)
    assert set(failures(tmp_path / "out")) == {f"lines/{n + 1}" for n in range(len(BAD_LINES))}
    assert all(cause == "read" for cause, _ in failures(tmp_path / "out").values())
    assert open_run(tmp_path / "out").read("lines/17").links == ()


def test_a_pattern_names_files_and_directories_below_its_fixed_part(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 9)

    one = run([f"{corpus}/part[01]/*.txt"], tmp_path / "one")
    two = run([f"{corpus}/part*"], tmp_path / "two")
    three = run([f"{corpus}/**/*.txt"], tmp_path / "three")

    assert (one.documents, two.documents, three.documents) == (6, 9, 9)
    assert set(read_states(tmp_path / "two")) == set(read_states(tmp_path / "three"))
    assert "corpus/part0/doc000.txt" in read_states(tmp_path / "one")
    none = run([f"{corpus}/*.nix"], tmp_path / "four")
    assert none.unread == (f"{corpus}/*.nix: no document in there",)


def test_archives_inside_a_directory_are_opened_and_those_inside_an_archive_are_not(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", 3)
    folder = tmp_path / "folder"
    folder.mkdir()
    pack_zip(folder / "inner.zip", corpus)
    with zipfile.ZipFile(folder / "outer.zip", "w") as archive:
        archive.write(folder / "inner.zip", "inner.zip")
        archive.writestr("a.txt", b"a BEFORE b\n")

    summary = run([folder], tmp_path / "out")

    assert (summary.documents, summary.skipped) == (4, 1)
    assert "folder/inner.zip/part0/doc000.txt" in read_states(tmp_path / "out")
    assert "folder/outer.zip/a.txt" in read_states(tmp_path / "out")


@pytest.mark.parametrize("engine", [{"jobs": 1}, {"dask": "local", "jobs": 1}])
def test_links_to_pipes_devices_and_directories_are_left_out_and_not_opened(tmp_path, engine):
    corpus = make_corpus(tmp_path / "corpus", 3)
    os.mkfifo(tmp_path / "pipe")
    for name in ("l.tml", "l.zip", "l.tar.gz", "l.jsonl"):
        (corpus / name).symlink_to(tmp_path / "pipe")
    (corpus / "zero.jsonl").symlink_to("/dev/zero")
    (corpus / "more").symlink_to(make_corpus(tmp_path / "more", 2))
    (corpus / "circle.txt").symlink_to("circle.txt")

    summary = run([corpus], tmp_path / "out", **engine)
    pattern = run([f"{corpus}/*.*"], tmp_path / "pattern", **engine)

    assert (summary.done, summary.failed, summary.left_out) == (3, 1, 6)
    assert summary.failures[0].startswith("corpus/circle.txt: cannot be read: ")
    assert (pattern.done, pattern.failed, pattern.left_out) == (0, 1, 5)


@pytest.mark.parametrize("engine", [{"jobs": 1}, {"dask": "local", "jobs": 1}])
def test_a_pipe_or_device_that_is_named_has_failed(tmp_path, engine):
    names = ["a.tml", "a.zip", "a.tgz", "a.jsonl"]
    for name in names:
        os.mkfifo(tmp_path / name)
    (tmp_path / "zero.ndjson").symlink_to("/dev/zero")

    summary = run(
        [*(tmp_path / name for name in names), tmp_path / "zero.ndjson"], tmp_path / "out", **engine
    )

    assert (summary.done, summary.failed) == (0, 5)
    assert all("neither a file nor a directory" in message for message in summary.failures)


def test_a_tar_in_any_order_is_read_from_its_beginning_to_its_end_once(tmp_path, monkeypatch):
    folder = make_corpus(tmp_path / "corpus", 24)
    paths = sorted(folder.rglob("*.txt"))
    random.Random(7).shuffle(paths)  # noqa: S311 -- any order
    archive = tmp_path / "corpus.tar.gz"
    pack_in_order(archive, folder, paths)
    opened = count_openings(monkeypatch)

    run([archive], tmp_path / "out", jobs=1, shard_size=5)

    assert len(opened) == 2  # to list it and to read it
    names = [row["document"] for row in read_tables(tmp_path / "out")["documents"]]
    assert names == [f"corpus/{path.relative_to(folder)}" for path in paths]


def test_a_tar_packed_anew_in_another_order_is_opened_once_a_shard(tmp_path, monkeypatch):
    folder = make_corpus(tmp_path / "corpus", 24)
    paths = sorted(folder.rglob("*.txt"))
    archive = tmp_path / "corpus.tar.gz"
    pack_in_order(archive, folder, paths)
    run([archive], tmp_path / "out", jobs=1, shard_size=8)
    for number, path in enumerate(paths):
        write_document(path, number + 50)
    pack_in_order(archive, folder, paths[::-1])
    opened = count_openings(monkeypatch)

    summary = run([archive], tmp_path / "out", jobs=1, shard_size=8)

    assert (summary.processed, summary.failed) == (24, 0)
    assert len(opened) <= 1 + 3


def pack_in_order(archive, folder, paths):
    with tarfile.open(archive, "w:gz") as file:
        for path in paths:
            file.add(path, path.relative_to(folder).as_posix())


def count_openings(monkeypatch):
    opened = []
    open_tar = sources._open_tar  # noqa: SLF001 -- what is counted
    monkeypatch.setattr(
        sources, "_open_tar", lambda *words: opened.append(words[0]) or open_tar(*words)
    )
    return opened
