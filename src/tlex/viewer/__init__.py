"""The interactive picture: one page for each document, and a server for a directory."""

from __future__ import annotations

from tlex.viewer.page import html

__all__ = ["html"]


def __dir__() -> list[str]:
    return sorted(__all__)
