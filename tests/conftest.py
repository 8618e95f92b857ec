"""What all tests share: how hard Hypothesis tries, the browser, and where the corpora are."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

import tlex

# The same examples on every run where CI is set; elsewhere new ones each time. No time limit for
# a single example: the machine may be busy.
settings.register_profile("default", deadline=None, max_examples=75)
settings.register_profile(
    "ci", settings.get_profile("default"), derandomize=True, database=None, max_examples=50
)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# Background jobs of a shell ignore Ctrl-C, and so would the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "corpora"


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Give Debian's chromium, or skip. Playwright can be started only once in a process."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from browsing import CHROMIUM, FLAGS  # noqa: PLC0415 -- needs Playwright

    if not CHROMIUM:
        pytest.skip("no chromium: install it, or name one in TLEX_CHROMIUM")
    sync_api.expect.set_options(timeout=20_000)  # the machine may be busy
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Give the folder of the licensed corpora, or skip."""
    folder = Path(os.environ.get("TLEX_CORPORA") or BESIDE)
    if not folder.is_dir():
        pytest.skip("no corpora: set TLEX_CORPORA, or put them into ../shared/corpora")
    return folder


@pytest.fixture(scope="session")
def meantime(corpora: Path) -> dict[str, tlex.Document]:
    """Give the 120 documents of MEANTIME English by path, or skip."""
    folder = corpora / "meantime-en"
    files = sorted(folder.glob("corpus_*/*.xml"))
    if not files:
        pytest.skip("no meantime-en among the corpora")
    return {file.relative_to(folder).as_posix(): tlex.read(file) for file in files}


@pytest.fixture(scope="session")
def timebank(corpora: Path) -> dict[str, tlex.Document]:
    """Give the 183 documents of TimeBank 1.2 by file name, or skip."""
    files = sorted((corpora / "timebank-1.2").glob("*.tml"))
    if not files:
        pytest.skip("no timebank-1.2 among the corpora")
    return {file.name: tlex.read(file) for file in files}


class Paper(NamedTuple):
    """What ``make paper`` gives."""

    out: Path
    release: Path
    page: str


@pytest.fixture(scope="session")
def paper(corpora, tmp_path_factory) -> Paper:
    """Give the result of ``make paper``: one run over the corpora that all tests share.

    All worker processes of a test run share it: the first one makes it, the others wait.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    said = folder / "paper.txt"
    with (folder / "paper.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            done = subprocess.run(  # noqa: S603
                [sys.executable, "benchmarks/paper.py", folder / "paper", folder / "release"],
                capture_output=True,
                cwd=Path(__file__).parents[1],
                env={**os.environ, "TLEX_CORPORA": str(corpora)},
                check=False,
                timeout=300,
                encoding="utf-8",
            )
            assert done.returncode == 0, done.stderr
            said.write_text(done.stdout, encoding="utf-8")
    return Paper(folder / "paper", folder / "release", said.read_text(encoding="utf-8"))
