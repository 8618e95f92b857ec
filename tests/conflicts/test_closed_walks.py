"""Shortest contradictory closed walks: distances make the search quicker and change nothing."""

from hypothesis import given
from hypothesis import strategies as st

from tlex.conflicts.closed_walks import ClosedWalks
from tlex.conflicts.work import Work
from tlex.points.graphs import OWN

_INTERVALS = 5


@st.composite
def steps(draw):
    """Constraints between the ends of some intervals, and those of the intervals."""
    point = st.integers(0, 2 * _INTERVALS - 1)
    instants = draw(st.sets(st.integers(0, _INTERVALS - 1), max_size=2))
    own = [(2 * each, each not in instants, 2 * each + 1, OWN) for each in range(_INTERVALS)]
    rows = draw(st.lists(st.tuples(point, st.booleans(), point), min_size=1, max_size=12))
    return [*((*row, link) for link, row in enumerate(rows)), *own]


@given(steps=steps(), compound=st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_distances_do_not_change_which_walk_is_found(steps, compound):
    plain = ClosedWalks(steps, compound)
    quick = ClosedWalks(steps, compound, many=True)

    for left, strict, right, link in steps:
        if link != OWN:
            row = [(left, strict, right)]
            assert quick.find(link, row, Work()) == plain.find(link, row, Work())


@given(steps=steps(), more=st.integers(1, 4))
def test_constraints_that_come_later_are_walked_as_if_they_had_always_been_there(steps, more):
    own = [step for step in steps if step[3] == OWN]
    said = [step for step in steps if step[3] != OWN]
    late = [(left, strict, right, 99) for left, strict, right, _ in said[-more:]]
    walks = ClosedWalks([*own, *said[:-more]], range(2 * _INTERVALS))
    walks.extend([(0, True, 9, 98)])  # which leaves the walks as they are

    row = [step[:3] for step in late]
    found = walks.extend(late).find(99, row, Work())

    whole = ClosedWalks([*own, *said[:-more], *late], range(2 * _INTERVALS))
    assert found == whole.find(99, row, Work())
    assert walks.get_link(row[0]) in {None, *(s[3] for s in [*own, *said[:-more]])}


@given(
    levels=st.permutations(range(2 * _INTERVALS)).map(lambda some: [one // 2 for one in some]),
    rows=st.lists(st.tuples(*2 * [st.integers(0, 2 * _INTERVALS - 1)]), max_size=20),
    late=st.lists(
        st.tuples(st.integers(0, 9), st.booleans(), st.integers(0, 9)), min_size=1, max_size=3
    ),
)
def test_levels_do_not_change_which_walk_is_found(levels, rows, late):
    steps = []
    for link, ends in enumerate(rows):
        one, other = sorted(ends, key=levels.__getitem__)
        steps.append((one, levels[one] < levels[other], other, link))
    plain = ClosedWalks(steps, range(2 * _INTERVALS))
    quick = ClosedWalks(steps, range(2 * _INTERVALS), levels=levels)

    found, expected = (
        walks.extend([(*row, 99) for row in late]).find(99, late, Work())
        for walks in (quick, plain)
    )

    assert found == expected


def test_distances_that_need_too_much_room_are_left_out(monkeypatch):
    ring = [(n, True, (n + 1) % 6, n) for n in range(6)]
    monkeypatch.setattr("tlex.conflicts.closed_walks._ROOM", 300)  # two tables; the ring needs six

    walk = ClosedWalks(ring, range(6), many=True).find(0, [(0, True, 1)], Work())

    assert walk == ring


def test_a_search_with_distances_counts_its_work():
    ring = [(n, True, (n + 1) % 6, n) for n in range(6)]
    work = Work(3)

    assert ClosedWalks(ring, range(6), many=True).find(0, [(0, True, 1)], work) == []
    assert work.is_over()
