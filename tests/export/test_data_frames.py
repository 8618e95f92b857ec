"""Tables and graphs hold what the result holds."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tlex
from tlex.export.table_schema import RESULT_TABLES

STORY = "examples/story.tml"


@pytest.fixture(scope="module")
def result():
    return tlex.extract(tlex.read(STORY))


def test_points_have_a_row_each_with_steps_and_section(result):
    table = result.to_pandas("points")

    assert len(table) == 2 * len(result.nodes)
    row = table[table.point == "ei2-"].iloc[0]
    assert (row.timeline, row.node, row.earliest, row.slack, row.section) == (0, "ei2", 4, 0, 0)
    assert table[table.point == "ei1-"].section.isna().all()


def test_nodes_have_a_row_each_with_words_timeline_steps_and_slack(result):
    table = result.to_pandas()

    row = table.set_index("id").loc["ei2"]
    assert (row.text, row.timeline, row.start, row.end) == ("built", 0, 4, 5)
    assert (row.start_slack, row.end_slack) == (0, 0)
    assert len(table) == len(result.nodes)


def test_integers_stay_integers_where_some_are_missing():
    result = tlex.extract(tlex.read("examples/contradiction.tml"))

    table = result.to_pandas("nodes")

    assert table.start.isna().any()
    assert str(table.start.dtype) == str(table.timeline.dtype) == "Int64"
    assert str(result.to_pandas("timelines").consistent.dtype) == "boolean"


def test_pairs_and_closure_are_tables_too(result):
    pairs = result.to_pandas("pairs")
    closure = result.to_pandas("closure")

    assert len(pairs) == sum(t.indeterminate_pairs for t in result.timelines)
    assert len(closure) == len(result.closure().links) + len(result.closure().untyped)
    assert {"ei2", "ei1"} in [{a, b} for a, b in zip(closure.source, closure.target, strict=True)]


@pytest.mark.parametrize("table", RESULT_TABLES)
def test_every_table_has_its_columns_even_when_empty(table):
    frame = tlex.extract(tlex.parse("<TimeML/>")).to_pandas(table)

    assert list(frame.columns) == [column.name for column in RESULT_TABLES[table].result_columns]
    assert frame.empty


def test_the_tables_agree_with_the_report(result):
    report = result.record()

    assert list(result.to_pandas("nodes").id) == [node.id for node in report.nodes]
    assert list(result.to_pandas("links").id) == [link.id for link in result.document.links]
    assert list(result.to_pandas("timelines").length) == [t.length for t in report.timelines]
    assert list(result.to_pandas("connections").link) == [c.link for c in report.connections]
    assert len(result.to_pandas("sections")) == 1
    broken = tlex.extract(tlex.read("examples/contradiction.tml"))
    conflicts = broken.to_pandas("conflicts")
    assert list(conflicts.minimal) == [("l2", "l3", "l4")]
    assert list(conflicts.walk) == ["ei2+ = ei3- < ei3+ < ei4- < ei4+ < ei2- < ei2+"]


def test_diagnostics_and_breaks_are_tables_too():
    links = [("a", "BEFORE", "b"), ("c", "BEFORE", "d"), ("a", "BEFOR", "d")]
    result = tlex.extract(tlex.from_links(links))

    assert list(result.to_pandas("diagnostics").code) == ["TLX103"]
    assert list(result.to_pandas("breaks").second_timeline) == [1]


def test_an_unknown_table_is_reported_with_the_known_ones(result):
    with pytest.raises(tlex.TlexError, match="choose from nodes, points, links"):
        result.to_pandas("pints")


def test_the_graph_has_nodes_with_steps_and_edges_with_types(result):
    graph = result.to_networkx()

    assert set(graph) == {node.id for node in result.nodes}
    assert graph.nodes["ei2"]["text"] == "built"
    assert (graph.nodes["ei2"]["start"], graph.nodes["ei2"]["end"]) == (4, 5)
    assert graph.edges["ei2", "ei1", "l2"] == {
        "kind": "TLINK",
        "type": "AFTER",
        "left_out": False,
    }
    assert graph.number_of_edges() == len(result.document.links)


def test_without_the_library_the_message_says_how_to_get_it():
    code = (
        "import sys; sys.modules['pandas'] = None; import tlex\n"
        "try: tlex.extract(tlex.from_links([])).to_pandas()\n"
        "except tlex.TlexError as error: print(error)"
    )

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout == "this needs pandas; install it with: pip install 'tlex[pandas]'\n"
