"""The same file gives the same answer, byte for byte, whatever the hash seed or the order."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import brute
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, number_of, tangled_graphs

import tlex

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

ANSWER = """
import json, sys
import tlex

rows, files = json.load(sys.stdin)
documents = [tlex.from_links(rows, times={"e1": "TIME", "e2": "TIME"}), *map(tlex.read, files)]
for document in documents:
    for times in ("interval", "point"):
        result = tlex.extract(document, times=times)
        sys.stdout.buffer.write(result.to_json(pairs=True) + b"\\n")
        checked = tlex.check(result, all=True)
        sys.stdout.buffer.write(checked.to_json() + b"\\n")
        names = [node.id for node in document.nodes]
        for one, other in zip(names, names[1:] + names[:1]):
            sys.stdout.buffer.write(result.answer(why=result.why(one, other)).to_json() + b"\\n")
        answer = result.answer(closure=result.closure(), reduction=result.reduction())
        sys.stdout.buffer.write(answer.to_json() + b"\\n")
"""


def draw_rows() -> list[tuple[str, str, str]]:
    """Write links of all kinds between many intervals, contradictory and subordinating ones too."""
    chance = random.Random(8)  # noqa: S311 -- not for secrets
    labels = (*ORDERING, *brute.WIDER[:3], *brute.WITHOUT_ORDER, *brute.SLINKS)
    loose = [("x1", "INCLUDES", "x2"), ("x1", "INCLUDES", "x3"), ("x3", "INCLUDES", "x4")]
    return loose + [
        (f"e{chance.randrange(60)}", chance.choice(labels), f"e{chance.randrange(60)}")
        for _ in range(90)
    ]


def answer(seed: int, rows: list[tuple[str, str, str]], files: list[Path]) -> bytes:
    """Extract everything in a process of its own, with a hash seed of its own."""
    given_input = msgspec.json.encode([rows, [str(file) for file in files]])
    done = subprocess.run(  # noqa: S603 -- our own Python and our own script
        [sys.executable, "-c", ANSWER],
        input=given_input,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
    )
    return done.stdout


def claims_by_part(result: tlex.Extraction) -> dict:
    """Give what each part says, by its intervals, in whatever order they were met."""
    return {
        frozenset(timeline.intervals): (
            timeline.length,
            dict(sorted(timeline.points.items())),
            {frozenset(group) for group in timeline.compounds},
            [(s.first, s.last, frozenset(s.points)) for s in timeline.sections],
            timeline.indeterminate_pairs,
            timeline.scenarios,
        )
        for timeline in result.timelines
    }


@pytest.fixture(scope="module")
def answers() -> list[bytes]:
    files = sorted(EXAMPLES.glob("*.tml"))
    return [answer(seed, draw_rows(), files) for seed in (0, 1, 2)]


def test_the_hash_seed_changes_no_byte(answers):
    assert answers[0] == answers[1] == answers[2]


def test_what_was_compared_has_conflicts_sections_and_connections(answers):
    report = msgspec.json.decode(answers[0].splitlines()[0])

    assert len(report["conflicts"]) > 3
    assert len(report["connections"]) > 3
    assert any(timeline["sections"] for timeline in report["timelines"])


@pytest.mark.corpus
def test_the_hash_seed_changes_no_byte_of_contradictory_news(corpora):
    names = (corpora / "timebank-1.2.inconsistent-tlink-alink.txt").read_text().split()
    files = [corpora / "timebank-1.2" / name for name in names[:12]]

    assert answer(0, [], files) == answer(1, [], files) == answer(2, [], files)


def test_asking_twice_gives_the_same_answer():
    document = tlex.from_links(draw_rows())

    assert tlex.extract(document).to_json(pairs=True) == tlex.extract(document).to_json(pairs=True)


def test_asking_in_another_order_gives_the_same_answer():
    document = tlex.from_links(draw_rows())
    eager, idle = tlex.extract(document), tlex.extract(document)

    for timeline in reversed(idle.timelines):
        _ = timeline.scenarios, timeline.sections, timeline.points
    _ = idle.conflicts, idle.breaks, idle.connections

    assert idle.to_json(pairs=True) == eager.to_json(pairs=True)


@given(graph=tangled_graphs(), order=st.randoms(use_true_random=False))
def test_shuffled_links_give_the_same_timelines_and_other_cycles_at_most(graph, order):
    shuffled = list(graph.links)
    order.shuffle(shuffled)

    one = tlex.extract(document_of(graph), times="point")
    other = tlex.extract(document_of(graph._replace(links=shuffled)), times="point")

    assert claims_by_part(one) == claims_by_part(other)
    places = [
        {frozenset(result.timelines[conflict.timeline].intervals) for conflict in result.conflicts}
        for result in (one, other)
    ]
    assert places[0] == places[1]


@given(graph=tangled_graphs(), order=st.randoms(use_true_random=False))
def test_shuffled_intervals_give_the_same_timelines(graph, order):
    numbers = list(range(graph.size))
    order.shuffle(numbers)
    renumbered = Graph(
        graph.size,
        [(numbers[source], label, numbers[target]) for source, label, target in graph.links],
        frozenset(numbers[instant] for instant in graph.instants),
    )
    one = tlex.extract(document_of(graph), times="point")
    other = tlex.extract(document_of(renumbered), times="point")

    renamed = {
        frozenset(f"e{numbers[number_of(name)]}" for name in part): claims[0]
        for part, claims in claims_by_part(one).items()
    }
    assert renamed == {part: claims[0] for part, claims in claims_by_part(other).items()}


@pytest.mark.corpus
def test_shuffled_links_give_the_same_timelines_of_all_news(timebank):
    chance = random.Random(8)  # noqa: S311 -- not for secrets
    for document in timebank.values():
        links = list(document.links)
        chance.shuffle(links)
        shuffled = document.replace(links=tuple(links))

        one, other = tlex.extract(document), tlex.extract(shuffled)

        assert claims_by_part(one) == claims_by_part(other)
        assert [t.main for t in one.timelines] == [t.main for t in other.timelines]
        assert one.breaks == other.breaks
