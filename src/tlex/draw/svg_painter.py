"""A laid-out picture as SVG: one file without scripts, links or embedded fonts.

The colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart.
Some are darker or lighter here, for contrast with text. The factuality of an event does not need
colour: filled (factual), pale with an outline (reported), outlined (possible, conditional,
unasserted), or hatched (negated, counterfactual).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import inf

from tlex.document import Document
from tlex.draw.layout import lay_out
from tlex.draw.left_out import find_crossed
from tlex.draw.legend import paint_legend
from tlex.draw.options import LABELS, THEMES, take_result
from tlex.draw.picture import (
    STEP,
    Band,
    Bar,
    Chip,
    Connector,
    DateBand,
    DateMark,
    Gap,
    Landmark,
    Lane,
    LeftOut,
    Picture,
    Ring,
    Strand,
    Tray,
)
from tlex.draw.style import make_style
from tlex.draw.text_width import SMALL, fit, room
from tlex.errors import OptionError
from tlex.result import Extraction
from tlex.wording import clean, name_node

__all__ = ["paint", "svg"]

_EDGE = 28  # pixels around everything
_HEAD = 70  # pixels above the lanes
_NARROWEST = 600
_THICK = 18  # pixels of a bar
_ROUND = 4, 0  # corners of events and of times: without colours, these tell them apart
_TURN = 6  # radius of a connector's corners
_FAR = 12  # rows: a connector that crosses more of them is drawn faintly
_WHISKER = 3  # pixels from a bar to its whisker
_DASHES = "h3m2 0h3m2 0h4"  # at both ends of a line that goes on
_CHEVRON = 5  # pixels by which the torn end of a piece stands out
_CAP, _GOES_ON = (
    "m0 -2.5v5",
    "m-4 -2.5l4 2.5 -4 2.5",
)  # the end of a whisker: all of it is shown, or not
_LOOKS = {
    "factual": "solid",
    "reported": "pale",
    "possible": "outlined",
    "conditional": "outlined",
    "unasserted": "outlined",
    "negated": "hatched",
    "counterfactual": "hatched",
}


def svg(
    result: Extraction | Document,
    *,
    width: float | None = None,
    theme: str = "auto",
    labels: str = "words",
) -> str:
    """Draw a result as an SVG document.

    Parameters
    ----------
    result : Extraction or Document
        What `tlex.extract` gave, or a document, which is extracted with ``calendar=True`` and
        ``mend=True``.
    width : float, optional
        The width of the picture in pixels. Timelines flow into lines of this width; what is still
        wider is scaled down. Without it, the picture has the width that suits it.
    theme : str
        The colours: ``"light"``, ``"dark"``, or ``"auto"``, which follows the reader's screen.
    labels : str
        What is written on events and times: ``"words"``, ``"phrases"`` (of an event also what
        stands around it in its sentence), ``"ids"``, ``"both"`` or ``"none"``. A contradiction is
        shown by ids if there are no labels.

    Returns
    -------
    str
        The SVG, without scripts, links and fonts.

    Raises
    ------
    OptionError
        If neither is given, or a wrong option.

    Examples
    --------
    >>> import tlex
    >>> result = tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")]))
    >>> 'width="800"' in tlex.draw.svg(result, width=800, theme="dark", labels="ids")
    True

    See Also
    --------
    tlex.draw.png : the same picture in pixels.
    tlex.draw.text : a drawing for a terminal.
    """
    result = take_result(result, labels, LABELS)
    if width is not None and not (isinstance(width, int | float) and 0 < width < inf):
        raise OptionError(f"the width cannot be {width!r}; give a number of pixels above 0")
    if theme not in THEMES:
        raise OptionError(f"the theme cannot be {theme!r}; choose from {', '.join(THEMES)}")
    page = None if width is None else (width - 2 * _EDGE) / STEP
    words = {node.id: node.text for node in result.nodes}
    return paint(lay_out(result, labels=labels, page=page), width=width, theme=theme, words=words)


def paint(
    picture: Picture,
    *,
    width: float | None = None,
    theme: str = "auto",
    words: Mapping[str, str] | None = None,
) -> str:
    """Paint a laid-out picture.

    With a ``width`` in pixels, a smaller picture gets wider margins and a larger one is scaled
    down. ``words`` has the words of events and times by id, for the tooltips.
    """
    return "\n".join(_Painting(picture, width, theme, words or {}).lines()) + "\n"


class _Painting:
    """Writes the parts of a picture as SVG elements, with steps and rows as pixels."""

    def __init__(
        self, picture: Picture, width: float | None, theme: str, words: Mapping[str, str]
    ) -> None:
        self.picture = picture
        self.theme = theme
        self.lanes = {lane.timeline: lane for lane in picture.lanes}
        self.words = words
        self.marks = {mark.interval: mark for mark in picture.landmarks}
        self.crossed = find_crossed(picture)
        self.verdict = "consistent" if picture.consistent else "contradictory"
        self.facts = " · ".join(picture.facts)
        self.pill = room(self.verdict, SMALL, bold=True) + 14
        head = self.pill + 10 + room(self.facts, SMALL + 1)
        self.width = max(_NARROWEST, head, picture.width * picture.step) + 2 * _EDGE
        self.width = max(self.width, width or 0)
        self.scale = 1 if width is None else width / self.width
        self.foot = _EDGE + _HEAD + picture.height * picture.row + _EDGE

    def lines(self) -> Iterator[str]:
        picture = self.picture
        legend, depth = paint_legend(picture, self.width - 2 * _EDGE)
        wide, high = self.width, self.foot + depth + _EDGE
        width, height = _n(wide), _n(high)
        about = f"Timeline of {picture.name}"
        said = f"{self.verdict}; {', '.join(picture.facts)}"
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tlex" viewBox="0 0 {width} {height}" '
            f'width="{_n(wide * self.scale)}" height="{_n(high * self.scale)}" '
            f'role="graphics-document document" aria-roledescription="timeline">'
        )
        yield f"<title>{escape(about)}</title>"
        yield f"<desc>{escape(said)}</desc>"
        yield make_style(
            self.theme,
            dates=bool(picture.date_bands),
            strands=bool(picture.strands),
            lines=any(lane.lines for lane in picture.lanes),
        )
        yield f'<rect class="paper" width="{width}" height="{height}"/>'
        yield from self._heading()
        far = [connector for connector in picture.connectors if _is_far(connector)]
        near = [connector for connector in picture.connectors if not _is_far(connector)]
        yield from self._layer("lanes", map(self._lane, picture.lanes))
        yield from self._layer("bands", map(self._band, picture.bands))
        yield from self._layer("flags", map(self._flag, picture.bands))
        yield from self._layer("dated", map(self._dated, picture.bars))
        yield from self._layer("trays", map(self._tray, picture.trays))
        yield from self._layer("strands", map(self._strand, picture.strands))
        yield from self._layer("far", map(self._connector, far))
        if far:
            yield '<g class="crossed">'
        yield from self._layer("axes", map(self._axis, picture.lanes))
        yield from self._layer("feet", map(self._foot, picture.landmarks))
        yield from self._layer("gaps", map(self._gap, picture.gaps))
        yield from self._layer("connectors", map(self._connector, near))
        yield from self._layer("left-outs", map(self._left_out, picture.left_out))
        yield from self._layer("dates", map(self._date_band, picture.date_bands))
        yield from self._layer("starts", map(self._date_mark, picture.date_marks))
        yield from self._layer("titles", map(self._title, picture.lanes))
        yield from self._layer("open", map(self._open, picture.bands))
        yield from self._layer("bars", map(self._bar, picture.bars))
        yield from self._layer("chips", map(self._chip, picture.chips))
        yield from self._layer("rings", map(self._ring, picture.rings))
        yield from self._layer("tags", map(self._tag, picture.left_out))
        if far:
            yield "</g>"
        yield f'<g class="legend" transform="translate({_EDGE} {_n(self.foot)})">'
        yield from legend
        yield "</g>"
        yield "</svg>"

    def _layer(self, name: str, things: Iterable[Iterator[str]]) -> Iterator[str]:
        lines = [line for thing in things for line in thing]
        if lines:
            yield f'<g class="{name}">'
            yield from lines
            yield "</g>"

    def _heading(self) -> Iterator[str]:
        mood = "good" if self.picture.consistent else "bad"
        name = fit(self.picture.name, (self.width - 2 * _EDGE) / 1.15, 17)
        yield f'<text class="name" x="{_EDGE}" y="{_EDGE + 13}">{escape(name)}</text>'
        yield (
            f'<rect class="verdict {mood}" x="{_EDGE}" y="{_EDGE + 25}" width="{_n(self.pill)}" '
            'height="19" rx="9.5"/>'
        )
        yield (
            f'<text class="verdict {mood}" x="{_n(_EDGE + self.pill / 2)}" y="{_EDGE + 38.2}">'
            f"{self.verdict}</text>"
        )
        left = _n(_EDGE + self.pill + 10)
        yield f'<text class="facts" x="{left}" y="{_EDGE + 38.5}">{escape(self.facts)}</text>'

    def _lane(self, lane: Lane) -> Iterator[str]:
        if not lane.consistent:
            left, top = self._x(lane.left - 0.25), self._y(lane.title_row or lane.y)
            wide = (lane.x + lane.width - lane.left + 0.5) * self.picture.step
            high = self._y(lane.y + lane.height) - top
            yield (
                f'<rect class="broken" x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" '
                f'height="{_n(high)}" rx="8"/>'
            )

    def _title(self, lane: Lane) -> Iterator[str]:
        titles = [(lane.title, lane.title_row)]
        titles += [(line.title, line.title_row) for line in lane.lines[1:]]
        for title, row in titles:
            if row is None or not title:
                continue
            mood = "title" if lane.consistent else "title bad"
            y = self._y(row) + 17
            yield (
                f'<text class="{mood}" x="{_n(self._x(lane.title_left))}" y="{_n(y)}">'
                f"{escape(title)}</text>"
            )

    def _axis(self, lane: Lane) -> Iterator[str]:
        for number, line in enumerate(lane.list_lines()):
            y = self._y(line.axis) + 20
            end = self._y(line.y + line.height)
            steps = range(line.first, line.last + 1)
            places = {k: self._x(lane.find_place(k, number)) for k in steps}
            named = [(k, x) for k, x in places.items() if k % lane.every == 0]
            grid = "".join(f"M{_n(x)} {_n(y)}V{_n(end)}" for _, x in named)
            yield f'<path class="grid" d="{grid}"/>'
            ticks = "".join(f"M{_n(x)} {_n(y - 3)}v6" for _, x in named)
            left, right = places[line.first], places[line.last]
            yield f'<path class="axis" d="M{_n(left)} {_n(y)}H{_n(right)}{ticks}"/>'
            for step, x in named:
                yield f'<text class="step" x="{_n(x)}" y="{_n(y - 6)}">{step}</text>'
            if line.first > 1:
                yield f'<path class="axis goes-on" d="M{_n(left - 14)} {_n(y)}{_DASHES}"/>'
            if line.last < lane.length:
                arrow = f"M{_n(right)} {_n(y)}{_DASHES}m-4 -4l4 4 -4 4"
                yield f'<path class="axis goes-on" d="{arrow}"/>'

    def _band(self, band: Band) -> Iterator[str]:
        left, top = self._x(band.x), self._y(band.y) + 2
        wide = band.width * self.picture.step
        high = band.height * self.picture.row - 2
        said = f"order unknown, steps {band.first} to {band.last}: {band.label}"
        yield f'<g class="band" role="graphics-symbol"><title>{escape(said)}</title>'
        yield f"{_box(left, top, wide, high, 6, band.torn)}</g>"

    def _flag(self, band: Band) -> Iterator[str]:
        """Paint the head of a band; the label stands on it, or beside it if it does not fit."""
        if not band.label:
            return
        left, top = self._x(band.x), self._y(band.label_row) + 2
        wide = band.width * self.picture.step
        yield (
            f'<g class="flag"><rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" '
            f'height="{self.picture.row - 4}" rx="6"/></g>'
        )

    def _open(self, band: Band) -> Iterator[str]:
        """Paint the label of a band, after all bands, so that none of them hides it."""
        label = self._text(band.label_left, band.label_row, band.label)
        kind = "band beside" if band.label_left > band.x + band.width else "band"
        yield f'<g class="{kind}">{label}</g>'

    def _foot(self, mark: Landmark) -> Iterator[str]:
        """Paint the line from a time down to the axis."""
        lane = self.lanes[mark.timeline]
        if lane.axis is None or not lane.feet:
            return
        line = lane.find_line(mark.first)
        axis = lane.list_lines()[line].axis
        if mark.row > axis or line != mark.line:
            return
        x = self._x(lane.find_place(mark.first, line))
        top, end = self._y(mark.row + 0.5), self._y(axis) + 20
        yield f'<path class="foot" d="M{_n(x)} {_n(top)}V{_n(end)}"/>'

    def _dated(self, bar: Bar) -> Iterator[str]:
        """Paint the background of an event that is known to be in a year, month or day."""
        if bar.dated is None or bar.kind == "time":
            return
        left, wide = self._x(bar.dated[0]) + 1, bar.dated[1] * self.picture.step - 2
        yield (
            f'<rect class="in-date" x="{_n(left)}" y="{_n(self._y(bar.row) + 1)}" '
            f'width="{_n(wide)}" height="{self.picture.row - 2}"/>'
        )

    def _date_band(self, band: DateBand) -> Iterator[str]:
        left, top = self._x(band.x) + 1, self._y(band.row) + 7
        wide = band.width * self.picture.step - 2
        steps = (
            f"steps {band.first} to {band.last}"
            if band.last > band.first
            else (f"step {band.first}")
        )
        said = f"{band.date or 'undated'}: {steps}"
        kind = "date" if band.unit else "date undated"
        places = (band.label_left, *band.repeated)
        labels = "".join(self._text(place, band.row, band.label) for place in places)
        yield (
            f'<g class="{kind}" role="graphics-symbol"><title>{escape(said)}</title>'
            f"{_box(left, top, wide, 17, 3, band.torn)}{labels}</g>"
        )

    def _date_mark(self, mark: DateMark) -> Iterator[str]:
        lane = self.lanes[mark.timeline]
        x, top = self._x(mark.x), self._y(mark.row) + (8 if mark.label else self.picture.row)
        end = self._y(lane.list_lines()[mark.line].axis) + 20
        said = f"{mark.date} begins at step {mark.step}"
        yield (
            f'<g class="start" role="graphics-symbol"><title>{_safe(said)}</title>'
            f'<path d="M{_n(x)} {_n(top)}V{_n(end)}"/>'
            f"{self._text(mark.label_left, mark.row, mark.label)}</g>"
        )

    def _strand(self, strand: Strand) -> Iterator[str]:
        left, top = self._x(strand.x), self._y(strand.y) + 1
        wide, high = strand.width * self.picture.step, strand.height * self.picture.row - 2
        yield (
            f'<g class="strand" role="graphics-symbol"><title>{strand.place}</title>'
            f"{_box(left, top, wide, high, 6, strand.torn)}"
            f"{self._text(strand.label_left, strand.label_row, strand.label)}</g>"
        )

    def _tray(self, tray: Tray) -> Iterator[str]:
        """Paint the box of loose bars, or the heading of the other timelines."""
        left, top = self._x(tray.x), self._y(tray.y) + 2
        wide, high = tray.width * self.picture.step, tray.height * self.picture.row - 2
        yield f'<g class="tray {tray.kind}">'
        if tray.kind in {"others", "branches"}:
            yield f'<path d="M{_n(left)} {_n(top)}h{_n(self.width - 2 * _EDGE)}"/>'
        else:
            yield (
                f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(high)}" '
                f'rx="8"/>'
            )
        yield f"{self._text(tray.label_left, tray.label_row, tray.label)}</g>"

    def _gap(self, gap: Gap) -> Iterator[str]:
        x, top = self._x(gap.x), self._y(gap.y) + 6
        end = self._y(gap.y + gap.height) - 6
        yield f'<g class="gap" role="graphics-symbol"><title>{escape(gap.label)}</title>'
        yield f'<path d="M{_n(x)} {_n(top)}V{_n(end)}"/></g>'

    def _connector(self, connector: Connector) -> Iterator[str]:
        kind = "connector" if connector.carries else "connector pointing"
        source, target = self._name(connector.source), self._name(connector.target)
        said = f"{connector.type or 'SLINK'} {connector.link}: {source} to {target}"
        places = [(self._x(x), self._y(y)) for x, y in connector.path]
        yield f'<g class="{kind}" role="graphics-symbol"><title>{_safe(said)}</title>'
        yield f'<path d="{_bend(places)}"/>'
        if connector.cut:
            x, y = connector.cut
            yield f'<path d="M{_n(self._x(x))} {_n(self._y(y))}v4"/>'
        yield f'<path class="tip" d="{_tip(places)}"/>'
        left, top = self._x(connector.label_left), self._y(connector.label_row)
        wide = connector.label_width * self.picture.step
        yield (
            f'<rect class="paper" x="{_n(left - 3)}" y="{_n(top + 6)}" width="{_n(wide + 6)}" '
            f'height="16"/>'
        )
        middle = connector.label_left + connector.label_width / 2
        yield f"{self._text(middle, connector.label_row, connector.label)}</g>"

    def _left_out(self, left_out: LeftOut) -> Iterator[str]:
        """Paint the curve of a link that is left out, below all bars and words."""
        if not left_out.path:
            return
        source, target = self._name(left_out.source), self._name(left_out.target)
        said = f"left out: {left_out.link}, {source} {left_out.type or '?'} {target}"
        start, first, second, end = [(self._x(x), self._y(y)) for x, y in left_out.path]
        turn = 1 if end[1] >= second[1] else -1
        curve = " ".join(
            f"{_n(x)} {_n(y)}" for x, y in (first, second, (end[0], end[1] - 5 * turn))
        )
        yield (
            f'<g class="left-out" role="graphics-symbol"><title>{_safe(said)}</title>'
            f'<path d="M{_n(start[0])} {_n(start[1])}C{curve}"/>'
            f'<path class="tip" d="M{_n(end[0])} {_n(end[1])}l-4 {-7 * turn}h8z"/></g>'
        )

    def _tag(self, left_out: LeftOut) -> Iterator[str]:
        """Paint the id of a link that is left out onto its curve."""
        if not left_out.tag:
            return
        x, y = self._x(left_out.tag_x), self._y(left_out.tag_y)
        wide = left_out.tag_width * self.picture.step
        yield (
            f'<g class="left-out"><rect class="paper" x="{_n(x - wide / 2)}" y="{_n(y - 6)}" '
            f'width="{_n(wide)}" height="12" rx="3"/>'
            f'<text class="tag" x="{_n(x)}" y="{_n(y + 3.8)}">{escape(left_out.tag)}</text></g>'
        )

    def _bar(self, bar: Bar) -> Iterator[str]:
        lane = self.lanes[bar.timeline]
        look = _LOOKS.get(bar.factuality, "outlined")
        left, top = self._x(bar.left), self._y(bar.row) + (self.picture.row - _THICK) / 2
        wide = bar.width * self.picture.step
        inside = " on" if bar.inside else " beside"
        if bar.interval in self.crossed:
            yield '<g class="crossed">'
        yield (
            f'<g class="bar {bar.kind} {look}{inside}" role="graphics-symbol">'
            f"<title>{_safe(_describe(bar, self._name(bar.interval)))}</title>"
        )
        whiskers = "".join(
            f"M{_n(start)} {_n(y)}H{_n(self._x(lane.find_place(shown, bar.line)))}"
            f"{_CAP if shown == latest else _GOES_ON}"
            for start, step, shown, latest, y, torn in (
                (left, bar.first, bar.first_shown, bar.first_latest, top - _WHISKER, bar.torn[0]),
                (
                    left + wide,
                    bar.last,
                    bar.last_shown,
                    bar.last_latest,
                    top + _THICK + _WHISKER,
                    bar.torn[1],
                ),
            )
            if latest > step and not bar.loose and not torn
        )
        if whiskers:
            yield f'<path class="whisker" d="{whiskers}"/>'
        if wide:
            corner = _THICK / 2 if bar.loose else _ROUND[bar.kind == "time"]
            yield _box(left, top, wide, _THICK, corner, bar.torn)
        else:
            yield f'<path class="point" d="M{_n(left)} {_n(top)}l7 9 -7 9 -7 -9z"/>'
        mark = self.marks.get(bar.interval)
        if mark is None or mark.line != bar.line:
            yield f"{self._text(bar.label_left, bar.row, bar.label)}</g>"
        elif bar.inside:
            value = self._text(mark.label_left, mark.row, mark.label, "value")
            yield f"{self._text(bar.label_left, bar.row, bar.label)}{value}</g>"
        else:  # the value follows the word directly, whatever the width of the font
            value = f'<tspan class="value" dx="7">{escape(mark.label)}</tspan></text>'
            label = self._text(bar.label_left, bar.row, bar.label)
            yield f"{label.removesuffix('</text>')}{value}</g>"
        if bar.interval in self.crossed:
            yield "</g>"

    def _chip(self, chip: Chip) -> Iterator[str]:
        left, top = self._x(chip.left), self._y(chip.row) + (self.picture.row - _THICK) / 2
        wide = chip.width * self.picture.step
        look = _LOOKS.get(chip.factuality, "outlined")
        value = f", {chip.value}" if chip.value else ""
        name = self._name(chip.interval)
        said = f"{name}{value}, {chip.kind}, {chip.factuality}: no steps"
        yield (
            f'<g class="chip {chip.kind} {look} on" role="graphics-symbol">'
            f"<title>{_safe(said)}</title>"
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_THICK}" '
            f'rx="{_THICK / 2}"/>{self._text(chip.left + chip.width / 2, chip.row, chip.label)}</g>'
        )

    def _ring(self, ring: Ring) -> Iterator[str]:
        words = [self._name(node.interval) for node in ring.nodes]
        ends = [
            (words[link.source], words[link.target])[:: 1 if link.forward else -1]
            for link in ring.links
        ]
        links = "; ".join(
            (link.label if link.words else f"{link.link}: {one} {link.type} {other}")
            for link, (one, other) in zip(ring.links, ends, strict=True)
        )
        (left, top), _, (right, bottom), _ = [(self._x(x), self._y(y)) for x, y in ring.path]
        yield (
            f'<g class="ring" role="graphics-symbol"><title>{_safe(f"{ring.label}: {links}")}'
            "</title>"
        )
        yield self._text(ring.x + 0.3, ring.y, ring.label, "caption")
        yield (
            f'<rect class="track" x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
            f'height="{_n(bottom - top)}" rx="14"/>'
        )
        for link in ring.links:
            x, y, wide = self._x(link.x), self._y(link.y), link.width * self.picture.step
            kind = "link needed" if link.needed else "link"
            yield (
                f'<rect class="under" x="{_n(x - wide / 2 - 3)}" y="{_n(y - 8)}" '
                f'width="{_n(wide + 6)}" height="16"/>'
                f'<text class="{kind}" x="{_n(x)}" y="{_n(y + 3.8)}">{escape(link.label)}</text>'
            )
        for node in ring.nodes:
            x, y, wide = self._x(node.x), self._y(node.y), node.width * self.picture.step
            yield (
                f'<rect class="node" x="{_n(x - wide / 2)}" y="{_n(y - 10)}" width="{_n(wide)}" '
                f'height="20" rx="10"/>'
                f'<text class="node" x="{_n(x)}" y="{_n(y + 4.3)}">{escape(node.label)}</text>'
            )
        yield f'<path class="tip" d="{self._arrows(ring)}"/></g>'

    def _arrows(self, ring: Ring) -> str:
        """Give the arrow heads of a ring, one for each link at its target."""
        heads = []
        for link in ring.links:
            node = ring.nodes[link.target if link.forward else link.source]
            upper = node.y < ring.y + ring.height / 2
            right = upper if link.forward else not upper
            turn = 1 if right else -1
            x = self._x(node.x) - turn * node.width * self.picture.step / 2
            heads.append(f"M{_n(x)} {_n(self._y(node.y))}l{-8 * turn} -4.5v9z")
        return "".join(heads)

    def _name(self, interval: str) -> str:
        return name_node(interval, self.words.get(interval, ""))

    def _text(self, x: float, row: float, words: str, kind: str = "") -> str:
        if not words:
            return ""
        shown = f' class="{kind}"' if kind else ""
        y = self._y(row) + self.picture.row / 2 + 4
        return f'<text{shown} x="{_n(self._x(x))}" y="{_n(y)}">{escape(words)}</text>'

    def _x(self, x: float) -> float:
        return _EDGE + x * self.picture.step

    def _y(self, y: float) -> float:
        return _EDGE + _HEAD + y * self.picture.row


def _describe(bar: Bar, name: str) -> str:
    value = f", {bar.value}" if bar.value else ""
    value += f", {bar.date}" if bar.date else ""
    moves = [
        f"; its {end} can move to step {latest}"
        for end, step, latest in (
            ("start", bar.first, bar.first_latest),
            ("end", bar.last, bar.last_latest),
        )
        if latest > step
    ]
    place = f"steps {bar.first} to {bar.last}" if bar.last > bar.first else f"step {bar.first}"
    return f"{name}{value}, {bar.kind}, {bar.factuality}: {place}{''.join(moves)}"


def _box(  # noqa: PLR0913, PLR0917 -- the numbers of a rectangle
    left: float, top: float, wide: float, high: float, corner: float, torn: tuple[bool, bool]
) -> str:
    """Give a rectangle; where it is torn, it has a point instead of a side: it goes on there."""
    if not any(torn):
        return (
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(high)}" '
            f'rx="{corner}"/>'
        )
    half, right = high / 2, left + wide
    start, end = (f"l{_CHEVRON} {_n(half)} {-_CHEVRON} {_n(half)}" if side else "" for side in torn)
    side = end or f"v{_n(high)}"
    back = f"l{_CHEVRON} {_n(-half)}z" if start else "z"
    return f'<path class="torn" d="M{_n(left)} {_n(top)}H{_n(right)}{side}H{_n(left)}{back}"/>'


def _is_far(connector: Connector) -> bool:
    """Whether a line is long and no branch hangs from it: it is drawn faintly, below the rest."""
    (_, start), (_, end) = connector.path[0], connector.path[-1]
    return not connector.carries and abs(end - start) > _FAR


def _bend(places: list[tuple[float, float]]) -> str:
    """Give a path through some points, with round corners; nothing is drawn twice."""
    parts = [f"M{_n(places[0][0])} {_n(places[0][1])}"]
    for before, (x, y), after in zip(places, places[1:], places[2:], strict=False):
        if before[1] == y == after[1] and (x < before[0]) == (x < after[0]):
            farther = before if abs(after[0] - x) > abs(before[0] - x) else after
            parts.append(f"L{_n(x)} {_n(y)}M{_n(farther[0])} {_n(farther[1])}")
            continue
        turn = min(_TURN, _distance(before, (x, y)) / 2, _distance((x, y), after) / 2)
        one, other = _toward((x, y), before, turn), _toward((x, y), after, turn)
        parts.append(f"L{_n(one[0])} {_n(one[1])}Q{_n(x)} {_n(y)} {_n(other[0])} {_n(other[1])}")
    parts.append(f"L{_n(places[-1][0])} {_n(places[-1][1])}")
    return "".join(parts)


def _tip(places: list[tuple[float, float]]) -> str:
    (x0, y0), (x, y) = places[-2:]
    if x0 == x:
        turn = 1 if y > y0 else -1
        return f"M{_n(x)} {_n(y)}l-3.5 {-6 * turn}h7z"
    turn = 1 if x > x0 else -1
    return f"M{_n(x)} {_n(y)}l{-6 * turn} -3.5v7z"


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _toward(
    start: tuple[float, float], end: tuple[float, float], pixels: float
) -> tuple[float, float]:
    whole = _distance(start, end)
    share = pixels / whole if whole else 0
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _safe(words: str) -> str:
    """Escape words from a file for the content of an element."""
    return escape(clean(words))


def _n(number: float) -> str:
    """Format a number with one decimal at most."""
    return f"{round(number, 1):g}" if abs(number) < 100_000 else f"{number:.0f}"  # noqa: PLR2004
