"""The ``tlex`` command: what all its subcommands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Annotated

import typer

from tlex._version import __version__
from tlex.cli.files import tell
from tlex.errors import TlexError

__all__ = ["app", "run"]

app = typer.Typer(
    name="tlex",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: the same at every version of rich, and quick
)

_INTERRUPTED = 130
_PIPE_CLOSED = 141


def _show_version(asked: bool) -> None:  # noqa: FBT001 -- typer calls it
    if asked:
        print(f"tlex {__version__}")
        raise typer.Exit


@app.callback(epilog="Example:  tlex extract story.tml")
def tlex(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_show_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Turn texts annotated with TimeML into exact, proven timelines."""


def _orderly(command: Callable[..., int]) -> Callable[..., int]:
    """Have a command end in an orderly way when it is interrupted or nobody listens any more.

    Typer has answers of its own to both; these keep to one line and to the shell's exit codes.
    """

    @wraps(command)
    def run_command(*arguments: object, **options: object) -> int:
        try:
            code = command(*arguments, **options)
            sys.stdout.flush()
        except KeyboardInterrupt:
            tell("interrupted")
            return _INTERRUPTED
        except BrokenPipeError:
            # Python would complain once more when it flushes stdout at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _PIPE_CLOSED
        return code

    return run_command


# Name, module, an example of its use.
_COMMANDS = (
    ("extract", "extract", "extract story.tml --json | jq .consistent"),
    ("draw", "draw", "draw story.tml -o story.svg"),
    ("check", "check", "check corpus/ --all --ignore TLX305"),
    ("rule", "check", "rule TLX203"),
    ("relation", "questions", 'relation story.tml "snowed" t4'),
    ("why", "questions", 'why story.tml ei2 "midnight" --json'),
    ("closure", "rewriting", "closure story.tml -o closed.tml"),
    ("reduce", "rewriting", "reduce corpus/ -o reduced/"),
    ("fix", "fix", "fix corpus/ --weight alink=0.5 --patch corrections.json"),
    ("apply", "fix", "apply corrections.json corpus/ -o corrected/"),
    ("convert", "convert", "convert meantime/ --to timeml -o converted/ --report"),
    ("view", "view", "view corpus/ --open"),
    ("corpus run", "corpus", "corpus run timebank/ more.tar.gz -o result --jobs 8"),
    ("corpus report", "reports", "corpus report result -o report.html"),
    ("corpus sample", "reports", "corpus sample result --what order --seed 7 -o sample/"),
    ("corpus agreement", "reports", "corpus agreement mine.csv yours.csv"),
)
_GROUPS = {"corpus": "Work on whole corpora, however large."}
_added: set[str] = set()


def _add_commands(arguments: list[str]) -> None:
    """Add the command that is asked for, or all where it is not clear which: loading takes time."""
    asked = arguments[0] if arguments else ""
    one = asked in {words.partition(" ")[0] for words, _, _ in _COMMANDS}
    for words, module, example in _COMMANDS:
        if words not in _added and (not one or words.partition(" ")[0] == asked):
            _added.add(words)
            group, _, name = words.rpartition(" ")
            function = getattr(import_module(f"tlex.cli.{module}"), f"{name}_command")
            place = _find_group(group) if group else app
            place.command(name, epilog=f"Example:  tlex {example}")(_orderly(function))


def _find_group(name: str) -> typer.Typer:
    """The group of commands with a name; it is made when it is first asked for."""
    for known in app.registered_groups:
        if known.name == name and known.typer_instance is not None:
            return known.typer_instance
    group = typer.Typer(
        help=_GROUPS[name],
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.add_typer(group, name=name)
    return group


def run(arguments: list[str]) -> int:
    """Run a command line; give the exit code. Nothing that a user can feed it makes a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    _add_commands(arguments)
    try:
        code = app(arguments or ["--help"], standalone_mode=False)
    except typer.Exit as exit_:
        return exit_.exit_code
    except (typer.TyperException, TlexError, MemoryError, OSError) as error:
        tell(_explain(error))
        return 2
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError):
        return f"the output cannot be written: {error.strerror or error}"
    if isinstance(error, TlexError):
        return str(error)
    format_message = getattr(error, "format_message", None)
    message = " ".join(str(format_message() if format_message else error).split()).rstrip(".?")
    message = message.replace(". Did you mean", "; did you mean")
    return f"{message[:1].lower()}{message[1:]}; see tlex --help"
