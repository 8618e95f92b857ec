"""Reading Story Workbench files (``.sty``), as in ProppLearner and the N2 corpus.

A file has layers (``rep``), each with descriptions (``desc``) of a place in the text. The fields of
a description are separated by ``|``. Tokens have ids, and everything else names its words by the
ids of their tokens: ``5~6`` for neighbours, ``5,9`` for words with a gap.

Some files have lost the blanks at the ends of their lines, so the offsets no longer fit the text.
Walking the tokens shows where each blank was, and it is put back (reading R42).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tlex.algebra import find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Link, Signal, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.xml import XmlElement, find_root, list_elements, open_source
from tlex.source import NOWHERE, Source

__all__ = ["read_sty", "recognise_sty"]

_REP = re.compile(r"<rep\s[^<>]*\bid\s*=")
_TEXT = "edu.mit.story.char"
_TOKENS = "edu.mit.parsing.token"
_SENTENCES = "edu.mit.parsing.sentence"
_PARTS = "edu.mit.story.text"  # which part of the text is a comment, and which the story
_EVENTS = "edu.mit.semantics.rep.event"
_TIMES = "edu.mit.semantics.timex3"
_LINKS = "edu.mit.semantics.rep.timelink"
_USED = frozenset((_TEXT, _TOKENS, _SENTENCES, _EVENTS, _TIMES, _LINKS, _PARTS))
_EVENT_FIELDS = (
    *("class", "head", "extent", "pos", "tense", "aspect", "polarity", "negation"),
    *("cardinality", "cardinality tokens", "modal"),
)
_TIME_FIELDS = ("type", "mod", "extent")
_LINK_FIELDS = ("kind", "type", "source", "target", "signal")
_KINDS = {"TEMPORAL": "TLINK", "ASPECTUAL": "ALINK", "SUBORDINATING": "SLINK"}
_POLARITY = {"true": "POS", "false": "NEG"}
_QUOTES = {"``": '"', "''": '"', "`": "'", "-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}"}
"""How the tokens write what is otherwise in the text."""
_NUMBER = re.compile(r"\d{1,9}")


class _Token(NamedTuple):
    """A word, and where the file says that it stands."""

    word: str
    start: int
    end: int


class _Extent(NamedTuple):
    """Where the tokens of an annotation begin and end, and its words if the text lacks them."""

    start: int = NOWHERE
    end: int = NOWHERE
    phrase: str = ""


def recognise_sty(head: str) -> bool:
    """Whether the beginning of a file looks like a Story Workbench file: root ``story``."""
    return find_root(head) == "story" and _REP.search(head) is not None


def read_sty(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a document; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    layers: dict[str, list[XmlElement]] = {layer: [] for layer in _USED}
    nouns = Nouns()
    for element in list_elements(source, diagnostics, encoding):
        if element.name == "desc" and element.parent is not None and element.parent.name == "rep":
            layer = element.parent.attributes.get("id", "")
            if layer in layers:
                layers[layer].append(element)
            else:
                nouns.skipped[layer] += 1
    return _StyBuilder(source, layers, nouns, diagnostics).build()


class _StyBuilder:
    """Makes nouns of the descriptions."""

    def __init__(
        self,
        source: Source,
        layers: dict[str, list[XmlElement]],
        nouns: Nouns,
        diagnostics: Diagnostics,
    ) -> None:
        self.source = source
        self.layers = layers
        self.nouns = nouns
        self.diagnostics = diagnostics
        self.tokens: dict[str, _Token] = {}
        self.text = ""
        self.fits = True  # the offsets are those of the text

    def build(self) -> Document:
        """Make the document."""
        self._read_text()
        for row in self.layers[_EVENTS]:
            self._add_event(row)
        for row in self.layers[_TIMES]:
            self._add_time(row)
        return assemble(
            self.nouns,
            list(self._make_links()),
            self.diagnostics,
            format="sty",
            text=self.text,
            untyped=("SLINK",),
            sentences=self._find_sentences(),
        )

    def _read_text(self) -> None:
        """Read the text and the tokens, and put back the blanks that the file has lost."""
        texts = self.layers[_TEXT]
        if not texts:
            message = f"there is no text: no desc in the layer {_TEXT!r}"
            self.diagnostics.add(Code.MISSING_ATTRIBUTE, 0, message)
        for row in texts[1:]:
            message = "there is a second text; the first counts"
            self.diagnostics.add(Code.REPEATED_ID, row.start, message)
        text = texts[0].text[1:-1] if texts else ""
        length = _read_number(texts[0], "len") if texts else None
        for row in self.layers[_TOKENS]:
            start, size = _read_number(row, "off"), _read_number(row, "len")
            name = row.attributes.get("id", "").strip()
            if start is None or size is None or not name:
                message = "token has no id, off or len, and nothing can be anchored to it"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, row.start, message)
            elif name in self.tokens:
                message = f"token repeats the id {name!r}; the first counts"
                self.diagnostics.add(Code.REPEATED_ID, row.start, message)
            else:
                self.tokens[name] = _Token(row.text, start, start + size)
        self.text = _restore_blanks(text, self.tokens.values(), length or 0)
        if texts and len(self.text) != length:
            self.fits = False
            message = (
                f"the text has {len(self.text):,} characters where the file says "
                f"{texts[0].attributes.get('len', 'nothing')[:20]!r}; where tokens do not fit it, "
                "their words are used"
            )
            self.diagnostics.add(Code.DANGLING, texts[0].start, message)

    def _find_sentences(self) -> list[tuple[int, int]]:
        found = []
        for row in self.layers[_SENTENCES]:
            start, size = _read_number(row, "off"), _read_number(row, "len")
            if start is not None and size is not None and start + size <= len(self.text):
                found.append((start, start + size))
            else:
                message = "a sentence is not inside the text; it is left out"
                self.diagnostics.add(Code.DANGLING, row.start, message)
        return found

    def _add_event(self, row: XmlElement) -> None:
        fields = self._read_fields(row, "event", _EVENT_FIELDS)
        if fields is None:
            return
        extent = self._find_extent(row, fields["extent"])
        polarity = fields["polarity"]
        attributes = {key: fields[key] for key in ("class", "pos", "tense", "aspect")}
        attributes["polarity"] = _POLARITY.get(polarity.lower(), polarity)
        attributes["cardinality"] = fields["cardinality"]
        modal = self._find_extent(row, fields["modal"])
        attributes["modality"] = modal.phrase or self.text[modal.start : modal.end]
        given = {key: value for key, value in attributes.items() if value}
        own = row.attributes["id"].strip()
        self._keep_phrase(own, extent)
        event = Event(own, given, row.start, self.source, extent.start, extent.end)
        self.nouns.events.append(event)

    def _add_time(self, row: XmlElement) -> None:
        fields = self._read_fields(row, "time", _TIME_FIELDS)
        if fields is None:
            return
        extent = self._find_extent(row, fields["extent"])
        attributes = {key: fields[key] for key in ("type", "mod")}
        given = {key: value for key, value in attributes.items() if value and value != "NONE"}
        own = row.attributes["id"].strip()
        self._keep_phrase(own, extent)
        time = Timex(own, given, row.start, self.source, extent.start, extent.end)
        self.nouns.timexes.append(time)

    def _make_links(self) -> Iterator[Link]:
        signals: set[str] = set()
        for row in self.layers[_LINKS]:
            fields = self._read_fields(row, "link", _LINK_FIELDS)
            if fields is None:
                continue
            kind = _KINDS.get(fields["kind"].upper())
            if kind is None:
                message = (
                    f"link {show(row.attributes['id'].strip())} is of kind "
                    f"{fields['kind'][:80]!r}, not {', '.join(_KINDS)}; it is left out"
                )
                self.diagnostics.add(Code.UNKNOWN_TYPE, row.start, message)
                continue
            signal = fields["signal"]
            if signal and signal not in signals:
                signals.add(signal)
                self._add_signal(row, signal)
            yield Link(
                id=row.attributes["id"].strip(),
                attributes={},
                byte_start=row.start,
                file=self.source,
                kind=kind,
                type=find_label(kind, fields["type"]) or fields["type"] or None,
                source=fields["source"] or None,
                target=fields["target"] or None,
                signal=signal or None,
            )

    def _add_signal(self, row: XmlElement, written: str) -> None:
        """Make a signal of the tokens that a link names; they are its id, too."""
        extent = self._find_extent(row, written)
        signal = Signal(written, {}, row.start, self.source, extent.start, extent.end)
        self.nouns.signals.append(signal)

    def _read_fields(
        self, row: XmlElement, what: str, names: tuple[str, ...]
    ) -> dict[str, str] | None:
        """Give the fields of a description by name; report one without an id or with too few."""
        fields = [field.strip() for field in row.text.split("|")]
        problem = ""
        if not row.attributes.get("id", "").strip():
            problem = "has no id"
        elif len(fields) < len(names):
            problem = f"has {len(fields)} fields in place of {len(names)}"
        if problem:
            message = f"{what} {row.text.strip()[:80]!r} {problem}; it is left out"
            self.diagnostics.add(Code.MISSING_ATTRIBUTE, row.start, message)
            return None
        return dict(zip(names, fields, strict=False))

    def _find_extent(self, row: XmlElement, written: str) -> _Extent:
        """Find the tokens of an extent; their words if the text does not hold them together."""
        pieces = []
        for piece in written.split(",") if written else ():
            found = []
            for name in map(str.strip, piece.split("~")):
                token = self.tokens.get(name)
                if token is None:
                    message = (
                        f"{show(row.attributes['id'].strip())} names token {name[:80]!r}, "
                        "which the document does not define"
                    )
                    self.diagnostics.add(Code.DANGLING, row.start, message)
                else:
                    found.append(token)
            if found:
                pieces.append(found)
        if not pieces:
            return _Extent()
        tokens = [token for piece in pieces for token in piece]
        start, end = min(t.start for t in tokens), max(t.end for t in tokens)
        inside = end <= len(self.text)
        if inside and (self.fits or all(_stands(self.text, t, t.start) for t in tokens)):
            words = [self.text[min(t.start for t in p) : max(t.end for t in p)] for p in pieces]
            return _Extent(start, end, "" if len(pieces) == 1 else " ".join(words))
        words = [_QUOTES.get(token.word, token.word).strip() for token in tokens]
        return _Extent(*((start, end) if inside else (NOWHERE, NOWHERE)), " ".join(words))

    def _keep_phrase(self, own: str, extent: _Extent) -> None:
        if extent.phrase:
            self.nouns.phrases.setdefault(own, extent.phrase)


def _read_number(row: XmlElement, key: str) -> int | None:
    written = row.attributes.get(key, "").strip()
    return int(written) if _NUMBER.fullmatch(written) else None


def _restore_blanks(text: str, tokens: Iterable[_Token], length: int) -> str:
    """Put back the blanks at the ends of lines, if the text is shorter than it was.

    Where a token does not stand at its offset, a blank is missing before the last newline ahead of
    it. Linear: nothing is inserted until all places are known.
    """
    missing = length - len(text)
    if missing <= 0:
        return text
    newlines = [found.start() for found in re.finditer("\n", text)]
    places: list[int] = []
    for token in sorted(tokens, key=lambda token: token.start):
        at = token.start - len(places)
        if _stands(text, token, at) or len(places) == missing or not _stands(text, token, at - 1):
            continue
        number = bisect_left(newlines, at - 1)
        if number and newlines[number - 1] >= (places[-1] if places else 0):
            places.append(newlines[number - 1])
    parts = []
    before = 0
    for place in places:
        parts.append(text[before:place])
        before = place
    return " ".join([*parts, text[before:]])


def _stands(text: str, token: _Token, at: int) -> bool:
    """Whether a token stands at a place in the text."""
    if at < 0:
        return False
    found = text[at : at + token.end - token.start]
    return found in (token.word, _QUOTES.get(token.word))
