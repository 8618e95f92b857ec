"""Whole corpora: a run that survives accidents, and its results as tables.

A run writes into one directory::

    OUT/manifest.sqlite                          what is done, with which options
    OUT/points/part-00000-4f1c2a90d3b7.parquet   the tables, a directory each, in shards

The tables are described in `tlex.export.table_schema`. The manifest lists the files that belong to
a run: `open_run` gives them, and reads a document again from where it came from.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlex.corpus.reports.run_report import RunReport, report
    from tlex.corpus.runs.driver import RunProgress, RunSummary, run
    from tlex.corpus.runs.result import RunResult, open_run
    from tlex.corpus.samples.run_sample import RunSample, agreement, sample
    from tlex.export.table_schema import RUN_TABLES

__all__ = [
    "RUN_TABLES",
    "RunProgress",
    "RunReport",
    "RunResult",
    "RunSample",
    "RunSummary",
    "agreement",
    "open_run",
    "report",
    "run",
    "sample",
]

# Names are looked up when they are used: a worker process needs few of them.
_HOMES = {
    "RUN_TABLES": "tlex.export.table_schema",
    "RunProgress": "tlex.corpus.runs.driver",
    "RunReport": "tlex.corpus.reports.run_report",
    "RunResult": "tlex.corpus.runs.result",
    "RunSample": "tlex.corpus.samples.run_sample",
    "RunSummary": "tlex.corpus.runs.driver",
    "agreement": "tlex.corpus.samples.run_sample",
    "open_run": "tlex.corpus.runs.result",
    "report": "tlex.corpus.reports.run_report",
    "run": "tlex.corpus.runs.driver",
    "sample": "tlex.corpus.samples.run_sample",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.corpus' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
