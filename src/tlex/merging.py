"""Several documents as one (R45): qualified ids, one text after the other, links between them.

Each noun gets the name of its document before its id (``story#ei4``); what its attributes refer to
gets it too. Texts stand one after the other, and so do the files, of which `Sources` gives the
lines and columns of each. Nothing else changes: a graph of many documents is the union of theirs,
until links between documents or the calendar join them.

Links between documents come from a table of pairs, and from mentions that name one instance of a
corpus (``instance_id`` in CAT). They are TLINKs of type IDENTITY. Nothing is merged by guess.
"""

from __future__ import annotations

import csv
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from itertools import accumulate, islice
from operator import is_
from pathlib import Path
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from tlex.algebra import LABELS
from tlex.arguments import require_document, require_word
from tlex.document import BETWEEN, JOINT, Document
from tlex.errors import OptionError, UnknownNameError
from tlex.nouns import Diagnostic, Event, Instance, Link, Node, Signal, Timex
from tlex.source import NOWHERE, Source
from tlex.wording import shorten_id

__all__ = ["FORMAT", "Sources", "join", "merge", "name_documents", "split"]

FORMAT = "merged"
"""The format of several documents as one that come from no file of their own."""

_ENDING = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,7}$")
_UNFIT = re.compile(rf"[\s,{JOINT}\x00-\x1f\x7f\ud800-\udfff]")
_FOLDERS = re.compile(r"[/\\]")
_INSTANCE = "instance_id"
_TIMES = ("anchorTimeID", "beginPoint", "endPoint")
_SIGNALS = ("signalID", "c-signalID")
_FEW = 3
_LOOK_AMONG = 20_000
_SHOWN = 80

_Marked = TypeVar("_Marked", Event, Instance, Timex, Signal)


class Sources(Source):
    """The files of several documents, one after the other; each keeps its own lines."""

    __slots__ = ("names", "pieces", "starts")

    def __init__(self, pieces: Sequence[Source | None], names: Sequence[str]) -> None:
        super().__init__(b"", "utf-8")
        self.pieces = pieces
        self.names = names
        sizes = (len(piece.data) + 1 if piece else 1 for piece in pieces)
        self.starts = list(accumulate(sizes, initial=0))

    def __repr__(self) -> str:
        return f"<Sources of {len(self.pieces):,} documents>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sources):
            return NotImplemented
        return self is other or (self.pieces == other.pieces and self.names == other.names)

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    @property
    def sha256(self) -> str:
        """The SHA-256 of those of the files, in hexadecimal digits."""
        if not self._sha256:
            each = (piece.sha256 if piece else "" for piece in self.pieces)
            self._sha256 = sha256("\n".join(each).encode()).hexdigest()
        return self._sha256

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in its own file."""
        piece, own = self.find_piece(offset)
        return piece.position(own)

    def positions(self, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Line and column of many offsets, each in its own file."""
        found: dict[int, tuple[int, int]] = {}
        groups: dict[int, list[int]] = {}
        for offset in offsets:
            groups.setdefault(self._find(offset), []).append(offset)
        for number, each in groups.items():
            piece, start = self.pieces[number], self.starts[number]
            if piece is not None:
                own = piece.positions(offset - start for offset in each)
                found.update((offset + start, place) for offset, place in own.items())
        return found

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the offset behind the noun that begins at an offset; -1 if that is unknown."""
        piece, own = self.find_piece(start)
        end = piece.find_end(own, most)
        return end if end < 0 else end + start - own

    def find_home(self, offset: int) -> str | None:
        """Find the name of the document whose file an offset lies in."""
        return self.names[self._find(offset)]

    def find_piece(self, offset: int) -> tuple[Source, int]:
        """Find the file in which an offset lies, and its offset there."""
        number = self._find(offset)
        return self.pieces[number] or Source(b"", "utf-8"), offset - self.starts[number]

    def _find(self, offset: int) -> int:
        return min(max(bisect_right(self.starts, offset) - 1, 0), len(self.pieces) - 1)


def merge(
    documents: Iterable[Document],
    *,
    same: Iterable[tuple[str, str]] | str | os.PathLike[str] = (),
    name: str = "merged",
) -> Document:
    """Make one document of several, so that there is one timeline over all of them.

    The id of every noun gets the name of its document in front: ``story#ei4``. That is the name of
    its file without directories and extension; where two would share it, the name of the file, and
    then the whole path. White space, commas and ``#`` in a name become ``_``.

    Parameters
    ----------
    documents : iterable of Document
        The documents. One that is merged already gives its single documents and the links between
        them.
    same : iterable of pairs of str, or path
        Ids of events or times that are the same, such as ``("a#ei4", "b#ei7")``, or a table (CSV)
        with such pairs in two columns. Each pair becomes a TLINK of type IDENTITY. So do the first
        mentions in each document of an instance that CAT files of one corpus share.
    name : str
        The name of the new document.

    Returns
    -------
    Document
        One document with ``documents``, the single ones. Its text is theirs, one after the other.

    Raises
    ------
    OptionError
        If there is no document, if two have the same name, if their own labels differ, or if the
        pairs cannot be used.
    UnknownNameError
        If no event or time has an id of a pair.

    Examples
    --------
    >>> import tlex
    >>> one = tlex.parse(
    ...     '{"links": [{"source": "e1", "type": "BEFORE", "target": "e2"}]}', name="a"
    ... )
    >>> merged = tlex.merge([one, one.replace(name="b")], same=[("a#e2", "b#e1")])
    >>> tlex.extract(merged).relation("a#e1", "b#e2").types
    ('BEFORE',)

    See Also
    --------
    tlex.Document.home : the document that a node comes from.
    """
    parts: list[Document] = []
    groups: list[int] = []  # which of the given documents each part comes from
    kept: list[tuple[Link, dict[str, int]]] = []
    for number, document in enumerate(_take_documents(documents)):
        single, between = split(document)
        places = {own: len(parts) + place for place, own in enumerate(document.documents)}
        kept += ((link, places) for link in between)
        parts += single
        groups += [number] * len(single)
    names = name_documents(parts)
    base = join(parts, names, name=require_word("name", name))
    links = _Links()
    for link, places in kept:
        links.keep(link, {own: names[place] for own, place in places.items()})
    for one, other in _find_pairs(base, same):
        links.add(one, other, {"origin": "SAME"})
    for one, other, instance in _find_shared(parts, names, groups):
        links.add(one, other, {"origin": "INSTANCE", _INSTANCE: instance})
    return base.replace(links=(*base.links, *links.found)) if links.found else base


def split(document: Document) -> tuple[list[Document], list[Link]]:
    """Give the single documents of a merged one, and the links between them.

    Their links are as the merged document has them now, under their own ids.
    """
    if not document.documents:
        return [document], []
    own: dict[str, list[Link]] = {name: [] for name in document.documents}
    known_links = {
        name: {link.id: link for link in single.links}
        for name, single in document.documents.items()
    }
    between: list[Link] = []
    for link in document.links:
        name, _, rest = link.id.partition(JOINT)
        known = known_links.get(name, {}).get(rest)
        if known is None:
            between.append(link)
        else:
            own[name].append(known if known.type == link.type else replace(known, type=link.type))
    return [
        single
        if len(own[name]) == len(single.links) and all(map(is_, own[name], single.links))
        else single.replace(links=tuple(own[name]))
        for name, single in document.documents.items()
    ], between


def join(
    parts: Sequence[Document],
    names: Sequence[str],
    *,
    name: str,
    format: str = FORMAT,  # noqa: A002 -- what the command line calls it
    source: Source | None = None,
) -> Document:
    """Put single documents together, under names that are all different. Linear.

    ``source`` is the one file that all of them come from; without it each has its own.
    """
    labels = _join_labels(parts)
    joined = source or Sources([part.source for part in parts], [part.name for part in parts])
    movers = []
    at = 0
    for number, (own, part) in enumerate(zip(names, parts, strict=True)):
        shift = joined.starts[number] if isinstance(joined, Sources) else 0
        movers.append(_Mover(own, part, joined, at, shift))
        at += len(part.text) + len(BETWEEN)
    moved = list(zip(movers, parts, strict=True))
    nodes = [node for mover, part in moved for node in mover.find_nodes(part)]
    return Document(
        name=name,
        format=format,
        text=BETWEEN.join(part.text for part in parts),
        events=tuple(each for mover, _ in moved for each in mover.events),
        instances=tuple(each for mover, _ in moved for each in mover.instances),
        timexes=tuple(each for mover, _ in moved for each in mover.timexes),
        signals=tuple(mover.move(each) for mover, part in moved for each in part.signals),
        nodes=tuple(nodes),
        index={node.id: number for number, node in enumerate(nodes)},
        links=tuple(mover.move_link(link) for mover, part in moved for link in part.links),
        diagnostics=tuple(
            mover.move_diagnostic(each, part.name)
            for mover, part in moved
            for each in part.diagnostics
        ),
        source=joined,
        phrases={
            mover.name(own): words for mover, part in moved for own, words in part.phrases.items()
        },
        labels=labels,
        skipped=_count_skipped(parts),
        text_directory=parts[0].text_directory
        if len({part.text_directory for part in parts}) == 1
        else None,
        documents=dict(zip(names, parts, strict=True)),
    )


class _Mover:
    """Gives the nouns of a document their ids and places in several documents as one."""

    def __init__(self, own: str, part: Document, source: Source, start: int, shift: int) -> None:
        self.prefix = own + JOINT
        self.source = source if part.source is not None else None
        self.start = start
        self.shift = shift
        self.events = [self.move(each) for each in part.events]
        self.instances = [self.move_instance(each) for each in part.instances]
        self.timexes = [self.move(each, _TIMES) for each in part.timexes]

    def name(self, own: str) -> str:
        return self.prefix + own

    def find_nodes(self, part: Document) -> list[Node]:
        """Give the nodes: each is one of the events, instances or times, or made of one."""
        known: dict[int, Node] = {}
        for before, after in (
            (part.events, self.events),
            (part.instances, self.instances),
            (part.timexes, self.timexes),
        ):
            known.update(zip(map(id, before), after, strict=True))
        return [known.get(id(node)) or self._move_node(node) for node in part.nodes]

    def _move_node(self, node: Node) -> Node:
        if isinstance(node, Instance):
            return self.move_instance(node)
        return self.move(node, _TIMES) if isinstance(node, Timex) else self.move(node)

    def move(self, noun: _Marked, references: Collection[str] = ()) -> _Marked:
        placed = noun.text_start >= 0
        return type(noun)(
            self.prefix + noun.id,
            self._refer(noun.attributes, references),
            *self._find_place(noun),
            noun.text_start + self.start if placed else noun.text_start,
            noun.text_end + self.start if placed else noun.text_end,
        )

    def move_instance(self, instance: Instance) -> Instance:
        event = None if instance.event is None else self.prefix + instance.event
        return replace(self.move(instance, _SIGNALS), event=event)

    def move_link(self, link: Link) -> Link:
        byte_start, file = self._find_place(link)
        source, target, signal = (
            None if end is None else self.prefix + end
            for end in (link.source, link.target, link.signal)
        )
        return Link(
            self.prefix + link.id,
            self._refer(link.attributes, _SIGNALS),
            byte_start,
            file,
            link.kind,
            link.type,
            source,
            target,
            signal,
            link.weight,
        )

    def move_diagnostic(self, diagnostic: Diagnostic, name: str) -> Diagnostic:
        offset = diagnostic.offset
        if offset is None or self.source is None:
            return replace(diagnostic, source=name)
        offset += self.shift
        home = self.source.find_home(offset) or UNSET
        return replace(diagnostic, offset=offset, source=home)

    def _find_place(self, noun: Node | Signal | Link) -> tuple[int, Source | None]:
        if noun.file is None or noun.byte_start < 0:
            return noun.byte_start, noun.file and self.source
        return noun.byte_start + self.shift, self.source

    def _refer(self, attributes: dict[str, str], references: Collection[str]) -> dict[str, str]:
        """Give attributes with the name of the document before the ids that they refer to."""
        found = {
            key: " ".join(map(self.name, attributes[key].split()))
            for key in references
            if attributes.get(key, "").strip()
        }
        return {**attributes, **found} if found else attributes


def name_documents(documents: Sequence[Document]) -> list[str]:
    """Find the name of each document that its ids begin with; all of them are different.

    It is the name of the file without directories and extension. Those that share it take the name
    of the file, and those that share that too the whole path.
    """
    choices = [
        _list_names(document.name or str(number)) for number, document in enumerate(documents, 1)
    ]
    level = [0] * len(choices)
    while True:
        owners: dict[str, list[int]] = {}
        for number, names in enumerate(choices):
            owners.setdefault(names[level[number]], []).append(number)
        shared = [number for each in owners.values() if len(each) > 1 for number in each]
        if not shared:
            return list(owners)
        longer = [number for number in shared if level[number] + 1 < len(choices[number])]
        if not longer:
            one, other = next(each for each in owners.values() if len(each) > 1)[:2]
            raise OptionError(_explain_names(documents[one], documents[other]))
        for number in longer:
            level[number] += 1


def _list_names(path: str) -> tuple[str, str, str]:
    file = _FOLDERS.split(path.rstrip("/\\"))[-1]
    return _tidy(_ENDING.sub("", file)), _tidy(file), _tidy(path)


def _tidy(name: str) -> str:
    return _UNFIT.sub("_", name) or "_"


def _explain_names(one: Document, other: Document) -> str:
    shown = f"{one.name!r:.{_SHOWN}}"
    if one is other or one == other:
        return f"{shown} is given twice; a document can be merged with others, not with itself"
    if one.name == other.name:
        return f"two documents are called {shown}; give one of them another name"
    return f"{shown} and {other.name!r:.{_SHOWN}} would have the same ids; rename one of them"


def _count_skipped(parts: Sequence[Document]) -> dict[str, int]:
    skipped: Counter[str] = Counter()
    for part in parts:
        skipped.update(part.skipped)
    return dict(skipped)


def _join_labels(parts: Sequence[Document]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Put the documents' own labels together; raises `OptionError` if they differ."""
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    owner: dict[tuple[str, str], str] = {}
    own = {(kind, label) for part in parts for kind in part.labels for label in part.labels[kind]}
    for part in parts if own else ():
        # A label that one document uses as it is in the tables must not get a meaning from another.
        used = {(link.kind, link.type or "") for link in part.links} & own
        common = {(k, t): LABELS[k][t] for k, t in used if t in LABELS.get(k, {})}
        given = {(k, t): row for k, table in part.labels.items() for t, row in table.items()}
        for (kind, label), row in sorted((common | given).items()):
            if labels.setdefault(kind, {}).setdefault(label, row) != row:
                raise OptionError(
                    f"{kind} {label!r} means one thing in {owner[kind, label]!r} "
                    f"and another in {part.name!r}"
                )
            owner.setdefault((kind, label), part.name)
    return labels


def _take_documents(documents: Iterable[Document]) -> list[Document]:
    if isinstance(documents, Document):
        raise OptionError("merge takes a list of documents: [one, other]")
    try:
        taken = list(documents)
    except TypeError:
        raise OptionError(f"merge takes a list of documents, not {documents!r:.80}") from None
    for document in taken:
        require_document(document)
    if not taken:
        raise OptionError("there is no document to merge")
    return taken


class _Links:
    """Collects the links between documents; a pair is made the same once."""

    def __init__(self) -> None:
        self.found: list[Link] = []
        self._used: set[str] = set()
        self._same: set[frozenset[str | None]] = set()

    def keep(self, link: Link, names: Mapping[str, str]) -> None:
        """Keep a link of documents that were merged before; ``names`` are their names now."""
        ends = [_rename(end, names) for end in (link.source, link.target)]
        own = link.id
        while own in self._used:
            own += "'"
        self._used.add(own)
        if link.type == "IDENTITY":
            self._same.add(frozenset(ends))
        self.found.append(
            replace(link, id=own, source=ends[0], target=ends[1], byte_start=NOWHERE, file=None)
        )

    def add(self, one: str, other: str, attributes: dict[str, str]) -> None:
        """Make two nodes the same, unless a link says so already."""
        if frozenset((one, other)) in self._same:
            return
        self._same.add(frozenset((one, other)))
        number = len(self.found) + 1
        while f"same{number}" in self._used:
            number += 1
        self._used.add(f"same{number}")
        self.found.append(
            Link(
                id=f"same{number}",
                attributes=attributes,
                byte_start=NOWHERE,
                file=None,
                kind="TLINK",
                type="IDENTITY",
                source=one,
                target=other,
            )
        )


def _rename(end: str | None, names: Mapping[str, str]) -> str | None:
    own, joint, rest = (end or "").partition(JOINT)
    return f"{names[own]}{joint}{rest}" if own in names else end


def _find_shared(
    parts: Sequence[Document], names: Sequence[str], groups: Sequence[int]
) -> Iterator[tuple[str, str, str]]:
    """Find the first mentions in different documents of one instance of a corpus.

    Each is paired with the first of all. Of documents that were merged before nothing is looked
    for: what they share has been found, and perhaps removed.
    """
    first: dict[str, tuple[str, int]] = {}
    for name, part, group in zip(names, parts, groups, strict=True):
        seen: set[str] = set()
        for node in part.nodes:
            for instance in node.attributes.get(_INSTANCE, "").split():
                if instance in seen:
                    continue
                seen.add(instance)
                own = name + JOINT + node.id
                known, home = first.setdefault(instance, (own, group))
                if home != group:
                    yield known, own, instance


def _find_pairs(
    merged: Document, same: Iterable[tuple[str, str]] | str | os.PathLike[str]
) -> Iterator[tuple[str, str]]:
    """Find the nodes of the pairs that the caller gives."""
    instances: dict[str, list[str]] = {}
    for node in merged.nodes:
        if isinstance(node, Instance) and node.event is not None:
            instances.setdefault(node.event, []).append(node.id)
    pairs = _read_table(same) if isinstance(same, str | os.PathLike) else _take_pairs(same)
    for where, *names in pairs:
        ends = []
        for name in names:
            own = instances.get(name, [])
            if name in merged.index:
                own = [name]
            if len(own) > 1:
                listed = ", ".join(map(shorten_id, own[:_FEW]))
                raise OptionError(f"{where}{shorten_id(name)!r} has several instances: {listed}")
            if not own:
                raise UnknownNameError(where + _explain_unknown(merged, name))
            ends += own
        if ends[0] == ends[1]:
            raise OptionError(f"{where}{shorten_id(ends[0])!r} is paired with itself")
        yield ends[0], ends[1]


def _take_pairs(same: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    try:
        pairs = list(same)
    except TypeError:
        raise OptionError(f"same takes pairs of ids, not {same!r:.80}") from None
    for pair in pairs:
        words = () if isinstance(pair, str) else tuple(pair) if isinstance(pair, Iterable) else ()
        if len(words) != 2 or not all(isinstance(word, str) for word in words):  # noqa: PLR2004
            raise OptionError(f"same takes pairs of ids, not {pair!r:.80}")
        yield "", words[0].strip(), words[1].strip()


def _read_table(path: str | os.PathLike[str]) -> Iterator[tuple[str, str, str]]:
    """Read pairs of ids, one on each line, with their places; the first line may name columns."""
    shown = os.fspath(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is not text in UTF-8"
        raise OptionError(f"{shown}: cannot be read: {reason or error}") from None
    comma = "\t" if "\t" in text.strip().partition("\n")[0] else ","
    rows = csv.reader(text.splitlines(keepends=True), delimiter=comma)
    first = True
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            where = f"{shown}:{rows.line_num}: "
            names_columns = first and JOINT not in "".join(cells)
            first = first and not any(cells)
            if names_columns or not any(cells):
                continue
            if len(cells) != 2 or not all(cells):  # noqa: PLR2004
                raise OptionError(
                    f"{where}two ids are needed, not {len(list(filter(None, cells)))}; "
                    "put an id with a comma into quotation marks"
                )
            yield where, cells[0], cells[1]
    except csv.Error as error:
        raise OptionError(f"{shown}:{rows.line_num}: not a table of pairs: {error}") from None


def _explain_unknown(merged: Document, name: str) -> str:
    """Say that nothing has this id, and which id is nearest to it."""
    own, joint, rest = name.partition(JOINT)
    if not joint:
        near = [each for each in merged.documents if f"{each}{JOINT}{name}" in merged.index]
        hint = f"; did you mean {near[0] + JOINT + name!r}" if near else ""
        example = f"{next(iter(merged.documents))}{JOINT}{name}"
        return (
            f"{shorten_id(name)!r} names no document{hint}"
            if near
            else f"{shorten_id(name)!r} names no document; write {example!r:.{_SHOWN}} or the like"
        )
    if own not in merged.documents:
        near = get_close_matches(own[:_SHOWN], merged.documents, 1)
        hint = f"; did you mean {near[0]!r}" if near else ""
        return f"there is no document {own!r:.{_SHOWN}}{hint}"
    part = merged.documents[own]
    near = get_close_matches(rest[:_SHOWN], list(islice(part.index, _LOOK_AMONG)), 1)
    hint = f"; did you mean {own + JOINT + near[0]!r}" if near else ""
    return f"no event or time has the id {shorten_id(name)!r}{hint}"
