"""Changing the links of a file; every byte outside their lines stays the same (R26).

A `Change` removes a link or gives it another type. The changes of a file and the hash of its bytes
make a stand-off patch. A patch holds no text, so that corrections of a licensed corpus can be
passed on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from hashlib import sha256

import msgspec
from msgspec import Struct

from tlex.algebra import CODES
from tlex.arguments import require_document, require_kind
from tlex.document import Document, Source
from tlex.errors import PatchError, WriteError
from tlex.markup import Edit, apply_edits, remove_elements, set_attribute
from tlex.readers import parse
from tlex.wording import clean, count, represent

__all__ = [
    "Change",
    "FilePatch",
    "Patch",
    "apply",
    "apply_changes",
    "change_file",
    "describe_file",
    "list_changes",
    "list_edits",
    "take_bytes",
]

PATCH = "tlex-patch/1"


class Change(Struct, frozen=True):
    """A link that gets the type ``new``, or is removed where that is None."""

    link: str
    old: str | None
    new: str | None = None

    def __str__(self) -> str:
        return clean(f"remove {self.link}" if self.new is None else f"make {self.link} {self.new}")

    def __repr__(self) -> str:
        return represent(self, str(self))


class FilePatch(Struct, frozen=True):
    """The changes of one file, known by the hash of its bytes."""

    path: str
    sha256: str
    changes: tuple[Change, ...]

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
        <FilePatch 'examples/contradiction.tml': remove l2>

        See Also
        --------
        tlex.repair.apply : make the changes.
        """
        by_hash, by_name = self._index
        own = sha256(take_bytes(document)).hexdigest()
        return by_hash.get(own) or by_name.get(document.name)

    @cached_property
    def _index(self) -> tuple[dict[str, FilePatch], dict[str, FilePatch]]:
        return {file.sha256: file for file in self.files}, {file.path: file for file in self.files}

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


def list_changes(
    document: Document, removed: Collection[str], relabelled: Mapping[str, str]
) -> tuple[Change, ...]:
    """Give the changes of a document's links, in document order."""
    gone = frozenset(removed)
    return tuple(
        Change(link=link.id, old=link.type, new=relabelled.get(link.id))
        for link in document.links
        if link.id in relabelled or link.id in gone
    )


def describe_file(document: Document, changes: Collection[Change]) -> FilePatch:
    """Make the stand-off patch of a document."""
    return FilePatch(
        path=document.name,
        sha256=sha256(_source_of(document).data).hexdigest(),
        changes=tuple(changes),
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
        The changed document; ``source.data`` are its bytes.

    Raises
    ------
    OptionError
        If something else than a document and a patch is given.
    PatchError
        If the patch was made for another file.
    WriteError
        If the document does not come from a TimeML file.

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
    _check_hash(document, patch)
    return change_file(document, patch.changes)


def change_file(document: Document, changes: Collection[Change]) -> Document:
    """Change the links of a file and read it again.

    Raises `WriteError` if anything else is different afterwards.
    """
    data = apply_changes(document, changes)
    after = parse(
        data,
        name=document.name,
        max_bytes=max(len(data), 1),
        format=document.format,
        labels=document.labels or None,
    )
    new = {change.link: change.new for change in changes}
    expected = [
        (link.kind, new.get(link.id, link.type), link.source, link.target)
        for link in document.links
        if new.get(link.id, "") is not None
    ]
    found = [(link.kind, link.type, link.source, link.target) for link in after.links]
    if found != expected or not _has_same_text(document, after):
        raise WriteError(
            f"{document.name}: the links cannot be changed without changing something else; "
            "nothing is written"
        )
    return after


def apply_changes(document: Document, changes: Collection[Change]) -> bytes:
    """Give the file's bytes with the changes made; all else stays as it is (reading R26)."""
    return apply_edits(_source_of(document).data, list_edits(document, changes))


def list_edits(document: Document, changes: Collection[Change]) -> list[Edit]:
    """Which bytes of a document's file the changes replace, and by what (reading R26)."""
    source = _source_of(document)
    links = {link.id: link for link in document.links}
    removed: list[int] = []
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
            removed.append(link.byte_start)
        elif change.new in CODES[link.kind]:
            edit = set_attribute(source, link.byte_start, "relType", change.new)
            if edit is None:
                raise WriteError(f"line {link.line}: the type of link {link.id} cannot be found")
            edits.append(edit)
        else:
            raise PatchError(
                f"{document.name}:{link.line}: {change.new!r:.80} is no type of a {link.kind}"
            )
    return [*edits, *remove_elements(document, removed)]


def take_bytes(document: Document) -> bytes:
    """Give the bytes of a document's file; raises `WriteError` if it comes from no file."""
    if document.source is None:
        raise WriteError(f"{document.name}: comes from no file")
    return document.source.data


def _check_hash(document: Document, patch: FilePatch) -> None:
    found = sha256(_source_of(document).data).hexdigest()
    if found != patch.sha256:
        raise PatchError(
            f"{document.name}: not the file that the patch was made for "
            f"(its hash begins with {found[:12]}, not {patch.sha256[:12]!r})"
        )


def _has_same_text(before: Document, after: Document) -> bool:
    """Whether two documents have the same words, and the same places marked among them.

    Behind the last marked expression white space does not count: lines go with links (R26).
    """
    marks, others = (
        [(noun.id, noun.text_start, noun.text_end) for noun in (*document.nodes, *document.signals)]
        for document in (before, after)
    )
    last = max((end for _, _, end in marks), default=0)
    return (
        marks == others
        and before.text[:last] == after.text[:last]
        and before.text[last:].split() == after.text[last:].split()
    )


def _source_of(document: Document) -> Source:
    if document.source is None or document.format != "timeml":
        message = f"a document of format {document.format!r} cannot be written back"
        raise WriteError(f"{document.name}: {message}; only TimeML files can")
    return document.source
