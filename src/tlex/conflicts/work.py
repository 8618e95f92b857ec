"""How much a search may do, counted so that the same limit gives the same result everywhere.

Work is counted in constraints that were looked at, roughly. A second of a present machine is some
`RATE` of them, or more. So a limit in seconds is a limit of work at that rate, and the same limit
gives the same result on every machine. The clock is a safety net for a machine that is far too
slow: it ends a search after `PATIENCE` times as many seconds, and `Work.late` says so. It counts
processor time, so other programs that keep the machine busy change no result. It is looked at after
every `_OFTEN` units of work.
"""

from __future__ import annotations

from math import isinf
from time import process_time

__all__ = ["PATIENCE", "RATE", "SHORT", "Work"]

RATE = 1_200_000
"""Units of work that stand for a second; a present machine needs no longer for them."""

SHORT = RATE // 2
"""The limit where nobody asks for a proof.

So much may be spent on the proof that a list of conflicts has, and as much on the repair by which a
document is ordered or checked. Both together take about a second at most.
"""


PATIENCE = 3
"""The clock ends a search after so many times the seconds that it may take."""

_OFTEN = RATE // 100
"""After so much work the clock is looked at again."""


_LARGEST = 2**53
"""No search does so much; larger numbers are not the same in every program that reads JSON."""


class Work:
    """What was done so far, and the limit. Without limit there is no end."""

    def __init__(self, limit: int | None = None, seconds: float | None = None) -> None:
        """Set a limit of work; without one, ``seconds`` is translated into one.

        With a limit of work the clock ends nothing.
        """
        endless = seconds is None or isinf(seconds)
        self.spent = 0
        self.limit = None if limit is None else min(limit, _LARGEST)
        self._deadline = None
        self._look = 0
        if limit is None and seconds is not None and not endless:
            self._deadline = process_time() + PATIENCE * seconds
            self.limit = int(min(seconds * RATE, _LARGEST))
        self.late = False
        """Whether the clock has ended the search, so that another run may go further."""

    def spend(self, amount: int) -> None:
        """Count some work."""
        self.spent += amount
        if self._deadline is None or self.spent < self._look or self.is_over():
            return
        self._look = self.spent + _OFTEN
        self.late = process_time() >= self._deadline

    def is_over(self, pause: int | None = None) -> bool:
        """Whether the limit is reached, or the ``pause``: an earlier limit of the same count."""
        if self.late or (self.limit is not None and self.spent >= self.limit):
            return True
        return pause is not None and self.spent >= pause
