"""Pictures of a result: text for a terminal, SVG and PNG for everything else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tlex.draw.options import LABELS, THEMES
from tlex.draw.text_painter import text

if TYPE_CHECKING:
    from tlex.draw.png_painter import png
    from tlex.draw.svg_painter import svg

__all__ = ["LABELS", "THEMES", "png", "svg", "text"]

_HOMES = {"png": "tlex.draw.png_painter", "svg": "tlex.draw.svg_painter"}


def __getattr__(name: str) -> object:
    """Load `png` or `svg` at the first use: text for a terminal needs neither."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.draw' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
