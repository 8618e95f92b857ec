"""How time and memory of each command grow as documents double, for many shapes of document.

Called by ``growth.py --commands``. A document is TimeML with a word for each event. Each run is a
process of its own; what a command needs beside the document, such as a saved result, is made
before. The last column has the exponent k of time ~ n^k over the last doubling, without the time
of starting. A line ends with ``!`` where a document takes more than a second or 100 MB.

    python benchmarks/growth.py --commands [LARGEST [NAME...]]

A NAME is a shape or the beginning of a command, ``knot`` or ``fix``: only these are run.
"""

from __future__ import annotations

import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

__all__ = ["compare_commands"]

Links = list[tuple[str, str, str]]

SIZES = (1_250, 2_500, 5_000)
SECONDS = 60
_QUESTIONS = 10
ALLOWED_SECONDS, ALLOWED_MEGABYTES = 1.0, 100.0
SCALE = 2**20 if sys.platform == "darwin" else 2**10


def make_chain(size: int) -> Links:
    """Each event before the next."""
    return [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(size - 1)]


def make_cycle(size: int) -> Links:
    """A chain whose last event is before its first."""
    return [*make_chain(size), (f"e{size - 1}", "BEFORE", "e0")]


def make_grid(size: int) -> Links:
    """Rows and columns of events, each before its neighbours."""
    side = math.isqrt(size)
    places = [(row, column) for row in range(side) for column in range(side)]
    across = [(f"e{r}x{c}", "BEFORE", f"e{r}x{c + 1}") for r, c in places if c + 1 < side]
    return across + [(f"e{r}x{c}", "BEFORE", f"e{r + 1}x{c}") for r, c in places if r + 1 < side]


def make_branches(size: int) -> Links:
    """A chain, and a branch at each event."""
    half = size // 2
    return [*make_chain(half), *((f"e{n}", "MODAL", f"b{n}") for n in range(half))]


def make_deep(size: int) -> Links:
    """Each event subordinates the next: a branch of a branch of a branch."""
    return [(f"e{n}", "MODAL", f"e{n + 1}") for n in range(size - 1)]


def make_nested(size: int) -> Links:
    """Each event includes the next."""
    return [(f"e{n}", "INCLUDES", f"e{n + 1}") for n in range(size - 1)]


def make_equal(size: int) -> Links:
    """Each event at the same time as the next."""
    return [(f"e{n}", "SIMULTANEOUS", f"e{n + 1}") for n in range(size - 1)]


def make_section(size: int) -> Links:
    """Events between two others, in unknown order."""
    inner = [f"e{n}" for n in range(size - 2)]
    return [("a", "BEFORE", one) for one in inner] + [(one, "BEFORE", "z") for one in inner]


def make_parallel(size: int) -> Links:
    """Chains side by side between two events."""
    side = math.isqrt(size)
    links = [(f"e{r}x{c}", "BEFORE", f"e{r}x{c + 1}") for r in range(side) for c in range(side - 1)]
    links += [("a", "BEFORE", f"e{r}x0") for r in range(side)]
    return links + [(f"e{r}x{side - 1}", "BEFORE", "z") for r in range(side)]


def make_loose(size: int) -> Links:
    """Pairs of events that nothing connects."""
    return [(f"a{n}", "BEFORE", f"b{n}") for n in range(size // 2)]


def make_lone(size: int) -> Links:
    """Events without links, but for two."""
    return [("e0", "BEFORE", f"e{size - 1}")]


def make_dated(size: int) -> Links:
    """A chain in which each tenth node is a day."""
    names = [f"{'e' if n % 10 else 't'}{n}" for n in range(size)]
    return [(one, "BEFORE", other) for one, other in pairwise(names)]


def make_backward(size: int) -> Links:
    """A chain, and a link back from each second event to the first."""
    return [*make_chain(size), *((f"e{n}", "BEFORE", "e0") for n in range(1, size, 2))]


def make_contradictory(size: int) -> Links:
    """Pairs of events, each before the other."""
    pairs = range(size // 2)
    there = [(f"a{n}", "BEFORE", f"b{n}") for n in pairs]
    return there + [(f"b{n}", "BEFORE", f"a{n}") for n in pairs]


def make_joined(size: int) -> Links:
    """Contradictory pairs in a row."""
    half = size // 2
    return [*make_contradictory(size), *((f"a{n}", "BEFORE", f"a{n + 1}") for n in range(half - 1))]


def make_knot(size: int) -> Links:
    """A dense knot: links between random events, in random direction."""
    dice = random.Random(7)  # noqa: S311 -- a benchmark, not a secret
    links = [(dice.randrange(size), dice.randrange(size)) for _ in range(2 * size)]
    return [(f"e{one}", "BEFORE", f"e{other}") for one, other in links if one != other]


SHAPES: dict[str, Callable[[int], Links]] = {
    "chain": make_chain,
    "cycle": make_cycle,
    "grid": make_grid,
    "branches": make_branches,
    "deep": make_deep,
    "nested": make_nested,
    "equal": make_equal,
    "section": make_section,
    "parallel": make_parallel,
    "loose": make_loose,
    "lone": make_lone,
    "dated": make_dated,
    "back": make_backward,
    "contradictory": make_contradictory,
    "joined": make_joined,
    "knot": make_knot,
}
_MODES = ("every", "repair", "knot", "part")
COMMANDS: dict[str, str] = {
    "extract": "extract FILE",
    "extract --json": "extract FILE --json",
    "extract --pairs": "extract FILE --json --pairs",
    "extract --verify": "extract FILE --verify",
    "extract --calendar": "extract FILE --json --calendar",
    "extract --mend": "extract FILE --json --mend",
    "extract --points": "extract FILE --json --times point",
    "check": "check FILE",
    "check --all": "check FILE --all --json",
    "check --sarif": "check FILE --sarif",
    "fix": "fix FILE --seconds 5",
    "fix --json": "fix FILE --json --seconds 5",
    "fix --relabel": "fix FILE --json --relabel --seconds 5",
    "fix --output": "fix FILE --seconds 5 -o OUT.fixed.tml",
    "apply": "apply PATCH FILE -o OUT.applied.tml",
    "decode": "decode CANDIDATES --json --seconds 5",
    "relation": "relation FILE FIRST LAST --json",
    **{
        f"why, {mode}": f"why FILE FIRST LAST --json --contradictions {mode}" for mode in _MODES[:2]
    },
    **{
        f"ask, {mode}": f"ask FILE --questions QUESTIONS --json --contradictions {mode}"
        for mode in _MODES
    },
    "events": "events FILE --before LAST --json",
    "events, every": "events FILE --contradictions every --json",
    "events --unordered": "events FILE --unordered FIRST",
    "closure --limit": "closure FILE --json --limit 1000000000",
    "closure": "closure FILE -o OUT.closed.tml",
    "reduce": "reduce FILE --json",
    "verify extract": "verify EXTRACTED FILE",
    "verify fix": "verify FIXED FILE",
    "verify closure": "verify CLOSED FILE",
    "verify reduce": "verify REDUCED FILE",
    "verify events": "verify LISTED FILE",
    "verify decode": "verify DECODED CANDIDATES",
    "score": "score FILE OTHER --json --match ids",
    "score --html": "score FILE OTHER --html OUT.score.html",
    "score, knot": "score FILE OTHER --json --contradictions knot",
    "diff": "diff FILE OTHER --json",
    "diff --follows": "diff FILE OTHER --follows",
    "agree": "agree FILE OTHER --json",
    "merge": "merge FILE OTHER -o OUT.merged.json",
    **{
        f"convert, {form}": f"convert FILE --to {form} -o OUT.as.{form}"
        for form in ("timeml", "json", "dot")
    },
    **{
        f"convert, {form}": f"convert FILE --to {form} -o OUT-{form}"
        for form in ("brat", "csv", "parquet")
    },
    "convert, pairs": "convert FILE --to csv --table pairs -o OUT.pairs.csv",
    "draw, text": "draw FILE",
    "draw, SVG": "draw FILE -o OUT.svg",
    "draw, HTML": "draw FILE -o OUT.html",
    "view": "view FILE --export OUT.pages",
    "corpus run": "corpus run FILE -o OUT.run --jobs 1",
}
PREPARED = {
    "PATCH": "fix FILE --seconds 5 --patch PATH",
    "EXTRACTED": "extract FILE --json",
    "FIXED": "fix FILE --seconds 5 --json",
    "CLOSED": "closure FILE --json",
    "REDUCED": "reduce FILE --json",
    "LISTED": "events FILE --json",
    "DECODED": "decode CANDIDATES --seconds 5 --json",
}
"""What a command is given that another one writes, to PATH or as its output."""


def compare_commands(largest: int, names: list[str]) -> None:
    """Print a line for each command and shape: seconds and memory as the size doubles."""
    sizes = [size for size in SIZES if size <= largest]
    shapes = [name for name in names if name in SHAPES] or list(SHAPES)
    wanted = tuple(name for name in names if name not in SHAPES) or ("",)
    head = (f"{f'{size:,} events':>17}" for size in sizes)
    print(f"{'command':19} {'shape':13}", *head, "     k")
    with tempfile.TemporaryDirectory() as folder:
        idle = _run(["--version"])[0]
        for shape in shapes:
            places = []
            for size in sizes:
                place = Path(folder, f"{shape}-{size}")
                place.mkdir()
                places.append(Documents(place, size, SHAPES[shape](size)))
            for name, words in COMMANDS.items():
                if name.startswith(wanted):
                    _compare(f"{name:19} {shape:13}", words.split(), places, idle)


def _compare(head: str, words: list[str], places: list[Documents], idle: float) -> None:
    cells, times, much = [], [], False
    for place in places:
        taken, peak = _run([place.find(word) for word in words])
        times.append(max(taken - idle, 0.001))
        much = much or taken > ALLOWED_SECONDS or peak > ALLOWED_MEGABYTES
        cells.append(f"{taken:7.2f} s {peak:4.0f} MB" if peak else f"{'over':>8} {SECONDS} s  ")
    rate = math.log2(times[-1] / times[-2]) if len(times) > 1 else 0.0
    print(head, *(f"{cell:>17}" for cell in cells), f"{rate:6.2f}{' !' * much}", flush=True)


class Documents:
    """The documents of one shape and size, and what was made from them."""

    def __init__(self, folder: Path, size: int, links: Links) -> None:
        """Write a document, another annotation of the same text, candidates and questions."""
        self.folder = folder
        ends = [name for one, _, other in links for name in (one, other)]
        names = list(dict.fromkeys(ends))
        names += [f"lone{n}" for n in range(len(names), size)]
        dice = random.Random(3)  # noqa: S311 -- a benchmark, not a secret
        choices = ("BEFORE", "INCLUDES", "OVERLAPS", "AFTER")
        other = [
            (one, dice.choice(choices) if dice.random() < 0.05 else label, end)  # noqa: PLR2004
            for one, label, end in links
            if dice.random() > 0.1  # noqa: PLR2004
        ]
        pairs = [(dice.choice(names), dice.choice(names)) for _ in range(_QUESTIONS)]
        self.words = {"FIRST": names[0], "LAST": names[-1], "OUT": str(folder / "out")}
        for key, name, text in (
            ("FILE", "story.tml", _write_timeml(names, links)),
            ("OTHER", "other.tml", _write_timeml(names, other)),
            ("CANDIDATES", "candidates.json", _write_candidates(names, links)),
            ("QUESTIONS", "questions.txt", "".join(f"IS {a} BEFORE {b}\n" for a, b in pairs)),
        ):
            path = folder / name
            path.write_text(text, encoding="utf-8")
            self.words[key] = str(path)

    def find(self, word: str) -> str:
        """The word of a call that a word of the table stands for."""
        if word in PREPARED and word not in self.words:
            path = str(self.folder / f"{word.lower()}.json")
            self.words[word] = path
            words = PREPARED[word].split()
            call = [path if each == "PATH" else self.find(each) for each in words]
            with Path(os.devnull if "PATH" in words else path).open("w", encoding="utf-8") as file:
                _run(call, file.fileno())
        return self.words.get(word, word.replace("OUT", self.words["OUT"]))


def _write_timeml(names: list[str], links: Links) -> str:
    """A text with a sentence for each ten events, and the links between them."""
    lines = [
        '<?xml version="1.0"?>',
        "<TimeML><DOCID>story</DOCID>",
        '<DCT><TIMEX3 tid="dct" type="DATE" value="2020-01-01">2020-01-01</TIMEX3></DCT>',
        "<TEXT>",
    ]
    for number, name in enumerate(names):
        stop = "." if number % 10 == 9 else ","  # noqa: PLR2004
        if name.startswith("t"):
            day = f"{1000 + number // 28}-{1 + number % 12:02}"
            lines.append(f'in <TIMEX3 tid="{name}" type="DATE" value="{day}">{day}</TIMEX3>{stop}')
        else:
            lines.append(
                f'he <EVENT eid="{name}" eiid="{name}" class="OCCURRENCE">did{number}</EVENT>{stop}'
            )
    lines.append("</TEXT>")
    for number, (one, label, other) in enumerate(links):
        kind = "SLINK" if label == "MODAL" else "TLINK"
        source = "timeID" if one.startswith("t") else "eventInstanceID"
        target = "relatedToTime" if other.startswith("t") else "relatedToEventInstance"
        if kind == "SLINK":
            target = "subordinatedEventInstance"
        lines.append(
            f'<{kind} lid="l{number}" {source}="{one}" {target}="{other}" relType="{label}"/>'
        )
    return "\n".join([*lines, "</TimeML>\n"])


def _write_candidates(names: list[str], links: Links) -> str:
    """The same nodes in JSON, where each link may have the label it has, or two others."""
    return json.dumps(
        {
            "nodes": [{"id": name} for name in names],
            "links": [
                {"source": one, "target": other, "labels": {label: 0.7, "AFTER": 0.2, "VAGUE": 0.1}}
                for one, label, other in links
                if label != "MODAL"
            ],
        }
    )


def _run(words: list[str], output: int = subprocess.DEVNULL) -> tuple[float, float]:
    """Run a command; give processor seconds, and the peak in MB, 0 if it took too long."""
    command = [sys.executable, "-m", "tlex", *words]
    process = subprocess.Popen(  # noqa: S603 -- our own command
        command,
        stdout=output,
        stderr=subprocess.DEVNULL,
        preexec_fn=_limit,  # noqa: PLW1509
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode < 0:
        return float(SECONDS), 0.0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / SCALE


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
