"""The check of what somebody asks to be drawn, for text and pictures alike."""

from __future__ import annotations

from collections.abc import Sequence

from tlex.document import Document
from tlex.errors import OptionError
from tlex.timeline import Extraction

__all__ = ["LABELS", "THEMES", "check_options"]

LABELS = ("words", "ids", "both", "none")
"""What can be written on events and times."""

THEMES = ("auto", "light", "dark")
"""The colours of a picture."""


def check_options(result: object, labels: str, choices: Sequence[str]) -> None:
    """Raise an `OptionError` if this is no result, or if ``labels`` is not among the choices."""
    if isinstance(result, Document):
        raise OptionError("this is a document: use tlex.extract first and draw its result")
    if not isinstance(result, Extraction):
        raise OptionError(f"only a result of tlex.extract can be drawn, not {result!r:.80}")
    if labels not in choices:
        raise OptionError(f"labels cannot be {labels!r}; choose from {', '.join(choices)}")
