"""Writing documents and results in formats for other tools.

A document can be written as ``timeml``, as ``json`` and for ``brat``; `tlex.read` reads all of
these. A result can also be written as ``dot`` (Graphviz), and as tables in ``csv`` and ``parquet``.
"""

from __future__ import annotations

import os
from pathlib import Path

from tlex.arguments import require_document, require_kind
from tlex.document import Document
from tlex.errors import OptionError
from tlex.export.losses import Loss
from tlex.files import write_atomically
from tlex.result import Extraction

__all__ = ["ENDINGS", "TARGETS", "Loss", "convert", "write"]

TARGETS = {
    "timeml": ".tml",
    "json": ".json",
    "brat": ".ann",
    "dot": ".dot",
    "csv": ".csv",
    "parquet": ".parquet",
}
"""The formats that can be written, with their file name extensions."""

ENDINGS = {**{ending: name for name, ending in TARGETS.items()}, ".xml": "timeml", ".gv": "dot"}


def __dir__() -> list[str]:
    return sorted(__all__)


def write(
    what: Document | Extraction,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 -- what reading calls it
    points: bool = False,
) -> tuple[Loss, ...]:
    """Write a document or a result into a file, or as tables into a directory.

    Files are replaced as a whole or not at all.

    Parameters
    ----------
    what : Document or Extraction
        What to write. As ``.json`` a result is written as its record, and a document in tlex's own
        document format. As ``.tml`` both are written as the document.
    path : path
        The file. Its ending tells the format: ``.tml``, ``.json``, ``.ann``, ``.dot``, ``.csv`` or
        ``.parquet``. The name of a table is that of its file (``points.csv``). Beside an ``.ann``
        stand its text and the ``annotation.conf`` of brat.
    format : str, optional
        The format, where the ending does not tell it. As ``"csv"`` or ``"parquet"`` a path without
        an ending is a directory for all tables.
    points : bool
        Write the graph of time-points, with ``.dot``.

    Returns
    -------
    tuple of Loss
        What the format cannot hold, counted.

    Raises
    ------
    OptionError
        If the format or the table is unknown, or if there is nothing that can be written.
    WriteError
        If the file cannot be written, or the document not as TimeML.

    Examples
    --------
    >>> import tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tlex.write(tlex.read("examples/story.tml"), f"{folder}/story.tml")
    ()

    See Also
    --------
    tlex.export.convert : the same as bytes.
    tlex.read : read what was written as TimeML or JSON.
    """
    _check_what(what)
    require_kind("path", path, str | os.PathLike, "the path of a file")
    if format is not None and format not in TARGETS:
        raise OptionError(f"format cannot be {format!r}; choose from {', '.join(TARGETS)}")
    target = Path(path)
    chosen = format or ENDINGS.get(target.suffix.lower())
    if chosen not in TARGETS:
        known = ", ".join(TARGETS)
        raise OptionError(
            f"{os.fspath(path)!r} has no known file name extension; give a format: {known}"
        )
    if chosen in {"csv", "parquet"}:
        return _write_tables(_result_of(what), target, chosen)
    if chosen == "json" and isinstance(what, Extraction):
        write_atomically(target, what.to_json() + b"\n")
        from tlex.export.losses import Held, count_unheld  # noqa: PLC0415

        return count_unheld(what.document, Held(links="none")).list()
    if chosen == "brat":
        from tlex.export.brat import write_beside, write_brat  # noqa: PLC0415

        files = write_brat(what.document if isinstance(what, Extraction) else what)
        write_atomically(target, files.annotation)
        write_beside(target, files)
        return files.losses
    data, losses = convert(what, chosen, points=points)
    write_atomically(target, data)
    return losses


def convert(
    what: Document | Extraction, target: str, *, points: bool = False
) -> tuple[bytes, tuple[Loss, ...]]:
    """Give a document as TimeML, as JSON, for brat or as a graph for Graphviz.

    Parameters
    ----------
    what : Document or Extraction
        What to convert.
    target : str
        The format: ``"timeml"``, ``"json"``, ``"brat"`` or ``"dot"``. Of brat's files this is
        the annotation.
    points : bool
        Give the graph of time-points, as ``"dot"``.

    Returns
    -------
    tuple of bytes and tuple of Loss
        The content of the file, and what the format cannot hold, counted.

    Raises
    ------
    OptionError
        If the format is unknown, or has tables, or if there is nothing to convert.
    WriteError
        If the document cannot be written as TimeML.

    Examples
    --------
    >>> import tlex
    >>> data, losses = tlex.export.convert(tlex.from_links([("a", "BEFORE", "b")]), "dot")
    >>> data.decode().splitlines()[0]
    'digraph "<links>" {'

    See Also
    --------
    tlex.write : write into a file.
    """
    _check_what(what)
    document = what.document if isinstance(what, Extraction) else what
    if target == "timeml":
        from tlex.export.timeml import write_timeml  # noqa: PLC0415 -- one format is asked for

        return write_timeml(document)
    if target == "json":
        from tlex.export.json import write_json  # noqa: PLC0415

        return write_json(document)
    if target == "brat":
        from tlex.export.brat import write_brat  # noqa: PLC0415

        files = write_brat(document)
        return files.annotation, files.losses
    if target != "dot":
        raise OptionError(f"the format cannot be {target!r}; choose timeml, json, brat or dot")
    from tlex.export.dot import write_dot  # noqa: PLC0415

    return write_dot(_result_of(what), points=points)


def _check_what(what: object) -> None:
    if not isinstance(what, Extraction):
        require_document(what)


def _result_of(what: Document | Extraction) -> Extraction:
    if isinstance(what, Extraction):
        return what
    from tlex.extraction import extract  # noqa: PLC0415

    return extract(what)


def _write_tables(result: Extraction, target: Path, kind: str) -> tuple[Loss, ...]:
    from tlex.export.table_files import TableFiles, count_left_out, name_tables  # noqa: PLC0415

    paths = name_tables(target, kind)
    with TableFiles(paths, kind) as files:
        files.add(result)
    return count_left_out(result, paths).list()
