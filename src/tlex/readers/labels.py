"""A user's own table of labels, from a TOML file, for schemes that tlex does not know.

::

    [TLINK]
    SOON_AFTER = ["B- < A-", "A- < B+"]  # what A SOON_AFTER B says of the end points
    FOLLOWS = "AFTER"  # the same as a label that tlex knows
    UNSURE = []  # nothing: kept and shown, orders nothing

    [SLINK]
    HYPOTHETICAL = []
"""

from __future__ import annotations

import os
import re
from typing import Any

from msgspec.structs import replace

from tlex.algebra import LABELS, READINGS, Row, find_label
from tlex.arguments import require_kind
from tlex.document import Document
from tlex.errors import OptionError
from tlex.nouns import Code, Link

__all__ = ["Labels", "add_labels", "find_reading", "parse_labels", "read_labels", "take_labels"]

Labels = dict[str, dict[str, Row]]
"""Kind of link, label, row."""

MAX_BYTES = 1 << 20
_KINDS = ("TLINK", "ALINK", "SLINK")
_CONSTRAINT = re.compile(r"\s*([AB])([-+])\s*([<=>])\s*([AB])([-+])\s*")


def read_labels(path: str | os.PathLike[str]) -> Labels:
    r"""Read a table of labels from a TOML file.

    Parameters
    ----------
    path : path
        The file. ``docs/labels.md`` says what is in it.

    Returns
    -------
    dict
        Rows of constraints, by kind of link and label.

    Raises
    ------
    OptionError
        If the file cannot be read, or is no table of labels.

    Examples
    --------
    >>> import pathlib, tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "own.toml")
    ...     written = path.write_text('[TLINK]\nFOLLOWS = "AFTER"')
    ...     tlex.readers.read_labels(path)
    {'TLINK': {'FOLLOWS': ('B+ < A-',)}}

    See Also
    --------
    tlex.read : read a document with labels of one's own.
    """
    try:
        with open(os.fspath(path), "rb") as file:  # noqa: PTH123 -- quicker to load than a Path
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise OptionError(f"{path}: cannot be read: {reason or error}") from None
    if len(data) > MAX_BYTES:
        raise OptionError(f"{path}: the table of labels is larger than {MAX_BYTES:,} bytes")
    return parse_labels(data, str(path))


def parse_labels(data: bytes, name: str) -> Labels:
    r"""Parse a table of labels.

    Parameters
    ----------
    data : bytes
        The content of the TOML file.
    name : str
        The name of the file, for the error.

    Returns
    -------
    dict
        Rows of constraints, by kind of link and label.

    Raises
    ------
    OptionError
        If it is no table of labels; the message says what is wrong.

    Examples
    --------
    >>> import tlex
    >>> tlex.readers.parse_labels(b'[TLINK]\nSOON = ["B- < A-", "A- < B+"]', "own.toml")
    {'TLINK': {'SOON': ('B- < A-', 'A- < B+')}}

    See Also
    --------
    tlex.readers.read_labels : read the file.
    """
    import tomllib  # noqa: PLC0415 -- most documents need no such file

    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise OptionError(f"{name}: not a table of labels in TOML: {error}") from None
    labels: Labels = {}
    for kind, table in content.items():
        if kind not in _KINDS or not isinstance(table, dict):
            known = ", ".join(f"[{each}]" for each in _KINDS)
            raise OptionError(f"{name}: {kind!r} is no table of labels; there can be {known}")
        for label, says in table.items():
            row = _read_row(kind, says, f"{name}: {kind} {label}")
            if kind == "SLINK" and row:
                raise OptionError(f"{name}: SLINK {label}: an SLINK orders nothing; write []")
            labels.setdefault(kind, {})[label.strip().upper()] = row
    return labels


def take_labels(labels: Labels | str | os.PathLike[str] | None) -> Labels | None:
    """Give a table of labels: that of a corpus by its name, or that of a file by its path."""
    if labels is None:
        return None
    if isinstance(labels, str) and labels in READINGS:
        return READINGS[labels]
    if isinstance(labels, str | os.PathLike):
        return read_labels(labels)
    require_kind(
        "labels",
        labels,
        dict,
        "a path, the name of a corpus, or what tlex.readers.read_labels gave",
    )
    return labels


def _read_row(kind: str, says: Any, where: str) -> Row:  # noqa: ANN401 -- whatever the file has
    if isinstance(says, str):
        known = find_label(kind, says)
        if known is None:
            raise OptionError(f"{where}: {says!r} is no label of {kind}s that tlex knows")
        return LABELS[kind][known]
    if not isinstance(says, list):
        raise OptionError(f"{where}: write a list of constraints or the name of a label")
    row = []
    for constraint in says:
        parts = _CONSTRAINT.fullmatch(constraint) if isinstance(constraint, str) else None
        if parts is None or parts[1] == parts[4]:
            hint = "write one like 'A+ < B-', with <, = or >, between A and B"
            raise OptionError(f"{where}: {constraint!r} is no constraint; {hint}")
        left, right = parts[1] + parts[2], parts[4] + parts[5]
        row.append(f"{right} < {left}" if parts[3] == ">" else f"{left} {parts[3]} {right}")
    return tuple(row)


def find_reading(labels: Labels) -> str:
    """Find the name of the corpus whose table this is; empty for a table of the user."""
    return next((name for name, table in READINGS.items() if table == labels), "")


def add_labels(document: Document, labels: Labels, reading: str = "") -> Document:
    """Give a document in which the labels of a table count. They take precedence over tlex's own.

    A label that the table knows is no longer reported as unknown. ``reading`` is the table's name.
    """
    links: list[Link] = []
    known: set[int | None] = set()
    used = {kind: dict(table) for kind, table in document.labels.items()}
    for link in document.links:
        table = labels.get(link.kind, {})
        label = (link.type or "").strip().upper()
        if label in table:
            used.setdefault(link.kind, {})[label] = table[label]
            known.add(link.byte_start)
        links.append(replace(link, type=label) if label in table else link)
    diagnostics = tuple(
        problem
        for problem in document.diagnostics
        if problem.code != Code.OTHER_READING  # it is chosen now
        and (problem.code != Code.UNKNOWN_TYPE or problem.offset not in known)
    )
    return document.replace(
        links=tuple(links),
        diagnostics=diagnostics,
        labels=used,
        reading=reading or document.reading,
    )
