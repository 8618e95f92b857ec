"""Counts the figures of a run from its tables, one shard at a time.

So the memory needed does not grow with the run. Needs pyarrow: ``pip install 'tlex[corpus]'``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tlex._version import __version__
from tlex.corpus.reports.figures import SCHEMA, CorpusFigures, Extent, Figures, Pattern, Torn
from tlex.corpus.runs.result import RunResult, read_file
from tlex.errors import OptionError

__all__ = ["TOTAL", "count_figures", "read_columns"]

TOTAL = "total"
_TRIES = 10
_KEPT, _MANY = 10, 1000
_TABLES = ("documents", "nodes", "timelines", "conflicts", "breaks")
_SUMS = (
    "words",
    "tokens",
    "events",
    "instances",
    "times",
    "links",
    "tlinks",
    "alinks",
    "slinks",
)
_EXTENT_SUMS = (
    "timelines",
    "inconsistent_timelines",
    "main_timelines",
    "breaks",
    "placed_points",
    "section_points",
    "slack",
    "branch_points",
    "neighbours",
    "indeterminate_pairs",
)
_EXTENT_SPREADS = ("connections", "branches", "sections", "tied_steps")
_LENGTHS = ("longest_main", "longest", "main_length")
_EXTENT = (*_EXTENT_SUMS, *_EXTENT_SPREADS, *_LENGTHS)
_COLUMNS = (
    "document",
    "corpus",
    "status",
    "cause",
    *_SUMS,
    "consistent",
    "consistent_tlinks",
    "scenarios_log10",
    "scenarios_exact",
    "repair_cost",
    "repair_optimal",
    "repair_links",
    *_EXTENT,
    *(f"repaired_{name}" for name in _EXTENT),
)

Shard = dict[str, Path]
ShowProgress = Callable[[list[Shard]], Iterable[Shard]]


class _Tally:
    """Counts of one corpus, or of all, that become figures in the end."""

    def __init__(self, name: str) -> None:
        self.figures = CorpusFigures(name)
        self.causes: Counter[str] = Counter()
        self.factuality: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.conflicts: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()
        self.torn: list[Torn] = []

    def finish(self) -> CorpusFigures:
        figures = self.figures
        figures.causes = dict(sorted(self.causes.items()))
        figures.factuality = dict(sorted(self.factuality.items()))
        figures.kinds = dict(sorted(self.kinds.items()))
        figures.torn = _rank(self.torn)
        ranked = sorted(self.conflicts.items(), key=lambda one: (-one[1], one[0]))
        figures.patterns = [Pattern(name, count, self.texts[name]) for name, count in ranked]
        return figures


def count_figures(run: RunResult, progress: ShowProgress = iter) -> Figures:
    """Count the figures of a run, as far as it is done; ``progress`` wraps the loop over shards."""
    for _ in range(_TRIES):
        try:
            return _count_all(run, progress)
        except (FileNotFoundError, KeyError):  # a run in progress has replaced a file: try again
            continue
        except (pa.ArrowException, OSError) as error:
            raise OptionError(f"{run.folder}: a table cannot be read: {error}") from None
    raise OptionError(
        f"{run.folder}: the tables change all the time while a run goes on, or files are missing"
    )


def read_columns(run: RunResult, table: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Give the rows of a table, with these columns only, one shard at a time."""
    for file in run.files(table):
        try:
            yield from read_file(file, columns).to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise OptionError(f"{file}: cannot be read: {error}") from None


def _count_all(run: RunResult, progress: ShowProgress) -> Figures:
    total = _Tally(TOTAL)
    corpora = {name: _Tally(name) for name in run.corpora()}
    listed = [run.files(table) for table in _TABLES]
    if len(set(map(len, listed))) > 1:
        raise FileNotFoundError
    shards = [dict(zip(_TABLES, shard, strict=True)) for shard in zip(*listed, strict=True)]
    for files in progress(shards):
        owners: dict[str, tuple[_Tally, _Tally]] = {}
        for row in read_file(files["documents"], _COLUMNS).to_pylist():
            name = row["corpus"]
            own = corpora.setdefault(name, _Tally(name))
            owners[row["document"]] = (own, total)
            for tally in (own, total):
                _add_document(tally, row)
        _add_rest(files, owners)
    return Figures(
        schema=SCHEMA,
        tlex=__version__,
        links=tuple(run.options["links"]),
        times=run.options["times"],
        calendar=run.options.get("calendar", False),
        mend=run.options.get("mend", False),
        corpora=[tally.finish() for tally in corpora.values()],
        total=total.finish(),
    )


def _add_document(tally: _Tally, row: Mapping[str, Any]) -> None:
    figures = tally.figures
    figures.documents += 1
    if row["status"] != "done":
        figures.failed += 1
        tally.causes[row["cause"] or "unknown"] += 1
        return
    figures.texts += 1
    for name in _SUMS:
        setattr(figures, name, getattr(figures, name) + row[name])
    figures.inconsistent += not row["consistent"]
    figures.inconsistent_tlinks += not row["consistent_tlinks"]
    extents = figures.extents
    _add_extent(extents["annotated"], row, "")
    if row["consistent"]:
        _add_extent(extents["consistent"], row, "")
    if row["repaired_timelines"] is not None:
        _add_extent(extents["repaired"], row, "repaired_")
    if row["breaks"]:
        tally.torn.append(Torn(row["document"], row["main_timelines"], row["breaks"]))
        if len(tally.torn) > _MANY:
            tally.torn = _rank(tally.torn)
    _add_repair(figures, row)
    _add_scenarios(figures, row)


def _rank(torn: list[Torn]) -> list[Torn]:
    """The texts with the most breaks; among equals the first."""
    return sorted(torn, key=lambda text: -text.breaks)[:_KEPT]


def _add_extent(extent: Extent, row: Mapping[str, Any], prefix: str) -> None:
    extent.texts += 1
    extent.several += row[f"{prefix}main_timelines"] > 1
    for name in _EXTENT_SUMS:
        setattr(extent, name, getattr(extent, name) + (row[prefix + name] or 0))
    for name in _EXTENT_SPREADS:
        getattr(extent, name).add(row[prefix + name])
    for name in _LENGTHS:
        getattr(extent, name).add(row[prefix + name] or None)
    extent.slinks.add(row["slinks"])


def _add_repair(figures: CorpusFigures, row: Mapping[str, Any]) -> None:
    repairs = figures.repairs
    if row["consistent"]:
        return
    repairs.texts += 1
    if row["repair_cost"] is None:
        repairs.unrepaired += 1
        return
    repairs.proven += row["repair_optimal"]
    repairs.removed.add(len(row["repair_links"]))


def _add_scenarios(figures: CorpusFigures, row: Mapping[str, Any]) -> None:
    found = figures.scenarios
    power, exact = row["scenarios_log10"], row["scenarios_exact"]
    found.texts += 1
    if power is None:
        found.uncounted += 1
        return
    most = found.powers.most
    if most is None or power > most:
        found.greatest_is_bound = not exact
    elif power == most:
        found.greatest_is_bound |= not exact
    found.powers.add(power)
    found.bounds += not exact
    found.settled += exact and power == 0


def _add_rest(files: Mapping[str, Path], owners: Mapping[str, tuple[_Tally, _Tally]]) -> None:
    """Count what stands in the other tables than ``documents``."""
    for document, factuality, count in _count(files, "nodes", ("document", "factuality")):
        for tally in owners[document]:
            tally.factuality[factuality] += count
    for document, kind, count in _count(files, "conflicts", ("document", "kind")):
        for tally in owners[document]:
            tally.kinds[kind] += count
    for document, pattern, count in _count(files, "conflicts", ("document", "pattern")):
        for tally in owners[document]:
            tally.conflicts[pattern] += count
            tally.texts[pattern] += 1
    for row in read_file(files["breaks"], ("document", "words")).to_pylist():
        for tally in owners[row["document"]]:
            tally.figures.break_words.add(row["words"])
    for row in read_file(files["timelines"], ("document", "main", "length")).to_pylist():
        if row["main"]:
            for tally in owners[row["document"]]:
                tally.figures.main_each.add(row["length"])


def _count(
    files: Mapping[str, Path], table: str, columns: tuple[str, str]
) -> Iterable[tuple[str, str, int]]:
    """Count how often two values stand in one row."""
    found = read_file(files[table], columns).group_by(list(columns)).aggregate([([], "count_all")])
    values: list[list[Any]] = [found.column(name).to_pylist() for name in found.column_names]
    places = [found.column_names.index(name) for name in (*columns, "count_all")]
    return zip(*(values[place] for place in places), strict=True)
