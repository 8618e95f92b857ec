"""``tlex ask``: whether two events or times have a relation."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tlex.cli.command import argument, command, option
from tlex.cli.comparison_options import calendar_option, policy_option
from tlex.cli.documents import Documents
from tlex.cli.options import PATH, REASONING, Reading, reading_options, split_words
from tlex.cli.terminal import page_width, print_message, write_bytes
from tlex.comparison.questions import Asker, Reply
from tlex.comparison.reply_text import reply_line, reply_lines
from tlex.errors import AmbiguousError, OptionError
from tlex.files import is_directory
from tlex.readers import load

__all__ = ["ask_command"]


@command(example='ask story.tml "IS built BEFORE midnight"')
@argument("path", type=PATH, metavar="FILE|-", explanation="The document, or - for standard input.")
@argument(
    "question",
    required=False,
    metavar="[QUESTION]",
    explanation="IS x REL y. Words with blanks stand in quotes.",
)
@option(
    "--questions",
    type=PATH,
    metavar="FILE|-",
    help="File with questions, one per line; each is answered in one line.",
)
@option("--json", "as_json", is_flag=True, help="Write one JSON object per answer, one per line.")
@policy_option
@option(
    "--links",
    type=split_words,
    default="tlink,alink",
    metavar="KINDS",
    section=REASONING,
    help="Links that order time: tlink, alink or both.",
)
@calendar_option
@reading_options()
def ask_command(  # noqa: PLR0913 -- one argument an option
    *,
    path: str,
    question: str | None,
    questions: str | None,
    as_json: bool,
    contradictions: str,
    links: tuple[str, ...],
    calendar: bool,
    reading: Reading,
) -> int:
    """Answer whether two events or times have a relation.

    The answer is yes if the relation follows from the links, no if it is impossible, and unknown
    otherwise, with the reason: there is no such expression, it is in no link, nothing connects the
    two, their order is open, or it is disputed because smallest repairs of contradictory links
    disagree. The proof and the links that are not believed are shown.

    x and y are ids, or words from the text. REL is any label that orders time: TimeML's, Allen's,
    or one of the wider ones (docs/labels.md), in upper or lower case. DURING is TimeML's; Allen's
    during is IS_INCLUDED. In a file of questions, blank lines and lines that begin with # are
    skipped.

    The exit code is 0 for every answer; it is 2 if a document or a question could not be read.
    """
    if (question is None) == (questions is None):
        raise OptionError("give one question, or a file with --questions")
    if path == questions == "-":
        raise OptionError("standard input can be the document or the questions, not both")
    if path != "-" and is_directory(path):
        raise OptionError(f"{path}: is a directory; ask about one document")
    asked = [("", question)] if question is not None else list(_read_questions(questions or ""))
    documents = Documents([path], reading)
    many, found = documents.look_ahead()
    short = questions is not None
    for document, _ in found:
        with documents.guard(document.name):
            asker = Asker(document, links=links, contradictions=contradictions, calendar=calendar)
            for place, words in asked:
                where = place or f"{document.name}: "
                with documents.guard(where):
                    try:
                        reply = asker.ask(words)
                    except AmbiguousError as error:
                        documents.fail(f"{where}{error.message}:")
                        for candidate in error.candidates:
                            print_message(f"  {candidate}")
                    except OptionError as error:
                        documents.fail(f"{where}{error}")
                    else:
                        _show(reply, document.name if many else "", as_json=as_json, short=short)
    return documents.exit_code


def _show(reply: Reply, name: str, *, as_json: bool, short: bool) -> None:
    """Print an answer, with a name in front if there is one; ``short``: in one line."""
    if as_json:
        write_bytes(reply.to_json() + b"\n")
        return
    words = reply_line(reply) if short else "\n".join(reply_lines(reply, page_width()))
    print(f"{name}: {words}" if name else words)


def _read_questions(path: str) -> Iterator[tuple[str, str]]:
    """Read questions, each with the name of its file and its line, for messages."""
    try:
        if path == "-":
            data = load(sys.stdin.buffer.read, path)
        else:
            with open(path, "rb") as file:  # noqa: PTH123 -- a pipe will do
                data = load(file.read, path)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise OptionError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        before = data.count(b"\n", 0, error.start)
        raise OptionError(f"{path}:{before + 1}: not UTF-8") from None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.strip()
        if words and not words.startswith("#"):
            yield f"{path}:{number}: ", words
