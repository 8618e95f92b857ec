"""The rows of a document say what its report says, thing by thing."""

from __future__ import annotations

from math import log10
from pathlib import Path

import pytest
from hypothesis import given
from strategies import document_of, forests, tangled_graphs

import tlex
from tlex.corpus.runs.document_columns import Failure, Origin, describe_document, describe_failure
from tlex.export.schema import TABLES
from tlex.repair import find_repair

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = [*EXAMPLES.glob("*.tml"), *DATA.glob("*.tml"), DATA / "meantime.xml", DATA / "story.json"]
ORIGIN = Origin("corpus", "name", "/path", None, "digest")


def list_rows(result, *, repair=True, scenarios=True):
    """The rows of all tables, as dictionaries."""
    found = describe_document(result, ORIGIN, repair=repair, scenarios=scenarios, seconds=60)
    return {
        name: [
            dict(zip(TABLES[name].names[1:], row, strict=True))
            for row in zip(*columns, strict=True)
        ]
        for name, columns in found.items()
    }


def check(document, **options):
    """Hold the rows of a document against its report."""
    result = tlex.extract(document, **options)
    report = result.record()
    rows = list_rows(result)
    assert set(rows) == set(TABLES)
    check_intervals(rows, report, result)
    check_points(rows, report)
    check_timelines(rows, report)
    check_others(rows, report, document)
    check_whole(rows["documents"], report, document, options)


def check_intervals(rows, report, result):
    assert rows["intervals"] == [
        {
            "number": number,
            "interval": node.id,
            "kind": node.kind,
            "type": node.type,
            "event": node.event,
            "text": node.text,
            "start": node.span.start if node.span else None,
            "end": node.span.end if node.span else None,
            "value": node.value,
            "factuality": node.factuality,
            "timeline": result.timeline_of(node.id).id,
        }
        for number, node in enumerate(report.nodes)
    ]


def check_points(rows, report):
    found = {row["point"]: row for row in rows["points"]}
    assert len(found) == len(rows["points"]) == 2 * len(report.nodes)
    assert list(found) == [node.id + end for node in report.nodes for end in "-+"]
    for timeline in report.timelines:
        sections = {p: k for k, section in enumerate(timeline.sections) for p in section.points}
        groups: dict[int, list[str]] = {}
        for name in timeline.intervals:
            for end in "-+":
                row = found[name + end]
                assert row["timeline"] == timeline.id
                assert row["interval"] == name
                steps = timeline.points.get(name + end, (None, None))
                assert (row["step"], row["latest"]) == steps
                assert row["section"] == sections.get(name + end)
                groups.setdefault(row["compound"], []).append(name + end)
        if timeline.consistent:
            compounds = {tuple(group) for group in groups.values() if len(group) > 1}
            assert compounds == set(timeline.compounds)
        else:
            assert set(groups) == {None}


def check_timelines(rows, report):
    names = ("timeline", "main", "detached", "consistent", "intervals", "length", "offset")
    for row, timeline in zip(rows["timelines"], report.timelines, strict=True):
        assert tuple(row[name] for name in names) == (
            timeline.id,
            timeline.main,
            timeline.detached,
            timeline.consistent,
            len(timeline.intervals),
            timeline.length,
            timeline.offset,
        )
        assert row["first"] == timeline.intervals[0]
        assert row["pairs"] == timeline.indeterminate_pairs
        if not timeline.consistent:
            assert [value for value in list(row.values())[8:] if value is not None] == []
            continue
        assert row["tied_steps"] == len(timeline.tied_steps)
        assert row["sections"] == len(timeline.sections)
        assert row["section_points"] == sum(len(s.points) for s in timeline.sections)
        assert row["slack"] == sum(late - early for early, late in timeline.points.values())
        assert row["scenarios_log10"] == pytest.approx(log10(timeline.scenarios.count))
        assert row["scenarios_exact"] == timeline.scenarios.exact
    assert [
        (row["timeline"], row["section"], row["first"], row["last"], row["points"], row["main"])
        for row in rows["sections"]
    ] == [
        (timeline.id, number, section.first, section.last, len(section.points), timeline.main)
        for timeline in report.timelines
        for number, section in enumerate(timeline.sections)
    ]
    into = {}
    for connection in report.connections:
        into.setdefault(connection.target_timeline, []).append(connection)
    branches = [timeline for timeline in report.timelines if not timeline.main]
    for row, timeline in zip(rows["branches"], branches, strict=True):
        leads = into.get(timeline.id, [])
        assert row["timeline"] == timeline.id
        assert row["length"] == timeline.length
        assert row["connections"] == len(leads)
        if leads:
            first = leads[0]
            assert (row["link"], row["type"]) == (first.link, first.type)
            assert (row["source"], row["target"]) == (first.source, first.target)
            assert row["source_timeline"] == first.source_timeline


def check_others(rows, report, document):
    places = {n: t.id for t in report.timelines for n in t.intervals}
    types = {}
    for link in document.links:
        types.setdefault(link.id, link.type)
    assert [(row["number"], row["link"], row["kind"], row["type"]) for row in rows["links"]] == [
        (number, link.id, link.kind, link.type) for number, link in enumerate(document.links)
    ]
    for row, link in zip(rows["links"], document.links, strict=True):
        assert (row["source"], row["target"]) == (link.source, link.target)
        assert (row["signal"], row["weight"]) == (link.signal, link.weight)
        assert row["source_timeline"] == places.get(link.source)
        assert row["target_timeline"] == places.get(link.target)
    for name, things in (
        ("connections", report.connections),
        ("breaks", report.breaks),
        ("diagnostics", report.diagnostics),
    ):
        for row, thing in zip(rows[name], things, strict=True):
            assert row == {key: getattr(thing, key) for key in row}
    for row, conflict in zip(rows["conflicts"], report.conflicts, strict=True):
        assert row["walk"] == str(conflict)
        assert (row["timeline"], row["kind"]) == (conflict.timeline, conflict.kind)
        assert (tuple(row["links"]), tuple(row["minimal"])) == (conflict.links, conflict.minimal)
        assert sorted(row["pattern"].split(" + ")) == sorted(types[n] for n in conflict.minimal)


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
        "pairs": sum(timeline.indeterminate_pairs for timeline in good),
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
@pytest.mark.parametrize("options", [{}, {"links": ["ALINK"]}, {"times": "point"}], ids=str)
def test_the_rows_are_those_of_the_report(path, options):
    check(tlex.read(path), **options)


@given(forest=forests())
def test_the_rows_of_any_forest_are_those_of_its_report(forest):
    check(document_of(*forest))


@given(graph=tangled_graphs())
def test_the_rows_of_any_tangle_are_those_of_its_report(graph):
    check(document_of(graph), times="point")


@pytest.mark.corpus
def test_the_rows_of_timebank_are_those_of_its_reports(timebank):
    for document in list(timebank.values())[::6]:
        check(document)


def test_what_is_not_asked_for_is_null():
    rows = list_rows(
        tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")), repair=False, scenarios=False
    )

    [row] = rows["documents"]
    unknown = {name for name, value in row.items() if value is None}
    assert {"repair_cost", "repair_links", "repair_optimal", "repaired_longest"} <= unknown
    assert not any(link["removed"] for link in rows["links"])
    story = list_rows(tlex.extract(tlex.read(EXAMPLES / "story.tml")), scenarios=False)
    assert story["documents"][0]["scenarios_log10"] is None
    assert {row["scenarios_exact"] for row in story["timelines"]} == {None, True}


def test_the_link_that_a_repair_removes_is_marked():
    rows = list_rows(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")))

    [row] = rows["documents"]
    assert row["repair_links"] == [link["link"] for link in rows["links"] if link["removed"]]
    assert len(row["repair_links"]) == row["repair_cost"] == 1
    assert row["repaired_inconsistent_timelines"] == 0 < row["inconsistent_timelines"]


def test_a_failure_is_one_row_that_says_why():
    rows = describe_failure(ORIGIN, Failure("timeout", "took longer"))

    [row] = zip(*rows["documents"], strict=True)
    named = dict(zip(TABLES["documents"].names[1:], row, strict=True))
    assert list(rows) == ["documents"]
    assert (named["status"], named["cause"], named["reason"]) == (
        "failed",
        "timeout",
        "took longer",
    )
    known = {"corpus", "name", "path", "content", "status", "cause", "reason"}
    assert {name for name, value in named.items() if value is not None} == known


def test_every_table_has_the_document_first_and_no_column_twice():
    for name, table in TABLES.items():
        assert table.name == name
        assert table.names[0] == "document"
        assert len(set(table.names)) == len(table.names)
