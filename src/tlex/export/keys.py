"""Which attributes of an element say what its id, its type and its ends say already."""

from __future__ import annotations

from typing import Final

from tlex.document import Event, Instance, Link, Node, Signal, Timex

__all__ = ["ENDS", "further"]

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
