"""Our figures beside the paper's: what is the same, what is not, and a reason or none for each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from paper_comparison import SAME, Extra, compare
from paper_figures import FOUR, PROSE, TABLE_2, TABLE_3, TABLE_4
from runs import ROOT

from tlex.corpus.reports.figures import CorpusFigures, Figures, Spread


def spread(*numbers: float) -> Spread:
    made = Spread()
    for number in numbers:
        made.add(number)
    return made


def invent() -> Figures:
    """Make up figures: those of the paper for one corpus, others for the other."""
    timebank, meantime = CorpusFigures("TimeBank"), CorpusFigures("MEANTIME")
    for corpus in (timebank, meantime):
        corpus.texts, corpus.words, corpus.instances, corpus.times, corpus.links = TABLE_2[
            corpus.name
        ]
        _, corpus.inconsistent_tlinks, corpus.inconsistent = TABLE_3[corpus.name]
    meantime.words = meantime.inconsistent = 1
    for extent in timebank.extents.values():
        extent.slinks = spread(1, 142, 3, *[2] * 7)
    timebank.extents["consistent"].longest = spread(4, 18)
    return Figures(
        schema="s",
        tlex="0",
        links=("TLINK", "ALINK"),
        times="interval",
        corpora=[timebank, meantime],
        total=CorpusFigures("t"),
    )


def test_the_papers_totals_are_those_of_its_rows():
    for field in ("texts", "words", "events", "times", "links"):
        rows = [getattr(TABLE_2[name], field) for name in FOUR]
        assert sum(rows) == getattr(TABLE_2["total"], field)
    for field in ("texts", "tlinks", "alinks"):
        rows = [getattr(TABLE_3[name], field) for name in FOUR]
        assert sum(rows) == getattr(TABLE_3["total"], field)
    for field in ("length", "branches", "sections"):
        rows = [getattr(TABLE_4[name], field) for name in FOUR]
        least, mean, most = getattr(TABLE_4["total"], field)
        assert (least, most) == (min(row[0] for row in rows), max(row[2] for row in rows))
        weighted = sum(row[1] * TABLE_3[name].texts for row, name in zip(rows, FOUR, strict=True))
        assert weighted / 385 == pytest.approx(mean, abs=0.15)


def test_a_figure_that_agrees_has_no_difference_and_one_that_does_not_has_a_note():
    table_2, table_3, *_ = compare(invent(), {"MEANTIME": Extra(0, 13_981)})

    for grid, corpus in ((table_2, "TimeBank"), (table_3, "TimeBank")):
        assert [row[-1] for row in grid.rows if row[0] == corpus].count(SAME) == len(grid.rows) // 2
    (words,) = [row for row in table_2.rows if row[:2] == ("MEANTIME", "words")]
    assert words == ("MEANTIME", "words", 13_981, 1, "(1)")
    assert table_2.notes[0].startswith("(1) ours is the whole articles")
    (changed,) = [row for row in table_3.rows if row[-1] != SAME]
    assert changed == ("MEANTIME", "inconsistent with ALINKs", 36, 1, "(1)")
    assert table_3.notes == ("(1) not explained.",)


def test_table_4_says_which_of_our_columns_the_papers_is():
    _, _, consistent, annotated, repaired, *_ = compare(invent(), {})

    assert (
        "TimeBank, length: the paper's minimum and maximum are those of the longest timeline"
        in (consistent.notes[0])
    )
    same = "TimeBank, branches: no difference, the paper's are the SLINKs of a text."
    for grid in (annotated, repaired):
        assert same in grid.notes
        assert [head.name for head in grid.heads[5:9]] == [
            "paper", "SLINKs", "crossing", "timelines",
        ]  # fmt: skip
    rows = {row[:2]: row for row in annotated.rows}
    assert rows["TimeBank", "avg"][5:7] == (16.0, 16.0)
    assert rows["MEANTIME", "max"][2:5] == (13, None, None)


def test_every_difference_of_the_prose_has_a_line():
    *_, prose = compare(invent(), {})

    assert [row[2] for row in prose.rows] == [paper for paper, _ in PROSE.values()]
    assert len(prose.notes) == len(PROSE)


def test_without_corpora_there_is_one_clear_line(tmp_path):
    done = subprocess.run(  # noqa: S603 -- our own script
        [sys.executable, "benchmarks/paper.py", tmp_path / "out", tmp_path / "release"],
        cwd=ROOT,
        env={**os.environ, "TLEX_CORPORA": str(tmp_path / "nowhere")},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert done.returncode == 0
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"no corpora in {tmp_path / 'nowhere'}: set TLEX_CORPORA")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.corpus
@pytest.mark.parametrize(
    "line",
    [
        r"TimeBank +inconsistent with TLINKs only +30 +30 +none",
        r"TimeBank +inconsistent with ALINKs +65 +65 +none",
        r"MEANTIME +inconsistent with TLINKs only +36 +36 +none",
        r"ProppLearner +inconsistent with TLINKs only +9 +9 +none",
        r"ProppLearner +inconsistent with ALINKs +11 +11 +none",
        r"ProppLearner +events +3,438 +3,438 +none",
        r"ProppLearner +times +142 +142 +none",
        r"ProppLearner  min +128 +128 +128 +33 +34 +23 +16 +0 +1 +13",
        r"ProppLearner  avg +180.5 +180.5 +180.5 +82.7 +57.2 +45.8 +36.5 +28.8 +1.5 +51.8",
        r"ProppLearner  max +290 +290 +290 +134 +94 +87 +70 +63 +2 +94",
        r"TimeBank +5.3 +2.8 +7.3 +5.0 +6.7",
        r"MEANTIME +3.8 +1.5 +5.2 +4.6 +5.5",
        r"TimeBank +times +1,414 +1,414 +none",
        r"TimeBank +links +9,615 +9,615 +none",
        r"TimeBank +events +7,935 +7,940 +\(2\)",
        r"TimeBank +avg +8.1 +7.5 +8.3 +16.0 +16.0 +13.0 +11.5 +5.3 +3.1 +7.9",
        r"MEANTIME +max +13 +13 +13 +7 +7 +6 +6 +7 +4 +13",
        r"§4.3  breaks between main timelines +1,241 +1,825 +1,825 +\(2\)",
        r"§4.3  texts with several main timelines +181 +273 +273 +\(3\)",
        r"§4.6  indeterminate sections +2,541 +715 +826 +\(6\)",
    ],
)
def test_make_paper_prints_ours_beside_the_papers(paper, line):
    assert re.search(f"^{line}$", paper.page, re.MULTILINE)


@pytest.mark.corpus
def test_what_is_counted_to_explain_a_difference_gives_the_papers_figure(paper):
    page = " ".join(paper.page.split())

    assert "the number of events that the instances name, 7,935: 7,932 EVENT elements" in page
    assert "Without these there are 656 + 133 + 3 = 792, and the paper's has also N2 Corpus" in page
    assert "ProppLearner, length: no difference, the paper's are those of the longest main" in page
    assert "the tokens of the part that is annotated, the first sentences: 13,981" in page


@pytest.mark.corpus
def test_what_is_printed_is_in_the_release(paper):
    page = (paper.release / "comparison.txt").read_text(encoding="utf-8")

    assert page.strip() in paper.page
    assert Path(paper.release / "report.html").is_file()
