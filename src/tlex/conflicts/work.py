"""How much a search may do, counted so that the same limit gives the same result everywhere.

Work is counted in constraints that were looked at, roughly. A second of a present machine is some
`RATE` of them, or more. So a limit in seconds is a limit of work at that rate: a machine that is
quick enough gives the same result as any other. The clock is a safety net for slower ones. It is
looked at whenever work is counted.
"""

from __future__ import annotations

from math import isinf
from time import monotonic

__all__ = ["RATE", "Work"]

RATE = 1_500_000
"""Units of work that stand for a second. A present machine needs half a second for them."""


class Work:
    """What was done so far, and the limit. Without limit there is no end."""

    def __init__(self, limit: int | None = None, seconds: float | None = None) -> None:
        """Set a limit of work; without one, ``seconds`` is translated into one."""
        endless = seconds is None or isinf(seconds)
        self.spent = 0
        self.limit = limit
        self._deadline = None
        if seconds is not None and not endless:
            self._deadline = monotonic() + seconds
            if limit is None:
                self.limit = int(seconds * RATE)
        self._late = False

    def spend(self, amount: int) -> None:
        """Count some work."""
        self.spent += amount
        if self._deadline is not None and monotonic() >= self._deadline:
            self._late = True

    def is_over(self, pause: int | None = None) -> bool:
        """Whether the limit is reached, or the ``pause``: an earlier limit of the same count."""
        if self._late or (self.limit is not None and self.spent >= self.limit):
            return True
        return pause is not None and self.spent >= pause
