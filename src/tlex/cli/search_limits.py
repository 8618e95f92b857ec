"""How long a command may look for a proof: ``--seconds`` and ``--work``."""

from __future__ import annotations

import click

from tlex.cli.command import option
from tlex.cli.options import Function
from tlex.conflicts.work import RATE
from tlex.repair.fixes import SECONDS

__all__ = ["limit_options"]

_seconds = option(
    "--seconds",
    type=click.FloatRange(0),
    default=SECONDS,
    metavar="S",
    help="How long to look for a proof, per document; counted in work.",
)
_work = option(
    "--work",
    type=click.IntRange(0),
    metavar="N",
    help=f"The same in units of work, {RATE / 1e6:g} million a second.",
)


def limit_options(function: Function) -> Function:
    """Give a command both options; they arrive as ``seconds`` and ``work``."""
    return _seconds(_work(function))
