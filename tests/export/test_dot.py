"""Graphs for Graphviz: dot reads them, and finds every node and every edge."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
import strategies
from hypothesis import given, settings

import tlex
from tlex.export.dot import write_dot

STORY = "examples/story.tml"
BROKEN = "examples/contradiction.tml"
RED = "#b3261e"

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def ask_dot(data: bytes) -> dict:
    """Have Graphviz read a graph, and give it as it understood it."""
    words = [str(shutil.which("dot")), "-Tdot_json"]
    done = subprocess.run(words, input=data, capture_output=True, check=True)  # noqa: S603
    assert done.stderr == b""
    return json.loads(done.stdout)


def parts_of(graph: dict) -> dict[str, set[str]]:
    names = [each["name"] for each in graph["objects"]]
    clusters = (each for each in graph["objects"] if each["name"].startswith("cluster_"))
    return {each["name"]: {names[node] for node in each["nodes"]} for each in clusters}


def edges_of(graph: dict) -> list[tuple[str, str, str]]:
    names = [each["name"] for each in graph["objects"]]
    return [
        (names[edge["tail"]], edge.get("label", ""), names[edge["head"]]) for edge in graph["edges"]
    ]


@needs_dot
@pytest.mark.parametrize("path", [STORY, BROKEN])
def test_every_part_is_a_cluster_and_every_link_an_edge(path):
    result = tlex.extract(tlex.read(path))

    graph = ask_dot(write_dot(result)[0])

    assert parts_of(graph) == {f"cluster_{t.id}": set(t.intervals) for t in result.timelines}
    assert sorted(edges_of(graph)) == sorted(
        (link.source, f"{link.type}\\n{link.id}", link.target) for link in result.document.links
    )


@needs_dot
def test_the_points_are_those_of_table_1():
    result = tlex.extract(tlex.from_links([("a", "ENDS", "b"), ("b", "IBEFORE", "c")]))

    graph = ask_dot(write_dot(result, points=True)[0])

    assert sorted(edges_of(graph)) == [
        ("a+", "l1", "b+"),
        ("a-", "", "a+"),
        ("b+", "l2", "c-"),
        ("b-", "", "b+"),
        ("b-", "l1", "a-"),
        ("c-", "", "c+"),
    ]
    names = [each["name"] for each in graph["objects"]]
    plain = {(names[e["tail"]], names[e["head"]]) for e in graph["edges"] if "dir" in e}
    assert plain == {("a+", "b+"), ("b+", "c-")}


@needs_dot
def test_what_contradicts_itself_is_marked():
    result = tlex.extract(tlex.read(BROKEN))

    graph = ask_dot(write_dot(result)[0])

    red = {edge["label"].split("\\n")[1] for edge in graph["edges"] if edge["color"] == RED}
    assert red == set(result.conflicts[0].minimal)


@needs_dot
@pytest.mark.parametrize("points", [False, True])
def test_what_is_left_out_is_dashed(points):
    result = tlex.extract(tlex.read(BROKEN), mend=True)

    graph = ask_dot(write_dot(result, points=points)[0])

    marked = {edge["label"].split("\\n")[-1] for edge in graph["edges"] if edge["color"] == RED}
    assert marked == set(result.mended) == {"l3"}
    assert {edge["style"] for edge in graph["edges"] if edge["color"] == RED} == {"dashed"}
    bad = [each for each in graph["objects"] if "contradictory" in each.get("label", "")]
    assert not bad


@needs_dot
@settings(max_examples=15)
@given(graph=strategies.tangled_graphs())
def test_dot_reads_any_graph(graph):
    result = tlex.extract(strategies.document_of(graph))

    for points in (False, True):
        read = ask_dot(write_dot(result, points=points)[0])
        nodes = [each for each in read["objects"] if not each["name"].startswith("cluster_")]
        assert len(nodes) == (2 if points else 1) * len(result.nodes)


@needs_dot
@pytest.mark.parametrize("name", ['a"b', "a\\", '\\"', "<b>x</b>", "a\nb", "node", "{|}"])
def test_hostile_names_stay_names(name):
    result = tlex.extract(tlex.from_links([(name, "BEFORE", "z")], texts={name: name * 30}))

    for points in (False, True):
        graph = ask_dot(write_dot(result, points=points)[0])
        nodes = [each for each in graph["objects"] if not each["name"].startswith("cluster_")]
        assert len(nodes) == (4 if points else 2)


def test_a_point_in_time_is_a_plain_line():
    document = tlex.from_links([("e1", "BEFORE", "t1")], times={"t1": "TIME"})

    data, _ = write_dot(tlex.extract(document, times="point"), points=True)

    assert b'"t1-" -> "t1+" [dir=none, style=dashed];' in data
    assert b'"e1-" -> "e1+";' in data


def test_what_a_graph_leaves_out_is_counted():
    document = tlex.read(STORY)

    losses = {loss.what: loss.count for loss in write_dot(tlex.extract(document))[1]}

    assert losses["characters of the text"] == len(document.text)
    assert losses["the signals of links"] == sum(bool(link.signal) for link in document.links)
