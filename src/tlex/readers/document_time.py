"""Relations of events to the time of the document, as THYME, E3C and i2b2 annotate them.

They stand on the events themselves and become TLINKs to the creation time, with made-up ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tlex.algebra import find_label
from tlex.nouns import Code, Link, Timex
from tlex.readers.assembly import Nouns
from tlex.readers.diagnostics import Diagnostics
from tlex.source import NOWHERE, Source

__all__ = ["TimeRelation", "make_document_time", "relate_to_document_time"]

_MADE_UP = "DCT"


class TimeRelation(NamedTuple):
    """What an event says of itself: its id, the label, and where it stands in the file."""

    event: str
    label: str
    start: int


def relate_to_document_time(
    relations: Iterable[TimeRelation],
    nouns: Nouns,
    time: str | None,
    diagnostics: Diagnostics,
    feature: str,
) -> list[Link]:
    """Make a TLINK of each relation; its id is the ``feature``, ``@`` and the id of the event.

    ``time`` is the id of the creation time. If it is None, one is made up and added to the nouns,
    and one diagnostic says so.
    """
    found = list(relations)
    if found and time is None:
        time = _make_up_time(nouns, found[0].start, diagnostics)
    return [
        Link(
            id=f"{feature}@{relation.event}",
            attributes={"origin": feature},
            byte_start=relation.start,
            file=diagnostics.source,
            kind="TLINK",
            type=find_label("TLINK", relation.label) or relation.label,
            source=relation.event,
            target=time,
        )
        for relation in found
    ]


def _make_up_time(nouns: Nouns, start: int, diagnostics: Diagnostics) -> str:
    taken = {noun.id for noun in (*nouns.events, *nouns.instances, *nouns.timexes)}
    name = _MADE_UP
    while name in taken:
        name += "'"
    message = (
        "events are related to the time of the document, which has none; "
        f"it takes part as {name!r}, without a value"
    )
    diagnostics.add(Code.NO_CREATION_TIME, start, message)
    nouns.timexes.append(make_document_time(name, {}, start, diagnostics.source))
    return name


def make_document_time(
    name: str, attributes: dict[str, str], start: int, source: Source | None
) -> Timex:
    """Make the creation time of a document, outside its text."""
    described = {"functionInDocument": "CREATION_TIME", **attributes}
    return Timex(name, described, start, source, NOWHERE, NOWHERE)
