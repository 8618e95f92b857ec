"""The manifest: what a step of a run costs does not grow with the corpus."""

from __future__ import annotations

import sqlite3

import pytest
from runs import make_corpus

from tlex.corpus.runs.manifest import Manifest
from tlex.corpus.runs.planning import plan_run
from tlex.corpus.runs.shard_work import Outcome, ShardPiece


def count_steps(folder, documents):
    """How many steps SQLite takes to note that a shard of ten documents is done."""
    corpus = make_corpus(folder / "corpus", documents)
    manifest = Manifest(folder / "out", {})
    try:
        plan_run(manifest, [str(corpus)], max_bytes=1000, shard_size=10)
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        manifest.database.set_progress_handler(step, 1)
        shard = next(manifest.list_shards())
        items = manifest.list_items(shard)
        outcomes = [
            Outcome(number=item.number, state="done", content="0" * 64, documents=1)
            for item in items
        ]
        manifest.publish([ShardPiece(shard=shard, files={}, outcomes=outcomes, last=True)])
        manifest.database.set_progress_handler(None, 1)
        totals = manifest.count()
    finally:
        manifest.close()
    assert (totals.items, totals.pending, totals.documents) == (documents, documents - 10, 10)
    return steps


def test_noting_a_shard_takes_no_longer_in_a_larger_corpus(tmp_path):
    small = count_steps(tmp_path / "small", 50)

    large = count_steps(tmp_path / "large", 1000)

    assert large < 1.3 * small


def spoil(manifest):
    with manifest.change() as database:
        database.execute("DELETE FROM items")
        database.execute("DELETE FROM no_such_table")


def test_a_change_that_fails_leaves_everything_as_it_was(tmp_path):
    manifest = Manifest(tmp_path / "out", {})
    try:
        corpus = make_corpus(tmp_path / "corpus", 3)
        plan_run(manifest, [str(corpus)], max_bytes=1000)
        with pytest.raises(sqlite3.OperationalError, match="no_such_table"):
            spoil(manifest)
        assert manifest.count().items == 3
    finally:
        manifest.close()
