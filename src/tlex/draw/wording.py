"""What the picture and the text share: options and words."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from tlex.document import Document
from tlex.errors import OptionError
from tlex.records import Scenarios
from tlex.timeline import Extraction
from tlex.wording import count

__all__ = ["check_options", "facts", "orders"]

_EXACT_UP_TO = 1_000_000


def check_options(result: object, labels: str, choices: Sequence[str]) -> None:
    """Raise an `OptionError` if something cannot be drawn, or not with these labels."""
    if isinstance(result, Document):
        raise OptionError("this is a document: use tlex.extract first, and draw what it gives")
    if not isinstance(result, Extraction):
        raise OptionError(f"only what tlex.extract gives can be drawn, not {result!r:.80}")
    if labels not in choices:
        raise OptionError(f"labels cannot be {labels!r}; choose from {', '.join(choices)}")


def orders(scenarios: Scenarios) -> str:
    """How many orders there are, with all digits as long as these can be read.

    >>> orders(Scenarios(13, True)), orders(Scenarios(13, False))
    ('13 orders', 'at least 13 orders')
    >>> orders(Scenarios(1_234_567, False))
    'at least 1.2 x 10^6 orders'
    """
    number = scenarios.count
    if number <= _EXACT_UP_TO:
        return f"{number:,} orders" if scenarios.exact else f"at least {number:,} orders"
    power = int(log10(number))
    tenths = number // 10 ** (power - 1)  # in digits Python would refuse to write a huge number
    if not 10 <= tenths < 100:  # noqa: PLR2004 -- the logarithm is a float
        power += 1 if tenths > 10 else -1  # noqa: PLR2004
        tenths = number // 10 ** (power - 1)
    times = f"{tenths // 10}.{tenths % 10} x 10^{power}"
    return f"{'about' if scenarios.exact else 'at least'} {times} orders"


def facts(result: Extraction) -> list[str]:
    """What there is in a result, each in a few words."""
    sections = sum(len(timeline.sections) for timeline in result.timelines)
    found = [
        count(len(result.nodes), "event or time", "events and times"),
        count(len(result.trunk), "trunk timeline"),
        count(len(result.branches), "branch", "branches"),
        count(sections, "undetermined stretch", "undetermined stretches"),
    ]
    if result.conflicts:
        found.append(count(len(result.conflicts), "contradiction"))
    return found
