"""From a document to numbers: which links take part, and which times are points."""

from __future__ import annotations

import pytest

import tlex
from tlex.algebra import CODES
from tlex.graph import build_graph
from tlex.points.graphs import TemporalGraph

DOCUMENT = """<TimeML>
<EVENT eid="e1" class="OCCURRENCE">rain</EVENT> until <TIMEX3 tid="t1" type="TIME">noon</TIMEX3>
on <TIMEX3 tid="t2" type="DATE">Monday</TIMEX3>, <TIMEX3 tid="t3" type=" time ">ten</TIMEX3>,
<EVENT eid="e2" class="OCCURRENCE">sun</EVENT>
<MAKEINSTANCE eventID="e2" eiid="ei2"/>
<MAKEINSTANCE eventID="e1" eiid="ei1"/>
<MAKEINSTANCE eventID="e9" eiid="ei9"/>
<TLINK lid="l0" relType="VAGUE" eventInstanceID="ei1" relatedToTime="t2"/>
<TLINK lid="l1" relType="ended_by " eventInstanceID="ei1" relatedToTime="t1"/>
<ALINK lid="l2" relType="INITIATES" eventInstanceID="ei2" relatedToEventInstance="ei1"/>
<SLINK lid="l3" relType="MODAL" eventInstanceID="ei2" subordinatedEventInstance="ei1"/>
<TLINK lid="l4" relType="BEFORE" eventInstanceID="ei77" relatedToTime="t1"/>
<TLINK lid="l5" relType="OVERLAPP" eventInstanceID="ei1" relatedToTime="t1"/>
<TLINK lid="l6" eventInstanceID="ei1" relatedToTime="t1"/>
<TLINK lid="l7" relType="BEFORE" eventInstanceID="ei1"/>
<TLINK lid="l8" relType="INITIATES" eventInstanceID="ei1" relatedToTime="t1"/>
<TLINK lid="l9" relType="BEFORE" eventInstanceID="ei2" relatedToEventInstance="ei2"/>
<TLINK lid="l10" relType="AFTER" eventInstanceID="ei9" relatedToTime="t3"/>
</TimeML>"""


@pytest.fixture
def document() -> tlex.Document:
    return tlex.parse(DOCUMENT)


def test_a_time_without_a_type_is_no_instant():
    bare = tlex.parse('<TimeML><TIMEX3 tid="t1">noon</TIMEX3></TimeML>')

    assert build_graph(bare, times="point").instants == []


def test_intervals_are_numbered_in_text_order_and_those_without_a_span_come_last(document):
    assert list(document.index) == ["ei1", "t1", "t2", "t3", "ei2", "ei9"]
    assert build_graph(document).size == 6


def test_a_link_takes_part_if_its_type_orders_and_both_ends_are_defined(document):
    graph = build_graph(document)

    assert [document.links[number].id for number in graph.numbers] == ["l1", "l2", "l9", "l10"]
    assert list(zip(graph.sources, graph.targets, strict=True)) == [(0, 1), (4, 0), (4, 4), (5, 3)]
    assert graph.labels == [
        CODES["TLINK"]["ENDED_BY"],
        CODES["ALINK"]["INITIATES"],
        CODES["TLINK"]["BEFORE"],
        CODES["TLINK"]["AFTER"],
    ]


@pytest.mark.parametrize(
    ("kinds", "links"), [(("TLINK",), ["l1", "l9", "l10"]), (("ALINK",), ["l2"]), ((), [])]
)
def test_a_link_takes_part_only_if_its_kind_is_asked_for(document, kinds, links):
    graph = build_graph(document, kinds)

    assert [document.links[number].id for number in graph.numbers] == links


def test_a_time_of_type_time_is_an_interval_unless_points_are_asked_for(document):
    assert build_graph(document).instants == ()
    assert build_graph(document, times="interval").instants == ()
    assert build_graph(document, times="point").instants == [1, 3]


def test_an_event_is_never_an_instant():
    document = tlex.from_links([("e1", "BEFORE", "t1")], times={"t1": "DATE"})

    assert build_graph(document, times="point").instants == []


def test_a_graph_without_links_has_its_intervals_only():
    graph = TemporalGraph(size=3)

    assert not (graph.labels)
    assert not (graph.sources)
    assert not (graph.targets)
    assert not (graph.numbers)
    assert graph.instants == ()
