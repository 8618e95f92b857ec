"""Our figures beside the paper's, and a release of what can be passed on.

python benchmarks/paper.py [OUT [RELEASE]]

Runs TimeBank 1.2, MEANTIME and ProppLearner, from ../shared/corpora or $TLEX_CORPORA, with ``tlex
corpus run`` into OUT (build/paper), prints the comparison, and writes RELEASE (release/) without
the texts. The paper's fourth corpus, N2, is made with the same tool as ProppLearner and is not
available to the project.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from paper_comparison import Extra, compare
from release import make_release, write_release

from tlex.corpus.reports.counting import count_figures, read_columns
from tlex.corpus.reports.figures import Figures
from tlex.corpus.reports.formats import write_text
from tlex.corpus.reports.html_report import write_html_report
from tlex.corpus.runs.result import RunResult, open_run
from tlex.errors import TlexError
from tlex.extraction import extract
from tlex.result import Extraction

ROOT = Path(__file__).resolve().parents[1]
NAMES = {
    "timebank-1.2": "TimeBank",
    "meantime-en": "MEANTIME",
    "propplearner": "ProppLearner",
}
_TOKEN = re.compile(rb'<token\b[^>]*\bsentence="([0-9]+)"')
_LAST = 5
"""MEANTIME annotates the headline, the date line and what follows, up to this sentence."""


def main() -> int:
    """RunResult, compare, release."""
    folder = Path(os.environ.get("TLEX_CORPORA") or ROOT.parent / "shared" / "corpora")
    corpora = [folder / name for name in NAMES if (folder / name).is_dir()]
    if not corpora:
        print(f"no corpora in {folder}: set TLEX_CORPORA, or put them into ../shared/corpora")
        return 0
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "paper"
    release = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "release"  # noqa: PLR2004
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tlex", "corpus", "run", *map(str, corpora), "-o", str(out)]
    done = subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603 -- our own command
    if done.returncode:
        return done.returncode
    try:
        figures, page = describe(open_run(out), folder)
        print(page)
        results = {name: extract_all(open_run(out), name) for name in open_run(out).corpora()}
        files = make_release(results)
        files["comparison.txt"] = page.encode()
        files["figures.json"] = msgspec.json.encode(figures)
        files["report.html"] = write_html_report(figures).encode()
        write_release(release, files)
    except TlexError as error:
        print(f"make paper: {error}", file=sys.stderr)
        return 2
    print(f"release: {release}, {len(files)} files without the texts; check with sha256sum -c")
    return 0


def describe(run: RunResult, folder: Path) -> tuple[Figures, str]:
    """Give the figures of a run, and the comparison with the paper's as text."""
    figures = count_figures(run)
    events: dict[str, set[tuple[str, str]]] = {name: set() for name in run.corpora()}
    for row in read_columns(run, "nodes", ("document", "event")):
        if row["event"] is not None:
            corpus = row["document"].partition("/")[0]
            events[corpus].add((row["document"], row["event"]))
    extras = {
        NAMES.get(name, name): count_extra(
            extract_all(run, name), len(found), count_annotated(folder / name)
        )
        for name, found in events.items()
    }
    for corpus in figures.corpora:
        corpus.name = NAMES.get(corpus.name, corpus.name)
    return figures, write_text(compare(figures, extras))


def count_extra(results: Iterable[Extraction], named: int, annotated: int) -> Extra:
    """Count what explains the paper's breaks, and what its sections may be."""
    breaks = several = texts = distinct = overlaid = 0
    for result in results:
        main = [each for each in result.timelines if each.main and len(each.intervals) > 1]
        breaks += max(0, len(main) - 1)
        several += len(main) > 1
        if not result.consistent:
            continue
        texts += 1
        compounds: Counter[int] = Counter()
        for timeline in result.timelines:
            others = {point for compound in timeline.compounds for point in compound[1:]}
            compounds.update(timeline.step(p) for p in timeline.points if p not in others)
        distinct += len({step for each in result.timelines for step in each.tied_steps})
        overlaid += sum(number > 1 for number in compounds.values())
    return Extra(
        named_events=named,
        annotated_tokens=annotated,
        long_breaks=breaks,
        long_several=several,
        distinct_tied=distinct / texts if texts else 0.0,
        overlaid_tied=overlaid / texts if texts else 0.0,
    )


def count_annotated(folder: Path) -> int:
    """Count the tokens of the sentences that MEANTIME annotates."""
    return sum(
        int(sentence) <= _LAST
        for file in sorted(folder.rglob("*.xml"))
        for sentence in _TOKEN.findall(file.read_bytes())
    )


def extract_all(run: RunResult, corpus: str) -> Iterator[Extraction]:
    """Extract the documents of a corpus again, one at a time."""
    for row in read_columns(run, "documents", ("document", "corpus", "status")):
        if row["corpus"] == corpus and row["status"] == "done":
            yield extract(run.read(row["document"]))


if __name__ == "__main__":
    sys.exit(main())
