"""The pages for people: their links lead somewhere, and their examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from blocks import WrongBlockError, run_page

import tlex
from tlex.nouns import Code
from tlex.readers.json.keys import DOCUMENT, KEYS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^()#\s]+)(?:#[^()\s]*)?\)")

MODULE = re.compile(r"`([a-z_]+(?:/[a-z_]+)+\.py)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_of_a_page_leads_to_a_file(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_module_that_a_page_names_by_its_path_exists(page):
    named = MODULE.findall(page.read_text(encoding="utf-8"))

    places = (ROOT / "src" / "tlex", ROOT)

    assert [name for name in named if not any((place / name).exists() for place in places)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_does_what_the_page_says(page, tmp_path):
    run_page(page, tmp_path)


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ tlex rule TLX101\nTLX102 another-rule\n```\n",
        "```console\n$ tlex rule TLX999\n```\n",
        "```sh\ntlex extract nowhere.tml\n```\n",
        "```sh\ntlex extract examples/story.tml | grep -q dinosaur && false; exit 2\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        '```text title="a.txt"\na BEFORE b\n```\n```console\n$ cat a.txt\nb BEFORE a\n```\n',
    ],
)
def test_a_block_that_does_not_do_what_its_page_says_is_found(page, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(page)
    (tmp_path / "stage").mkdir()

    with pytest.raises(WrongBlockError):
        run_page(path, tmp_path / "stage")


def test_every_test_that_the_page_about_proofs_names_exists():
    page = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)

    assert len(named) >= 15
    assert [
        (path, name)
        for path, name in named
        if f"\ndef {name}(" not in (ROOT / path).read_text(encoding="utf-8")
    ] == []


JSON_PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
FORGIVEN = re.findall(r"^\| `([\[{].*)` \| `(.*)` \|$", JSON_PAGE, re.MULTILINE)


def test_the_example_of_the_page_about_json_is_read_without_a_word():
    example = re.findall(r"```json[^\n]*\n(.*?)```", JSON_PAGE, re.DOTALL)[0]
    document = tlex.parse(example)

    assert [one.code for one in document.diagnostics] == [Code.CANDIDATES]
    assert [document.words(node) for node in document.nodes] == ["left", "came", "Monday", "called"]
    assert example.count("\n") == 9
    assert tlex.decode(document).optimal


@pytest.mark.parametrize(("written", "read"), FORGIVEN)
def test_what_the_page_about_json_calls_forgiven_is_read_and_told(written, read):
    document = tlex.parse(written)

    found = (
        f"{one.source} {one.type} {one.target}" + ("" if one.weight is None else f" {one.weight}")
        for one in document.links
    )
    assert ", ".join(found) == read
    assert {one.code for one in document.diagnostics} == {Code.FORGIVEN_JSON}


def test_the_page_about_json_lists_the_keys_of_the_table():
    expected = [
        f"| {where} | `{key}` | {', '.join(f'`{other}`' for other in others)} |"
        for where, table in {"document": DOCUMENT, **KEYS}.items()
        for key, others in table.items()
        if others
    ]

    assert len(FORGIVEN) >= 12
    assert [line for line in JSON_PAGE.splitlines() if line in expected] == expected
