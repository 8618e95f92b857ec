"""What ``tlex closure`` and ``tlex reduce`` have in common: an answer, or TimeML with new links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tlex.cli.destination import Destination
from tlex.cli.documents import Documents
from tlex.cli.options import Reasoning, output_option
from tlex.cli.terminal import page_width, print_message, write_bytes, write_parts
from tlex.errors import OptionError
from tlex.result import Extraction
from tlex.wording import clean, list_lines

__all__ = ["Rewritten", "rewrite_documents", "rewrite_output"]

rewrite_output = output_option(
    "FILE|DIR|-", "Write TimeML to this file, or to this directory for several documents."
)


class Rewritten(NamedTuple):
    """The answer for a document, in the forms that may be asked for; these may come in parts."""

    json: Callable[[], Iterable[bytes]]
    summary: str
    lines: Callable[[], Iterator[str]]
    write: Callable[[], bytes | Iterable[bytes]]
    notes: list[str] = []  # noqa: RUF012 -- never changed


def rewrite_documents(
    rewrite: Callable[[Extraction], Rewritten],
    documents: Documents,
    reasoning: Reasoning,
    output: str | None,
    *,
    as_json: bool,
) -> int:
    """Answer for every document, print or write the answer, and return the exit code."""
    reasoning.check()
    target = None if output is None else Destination(output, documents.arguments, rewrites=True)
    if output == "-" and as_json:
        raise OptionError("-o - writes TimeML to stdout, where --json writes too; choose one")
    for number, result in enumerate(documents.extract(reasoning)):
        document = result.document
        with documents.guard(document.name):
            rewritten = rewrite(result)
            if target is not None:
                source = document.source
                before = None if source is None else source.original
                target.write(document.name, rewritten.write(), before=before)
                print_message(f"{document.name}: {rewritten.summary}")
                for note in rewritten.notes:
                    print_message(note)
            if as_json:
                write_parts(rewritten.json())
                write_bytes(b"\n")
            elif target is None:
                summary = rewritten.summary.split("; ")
                heading = list_lines(f"{clean(document.name)}: ", summary, "; ", page_width())
                print(*([""] if number else []), *heading, sep="\n")
                for line in rewritten.lines():
                    print(line)
    return documents.exit_code
