"""The legend: a sample of everything that occurs in a picture, and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tlex.draw.picture import Bar, Chip, Picture
from tlex.draw.text_width import SMALL, room
from tlex.wording import count

__all__ = ["paint_legend"]

_LINE = 24
_SAMPLE = 34
_APART = 26
_HEAD = "left out to mend the contradictions, so that the rest has an order"
_LIST = 18  # pixels of a line of the list
_MOST = 40  # lines of the list


def paint_legend(picture: Picture, width: float) -> tuple[list[str], float]:
    """Paint the legend in lines of at most ``width`` pixels; return it with its height."""
    lines = []
    x = y = 0.0
    for sample, words in _entries(picture):
        wide = _SAMPLE + 8 + room(words, SMALL)
        if x and x + wide > width:
            x, y = 0.0, y + _LINE
        lines.append(
            f'<g transform="translate({round(x, 1):g} {y:g})">{sample}'
            f'<text x="{_SAMPLE + 8}" y="13">{words}</text></g>'
        )
        x += wide + _APART
    y += _LINE if lines else 0.0
    if picture.left_out:
        lines.append(f'<g transform="translate(0 {y + _LINE / 2:g})">')
        listed, high = _list_left_out(picture, width)
        lines += [*listed, "</g>"]
        y += _LINE / 2 + high
    return lines, y


def _list_left_out(picture: Picture, width: float) -> tuple[list[str], float]:
    """List the links that are left out in columns, downwards; return the lines and the height."""
    many = len(picture.left_out)
    words = [left_out.label for left_out in picture.left_out[:_MOST]]
    if many > _MOST:
        words.append(f"and {count(many - _MOST, 'more link')}")
    wide = max(room(each, SMALL) for each in words) + _APART
    columns = max(1, int((width + _APART) // wide))
    deep = -(-len(words) // columns)
    lines = [
        '<g class="left-out"><path d="M2 9H27"/><path class="tip" d="M34 9l-8 -4v8z"/></g>',
        f'<text class="head" x="{_SAMPLE + 8}" y="13">{_HEAD}</text>',
    ]
    for number, each in enumerate(words):
        x, y = number // deep * wide, 16 + _LIST * (1 + number % deep)
        lines.append(f'<text x="{round(x, 1):g}" y="{y:g}">{escape(each)}</text>')
    return lines, _LIST * (1 + deep) + 6


def _entries(picture: Picture) -> Iterator[tuple[str, str]]:
    things: tuple[Bar | Chip, ...] = (*picture.bars, *picture.chips)
    looks = {thing.factuality for thing in things if thing.kind != "time"}
    for look, levels in (
        ("solid", ("factual",)),
        ("pale", ("reported",)),
        ("outlined", ("possible", "conditional", "unasserted")),
        ("hatched", ("negated", "counterfactual")),
    ):
        found = [level for level in levels if level in looks]
        if found:
            yield _bar("event", look), " or ".join(found)
    if picture.landmarks:
        yield _bar("time", "solid"), "time, with its value"
    elif any(thing.kind == "time" for thing in things):
        yield _bar("time", "solid"), "time"
    yield from _list_places(picture)
    yield from _list_dates(picture)
    if picture.bands:
        yield (
            '<g class="band"><rect y="0" width="34" height="18" rx="5"/></g>',
            "order unknown: number of points and of possible orders",
        )
    if any(connector.carries for connector in picture.connectors):
        yield (
            (
                '<g class="connector"><path d="M6 0V5Q6 9 10 9H30"/>'
                '<path class="tip" d="M32 9l-6 -3.5v7z"/></g>'
            ),
            "subordinated: a branch hangs by its SLINK",
        )
    if any(not connector.carries for connector in picture.connectors):
        yield (
            (
                '<g class="connector pointing"><path d="M2 9H30"/>'
                '<path class="tip" d="M32 9l-6 -3.5v7z"/></g>'
            ),
            "another SLINK to it",
        )
    if picture.gaps:
        yield '<g class="gap"><path d="M17 0V18"/></g>', "between timelines: no order known"
    if picture.chips:
        yield (
            ('<g class="chip event solid"><rect x="1" y="1" width="32" height="16" rx="8"/></g>'),
            "without steps, because its timeline is contradictory",
        )
    if picture.rings:
        yield (
            ('<g class="ring"><rect class="track" x="2" y="2" width="30" height="14" rx="6"/></g>'),
            "links that cannot all hold, read along the arrows",
        )


def _list_places(picture: Picture) -> Iterator[tuple[str, str]]:
    """List how bars show where their ends can be."""
    placed = [bar for bar in picture.bars if not bar.loose]
    if any(bar.first_latest > bar.first or bar.last_latest > bar.last for bar in placed):
        yield (
            (
                '<g class="bar event solid">'
                '<path class="whisker" d="M2 2H24m0 -2.5v5M16 16H32m0 -2.5v5"/>'
                '<rect x="2" y="5" width="14" height="8" rx="2"/></g>'
            ),
            "how far its start (above) and its end (below) can move",
        )
    if any(
        bar.first_shown < bar.first_latest or bar.last_shown < bar.last_latest for bar in placed
    ):
        yield (
            '<g class="bar event"><path class="whisker" d="M2 9H32m-4 -2.5l4 2.5 -4 2.5"/></g>',
            "farther than is drawn",
        )
    if any(any(bar.torn) for bar in picture.bars):
        path = '<path class="torn" d="M1 2H28l5 7 -5 7H1l5 -7z"/>'
        yield f'<g class="bar event solid">{path}</g>', "goes on in another line"
    if len(placed) < len(picture.bars):
        yield (
            '<g class="bar event solid"><rect x="1" y="1" width="32" height="16" rx="8"/></g>',
            "without a known place on an axis",
        )


def _list_dates(picture: Picture) -> Iterator[tuple[str, str]]:
    units = list(dict.fromkeys(band.unit for band in picture.date_bands if band.unit))
    if units:
        yield (
            '<g class="date"><rect y="1" width="34" height="16" rx="3"/></g>',
            f"{' or '.join(units)} of these steps, by the calendar",
        )
    if any(bar.dated and bar.kind != "time" for bar in picture.bars):
        yield (
            (
                '<rect class="in-date" width="34" height="18"/>'
                '<g class="bar event solid"><rect x="8" y="4" width="18" height="10" rx="3"/></g>'
            ),
            f"known to be in the {' or '.join(units)} above",
        )
    if any(not band.unit for band in picture.date_bands):
        yield (
            '<g class="date undated"><rect y="1" width="34" height="16" rx="3"/></g>',
            "undated steps",
        )
    if picture.date_marks:
        yield (
            '<g class="start"><path d="M4 0V18"/></g>',
            "here a date begins",
        )
    if picture.strands:
        yield (
            '<g class="strand"><rect x="1" y="1" width="32" height="16" rx="5"/></g>',
            "branch on the same axis, by the calendar",
        )


def _bar(kind: str, look: str) -> str:
    corner = 0 if kind == "time" else 4
    rect = f'<rect x="1" y="2" width="32" height="14" rx="{corner}"/>'
    return f'<g class="bar {kind} {look}">{rect}</g>'
