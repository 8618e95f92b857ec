"""Runs that several tests look at: a small one of documents in the repository, and the corpora."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
TLEX = [sys.executable, "-m", "tlex"]


class Paper(NamedTuple):
    """What ``make paper`` gives."""

    out: Path
    release: Path
    page: str


def run_tlex(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 -- our own command
        [*TLEX, *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        check=False,
        timeout=120,
        encoding="utf-8",
    )


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


@pytest.fixture(scope="session")
def paper(corpora, tmp_path_factory) -> Paper:
    """Give the result of ``make paper``: one run over both corpora that all tests share."""
    folder = tmp_path_factory.mktemp("paper")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "benchmarks/paper.py", folder / "out", folder / "release"],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "TLEX_CORPORA": str(corpora)},
        check=False,
        timeout=300,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return Paper(folder / "out", folder / "release", done.stdout)
