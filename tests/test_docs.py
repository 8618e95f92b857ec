"""The pages for people: their links lead somewhere, and their examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^()#\s]+)(?:#[^()\s]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_of_a_page_leads_to_a_file(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []


def test_the_reader_of_the_page_about_readers_reads_its_example():
    page = ROOT / "docs" / "readers.md"
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
    names = {"__name__": "notes", "data": blocks["text"].encode()}

    exec(blocks["python"], names)  # noqa: S102 -- our own page
    failures, tried = doctest.testfile(str(page), module_relative=False, globs=names)

    assert names["recognise_notes"](blocks["text"])
    assert tried >= 5
    assert failures == 0


def test_every_test_that_the_page_about_proofs_names_exists():
    page = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)

    assert len(named) >= 15
    assert [
        (path, name)
        for path, name in named
        if f"\ndef {name}(" not in (ROOT / path).read_text(encoding="utf-8")
    ] == []
