"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = [
    "AsJson",
    "Format",
    "LabelFile",
    "Links",
    "Main",
    "MaxBytes",
    "Paths",
    "Strict",
    "Subordinating",
    "TextFolder",
    "Times",
    "split_list",
    "split_words",
]

Paths = Annotated[
    list[str], typer.Argument(metavar="FILE|DIR|- ...", help="What to read; - is stdin.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per document, one per line.")]
Links = Annotated[
    str, typer.Option(metavar="KINDS", help="Which links order time: tlink,alink or one.")
]
Times = Annotated[
    str, typer.Option(metavar="interval|point", help="What a TIMEX3 of type TIME is.")
]
Main = Annotated[
    str | None,
    typer.Option(metavar="ID,...", help="Events or times known to be real: the trunk."),
]
Subordinating = Annotated[
    str | None,
    typer.Option(metavar="TYPE,...", help="Which SLINK types count for the trunk."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse a document that has an error.")]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="Read it as this, whatever it looks like."),
]
TextFolder = Annotated[
    str | None,
    typer.Option("--text", metavar="DIR", help="Where the texts are of what comes without."),
]
LabelFile = Annotated[
    str | None, typer.Option("--labels", metavar="FILE", help="Labels of your own, in TOML.")
]
MaxBytes = Annotated[int, typer.Option(metavar="N", min=1, help="The largest file that is read.")]


def split_list(words: str) -> list[str]:
    """Take apart what is written with commas."""
    return [word.strip() for word in words.split(",") if word.strip()]


def split_words(words: str | None) -> list[str] | None:
    """Do the same with what need not be given."""
    return None if words is None else split_list(words)
