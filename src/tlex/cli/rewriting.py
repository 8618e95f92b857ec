"""``tlex closure`` and ``tlex reduce``: all that follows, and what it all follows from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple

import typer

from tlex.cli.files import Documents, tell, watch
from tlex.cli.options import (
    AsJson,
    Format,
    LabelFile,
    Links,
    MaxBytes,
    Paths,
    Strict,
    TextFolder,
    Times,
    split_list,
)
from tlex.cli.target import Target
from tlex.cli.words import list_lines, tell_links
from tlex.errors import OptionError, WriteError
from tlex.extraction import choose_options, extract
from tlex.lookup import express
from tlex.readers import MAX_BYTES
from tlex.reason.closure import LIMIT
from tlex.records import Answer, Closure, EntailedLink, Reduction
from tlex.timeline import Extraction
from tlex.wording import clean

__all__ = ["closure_command", "reduce_command"]

Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE|DIR|-",
        help="Write TimeML there instead: a file for one document, a directory for several.",
    ),
]


_LISTED = 10


class _Outcome(NamedTuple):
    """What a command found out about a document, in the forms that may be asked for."""

    answer: Answer
    lines: Callable[[], Iterator[str]]
    write: Callable[[], bytes]
    summary: str
    notes: list[str]


def closure_command(  # noqa: PLR0913 -- one argument an option
    paths: Paths,
    *,
    as_json: AsJson = False,
    output: Output = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many pairs to look at, at the most.")
    ] = LIMIT,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """List every relation that the links of a document entail.

    Each pair of events or times of one timeline that has an entailed relation comes once. With -o
    the document is written with a TLINK for each that no link of it says yet; all else stays
    as it is. A timeline that contradicts itself entails nothing; that is said. So is what TimeML
    has no type for.
    """

    def work(result: Extraction) -> _Outcome:
        closure = result.closure(limit)
        return _Outcome(
            result.answer(closure=closure),
            lambda: _tell_closure(result, closure),
            lambda: _write_closure(result, closure),
            str(closure),
            _list_untyped(closure),
        )

    reading = (form, text_folder, label_file)
    documents = Documents(paths, strict=strict, max_bytes=max_bytes, reading=reading)
    return _run(work, documents, (links, times), output, as_json=as_json)


def reduce_command(  # noqa: PLR0913 -- one argument an option
    paths: Paths,
    *,
    as_json: AsJson = False,
    output: Output = None,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Find links that entail all the others, with none to spare.

    A link that follows from the others is dropped, TLINKs before ALINKs and later ones before
    earlier ones. With -o the document is written without those; all else in it stays as it is. So
    does a timeline that contradicts itself; that is said.
    """

    def work(result: Extraction) -> _Outcome:
        reduction = result.reduction()
        return _Outcome(
            result.answer(reduction=reduction),
            lambda: _tell_reduction(result, reduction),
            lambda: _write_reduction(result, reduction),
            str(reduction),
            [],
        )

    reading = (form, text_folder, label_file)
    documents = Documents(paths, strict=strict, max_bytes=max_bytes, reading=reading)
    return _run(work, documents, (links, times), output, as_json=as_json)


def _run(
    work: Callable[[Extraction], _Outcome],
    documents: Documents,
    options: tuple[str, str],
    output: str | None,
    *,
    as_json: bool,
) -> int:
    kinds, times = split_list(options[0]), options[1]
    choose_options(kinds, times)
    target = None if output is None else Target(output, documents.arguments, rewrites=True)
    if output == "-" and as_json:
        raise OptionError("-o - writes TimeML to stdout, where --json writes too; choose one")
    for number, document in enumerate(watch(documents)):
        try:
            outcome = work(extract(document, links=kinds, times=times))
            if target is not None:
                target.write(document.name, outcome.write())
        except (OptionError, WriteError) as error:
            documents.fail(str(error))
            continue
        if target is not None:
            tell(f"{document.name}: {outcome.summary}")
            for note in outcome.notes:
                tell(note)
        if as_json:
            sys.stdout.flush()
            sys.stdout.buffer.write(outcome.answer.to_json() + b"\n")
        elif target is None:
            heading = list_lines(f"{clean(document.name)}: ", outcome.summary.split("; "), "; ")
            print("\n".join([*([""] if number else []), *heading, *outcome.lines()]))
    return 2 if documents.failed else 0


def _write_closure(result: Extraction, closure: Closure) -> bytes:
    from tlex.export.links import add_links  # noqa: PLC0415 -- only with -o

    return add_links(result.document, (link for link in closure.links if not link.links))


def _write_reduction(result: Extraction, reduction: Reduction) -> bytes:
    from tlex.export.links import remove_links  # noqa: PLC0415 -- only with -o

    return remove_links(result.document, reduction.dropped)


def _list_untyped(closure: Closure) -> list[str]:
    """What cannot be written as TimeML, for those who have it written."""
    notes = [f"  not written: {k.source} {k.name} {k.target}" for k in closure.untyped[:_LISTED]]
    more = len(closure.untyped) - _LISTED
    return [*notes, f"  and {more:,} more; without -o all are listed"] if more > 0 else notes


def _tell_closure(result: Extraction, closure: Closure) -> Iterator[str]:
    nodes = {node.id: express(node) for node in result.nodes}

    def tell_link(link: EntailedLink) -> Iterator[str]:
        head = f"  {clean(' '.join(link.links)) or '+':<4} "
        words = [str(nodes[link.source]), link.type or f"[{link.name}]", str(nodes[link.target])]
        return list_lines(head, words, " ")

    for link in closure.links:
        yield from tell_link(link)
    if closure.untyped:
        yield "  entailed, but TimeML has no type for it:"
        for link in closure.untyped:
            yield from tell_link(link)


def _tell_reduction(result: Extraction, reduction: Reduction) -> Iterator[str]:
    yield from tell_links(result, reduction.kept, "  ")
    if reduction.dropped:
        yield "  these follow:"
        yield from tell_links(result, reduction.dropped, "  ")
