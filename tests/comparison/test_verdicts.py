"""The orders of many pairs of nodes at once are those that are found one by one."""

from itertools import product
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from strategies import document_of, placed_graphs

import tlex
from tlex.comparison.verdicts import find_pair_orders
from tlex.points import reachability
from tlex.points.reachability import Reach
from tlex.reason.relations import find_orders


@given(graph=placed_graphs(), bits=st.sampled_from([1, 3, 4096]))
def test_orders_of_many_pairs_are_those_of_each(graph, bits):
    components = tlex.extract(document_of(graph)).components
    size = len(components.component_of)
    pairs = list(product(range(size), repeat=2))

    with patch.object(reachability, "_BITS", bits):
        reach = Reach(*components.whole)
        asked_twice = find_pair_orders(components, pairs[::3], reach)
        found = find_pair_orders(components, pairs, reach)

    assert asked_twice == found[::3]
    for (one, other), orders in zip(pairs, found, strict=True):
        number = components.component_of[one]
        members = components.members[number]
        if one == other:
            assert orders == "=<>="
        elif other not in members:
            assert orders == "????"
        else:
            places = members.index(one), members.index(other)
            assert orders == find_orders(components[number], *places)
