"""A command of ``tlex``: its options in sections, and an example at the end of its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

__all__ = [
    "INTERRUPTED",
    "OPTIONS",
    "Argument",
    "Command",
    "Option",
    "argument",
    "command",
    "option",
]

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in a shell."""

OPTIONS = "Options"
"""The section of the options that a command does not share with others."""


class Option(click.Option):
    """An option that stands in a section of the help; limits of numbers are not shown."""

    def __init__(self, *words: Any, section: str = OPTIONS, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(*words, **settings)
        self.section = section

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Give the names of the option, and what it does with its default value."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        notes = ["required"] if self.required else []
        if isinstance(self.default, bool):
            notes += [f"default: {self.opts[0]}"] if self.default and self.secondary_opts else []
        elif isinstance(self.default, int | float | str) and self.default != "":
            notes.append(f"default: {_show_default(self.default)}")
        return record[0], f"{self.help}{''.join(f'  [{note}]' for note in notes)}"


def _show_default(value: float | str) -> str:
    """Show a default value: ``1,000,000``, ``0.95``, ``64 MB``."""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


class Argument(click.Argument):
    """An argument with an explanation."""

    def __init__(self, *words: Any, explanation: str, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(*words, **settings)
        self.explanation = explanation


class Command(click.Command):
    """A command whose help lists its arguments and its options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, the command's own options, and those that many commands have."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], OPTIONS: []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, Argument):
                row = (parameter.human_readable_name.strip("[]"), parameter.explanation)
                sections["Arguments"].append(row)
            elif record := parameter.get_help_record(ctx):
                sections.setdefault(getattr(parameter, "section", OPTIONS), []).append(record)
        width = max(len(first) for rows in sections.values() for first, _ in rows)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(
                        [(first.ljust(min(width, 30)), rest) for first, rest in rows]
                    )


def command(
    *, example: str, words: Mapping[str, str] | None = None
) -> Callable[[Callable[..., int]], Command]:
    """Make a function a command; its name is without the ``_command`` at the end.

    ``words`` replace names in braces in the docstring, which is the help.
    """

    def decorate(function: Callable[..., int]) -> Command:
        if words:
            function.__doc__ = (function.__doc__ or "").format_map(words)
        name = function.__name__.removesuffix("_command")
        made = click.command(name, cls=Command, epilog=f"Example:  tlex {example}")
        return made(function)

    return decorate


def option(*names: str, **settings: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:  # noqa: ANN401
    """Give a command an option."""
    return click.option(*names, cls=Option, **settings)


def argument(name: str, **settings: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:  # noqa: ANN401
    """Give a command an argument."""
    return click.argument(name, cls=Argument, **settings)
