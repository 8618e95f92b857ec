"""Writing a document as tlex's own JSON, which `tlex.readers.json` reads."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tlex.document import Document, Event, Instance, Link, Node, Signal, Timex
from tlex.export.counted import list_counted
from tlex.export.losses import Loss, Losses

__all__ = ["write_json"]

_IDS = frozenset(("eid", "eiid", "eventID", "tid", "sid", "m_id", "id"))
_OF_LINKS = frozenset(
    (
        *("lid", "r_id", "id", "relType", "reltype", "signalID", "c-signalID", "weight"),
        *("eventInstanceID", "timeID", "relatedToEventInstance", "relatedToTime"),
        *("subordinatedEventInstance", "eventID", "relatedToEvent", "relatedToEventID"),
        *("subordinatedEvent", "from", "to"),
    )
)
_KINDS = frozenset(("TLINK", "ALINK", "SLINK", "GLINK", "CLINK"))
_BLANK = re.compile(r"\s")

_HAPPENING = ("polarity", "modality")

Object = dict[str, Any]
Marked = Event | Instance | Timex | Signal


def write_json(document: Document) -> tuple[bytes, tuple[Loss, ...]]:
    """Give a document as JSON, on one line, and what of it is not as it was."""
    writer = _Writer(document)
    content = writer.write()
    return msgspec.json.encode(content) + b"\n", writer.losses.list()


class _Writer:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.losses = Losses()
        self.names = self._name_all()

    def write(self) -> Object:
        """Give the members of the document; those that would be empty are left out."""
        document = self.document
        events, instances, timexes, signals = list_counted(document, self.losses)
        labels = sum(map(len, document.labels.values()))
        self.losses.add("labels of one's own: what they mean", number=labels)
        content = {
            "schema": "tlex-document/1",
            "name": document.name,
            "text": document.text,
            "events": [self._mark(event, "class", *_HAPPENING) for event in events],
            "instances": [self._write_instance(instance) for instance in instances],
            "times": [self._mark(timex, "type", "value") for timex in timexes],
            "signals": [self._mark(signal) for signal in signals],
            "links": [self._write_link(link) for link in document.links if self._can_hold(link)],
            "order": self._find_order([*events, *instances, *timexes]),
        }
        return {key: value for key, value in content.items() if value}

    def _mark(self, noun: Marked, *fields: str) -> Object:
        """An object for what has words; ``fields`` are attributes that stand beside the others."""
        place: Object = {"id": self._name(noun.id)}
        if noun.text_start >= 0:
            place |= {"start": noun.text_start, "end": noun.text_end}
        if noun.id in self.document.phrases:
            place["text"] = self.document.phrases[noun.id]
        known = {key: value for key, value in noun.attributes.items() if key in fields}
        taken = {*fields, *_IDS}
        rest = {key: value for key, value in noun.attributes.items() if key not in taken}
        return {**place, **known, **({"attributes": rest} if rest else {})}

    def _write_instance(self, instance: Instance) -> Object:
        event = {} if instance.event is None else {"event": self._name(instance.event)}
        return {**self._mark(instance, *_HAPPENING), **event}

    def _write_link(self, link: Link) -> Object:
        rest = {key: value for key, value in link.attributes.items() if key not in _OF_LINKS}
        content = {
            "id": self._name(link.id),
            "kind": link.kind,
            "source": self._name(link.source or ""),
            "type": link.type,
            "target": self._name(link.target or ""),
            "signal": None if link.signal is None else self._name(link.signal),
            "weight": link.weight,
            "attributes": rest or None,
        }
        return {key: value for key, value in content.items() if value is not None}

    def _can_hold(self, link: Link) -> bool:
        if link.kind not in _KINDS:
            self.losses.add(f"{link.kind}s, which the format does not have", link.id)
            return False
        if not link.source or not link.target:
            self.losses.add("links without a source or without a target", link.id)
            return False
        return True

    def _find_order(self, listed: list[Node]) -> list[str]:
        """The order of nodes, where it would not be this one as they are listed."""
        wanted = [node.id for node in self.document.nodes]
        nodes = [noun for noun in listed if self.document.node(noun.id) is noun]
        nodes.sort(key=lambda noun: (noun.text_start < 0, noun.text_start))
        if [noun.id for noun in nodes] == wanted:
            return []
        return [self._name(name) for name in wanted]

    def _name_all(self) -> dict[str, str]:
        """New ids for those with a blank inside, which the format does not allow."""
        document = self.document
        marked = (*document.events, *document.instances, *document.timexes, *document.signals)
        every = dict.fromkeys([noun.id for noun in (*marked, *document.links)])
        names: dict[str, str] = {}
        for name in every:
            if not _BLANK.search(name):
                continue
            new = _BLANK.sub("_", name)
            while new in every or new in names.values():
                new += "'"
            names[name] = new
            self.losses.add("ids with a blank inside, given anew", f"{name!r} as {new!r}")
        return names

    def _name(self, name: str) -> str:
        return self.names.get(name, _BLANK.sub("_", name))
