"""``tlex relation``: how two events or times are related."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.cli.command import command
from tlex.cli.options import (
    Reading,
    Reasoning,
    contradictions_option,
    reading_options,
    reasoning_options,
)
from tlex.cli.pair_command import answer_pair, pair_arguments
from tlex.cli.terminal import page_width
from tlex.lookup import say_relation
from tlex.records import Answer
from tlex.result import Extraction

__all__ = ["relation_command"]


@command(example='relation story.tml "snowed" t4')
@pair_arguments
@contradictions_option
@reasoning_options(calendar=True, mend=False)
@reading_options()
def relation_command(  # noqa: PLR0913 -- one argument an option
    *,
    path: str,
    first: str,
    second: str,
    as_json: bool,
    contradictions: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Say how two events or times are related.

    The answer is the relation that follows from the links, or the relations that are possible. A
    and B are ids, or words from the text; if several events or times have these words, they are
    listed. The exit code is 0 for every answer, even if the timeline is contradictory; it is 2 if
    something could not be read or found.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        relation = result.relation(first, second, contradictions=contradictions)
        return result.answer(relation=relation), say_relation(result, relation, page_width())

    return answer_pair(ask, path, reasoning, reading, as_json=as_json)
