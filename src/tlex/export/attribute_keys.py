"""Which attributes of an element give its id, its type and the ends of a link."""

from __future__ import annotations

from typing import Final

from tlex.document import Document
from tlex.nouns import Event, Instance, Link, Node, Signal, Timex

__all__ = ["ENDS", "further", "name_ends"]

ENDS: Final = frozenset(
    (
        *("eventInstanceID", "timeID", "relatedToEventInstance", "relatedToTime"),
        *("subordinatedEventInstance", "eventID", "relatedToEvent", "relatedToEventID"),
        *("subordinatedEvent", "from", "to", "Source", "Target"),
    )
)
"""Attributes for the ends of a link, in TimeML, its dialects and Anafora."""

_OWN = {Event: ("eid",), Instance: ("eiid", "eventID"), Timex: ("tid",), Signal: ("sid",)}
_IDS = ("m_id", "r_id", "id", "lid")
_TYPES = frozenset(("relType", "reltype", "relation", "Type"))
_SIGNALS = ("signalID", "c-signalID")


def further(noun: Node | Signal | Link) -> dict[str, str]:
    """Give the attributes of an element that its fields do not hold already."""
    found = {
        key: value
        for key, value in noun.attributes.items()
        if key not in _IDS or value.strip() != noun.id
    }
    if not isinstance(noun, Link):
        return {key: value for key, value in found.items() if key not in _OWN[type(noun)]}
    known = ENDS | _TYPES
    if noun.weight is not None:
        known |= {"weight"}
    return {
        key: value
        for key, value in found.items()
        if key not in known and not (key in _SIGNALS and value.strip() == noun.signal)
    }


def name_ends(link: Link, document: Document) -> dict[str, str] | None:
    """Give the ids of a link's ends by the TimeML attributes for them.

    None if an end is not defined, or if it is a time where only events are allowed.
    """
    source, target = document.get(link.source or ""), document.get(link.target or "")
    if source is None or target is None:
        return None
    times = isinstance(source, Timex), isinstance(target, Timex)
    if link.kind == "SLINK":
        keys = ("eventInstanceID", "subordinatedEventInstance")
    else:
        keys = (
            "timeID" if times[0] else "eventInstanceID",
            "relatedToTime" if times[1] else "relatedToEventInstance",
        )
    if link.kind in {"ALINK", "SLINK"} and any(times):
        return None
    return {keys[0]: source.id, keys[1]: target.id}
