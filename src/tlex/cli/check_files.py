"""The files that ``tlex check`` reads besides documents: its configuration and its baseline."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from tlex.errors import OptionError
from tlex.lint.baseline import Baseline, parse_baseline
from tlex.lint.configuration import Configuration, parse_configuration

__all__ = ["find_configuration", "name_below", "read_baseline"]

_TABLE = ("tool", "tlex")
_LARGEST = 16 << 20


def find_configuration(given: str | None) -> Configuration:
    """Read the file given, or the nearest above the current directory.

    That is ``tlex.toml``, or ``pyproject.toml`` if it has a table ``[tool.tlex]``. The path of a
    baseline in it is relative to the directory of the configuration.
    """
    if given is not None:
        path = Path(given)
        found = _parse(path, given)
        if found is None:
            raise OptionError(f"{given}: there is no table [tool.tlex]")
        return _locate(found, path.parent)
    folder = Path.cwd()
    for above in (folder, *folder.parents):
        for name in ("tlex.toml", "pyproject.toml"):
            path = above / name
            if path.is_file():
                found = _parse(path, os.path.relpath(path))
                if found is not None:
                    return _locate(found, above)
    return Configuration()


def read_baseline(path: str) -> Baseline:
    """Read a baseline."""
    try:
        content = _load(Path(path), path)
    except FileNotFoundError:
        hint = "--write-baseline FILE makes one"
        raise OptionError(f"{path}: there is no such baseline; {hint}") from None
    except (OSError, ValueError) as error:
        raise OptionError(f"{path}: cannot be read: {_reason(error)}") from None
    return parse_baseline(content, path)


def name_below(path: str, baseline: str) -> str:
    """Name a document in a baseline: its path relative to the baseline, so that both can move."""
    if path == "-":
        return path
    below = os.path.relpath(path, Path(baseline).parent)
    return os.fsencode(Path(below).as_posix()).decode("utf-8", "backslashreplace")


def _parse(path: Path, name: str) -> Configuration | None:
    try:
        content = _load(path, name)
    except (OSError, ValueError) as error:
        raise OptionError(f"{name}: cannot be read: {_reason(error)}") from None
    inside = _TABLE if path.name == "pyproject.toml" else ()
    return parse_configuration(content, name, inside=inside)


def _load(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OptionError(f"{name}: larger than {_LARGEST:,} bytes")
    return content


def _locate(found: Configuration, folder: Path) -> Configuration:
    if found.baseline is None:
        return found
    return replace(found, baseline=os.path.relpath(folder / found.baseline))


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
