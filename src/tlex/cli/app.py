"""The ``tlex`` command: its commands in groups, each loaded when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Final

import click

from tlex._version import __version__
from tlex.cli.command import INTERRUPTED
from tlex.cli.terminal import print_message
from tlex.errors import TlexError

__all__ = ["COMMANDS", "run"]

_PIPE_CLOSED: Final = 141

COMMANDS: Final = {
    "Look": {
        "demo": "Show what tlex does with two example documents.",
        "extract": "Extract the timelines of each document.",
        "draw": "Draw the timelines of each document.",
        "view": "Show text and timelines side by side in a browser.",
        "events": "List events in order: all, or those before something.",
        "relation": "Say how two events or times are related.",
        "why": "Prove how two events or times are related.",
        "ask": "Answer whether two events or times have a relation.",
    },
    "Check": {
        "check": "Check documents for errors and contradictions.",
        "rule": "Explain a rule of tlex check, or list all rules.",
        "verify": "Verify saved results with the independent checker.",
    },
    "Mend": {
        "fix": "Make documents consistent with the smallest change.",
        "decode": "Choose labels that are consistent and most probable.",
        "apply": "Apply corrections that tlex fix --patch has written.",
    },
    "Compare": {
        "score": "Score an annotation against a gold one.",
        "diff": "Say what one annotation has and the other has not.",
        "agree": "Measure how far several annotators agree.",
    },
    "Convert": {
        "convert": "Convert documents and timelines to other formats.",
        "merge": "Put several documents together as one.",
        "closure": "List every relation that follows from the links.",
        "reduce": "Find a minimal set of links that implies the rest.",
    },
    "Whole corpora": {
        "corpus run": "Extract whole corpora into tables.",
        "corpus report": "Show the figures of a run.",
        "corpus sample": "Draw a random sample of a run for human judges.",
        "corpus agreement": "Compare the answers of two judges to one sample.",
    },
}
"""Groups, commands, and what each does: known here, so that the list needs no command loaded."""

_SETTINGS = {"help_option_names": ["-h", "--help"]}


class _LazyGroup(click.Group):
    """Commands that are loaded from the module of their name when they are asked for."""

    def __init__(self, path: str, summary: str, **settings: object) -> None:
        super().__init__(path.rpartition(" ")[2], help=summary, **settings)  # type: ignore[arg-type]
        start = path.partition(" ")[2]
        self.path = f"{start} " if start else ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of the commands in this group."""
        del ctx
        below = (
            words.removeprefix(self.path).partition(" ")[0]
            for commands in COMMANDS.values()
            for words in commands
            if words.startswith(self.path)
        )
        return list(dict.fromkeys(below))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, if there is one of this name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        if cmd_name == "corpus" and not self.path:
            return _LazyGroup("tlex corpus", "Work on whole corpora of any size.", **_CORPUS)
        module = import_module(f"tlex.cli.{self.path.replace(' ', '.')}{cmd_name}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help where no command is given."""
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest those with a similar name."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            from difflib import get_close_matches  # noqa: PLC0415 -- only for a typing error

            words = f"no such command {name!r}"
            known = get_close_matches(name, self.list_commands(ctx))
            raise click.UsageError(words + _suggest(known), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their summaries, in groups."""
        del ctx
        for title, commands in COMMANDS.items():
            rows = [
                (words.removeprefix(self.path), summary)
                for words, summary in commands.items()
                if words.startswith(self.path)
            ]
            if rows:
                with formatter.section("Commands" if self.path else title):
                    # One column for all groups.
                    width = max(map(len, (name for names in COMMANDS.values() for name in names)))
                    formatter.write_dl([(name.ljust(width), words) for name, words in rows])


_CORPUS = {
    "context_settings": _SETTINGS,
    "epilog": "Example:  tlex corpus run timebank/ -o result",
}


def _show_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:  # noqa: FBT001 -- click calls it
    del parameter
    if asked and not context.resilient_parsing:
        click.echo(f"tlex {__version__}")
        context.exit()


_tlex = _LazyGroup(
    "tlex",
    "Turn texts annotated with TimeML into exact, proven timelines.",
    context_settings=_SETTINGS,
    epilog="Example:  tlex extract story.tml",
    params=[
        click.Option(
            ["-V", "--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version and exit.",
        )
    ],
)


def run(arguments: list[str]) -> int:
    """Run a command line and return the exit code. No user input causes a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with _tlex.make_context("tlex", list(arguments)) as context:
            code = _tlex.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except KeyboardInterrupt:
        print_message("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except (click.ClickException, TlexError, MemoryError, OSError) as error:
        print_message(_explain(error))
        return 2
    return code if isinstance(code, int) else 0


def complete(instruction: str) -> int:
    """Answer a shell that completes a command line, as click defines it."""
    from click.shell_completion import shell_complete  # noqa: PLC0415 -- only a shell asks

    return shell_complete(_tlex, {}, "tlex", "_TLEX_COMPLETE", instruction)


def _suggest(words: Iterable[str]) -> str:
    known = [repr(word) for word in words]
    return f"; did you mean {' or '.join(known)}" if known else ""


def _explain(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename else "the output cannot be written: "
        return f"{named}{error.strerror or error}"
    if not isinstance(error, click.ClickException):
        return str(error)
    if isinstance(error, click.NoSuchOption):
        known = error.possibilities or ()
        message = f"no such option {error.option_name!r}{_suggest(known)}"
    else:
        message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "tlex"
    return f"{message[:1].lower()}{message[1:]}; see {path} --help"
