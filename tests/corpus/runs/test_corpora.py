"""TimeBank and MEANTIME through a run: the figures that must come out of the tables."""

from __future__ import annotations

import pytest

from tlex.corpus import open_run, run

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def documents(corpora, tmp_path_factory):
    """Give the rows of all documents, by corpus."""
    folders = [corpora / "timebank-1.2", corpora / "meantime-en"]
    if not all(folder.is_dir() for folder in folders):
        pytest.skip("not both corpora are there")
    out = tmp_path_factory.mktemp("corpora") / "out"
    run(folders, out, scenarios=False)
    found = {"timebank-1.2": [], "meantime-en": []}
    for row in open_run(out).table("documents").to_pylist():
        found[row["corpus"]].append(row)
    return found


def read_list(corpora, name):
    return sorted((corpora / name).read_text().split())


def test_30_texts_of_timebank_are_inconsistent_with_tlinks_only_and_65_with_alinks(
    documents, corpora
):
    rows = documents["timebank-1.2"]
    with_alinks = sorted(row["name"] for row in rows if not row["consistent"])
    tlinks_only = sorted(row["name"] for row in rows if not row["consistent_tlinks"])

    assert len(rows) == 183
    assert (len(tlinks_only), len(with_alinks)) == (30, 65)
    assert tlinks_only == read_list(corpora, "timebank-1.2.inconsistent-tlink.txt")
    assert with_alinks == read_list(corpora, "timebank-1.2.inconsistent-tlink-alink.txt")


def test_36_texts_of_meantime_are_inconsistent(documents, corpora):
    rows = documents["meantime-en"]
    found = sorted(row["name"] for row in rows if not row["consistent_tlinks"])

    assert len(rows) == 120
    assert len(found) == 36
    assert found == read_list(corpora, "meantime-en.inconsistent.txt")


@pytest.mark.parametrize(
    ("corpus", "figures"), [("timebank-1.2", (1, 16.0, 142)), ("meantime-en", (0, 2.0, 7))]
)
def test_slinks_per_text_are_what_the_paper_calls_branches(documents, corpus, figures):
    counts = [row["slinks"] for row in documents[corpus]]

    assert (min(counts), round(sum(counts) / len(counts), 1), max(counts)) == figures


def test_everything_is_counted_as_the_paper_counts_it(documents):
    rows = documents["timebank-1.2"]

    assert sum(row["instances"] for row in rows) == 7_940
    assert sum(row["times"] for row in rows) == 1_414
    assert sum(row["links"] for row in rows) == 9_615
    lengths = [row["longest"] for row in rows if row["consistent"]]
    assert (min(lengths), max(lengths)) == (4, 18)


def test_every_text_is_consistent_after_its_minimum_repair(documents):
    for row in documents["timebank-1.2"] + documents["meantime-en"]:
        assert row["repair_optimal"]
        assert row["repaired_inconsistent_timelines"] == 0
        assert (row["repair_cost"] == 0) == row["consistent"]
