"""The checker rejects saved results in which one thing is changed; `mutations` makes more of it."""

from __future__ import annotations

import mutations
import pytest

import tlex


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_result_is_rejected_or_the_change_means_nothing(seed):
    documents = [tlex.read(mutations.ROOT / name) for name in mutations.EXAMPLES]

    seen = mutations.run(documents + mutations.make_graphs() + mutations.make_dated(), 3000, seed)

    assert not [change for change in seen if change[-1] == "hole"]
    kinds = {kind for kind, _, _, fate in seen if fate == "rejected"}
    assert kinds == {"extract", "relation", "why", "closure", "reduce", "events", "fix"}
