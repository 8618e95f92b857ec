"""Graphs for Graphviz: the TimeML graph (the paper's Figure 3), and the graph of time-points.

In the TimeML graph, each timeline has a box, and SLINKs lead from one box to another. In the graph
of time-points (Figure 4), an arrow is ``<`` and a line without arrow head is ``=``. The links of a
contradiction are red. In a mended result only the links that are left out are red; they are dashed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tlex.algebra import ROWS
from tlex.export.losses import Held, Loss, count_unheld
from tlex.graph import build_graph
from tlex.result import Extraction
from tlex.timeline import Timeline
from tlex.wording import clean, shorten

__all__ = ["write_dot"]

_LONGEST = 40
_STYLES = {"SLINK": "dashed", "ALINK": "bold", "TLINK": "solid"}
_BAD = "#b3261e"
_HEAD = (
    '  graph [fontname="sans-serif", rankdir=LR, color="#888888", fontcolor="#555555"];',
    '  node [fontname="sans-serif", fontsize=11, color="#444444"];',
    '  edge [fontname="sans-serif", fontsize=9, color="#444444"];',
)


def write_dot(result: Extraction, *, points: bool = False) -> tuple[bytes, tuple[Loss, ...]]:
    """Give a result as a graph in the dot language, and what it does not contain, counted."""
    lines = [
        f"digraph {_quote(result.document.name)} {{",
        *_HEAD,
        *(_draw_points(result) if points else _draw_links(result)),
        "}",
        "",
    ]
    words, links = (0, "ordering") if points else (_LONGEST, "defined")
    held = Held(words, values=False, links=links, fields=False)
    losses = count_unheld(result.document, held).list()
    return "\n".join(lines).encode("utf-8", "backslashreplace"), losses


def _draw_links(result: Extraction) -> Iterator[str]:
    words = {node.id: node.text for node in result.nodes}
    shapes = {node.id: "box" if node.kind == "time" else "ellipse" for node in result.nodes}
    bad, left_out = _find_bad(result), set(result.mended)
    for timeline in result.timelines:
        yield from _frame(
            timeline,
            (
                f"{_quote(name)} [label={_label(words[name], name)}, shape={shapes[name]}];"
                for name in timeline.intervals
            ),
        )
    for link in result.document.links:
        if link.source in words and link.target in words:
            colour = f', color="{_BAD}", fontcolor="{_BAD}"' if link.id in bad else ""
            label = _label(link.type or link.kind, link.id)
            style = _STYLES.get(link.kind, "dotted")
            if link.id in left_out:
                style = "dashed, constraint=false"
            yield (
                f"  {_quote(link.source)} -> {_quote(link.target)} "
                f"[label={label}, style={style}{colour}];"
            )


def _draw_points(result: Extraction) -> Iterator[str]:
    document, bad = result.document, _find_bad(result)
    names = [node.id for node in document.nodes]
    graph = build_graph(document, result.options.kinds, result.options.times)
    for timeline in result.timelines:
        yield from _frame(timeline, _list_points(timeline))
    columns = (graph.labels, graph.sources, graph.targets, graph.numbers)
    for label, source, target, number in zip(*columns, strict=True):
        link = document.links[number].id
        colour = f', color="{_BAD}", fontcolor="{_BAD}"' if link in bad else ""
        ends = [f"{names[end]}{side}" for end in (source, target) for side in "-+"]
        for left, strict, right in ROWS[label]:
            line = "" if strict else ", dir=none, style=dashed"
            if number in result.repair:
                line = f"{'' if strict else ', dir=none'}, style=dashed, constraint=false"
            shown = f"label={_quote(clean(link))}{line}{colour}"
            yield f"  {_quote(ends[left])} -> {_quote(ends[right])} [{shown}];"
    instants = set(graph.instants)
    for number, name in enumerate(names):
        line = " [dir=none, style=dashed]" if number in instants else ""
        yield f"  {_quote(name + '-')} -> {_quote(name + '+')}{line};"


def _list_points(timeline: Timeline) -> Iterator[str]:
    for name in timeline.intervals:
        for end in "-+":
            yield f"{_quote(name + end)} [label={_quote(clean(name) + end)}, shape=plaintext];"


def _find_bad(result: Extraction) -> set[str]:
    if result.mended:
        return set(result.mended)
    return {link for conflict in result.conflicts for link in conflict.minimal}


def _frame(timeline: Timeline, lines: Iterable[str]) -> Iterator[str]:
    bad = "" if timeline.consistent else ", contradictory"
    yield f"  subgraph cluster_{timeline.id} {{"
    yield f'    label="timeline {timeline.id} ({timeline.role}{bad})";'
    if not timeline.consistent:
        yield f'    color="{_BAD}"; fontcolor="{_BAD}";'
    yield from (f"    {line}" for line in lines)
    yield "  }"


def _label(words: str, name: str) -> str:
    """Give a label: the words, and the id below them."""
    words = shorten(clean(words), _LONGEST, "…")
    return f"{_quote(words)[:-1]}\\n{_quote(clean(name))[1:]}" if words else _quote(clean(name))


def _quote(text: str) -> str:
    """Quote a string for dot, where only quotes and backslashes are special."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\ufffd")
    return f'"{escaped}"'
