"""The older dialects of TimeML, whose links do not name event instances.

* TempEval-1 and 2: ends are events, in ``eventID`` and ``relatedToEvent``.
* TimeBankPT and the French data of TempEval-2: ends are ``from`` and ``to``, events or instances.
* NarrativeTime: plain numbers for ids.
* French TimeBank (ISO-TimeML): there is no MAKEINSTANCE, and an EVENT has its own ``eiid``. An
  event with several instances is written several times, all but once without words (reading R46).

Reading R32: an event stands for its first instance, or for itself if it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter

from tlex.nouns import Code, Instance
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.timeml.parsing import Elements, EmptyElements, TextElement

__all__ = ["FRENCH", "find_ends", "find_event", "move_instances", "speaks_dialect"]

FRENCH = "frtimebank"
"""The reading of labels in files whose EVENTs have their own ``eiid``."""

Element = tuple[str, dict[str, str], int]
"""Name, attributes and byte offset."""

_SOURCES = ("eventInstanceID", "timeID", "eventID", "from")
_TARGETS = (
    *("relatedToEventInstance", "subordinatedEventInstance", "relatedToTime"),
    *("relatedToEvent", "relatedToEventID", "subordinatedEvent", "to"),
)
_OLDER = frozenset(
    ("eventID", "from", "to", "relatedToEvent", "relatedToEventID", "subordinatedEvent")
)


def move_instances(elements: Elements) -> tuple[Elements, bool]:
    """Make an instance of each EVENT that has its own ``eiid``; the flag says if there is any.

    A file with a MAKEINSTANCE is ordinary TimeML and stays as it is.
    """
    events = elements.in_text["EVENT"]
    if elements.instances.names or not any("eiid" in row[0] for row in events):
        return elements, False
    rows = sorted(events, key=itemgetter(1))
    # Of several EVENTs with one eid, that with words is the event.
    silent_first = sorted(rows, key=lambda row: (row[2] < row[3], -row[1]))
    event_of = {row[0].get("eid", ""): row for row in silent_first}
    kept: list[TextElement] = []
    instances = EmptyElements([], [], [])
    for row in rows:
        attributes, start = row[:2]
        name, own = attributes.get("eid", ""), attributes.get("eiid")
        # What lacks one of the two ids is reported like any other event.
        if not name or not own or event_of[name] is row:
            kept.append(row)
        if own:
            instances.names.append("MAKEINSTANCE")
            instances.attributes.append({"eventID": name, **attributes})
            instances.starts.append(start)
    return elements._replace(in_text={**elements.in_text, "EVENT": kept}, instances=instances), True


def speaks_dialect(links: Iterable[Element], index: Mapping[str, int]) -> bool:
    """Whether any link has the attributes of a dialect, or numbers for ids."""
    return any(
        not _OLDER.isdisjoint(attributes) or _has_lost_number(attributes, index)
        for _, attributes, _ in links
    )


def _has_lost_number(attributes: Mapping[str, str], index: Mapping[str, int]) -> bool:
    return any(
        attributes.get(key, "").isdecimal() and attributes[key] not in index
        for key in (*_SOURCES, *_TARGETS)
    )


def find_event(written: str | None, events: Mapping[str, object]) -> str | None:
    """Find the event that an instance names: by its id, or by a number that lacks its letter."""
    if written is not None and written not in events and f"e{written}" in events:
        return f"e{written}"
    return written


def find_ends(
    links: Iterable[Element],
    index: Mapping[str, int],
    instances: Iterable[Instance],
    diagnostics: Diagnostics,
) -> dict[int, tuple[str | None, str | None]]:
    """Find the source and the target that each link means, by the link's byte offset."""
    own: dict[str, list[str]] = {}
    for instance in instances:
        if instance.event is not None:
            own.setdefault(instance.event, []).append(instance.id)

    def resolve(attributes: Mapping[str, str], keys: Iterable[str], link: str, at: int) -> str:
        key = next((key for key in keys if attributes.get(key, "").strip()), None)
        if key is None:
            return ""
        written = attributes[key].strip()
        for name in (written, f"ei{written}", f"e{written}", f"t{written}"):
            if name in index:
                return name
            if name in own and (key in _OLDER or name != written):
                if len(own[name]) > 1:
                    message = f"{link} points to event {name!r}, which has several instances"
                    diagnostics.add(Code.TWO_ENDS, at, message, f"{own[name][0]!r} is used")
                return own[name][0]
            if not written.isdecimal():
                break
        return written

    found = {}
    for kind, attributes, start in links:
        link = f"{kind} {show(attributes['lid'])}" if attributes.get("lid") else kind
        source = resolve(attributes, _SOURCES, link, start)
        target = resolve(attributes, _TARGETS, link, start)
        found[start] = (source or None, target or None)
    return found
