"""Why an option of a decision stands where it does, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tlex.repair.places import Choice
from tlex.repair.search import round_cost

__all__ = ["give_reason", "is_about_options"]


def give_reason(  # noqa: PLR0913 -- one argument a fact
    choice: Choice,
    choices: Sequence[Choice],
    ranks: Mapping[int, int],
    *,
    alone: bool,
    calendar: bool,
    together: bool,
) -> str:
    """Say why an option stands where it does.

    ``alone``: the link contradicts itself; ``calendar``: values have a part in the contradiction;
    ``together``: other changes are needed to settle it.
    """
    with_it = " and agrees with the calendar" if calendar else ""
    if together:
        with_it += "; settles this together with other changes"
    first = choices[0]
    more = ""
    if choice.cost is not None and first.cost is not None and choice.cost > first.cost:
        more = f"the whole repair costs {round_cost(choice.cost - first.cost):g} more"
    if choice.creates:
        return f"nearest type that settles this, but {more}"
    if choice.types:
        return f"nearest type that fits what stays{with_it}{more and '; ' + more}"
    if choice.links == first.links:
        removals = [other for other in choices if not other.types]
        if calendar and len(removals) == 1:
            return "what stays agrees with the calendar"
        return _praise(choice, removals, alone=alone)
    if choice.cost is None:
        return "what it costs in all is not worked out"
    earlier = "" if ranks[choice.links[0]] < ranks[first.links[0]] else " elsewhere"
    return more or f"as small, but changes a link earlier in text order{earlier}"


def is_about_options(reason: str) -> bool:
    """Whether a reason only compares the options, and says nothing about the text or its links."""
    return "text order" in reason or "cost" in reason


def _praise(choice: Choice, removals: Sequence[Choice], *, alone: bool) -> str:
    """Say why a link is recommended to be removed."""
    if alone:
        return "it contradicts itself"
    if len(removals) == 1:
        return "the other links must stay"
    if any(other.cost == choice.cost for other in removals if other is not choice):
        return "keeps the links that are first in text order"
    if any(other.cost is None for other in removals):
        return "part of the smallest repair that was found"
    return "the smallest repair in all"
