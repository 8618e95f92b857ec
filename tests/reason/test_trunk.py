"""Trunk and branches: which timelines are main, what hangs on what, and where the trunk breaks."""

from __future__ import annotations

from itertools import pairwise, product
from typing import NamedTuple

import brute
import pytest
from brute import SLINKS
from hypothesis import given
from hypothesis import strategies as st
from strategies import Forest, document_of, forests, named

import tlex
from tlex import errors


def extract(forest: Forest, **options: object) -> tlex.Extraction:
    return tlex.extract(document_of(forest.graph, forest.slinks), **options)


def rows(*lines: str) -> tlex.Document:
    return tlex.from_links([line.split() for line in lines])


def reach(result: tlex.Extraction, types: tuple[str, ...] = SLINKS) -> set[tuple[int, int]]:
    """Find which timeline leads to which, itself included, by trying every middle one."""
    count = range(len(result.timelines))
    leads = {(number, number) for number in count}
    leads |= {
        (link.source_timeline, link.target_timeline)
        for link in result.connections
        if link.type in types
    }
    for middle, one, other in product(count, repeat=3):
        if (one, middle) in leads and (middle, other) in leads:
            leads.add((one, other))
    return leads


def find_mains(result: tlex.Extraction, types: tuple[str, ...] = SLINKS) -> list[int]:
    """Find the main timelines by their definition."""
    leads = reach(result, types)
    mains = set()
    for timeline in result.timelines:
        group = [t for t in result.timelines if {(timeline.id, t.id), (t.id, timeline.id)} <= leads]
        entered = any((t.id, timeline.id) in leads and t not in group for t in result.timelines)
        if not entered:
            mains.add(min(group, key=lambda t: (-len(t.intervals), t.id)).id)
    return sorted(mains)


@given(forest=forests())
def test_connections_are_the_subordinating_links_between_timelines_in_document_order(forest):
    result = extract(forest)

    at = {name: timeline.id for timeline in result.timelines for name in timeline.intervals}
    first = len(forest.graph.links) + 1
    expected = [
        (f"l{number}", label, source, target, at[source], at[target])
        for number, (source, label, target) in enumerate(named(forest.slinks), first)
        if at[source] != at[target]
    ]
    found = [
        (c.link, c.type, c.source, c.target, c.source_timeline, c.target_timeline)
        for c in result.connections
    ]
    assert found == expected


@given(forest=forests())
def test_every_branch_can_be_reached_from_a_main_timeline(forest):
    result = extract(forest)

    leads = reach(result)
    for branch in result.branches:
        assert any((main.id, branch.id) in leads for main in result.trunk)
        assert not branch.detached


@given(forest=forests())
def test_a_document_with_a_node_has_a_main_timeline(forest):
    result = extract(forest)

    assert bool(result.trunk) == bool(result.nodes)


@given(forest=forests())
def test_the_largest_of_each_group_that_none_leads_into_is_main(forest):
    result = extract(forest)

    assert [timeline.id for timeline in result.trunk] == find_mains(result)
    assert [t.id for t in result.timelines if t.main] == find_mains(result)


@given(forest=forests())
def test_trunk_and_branches_are_all_timelines(forest):
    result = extract(forest)

    both = [*result.trunk, *result.branches]
    assert sorted(timeline.id for timeline in both) == list(range(len(result.timelines)))
    assert [t.id for t in result.branches] == sorted(t.id for t in result.branches)


@given(forest=forests(), types=st.sets(st.sampled_from(SLINKS)))
def test_subordinating_narrows_which_types_make_the_trunk_and_hides_no_connection(forest, types):
    result = extract(forest, subordinating=sorted(types))

    assert [timeline.id for timeline in result.trunk] == find_mains(result, tuple(types))
    assert result.connections == extract(forest).connections
    assert result.options.subordinating == tuple(label for label in SLINKS if label in types)


@given(forest=forests(), data=st.data())
def test_named_events_make_their_timelines_main_in_the_order_named(forest, data):
    names = [node.id for node in extract(forest).nodes]
    main = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=4))

    result = extract(forest, main=main)

    expected = dict.fromkeys(result.timeline_of(name).id for name in main)
    leads = reach(result)
    assert [timeline.id for timeline in result.trunk] == list(expected)
    for timeline in result.timelines:
        reached = any((number, timeline.id) in leads for number in expected)
        assert timeline.main == (timeline.id in expected)
        assert timeline.detached == (not reached)


@given(forest=forests(), data=st.data())
def test_main_timelines_are_concatenated(forest, data):
    names = [node.id for node in extract(forest).nodes]
    main = data.draw(st.none() | st.lists(st.sampled_from(names), min_size=1, max_size=4))

    result = extract(forest, main=main)

    for one, other in pairwise(result.trunk):
        assert other.offset == one.offset + (one.length or 0)
    assert result.trunk[0].offset == 0
    assert {branch.offset for branch in result.branches} <= {0}
    assert [(b.first_timeline, b.second_timeline) for b in result.breaks] == [
        (one.id, other.id) for one, other in pairwise(result.trunk)
    ]


def test_timelines_that_point_at_each_other_have_their_largest_as_main():
    document = rows("a MODAL b", "b MODAL a", "b BEFORE c", "d FACTIVE d")

    result = tlex.extract(document)

    assert [timeline.intervals for timeline in result.trunk] == [("b", "c"), ("d",)]
    assert [timeline.intervals for timeline in result.branches] == [("a",)]


def test_of_equals_that_point_at_each_other_the_earliest_in_the_text_is_main():
    result = tlex.extract(rows("x MODAL b", "b MODAL c", "c MODAL x"))

    assert [timeline.intervals for timeline in result.trunk] == [("x",)]


def test_a_group_that_another_leads_into_has_no_main_timeline():
    result = tlex.extract(rows("a MODAL b", "b MODAL a", "z MODAL a", "a BEFORE c"))

    assert [timeline.intervals for timeline in result.trunk] == [("z",)]


def test_two_groups_apart_have_a_main_timeline_each():
    result = tlex.extract(rows("a MODAL b", "b MODAL a", "c MODAL d", "d MODAL c"))

    assert [timeline.intervals for timeline in result.trunk] == [("a",), ("c",)]


def test_main_timelines_come_in_text_order_whatever_group_was_found_first():
    result = tlex.extract(rows("a VAGUE b", "b VAGUE z", "z BEFORE y", "a MODAL z", "z MODAL a"))

    assert [timeline.intervals for timeline in result.trunk] == [("b",), ("z", "y")]


def test_a_branch_may_grow_from_a_branch():
    result = tlex.extract(rows("a MODAL b", "b MODAL c", "c MODAL d"))

    assert [timeline.intervals for timeline in result.trunk] == [("a",)]
    assert len(result.branches) == 3


def test_a_chain_of_branches_overflows_no_stack():
    count = 20_000
    links = [(f"e{number}", "MODAL", f"e{number + 1}") for number in range(count)]

    ring = tlex.extract(tlex.from_links([*links, (f"e{count}", "MODAL", "e0")]))

    assert len(tlex.extract(tlex.from_links(links)).trunk) == 1
    assert len(ring.trunk) == 1


def test_a_subordinating_link_inside_a_timeline_connects_nothing():
    result = tlex.extract(rows("a BEFORE b", "b MODAL a"))

    assert result.connections == ()
    assert [timeline.main for timeline in result.timelines] == [True]


def test_an_inconsistent_main_timeline_takes_no_steps():
    result = tlex.extract(rows("a BEFORE a", "b BEFORE c"))

    assert [(timeline.main, timeline.offset) for timeline in result.timelines] == [
        (True, 0),
        (True, 0),
    ]


def test_an_event_of_several_instances_names_all_their_timelines():
    document = tlex.parse("""<TimeML><EVENT eid="e1" class="STATE">slept</EVENT> in
<TIMEX3 tid="t1" type="DATE">May</TIMEX3>
<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e1" eiid="ei2"/></TimeML>""")

    result = tlex.extract(document, main=["e1"])

    assert [timeline.intervals for timeline in result.trunk] == [("ei1",), ("ei2",)]
    assert [timeline.intervals for timeline in result.timelines if timeline.detached] == [("t1",)]


UNTYPED = """<TimeML><EVENT eid="e1" class="STATE">a</EVENT> <EVENT eid="e2" class="STATE">b</EVENT>
<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e2" eiid="ei2"/>
<SLINK lid="l1"{0} eventInstanceID="ei1" subordinatedEventInstance="ei2"/></TimeML>"""


@pytest.mark.parametrize(("written", "label"), [("", None), (' relType="ODD"', "ODD")])
def test_a_subordinating_link_of_unknown_or_no_type_still_subordinates(written, label):
    result = tlex.extract(tlex.parse(UNTYPED.format(written)))

    assert [connection.type for connection in result.connections] == [label]
    assert [timeline.main for timeline in result.timelines] == [True, False]
    assert result.diagnostics


def test_a_type_that_is_asked_for_leaves_out_a_link_without_one():
    result = tlex.extract(tlex.parse(UNTYPED.format("")), subordinating=["MODAL"])

    assert [timeline.main for timeline in result.timelines] == [True, True]
    assert len(result.connections) == 1


def test_a_subordinating_link_to_nowhere_connects_nothing():
    text = UNTYPED.format(' relType="MODAL"').replace('subordinatedEventInstance="ei2"', "")

    result = tlex.extract(tlex.parse(text))

    assert result.connections == ()
    assert len(result.trunk) == 2


def test_an_unknown_name_for_main_is_an_error():
    with pytest.raises(errors.OptionError, match="'e7'"):
        tlex.extract(rows("e1 BEFORE e2"), main=["e1", "e7"])


class Mark(NamedTuple):
    """Some words before an event, its own words, and whether the next one stands inside it."""

    gap: int
    width: int
    holds_next: bool


MARKS = st.builds(Mark, st.integers(0, 3), st.integers(1, 2), st.booleans())


@st.composite
def texts(draw: st.DrawFn) -> tlex.Document:
    """Draw texts with events among other words, some inside others, in a few timelines."""
    marks = draw(st.lists(MARKS, min_size=2, max_size=8))
    body, closing = [], []
    for number, mark in enumerate(marks):
        body.append("word " * mark.gap)
        body.append(f'<EVENT eid="e{number}" class="STATE">' + "own " * mark.width)
        if mark.holds_next:
            closing.append("</EVENT>")
        else:
            body.append("</EVENT>" + "".join(closing) + " ")
            closing = []
    body.extend(closing)
    made = "".join(
        f'<MAKEINSTANCE eventID="e{number}" eiid="ei{number}"/>' for number in range(len(marks))
    )
    event = st.integers(0, len(marks) - 1)
    linked = "".join(
        f'<TLINK lid="l{place}" relType="BEFORE" eventInstanceID="ei{one}" '
        f'relatedToEventInstance="ei{other}"/>'
        for place, (one, other) in enumerate(draw(st.lists(st.tuples(event, event), max_size=5)))
    )
    return tlex.parse(f"<TimeML>{''.join(body)}{made}{linked}</TimeML>")


def count_words(document: tlex.Document, one: str, other: str) -> int:
    """Count the words between two expressions, as a reader would."""
    spans = [document.node(name).span for name in (one, other)]
    end, start = min(span.end for span in spans), max(span.start for span in spans)
    return len(document.text[end:start].split())


@given(document=texts(), data=st.data())
def test_a_break_is_the_pair_with_the_fewest_words_between(document, data):
    names = [node.id for node in document.nodes]
    main = data.draw(st.none() | st.lists(st.sampled_from(names), min_size=1, max_size=4))

    result = tlex.extract(document, main=main)

    for found in result.breaks:
        first = result.timelines[found.first_timeline].intervals
        second = result.timelines[found.second_timeline].intervals
        words = {(a, b): count_words(document, a, b) for a, b in product(first, second)}
        fewest = min(words.values())
        assert found.words == words[found.first, found.second] == fewest
        later = {pair: max(map(document.index.get, pair)) for pair in words}
        assert later[found.first, found.second] == min(
            later[pair] for pair, count in words.items() if count == fewest
        )


def story(*pieces: str) -> tlex.Document:
    """Write a text in which pieces such as ``ei1:left`` are events and the rest is words."""
    body, made = [], []
    for piece in " ".join(pieces).split():
        name, _, word = piece.partition(":")
        if word:
            body.append(f'<EVENT eid="e{name}" class="STATE">{word}</EVENT>')
            made.append(f'<MAKEINSTANCE eventID="e{name}" eiid="{name}"/>')
        else:
            body.append(piece)
    return tlex.parse(f"<TimeML>{' '.join(body)}{''.join(made)}</TimeML>")


def test_words_are_counted_between_the_two_expressions():
    document = story("a:left . Then , after two well-known men 's work , b:came")

    (found,) = tlex.extract(document).breaks

    assert (found.first, found.second) == ("a", "b")
    assert found.words == len(["Then", "after", "two", "well-known", "men", "s", "work"])


def test_a_break_follows_the_order_of_main_and_may_look_back_in_the_text():
    document = story("a:left one two b:came three c:went")

    result = tlex.extract(document, main=["c", "a", "b"])

    assert [(found.first, found.second, found.words) for found in result.breaks] == [
        ("c", "a", 4),
        ("a", "b", 2),
    ]


def test_of_equals_the_first_in_the_text_breaks():
    text = story("a:left one b:came two c:went three d:stayed")
    with_links = tlex.parse(
        text.source.data.decode().replace(
            "</TimeML>",
            '<TLINK lid="l1" relType="BEFORE" eventInstanceID="a" relatedToEventInstance="c"/>'
            '<TLINK lid="l2" relType="BEFORE" eventInstanceID="b" relatedToEventInstance="d"/>'
            "</TimeML>",
        )
    )

    (found,) = tlex.extract(with_links).breaks

    assert (found.first, found.second, found.words) == ("a", "b", 1)


def test_a_break_is_at_the_first_intervals_where_a_timeline_has_no_words():
    document = tlex.parse("""<TimeML><EVENT eid="e1" class="STATE">slept</EVENT>
<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e7" eiid="ei7"/></TimeML>""")

    (found,) = tlex.extract(document).breaks

    assert (found.first, found.second, found.words) == ("ei1", "ei7", None)


def test_one_main_timeline_has_no_break():
    assert tlex.extract(rows("a BEFORE b")).breaks == ()


def test_a_document_without_nodes_has_nothing():
    result = tlex.extract(tlex.parse("<TimeML>Once.</TimeML>"))

    assert (result.timelines, result.trunk, result.breaks, result.connections) == ((), (), (), ())
    assert result.consistent


def test_the_judge_agrees_on_a_small_forest():
    result = tlex.extract(rows("a MODAL b", "b MODAL a", "b BEFORE c", "c MODAL d"))

    assert find_mains(result) == [1]
    assert brute.split(3, [(0, "BEFORE", 2)]) == [(0, 2), (1,)]
