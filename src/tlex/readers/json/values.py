"""Reading single values of JSON in the forgiving way: ids, places, weights, candidates (R61)."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from msgspec import UNSET, UnsetType

from tlex.nouns import Code
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.json.keys import find_key
from tlex.readers.json.syntax import Value

__all__ = ["BLANK", "SHOWN", "Liberties", "ValueReader", "show_value"]

BLANK = re.compile(r"\s+")
SHOWN = 60
"""So many characters of a key or value are shown in a message."""

_WHOLE = re.compile(r"[-+]?[0-9]{1,15}(?:\.0*)?")
_KINDS = ("TLINK", "ALINK", "SLINK", "GLINK", "CLINK")
_PERCENT = 100
_LARGEST = 2**53


class Liberties:
    """Collects liberties; those of the same sort are one warning, at the first of them."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._found: dict[str, list[Any]] = {}

    def take(self, sort: str, path: str, offset: int) -> None:
        """Take a liberty: ``sort`` says what is done."""
        known = self._found.setdefault(sort, [path, offset, 0])
        known[2] += 1

    def refuse(self, message: str, path: str, offset: int) -> None:
        """Note something that has no clear meaning."""
        self.diagnostics.add(Code.UNCLEAR_JSON, offset, f"{path}: {message}")

    def tell(self) -> None:
        """Add a warning for each sort of liberty to the diagnostics."""
        for sort, (path, offset, count) in self._found.items():
            more = f" ({count:,} times)" if count > 1 else ""
            self.diagnostics.add(Code.FORGIVEN_JSON, offset, f"{path}: {sort}{more}")
        self._found.clear()


class ValueReader:
    """Reads values; what is not as the schema has it is a liberty, or refused."""

    def __init__(self, liberties: Liberties) -> None:
        self.liberties = liberties

    def take_id(self, value: Value, path: str) -> str | None:
        """Read an id; None if there is none."""
        if value.kind == "number":
            self.liberties.take("a number is read as an id", path, value.start)
            written: str = value.value
            return written.removesuffix(".0")
        if value.kind != "string" or not value.value.strip():
            self.liberties.refuse(f"{show_value(value)} is no id", path, value.start)
            return None
        plain = BLANK.sub("_", value.value.strip())
        if plain == value.value.strip() != value.value:
            self.liberties.take("white space around an id is skipped", path, value.start)
        elif plain != value.value:
            self.liberties.take("white space in an id is read as '_'", path, value.start)
        return plain

    def take_string(self, value: Value, path: str) -> str | UnsetType:
        """Read a text or a word."""
        if value.kind == "string":
            text: str = value.value
            return text
        if value.kind == "number" or isinstance(value.value, bool):
            self.liberties.take("a number or true or false is read as a word", path, value.start)
            return write_value(value)
        if value.value is not None:
            self.liberties.refuse(f"{show_value(value)} is no text", path, value.start)
        return UNSET

    def take_place(self, value: Value, path: str, least: int = 0) -> int | UnsetType:
        """Read a place in the text, or a number from ``least`` on."""
        written = value.value.strip() if value.kind in {"string", "number"} else ""
        if _WHOLE.fullmatch(written) and int(float(written)) >= least:
            if value.kind != "number" or not written.isdigit():
                self.liberties.take("read as a whole number", path, value.start)
            return int(float(written))
        if written != "-1":  # many programs write it for none
            self.liberties.refuse(f"{show_value(value)} is no place in the text", path, value.start)
        return UNSET

    def take_count(self, value: Value, path: str) -> int | UnsetType:
        """Read a line or a column, which count from 1."""
        return self.take_place(value, path, 1)

    def take_span(self, value: Value, path: str) -> dict[str, int]:
        """Read a start and an end as one value."""
        ends = value.value if value.kind == "list" else []
        while len(ends) == 1 and ends[0].kind == "list":
            ends = ends[0].value
        if value.kind == "object":
            named = {find_key("events", key): each for key, _, each in value.value}
            ends = [named[key] for key in ("start", "end") if key in named]
        if len(ends) != len(("start", "end")):
            self.liberties.refuse(f"{show_value(value)} is no start and end", path, value.start)
            return {}
        self.liberties.take("read as start and end", path, value.start)
        places = {
            key: self.take_place(end, path) for key, end in zip(("start", "end"), ends, strict=True)
        }
        return {key: place for key, place in places.items() if isinstance(place, int)}

    def take_weight(self, value: Value, path: str) -> float | UnsetType:
        """Read a weight or a probability."""
        written = value.value.strip() if value.kind in {"string", "number"} else ""
        share = written.endswith("%")
        try:
            number = float(written.removesuffix("%")) / (_PERCENT if share else 1)
        except ValueError:
            number = float("nan")
        if not isfinite(number) or abs(number) > _LARGEST:
            message = f"{path}: weight {show_value(value)} is no number; the link has none"
            self.liberties.diagnostics.add(Code.BAD_WEIGHT, value.start, message)
            return UNSET
        if value.kind != "number":
            self.liberties.take("a string is read as a number", path, value.start)
        return number

    def take_labels(self, value: Value, path: str) -> dict[str, float] | UnsetType:
        """Read candidates with probabilities: an object, or a list of labels and numbers."""
        pairs: list[tuple[str, Value]] = []
        if value.kind == "object":
            pairs = [(key, each) for key, _, each in value.value]
        for number, each in enumerate(value.value if value.kind == "list" else ()):
            pair = self._take_candidate(each, f"{path}[{number}]")
            if pair is None:
                self.liberties.refuse(
                    f"{show_value(each)} is no label with a probability; left out",
                    f"{path}[{number}]",
                    each.start,
                )
            else:
                pairs.append(pair)
        if value.kind not in {"object", "list"}:
            message = f"{show_value(value)} is no candidates with probabilities"
            self.liberties.refuse(message, path, value.start)
        found: dict[str, float] = {}
        for label, each in pairs:
            number_read = self.take_weight(each, f"{path}.{label[:SHOWN]}")
            if isinstance(number_read, float) and number_read < 0:
                message = f"{show_value(each)} is no probability; the label is left out"
                self.liberties.refuse(message, f"{path}.{label[:SHOWN]}", each.start)
            elif isinstance(number_read, float):
                found[label] = number_read
        return found or UNSET

    def _take_candidate(self, value: Value, path: str) -> tuple[str, Value] | None:
        items = [each for _, _, each in value.value] if value.kind == "object" else value.value
        if value.kind not in {"object", "list"}:
            return None
        words = [each for each in items if each.kind == "string"]
        numbers = [each for each in items if each.kind == "number"]
        if len(words) != 1 or len(numbers) != 1:
            return None
        self.liberties.take("read as a label and its probability", path, value.start)
        return words[0].value, numbers[0]

    def take_kind(self, value: Value, path: str) -> str | UnsetType:
        """Read the kind of a link."""
        word = value.value.strip().upper() if value.kind == "string" else ""
        if word in _KINDS:
            if word != value.value:
                self.liberties.take(f"read as {word!r}", path, value.start)
            return word
        message = f"{show_value(value)} is no kind of link; the kind follows from the type"
        self.liberties.refuse(message, path, value.start)
        return UNSET

    def take_attributes(self, value: Value, path: str) -> dict[str, str]:
        """Read attributes, which are words."""
        found: dict[str, str] = {}
        if value.kind != "object":
            self.liberties.refuse(f"{show_value(value)} is no attributes", path, value.start)
            return found
        for key, start, each in value.value:
            if each.kind in {"object", "list"}:
                message = f"{show_value(each)} is no attribute; left out"
                self.liberties.refuse(message, f"{path}.{key[:SHOWN]}", start)
            elif each.value is not None:
                found[key] = write_value(each)
                if each.kind != "string":
                    sort = "an attribute is read as a word"
                    self.liberties.take(sort, f"{path}.{key[:SHOWN]}", start)
        return found

    def keep(self, extra: dict[str, str], key: str, value: Value, path: str) -> None:
        """Keep an extra member as an attribute, unless it is a list or an object."""
        if value.kind in {"object", "list"}:
            sort = f"{key[:SHOWN]!r} has no meaning here; it is left out"
            self.liberties.take(sort, path, value.start)
        elif value.value is not None:
            extra[key] = write_value(value)
            self.liberties.take(f"{key[:SHOWN]!r} is kept as an attribute", path, value.start)


def write_value(value: Value) -> str:
    return value.value if isinstance(value.value, str) else str(value.value).lower()


def show_value(value: Value) -> str:
    """Write a value in a message."""
    if value.kind in {"object", "list"}:
        return "an object" if value.kind == "object" else "a list"
    if value.kind == "string":
        return f"{value.value!r:.60}"
    return "null" if value.value is None else write_value(value)[:SHOWN]
