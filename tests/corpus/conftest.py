"""Runs that several tests look at: a small one of documents in the repository."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from runs import ROOT, run_tlex


@pytest.fixture(scope="session")
def small_sources(tmp_path_factory) -> Path:
    """Give two small corpora: one of stories, one with a contradiction and a broken file."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "stories").mkdir()
    (folder / "odd").mkdir()
    for name in ("examples/story.tml", "tests/data/note.tml", "tests/data/storyline.xml"):
        shutil.copy(ROOT / name, folder / "stories")
    for name in ("examples/contradiction.tml", "tests/data/meantime.xml"):
        shutil.copy(ROOT / name, folder / "odd")
    (folder / "odd" / "broken.tml").write_text("<TimeML><EVENT>", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small_run(small_sources, tmp_path_factory) -> Path:
    """Give the result of a run over the small corpora."""
    out = tmp_path_factory.mktemp("runs") / "small"
    done = run_tlex(
        "corpus", "run", small_sources / "stories", small_sources / "odd", "-o", out, "-j", "1"
    )
    assert done.returncode == 2, done.stderr  # the broken file
    return out
