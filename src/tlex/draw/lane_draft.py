"""What the layout of a lane works on: parts of the result, and a lane that is being laid out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from tlex.caching import cached_property
from tlex.draw.date_axis import DateAxis
from tlex.draw.picture import (
    Band,
    Bar,
    Chip,
    DateBand,
    DateMark,
    Landmark,
    Line,
    Strand,
    Tray,
)
from tlex.draw.strands import StrandDraft
from tlex.draw.text_width import fit, fit_id, room
from tlex.nouns import Link
from tlex.records import Conflict, Connection, NodeRecord
from tlex.timeline import Timeline

__all__ = ["APART", "HANG", "PAGE", "LaneDraft", "LaneInput", "name_continued"]

PAGE = 26
"""Width of the picture in steps, unless something is wider."""

APART = 0.5
"""Steps of free space between neighbours in a row."""

HANG = 0.2
"""Steps from the left end of a bar to the connector that leaves it downwards."""


_WORD, _PHRASE = 190, 440  # pixels of the longest labels


def name_continued(timeline: Timeline) -> str:
    """Give the title of a line that continues a timeline."""
    return f"timeline {timeline.id}, continued"


class LaneInput(Struct, frozen=True, kw_only=True):
    """What the layout of lanes needs: parts of the result by id, and the options.

    ``related`` has the neighbours of each interval by its links. ``labels`` says what is written
    on intervals; ``page`` is the width of the picture in steps. ``axes`` has the calendars of
    timelines, and ``phrases`` the words around those of events, if these are to be written. ``cut``
    has the SLINKs whose connectors are cut.
    """

    nodes: Mapping[str, NodeRecord]
    links: Mapping[str, Link]
    conflicts: Mapping[int, Sequence[Conflict]]
    related: Mapping[str, Sequence[str]]
    labels: str = "words"
    page: float = PAGE
    axes: Mapping[int, DateAxis] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    cut: Collection[str] = ()

    @property
    def longest(self) -> float:
        """Pixels of the longest label of a bar."""
        return _PHRASE if self.labels == "phrases" else _WORD

    def label(self, name: str, pixels: float) -> str:
        """Give the label of an interval, its words or id or both, shortened to fit the pixels."""
        words = self.nodes[name].text
        if pixels >= _PHRASE:
            words = self.phrases.get(name, words)
        if not words or self.labels in {"ids", "none"}:
            return fit_id(name, pixels)
        if self.labels in {"words", "phrases"}:
            return fit(words, pixels)
        own = fit_id(f"{name})", pixels / 2, before=" (")
        return fit(words, pixels - room(own)) + own


class LaneDraft:
    """A lane while it is being laid out: first its place in the tree, then its contents.

    ``parent`` and ``by`` are the lane and the connection from which it hangs. ``children`` has the
    lanes that hang from it, by the interval that they hang from. ``arriving`` are the connections
    to its base; its strands have their own. ``alone`` says that no link connects it with anything.
    """

    def __init__(
        self, timeline: Timeline, parent: LaneDraft | None = None, by: Connection | None = None
    ) -> None:
        self.timeline = timeline
        self.parent = parent
        self.by = by
        self.depth: int = parent.depth + 1 if parent else 0
        self.children: dict[str, list[LaneDraft]] = {}
        self.arriving: list[Connection] = []
        self.strands: list[StrandDraft] = []
        self.cut: Collection[str] = ()  # the SLINKs whose connectors are cut
        self.block = 0
        self.alone = False
        self.flows = False  # it is wider than the page
        self.x = self.y = 0.0
        self.width = self.height = 0.0
        self.left = 0.0
        self.stride = 1.0
        self.title = ""
        self.title_row: float | None = None
        self.title_left = self.title_width = 0.0
        self.axis: float | None = None
        self.feet = True
        self.lines: list[Line] = []
        self.bars: list[Bar] = []
        self.landmarks: list[Landmark] = []
        self.bands: list[Band] = []
        self.date_bands: list[DateBand] = []
        self.date_marks: list[DateMark] = []
        self.strand_boxes: list[Strand] = []
        self.trays: list[Tray] = []
        self.chips: list[Chip] = []
        self.rings: list[tuple[Conflict, float, float]] = []
        self.arrivals: dict[
            str, tuple[str, float, float]
        ] = {}  # by link: label, row, width of label
        self.stems: dict[str, float] = {}  # by interval: x of the line from which its branches hang

    def find_strand(self, connection: Connection) -> StrandDraft | None:
        """Find the strand at which a connection arrives; None if it arrives at the base."""
        return self._strand_of.get(connection.link) if self.strands else None

    @cached_property
    def _strand_of(self) -> dict[str, StrandDraft]:
        return {c.link: strand for strand in self.strands for c in strand.arriving}

    @property
    def hung(self) -> Collection[str]:
        """The intervals from which branches hang."""
        carriers = [child.by for children in self.children.values() for child in children]
        carriers += [strand.by for strand in self.strands]
        return {by.source for by in carriers if by and by.link not in self.cut}
