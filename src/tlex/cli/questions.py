"""``tlex relation`` and ``tlex why``: how two events or times are related, and the proof."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from tlex.cli.files import Documents, tell
from tlex.cli.options import (
    Format,
    LabelFile,
    Links,
    MaxBytes,
    Strict,
    TextFolder,
    Times,
    split_list,
)
from tlex.cli.terminal import page_width
from tlex.cli.words import describe_links
from tlex.errors import AmbiguousError, OptionError
from tlex.extraction import choose_options, extract
from tlex.readers import MAX_BYTES
from tlex.records import Answer, PairRelation, Why
from tlex.sentences import relation_lines, why_lines
from tlex.timeline import Extraction

__all__ = ["relation_command", "why_command"]

File = Annotated[str, typer.Argument(metavar="FILE|-", help="The document; - is stdin.")]
First = Annotated[str, typer.Argument(metavar="A", help="An id, or words from the text.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another one.")]
AsJson = Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")]


def relation_command(  # noqa: PLR0913 -- one argument an option
    path: File,
    first: First,
    second: Second,
    *,
    as_json: AsJson = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Say how two events or times are related: what is entailed, or what is possible.

    A and B are ids, or words from the text; words that several have are answered with a list of
    these. The exit code is 0 for every answer, also that a timeline contradicts itself; it is 2
    if something could not be read or found.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        relation = result.relation(first, second)
        return result.answer(relation=relation), _tell_relation(result, relation)

    reading = (form, text_folder, label_file)
    documents = Documents([path], strict=strict, max_bytes=max_bytes, reading=reading)
    return _answer(ask, documents, (links, times), as_json=as_json)


def why_command(  # noqa: PLR0913 -- one argument an option
    path: File,
    first: First,
    second: Second,
    *,
    as_json: AsJson = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Prove how two events or times are related.

    What is entailed is proven by chains of constraints with the fewest links; what is open by two
    complete timelines that order it both ways. A and B are ids, or words from the text.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        why = result.why(first, second)
        return result.answer(why=why), _tell_why(result, why)

    reading = (form, text_folder, label_file)
    documents = Documents([path], strict=strict, max_bytes=max_bytes, reading=reading)
    return _answer(ask, documents, (links, times), as_json=as_json)


def _answer(
    ask: Callable[[Extraction], tuple[Answer, Iterator[str]]],
    documents: Documents,
    options: tuple[str, str],
    *,
    as_json: bool,
) -> int:
    """Ask one document, and print the answer."""
    kinds, times = split_list(options[0]), options[1]
    choose_options(kinds, times)
    for path in documents.arguments:
        if path != "-" and Path(path).is_dir():
            raise OptionError(f"{path}: is a directory; ask about one document")
    for document in documents:
        try:
            answer, lines = ask(extract(document, links=kinds, times=times))
        except AmbiguousError as error:
            documents.fail(f"{document.name}: {error.message}:")
            for candidate in error.candidates:
                tell(f"  {candidate}")
        except OptionError as error:
            documents.fail(f"{document.name}: {error}")
        else:
            if as_json:
                sys.stdout.buffer.write(answer.to_json() + b"\n")
            else:
                print("\n".join(lines))
    return 2 if documents.failed else 0


def _tell_relation(result: Extraction, relation: PairRelation) -> Iterator[str]:
    conflict = None
    if relation.verdict == "inconsistent":
        conflict = next(c for c in result.conflicts if c.timeline == relation.timelines[0])
    return relation_lines(
        relation,
        page_width(),
        path=describe_links(result, tuple(c.link for c in relation.path)),
        conflict=conflict,
        minimal=describe_links(result, conflict.minimal) if conflict else (),
    )


def _tell_why(result: Extraction, why: Why) -> Iterator[str]:
    yield from _tell_relation(result, why.relation)
    yield from why_lines(why, page_width())
