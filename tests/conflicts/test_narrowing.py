"""The part of a graph in which it contradicts itself: what is on cycles, or between cycles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tlex.conflicts.narrowing import find_stuck

SIZE = 7


@given(edges=st.lists(st.tuples(*[st.integers(0, SIZE - 1)] * 2), max_size=14))
def test_what_is_left_comes_after_a_cycle_and_before_one(edges):
    reached = {one: {right for left, right in edges if left == one} for one in range(SIZE)}
    for between in range(SIZE):
        for one in range(SIZE):
            if between in reached[one]:
                reached[one] |= reached[between]

    stuck = find_stuck([left for left, _ in edges], [right for _, right in edges], SIZE)

    cycles = {one for one in range(SIZE) if one in reached[one]}
    after = cycles.union(*(reached[one] for one in cycles))
    before = {one for one in range(SIZE) if one in cycles or reached[one] & cycles}
    expected = [one in after and one in before for one in range(SIZE)]
    assert stuck == (expected if cycles else None)
