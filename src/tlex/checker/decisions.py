"""The check of decisions: their options settle them, and together they are the repair.

What options would cost and settle elsewhere, and the words for it, is checked by `advice`.
"""

from __future__ import annotations

from tlex.checker.advice import Advice
from tlex.checker.constraints import TYPES, Constraints
from tlex.checker.weights import Costs
from tlex.errors import VerificationError
from tlex.records import Decision, FixRecord

__all__ = ["check_decisions"]


def check_decisions(constraints: Constraints, costs: Costs, fix: FixRecord) -> list[str]:
    """Prove that the decisions lead to the changes of a repair, as far as they are listed.

    Returns what could not be checked.
    """
    advice = Advice(constraints, costs, fix)
    conflicts = {conflict.number: conflict.minimal for conflict in fix.conflicts}
    removed: set[str] = set()
    types: dict[str, str] = {}
    for number, decision in enumerate(fix.decisions, 1):
        place = f"decision {number}"
        if decision.number != number or not 0 <= decision.chosen <= len(decision.options):
            raise VerificationError(f"{place}: it has another number, or no such option")
        if fix.options.choose.get(number, 1) != decision.chosen:
            raise VerificationError(f"{place}: another option was asked for")
        if decision.conflict is None and types.keys().isdisjoint(decision.links):
            raise VerificationError(f"{place}: no link in it has a new type")
        if decision.conflict is not None and conflicts.get(decision.conflict) != decision.links:
            raise VerificationError(f"{place}: this is not conflict {decision.conflict}")
        if not removed.isdisjoint(decision.links):
            raise VerificationError(f"{place}: its conflict is settled already")
        _check_conflict(constraints, decision, types, place)
        _check_options(constraints, decision, place)
        if not fix.options.relabel:  # where new types are planned, they may settle it together
            _check_new_types(constraints, decision, types, place)
        advice.check(decision, removed, types)
        if decision.chosen:
            option = decision.options[decision.chosen - 1]
            types |= option.types
            removed |= set(option.links).difference(option.types)
    if not set(fix.options.choose) <= set(range(1, len(fix.decisions) + 1)):
        raise VerificationError("an option of a decision was asked for that is not there")
    if fix.options.only is not None:
        if fix.decisions or not fix.decisions_complete:
            raise VerificationError("nothing is decided where only self-loops are removed")
        return []
    all_of_it = removed == set(fix.removed) and types == fix.relabelled
    some_of_it = removed <= set(fix.removed) and types.items() <= fix.relabelled.items()
    if not some_of_it or all_of_it != fix.decisions_complete:
        raise VerificationError("the decisions lead to other changes")
    return advice.unchecked


def _check_conflict(
    constraints: Constraints, decision: Decision, types: dict[str, str], place: str
) -> None:
    """Check that links contradict each other; ``types`` are those that links have got before."""
    if not constraints.stated.keys() >= set(decision.links):
        raise VerificationError(f"{place}: its links are not there")
    if not constraints.is_contradictory(decision.links, types):
        raise VerificationError(f"{place}: its links do not contradict each other")


def _check_options(constraints: Constraints, decision: Decision, place: str) -> None:
    """Check that each option changes links of the conflict, and has its number."""
    links = constraints.document.links
    if not decision.options:
        raise VerificationError(f"{place}: it has no options")
    for number, option in enumerate(decision.options, 1):
        action = "relabel" if option.types else "remove"
        if option.number != number or option.action != action:
            raise VerificationError(f"{place}, option {number}: it has another number or action")
        changed = set(option.links)
        known = constraints.stated.keys() >= changed >= option.types.keys()
        if not (changed and known and changed.isdisjoint(constraints.firm)):
            raise VerificationError(f"{place}, option {number}: its links are not there")
        if option.links[0] not in decision.links:
            raise VerificationError(f"{place}, option {number}: it does not settle the conflict")
        for name, label in option.types.items():
            if label not in TYPES[links[constraints.place[name]].kind]:
                raise VerificationError(
                    f"{place}, option {number}: {label!r} is no type for {name!r}"
                )


def _check_new_types(
    constraints: Constraints, decision: Decision, types: dict[str, str], place: str
) -> None:
    """Check that each option with new types settles the conflict."""
    for option in decision.options:
        if option.types and {*option.types} != {*option.links}:
            raise VerificationError(f"{place}, option {option.number}: a link has no new type")
        if option.types and constraints.is_contradictory(decision.links, types | option.types):
            raise VerificationError(f"{place}, option {option.number}: the conflict is left")
