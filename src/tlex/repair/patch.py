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

from tlex.document import Document, Link
from tlex.edits import apply_edits
from tlex.errors import PatchError, WriteError

__all__ = ["Change", "FilePatch", "Patch", "apply_changes", "apply_patch", "list_changes"]

PATCH = "tlex-patch/1"
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
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise PatchError(f"{name}: not a patch of tlex: {error}") from None
        if patch.schema != PATCH:
            raise PatchError(f"{name}: a patch of schema {patch.schema!r:.80}; known here: {PATCH}")
        return patch


def list_changes(
    document: Document, removed: Collection[str], relabelled: Mapping[str, str]
) -> list[Change]:
    """What is to be done to a document's links, in document order."""
    return [
        Change(link.id, link.type, relabelled.get(link.id))
        for link in document.links
        if link.id in relabelled or link.id in removed
    ]


def describe_file(document: Document, changes: Collection[Change]) -> FilePatch:
    """Make the stand-off patch of a document."""
    return FilePatch(document.name, sha256(_bytes_of(document)).hexdigest(), tuple(changes))


def apply_changes(document: Document, changes: Collection[Change]) -> bytes:
    """Give the file's bytes with the changes made; every other byte stays as it is."""
    data = _bytes_of(document)
    links = {link.id: link for link in document.links}
    edits = []
    for change in changes:
        link = links.get(change.link)
        if link is None:
            raise PatchError(f"{document.name}: there is no link {change.link!r}")
        if link.type != change.old:
            raise PatchError(
                f"{document.name}:{link.line}: link {link.id} has type {link.type!r}, "
                f"not {change.old!r} as the patch says"
            )
        edits.append(_remove(link) if change.new is None else _retype(document, link, change.new))
    return apply_edits(data, edits)


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


def _remove(link: Link) -> tuple[int, int, bytes]:
    return link.byte_start, link.byte_end, b""


def _retype(document: Document, link: Link, label: str) -> tuple[int, int, bytes]:
    """Put another type into a link's start tag."""
    source = document.source
    if source is None:
        raise WriteError(f"{document.name}: comes from no file")
    start = link.byte_start
    tag = source.data[start : link.byte_end].decode(source.encoding)
    found = next((at for at in _ATTRIBUTE.finditer(tag) if at[1] == "relType"), None)
    if found is None:
        raise WriteError(f"{document.name}:{link.line}: the type of link {link.id} cannot be found")
    first, last = found.start(2) + 1, found.end(2) - 1
    begin = start + len(tag[:first].encode(source.encoding))
    end = start + len(tag[:last].encode(source.encoding))
    return begin, end, label.encode(source.encoding)
