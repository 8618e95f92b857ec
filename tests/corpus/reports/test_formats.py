"""One set of figures in every format: each says the same, whatever the corpora are called."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess

import pytest

from tlex.corpus.reports.counting import count_figures
from tlex.corpus.reports.figures import BASES, CorpusFigures, Figures
from tlex.corpus.reports.formats import (
    show_cell,
    write_csv,
    write_latex,
    write_markdown,
    write_text,
)
from tlex.corpus.reports.report_tables import Head, Power, ReportTable, make_report_tables
from tlex.corpus.runs.result import open_run

HOSTILE = ["a|b & 50% of $x_1^2 {#~\\}", "<script>alert(1)</script>\n\x1b[31m=cmd"]


@pytest.fixture
def figures(small_run) -> Figures:
    return count_figures(open_run(small_run))


@pytest.fixture
def report_tables(figures) -> list[ReportTable]:
    for corpus, name in zip(figures.corpora, HOSTILE, strict=True):
        corpus.name = name
    return make_report_tables(figures)


def count_cells(report_tables: list[ReportTable]) -> int:
    return sum(
        (len(row) - report_table.labels)
        for report_table in report_tables
        for row in report_table.rows
    )


def test_every_table_has_a_row_for_each_corpus_and_the_total(figures):
    report_tables = make_report_tables(figures)

    assert [report_table.name for report_table in report_tables] == [
        "corpora", "inconsistent", "lengths", "branches", "sections", "main", "torn",
        "repairs", "scenarios", "slack", "factuality", "patterns", "failures",
    ]  # fmt: skip
    for report_table in report_tables:
        assert all(len(row) == len(report_table.heads) for row in report_table.rows)
        if report_table.name not in {"patterns", "torn"}:
            each = len(BASES) if report_table.labels == 2 else 1
            assert [row[0] for row in report_table.rows] == [
                name for name in ("stories", "odd", "total") for _ in range(each)
            ]


def test_one_corpus_needs_no_total(figures):
    del figures.corpora[1]

    assert [row[0] for row in make_report_tables(figures)[0].rows] == ["stories"]


def test_a_run_with_tlinks_only_has_no_second_column_of_inconsistent_texts(figures):
    figures.links = ("TLINK",)

    assert [head.group for head in make_report_tables(figures)[1].heads] == [
        "",
        "",
        *["TLINKs only"] * 2,
    ]


def test_a_run_of_nothing_can_be_shown():
    empty = Figures(
        schema="tlex-report/1",
        tlex="0",
        links=("TLINK", "ALINK"),
        times="interval",
        corpora=[],
        total=CorpusFigures("total"),
    )
    report_tables = make_report_tables(empty)

    for write in (write_text, write_markdown, write_csv, write_latex):
        assert write(report_tables)


def test_failed_documents_are_named_where_they_are_missing_and_where_they_are_counted(figures):
    page = write_text(make_report_tables(figures))

    assert "1 document that failed is not in here; see the last table." in page
    assert re.search(r"^odd +3 +2 +1 +1$", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (12345, "12,345"),
        (2.04, "2.0"),
        (None, "\u2013"),
        (Power(0), "10^0"),
        (Power(3.26, bound=True), "\u226510^3.3"),
        ("a\x1b[31m", "a\ufffd[31m"),
    ],
)
def test_a_cell_is_shown_as_people_read_it(cell, shown):
    assert show_cell(cell) == shown


def test_text_stands_in_columns_and_nothing_steers_a_terminal(report_tables):
    page = write_text(report_tables)

    assert "\x1b" not in page
    blocks = [block.splitlines() for block in page.split("\n\n")]
    for title, table in zip(blocks[::2], blocks[1::2], strict=True):
        assert len(title) == 1
        rule = next(line for line in table if re.fullmatch(r"[- ]+", line))
        edges = [match.end() for match in re.finditer("-+", rule)]
        for line in table[table.index(rule) + 1 :]:
            if line.startswith(("a|b", "<script>", "total ")):
                assert all(at >= len(line) or line[at] == " " for at in edges)


def test_markdown_has_as_many_cells_in_every_row_whatever_a_corpus_is_called(report_tables):
    page = write_markdown(report_tables)

    for line in page.splitlines():
        assert "<script>" not in line
    for block, report_table in zip(
        re.split(r"^## .*\n", page, flags=re.MULTILINE)[1:], report_tables, strict=True
    ):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len(rows) == 2 + len(report_table.rows)
        for row in rows:
            assert len(re.findall(r"(?<!\\)\|", row)) == len(report_table.heads) + 1


def test_csv_has_every_number_once_and_exactly(report_tables):
    rows = list(csv.DictReader(io.StringIO(write_csv(report_tables))))

    assert len(rows) == count_cells(report_tables)
    cells = [
        cell
        for report_table in report_tables
        for row in report_table.rows
        for cell in row[report_table.labels :]
    ]
    for row, cell in zip(rows, cells, strict=True):
        if cell is None:
            assert row["value"] == ""
        elif isinstance(cell, Power):
            assert float(row["value"]) == cell.exponent
            assert row["bound"] == ("at least" if cell.bound else "")
        else:
            assert float(row["value"]) == cell


def test_latex_has_balanced_braces_and_as_many_columns_in_every_row(report_tables):
    page = write_latex(report_tables)

    bare = re.sub(r"\\[\\{}$&#_%]", "", page)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    tables = re.findall(r"\\begin\{table\}.*?\\end\{table\}", page, re.DOTALL)
    assert len(tables) == len(report_tables)
    for table, report_table in zip(tables, report_tables, strict=True):
        assert all(f"\\{rule}" in table for rule in ("toprule", "midrule", "bottomrule"))
        assert len(re.search(r"\\begin\{tabular\}\{(l+r*)\}", table)[1]) == len(report_table.heads)
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        for row in rows:
            spans = [int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row)]
            cells = len(re.findall(r"(?<!\\)&", row)) + 1 + sum(spans)
            assert cells == len(report_table.heads)


def test_latex_compiles_whatever_a_corpus_is_called(report_tables, tmp_path):
    command = shutil.which("pdflatex")
    if command is None:
        pytest.skip("no pdflatex")
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}"
    page = f"{head}\\begin{{document}}{write_latex(report_tables)}\\end{{document}}"
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")

    done = subprocess.run(  # noqa: S603 -- found above
        [command, "-draftmode", "-no-shell-escape", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=100,
    )

    assert done.returncode == 0, done.stdout[-2000:]


def test_latex_and_text_write_powers_as_powers():
    report_table = ReportTable(
        name="g",
        title="G",
        heads=(Head("a"), Head("b")),
        rows=(("x", Power(2.5, bound=True)),),
    )

    assert r"x & $\ge 10^{2.5}$ \\" in write_latex([report_table])
    assert "\u226510^2.5" in write_text([report_table])
