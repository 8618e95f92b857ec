"""The files that the linter reads besides documents: its configuration and its baseline."""

from __future__ import annotations

import os

from msgspec.structs import replace

from tlex.errors import OptionError
from tlex.files import is_plain_file
from tlex.lint.baseline import Baseline, parse_baseline
from tlex.lint.configuration import Configuration, parse_configuration

__all__ = ["name_below", "read_baseline", "read_configuration"]

_TABLE = ("tool", "tlex")
_LARGEST = 16 << 20


def read_configuration(path: str | os.PathLike[str] | None = None) -> Configuration:
    """Read the configuration of the linter, as ``tlex check`` does.

    Parameters
    ----------
    path : path, optional
        A ``tlex.toml``, or a ``pyproject.toml`` with a table ``[tool.tlex]``. Without it, the
        nearest such file above the current directory is read.

    Returns
    -------
    Configuration
        Its values; None for keys that it does not have. The path of the baseline is made relative
        to the current directory. Without a file it is empty.

    Raises
    ------
    OptionError
        If the file cannot be read, or has an unknown key or a value of the wrong type.

    Examples
    --------
    >>> import tempfile, tlex
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tlex.toml")
    ...     _ = path.write_text('ignore = ["TLX4"]')
    ...     tlex.lint.read_configuration(path).ignore
    ['TLX4']

    See Also
    --------
    tlex.check : takes these values as arguments.
    """
    if path is not None:
        given = os.fspath(path)
        found = _parse(given or os.curdir, given)
        if found is None:
            raise OptionError(f"{given}: there is no table [tool.tlex]")
        return _locate(found, os.path.dirname(given))  # noqa: PTH120 -- see below
    try:
        above = os.getcwd()  # noqa: PTH109 -- a `pathlib.Path` takes long to load
    except OSError:  # it has been deleted
        return Configuration()
    folder = ""
    while folder != above:
        folder, above = above, os.path.dirname(above)  # noqa: PTH120
        for name in ("tlex.toml", "pyproject.toml"):
            path = os.path.join(folder, name)  # noqa: PTH118
            if is_plain_file(path):
                found = _parse(path, os.path.relpath(path))
                if found is not None:
                    return _locate(found, folder)
    return Configuration()


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read a baseline, the file of known findings.

    Parameters
    ----------
    path : path
        What ``tlex check --write-baseline`` wrote, or ``Baseline.to_json()`` gave.

    Returns
    -------
    Baseline
        The known findings, for `tlex.check`.

    Raises
    ------
    OptionError
        If the file cannot be read, or is not a baseline.

    Examples
    --------
    >>> import tempfile, tlex
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "known.json")
    ...     _ = path.write_bytes(tlex.lint.make_baseline([]).to_json())
    ...     tlex.lint.read_baseline(path)
    <Baseline 0 findings in 0 documents>

    See Also
    --------
    tlex.lint.make_baseline : make a baseline.
    """
    path = os.fspath(path)
    try:
        content = _load(path or os.curdir, path)
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
    from pathlib import Path  # noqa: PLC0415 -- not light, and only for a baseline

    below = os.path.relpath(path, Path(baseline).parent)
    return os.fsencode(Path(below).as_posix()).decode("utf-8", "backslashreplace")


def _parse(path: str, name: str) -> Configuration | None:
    try:
        content = _load(path, name)
    except (OSError, ValueError) as error:
        raise OptionError(f"{name}: cannot be read: {_reason(error)}") from None
    inside = _TABLE if os.path.basename(path) == "pyproject.toml" else ()  # noqa: PTH119
    return parse_configuration(content, name, inside=inside)


def _load(path: str, name: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OptionError(f"{name}: larger than {_LARGEST:,} bytes")
    return content


def _locate(found: Configuration, folder: str) -> Configuration:
    if found.baseline is None:
        return found
    return replace(found, baseline=os.path.relpath(os.path.join(folder, found.baseline)))  # noqa: PTH118


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
