"""Nouns without those that repeat an id: only the first of several with one id is written."""

from __future__ import annotations

from typing import NamedTuple

from tlex.document import Document
from tlex.export.losses import Losses
from tlex.nouns import Event, Instance, Signal, Timex

__all__ = ["Counted", "list_counted"]


class Counted(NamedTuple):
    """The nouns of a document, the first of each id."""

    events: list[Event]
    instances: list[Instance]
    timexes: list[Timex]
    signals: list[Signal]


def list_counted(document: Document, losses: Losses) -> Counted:
    """List the first noun of each id; the others are counted as losses."""
    used = {own.event for own in document.instances if document.get(own.id) is own}
    first = {event.id: event for event in reversed(document.events)}

    def counts(noun: Event | Instance | Timex | Signal, known: object) -> bool:
        if known is not noun:
            losses.add("marks that repeat an id", noun.id)
        return known is noun

    signals = {signal.id: signal for signal in reversed(document.signals)}
    return Counted(
        [
            event
            for event in document.events
            if counts(event, first[event.id] if event.id in used else document.get(event.id))
        ],
        [each for each in document.instances if counts(each, document.get(each.id))],
        [each for each in document.timexes if counts(each, document.get(each.id))],
        [each for each in document.signals if counts(each, signals[each.id])],
    )
