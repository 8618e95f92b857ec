"""Samples from a run: fair, in proportion, the same for a seed, and only from what was read."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from runs import run_tlex
from scipy import stats

import tlex
from tlex.cli.app import run
from tlex.corpus.runs.result import open_run
from tlex.corpus.samples.populations import WHAT, count_items
from tlex.corpus.samples.sample_size import find_sample_size, share_out
from tlex.corpus.samples.sampler import SamplePlan, draw_sample, plan_sample


def list_items(sample) -> list[tuple[str, ...]]:
    return [(row.corpus, row.document, row.item.first, row.item.second) for row in sample.rows]


@pytest.mark.parametrize("what", WHAT)
def test_the_tables_know_how_many_there_are(small_run, small_sources, what):
    plan = plan_sample(open_run(small_run), what, 0.95, 0.02, 0)

    for stratum in plan.strata:
        files = sorted((small_sources / stratum.corpus).iterdir())
        counts = [
            count_items(tlex.extract(tlex.read(file)), what)
            for file in files
            if file.name != "broken.tml"
        ]
        assert stratum.population == sum(counts)
    assert plan.population == sum(stratum.population for stratum in plan.strata)


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("interval", [0.02, 0.3])
def test_a_sample_is_as_large_as_the_formula_says_and_in_proportion(small_run, what, interval):
    result = open_run(small_run)
    plan = plan_sample(result, what, 0.95, interval, 3)

    sample = draw_sample(result, plan)

    size = find_sample_size(plan.population, 0.95, interval)
    assert len(sample.rows) == plan.size == size
    assert sample.population == plan.population
    by_corpus = Counter(row.corpus for row in sample.rows)
    shares = share_out(size, [stratum.population for stratum in plan.strata])
    assert [by_corpus[stratum.corpus] for stratum in plan.strata] == shares
    assert len(set(list_items(sample))) == size or what == "connections"


def test_a_seed_gives_the_same_sample_and_another_one_another(small_run):
    result = open_run(small_run)

    def sample(seed: int) -> list[tuple[str, ...]]:
        return list_items(draw_sample(result, plan_sample(result, "order", 0.9, 0.2, seed)))

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)


@pytest.mark.parametrize("what", ["sections", "order"])
def test_every_item_of_a_corpus_is_drawn_equally_often(small_run, what):
    result = open_run(small_run)
    plans = [plan_sample(result, what, 0.9, 0.3, seed) for seed in range(400)]

    for place, stratum in enumerate(plans[0].strata):
        share = len(stratum.drawn)
        if not 0 < share < stratum.population:
            continue
        drawn = Counter(number for plan in plans for number in plan.strata[place].drawn)
        expected = [400 * share / stratum.population] * stratum.population
        found = [drawn[number] for number in range(stratum.population)]
        # Without replacement there is less to and fro than chance alone gives: a one-sided test.
        assert stats.chisquare(found, expected).pvalue > 1e-4


def test_every_pair_comes_out_when_all_are_asked_for(small_run):
    result = open_run(small_run)
    plan = plan_sample(result, "sections", 0.99, 0.001, 0)

    items = list_items(draw_sample(result, plan))

    expected = {
        (corpus, name, frozenset(pair))
        for corpus, name in (("stories", "story.tml"), ("stories", "storyline.xml"))
        for timeline in tlex.extract(result.read(f"{corpus}/{name}")).timelines
        if timeline.consistent
        for pair in timeline.pairs()
    }
    found = {(corpus, name, frozenset(pair)) for corpus, name, *pair in items}
    assert expected <= found
    assert len(items) == len(found) == plan.population


def test_documents_with_too_many_pairs_are_left_out_and_counted(small_run, monkeypatch):
    result = open_run(small_run)
    rows = [
        {"document": "a/x", "corpus": "stories", "status": "done", "indeterminate_pairs": None},
        {"document": "a/y", "corpus": "stories", "status": "done", "indeterminate_pairs": 5},
        {"document": "a/z", "corpus": "stories", "status": "failed", "indeterminate_pairs": None},
    ]
    monkeypatch.setattr("tlex.corpus.samples.sampler.read_columns", lambda *_: rows)

    plan = plan_sample(result, "sections", 0.95, 0.02, 0)

    assert isinstance(plan, SamplePlan)
    assert (plan.uncounted, plan.population, plan.size) == (1, 5, 5)


@pytest.fixture(scope="module")
def own_run(tmp_path_factory):
    """Give a run of one document, whose source may change in the end."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "news").mkdir()
    shutil.copy("examples/story.tml", folder / "news")
    run_tlex("corpus", "run", folder / "news", "-o", folder / "out", "-j", "1")
    return folder


@pytest.fixture
def draw(own_run, capfd):
    """Call ``tlex corpus sample`` on that run."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(["corpus", "sample", str(own_run / "out"), *map(str, arguments)])
        return code, *capfd.readouterr()

    return call


def test_the_command_writes_a_sheet_and_a_form(own_run, draw):
    code, page, err = draw("--what", "order", "-o", own_run / "s", "--json")

    assert code == 0
    summary = json.loads(page)
    sheet = (own_run / "s" / "order.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(sheet)))
    population = count_items(tlex.extract(tlex.read("examples/story.tml")), "order")
    assert summary["population"] == population
    assert len(rows) == summary["size"] == find_sample_size(population)
    assert {row["sample"] for row in rows} == {summary["sample"]}
    assert summary["corpora"] == {"news": {"population": population, "size": len(rows)}}
    page = (own_run / "s" / "order.html").read_text(encoding="utf-8")
    assert page.count("<fieldset>") == len(rows)
    assert f"drew {len(rows)} of {population} neighbouring time-points" in err


def test_without_o_the_sheet_goes_to_stdout(draw):
    _, page, _ = draw("--what", "connections")

    rows = list(csv.DictReader(io.StringIO(page.removeprefix("\ufeff"))))
    assert [row["item"] for row in rows] == [str(k) for k in range(1, len(rows) + 1)]
    assert "subordinates" in rows[0]["question"]
    assert "[[" in rows[0]["text"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--what", "everything"), "'everything' is not one of 'order', 'main'"),
        (("--what", "order", "--confidence", "95"), "the confidence is a share between 0 and 1"),
        (("--what", "order", "--interval", "0"), "the interval is a share between 0 and 1"),
        (("--what", "order", "--json"), "without -o the sheet goes to stdout"),
        (("--what", "main"), "there are no breaks between main timelines to sample"),
        ((), "what"),
    ],
)
def test_what_cannot_be_drawn_is_reported_in_one_line(draw, arguments, message):
    code, page, err = draw(*arguments)

    assert (code, page) == (2, "")
    (line,) = err.splitlines()
    assert message in line


def test_a_source_that_has_changed_or_is_gone_is_reported_in_one_line(own_run, draw):
    path = own_run / "news" / "story.tml"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    changed = draw("--what", "order", "-o", own_run / "s.csv")
    path.unlink()
    gone = draw("--what", "order", "-o", own_run / "s.csv")

    assert not (own_run / "s.csv").exists()
    for (code, page, err), words in ((changed, "has changed"), (gone, "cannot be read")):
        assert (code, page) == (2, "")
        (line,) = err.splitlines()
        assert "news/story.tml: " in line
        assert words in line


@pytest.mark.corpus
@pytest.mark.parametrize("what", WHAT)
def test_every_item_of_a_corpus_sample_is_what_the_question_says(paper, what):
    result = open_run(paper.out)
    plan = plan_sample(result, what, 0.9, 0.1, 5)

    sample = draw_sample(result, plan)

    answers = {}
    for row in sample.rows:
        name = f"{row.corpus}/{row.document}"
        if name not in answers:
            answers[name] = tlex.extract(result.read(name))
        answer, item = answers[name], row.item
        own = answer.timeline_of(item.first.rstrip("+-") if what in POINTS else item.first)
        if what == "order":
            assert own.step(item.second) == own.step(item.first) + 1
        elif what == "sections":
            assert own.indeterminate(item.first, item.second)
        elif what == "placement":
            assert not own.main
        elif what == "main":
            assert own.main
            assert answer.timeline_of(item.second) is not own
        else:
            assert answer.timeline_of(item.second) is not own


POINTS = ("order", "sections", "placement")
