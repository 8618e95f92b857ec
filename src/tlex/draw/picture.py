"""The parts of a laid-out picture: plain numbers, strings and lists.

Horizontal positions count in *steps*, vertical positions in *rows*; `STEP` and `ROW` are their
sizes in pixels. Step s of a timeline is at ``lane.left + (s - 1) * lane.stride``. Something in row
r reaches from r to r + 1; bars, chips, landmarks and labels are centred in their row. Painters may
stretch steps; text keeps its size.

A timeline that is wider than the page flows: it has several lines, below each other. What goes on
in another line has a piece in each; ``torn`` says whether it goes on at its left, and at its right.

Intervals, links and timelines have the ids of the result. ``label`` is text to show, already
cleaned and shortened, at ``label_left`` with the width ``label_width``.
"""

from __future__ import annotations

from bisect import bisect

from msgspec import Struct

__all__ = [
    "ROW",
    "STEP",
    "Band",
    "Bar",
    "Chip",
    "Connector",
    "DateBand",
    "DateMark",
    "Gap",
    "Landmark",
    "Lane",
    "LeftOut",
    "Line",
    "Picture",
    "Ring",
    "RingLink",
    "RingNode",
    "Strand",
    "Tray",
]

STEP = 48
"""Width of a step in pixels."""

ROW = 30
"""Height of a row in pixels."""


class Line(Struct, frozen=True, kw_only=True):
    """A line of a timeline that flows: its steps from ``first`` to ``last``.

    Step s is at ``left + (s - 1) * stride``. The line reaches from the row ``y`` to ``y + height``.
    The title of a line says that it continues the one above; the first has the title of the lane.
    """

    first: int
    last: int
    left: float
    y: float
    height: float
    axis: float
    title: str
    title_row: float


class Lane(Struct, frozen=True, kw_only=True):
    """The area of one timeline; its first step is at ``left``.

    ``place`` is *main*, *branch* or *detached*. ``parent`` and ``link`` are the timeline and the
    SLINK from which a branch hangs; ``depth`` is the number of SLINKs from the root of its tree.
    ``offset`` is the number of steps of the main timelines before it. ``axis`` is the row of its
    step numbers; a lane of one interval has neither axis nor title. The box (``x``, ``y``,
    ``width``, ``height``) contains everything of this timeline, including the labels of connectors
    that arrive. ``block`` is the number of its tree, in reading order. With ``feet`` a line leads
    from each time down to the axis. Only each ``every``-th step has a number, if there is little
    room. A timeline that fits the page has no ``lines``.
    """

    timeline: int
    place: str
    consistent: bool
    depth: int
    parent: int | None
    link: str | None
    block: int
    length: int
    offset: int
    left: float
    stride: float
    x: float
    y: float
    width: float
    height: float
    title: str
    title_row: float | None
    title_left: float
    title_width: float
    axis: float | None
    feet: bool = True
    every: int = 1
    lines: tuple[Line, ...] = ()

    def list_lines(self) -> tuple[Line, ...]:
        """Give the lines; a timeline that fits the page is one, and without an axis it has none."""
        if self.lines or self.axis is None:
            return self.lines
        return (
            Line(
                first=1,
                last=self.length,
                left=self.left,
                y=self.y,
                height=self.height,
                axis=self.axis,
                title=self.title,
                title_row=self.axis if self.title_row is None else self.title_row,
            ),
        )

    def find_line(self, step: int) -> int:
        """Give the number of the line that has a step."""
        return max(bisect(self.lines, step, key=lambda line: line.first) - 1, 0)

    def find_place(self, step: int, line: int) -> float:
        """Give the place of a step in a line."""
        left = self.lines[line].left if self.lines else self.left
        return left + (step - 1) * self.stride


class Bar(Struct, frozen=True, kw_only=True):
    """An interval of a consistent timeline, from the step ``first`` to the step ``last``.

    Its start can be as late as the step ``first_latest``, its end as late as ``last_latest``.
    Whiskers show this. Long ones are cut off at ``first_shown`` and ``last_shown``, to leave room
    for other bars in the row. The label stands on the bar (``inside``) or to its right. The value
    of a time is in its landmark.

    ``date`` says in words when it was, as far as that is known. ``dated`` is the left end and the
    width of the date bands that its start and end are known to be in; None if they are not.

    A ``loose`` bar stands in a tray, not at its steps: it is as wide as its label, without
    whiskers.

    The pieces of a bar that goes on in another ``line`` have the steps of all of it. Some piece has
    the label, and those behind it have it again if there is room.
    """

    interval: str
    timeline: int
    kind: str
    value: str | None
    factuality: str
    row: float
    first: int
    last: int
    first_latest: int
    last_latest: int
    left: float
    width: float
    label: str
    inside: bool
    label_left: float
    label_width: float
    first_shown: int
    last_shown: int
    date: str = ""
    dated: tuple[float, float] | None = None
    loose: bool = False
    line: int = 0
    torn: tuple[bool, bool] = (False, False)


class Landmark(Struct, frozen=True, kw_only=True):
    """The normalised value of a date or time, shown beside its bar."""

    interval: str
    timeline: int
    value: str
    first: int
    last: int
    row: float
    label: str
    label_left: float
    label_width: float
    line: int = 0


class Band(Struct, frozen=True, kw_only=True):
    """A section of a timeline whose order is unknown: the steps ``first`` to ``last``.

    The label says how many points and orders there are. It stands in the top row of the band, or
    to the right of a narrow band.
    """

    timeline: int
    first: int
    last: int
    points: int
    x: float
    y: float
    width: float
    height: float
    label: str
    label_row: float
    label_left: float
    label_width: float
    torn: tuple[bool, bool] = (False, False)


class Connector(Struct, frozen=True, kw_only=True):
    """An SLINK between two timelines: a line from the bar or chip of its source to its target's.

    ``path`` has the corners of the line, which are right angles. A connector that ``carries`` is
    the one from which the target's lane hangs. In a picture of many branches a connector may be
    ``cut``: its line begins beside its label, which names the source, and ``cut`` is the place at
    the source where it would begin.
    """

    link: str
    type: str | None
    source: str
    target: str
    source_timeline: int
    target_timeline: int
    carries: bool
    path: tuple[tuple[float, float], ...]
    label: str
    label_row: float
    label_left: float
    label_width: float
    cut: tuple[float, float] | None = None


class Gap(Struct, frozen=True, kw_only=True):
    """A line between two timelines that stand side by side, although no order of them is known.

    For neighbours in the text, the label names their closest expressions.
    """

    first_timeline: int
    second_timeline: int
    label: str
    x: float
    y: float
    height: float


class Chip(Struct, frozen=True, kw_only=True):
    """An interval of a contradictory timeline, which has no steps."""

    interval: str
    timeline: int
    kind: str
    value: str | None
    factuality: str
    row: float
    left: float
    width: float
    label: str


class RingNode(Struct, frozen=True, kw_only=True):
    """An interval on the walk of a contradiction, centred at ``x``, ``y``."""

    interval: str
    label: str
    x: float
    y: float
    width: float


class RingLink(Struct, frozen=True, kw_only=True):
    """A link on the walk, between two nodes of the ring; its label is centred at ``x``, ``y``.

    ``source`` and ``target`` are the numbers of the nodes, in the direction of the walk. ``order``
    is ``<`` or ``=``, in that direction too. ``forward`` says whether the link itself has this
    direction, ``needed`` whether it belongs to the minimal set. The label of a link of the calendar
    has the two values (``words``); other labels have the id and the type.
    """

    link: str
    type: str | None
    source: int
    target: int
    order: str
    forward: bool
    needed: bool
    label: str
    x: float
    y: float
    width: float
    words: bool = False


class Ring(Struct, frozen=True, kw_only=True):
    """A contradiction: nodes and links in the order of its closed walk.

    Link i leads from node i to the next. The box contains everything; the caption is in its first
    row. ``path`` has the corners of the line on which nodes and links stand, clockwise.
    """

    timeline: int
    kind: str
    x: float
    y: float
    width: float
    height: float
    label: str
    nodes: tuple[RingNode, ...]
    links: tuple[RingLink, ...]
    path: tuple[tuple[float, float], ...]


class LeftOut(Struct, frozen=True, kw_only=True):
    """A link that a mended timeline leaves out: a dashed curve, and a line of a list.

    ``path`` is a cubic curve from the bar of the source to that of the target: its start, two
    control points, and its end; empty if there are too many to be drawn. ``tag`` is the id, centred
    on the curve at ``tag_x``, ``tag_y``; empty if there is no room. ``label`` is the line.
    """

    link: str
    type: str | None
    source: str
    target: str
    source_timeline: int
    target_timeline: int
    label: str
    path: tuple[tuple[float, float], ...]
    tag: str
    tag_x: float
    tag_y: float
    tag_width: float


class DateBand(Struct, frozen=True, kw_only=True):
    """A year, month or day on the axis of a timeline: the steps ``first`` to ``last`` are in it.

    ``unit`` is *year*, *month* or *day*; a stretch without a known date has an empty unit. ``date``
    is the whole date in words, ``label`` what there is room for. A long band has its label several
    times: ``repeated`` are the left ends of the others.
    """

    timeline: int
    unit: str
    first: int
    last: int
    x: float
    width: float
    row: float
    date: str
    label: str
    label_left: float
    label_width: float
    repeated: tuple[float, ...] = ()
    torn: tuple[bool, bool] = (False, False)


class DateMark(Struct, frozen=True, kw_only=True):
    """A landmark of the calendar: the ``step`` at which a date begins.

    ``interval`` is a time with this date. The label is empty if there is no room for it.
    """

    timeline: int
    interval: str
    step: int
    x: float
    row: float
    date: str
    label: str
    label_left: float
    label_width: float
    line: int = 0


class Strand(Struct, frozen=True, kw_only=True):
    """A branch on the axis of a timeline with which the calendar connects it.

    ``world`` is the number of the part that the links make. ``place`` is *branch* or *detached*.
    ``link`` is the SLINK from which it hangs. The box contains its bars, and the labels of the
    connectors that arrive.
    """

    timeline: int
    world: int
    place: str
    link: str | None
    x: float
    y: float
    width: float
    height: float
    label: str
    label_row: float
    label_left: float
    label_width: float
    torn: tuple[bool, bool] = (False, False)


class Tray(Struct, frozen=True, kw_only=True):
    """A box for what has no place on an axis, with a label in its first row.

    ``kind`` is *loose* for events that can be almost anywhere on their ``timeline``, *branches* for
    its branches if they do not hang from their bars, *others* for the timelines besides the largest
    one, and *unconnected* for events and times that no link connects with anything. Of the last two
    kinds there is one tray each, without a timeline.
    """

    kind: str
    timeline: int | None
    x: float
    y: float
    width: float
    height: float
    label: str
    label_row: float
    label_left: float
    label_width: float


class Picture(Struct, frozen=True, kw_only=True):
    """Everything to paint, in reading order."""

    name: str
    consistent: bool
    facts: tuple[str, ...]
    width: float
    height: float
    lanes: tuple[Lane, ...]
    bars: tuple[Bar, ...]
    landmarks: tuple[Landmark, ...]
    bands: tuple[Band, ...]
    connectors: tuple[Connector, ...]
    gaps: tuple[Gap, ...]
    chips: tuple[Chip, ...]
    rings: tuple[Ring, ...]
    left_out: tuple[LeftOut, ...] = ()
    date_bands: tuple[DateBand, ...] = ()
    date_marks: tuple[DateMark, ...] = ()
    strands: tuple[Strand, ...] = ()
    trays: tuple[Tray, ...] = ()
    step: int = STEP
    row: int = ROW
