"""A Dask cluster that leaves a run alone: an error in one line, and an end."""

from __future__ import annotations

import pytest

from tlex.corpus.runs import engines
from tlex.corpus.runs.engines import DaskEngine
from tlex.corpus.runs.supervisor import WorkerError


class Client:
    """A client whose cluster has so many threads, one number after the other."""

    def __init__(self, *threads: int) -> None:
        self.threads = list(threads)

    def nthreads(self) -> dict[str, int]:
        if not self.threads:
            raise OSError("connection closed")
        return {"worker": self.threads.pop(0)}


@pytest.fixture
def engine(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(engines, "monotonic", lambda: now[0])
    made = object.__new__(DaskEngine)
    made._alone = None
    made.now = now
    return made


def ask(engine, client, *moments):
    engine._client = client  # noqa: SLF001
    rooms = []
    for moment in moments:
        engine.now[0] = moment
        rooms.append(engine.room)
    return rooms


def test_a_cluster_may_be_without_a_worker_for_a_while(engine):
    assert ask(engine, Client(2, 0, 0, 1, 0, 0), 0, 10, 35, 50, 60, 80) == [4, 2, 2, 2, 2, 2]


def test_a_cluster_without_a_worker_ends_the_run(engine):
    with pytest.raises(WorkerError, match="has had no worker for 30 seconds"):
        ask(engine, Client(2, 0, 0, 0), 0, 10, 35, 50)


def test_a_scheduler_that_is_gone_ends_the_run(engine):
    with pytest.raises(WorkerError, match="scheduler does not answer any more: connection closed"):
        ask(engine, Client(2), 0, 1)
