"""Reading MAE's XML, as in i2b2 2012 and class projects: ``TEXT``, then ``TAGS`` with elements.

Every task names its own elements. One with ``fromID`` or ``toID`` is a link; which others are
events and times is a setting (`tlex.readers.layers`). What a link names is an event if it is
nothing else. A link without a label is not annotated yet. In i2b2 ``sec_time_rel`` relates an event
to the time of its section (reading R52).
"""

from __future__ import annotations

import re
from bisect import bisect_right

from tlex.algebra import find_label
from tlex.caching import cached_property
from tlex.document import Document
from tlex.errors import NotRecognisedError, NotWellFormedError, RefusedError
from tlex.markup import Markup
from tlex.nouns import Code, Event, Link, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.document_time import TimeRelation, relate_to_document_time
from tlex.readers.layers import DEFAULT_LAYERS, Layers, LinkLayer, find_layer_kind
from tlex.readers.xml import XmlElement, find_root, list_elements, open_source
from tlex.source import NOWHERE

__all__ = ["read_mae", "recognise_mae"]

_OTHER_ROOTS = frozenset(("TimeML", "TempEval", "Document", "data", "story"))
_TEXT = re.compile(r"<TEXT>\s*<!\[CDATA\[|<TEXT[\s>].*<TAGS[\s>/]", re.DOTALL)
_PIECE = re.compile(r"\s*(-?\d{1,9})\s*~\s*(-?\d{1,9})\s*")
_NUMBER = re.compile(r"\d{1,9}")
_KINDS = ("TLINK", "ALINK", "SLINK", "GLINK", "CLINK")
_LABELS = ("type", "relType", "relationship")
_NAMES = {"val": "value", "dvalue": "value", "category": "class"}
_PLACES = frozenset(("id", "start", "end", "spans", "text"))
_REAL = frozenset(("FACTUAL", "ACTUAL"))
"""Modality of events that happened, which is none in TimeML."""
_UNTYPED = ("TLINK", "SLINK", "ALINK")
_SECTION_RELATION = "sec_time_rel"
_HEADING = re.compile(r"^([^\n:]{1,100}):", re.MULTILINE)
_SMALL = frozenset(("of", "and", "by", "the", "in", "on", "for", "at", "to"))
_SECTIONS = {"HISTORY": "ADMISSION", "COURSE": "DISCHARGE"}
"""The time of a section, by a word in its heading."""
_BARE = re.compile(
    rb"<!\[CDATA\[.*?\]\]>|<!--.*?-->|(&)(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)",
    re.DOTALL,
)
_STAND_INS = "\x7f^`~|@$%"
_LOOK_AT, _FAR, _MARKS = 3, 100, 300
"""How many words are looked for, how far away, and by how many a shift is judged."""


def recognise_mae(head: str) -> bool:
    """Whether the beginning of a file looks like MAE: a TEXT right below any root, and TAGS."""
    root = find_root(head)
    return root is not None and root not in _OTHER_ROOTS and _TEXT.search(head) is not None


def read_mae(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    layers: Layers = DEFAULT_LAYERS,
) -> Document:
    """Read a document; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    text, tags = "", []
    for element in _parse(source, diagnostics, encoding):
        above = element.parent
        if above is not None and above.parent is None and element.name == "TEXT":
            text = text or element.text
        elif above is not None and above.name == "TAGS":
            tags.append(element)
    if not text.strip() and not tags:
        message = "no reader recognises this file: it has the form of MAE's format, and no content"
        raise NotRecognisedError(message, name=name, line=1, column=1)
    return _MaeBuilder(source, text, tags, diagnostics, layers).build()


def _parse(source: Markup, diagnostics: Diagnostics, encoding: str | None) -> list[XmlElement]:
    """List the elements. A bare ``&`` makes a file of i2b2 broken XML, and is read as it stands."""
    try:
        return list_elements(source, diagnostics, encoding)
    except (NotWellFormedError, RefusedError):
        bare = [each.start() for each in _BARE.finditer(source.data) if each[1]]
        absent = [one for one in _STAND_INS if one.encode() not in source.data]
        if not bare or not absent or source.encoding.startswith("utf-16"):
            raise
    diagnostics.clear()  # of the first attempt
    stand_in = absent[0]  # one byte for another, so that all places stay
    data = bytearray(source.data)
    for place in bare:
        data[place] = ord(stand_in)
    found = list_elements(Markup(bytes(data), source.encoding), diagnostics, encoding)
    for element in found:
        element.parts = [part.replace(stand_in, "&") for part in element.parts]
        element.attributes = {
            key: value.replace(stand_in, "&") for key, value in element.attributes.items()
        }
    message = "the file is not well-formed XML: a bare '&', which is read as it stands"
    if len(bare) > 1:
        message = message.replace("a bare '&', which is", f"{len(bare):,} bare '&', which are")
        message = message.replace("as it stands", "as they stand")
    diagnostics.add(Code.UNEXPANDED_ENTITY, bare[0], message, "write &amp;")
    return found


class _MaeBuilder:
    """Makes nouns of the tags."""

    def __init__(
        self,
        source: Markup,
        text: str,
        tags: list[XmlElement],
        diagnostics: Diagnostics,
        layers: Layers,
    ) -> None:
        self.source = source
        self.text = text
        self.tags = tags
        self.diagnostics = diagnostics
        self.layers = layers
        self.nouns = Nouns()
        self.shift = 0
        self.sections: dict[str, str] = {}  # the times of sections, by their types

    def build(self) -> Document:
        """Make the document."""
        rows = [tag for tag in self.tags if self._is_link(tag)]
        ends = {tag.attributes.get(key, "").strip() for tag in rows for key in self._name_ends(tag)}
        marks = self._find_marks(ends)
        self.shift = self._find_shift([tag for tag, _, _ in marks])
        for tag, own, kind in marks:
            self._add(tag, own, kind)
        known = {own for _, own, _ in marks}
        links = [self._make_link(tag, known) for tag in rows]
        links += self._relate_to_times(marks)
        return assemble(
            self.nouns,
            links,
            self.diagnostics,
            format="mae",
            text=self.text,
            untyped=_UNTYPED,
        )

    def _find_marks(self, ends: set[str]) -> list[tuple[XmlElement, str, str]]:
        """Find the tags that are nodes, with their ids and kinds."""
        marks = []
        for tag in self.tags:
            if self._is_link(tag):
                continue
            own = tag.attributes.get("id", "").strip()
            kind = find_layer_kind(self.layers, tag.name) or ("event" if own in ends else None)
            if kind is None or tag.name in self.layers.links:
                self.nouns.skipped[tag.name] += 1
            elif not own:
                message = f"{tag.name} has no id and takes no part"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, tag.start, message)
            else:
                marks.append((tag, own, kind))
                if tag.name == "SECTIME":
                    form = tag.attributes.get("type", "").strip().upper()
                    self.sections.setdefault(form, own)
        return marks

    def _make_link(self, tag: XmlElement, known: set[str]) -> Link:
        """Make a link. An end may be the word Admission or Discharge in place of an id."""
        setting = self.layers.links.get(tag.name, LinkLayer(kind=""))
        kind = setting.kind or (tag.name if tag.name in _KINDS else "TLINK")
        ends: list[str | None] = []
        for key in self._name_ends(tag):
            written = tag.attributes.get(key, "").strip()
            if written not in known and written.upper() in _SECTIONS.values():
                written = self._find_section(written.upper(), tag.start)
            ends.append(written or None)
        if setting.turned or kind in self.layers.turned:
            ends.reverse()
        label = self._find_label(tag, setting)
        return Link(
            id=tag.attributes.get("id", "").strip(),
            attributes={},
            byte_start=tag.start,
            file=self.source,
            kind=kind,
            type=find_label(kind, label) or label or None,
            source=ends[0],
            target=ends[1],
        )

    def _is_link(self, tag: XmlElement) -> bool:
        setting = self.layers.links.get(tag.name)
        if setting is not None:
            return bool(setting.kind)
        return "fromID" in tag.attributes or "toID" in tag.attributes

    def _name_ends(self, tag: XmlElement) -> tuple[str, str]:
        setting = self.layers.links.get(tag.name, LinkLayer())
        return setting.source or "fromID", setting.target or "toID"

    def _find_label(self, tag: XmlElement, setting: LinkLayer) -> str:
        keys = (setting.label,) if setting.label else _LABELS
        found = (tag.attributes.get(key, "").strip() for key in keys)
        return next(filter(None, found), "")

    def _find_section(self, form: str, start: int) -> str:
        """Find the id of a section's time. If the file has none, it is made up and reported."""
        if form not in self.sections:
            taken = {noun.id for noun in (*self.nouns.events, *self.nouns.timexes)}
            name = form
            while name in taken:
                name += "'"
            message = (
                f"the time of {form.lower()} is named, and no SECTIME has it; "
                f"it takes part as {name!r}, without a value"
            )
            self.diagnostics.add(Code.NO_CREATION_TIME, start, message)
            given = {"type": "DATE", "section": form}
            self.nouns.timexes.append(Timex(name, given, start, self.source, NOWHERE, NOWHERE))
            self.sections[form] = name
        return self.sections[form]

    def _relate_to_times(self, marks: list[tuple[XmlElement, str, str]]) -> list[Link]:
        """Make links of what events say of themselves, to the times of section and document."""
        feature = self.layers.time_relation
        if not feature:
            return []
        places = {event.id: event.text_start for event in self.nouns.events}
        to_document: list[TimeRelation] = []
        by_section: dict[str, list[TimeRelation]] = {}
        for tag, own, kind in marks:
            said = tag.attributes.get(feature, "").strip()
            if kind == "event" and said:
                to_document.append(TimeRelation(own, said, tag.start))
            said = tag.attributes.get(_SECTION_RELATION, "").strip()
            if kind == "event" and said and feature != _SECTION_RELATION:
                form = self._find_section_at(places[own])
                by_section.setdefault(form, []).append(TimeRelation(own, said, tag.start))
        links = []
        for form, relations in by_section.items():
            time = self._find_section(form, relations[0].start)
            links += relate_to_document_time(
                relations, self.nouns, time, self.diagnostics, _SECTION_RELATION
            )
        links.sort(key=lambda link: link.byte_start)
        return links + relate_to_document_time(
            to_document, self.nouns, None, self.diagnostics, feature
        )

    @cached_property
    def _headings(self) -> list[tuple[int, str]]:
        """Where sections begin, and which time they have. The head of a text is a history."""
        found = [(NOWHERE, "HISTORY")]
        for line in _HEADING.finditer(self.text):
            words = line[1].split()
            if all(not word[0].islower() or word in _SMALL for word in words):
                known = [word for word in map(str.upper, words) if word in _SECTIONS]
                found += [(line.start(), word) for word in known[:1]]
        return found

    def _find_section_at(self, place: int) -> str:
        before = bisect_right(self._headings, place, key=lambda each: each[0])
        return _SECTIONS[self._headings[max(before - 1, 0)][1]]

    def _find_shift(self, tags: list[XmlElement]) -> int:
        """Find the constant shift with which most words stand where the file says."""
        told = [(_read_spans(tag), _clean(tag.attributes.get("text", ""))) for tag in tags]
        sound = [(spans, words) for spans, words in told if spans and words][:_MARKS]

        def count(shift: int) -> int:
            return sum(self._words(spans, shift) == words for spans, words in sound)

        unshifted = count(0)
        if unshifted == len(sound):
            return 0
        shifts = {1, -1}
        for spans, words in sound[:_LOOK_AT]:
            piece = words.split()[0]
            first = spans[0][0]
            near = self.text[max(first - _FAR, 0) : first + _FAR]
            for each in re.finditer(re.escape(piece), near):
                shifts.add(each.start() + max(first - _FAR, 0) - first)
        fits, best = max((count(one), -abs(one), one) for one in shifts)[::2]
        return best if fits > max(unshifted, len(sound) // 2) else 0

    def _words(self, spans: list[tuple[int, int]] | None, shift: int) -> str:
        if spans is None or any(first + shift < 0 for first, _ in spans):
            return ""
        return _clean(" ".join(self.text[a + shift : b + shift] for a, b in spans))

    def _add(self, tag: XmlElement, own: str, kind: str) -> None:
        """Make a noun of a tag."""
        spans = _read_spans(tag)
        words = _clean(tag.attributes.get("text", ""))
        start = end = NOWHERE
        if spans is None or any(
            not 0 <= first + self.shift <= last + self.shift <= len(self.text)
            for first, last in spans
        ):
            message = f"{tag.name} {show(own)} has a span that the text has not"
            self.diagnostics.add(Code.DANGLING, tag.start, message)
            spans = []
        if spans:
            start, end = spans[0][0] + self.shift, spans[-1][1] + self.shift
            there = self._words(spans, self.shift)
            if words and there != words:
                message = (
                    f"{tag.name} {show(own)} has the words {words[:80]!r}, "
                    f"and the text has {there[:80]!r} there"
                )
                self.diagnostics.add(Code.TEXT_AND_SPAN, tag.start, message)
        if words and (not spans or len(spans) > 1 or there != words):
            self.nouns.phrases.setdefault(own, words)
        given = {
            _NAMES.get(key, key): value
            for key, value in tag.attributes.items()
            if key not in _PLACES and value
        }
        if kind == "event" and given.get("modality", "").upper() in _REAL:
            given["contextualModality"] = given.pop("modality")
        if kind == "time":
            if tag.name == "SECTIME":
                given |= {"type": "DATE", "section": tag.attributes.get("type", "")}
            self.nouns.timexes.append(Timex(own, given, tag.start, self.source, start, end))
        else:
            self.nouns.events.append(Event(own, given, tag.start, self.source, start, end))


def _clean(words: str) -> str:
    """Give words with one blank between two, also between pieces and at the end of a line."""
    return " ".join(words.replace(" ... ", " ").split())


def _read_spans(tag: XmlElement) -> list[tuple[int, int]] | None:
    """Read ``start`` and ``end``, or ``spans``; empty if there is no text, None if it is wrong."""
    written = tag.attributes.get("spans")
    if written is None:
        ends = [tag.attributes.get(key, "").strip() for key in ("start", "end")]
        if ends in (["", ""], ["-1", "-1"]):
            return []
        if not all(map(_NUMBER.fullmatch, ends)):
            return None
        return [(int(ends[0]), int(ends[1]))]
    found = [_PIECE.fullmatch(piece) for piece in written.split(",")] if written.strip() else []
    spans = sorted((int(piece[1]), int(piece[2])) for piece in found if piece)
    if len(spans) < len(found):
        return None
    return [] if spans == [(-1, -1)] else spans
