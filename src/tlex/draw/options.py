"""What somebody asks to be drawn, for text and pictures alike."""

from __future__ import annotations

from collections.abc import Sequence

from tlex.document import Document
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.result import Extraction

__all__ = ["LABELS", "THEMES", "take_result"]

LABELS = ("words", "phrases", "ids", "both", "none")
"""What can be written on events and times."""

THEMES = ("auto", "light", "dark")
"""The colours of a picture."""


def take_result(
    given: Extraction | Document, labels: str = "words", choices: Sequence[str] = LABELS
) -> Extraction:
    """Give the result to draw: a result as it is, a document with its calendar and mended.

    Raises an `OptionError` for anything else, and if ``labels`` is not among the choices.
    """
    if labels not in choices:
        raise OptionError(f"labels cannot be {labels!r}; choose from {', '.join(choices)}")
    if isinstance(given, Document):
        return extract(given, calendar=True, mend=True)
    if not isinstance(given, Extraction):
        raise OptionError(
            f"only a document or a result of tlex.extract can be drawn, not {given!r:.80}"
        )
    return given
