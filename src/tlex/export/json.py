"""Writing a document as tlex's own JSON, which `tlex.readers.json` reads."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tlex.document import JOINT, Document
from tlex.export.attribute_keys import further
from tlex.export.first_by_id import list_counted
from tlex.export.label_meaning import find_plain_type
from tlex.export.losses import Loss, Losses, count_skipped
from tlex.merging import split
from tlex.nouns import Event, Instance, Link, Node, Signal, Timex
from tlex.sentences import divide

__all__ = ["write_json"]

_KINDS = frozenset(("TLINK", "ALINK", "SLINK", "GLINK", "CLINK"))
_BLANK = re.compile(r"\s")

_HAPPENING = ("polarity", "modality")

Object = dict[str, Any]
Marked = Event | Instance | Timex | Signal


def write_json(document: Document) -> tuple[bytes, tuple[Loss, ...]]:
    """Give a document as one line of JSON, and what is lost or changed, counted.

    Several documents as one have a member for each of them, and the links between them.
    """
    losses = Losses()
    content = _write_merged(document, losses)
    if content is None:
        content = _JsonWriter(document, losses).write()
    return msgspec.json.encode(content) + b"\n", losses.list()


def _write_merged(document: Document, losses: Losses) -> Object | None:
    """Give the members of several documents as one; None of a single one."""
    if not document.documents:
        return None
    parts, between = split(document)
    names = list(document.documents)
    writers = [_JsonWriter(part, losses, places=True) for part in parts]
    ids = {
        f"{own}{JOINT}{old}": f"{own}{JOINT}{new}"
        for own, writer in zip(names, writers, strict=True)
        for old, new in writer.names.items()
    }
    joining = _JsonWriter(document.replace(links=tuple(between)), losses, ids=ids)
    content = {
        "schema": "tlex-document/1",
        "name": document.name,
        "documents": [writer.write() for writer in writers],
        "links": joining.write_links(),
    }
    return {key: value for key, value in content.items() if value}


class _JsonWriter:
    def __init__(
        self,
        document: Document,
        losses: Losses,
        *,
        places: bool = False,
        ids: dict[str, str] | None = None,
    ) -> None:
        self.document = document
        self.losses = losses
        self.names = self._name_all() if ids is None else ids
        self.places = self._find_places() if places else {}

    def write(self) -> Object:
        """Give the members of the document; those that would be empty are left out."""
        document = self.document
        events, instances, timexes, signals = list_counted(document, self.losses)
        count_skipped(document, self.losses)
        content = {
            "schema": "tlex-document/1",
            "name": document.name,
            "text": document.text,
            "events": [self._mark(event, "class", *_HAPPENING) for event in events],
            "instances": [self._write_instance(instance) for instance in instances],
            "times": [self._mark(timex, "type", "value") for timex in timexes],
            "signals": [self._mark(signal) for signal in signals],
            "links": self.write_links(),
            "order": self._find_order([*events, *instances, *timexes]),
            "sentences": self._find_sentences(),
        }
        return {key: value for key, value in content.items() if value}

    def write_links(self) -> list[Object]:
        """Give the links that the format can hold."""
        return [self._write_link(link) for link in self.document.links if self._can_hold(link)]

    def _find_places(self) -> dict[int, Object]:
        """Find the line and column of each noun in its own file."""
        document = self.document
        if document.source is None:
            return {}
        nouns = (
            *(*document.events, *document.instances, *document.timexes, *document.signals),
            *document.links,
        )
        offsets = (noun.byte_start for noun in nouns if noun.byte_start >= 0)
        return {
            offset: {"line": line, "column": column}
            for offset, (line, column) in document.source.positions(offsets).items()
        }

    def _mark(self, noun: Marked, *fields: str) -> Object:
        """Make the object of a noun; ``fields`` are attributes that are members of their own."""
        place: Object = {"id": self._name(noun.id), **self.places.get(noun.byte_start, {})}
        if noun.text_start >= 0:
            place |= {"start": noun.text_start, "end": noun.text_end}
        if noun.id in self.document.phrases and not isinstance(noun, Signal):
            place["text"] = self.document.phrases[noun.id]
            if noun.text_start < 0 and self.document.text:
                place["outside"] = True  # or a reader would look for the words
        found = further(noun)
        known = {key: value for key, value in found.items() if key in fields}
        rest = {key: value for key, value in found.items() if key not in fields}
        return {**place, **known, **({"attributes": rest} if rest else {})}

    def _write_instance(self, instance: Instance) -> Object:
        event = {"event": self._name(instance.event)} if instance.event else {}
        return {**self._mark(instance, *_HAPPENING), **event}

    def _write_link(self, link: Link) -> Object:
        content = {
            "id": self._name(link.id),
            "kind": link.kind,
            "source": self._name(link.source or ""),
            "type": find_plain_type(link, self.document, self.losses),
            "target": self._name(link.target or ""),
            "signal": None if link.signal is None else self._name(link.signal),
            "weight": link.weight,
            "labels": link.labels,
            "attributes": further(link) or None,
            **self.places.get(link.byte_start, {}),
        }
        return {key: value for key, value in content.items() if value is not None}

    def _can_hold(self, link: Link) -> bool:
        if link.kind not in _KINDS:
            self.losses.add(f"{link.kind}s, which the format does not have", link.id)
            return False
        if not link.source or not link.target:
            self.losses.add("links without a source or without a target", link.id)
            return False
        if not self.document.nodes:  # a reader would make events of its ends
            self.losses.add("links in a document without events and times", link.id)
            return False
        return True

    def _find_order(self, listed: list[Node]) -> list[str]:
        """Give the ids of the nodes in order; empty if a reader would find this order by itself."""
        wanted = [node.id for node in self.document.nodes]
        nodes = [noun for noun in listed if self.document.get(noun.id) is noun]
        nodes.sort(key=lambda noun: (noun.text_start < 0, noun.text_start))
        if [noun.id for noun in nodes] == wanted:
            return []
        return [self._name(name) for name in wanted]

    def _find_sentences(self) -> list[tuple[int, int]]:
        """Give the sentences; none if a reader would find these by itself."""
        pairs = [(span.start, span.end) for span in self.document.sentences]
        return [] if pairs == list(divide(self.document.text)) else pairs

    def _name_all(self) -> dict[str, str]:
        """Give new ids to those that contain white space, which the format does not allow."""
        document = self.document
        marked = (*document.events, *document.instances, *document.timexes, *document.signals)
        every = [noun.id for noun in (*marked, *document.links)]
        every += [instance.event or "" for instance in document.instances]
        for link in document.links:
            every += (link.source or "", link.target or "", link.signal or "")
        used = set(every)
        names: dict[str, str] = {}
        for name in dict.fromkeys(every):
            if not _BLANK.search(name):
                continue
            new = _BLANK.sub("_", name)
            while new in used:
                new += "'"
            names[name] = new
            used.add(new)
            self.losses.add("ids with a blank inside, given anew", f"{name!r} as {new!r}")
        return names

    def _name(self, name: str) -> str:
        return self.names.get(name, name)
