"""The calendar in a lane: bands of years, months or days, and landmarks where dates begin.

Labels never overlap. A band has the longest of its labels for which it has room, or none. Of the
landmarks, from left to right, each has its whole date if that ends before the next landmark, or
else the date without its year. A landmark whose place is taken by then has no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from msgspec import Struct

from tlex.draw.date_axis import DateAxis, leave_out_year
from tlex.draw.picture import STEP, DateBand, DateMark
from tlex.draw.text_width import SMALL, room

__all__ = ["Ruler", "find_reaches", "lay_out_date_bands", "lay_out_date_marks"]

UNDATED = "undated"
"""The label of a stretch without a known date."""

_SIDE = 0.4  # steps of a band beyond the first and the last step of a timeline
_LONG = 16  # steps for which a band has its label once
_INNER = 0.08  # steps between the end of a band and its label
_FLAG = 0.08  # steps between a landmark and its label
_APART = 0.2  # steps between two labels


class Ruler(Struct, frozen=True, kw_only=True):
    """Where the steps of a timeline are: the first at ``left``, each other a ``stride`` on."""

    timeline: int
    length: int
    left: float
    stride: float

    def place(self, step: float) -> float:
        """Give the place of a step."""
        return self.left + (step - 1) * self.stride


def lay_out_date_bands(axis: DateAxis, ruler: Ruler, row: float) -> list[DateBand]:
    """Lay out the bands of a timeline, and the undated stretches between them."""
    stretches: list[tuple[int, int, str, tuple[str, ...]]] = []
    free = 1
    for unit in axis.units:
        if unit.first > free:
            stretches.append((free, unit.first - 1, "", (UNDATED,)))
        shorter = leave_out_year(unit.words)
        stretches.append((unit.first, unit.last, unit.words, (unit.short, shorter)))
        free = unit.last + 1
    if free <= ruler.length:
        stretches.append((free, ruler.length, "", (UNDATED,)))
    bands = []
    for first, last, words, labels in stretches:
        start = ruler.place(1) - _SIDE if first == 1 else ruler.place(first - 0.5)
        end = ruler.place(last) + _SIDE if last == ruler.length else ruler.place(last + 0.5)
        fitting = (each for each in labels if _measure(each) + 2 * _INNER <= end - start)
        label = next(fitting, "")
        wide = _measure(label)
        times = max(1, int((end - start) // _LONG))
        share = (end - start) / times
        lefts = [round(start + (k + 0.5) * share - wide / 2, 3) for k in range(times)]
        bands.append(
            DateBand(
                timeline=ruler.timeline,
                unit=axis.unit if words else "",
                first=first,
                last=last,
                x=round(start, 3),
                width=round(end - start, 3),
                row=row,
                date=words,
                label=label,
                label_left=lefts[0],
                label_width=round(wide, 3),
                repeated=tuple(lefts[1:]) if label else (),
            )
        )
    return bands


def _measure(label: str) -> float:
    return room(label, SMALL, bold=True) / STEP


def lay_out_date_marks(axis: DateAxis, ruler: Ruler, row: float) -> Iterator[DateMark]:
    """Lay out the landmarks of a timeline."""
    places = [ruler.place(start.step) for start in axis.starts]
    taken = -inf
    for start, x, other in zip(axis.starts, places, [*places[1:], inf], strict=False):
        limit = other + _FLAG - _APART
        at = x + _FLAG
        label = start.words
        if at + room(label, SMALL) / STEP > limit:
            label = start.short
        if at < taken:
            label = ""
        wide = room(label, SMALL) / STEP
        if label:
            taken = at + wide + _APART
        yield DateMark(
            timeline=ruler.timeline,
            interval=start.interval,
            step=start.step,
            x=round(x, 3),
            row=row,
            date=start.words,
            label=label,
            label_left=round(at, 3),
            label_width=round(wide, 3),
        )


def find_reaches(axis: DateAxis, bands: Sequence[DateBand]) -> dict[str, tuple[float, float]]:
    """Give the left end and the width of the bands that each dated interval is known to be in."""
    known = [band for band in bands if band.unit]
    reaches = {}
    for interval, (one, other) in axis.dated.items():
        first, last = known[one], known[other]
        reaches[interval] = first.x, round(last.x + last.width - first.x, 3)
    return reaches
