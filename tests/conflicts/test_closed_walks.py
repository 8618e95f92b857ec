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
