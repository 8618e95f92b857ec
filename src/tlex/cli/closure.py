"""``tlex closure``: every relation that follows from the links."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import asdict

from tlex.cli.command import command, option
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
from tlex.export.link_changes import stream_added
from tlex.lookup import express
from tlex.reason.closure import LIMIT, Entailed
from tlex.records import EntailedLink
from tlex.records.streams import stream_json
from tlex.result import Extraction
from tlex.wording import clean, list_lines

__all__ = ["closure_command"]

_LISTED = 10


@command(example="closure story.tml -o closed.tml")
@paths_argument
@json_option
@rewrite_output
@option("--limit", type=int, default=LIMIT, metavar="N", help="Largest number of pairs to look at.")
@reasoning_options(calendar=True, mend=False)
@reading_options()
def closure_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    as_json: bool,
    output: str | None,
    limit: int,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """List every relation that follows from the links.

    Each pair of events or times with a known relation is listed once. With -o the document is
    written with a new TLINK for each relation that it does not state yet; nothing else in it
    changes. Nothing follows from a contradictory timeline. Contradictory timelines and relations
    without a TimeML type are reported.
    """

    def close(result: Extraction) -> Rewritten:
        entailed = Entailed(result.document, result.components, limit)
        return Rewritten(
            json=lambda: _encode(result, entailed),
            summary=str(entailed),
            lines=lambda: _say(result, entailed),
            write=lambda: stream_added(
                result.document, (link for link in entailed.list_links() if not link.links)
            ),
            notes=_list_untyped(entailed),
        )

    return rewrite_documents(close, Documents(paths, reading), reasoning, output, as_json=as_json)


def _encode(result: Extraction, entailed: Entailed) -> Iterator[bytes]:
    """Encode the answer, as ``Answer.to_json`` does, without all relations in memory."""
    return stream_json(asdict(result.answer()) | {"closure": entailed.list_fields()})


def _list_untyped(entailed: Entailed) -> list[str]:
    """The relations that cannot be written as TimeML."""
    first = islice(entailed.list_links(typed=False), _LISTED)
    notes = [f"  not written: {k.source} {k.name} {k.target}" for k in first]
    more = entailed.untyped - _LISTED
    return [*notes, f"  and {more:,} more; without -o all are listed"] if more > 0 else notes


def _say(result: Extraction, entailed: Entailed) -> Iterator[str]:
    nodes = {node.id: str(express(node)) for node in result.nodes}

    def say_link(link: EntailedLink) -> Iterator[str]:
        head = f"  {clean(' '.join(link.links)) or '+':<4} "
        words = [nodes[link.source], link.type or f"[{link.name}]", nodes[link.target]]
        return list_lines(head, words, " ", page_width())

    for link in entailed.list_links():
        yield from say_link(link)
    if entailed.untyped:
        yield "  entailed, but TimeML has no type for it:"
        for link in entailed.list_links(typed=False):
            yield from say_link(link)
