"""Graphs to try the library on, for Hypothesis.

A `Graph` is written in the judge's terms: numbered intervals, and links as triples. `document_of`
gives it to tlex, with interval 3 under the name ``e3``.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import brute
from hypothesis import strategies as st

import tlex

ORDERING = (*brute.TLINKS, *brute.ALINKS)
EVERY = (*ORDERING, *brute.WIDER, *brute.WITHOUT_ORDER)


class Graph(NamedTuple):
    """Intervals below ``size``, the links between them, and which intervals are instants."""

    size: int
    links: list[brute.Link]
    instants: frozenset[int] = frozenset()


class Forest(NamedTuple):
    """A graph and the subordinating links across it."""

    graph: Graph
    slinks: list[brute.Link]


def named(links: list[brute.Link]) -> list[tuple[str, str, str]]:
    return [(f"e{source}", label, f"e{target}") for source, label, target in links]


def document_of(graph: Graph, slinks: list[brute.Link] | tuple[()] = ()) -> tlex.Document:
    """Hand a graph to tlex: those of its intervals that have a link, and its instants.

    They come in the order in which the links name them; instants are times of type TIME.
    """
    return tlex.from_links(
        named([*graph.links, *slinks]),
        times={f"e{number}": "TIME" for number in sorted(graph.instants)},
    )


def number_of(name: str) -> int:
    """Find the number of an interval that `document_of` has named."""
    return int(name[1:])


@st.composite
def links_among(
    draw: st.DrawFn, size: int, labels: tuple[str, ...], most: int, least: int = 0
) -> list[brute.Link]:
    """Draw any links: duplicates, contradictions and self-loops too."""
    ends = st.integers(0, size - 1)
    count = draw(st.integers(least, most))
    link = st.tuples(ends, st.sampled_from(labels), ends)
    return draw(st.lists(link, min_size=count, max_size=count))


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    """Draw graphs that can be judged by enumeration: at most four intervals, any links at all."""
    size = draw(st.integers(1, 4))
    links = draw(links_among(size, EVERY, 5))
    instants = draw(st.frozensets(st.integers(0, size - 1), max_size=2))
    return Graph(size, links, instants)


@st.composite
def consistent_graphs(draw: st.DrawFn) -> Graph:
    """Draw small graphs with a node; links that contradict earlier ones order nothing instead."""
    size, links, instants = draw(small_graphs())
    instants = instants if links or instants else frozenset({0})
    worlds = brute.worlds(size, instants)
    kept: list[brute.Link] = []
    for source, label, target in links:
        fits = worlds.meeting(*kept, (source, label, target))
        kept.append((source, label if fits else "VAGUE", target))
    return Graph(size, kept, instants)


@st.composite
def tangled_graphs(
    draw: st.DrawFn, labels: tuple[str, ...] = EVERY, largest: int = 9, most: int = 16
) -> Graph:
    """Draw larger graphs with any links; most of them contradict themselves."""
    size = draw(st.integers(1, largest))
    links = draw(links_among(size, labels, most, least=1))
    return Graph(size, links, draw(st.frozensets(st.integers(0, size - 1), max_size=2)))


@st.composite
def placed_graphs(draw: st.DrawFn, largest: int = 10, labels: tuple[str, ...] = EVERY) -> Graph:
    """Draw consistent graphs: intervals are put on a line, and only what is true there is said."""
    size = draw(st.integers(2, largest))
    placed = [
        brute.Stretch(start, start + lasting)
        for start, lasting in draw(
            st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=size, max_size=size)
        )
    ]
    ends = st.integers(0, size - 1)
    count = draw(st.integers(1, 2 * size))
    links = []
    for source, target in draw(st.lists(st.tuples(ends, ends), min_size=count, max_size=count)):
        true = [label for label in labels if brute.holds(label, placed[source], placed[target])]
        if true:
            links.append((source, draw(st.sampled_from(true)), target))
    return Graph(size, links)


@st.composite
def forests(draw: st.DrawFn) -> Forest:
    """Draw graphs in several parts, with subordinating links in all directions."""
    size = draw(st.integers(1, 9))
    graph = Graph(size, draw(links_among(size, ("BEFORE", "INCLUDES", "IBEFORE"), 5)))
    return Forest(graph, draw(links_among(size, brute.SLINKS, 10, least=1)))


@st.composite
def upward_edges(draw: st.DrawFn, size: int, most: int) -> list[tuple[int, int]]:
    """Draw edges from smaller to larger numbers: no cycle, and some of them more than once."""
    count = draw(st.integers(0, most))
    edge = st.sampled_from(list(combinations(range(size), 2)))
    return draw(st.lists(edge, min_size=count, max_size=count))
