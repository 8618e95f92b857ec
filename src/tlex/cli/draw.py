"""``tlex draw``: pictures of timelines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from tlex.cli.command import command, option
from tlex.cli.destination import Destination
from tlex.cli.documents import Documents
from tlex.cli.options import (
    Reading,
    Reasoning,
    output_option,
    paths_argument,
    reading_options,
    reasoning_options,
)
from tlex.cli.terminal import describe_screen, print_message, write_bytes
from tlex.draw import LABELS, THEMES, text
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.files import is_directory
from tlex.result import Extraction

__all__ = ["draw_command"]

Looks = dict[str, Any]
"""Width, theme, labels and view, as far as they were asked for."""

_KINDS = ("svg", "png", "html", "txt")


@command(example="draw story.tml -o story.svg")
@paths_argument
@output_option(
    "FILE|DIR|-",
    "Write to this .svg, .png, .html or .txt file, or to this directory for several documents.",
    default="-",
)
@option(
    "--as",
    "kind",
    type=click.Choice(_KINDS),
    metavar="KIND",
    help="Draw svg, png, html or txt, whatever the ending of the file.",
)
@option(
    "--width",
    type=click.IntRange(min=1),
    metavar="N",
    help="Width of the picture in pixels, or of a text in columns.",
)
@option(
    "--theme",
    type=click.Choice(THEMES),
    metavar="NAME",
    help="Colours: light, dark, or auto, which follows the reader's screen.",
)
@option(
    "--show",  # the library calls it labels; --labels is a file of them
    type=click.Choice(LABELS),
    metavar="WHAT",
    help="Name events and times by words, phrases (words of the sentence), ids, both or none.",
)
@option(
    "--view",
    type=click.Choice(("reading", "map")),
    metavar="VIEW",
    help="Open the page (.html) with the reading view, which is the default, or with the map.",
)
@reasoning_options(main=True, subordinating=True, dated=True, mend=True)
@reading_options()
def draw_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    output: str,
    kind: str | None,
    width: int | None,
    theme: str | None,
    show: str | None,
    view: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Draw the timelines of each document.

    The axis counts steps: the picture shows which order is known and which is unknown. The calendar
    adds the years, months or days of the steps. Without -o it is drawn as text. In a directory
    every picture has the name of its document; it is an SVG unless --as is given. PNG needs an
    extra: pip install 'tlex[png]'. An HTML page opens with the reading view: the events in words,
    from top to bottom. It can be printed, and read without its script.
    """
    reasoning.check()
    documents = Documents(paths, reading)
    several, every = documents.look_ahead()
    several = several or len(paths) > 1
    target = None if output == "-" else Destination(output, paths, several=several)
    chosen = _choose_kind(output, target, kind)
    looks = _choose_looks(chosen, width=width, theme=theme, labels=show, view=view)
    if target is None and chosen != "txt" and several:
        raise OptionError(
            "several pictures cannot go to one stream; "
            f"give a directory: -o pictures/ --as {chosen}"
        )
    if target is None and chosen == "png" and sys.stdout.isatty():
        raise OptionError("a terminal cannot show a PNG; name a file with -o")
    for number, (document, shown) in enumerate(every):
        with documents.guard(document.name):
            result = extract(document, **reasoning._asdict())
            if target is None:
                _show(result, chosen, looks, first=not number)
                continue
            name = document.name.removesuffix(Path(shown).suffix)
            path = target.write(document.name, _draw(result, chosen, looks), f"{name}.{chosen}")
            print_message(f"{document.name}: drawn to {path}")
    return documents.exit_code


def _choose_kind(output: str, target: Destination | None, asked: str | None) -> str:
    """Choose the kind of picture: what is asked for, or what the name of the file says."""
    if target is None:
        return asked or "txt"
    ending = Path(output).suffix.lower().removeprefix(".")
    if target.folder:
        if ending in _KINDS and not output.endswith("/") and not is_directory(output):
            raise OptionError(
                f"-o {output} is one picture; several documents need a directory: "
                f"-o {Path(output).with_suffix('')}/ --as {asked or ending}"
            )
        return asked or "svg"
    if asked is None and ending not in _KINDS:
        known = ", ".join(f".{kind}" for kind in _KINDS)
        raise OptionError(f"-o {output}: no picture has this ending; known are {known}")
    return asked or ending


def _choose_looks(kind: str, **asked: str | int | None) -> Looks:
    """Give the options of the drawing that were asked for; those of a kind that has none fail."""
    looks = {name: value for name, value in asked.items() if value is not None}
    for name in looks:
        if name == "view":
            if kind != "html":
                raise OptionError(f"--view is for pages (.html); {kind} always shows the map")
        elif kind == "html" or (kind == "txt" and name == "theme"):
            option = "show" if name == "labels" else name
            raise OptionError(f"--{option} is for pictures; {kind} has no such choice")
    return looks


def _show(result: Extraction, kind: str, looks: Looks, *, first: bool) -> None:
    if kind == "txt":
        print(("" if first else "\n") + text(result, **{**describe_screen(), **looks}))
    else:
        write_bytes(_draw(result, kind, looks))


def _draw(result: Extraction, kind: str, looks: Looks) -> bytes:
    if kind == "txt":
        return f"{text(result, **looks)}\n".encode()
    if kind == "png":
        from tlex.draw.png_painter import png  # noqa: PLC0415 -- only what is asked for

        return png(result, **looks)
    if kind == "svg":
        from tlex.draw.svg_painter import svg  # noqa: PLC0415

        return svg(result, **looks).encode()
    from tlex.viewer.page import html  # noqa: PLC0415

    return html(result, **looks).encode()
