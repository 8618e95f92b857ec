"""The labels of links in JSON: as tables have them, or written a little differently."""

from __future__ import annotations

import re
from functools import lru_cache

from tlex.algebra import CODES, find_label
from tlex.readers.assembly import find_kind

__all__ = ["is_known", "write_label"]

_BETWEEN = re.compile(r"[\s-]+|(?<=[a-z])(?=[A-Z])")


@lru_cache
def write_label(written: str) -> str | None:
    """Write a label that no table has as one has it: ``isIncluded`` is IS_INCLUDED.

    None if no table has it in this way either.
    """
    for word in (_BETWEEN.sub("_", written.strip()), _BETWEEN.sub("-", written.strip())):
        label, kind = find_kind(word)
        if label in CODES[kind]:
            return label
    return None


@lru_cache
def is_known(written: str) -> bool:
    """Whether some table has a label, perhaps written a little differently."""
    return any(find_label(kind, written) for kind in CODES) or write_label(written) is not None
