"""``tlex apply``: corrections that ``tlex fix --patch`` has written, applied to files."""

from __future__ import annotations

import json
import resource

import pytest
from commands import messages, run
from contradictory import FINE, FIXED, LINK, LOOP, PAIR, contents, document, fill


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
    assert [sorted(file) for file in patch["files"]] == [["changes", "path", "result", "sha256"]]
    assert patch["files"][0]["changes"] == [
        {"link": "l1", "old": "BEFORE", "new": None, "source": "b", "target": "a"}
    ]
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
        "tlex: a.tml: not the file that the patch was made for, so nothing is changed "
        "(its hash begins with "
    )
    assert messages(done)[1:] == ["tlex: changed 1 document"]
    assert contents(tmp_path / "in")["a.tml"] == changed
    assert contents(tmp_path / "in")["b.tml"] != LOOP


def test_a_file_that_is_missing_is_named(tmp_path):
    fill(tmp_path / "in", a=PAIR, b=LOOP)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)

    done = run("apply", "p.json", "in/b.tml", cwd=tmp_path)

    assert done.returncode == 2
    assert messages(done)[0] == "tlex: p.json: no file given is the original of a.tml"


@pytest.mark.parametrize("more", [(), ("--relabel",)])
@pytest.mark.parametrize("where", [(), ("-o", "out")])
def test_applying_twice_says_so_once_and_changes_nothing(tmp_path, more, where):
    fill(tmp_path / "in", pair=PAIR, loop=LOOP)
    run("fix", "in", "--patch", "p.json", *more, cwd=tmp_path)
    run("apply", "p.json", "in", cwd=tmp_path)
    before = contents(tmp_path / "in")

    done = run("apply", "p.json", "in", *where, cwd=tmp_path)

    assert done.returncode == 0
    assert messages(done) == [
        "tlex: loop.tml: already applied",
        "tlex: pair.tml: already applied",
        "tlex: changed 0 documents",
    ]
    assert contents(tmp_path / "in") == before
    assert not where or contents(tmp_path / "out") == before


def test_corrections_that_somebody_made_by_hand_are_seen(tmp_path):
    fill(tmp_path / "in", pair=PAIR)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    by_hand = FIXED.replace("</TimeML>", "<!-- by hand --></TimeML>")
    fill(tmp_path / "in", pair=by_hand)

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert (done.returncode, messages(done)[0]) == (0, "tlex: pair.tml: already applied")
    assert contents(tmp_path / "in") == {"pair.tml": by_hand}


def test_another_document_of_the_same_name_is_not_taken_for_the_corrected_one(tmp_path):
    fill(tmp_path / "in", pair=PAIR)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    fill(tmp_path / "in", pair=document(("k1", "BEFORE", "x", "y")))

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert done.returncode == 2
    assert "not the file that the patch was made for" in messages(done)[0]
    assert len(messages(done)) == 2


def test_a_partly_corrected_file_is_refused_in_one_line(tmp_path):
    fill(tmp_path / "in", loop=LOOP)
    run("fix", "in", "--patch", "p.json", cwd=tmp_path)
    partly = LOOP.replace(LINK.format("l1", "BEFORE", "a", "a"), "")
    fill(tmp_path / "in", loop=partly)

    done = run("apply", "p.json", "in", cwd=tmp_path)

    assert done.returncode == 2
    assert len(messages(done)) == 2
    assert "so nothing is changed" in messages(done)[0]
    assert "1 of 2 changes is made already" in messages(done)[0]
    assert contents(tmp_path / "in") == {"loop.tml": partly}


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


PLAIN = "a file of format 'plain' cannot be written back"
INSTEAD = "the corrected document can be written as JSON (-o NAME.json)"
GRAPH = "a BEFORE b\nb BEFORE a\nb BEFORE c\n"


class TestOtherFormats:
    """Corrections of files that cannot be changed: kept in a patch, written as JSON."""

    def test_a_patch_is_applied_to_a_copy_in_json(self, tmp_path):
        (tmp_path / "pair.txt").write_text(GRAPH)
        made = run("fix", "pair.txt", "--patch", "p.json", cwd=tmp_path)

        done = run("apply", "p.json", "pair.txt", "-o", "out.json", cwd=tmp_path)

        assert (made.returncode, done.returncode) == (0, 0)
        assert messages(made) == ["tlex: 1 document to change; the corrections are in p.json"]
        assert messages(done) == [
            f"tlex: note: pair.txt: written as JSON; {PLAIN}",
            "tlex: changed 1 document",
        ]
        links = json.loads((tmp_path / "out.json").read_text())["links"]
        assert [(link["source"], link["type"], link["target"]) for link in links] == [
            ("a", "BEFORE", "b"),
            ("b", "BEFORE", "c"),
        ]
        assert (tmp_path / "pair.txt").read_text() == GRAPH

    @pytest.mark.parametrize("where", [(), ("-o", "out.txt")])
    def test_without_a_name_for_json_it_is_refused_in_one_line(self, tmp_path, where):
        (tmp_path / "pair.txt").write_text(GRAPH)
        run("fix", "pair.txt", "--patch", "p.json", cwd=tmp_path)

        done = run("apply", "p.json", "pair.txt", *where, cwd=tmp_path)

        assert done.returncode == 2
        assert messages(done) == [
            f"tlex: pair.txt: {PLAIN}; {INSTEAD}",
            "tlex: changed 0 documents",
        ]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["p.json", "pair.txt"]

    def test_the_documents_of_a_table_are_told_apart(self, tmp_path):
        rows = ("a\tx\ty\t{}\t{}\tBEFORE", "b\tx\ty\t{}\t{}\tBEFORE")
        (tmp_path / "t.tsv").write_text(
            "".join(row.format(*ends) + "\n" for row in rows for ends in ((1, 2), (2, 1)))
        )
        made = run("fix", "t.tsv", "--patch", "p.json", cwd=tmp_path)
        (tmp_path / "t.tsv").rename(tmp_path / "new.tsv")

        done = run("apply", "p.json", "new.tsv", "-o", "out/", cwd=tmp_path)

        assert (made.returncode, done.returncode) == (0, 0), messages(made) + messages(done)
        assert sorted(contents(tmp_path / "out")) == ["new/a.json", "new/b.json"]
        assert all(
            len(json.loads(text)["links"]) == 1 for text in contents(tmp_path / "out").values()
        )


LINES = "".join(
    json.dumps(
        {
            "text": "é",
            "links": [
                {"source": one, "type": "BEFORE", "target": other},
                {"source": other, "type": "BEFORE", "target": one, "weight": 0.5},
            ],
        },
        ensure_ascii=False,
    )
    + "\n"
    for one, other in (("a", "b"), ("a", "b"), ("c", "d"))
)


class TestManyDocumentsInOneFile:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "x.jsonl").write_text(LINES, encoding="utf-8")
        return tmp_path

    def test_all_are_changed_at_once_and_only_the_links_are_gone(self, folder):
        done = run("fix", "in", "--write", cwd=folder)

        new = (folder / "in" / "x.jsonl").read_text(encoding="utf-8")
        assert (done.returncode, messages(done)) == (0, ["tlex: 3 documents changed"])
        assert new == "".join(
            line.replace(
                f', {{"source": "{b}", "type": "BEFORE", "target": "{a}", "weight": 0.5}}', ""
            )
            for line, a, b in zip(LINES.splitlines(keepends=True), "aac", "bbd", strict=True)
        )

    def test_a_patch_gives_the_same_and_knows_that_it_was_applied(self, folder):
        run("fix", "in", "--patch", "p.json", cwd=folder)
        run("fix", "in", "-o", "written", cwd=folder)
        (folder / "in" / "x.jsonl").rename(folder / "in" / "y.jsonl")

        once = run("apply", "p.json", "in", cwd=folder)
        twice = run("apply", "p.json", "in", cwd=folder)

        assert messages(once) == ["tlex: changed 3 documents"]
        assert messages(twice) == ["tlex: y.jsonl: already applied", "tlex: changed 0 documents"]
        assert (once.returncode, twice.returncode) == (0, 0)
        assert (folder / "in" / "y.jsonl").read_bytes() == (
            folder / "written" / "x.jsonl"
        ).read_bytes()

    def test_one_document_can_be_changed_alone(self, folder):
        run("fix", "in", "--patch", "p.json", cwd=folder)
        patch = json.loads((folder / "p.json").read_text())
        patch["files"] = patch["files"][1:2]
        (folder / "p.json").write_text(json.dumps(patch))

        done = run("apply", "p.json", "in", cwd=folder)

        old, new = LINES.splitlines(), (folder / "in" / "x.jsonl").read_text("utf-8").splitlines()
        assert (done.returncode, messages(done)) == (0, ["tlex: changed 1 document"])
        assert [one == other for one, other in zip(old, new, strict=True)] == [True, False, True]

    def test_a_file_that_is_given_twice_is_changed_once(self, folder):
        done = run("fix", "in/x.jsonl", "in/x.jsonl", "--write", cwd=folder)

        assert (done.returncode, messages(done)) == (0, ["tlex: 3 documents changed"])


def test_the_hash_tells_that_a_patch_was_applied_where_the_links_cannot(tmp_path):
    # Without ids links are numbered anew, and the node of the loop is gone with it.
    loop = '{"source": "a", "type": "BEFORE", "target": "a"}'
    other = '{"source": "a", "type": "AFTER", "target": "a"}'
    (tmp_path / "x.json").write_text(f'{{"links": [{loop}, {other}]}}')
    run("fix", "x.json", "--patch", "p.json", cwd=tmp_path)
    run("apply", "p.json", "x.json", cwd=tmp_path)

    done = run("apply", "p.json", "x.json", cwd=tmp_path)

    assert (done.returncode, messages(done)[0]) == (0, "tlex: x.json: already applied")
    assert (tmp_path / "x.json").read_text() == '{"links": []}'


def test_files_are_read_as_they_were_when_they_were_fixed(tmp_path):
    fill(tmp_path / "in", pair=PAIR.replace("BEFORE", "PRIOR"))
    labels = tmp_path / "labels.toml"
    labels.write_text('[TLINK]\nPRIOR = ["A+ < B-"]\n', encoding="utf-8")
    (tmp_path / "in" / "pair.tml").rename(tmp_path / "in" / "pair.data")
    options = ("--labels", labels, "--format", "timeml")

    made = run("fix", "in", "--patch", "p.json", *options, cwd=tmp_path)
    done = run("apply", "p.json", "in", *options, cwd=tmp_path)

    assert (made.returncode, done.returncode) == (0, 0)
    assert messages(done) == ["tlex: changed 1 document"]
    assert contents(tmp_path / "in") == {"pair.data": FIXED.replace("BEFORE", "PRIOR")}
