"""What the tests of corpus runs share: made-up corpora, runs in processes, their results."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from commands import run

import tlex
from tlex.corpus import open_run
from tlex.export.table_schema import RUN_TABLES

TRAP = Path(__file__).parent / "data" / "trap" / "tlex_trap.py"
SOURCE = Path(tlex.__file__).parents[1]
ROOT = Path(__file__).parents[1]


def write_document(path: Path, number: int) -> None:
    """Write one of many different small documents; every fifth contradicts itself."""
    lines = [f"e{k} BEFORE e{k + 1}" for k in range(number % 4 + 2)]
    lines += [f"e0 INCLUDES x{k}" for k in range(number % 3)]
    if number % 5 == 0:
        lines.append("e1 BEFORE e0")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# document {number}\n" + "\n".join(lines) + "\n")


def make_corpus(folder: Path, count: int) -> Path:
    """Write a corpus of small documents, some of them in directories."""
    for number in range(count):
        write_document(folder / f"part{number % 3}" / f"doc{number:03}.txt", number)
    return folder


def install_trap(site: Path) -> Path:
    """Put down what an installer would leave of the package with the harmful reader."""
    info = site / "tlex_trap-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tlex-trap\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tlex.readers]\ntrap = tlex_trap:TRAP\n")
    (site / "tlex_trap.py").write_bytes(TRAP.read_bytes())
    return site


def environment(*sites: Path) -> dict[str, str]:
    """The environment of a process that is to find these packages."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (SOURCE, *sites)))}


def command(*words: object) -> list[str]:
    """The words of a command line of ``tlex corpus run``."""
    return [sys.executable, "-m", "tlex", "corpus", "run", *map(str, words)]


def run_tlex(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command of tlex in a process of its own; its output as text."""
    done = run(*arguments, cwd=cwd)
    texts = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, *texts)


def start(*words: object, sites: tuple[Path, ...] = ()) -> subprocess.Popen[bytes]:
    """Start a run in a process of its own."""
    return subprocess.Popen(  # noqa: S603
        command(*words),
        env=environment(*sites),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for a run: its exit code, what it wrote and what it said."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out.decode(), err.decode()


def run_json(*words: object, sites: tuple[Path, ...] = ()) -> dict[str, object]:
    """Run to the end; give the summary."""
    _, out, err = finish(start(*words, "--json", sites=sites))
    assert out, err
    summary: dict[str, object] = json.loads(out)
    return summary


def list_children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, task.read_text().split())
    return found


def fingerprint(out: Path) -> dict[str, str]:
    """All files of the tables, by name, with their digests."""
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for table in RUN_TABLES
        for path in sorted((out / table).iterdir())
    }


def read_tables(out: Path) -> dict[str, list[dict[str, object]]]:
    """All rows of all tables."""
    run = open_run(out)
    return {name: run.table(name).to_pylist() for name in RUN_TABLES}


def read_states(out: Path) -> dict[str, str]:
    """Each document's status; a name that is there twice is an error."""
    rows = open_run(out).table("documents", ["document", "status"]).to_pylist()
    states = {row["document"]: row["status"] for row in rows}
    assert len(states) == len(rows)
    return states


def failures(out: Path) -> Mapping[str, tuple[str, str]]:
    """Of each document that failed the cause and the reason."""
    rows = open_run(out).table("documents").to_pylist()
    return {
        row["document"]: (row["cause"], row["reason"]) for row in rows if row["status"] == "failed"
    }
