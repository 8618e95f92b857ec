"""``tlex convert``: documents and timelines in other formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

import click
import msgspec

from tlex.cli.command import command, option
from tlex.cli.destination import Destination, Inputs, name_file
from tlex.cli.documents import Documents
from tlex.cli.options import (
    Reading,
    Reasoning,
    output_option,
    paths_argument,
    reading_options,
    reasoning_options,
)
from tlex.cli.terminal import page_width, print_message, write_bytes
from tlex.errors import OptionError
from tlex.export import ENDINGS, TARGETS, convert
from tlex.export.brat import write_beside, write_brat
from tlex.export.link_changes import state_calendar
from tlex.export.losses import DocumentLosses, Loss, TotalLosses
from tlex.export.table_schema import RESULT_TABLES
from tlex.extraction import extract
from tlex.wording import clean, count, flow

__all__ = ["convert_command"]

_TABULAR = ("csv", "parquet")
_LISTED = 5
_NAMES = {
    "timeml": "TimeML",
    "json": "JSON",
    "brat": "brat",
    "csv": "CSV",
    "dot": "dot",
    "parquet": "Parquet",
}


class _Conversion(NamedTuple):
    """What is asked for."""

    to: str
    output: str | None
    points: bool
    table: str | None
    losses: bool
    reasoning: Reasoning


@command(
    example="convert meantime/ --to timeml -o converted/ --losses",
    words={
        "usual": ", ".join(table.name for table in RESULT_TABLES.values() if not table.on_request),
        "asked": " and ".join(table.name for table in RESULT_TABLES.values() if table.on_request),
    },
)
@paths_argument
@option(
    "--to",
    type=click.Choice(list(TARGETS), case_sensitive=False),
    metavar="FORMAT",
    help="Format to write: timeml, json, brat, csv, dot or parquet.",
)
@output_option("FILE|DIR|-", "Write to this file or directory; its ending may stand for --to.")
@option("--points", is_flag=True, help="With dot: draw the graph of time-points.")
@option("--table", metavar="NAME", help="With csv and parquet: write one table, such as points.")
@option(
    "--losses",
    is_flag=True,
    help="Count what the format cannot hold; without -o, do only that.",
)
@option(
    "--json", "as_json", is_flag=True, help="Write the losses as JSON, one object per document."
)
@reasoning_options(main=True, subordinating=True, calendar=True, mend=False)
@reading_options()
def convert_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    to: str | None,
    output: str | None,
    points: bool,
    table: str | None,
    losses: bool,
    as_json: bool,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Convert documents and timelines to other formats.

    timeml, json and brat hold the document and can be read again; csv, dot and parquet hold its
    timelines. The tables of all documents go into one directory, one file per table: {usual}. The
    tables {asked} are written only if --table names them. With --mend, timeml and json keep all
    links, and dot draws those that are left out dashed. With --calendar, timeml and json get a
    TLINK (origin CALENDAR) for each order that follows from values and has a TimeML type. A note
    says when a format cannot hold everything; --losses counts what is lost.
    """
    reasoning.check()
    if as_json and not losses:
        raise OptionError("--json is the form of the losses; give --losses as well")
    format_ = _choose_format(to, output)
    asked = _Conversion(
        to=format_,
        output=output,
        points=points,
        table=table,
        losses=losses,
        reasoning=reasoning,
    )
    _check(asked)
    documents = Documents(paths, reading)
    convert_all = _convert_tables if format_ in _TABULAR else _convert_each
    # The losses go to stdout, unless the documents do.
    stream = sys.stderr if output == "-" else sys.stdout
    total = TotalLosses()
    for lost in convert_all(documents, asked):
        total.add(lost)
        if losses:
            _show(lost, stream, as_json=as_json)
    if losses and not as_json and total.documents > 1:
        rest = ":" if total.list() else f": {_NAMES[format_]} holds all of them"
        print(f"all {total.documents:,} documents{rest}", file=stream)
        _list(total.list(), stream)
    elif total.incomplete and not losses:
        some = count(total.incomplete, "document")
        print_message(
            f"note: {_NAMES[format_]} cannot hold all of {some}; --losses counts what is lost"
        )
    return documents.exit_code


def _choose_format(to: str | None, output: str | None) -> str:
    """Find the format that is asked for."""
    chosen = to or ENDINGS.get(Path(output or "").suffix.lower())
    if chosen is None:
        raise OptionError(f"name the format to write: --to {', '.join(TARGETS)}")
    return chosen


def _check(asked: _Conversion) -> None:
    """Refuse options that do not go together."""
    if asked.points and asked.to != "dot":
        raise OptionError("--points draws a graph; it needs --to dot")
    if asked.table is not None and asked.to not in _TABULAR:
        raise OptionError("--table chooses one of the tables; it needs --to csv or parquet")
    if asked.table is not None and asked.table not in RESULT_TABLES:
        raise OptionError(
            f"there is no table {asked.table!r}; choose from {', '.join(RESULT_TABLES)}"
        )
    if asked.to in _TABULAR and (asked.output == "-" or not (asked.output or asked.losses)):
        if asked.to == "parquet":
            raise OptionError("Parquet goes into files; give -o a directory")
        if asked.table is None:
            raise OptionError(
                "csv is several tables; give -o a directory, or choose one with --table"
            )


def _convert_each(documents: Documents, asked: _Conversion) -> Iterator[DocumentLosses]:
    """Write each document into a file of its own, or one after the other to stdout."""
    several, every = documents.look_ahead()
    output = asked.output or (None if asked.losses else "-")
    if output == "-" and asked.to == "brat":
        raise OptionError("brat needs the text beside the annotation; give -o a file or directory")
    if output == "-" and several and asked.to == "timeml":
        raise OptionError("several TimeML documents cannot go to one stream; give -o a directory")
    target = None
    if output not in {None, "-"}:
        target = Destination(str(output), documents.arguments, several=several)
    hidden: dict[str, None] = {}  # types that brat does not show
    for document, shown in every:
        done = None
        with documents.guard(document.name):
            if asked.reasoning.calendar and asked.to != "dot":
                document, lost = state_calendar(document, asked.reasoning.times)  # noqa: PLW2901
                if lost:
                    orders = count(lost, "order")
                    print_message(
                        f"note: {document.name}: {orders} of the calendar not written: "
                        "no type of TimeML says it"
                    )
            what = extract(document, **asked.reasoning._asdict()) if asked.to == "dot" else document
            data, losses = convert(what, asked.to, points=asked.points)
            if output == "-":
                write_bytes(data)
            elif target is not None:
                path = target.write(shown, data, name_file(document, shown, asked.to))
                if asked.to == "brat":
                    hidden.update(dict.fromkeys(write_beside(path, write_brat(document))))
            done = DocumentLosses(document.name, asked.to, losses)
        if done is not None:
            yield done
    if hidden:
        types = ", ".join(list(hidden)[:_LISTED]) + (", ..." if len(hidden) > _LISTED else "")
        print_message(
            f"note: an annotation.conf that was there stays; it does not declare {types}, so brat "
            "does not show these"
        )


def _convert_tables(documents: Documents, asked: _Conversion) -> Iterator[DocumentLosses]:
    """Write the tables of all documents."""
    from tlex.export.table_files import (  # noqa: PLC0415 -- only here
        TableFiles,
        add_rows,
        count_left_out,
        name_tables,
        open_table,
    )

    results = documents.extract(asked.reasoning)
    if asked.output in {None, "-"}:
        tables = RESULT_TABLES if asked.table is None else {asked.table: RESULT_TABLES[asked.table]}
        written = None
        if asked.output or not asked.losses:
            written = open_table(sys.stdout.buffer, asked.to, str(asked.table))
        for result in results:
            if written is not None:
                add_rows(written, str(asked.table), result)
            losses = count_left_out(result, tables).list()
            yield DocumentLosses(result.document.name, asked.to, losses)
        if written is not None:
            written.close()
        return
    paths = name_tables(Path(str(asked.output)), asked.to, asked.table)
    inputs = Inputs(documents.arguments)
    for path in paths.values():
        inputs.refuse(path)
    with TableFiles(paths, asked.to) as files:
        for result in results:
            files.add(result)
            losses = count_left_out(result, paths).list()
            yield DocumentLosses(result.document.name, asked.to, losses)


def _show(lost: DocumentLosses, stream: TextIO, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(lost).decode(), file=stream)
        return
    name, to = clean(lost.document), _NAMES[lost.to]
    if not lost.losses:
        print(f"{name}: {to} holds all of it", file=stream)
        return
    print(f"{name}: what {to} cannot hold as it is", file=stream)
    _list(lost.losses, stream)


def _list(losses: Iterable[Loss], stream: TextIO) -> None:
    for loss in losses:
        examples = ", ".join(loss.examples)
        more = ", …" if loss.count > len(loss.examples) else ""
        shown = f" ({examples}{more})" if examples else ""
        shown = f"; they stay{shown}" if loss.kept else shown
        words = clean(f"{loss.what}{shown}").split(" ")
        lines = flow(f"{loss.count:>9,}  ", words, " " * 11, " ", page_width())
        print("\n".join(lines), file=stream)
