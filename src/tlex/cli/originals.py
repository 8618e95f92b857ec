"""Finds the documents that saved results are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tlex.cli.options import Reading
from tlex.document import Document
from tlex.errors import OptionError, ReadError
from tlex.files import find_real_path, is_directory, is_plain_file
from tlex.readers import list_formats, read_all
from tlex.records import DocumentRecord

__all__ = ["Originals"]

_KINDS: Final = ("TLINK", "ALINK", "SLINK")
_CONSTRAINT: Final = re.compile(r"A[-+] [<=] B[-+]|B[-+] [<=] A[-+]")


class Originals:
    """Documents by the names that results have for them.

    They are looked for in the files and directories given; without any, in the current directory.
    A result names a document by the path that its command was given, or by the path below a
    directory. So the longest end of that path that is in a directory counts. Of several documents
    with one name the one with the right SHA-256 is meant.
    """

    def __init__(self, places: Sequence[str], reading: Reading) -> None:
        self.places = [Path(place) for place in places]
        self.reading = reading
        self._read_last: tuple[object, ...] = ()
        self._documents: dict[str, Document] = {}

    def find(self, about: DocumentRecord) -> Document:
        """Read a document in the way that a result says, unless the options say otherwise.

        Raises `ReadError` if it is not there or cannot be read, and `OptionError` if a result says
        something about it that cannot be.
        """
        found = [self._read(path, name, about) for path, name in self._list_files(about.name)]
        known = [documents[about.name] for documents in found if about.name in documents]
        if not known:
            raise ReadError("the document is not there", name=about.name)
        if len(known) == 1:
            return known[0]
        for document in known:
            if document.source is not None and document.source.sha256 == about.sha256:
                return document
        raise ReadError(f"{len(known)} documents have this name, none this sha256", name=about.name)

    def _list_files(self, name: str) -> list[tuple[Path, str]]:
        """List the files that may be meant, each with the name that it has in the result."""
        shorter = name
        while shorter:
            files = {find_real_path(path): (path, shorter) for path in self._look_for(shorter)}
            if files:
                return list(files.values())
            shorter = shorter.rpartition(":")[0]  # one of many documents in a file
        return []

    def _look_for(self, name: str) -> Iterator[Path]:
        if "\0" in name:
            return
        if not self.places:
            if name != "-" and is_plain_file(name):
                yield Path(name)
            return
        parts = Path(name).parts
        for place in self.places:
            if not is_directory(place):
                if place.name == parts[-1] or (name == "-" and len(self.places) == 1):
                    yield place
                continue
            ends = (parts[start:] for start in range(len(parts)) if ".." not in parts[start:])
            files = (place.joinpath(*end) for end in ends if not Path(end[0]).is_absolute())
            yield from [path for path in files if is_plain_file(path)][:1]

    def _read(self, path: Path, name: str, about: DocumentRecord) -> dict[str, Document]:
        reading = self.reading
        if reading.labels is None and about.labels:
            reading = reading._replace(labels=_check_labels(about))
        if reading.format is None and about.format in list_formats():
            reading = reading._replace(format=about.format)
        if reading.text is None and about.text is not None and is_directory(about.text):
            reading = reading._replace(text=about.text)
        asked = path, name, reading
        if asked != self._read_last:
            documents = read_all(path, name=name, **reading._asdict())
            self._documents = {document.name: document for document in documents}
            self._read_last = asked
        return self._documents


def _check_labels(about: DocumentRecord) -> dict[str, dict[str, tuple[str, ...]]]:
    """Refuse labels that no table of labels can have."""
    for kind, table in about.labels.items():
        for label, row in table.items():
            if kind not in _KINDS or not all(map(_CONSTRAINT.fullmatch, row)):
                raise OptionError(f"{about.name}: {kind} {label!r:.80} is no label that can be")
    return about.labels
