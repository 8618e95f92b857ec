"""The tables of a report as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from tlex.corpus.reports.report_tables import Cell, Power, ReportTable
from tlex.corpus.samples.answer_sheets import clean_cell
from tlex.wording import clean, measure

__all__ = [
    "WRITERS",
    "show_cell",
    "show_exponent",
    "write_csv",
    "write_latex",
    "write_markdown",
    "write_text",
]

NOTHING = "\u2013"
_PAGE = 88
AT_LEAST = "\u2265"
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u2013": "--",
    "\u2265": r"$\ge$",
    "\ufffd": "?",
}
_MARKDOWN = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|~&!$"})


def show_cell(cell: Cell) -> str:
    """A cell for people: commas between thousands, one decimal, powers as powers.

    >>> show_cell(12345), show_cell(2.04), show_cell(Power(3.26, True))
    ('12,345', '2.0', '≥10^3.3')
    """
    match cell:
        case None:
            return NOTHING
        case str():
            return clean(cell)
        case Power():
            return f"{AT_LEAST if cell.bound else ''}10^{show_exponent(cell)}"
        case float():
            return f"{cell:,.1f}"
        case _:
            return f"{cell:,}"


def show_exponent(power: Power) -> str:
    """The exponent of a power of ten, with one decimal where it is not whole."""
    return f"{power.exponent:,.1f}".removesuffix(".0")


def write_text(tables: Iterable[ReportTable]) -> str:
    """Tables for a terminal or a log."""
    return "\n\n".join("\n".join(_draw(table)) for table in tables) + "\n"


def write_markdown(tables: Iterable[ReportTable]) -> str:
    """Tables in GitHub's Markdown; the group of a column stands before its name."""
    pages = []
    for table in tables:
        heads = [
            clean(f"{head.group}: {head.name}" if head.group else head.name) for head in table.heads
        ]
        edges = ["---" if place < table.labels else "--:" for place in range(len(heads))]
        rows = [heads, edges, *([show_cell(cell) for cell in row] for row in table.rows)]
        lines = [f"## {_escape_markdown(table.title)}", ""]
        for number, row in enumerate(rows):
            cells = row if number == 1 else map(_escape_markdown, row)
            lines.append(f"| {' | '.join(cells)} |")
        lines += [line for note in table.notes for line in ("", _escape_markdown(note))]
        pages.append("\n".join(lines))
    return "\n\n".join(pages) + "\n"


def write_csv(tables: Iterable[ReportTable]) -> str:
    """All tables as one list: table, row, column, value; ``bound`` marks a lower bound.

    Numbers are not rounded; a power of ten is given by its exponent.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(("table", "row", "of", "group", "column", "value", "bound"))
    for table in tables:
        for row in table.rows:
            labels = [clean_cell(str(cell)) for cell in row[: table.labels]]
            labels += [""] * (2 - table.labels)
            for head, cell in zip(table.heads[table.labels :], row[table.labels :], strict=True):
                power = cell if isinstance(cell, Power) else None
                value = power.exponent if power else cell
                bound = "at least" if power and power.bound else ""
                name = clean_cell(head.name)
                writer.writerow((table.name, *labels, head.group, name, value, bound))
    return page.getvalue()


def write_latex(tables: Iterable[ReportTable]) -> str:
    """Tables for a paper; they need the package booktabs."""
    pages = ["% needs \\usepackage{booktabs}"]
    pages += ["\n".join(_typeset(table)) for table in tables]
    return "\n\n".join(pages) + "\n"


def _draw(table: ReportTable) -> Iterator[str]:
    """A table in columns: labels to the left, numbers to the right."""
    names = [clean(head.name) for head in table.heads]
    rows = [[show_cell(cell) for cell in row] for row in table.rows]
    widths = [max(map(measure, column)) for column in zip(names, *rows, strict=True)]
    for group, places in _list_groups(table):
        lacking = (
            measure(clean(group)) - sum(widths[place] for place in places) - 2 * (len(places) - 1)
        )
        widths[places[-1]] += max(0, lacking)
    yield table.title
    yield ""
    if any(head.group for head in table.heads):
        yield _draw_groups(table, widths)
    yield _draw_row(table, names, widths)
    yield _draw_row(table, ["-" * width for width in widths], widths)
    for row in rows:
        yield _draw_row(table, row, widths)
    for note in table.notes:
        yield from wrap(note, _PAGE, break_on_hyphens=False)


def _draw_row(table: ReportTable, cells: Sequence[str], widths: Sequence[int]) -> str:
    shown = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        room = " " * (width - measure(cell))
        shown.append(cell + room if place < table.labels else room + cell)
    return "  ".join(shown).rstrip()


def _draw_groups(table: ReportTable, widths: Sequence[int]) -> str:
    shown = []
    for group, places in _list_groups(table):
        room = sum(widths[place] for place in places) + 2 * (len(places) - 1)
        shown.append(clean(group) + " " * (room - measure(clean(group))))
    return "  ".join(shown).rstrip()


def _list_groups(table: ReportTable) -> Iterator[tuple[str, list[int]]]:
    """Columns that stand under one head; those without a group each by itself."""
    numbered = enumerate(table.heads)
    for _, found in groupby(numbered, key=lambda one: one[1].group or one[0]):
        columns = list(found)
        yield columns[0][1].group, [place for place, _ in columns]


def _typeset(table: ReportTable) -> Iterator[str]:
    edges = "".join("l" if place < table.labels else "r" for place in range(len(table.heads)))
    yield "\\begin{table}"
    yield "\\centering\\small"
    yield f"\\begin{{tabular}}{{{edges}}}"
    yield "\\toprule"
    if any(head.group for head in table.heads):
        groups = list(_list_groups(table))
        yield _end(
            f"\\multicolumn{{{len(at)}}}{{c}}{{{_escape_latex(g)}}}" if g else ""
            for g, at in groups
        )
        yield " ".join(f"\\cmidrule(lr){{{at[0] + 1}-{at[-1] + 1}}}" for g, at in groups if g)
    yield _end(_escape_latex(head.name) for head in table.heads)
    yield "\\midrule"
    for row in table.rows:
        yield _end(map(_typeset_cell, row))
    yield "\\bottomrule"
    yield "\\end{tabular}"
    caption = " ".join((f"{table.title}.", *table.notes))
    yield f"\\caption{{{_escape_latex(caption)}}}"
    yield f"\\label{{tab:{table.name}}}"
    yield "\\end{table}"


def _end(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _typeset_cell(cell: Cell) -> str:
    if isinstance(cell, Power):
        least = r"\ge " if cell.bound else ""
        return f"${least}10^{{{show_exponent(cell)}}}$"
    return _escape_latex(show_cell(cell))


def _escape_latex(words: str) -> str:
    return "".join(_LATEX.get(c, c) for c in clean(words))


def _escape_markdown(words: str) -> str:
    return words.translate(_MARKDOWN)


WRITERS: dict[str, Callable[[Iterable[ReportTable]], str]] = {
    "text": write_text,
    "markdown": write_markdown,
    "csv": write_csv,
    "latex": write_latex,
}
