"""Writing a document for brat: ``X.ann``, ``X.txt``, and the ``annotation.conf`` of the directory.

brat shows only what has words in the text. Everything else that a document has of an event, a time
or a link stands in notes, where `tlex.readers.brat` finds it: ids, values, attributes, and also
events and times without words, with their links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tlex.algebra import LABELS, find_label
from tlex.document import Document
from tlex.errors import WriteError
from tlex.export.attribute_keys import further
from tlex.export.label_meaning import find_plain_type
from tlex.export.losses import Loss, Losses, count_skipped
from tlex.files import write_atomically
from tlex.nouns import Instance, Link, Node, Timex

__all__ = ["BratFiles", "write_beside", "write_brat"]

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
_CONTROLS = (("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;"))
_OURS = "# written by tlex\n"
_ENTITIES = ("Event", "Timex3")
_ENDS = "Arg1:Event|Timex3, Arg2:Event|Timex3"
_KINDS = ("SLINK", "GLINK", "CLINK")
"""Kinds of links that may have no type; their name stands in its place."""
_NOT_SHOWN = "; they stand in notes"


class BratFiles(NamedTuple):
    """The contents of the files, and what brat cannot hold."""

    annotation: bytes
    text: bytes
    types: tuple[str, ...]
    """The types of the links, which a configuration has to declare."""
    losses: tuple[Loss, ...]


def write_brat(document: Document) -> BratFiles:
    """Give the files of a document."""
    losses = Losses()
    if document.documents:
        raise WriteError(f"{document.name}: brat has one text; write JSON, or convert each")
    count_skipped(document, losses)
    writer = _BratWriter(document, losses)
    annotation = "".join(f"{line}\n" for line in writer.write())
    return BratFiles(annotation.encode(), writer.text.encode(), tuple(writer.labels), losses.list())


def write_beside(path: Path, files: BratFiles) -> list[str]:
    """Write the text and the configuration beside an annotation that has been written.

    A configuration of somebody else stays as it is; one of ours gets what it lacks. Returns the
    types of the document that the configuration does not declare, so that brat does not show them.
    """
    write_atomically(path.with_suffix(".txt"), files.text)
    target = path.with_name("annotation.conf")
    try:
        before = target.read_text(encoding="utf-8") if target.is_file() else _OURS
    except (OSError, UnicodeDecodeError) as error:
        raise WriteError(f"{target}: cannot be read: {error}") from error
    if not before.startswith(_OURS):
        declared = {word for line in before.splitlines() for word in line.split()[:1]}
        return [form for form in (*_ENTITIES, *files.types) if form not in declared]
    labels = [line.partition("\t")[0] for line in before.splitlines() if "\tArg1:" in line]
    write_atomically(target, _configure(dict.fromkeys([*labels, *files.types])).encode())
    return []


def _configure(labels: dict[str, None]) -> str:
    """Declare all types once: those of the tables, and others that documents have."""
    known = (_clean(label) for table in LABELS.values() for label in table)
    every = dict.fromkeys([*known, *_KINDS, *labels])
    return "".join(
        [
            _OURS,
            "[entities]\nEvent\nTimex3\n\n[relations]\n",
            *(f"{label}\t{_ENDS}\n" for label in every),
            "\n[events]\n\n[attributes]\nPolarity\tArg:<ENTITY>, Value:POS|NEG\n",
        ]
    )


def _clean(label: str) -> str:
    return _UNSAFE.sub("_", label)


def _quote(attributes: dict[str, str]) -> str:
    """Write attributes as a note, which is one line without tabs."""
    written = []
    for key, value in attributes.items():
        for old, new in (*_ESCAPES, *_CONTROLS):
            value = value.replace(old, new)  # noqa: PLW2901
        written.append(f'{_UNSAFE.sub("_", key)}="{" ".join(value.splitlines())}"')
    return " ".join(written)


def _name_kind(node: Node) -> str:
    return "Timex3" if isinstance(node, Timex) else "Event"


class _BratWriter:
    def __init__(self, document: Document, losses: Losses) -> None:
        self.document = document
        self.losses = losses
        # A carriage return would count twice, or not at all, for whoever opens the file.
        self.text = document.text.replace("\r", " ")
        if self.text != document.text:
            losses.add("carriage returns in the text; blanks stand in their places")
        self.events = {event.id: event for event in reversed(document.events)}
        self.marks: dict[str, str] = {}
        self.labels: dict[str, None] = {}
        self.notes = 0

    def write(self) -> Iterator[str]:
        """Give the lines of the annotation."""
        hidden: list[Node] = []
        for node in self.document.nodes:
            pieces = self._find_pieces(node)
            if not pieces:
                hidden.append(node)
                continue
            own = f"T{len(self.marks) + 1}"
            self.marks[node.id] = own
            spans = ";".join(f"{first} {last}" for first, last in pieces)
            words = " ".join(self.text[first:last] for first, last in pieces)
            yield f"{own}\t{_name_kind(node)} {spans}\t{words}"
            attributes = self._describe(node)
            polarity = attributes.get("polarity", "").strip()
            if polarity in {"POS", "NEG"}:
                yield f"A{len(self.marks)}\tPolarity {own} {polarity}"
            yield self._note(own, {"id": node.id, **attributes})
        for signal in self.document.signals:
            self.losses.add("signals", signal.id)
        # brat has notes on something that it shows only. Any will do.
        bearer = next(iter(self.marks.values()), None)
        message = "events and times without words in the text, which brat does not show"
        for node in hidden:
            self.losses.add(f"{message}{_NOT_SHOWN}" if bearer else message, node.id)
            if bearer:
                place = "" if node.text_start < 0 else f"{node.text_start} {node.text_end}"
                named = {"node": node.id, "kind": _name_kind(node), "place": place}
                phrase = self.document.phrases.get(node.id)
                named |= {"phrase": phrase} if phrase else {}
                yield self._note(bearer, named, self._describe(node))
        yield from self._write_links({node.id for node in hidden}, bearer)

    def _describe(self, node: Node) -> dict[str, str]:
        """Give the attributes of a node, and of the event that it is an instance of."""
        event = self.events.get(node.event or "") if isinstance(node, Instance) else None
        return {**(further(event) if event else {}), **further(node)}

    def _write_links(self, hidden: set[str], bearer: str | None) -> Iterator[str]:
        """Write links. One with an end that brat does not show is a note on the other end."""
        count = 0
        for link in self.document.links:
            source, target = self.marks.get(link.source or ""), self.marks.get(link.target or "")
            label, given = self._find_label(link)
            if link.signal:
                given["signalID"] = link.signal
            if link.weight is not None:
                given["weight"] = repr(link.weight)
            if source is not None and target is not None:
                self.labels.setdefault(label)
                count += 1
                yield f"R{count}\t{label} Arg1:{source} Arg2:{target}\t"
                yield self._note(f"R{count}", {"id": link.id, **given, **further(link)})
                continue
            ends = link.source or "", link.target or ""
            kept = bearer is not None and all(e in self.marks or e in hidden for e in ends)
            message = "links with an end that is missing or that brat does not show"
            self.losses.add(f"{message}{_NOT_SHOWN}" if kept else message, link.id)
            if kept:
                written = find_plain_type(link, self.document, self.losses) or ""
                named = {"link": link.id, "kind": link.kind, "relType": written}
                named |= {"source": ends[0], "target": ends[1]}
                further_on = {k: v for k, v in given.items() if k not in named}
                yield self._note(source or target or bearer or "", named, further_on, further(link))

    def _find_label(self, link: Link) -> tuple[str, dict[str, str]]:
        """Give the name of a relation, and what a reader could not see in it."""
        written = find_plain_type(link, self.document, self.losses)
        if written is None:
            return link.kind, {}
        label = _clean(written)
        given = {}
        if find_label(link.kind, label) != find_label(link.kind, written) or not find_label(
            link.kind, written
        ):
            given = {"kind": link.kind, "relType": written}
        return label or "UNNAMED", given

    def _note(self, own: str, *attributes: dict[str, str]) -> str:
        self.notes += 1
        written = " ".join(filter(None, map(_quote, attributes)))
        return f"#{self.notes}\tAnnotatorNotes {own}\t{written}"

    def _find_pieces(self, node: Node) -> list[tuple[int, int]]:
        """Find the pieces of a node's words: none goes over the end of a line."""
        if node.text_start < 0:
            return []
        spans = [(node.text_start, node.text_end)]
        phrase = self.document.phrases.get(node.id)
        if phrase is not None:
            spans = self._find_words(phrase.split(), node.text_start, node.text_end) or spans
        return [
            (first + piece.start(), first + piece.end())
            for first, last in spans
            for piece in re.finditer(r"\S(?:[^\n]*[^\s])?", self.text[first:last])
        ]

    def _find_words(self, words: list[str], first: int, last: int) -> list[tuple[int, int]]:
        """Find the words of a node with a gap, one after the other; empty if they do not fit."""
        found: list[tuple[int, int]] = []
        at = first
        for word in words:
            start = self.text.find(word, at, last)
            if start < 0:
                return []
            if found and not self.text[found[-1][1] : start].strip() and start > found[-1][1]:
                found[-1] = (found[-1][0], start + len(word))
            else:
                found.append((start, start + len(word)))
            at = start + len(word)
        return found
