"""What a laid-out picture is made of: plain numbers, strings and lists.

Horizontal places count in *steps* at the base scale, vertical ones in *rows*; `STEP` and `ROW` say
how many pixels these are there. A step s of a timeline stands at ``lane.left + (s - 1) *
lane.stride``. A thing in row r reaches from r to r + 1; a bar, a chip, a landmark and every label
keep to the middle of theirs. Painters may stretch steps; text keeps its size.

Intervals, links and timelines go by the names they have in the result. ``label`` is what is to be
read, already cleaned and shortened; ``label_left`` and ``label_width`` say where.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "ROW",
    "STEP",
    "Band",
    "Bar",
    "Chip",
    "Connector",
    "Gap",
    "Landmark",
    "Lane",
    "Picture",
    "Ring",
    "RingLink",
    "RingNode",
]

STEP = 48
"""Pixels to a step at the base scale."""

ROW = 30
"""Pixels to a row."""


class Lane(Struct, frozen=True, kw_only=True):
    """The place of one timeline: ``left`` is where its first step stands.

    ``place`` is *main*, *branch* or *detached*. ``parent`` and ``link`` are the timeline and the
    SLINK by which a branch hangs, ``depth`` how many lie between it and the root of its tree.
    ``offset`` is the number of steps before it when main timelines are strung together. ``axis``
    is the row of its step numbers; a lane of one interval has none and no title. The box (``x``,
    ``y``, ``width``, ``height``) holds all that is the lane's own, the connectors' labels too.
    ``block`` numbers the trees (a root and all that hangs from it) in reading order.
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


class Bar(Struct, frozen=True, kw_only=True):
    """An interval of a consistent timeline, from the step ``first`` to the step ``last``.

    Its start can move as far as the step ``first_latest``, its end as far as ``last_latest``.
    Where that is far away the whiskers have room as far as ``first_shown`` and ``last_shown`` only,
    so that a row can hold other bars as well. The label stands on the bar (``inside``) or to its
    right. A time's value is in its landmark.
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


class Landmark(Struct, frozen=True, kw_only=True):
    """The normalised value of a date or time, beside its bar on the axis."""

    interval: str
    timeline: int
    value: str
    first: int
    last: int
    row: float
    label: str
    label_left: float
    label_width: float


class Band(Struct, frozen=True, kw_only=True):
    """An undetermined stretch of a timeline, the steps ``first`` to ``last``, and what is open.

    The label stands in its uppermost row; from a narrow band it flies to the right, like a flag.
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


class Connector(Struct, frozen=True, kw_only=True):
    """An SLINK between two timelines: a line from the bar (or chip) it leaves to the one it meets.

    ``path`` is a line of right angles, x and y by turns. The target's lane hangs by it if it
    ``carries``; the others only point there.
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


class Gap(Struct, frozen=True, kw_only=True):
    """A break between two neighbouring main timelines, with the expressions that come closest."""

    first_timeline: int
    second_timeline: int
    first: str
    second: str
    words: int | None
    label: str
    x: float
    y: float
    height: float


class Chip(Struct, frozen=True, kw_only=True):
    """An interval of a contradictory timeline: it has no steps, only a place."""

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
    """An interval on the walk of a contradiction; ``x`` and ``y`` are its middle."""

    interval: str
    label: str
    x: float
    y: float
    width: float


class RingLink(Struct, frozen=True, kw_only=True):
    """A link on the walk, from one node of the ring (by number) to the next; ``x``, ``y``: label.

    ``order`` is what it says of their points, ``<`` or ``=``, in the direction of the walk. The
    link itself reads in that direction if it is ``forward``. ``needed``: of the minimal set.
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


class Ring(Struct, frozen=True, kw_only=True):
    """A contradiction: nodes and links in the order of the walk, which is closed.

    Node i is followed by link i. The box holds it all, with the caption in its first row. ``path``
    are the corners of the track that nodes and links stand on, clockwise.
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


class Picture(Struct, frozen=True, kw_only=True):
    """Everything there is to paint, in reading order."""

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
    step: int = STEP
    row: int = ROW
