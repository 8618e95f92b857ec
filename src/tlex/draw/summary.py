"""A result in a few words: how much there is of each thing, and how many orders are possible."""

from __future__ import annotations

from math import log10

from tlex.records import Scenarios
from tlex.result import Extraction
from tlex.wording import count

__all__ = ["facts", "orders"]

_EXACT_UP_TO = 1_000_000


def orders(scenarios: Scenarios) -> str:
    """Say how many orders are possible; a large number is rounded.

    >>> orders(Scenarios(13, True)), orders(Scenarios(13, False))
    ('13 orders', 'at least 13 orders')
    >>> orders(Scenarios(1_234_567, False))
    'at least 1.2 x 10^6 orders'
    """
    number = scenarios.count
    if number <= _EXACT_UP_TO:
        return f"{number:,} orders" if scenarios.exact else f"at least {number:,} orders"
    power = int(log10(number))
    tenths = number // 10 ** (power - 1)  # Python refuses to convert a huge number to digits
    if not 10 <= tenths < 100:  # noqa: PLR2004 -- log10 may be off by one
        power += 1 if tenths > 10 else -1  # noqa: PLR2004
        tenths = number // 10 ** (power - 1)
    times = f"{tenths // 10}.{tenths % 10} x 10^{power}"
    return f"{'about' if scenarios.exact else 'at least'} {times} orders"


def facts(result: Extraction) -> list[str]:
    """List how many nodes, timelines, sections and contradictions a result has."""
    sections = sum(len(timeline.sections) for timeline in result.timelines)
    found = [
        count(len(result.nodes), "event or time", "events and times"),
        count(len(result.trunk), "trunk timeline"),
        count(len({*result.world_of}) - len(result.main_worlds[0]), "branch", "branches"),
        count(sections, "section of unknown order", "sections of unknown order"),
    ]
    if result.conflicts:
        most = "" if result.conflicts_complete else "at least "
        found.append(most + count(len(result.conflicts), "contradiction"))
    if result.mended:
        found.append(f"{count(len(result.mended), 'link')} left out")
    return found
