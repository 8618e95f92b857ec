"""Writing the pages of a library as files, for use without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from msgspec.structs import replace

from tlex.errors import OptionError, WriteError
from tlex.files import make_directory, write_atomically
from tlex.viewer.data import Entry, Place
from tlex.viewer.library import BROKEN, Library
from tlex.viewer.page import PagesToCome, list_page, refusal_page

__all__ = ["export_pages"]

_Progress = Callable[[Iterable[Entry]], Iterable[Entry]]


def export_pages(library: Library, folder: str, progress: _Progress = iter) -> list[Entry]:
    """Write a page for each document into a directory, and ``index.html`` last.

    Returns the documents with their verdicts; those that could not be read or written are
    ``BROKEN`` and have a message. ``progress`` may wrap the iteration over the documents, to show
    how far it is.
    """
    target = Path(folder)
    _check(library, target)
    library.scan()
    try:
        with PagesToCome() as pages:
            entries = list(progress(library.settle(pages.add)))
            if not entries:
                raise OptionError(f"{library.root}: no document in this directory")
            make_directory(target)
            written = _write_pages(entries, target, pages)
    except OSError as error:
        raise WriteError(f"the pages cannot be stored: {error.strerror or error}") from error
    _save(target / "index.html", list_page(library.name, tuple(written)))
    return written


def _check(library: Library, target: Path) -> None:
    inside, own = target.resolve(), library.root.resolve()
    if not library.single and (own == inside or own in inside.parents):
        raise OptionError(f"--export {target} lies inside {library.root}, which is being read")
    if target.exists() and not target.is_dir():
        raise OptionError(f"--export {target} is a file; pages need a directory")


def _write_pages(entries: list[Entry], target: Path, pages: PagesToCome) -> list[Entry]:
    names = _name_files(entries)
    written = []
    for number, (entry, name) in enumerate(zip(entries, names, strict=True)):
        up = "../" * name.count("/")
        place = Place(
            index=f"{up}index.html",
            previous=up + quote(names[number - 1]) if number else None,
            next=up + quote(names[number + 1]) if number + 1 < len(names) else None,
            number=number + 1,
            total=len(names),
        )
        listed = replace(entry, href=quote(name), version=0, stamp="")
        broken = entry.verdict == BROKEN
        page = refusal_page(entry.name, entry.message, place) if broken else pages.take(place)
        try:
            _save(target / name, page)
        except WriteError as error:
            listed = replace(listed, verdict=BROKEN, message=str(error))
        written.append(listed)
    return written


def _name_files(entries: list[Entry]) -> list[str]:
    """Give each document a file name that is unique and not the name of a directory.

    Case is ignored, as some file systems do not distinguish it.
    """
    stems = [_clean(entry.name) for entry in entries]
    taken = {"index.html"}
    for stem in stems:
        taken.update(str(folder).casefold() for folder in PurePosixPath(stem).parents)
    names = []
    for stem in stems:
        name, number = f"{stem}.html", 2
        while name.casefold() in taken:
            name, number = f"{stem} ({number}).html", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def _clean(name: str) -> str:
    parts = [part for part in name.split("/") if part not in {"", ".", ".."}]
    stem = "/".join(part.replace("\\", "_").replace(":", "_").replace("\0", "_") for part in parts)
    return stem or "document"


def _save(path: Path, page: str) -> None:
    make_directory(path.parent)
    write_atomically(path, page.encode())
