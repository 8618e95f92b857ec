"""Progress on stderr, where a person waits."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

__all__ = ["show_progress", "track_shards"]


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_HasName)
_Shard = TypeVar("_Shard")


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
        *columns, "{task.description}", console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=None)
        for document in documents:
            name = "".join(c if c.isprintable() and c not in "[]" else "?" for c in document.name)
            bar.update(task, description=name)
            yield document
            bar.advance(task)


def track_shards(shards: Sequence[_Shard]) -> Iterable[_Shard]:
    """Show how many of the tables' files are read, if stderr is a terminal."""
    if not sys.stderr.isatty():
        return shards
    from rich.console import Console  # noqa: PLC0415 -- only here, and not light
    from rich.progress import track  # noqa: PLC0415

    return track(shards, "reading tables", console=Console(stderr=True), transient=True)
