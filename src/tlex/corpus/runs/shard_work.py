"""The work on one shard: documents in, the bytes of its tables out.

It touches no file except the documents that it reads, so any process can do it, on this machine or
another. `worker` does it in a process of its own, with limits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from tlex.corpus.runs.document_tables import (
    Failure,
    Origin,
    describe_document,
    describe_failure,
)
from tlex.corpus.runs.sources import open_regular
from tlex.document import Document
from tlex.errors import NotRecognisedError, ReadError, TlexError
from tlex.export.table_columns import Columns
from tlex.extraction import extract
from tlex.readers import MAX_BYTES, Labels, Layers, load, parse_all
from tlex.records import Options

if TYPE_CHECKING:
    from tlex.corpus.runs.shard_tables import ShardTables

__all__ = [
    "Kept",
    "Limits",
    "Outcome",
    "RunSettings",
    "ShardPiece",
    "ShardTask",
    "WorkItem",
    "WorkObserver",
    "do_shard",
    "name_documents",
    "read_item",
]

LOADING, READING = -2, -1
"""Instead of the number of a document in its file: its bytes are being loaded, or parsed."""

_EVERY = 10.0
"""After this many seconds of work the finished part of a shard is handed over."""


_LINE_HEAD = 1 << 16


class Limits(Struct, frozen=True, kw_only=True):
    """How many seconds and how many bytes of memory a document may take."""

    seconds: float = 60.0
    memory: int = 2 << 30


class RunSettings(Struct, frozen=True, kw_only=True):
    """How every document of a run is read and what is computed."""

    options: Options = Options()
    strict: bool = False
    strict_labels: bool = False
    format: str | None = None
    text: str | None = None
    labels: Labels | None = None
    layers: Layers | None = None
    max_bytes: int = MAX_BYTES
    repair: bool = True
    scenarios: bool = True


class WorkItem(Struct, frozen=True, kw_only=True):
    """One thing to read: a file, a member of an archive, a line; mostly one document.

    ``data`` is its content where the driver has read it, ``failure`` why it could not. If it was
    ``named`` on the command line, no reader recognising it is a failure. A ``line`` is a document
    in JSON, whatever it looks like.
    """

    number: int
    corpus: str
    name: str
    path: bytes
    member: str | None = None
    data: bytes | None = None
    failure: Failure | None = None
    named: bool = False
    line: bool = False

    @property
    def document(self) -> str:
        """What the document is called in the tables, if it is the only one of the item."""
        return f"{self.corpus}/{self.name}"


class Kept(Struct, frozen=True, kw_only=True):
    """The part of a shard that is done already: its files, and the items in them."""

    files: dict[str, bytes] = {}
    items: list[tuple[int, int]] = []
    """The number of each item in the files and how many documents it has, in their order."""
    dropped: frozenset[int] = frozenset()
    """The numbers of the items whose rows are removed."""

    def places(self) -> list[tuple[int, int] | None]:
        """The place of each document in the files, in their order; None if it is removed."""
        return [
            None if number in self.dropped else (number, k)
            for number, count in self.items
            for k in range(count)
        ]


class ShardTask(Struct, kw_only=True):
    """A shard to do: its items, and the part that is done already."""

    shard: int
    items: list[WorkItem]
    settings: RunSettings
    limits: Limits
    kept: Kept = Kept()
    failed: dict[tuple[int, int], Failure] = {}
    """What is known to fail, by the number of the item and of the document in it.

    The latter can also be `LOADING` or `READING`.
    """


class Outcome(Struct, frozen=True, kw_only=True):
    """The outcome of an item."""

    number: int
    state: str
    content: str | None = None
    documents: int = 0
    failed: int = 0
    inconsistent: int = 0
    failures: tuple[str, ...] = ()
    """For each document that failed, its name and the reason."""


class ShardPiece(Struct, kw_only=True):
    """The finished part of a shard: its whole files, and the outcomes since the last piece."""

    shard: int
    files: dict[str, bytes]
    outcomes: list[Outcome]
    last: bool
    kept: Kept = field(default_factory=Kept)


class WorkObserver(Protocol):
    """Is informed about what is being worked on."""

    def begin(self, item: int, document: int) -> None:
        """Work on a document, or on reading an item, begins."""

    def end(self) -> None:
        """The work on an item has ended."""

    def is_stopped(self) -> bool:
        """Whether the work is to end after the current item."""


def do_shard(
    task: ShardTask, observer: WorkObserver, clock: Callable[[], float] = monotonic
) -> Iterator[ShardPiece]:
    """Do a shard: hand over the finished part every few seconds, and all of it in the end."""
    from tlex.corpus.runs.shard_tables import ShardTables  # noqa: PLC0415 -- needs pyarrow

    tables = ShardTables()
    places = task.kept.places()
    counts = [pair for pair in task.kept.items if pair[0] not in task.kept.dropped]
    outcomes: list[Outcome] = []
    since = clock()

    def hand_over(*, last: bool) -> ShardPiece:
        files = tables.encode(task.kept.files, places)
        kept = Kept(files=files, items=sorted(counts))
        return ShardPiece(shard=task.shard, files=files, outcomes=outcomes, last=last, kept=kept)

    for item in task.items:
        outcome = _do(item, task, tables, observer)
        outcomes.append(outcome)
        counts.append((item.number, outcome.documents))
        observer.end()
        if observer.is_stopped():
            break
        if clock() - since > _EVERY:
            yield hand_over(last=False)
            outcomes = []
            since = clock()
    yield hand_over(last=True)


def _do(item: WorkItem, task: ShardTask, shard: ShardTables, observer: WorkObserver) -> Outcome:
    """Read an item, and do its documents."""
    content, documents, failure = _open(item, task, observer)
    if documents is None and failure is None:
        return Outcome(number=item.number, state="skipped", content=content)
    origin = Origin(item.corpus, item.name, _show(item.path), item.member, content)
    if failure is not None:
        shard.add(item.document, (item.number, 0), describe_failure(origin, failure))
        return _sum_up(item, content, [f"{item.document}: {failure.reason}"], 1, 0)
    failures: list[str] = []
    inconsistent = 0
    named = list(name_documents(documents or ()))
    for place, (name, document) in enumerate(named):
        observer.begin(item.number, place)
        tables: dict[str, Columns] = {}
        lost = task.failed.get((item.number, place))
        if lost is None:
            tables, consistent, lost = _describe(document, origin._replace(name=name), task)
            inconsistent += not consistent
        if lost is not None:
            tables = describe_failure(origin._replace(name=name), lost)
            failures.append(f"{item.corpus}/{name}: {lost.reason}")
        shard.add(f"{item.corpus}/{name}", (item.number, place), tables)
    return _sum_up(item, content, failures, len(named), inconsistent)


def _open(  # noqa: PLR0911 -- one for each way to fail
    item: WorkItem, task: ShardTask, observer: WorkObserver
) -> tuple[str | None, tuple[Document, ...] | None, Failure | None]:
    """The digest of an item's content, and its documents or why there are none.

    Neither, if no reader recognises it and the user did not name it.
    """
    content: str | None = None
    observer.begin(item.number, LOADING)
    failure = item.failure or task.failed.get((item.number, LOADING))
    if failure is not None:
        return content, None, failure
    try:
        data = _load(item, task.settings) if item.data is None else item.data
        content = sha256(data).hexdigest()
        failure = task.failed.get((item.number, READING))
        if failure is not None:
            return content, None, failure
        observer.begin(item.number, READING)
        return content, read_item(item, data, task.settings), None
    except NotRecognisedError as error:
        return content, None, Failure("read", _without_name(error)) if item.named else None
    except ReadError as error:
        return content, None, Failure("read", _without_name(error))
    except MemoryError:
        return content, None, _too_much(task.limits)
    except Exception as error:  # noqa: BLE001 -- one document must not stop a corpus
        return content, None, _explain(error)


def _describe(
    document: Document, origin: Origin, task: ShardTask
) -> tuple[dict[str, Columns], bool, Failure | None]:
    """The tables of a document and whether it is consistent, or why there are none."""
    settings = task.settings
    options = settings.options
    try:
        result = extract(
            document,
            links=options.links,
            times=options.times,
            subordinating=options.subordinating,
            calendar=options.calendar,
            mend=options.mend,
        )
        tables = describe_document(
            result,
            origin,
            repair=settings.repair,
            scenarios=settings.scenarios,
            seconds=task.limits.seconds / 4,
        )
    except MemoryError:
        return {}, True, _too_much(task.limits)
    except Exception as error:  # noqa: BLE001
        return {}, True, _explain(error)
    return tables, result.consistent, None


def _sum_up(
    item: WorkItem, content: str | None, failures: list[str], documents: int, inconsistent: int
) -> Outcome:
    return Outcome(
        number=item.number,
        state="failed" if failures else "done",
        content=content,
        documents=documents,
        failed=len(failures),
        inconsistent=inconsistent,
        failures=tuple(failures),
    )


def _load(item: WorkItem, settings: RunSettings) -> bytes:
    try:
        # A file object would take longer than the reading.
        descriptor = open_regular(item.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            size = os.fstat(descriptor).st_size
            return load(partial(os.read, descriptor), item.name, settings.max_bytes, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}", name=item.name) from error


def read_item(item: WorkItem, data: bytes, settings: RunSettings) -> tuple[Document, ...]:
    """Read the documents of an item."""
    return parse_all(
        data,
        name=item.name,
        strict=settings.strict,
        strict_labels=settings.strict_labels,
        max_bytes=settings.max_bytes,
        format=settings.format or (_find_line_format(data) if item.line else None),
        text=settings.text,
        labels=settings.labels,
        layers=settings.layers,
        path=None if item.member is not None else os.fsdecode(item.path),
    )


def _find_line_format(data: bytes) -> str:
    """Name the format of a line of JSON Lines: MAVEN-ERE's, or tlex's own."""
    head = data[:_LINE_HEAD]
    return "maven" if b'"tokens"' in head and b'"sentences"' in head else "json"


def name_documents(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """Documents with unique names: a number is added to a name that is taken."""
    taken: set[str] = set()
    for document in documents:
        name, count = document.name, 1
        while name in taken:
            count += 1
            name = f"{document.name}#{count}"
        taken.add(name)
        yield name, document


def _without_name(error: ReadError) -> str:
    place = ":".join(str(n) for n in (error.line, error.column) if n is not None)
    return f"{place}: {error.message}" if place else error.message


def _explain(error: Exception) -> Failure:
    if isinstance(error, TlexError):
        return Failure("error", str(error))
    message = " ".join(f"{type(error).__name__}: {error}".split())
    return Failure("error", message[:300])


def _too_much(limits: Limits) -> Failure:
    return Failure("memory", f"needs more than {limits.memory:,} bytes of memory")


def _show(path: bytes) -> str:
    """A path as text; bytes that are not UTF-8 are escaped."""
    return path.decode("utf-8", "backslashreplace")
