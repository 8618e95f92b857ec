"""``tlex extract``: timelines for people, or JSON for programs."""

from __future__ import annotations

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
from tlex.cli.terminal import describe_screen, is_terminal, print_message, write_bytes
from tlex.draw import text
from tlex.errors import OptionError
from tlex.result import Extraction
from tlex.wording import count

__all__ = ["extract_command"]


@command(example="extract story.tml --json | jq .consistent")
@paths_argument
@json_option
@option(
    "--pairs", is_flag=True, help="Add the pairs of unknown order to the JSON: a million at most."
)
@option("--verify", is_flag=True, help="Verify every result with the independent checker.")
@reasoning_options(main=True, subordinating=True, calendar=True, mend=False)
@reading_options()
def extract_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    as_json: bool,
    pairs: bool,
    verify: bool,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Extract the timelines of each document.

    A contradictory document is shown with the links that contradict each other; the exit code is
    0. It is 2 if a document could not be read or processed; all others are still done.
    """
    if pairs and not as_json:
        raise OptionError("--pairs adds to the JSON; give --json as well")
    # On a terminal the text lists all problems at its end: once is enough.
    documents = Documents(paths, reading, shown_later=not as_json and is_terminal())
    verified = 0
    unchecked: list[str] = []
    for number, result in enumerate(documents.extract(reasoning)):
        with documents.guard(result.document.name):
            if verify:
                unchecked += _verify(result)
                verified += 1
            if as_json:
                write_bytes(result.to_json(pairs=pairs), b"\n")
            else:
                print(("\n" if number else "") + text(result, **describe_screen()))
    if verify:
        print_message(f"verified {count(verified, 'document')}")
        if unchecked:
            claims = count(len(unchecked), "claim is", "claims are")
            print_message(f"note: {claims} too large to be verified, such as {unchecked[0]}")
    return documents.exit_code


def _verify(result: Extraction) -> list[str]:
    """Verify a result; return what was too large for that."""
    from tlex.checker import verify  # noqa: PLC0415 -- not light, and seldom asked for

    document = result.document
    return [f"{document.name}: {claim}" for claim in verify(document, result).unchecked]
