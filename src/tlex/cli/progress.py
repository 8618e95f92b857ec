"""Progress on stderr, where a person waits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Protocol, TypeVar

__all__ = ["show_progress", "show_search", "track_shards"]


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_HasName)
_Shard = TypeVar("_Shard")


_PATIENCE = 0.5
"""Seconds after which a person wants to know what a search is doing."""

_OFTEN = 0.1

_described: list[Callable[[str], None]] = []
"""What sets the text beside the number of documents, while that is shown."""


@contextmanager
def show_search(name: str) -> Iterator[Callable[[float, float], None]]:
    """Show the best repair so far and the bound, if stderr is a terminal and it takes a while."""
    begun = last = monotonic()
    written = False
    shown_name = "".join(c if c.isprintable() and c not in "[]" else "?" for c in name)

    def show(cost: float, bound: float) -> None:
        nonlocal last, written
        now = monotonic()
        if now - begun < _PATIENCE or now - last < _OFTEN or not sys.stderr.isatty():
            return
        last = now
        gap = f", gap {(cost - bound) / cost:.0%}" if cost else ""
        words = f"{shown_name}: cost {cost:g}, at least {bound:g}{gap}"
        if _described:
            _described[-1](words)
        else:
            written = True
            sys.stderr.write(f"\r\x1b[K{words[-79:]}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def show_progress(documents: Iterable[_Thing], *, silent: bool = False) -> Iterator[_Thing]:
    """Show how many documents are done, if stderr is a terminal and the results go elsewhere.

    ``silent``: nothing is printed meanwhile, so a terminal as stdout does not matter.
    """
    if (sys.stdout.isatty() and not silent) or not sys.stderr.isatty():
        yield from documents
        return
    from rich.console import Console  # noqa: PLC0415 -- only here, and not light
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), "{task.completed} documents", TimeElapsedColumn())
    with Progress(
        *columns,
        "{task.description}",
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,  # results go where the user sends them
    ) as bar:
        task = bar.add_task("", total=None)

        def describe(words: str) -> None:
            bar.update(task, description=words)

        _described.append(describe)
        try:
            for document in documents:
                name = "".join(
                    c if c.isprintable() and c not in "[]" else "?" for c in document.name
                )
                describe(name)
                yield document
                bar.advance(task)
        finally:
            _described.remove(describe)


def track_shards(shards: Sequence[_Shard]) -> Iterable[_Shard]:
    """Show how many of the tables' files are read, if stderr is a terminal."""
    if not sys.stderr.isatty():
        return shards
    from rich.console import Console  # noqa: PLC0415 -- only here, and not light
    from rich.progress import track  # noqa: PLC0415

    return track(shards, "reading tables", console=Console(stderr=True), transient=True)
