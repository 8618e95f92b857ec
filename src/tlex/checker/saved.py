"""Saved results: one line of JSON, or the same as plain data, becomes a record that is known here.

Which command wrote it is recognised by its fields. Everything in it must be known: an option that
this version does not know changes the question, so it is refused. Any other unknown field is named
as unchecked, and so is a field that is missing.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from tlex.errors import OptionError
from tlex.records import SCHEMA, Answer, DecodeRecord, ExtractionRecord, FixRecord

__all__ = ["Record", "decode"]

Record: TypeAlias = ExtractionRecord | Answer | FixRecord | DecodeRecord

_ANSWERS: Final = ("relation", "why", "closure", "reduction", "events")
_COMPARED: Final = frozenset(
    ("verdicts", "verdict", "equivalent", "annotators", "question", "total", "test")
)
"""Fields that only comparisons and answers to questions have."""
_SHOWN: Final = 80
_MISSING: Final = "is missing"


def decode(saved: bytes | str | dict[str, Any]) -> tuple[Record, list[str]]:
    """Give the record of a saved result, and what of it cannot be checked: fields too many or few.

    Raises `OptionError` if it is no result, one of another schema, or one with unknown options.
    """
    try:
        return _decode(saved)
    except msgspec.ValidationError as error:
        raise OptionError(f"not a result of schema {SCHEMA}: {error}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"not a JSON object: {error}") from None


def _decode(saved: bytes | str | dict[str, Any]) -> tuple[Record, list[str]]:
    """Do what `decode` does; raises also the errors of msgspec."""
    found, schema = _read_members(saved)
    if not _COMPARED.isdisjoint(found):
        raise OptionError(
            "a result of score, diff, agree or ask cannot be verified; one of any other command can"
        )
    if schema != SCHEMA:
        shown = f"of schema {schema!r:.{_SHOWN}}" if schema else "without a schema"
        raise OptionError(f"a result {shown} cannot be verified; this version knows {SCHEMA!r}")
    kind = _find_kind(found)
    record: Record
    if isinstance(saved, dict):
        record = msgspec.convert(saved, type=kind, str_keys=True)  # JSON has no others
    else:
        record = msgspec.json.decode(saved, type=kind)
    if isinstance(record, Answer):
        given = [name for name in _ANSWERS if name in found]
        if len(given) != 1:
            raise OptionError(f"the result has {len(given)} answers; one can be verified")
    unchecked: list[str] = []
    if _is_whole(saved, record):
        return record, unchecked
    plain = saved if isinstance(saved, dict) else msgspec.json.decode(saved)
    for name, problem in _compare_fields(plain, msgspec.to_builtins(record, str_keys=True)).items():
        if problem != _MISSING and name.startswith(("options.", "document.")):
            raise OptionError(f"the field {name!r} is not known to this version")
        unchecked.append(f"the field {name!r}, which {problem}")
    return record, unchecked


def _read_members(saved: bytes | str | dict[str, Any]) -> tuple[dict[str, Any], object]:
    """Read which members there are, and the schema; the others are left as they are."""
    if isinstance(saved, dict):
        return saved, saved.get("schema")
    try:
        found = msgspec.json.decode(saved, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        raise OptionError("not a JSON object") from None
    return found, msgspec.json.decode(found["schema"]) if "schema" in found else None


def _is_whole(saved: bytes | str | dict[str, Any], record: Record) -> bool:
    """Whether a saved result is, to the byte, what its record is written as.

    Then no field is unknown or missing. Plain data would show the same, but large results would
    take several times the memory.
    """
    if isinstance(saved, dict):
        return False
    data = saved if isinstance(saved, bytes) else saved.encode()
    return data.startswith(msgspec.json.encode(record))  # only white space can follow


def _find_kind(found: dict[str, Any]) -> type[Record]:
    if "timelines" in found:
        return ExtractionRecord
    if "removed" in found:
        return FixRecord
    if "choices" in found:
        return DecodeRecord
    if any(name in found for name in _ANSWERS):
        return Answer
    raise OptionError("this kind of result cannot be verified")


def _compare_fields(saved: object, known: object) -> dict[str, str]:
    """Find the fields that only one of a saved result and its record has, and say which."""
    stack = [(saved, known, "")]
    found: dict[str, str] = {}
    while stack:
        one, other, at = stack.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            for name in {**one, **other}:
                below = f"{at}.{name}" if at else str(name)
                if name in one and name in other:
                    stack.append((one[name], other[name], below))
                elif name in other:
                    found[below] = _MISSING
                elif not _is_default(one[name]):
                    found[below] = "this version does not know"
        elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
            stack.extend((left, right, at) for left, right in zip(one, other, strict=False))
            if len(one) != len(other):
                found[at] = "is too long for this version"
    return found


def _is_default(value: object) -> bool:
    """Whether a field may have been left out because it has its default value."""
    return value is None or value in ({}, [], (), "")
