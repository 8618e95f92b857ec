"""What links disagree about: the closed walk of a contradiction in plain language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from tlex.records import Constraint
from tlex.wording import shorten_id

__all__ = ["SHOWN", "explain", "state_disagreement"]

SHOWN: Final = 40
"""How many links are listed one by one; nobody reads a cycle of a thousand."""

_VERBS = {"-": "begins", "+": "ends"}
_PAIR = 2


def state_disagreement(
    walk: Sequence[Constraint],
    blamed: str,
    name: Callable[[str], str],
    calendar: Collection[str] = (),
) -> str:
    """Say in one sentence what the links of a closed walk disagree about.

    Of two links each says its own: *l1 says that x begins first, l2 that y does*. More links are
    explained (see `explain`). ``name`` gives the name of a node; ``calendar`` are the links that
    follow from values.
    """
    walk = _join_calendar(walk, calendar)
    steps = [step for step in walk if step.link is not None]
    own = any(step.link is None and step.order == "=" for step in walk)
    if len(steps) != _PAIR or steps[0].link == steps[1].link or own:
        return explain(walk, blamed, name, calendar)
    one, other = sorted(steps, key=lambda step: step.link in calendar)
    first, second = (
        "the calendar" if step.link in calendar else shorten_id(step.link or "")
        for step in (one, other)
    )
    if _is_precedence(one) and _is_precedence(other) and _ends(one) == _ends(other)[::-1]:
        left, right = map(name, _ends(one))
        tails = {_tails(one), _tails(other)}
        how = "begins" if "--" in tails else "ends" if "++" in tails else "comes"
        return f"{first} says that {left} {how} first, {second} that {right} does"
    return f"{first} says that {_say(one, name)}, {second} that {_say(other, name)}"


def explain(
    walk: Sequence[Constraint],
    blamed: str,
    name: Callable[[str], str],
    calendar: Collection[str] = (),
) -> str:
    """Explain how the other links of a closed walk contradict the blamed one."""
    walk = _join_calendar(walk, calendar)
    place = next(at for at, step in enumerate(walk) if step.link == blamed)
    denied = walk[place]
    steps = [*walk[place + 1 :], *walk[:place]]
    reasons = [
        f"{name(step.left[:-1])} is a single point"
        if step.link is None
        else f"{_say(step, name)} ({_cite(step.link, calendar)})"
        for step in steps
        if step.link is not None or step.order == "="
    ]
    order = "<" if any(step.order == "<" for step in steps) else "="
    follows = _say(Constraint(denied.right, order, denied.left, None), name)
    if len(reasons) > SHOWN:
        reasons[SHOWN:] = [f"and so on, by way of {len(reasons) - SHOWN:,} more links"]
    so = ", ".join(reasons)
    if len(reasons) != 1 or not reasons[0].startswith(f"{follows} ("):
        so = f"{so}; so {follows}" if reasons else follows
    return f"{so}, but {shorten_id(blamed)} says that {_say(denied, name)}"


def _join_calendar(walk: Sequence[Constraint], calendar: Collection[str]) -> list[Constraint]:
    """Make one step of what follows from values one after the other."""
    if not any(step.link in calendar for step in walk):
        return list(walk)
    place = next(
        at for at, step in enumerate(walk) if step.link is not None and step.link not in calendar
    )
    joined: list[Constraint] = []
    own: list[Constraint] = []  # the last steps that are of intervals themselves
    for step in (*walk[place:], *walk[:place]):
        if step.link is None:
            own.append(step)
            continue
        if step.link in calendar and joined and joined[-1].link in calendar:
            before = joined.pop()
            order = "<" if any(one.order == "<" for one in (before, *own, step)) else "="
            joined.append(Constraint(before.left, order, step.right, before.link))
        else:
            joined += [*own, step]
        own = []
    return joined + own


def _cite(link: str, calendar: Collection[str]) -> str:
    return "by the calendar" if link in calendar else shorten_id(link)


def _say(step: Constraint, name: Callable[[str], str]) -> str:
    """Say a constraint: ``"left" begins before "came" ends``."""
    left, right = _ends(step)
    joint = "before" if step.order == "<" else "when"
    other = "it" if left == right else name(right)
    first, second = (_VERBS[tail] for tail in _tails(step))
    return f"{name(left)} {first} {joint} {other} {second}"


def _is_precedence(step: Constraint) -> bool:
    """Whether a constraint puts one interval before another, or one end before the same end."""
    return step.order == "<" and _tails(step) in {"--", "++", "+-"}


def _ends(step: Constraint) -> tuple[str, str]:
    return step.left[:-1], step.right[:-1]


def _tails(step: Constraint) -> str:
    return step.left[-1] + step.right[-1]
