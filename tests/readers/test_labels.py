"""Labels of one's own: what a table may say, and that it is understood everywhere."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import tlex
from tlex.cli.app import run
from tlex.errors import OptionError, StrictError
from tlex.nouns import Code
from tlex.readers import parse_labels, read_labels
from tlex.repair.relabelling import suggest_all
from tlex.repair.search import find_repair

OWN = read_labels(Path(__file__).parents[1] / "data" / "own-labels.toml")


def read(text: str, **options: object) -> tlex.Document:
    return tlex.parse(text, format="plain", labels=OWN, **options)


def test_a_table_is_rows_by_kind_and_label():
    assert OWN == {
        "TLINK": {
            "SOON_AFTER": ("B- < A-", "A- < B+"),
            "FOLLOWS": ("B+ < A-",),
            "LATER": ("B+ < A-",),
            "UNSURE": (),
            "BEFORE": ("A- < B-",),
        },
        "SLINK": {"HYPOTHETICAL": ()},
    }


def test_a_label_of_ones_own_orders_and_is_proven():
    document = read("A soon_after B\nC FOLLOWS A\n")

    result = tlex.extract(document)

    assert not document.diagnostics
    assert [link.type for link in document.links] == ["SOON_AFTER", "FOLLOWS"]
    assert result.timelines[0].points == {
        "B-": (1, 1), "A-": (2, 2), "A+": (3, 3), "B+": (3, 5), "C-": (4, 4), "C+": (5, 5),
    }  # fmt: skip
    assert tlex.verify(document, result)


def test_an_answer_can_be_sent_to_a_process_that_never_saw_the_table():
    result = tlex.extract(read("A soon_after B\nC FOLLOWS A\n"))
    code = (
        "import pickle, sys; result = pickle.load(sys.stdin.buffer);"
        "print(*result.why('C', 'A').relation.names)"
    )

    done = subprocess.run(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", code], input=pickle.dumps(result), capture_output=True, check=False
    )

    assert (done.stdout, done.stderr) == (b"after\n", b"")


def test_it_goes_before_a_label_of_the_same_name():
    both = "A BEFORE B\nB ENDS A\n"

    assert tlex.extract(read(both)).consistent
    assert not tlex.extract(tlex.parse(both)).consistent


def test_a_label_may_be_declared_to_say_nothing():
    labels = parse_labels(b"[TLINK]\nBEFORE = []", "own.toml")

    document = tlex.parse("A BEFORE B\n", labels=labels)

    assert len(tlex.extract(document).timelines) == 2
    assert tlex.verify(document, tlex.extract(document))


def test_one_that_says_nothing_does_not_connect():
    assert len(tlex.extract(read("A UNSURE B\n")).timelines) == 2


def test_a_contradiction_is_found_judged_and_mended():
    document = read("A SOON_AFTER B\nB SOON_AFTER A\nA LATER A\n")

    result = tlex.extract(document)

    assert not result.consistent
    assert tlex.verify(document, result)
    assert tlex.check(result, all=True).findings
    repair = find_repair(result)
    assert len(repair.removed) == 2
    assert suggest_all(result, ["l1", "l3"])["l1"]


def test_without_the_table_the_label_is_unknown():
    document = tlex.parse("A SOON_AFTER B\nA BEFORE B\n")

    assert [d.code for d in document.diagnostics] == [Code.UNKNOWN_TYPE]


def test_other_diagnostics_stay():
    document = read("A SOON_AFTER B\nA NEVER B\n")

    assert [(d.code, d.line) for d in document.diagnostics] == [(Code.UNKNOWN_TYPE, 2)]


def test_strict_knows_the_table():
    assert read("A SOON_AFTER B\n", strict=True)
    with pytest.raises(StrictError, match="NEVER"):
        read("A NEVER B\n", strict=True)


def test_it_serves_every_format():
    xml = (
        '<TimeML>x<EVENT eid="e1">a</EVENT><MAKEINSTANCE eiid="ei1" eventID="e1"/>'
        '<TLINK lid="l1" relType="unsure " eventInstanceID="ei1" relatedToEventInstance="ei1"/>'
        "</TimeML>"
    )

    document = tlex.parse(xml, labels=OWN)

    assert (document.links[0].type, document.diagnostics) == ("UNSURE", ())


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[GLINK]\nA = []", "'GLINK' is no table"),
        ("TLINK = 1", "'TLINK' is no table"),
        ("[TLINK]\nA = 1", "TLINK A: write a list"),
        ("[TLINK]\nA = 'NEVER'", "'NEVER' is no label"),
        ("[TLINK]\nA = ['A+ <= B-']", "'A\\+ <= B-' is no constraint"),
        ("[TLINK]\nA = ['A- < A+']", "is no constraint"),
        ("[TLINK]\nA = [3]", "3 is no constraint"),
        ("[SLINK]\nA = ['A- < B-']", "an SLINK orders nothing"),
        ("[TLINK\n", "not a table of labels in TOML"),
    ],
)
def test_what_is_wrong_with_a_table_is_reported(table, message):
    with pytest.raises(OptionError, match=message):
        parse_labels(table.encode(), "own.toml")


def test_a_table_that_is_not_there_or_too_large_is_reported(tmp_path):
    with pytest.raises(OptionError, match="No such file"):
        read_labels(tmp_path / "none.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (2 << 20))
    with pytest.raises(OptionError, match="larger than"):
        read_labels(large)


# --- what labels mean in a corpus ---------------------------------------------------------------


def test_caters_means_sharing_and_inside_and_its_causes_order():
    text = "A OVERLAPS B\nC DURING D\nE CAUSE_BEFORE F\nG PREVENT_OVERLAPS H\n"

    document = tlex.parse(text, labels="caters", strict=True)

    result = tlex.extract(document)
    assert len(result.relation("A", "B").names) == 9
    assert result.relation("C", "D").names == ("during",)
    assert result.relation("E", "F").names == ("before",)
    assert result.relation("G", "H").names == result.relation("A", "B").names
    assert result.record().document.reading == "caters"
    assert tlex.verify(document, result)


def test_timeset_s_arrow_runs_with_time_and_coex_says_nothing():
    document = tlex.parse("A AFTER B\nB COEX C\n", labels="timeset", strict=True)

    result = tlex.extract(document)

    assert result.relation("A", "B").names == ("before",)
    assert len(result.timelines) == 2
    assert result.record().document.reading == "timeset"


def test_ones_own_table_has_no_name_and_is_recorded_by_its_rows():
    document = read("A SOON_AFTER B\n")

    assert document.reading == ""
    assert tlex.extract(document).record().document.labels == document.labels


def test_a_corpus_can_be_named_on_the_command_line(capfd, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("A AFTER B\nA BEFORE B\n")

    assert run(["check", str(path)]) == 1
    assert run(["check", str(path), "--labels", "timeset"]) == 0
    assert run(["check", str(path), "--labels", "nosuch"]) == 2
    assert "nosuch: cannot be read" in capfd.readouterr().err


def test_a_table_adds_to_what_the_reader_set():
    document = tlex.read(Path(__file__).parents[1] / "data" / "french.tml", labels=OWN)

    assert document.reading == "frtimebank"
    assert set(document.labels["TLINK"]) == {"DURING", "BEFORE"}


# --- labels that no table has -------------------------------------------------------------------


def test_unknown_labels_alone_can_be_made_an_error():
    text = '<TimeML><TLINK lid="l1" relType="SOON" eventInstanceID="e" relatedToEventInstance="f"/>'
    dangling = f"{text.replace('SOON', 'BEFORE')}</TimeML>"

    assert tlex.parse(dangling, strict_labels=True).diagnostics
    with pytest.raises(StrictError, match="'SOON', which no label table for TLINKs has"):
        tlex.parse(f"{text}</TimeML>", strict_labels=True)


def test_a_command_prints_a_line_for_each_unknown_label_with_its_count(capfd, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("A SOON B\nB SOON C\nA BEFORE C\nC don't D\n")

    assert run(["extract", str(path)]) == 0
    assert capfd.readouterr().err.splitlines() == [
        f"tlex: note: {path}: unknown label {label}, not used; --labels can say what it means"
        for label in ("'SOON' on 2 TLINKs", '"don\'t" on 1 TLINK')
    ]
    assert run(["extract", str(path), "--strict-labels"]) == 2
    assert "'SOON', which no label table" in capfd.readouterr().err


def test_a_run_over_a_corpus_prints_them_too(capfd, tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "graph.txt").write_text("A SOON B\nB SOON C\nA BEFORE C\n")

    assert run(["corpus", "run", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "-j", "1"]) == 0

    assert "graph.txt: unknown label 'SOON' on 2 TLINKs" in capfd.readouterr().err
