"""The ``tlex`` command: what all its subcommands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated

import typer

from tlex._version import __version__
from tlex.cli.check import check_command, rule_command
from tlex.cli.draw import draw_command
from tlex.cli.extract import extract_command
from tlex.cli.files import tell
from tlex.cli.fix import apply_command, fix_command
from tlex.cli.questions import relation_command, why_command
from tlex.cli.rewriting import closure_command, reduce_command
from tlex.cli.view import view_command
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


_EXAMPLE = "Example:  tlex extract story.tml --json | jq .consistent"
app.command("extract", epilog=_EXAMPLE)(_orderly(extract_command))
app.command("draw", epilog="Example:  tlex draw story.tml -o story.svg")(_orderly(draw_command))
app.command("check", epilog="Example:  tlex check corpus/ --all --ignore TLX305")(
    _orderly(check_command)
)
app.command("rule", epilog="Example:  tlex rule TLX203")(_orderly(rule_command))

_EXAMPLE = 'Example:  tlex relation story.tml "snowed" t4'
app.command("relation", epilog=_EXAMPLE)(_orderly(relation_command))
_EXAMPLE = 'Example:  tlex why story.tml ei2 "midnight" --json'
app.command("why", epilog=_EXAMPLE)(_orderly(why_command))

_EXAMPLE = "Example:  tlex closure story.tml -o closed.tml"
app.command("closure", epilog=_EXAMPLE)(_orderly(closure_command))
_EXAMPLE = "Example:  tlex reduce corpus/ -o reduced/"
app.command("reduce", epilog=_EXAMPLE)(_orderly(reduce_command))

_EXAMPLE = "Example:  tlex fix corpus/ --weight alink=0.5 --patch corrections.json"
app.command("fix", epilog=_EXAMPLE)(_orderly(fix_command))
_EXAMPLE = "Example:  tlex apply corrections.json corpus/ -o corrected/"
app.command("apply", epilog=_EXAMPLE)(_orderly(apply_command))

app.command("view", epilog="Example:  tlex view corpus/ --open")(_orderly(view_command))


def run(arguments: list[str]) -> int:
    """Run a command line; give the exit code. Nothing that a user can feed it makes a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
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
