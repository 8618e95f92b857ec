"""Options of the commands that compare annotations, or ask what one believes."""

from __future__ import annotations

import click

from tlex.cli.command import option
from tlex.cli.options import REASONING, split_words
from tlex.comparison.matching import MATCHES
from tlex.comparison.sides import POLICIES

__all__ = ["calendar_option", "claims_option", "match_option", "policy_option"]

match_option = option(
    "--match",
    type=click.Choice(MATCHES),
    default="relaxed",
    metavar="|".join(MATCHES),
    help="Match expressions by overlapping places, by equal places, or by ids.",
)
claims_option = option(
    "--links",
    type=split_words,
    default="tlink",
    metavar="KINDS",
    section=REASONING,
    help="Links that are compared: tlink, or tlink,alink.",
)
policy_option = option(
    "--contradictions",
    type=click.Choice(POLICIES),
    default="every",
    metavar="|".join(POLICIES),
    section=REASONING,
    help="What links that contradict each other entail: what holds after every smallest repair, "
    "after the first one, without knots, or without contradictory parts.",
)
calendar_option = option(
    "--calendar", is_flag=True, section=REASONING, help="Order times by their values too."
)
