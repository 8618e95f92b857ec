"""A run over 20,000 documents: throughput, what tables and manifest cost, memory.

The documents are TimeBank's, repeated under other names. Bare extraction reads the same files in
one process and puts the same answers into plain data, without rows, tables, manifest or worker
processes. It is measured as a run is, once with all answers, and once lean: neither orderings
counted nor repairs looked for, where tables and manifest weigh most. Beside it stands what the five
steps take alone, without putting any answer into words.

Runs are processes of their own, started by the command line; their time includes starting,
planning, and every file brought to disk. Ratios are of processor time, of all processes together,
and so do not depend on what else the machine is busy with.

    python benchmarks/corpus.py [DOCUMENTS]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from limits import show_limit

import tlex
from tlex.repair.search import find_repair

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
PATHS = sorted((CORPORA / "timebank-1.2").glob("*.tml"))
LEAN = ("--no-scenarios", "--no-repair")


class Taken(NamedTuple):
    """What something took: seconds, seconds of processors, and the peak of memory in MB."""

    wall: float
    processor: float
    peak: float = 0.0


def repeat(folder: Path, count: int) -> Path:
    """Write so many documents."""
    contents = [path.read_bytes() for path in PATHS]
    for number in range(count):
        place = folder / f"{number // 1000:03}"
        place.mkdir(parents=True, exist_ok=True)
        path = PATHS[number % len(PATHS)]
        (place / f"{number:06}-{path.name}").write_bytes(contents[number % len(PATHS)])
    return folder


def run_steps(path: Path) -> None:
    """Read a document and run the five steps."""
    tlex.extract(tlex.read(path))


def extract_lean(path: Path) -> None:
    """Read and extract a document, and put most answers into plain data."""
    result = tlex.extract(tlex.read(path))
    _ = result.timelines, result.connections, result.breaks, result.conflicts, result.nodes
    _ = [(t.points, t.sections, t.score, t.indeterminate_pairs) for t in result.timelines]


def extract_all(path: Path) -> None:
    """The same with all answers: those of ``tlex extract --json``, and a minimum repair."""
    result = tlex.extract(tlex.read(path))
    result.record()
    find_repair(result, limit=1)


def measure(task: Callable[[Path], None], folder: Path, times: int) -> Taken:
    """Do something with all documents, as if there were so many times as many."""
    paths = sorted(folder.rglob("*.tml"))
    wall, processor = time.perf_counter(), time.process_time()
    for path in paths:
        task(path)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    return Taken(wall * times, processor * times)


def run(folder: Path, *words: str) -> Taken:
    """Run over a folder, with a driver of its own; the peak is the driver's."""
    with tempfile.TemporaryDirectory() as place:
        out = str(Path(place) / "out")
        command = [sys.executable, "-m", "tlex", "corpus", "run", str(folder), "-o", out, *words]
        start = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603
        peak = watch_peak(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}")
        shutil.rmtree(out)
    return Taken(wall, usage.ru_utime + usage.ru_stime, peak)


def watch_peak(pid: int) -> float:
    """Follow a process to its end; give its peak of memory, which its children's is not part of."""
    peak = 0.0
    while True:
        try:
            lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        except OSError:
            return peak
        found = [line.split()[1] for line in lines if line.startswith("VmHWM")]
        if not found:  # it has ended
            return peak
        peak = int(found[0]) / 1024
        time.sleep(0.05)


def show(name: str, count: int, taken: Taken, *against: Taken) -> None:
    """Print one line."""
    ratios = "".join(f"{taken.processor / other.processor:8.2f} x" for other in against)
    rate = count / taken.wall
    print(f"{name:40} {taken.wall:7.1f} s {rate:7.0f} /s {taken.processor:7.1f} s {ratios}")


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    if not PATHS:
        print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
        return
    with tempfile.TemporaryDirectory() as place:
        many = repeat(Path(place) / "many", count)
        few = repeat(Path(place) / "few", count // 10)
        print(f"{count:,} documents{'wall':>30}{'processor':>22}")
        steps = measure(run_steps, few, 10)
        show("read, run the steps", count, steps)
        bare = measure(extract_lean, few, 10)
        show("lean: bare extraction", count, bare)
        one = run(many, "--jobs", "1", *LEAN)
        show("lean: run, 1 worker; to bare, to steps", count, one, bare, steps)
        two = run(many, "--jobs", "2", *LEAN)
        show("lean: run, 2 workers; to bare", count, two, bare)
        if find_spec("distributed"):
            dask = run(many, "--dask", "local", "--jobs", "2", *LEAN)
            show("lean: Dask local, 2 workers", count, dask)
            print(f"Dask local to 2 workers, wall: {dask.wall / two.wall:.2f} x")
        print(f"1 worker to 2 workers, wall: {one.wall / two.wall:.2f} x")
        whole = measure(extract_all, few, 10)
        show("all answers: bare extraction", count, whole)
        one_whole = run(many, "--jobs", "1")
        show("all answers: run, 1 worker; to bare", count, one_whole, whole)
        two_whole = run(many, "--jobs", "2")
        show("all answers: run, 2 workers; to bare", count, two_whole, whole)
        small = run(few, "--jobs", "1", *LEAN)
        print(f"driver's peak at {count // 10:,} documents: {small.peak:.1f} MB")
        ratio = one.peak / small.peak
        print(f"driver's peak at {count:,} documents: {one.peak:.1f} MB, {ratio:.2f} x")
        faster = one_whole.wall / two_whole.wall
        show_limit("corpus run, all answers: two workers, to one", faster, 1.85, least=True)


if __name__ == "__main__":
    main()
