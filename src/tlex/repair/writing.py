"""Changing the links of a file; every byte outside their lines stays the same (R26).

A `Change` removes a link or gives it another type. TimeML, CAT and tlex's JSON can be written
back; of the other formats the document alone is changed. A changed file is read again and compared
with what was asked for, before anybody writes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tlex.algebra import CODES
from tlex.document import Document
from tlex.errors import PatchError, WriteError
from tlex.markup import Edit, apply_edits, remove_elements, remove_whole_elements, set_attribute
from tlex.nouns import Link
from tlex.readers import parse
from tlex.readers.labels import add_labels
from tlex.repair.json_edits import remove_members, set_member
from tlex.source import Source
from tlex.wording import clean, represent

if TYPE_CHECKING:
    from tlex.readers.json import JsonSource

__all__ = [
    "WRITABLE",
    "Change",
    "apply_changes",
    "apply_file_edits",
    "change_document",
    "change_file",
    "change_links",
    "explain_unwritable",
    "is_writable",
    "list_changes",
    "list_edits",
    "spares_all_else",
    "take_bytes",
]

WRITABLE = ("timeml", "cat", "json")
"""The formats whose files can be changed."""

_BLANKS = re.compile(rb"\n\s*<")
"""Blank lines and an indent before a tag."""


class Change(Struct, frozen=True):
    """A link that gets the type ``new``, or is removed where that is None.

    ``source`` and ``target`` are its ends, to recognise it by. ``why`` is the reason that somebody
    gave for it.
    """

    link: str
    old: str | None
    new: str | None = None
    source: str | None = None
    target: str | None = None
    why: str | UnsetType = UNSET

    def __str__(self) -> str:
        return clean(f"remove {self.link}" if self.new is None else f"make {self.link} {self.new}")

    def __repr__(self) -> str:
        return represent(self, str(self))


def list_changes(
    document: Document, removed: Collection[str], relabelled: Mapping[str, str]
) -> tuple[Change, ...]:
    """Give the changes of a document's links, in document order."""
    if not removed and not relabelled:  # then the links need not be made
        return ()
    gone = frozenset(removed)
    return tuple(
        Change(link.id, link.type, relabelled.get(link.id), link.source, link.target)
        for number, name in enumerate(document.link_ids)
        if name in relabelled or name in gone
        for link in [document.link(number)]
    )


def is_writable(document: Document) -> bool:
    """Whether the document's own file can be changed."""
    source = document.source
    return source is not None and source.editable and document.format in WRITABLE


def explain_unwritable(document: Document) -> str:
    """Say that a document cannot be written back, and what can be done instead."""
    if document.source is None:
        return f"{document.name}: comes from no file, so it cannot be written back"
    what = f"a file of format {document.format!r}"
    if not document.source.editable:
        what = "a file that is not in tlex's JSON to the letter"
    return (
        f"{document.name}: {what} cannot be written back; "
        "the corrected document can be written as JSON (-o NAME.json)"
    )


def take_bytes(document: Document) -> bytes:
    """Give the bytes of a document's file; raises `WriteError` if it comes from no file."""
    if document.source is None:
        raise WriteError(explain_unwritable(document))
    return document.source.original


def change_document(document: Document, changes: Collection[Change]) -> Document:
    """Change the links of a document: in its file if that can be written, else in memory alone."""
    if not changes:
        return document
    return (change_file if is_writable(document) else change_links)(document, changes)


def change_links(document: Document, changes: Collection[Change]) -> Document:
    """Change the links of a document in memory; its file stays as it is."""
    new = {link.id: change.new for link, change in _match(document, changes)}
    links = (
        replace(link, type=new.get(link.id, link.type))
        for link in document.links
        if new.get(link.id, "") is not None
    )
    return document.replace(links=tuple(links))


def change_file(document: Document, changes: Collection[Change]) -> Document:
    """Change the links of a file and read it again.

    Of a file with many documents the other ones are as they were. Raises `WriteError` if anything
    else than the links is different afterwards.
    """
    edits = list_edits(document, changes)
    source = _source_of(document)
    edited = _edit(document, source, edits)
    after = _read_again(document, edited, edits)
    # The comparison of bytes takes less time; that of nouns is for all files.
    if not (spares_all_else(document, changes, edits) or _is_as_expected(document, after, changes)):
        raise WriteError(
            f"{document.name}: the links cannot be changed without changing something else; "
            "nothing is written"
        )
    return after


def apply_changes(document: Document, changes: Collection[Change]) -> bytes:
    """Give the file's bytes with the changes made; all else stays as it is (reading R26)."""
    return apply_file_edits(document, list_edits(document, changes))


def apply_file_edits(document: Document, edits: Iterable[Edit]) -> bytes:
    """Give the file's bytes with edits made, also edits of other documents in the same file."""
    return _edit(document, _source_of(document), edits).original


def list_edits(document: Document, changes: Collection[Change]) -> list[Edit]:
    """Which bytes of a document's file the changes replace, and by what (reading R26)."""
    source = _source_of(document)
    removed: list[int] = []
    edits: list[Edit] = []
    for link, change in _match(document, changes):
        if change.new is None:
            removed.append(link.byte_start)
            continue
        edit = _set_type(document, source, link, change.new)
        if edit is None:
            raise WriteError(
                f"{document.name}:{link.line}: the type of link {link.id} cannot be found"
            )
        edits.append(edit)
    return [*edits, *_remove(document, source, removed)]


def spares_all_else(
    document: Document, changes: Collection[Change], edits: Collection[Edit]
) -> bool:
    """Whether the bytes alone prove that edits make the changes, and change nothing else (R26).

    They can do so in a plain TimeML file (`tlex.readers.timeml.scan`): there each link is an empty
    element behind the last mark, and each ``<`` begins a tag. So the edits are right if they do the
    same as to cut out the tags and to write the types, but for the length of white space before
    tags. Linear, and much less work than to read the file again.
    """
    source = document.source
    plain = document.format == "timeml" and document.relations is not None
    if source is None or not plain or not changes:
        return False
    data = source.data
    expected = []
    for link, change in _match(document, changes):
        start = link.byte_start
        end = data.find(b">", start) + 1
        tag = b""
        if change.new is not None:
            old, new = (
                f' relType="{label}"'.encode()
                for label in (link.attributes.get("relType"), change.new)
            )
            tag = data[start:end].replace(old, new)
        expected.append((start, end, tag))
    first = min(start for start, _, _ in (*expected, *edits))
    last = max(end for _, end, _ in (*expected, *edits))
    if first < document.marked_end:
        return False
    # No edit goes beyond the end of the tag before all of them and the beginning of the one behind.
    begin, end = data.rfind(b">", 0, first), data.find(b"<", last) + 1
    one, other = (
        apply_edits(data[begin:end], [(at - begin, to - begin, new) for at, to, new in each])
        for each in (expected, edits)
    )
    return _BLANKS.sub(b"\n<", one) == _BLANKS.sub(b"\n<", other)


def _match(document: Document, changes: Iterable[Change]) -> Iterator[tuple[Link, Change]]:
    """Give the link of each change; raises `PatchError` if there is none that fits."""
    numbers = {name: number for number, name in enumerate(document.link_ids)}
    for change in changes:
        number = numbers.pop(change.link, None)
        link = None if number is None else document.link(number)
        if link is None:
            raise PatchError(f"{document.name}: there is no link {change.link!r} (left) to change")
        where = document.name if link.line is None else f"{document.name}:{link.line}"
        if link.type != change.old:
            raise PatchError(
                f"{where}: link {link.id} has type {link.type!r}, "
                f"not {change.old!r} as the patch says"
            )
        if (change.source or link.source, change.target or link.target) != (
            link.source,
            link.target,
        ):
            raise PatchError(
                f"{where}: link {link.id} goes from {link.source!r} to {link.target!r}, "
                f"not from {change.source!r} to {change.target!r} as the patch says"
            )
        if change.new is not None and change.new not in CODES[link.kind]:
            raise PatchError(f"{where}: {change.new!r:.80} is no type of a {link.kind}")
        yield link, change


def _set_type(document: Document, source: Source, link: Link, new: str) -> Edit | None:
    if document.format == "json":
        return set_member(_json(source), link.byte_start, "type", new)
    key = "relType"
    if document.format == "cat":  # written in several ways
        key = next((name for name in link.attributes if name.lower() == "reltype"), key)
    return set_attribute(source, link.byte_start, key, new)


def _remove(document: Document, source: Source, starts: Collection[int]) -> list[Edit]:
    if document.format == "json":
        gone = set(starts)
        lists: dict[int, list[int]] = {}  # each of several documents as one has its own
        for link in document.links:
            lists.setdefault(id(document.home(link)[0]), []).append(link.byte_start)
        return [
            edit
            for members in lists.values()
            for edit in remove_members(_json(source), members, gone.intersection(members))
        ]
    if document.format == "cat":
        return remove_whole_elements(source, starts)
    return remove_elements(document, starts)


def _edit(document: Document, source: Source, edits: Iterable[Edit]) -> Source:
    data = apply_edits(source.data, edits)
    if document.format != "json":
        return type(source)(data, source.encoding)
    edited = _json(source).edit(data)
    if edited is None:
        raise WriteError(f"{document.name}: the encoding of the file cannot be written back")
    return edited


def _read_again(document: Document, source: Source, edits: list[Edit]) -> Document:
    labels = document.labels or None
    if document.format != "json":
        size = max(len(source.data), 1)
        return parse(
            source.data, name=document.name, max_bytes=size, format=document.format, labels=labels
        )
    from tlex.readers.json import read_again  # noqa: PLC0415 -- most files are TimeML

    # Before the first edit nothing has moved: there the document is found again.
    after = read_again(_json(source), document.name, min(edits)[0] if edits else 0)
    return after if labels is None else add_labels(after, labels)


def _json(source: Source) -> JsonSource:
    from tlex.readers.json import JsonSource as Json  # noqa: PLC0415

    if not isinstance(source, Json):
        raise WriteError("a document of format 'json' that was not read by tlex cannot be written")
    return source


def _is_as_expected(before: Document, after: Document, changes: Collection[Change]) -> bool:
    """Whether nothing but the links of the changes is different."""
    new = {change.link: change.new for change in changes}
    kept = [link for link in before.links if new.get(link.id, "") is not None]
    return (
        len(kept) == len(after.links)
        and all(
            new.get(one.id, one.type) == other.type and _is_alike(one, other)
            for one, other in zip(kept, after.links, strict=True)
        )
        and list(_list_nouns(before, kept)) == list(_list_nouns(after, after.links))
        and _has_same_text(before, after)
    )


def _is_alike(one: Link, other: Link) -> bool:
    """Whether two links are alike but for their types; ids that the file lacks may change."""
    return (
        (one.kind, one.source, one.target, one.signal, one.weight)
        == (other.kind, other.source, other.target, other.signal, other.weight)
    ) and (one.attributes == other.attributes or _list_attributes(one) == _list_attributes(other))


def _list_attributes(link: Link) -> dict[str, str]:
    return {key: link.attributes[key] for key in link.attributes if key.lower() != "reltype"}


def _list_nouns(document: Document, links: Collection[Link]) -> Iterator[tuple[object, ...]]:
    """List events, instances, times and signals; of those that only links name, the ends of some.

    In JSON that lists no nodes, a node goes with the last link that names it (R29).
    """
    starts = {link.byte_start for link in document.links} if document.format == "json" else ()
    ends = {end for link in links for end in (link.source, link.target)}
    implied = []
    for noun in (*document.events, *document.instances, *document.timexes, *document.signals):
        if noun.byte_start not in starts:
            phrase = document.phrases.get(noun.id)
            yield noun.id, noun.attributes, noun.text_start, noun.text_end, phrase
        elif noun.id in ends:
            implied.append(noun.id)
    yield from ((name,) for name in sorted(implied))


def _has_same_text(before: Document, after: Document) -> bool:
    """Whether two documents have the same words.

    In TimeML, behind the last marked expression, white space does not count: lines go with links
    (R26).
    """
    if before.format != "timeml":
        return before.text == after.text
    marked = (*before.nodes, *before.signals)
    last = max((noun.text_end for noun in marked if noun.text_start >= 0), default=0)
    return (
        before.text[:last] == after.text[:last]
        and before.text[last:].split() == after.text[last:].split()
    )


def _source_of(document: Document) -> Source:
    if document.source is None or not is_writable(document):
        raise WriteError(explain_unwritable(document))
    return document.source
