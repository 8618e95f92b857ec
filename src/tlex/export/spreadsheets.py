"""Cells of a CSV file that no spreadsheet takes for a formula: a formula can call programs."""

from __future__ import annotations

__all__ = ["disarm"]

_FORMULA = (*"=+-@\t\r\n", *map(chr, (0xFF1D, 0xFF0B, 0xFF0D, 0xFF20)))
"""How a formula may begin; some languages write the signs as wide as other characters."""


def disarm(cell: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    >>> disarm("=1+1"), disarm("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
