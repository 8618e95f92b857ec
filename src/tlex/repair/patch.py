"""Writing a repair into a file: only the bytes of the links concerned change.

A `Change` names a link, its old type, and its new one or that it goes. Changes and the hash of the
file make a stand-off patch: it holds no text, so corrections of a licensed corpus can be passed on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct

from tlex.algebra import CODES
from tlex.document import Document, Link, Source
from tlex.edits import Edit, apply_edits
from tlex.errors import PatchError, WriteError

__all__ = [
    "Change",
    "FilePatch",
    "Patch",
    "apply_changes",
    "apply_patch",
    "describe_file",
    "list_changes",
    "list_edits",
]

PATCH = "tlex-patch/1"
_START = re.compile(r"""<(?:[^"'<>]|"[^"]*"|'[^']*')*>""")
_END = re.compile(r"""</[^<>]*>\Z""")
_ATTRIBUTE = re.compile(r"""([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')""")


class Change(Struct, frozen=True):
    """A link that goes (``new`` is None) or gets a new type."""

    link: str
    old: str | None
    new: str | None = None


class FilePatch(Struct, frozen=True):
    """The changes of one file, known by the hash of its bytes."""

    path: str
    sha256: str
    changes: tuple[Change, ...]


class Patch(Struct, frozen=True):
    """Corrections of some files, without their texts."""

    schema: str
    files: tuple[FilePatch, ...]

    @classmethod
    def of(cls, files: Collection[FilePatch]) -> Patch:
        """Put the corrections of several files together."""
        return cls(PATCH, tuple(files))

    def to_json(self) -> bytes:
        """Encode, for people to read as well."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def from_json(cls, data: bytes, name: str) -> Patch:
        """Decode, or raise a `PatchError` that says what is wrong."""
        try:
            patch = msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise PatchError(f"{name}: not a patch of tlex: {error}") from None
        if patch.schema != PATCH:
            raise PatchError(f"{name}: a patch of schema {patch.schema!r:.80}; known here: {PATCH}")
        return patch


def list_changes(
    document: Document, removed: Collection[str], relabelled: Mapping[str, str]
) -> list[Change]:
    """What is to be done to a document's links, in document order."""
    gone = frozenset(removed)
    return [
        Change(link.id, link.type, relabelled.get(link.id))
        for link in document.links
        if link.id in relabelled or link.id in gone
    ]


def describe_file(document: Document, changes: Collection[Change]) -> FilePatch:
    """Make the stand-off patch of a document."""
    return FilePatch(document.name, sha256(_bytes_of(document)).hexdigest(), tuple(changes))


def apply_changes(document: Document, changes: Collection[Change]) -> bytes:
    """Give the file's bytes with the changes made; every other byte stays as it is."""
    return apply_edits(_bytes_of(document), list_edits(document, changes))


def list_edits(document: Document, changes: Collection[Change]) -> list[Edit]:
    """Which bytes of a document's file the changes replace, and by what.

    Of a link that goes its tags go; what stands inside, be it a line end, stays.
    """
    _bytes_of(document)
    links = {link.id: link for link in document.links}
    edits: list[Edit] = []
    for change in changes:
        link = links.pop(change.link, None)
        if link is None:
            raise PatchError(f"{document.name}: there is no link {change.link!r} (left) to change")
        if link.type != change.old:
            raise PatchError(
                f"{document.name}:{link.line}: link {link.id} has type {link.type!r}, "
                f"not {change.old!r} as the patch says"
            )
        if change.new is None:
            edits += _remove(link)
        elif change.new in CODES[link.kind]:
            edits.append(_retype(link, change.new))
        else:
            raise PatchError(
                f"{document.name}:{link.line}: {change.new!r:.80} is no type of a {link.kind}"
            )
    return edits


def apply_patch(document: Document, patch: FilePatch) -> bytes:
    """Apply a stand-off patch to the very file that it was made for."""
    found = sha256(_bytes_of(document)).hexdigest()
    if found != patch.sha256:
        raise PatchError(
            f"{document.name}: not the file that the patch was made for "
            f"(its hash begins with {found[:12]}, not {patch.sha256[:12]!r})"
        )
    return apply_changes(document, patch.changes)


def _bytes_of(document: Document) -> bytes:
    if document.source is None or document.format != "timeml":
        message = f"a document of format {document.format!r} cannot be written back"
        raise WriteError(f"{document.name}: {message}; only TimeML files can")
    return document.source.data


def _remove(link: Link) -> list[Edit]:
    start, end, words, encoding = _open(link)
    first = _START.match(words)
    last = _END.search(words, first.end() if first else 0)
    if first is None or last is None:  # one tag
        return [(start, end, b"")]
    behind = start + len(words[: first.end()].encode(encoding))
    before = end - len(last[0].encode(encoding))
    return [(start, end, b"")] if behind == before else [(start, behind, b""), (before, end, b"")]


def _retype(link: Link, label: str) -> Edit:
    """Put another type into a link's start tag."""
    start, _, words, encoding = _open(link)
    tag = _START.match(words)
    found = next(
        (at for at in _ATTRIBUTE.finditer(tag[0] if tag else "") if at[1] == "relType"), None
    )
    if found is None:
        raise WriteError(f"line {link.line}: the type of link {link.id} cannot be found")
    first, last = (
        start + len(words[:at].encode(encoding)) for at in (found.start(2) + 1, found.end(2) - 1)
    )
    return first, last, label.encode(encoding)


def _open(link: Link) -> tuple[int, int, str, str]:
    """Where an element begins and ends, its characters, and their encoding."""
    source = link.file or Source(b"", "utf-8")
    start, end = link.byte_start, link.byte_end
    return start, end, source.data[start:end].decode(source.encoding), source.encoding
