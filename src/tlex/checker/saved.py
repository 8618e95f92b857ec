"""Saved results: one line of JSON, or the same as plain data, becomes a record that is known here.

Which command wrote it is recognised by its fields. Everything in it must be known: an option that
this version does not know changes the question, so it is refused; any other unknown field is named
as unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import msgspec

from tlex.errors import OptionError
from tlex.records import SCHEMA, Answer, ExtractionRecord, FixRecord

__all__ = ["Record", "decode"]

Record: TypeAlias = ExtractionRecord | Answer | FixRecord

_ANSWERS: Final = ("relation", "why", "closure", "reduction")
_SHOWN: Final = 80


def decode(saved: bytes | str | dict[str, Any]) -> tuple[Record, list[str]]:
    """Give the record of a saved result, and the fields that are not known here.

    Raises `OptionError` if it is no result, one of another schema, or one with unknown options.
    """
    try:
        found = saved if isinstance(saved, dict) else msgspec.json.decode(saved)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"not a JSON object: {error}") from None
    if not isinstance(found, dict):
        raise OptionError("not a JSON object")
    schema = found.get("schema")
    if schema != SCHEMA:
        shown = f"of schema {schema!r:.{_SHOWN}}" if schema else "without a schema"
        raise OptionError(f"a result {shown} cannot be verified; this version knows {SCHEMA!r}")
    kind = _find_kind(found)
    try:
        record: Record = msgspec.convert(found, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise OptionError(f"not a result of schema {SCHEMA}: {error}") from None
    if isinstance(record, Answer):
        given = [name for name in _ANSWERS if name in found]
        if len(given) != 1:
            raise OptionError(f"the result has {len(given)} answers; one can be verified")
    unknown = list(_list_unknown(found, msgspec.to_builtins(record), ""))
    for name in unknown:
        if name.startswith(("options.", "document.")):
            raise OptionError(f"the field {name!r} is not known to this version")
    return record, unknown


def _find_kind(found: dict[str, Any]) -> type[Record]:
    if "timelines" in found:
        return ExtractionRecord
    if "removed" in found:
        return FixRecord
    if any(name in found for name in _ANSWERS):
        return Answer
    raise OptionError("this kind of result cannot be verified")


def _list_unknown(saved: object, known: object, path: str) -> Iterator[str]:
    """List the fields of a saved result that its record does not have; each name once."""
    stack = [(saved, known, path)]
    told = set()
    while stack:
        one, other, at = stack.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            for name, value in one.items():
                below = f"{at}.{name}" if at else str(name)
                if name in other:
                    stack.append((value, other[name], below))
                elif below not in told and not _is_default(value):
                    told.add(below)
                    yield below
        elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
            stack.extend((left, right, at) for left, right in zip(one, other, strict=False))


def _is_default(value: object) -> bool:
    """Whether a field may have been left out because it has its default value."""
    return value is None or value in ({}, [], (), "")
