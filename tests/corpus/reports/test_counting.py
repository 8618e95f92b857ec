"""The figures of a report, against those counted with plain Python from ``tlex extract --json``."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest
from runs import run_tlex

from tlex.corpus.reports.counting import count_figures
from tlex.corpus.reports.figures import Spread
from tlex.corpus.runs.result import open_run


def spread_of(numbers: list[int]) -> tuple[float, float, float] | None:
    return (min(numbers), round(fmean(numbers), 9), max(numbers)) if numbers else None


def message(spread: Spread) -> tuple[float, float, float] | None:
    if spread.mean is None:
        return None
    return spread.least, round(spread.mean, 9), spread.most


def extract_all(folder: Path, *options: str) -> list[dict]:
    done = run_tlex("extract", folder, "--json", *options)
    return [json.loads(line) for line in done.stdout.splitlines()]


def count_extent(reports: list[dict]) -> dict[str, object]:
    """Count over documents what a figure says of some texts, from the contract's own fields."""
    whole = [[t for t in report["timelines"] if t["consistent"]] for report in reports]
    longest = [max((t["length"] for t in own), default=0) for own in whole]
    mains = [[t["length"] for t in own if t["main"]] for own in whole]
    points = [p for own in whole for t in own for p in t["points"].values()]
    return {
        "texts": len(reports),
        "timelines": sum(len(report["timelines"]) for report in reports),
        "main_timelines": sum(t["main"] for report in reports for t in report["timelines"]),
        "several": sum(sum(t["main"] for t in report["timelines"]) > 1 for report in reports),
        "breaks": sum(len(report["breaks"]) for report in reports),
        "placed_points": len(points),
        "slack": sum(latest - earliest for earliest, latest in points),
        "section_points": sum(
            len(s["points"]) for own in whole for t in own for s in t["sections"]
        ),
        "branch_points": sum(
            2 * len(t["intervals"])
            for report in reports
            for t in report["timelines"]
            if not t["main"]
        ),
        "indeterminate_pairs": sum(t["indeterminate_pairs"] for own in whole for t in own),
        "longest": spread_of([length for length in longest if length]),
        "longest_main": spread_of([max(own) for own in mains if own]),
        "main_length": spread_of([sum(own) for own in mains if own]),
        "connections": spread_of([len(report["connections"]) for report in reports]),
        "branches": spread_of(
            [sum(not t["main"] for t in report["timelines"]) for report in reports]
        ),
        "sections": spread_of([sum(len(t["sections"]) for t in own) for own in whole]),
        "tied_steps": spread_of([sum(len(t["tied_steps"]) for t in own) for own in whole]),
    }


def check_extent(extent: object, expected: dict[str, object]) -> None:
    for name, value in expected.items():
        found = getattr(extent, name)
        assert (message(found) if isinstance(found, Spread) else found) == value, name


def check_corpus(figures, folder: Path) -> None:
    reports = extract_all(folder)
    tlinks = extract_all(folder, "--links", "tlink")

    assert figures.texts == len(reports)
    assert figures.inconsistent == sum(not report["consistent"] for report in reports)
    assert figures.inconsistent_tlinks == sum(not report["consistent"] for report in tlinks)
    assert figures.instances == sum(
        node["kind"] == "event" for report in reports for node in report["nodes"]
    )
    assert figures.times == sum(
        node["kind"] == "time" for report in reports for node in report["nodes"]
    )
    assert figures.factuality == dict(
        Counter(node["factuality"] for report in reports for node in report["nodes"])
    )
    assert figures.kinds == dict(
        Counter(conflict["kind"] for report in reports for conflict in report["conflicts"])
    )
    assert sum(pattern.conflicts for pattern in figures.patterns) == sum(figures.kinds.values())
    gaps = [b["words"] for report in reports for b in report["breaks"] if b["words"] is not None]
    assert message(figures.break_words) == spread_of(gaps)
    lengths = [t["length"] for report in reports for t in report["timelines"] if t["main"]]
    assert message(figures.main_each) == spread_of([length for length in lengths if length])
    torn = sorted((len(report["breaks"]) for report in reports), reverse=True)
    assert [text.breaks for text in figures.torn] == [count for count in torn if count][:10]
    by_name = {report["document"]["name"]: report for report in reports}
    for text in figures.torn:
        own = by_name[text.document.partition("/")[2]]
        assert text.breaks == len(own["breaks"]) == text.main_timelines - 1
    check_extent(figures.extents["annotated"], count_extent(reports))
    check_extent(
        figures.extents["consistent"],
        count_extent([report for report in reports if report["consistent"]]),
    )
    exact = [
        all(t["scenarios"]["exact"] for t in report["timelines"] if t["scenarios"])
        for report in reports
    ]
    assert figures.scenarios.bounds == exact.count(False)
    one = [
        all(t["scenarios"]["count"] == 1 for t in report["timelines"] if t["scenarios"])
        for report in reports
    ]
    assert figures.scenarios.settled == one.count(True)


def test_the_figures_of_small_corpora_are_those_of_extract(small_run, small_sources):
    figures = count_figures(open_run(small_run))

    assert [corpus.name for corpus in figures.corpora] == ["stories", "odd"]
    for corpus in figures.corpora:
        check_corpus(corpus, small_sources / corpus.name)


def test_a_failed_document_is_counted_and_named_by_its_cause(small_run):
    figures = count_figures(open_run(small_run))

    stories, odd = figures.corpora
    assert (stories.documents, stories.failed) == (3, 0)
    assert (odd.documents, odd.texts, odd.failed, odd.causes) == (3, 2, 1, {"read": 1})
    assert (figures.total.documents, figures.total.texts, figures.total.failed) == (6, 5, 1)


def test_the_total_is_that_of_all_corpora(small_run):
    figures = count_figures(open_run(small_run))

    for name in ("texts", "words", "instances", "times", "links", "tlinks", "slinks", "failed"):
        own = [getattr(corpus, name) for corpus in figures.corpora]
        assert getattr(figures.total, name) == sum(own), name
    for basis, total in figures.total.extents.items():
        parts = [corpus.extents[basis] for corpus in figures.corpora]
        assert total.neighbours == sum(part.neighbours for part in parts)
        assert total.longest.count == sum(part.longest.count for part in parts)
        assert total.longest.most == max(part.longest.most or 0 for part in parts)


def test_a_conflicts_pattern_is_the_types_of_its_minimal_links(small_run):
    (pattern,) = count_figures(open_run(small_run)).total.patterns

    assert (pattern.pattern, pattern.conflicts, pattern.texts) == ("AFTER + BEFORE + IBEFORE", 1, 1)


def test_the_repaired_figures_are_those_of_the_mended_documents(small_run, small_sources, tmp_path):
    odd = count_figures(open_run(small_run)).corpora[1]
    shutil.copytree(small_sources / "odd", tmp_path / "odd")
    run_tlex("fix", tmp_path / "odd" / "contradiction.tml", "--write")

    reports = extract_all(tmp_path / "odd")

    assert [report["consistent"] for report in reports] == [True, True]
    check_extent(odd.extents["repaired"], count_extent(reports))
    assert message(odd.repairs.removed) == (1, 1, 1)


def test_a_run_without_repairs_and_scenarios_says_so(small_sources, tmp_path):
    run_tlex(
        "corpus", "run", small_sources / "odd", "-o", tmp_path / "out", "--no-repair",
        "--no-scenarios", "-j", "1",
    )  # fmt: skip

    (odd,) = count_figures(open_run(tmp_path / "out")).corpora

    assert (odd.repairs.texts, odd.repairs.unrepaired, odd.repairs.removed.count) == (1, 1, 0)
    assert odd.extents["repaired"].texts == 0
    assert odd.scenarios.uncounted + odd.scenarios.powers.count == 2


def find_corpora(paper, *names):
    """The figures of corpora, by their names."""
    figures = {corpus.name: corpus for corpus in count_figures(open_run(paper.out)).corpora}
    return [figures[name] for name in names]


@pytest.mark.corpus
def test_30_65_and_36_texts_are_inconsistent(paper):
    timebank, meantime = find_corpora(paper, "timebank-1.2", "meantime-en")

    assert (timebank.texts, timebank.inconsistent_tlinks, timebank.inconsistent) == (183, 30, 65)
    assert (meantime.texts, meantime.inconsistent_tlinks, meantime.inconsistent) == (120, 36, 36)


@pytest.mark.corpus
def test_the_slinks_of_a_text_are_those_of_table_4(paper):
    timebank, meantime = find_corpora(paper, "timebank-1.2", "meantime-en")

    for corpus, expected in ((timebank, (1, 16.0, 142)), (meantime, (0, 2.0, 7))):
        slinks = corpus.extents["annotated"].slinks
        assert (slinks.least, round(slinks.mean, 1), slinks.most) == expected


@pytest.mark.corpus
def test_the_longest_timelines_of_consistent_texts_have_4_to_18_and_4_to_13_steps(paper):
    timebank, meantime = find_corpora(paper, "timebank-1.2", "meantime-en")

    for corpus, expected in ((timebank, (4, 18)), (meantime, (4, 13))):
        longest = corpus.extents["consistent"].longest
        assert (longest.least, longest.most) == expected


@pytest.mark.corpus
def test_the_corpora_have_as_much_of_everything_as_was_counted(paper):
    timebank, meantime = find_corpora(paper, "timebank-1.2", "meantime-en")

    assert (timebank.instances, timebank.times, timebank.links) == (7_940, 1_414, 9_615)
    assert (timebank.tlinks, timebank.alinks, timebank.slinks) == (6_418, 265, 2_932)
    assert (meantime.events, meantime.times, meantime.tlinks) == (2_107, 525, 1_789)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["timebank-1.2", "meantime-en"])
def test_the_figures_of_a_corpus_are_those_of_extract(paper, corpora, name):
    figures = {corpus.name: corpus for corpus in count_figures(open_run(paper.out)).corpora}

    check_corpus(figures[name], corpora / name)


@pytest.mark.corpus
def test_the_repaired_figures_are_those_of_the_files_that_fix_writes(paper, corpora, tmp_path):
    figures = count_figures(open_run(paper.out)).corpora[0]
    run_tlex("fix", corpora / "timebank-1.2", "-o", tmp_path / "fixed", "--json")

    reports = extract_all(tmp_path / "fixed")

    assert all(report["consistent"] for report in reports)
    check_extent(figures.extents["repaired"], count_extent(reports))
    assert figures.repairs.texts == figures.repairs.proven == figures.repairs.removed.count == 65
