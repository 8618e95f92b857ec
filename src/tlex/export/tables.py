"""A result as tables, and as a networkx graph.

Here is what the tables have in them; `tlex.export.files` writes them to files. pandas and networkx
are optional: ``pip install tlex[pandas]``, ``pip install tlex[networkx]``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from tlex.errors import OptionError
from tlex.timeline import Extraction

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

__all__ = ["TABLES", "import_optional", "to_networkx", "to_pandas"]

Rows = list[dict[str, Any]]


def to_pandas(result: Extraction, table: str = "points") -> pd.DataFrame:
    """Give one table of a result as a data frame, one row a thing, in the result's order."""
    if table not in TABLES:
        raise OptionError(f"there is no table {table!r}; choose from {', '.join(TABLES)}")
    columns, rows = TABLES[table]
    frame: pd.DataFrame = import_optional("pandas", "pandas").DataFrame(
        rows(result), columns=list(columns)
    )
    return frame


def to_networkx(result: Extraction) -> nx.MultiDiGraph[Any]:
    """Give the TimeML graph as a ``MultiDiGraph``: an edge for each link, keyed by its id.

    Nodes carry the fields of ``result.nodes`` and, where their timeline is consistent, the step
    of their ``start`` and ``end``. Links with an end that the document does not define are left
    out: they are among the diagnostics.
    """
    graph: nx.MultiDiGraph[Any] = import_optional("networkx", "networkx").MultiDiGraph(
        name=result.document.name, consistent=result.consistent
    )
    for node in result.nodes:
        timeline = result.timeline_of(node.id)
        fields = msgspec.structs.asdict(node)
        fields["timeline"] = timeline.id
        if timeline.consistent:
            fields["start"] = timeline.step(node.id + "-")
            fields["end"] = timeline.step(node.id + "+")
        graph.add_node(fields.pop("id"), **fields)
    for link in result.document.links:
        if link.source in graph and link.target in graph:
            graph.add_edge(link.source, link.target, key=link.id, kind=link.kind, type=link.type)
    return graph


def import_optional(name: str, extra: str) -> Any:  # noqa: ANN401 -- a module that may not be there
    """Import a library that only some users have; the error says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        raise OptionError(
            f"this needs {library}; install it with: pip install tlex[{extra}]"
        ) from error


def _nodes(result: Extraction) -> Rows:
    rows = []
    for node in result.nodes:
        row = msgspec.structs.asdict(node)
        row["start"] = node.span.start if node.span else None
        row["end"] = node.span.end if node.span else None
        row["timeline"] = result.timeline_of(node.id).id
        rows.append(row)
    return rows


def _links(result: Extraction) -> Rows:
    return [msgspec.structs.asdict(link) for link in result.document.links]


def _timelines(result: Extraction) -> Rows:
    return [
        {
            "id": timeline.id,
            "main": timeline.main,
            "detached": timeline.detached,
            "consistent": timeline.consistent,
            "intervals": len(timeline.intervals),
            "length": timeline.length,
            "offset": timeline.offset,
            "sections": len(timeline.sections),
            "indeterminate_pairs": timeline.indeterminate_pairs,
            "score": timeline.score,
        }
        for timeline in result.timelines
    ]


def _points(result: Extraction) -> Rows:
    rows = []
    for timeline in result.timelines:
        compounds = {p: k for k, group in enumerate(timeline.compounds) for p in group}
        sections = {p: k for k, section in enumerate(timeline.sections) for p in section.points}
        for point, (earliest, latest) in timeline.points.items():
            row = {
                "timeline": timeline.id,
                "point": point,
                "interval": point[:-1],
                "end": point.endswith("+"),
                "earliest": earliest,
                "latest": latest,
                "slack": latest - earliest,
                "compound": compounds.get(point),
                "section": sections.get(point),
            }
            rows.append(row)
    return rows


def _sections(result: Extraction) -> Rows:
    return [
        {
            "timeline": timeline.id,
            "section": number,
            "first": section.first,
            "last": section.last,
            "points": len(section.points),
        }
        for timeline in result.timelines
        for number, section in enumerate(timeline.sections)
    ]


def _connections(result: Extraction) -> Rows:
    return [msgspec.structs.asdict(connection) for connection in result.connections]


def _breaks(result: Extraction) -> Rows:
    return [msgspec.structs.asdict(found) for found in result.breaks]


def _conflicts(result: Extraction) -> Rows:
    return [
        {
            "timeline": conflict.timeline,
            "conflict": number,
            "kind": conflict.kind,
            "walk": str(conflict),
            "links": " ".join(conflict.links),
            "minimal": " ".join(conflict.minimal),
        }
        for number, conflict in enumerate(result.conflicts)
    ]


def _diagnostics(result: Extraction) -> Rows:
    return [msgspec.structs.asdict(problem) for problem in result.diagnostics]


_TEXT, _NUMBER, _FRACTION, _FLAG = "text", "number", "fraction", "flag"

TABLES: dict[str, tuple[dict[str, str], Callable[[Extraction], Rows]]] = {
    "nodes": (
        {
            **dict.fromkeys(("id", "kind", "type", "event", "text"), _TEXT),
            **dict.fromkeys(("line", "column", "start", "end"), _NUMBER),
            **dict.fromkeys(("value", "factuality"), _TEXT),
            "timeline": _NUMBER,
        },
        _nodes,
    ),
    "links": (
        {
            **dict.fromkeys(("id", "kind", "type", "source", "target", "signal"), _TEXT),
            "weight": _FRACTION,
        },
        _links,
    ),
    "timelines": (
        {
            "id": _NUMBER,
            **dict.fromkeys(("main", "detached", "consistent"), _FLAG),
            **dict.fromkeys(("intervals", "length", "offset", "sections"), _NUMBER),
            "indeterminate_pairs": _NUMBER,
            "score": _FRACTION,
        },
        _timelines,
    ),
    "points": (
        {
            "timeline": _NUMBER,
            "point": _TEXT,
            "interval": _TEXT,
            "end": _FLAG,
            **dict.fromkeys(("earliest", "latest", "slack", "compound", "section"), _NUMBER),
        },
        _points,
    ),
    "sections": (
        dict.fromkeys(("timeline", "section", "first", "last", "points"), _NUMBER),
        _sections,
    ),
    "connections": (
        {
            **dict.fromkeys(("link", "type", "source", "target"), _TEXT),
            **dict.fromkeys(("source_timeline", "target_timeline"), _NUMBER),
        },
        _connections,
    ),
    "breaks": (
        {
            **dict.fromkeys(("first_timeline", "second_timeline"), _NUMBER),
            **dict.fromkeys(("first", "second"), _TEXT),
            "words": _NUMBER,
        },
        _breaks,
    ),
    "conflicts": (
        {
            **dict.fromkeys(("timeline", "conflict"), _NUMBER),
            **dict.fromkeys(("kind", "walk", "links", "minimal"), _TEXT),
        },
        _conflicts,
    ),
    "diagnostics": (
        {
            **dict.fromkeys(("code", "severity"), _TEXT),
            **dict.fromkeys(("line", "column"), _NUMBER),
            **dict.fromkeys(("message", "hint"), _TEXT),
        },
        _diagnostics,
    ),
}
"""Each table: its columns with what is in them, and how its rows are found."""
