"""The engines that do the shards: processes on this machine, or a Dask cluster.

Both take tasks as long as there is room, and put events into one queue: pieces of a shard, and
finally its end, with or without an error.
"""

from __future__ import annotations

import logging
import signal
import threading
from contextlib import suppress
from functools import partial
from importlib import import_module
from queue import Queue, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple, Protocol

from tlex._version import __version__
from tlex.corpus.runs.shard_work import Outcome, ShardPiece, ShardTask
from tlex.corpus.runs.supervisor import Supervisor, WorkerError
from tlex.errors import OptionError

__all__ = ["DaskEngine", "Engine", "LocalEngine", "ShardEvent"]

_AHEAD = 2
"""How many shards each worker has: one in work, the others waiting."""

_TRIES = 5
_ALONE = 30.0
"""How many seconds a Dask cluster may be without a worker."""


class ShardEvent(NamedTuple):
    """A piece of a shard, or its end, with an error if it could not be done."""

    shard: int
    piece: ShardPiece | None = None
    error: Exception | None = None


class Engine(Protocol):
    """What the driver needs of an engine."""

    reads_files: bool
    """Whether it reads files itself; otherwise the task must contain their content."""

    events: SimpleQueue[ShardEvent]

    @property
    def room(self) -> int:
        """How many tasks it wants to have at once."""

    def submit(self, task: ShardTask) -> None:
        """Start a shard, or put it into the queue."""

    def count(self) -> int:
        """How many items are finished in the shards that are not finished."""

    def stop(self) -> None:
        """Let each worker end after its current item, and drop the waiting tasks."""

    def kill(self) -> None:
        """End at once."""

    def close(self) -> None:
        """End the processes, or leave the cluster."""


class LocalEngine:
    """Processes on this machine, each with a thread that supervises it.

    The ``first`` supervisor may be there already.
    """

    reads_files = True

    def __init__(self, jobs: int, first: Supervisor | None = None) -> None:
        self.events: SimpleQueue[ShardEvent] = SimpleQueue()
        self._tasks: Queue[ShardTask | None] = Queue()
        self._stopped = False
        self._supervisors = [first or Supervisor(), *(Supervisor() for _ in range(1, jobs))]
        self._threads = [
            threading.Thread(target=self._serve, args=(supervisor,), daemon=True)
            for supervisor in self._supervisors
        ]
        for thread in self._threads:
            thread.start()

    @property
    def room(self) -> int:
        """How many tasks it wants to have at once."""
        return _AHEAD * len(self._supervisors)

    def submit(self, task: ShardTask) -> None:
        """Start a shard, or put it into the queue."""
        self._tasks.put(task)

    def count(self) -> int:
        """How many items are finished in the shards that are not finished."""
        return sum(supervisor.count for supervisor in self._supervisors)

    def stop(self) -> None:
        """Let each worker end after its current item, and drop the waiting tasks."""
        self._stopped = True
        for supervisor in self._supervisors:
            supervisor.stop()

    def kill(self) -> None:
        """End at once."""
        self._stopped = True
        for supervisor in self._supervisors:
            supervisor.kill()

    def close(self) -> None:
        """End the processes."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        for supervisor in self._supervisors:
            supervisor.close()

    def _serve(self, supervisor: Supervisor) -> None:
        while (task := self._tasks.get()) is not None:
            error: Exception | None = None
            try:
                if not self._stopped:
                    supervisor.run(task, self._add_piece)
            except Exception as failure:  # noqa: BLE001 -- the driver decides what to do about it
                error = failure
            self.events.put(ShardEvent(task.shard, error=error))

    def _add_piece(self, piece: ShardPiece) -> None:
        self.events.put(ShardEvent(piece.shard, piece))


class DaskEngine:
    """A Dask cluster: an existing one, by its address, or one on this machine, ``local``.

    The workers need tlex and pyarrow, but no shared disk: the task contains the documents, and the
    tables come back. Each worker has a process of its own for the work, so that a document cannot
    kill the worker.
    """

    reads_files = False

    def __init__(self, address: str, jobs: int) -> None:
        distributed = _import_distributed()
        # What goes wrong becomes one line of ours; Dask would print a traceback as well.
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in {"distributed", "asyncio", "tornado"}:
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self.events: SimpleQueue[ShardEvent] = SimpleQueue()
        self._cluster: Any = None
        self._alone: float | None = None  # since when there has been no worker
        if address == "local":
            self._cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # None would warn of a port in use
                silence_logs=50,
                preload=[__name__],
            )
            address = self._cluster.scheduler_address
        try:
            distributed.comm.resolve_address(address)  # a client would try in vain, and then hang
            self._client = distributed.Client(address, timeout=5, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise OptionError(f"no Dask scheduler answers at {address!r}: {error}") from None
        self._futures: dict[int, Any] = {}
        self._tries: dict[int, int] = {}
        self._stopped = False

    @property
    def room(self) -> int:
        """How many tasks it wants to have at once."""
        try:
            threads: int = sum(self._client.nthreads().values())
        except OSError as error:  # also a timeout
            raise WorkerError(f"the Dask scheduler does not answer any more: {error}") from None
        now = monotonic()
        if threads:
            self._alone = None
        elif self._alone is None:
            self._alone = now
        elif now - self._alone > _ALONE:
            raise WorkerError(f"the Dask cluster has had no worker for {_ALONE:g} seconds")
        return _AHEAD * max(1, threads)

    def submit(self, task: ShardTask) -> None:
        """Start a shard, or put it into the queue."""
        self._tries[task.shard] = self._tries.get(task.shard, 0) + 1
        future = self._client.submit(_do_shard, task, __version__, pure=False)
        self._futures[task.shard] = future
        future.add_done_callback(partial(self._finish, task))

    def count(self) -> int:
        """How many items are finished in unfinished shards: unknown with Dask, so 0."""
        return 0

    def stop(self) -> None:
        """Drop the waiting tasks; the running ones are finished."""
        self._stopped = True
        running = {key for keys in self._client.processing().values() for key in keys}
        for shard, future in list(self._futures.items()):
            if future.key not in running:
                future.cancel()
                self._finish_once(ShardEvent(shard))

    def kill(self) -> None:
        """End at once."""
        self._stopped = True
        for shard, future in list(self._futures.items()):
            with suppress(OSError):  # nobody is there any more
                future.cancel()
            self._finish_once(ShardEvent(shard))

    def close(self) -> None:
        """Leave the cluster; end it if it is our own."""
        with suppress(OSError):  # nobody is there any more
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _finish(self, task: ShardTask, future: Any) -> None:  # noqa: ANN401 -- a Dask future
        if task.shard not in self._futures or self._futures[task.shard] is not future:
            return
        try:
            piece: ShardPiece = future.result()
        except Exception as error:  # noqa: BLE001 -- whatever a cluster may raise
            if isinstance(error, WorkerError):
                self._finish_once(ShardEvent(task.shard, error=error))
            elif not self._stopped and self._tries[task.shard] < _TRIES:
                self.submit(task)  # the worker was killed, or the cluster has lost it
            else:
                message = f"the Dask cluster could not do a shard: {error}"
                self._finish_once(ShardEvent(task.shard, error=WorkerError(message)))
            return
        if self._futures.get(task.shard) is future:
            self.events.put(ShardEvent(task.shard, piece))
        self._finish_once(ShardEvent(task.shard))

    def _finish_once(self, event: ShardEvent) -> None:
        if self._futures.pop(event.shard, None) is not None:
            self.events.put(event)


def dask_setup(_worker: object) -> None:
    """Prepare a Dask worker on this machine; Dask looks for this name.

    A terminal sends Ctrl-C to all processes, but only the driver shall react to it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_own = threading.local()


def _do_shard(task: ShardTask, version: str) -> ShardPiece:
    """Do a shard on a worker of the cluster, in a process that its thread keeps."""
    if version != __version__:
        raise WorkerError(f"a Dask worker has tlex {__version__}, and this is {version}")
    supervisor: Supervisor | None = getattr(_own, "supervisor", None)
    if supervisor is None:
        supervisor = _own.supervisor = Supervisor()
    pieces: list[ShardPiece] = []
    supervisor.run(task, pieces.append)
    outcomes: list[Outcome] = [outcome for piece in pieces for outcome in piece.outcomes]
    return ShardPiece(shard=task.shard, files=pieces[-1].files, outcomes=outcomes, last=True)


def _import_distributed() -> Any:  # noqa: ANN401 -- a module that may not be there
    try:
        return import_module("distributed")
    except ImportError as error:
        raise OptionError("this needs Dask; install it with: pip install 'tlex[dask]'") from error
