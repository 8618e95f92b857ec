"""Reading MAE's XML, as in i2b2 2012 and class projects: ``TEXT``, then ``TAGS`` with elements.

Every task names its own elements. One with ``fromID`` and ``toID`` is a link; which others are
events and times is a setting (`tlex.readers.layers`). What a link names is an event if it is
nothing else. A link without a label is not annotated yet (reading R52).
"""

from __future__ import annotations

import re

from tlex.algebra import find_label
from tlex.document import NOWHERE, Code, Document, Event, Link, Source, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.layers import DEFAULT_LAYERS, Layers, LinkLayer, find_layer_kind
from tlex.readers.xml import XmlElement, find_root, list_elements, open_source

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
_SHIFTS = (0, 1, -1)
_UNTYPED = ("TLINK", "SLINK", "ALINK")


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
    for element in list_elements(source, diagnostics, encoding):
        above = element.parent
        if above is not None and above.parent is None and element.name == "TEXT":
            text = text or element.text
        elif above is not None and above.name == "TAGS":
            tags.append(element)
    return _MaeBuilder(source, text, tags, diagnostics, layers).build()


class _MaeBuilder:
    """Makes nouns of the tags."""

    def __init__(
        self,
        source: Source,
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

    def build(self) -> Document:
        """Make the document."""
        rows = [tag for tag in self.tags if self._is_link(tag)]
        ends = {tag.attributes.get(key, "") for tag in rows for key in ("fromID", "toID")}
        marks = []
        sections: dict[str, str] = {}
        for tag in self.tags:
            if self._is_link(tag):
                continue
            own = tag.attributes.get("id", "").strip()
            kind = find_layer_kind(self.layers, tag.name) or ("event" if own in ends else None)
            if kind is None:
                self.nouns.skipped[tag.name] += 1
            elif not own:
                message = f"{tag.name} has no id and takes no part"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, tag.start, message)
            else:
                marks.append((tag, own, kind))
                if tag.name == "SECTIME":
                    sections.setdefault(tag.attributes.get("type", "").strip().upper(), own)
        self.shift = self._find_shift([tag for tag, _, _ in marks])
        for tag, own, kind in marks:
            self._add(tag, own, kind)
        known = {own for _, own, _ in marks}

        def find_end(written: str) -> str | None:
            """An end may be the word Admission or Discharge in place of an id."""
            written = written.strip()
            if written not in known:
                return sections.get(written.upper(), written) or None
            return written

        links = []
        for tag in rows:
            setting = self.layers.links.get(tag.name, LinkLayer(kind=""))
            kind = setting.kind or (tag.name if tag.name in _KINDS else "TLINK")
            ends_of = [find_end(tag.attributes.get(key, "")) for key in ("fromID", "toID")]
            if setting.turned or kind in self.layers.turned:
                ends_of.reverse()
            label = self._find_label(tag, setting)
            links.append(
                Link(
                    id=tag.attributes.get("id", "").strip(),
                    attributes={},
                    byte_start=tag.start,
                    file=self.source,
                    kind=kind,
                    type=find_label(kind, label) or label or None,
                    source=ends_of[0],
                    target=ends_of[1],
                )
            )
        return assemble(
            self.nouns,
            links,
            self.diagnostics,
            format="mae",
            text=self.text,
            untyped=_UNTYPED,
        )

    def _is_link(self, tag: XmlElement) -> bool:
        return "fromID" in tag.attributes and "toID" in tag.attributes

    def _find_label(self, tag: XmlElement, setting: LinkLayer) -> str:
        keys = (setting.label,) if setting.label else _LABELS
        found = (tag.attributes.get(key, "").strip() for key in keys)
        return next(filter(None, found), "")

    def _find_shift(self, tags: list[XmlElement]) -> int:
        """Find the constant shift with which most words stand where the file says."""
        told = [(_read_spans(tag), _clean(tag.attributes.get("text", ""))) for tag in tags]

        def count(shift: int) -> int:
            return sum(bool(spans) and self._words(spans, shift) == words for spans, words in told)

        return max(_SHIFTS, key=lambda shift: (count(shift), -abs(shift)))

    def _words(self, spans: list[tuple[int, int]] | None, shift: int) -> str:
        if spans is None or any(first + shift < 0 for first, _ in spans):
            return ""
        return " ".join(self.text[a + shift : b + shift] for a, b in spans).strip()

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
        if words and (not spans or len(spans) > 1 or self._words(spans, self.shift) != words):
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
    """Give words whose pieces are joined by a blank, as in the text."""
    return " ".join(piece.strip() for piece in words.split(" ... "))


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
