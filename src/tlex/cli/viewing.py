"""The work behind ``tlex view``."""

from __future__ import annotations

import logging
import os
import socket
import webbrowser
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from tlex.cli.files import tell, watch
from tlex.errors import OptionError, WriteError
from tlex.extraction import choose_options
from tlex.files import make_directory, write_atomically
from tlex.readers import read_labels
from tlex.viewer.data import Entry, Place
from tlex.viewer.library import BROKEN, Library
from tlex.viewer.page import PagesToCome, list_page, refusal_page
from tlex.wording import count

__all__ = ["Viewing"]

LOOPBACK = "127.0.0.1"
_INTERRUPTED = 130


class Viewing:
    """What is to be seen: a file or a directory, and how it is read."""

    def __init__(
        self,
        path: str,
        reading: tuple[str | None, str | None, str | None],
        max_bytes: int,
        links: list[str],
        times: str,
    ) -> None:
        if path == "-":
            raise OptionError("a file or a directory can be viewed, not standard input")
        if not Path(path).exists():
            raise OptionError(f"{path}: there is no such file or directory")
        choose_options(links, times)
        form, text, labels = reading
        options: dict[str, Any] = {"max_bytes": max_bytes, "format": form, "text": text}
        options["labels"] = None if labels is None else read_labels(labels)
        self.path = path
        self.library = Library(path, options, {"links": links, "times": times})

    def serve(self, port: int, *, browse: bool) -> int:
        """Serve the pages until somebody presses Ctrl-C."""
        try:
            import uvicorn  # noqa: PLC0415 -- an extra

            from tlex.viewer.server import make_app  # noqa: PLC0415 -- needs the extra as well
        except ImportError as error:
            raise OptionError(
                f"viewing needs {error.name}; install it with: pip install 'tlex[view]', "
                "or write the pages with --export DIR"
            ) from None
        self.library.scan()
        if self.library.single:
            self._insist()
        listening = _listen(port)
        address = f"http://{LOOPBACK}:{listening.getsockname()[1]}/"
        config = uvicorn.Config(
            make_app(self.library),
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        # Whoever has not read an answer when Ctrl-C comes is cut off, which is no error.
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        print(address, flush=True)
        tell(f"showing {self.path}; press Ctrl-C to stop")
        if browse:
            webbrowser.open(address)
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:
            return _INTERRUPTED
        finally:
            listening.close()
        return 0

    def write(self, folder: str) -> int:
        """Write a page for each document, and the list of them last."""
        target = Path(folder)
        self._check(target)
        self.library.scan()
        try:
            with PagesToCome() as pages:
                entries = self._write(target, pages)
        except OSError as error:
            raise WriteError(f"the pages cannot be kept: {error.strerror or error}") from error
        troubles = [entry.message for entry in entries if entry.verdict == BROKEN]
        for message in troubles:
            tell(message)
        print(target / "index.html")
        tell(f"wrote {count(len(entries), 'document')} to {folder}")
        return 2 if troubles else 0

    def _write(self, target: Path, pages: PagesToCome) -> list[Entry]:
        entries = list(watch(self.library.settle(pages.add), silent=True))
        if not entries:
            raise OptionError(f"{self.path}: no document in this directory")
        make_directory(target)
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
        _save(target / "index.html", list_page(self.library.name, tuple(written)))
        return written

    def _insist(self) -> None:
        """A file that cannot be read is no reason to start."""
        entries = list(self.library.settle())
        if all(entry.verdict == BROKEN for entry in entries):
            message = entries[0].message if entries else "holds no document"
            name = self.library.name
            raise OptionError(
                self.path + message.removeprefix(name)
                if message.startswith(f"{name}:")
                else f"{self.path}: {message}"
            )

    def _check(self, target: Path) -> None:
        inside, own = target.resolve(), Path(self.path).resolve()
        if not self.library.single and (own == inside or own in inside.parents):
            raise OptionError(f"--export {target} lies inside {self.path}, which is being read")
        if target.exists() and not target.is_dir():
            raise OptionError(f"--export {target} is a file; pages need a directory")


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()  # whoever reads the address may come at once
    except OSError as error:
        listening.close()
        raise OptionError(f"port {port} cannot be used: {error.strerror or error}") from None
    return listening


def _is_news(record: logging.LogRecord) -> bool:
    return "graceful shutdown" not in record.getMessage()


def _name_files(entries: list[Entry]) -> list[str]:
    """A file for each document, below the directory; no two the same, and none where a folder is.

    Names that differ in case only count as the same: on some disks they are.
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
