"""Whatever the reading view shows as an order is entailed; what it calls unknown is unknown.

The judge walks the layout by what `tlex.draw.reading.parts` says of it, and closes the links with
code of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import brute
import pytest
from calendar_documents import lists_of_times, write
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import Forest, Graph, document_of, forests, placed_graphs, tangled_graphs

import tlex
from tlex.draw.reading.layout import lay_out_reading
from tlex.draw.reading.parts import Group, Item, Part, Reading, Row
from tlex.reason.dates import bound_compounds

# What only the calendar says, of the starts and ends (0 to 3) of two times.
CALENDAR = {
    "STARTS_BEFORE": ((0, 2),),
    "ENDS_BEFORE": ((1, 3),),
    "STARTS_BEFORE_OVERLAP": ((0, 2), (2, 1)),
    "ENDS_BEFORE_OVERLAP": ((2, 1), (1, 3)),
    "STARTS_AND_ENDS_BEFORE": ((0, 2), (1, 3)),
}
LABELS = ("BEFORE", "AFTER", "IS_INCLUDED", "INCLUDES", "SIMULTANEOUS", "BEGINS", "ENDED_BY")

TITLES = (
    "Order not known",
    "Not certain to happen",
    "Only claimed",
    "Had not happened yet",
    "Said not to happen",
)
SAID = {
    "reported": {"Only claimed"},
    "possible": {"Not certain to happen"},
    "conditional": {"Not certain to happen"},
    "unasserted": {"Not certain to happen"},
    "negated": {"Said not to happen"},
    "counterfactual": {"Said not to happen"},
}


class Judge:
    """Closes the links of a result, those of the calendar too, without those left out.

    Dates can say a little more than links: a duration between two times does not begin before the
    first, and no link can say this. So what their places put in order may be shown in order. Known
    is what the links entail, as for ``result.relation``.
    """

    def __init__(self, result: tlex.Extraction) -> None:
        size = 2 * len(result.nodes)
        self.places: dict[int, tuple[int, int]] = {}
        self.least = [[0] * size for _ in range(size)]  # 1: not later, 2: earlier
        self._add_places(result)
        self._add_links(result)
        for middle in range(size):
            for left in range(size):
                first = self.least[left][middle]
                for right in range(size if first else 0):
                    second = self.least[middle][right]
                    if second and self.least[left][right] < max(first, second):
                        self.least[left][right] = max(first, second)

    def _add_places(self, result: tlex.Extraction) -> None:
        if result.options.calendar:
            for component, lower, upper in bound_compounds(result.document, result.components):
                for place, compound in enumerate(component.graph.compound):
                    point = 2 * component.members[place // 2] + place % 2
                    self.places[point] = lower[compound], upper[compound]

    def _add_links(self, result: tlex.Extraction) -> None:
        kinds = {*result.options.links, "CALENDAR"}
        index = {node.id: place for place, node in enumerate(result.nodes)}
        for place in index.values():
            self._add(2 * place, "<", 2 * place + 1)
        for number, link in enumerate(result.document.links):
            known = link.source in index and link.target in index and link.type
            if link.kind not in kinds or number in result.repair or not known:
                continue
            source, target = index[link.source], index[link.target]
            ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
            for left, right in CALENDAR.get(link.type, ()):
                self._add(ends[left], "<", ends[right])
            if link.type not in CALENDAR:
                for claim in brute.constraints_of((source, link.type, target)):
                    self._add(*claim)

    def _add(self, left: int, order: str, right: int) -> None:
        self.least[left][right] = max(self.least[left][right], 2 if order == "<" else 1)
        if order == "=":
            self.least[right][left] = max(self.least[right][left], 1)

    def precedes(self, one: int, other: int) -> bool:
        if one in self.places and other in self.places:
            return self.places[one][1] < self.places[other][0] or self.least[one][other] == 2
        return self.least[one][other] == 2

    def is_same(self, one: int, other: int) -> bool:
        return one == other or (self.least[one][other] == 1 == self.least[other][one])

    def is_known(self, one: int, other: int) -> bool:
        return 2 in (self.least[one][other], self.least[other][one]) or self.is_same(one, other)


def list_nodes(part: Part) -> Iterator[int]:
    if isinstance(part, Row):
        yield from part.nodes
    else:
        for inner in part.parts:
            yield from list_nodes(inner)


def list_groups(reading: Reading) -> Iterator[Group]:
    """Every group of a view, those of boxes too."""
    stack = [*reading.groups]
    while stack:
        group = stack.pop()
        yield group
        for part in group.parts:
            if isinstance(part, Group):
                stack.append(part)
            else:
                for node in part.nodes:
                    stack += (box.group for box in reading.items[node].boxes)


def check(result: tlex.Extraction) -> Reading:
    """Judge everything that a view says of order and dates."""
    reading = lay_out_reading(result)
    judge = Judge(result)
    shown = []
    for group in list_groups(reading):
        rows = [part for part in group.parts if isinstance(part, Row)]
        shown += [node for row in rows for node in row.nodes]
        for row in rows:
            check_row(judge, row)
            for node in row.nodes:
                check_notes(judge, reading.items[node])
        if group.order == "known":
            check_order(judge, group)
        elif group.order == "unknown":
            for one, other in combinations(group.parts, 2):
                for a in list_nodes(one):
                    assert not any(judge.is_known(2 * a, 2 * b) for b in list_nodes(other))
        if group.unit and group.until is not None:
            check_dates(result, group)
    check_completeness(result, reading, shown)
    check_glance(result, judge, reading)
    check_kinds(result, reading)
    return reading


def check_glance(result: tlex.Extraction, judge: Judge, reading: Reading) -> None:
    """No event is known to be before the first one, and all that may be earlier are counted."""
    rows = {node for group in reading.groups for node in list_nodes(group)}
    rows |= {teller for node in rows for teller in reading.items[node].told_by}
    happened = [
        node
        for node in rows
        if result.nodes[node].kind == "event"
        and not {mark.look for mark in reading.items[node].marks} - {"told"}
    ]
    if reading.first is not None:
        start = 2 * reading.first.node
        assert reading.first.node in happened
        earlier = (node for node in happened if judge.precedes(2 * node, start))
        # A date that cannot be met, from a duration, is before and after itself.
        assert all(judge.precedes(start, 2 * node) for node in earlier)
        later = [
            node
            for node in happened
            if judge.precedes(start, 2 * node) or judge.is_same(start, 2 * node)
        ]
        assert reading.first.others == len(happened) - len(later)
        assert reading.first.doubted == any(
            result.nodes[reading.first.node].id in {link.source, link.target}
            for link in (result.document.links[number] for number in result.repair)
        )


def check_kinds(result: tlex.Extraction, reading: Reading) -> None:
    """Rows of the glance, marks, and titles of boxes say the same, and what the annotation says."""
    events = {node for node, item in reading.items.items() if item.kind == "event"}
    rows = {kind.title: kind.nodes for kind in reading.kinds}
    assert {title: sorted(nodes) for title, nodes in rows.items() if nodes} == {
        title: nodes
        for title in TITLES
        if (nodes := sorted(node for node in events if title in name_marks(reading, node)))
    }
    for node in events:
        own = name_marks(reading, node) - {"Order not known"}
        factuality = result.nodes[node].factuality
        told = any(
            link.kind == "SLINK" and not link.type and link.target == result.nodes[node].id
            for link in result.document.links
        )
        wanted = SAID.get(factuality, set())
        if told and factuality in {"factual", "unasserted"}:
            wanted = {"Only claimed"}
        assert own - {"Had not happened yet"} == wanted
        if "Had not happened yet" in own:
            assert wanted <= {"Only claimed"}
    for box in (box for item in reading.items.values() for box in item.boxes):
        inside = [node for node in list_nodes(box.group) if node in events]
        check_title(reading, box.title, inside)


def check_title(reading: Reading, title: str, inside: list[int]) -> None:
    """What a title says without *in part* holds for all in the box, and nothing is left unsaid."""
    own = [name_marks(reading, node) - {"Order not known"} for node in inside]
    if "would happen only if" in title:
        assert all(marks == {"Not certain to happen"} for marks in own)
        return
    if title.partition("; some only if ")[0].endswith(": denied"):
        assert all(marks == {"Said not to happen"} for marks in own)
        return
    for kind in TITLES[1:]:
        words = kind.lower()
        having = sum(kind in marks for marks in own)
        assert (words in title) == (having > 0)
        assert (f"in part {words}" in title) == (0 < having < len(own))
    plain = sum(not marks for marks in own)
    assert ("taken as a fact" in title) == (plain > 0)
    assert ("in part taken as a fact" in title) == (0 < plain < len(own))


def name_marks(reading: Reading, node: int) -> set[str]:
    """The titles of the kinds of an event: by its marks, and by where it stands."""
    words = {mark.words.partition(":")[0] for mark in reading.items[node].marks}
    known = {title for title in TITLES if title.lower() in words}
    assert len(known) == len(words)
    return known | ({"Order not known"} if node in find_loose(reading) else set())


def find_loose(reading: Reading) -> set[int]:
    """The nodes in groups that have no settled place, or whose parts have no known order."""
    loose: set[int] = set()
    for group in list_groups(reading):
        if not group.settled or group.order != "known":
            loose.update(list_nodes(group))
    return loose


def check_row(judge: Judge, row: Row) -> None:
    for one, other in pairwise(row.nodes):
        assert judge.is_same(2 * one, 2 * other)
        assert judge.is_same(2 * one + 1, 2 * other + 1) or not row.whole


def check_order(judge: Judge, group: Group) -> None:
    """Settled parts are in order; what stands apart is as its title says, and no better known."""
    settled = [part for part in group.parts if isinstance(part, Row) or part.settled]
    for one, other in pairwise(settled):  # strict orders are transitive
        for a in list_nodes(one):
            assert all(judge.precedes(2 * a, 2 * b) for b in list_nodes(other))
    for part in group.parts:
        if isinstance(part, Row) or part.settled:
            continue
        for node in list_nodes(part):
            if part.after is not None:
                assert judge.precedes(2 * part.after, 2 * node)
            if part.before is not None:
                assert judge.precedes(2 * node, 2 * part.before)
        if not part.unit and not part.title.startswith("apart"):
            check_tight(judge, settled, part)


def check_tight(judge: Judge, settled: list[Part], apart: Group) -> None:
    """Nothing of the chain nearer than the ends that are named has a known order."""
    firsts = [next(list_nodes(part)) for part in settled]
    places = {node: place for place, part in enumerate(settled) for node in list_nodes(part)}
    low = -1 if apart.after is None else places[apart.after]
    high = len(firsts) if apart.before is None else places[apart.before]
    for node in list_nodes(apart):
        for first in firsts[low + 1 : high]:
            assert not judge.is_known(2 * node, 2 * first)


def check_notes(judge: Judge, item: Item) -> None:
    for note in item.notes:
        own, other = 2 * item.node, 2 * note.node
        left, right = {
            "after": (other + 1, own),
            "begins after the start of": (other, own),
            "before": (own + 1, other),
            "begins before": (own, other),
        }[note.words]
        assert judge.precedes(left, right) or judge.is_same(left, right)


def check_dates(result: tlex.Extraction, group: Group) -> None:
    """What stands below a heading begins before its end."""
    dates = result.point_dates
    for node in list_nodes(group):
        before = dates.before[2 * node]
        assert before is not None
        assert before <= tlex.timex.write_instant(4 * group.until)


def check_completeness(result: tlex.Extraction, reading: Reading, shown: list[int]) -> None:
    """Every event is shown once, or folded into what it tells."""
    told = {teller for item in reading.items.values() for teller in item.told_by}
    assert len(shown) == len(set(shown))
    assert not told & set(shown)
    events = {place for place, node in enumerate(result.nodes) if node.kind == "event"}
    assert events <= told | set(shown)
    assert set(reading.items) == told | set(shown)


@settings(max_examples=80)
@given(placed_graphs(largest=12))
def test_orders_are_entailed_and_unknown_ones_are_not(graph):
    check(tlex.extract(document_of(graph)))


@settings(max_examples=80)
@given(tangled_graphs())
def test_mended_and_contradictory_timelines_are_shown_truly(graph):
    document = document_of(graph._replace(instants=frozenset()))

    check(tlex.extract(document, mend=True))
    check(tlex.extract(document))


@settings(max_examples=60)
@given(forests())
@example(Forest(Graph(2, []), [(0, "NEGATIVE_EVIDENTIAL", 1), (1, "CONDITIONAL", 1)]))
@example(
    Forest(
        Graph(3, []),
        [(0, "NEGATIVE_EVIDENTIAL", 1), (0, "NEGATIVE_EVIDENTIAL", 2), (1, "CONDITIONAL", 2)],
    )
)
def test_branches_are_shown_truly(forest):
    check(tlex.extract(document_of(*forest)))


@st.composite
def dated_documents(draw) -> tlex.Document:
    """Times with values of all kinds, and events that have links with them and among each other."""
    times = draw(lists_of_times(4))
    events = draw(st.integers(2, 6))
    names = [f"t{number}" for number in range(1, len(times) + 1)]
    own = [f"ei{number}" for number in range(1, events + 1)]
    orders = st.tuples(
        st.sampled_from(own), st.sampled_from(LABELS), st.sampled_from([*names, *own])
    )
    told = st.tuples(
        st.sampled_from(own),
        st.sampled_from(
            ("MODAL", "EVIDENTIAL", "FACTIVE", "NEGATIVE_EVIDENTIAL", "CONDITIONAL", "")
        ),
        st.sampled_from(own),
        st.just("SLINK"),
    )
    links = draw(st.lists(orders, min_size=2, max_size=9))
    links += draw(st.lists(told, max_size=2))
    return write(times, [link for link in links if link[0] != link[2]], events)


@settings(max_examples=100)
@given(dated_documents())
def test_headings_and_spans_are_entailed(document):
    check(tlex.extract(document, calendar=True, mend=True))


@pytest.mark.corpus
def test_the_views_of_a_corpus_are_true(timebank):
    for name in sorted(timebank)[::12]:
        if len(timebank[name].nodes) < 60:
            check(tlex.extract(timebank[name], calendar=True, mend=True))


def test_after_a_day_is_not_certainly_behind_what_is_before_the_next_day():
    times = [(f"1998-03-{day}", {}) for day in (11, 12, 13, 14)]
    links = [("ei1", "AFTER", "t1"), ("ei1", "BEFORE", "t3")]
    links += [("ei2", "AFTER", "t2"), ("ei2", "BEFORE", "t4")]

    reading = check(tlex.extract(write(times, links, 2), calendar=True))

    assert "the place of 1 is not known" in reading.summary


def test_what_stands_beside_a_chain_is_in_order_with_what_stands_above_and_below():
    chain = [("a1", "BEFORE", "a2"), ("a2", "BEFORE", "a3"), ("a3", "BEFORE", "a4")]
    beside = [("a1", "BEFORE", "b"), ("b", "BEFORE", "a3"), ("a2", "BEFORE", "c")]

    reading = check(tlex.extract(tlex.from_links([*chain, *beside, ("c", "BEFORE", "a4")])))

    assert "the order of 3 is not known" in reading.summary


def test_a_longer_day_is_needed_to_settle_a_span_and_an_order_of_events_is_enough():
    times = [("1998-03-12", {}), ("1998-03-15", {})]
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei2", "BEFORE", "t2")]

    loose = check(tlex.extract(write(times, links, 2), calendar=True))
    settled = check(
        tlex.extract(write(times, [*links, ("ei2", "BEFORE", "ei1")], 2), calendar=True)
    )

    assert "the place of 1 is not known" in loose.summary
    assert "their order is known" in settled.summary
