"""The page on performance has what the benchmarks print, and the peers' work is the same work."""

from __future__ import annotations

from itertools import combinations

import pytest
from limits import read_limits, show_limit, tabulate
from peers import CONTRADICTIONS, POINTS, Z3, Networkx, Tlex, list_constraints, make_documents
from performance import BENCHMARKS, HERE, Benchmark, describe

import tlex


def test_every_benchmark_of_the_page_exists():
    assert [one.script for one in BENCHMARKS if not (HERE / one.script).exists()] == []


def test_a_part_of_the_page_has_the_words_and_the_output_of_its_script(tmp_path):
    script = tmp_path / "sums.py"
    script.write_text('"""How sums are made.\n\n    python benchmarks/sums.py\n"""\nprint(1 + 1)\n')

    part, limits = describe(Benchmark("sums.py", "Sums"), script, ("--quick",))

    assert limits == []
    assert part == (
        "## Sums\n\nHow sums are made.\n\n`python benchmarks/sums.py --quick`\n\n```text\n2\n```\n"
    )


def test_figures_and_limits_go_into_one_table(capsys):
    show_limit("reading", 1.234, 1.3)
    show_limit("memory", 700, 600, "MB")
    show_limit("two workers", 1.9, 1.85, least=True)
    show_limit("three workers", 1.9, 2, least=True)

    assert tabulate(read_limits("other words\n" + capsys.readouterr().out)).splitlines() == [
        "what           measured  limit",
        "reading        1.23 x    at most 1.3 x    kept",
        "memory         700 MB    at most 600 MB   EXCEEDED",
        "two workers    1.9 x     at least 1.85 x  kept",
        "three workers  1.9 x     at least 2 x     EXCEEDED",
    ]


def test_the_points_of_the_peers_are_those_of_the_table():
    for label, signs in POINTS.items():
        result = tlex.extract(tlex.from_links([("A", label, "B")]))
        points = result.trunk[0]
        steps = {point: points.step(point) for point in ("A-", "A+", "B-", "B+")}
        pairs = [("A-", "B-"), ("A-", "B+"), ("A+", "B-"), ("A+", "B+")]
        compare = [(steps[a] > steps[b]) - (steps[a] < steps[b]) for a, b in pairs]
        assert "".join("<=>"[sign + 1] for sign in compare) == signs, label


def test_networkx_and_z3_answer_as_tlex_does():
    (links,) = make_documents(1, 12)
    names = sorted({name for link in links for name in (link[0], link[2])})
    asks = [peer().prepare(links) for peer in (Tlex, Networkx, pytest.importorskip("z3") and Z3)]

    assert tlex.extract(tlex.from_links(map(tuple, links))).consistent
    assert Tlex().close(links) == Networkx().close(links)
    for one, other in combinations(names, 2):
        mine, theirs, proved = (ask(one, other) for ask in asks)
        assert theirs == proved == (mine if mine in {"BEFORE", "AFTER"} else "")


def test_all_say_that_the_contradictions_are_contradictory():
    for links in CONTRADICTIONS.values():
        assert Tlex().judge(links).startswith("contradictory: l1 l2")
        assert Networkx().judge(links).startswith("a cycle")
        assert len(list_constraints(links)) > 4
