"""A worker process: does shards, one at a time, with limits of time and memory per document.

It shares its status with its parent in memory, so that the parent knows which document it was
working on when it dies. If a document takes too long, the kernel's timer ends the process, whatever
it is doing. It also ends when its parent ends.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import pickle
import signal
import struct
import sys
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection

from tlex.corpus.runs.shard_work import READING, Limits, ShardTask, do_shard

try:
    import resource
except ImportError:  # pragma: no cover -- not on this system: no limit of memory
    resource = None  # type: ignore[assignment]

__all__ = ["IDLE", "WorkerStatus", "serve"]

IDLE = -2
"""Instead of the number of an item: nothing is being worked on."""

_PLACE = struct.Struct("<qq")
_COUNT = struct.Struct("<q")
_STOP = struct.Struct("<q")
_STATM = "/proc/self/statm"
_LONGEST, _LARGEST = 1e9, 1 << 62
"""The largest limits that every kernel takes: seconds, bytes. Nothing reaches them."""

_OBJECTS = 100_000
"""How many new objects there are when the garbage collector looks at them: some documents have
that many, and little of it is garbage."""

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG, of Linux


class WorkerStatus:
    """The shared memory: the current item and document, how many items are finished, "stop"."""

    SIZE = _PLACE.size + _COUNT.size + _STOP.size

    def __init__(self, descriptor: int) -> None:
        self.memory = mmap.mmap(descriptor, self.SIZE)

    @property
    def place(self) -> tuple[int, int]:
        """The item and the document being worked on."""
        item, document = _PLACE.unpack_from(self.memory, 0)
        return item, document

    @place.setter
    def place(self, place: tuple[int, int]) -> None:
        _PLACE.pack_into(self.memory, 0, *place)

    @property
    def count(self) -> int:
        """How many items of the shard are finished."""
        (count,) = _COUNT.unpack_from(self.memory, _PLACE.size)
        return int(count)

    @count.setter
    def count(self, count: int) -> None:
        _COUNT.pack_into(self.memory, _PLACE.size, count)

    @property
    def stopped(self) -> bool:
        """Whether the work must end after the current item."""
        (stop,) = _STOP.unpack_from(self.memory, _PLACE.size + _COUNT.size)
        return bool(stop)

    def stop(self) -> None:
        """Let the work end after the current item."""
        _STOP.pack_into(self.memory, _PLACE.size + _COUNT.size, 1)


class _Limited:
    """Writes what is being worked on into the status, and sets the limits for it."""

    def __init__(self, status: WorkerStatus, limits: Limits) -> None:
        self.status = status
        self.limits = limits
        self.statm = os.open(_STATM, os.O_RDONLY) if resource and os.path.exists(_STATM) else -1  # noqa: PTH110
        self.page = os.sysconf("SC_PAGE_SIZE")
        self.hard = resource.getrlimit(resource.RLIMIT_AS)[1] if resource else 0

    def begin(self, item: int, document: int) -> None:
        self.status.place = item, document
        if document != READING:  # what was loaded is part of what reading takes
            self._limit_memory(self.limits.memory)
        signal.setitimer(signal.ITIMER_REAL, min(self.limits.seconds, _LONGEST))

    def end(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._limit_memory(None)
        self.status.place = IDLE, IDLE
        self.status.count += 1

    def is_stopped(self) -> bool:
        return self.status.stopped

    def close(self) -> None:
        if self.statm >= 0:
            os.close(self.statm)

    def _limit_memory(self, most: int | None) -> None:
        """Allow so many bytes more than are in use now; None removes the limit."""
        if self.statm < 0:
            return
        soft = self.hard
        if most is not None:
            used = int(os.pread(self.statm, 64, 0).split(None, 1)[0]) * self.page
            soft = min(used + most, _LARGEST)
            if self.hard != resource.RLIM_INFINITY:
                soft = min(soft, self.hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, self.hard))


class _NoPandas:
    """Hides pandas: pyarrow would load it for its first array, and no table here is a frame."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("not in a worker", name=name)


def serve(connection: int, cell: int, lifeline: int) -> None:
    """Do the tasks that come through the connection, until it is closed."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):  # of Linux; it also ends a call that lets no thread run
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_die_with_parent, args=(lifeline,), daemon=True).start()
    sys.meta_path.insert(0, _NoPandas)
    gc.set_threshold(_OBJECTS)
    with suppress(ImportError):  # else the first table says what is wrong
        import_module("tlex.corpus.runs.shard_tables")  # loads pyarrow, while the driver plans
    shared = WorkerStatus(cell)
    with Connection(connection) as line:
        while True:
            try:
                task: ShardTask = pickle.loads(line.recv_bytes())  # noqa: S301 -- from our own parent
            except EOFError:
                return
            shared.count = 0
            limited = _Limited(shared, task.limits)
            for piece in do_shard(task, limited):
                shared.count = 0
                line.send_bytes(pickle.dumps(piece, pickle.HIGHEST_PROTOCOL))
            limited.close()


def _die_with_parent(lifeline: int) -> None:
    """End this process when the parent's end of the pipe is closed."""
    while os.read(lifeline, 1):
        pass
    os._exit(1)
