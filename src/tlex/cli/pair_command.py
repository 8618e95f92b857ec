"""What ``tlex relation`` and ``tlex why`` have in common: ``FILE A B``, and printing the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tlex.cli.command import argument, option
from tlex.cli.documents import Documents
from tlex.cli.options import PATH, Reading, Reasoning
from tlex.cli.terminal import print_message, write_bytes
from tlex.errors import AmbiguousError, OptionError
from tlex.files import is_directory
from tlex.records import Answer
from tlex.result import Extraction

__all__ = ["answer_pair", "pair_arguments"]

_json_option = option("--json", "as_json", is_flag=True, help="Write the answer as JSON.")
_file_argument = argument(
    "path", type=PATH, metavar="FILE|-", explanation="The document, or - for standard input."
)
_first_argument = argument("first", metavar="A", explanation="An id, or words from the text.")
_second_argument = argument("second", metavar="B", explanation="Another id, or other words.")


def pair_arguments(function: Callable[..., int]) -> Callable[..., int]:
    """``FILE A B`` and ``--json``."""
    for each in (_json_option, _second_argument, _first_argument, _file_argument):
        function = each(function)
    return function


def answer_pair(
    ask: Callable[[Extraction], tuple[Answer, Iterator[str]]],
    path: str,
    reasoning: Reasoning,
    reading: Reading,
    *,
    as_json: bool,
) -> int:
    """Ask about two events or times of one document; print the answer, return the exit code."""
    if path != "-" and is_directory(path):
        raise OptionError(f"{path}: is a directory; ask about one document")
    documents = Documents([path], reading)
    for result in documents.extract(reasoning):
        with documents.guard(result.document.name):
            try:
                answer, lines = ask(result)
            except AmbiguousError as error:
                documents.fail(f"{result.document.name}: {error.message}:")
                for candidate in error.candidates:
                    print_message(f"  {candidate}")
                continue
            if as_json:
                write_bytes(answer.to_json() + b"\n")
            else:
                print("\n".join(lines))
    return documents.exit_code
