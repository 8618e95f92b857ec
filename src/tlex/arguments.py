"""The check of what a caller gives to the public functions: each mistake becomes an `OptionError`.

A wrong argument is answered with its name, what was given, and what was expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from os import PathLike
from types import UnionType

from tlex.document import Document
from tlex.errors import OptionError

__all__ = [
    "require_document",
    "require_kind",
    "require_number",
    "require_word",
    "take_words",
]


def require_document(given: object) -> None:
    """Raise an `OptionError` if this is no document, and say what to do with it."""
    if isinstance(given, Document):
        return
    if isinstance(given, str | bytes | PathLike):
        content = isinstance(given, bytes) or str(given).lstrip().startswith(("<", "{"))
        what, function = ("a document's content", "parse") if content else ("a path", "read")
        raise OptionError(
            f"this is {what}, not a document: use tlex.{function} first ({given!r:.80})"
        )
    raise OptionError(f"expected a document, not {given!r:.80}")


def require_kind(name: str, given: object, kind: type | UnionType, expected: str) -> None:
    """Raise an `OptionError` if an argument is of another kind."""
    if not isinstance(given, kind):
        raise OptionError(f"{name} cannot be {given!r:.80}; give {expected}")


def require_number(name: str, given: float, least: int, *, whole: bool = False) -> None:
    """Raise an `OptionError` if an argument is no number, or less than the least.

    >>> require_number("limit", 3, 1, whole=True)
    """
    kind = Integral if whole else Real
    if isinstance(given, bool) or not isinstance(given, kind) or not given >= least:
        what = "whole number" if whole else "number"
        raise OptionError(f"{name} cannot be {given!r:.80}; it must be a {what} from {least} on")


def require_word(name: str, given: object) -> str:
    """Give the argument back; raise an `OptionError` if it is no string."""
    if not isinstance(given, str):
        raise OptionError(f"{name} takes words, not {given!r:.80}")
    return given


def take_words(name: str, given: Iterable[str]) -> tuple[str, ...]:
    """Give several words; a single string is one word, not its letters.

    >>> take_words("links", "TLINK"), take_words("links", ["TLINK", "ALINK"])
    (('TLINK',), ('TLINK', 'ALINK'))
    """
    if isinstance(given, str):
        return (given,)
    try:
        words = tuple(given)
    except TypeError:
        raise OptionError(f"{name} takes a list of words, not {given!r:.80}") from None
    return tuple(require_word(name, word) for word in words)
