"""The report as one HTML page: key figures, charts and all tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tlex.corpus.reports.charts import draw_bars, draw_histogram, draw_shares
from tlex.corpus.reports.figures import CorpusFigures, Figures
from tlex.corpus.reports.formats import AT_LEAST, show_cell, show_exponent
from tlex.corpus.reports.report_tables import (
    FACTUALITY,
    Cell,
    Power,
    ReportTable,
    make_report_tables,
)
from tlex.pages import make_page, quote

__all__ = ["write_html_report"]


_NAMED = 4
_DRAWN = 12
"""How many corpora the charts show; the tables show all."""


def write_html_report(figures: Figures) -> str:
    """Give the whole report as one HTML page that loads nothing."""
    tables = make_report_tables(figures)
    charts = dict(_draw_charts(figures))
    names = ", ".join(corpus.name for corpus in figures.corpora[:_NAMED]) or "no corpus"
    if len(figures.corpora) > _NAMED:
        names += f" and {len(figures.corpora) - _NAMED:,} more"
    body = [
        "<main>",
        f"<header><h1>Timelines of {quote(names)}</h1>",
        f"<p>Ordered by {quote(figures.ordering)}; a TIME is {_article(figures.times)}.</p>",
        "</header>",
        _list_keys(figures.total),
        '<nav aria-label="Tables"><ol>',
        *(f'<li><a href="#{table.name}">{quote(table.title)}</a></li>' for table in tables),
        "</ol></nav>",
    ]
    if len(figures.corpora) > _DRAWN:
        body.append(f'<p class="note">The charts show the first {_DRAWN} corpora.</p>')
    for table in tables:
        body.append(f'<section id="{table.name}"><h2>{quote(table.title)}</h2>')
        body += charts.get(table.name, [])
        body += [*_write_table(table, len(figures.corpora) > 1), "</section>"]
    body += [f"<footer>tlex {quote(figures.tlex)}</footer>", "</main>"]
    return make_page(f"Timelines of {names}", "\n".join(body), "report.css")


def _article(times: str) -> str:
    return "an interval" if times == "interval" else f"a {quote(times)}"


def _list_keys(total: CorpusFigures) -> str:
    extent = total.extents["annotated"]
    keys: list[tuple[Cell, str]] = [
        (total.texts, "texts"),
        (total.words, "words"),
        (total.instances + total.times, "events and times"),
        (total.links, "links"),
        (total.inconsistent, "contradictory texts"),
        (extent.main_timelines, "main timelines"),
        (total.failed, "documents failed"),
    ]
    items = "".join(f"<li><b>{show_cell(n)}</b> <span>{name}</span></li>" for n, name in keys)
    return f'<ul class="keys">{items}</ul>'


def _draw_charts(figures: Figures) -> Iterator[tuple[str, list[str]]]:
    """The charts, under the names of the tables that they belong to."""
    corpora = figures.corpora[:_DRAWN]
    only = figures.links == ("TLINK",)
    least = "TLINKs and the calendar" if figures.calendar else "TLINKs only"
    title = "How many texts are contradictory"
    rows = [
        (c.name, [c.inconsistent_tlinks] if only else [c.inconsistent_tlinks, c.inconsistent])
        for c in corpora
    ]
    series = [least] if only else [least, figures.ordering]
    yield "inconsistent", [_figure(title, draw_bars("chart-inconsistent", title, rows, series))]
    title = "Steps of the longest main timeline of a text, as annotated"
    counts = [(c.name, c.extents["annotated"].longest_main.counts) for c in corpora]
    yield "lengths", [_figure(title, draw_histogram("chart-lengths", title, counts, "steps"))]
    title = "SLINKs of a text"
    counts = [(c.name, c.extents["annotated"].slinks.counts) for c in corpora]
    yield "branches", [_figure(title, draw_histogram("chart-branches", title, counts, "SLINKs"))]
    title = "Indeterminate sections of a text, as annotated"
    counts = [(c.name, c.extents["annotated"].sections.counts) for c in corpora]
    yield "sections", [_figure(title, draw_histogram("chart-sections", title, counts, "sections"))]
    title = "Links that the minimum repair of a contradictory text removes"
    counts = [(c.name, c.repairs.removed.counts) for c in corpora]
    if any(own for _, own in counts):
        yield "repairs", [_figure(title, draw_histogram("chart-repairs", title, counts, "links"))]
    title = "Orders that a text admits"
    counts = [(c.name, c.scenarios.powers.counts) for c in corpora]
    chart = draw_histogram("chart-scenarios", title, counts, "as a power of ten, rounded down")
    yield "scenarios", [_figure(title, chart)]
    title = "Factuality of events and times"
    shares = [(c.name, [c.factuality.get(word, 0) for word in FACTUALITY]) for c in corpora]
    chart = draw_shares("chart-factuality", title, shares, FACTUALITY)
    yield "factuality", [_figure(title, chart)]
    title = "Types that contradict each other"
    patterns = [(p.pattern, [p.conflicts]) for p in figures.total.patterns[:10]]
    if patterns:
        chart = draw_bars("chart-patterns", title, patterns, ["conflicts"])
        yield "patterns", [_figure(title, chart)]


def _figure(title: str, chart: str) -> str:
    return f'<figure tabindex="0"><figcaption>{quote(title)}</figcaption>{chart}</figure>'


def _write_table(table: ReportTable, several: bool) -> Iterator[str]:  # noqa: FBT001
    """A table with its notes; a corpus with several rows is named once."""
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{quote(table.title)}"><table>'
    yield f"<thead>{''.join(_write_heads(table))}</thead><tbody>"
    if not table.rows:
        yield f'<tr><td class="label" colspan="{len(table.heads)}">none</td></tr>'
    blocks = [list(rows) for _, rows in groupby(table.rows, key=lambda row: row[0])]
    for number, rows in enumerate(blocks):
        total = several and number == len(blocks) - 1 and rows[0][0] == "total"
        for place, row in enumerate(rows):
            kinds = [name for name, on in (("new", not place), ("total", total)) if on]
            yield f'<tr class="{" ".join(kinds)}">' if kinds else "<tr>"
            if not place:
                span = f' rowspan="{len(rows)}"' if len(rows) > 1 else ""
                scope = "rowgroup" if len(rows) > 1 else "row"
                yield f'<th scope="{scope}"{span}>{_show(row[0])}</th>'
            for column, cell in enumerate(row[1:], 1):
                label = ' class="label"' if column < table.labels else ""
                yield f"<td{label}>{_show(cell)}</td>"
            yield "</tr>"
    yield "</tbody></table></div>"
    for note in table.notes:
        yield f'<p class="note">{quote(note)}</p>'


def _write_heads(table: ReportTable) -> Iterator[str]:
    grouped = any(head.group for head in table.heads)
    if grouped:
        yield "<tr>"
        numbered = enumerate(table.heads)
        for _, found in groupby(numbered, key=lambda one: one[1].group or one[0]):
            columns = list(found)
            place, head = columns[0]
            if head.group:
                wide = f'scope="colgroup" colspan="{len(columns)}"'
                yield f'<th class="group" {wide}>{quote(head.group)}</th>'
            else:
                label = ' class="label"' if place < table.labels else ""
                yield f'<th scope="col" rowspan="2"{label}>{quote(head.name)}</th>'
        yield "</tr>"
    yield "<tr>"
    for place, head in enumerate(table.heads):
        if head.group or not grouped:
            label = ' class="label"' if place < table.labels else ""
            yield f'<th scope="col"{label}>{quote(head.name)}</th>'
    yield "</tr>"


def _show(cell: Cell) -> str:
    if isinstance(cell, Power):
        least = AT_LEAST if cell.bound else ""
        return f"{least}10<sup>{show_exponent(cell)}</sup>"
    return quote(show_cell(cell))
