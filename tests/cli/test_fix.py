"""``tlex fix`` as a user meets it: a real process, real files."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
from itertools import product

import pytest
from commands import CONTRADICTION, TLEX, messages, run, run_on_terminal
from contradictory import FINE, FIXED, LINK, LOOP, PAIR, RETYPED, contents, document, fill

import tlex
from tlex.cli.app import run as run_here


def answers(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))


class TestShowing:
    def test_the_reason_and_the_diff_are_shown_and_nothing_changes(self, tmp_path):
        fill(tmp_path, pair=PAIR)

        done = run("fix", "pair.tml", cwd=tmp_path)

        assert done.returncode == 0
        assert "1 document to change" in messages(done)[0]
        said, _, diff = done.stdout.decode().partition("--- a/pair.tml\n")
        assert said.splitlines()[2:9] == [
            "  decision 1: contradiction 1",
            "    [a] [b] c",
            '      l1   "b" (b) BEFORE "a" (a), line 2',
            '      l2   "a" (a) BEFORE "b" (b), line 3',
            '    l1 says that "b" comes first, l2 that "a" does',
            "    * 1. remove l1 (keeps the links that are first in text order)",
            "      2. remove l2 (as small, but changes a link earlier in text order)",
        ]
        assert "-" + LINK.format("l1", "BEFORE", "b", "a") in diff
        assert contents(tmp_path) == {"pair.tml": PAIR}

    def test_a_new_type_is_named_with_its_reason(self, tmp_path):
        fill(tmp_path, pair=PAIR)

        lines = run("fix", "pair.tml", "--relabel", cwd=tmp_path).stdout.decode().splitlines()

        assert "    * 1. make l1 AFTER (nearest type that fits what stays)" in lines
        assert "+" + LINK.format("l1", "AFTER", "b", "a").rstrip() in lines

    def test_a_link_that_contradicts_itself_says_so(self, tmp_path):
        fill(tmp_path, loop=document(("l1", "BEFORE", "a", "a")))

        text = run("fix", "loop.tml", cwd=tmp_path).stdout.decode()

        assert "contradicts itself" in text
        assert "SIMULTANEOUS" in text

    def test_a_consistent_document_has_nothing_to_show(self, tmp_path):
        fill(tmp_path, fine=FINE)

        done = run("fix", "fine.tml", cwd=tmp_path)

        assert (done.returncode, done.stdout) == (0, b"")
        assert messages(done) == ["tlex: 0 documents to change"]

    @pytest.mark.parametrize("more", [[], ["--relabel"]])
    def test_what_is_said_keeps_to_80_columns_and_to_no_colour(self, more):
        done = run("fix", "examples/contradiction.tml", *more, COLUMNS="200", FORCE_COLOR="1")

        said, _, diff = done.stdout.decode().partition("--- a/")
        assert diff
        assert max(map(len, said.splitlines())) <= 80
        assert "\x1b" not in said + diff

    def test_a_long_contradiction_is_shown_in_part(self, tmp_path):
        rows = [(f"l{k}", "BEFORE", f"e{k}", f"e{(k + 1) % 30}") for k in range(30)]
        fill(tmp_path, ring=document(*rows))

        text = run("fix", "ring.tml", cwd=tmp_path).stdout.decode()

        assert "and 18 more links" in text
        assert len(re.findall(r"^ +\*? \d+\. remove ", text, re.MULTILINE)) == 8

    def test_at_a_terminal_nothing_in_a_file_can_steer_it(self, tmp_path):
        text = PAIR.replace("</TimeML>", "\u009b31m\tred\n</TimeML>").replace("\n", "\r")
        (tmp_path / "pair.tml").write_bytes(text.encode())

        _, shown = run_on_terminal("fix", tmp_path / "pair.tml", NO_COLOR="1")

        assert "\u009b" not in shown
        assert "\x1b" not in shown
        assert "-" + LINK.format("l1", "BEFORE", "b", "a").rstrip() in shown.splitlines()


class TestWriting:
    def test_write_changes_the_files_that_need_it_and_no_other(self, tmp_path):
        fill(tmp_path, pair=PAIR, fine=FINE)
        (tmp_path / "fine.tml").chmod(0o444)
        (tmp_path / "pair.tml").chmod(0o640)
        inode = (tmp_path / "fine.tml").stat().st_ino

        done = run("fix", tmp_path, "--write")

        assert done.returncode == 0
        assert messages(done) == ["tlex: 1 document changed"]
        assert contents(tmp_path) == {"pair.tml": FIXED, "fine.tml": FINE}
        assert stat.S_IMODE((tmp_path / "pair.tml").stat().st_mode) == 0o640
        assert (tmp_path / "fine.tml").stat().st_ino == inode
        assert "@@" not in done.stdout.decode()

    def test_what_was_written_is_consistent_and_stays_as_it_is(self, tmp_path):
        fill(tmp_path, pair=PAIR, loop=LOOP)
        shutil.copy(CONTRADICTION, tmp_path)
        run("fix", tmp_path, "--write")
        before = contents(tmp_path)

        done = run("fix", tmp_path, "--write", "--json")

        assert [(answer["removed"], answer["consistent"]) for answer in answers(done)] == [
            ([], True)
        ] * 3
        assert contents(tmp_path) == before

    def test_one_file_to_one_file(self, tmp_path):
        fill(tmp_path, pair=PAIR)

        assert run("fix", "pair.tml", "-o", "new.tml", cwd=tmp_path).returncode == 0

        assert contents(tmp_path) == {"pair.tml": PAIR, "new.tml": FIXED}

    def test_a_directory_to_a_directory_with_what_needs_no_change(self, tmp_path):
        fill(tmp_path / "in", pair=PAIR)
        fill(tmp_path / "in" / "deep", fine=FINE)

        assert run("fix", "in", "-o", "out", cwd=tmp_path).returncode == 0

        assert contents(tmp_path / "out") == {"pair.tml": FIXED, "deep/fine.tml": FINE}
        assert contents(tmp_path / "in") == {"pair.tml": PAIR, "deep/fine.tml": FINE}

    @pytest.mark.parametrize("text", [PAIR, FINE])
    def test_stdin_to_stdout(self, text):
        done = run("fix", "-", "-o", "-", stdin=text.encode())

        assert (done.returncode, done.stdout.decode()) == (0, FIXED if text is PAIR else FINE)

    def test_stdin_is_shown_too(self):
        lines = run("fix", "-", stdin=PAIR.encode()).stdout.decode().splitlines()

        assert lines[0].startswith("-: 1 link to change")
        assert "--- a/-" in lines

    def test_relabel_writes_types_and_removes_where_there_is_none(self, tmp_path):
        stuck = document(("l1", "BEFORE", "a", "b")).replace(
            "</TimeML>",
            '<ALINK lid="l2" relType="INITIATES" eventInstanceID="a" relatedToEventInstance="b"/>'
            "</TimeML>",
        )
        fill(tmp_path, pair=PAIR, stuck=stuck)

        done = run("fix", tmp_path, "--relabel", "--write", "--json", "--keep", "l1,l3")
        run_two = run("fix", tmp_path / "pair.tml", "--relabel", "--json")

        assert answers(done)[0]["relabelled"] == {"l2": "AFTER"}
        assert (answers(done)[1]["removed"], answers(done)[1]["relabelled"]) == (["l2"], {})
        assert answers(run_two)[0]["removed"] == []

    def test_the_program_says_what_it_wrote(self, tmp_path):
        fill(tmp_path, pair=PAIR)

        done = run("fix", "pair.tml", "-w", "--relabel", cwd=tmp_path)

        assert contents(tmp_path) == {"pair.tml": RETYPED}
        assert "make l1 AFTER" in done.stdout.decode()


class TestJson:
    FIELDS = [  # noqa: RUF012
        "path", "removed", "relabelled", "cost", "optimal", "alternatives", "count", "exact",
        "consistent", "suggestions", "schema", "tlex", "document", "options", "conflicts",
        "conflicts_complete", "decisions", "decisions_complete",
    ]  # fmt: skip

    def test_it_is_one_object_a_line_with_these_fields(self, tmp_path):
        fill(tmp_path, pair=PAIR, fine=FINE)

        done = run("fix", tmp_path, "--json")

        fine, pair = answers(done)
        assert list(fine) == list(pair) == self.FIELDS
        assert {name: fine[name] for name in self.FIELDS[:10]} == {
            "path": "fine.tml", "removed": [], "relabelled": {}, "cost": 0, "optimal": True,
            "alternatives": [], "count": 1, "exact": True, "consistent": True, "suggestions": {},
        }  # fmt: skip
        assert {name: pair[name] for name in self.FIELDS[:10]} == {
            "path": "pair.tml", "removed": ["l1"], "relabelled": {}, "cost": 1, "optimal": True,
            "alternatives": [["l2"]], "count": 2, "exact": True, "consistent": True,
            "suggestions": {"l1": ["AFTER"]},
        }  # fmt: skip
        assert type(pair["cost"]) is int
        assert contents(tmp_path) == {"pair.tml": PAIR, "fine.tml": FINE}

    def test_costs_are_numbers_as_they_are_written(self):
        done = run("fix", "-", "--json", "--weight", "l1=2.5,before=1e300", stdin=PAIR.encode())

        assert (answers(done)[0]["removed"], answers(done)[0]["cost"]) == (["l1"], 2.5)

    def test_without_a_proof_the_bound_is_given(self, tmp_path):
        rows = [
            (f"l{k}-{step}", "BEFORE", f"e{k}", f"e{(k * 7 + 3 * step) % 60}")
            for k, step in product(range(60), range(1, 8))
        ]
        fill(tmp_path, tangle=document(*rows))

        answer = answers(run("fix", tmp_path, "--json", "--seconds", "0"))[0]

        assert answer["optimal"] is False
        assert 0 < answer["bound"] < answer["cost"] == len(answer["removed"])
        assert (answer["ended_by"], answer["options"]["work"]) == ("work", 0)
        assert answer == answers(run("fix", tmp_path, "--json", "--work", "0"))[0]
        said = run("fix", tmp_path, "--seconds", "0").stdout.decode()
        assert "not proven to be the smallest; at least" in " ".join(said.split())


class TestChoosing:
    def test_an_option_of_a_decision_can_be_chosen(self):
        for option, removed, relabelled in (
            (1, ["l1"], {}),
            (2, ["l2"], {}),
            (3, [], {"l1": "AFTER"}),
            (0, [], {}),
        ):
            done = run("fix", "-", "--json", "--choose", f"1={option}", stdin=PAIR.encode())
            answer = answers(done)[0]
            assert (answer["removed"], answer["relabelled"]) == (removed, relabelled)
            assert answer["decisions"][0]["chosen"] == option
            assert answer["consistent"] is (option != 0)
            other = [["l2"]] if option in {1, 3} else [["l1"]]
            assert answer["alternatives"] == ([] if option == 0 else other)

    def test_a_wrong_number_changes_nothing(self, tmp_path):
        fill(tmp_path, pair=PAIR)

        done = run("fix", tmp_path / "pair.tml", "--choose", "1=9", "--write")

        assert (done.returncode, contents(tmp_path)) == (2, {"pair.tml": PAIR})

    def test_weights_and_kept_links_decide(self):
        for more, removed in [
            (["--keep", "l1"], "l2"),
            (["--keep", " l1 , l3 "], "l2"),
            (["--weight", "l1=2"], "l2"),
            (["--weight", "l1 = 2", "--weight", "l2=3"], "l1"),
            (["--weight", "tlink=2,l2=1"], "l2"),
            (["--weight", "l2=0"], "l2"),
        ]:
            done = run("fix", "-", "--json", *more, stdin=PAIR.encode())
            assert answers(done)[0]["removed"] == [removed], more

    @pytest.mark.parametrize("name", ["l=1", "l,1", "a=b", "before"])
    def test_an_id_may_have_signs_that_mean_something_else(self, name):
        data = PAIR.replace('"l2"', f'"{name}"').encode()

        done = run("fix", "-", "--json", "--weight", f"{name}=0.5", stdin=data)

        assert answers(done)[0]["removed"] == [name]

    def test_made_up_ids_can_be_named(self):
        data = PAIR.replace('lid="l2"', 'lid="l1"').encode()

        done = run("fix", "-", "--json", "--keep", "l1", stdin=data)

        assert answers(done)[0]["removed"] == ["TLINK@3:1"]
        written = run("fix", "-", "-o", "-", "--keep", "l1", stdin=data)
        assert tlex.extract(tlex.parse(written.stdout, name="x")).consistent

    def test_only_self_loops_go_and_what_is_left_is_said(self, tmp_path):
        fill(tmp_path, loop=LOOP)

        answer = answers(run("fix", tmp_path, "--only", "self-loops", "--json"))[0]
        text = run("fix", tmp_path, "--only", "self-loops", "--write").stdout.decode()

        assert (answer["removed"], answer["consistent"], answer["optimal"]) == (
            ["l1"],
            False,
            False,
        )
        assert "other contradictions are left" in " ".join(text.split())
        assert contents(tmp_path) == {
            "loop.tml": LOOP.replace(LINK.format("l1", "BEFORE", "a", "a"), "")
        }

    def test_confidence_takes_weights_for_probabilities(self):
        rows = [("l1", "BEFORE", "a", "b"), ("l2", "BEFORE", "b", "a"), ("l3", "BEFORE", "b", "a")]
        data = document(*rows)
        for name, weight in (("l1", 0.9), ("l2", 0.7), ("l3", 0.7)):
            data = data.replace(f'lid="{name}"', f'lid="{name}" weight="{weight}"')

        plain = run("fix", "-", "--json", stdin=data.encode())
        odds = run("fix", "-", "--json", "--confidence", stdin=data.encode())
        wrong = run("fix", "-", "--confidence", stdin=data.replace("0.9", "9").encode())

        assert answers(plain)[0]["removed"] == ["l1"]
        assert answers(odds)[0]["removed"] == ["l2", "l3"]
        assert wrong.returncode == 2
        assert "link 'l1' has weight 9" in messages(wrong)[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in", "--keep", "l77"], "no document has a TLINK or ALINK 'l77'"),
        (["in", "--keep", "s1"], "no document has a TLINK or ALINK 's1'"),
        (["in", "--weight", "l77=1"], "no document has a TLINK or ALINK 'l77'"),
        (["in/pair.tml", "in/fine.tml", "--weight", "alinkk=1"], "'alinkk'"),
        (["in/pair.tml", "--keep", "l77"], "in/pair.tml: keep names 'l77', which is no TLINK"),
        (["in/pair.tml", "--weight", "befor=1"], "weight names 'befor', which is no link id"),
        (["in", "--weight", "l1"], "--weight takes a name and a number, such as alink=0.5"),
        (["in", "--weight", "=1"], "--weight takes a name and a number"),
        (["in", "--weight", "l1=1,l2"], "--weight takes a name and a number"),
        (["in", "--weight", "l1=much"], "the weight of 'l1' is 'much'"),
        (["in", "--weight", "l1=-1"], "the weight of 'l1' is '-1'"),
        (["in", "--weight", "l1=1e999999999"], "the weight of 'l1' is '1e999999999'"),
        (["in", "--weight", "l1="], "the weight of 'l1' is ''"),
        (["in", "--choose", "2"], "--choose takes a decision and an option, such as 3=2, not '2'"),
        (["in", "--choose", "1=two"], "such as 3=2, not '1=two'"),
        (["in", "--choose", "1=2,1=3"], "--choose names two options of decision 1"),
        (["in", "--choose", "1=1"], "--choose is for one document, and there are several"),
        (["in/pair.tml", "--choose", "2=1"], "pair.tml: there is no decision 2; there is only 1"),
        (["in/pair.tml", "--choose", "1=99"], "decision 1 has no option 99; it has options 1 to 4"),
        (["in/fine.tml", "--choose", "1=1"], "there is no decision 1; there is none"),
        (
            ["in", "--only", "self-loops", "--choose", "1=1"],
            "with --only there is nothing to choose",
        ),
        (["in", "--interactive"], "--interactive needs a terminal"),
        (["-", "--interactive"], "--interactive asks on the terminal"),
        (["in", "--limit", "0"], "limit"),
        (["in", "--seconds", "-1"], "seconds"),
        (["in", "--seconds", "nan"], "seconds"),
        (["in/pair.tml", "--only", "loops"], "'loops' is not 'self-loops'"),
        (["in", "--write", "-o", "out"], "choose one"),
        (["-", "--write"], "standard input cannot be changed"),
        (["-", "in", "--keep", "l1"], "standard input is read once"),
        (["in/pair.tml", "--json", "-o", "-"], "choose one"),
        (["in", "-o", "-"], "-o - takes one document"),
        (["in", "-o", "in/out"], "which is being read"),
        (["in/pair.tml", "-o", "no/out.tml"], "out.tml: cannot be written: No such file"),
        (["in", "--links", "slink"], "links cannot be 'SLINK'"),
        (["nowhere.tml"], "nowhere.tml: cannot be read"),
        (["in/pair.tml", "--keep", "l1,l2"], "links l1, l2 contradict each other and are all to"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_nothing_is_written(tmp_path, arguments, message):
    slink = '<SLINK lid="s1" relType="MODAL" eventInstanceID="a" subordinatedEventInstance="b"/>'
    files = {"pair": PAIR, "fine": FINE.replace("</", f"{slink}</")}
    fill(tmp_path / "in", **files)
    before = contents(tmp_path)
    if not {"-o", "-", "--write"} & set(arguments):
        arguments = [*arguments, "--write"]

    done = run("fix", *arguments, stdin=PAIR.encode(), cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, b"")
    assert message in messages(done)[0]
    assert all(line.startswith("tlex: ") for line in messages(done))
    assert len([line for line in messages(done) if "0 documents" not in line]) == 1
    assert contents(tmp_path) == before


class TestTrouble:
    def test_what_must_stay_and_cannot_is_named_and_the_others_are_done(self, tmp_path):
        fill(tmp_path, a=PAIR, b=LOOP.replace("l1", "k1"), c=LOOP)

        done = run("fix", tmp_path, "--keep", "l2,k1,l1", "--write")

        assert done.returncode == 2
        for line, words in zip(
            messages(done),
            (
                "a.tml: the links l1, l2 contradict",
                "b.tml: keep names 'k1'",
                "c.tml: keep names 'l1'",
            ),
            strict=False,
        ):
            assert words in line
        assert contents(tmp_path)["a.tml"] == PAIR

    def test_others_are_done_where_one_cannot_be_repaired(self, tmp_path):
        fill(tmp_path, a=PAIR, b=PAIR.replace('"l1"', '"k1"'))

        done = run("fix", tmp_path, "--keep", "l1,l2", "--write")

        assert done.returncode == 2
        assert contents(tmp_path)["a.tml"] == PAIR
        assert 'lid="k1"' not in contents(tmp_path)["b.tml"]

    def test_a_broken_file_does_not_keep_the_others(self, tmp_path):
        fill(tmp_path, a="<TimeML>", b=PAIR)

        done = run("fix", tmp_path, "--write")

        assert done.returncode == 2
        assert len(messages(done)) == 2
        assert contents(tmp_path) == {"a.tml": "<TimeML>", "b.tml": FIXED}

    def test_a_full_disk_loses_nothing(self, tmp_path):
        # A file may not grow beyond a limit: that stops root too, as a full disk does.
        large = PAIR.replace("</TimeML>", "x" * 100_000 + "</TimeML>")
        fill(tmp_path, a=PAIR, b=large, c=PAIR)

        done = run("fix", tmp_path, "--write", before=limit_files)

        assert done.returncode == 2
        assert "b.tml: cannot be written: File too large" in messages(done)[0]
        assert contents(tmp_path) == {"a.tml": FIXED, "b.tml": large, "c.tml": FIXED}

    def test_a_directory_that_nobody_can_write_to_is_reported_for_each_document(self, tmp_path):
        fill(tmp_path / "in", a=PAIR, b=FINE)

        done = run("fix", "in", "-o", "/proc/nowhere", cwd=tmp_path)

        assert done.returncode == 2
        assert len(messages(done)) == 3
        assert all("/proc/nowhere: cannot be made" in line for line in messages(done)[:2])

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
    def test_a_file_in_a_directory_without_permission_is_reported(self, tmp_path):
        fill(tmp_path / "in", a=PAIR)
        (tmp_path / "in").chmod(0o555)

        done = run("fix", "in", "--write", cwd=tmp_path)

        (tmp_path / "in").chmod(0o755)
        assert done.returncode == 2
        assert "in/a.tml: cannot be written: Permission denied" in messages(done)[0]
        assert contents(tmp_path / "in") == {"a.tml": PAIR}

    def test_a_target_below_a_file_is_reported(self, tmp_path):
        fill(tmp_path / "in", a=PAIR)
        (tmp_path / "file").write_text("precious")

        done = run("fix", "in/a.tml", "-o", "file/a.tml", cwd=tmp_path)

        assert done.returncode == 2
        assert "file/a.tml: cannot be written: Not a directory" in messages(done)[0]
        assert (tmp_path / "file").read_text() == "precious"

    def test_two_files_of_one_name_do_not_overwrite_each_other(self, tmp_path):
        fill(tmp_path / "a", x=PAIR)
        fill(tmp_path / "b", x=LOOP)

        done = run("fix", "a", "b", "-o", "out", cwd=tmp_path)

        assert done.returncode == 2
        assert "x.tml: out/x.tml has been written already" in messages(done)[0]
        assert contents(tmp_path / "out") == {"x.tml": FIXED}

    @pytest.mark.parametrize(
        ("number", "code", "said"),
        [(signal.SIGINT, 130, "tlex: interrupted\n"), (signal.SIGTERM, 143, "")],
    )
    def test_stopped_in_the_middle_each_file_is_the_old_or_the_new_one(
        self, tmp_path, number, code, said
    ):
        fill(tmp_path, **{f"f{name:04}": PAIR for name in range(1000)})

        with subprocess.Popen(  # noqa: S603
            [*TLEX, "fix", str(tmp_path), "--write"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        ) as process:
            assert process.stdout
            process.stdout.readline()
            process.send_signal(number)
            _, errors = process.communicate(timeout=120)

        assert (process.returncode, errors.decode()) == (code, said)
        after = contents(tmp_path)  # no file that was begun is among them
        assert len(after) == 1000
        assert set(after.values()) == {PAIR, FIXED}


def test_the_changed_document_is_made_only_where_it_is_needed(tmp_path, monkeypatch, capfdbinary):
    def refuse(*_: object) -> None:
        raise tlex.WriteError("it was made")

    monkeypatch.setattr("tlex.repair.fixes.change_document", refuse)

    plain, unusual = tmp_path / "plain.tml", CONTRADICTION  # which has a comment
    plain.write_text(re.sub("<!--.*?-->", "", CONTRADICTION.read_text()))

    for more in ([], ["--relabel"], ["--json"]):
        assert run_here(["fix", str(plain), *more]) == 0
    assert run_here(["fix", str(unusual), "--json"]) == 0
    assert b"it was made" not in capfdbinary.readouterr().err
    assert run_here(["fix", str(unusual)]) == 2
    for more in (["--write"], ["--patch", str(tmp_path / "p")], ["-o", str(tmp_path / "o.tml")]):
        assert run_here(["fix", str(plain), *more]) == 2
    assert capfdbinary.readouterr().err.count(b"it was made") == 4


@pytest.mark.corpus
def test_timebank_is_repaired_the_same_way_by_write_and_by_a_patch(corpora, tmp_path):
    for folder in ("written", "patched"):
        shutil.copytree(corpora / "timebank-1.2", tmp_path / folder)

    run("fix", tmp_path / "written", "--write")
    made = run("fix", tmp_path / "patched", "--patch", tmp_path / "p.json", "--json")
    done = run("apply", tmp_path / "p.json", tmp_path / "patched")

    assert sum(bool(answer["removed"]) for answer in answers(made)) == 65
    assert all(answer["optimal"] for answer in answers(made))
    assert messages(done)[-1] == "tlex: changed 65 documents"
    for path in sorted((tmp_path / "written").glob("*.tml")):
        assert path.read_bytes() == (tmp_path / "patched" / path.name).read_bytes()
        assert tlex.extract(tlex.read(path)).consistent


class TestOtherFormats:
    """JSON and CAT are changed in place; other formats can only be written as JSON."""

    GRAPH = "a BEFORE b\nb BEFORE a\n"

    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "pair.txt").write_text(self.GRAPH, encoding="utf-8")
        return tmp_path

    def test_the_repair_of_a_plain_graph_is_shown_without_a_diff(self, folder):
        done = run("fix", "pair.txt", cwd=folder)

        assert done.returncode == 0
        assert done.stdout.startswith(b"pair.txt: 1 link to change, cost 1")
        assert b"---" not in done.stdout

    def test_the_user_is_told_what_can_be_done_with_it(self, folder):
        done = run("fix", "pair.txt", cwd=folder)

        first, note = messages(done)
        assert first == "tlex: 1 document to change (nothing is written)"
        assert note == (
            "tlex: note: files of format plain cannot be changed; "
            "--patch FILE keeps the corrections, -o NAME.json writes the corrected document"
        )

    def test_the_repair_of_a_plain_graph_is_written_as_json(self, folder):
        done = run("fix", "pair.txt", "--json", cwd=folder)

        assert json.loads(done.stdout)["removed"] == ["l2"]

    @pytest.mark.parametrize("where", [["--write"], ["-o", "new.txt"]])
    def test_it_cannot_be_written_back(self, folder, where):
        done = run("fix", "pair.txt", *where, cwd=folder)

        assert done.returncode == 2
        assert "a file of format 'plain' cannot be written back" in messages(done)[0]
        assert contents(folder) == {"pair.txt": self.GRAPH}

    @pytest.mark.parametrize(
        ("where", "name"), [("new.json", "new.json"), ("out/", "out/pair.json")]
    )
    def test_the_corrected_document_can_be_written_as_json(self, folder, where, name):
        done = run("fix", "pair.txt", "-o", where, cwd=folder)

        after = tlex.read(folder / name)
        assert done.returncode == 0
        assert [(link.source, link.type, link.target) for link in after.links] == [
            ("a", "BEFORE", "b")
        ]

    def test_json_is_shown_as_a_diff_and_changed_in_place(self, tmp_path):
        links = [
            {"source": "a", "type": "BEFORE", "target": "b"},
            {"source": "b", "type": "BEFORE", "target": "a"},
        ]
        text = json.dumps({"links": links}, indent=1)
        (tmp_path / "x.json").write_text(text)

        shown = run("fix", "x.json", "--keep", "l2", cwd=tmp_path).stdout.decode()
        done = run("fix", "x.json", "--keep", "l2", "--write", cwd=tmp_path)

        assert "--- a/x.json\n" in shown
        assert [line for line in shown.splitlines() if line.startswith("-  ")] == [
            "-  {",
            '-   "source": "a",',
            '-   "type": "BEFORE",',
            '-   "target": "b"',
            "-  },",
        ]
        assert done.returncode == 0
        assert (tmp_path / "x.json").read_text() == json.dumps({"links": links[1:]}, indent=1)


@pytest.mark.corpus
@pytest.mark.parametrize("more", [(), ("--relabel",)])
def test_meantime_is_mended_and_every_other_byte_stays(meantime, corpora, tmp_path, more):
    folder = corpora / "meantime-en"
    copy = tmp_path / "meantime"
    for name in meantime:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, copy / name)

    done = run("fix", copy, "--write", "--json", "--links", "tlink", *more)

    assert done.returncode == 0
    mended = 0
    for answer in answers(done):
        data = (folder / answer["path"]).read_bytes()
        for link in answer["removed"]:
            element = (
                rb'<TLINK [^>]*\br_id="%b"[^>]*>\s*(<source[^>]*/>|<target[^>]*/>|\s)*</TLINK>\n'
            )
            data, found = re.subn(element % link.encode(), b"", data)
            assert found == 1
        for link, label in answer["relabelled"].items():
            tag = rb'(<TLINK [^>]*\br_id="%b"[^>]*\breltype=")[A-Z_]+"'
            data, found = re.subn(tag % link.encode(), rb'\g<1>%b"' % label.encode(), data)
            assert found == 1
        assert (copy / answer["path"]).read_bytes() == data
        assert tlex.extract(tlex.read(copy / answer["path"]), links=["TLINK"]).consistent
        mended += bool(answer["removed"] or answer["relabelled"])
    assert (len(answers(done)), mended) == (120, 36)
