"""The driver of a run: plans, hands shards to workers, and puts their tables into place."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from numbers import Real
from operator import attrgetter
from pathlib import Path
from queue import Empty
from time import monotonic
from types import FrameType

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tlex.arguments import require_number
from tlex.corpus.runs.document_tables import Failure
from tlex.corpus.runs.engines import DaskEngine, Engine, LocalEngine, ShardEvent
from tlex.corpus.runs.manifest import Manifest, ManifestItem, as_write_errors
from tlex.corpus.runs.planning import InputNotes, plan_run
from tlex.corpus.runs.shard_work import Kept, Limits, RunSettings, ShardTask, WorkItem
from tlex.corpus.runs.sources import InputContent
from tlex.corpus.runs.supervisor import Supervisor
from tlex.errors import OptionError, ReadError
from tlex.extraction import choose_options
from tlex.readers import MAX_BYTES, Labels, Layers, list_formats
from tlex.readers.labels import take_labels
from tlex.readers.layers import take_layers
from tlex.wording import count, represent

__all__ = ["RunProgress", "RunSummary", "run"]

SECONDS = 60.0
MEMORY = 2 << 30
_MOST_FAILURES = 10
"""How many failures the summary lists."""

_WAIT = 0.2
"""How many seconds the driver waits for news before it reports progress."""


class RunProgress(Struct, frozen=True, kw_only=True):
    """How far a run is.

    ``todo`` and ``finished`` count what this run has to do: files, or members of archives, or
    lines; mostly one document each. ``failed`` and ``inconsistent`` are of all documents.
    """

    todo: int
    finished: int
    failed: int
    inconsistent: int
    seconds: float
    stopping: bool = False

    @property
    def rate(self) -> float:
        """How many are finished in a second."""
        return self.finished / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """The estimated number of seconds left; None as long as nothing is finished."""
        return (self.todo - self.finished) / self.rate if self.finished else None


class RunSummary(Struct, frozen=True, kw_only=True):
    """What a run did, and what its directory holds now.

    Of all runs into the directory: ``documents`` in all, those ``done``, ``failed`` and
    ``inconsistent``; ``skipped`` files that no reader recognises; ``duplicates``, documents with
    the same content as another one. Of this run: ``processed`` documents; ``pending`` files, still
    to do; ``repeated`` files that several inputs name; ``left_out`` links and devices;
    ``unread`` inputs that could not be read; ``failures``, the first documents that failed, with
    the reasons.
    """

    schema: str
    out: str
    documents: int
    done: int
    failed: int
    inconsistent: int
    skipped: int
    duplicates: int
    processed: int
    pending: int
    repeated: int
    left_out: int
    seconds: float
    interrupted: bool
    unread: tuple[str, ...]
    failures: tuple[str, ...]

    def __repr__(self) -> str:
        facts = f"{count(self.documents, 'document')}, {self.failed:,} failed"
        return represent(self, f"{self.out!r}, {facts}, {self.pending:,} pending")

    @property
    def complete(self) -> bool:
        """Whether everything is done and nothing failed."""
        return not (self.pending or self.failed or self.unread)

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end."""
        return msgspec.json.encode(self)


SCHEMA = "tlex-run/1"


def run(  # noqa: PLR0913 -- one argument an option
    inputs: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    dask: str | None = None,
    timeout: float = SECONDS,
    max_memory: int = MEMORY,
    links: Iterable[str] = ("TLINK", "ALINK"),
    times: str = "interval",
    subordinating: Iterable[str] | None = None,
    calendar: bool = False,
    mend: bool = False,
    repair: bool = True,
    scenarios: bool = True,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 -- what the command line calls it
    text: str | os.PathLike[str] | None = None,
    labels: Labels | str | os.PathLike[str] | None = None,
    strict_labels: bool = False,
    layers: Layers | str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
    retry: bool = False,
    shard_size: int | None = None,
    progress: Callable[[RunProgress], None] | None = None,
) -> RunSummary:
    """Extract all documents of a corpus into the tables of a directory.

    Whatever stopped an earlier run into the same directory, this one does what is missing or has
    changed, and only that. Every document ends as done, or as failed with a reason.

    On Ctrl-C (or SIGTERM) the workers end after their current document; what they have done is
    kept, and the summary says ``interrupted``. A second one ends the run at once, with
    `KeyboardInterrupt`.

    Parameters
    ----------
    inputs : iterable of path
        Directories, patterns, tar and zip archives, files of JSON lines, documents.
    out : path
        The directory of the tables.
    jobs : int, optional
        The number of processes; without it as many as there are cores.
    dask : str, optional
        The address of a Dask cluster that does the work, or ``"local"`` for a new one here.
    timeout : float
        A document that takes more seconds has failed.
    max_memory : int
        A document that takes more bytes has failed.
    links, times, subordinating, calendar, mend : optional
        As for `tlex.extract`.
    repair : bool
        Look for a minimum repair of contradictory documents, which takes time.
    scenarios : bool
        Count the possible orderings, which takes time.
    strict, format, text, labels, strict_labels, layers, max_bytes : optional
        As for `tlex.read`.
    retry : bool
        Do the documents again that failed earlier.
    shard_size : int, optional
        The documents to a file of a table.
    progress : callable, optional
        Called with a `RunProgress` from time to time.

    Returns
    -------
    RunSummary
        How many documents are done, how many failed, and why. An input that does not exist, or
        holds no document, stops nothing: ``unread`` names it.

    Raises
    ------
    OptionError
        If an option is wrong, or a package is missing.

    Examples
    --------
    >>> import tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tlex.corpus.run(["examples/*.tml"], folder, jobs=1).done
    2

    See Also
    --------
    tlex.corpus.open_run : open the tables of a run.
    """
    _require_pyarrow("dask" if dask else "corpus")
    require_number("max_bytes", max_bytes, 0, whole=True)
    names = [os.fspath(path) for path in inputs]
    if not all((*names, os.fspath(out))):
        raise OptionError("the name of an input or output is empty; '.' is the current directory")
    settings = RunSettings(
        options=replace(
            choose_options(links, times, subordinating), calendar=bool(calendar), mend=bool(mend)
        ),
        strict=strict,
        strict_labels=strict_labels,
        format=_check_format(format),
        text=None if text is None else _check_text(text),
        labels=take_labels(labels),
        layers=None if layers is None else take_layers(layers),
        max_bytes=max_bytes,
        repair=repair,
        scenarios=scenarios,
    )
    limits = Limits(
        seconds=_check("timeout", timeout), memory=int(_check("max-memory", max_memory))
    )
    jobs = int(_check("jobs", _count_cores() if jobs is None else jobs))
    folder = Path(os.path.abspath(out))  # noqa: PTH100 -- links stay as they are named
    started = monotonic()
    manifest = Manifest(folder, _list_options(settings))
    first = Supervisor()
    try:
        with as_write_errors(folder):
            if not dask and not manifest.count().items:
                first.start()  # a new run will have work: a worker gets ready while it is planned
            notes = plan_run(
                manifest,
                names,
                max_bytes=max_bytes,
                shard_size=shard_size,
                retry=retry,
            )
            driver = _Driver(manifest, settings, limits, progress, started)
            jobs = min(jobs, manifest.count_shards())  # one process does a shard
            if jobs:
                with _stopping(driver):
                    driver.drive(
                        lambda: DaskEngine(dask, jobs) if dask else LocalEngine(jobs, first)
                    )
            return driver.sum_up(notes)
    finally:
        first.close()
        manifest.close()


class _Driver:
    """One run, from plan to summary."""

    def __init__(
        self,
        manifest: Manifest,
        settings: RunSettings,
        limits: Limits,
        progress: Callable[[RunProgress], None] | None,
        started: float,
    ) -> None:
        self.manifest = manifest
        self.settings = settings
        self.limits = limits
        self.progress = progress
        self.started = started
        self.content = InputContent(settings.max_bytes)
        self.asked = 0  # how often the user asked to stop
        self.processed = self.finished = self.shown = 0
        self.failures: list[str] = []
        before = manifest.count()
        self.todo = before.pending
        self.failed, self.inconsistent = before.failed, before.inconsistent

    def drive(self, start: Callable[[], Engine]) -> None:
        """Do all shards that have pending items."""
        engine = start()
        try:
            self._drive(engine)
        except BaseException:
            engine.kill()
            raise
        finally:
            self.content.close()
            engine.close()

    def sum_up(self, notes: InputNotes) -> RunSummary:
        """Give the summary."""
        totals = self.manifest.count()
        return RunSummary(
            schema=SCHEMA,
            out=str(self.manifest.folder),
            documents=totals.documents,
            done=totals.documents - totals.failed,
            failed=totals.failed,
            inconsistent=totals.inconsistent,
            skipped=totals.skipped,
            duplicates=totals.duplicates,
            processed=self.processed,
            pending=totals.pending,
            repeated=notes.repeated,
            left_out=notes.left_out,
            seconds=round(monotonic() - self.started, 3),
            interrupted=self.asked > 0,
            unread=tuple(notes.unread),
            failures=tuple(self.failures),
        )

    def _drive(self, engine: Engine) -> None:
        waiting = self.manifest.list_shards()
        running: set[int] = set()
        stopping = False
        while True:
            room = (
                engine.room
            )  # also if there is nothing to hand out: it may be that nobody is left
            while not self.asked and len(running) < room:
                shard = next(waiting, None)
                if shard is None:
                    break
                running.add(shard)
                engine.submit(self._make_task(shard, reads_files=engine.reads_files))
            if not running:
                return
            if self.asked and not stopping:
                stopping = True
                engine.stop()
            self._take(_list_events(engine), running)
            self._report_progress(engine)

    def _take(self, events: list[ShardEvent], running: set[int]) -> None:
        pieces = [event.piece for event in events if event.piece is not None]
        if pieces:
            self.manifest.publish(pieces)
        for outcome in chain.from_iterable(piece.outcomes for piece in pieces):
            self.finished += 1
            self.processed += outcome.documents
            self.failed += outcome.failed
            self.inconsistent += outcome.inconsistent
            self.failures += outcome.failures[: _MOST_FAILURES - len(self.failures)]
        for event in events:
            if event.error is not None:
                raise event.error
            if event.piece is None:
                running.discard(event.shard)

    def _report_progress(self, engine: Engine) -> None:
        if self.progress is not None:
            # Never backwards: what a worker has finished is counted here a moment later.
            finished = self.shown = max(self.shown, min(self.finished + engine.count(), self.todo))
            seconds = monotonic() - self.started
            self.progress(
                RunProgress(
                    todo=self.todo,
                    finished=finished,
                    failed=self.failed,
                    inconsistent=self.inconsistent,
                    seconds=seconds,
                    stopping=self.asked > 0,
                )
            )

    def _make_task(self, shard: int, *, reads_files: bool) -> ShardTask:
        rows = self.manifest.list_items(shard)
        present = [row for row in rows if row.stale or row.state in {"done", "failed"}]
        kept = Kept()
        if present:
            files = {
                table: path.read_bytes() for table, path in self.manifest.list_files(shard).items()
            }
            kept = Kept(
                files=files,
                items=[(row.number, row.documents) for row in present],
                dropped=frozenset(row.number for row in present if row.stale),
            )
        # Read in the order of the container: a tar that was packed anew may have another order.
        pending = sorted(
            (row for row in rows if row.state == "pending"), key=attrgetter("path", "place")
        )
        items = [self._make_item(row, reads_files=reads_files) for row in pending]
        items.sort(key=attrgetter("number"))
        return ShardTask(
            shard=shard, items=items, settings=self.settings, limits=self.limits, kept=kept
        )

    def _make_item(self, row: ManifestItem, *, reads_files: bool) -> WorkItem:
        item = WorkItem(
            number=row.number,
            corpus=row.corpus,
            name=row.name,
            path=row.path,
            member=row.member,
            named=bool(row.named),
            line=row.kind == "lines",
        )
        if row.problem is not None:
            return replace(item, failure=Failure("read", row.problem))
        if row.kind == "file" and reads_files:
            return item
        try:
            path = os.fsdecode(row.path)
            data = self.content.read(row.kind, path, row.place, row.size)
        except ReadError as error:
            return replace(item, failure=Failure("read", error.message))
        return replace(item, data=data)


def _list_events(engine: Engine) -> list[ShardEvent]:
    """Wait a while for an event; give it and those that came meanwhile, to be written together."""
    events: list[ShardEvent] = []
    with suppress(Empty):
        events.append(engine.events.get(timeout=_WAIT))
        while True:
            events.append(engine.events.get_nowait())
    return events


@contextmanager
def _stopping(driver: _Driver) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM stop the driver in good order, and the second one at once.

    The second one raises an error: that also ends a system call that hangs, such as reading from a
    broken disk.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        driver.asked += 1
        if driver.asked > 1:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _list_options(settings: RunSettings) -> dict[str, object]:
    """What must be the same for all documents of a result, by the names of the command line."""
    labels = settings.labels
    return {
        "links": settings.options.links,
        "times": settings.options.times,
        "subordinating": settings.options.subordinating,
        "calendar": settings.options.calendar,
        "mend": settings.options.mend,
        "strict": settings.strict or ("labels" if settings.strict_labels else False),
        "format": settings.format,
        "text": settings.text,
        "labels": None if labels is None else sha256(msgspec.json.encode(labels)).hexdigest(),
        "layers": None if settings.layers is None else msgspec.to_builtins(settings.layers),
        "max-bytes": settings.max_bytes,
        "repair": settings.repair,
        "scenarios": settings.scenarios,
    }


def _check(name: str, value: float) -> float:
    if not isinstance(value, Real) or not value > 0 or value == float("inf"):
        raise OptionError(f"{name} cannot be {value!r}; it must be a number above 0")
    return value


def _check_format(name: str | None) -> str | None:
    if name is not None and name not in list_formats():
        raise OptionError(f"format cannot be {name!r}; choose from {', '.join(list_formats())}")
    return name


def _check_text(folder: str | os.PathLike[str]) -> str:
    if not os.path.isdir(folder):  # noqa: PTH112
        raise OptionError(f"text must be a directory, and {os.fspath(folder)!r} is not one")
    return os.path.abspath(folder)  # noqa: PTH100


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _require_pyarrow(extra: str) -> None:
    """Check that the workers will find pyarrow; the driver itself does not need it."""
    if find_spec("pyarrow") is None:
        raise OptionError(f"this needs pyarrow; install it with: pip install 'tlex[{extra}]'")
