"""The tables of a document in a run are those of its result, and count the whole."""

from __future__ import annotations

from math import log10
from pathlib import Path

import pytest
from hypothesis import given
from msgspec.structs import replace
from strategies import document_of, forests, tangled_graphs
from table_rows import list_rows

import tlex
from tlex.corpus.runs import document_tables
from tlex.corpus.runs.document_tables import Failure, Origin, describe_document, describe_failure
from tlex.export.table_schema import RUN_TABLES
from tlex.repair.search import find_repair

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = [*EXAMPLES.glob("*.tml"), *DATA.glob("*.tml"), DATA / "meantime.xml", DATA / "story.json"]
ORIGIN = Origin("corpus", "name", "/path", None, "digest")


def describe(result, *, repair=True, scenarios=True):
    """The rows of all tables, as dictionaries; what a column does not have is null."""
    found = describe_document(result, ORIGIN, repair=repair, scenarios=scenarios, seconds=60)
    return {name: turn(name, columns) for name, columns in found.items()}


def turn(table, columns):
    """Columns as rows."""
    names = [column.name for column in RUN_TABLES[table].run_columns[1:]]
    assert set(columns) <= set(names)
    return [
        {**dict.fromkeys(names), **dict(zip(columns, row, strict=True))}
        for row in zip(*columns.values(), strict=True)
    ]


def check(document, **options):
    """Hold the tables of a document against its plain data."""
    result = tlex.extract(document, **options)
    rows = describe(result)
    assert set(rows) == set(RUN_TABLES)
    check_whole(rows.pop("documents"), result.record(), document, options)
    removed = [row.pop("removed") for row in rows["links"]]
    gone = set(find_repair(result).removed)
    assert removed == [link.id in gone for link in result.document.links]
    plain = list_rows(result)
    for row in plain["nodes"]:
        del row["line"], row["column"]
    assert rows == {name: plain[name] for name in rows}


def measure(report):
    """What is counted of a report, as the table names it."""
    good = [timeline for timeline in report.timelines if timeline.consistent]
    mains = [timeline for timeline in report.timelines if timeline.main]
    sections = [section for timeline in good for section in timeline.sections]
    points = [point for timeline in good for point in timeline.points.values()]
    return {
        "timelines": len(report.timelines),
        "inconsistent_timelines": len(report.timelines) - len(good),
        "main_timelines": len(mains),
        "branches": len(report.timelines) - len(mains),
        "breaks": len(report.breaks),
        "connections": len(report.connections),
        "steps": sum(timeline.length for timeline in good),
        "main_length": sum(timeline.length or 0 for timeline in mains),
        "longest": max((timeline.length for timeline in good), default=0),
        "longest_main": max((timeline.length or 0 for timeline in mains), default=0),
        "tied_steps": sum(len(timeline.tied_steps) for timeline in good),
        "sections": len(sections),
        "section_points": sum(len(section.points) for section in sections),
        "main_sections": sum(len(timeline.sections) for timeline in good if timeline.main),
        "indeterminate_pairs": sum(timeline.indeterminate_pairs for timeline in good),
        "slack": sum(late - early for early, late in points),
        "placed_points": len(points),
    }


def check_whole(rows, report, document, options):
    [row] = rows
    kinds = [link.kind for link in document.links]
    assert (row["status"], row["cause"], row["reason"]) == ("done", None, None)
    assert row["consistent"] == report.consistent
    only = {**options, "links": ["TLINK"]}
    assert row["consistent_tlinks"] == tlex.extract(document, **only).consistent
    assert (row["tlinks"], row["alinks"], row["slinks"]) == tuple(
        map(kinds.count, ("TLINK", "ALINK", "SLINK"))
    )
    assert row["links"] == len(kinds)
    assert row["instances"] == sum(node.kind == "event" for node in report.nodes)
    assert row["times"] == sum(node.kind == "time" for node in report.nodes)
    assert row["characters"] == len(document.text)
    assert row["conflicts"] == len(report.conflicts)
    assert row["conflicts_complete"] == report.conflicts_complete
    assert row["mended"] == len(report.mended)
    counted = measure(report)
    assert {name: row[name] for name in counted} == counted
    if counted["placed_points"]:
        share = counted["section_points"] / counted["placed_points"]
        assert row["score"] == pytest.approx(share)
    orderings = [t.scenarios for t in report.timelines if t.consistent]
    assert row["scenarios_log10"] == pytest.approx(sum(log10(s.count) for s in orderings))
    assert row["scenarios_exact"] == all(s.exact for s in orderings)
    repair = find_repair(tlex.extract(document, **options))
    assert (row["repair_cost"], row["repair_optimal"]) == (repair.cost, repair.optimal)
    removed = set(row["repair_links"])
    left = tuple(link for link in document.links if link.id not in removed)
    mended = tlex.extract(document.replace(links=left), **options).record()
    assert mended.consistent
    counted = {f"repaired_{name}": value for name, value in measure(mended).items()}
    assert {name: row[name] for name in counted} == counted


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize(
    "options",
    [{}, {"links": ["ALINK"]}, {"times": "point"}, {"mend": True}, {"calendar": True}],
    ids=str,
)
def test_the_tables_are_those_of_the_result(path, options):
    check(tlex.read(path), **options)


@given(forest=forests())
def test_the_tables_of_any_forest_are_those_of_its_result(forest):
    check(document_of(*forest))


@given(graph=tangled_graphs())
def test_the_tables_of_any_tangle_are_those_of_its_result(graph):
    check(document_of(graph), times="point")
    check(document_of(graph), mend=True)


@pytest.mark.corpus
def test_the_tables_of_timebank_are_those_of_its_results(timebank):
    for document in list(timebank.values())[::6]:
        check(document)


def test_what_is_not_asked_for_is_null():
    rows = describe(
        tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")), repair=False, scenarios=False
    )

    [row] = rows["documents"]
    unknown = {name for name, value in row.items() if value is None}
    assert {"repair_cost", "repair_links", "repair_optimal", "repaired_longest"} <= unknown
    assert not any(link["removed"] for link in rows["links"])
    story = describe(tlex.extract(tlex.read(EXAMPLES / "story.tml")), scenarios=False)
    assert story["documents"][0]["scenarios_log10"] is None
    assert {row["scenarios_exact"] for row in story["timelines"]} == {None, True}


def test_the_link_that_a_repair_removes_is_marked():
    rows = describe(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")))

    [row] = rows["documents"]
    assert row["repair_links"] == [link["id"] for link in rows["links"] if link["removed"]]
    assert len(row["repair_links"]) == row["repair_cost"] == 1
    assert row["repaired_inconsistent_timelines"] == 0 < row["inconsistent_timelines"]


def test_another_repair_than_the_mended_one_is_measured_on_the_whole_document(monkeypatch):
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("a", "BEFORE", "c"), ("d", "BEFORE", "c")]
    document = tlex.from_links(links)
    whole = find_repair(tlex.extract(document))
    (other,) = whole.alternatives
    monkeypatch.setattr(
        document_tables, "find_repair", lambda *_, **__: replace(whole, removed=other)
    )

    [row] = describe(tlex.extract(document, mend=True))["documents"]

    left = tuple(link for link in document.links if link.id not in other)
    assert row["repair_links"] == list(other) == ["l1"]
    counted = measure(tlex.extract(document.replace(links=left)).record())
    assert {name: row[f"repaired_{name}"] for name in counted} == counted


def test_a_failure_is_one_row_that_says_why():
    tables = describe_failure(ORIGIN, Failure("timeout", "took longer"))

    [row] = turn("documents", tables["documents"])
    assert list(tables) == ["documents"]
    assert (row["status"], row["cause"], row["reason"]) == ("failed", "timeout", "took longer")
    known = {"corpus", "name", "path", "content", "status", "cause", "reason"}
    assert {name for name, value in row.items() if value is not None} == known
