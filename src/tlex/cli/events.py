"""``tlex events``: the events in order, or those before, after or during something."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.cli.command import command, option
from tlex.cli.documents import Documents
from tlex.cli.options import (
    Reading,
    Reasoning,
    contradictions_option,
    json_option,
    paths_argument,
    reading_options,
    reasoning_options,
)
from tlex.cli.terminal import describe_screen, print_message, write_bytes
from tlex.errors import AmbiguousError, OptionError
from tlex.event_text import event_lines
from tlex.quotation import quote
from tlex.records import EventRecord, Events
from tlex.result import Extraction
from tlex.wording import clean

__all__ = ["events_command"]

_INDENT = 8
_ELLIPSIS, _EN_DASH = "\u2026", "\u2013"


@command(example="events story.tml --after snowed --before 2020")
@paths_argument
@option("--before", metavar="X", help="Only events that end before X starts.")
@option("--after", metavar="X", help="Only events that start after X ends.")
@option("--during", metavar="X", help="Only events that start and end within X.")
@option("--on", metavar="DATE", help="The same as --during, for a date.")
@option("--unordered", metavar="X", help="Only events whose order with X is unknown.")
@json_option
@contradictions_option
@reasoning_options(main=True, subordinating=True, dated=True, mend=True)
@reading_options()
def events_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    before: str | None,
    after: str | None,
    during: str | None,
    on: str | None,
    unordered: str | None,
    as_json: bool,
    contradictions: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """List events in order: all, or those before something.

    Events come with their dates, their sentences, and what the text says about whether they
    happened. X is an id, words from the text, or a date such as 2013-03-20, 2013-03 or 2009.
    Several conditions have to hold together. Events that meet them for certain come first, then
    those for which that is possible. The exit code is 2 if something could not be read or found.
    """
    documents = Documents(paths, reading)
    printed = False
    for result in documents.extract(reasoning):
        with documents.guard(result.document.name):
            try:
                found = result.events(
                    before=before,
                    after=after,
                    during=during,
                    on=on,
                    unordered=unordered,
                    contradictions=contradictions,
                )
            except AmbiguousError as error:
                documents.fail(f"{result.document.name}: {error.message}:")
                for candidate in error.candidates:
                    print_message(f"  {candidate}")
                continue
            except OptionError as error:
                documents.fail(f"{result.document.name}: {_name_option(str(error))}")
                continue
            if as_json:
                write_bytes(result.answer(events=found).to_json() + b"\n")
            else:
                print("\n".join([*([""] if printed else []), *_say(result, found)]))
            printed = True
    return documents.exit_code


def _say(result: Extraction, found: Events) -> Iterator[str]:
    screen = describe_screen()
    width = screen["width"]

    def quote_event(event: EventRecord) -> str | None:
        return next(iter(quote(result.document, [event.id], 2 * (width - _INDENT))), None)

    yield clean(result.document.name)
    for line in event_lines(found, width, quote=quote_event, colour=screen["colour"]):
        plain = line.replace(_ELLIPSIS, "...").replace(_EN_DASH, "-")
        yield plain if screen["ascii_only"] else line


def _name_option(message: str) -> str:
    """Speak of options in the words of the command line."""
    return message.replace("(calendar=True)", "(leave out --no-calendar)")
