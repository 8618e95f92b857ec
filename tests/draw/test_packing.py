"""Rows: none meet, no more than are needed, and room for lines that hang down."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tlex.draw.packing import pack_rows, pack_stairs

EXTENTS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=25).map(
    lambda pairs: sorted((left, left + wide) for left, wide in pairs)
)


def meet(one, other):
    return one[0] < other[1] and other[0] < one[1]


@given(EXTENTS)
def test_what_stands_in_one_row_does_not_meet(extents):
    for pack in (pack_rows, pack_stairs):
        rows, count = pack(extents)

        assert set(rows) == set(range(count))
        for k, one in enumerate(extents):
            assert not [o for j, o in enumerate(extents[:k]) if rows[j] == rows[k] and meet(o, one)]


@given(EXTENTS)
def test_there_are_as_many_rows_as_lie_over_one_place(extents):
    _, count = pack_rows(extents)

    deepest = max((sum(a <= x < b for a, b in extents) for x in range(30)), default=0)
    assert count == deepest


@given(EXTENTS)
def test_under_the_left_end_of_a_stair_all_is_free_but_for_those_that_begin_there_too(extents):
    rows, _ = pack_stairs(extents)

    for (left, _), row in zip(extents, rows, strict=True):
        below = [e for e, other in zip(extents, rows, strict=True) if other > row]
        assert not [e for e in below if e[0] < left < e[1]]


def test_the_row_nearest_to_what_is_related_is_taken():
    extents = [(0, 2), (0, 9), (0, 3), (0, 9), (0, 4), (5, 6), (6, 7)]
    related = [[], [], [], [], [], [3], [1, 4]]

    rows, _ = pack_rows(extents, related)

    assert rows == [0, 1, 2, 3, 4, 2, 2]
