"""``tlex why``: the proof of how two events or times are related."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.answer_text import why_lines
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
from tlex.records import Answer, Why
from tlex.result import Extraction

__all__ = ["why_command"]


@command(example='why story.tml ei2 "midnight" --json')
@pair_arguments
@contradictions_option
@reasoning_options(calendar=True, mend=False)
@reading_options()
def why_command(  # noqa: PLR0913 -- one argument an option
    *,
    path: str,
    first: str,
    second: str,
    as_json: bool,
    contradictions: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Prove how two events or times are related.

    A relation that follows from the links is proven by the fewest links that are enough. An
    unknown order is proven by two complete timelines with different orders. A and B are ids, or
    words from the text.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        why = result.why(first, second, contradictions=contradictions)
        return result.answer(why=why), _say_why(result, why)

    return answer_pair(ask, path, reasoning, reading, as_json=as_json)


def _say_why(result: Extraction, why: Why) -> Iterator[str]:
    yield from say_relation(result, why.relation, page_width())
    yield from why_lines(why, page_width())
