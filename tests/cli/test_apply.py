"""``tlex apply``: corrections that ``tlex fix --patch`` has written, applied to files."""

from __future__ import annotations

import json
import resource

import pytest
from commands import messages, run
from contradictory import FINE, FIXED, LOOP, PAIR, contents, fill


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))


@pytest.mark.parametrize("more", [(), ("--relabel",)])
def test_a_patch_gives_the_same_bytes_as_write(tmp_path, more):
    for folder in ("mine", "yours", "written"):
        fill(tmp_path / folder, pair=PAIR, fine=FINE, loop=LOOP)
    patch = tmp_path / "p.json"

    made = run("fix", "mine", "--patch", patch, *more, cwd=tmp_path)
    run("fix", "written", "--write", *more, cwd=tmp_path)
    done = run("apply", patch, "yours", cwd=tmp_path)

    assert (made.returncode, done.returncode) == (0, 0)
    assert messages(done) == ["tlex: changed 2 documents"]
    assert contents(tmp_path / "mine")["pair.tml"] == PAIR
    assert contents(tmp_path / "yours") == contents(tmp_path / "written")


def test_a_patch_names_hash_link_and_types_and_no_text(tmp_path):
    fill(tmp_path, pair=PAIR.replace(">a<", ">secret<"))

    run("fix", tmp_path, "--patch", tmp_path / "p.json")

    patch = json.loads((tmp_path / "p.json").read_text())
    assert patch["schema"] == "tlex-patch/1"
    assert [sorted(file) for file in patch["files"]] == [["changes", "path", "sha256"]]
    assert patch["files"][0]["changes"] == [{"link": "l1", "old": "BEFORE", "new": None}]
    assert "secret" not in (tmp_path / "p.json").read_text()


def test_a_file_is_known_by_its_content_under_any_name(tmp_path):
    fill(tmp_path / "in", pair=PAIR)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    (tmp_path / "in" / "pair.tml").rename(tmp_path / "other.tml")

    done = run("apply", "p.json", "other.tml", cwd=tmp_path)

    assert done.returncode == 0
    assert (tmp_path / "other.tml").read_text() == FIXED


def test_apply_writes_elsewhere(tmp_path):
    fill(tmp_path / "in", pair=PAIR, fine=FINE)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)

    done = run("apply", "p.json", "in", "-o", "out", cwd=tmp_path)
    shown = run("apply", "p.json", "in/pair.tml", "-o", "-", cwd=tmp_path)

    assert done.returncode == 0
    assert contents(tmp_path / "out") == {"pair.tml": FIXED, "fine.tml": FINE}
    assert contents(tmp_path / "in") == {"pair.tml": PAIR, "fine.tml": FINE}
    assert shown.stdout.decode() == FIXED


def test_a_changed_file_is_left_alone_and_the_others_are_done(tmp_path):
    changed = PAIR.replace("</TimeML>", " </TimeML>")
    fill(tmp_path / "in", a=PAIR, b=LOOP)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    fill(tmp_path / "in", a=changed)

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert done.returncode == 2
    assert messages(done)[0].startswith(
        "tlex: a.tml: not the file that the patch was made for (its hash begins with "
    )
    assert messages(done)[1] == "tlex: p.json: no file given is the original of a.tml"
    assert contents(tmp_path / "in")["a.tml"] == changed
    assert contents(tmp_path / "in")["b.tml"] != LOOP


def test_applying_twice_is_reported_and_changes_nothing(tmp_path):
    fill(tmp_path / "in", pair=PAIR)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    run("apply", "p.json", "in", cwd=tmp_path)

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert done.returncode == 2
    assert contents(tmp_path / "in") == {"pair.tml": FIXED}


def test_a_patch_of_nothing_changes_nothing(tmp_path):
    fill(tmp_path / "in", fine=FINE)

    made = run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert (made.returncode, done.returncode) == (0, 0)
    assert messages(done) == ["tlex: changed 0 documents"]


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("", "p.json: not a patch of tlex"),
        ("{", "p.json: not a patch of tlex"),
        ('{"schema": "tlex-patch/2", "files": []}', "a patch of schema 'tlex-patch/2'"),
        ('{"schema": "tlex-patch/1"}', "missing required field `files`"),
        ('{"schema": "tlex-patch/1", "x": ' + "[" * 100_000, "not a patch of tlex"),
        (None, "p.json: cannot be read: No such file or directory"),
    ],
)
def test_a_broken_patch_is_one_line(tmp_path, patch, message):
    fill(tmp_path / "in", pair=PAIR)
    if patch is not None:
        (tmp_path / "p.json").write_text(patch)

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, b"")
    assert len(messages(done)) == 1
    assert message in messages(done)[0]
    assert contents(tmp_path / "in") == {"pair.tml": PAIR}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([["l1", "BEFORE", '"/><x y="']], "is no type of a TLINK"),
        ([["l1", "AFTER", None]], "link l1 has type 'BEFORE', not 'AFTER'"),
        ([["l9", "BEFORE", None]], "there is no link 'l9'"),
        ([["l1", "BEFORE", None]] * 2, "there is no link 'l1'"),
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(tmp_path, changes, message):
    fill(tmp_path / "in", pair=PAIR)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    patch = json.loads((tmp_path / "p.json").read_text())
    patch["files"][0]["changes"] = [
        dict(zip(("link", "old", "new"), change, strict=True)) for change in changes
    ]
    (tmp_path / "p.json").write_text(json.dumps(patch))

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert done.returncode == 2
    assert message in messages(done)[0]
    assert contents(tmp_path / "in") == {"pair.tml": PAIR}


def test_a_patch_that_cannot_be_written_is_reported_before_anything_changes(tmp_path):
    fill(tmp_path, pair=PAIR)

    done = run("fix", "pair.tml", "--write", "--patch", "no/p.json", cwd=tmp_path)

    assert done.returncode == 2
    assert messages(done) == ["tlex: no/p.json: cannot be written: there is no directory no"]
    assert contents(tmp_path) == {"pair.tml": PAIR}


def test_a_full_disk_loses_nothing_when_a_patch_is_applied(tmp_path):
    large = PAIR.replace("</TimeML>", "x" * 100_000 + "</TimeML>")
    fill(tmp_path / "in", a=PAIR, b=large)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)

    done = run("apply", "p.json", "in", cwd=tmp_path, before=limit_files)

    assert done.returncode == 2
    assert "in/b.tml: cannot be written: File too large" in messages(done)[0]
    assert "changed 1 document" in messages(done)[-1]
    assert contents(tmp_path / "in") == {"a.tml": FIXED, "b.tml": large}
