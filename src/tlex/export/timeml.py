"""Writing a document as TimeML 1.2.1.

A document that was read from TimeML keeps its own file: see `tlex.export.normalisation`. Any other
is written as a new, valid file. Ids get the form that TimeML demands. Attributes that TimeML does
not have are left out, and those that it demands are filled in. All of that is counted.

Line ends between elements would be part of the text. So they stand inside the tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tlex.algebra import LABELS
from tlex.document import Document
from tlex.errors import WriteError
from tlex.export.attribute_keys import further, name_ends
from tlex.export.first_by_id import list_counted
from tlex.export.losses import Loss, Losses, count_skipped
from tlex.export.normalisation import normalise
from tlex.export.timeml_ids import Names, name_all
from tlex.export.timeml_schema import ATTRIBUTES, REFERENCES, TYPES, find_equal, spell
from tlex.markup import escape_text, write_attributes
from tlex.nouns import Event, Instance, Link, Node, Signal, Timex
from tlex.wording import count

__all__ = ["write_timeml"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<TimeML xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"\n'
    '    xsi:noNamespaceSchemaLocation="http://timeml.org/timeMLdocs/TimeML_1.2.1.xsd"\n>'
)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Attributes = dict[str, str]

_ELSEWHERE: dict[str, frozenset[str]] = {element: frozenset() for element in ATTRIBUTES} | {
    "EVENT": frozenset(ATTRIBUTES["MAKEINSTANCE"]),
    "MAKEINSTANCE": frozenset(ATTRIBUTES["EVENT"]),
}
"""Attributes of an event that are written at its instance, and the other way round."""


class _Mark(NamedTuple):
    """An element that marks words, from ``start`` to ``end`` in the text; -1 if nowhere."""

    element: str
    attributes: Attributes
    start: int
    end: int
    words: str | None


def write_timeml(document: Document) -> tuple[bytes, tuple[Loss, ...]]:
    """Give a document as TimeML, and what is lost or changed, counted."""
    losses = Losses()
    if document.documents:
        raise WriteError(
            f"{document.name}: TimeML has one text, and these are "
            f"{count(len(document.documents), 'document')}; write JSON, or convert each of them"
        )
    if document.format == "timeml" and document.source is not None and _is_plain(document):
        return normalise(document, document.source, losses), losses.list()
    count_skipped(document, losses)
    return _TimemlWriter(document, losses).write().encode(), losses.list()


def _is_plain(document: Document) -> bool:
    """Whether no EVENT is its own instance: such a one has to be written as two elements."""
    starts = {event.byte_start for event in document.events}
    return not any(instance.byte_start in starts for instance in document.instances)


class _TimemlWriter:
    """Writes a document as a new file."""

    def __init__(self, document: Document, losses: Losses) -> None:
        self.document = document
        self.losses = losses
        self.counted = list_counted(document, losses)
        self.names: Names = name_all(document, self.counted, losses)
        self.seen: set[int] = set()  # nouns whose attributes have been counted

    def write(self) -> str:
        """Give the whole file."""
        instances = [_empty("MAKEINSTANCE", each) for each in self._list_instances()]
        links = [_empty(kind, attributes) for kind, attributes in self._list_links()]
        text = "".join(self._write_text())
        return "".join([_HEAD, text, *instances, *links, "</TimeML>\n"])

    def _write_text(self) -> Iterator[str]:
        """Write the text with its marks; TimeML does not allow one inside another."""
        marks = list(self._list_marks())
        placed = sorted((mark for mark in marks if mark.start >= 0), key=_place_of)
        text, at = self.document.text, 0
        for mark in placed:
            if mark.start < at:
                message = "words of marks that overlap another one; the mark stands behind it"
                self.losses.add(message, _name_of(mark))
                yield _empty(mark.element, mark.attributes)
                continue
            yield self._escape(text[at : mark.start])
            if mark.start == mark.end:
                yield _empty(mark.element, mark.attributes)
            else:
                opening = f"<{mark.element}{write_attributes(mark.attributes)}>"
                yield f"{opening}{self._escape(text[mark.start : mark.end])}</{mark.element}>"
            if mark.words is not None:
                self.losses.add("the exact words of marks with a gap", _name_of(mark))
            at = mark.end
        yield self._escape(text[at:])
        for mark in marks:
            if mark.start < 0:
                message = "marks outside the text; they stand at its end, without words"
                self.losses.add(message, _name_of(mark))
                yield _empty(mark.element, mark.attributes)

    def _escape(self, text: str) -> str:
        return escape_text(self._clean(text))

    def _list_marks(self) -> Iterator[_Mark]:
        names, phrases = self.names, self.document.phrases
        instances = {node.event: node.id for node in self.counted.instances}

        def place(noun: Event | Instance | Timex | Signal) -> tuple[int, int, str | None]:
            words = phrases.get(instances.get(noun.id, noun.id))
            return noun.text_start, noun.text_end, words

        for event in self.counted.events:
            attributes = {"eid": names.events[event.id], **self._fill("EVENT", event)}
            yield _Mark("EVENT", attributes, *place(event))
        for instance in self.counted.instances:
            if instance.id in names.own_events:
                eid = names.own_events[instance.id]
                attributes = {"eid": eid, **self._fill("EVENT", instance)}
                yield _Mark("EVENT", attributes, *place(instance))
        for timex in self.counted.timexes:
            attributes = {"tid": names.times[timex.id], **self._fill("TIMEX3", timex)}
            yield _Mark("TIMEX3", attributes, *place(timex))
        for signal in self.counted.signals:
            attributes = {"sid": names.signals[signal.id], **self._fill("SIGNAL", signal)}
            yield _Mark("SIGNAL", attributes, *place(signal))

    def _list_instances(self) -> Iterator[Attributes]:
        names = self.names
        events = {event.id: event for event in self.counted.events}
        times = False
        for node in reversed(self.document.nodes):
            if isinstance(node, Timex):
                times = times or node.text_start < 0
            elif times and node.text_start < 0:
                self.losses.add("places in the order of what stands outside the text", node.id)
        for node in self.document.nodes:
            if isinstance(node, Timex):
                continue
            event = node if isinstance(node, Event) else events.get(node.event or "")
            eid = names.own_events[node.id] if event is None else names.events[event.id]
            own = {"eventID": eid, "eiid": names.instances[node.id]}
            if event is not None and node.span != event.span:
                self.losses.add("places of instances, which now stand at their event", node.id)
            yield {**own, **self._fill("MAKEINSTANCE", event, node)}

    def _fill(self, element: str, *nouns: Node | Signal | Link | None) -> Attributes:
        """Give the attributes of an element that TimeML allows, with those that it demands.

        If several nouns have an attribute, the last of them counts. An attribute of an event that
        TimeML has at the instance is written there.
        """
        written: Attributes = {}
        for noun in nouns:
            written |= further(noun) if noun is not None else {}
        filled: Attributes = {}
        for key, attribute in ATTRIBUTES[element].items():
            value = self._refer(key, written[key]) if key in written else None
            accepted = None if value is None else attribute.accept(self._clean(value))
            if accepted is not None:
                filled[key] = accepted
                if REFERENCES.get(key) is None and accepted != written[key]:
                    self.losses.add("values in another spelling", f"{written[key]!r:.40}")
                continue
            if written.get(key, "").strip():
                case = f"{element} {key}={written[key]!r:.40}"
                self.losses.add("attributes with a value that TimeML does not allow", case)
            if attribute.default is not None:
                filled[key] = attribute.default
                case = f"{element} {key}={attribute.default!r}"
                self.losses.add("attributes that TimeML demands, filled in", case)
        known = {*ATTRIBUTES[element], *_ELSEWHERE[element]}
        for noun in nouns:
            if noun is None or id(noun) in self.seen:
                continue
            self.seen.add(id(noun))
            for key, value in further(noun).items():
                if key not in known and value.strip():
                    self.losses.add("attributes that TimeML does not have", f"{element} {key}")
        return filled

    def _clean(self, text: str) -> str:
        clean, count = _FORBIDDEN.subn("\ufffd", text)
        self.losses.add("characters that XML does not allow, now U+FFFD", number=count)
        return clean

    def _refer(self, key: str, written: str) -> str | None:
        """Give the new id of another element; empty if there is no such element."""
        kind = REFERENCES.get(key)
        if kind is None:
            return written
        names = self.names.times if kind == "TIMEX3" else self.names.signals
        return names.get(written.strip(), "")

    def _list_links(self) -> Iterator[tuple[str, Attributes]]:
        for link in self.document.links:
            label = self._find_type(link)
            ends = None if label is None else self._find_ends(link)
            if label is None or ends is None:
                continue
            attributes = {"lid": self.names.links[link.id], "relType": label, **ends}
            signal = self.names.signals.get(link.signal or "")
            if link.signal and not signal:
                self.losses.add("signals of links that the document does not define", link.id)
            own = self._fill(link.kind, link)
            if signal:
                own["signalID"] = signal
            if link.weight is not None:
                self.losses.add("attributes that TimeML does not have", f"{link.kind} weight")
            yield link.kind, {**attributes, **own}

    def _find_type(self, link: Link) -> str | None:
        types = TYPES.get(link.kind)
        if types is None:
            self.losses.add(f"{link.kind}s, which TimeML does not have", link.id)
            return None
        if link.type is None:
            self.losses.add(f"{link.kind}s without a type, which TimeML demands", link.id)
            return None
        own = self.document.labels.get(link.kind, {}).get(link.type)
        if spell(link.type) in types and own is None:
            return spell(link.type)
        row = LABELS[link.kind].get(link.type) if own is None else own
        same = find_equal(row) if link.kind == "TLINK" else None
        if same is None:
            self.losses.add(f"{link.kind}s whose type TimeML does not have", link.type)
        else:
            message = "types of links, written as one that says the same"
            self.losses.add(message, f"{link.type} as {same}")
        return same

    def _find_ends(self, link: Link) -> Attributes | None:
        ends = name_ends(link, self.document)
        if ends is None:
            self.losses.add("links with an end that is missing or cannot have such a link", link.id)
            return None
        return {
            key: (self.names.times if "ime" in key else self.names.instances)[end]
            for key, end in ends.items()
        }


def _place_of(mark: _Mark) -> tuple[int, bool, int]:
    """Sort by start; an empty mark before one with words, an outer one before an inner one."""
    return mark.start, mark.end > mark.start, -mark.end


def _name_of(mark: _Mark) -> str:
    return next(iter(mark.attributes.values()))


def _empty(element: str, attributes: Attributes) -> str:
    return f"<{element}{write_attributes(attributes)}\n/>"
