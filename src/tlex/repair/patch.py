"""Stand-off patches: the changes of some files and the hashes of their bytes.

A patch holds no text, so that corrections of a licensed corpus can be passed on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from tlex.arguments import require_document, require_kind
from tlex.caching import cached_property
from tlex.document import Document
from tlex.errors import PatchError
from tlex.nouns import Link
from tlex.repair.writing import (
    Change,
    apply_changes,
    change_document,
    is_writable,
    take_bytes,
)
from tlex.wording import count, represent

__all__ = ["FilePatch", "Patch", "apply", "describe_file", "hash_bytes", "is_applied"]

PATCH = "tlex-patch/1"
_TABLES = ("matres", "dense")


class FilePatch(Struct, frozen=True, omit_defaults=True):
    """The changes of one document, whose file is known by the hash of its bytes.

    ``result`` is the hash of the file with all its changes, if the format can be written back.
    ``part`` tells the documents of one file apart: the line in JSON Lines, the name in a table.
    ``who`` decided, and ``when``, if that is known; each change may say why.
    """

    path: str
    sha256: str
    changes: tuple[Change, ...]
    result: str | None = None
    part: str | None = None
    who: str = ""
    when: str = ""

    def __repr__(self) -> str:
        return represent(self, f"{self.path!r}: {', '.join(map(str, self.changes))}")


class Patch(Struct, frozen=True, dict=True):
    """Corrections of some files, without their texts."""

    schema: str
    files: tuple[FilePatch, ...]

    def __repr__(self) -> str:
        changes = sum(len(file.changes) for file in self.files)
        return represent(self, f"{count(changes, 'change')} in {count(len(self.files), 'file')}")

    @classmethod
    def of(cls, files: Iterable[FilePatch]) -> Patch:
        """Put the corrections of several files together.

        Parameters
        ----------
        files : iterable of FilePatch
            The corrections of each file.

        Returns
        -------
        Patch
            One patch for all.

        Examples
        --------
        >>> import tlex
        >>> fixed = tlex.fix(tlex.read("examples/contradiction.tml"))
        >>> tlex.Patch.of(fixed.patch.files)
        <Patch 1 change in 1 file>

        See Also
        --------
        FixResult.patch : the corrections of one document.
        """
        return cls(schema=PATCH, files=tuple(files))

    def find(self, document: Document) -> FilePatch | None:
        """Find the changes of a document: by the hash of its file, or else by its name.

        Parameters
        ----------
        document : Document
            A document that was read from a file.

        Returns
        -------
        FilePatch or None
            None if the patch has no changes for it.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/contradiction.tml")
        >>> tlex.fix(document).patch.find(document)
        <FilePatch 'examples/contradiction.tml': remove l3>

        See Also
        --------
        tlex.repair.apply : make the changes.
        """
        own, part = hash_bytes(take_bytes(document)), _find_part(document)
        for key in (own, document.name):
            found = [file for file in self._index.get(key, ()) if file.part == part]
            same = [file for file in found if file.path == document.name]
            if found:
                return (same or found)[0]
        return None

    @cached_property
    def _index(self) -> dict[str, list[FilePatch]]:
        """The changes by the hash of the file, before and after, and by its name."""
        index: dict[str, list[FilePatch]] = {}
        for file in self.files:
            for key in (file.sha256, file.result, file.path):
                if key is not None:
                    index.setdefault(key, []).append(file)
        return index

    def to_json(self) -> bytes:
        r"""Encode as indented JSON.

        Returns
        -------
        bytes
            What ``tlex fix --patch`` writes.

        Examples
        --------
        >>> import tlex
        >>> tlex.Patch.of([]).to_json()[:28]
        b'{\n  "schema": "tlex-patch/1"'

        See Also
        --------
        from_json : the way back.
        """
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def from_json(cls, data: bytes, name: str = "patch") -> Patch:
        """Decode what `to_json` or ``tlex fix --patch`` wrote.

        Parameters
        ----------
        data : bytes
            The content of a patch file.
        name : str
            The name of the file, for messages.

        Returns
        -------
        Patch
            The corrections, for `tlex.repair.apply`.

        Raises
        ------
        PatchError
            If it is not a patch.

        Examples
        --------
        >>> import tlex
        >>> tlex.Patch.from_json(tlex.Patch.of([]).to_json())
        <Patch 0 changes in 0 files>

        See Also
        --------
        to_json : the way there.
        """
        try:
            patch = msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise PatchError(f"{name}: not a patch of tlex: {error}") from None
        if patch.schema != PATCH:
            raise PatchError(f"{name}: a patch of schema {patch.schema!r:.80}; known here: {PATCH}")
        return patch


def describe_file(
    document: Document, changes: Collection[Change], result: str | None = None
) -> FilePatch:
    """Make the stand-off patch of a document.

    ``result`` is the hash of the changed file, for one in which other documents change as well.
    """
    if result is None and is_writable(document):
        result = hash_bytes(apply_changes(document, changes))
    return FilePatch(
        path=document.name,
        sha256=hash_bytes(take_bytes(document)),
        changes=tuple(changes),
        result=result,
        part=_find_part(document),
    )


def apply(document: Document, patch: Patch | FilePatch) -> Document:
    """Apply a patch to the file that it was made for.

    Parameters
    ----------
    document : Document
        The original, as it was read. It is recognised by the hash of its bytes, so it may have
        another name.
    patch : Patch or FilePatch
        Corrections from `tlex.fix` or ``tlex fix --patch``.

    Returns
    -------
    Document
        The changed document; ``source.original`` are the bytes of its file. Of a format that
        cannot be written back the document alone is changed: `tlex.write` can write it as JSON. A
        document to which the patch has been applied already is returned as it is.

    Raises
    ------
    OptionError
        If something else than a document and a patch is given.
    PatchError
        If the patch was made for another file, or if the file has changed since.
    WriteError
        If the document comes from no file.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.read("examples/contradiction.tml")
    >>> len(document.links), len(apply(document, tlex.fix(document).patch).links)
    (6, 5)

    See Also
    --------
    tlex.fix : find the smallest change that makes a document consistent.
    """
    require_document(document)
    require_kind("patch", patch, Patch | FilePatch, "the patch of a repair")
    if isinstance(patch, Patch):
        found = patch.find(document)
        if found is None:
            raise PatchError(f"{document.name}: the patch has no changes for this file")
        patch = found
    own = hash_bytes(take_bytes(document))
    if own == patch.sha256:
        return change_document(document, patch.changes)
    if is_applied(document, patch):
        return document
    made = _count_made(document, patch)
    partly = ""
    if made:
        verb = "is" if made == 1 else "are"
        partly = f"; {made} of {count(len(patch.changes), 'change')} {verb} made already"
    raise PatchError(
        f"{document.name}: not the file that the patch was made for, so nothing is changed "
        f"(its hash begins with {own[:12]}, not {patch.sha256[:12]!r}{partly})"
    )


def is_applied(document: Document, patch: FilePatch) -> bool:
    """Whether all changes of a patch are made in a document already."""
    own = hash_bytes(take_bytes(document))
    if own == patch.sha256:
        return False
    return own == patch.result or _count_made(document, patch) == len(patch.changes)


@lru_cache(maxsize=2)  # many documents may come from one file
def hash_bytes(data: bytes) -> str:
    """Give the SHA-256 of some bytes."""
    from hashlib import sha256  # noqa: PLC0415 -- loads OpenSSL

    return sha256(data).hexdigest()


def _count_made(document: Document, patch: FilePatch) -> int:
    """Count the changes of a patch that are made in a document."""
    links = {link.id: link for link in document.links}
    return sum(_is_made(document, links.get(change.link), change) for change in patch.changes)


def _is_made(document: Document, link: Link | None, change: Change) -> bool:
    ends = change.source, change.target
    if None in ends:  # made by an older version
        same = link is not None
    else:
        same = link is not None and (link.source, link.target) == ends
    if change.new is not None:
        return same and link is not None and link.type == change.new
    known = all(end is None or end in document.index for end in ends)
    return known and not (same and link is not None and link.type == change.old)


def _find_part(document: Document) -> str | None:
    """Give the name of a document inside its file; None if the file holds only this one."""
    many = document.format in _TABLES or getattr(document.source, "many", False)
    return document.name.rpartition(":")[2] if many else None
