"""A run over 20,000 documents: throughput, what tables and manifest cost, memory.

The documents are TimeBank's, repeated under other names. Bare extraction reads the same files in one
process and puts the same answers into plain data (what ``tlex extract --json`` would write),
without rows, tables, manifest or worker. It is measured twice, as a run is: with all answers, and with
neither orderings counted nor repairs looked for, where tables and manifest weigh most. Runs are
processes of their own, started by the command line; their time includes starting and planning.

    python benchmarks/corpus.py [DOCUMENTS]
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import tlex
from tlex.repair import find_repair

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
PATHS = sorted((CORPORA / "timebank-1.2").glob("*.tml"))
LEAN = ("--no-scenarios", "--no-repair")


def repeat(folder: Path, count: int) -> Path:
    """Write so many documents."""
    contents = [path.read_bytes() for path in PATHS]
    for number in range(count):
        place = folder / f"{number // 1000:03}"
        place.mkdir(parents=True, exist_ok=True)
        path = PATHS[number % len(PATHS)]
        (place / f"{number:06}-{path.name}").write_bytes(contents[number % len(PATHS)])
    return folder


def extract_bare(folder: Path, *, lean: bool) -> float:
    """Read and extract all documents, and put the answers into plain data."""
    start = time.perf_counter()
    for path in sorted(folder.rglob("*.tml")):
        result = tlex.extract(tlex.read(path))
        if lean:
            _ = result.timelines, result.connections, result.breaks, result.conflicts, result.nodes
            _ = [(t.points, t.sections, t.indeterminate_pairs) for t in result.timelines]
        else:
            result.report()
            find_repair(result, limit=1)
    return time.perf_counter() - start


def run(folder: Path, *words: str) -> tuple[float, float]:
    """Run over a folder: seconds, and the driver's peak of memory in megabytes."""
    out = Path(tempfile.mkdtemp()) / "out"
    command = [sys.executable, "-m", "tlex", "corpus", "run", str(folder), "-o", str(out), *words]
    start = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    shutil.rmtree(out.parent)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return seconds, usage.ru_maxrss / unit


def show(name: str, count: int, seconds: float, against: float | None = None) -> None:
    """Print one line."""
    ratio = "" if against is None else f"{seconds / against:8.2f} x"
    print(f"{name:44} {seconds:8.1f} s {count / seconds:9.0f} /s {ratio}")


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    if not PATHS:
        print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
        return
    with tempfile.TemporaryDirectory() as place:
        many = repeat(Path(place) / "many", count)
        few = repeat(Path(place) / "few", count // 10)
        bare = extract_bare(few, lean=True) * 10
        whole = extract_bare(few, lean=False) * 10
        print(f"{count:,} documents{'against the first line of its kind':>66}")
        show("lean: bare extraction, one process", count, bare)
        one, peak = run(many, "--jobs", "1", *LEAN)
        show("lean: run, one worker", count, one, bare)
        two, _ = run(many, "--jobs", "2", *LEAN)
        show("lean: run, two workers", count, two, bare)
        show("all answers: bare extraction, one process", count, whole)
        show("all answers: run, one worker", count, run(many, "--jobs", "1")[0], whole)
        if find_spec("distributed"):
            taken, _ = run(many, "--dask", "local", "--jobs", "2", *LEAN)
            show("lean: Dask local, two workers, against two", count, taken, two)
        _, small = run(few, "--jobs", "1", *LEAN)
    print(f"driver's peak at {count // 10:,} documents: {small:.1f} MB")
    print(f"driver's peak at {count:,} documents: {peak:.1f} MB, {peak / small:.2f} x")
    own = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process of all: {own:.1f} MB")


if __name__ == "__main__":
    main()
