"""The same work done by others: tieval, networkx and z3, each in an environment of its own.

The packages come from the package index, into ``.peers/``. All take turns in one run, each in a
process of its own; times are processor time of the work alone, and the figure is the ratio to tlex.

* *closure*: all relations that follow from the links of random consistent documents. tieval has a
  function for it. With networkx one writes the translation to points oneself and takes
  ``transitive_closure_dag``. z3 has nothing like it.
* *questions*: how are two events related? networkx looks for a path between points, z3 refutes.
  Both only say BEFORE, AFTER or neither; tlex names the relation, or all that are possible.
* *read*: TimeBank 1.2 and MEANTIME as they are published, if they are there, by the reader that
  tieval has for each. These readers are for the copies that tieval distributes.
* *contradictions*: what each says of links that cannot all hold.

    python benchmarks/peers.py [--quick]
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CORPORA = Path(os.environ.get("TLEX_CORPORA", ROOT.parent / "shared" / "corpora"))
PEERS = {"tieval": "tieval", "networkx": "networkx", "z3": "z3-solver"}
Links = list[list[str]]

CONTRADICTIONS: dict[str, Links] = {
    "a pair: A BEFORE B, B BEFORE A": [["A", "BEFORE", "B"], ["B", "BEFORE", "A"]],
    "the same time, and before": [["A", "SIMULTANEOUS", "B"], ["A", "BEFORE", "B"]],
    "a ring of three, and a link apart": [
        ["A", "BEFORE", "B"],
        ["B", "BEFORE", "C"],
        ["C", "BEFORE", "A"],
        ["X", "BEFORE", "Y"],
    ],
}
POINTS = {  # orders of A and B: A- to B-, A- to B+, A+ to B-, A+ to B+
    "BEFORE": "<<<<",
    "AFTER": ">>>>",
    "IBEFORE": "<<=<",
    "IAFTER": ">=>>",
    "SIMULTANEOUS": "=<>=",
    "INCLUDES": "<<>>",
    "IS_INCLUDED": "><><",
    "BEGINS": "=<><",
    "BEGUN_BY": "=<>>",
    "ENDS": "><>=",
    "ENDED_BY": "<<>=",
}


def make_documents(number: int, size: int) -> list[Links]:
    """Place intervals on a line and link neighbours and some others: all links hold together."""
    dice = random.Random(7)  # noqa: S311 -- a benchmark, not a secret
    by_points = {points: name for name, points in POINTS.items()}
    documents = []
    for _ in range(number):
        starts = [dice.randrange(4 * size) for _ in range(size)]
        ends = [start + 1 + dice.randrange(6) for start in starts]
        pairs = [(i, dice.randrange(i)) for i in range(1, size)]
        pairs += [tuple(dice.sample(range(size), 2)) for _ in range(size // 2)]  # type: ignore[misc]
        links = []
        for one, other in pairs:
            ours, others = (starts[one], ends[one]), (starts[other], ends[other])
            signs = "".join(
                "<" if left < right else ">" if left > right else "="
                for left in ours
                for right in others
            )
            if signs in by_points:  # overlaps have no name in TimeML
                links.append([f"e{one}", by_points[signs], f"e{other}"])
        documents.append(links)
    return documents


def list_constraints(links: Links) -> list[tuple[str, str, str]]:
    """The links as orders of points, ``<`` or ``=``: what every peer without TimeML needs."""
    names = dict.fromkeys(name for link in links for name in (link[0], link[2]))
    found = [(f"{name}-", "<", f"{name}+") for name in names]
    for source, label, target in links:
        ends = ((left, right) for left in "-+" for right in "-+")
        for (left, right), sign in zip(ends, POINTS[label], strict=True):
            one, other = f"{source}{left}", f"{target}{right}"
            found.append((other, "<", one) if sign == ">" else (one, sign, other))
    return found


# ── one class for each, with the same methods ──


class Tlex:
    """tlex."""

    def close(self, links: Links) -> int:
        """Count the relations of pairs that follow."""
        import tlex  # noqa: PLC0415 -- not in the environments of the others

        return len(tlex.extract(tlex.from_links(map(tuple, links))).closure().links)

    def prepare(self, links: Links) -> Callable[[str, str], str]:
        """Give a function that says how two events are related."""
        import tlex  # noqa: PLC0415

        result = tlex.extract(tlex.from_links(map(tuple, links)))

        def ask(one: str, other: str) -> str:
            entailed = result.relation(one, other).entailed
            return (entailed.type or "") if entailed else ""

        return ask

    def read(self, paths: list[str]) -> tuple[int, int]:
        """Read documents: give how many, and with how many TLINKs."""
        import tlex  # noqa: PLC0415

        read = [tlex.read(path) for path in paths]
        return len(read), sum(link.kind == "TLINK" for one in read for link in one.links)

    def judge(self, links: Links) -> str:
        """Say what it makes of contradictory links."""
        import tlex  # noqa: PLC0415

        result = tlex.extract(tlex.from_links(map(tuple, links)))
        named = "; ".join(" ".join(conflict.minimal) for conflict in result.conflicts)
        elsewhere = len(result.closure().links)
        return f"contradictory: {named}; relations that follow elsewhere: {elsewhere}"


class Tieval:
    """tieval: its closure, and its readers."""

    def close(self, links: Links) -> int:
        """Count the relations of pairs that follow."""
        from tieval.closure import temporal_closure  # noqa: PLC0415
        from tieval.links import TLink  # noqa: PLC0415

        return len(temporal_closure({TLink(one, other, label) for one, label, other in links}))

    def read(self, paths: list[str]) -> tuple[int, int]:
        """Read documents: give how many could be read, and with how many TLINKs."""
        from tieval.datasets.readers import document  # noqa: PLC0415

        timeml = paths[0].endswith(".tml")
        kind = document.TimeBank12DocumentReader if timeml else document.MeanTimeDocumentReader
        done = links = 0
        for path in paths:
            try:
                read = kind(path).read()
            except Exception:  # noqa: BLE001, S112 -- whatever it raises, it could not read it
                continue
            done, links = done + 1, links + len(read.tlinks)
        return done, links

    def judge(self, links: Links) -> str:
        """Say what it makes of contradictory links."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            count = self.close(links)
        said = f"warning: {caught[0].message}" if caught else "nothing is said"
        return f"{said}; relations that follow: {count}"


class Networkx:
    """networkx: graphs of points, translated by hand."""

    def _graph(self, links: Links) -> Any:  # noqa: ANN401 -- no types in that environment
        import networkx as nx  # noqa: PLC0415

        equal: Any = nx.Graph()
        less: Any = nx.DiGraph()
        constraints = list_constraints(links)
        for left, _, right in constraints:
            equal.add_nodes_from((left, right))
        equal.add_edges_from((left, right) for left, sign, right in constraints if sign == "=")
        group = {}
        for number, points in enumerate(nx.connected_components(equal)):
            group.update(dict.fromkeys(points, number))
        less.add_nodes_from(group.values())
        less.add_edges_from(
            (group[left], group[right]) for left, sign, right in constraints if sign == "<"
        )
        return less, group

    def close(self, links: Links) -> int:
        """Count the pairs of events between which all four orders of points are known."""
        import networkx as nx  # noqa: PLC0415

        less, group = self._graph(links)
        known = set(nx.transitive_closure_dag(less).edges())
        names = sorted({name for link in links for name in (link[0], link[2])})
        return sum(
            all(
                group[one + left] == group[other + right]
                or (group[one + left], group[other + right]) in known
                or (group[other + right], group[one + left]) in known
                for left in "-+"
                for right in "-+"
            )
            for one, other in combinations(names, 2)
        )

    def prepare(self, links: Links) -> Callable[[str, str], str]:
        """Give a function that says how two events are related, if that is BEFORE or AFTER."""
        import networkx as nx  # noqa: PLC0415

        less, group = self._graph(links)

        def precedes(one: str, other: str) -> bool:
            left, right = group[f"{one}+"], group[f"{other}-"]
            return left != right and bool(nx.has_path(less, left, right))

        def ask(one: str, other: str) -> str:
            return "BEFORE" if precedes(one, other) else "AFTER" if precedes(other, one) else ""

        return ask

    def judge(self, links: Links) -> str:
        """Say what it makes of contradictory links."""
        import networkx as nx  # noqa: PLC0415

        less, _ = self._graph(links)
        cycle = nx.find_cycle(less)
        return f"a cycle of {len(cycle)} points; which links it is made of is not known"


class Z3:
    """z3: points as integers, each order an assertion."""

    def _solver(self, links: Links) -> Any:  # noqa: ANN401
        import z3  # noqa: PLC0415

        solver = z3.Solver()
        for number, (left, sign, right) in enumerate(list_constraints(links)):
            one, other = z3.Int(left), z3.Int(right)
            solver.assert_and_track(one < other if sign == "<" else one == other, f"c{number}")
        return solver

    def prepare(self, links: Links) -> Callable[[str, str], str]:
        """Give a function that says how two events are related, if that is BEFORE or AFTER."""
        import z3  # noqa: PLC0415

        solver = self._solver(links)

        def ask(one: str, other: str) -> str:
            end, start = z3.Int(f"{one}+"), z3.Int(f"{other}-")
            if solver.check(end >= start) == z3.unsat:
                return "BEFORE"
            end, start = z3.Int(f"{other}+"), z3.Int(f"{one}-")
            return "AFTER" if solver.check(end >= start) == z3.unsat else ""

        return ask

    def judge(self, links: Links) -> str:
        """Say what it makes of contradictory links."""
        solver = self._solver(links)
        verdict = solver.check()
        return f"{verdict}; one core of {len(solver.unsat_core())} assertions, no others"


ALL: dict[str, Any] = {"tlex": Tlex, "tieval": Tieval, "networkx": Networkx, "z3": Z3}


def work(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """Do all the work of one peer: times in seconds of the processor, and what came out."""
    peer = ALL[name]()
    found: dict[str, Any] = {}
    if hasattr(peer, "close"):
        start = time.process_time()
        found["relations"] = sum(peer.close(links) for links in task["documents"])
        found["closure"] = time.process_time() - start
    if hasattr(peer, "prepare"):
        ask = peer.prepare(task["documents"][0])
        start = time.process_time()
        found["answers"] = [ask(one, other) for one, other in task["questions"]]
        found["questions"] = time.process_time() - start
    for corpus, paths in task["corpora"].items():
        if hasattr(peer, "read") and paths:
            start = time.process_time()
            documents, links = peer.read(paths)
            found[f"read {corpus}"] = time.process_time() - start
            found[f"of {corpus}"] = f"{documents} texts, {links} TLINKs"
    found["judgements"] = [peer.judge(links) for links in CONTRADICTIONS.values()]
    return found


def set_up(name: str) -> str:
    """Make the environment of a peer, unless it is there, and give its Python."""
    place = ROOT / ".peers" / name
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        venv.create(place, with_pip=True, clear=True)
        words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*words, PEERS[name]], check=True)  # noqa: S603
        (place / "ready").touch()
    return str(python)


def tell_version(python: str, package: str) -> str:
    """Ask an environment for the version of a package."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.strip()


def main() -> None:
    """Let all take turns, and print the ratios and what each says of contradictions."""
    quick = "--quick" in sys.argv[1:]
    documents = make_documents(5 if quick else 20, 100)
    dice = random.Random(8)  # noqa: S311
    names = sorted({name for link in documents[0] for name in (link[0], link[2])})
    task = {
        "documents": documents,
        "questions": [dice.sample(names, 2) for _ in range(50)],
        "corpora": {
            "TimeBank": [str(path) for path in sorted(CORPORA.glob("timebank-1.2/*.tml"))],
            "MEANTIME": [str(path) for path in sorted(CORPORA.glob("meantime-en/corpus_*/*.xml"))],
        },
    }
    pythons = {"tlex": sys.executable, **{name: set_up(name) for name in PEERS}}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in pythons}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.json"
        path.write_text(json.dumps(task))
        for _ in range(1 if quick else 5):
            for name, python in pythons.items():
                words = [python, __file__, "--peer", name, str(path)]
                done = subprocess.run(words, stdout=subprocess.PIPE, check=True)  # noqa: S603
                found[name].append(json.loads(done.stdout))
    show(found, {name: tell_version(pythons[name], PEERS.get(name, name)) for name in pythons})


def show(found: dict[str, list[dict[str, Any]]], versions: dict[str, str]) -> None:
    """Print a table of ratios, and what each says of contradictions."""
    print(f"{'':18}" + "".join(f"{f'{name} {versions[name]}':>28}" for name in found))
    for what in ("closure", "questions", "read TimeBank", "read MEANTIME"):
        middles = [
            statistics.median(one[what] for one in rounds) if what in rounds[0] else None
            for rounds in found.values()
        ]
        cells = [
            f"{middle * 1e3:.0f} ms {middle / middles[0]:6.2g} x" if middle and middles[0] else "-"
            for middle in middles
        ]
        print(f"{what:18}" + "".join(f"{cell:>28}" for cell in cells))
    first = {name: rounds[0] for name, rounds in found.items()}
    for key in ("relations", "of TimeBank", "of MEANTIME"):
        print(f"{key:18}" + "".join(f"{one.get(key, '-'):>28}" for one in first.values()))
    mine = [answer if answer in {"BEFORE", "AFTER"} else "" for answer in first["tlex"]["answers"]]
    for name, one in first.items():
        if "answers" in one and name != "tlex":
            same = sum(a == b for a, b in zip(mine, one["answers"], strict=True))
            print(f"{name} answers {same} of {len(mine)} questions as tlex does")
    for number, what in enumerate(CONTRADICTIONS):
        print(f"\n{what}")
        for name, one in first.items():
            print(f"  {name:10} {one['judgements'][number]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        given = json.loads(Path(sys.argv[3]).read_text())
        print(json.dumps(work(sys.argv[2], given)))
    else:
        main()
