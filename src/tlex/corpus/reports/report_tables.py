"""The tables of a report: from figures to rows of cells, the same for every format."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tlex.corpus.reports.figures import BASES, Extent, Figures, Pattern, Spread
from tlex.wording import count

__all__ = ["FACTUALITY", "Cell", "Head", "Power", "ReportTable", "make_report_tables"]

_PATTERNS = 10
_COLUMNS = 6
"""With more corpora than this, corpora do not get columns of their own."""
FACTUALITY = (
    *("factual", "reported", "possible", "negated", "conditional", "counterfactual"),
    "unasserted",
)
_KINDS = ("i", "ii", "iii")


class Power(Struct, frozen=True):
    """A power of ten; ``bound`` says that it is a lower bound of the true number."""

    exponent: float
    bound: bool = False


Cell = str | int | float | Power | None


class Head(Struct, frozen=True):
    """The head of a column; columns that stand together have a group."""

    name: str
    group: str = ""


class ReportTable(Struct, frozen=True, kw_only=True):
    """A table of the report. The first ``labels`` columns name the row."""

    name: str
    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    labels: int = 1


def make_report_tables(figures: Figures) -> list[ReportTable]:
    """All tables of a report, in order."""
    return [
        _make_corpora(figures),
        _make_inconsistent(figures),
        _make_lengths(figures),
        _make_branches(figures),
        _make_sections(figures),
        _make_main(figures),
        _make_torn(figures),
        _make_repairs(figures),
        _make_scenarios(figures),
        _make_slack(figures),
        _make_factuality(figures),
        _make_patterns(figures),
        _make_failures(figures),
    ]


def _make_corpora(figures: Figures) -> ReportTable:
    heads = ("corpus", "texts", "words", "events", "TIMEX3s", "links", "TLINKs", "ALINKs", "SLINKs")
    rows = tuple(
        (c.name, c.texts, c.words, c.instances, c.times, c.links, c.tlinks, c.alinks, c.slinks)
        for c in figures.rows()
    )
    failed = figures.total.failed
    are = "1 document that failed is" if failed == 1 else f"{failed:,} documents that failed are"
    notes = ["Events are event instances; words are separated by blanks."]
    if figures.calendar:
        notes.append("Times are ordered by their values too (the calendar).")
    if figures.mend:
        notes.append("Contradictory texts are mended: what a minimum repair removes is left out.")
    if failed:
        notes.append(f"{are} not in here; see the last table.")
    return ReportTable(
        name="corpora", title="Corpora", heads=_heads(*heads), rows=rows, notes=tuple(notes)
    )


def _make_inconsistent(figures: Figures) -> ReportTable:
    only = figures.links == ("TLINK",)
    least = "TLINKs and the calendar" if figures.calendar else "TLINKs only"
    heads = _heads("corpus", "texts") + _group(least, "texts", "%")
    heads += () if only else _group(figures.ordering, "texts", "%")
    rows = tuple(
        (c.name, c.texts, c.inconsistent_tlinks, _percent(c.inconsistent_tlinks, c.texts))
        + (() if only else (c.inconsistent, _percent(c.inconsistent, c.texts)))
        for c in figures.rows()
    )
    return ReportTable(name="inconsistent", title="Contradictory texts", heads=heads, rows=rows)


def _make_lengths(figures: Figures) -> ReportTable:
    return _make_spreads(
        figures,
        "lengths",
        "Length of timelines, in steps",
        (
            ("longest main", lambda extent: extent.longest_main),
            ("longest", lambda extent: extent.longest),
            ("main together", lambda extent: extent.main_length),
        ),
        (
            "A timeline that contradicts itself has no steps and is left out.",
            "Repaired are those of all texts without the links of their minimum repair.",
        ),
    )


def _make_branches(figures: Figures) -> ReportTable:
    return _make_spreads(
        figures,
        "branches",
        "Branches of a text",
        (
            ("SLINKs", lambda extent: extent.slinks),
            ("crossing SLINKs", lambda extent: extent.connections),
            ("branch timelines", lambda extent: extent.branches),
        ),
        ("An SLINK crosses if it leads from one timeline to another.",),
    )


def _make_sections(figures: Figures) -> ReportTable:
    return _make_spreads(
        figures,
        "sections",
        "Indeterminate sections of a text",
        (
            ("sections", lambda extent: extent.sections),
            ("tied steps", lambda extent: extent.tied_steps),
        ),
        ("A tied step holds two or more time-points that need not be equal.",),
    )


def _make_main(figures: Figures) -> ReportTable:
    heads = _heads("corpus", "texts", "several", "main timelines")
    heads += _group("steps of one", "min", "avg", "max")
    heads += _heads("breaks") + _group("words across", "min", "avg", "max")
    rows = tuple(
        (
            c.name,
            c.texts,
            extent.several,
            extent.main_timelines,
            *_spread(c.main_each),
            extent.breaks,
            *_spread(c.break_words),
        )
        for c in figures.rows()
        for extent in (c.extents["annotated"],)
    )
    notes = ("A break stands between two main timelines that are neighbours in the text.",)
    return ReportTable(
        name="main", title="Main timelines and breaks", heads=heads, rows=rows, notes=notes
    )


def _make_torn(figures: Figures) -> ReportTable:
    rows = tuple((text.document, text.main_timelines, text.breaks) for text in figures.total.torn)
    several = figures.total.extents["annotated"].several
    have = "1 text has" if several == 1 else f"{several:,} texts have"
    notes = (f"{have} several main timelines; those with the most breaks are shown.",)
    heads = _heads("text", "main timelines", "breaks")
    return ReportTable(
        name="torn", title="Texts with the most breaks", heads=heads, rows=rows, notes=notes
    )


def _make_repairs(figures: Figures) -> ReportTable:
    heads = _heads("corpus", "contradictory", "proven", "not repaired", "links removed")
    heads += _group("of a text", "min", "avg", "max")
    rows = tuple(
        (
            c.name,
            c.repairs.texts,
            c.repairs.proven,
            c.repairs.unrepaired,
            int(c.repairs.removed.total),
            *_spread(c.repairs.removed),
        )
        for c in figures.rows()
    )
    return ReportTable(
        name="repairs", title="Minimum repairs of contradictory texts", heads=heads, rows=rows
    )


def _make_scenarios(figures: Figures) -> ReportTable:
    heads = _heads("corpus", "texts", "one order only", "lower bounds", "not counted")
    heads += _group("orders of a text", "min", "avg", "max")
    rows: list[tuple[Cell, ...]] = []
    for c in figures.rows():
        found = c.scenarios
        powers = found.powers
        marks = (False, found.bounds > 0, found.greatest_is_bound)
        spread = (powers.least, powers.mean, powers.most)
        rows.append(
            (
                c.name,
                found.texts,
                found.settled,
                found.bounds,
                found.uncounted,
                *(
                    None if power is None else Power(power, bound)
                    for power, bound in zip(spread, marks, strict=True)
                ),
            )
        )
    notes = (
        "How many orders of its time-points a text allows, over all consistent timelines.",
        "The average is that of the powers; a power with \u2265 rests on a lower bound.",
    )
    return ReportTable(
        name="scenarios", title="Scenarios", heads=heads, rows=tuple(rows), notes=notes
    )


def _make_slack(figures: Figures) -> ReportTable:
    heads = _heads("corpus", "timelines", "time-points", "slack of a point", "% in a section")
    rows = tuple(
        (
            c.name,
            BASES[basis],
            extent.placed_points,
            _share(extent.slack, extent.placed_points),
            _percent(extent.section_points, extent.placed_points),
        )
        for c in figures.rows()
        for basis, extent in c.extents.items()
    )
    notes = ("Slack: how many steps later a point can stand on a timeline of the same length.",)
    return ReportTable(name="slack", title="Slack", heads=heads, rows=rows, notes=notes, labels=2)


def _make_factuality(figures: Figures) -> ReportTable:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (c.name, *(c.factuality.get(word, 0) for word in FACTUALITY)) for c in figures.rows()
    )
    notes = ("Counts events and times; reading R9 (docs/readings.md) defines the words.",)
    return ReportTable(
        name="factuality",
        title="Factuality",
        heads=_heads("corpus", *FACTUALITY),
        rows=rows,
        notes=notes,
    )


def _make_patterns(figures: Figures) -> ReportTable:
    shown = figures.total.patterns[:_PATTERNS]
    by_corpus = [
        {pattern.pattern: pattern for pattern in corpus.patterns} for corpus in figures.corpora
    ]
    heads = _heads("types that contradict each other", "conflicts", "texts")
    several = 1 < len(figures.corpora) <= _COLUMNS
    if several:
        heads += _group("conflicts in", *(corpus.name for corpus in figures.corpora))
    rows = tuple(
        (pattern.pattern, pattern.conflicts, pattern.texts)
        + (tuple(_conflicts(own.get(pattern.pattern)) for own in by_corpus) if several else ())
        for pattern in shown
    )
    kinds = ", ".join(f"{figures.total.kinds.get(kind, 0):,} of kind {kind}" for kind in _KINDS)
    total = count(sum(figures.total.kinds.values()), "conflict")
    notes = [f"{total}: {kinds}.", "Reading R6 (docs/readings.md) defines the kinds."]
    if more := len(figures.total.patterns) - len(shown):
        notes.append(f"{count(more, 'more pattern')} not shown.")
    return ReportTable(
        name="patterns", title="Most frequent conflicts", heads=heads, rows=rows, notes=tuple(notes)
    )


def _make_failures(figures: Figures) -> ReportTable:
    causes = sorted(figures.total.causes)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (c.name, c.documents, c.texts, c.failed, *(c.causes.get(cause, 0) for cause in causes))
        for c in figures.rows()
    )
    heads = _heads("corpus", "documents", "done", "failed") + _group("failed by", *causes)
    return ReportTable(name="failures", title="Documents done and failed", heads=heads, rows=rows)


def _make_spreads(
    figures: Figures,
    name: str,
    title: str,
    columns: tuple[tuple[str, Callable[[Extent], Spread]], ...],
    notes: tuple[str, ...],
) -> ReportTable:
    """Minimum, average and maximum over the texts, for each corpus and each basis."""
    heads = _heads("corpus", "timelines", "texts")
    for group, _ in columns:
        heads += _group(group, "min", "avg", "max")
    rows = tuple(
        (
            c.name,
            BASES[basis],
            extent.texts,
            *(cell for _, take in columns for cell in _spread(take(extent))),
        )
        for c in figures.rows()
        for basis, extent in c.extents.items()
    )
    return ReportTable(name=name, title=title, heads=heads, rows=rows, notes=notes, labels=2)


def _heads(*names: str) -> tuple[Head, ...]:
    return tuple(Head(name) for name in names)


def _group(group: str, *names: str) -> tuple[Head, ...]:
    return tuple(Head(name, group) for name in names)


def _spread(spread: Spread) -> tuple[Cell, Cell, Cell]:
    return _whole(spread.least), spread.mean, _whole(spread.most)


def _whole(number: float | None) -> Cell:
    return int(number) if number is not None and number == int(number) else number


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _conflicts(pattern: Pattern | None) -> int:
    return pattern.conflicts if pattern else 0
