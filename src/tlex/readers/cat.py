"""Reading CAT XML, as in MEANTIME, EventStoryLine, ECB+ and the CAT release of Causal-TimeBank.

A list of tokens, then markables anchored to tokens, then relations between markables. The text is
the tokens, with a blank between two and a line for each sentence. Nodes are mentions of events
and times; coreference never merges them (reading R27). Ids are ``t_id``, ``m_id`` and ``r_id``, or
plain ``id``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple
from xml.parsers import expat

from tlex.algebra import find_label
from tlex.document import NOWHERE, Code, Document, Event, Link, Node, Signal, Source, Timex
from tlex.errors import TooLargeError
from tlex.readers.assembly import (
    Problems,
    check_links,
    number_nodes,
    raise_first_error,
    show,
)
from tlex.readers.xml import (
    MAX_ATTRIBUTE,
    MAX_DEPTH,
    check_element,
    find_root,
    guard,
    open_source,
    refuse,
    run_parser,
)

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
_OWN_NAMES = frozenset(("EVENT", "EVENT_MENTION", "TIMEX3"))


class _Element(NamedTuple):
    """A markable with its tokens, or a relation with its sources and targets."""

    name: str
    attributes: dict[str, str]
    start: int
    tokens: list[str]
    sources: list[str]
    targets: list[str]


class _Rows:
    """What the parser met, in the order of the file."""

    def __init__(self) -> None:
        self.tokens: dict[str, int] = {}
        self.sentences: list[str] = []
        self.words: list[list[str]] = []
        self.markables: list[_Element] = []
        self.relations: list[_Element] = []

    def begin_token(self, attributes: dict[str, str], start: int, problems: Problems) -> list[str]:
        """Note a token; its words are to be added to what is given back."""
        name = _own_id(attributes, "t_id")
        if not name:
            message = "token has no t_id, and nothing can be anchored to it"
            problems.add(Code.MISSING_ATTRIBUTE, start, message)
        elif name in self.tokens:
            message = f"token repeats the id {name!r}; the first counts"
            problems.add(Code.REPEATED_ID, start, message)
        else:
            self.tokens[name] = len(self.words)
        self.sentences.append(attributes.get("sentence", ""))
        self.words.append([])
        return self.words[-1]


class _Text(NamedTuple):
    """The text that the tokens make, and where each token stands in it."""

    text: str
    starts: list[int]
    ends: list[int]


class _Marked(NamedTuple):
    """What a markable marks: from where to where, and its words if there is a gap in them."""

    start: int = NOWHERE
    end: int = NOWHERE
    phrase: str | None = None


def recognise_cat(head: str) -> bool:
    """Whether the beginning of a file looks like CAT XML: tokens, or the list of markables."""
    root = find_root(head)
    return root is not None and root.upper() != "TIMEML" and _TOKEN.search(head) is not None


def read_cat(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Document:
    """Read a document in CAT XML; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    problems = Problems(name, source)
    rows = _parse(source, problems, encoding)
    document = _Builder(source, rows, problems).build()
    if strict:
        raise_first_error(document)
    return document


def _parse(source: Source, problems: Problems, encoding: str | None) -> _Rows:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.specified_attributes = True
    rows = _Rows()
    careful = len(source.data) > MAX_ATTRIBUTE
    sections = {"Markables": rows.markables, "Relations": rows.relations}
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
                refuse(too_large, parser, source, problems, TooLargeError)
        if current is not None:
            _add_reference(current, element, attributes)
        elif section is not None:
            current = _Element(element, attributes, parser.CurrentByteIndex, [], [], [])
            section.append(current)
            below = depth
        elif element == "token":
            inside = rows.begin_token(attributes, parser.CurrentByteIndex, problems)
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
    parser.StartDoctypeDeclHandler = guard(parser, source, add, problems)
    run_parser(parser, source, problems)
    return rows


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


def _write_text(rows: _Rows) -> _Text:
    """Put the tokens one behind the other."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    before: str | None = None
    for parts, sentence in zip(rows.words, rows.sentences, strict=True):
        if before is not None:
            pieces.append(" " if sentence == before else "\n")
            at += 1
        word = "".join(parts)
        pieces.append(word)
        starts.append(at)
        at += len(word)
        ends.append(at)
        before = sentence
    return _Text("".join(pieces), starts, ends)


class _Builder:
    """Turns rows into nouns."""

    def __init__(self, source: Source, rows: _Rows, problems: Problems) -> None:
        self.source = source
        self.rows = rows
        self.problems = problems
        self.text = _write_text(rows)
        self.phrases: dict[str, str] = {}

    def build(self) -> Document:
        """Put a document together."""
        relations = [row for row in self.rows.relations if row.name in _LINKS]
        linked = {end for row in relations for end in (*row.sources, *row.targets)}
        events: list[Event] = []
        timexes: list[Timex] = []
        signals: list[Signal] = []
        passed = Counter(row.name for row in self.rows.relations if row.name not in _LINKS)
        for row in self.rows.markables:
            name = _own_id(row.attributes, "m_id")
            kind = _kind_of(row, linked=name in linked)
            if kind is None:
                passed[row.name] += 1
                continue
            if not name:
                message = f"{row.name} has no m_id and takes no part"
                self.problems.add(Code.MISSING_ATTRIBUTE, row.start, message)
                continue
            marked = self._mark(row, name)
            attributes = _describe(row)
            place = (name, attributes, row.start, self.source, marked.start, marked.end)
            if kind is Signal:
                signals.append(Signal(*place))
                continue
            phrase = marked.phrase or (attributes.get("TAG_DESCRIPTOR") if not row.tokens else None)
            if phrase:
                self.phrases.setdefault(name, phrase)
            if kind is Timex:
                timexes.append(Timex(*place))
            else:
                events.append(Event(*place))
        every: list[Node] = [*events, *timexes]
        nodes, index = number_nodes(every, self.problems)
        links = check_links(list(self._link(relations)), index, [], self.problems, untyped=_UNTYPED)
        return Document(
            name=self.problems.name,
            format="cat",
            text=self.text.text,
            events=tuple(events),
            instances=(),
            timexes=tuple(timexes),
            signals=tuple(sorted(signals, key=attrgetter("byte_start"))),
            nodes=tuple(nodes),
            index=index,
            links=tuple(links),
            diagnostics=self.problems.in_order(),
            source=self.source,
            phrases=self.phrases,
            passed=dict(passed),
        )

    def _mark(self, row: _Element, name: str) -> _Marked:
        """Find the tokens of a markable in the text."""
        numbers = set()
        for token in row.tokens:
            number = self.rows.tokens.get(token)
            if number is None:
                message = (
                    f"{row.name} {show(name)} is anchored to token {token!r}, "
                    "which the document does not define"
                )
                self.problems.add(Code.DANGLING, row.start, message)
            else:
                numbers.add(number)
        if not numbers:
            return _Marked()
        placed = sorted(numbers)
        first, last = placed[0], placed[-1]
        phrase = None
        if last - first >= len(placed):
            phrase = " ".join("".join(self.rows.words[number]) for number in placed)
        return _Marked(self.text.starts[first], self.text.ends[last], phrase)

    def _link(self, relations: list[_Element]) -> Iterator[Link]:
        for row in relations:
            own = _own_id(row.attributes, "r_id")
            written = _find_type(row.attributes)
            label = find_label(row.name, written) or written or None
            signal = (
                row.attributes.get("signalID") or row.attributes.get("c-signalID") or ""
            ).strip()
            yield Link(
                own,
                row.attributes,
                row.start,
                self.source,
                row.name,
                label,
                self._choose(row, row.sources, "source"),
                self._choose(row, row.targets, "target"),
                signal or None,
                None,
            )

    def _choose(self, row: _Element, ends: list[str], role: str) -> str | None:
        """A link has one source and one target."""
        if len(ends) > 1:
            name = _own_id(row.attributes, "r_id")
            message = f"{row.name} {show(name)} has {len(ends)} {role}s"
            self.problems.add(Code.TWO_ENDS, row.start, message, f"{ends[0]!r} is used")
        return ends[0] or None if ends else None


def _kind_of(row: _Element, *, linked: bool) -> type[Event | Timex | Signal] | None:
    """What a markable is; None for entities, and for instances that mentions refer to.

    Whatever a link points at is an event if nothing else.
    """
    if row.name in _SIGNALS:
        return Signal
    if _TIME.fullmatch(row.name):
        # A TIMEX3 may be outside the text; of the others such a one is an instance.
        return Timex if row.name == "TIMEX3" or row.tokens or linked else None
    if _EVENT.fullmatch(row.name) and (row.tokens or row.name == "EVENT_MENTION"):
        return Event
    return Event if linked else None


def _describe(row: _Element) -> dict[str, str]:
    """The attributes, with what EventStoryLine and ECB+ say by an element's name."""
    if row.name in _OWN_NAMES or row.name in _SIGNALS:
        return row.attributes
    if row.name in _TIME_TYPES:
        return {"type": _TIME_TYPES[row.name], **row.attributes}
    negated = {"polarity": "NEG"} if row.name.startswith("NEG_") else {}
    return {"class": row.name, **negated, **row.attributes}


def _find_type(attributes: dict[str, str]) -> str:
    """The type of a link: MEANTIME writes ``reltype``, EventStoryLine ``relType``."""
    for key, value in attributes.items():
        if key.lower() == "reltype":
            return value.strip()
    return ""
