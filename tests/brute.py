"""The judge: every ordering of the end points of a few intervals, and what follows from them.

Nothing here comes from tlex. What a label says is written down again, as comparisons of two
stretches of time; that these are the labels' meanings is judged by hand-drawn pictures
(`PICTURES`). A set of orderings is an integer with one bit for each, so that "all orderings
which meet these links" is a few bitwise ands.

For graphs that are too large for that, `close` gives the same answers from the transitive
closure of the constraints; `test_brute_force.py` compares the two judges.

Interval i has the points 2i and 2i + 1. A link is a triple: source, label, target.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

Ordering = tuple[int, ...]
"""The rank of each point, from 1, without gaps."""

Link = tuple[int, str, int]


class Stretch(NamedTuple):
    """From when to when."""

    start: int
    end: int


# What each basic relation looks like. Drawn by hand, so that the table is not its own judge.
# A stretch starts at the left edge of its first letter and ends at the right edge of its last.
PICTURES = {
    "BEFORE": ("aa....", "...bbb"),
    "IBEFORE": ("aaa...", "...bbb"),
    "BEGINS": ("aaa...", "bbbbbb"),
    "ENDS": ("...aaa", "bbbbbb"),
    "INCLUDES": ("aaaaaa", ".bbb.."),
    "SIMULTANEOUS": ("aaa...", "bbb..."),
    "OVERLAPS": ("aaaa..", "..bbbb"),
}
INVERSES = {
    "BEFORE": "AFTER",
    "IBEFORE": "IAFTER",
    "BEGINS": "BEGUN_BY",
    "ENDS": "ENDED_BY",
    "INCLUDES": "IS_INCLUDED",
    "SIMULTANEOUS": "SIMULTANEOUS",
    "IDENTITY": "IDENTITY",
    "DURING": "DURING_INV",
    "INITIATES": "BEGUN_BY",
    "CULMINATES": "ENDED_BY",
    "TERMINATES": "ENDED_BY",
    "CONTINUES": "INCLUDES",
    "REINITIATES": "INCLUDES",
    "OVERLAPS": "OVERLAPPED_BY",
    "OVERLAP": "OVERLAP",
    "BEFORE-OR-OVERLAP": "OVERLAP-OR-AFTER",
    "CONTAINS": "CONTAINED_BY",
    "BEGUN_ON": "BEGUN_ON",
    "BEGINS_ON": "BEGINS_ON",
    "ENDED_ON": "ENDED_ON",
    "ENDS_ON": "ENDS_ON",
    "STARTS_BEFORE": "STARTS_AFTER",
    "STARTS_WITH": "STARTS_WITH",
}
INVERSES |= {inverse: label for label, inverse in INVERSES.items() if inverse not in INVERSES}
SYNONYMS = {
    "IDENTITY": "SIMULTANEOUS",
    "DURING": "SIMULTANEOUS",
    "DURING_INV": "SIMULTANEOUS",
    "INITIATES": "BEGINS",
    "CULMINATES": "ENDS",
    "TERMINATES": "ENDS",
    "CONTINUES": "IS_INCLUDED",
    "REINITIATES": "IS_INCLUDED",
    "CONTAINS": "INCLUDES",
    "CONTAINED_BY": "IS_INCLUDED",
    "BEGINS_ON": "BEGUN_ON",
    "ENDS_ON": "ENDED_ON",
}

DEFINITIONS: dict[str, Callable[[Stretch, Stretch], bool]] = {
    "BEFORE": lambda a, b: a.end < b.start,
    "AFTER": lambda a, b: a.start > b.end,
    "IBEFORE": lambda a, b: a.end == b.start,
    "IAFTER": lambda a, b: a.start == b.end,
    "BEGINS": lambda a, b: a.start == b.start and a.end < b.end,
    "BEGUN_BY": lambda a, b: a.start == b.start and a.end > b.end,
    "ENDS": lambda a, b: a.start > b.start and a.end == b.end,
    "ENDED_BY": lambda a, b: a.start < b.start and a.end == b.end,
    "INCLUDES": lambda a, b: a.start < b.start and a.end > b.end,
    "IS_INCLUDED": lambda a, b: a.start > b.start and a.end < b.end,
    "SIMULTANEOUS": lambda a, b: a == b,
    "OVERLAPS": lambda a, b: a.start < b.start < a.end < b.end,
    "OVERLAPPED_BY": lambda a, b: b.start < a.start < b.end < a.end,
    "OVERLAP": lambda a, b: a.start < b.end and b.start < a.end,
    "BEFORE-OR-OVERLAP": lambda a, b: a.start < b.end,
    "OVERLAP-OR-AFTER": lambda a, b: a.end > b.start,
    "BEFORE/OVERLAP": lambda a, b: a.start < b.start < a.end,
    "BEGUN_ON": lambda a, b: a.start == b.start,
    "ENDED_ON": lambda a, b: a.end == b.end,
    "STARTS_BEFORE": lambda a, b: a.start < b.start,
    "STARTS_AFTER": lambda a, b: a.start > b.start,
    "STARTS_WITH": lambda a, b: a.start == b.start,
}
DEFINITIONS |= {label: DEFINITIONS[same] for label, same in SYNONYMS.items()}

# Allen's names, and the label that says the same.
ALLEN = {
    "before": "BEFORE",
    "meets": "IBEFORE",
    "overlaps": "OVERLAPS",
    "starts": "BEGINS",
    "during": "IS_INCLUDED",
    "finishes": "ENDS",
    "equal": "SIMULTANEOUS",
    "finished-by": "ENDED_BY",
    "includes": "INCLUDES",
    "started-by": "BEGUN_BY",
    "overlapped-by": "OVERLAPPED_BY",
    "met-by": "IAFTER",
    "after": "AFTER",
}
TURN = str.maketrans("<=>", ">=<")

TLINKS = (
    "BEFORE", "AFTER", "IBEFORE", "IAFTER", "BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY", "INCLUDES",
    "IS_INCLUDED", "SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV",
)  # fmt: skip
ALINKS = ("INITIATES", "CULMINATES", "TERMINATES", "CONTINUES", "REINITIATES")
WIDER = (
    "OVERLAPS", "OVERLAPPED_BY", "OVERLAP", "BEFORE-OR-OVERLAP", "OVERLAP-OR-AFTER", "CONTAINS",
    "CONTAINED_BY", "BEGUN_ON", "BEGINS_ON", "ENDED_ON", "ENDS_ON", "STARTS_BEFORE",
    "STARTS_AFTER", "STARTS_WITH", "BEFORE/OVERLAP",
)  # fmt: skip
WITHOUT_ORDER = ("VAGUE", "NONE", "MEASURE", "NON-RELATED", "UNKNOWN")
SLINKS = (
    "MODAL", "FACTIVE", "COUNTER_FACTIVE", "EVIDENTIAL", "NEGATIVE_EVIDENTIAL", "CONDITIONAL",
)  # fmt: skip


def measure(drawing: str) -> Stretch:
    """Where a drawn stretch begins and ends: ``.bbb..`` goes from 1 to 4."""
    drawn = [place for place, letter in enumerate(drawing) if letter != "."]
    return Stretch(drawn[0], drawn[-1] + 1)


def holds(label: str, a: Stretch, b: Stretch) -> bool:
    """Whether a link of this label is true of two stretches."""
    return label in WITHOUT_ORDER or DEFINITIONS[label](a, b)


def is_basic(name: str, a: Stretch, b: Stretch) -> bool:
    """Whether a name is used for two stretches: where one is an instant, none meets another."""
    return name not in {"meets", "met-by"} or (a.start < a.end and b.start < b.end)


def stretch(ranks: Sequence[int], interval: int) -> Stretch:
    return Stretch(ranks[2 * interval], ranks[2 * interval + 1])


def rank(values: Sequence[int]) -> Ordering:
    """Put ranks in place of values: 1 for the smallest, and no gaps."""
    place = {value: number for number, value in enumerate(sorted(set(values)), 1)}
    return tuple(place[value] for value in values)


def order_intervals(size: int, instants: Collection[int] = ()) -> list[Ordering]:
    """Every ordering of the end points; an instant's two points are one."""
    orderings: list[Ordering] = [()]
    for interval in range(size):
        orderings = [
            rank([*(4 * value for value in ordering), *new])
            for ordering in orderings
            for new in _place_interval(max(ordering, default=0), instant=interval in instants)
        ]
    return orderings


def _place_interval(blocks: int, *, instant: bool) -> Iterator[tuple[int, int]]:
    """Where a new interval can go among blocks that stand at 4, 8, 12 …, each way once."""
    on = [4 * block for block in range(1, blocks + 1)]
    starts = [*on, *(4 * gap + 1 for gap in range(blocks + 1))]
    if instant:
        yield from ((start, start) for start in starts)
        return
    ends = [*on, *(4 * gap + 2 for gap in range(blocks + 1))]
    yield from ((start, end) for start, end in product(starts, ends) if start < end)


@cache
def order_freely(count: int) -> list[Ordering]:
    """Every ordering of points that nothing is known of."""
    orderings: list[Ordering] = [()]
    for _ in range(count):
        orderings = [
            rank([*(2 * value for value in ordering), new])
            for ordering in orderings
            for new in range(1, 2 * max(ordering, default=0) + 2)
        ]
    return orderings


@cache
def constraints(label: str) -> frozenset[tuple[int, str, int]]:
    """Spell out what a label says of A-, A+, B-, B+ (0 to 3), be they intervals or not."""
    if label in WITHOUT_ORDER:
        return frozenset()
    worlds = [w for w in order_freely(4) if holds(label, stretch(w, 0), stretch(w, 1))]
    return frozenset(
        (left, order, right)
        for left, right in product(range(4), repeat=2)
        if left != right
        for order, true in (("<", int.__lt__), ("=", int.__eq__))
        if all(true(world[left], world[right]) for world in worlds)
    )


def constraints_of(link: Link) -> frozenset[tuple[int, str, int]]:
    """Spell out what a link says of the points of its graph."""
    source, label, target = link
    ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
    return frozenset((ends[left], order, ends[right]) for left, order, right in constraints(label))


class Answer(NamedTuple):
    """What there is to know about a consistent graph. Points are numbers."""

    length: int
    earliest: tuple[int, ...]
    latest: tuple[int, ...]
    compounds: tuple[tuple[int, ...], ...]
    tied: tuple[int, ...]
    sections: tuple[tuple[int, int, tuple[int, ...]], ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def score(self) -> float:
        return sum(len(points) for _, _, points in self.sections) / len(self.earliest)

    @property
    def sizes(self) -> tuple[tuple[int, int, int], ...]:
        """First and last step of each section, and how many compounds it has."""
        return tuple(
            (first, last, sum(compound[0] in points for compound in self.compounds))
            for first, last, points in self.sections
        )


class Worlds:
    """All orderings of some intervals; a set of them is an integer, one bit an ordering."""

    def __init__(self, size: int, instants: Collection[int] = ()) -> None:
        self.size = size
        self.points = range(2 * size)
        self.orderings = order_intervals(size, instants)
        self.every = (1 << len(self.orderings)) - 1
        lengths = [max(ordering) for ordering in self.orderings]
        self._of_length = self._sort(lengths)
        self._at = [self._sort(w[point] for w in self.orderings) for point in self.points]
        self._order = {
            (one, other): self._sort(
                (w[one] > w[other]) - (w[one] < w[other]) for w in self.orderings
            )
            for one, other in combinations(self.points, 2)
        }
        self._pictures = {
            (source, target): self._sort(
                (stretch(w, source), stretch(w, target)) for w in self.orderings
            )
            for source, target in product(range(size), repeat=2)
        }
        self._links: dict[Link, int] = {}
        self._answers: dict[int, Answer] = {}

    @staticmethod
    def _sort(keys: Iterable[Hashable]) -> dict[Hashable, int]:
        found: dict[Hashable, int] = {}
        for place, key in enumerate(keys):
            found[key] = found.get(key, 0) | 1 << place
        return found

    def meeting(self, *links: Link) -> int:
        """Find the orderings in which all of the links hold."""
        mask = self.every
        for link in links:
            if link not in self._links:
                source, label, target = link
                self._links[link] = sum(
                    those
                    for (a, b), those in self._pictures[source, target].items()
                    if holds(label, a, b)
                )
            mask &= self._links[link]
        return mask

    def list(self, mask: int) -> list[Ordering]:
        """List the orderings of a set."""
        return [ordering for place, ordering in enumerate(self.orderings) if mask >> place & 1]

    def orders(self, mask: int, one: int, other: int) -> str:
        """Which orders two points have in the orderings of a set: some of ``<=>``."""
        if one == other:
            return "="
        if one > other:
            return "".join(sorted(self.orders(mask, other, one).translate(TURN)))
        found = self._order[one, other]
        return "".join(
            sign for key, sign in ((-1, "<"), (0, "="), (1, ">")) if mask & found.get(key, 0)
        )

    def relations(self, mask: int, source: int, target: int) -> list[str]:
        """Which basic relations two intervals have in the orderings of a set, in Allen's order."""
        shown = [those for those, bits in self._pictures[source, target].items() if mask & bits]
        return [
            name
            for name, label in ALLEN.items()
            if any(is_basic(name, a, b) and holds(label, a, b) for a, b in shown)
        ]

    def answer(self, mask: int) -> Answer:
        """Find what the orderings of a set, which is not empty, have in common."""
        if mask not in self._answers:
            self._answers[mask] = self._find_answer(mask)
        return self._answers[mask]

    def _find_answer(self, mask: int) -> Answer:
        length = min(blocks for blocks, those in self._of_length.items() if mask & those)
        shortest = mask & self._of_length[length]
        earliest, latest = [], []
        for point in self.points:
            at = self._at[point]
            earliest.append(min(step for step, those in at.items() if mask & those))
            latest.append(max(step for step, those in at.items() if shortest & those))
        equal, pairs = [], []
        for pair, orders in self._order.items():
            before, after = mask & orders.get(-1, 0), mask & orders.get(1, 0)
            if not before and not after:
                equal.append(pair)
            elif before and after:
                pairs.append(pair)
        return complete(length, earliest, latest, equal, pairs)


def complete(
    length: int,
    earliest: Sequence[int],
    latest: Sequence[int],
    equal: Iterable[tuple[int, int]],
    pairs: Sequence[tuple[int, int]],
) -> Answer:
    """Add what follows: compounds, tied steps, and sections by their definition."""
    compounds = connect(len(earliest), equal)
    tied = [
        step
        for step in range(1, length + 1)
        if sum(earliest[compound[0]] == step for compound in compounds) > 1
    ]
    sections = []
    for group in connect(len(earliest), pairs):
        if len(group) > 1:
            whole = {p for compound in compounds for p in compound if {*compound} & {*group}}
            steps = [earliest[point] for point in whole]
            sections.append((min(steps), max(steps), tuple(sorted(whole))))
    return Answer(
        length,
        tuple(earliest),
        tuple(latest),
        tuple(compounds),
        tuple(tied),
        tuple(sorted(sections)),
        tuple(sorted(pairs)),
    )


def connect(count: int, edges: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Find the connected groups of the numbers below count, each ascending, by their first."""
    group = {number: {number} for number in range(count)}
    for one, other in edges:
        if group[one] is not group[other]:
            group[one] |= group[other]
            for number in group[other]:
                group[number] = group[one]
    return sorted({tuple(sorted(those)) for those in group.values()})


@cache
def worlds(size: int, instants: frozenset[int] = frozenset()) -> Worlds:
    return Worlds(size, instants)


def split(size: int, links: Sequence[Link]) -> list[tuple[int, ...]]:
    """Find the temporally connected parts of a graph."""
    return connect(size, [(a, b) for a, label, b in links if label not in WITHOUT_ORDER])


def restrict(links: Sequence[Link], members: Sequence[int]) -> list[Link]:
    """Keep the links among some intervals, and number these from 0 in the order given."""
    place = {member: number for number, member in enumerate(members)}
    return [(place[a], label, place[b]) for a, label, b in links if a in place and b in place]


def close(size: int, links: Iterable[Link], instants: Collection[int] = ()) -> Answer | None:
    """Judge a graph of any size by its constraints' closure; None if it contradicts itself."""
    known = {c for link in links for c in constraints_of(link)}
    known |= {(2 * i, "=" if i in instants else "<", 2 * i + 1) for i in range(size)}
    return close_constraints(2 * size, known)


def close_constraints(count: int, known: Collection[tuple[int, str, int]]) -> Answer | None:
    """Judge constraints on points, given as left, order and right. Cubic, and nothing is clever."""
    compounds = connect(count, [(left, right) for left, order, right in known if order == "="])
    compound = {point: number for number, group in enumerate(compounds) for point in group}
    above = [0] * len(compounds)
    for left, order, right in known:
        if order == "<":
            above[compound[left]] |= 1 << compound[right]
    for middle, one in product(range(len(compounds)), repeat=2):
        if above[one] >> middle & 1:
            above[one] |= above[middle]
    if any(bits >> number & 1 for number, bits in enumerate(above)):
        return None
    below_first = sorted(range(len(compounds)), key=lambda c: -above[c].bit_count())
    earliest, latest = [1] * len(compounds), [0] * len(compounds)
    for one in below_first:
        for other in range(len(compounds)):
            if above[one] >> other & 1:
                earliest[other] = max(earliest[other], earliest[one] + 1)
    length = max(earliest)
    for one in reversed(below_first):
        above_it = [latest[other] for other in range(len(compounds)) if above[one] >> other & 1]
        latest[one] = min(above_it, default=length + 1) - 1
    points = range(count)
    at = [compound[point] for point in points]
    return complete(
        length,
        [earliest[at[point]] for point in points],
        [latest[at[point]] for point in points],
        [(p, q) for p, q in combinations(points, 2) if at[p] == at[q]],
        [
            (p, q)
            for p, q in combinations(points, 2)
            if at[p] != at[q] and not (above[at[p]] >> at[q] | above[at[q]] >> at[p]) & 1
        ],
    )


def claims_of(timeline: Any) -> Answer:
    """Put what a consistent timeline says of itself into the judge's terms."""
    names = [name + end for name in timeline.intervals for end in "-+"]
    number = {name: place for place, name in enumerate(names)}
    groups = [tuple(number[name] for name in group) for group in timeline.compounds]
    grouped = {point for group in groups for point in group}
    alone = [(point,) for point in number.values() if point not in grouped]
    return Answer(
        timeline.length,
        tuple(timeline.points[name][0] for name in names),
        tuple(timeline.points[name][1] for name in names),
        tuple(sorted([*groups, *alone])),
        timeline.tied_steps,
        tuple(
            (section.first, section.last, tuple(number[name] for name in section.points))
            for section in timeline.sections
        ),
        tuple(sorted((number[left], number[right]) for left, right in timeline.pairs())),
    )


def find_flaws(
    conflict: Any,
    size: int,
    links: Sequence[Link],
    instants: Collection[int] = (),
) -> list[str]:
    """Say what is wrong with a conflict in the annotator's terms: nothing, one hopes.

    Interval 3 goes by the name of ``e3``, and the first link by ``l1``.
    """
    link_of = {f"l{number}": link for number, link in enumerate(links, 1)}
    point = {f"e{i}{end}": 2 * i + side for i in range(size) for side, end in enumerate("-+")}
    walk = conflict.walk
    own = {(2 * i, "<", 2 * i + 1) for i in range(size) if i not in instants}
    own |= {(2 * i, "=", 2 * i + 1) for i in instants} | {(2 * i + 1, "=", 2 * i) for i in instants}
    equal = [(left, right) for left, order, right in own if order == "="]
    equal += [(a, b) for link in links for a, order, b in constraints_of(link) if order == "="]
    groups = connect(2 * size, equal)
    passed = {k for k, group in enumerate(groups) for step in walk if point[step.left] in group}
    involved = {step.link for step in walk if step.link is not None}
    minimal = [link_of[name] for name in conflict.minimal]
    claims = {
        "it is closed": all(
            one.right == other.left for one, other in zip(walk, [*walk[1:], walk[0]], strict=True)
        ),
        "it has a <": any(step.order == "<" for step in walk),
        "each step is a constraint of its link, or of an interval": all(
            (point[step.left], step.order, point[step.right])
            in (own if step.link is None else constraints_of(link_of[step.link]))
            for step in walk
        ),
        "its links are those of the walk": list(conflict.links)
        == [name for name in link_of if name in involved],
        "it begins with its first link": walk[0].link == conflict.links[0],
        "its kind is the number of compounds": conflict.kind
        == {1: "i", 2: "ii"}.get(len(passed), "iii"),
        "minimal is taken from its links, in their order": list(conflict.minimal)
        == [name for name in conflict.links if name in conflict.minimal],
        "minimal contradicts itself": close(size, minimal, instants) is None,
        "minimal is irreducible": all(
            close(size, minimal[:place] + minimal[place + 1 :], instants)
            for place in range(len(minimal))
        ),
    }
    return [claim for claim, true in claims.items() if not true]
