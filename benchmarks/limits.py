"""Figures beside their limits: each benchmark prints its own, and `performance` puts them together.

A limit is what we hold ourselves to. Nothing is asserted: a busy machine may exceed one.
"""

from __future__ import annotations

__all__ = ["MARK", "read_limits", "show_limit", "tabulate"]

MARK = "limit: "
"""How such a line begins."""

_APART = " | "


def show_limit(
    what: str, figure: float, limit: float, unit: str = "x", *, least: bool = False
) -> None:
    """Print a figure and its limit, which is an upper one, or with ``least`` a lower one."""
    kept = figure >= limit if least else figure <= limit
    bound = "at least" if least else "at most"
    row = what, f"{figure:.3g} {unit}", f"{bound} {limit:g} {unit}", "kept" if kept else "EXCEEDED"
    print(MARK + _APART.join(row))


def read_limits(printed: str) -> list[list[str]]:
    """Find the figures and limits in what a benchmark printed."""
    lines = (line for line in printed.splitlines() if line.startswith(MARK))
    return [line.removeprefix(MARK).split(_APART) for line in lines]


def tabulate(rows: list[list[str]]) -> str:
    """Give all figures and limits as one table."""
    table = [["what", "measured", "limit", ""], *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )
