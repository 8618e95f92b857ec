"""``tlex corpus sample``: a random sample of a run, for human judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from tlex.cli.app import run

STORY = "examples/story.tml"


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "news").mkdir()
    for name in (STORY, "examples/contradiction.tml"):
        (folder / "news" / Path(name).name).write_bytes(Path(name).read_bytes())
    assert run(["corpus", "run", str(folder / "news"), "-o", str(folder / "out"), "-j", "1"]) == 0
    return folder / "out"


@pytest.fixture
def tlex(capfd):
    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(["corpus", *map(str, arguments)])
        return code, *capfd.readouterr()

    return call


def test_a_run_with_labels_of_its_own_wants_them_again(tlex, tmp_path):
    (tmp_path / "own.toml").write_text('[TLINK]\nFOLLOWS = "AFTER"\n')
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("# plain\ne1 FOLLOWS e2\ne2 BEFORE e3\n")
    labels = ("--labels", tmp_path / "own.toml")
    tlex("run", tmp_path / "news", "-o", tmp_path / "out", "-j", "1", *labels)

    code, page, _ = tlex("sample", tmp_path / "out", "--what", "order", *labels)
    without = tlex("sample", tmp_path / "out", "--what", "order")

    assert code == 0
    assert "Is it right that the end of e2 comes before the beginning of e1?" in page
    assert without[0] == 2
    assert "the run had other --labels; give the same file" in without[2]
