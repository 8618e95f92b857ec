"""``tlex demo``: the examples come out, the pages are written, and no file of a user is lost."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

import tlex
from tlex.cli.app import run
from tlex.cli.demo import find_examples

EXAMPLES = Path(__file__).parents[2] / "examples"


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_it_prints_what_extract_prints_of_both_examples(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    code = run(["demo"])

    out, err = capsys.readouterr()
    names = ("story.tml", "contradiction.tml")
    documents = [tlex.parse((EXAMPLES / name).read_bytes(), name=name) for name in names]
    shown = [tlex.draw.text(tlex.extract(document)) for document in documents]
    pages = [Path(line.rpartition(" ")[2]) for line in err.splitlines()]
    assert code == 0
    assert out == "\n\n".join(shown) + "\n"
    assert [page.parent.parent for page in pages] == [tmp_path] * 2
    assert [page.read_text() for page in pages] == [tlex.viewer.html(one) for one in documents]


def test_all_examples_are_written_to_a_directory(capsys, tmp_path):
    folder = tmp_path / "new" / "examples"

    code = run(["demo", "-o", str(folder)])

    capsys.readouterr()
    mine = {name for name in files_below(EXAMPLES) if "__pycache__" not in name}
    assert code == 0
    assert files_below(folder) == mine | {"story.html", "contradiction.html"}
    assert {"anna/ferry.tml", "ben/ferry.tml", "story.tml"} <= mine


def test_a_changed_example_is_not_overwritten(capsys, tmp_path):
    assert run(["demo", "-o", str(tmp_path)]) == 0
    changed = tmp_path / "anna" / "ferry.tml"
    changed.write_text("my work")
    (tmp_path / "ben" / "ferry.tml").unlink()
    capsys.readouterr()

    code = run(["demo", "-o", str(tmp_path)])

    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err == (
        f"tlex: {changed} exists and is not the example; give another directory, or remove it\n"
    )
    assert changed.read_text() == "my work"
    assert not (tmp_path / "ben" / "ferry.tml").exists()


def test_the_page_is_opened_on_request_only(capsys, tmp_path, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)

    assert run(["demo", "-o", str(tmp_path)]) == 0
    assert opened == []
    assert run(["demo", "--open", "-o", str(tmp_path)]) == 0
    assert opened == [(tmp_path / "story.html").as_uri()]
    capsys.readouterr()


def test_a_clone_has_the_examples_beside_the_sources():
    assert find_examples() == EXAMPLES


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.tml")), ids=lambda path: path.name)
def test_an_example_of_the_tutorials_reads_as_it_says(path):
    document = tlex.read(path)

    result = tlex.extract(document)
    slips = {
        "anna/ferry.tml": (("l3", "l4", "l5"), ()),
        "anna/market.tml": (None, ("TLX101",)),
    }
    conflict, codes = slips.get(f"{path.parent.name}/{path.name}", (None, ()))
    assert [one.minimal for one in result.conflicts] == ([conflict] if conflict else [])
    assert tuple(found.code for found in document.diagnostics) == codes
