"""Configuration of the linter: ``tlex.toml``, or ``[tool.tlex]`` in ``pyproject.toml``."""

from __future__ import annotations

import re

from msgspec import Struct

from tlex.errors import OptionError

__all__ = ["Configuration", "parse_configuration"]

_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)")


class Configuration(Struct, frozen=True, kw_only=True):
    """The values of a configuration file; None for keys that it does not have."""

    select: list[str] | None = None
    ignore: list[str] | None = None
    links: list[str] | None = None
    times: str | None = None
    calendar: bool | None = None
    baseline: str | None = None
    severity: dict[str, str] | None = None


_EXPECTED = {
    "select": "a list of words",
    "ignore": "a list of words",
    "links": "a list of words",
    "times": "a word",
    "calendar": "true or false",
    "baseline": "a word",
    "severity": "a table of words",
}


def parse_configuration(
    content: bytes, name: str, *, inside: tuple[str, ...] = ()
) -> Configuration | None:
    """Read a configuration from the table at ``inside``; None if there is no such table.

    Raises `OptionError` for an unknown key or a value of the wrong type; the message names the file
    and the key.
    """
    import tomllib  # noqa: PLC0415 -- most directories have no configuration

    try:
        table: object = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise OptionError(f"{name}: not UTF-8: {error.reason}") from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        where = f":{place[1]}:{place[2]}" if place else ""
        raise OptionError(f"{name}{where}: not TOML: {_PLACE.sub('', message)}") from None
    except RecursionError:
        raise OptionError(f"{name}: not TOML: nested too deep") from None
    for key in inside:
        table = table.get(key) if isinstance(table, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise OptionError(f"{name}: {'.'.join(inside)} is not a table")
    for key, value in table.items():
        _check(name, ".".join((*inside, key)), key, value)
    return Configuration(**table)


def _check(name: str, shown: str, key: str, value: object) -> None:
    if key not in _EXPECTED:
        from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

        near = get_close_matches(key, _EXPECTED, 1)
        hint = f"; did you mean {near[0]!r}" if near else f"; choose from {', '.join(_EXPECTED)}"
        raise OptionError(f"{name}: unknown key {shown!r}{hint}")
    expected = _EXPECTED[key]
    if expected == "a word":
        fits = isinstance(value, str)
    elif expected == "true or false":
        fits = isinstance(value, bool)
    elif expected == "a list of words":
        fits = isinstance(value, list) and all(isinstance(word, str) for word in value)
    else:
        fits = isinstance(value, dict) and all(isinstance(word, str) for word in value.values())
    if not fits:
        raise OptionError(f"{name}: {shown} is {value!r:.80}, not {expected}")
