"""Every command, the page and the tables list the same contradictions, document by document."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import tlex
from tlex.export.table_columns import TableMaker
from tlex.viewer.data import Place, describe_document
from tlex.viewer.library import Library

CONTRADICTIONS = {"TLX201", "TLX202", "TLX203", "TLX204"}

Sets = list[tuple[str, ...]]


def list_by_check(document: tlex.Document, *, calendar: bool = False) -> Sets:
    """The contradictions that `check` reports, by the numbers in their notes."""
    checked = tlex.check(document, calendar=calendar)
    found = [one for one in checked.findings if one.code in CONTRADICTIONS]
    numbered = []
    for finding in found:
        words = finding.notes[-1].message.partition(":")[0].split()
        assert words[0] == "contradiction"
        numbered.append((int(words[1]), finding.links))
    numbered.sort()
    assert [number for number, _ in numbered] == list(range(1, len(found) + 1))
    return [links for _, links in numbered]


def list_by_fix(document: tlex.Document, *, calendar: bool = False) -> Sets:
    """The contradictions in what ``fix --json`` writes."""
    written = msgspec.json.decode(tlex.fix(document, calendar=calendar).to_json())
    assert written["options"]["calendar"] == calendar
    return [tuple(conflict["minimal"]) for conflict in written["conflicts"]]


def list_by_page(result: tlex.Extraction) -> Sets:
    """The contradictions in the data of the page."""
    data = msgspec.json.decode(msgspec.json.encode(describe_document(result, Place())))
    return [tuple(conflict["minimal"]) for conflict in data["conflicts"]]


def list_by_table(result: tlex.Extraction) -> Sets:
    table = TableMaker(result, scenarios=False).make("conflicts")
    assert list(table["conflict"]) == list(range(1, len(table["conflict"]) + 1))
    return [tuple(links) for links in table["minimal"]]


def check(documents: dict[str, tlex.Document], folder: Path) -> int:
    library = Library(str(folder), options={"mend": True})
    library.scan()
    listed = {entry.name: entry.conflicts for entry in library.settle()}
    total = 0
    for name, document in documents.items():
        result = tlex.extract(document)
        mended = tlex.extract(document, mend=True)
        expected = [conflict.minimal for conflict in result.conflicts]
        assert [conflict.minimal for conflict in mended.conflicts] == expected
        assert list_by_check(document) == expected, name
        assert listed[name] == len(expected), name
        if expected:
            assert list_by_fix(document) == expected, name
            assert list_by_table(result) == list_by_table(mended) == expected, name
            assert list_by_page(mended) == expected, name
        total += len(expected)
    return total


def check_dated(documents: dict[str, tlex.Document]) -> int:
    """The same with the calendar: `extract`, `check`, `fix` and the tables agree."""
    total = 0
    for name, document in documents.items():
        result = tlex.extract(document, calendar=True)
        expected = [conflict.minimal for conflict in result.conflicts]
        assert list_by_check(document, calendar=True) == expected, name
        if expected:
            assert list_by_fix(document, calendar=True) == expected, name
            assert list_by_table(result) == expected, name
            fixed = tlex.fix(document, calendar=True)
            kinds = {link.id: link.kind for link in document.links}
            assert all(kinds[link] in {"TLINK", "ALINK"} for link in fixed.links), name
            assert {link.kind for link in fixed.document.links} <= set(kinds.values()), name
            assert tlex.extract(fixed.document, calendar=True).consistent, name
            assert fixed.optimal, name
            tlex.verify(document, fixed.to_json())
        total += len(expected)
    return total


def test_the_examples_have_the_same_contradictions_everywhere():
    folder = Path("examples")

    assert check({path.name: tlex.read(path) for path in folder.glob("*.tml")}, folder) == 1


@pytest.mark.corpus
def test_timebank_has_the_same_contradictions_everywhere(timebank, corpora):
    assert check(timebank, corpora / "timebank-1.2") > 100


@pytest.mark.corpus
def test_timebank_has_the_same_contradictions_with_the_calendar(timebank):
    assert check_dated(timebank) > 150


@pytest.mark.corpus
def test_meantime_has_the_same_contradictions_with_the_calendar(meantime):
    assert check_dated(meantime) > 100


@pytest.mark.corpus
def test_meantime_has_the_same_contradictions_everywhere(meantime, corpora):
    assert check(meantime, corpora / "meantime-en") > 30


@pytest.mark.corpus
def test_propplearner_has_the_same_contradictions_everywhere(corpora):
    folder = corpora / "propplearner"
    if not folder.is_dir():
        pytest.skip("no propplearner among the corpora")
    stories = {path.name: tlex.read(path) for path in folder.glob("*.sty")}

    assert check(stories, folder) == 23
