"""``tlex reduce``: a minimal set of links that implies the rest."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.answer_text import link_lines
from tlex.cli.command import command
from tlex.cli.documents import Documents
from tlex.cli.options import (
    Reading,
    Reasoning,
    json_option,
    paths_argument,
    reading_options,
    reasoning_options,
)
from tlex.cli.terminal import page_width
from tlex.cli.timeml_output import Rewritten, rewrite_documents, rewrite_output
from tlex.export.link_changes import remove_links
from tlex.lookup import describe_links
from tlex.records import Reduction
from tlex.result import Extraction

__all__ = ["reduce_command"]


@command(example="reduce corpus/ -o reduced/")
@paths_argument
@json_option
@rewrite_output
@reasoning_options(calendar=True, mend=False)
@reading_options()
def reduce_command(
    *,
    paths: tuple[str, ...],
    as_json: bool,
    output: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Find a minimal set of links that implies the rest.

    A link that follows from the others is dropped: TLINKs before ALINKs, later ones before earlier
    ones. With -o the document is written without these links; nothing else in it changes. The
    links of a contradictory timeline all stay; that is reported.
    """

    def reduce(result: Extraction) -> Rewritten:
        reduction = result.reduction()
        return Rewritten(
            json=lambda: [result.answer(reduction=reduction).to_json()],
            summary=str(reduction),
            lines=lambda: _say(result, reduction),
            write=lambda: remove_links(result.document, reduction.dropped),
        )

    return rewrite_documents(reduce, Documents(paths, reading), reasoning, output, as_json=as_json)


def _say(result: Extraction, reduction: Reduction) -> Iterator[str]:
    yield from _say_links(result, reduction.kept)
    if reduction.dropped:
        yield "  these follow:"
        yield from _say_links(result, reduction.dropped)


def _say_links(result: Extraction, ids: tuple[str, ...]) -> Iterator[str]:
    for link in describe_links(result, ids):
        yield from link_lines(link, "  ", page_width())
