"""Pictures of a result: text for a terminal, SVG and PNG of the map, HTML of the reading view."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tlex.draw.options import LABELS, THEMES
from tlex.draw.text_painter import text

if TYPE_CHECKING:
    from tlex.draw.png_painter import png
    from tlex.draw.reading.html_painter import html
    from tlex.draw.svg_painter import svg

__all__ = ["LABELS", "THEMES", "html", "png", "svg", "text"]

_HOMES = {
    "html": "tlex.draw.reading.html_painter",
    "png": "tlex.draw.png_painter",
    "svg": "tlex.draw.svg_painter",
}


def __getattr__(name: str) -> object:
    """Load a painter at the first use: text for a terminal needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.draw' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
