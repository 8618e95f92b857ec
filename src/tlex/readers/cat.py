"""Reading CAT XML, as in MEANTIME, EventStoryLine, ECB+ and the CAT release of Causal-TimeBank.

A file has a list of tokens, then markables anchored to tokens, then relations between markables.
The text is the tokens, with a blank between two and a line for each sentence. Nodes are mentions of
events and times; coreference never merges them (reading R27). A mention of an instance that the
whole corpus shares has its ``instance_id`` (R45). Ids are in ``t_id``, ``m_id`` and ``r_id``, or in
plain ``id``.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple
from xml.parsers import expat

from tlex.algebra import find_label
from tlex.document import Document
from tlex.errors import TooLargeError
from tlex.nouns import Code, Event, Link, Signal, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.xml import (
    MAX_ATTRIBUTE,
    MAX_DEPTH,
    check_element,
    find_root,
    make_doctype_handler,
    open_source,
    refuse,
    run_parser,
)
from tlex.source import NOWHERE, Source

__all__ = ["read_cat", "recognise_cat"]

_TOKEN = re.compile(r"<token\s[^<>]*\b(?:t_)?id\s*=|<Markables[\s>/]")
_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_SIGNALS = frozenset(("SIGNAL", "C-SIGNAL"))
_EVENT = re.compile(r"EVENT(?:_MENTION)?|(?:NEG_)?ACTION_\w+")
_TIME = re.compile(r"TIMEX3|TIME_\w+")
_TIME_TYPES = {
    "TIME_DATE": "DATE",
    "TIME_OF_THE_DAY": "TIME",
    "TIME_DURATION": "DURATION",
    "TIME_REPETITION": "SET",
}
_UNTYPED = frozenset(("SLINK",))
_COREFERENCE = frozenset(("REFERS_TO", "CROSS_DOC_COREF"))
_INSTANCE = "instance_id"
_OWN_NAMES = frozenset(("EVENT", "EVENT_MENTION", "TIMEX3"))


class _Element(NamedTuple):
    """A markable with its tokens, or a relation with its sources and targets."""

    name: str
    attributes: dict[str, str]
    start: int
    tokens: list[str]
    sources: list[str]
    targets: list[str]


class _CatFile:
    """What the parser found: tokens, markables and relations, in the order of the file."""

    def __init__(self) -> None:
        self.tokens: dict[str, int] = {}
        self.sentences: list[str] = []
        self.words: list[list[str]] = []
        self.markables: list[_Element] = []
        self.relations: list[_Element] = []

    def begin_token(
        self, attributes: dict[str, str], start: int, diagnostics: Diagnostics
    ) -> list[str]:
        """Note a token; the caller adds its words to the list that is returned."""
        name = _own_id(attributes, "t_id")
        if not name:
            message = "token has no t_id, and nothing can be anchored to it"
            diagnostics.add(Code.MISSING_ATTRIBUTE, start, message)
        elif name in self.tokens:
            message = f"token repeats the id {name!r}; the first counts"
            diagnostics.add(Code.REPEATED_ID, start, message)
        else:
            self.tokens[name] = len(self.words)
        self.sentences.append(attributes.get("sentence", ""))
        self.words.append([])
        return self.words[-1]


class _Text(NamedTuple):
    """The text that the tokens make, where each token stands in it, and each sentence."""

    text: str
    starts: list[int]
    ends: list[int]
    sentences: list[tuple[int, int]]


class _TextSpan(NamedTuple):
    """Where a markable begins and ends in the text, and its words if they have a gap."""

    start: int = NOWHERE
    end: int = NOWHERE
    phrase: str | None = None


def recognise_cat(head: str) -> bool:
    """Whether the beginning of a file looks like CAT XML: tokens, or the list of markables."""
    return find_root(head) == "Document" and _TOKEN.search(head) is not None


def read_cat(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a document in CAT XML; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    content = _parse(source, diagnostics, encoding)
    return _CatBuilder(source, content, diagnostics).build()


def _parse(source: Source, diagnostics: Diagnostics, encoding: str | None) -> _CatFile:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.specified_attributes = True
    content = _CatFile()
    careful = len(source.data) > MAX_ATTRIBUTE
    sections = {"Markables": content.markables, "Relations": content.relations}
    nothing: list[str] = []
    depth = 0
    section: list[_Element] | None = None
    current: _Element | None = None
    level = below = 0  # the depth of the section, and of the markable or relation in it
    inside: list[str] = nothing  # the words of the token that is open

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal depth, section, current, level, below, inside
        depth += 1
        if depth > MAX_DEPTH or careful:
            too_large = check_element(element, attributes, depth)
            if too_large:
                refuse(too_large, parser, source, diagnostics, TooLargeError)
        if current is not None:
            _add_reference(current, element, attributes)
        elif section is not None:
            current = _Element(element, attributes, parser.CurrentByteIndex, [], [], [])
            section.append(current)
            below = depth
        elif element == "token":
            inside = content.begin_token(attributes, parser.CurrentByteIndex, diagnostics)
            parser.CharacterDataHandler = inside.append
        elif element in sections:
            section, level = sections[element], depth

    def end(element: str) -> None:
        nonlocal depth, section, current, inside
        if current is not None:
            current = current if depth > below else None
        elif section is not None:
            section = section if depth > level else None
        elif element == "token":
            parser.CharacterDataHandler = None
            inside = nothing
        depth -= 1

    def add(text: str) -> None:
        inside.append(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = make_doctype_handler(parser, source, add, diagnostics)
    run_parser(parser, source, diagnostics)
    return content


def _add_reference(current: _Element, element: str, attributes: dict[str, str]) -> None:
    """Note what stands inside a markable or a relation."""
    if element == "token_anchor":
        current.tokens.append(_own_id(attributes, "t_id"))
    elif element == "source":
        current.sources.append(_own_id(attributes, "m_id"))
    elif element == "target":
        current.targets.append(_own_id(attributes, "m_id"))


def _own_id(attributes: dict[str, str], key: str) -> str:
    return (attributes.get(key) or attributes.get("id") or "").strip()


def _write_text(content: _CatFile) -> _Text:
    """Make the text: tokens with a blank between two, and each sentence on its own line."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    before: str | None = None
    for parts, sentence in zip(content.words, content.sentences, strict=True):
        if before is not None:
            pieces.append(" " if sentence == before else "\n")
            at += 1
        word = "".join(parts)
        pieces.append(word)
        starts.append(at)
        at += len(word)
        ends.append(at)
        before = sentence
    return _Text("".join(pieces), starts, ends, _find_sentences(content, starts, ends))


def _find_sentences(content: _CatFile, starts: list[int], ends: list[int]) -> list[tuple[int, int]]:
    """Find the runs of tokens that have the same number of a sentence."""
    found = []
    for sentence, run in groupby(range(len(starts)), content.sentences.__getitem__):
        first, *others = run
        if sentence:
            found.append((starts[first], ends[others[-1] if others else first]))
    return found


class _CatBuilder:
    """Makes nouns of the markables and relations."""

    def __init__(self, source: Source, content: _CatFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.content = content
        self.diagnostics = diagnostics
        self.text = _write_text(content)
        self.nouns = Nouns()
        self.shared = _find_shared(content)

    def build(self) -> Document:
        """Make the document."""
        relations = []
        linked: set[str] = set()
        for row in self.content.relations:
            if row.name in _LINKS:
                relations.append(row)
                linked.update(row.sources, row.targets)
            else:
                self.nouns.skipped[row.name] += 1
        for row in self.content.markables:
            name = _own_id(row.attributes, "m_id")
            kind = _kind_of(row, linked=name in linked)
            if kind is None:
                self.nouns.skipped[row.name] += 1
            elif name:
                self._add(row, name, kind)
            else:
                message = f"{row.name} has no m_id and takes no part"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, row.start, message)
        return assemble(
            self.nouns,
            [self._make_link(row) for row in relations],
            self.diagnostics,
            format="cat",
            text=self.text.text,
            untyped=_UNTYPED,
            sentences=self.text.sentences,
        )

    def _add(self, row: _Element, name: str, kind: type[Event | Timex | Signal]) -> None:
        """Make a noun of a markable."""
        extent = self._find_extent(row, name)
        attributes = _describe(row)
        if name in self.shared:
            attributes = {_INSTANCE: self.shared[name], **attributes}
        place = (name, attributes, row.start, self.source, extent.start, extent.end)
        if kind is Signal:
            self.nouns.signals.append(Signal(*place))
            return
        phrase = extent.phrase or (attributes.get("TAG_DESCRIPTOR") if not row.tokens else None)
        if phrase:
            self.nouns.phrases.setdefault(name, phrase)
        if kind is Timex:
            self.nouns.timexes.append(Timex(*place))
        else:
            self.nouns.events.append(Event(*place))

    def _find_extent(self, row: _Element, name: str) -> _TextSpan:
        """Find where the tokens of a markable stand in the text."""
        numbers = set()
        for token in row.tokens:
            number = self.content.tokens.get(token)
            if number is None:
                message = (
                    f"{row.name} {show(name)} is anchored to token {token!r}, "
                    "which the document does not define"
                )
                self.diagnostics.add(Code.DANGLING, row.start, message)
            else:
                numbers.add(number)
        if not numbers:
            return _TextSpan()
        placed = sorted(numbers)
        first, last = placed[0], placed[-1]
        phrase = None
        if last - first >= len(placed):
            phrase = " ".join("".join(self.content.words[number]) for number in placed)
        return _TextSpan(self.text.starts[first], self.text.ends[last], phrase)

    def _make_link(self, row: _Element) -> Link:
        written = _find_type(row.attributes)
        signal = row.attributes.get("signalID") or row.attributes.get("c-signalID") or ""
        return Link(
            id=_own_id(row.attributes, "r_id"),
            attributes=row.attributes,
            byte_start=row.start,
            file=self.source,
            kind=row.name,
            type=find_label(row.name, written) or written or None,
            source=self._choose(row, row.sources, "source"),
            target=self._choose(row, row.targets, "target"),
            signal=signal.strip() or None,
        )

    def _choose(self, row: _Element, ends: list[str], role: str) -> str | None:
        """Take the first of several sources or targets: a link has one of each."""
        if len(ends) > 1:
            name = _own_id(row.attributes, "r_id")
            message = f"{row.name} {show(name)} has {len(ends)} {role}s"
            self.diagnostics.add(Code.TWO_ENDS, row.start, message, f"{ends[0]!r} is used")
        return ends[0] or None if ends else None


def _find_shared(content: _CatFile) -> dict[str, str]:
    """Find the instances of the whole corpus that each mention refers to, most often one."""
    known = {
        _own_id(row.attributes, "m_id"): row.attributes[_INSTANCE].strip()
        for row in content.markables
        if _INSTANCE in row.attributes and not row.tokens
    }
    found: dict[str, dict[str, None]] = {}
    for row in content.relations if known else ():
        if row.name in _COREFERENCE and len(row.targets) == 1 and known.get(row.targets[0]):
            for mention in row.sources:
                found.setdefault(mention, {})[known[row.targets[0]]] = None
    return {mention: " ".join(instances) for mention, instances in found.items()}


def _kind_of(row: _Element, *, linked: bool) -> type[Event | Timex | Signal] | None:
    """Say what a markable becomes; None for entities, and for instances that mentions refer to.

    What a link points at becomes an event if it is nothing else.
    """
    if row.name in _SIGNALS:
        return Signal
    if _TIME.fullmatch(row.name):
        # A TIMEX3 may stand outside the text. Any other time without tokens is an instance.
        return Timex if row.name == "TIMEX3" or row.tokens or linked else None
    if _EVENT.fullmatch(row.name) and (row.tokens or row.name == "EVENT_MENTION"):
        return Event
    return Event if linked else None


def _describe(row: _Element) -> dict[str, str]:
    """Give the attributes, and what EventStoryLine and ECB+ express by the name of the element."""
    if row.name in _OWN_NAMES or row.name in _SIGNALS:
        return row.attributes
    if row.name in _TIME_TYPES:
        return {"type": _TIME_TYPES[row.name], **row.attributes}
    negated = {"polarity": "NEG"} if row.name.startswith("NEG_") else {}
    return {"class": row.name, **negated, **row.attributes}


def _find_type(attributes: dict[str, str]) -> str:
    """Find the type of a link: MEANTIME writes ``reltype``, EventStoryLine ``relType``."""
    for key, value in attributes.items():
        if key.lower() == "reltype":
            return value.strip()
    return ""
