"""A result as a data frame of pandas, and as a graph of networkx.

Both libraries are optional: ``pip install 'tlex[pandas]'``, ``pip install 'tlex[networkx]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from tlex.errors import OptionError
from tlex.export.table_columns import TableMaker
from tlex.export.table_schema import find_table
from tlex.result import Extraction

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

__all__ = ["import_optional", "to_networkx", "to_pandas"]

_TYPES = {
    "string": "object",
    "int64": "Int64",
    "double": "float64",
    "bool": "boolean",
    "list<string>": "object",
}
"""The types of columns in pandas: integers stay integers where some are missing."""


def to_pandas(result: Extraction, table: str = "nodes") -> pd.DataFrame:
    """Give one table of a result as a data frame, with the columns of docs/tables.md.

    ``nodes`` has a row for each event and time, with its words, timeline, steps and slack.
    """
    pandas = import_optional("pandas", "pandas")
    wanted = find_table(table)
    columns = TableMaker(result).make(table)
    frame: pd.DataFrame = pandas.DataFrame(
        {
            column.name: pandas.Series(list(columns[column.name]), dtype=_TYPES[column.type])
            for column in wanted.result_columns
        }
    )
    return frame


def to_networkx(result: Extraction) -> nx.MultiDiGraph[Any]:
    """Give the TimeML graph as a ``MultiDiGraph``: an edge for each link, keyed by its id.

    Nodes carry the fields of ``result.nodes`` and, where their timeline is consistent, the step
    of their ``start`` and ``end``. Edges carry the kind and type of the link, and ``left_out``:
    whether the mended result does without it. Links with an end that the document does not define
    have no edge; the diagnostics report them.
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
    for number, link in enumerate(result.document.links):
        if link.source in graph and link.target in graph:
            graph.add_edge(
                link.source,
                link.target,
                key=link.id,
                kind=link.kind,
                type=link.type,
                left_out=number in result.repair,
            )
    return graph


def import_optional(name: str, extra: str) -> Any:  # noqa: ANN401 -- any module
    """Import an optional library; an `OptionError` says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        raise OptionError(
            f"this needs {library}; install it with: pip install 'tlex[{extra}]'"
        ) from error
