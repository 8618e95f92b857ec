"""Reading brat's stand-off format: ``X.ann``, with the text in ``X.txt``.

An event is an ``E`` line with the words of its trigger, or a ``T`` line whose type is one of an
event; times are ``T`` lines too. An ``R`` line is a link from ``Arg1`` to ``Arg2``. What brat
cannot hold stands in notes, as ``export.brat`` writes them: ``id="ei1" value="2020"``. A note that
begins with ``node="t0"`` or ``link="l1"`` is a node without words, or a link of one (R49).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import isfinite
from pathlib import PurePath
from typing import NamedTuple
from xml.sax.saxutils import unescape

from tlex.algebra import LABELS, READINGS, find_label
from tlex.document import Document
from tlex.errors import ReadError
from tlex.nouns import Code, Event, Link, Timex
from tlex.readers.assembly import Nouns, assemble, find_kind
from tlex.readers.companions import Companions
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.layers import DEFAULT_LAYERS, Layers, find_layer_kind
from tlex.readers.lines import Line, Lines, decode, split_lines
from tlex.readers.xml import detect_encoding
from tlex.source import NOWHERE, Source
from tlex.wording import count

__all__ = ["read_brat", "recognise_brat"]

_FIRST = re.compile(r"(?:[TERAMN#]\d+|\*)\t")
_SPAN = re.compile(r"(\d{1,9}) (\d{1,9})")
_NOTE = re.compile(r'\s*([\w.:-]+)="([^"]*)"')
_NOTES = re.compile(rf"(?:{_NOTE.pattern})+\s*")
_VALUE = re.compile(r"[\dXP][\dA-Z:.+-]*")
_ENTITIES = {"&quot;": '"', "&#10;": "\n", "&#13;": "\r", "&#9;": "\t"}
_HIDDEN = {
    "node": ("node", "kind", "place"),
    "link": ("link", "kind", "relType", "source", "target"),
}
"""What stands first in the notes that are nodes without words, and links of these."""
_CORPORA = {"T": "caters", "E": "timeset"}
"""The corpora in this format in which links of events have other meanings, by their lines."""
_KINDS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_NAMES = {
    name.lower(): name
    for name in (
        *("polarity", "modality", "tense", "aspect", "class", "pos", "cardinality", "type"),
        *("value", "mod", "functionInDocument"),
    )
}
"""Attributes of TimeML, in any case."""


class _Mark(NamedTuple):
    """A ``T`` or an ``E`` line; an ``E`` has the type and the trigger of its first part."""

    id: str
    type: str
    line: Line
    spans: tuple[tuple[int, int], ...] = ()
    words: str = ""
    trigger: str = ""


def recognise_brat(head: str) -> bool:
    """Whether the beginning of a file looks like brat's annotation: by its first line."""
    return _FIRST.match(head.removeprefix("\ufeff")) is not None


def read_brat(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    companions: Companions | None = None,
    layers: Layers = DEFAULT_LAYERS,
) -> Document:
    """Read a document; if its text is not found, a diagnostic says so."""
    source, lines = split_lines(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    text = _find_text(name, companions, diagnostics)
    return _BratBuilder(source, text, diagnostics, layers).build(lines)


def _find_text(name: str, companions: Companions | None, diagnostics: Diagnostics) -> str | None:
    own = PurePath(name).name.removesuffix(".ann") + ".txt"
    found = companions.find(own, beside=True) if companions else None
    if found is None:
        message = f"the text is not there: no file {own!r}"
        diagnostics.add(Code.DANGLING, 0, message)
        return None
    path, data = found
    try:
        text = decode(Source(data, detect_encoding(data)), path)
    except ReadError as error:
        diagnostics.add(Code.DANGLING, 0, f"its text cannot be read: {error}")
        return None
    return text.replace("\r\n", "\n")


class _BratBuilder:
    """Makes nouns of the lines."""

    def __init__(
        self, source: Lines, text: str | None, diagnostics: Diagnostics, layers: Layers
    ) -> None:
        self.source = source
        self.text = text
        self.diagnostics = diagnostics
        self.layers = layers
        self.nouns = Nouns()
        self.marks: dict[str, _Mark] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.described: dict[str, Line] = {}  # what attributes are of, with the first such line
        self.notes: dict[str, list[str]] = {}
        self.hidden: list[tuple[list[tuple[str, str]], Line]] = []  # notes that are nodes or links
        self.relations: list[tuple[str, str, dict[str, str], Line]] = []
        self.sets: list[tuple[list[str], Line]] = []

    def build(self, lines: Iterator[Line]) -> Document:
        """Make the document. An end may stand in a later line, so all lines are read first."""
        for line in lines:
            self._read_line(line)
        self._report_lost_attributes()
        of_trigger: dict[str, str] = {}
        for mark in self.marks.values():
            if mark.trigger:
                of_trigger.setdefault(mark.trigger, mark.id)
        linked = {
            of_trigger.get(end, end) for _, _, ends, _ in self.relations for end in ends.values()
        } | {of_trigger.get(end, end) for ends, _ in self.sets for end in ends}
        names = self._name_nodes(of_trigger, linked)
        for own, name in names.items():
            self._add(self.marks[own], name)
        self._report_readings()
        ends = {**names, **{t: names[e] for t, e in of_trigger.items() if e in names}}
        return assemble(
            self.nouns,
            [*self._make_links(ends), *self._make_sets(ends), *self._make_hidden()],
            self.diagnostics,
            format="brat",
            text=self.text or "",
            untyped=("SLINK",),
        )

    def _read_line(self, line: Line) -> None:
        own, _, rest = line.text.partition("\t")
        kind = own[:1]
        head, _, words = rest.partition("\t")
        parts = head.split()
        if kind == "T" and len(parts) > 1:
            self._add_mark(_Mark(own, parts[0], line, self._read_spans(parts, own, line), words))
        elif kind == "E" and parts and ":" in parts[0]:
            form, _, trigger = parts[0].partition(":")
            self._add_mark(_Mark(own, form, line, trigger=trigger))
            roles = dict(part.split(":", 1) for part in parts[1:] if ":" in part)
            self.attributes.setdefault(own, {}).update(roles)
        elif kind == "R" and parts:
            roles = dict(part.split(":", 1) for part in parts[1:] if ":" in part)
            self.relations.append((own, parts[0], roles, line))
        elif kind == "*" and parts:
            self.sets.append((parts[1:], line))
        elif kind in "AM" and len(parts) > 1:
            values = self.attributes.setdefault(parts[1], {})
            self.described.setdefault(parts[1], line)
            values.setdefault(_NAMES.get(parts[0].lower(), parts[0]), " ".join(parts[2:]) or "true")
        elif own.startswith("#") and len(parts) > 1:
            self._add_note(parts[1], words.strip(), line)
        elif kind == "N":
            self.nouns.skipped["N"] += 1
        else:
            message = f"{line.text[:80]!r} is no annotation of brat; it is left out"
            self.diagnostics.add(Code.MISSING_ATTRIBUTE, line.start, message)

    def _report_lost_attributes(self) -> None:
        """Report attributes of what the file does not define."""
        known = {*self.marks, *(own for own, _, _, _ in self.relations)}
        for own, line in self.described.items():
            if own not in known:
                message = f"an attribute is of {show(own)}, which the file does not define"
                self.diagnostics.add(Code.DANGLING, line.start, message)

    def _report_readings(self) -> None:
        """Report labels that mean something else in a corpus in this format, once each.

        What tlex has written has the meanings of TimeML; it has ids in notes.
        """
        found: dict[tuple[str, str], list[Line]] = {}
        for _, written, roles, line in self.relations:
            ends = [self.marks.get(roles.get(role, "")) for role in ("Arg1", "Arg2")]
            kinds = {
                "" if end is None or find_layer_kind(self.layers, end.type) == "time" else end.id[0]
                for end in ends
            }
            corpus = _CORPORA.get(kinds.pop(), "") if len(kinds) == 1 else ""
            label = written.strip().upper()
            other = READINGS.get(corpus, {}).get("TLINK", {}).get(label)
            if other is not None and LABELS["TLINK"].get(label, other) != other:
                found.setdefault((label, corpus), []).append(line)
        if found and any("id" in self._read_notes(own) for own in self.notes):
            return
        for (label, corpus), lines in found.items():
            number = count(len(lines), "link")
            message = f"{label} of {number} has its usual meaning, not that of {corpus}"
            hint = f"choose --labels {corpus}, or --labels timeml for the usual one"
            self.diagnostics.add(Code.OTHER_READING, lines[0].start, message, hint)

    def _add_note(self, end: str, note: str, line: Line) -> None:
        """Keep a note. It may be a node without words, or a link of one."""
        if note.startswith(("node=", "link=")) and _NOTES.fullmatch(note):
            found = [(key, unescape(value, _ENTITIES)) for key, value in _NOTE.findall(note)]
            if tuple(key for key, _ in found[: len(_HIDDEN[found[0][0]])]) == _HIDDEN[found[0][0]]:
                self.hidden.append((found, line))
                return
        self.notes.setdefault(end, []).append(note)

    def _add_mark(self, mark: _Mark) -> None:
        if mark.id in self.marks:
            message = f"the id {mark.id!r} is repeated; the first counts"
            self.diagnostics.add(Code.REPEATED_ID, mark.line.start, message)
        else:
            self.marks[mark.id] = mark

    def _read_spans(self, parts: list[str], own: str, line: Line) -> tuple[tuple[int, int], ...]:
        """Read ``Type 35 41;51 53``: several pieces are separated by semicolons."""
        written = " ".join(parts[1:])
        found = [_SPAN.fullmatch(piece) for piece in written.split(";")]
        spans = sorted((int(piece[1]), int(piece[2])) for piece in found if piece)
        most = len(self.text or "")
        if len(spans) == len(found) and all(first <= last for first, last in spans):
            if self.text is None:
                return ()
            if all(last <= most for _, last in spans):
                return tuple(spans)
        message = f"{show(own)} has span {written[:80]!r}, which the text has not"
        self.diagnostics.add(Code.DANGLING, line.start, message)
        return ()

    def _name_nodes(self, of_trigger: dict[str, str], linked: set[str]) -> dict[str, str]:
        """Choose the marks that are nodes, and find their ids, which may stand in a note."""
        names: dict[str, str] = {}
        used: set[str] = set()
        for mark in self.marks.values():
            kind = find_layer_kind(self.layers, mark.type)
            if mark.trigger:
                kind = kind or "event"
            elif mark.id in of_trigger:
                continue
            if kind is None and mark.id not in linked:
                self.nouns.skipped[mark.type] += 1
                continue
            own = self._read_notes(mark.id).get("id", "").strip() or mark.id
            names[mark.id] = own if own not in used and " " not in own else mark.id
            used.add(names[mark.id])
        return names

    def _read_notes(self, own: str) -> dict[str, str]:
        """Give the attributes in the notes on something."""
        found: dict[str, str] = {}
        for note in self.notes.get(own, ()):
            if _NOTES.fullmatch(note):
                found |= {key: unescape(value, _ENTITIES) for key, value in _NOTE.findall(note)}
        return found

    def _add(self, mark: _Mark, name: str) -> None:
        """Make a noun of a mark."""
        place = self.marks.get(mark.trigger, mark) if mark.trigger else mark
        if mark.trigger and mark.trigger not in self.marks:
            message = (
                f"{show(mark.id)} has trigger {mark.trigger!r}, which the file does not define"
            )
            self.diagnostics.add(Code.DANGLING, mark.line.start, message)
        given = {**self.attributes.get(mark.trigger, {}), **self.attributes.get(mark.id, {})}
        given |= {key: value for key, value in self._read_notes(mark.id).items() if key != "id"}
        is_time = find_layer_kind(self.layers, mark.type) == "time" and not mark.trigger
        free = [note for note in self.notes.get(mark.id, ()) if not _NOTES.fullmatch(note)]
        if is_time and free and _VALUE.fullmatch(free[0]):
            given.setdefault("value", free[0])
        if free and given.get("value") != free[0]:
            given.setdefault("comment", "; ".join(free))
        start, end = (place.spans[0][0], place.spans[-1][1]) if place.spans else (NOWHERE, NOWHERE)
        self._compare_words(place, name)
        noun = (name, given, mark.line.start, self.source, start, end)
        if is_time:
            self.nouns.timexes.append(Timex(*noun))
        else:
            self.nouns.events.append(Event(*noun))

    def _compare_words(self, mark: _Mark, name: str) -> None:
        """Keep the words that the text does not hold together, and report a difference."""
        pieces = [(self.text or "")[first:last] for first, last in mark.spans]
        if len(pieces) > 1 or not pieces:
            phrase = " ".join(pieces) if pieces else mark.words
            if phrase:
                self.nouns.phrases.setdefault(name, phrase)
        if pieces and mark.words.split() != " ".join(pieces).split():
            message = (
                f"{show(mark.id)} has the words {mark.words[:80]!r}, "
                f"and the text has {' '.join(pieces)[:80]!r} there"
            )
            self.diagnostics.add(Code.TEXT_AND_SPAN, mark.line.start, message)

    def _make_links(self, ends: dict[str, str]) -> Iterator[Link]:
        used: set[str] = set()
        for own, written, roles, line in self.relations:
            given = {**self.attributes.get(own, {}), **self._read_notes(own)}
            label, kind = find_kind(given.pop("relType", "") or written)
            if written in _KINDS:
                label, kind = "", written
            if given.get("kind") in _KINDS:
                kind = given.pop("kind")
            name = given.pop("id", "").strip() or own
            if name in used or " " in name:
                name = own
            used.add(name)
            source, target = roles.get("Arg1"), roles.get("Arg2")
            if kind in self.layers.turned:
                source, target = target, source
            yield Link(
                id=name,
                attributes=given,
                byte_start=line.start,
                file=self.source,
                kind=kind,
                type=label or None,
                source=None if source is None else ends.get(source, source),
                target=None if target is None else ends.get(target, target),
                weight=_read_weight(given),
            )

    def _make_hidden(self) -> Iterator[Link]:
        """Make the nodes without words, and their links."""
        for found, line in self.hidden:
            own, kind = found[0][1], found[1][1]
            given = dict(found[len(_HIDDEN[found[0][0]]) :])
            if found[0][0] == "link":
                label, source, target = (value for _, value in found[2:5])
                yield Link(
                    id=own,
                    attributes=given,
                    byte_start=line.start,
                    file=self.source,
                    kind=kind if kind in _KINDS else "TLINK",
                    type=find_label(kind, label) or label or None,
                    source=source or None,
                    target=target or None,
                    weight=_read_weight(given),
                )
                continue
            place = _SPAN.fullmatch(found[2][1])
            start, end = map(int, place.groups()) if place else (NOWHERE, NOWHERE)
            if not start <= end <= len(self.text or ""):
                start = end = NOWHERE
            phrase = given.pop("phrase", "")
            if phrase:
                self.nouns.phrases.setdefault(own, phrase)
            noun = (own, given, line.start, self.source, start, end)
            if kind == "Timex3":
                self.nouns.timexes.append(Timex(*noun))
            else:
                self.nouns.events.append(Event(*noun))

    def _make_sets(self, ends: dict[str, str]) -> Iterator[Link]:
        """Link neighbours of a set by IDENTITY."""
        for members, line in self.sets:
            number, _ = self.source.position(line.start)
            for place, (one, other) in enumerate(pairwise(members), 1):
                yield Link(
                    id=f"Equiv@{number}.{place}",
                    attributes={},
                    byte_start=line.start,
                    file=self.source,
                    kind="TLINK",
                    type="IDENTITY",
                    source=ends.get(one, one),
                    target=ends.get(other, other),
                )


def _read_weight(given: dict[str, str]) -> float | None:
    """Take the weight of a link out of its notes."""
    try:
        weight = float(given.get("weight", ""))
    except ValueError:
        return None
    if not isfinite(weight):
        return None
    del given["weight"]
    return weight
