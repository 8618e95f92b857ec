"""What ``tlex convert`` does."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec

from tlex.cli.files import Documents, look_ahead, tell, watch
from tlex.cli.target import Inputs, Target
from tlex.cli.terminal import page_width
from tlex.document import Document
from tlex.errors import OptionError, WriteError
from tlex.export import ENDINGS, TARGETS, convert
from tlex.export.losses import Loss
from tlex.export.tables import TABLES
from tlex.extraction import choose_options, extract
from tlex.timeline import Extraction
from tlex.wording import clean, count, flow

__all__ = ["Conversion", "run_conversion"]

_TABULAR = ("csv", "parquet")
_NAMES = {"timeml": "TimeML", "json": "JSON", "csv": "CSV", "dot": "dot", "parquet": "Parquet"}
_ENDINGS = frozenset((*ENDINGS, ".timeml", ".txt", ".tsv", ".jsonl"))
"""Endings that a name loses; what else stands behind a point is part of the name."""
_UNSAFE = re.compile(r"[^\w.@+-]")


class Conversion(NamedTuple):
    """What is asked for."""

    to: str | None
    output: str | None
    points: bool
    table: str | None
    report: bool
    as_json: bool
    options: dict[str, Any]


class Losses(msgspec.Struct, frozen=True):
    """What a format could not hold of a document, as an object of JSON."""

    document: str
    to: str
    losses: tuple[Loss, ...]


def run_conversion(documents: Documents, asked: Conversion) -> int:
    """Convert every document; give the exit code."""
    to = _choose_format(asked)
    options = asked.options
    choose_options(options["links"], options["times"], options["subordinating"])
    if to in _TABULAR:
        lost = _convert_tables(documents, asked, to)
    else:
        lost = _convert_each(documents, asked, to)
    # The report goes to stdout, unless the documents do.
    stream = sys.stderr if asked.output == "-" else sys.stdout
    totals: Counter[tuple[str, bool]] = Counter()
    number = incomplete = 0
    for number, (name, losses) in enumerate(lost, 1):  # noqa: B007 -- the last one counts
        incomplete += any(not loss.kept for loss in losses)
        for loss in losses:
            totals[loss.what, loss.kept] += loss.count
        if asked.report:
            _show(Losses(name, to, losses), stream, as_json=asked.as_json)
    if asked.report and not asked.as_json and number > 1:
        told = ":" if totals else f": {_NAMES[to]} holds all of them"
        print(f"all {number:,} documents{told}", file=stream)
        _list((Loss(what, n, kept=kept) for (what, kept), n in totals.items()), stream)
    elif incomplete and not asked.report:
        told = count(incomplete, "document")
        tell(f"note: {_NAMES[to]} cannot hold all of {told}; --report counts what is left out")
    return 2 if documents.failed else 0


def _choose_format(asked: Conversion) -> str:
    """Find the format that is asked for, and refuse what does not go together."""
    ending = Path(asked.output or "").suffix.lower()
    to = (asked.to or ENDINGS.get(ending, "")).lower()
    known = ", ".join(TARGETS)
    if not to:
        raise OptionError(f"say what to write: --to {known}")
    if to not in TARGETS:
        raise OptionError(f"--to cannot be {asked.to!r}; choose from {known}")
    if asked.points and to != "dot":
        raise OptionError("--points draws a graph; it needs --to dot")
    if asked.table is not None and to not in _TABULAR:
        raise OptionError("--table chooses one of the tables; it needs --to csv or parquet")
    if asked.as_json and not asked.report:
        raise OptionError("--json is the form of the report; give --report as well")
    if asked.table is not None and asked.table not in TABLES:
        raise OptionError(f"there is no table {asked.table!r}; choose from {', '.join(TABLES)}")
    if to in _TABULAR and (asked.output == "-" or not (asked.output or asked.report)):
        if to == "parquet":
            raise OptionError("Parquet goes into files; give -o a directory")
        if asked.table is None:
            raise OptionError(
                "csv is several tables; give -o a directory, or choose one with --table"
            )
    return to


def _convert_each(
    documents: Documents, asked: Conversion, to: str
) -> Iterator[tuple[str, tuple[Loss, ...]]]:
    """Write each document into a file of its own, or one behind the other to stdout."""
    several, every = look_ahead(watch(documents), documents)
    output = asked.output or (None if asked.report else "-")
    if output == "-" and several and to == "timeml":
        raise OptionError("several TimeML documents cannot follow each other; give -o a directory")
    target = None
    if output not in {None, "-"}:
        target = Target(str(output), documents.arguments, several=several)
    for document, shown in every:
        try:
            what = extract(document, **asked.options) if to == "dot" else document
            data, losses = convert(what, to, points=asked.points)
            if output == "-":
                sys.stdout.flush()
                sys.stdout.buffer.write(data)
            elif target is not None:
                target.write(shown, data, _name_file(document, shown, to))
        except (OptionError, WriteError) as error:
            documents.fail(_place(document, error))
            continue
        yield document.name, losses


def _convert_tables(
    documents: Documents, asked: Conversion, to: str
) -> Iterator[tuple[str, tuple[Loss, ...]]]:
    """Write the tables of all documents."""
    from tlex.export.files import (  # noqa: PLC0415 -- only here
        TableFiles,
        add_rows,
        count_left_out,
        name_tables,
        open_table,
    )

    results = _extract_all(documents, asked.options)
    if asked.output in {None, "-"}:
        tables = TABLES if asked.table is None else {asked.table: TABLES[asked.table]}
        written = None
        if asked.output or not asked.report:
            written = open_table(sys.stdout.buffer, to, str(asked.table))
        for result in results:
            if written is not None:
                add_rows(written, str(asked.table), result)
            yield result.document.name, count_left_out(result, tables).list()
        if written is not None:
            written.close()
        return
    paths = name_tables(Path(str(asked.output)), to, asked.table)
    inputs = Inputs(documents.arguments)
    for path in paths.values():
        inputs.refuse(path)
    with TableFiles(paths, to) as files:
        for result in results:
            files.add(result)
            yield result.document.name, count_left_out(result, paths).list()


def _extract_all(documents: Documents, options: dict[str, Any]) -> Iterator[Extraction]:
    for document in watch(documents):
        try:
            yield extract(document, **options)
        except OptionError as error:
            documents.fail(_place(document, error))


def _place(document: Document, error: Exception) -> str:
    told = str(error)
    return told if told.startswith(document.name) else f"{document.name}: {told}"


def _name_file(document: Document, shown: str, to: str) -> str:
    """The file that a document goes into; those of a table into a directory named like it."""
    path = Path(shown)
    stem = path.with_suffix("") if path.suffix.lower() in _ENDINGS else path
    inner = document.name.removeprefix(f"{shown}:")
    if inner == document.name:
        return f"{stem}{TARGETS[to]}"
    safe = _UNSAFE.sub("_", inner).lstrip(".") or "document"
    return str(stem / (safe + TARGETS[to]))


def _show(losses: Losses, stream: TextIO, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(losses).decode(), file=stream)
        return
    name, to = clean(losses.document), _NAMES[losses.to]
    if not losses.losses:
        print(f"{name}: {to} holds all of it", file=stream)
        return
    print(f"{name}: what {to} cannot hold as it is", file=stream)
    _list(losses.losses, stream)


def _list(losses: Iterable[Loss], stream: TextIO) -> None:
    for loss in losses:
        examples = ", ".join(loss.examples)
        more = ", …" if loss.count > len(loss.examples) else ""
        shown = f" ({examples}{more})" if examples else ""
        shown = f"; they stay{shown}" if loss.kept else shown
        words = clean(f"{loss.what}{shown}").split(" ")
        lines = flow(f"{loss.count:>9,}  ", words, " " * 11, " ", page_width())
        print("\n".join(lines), file=stream)
