"""A worker process loads what its work needs, and no more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tlex.corpus.runs.shard_work import Limits, RunSettings, ShardTask, WorkItem
from tlex.corpus.runs.supervisor import Supervisor

STORY = Path(__file__).parents[3] / "examples" / "story.tml"


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="shows no libraries")
def test_pandas_is_not_loaded():
    pytest.importorskip("pandas")
    item = WorkItem(number=0, corpus="examples", name="story.tml", path=os.fsencode(STORY))
    task = ShardTask(shard=0, items=[item], settings=RunSettings(), limits=Limits())
    pieces = []
    supervisor = Supervisor()
    try:
        supervisor.run(task, pieces.append)
        libraries = Path(f"/proc/{supervisor.pid}/maps").read_text(encoding="utf-8")
    finally:
        supervisor.close()

    assert [outcome.state for outcome in pieces[0].outcomes] == ["done"]
    assert "/pyarrow/" in libraries
    assert "/pandas/" not in libraries
