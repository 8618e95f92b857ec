"""Whole corpora: a run that survives accidents, and its results as tables.

A run writes into one directory::

    OUT/manifest.sqlite                          what is done, with which options
    OUT/points/part-00000-4f1c2a90d3b7.parquet   the tables, a directory each, in shards

The tables are described in `schemas`. Which files belong to a run is what its manifest says:
`open_run` gives them, and reads a document again from where it came from.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlex.corpus.driver import Progress, Summary, run
    from tlex.corpus.opening import Run, open_run
    from tlex.corpus.schemas import TABLES

__all__ = ["TABLES", "Progress", "Run", "Summary", "open_run", "run"]

# Names are looked up when they are used: a worker process needs few of them.
_HOMES = {
    "TABLES": "tlex.corpus.schemas",
    "Progress": "tlex.corpus.driver",
    "Run": "tlex.corpus.opening",
    "Summary": "tlex.corpus.driver",
    "open_run": "tlex.corpus.opening",
    "run": "tlex.corpus.driver",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.corpus' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
