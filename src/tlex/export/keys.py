"""The attributes of an element that hold its id, its type and its ends."""

from __future__ import annotations

from typing import Final

from tlex.document import Document, Event, Instance, Link, Node, Signal, Timex

__all__ = ["ENDS", "further", "name_ends"]

ENDS: Final = frozenset(
    (
        *("eventInstanceID", "timeID", "relatedToEventInstance", "relatedToTime"),
        *("subordinatedEventInstance", "eventID", "relatedToEvent", "relatedToEventID"),
        *("subordinatedEvent", "from", "to", "Source", "Target"),
    )
)
"""What the ends of a link are called in TimeML, its dialects and Anafora."""

_OWN = {Event: ("eid",), Instance: ("eiid", "eventID"), Timex: ("tid",), Signal: ("sid",)}
_IDS = ("m_id", "r_id", "id", "lid")
_TYPES = frozenset(("relType", "reltype", "relation", "Type"))
_SIGNALS = ("signalID", "c-signalID")


def further(noun: Node | Signal | Link) -> dict[str, str]:
    """The attributes of an element that say more than its fields do."""
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
    """Give the ends of a link under the attributes that TimeML has for them.

    None if an end is not defined, or is a time where only events can be.
    """
    source, target = document.node(link.source or ""), document.node(link.target or "")
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
