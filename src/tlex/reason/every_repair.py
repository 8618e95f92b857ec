"""Which orders of end points hold after every minimum repair, not only after the chosen one."""

from __future__ import annotations

from bisect import bisect_left

from tlex.components import Components
from tlex.conflicts.certainty import Certainty
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.weights import Weights
from tlex.conflicts.work import RATE, Work
from tlex.document import Document
from tlex.points.graphs import OWN, Inconsistent, group_by_link
from tlex.reason.relations import CROSSING

__all__ = ["UNDECIDED", "EveryRepair"]

UNDECIDED = "!"
"""In place of the order of two end points: the search for it reached its limit."""


class EveryRepair:
    """The minimum repairs of a document. Links cost their own weights, or 1.

    ``components`` are those of the whole document, with its contradictions.
    """

    def __init__(
        self, document: Document, components: Components, *, confidence: bool = False
    ) -> None:
        self._confidence = confidence
        self._document = document
        self._components = components
        self._certain: dict[int, Certainty] = {}

    def filter(self, source: int, target: int, orders: str) -> str:
        """Take the orders that the chosen repair entails; leave those that every one entails.

        ``orders`` has a sign for each crossing pair of end points, as `find_orders` gives them.
        Another order becomes ``?``, and one that could not be decided `UNDECIDED`.
        """
        number = self._components.component_of[source]
        component = self._components[number]
        if not isinstance(component, Inconsistent):
            return orders
        certain = self._certain.get(number)
        if certain is None:
            certain = self._certain[number] = self._weigh(component)
        ends = [
            2 * bisect_left(component.members, member) + side
            for member in (source, target)
            for side in (0, 1)
        ]
        found = ""
        for (left, right), order in zip(CROSSING, orders, strict=True):
            if order != "?":
                one, other = (right, left) if order == ">" else (left, right)
                holds = certain.holds((ends[one], order != "=", ends[other]))
                found += UNDECIDED if holds is None else order if holds else "?"
            else:
                found += order
        return found

    def _weigh(self, component: Inconsistent) -> Certainty:
        involved = sorted(group_by_link(component.points).keys() - {OWN})
        weights = Weights(confidence=self._confidence)
        costs = weights.scale_some(self._document, involved).costs
        kept = list_fixed(self._document).intersection(involved)
        return Certainty(component.points, costs, kept, work=Work(RATE))
