"""Supervises a worker process: replaces it when it has crashed, and finds the cause.

A document that takes too long has failed. If the process died for another reason, another document
may be the cause: so the current one is done again first, in a new process, and has failed if that
process dies too. If processes die while they write the tables of a shard, all its documents have
failed.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from msgspec.structs import replace

from tlex.corpus.runs.document_tables import Failure
from tlex.corpus.runs.shard_work import LOADING, ShardPiece, ShardTask
from tlex.corpus.runs.worker import IDLE, WorkerStatus
from tlex.errors import TlexError

__all__ = ["Supervisor", "WorkerError"]

_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from tlex.corpus.runs.worker import serve; serve(*map(int, sys.argv[2:]))"
)
_DYING = 1.0
"""How many seconds a process may take to end after its connection was closed."""

_PATIENCE = 3
"""How often in a row processes may die while they work on no document."""


class WorkerError(TlexError):
    """Worker processes cannot be started, or die whatever the task is."""


class _Worker:
    """A process, the connection to it, and the status that it shares."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        ending, self._lifeline = os.pipe()
        shared = _open_memory()
        os.ftruncate(shared, WorkerStatus.SIZE)
        self.status = WorkerStatus(shared)
        self.status.place = IDLE, IDLE
        ends = (theirs.fileno(), shared, ending)
        words = [sys.executable, "-c", _CODE, json.dumps(sys.path), *map(str, ends)]
        # One arena and the system's allocator: others reserve more address space than they use.
        environment = os.environ | {
            "ARROW_DEFAULT_MEMORY_POOL": "system",
            "MALLOC_ARENA_MAX": "1",
            "OMP_NUM_THREADS": "1",
        }
        try:
            self.process = subprocess.Popen(  # noqa: S603 -- this very Python
                words,
                env=environment,
                pass_fds=ends,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the driver
            )
        except OSError as error:
            os.close(self._lifeline)
            ours.close()
            raise WorkerError(f"no worker process can be started: {error.strerror}") from error
        finally:
            theirs.close()
            os.close(shared)
            os.close(ending)
        self.line = Connection(ours.detach())

    def close(self) -> int:
        """End the process; give its exit code."""
        self.process.kill()
        code = self.process.wait()
        self.line.close()
        os.close(self._lifeline)
        return code


class Supervisor:
    """Does shards in a worker process, which may crash."""

    def __init__(self) -> None:
        self._worker: _Worker | None = None
        self._stopping = False
        self._killed = False

    def start(self) -> _Worker:
        """Start the process, unless it is there. It gets ready before there is a task."""
        self._worker = self._worker or _Worker()
        return self._worker

    def run(self, task: ShardTask, hand_over: Callable[[ShardPiece], None]) -> None:
        """Do a shard; hand over the finished part from time to time, and all of it in the end.

        If it is stopped or killed, the last piece may be missing.
        """
        suspects: Counter[tuple[int, int]] = Counter()
        idle = 0
        while not self._killed:
            worker = self.start()
            if self._killed:
                return
            if self._stopping:
                worker.status.stop()
            try:
                worker.line.send_bytes(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
                while True:
                    piece: ShardPiece = pickle.loads(worker.line.recv_bytes())  # noqa: S301
                    task = _go_on(task, piece)
                    hand_over(piece)
                    if piece.last:
                        return
            except (EOFError, OSError):
                if self._killed:
                    return
            place, finished = worker.status.place, worker.status.count
            code = self._wait_for_end(worker)
            if place[0] == IDLE:
                idle += 1
                if idle == _PATIENCE and finished:  # it died while it wrote the tables
                    task = _give_up(task, code)
                elif idle >= _PATIENCE:
                    raise WorkerError(f"worker processes end at once: {_name_end(code)}")
                continue
            idle = 0
            suspects[place] += 1
            if suspects[place] > _PATIENCE:  # it has failed already, and still its worker dies
                raise WorkerError(f"worker processes die whatever they do: {_name_end(code)}")
            task = _judge(task, place, code, suspects)

    @property
    def count(self) -> int:
        """How many items of the current shard are finished."""
        worker = self._worker
        return worker.status.count if worker else 0

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return self._worker.process.pid if self._worker else None

    def stop(self) -> None:
        """Have the work end after the current item."""
        self._stopping = True
        if self._worker:
            self._worker.status.stop()

    def kill(self) -> None:
        """End at once."""
        self._killed = True
        if self._worker:
            self._worker.process.kill()

    def close(self) -> None:
        """End the process."""
        if self._worker:
            self._worker.close()
            self._worker = None

    def _wait_for_end(self, worker: _Worker) -> int:
        """Wait for the end of a process that has crashed, or is about to; give its exit code."""
        self._worker = None
        with suppress(subprocess.TimeoutExpired):
            worker.process.wait(_DYING)
        return worker.close()


def _go_on(task: ShardTask, piece: ShardPiece) -> ShardTask:
    """The task that remains when a piece is done."""
    done = {outcome.number for outcome in piece.outcomes}
    left = [item for item in task.items if item.number not in done]
    return replace(task, items=left, kept=piece.kept)


def _judge(
    task: ShardTask, place: tuple[int, int], code: int, suspects: Counter[tuple[int, int]]
) -> ShardTask:
    """The task that remains when a process has died while it worked on a document."""
    failed = dict(task.failed)
    if code == -signal.SIGALRM:
        failed[place] = Failure("timeout", f"took longer than {task.limits.seconds:g} seconds")
    elif suspects[place] > 1:
        failed[place] = Failure("killed", f"its worker process died twice: {_name_end(code)}")
    first = [item for item in task.items if item.number == place[0]]
    others = [item for item in task.items if item.number != place[0]]
    return replace(task, items=first + others, failed=failed)


def _give_up(task: ShardTask, code: int) -> ShardTask:
    """The task with all its items marked as failed, since no process can write its tables."""
    times = f"its worker process died {_PATIENCE} times writing the tables"
    failure = Failure("killed", f"{times}: {_name_end(code)}")
    return replace(task, failed={(item.number, LOADING): failure for item in task.items})


def _name_end(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _open_memory() -> int:
    """Open a file in memory, so that a full disk does no harm."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("tlex")
    with tempfile.TemporaryFile() as file:  # pragma: no cover
        return os.dup(file.fileno())
