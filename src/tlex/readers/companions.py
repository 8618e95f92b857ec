"""Files that belong to a document: its text, beside it or in a directory that the caller names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tlex.errors import OptionError, ReadError, TooLargeError
from tlex.files import is_directory, open_within

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Companions"]


class Companions:
    """The files in the directory that the caller names, or in the directory of a document.

    They are found by their names. No file in any other directory is ever opened, except through a
    link; and with ``within`` no file that lies outside that directory is read, link or not.
    """

    def __init__(
        self,
        named: str | os.PathLike[str] | None,
        beside: str | os.PathLike[str] | None,
        max_bytes: int,
        within: str | os.PathLike[str] | None = None,
    ) -> None:
        from pathlib import Path  # noqa: PLC0415 -- most documents have no companions

        self.named = None if named is None else Path(named)
        self.beside = None if beside is None else Path(beside)
        self.max_bytes = max_bytes
        self.within = within
        if self.named is not None and not is_directory(self.named):
            raise OptionError(f"text is to be a directory, and {str(named)!r} is none")

    def find(self, *names: str, beside: bool = False) -> tuple[str, bytes] | None:
        """Give the path and the bytes of the first of these files that exists.

        Files are looked for in the directory that the caller named. If the caller named none, and
        with ``beside``, they are looked for in the directory of the document. A name must be a file
        name: a path that leads elsewhere is not found.
        """
        folder = self.named or (self.beside if beside else None)
        if folder is None:
            return None
        for name in names:
            path = folder / name
            try:
                if _is_plain(name) and path.is_file():
                    return str(path), self._load(path)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else None
                raise ReadError(f"cannot be read: {reason or error}", name=str(path)) from None
        return None

    def _load(self, path: Path) -> bytes:
        source = path if self.within is None else open_within(path, self.within)
        with open(source, "rb") as file:  # noqa: PTH123 -- a path or a descriptor
            data = file.read(self.max_bytes + 1)
        if len(data) > self.max_bytes:
            message = f"the file is larger than {self.max_bytes:,} bytes, the limit set for one"
            raise TooLargeError(message, name=str(path))
        return data


def _is_plain(name: str) -> bool:
    return bool(name) and name not in {".", ".."} and not {"/", "\\", "\0"} & set(name)
