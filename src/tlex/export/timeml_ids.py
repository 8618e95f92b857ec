"""Ids in the form that TimeML demands: one or two letters for the kind, then a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import count

from msgspec import Struct

from tlex.document import Document
from tlex.export.first_by_id import Counted
from tlex.export.losses import Losses
from tlex.nouns import Event, Timex

__all__ = ["Names", "fit", "name_all"]

_NUMBER = re.compile(r"[0-9]{1,9}$")


class Names(Struct):
    """The ids of everything in TimeML, by their ids in the document.

    ``instances`` has every node that is not a time. ``own_events`` has the ids of the EVENTs that
    are made for instances without one.
    """

    events: dict[str, str]
    own_events: dict[str, str]
    instances: dict[str, str]
    times: dict[str, str]
    signals: dict[str, str]
    links: dict[str, str]


def name_all(document: Document, counted: Counted, losses: Losses) -> Names:
    """Keep the ids that have the form of TimeML, and give a similar free id to the others."""
    happenings = [node for node in document.nodes if not isinstance(node, Timex)]
    events = fit((event.id for event in counted.events), "e", losses)
    without = [
        node.id
        for node in happenings
        if not isinstance(node, Event) and (node.event or "") not in events
    ]
    return Names(
        events=events,
        own_events=fit(without, "e", None, events.values()),
        instances=fit((node.id for node in happenings), "ei", losses),
        times=fit((node.id for node in document.nodes if isinstance(node, Timex)), "t", losses),
        signals=fit((signal.id for signal in counted.signals), "s", losses),
        links=fit((link.id for link in document.links), "l", losses),
    )


def fit(
    names: Iterable[str], prefix: str, losses: Losses | None, taken: Iterable[str] = ()
) -> dict[str, str]:
    """Find a free id with a prefix for each name: itself, or its number, or the next free number.

    >>> fit(["e3", "17", "fell"], "e", None)
    {'e3': 'e3', '17': 'e17', 'fell': 'e1'}
    """
    proper = re.compile(f"{prefix}[0-9]+")
    every = list(dict.fromkeys(names))
    used = {*taken}
    found: dict[str, str] = {}
    for name in every:
        if proper.fullmatch(name) and name not in used:
            found[name] = name
            used.add(name)
    numbers = count(1)
    for name in every:
        if name not in found:
            found[name] = _find_free(name, prefix, used, lambda: f"{prefix}{next(numbers)}")
            used.add(found[name])
            if losses is not None:
                losses.add("ids that TimeML does not allow, given anew", f"{name} as {found[name]}")
    return {name: found[name] for name in every}


def _find_free(name: str, prefix: str, used: set[str], following: Callable[[], str]) -> str:
    number = _NUMBER.search(name)
    wanted = f"{prefix}{int(number[0])}" if number else following()
    while wanted in used:
        wanted = following()
    return wanted
