"""A timeline that is wider than the page flows: its axis goes on in lines below the first.

A lane is laid out in one piece and cut between two steps, where few bars cross and all words of a
line have room. Each line begins at the left. What crosses a cut gets a piece in each line. A line
has only those rows of the lane in which something stands. Loose bars, which have no place on the
axis, stand in the last line of their timeline or strand.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from tlex.draw.bars import FLOWING
from tlex.draw.lane_draft import LaneDraft, name_continued
from tlex.draw.picture import STEP, Band, Bar, DateBand, DateMark, Landmark, Line, Strand, Tray
from tlex.draw.shapes import PAD
from tlex.draw.text_width import SIZE, SMALL, room
from tlex.records import Connection
from tlex.timeline import Timeline

__all__ = ["fold", "may_flow"]

_BETWEEN = 0.6  # rows between two lines
_EARLIEST = 0.75  # of the steps that a line has room for: where the page is cut at the earliest
_ARROW = 0.35  # steps of the arrow at the end of a line
_AGAIN = "\u2026 "  # before a label that stands once more in a later line
_PIECES = 6  # pieces of a bar, on average: a timeline with more does not flow
_HEAVY = 3  # a band or a strand counts as much as so many bars


class _Rows:
    """The rows of a lane that a line has; row r of the lane becomes ``move(r)``."""

    def __init__(self) -> None:
        self.used: set[int] = set()
        self._sorted: list[int] = []
        self.top = 0.0

    def take(self, row: float, many: float = 1) -> None:
        self.used.update(range(int(row), int(row + many)))

    def settle(self, top: float) -> float:
        """Begin at a row; return the row behind the last one."""
        self.top, self._sorted = top, sorted(self.used)
        return top + len(self.used)

    def move(self, row: float) -> float:
        return self.top + bisect(self._sorted, row - 0.5)

    def count(self, row: float, many: float) -> int:
        return int(self.move(row + many) - self.move(row))


class _Window(Struct, frozen=True, kw_only=True):
    """What a line shows: the steps ``first`` to ``last``, and the places from left to right.

    What is shown is moved to the left by ``shift``.
    """

    first: int
    last: int
    left: float
    right: float
    shift: float

    def clip(self, left: float, right: float) -> tuple[float, float]:
        """Cut off what is outside, and move the rest."""
        start, end = max(left, self.left), min(right, self.right)
        return round(start - self.shift, 3), round(max(end - start, 0), 3)


def may_flow(timeline: Timeline, page: float) -> bool:
    """Whether a timeline is wider than the page, and would not fall into very many pieces."""
    length = timeline.length or 0
    if not timeline.consistent or (length - 1) * FLOWING <= page:
        return False
    points = timeline.points
    spans = sum(points[f"{name}+"][0] - points[f"{name}-"][0] for name in timeline.intervals)
    return spans * FLOWING / page < _PIECES * len(timeline.intervals)


def fold(draft: LaneDraft, page: float) -> None:
    """Fold a lane that is laid out in one piece into lines that fit the page."""
    if draft.flows:
        _Folding(draft, page).fold()


class _Folding:
    def __init__(self, draft: LaneDraft, page: float) -> None:
        self.draft = draft
        self.page = page
        self.length = draft.timeline.length or 1
        self.ends = {bar.interval: bar for bar in draft.bars}
        self.loose = {bar.interval for bar in draft.bars if bar.loose}
        self.strands = [
            _span(self.ends[name] for name in strand.intervals if name not in self.loose)
            for strand in draft.strands
        ]
        self.windows = list(self._find_windows())
        self.firsts = [window.first for window in self.windows]
        self.rows = [_Rows() for _ in self.windows]
        self.inside = self._find_trays()
        self.tray_lines = [len(self.windows) - 1] * len(draft.trays)
        for trays, span in zip(self.inside, self.strands, strict=True):
            for number in trays:
                self.tray_lines[number] = self._lines(*span)[-1]
        self.loose_lines = {
            row: line
            for tray, line in zip(draft.trays, self.tray_lines, strict=True)
            for row in _list_rows(tray)
        }

    def fold(self) -> None:
        draft = self.draft
        self._take_rows()
        at = 0.0
        for rows in self.rows:
            at = rows.settle(at) + _BETWEEN
        draft.height = at - _BETWEEN
        arrivals = {c.link: c.target for c in self._list_arriving()}
        draft.arrivals = {
            link: (label, self.rows[self._line_of(arrivals[link])].move(row), wide)
            for link, (label, row, wide) in draft.arrivals.items()
        }
        marks = {mark.interval: mark for mark in draft.landmarks}
        pieces = [
            (piece, mark)
            for bar in draft.bars
            for piece, mark in self._cut_bar(bar, marks.get(bar.interval))
        ]
        pieces.sort(key=lambda pair: pair[0].line)
        draft.bars = [bar for bar, _ in pieces]
        draft.landmarks = [mark for _, mark in pieces if mark]
        draft.bands = [piece for band in draft.bands for piece in self._cut_band(band)]
        draft.date_bands = [
            piece
            for band in draft.date_bands
            if draft.axis is None or band.row < draft.axis
            for piece in self._cut_date_band(band)
        ]
        draft.date_marks = [self._move_mark(mark) for mark in draft.date_marks]
        draft.strand_boxes = [
            piece
            for number, box in enumerate(draft.strand_boxes)
            for piece in self._cut_strand(number, box)
        ]
        draft.trays = [
            replace(tray, y=self.rows[line].move(tray.y), label_row=self.rows[line].move(tray.y))
            for tray, line in zip(draft.trays, self.tray_lines, strict=True)
        ]
        self._draw_lines()
        draft.width = max(
            draft.title_left + draft.title_width,
            *(max(bar.left + bar.width, bar.label_left + bar.label_width) for bar in draft.bars),
            *(mark.label_left + mark.label_width for mark in draft.landmarks),
            *(band.label_left + band.label_width + PAD for band in draft.bands),
            *(mark.label_left + mark.label_width for mark in draft.date_marks),
            *(box.x + box.width for box in draft.strand_boxes),
            *(tray.x + tray.width for tray in draft.trays),
            *(self._end_of(window) + _ARROW for window in self.windows),
        )

    def _place(self, step: float) -> float:
        return self.draft.left + (step - 1) * self.draft.stride

    def _end_of(self, window: _Window) -> float:
        return self._place(window.last) - window.shift

    def _lines(self, first: int, last: int) -> range:
        """The numbers of the lines of some steps."""
        return range(bisect(self.firsts, first) - 1, bisect(self.firsts, last))

    def _line_of(self, name: str) -> int:
        """The line in which a bar begins."""
        bar = self.ends[name]
        return self.loose_lines[int(bar.row)] if bar.loose else self._lines(bar.first, bar.first)[0]

    def _list_arriving(self) -> Iterator[Connection]:
        for strand in self.draft.strands:
            yield from strand.arriving
        yield from self.draft.arriving

    def _find_windows(self) -> Iterator[_Window]:
        """Cut the axis, each line as late as its words allow, or a bit earlier if less crosses."""
        reach, cost = self._measure()
        first = 1
        while first <= self.length:
            start = self._place(first)
            limit = start + self.page - self.draft.left - _ARROW
            last, far = first, reach[first]
            while last < self.length:
                far = max(far, reach[last + 1])
                if max(far, self._place(last + 1.5)) > limit:
                    break
                last += 1
            if last < self.length:
                earliest = first + int((last - first) * _EARLIEST)
                last = min(range(last, earliest - 1, -1), key=lambda step: cost[step])
            yield _Window(
                first=first,
                last=last,
                left=self._place(first - 0.5) if first > 1 else float("-inf"),
                right=self._place(last + 0.5) if last < self.length else float("inf"),
                shift=start - self.draft.left,
            )
            first = last + 1

    def _measure(self) -> tuple[list[float], list[int]]:
        """Find how far words at each step reach to the right, and how much crosses behind it."""
        draft = self.draft
        reach = [self._place(step) for step in range(self.length + 2)]
        crossing = [0] * (self.length + 2)

        def note(first: int, last: int, right: float, weight: int = 1) -> None:
            reach[first] = max(reach[first], right)
            crossing[first] += weight
            crossing[last] -= weight

        for bar in draft.bars:
            if bar.loose:
                continue
            words = bar.label_left + bar.label_width
            # A label that does not fit into what is left of its bar stands behind the cut.
            note(bar.first, bar.last, words + (bar.label_width + 2 * PAD if bar.inside else 0))
        for mark in draft.landmarks:
            if mark.interval not in self.loose:
                step = mark.last if self.ends[mark.interval].inside else mark.first
                reach[step] = max(reach[step], mark.label_left + mark.label_width)
        for band in draft.bands:
            note(band.first, band.last, band.label_left + band.label_width + PAD, _HEAVY)
        for date in draft.date_marks:
            note(date.step, date.step, date.label_left + date.label_width)
        for box, (first, last) in zip(draft.strand_boxes, self.strands, strict=True):
            note(first, last, box.label_left + box.label_width + PAD, _HEAVY)
        for strand in draft.strands:
            for connection in strand.arriving:
                bar = self.ends[connection.target]
                if not bar.loose:
                    _, _, wide = draft.arrivals[connection.link]
                    right = bar.left + 2 * PAD + wide + 0.5
                    note(bar.first, bar.first, right)
        return reach, list(accumulate(crossing))

    def _find_trays(self) -> list[set[int]]:
        """Find the numbers of the trays of each strand, by the rows of its loose bars."""
        trays = {
            row: number for number, tray in enumerate(self.draft.trays) for row in _list_rows(tray)
        }
        return [
            {trays[int(self.ends[name].row)] for name in strand.intervals if name in self.loose}
            for strand in self.draft.strands
        ]

    def _take_rows(self) -> None:
        """Find the rows in which something stands, for each line."""
        draft = self.draft
        for loose, line in self.loose_lines.items():
            self.rows[line].take(loose)
        always = [row for row in (draft.title_row, draft.axis) if row is not None]
        always += [band.row for band in draft.date_bands if band.row < (draft.axis or 0)]
        if draft.date_marks:
            always.append(draft.date_marks[0].row)
        for rows in self.rows:
            for row in always:
                rows.take(row)
        for bar in draft.bars:
            if not bar.loose:
                self._take(bar.first, bar.last, bar.row)
        for band in draft.bands:
            self._take(band.first, band.last, band.label_row)
        for box, (first, last) in zip(draft.strand_boxes, self.strands, strict=True):
            self._take(first, last, box.y)
        for connection in self._list_arriving():
            line = self._line_of(connection.target)
            self.rows[line].take(draft.arrivals[connection.link][1])

    def _take(self, first: int, last: int, row: float) -> None:
        for line in self._lines(first, last):
            self.rows[line].take(row)

    def _cut(self, first: int, last: int) -> Iterator[tuple[int, tuple[bool, bool]]]:
        """Give the lines of some steps, and on which sides a piece there is torn."""
        lines = self._lines(first, last)
        for line in lines:
            yield line, (line > lines[0], line < lines[-1])

    def _cut_bar(self, bar: Bar, mark: Landmark | None) -> Iterator[tuple[Bar, Landmark | None]]:
        if bar.loose:
            line = self.loose_lines[int(bar.row)]
            row = self.rows[line].move(bar.row)
            yield replace(bar, row=row, line=line), mark and replace(mark, row=row, line=line)
            return
        pieces = list(self._cut(bar.first, bar.last))
        extents = [self.windows[line].clip(bar.left, bar.left + bar.width) for line, _ in pieces]
        fits = [bar.label_width + 2 * PAD <= wide for _, wide in extents]
        labelled = fits.index(True) if bar.inside and True in fits else 0
        again = _AGAIN + bar.label
        more = room(again, SIZE) / STEP
        for number, ((line, torn), (left, wide)) in enumerate(zip(pieces, extents, strict=True)):
            window, row = self.windows[line], self.rows[line].move(bar.row)
            label, label_width = bar.label, bar.label_width
            inside = len(pieces) > 1 and fits[number]
            if number != labelled:
                inside = True
                fitting = number > labelled and bar.label and more + 2 * PAD <= wide
                label, label_width = (again, round(more, 3)) if fitting else ("", 0.0)
            if len(pieces) == 1:
                inside, label_left = bar.inside, bar.label_left - window.shift
            else:
                label_left = left + (PAD if inside else max(wide, 2 * PAD) + PAD)
            behind = mark if number == (len(pieces) - 1 if fits[labelled] else labelled) else None
            if behind:
                start = max(left + wide, label_left + label_width) + PAD
                if len(pieces) == 1:
                    start = behind.label_left - window.shift
                behind = replace(behind, row=row, line=line, label_left=round(start, 3))
            yield (
                replace(
                    bar,
                    row=row,
                    left=left,
                    width=wide,
                    label=label,
                    inside=inside,
                    label_left=round(label_left, 3),
                    label_width=label_width,
                    first_shown=min(bar.first_shown, max(window.last, bar.first)),
                    last_shown=min(bar.last_shown, max(window.last, bar.last)),
                    dated=bar.dated and window.clip(bar.dated[0], sum(bar.dated)),
                    line=line,
                    torn=torn,
                ),
                behind,
            )

    def _cut_band(self, band: Band) -> Iterator[Band]:
        again = _AGAIN + band.label
        more = room(again, SMALL) / STEP
        for line, torn in self._cut(band.first, band.last):
            window, rows = self.windows[line], self.rows[line]
            left, wide = window.clip(band.x, band.x + band.width)
            top = rows.move(band.label_row)
            label, label_left = band.label, band.label_left - window.shift
            label_width = band.label_width
            if torn[0]:
                fits = more + 2 * PAD <= wide
                label, label_width = (again, more) if fits else ("", 0.0)
                label_left = left + PAD
            yield replace(
                band,
                x=left,
                y=top,
                width=wide,
                height=rows.top + len(rows.used) - top,
                label=label,
                label_row=top,
                label_left=round(label_left, 3),
                label_width=round(label_width, 3),
                torn=torn,
            )

    def _cut_date_band(self, band: DateBand) -> Iterator[DateBand]:
        """Cut a band of the calendar; each piece has its label in the middle if there is room."""
        for line, torn in self._cut(band.first, band.last):
            left, wide = self.windows[line].clip(band.x, band.x + band.width)
            fits = band.label_width + PAD <= wide
            yield replace(
                band,
                x=left,
                width=wide,
                row=self.rows[line].move(band.row),
                label=band.label if fits else "",
                label_left=round(left + (wide - band.label_width) / 2, 3) if fits else left,
                label_width=band.label_width if fits else 0.0,
                repeated=(),
                torn=torn,
            )

    def _move_mark(self, mark: DateMark) -> DateMark:
        line = self._lines(mark.step, mark.step)[0]
        shift = self.windows[line].shift
        return replace(
            mark,
            x=round(mark.x - shift, 3),
            row=self.rows[line].move(mark.row),
            label_left=round(mark.label_left - shift, 3),
            line=line,
        )

    def _cut_strand(self, number: int, box: Strand) -> Iterator[Strand]:
        arriving = self.draft.strands[number].arriving
        taken = {self._line_of(connection.target) for connection in arriving}
        inside = [self.draft.trays[place] for place in self.inside[number]]
        title = _AGAIN + box.place
        more = room(title, SMALL, bold=True) / STEP
        for line, torn in self._cut(*self.strands[number]):
            window, rows = self.windows[line], self.rows[line]
            left, wide = window.clip(box.x, box.x + box.width)
            right = left + wide
            if not torn[1]:
                right = min(box.x + box.width - window.shift, self.page)
                for tray in inside:
                    left, right = min(left, tray.x), max(right, tray.x + tray.width)
            label, label_width = box.label, box.label_width
            if torn[0]:
                fits = line not in taken and more + 2 * PAD <= wide
                label, label_width = (title, more) if fits else ("", 0.0)
            yield replace(
                box,
                x=round(left, 3),
                y=rows.move(box.y),
                width=round(right - left, 3),
                height=rows.count(box.y, box.height),
                label=label,
                label_row=rows.move(box.y),
                label_left=round(left + box.label_left - box.x, 3),
                label_width=round(label_width, 3),
                torn=torn,
            )

    def _draw_lines(self) -> None:
        draft = self.draft
        axis, title = draft.axis or 0, draft.title_row or 0
        for window, rows in zip(self.windows, self.rows, strict=True):
            draft.lines.append(
                Line(
                    first=window.first,
                    last=window.last,
                    left=round(draft.left - (window.first - 1) * draft.stride, 3),
                    y=rows.top,
                    height=len(rows.used),
                    axis=rows.move(axis),
                    title=name_continued(draft.timeline) if draft.lines else draft.title,
                    title_row=rows.move(title),
                )
            )
        draft.axis, draft.title_row = draft.lines[0].axis, draft.lines[0].title_row


def _span(bars: Iterable[Bar]) -> tuple[int, int]:
    """The first and the last step of some bars."""
    steps = [(bar.first, bar.last) for bar in bars] or [(1, 1)]
    return min(first for first, _ in steps), max(last for _, last in steps)


def _list_rows(tray: Tray) -> range:
    return range(int(tray.y), int(tray.y + tray.height))
