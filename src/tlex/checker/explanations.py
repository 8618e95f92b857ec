"""What links disagree about, in words of the checker's own: the field ``says`` of a decision."""

from __future__ import annotations

from typing import Final

from tlex.document import Document
from tlex.records import Conflict, Constraint
from tlex.wording import shorten, shorten_id

__all__ = ["describe_conflict"]

SHOWN: Final = 40
"""Links that are named one by one."""

_FIRST: Final = {"--": "begins", "++": "ends", "+-": "comes"}
_BOTH: Final = 2


def describe_conflict(document: Document, conflict: Conflict, blamed: str) -> str:
    """Say what the links of a conflict disagree about, as seen from the link to blame.

    No link of it may follow from values.
    """
    names = _name_nodes(document, conflict)
    stated = [step for step in conflict.walk if step.link is not None]
    instant = any(step.link is None and step.order == "=" for step in conflict.walk)
    if len(stated) == _BOTH and stated[0].link != stated[1].link and not instant:
        return _contrast(stated[0], stated[1], names)
    place = [step.link for step in conflict.walk].index(blamed)
    claim = conflict.walk[place]
    others = [*conflict.walk[place + 1 :], *conflict.walk[:place]]
    said = []
    for step in others:
        if step.link is not None:
            said.append(f"{_state(step, names)} ({shorten_id(step.link)})")
        elif step.order == "=":
            said.append(f"{names[step.left[:-1]]} is a single point")
    order = "<" if "<" in {step.order for step in others} else "="
    result = _state(Constraint(claim.right, order, claim.left, None), names)
    obvious = len(said) == 1 and said[0].startswith(f"{result} (")
    if len(said) > SHOWN:
        rest = len(said) - SHOWN
        said = [*said[:SHOWN], f"and so on, by way of {rest:,} more links"]
    whole = ", ".join(said)
    if not whole:
        whole = result
    elif not obvious:
        whole += f"; so {result}"
    return f"{whole}, but {shorten_id(blamed)} says that {_state(claim, names)}"


def _contrast(one: Constraint, other: Constraint, names: dict[str, str]) -> str:
    """Say what each of two links says."""
    first, second = shorten_id(one.link or ""), shorten_id(other.link or "")
    tails = [step.left[-1] + step.right[-1] for step in (one, other)]
    opposite = (one.left[:-1], one.right[:-1]) == (other.right[:-1], other.left[:-1])
    if one.order == other.order == "<" and opposite and _FIRST.keys() >= set(tails):
        how = next(_FIRST[tail] for tail in _FIRST if tail in tails)
        left, right = names[one.left[:-1]], names[one.right[:-1]]
        return f"{first} says that {left} {how} first, {second} that {right} does"
    return f"{first} says that {_state(one, names)}, {second} that {_state(other, names)}"


def _state(step: Constraint, names: dict[str, str]) -> str:
    left, right = (
        (point[:-1], "begins" if point.endswith("-") else "ends")
        for point in (step.left, step.right)
    )
    joint = {"<": "before", "=": "when"}[step.order]
    other = "it" if left[0] == right[0] else names[right[0]]
    return f"{names[left[0]]} {left[1]} {joint} {other} {right[1]}"


def _name_nodes(document: Document, conflict: Conflict) -> dict[str, str]:
    """Name the nodes of a walk by their words; with their ids if two have the same words."""
    words = {}
    for step in conflict.walk:
        node = document.get(step.left[:-1])
        words[step.left[:-1]] = "" if node is None else document.words(node)
    names = {}
    for own, said in words.items():
        name = f'"{shorten(said)}"' if said else shorten_id(own)
        twice = said and list(words.values()).count(said) > 1
        names[own] = f"{name} ({shorten_id(own)})" if twice else name
    return names
