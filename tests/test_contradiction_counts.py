"""Every command, the page and the tables list the same contradictions, document by document."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import tlex
from tlex.export.table_columns import TableMaker
from tlex.viewer.data import Place, describe_document
from tlex.viewer.library import Library

CONTRADICTIONS = {"TLX201", "TLX202", "TLX203"}

Sets = list[tuple[str, ...]]


def list_by_check(document: tlex.Document) -> Sets:
    """The contradictions that `check` reports, by the numbers in their notes."""
    found = [one for one in tlex.check(document).findings if one.code in CONTRADICTIONS]
    numbered = []
    for finding in found:
        words = finding.notes[-1].message.partition(":")[0].split()
        assert words[0] == "contradiction"
        numbered.append((int(words[1]), finding.links))
    numbered.sort()
    assert [number for number, _ in numbered] == list(range(1, len(found) + 1))
    return [links for _, links in numbered]


def list_by_fix(document: tlex.Document) -> Sets:
    """The contradictions in what ``fix --json`` writes."""
    written = msgspec.json.decode(tlex.fix(document).to_json())
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


def test_the_examples_have_the_same_contradictions_everywhere():
    folder = Path("examples")

    assert check({path.name: tlex.read(path) for path in folder.glob("*.tml")}, folder) == 1


@pytest.mark.corpus
def test_timebank_has_the_same_contradictions_everywhere(timebank, corpora):
    assert check(timebank, corpora / "timebank-1.2") > 100


@pytest.mark.corpus
def test_meantime_has_the_same_contradictions_everywhere(meantime, corpora):
    assert check(meantime, corpora / "meantime-en") > 30
