"""The links that a mended timeline leaves out: dashed curves between bars, and a list of them.

A curve leaves its source upwards or downwards and enters its target in the same way. Its id stands
on it where nothing else stands; if there is no such place, only the list has the id.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping

from tlex.draw.picture import (
    STEP,
    Band,
    Bar,
    Chip,
    Connector,
    DateBand,
    DateMark,
    Landmark,
    Lane,
    LeftOut,
    Picture,
    Tray,
)
from tlex.draw.text_width import SMALL, fit_id, room
from tlex.nouns import Link

__all__ = ["Rectangle", "find_crossed", "find_obstacles", "lay_out_left_out"]

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in steps and rows."""

_MOST = 200  # curves that are drawn
_BAR = 0.2  # rows of free space above a bar, and below it
_INSIDE = 0.25  # steps from the end of a bar to the end of a curve
_SPREAD = 0.9  # steps between the ends of a short curve
_SWAY = 0.9  # rows: how far a curve keeps its direction at least
_WORD = 130
_TAG = 80
_SAMPLES = 40  # points of a curve that are looked at, to see what it crosses
_NEAR = 0.5  # steps between these points
_GAP = 0.12  # rows: how near to the middle between two rows a curve must pass
_HIGH = 0.19  # rows: half the height of an id
_AIR = 0.12  # steps on both sides of an id
_PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)


def lay_out_left_out(
    links: Iterable[Link],
    label: Callable[[str, float], str],
    ends: Mapping[str, Bar | Chip],
    obstacles: Iterable[Rectangle],
) -> tuple[LeftOut, ...]:
    """Lay out the links that are left out, in the order given; long lists have curves in part.

    ``label`` gives the label of an interval, from its id and the number of pixels. ``obstacles``
    are what an id must not stand on.
    """
    taken: dict[int, list[Rectangle]] = {}
    for rectangle in obstacles:
        _take(taken, rectangle)
    laid_out = []
    for number, link in enumerate(links):
        one, other = link.source or "", link.target or ""
        source, target = ends[one], ends[other]
        words = f"{fit_id(link.id, _TAG, SMALL)} {label(one, _WORD)} {link.type or '?'} "
        path = _curve(source, target) if number < _MOST else ()
        tag = fit_id(link.id, _TAG, SMALL)
        width = room(tag, SMALL, bold=True) / STEP + 2 * _AIR
        spot = _find_spot(path, source.row, width, taken) if path else None
        x, y = spot or (0.0, 0.0)
        if spot:
            _take(taken, (x - width / 2, y - _HIGH, x + width / 2, y + _HIGH))
        laid_out.append(
            LeftOut(
                link=link.id,
                type=link.type,
                source=one,
                target=other,
                source_timeline=source.timeline,
                target_timeline=target.timeline,
                label=words + label(other, _WORD),
                path=path,
                tag=tag if spot else "",
                tag_x=round(x, 3),
                tag_y=round(y, 3),
                tag_width=round(width, 3),
            )
        )
    return tuple(laid_out)


def find_obstacles(  # noqa: PLR0913 -- one argument a kind of thing
    *,
    lanes: Iterable[Lane],
    bars: Iterable[Bar],
    landmarks: Iterable[Landmark],
    bands: Iterable[Band],
    connectors: Iterable[Connector],
    chips: Iterable[Chip],
    dates: Iterable[DateBand | DateMark] = (),
    trays: Iterable[Tray] = (),
) -> Iterator[Rectangle]:
    """Give the places where bars and words stand."""
    for bar in bars:
        right = max(bar.left + bar.width, bar.label_left + bar.label_width)
        yield bar.left - 0.15, bar.row + _BAR, right, bar.row + 1 - _BAR
    for thing in chips:
        yield thing.left, thing.row + _BAR, thing.left + thing.width, thing.row + 1 - _BAR
    for mark in landmarks:
        yield mark.label_left, mark.row, mark.label_left + mark.label_width, mark.row + 1
    for date in dates:
        yield date.label_left, date.row, date.label_left + date.label_width, date.row + 1
    labelled: list[Band | Connector | Tray] = [*bands, *connectors, *trays]
    for words in labelled:
        right = words.label_left + words.label_width
        yield words.label_left, words.label_row, right, words.label_row + 1
    for lane in lanes:
        if lane.title_row is not None:
            right = lane.title_left + lane.title_width
            yield lane.title_left, lane.title_row, right, lane.title_row + 1
        for number, line in enumerate(lane.list_lines()):
            left, right = (
                lane.find_place(line.first, number),
                lane.find_place(line.last + 1, number),
            )
            yield left, line.axis, right, line.axis + 1
            if number:
                yield lane.title_left, line.title_row, right, line.title_row + 1


def find_crossed(picture: Picture) -> set[str]:
    """Find the intervals with a label beside the bar that a curve passes under."""
    passed: dict[int, list[float]] = {}
    for left_out in picture.left_out:
        for number in range(_SAMPLES + 1 if left_out.path else 0):
            x, y = _walk(left_out.path, number / _SAMPLES)
            passed.setdefault(int(y), []).append(x)
    for places in passed.values():
        places.sort()
    found = set()
    for bar in picture.bars:
        places = passed.get(int(bar.row + 0.5), [])
        near = bisect(places, bar.label_left - _NEAR)
        if near < len(places) and places[near] < bar.label_left + bar.label_width + _NEAR:
            found.add(bar.interval)
    return found


def _curve(source: Bar | Chip, target: Bar | Chip) -> tuple[tuple[float, float], ...]:
    """Give the end points of a curve, and the two points between them that give its direction."""
    down = 1 if source.row <= target.row else -1
    beside = abs(source.row - target.row) < 1  # both ends are below the bars
    start, end = _anchors(source, target)
    top = source.row + (1 - _BAR if down > 0 else _BAR)
    if beside:
        foot = target.row + 1 - _BAR
        low = max(top, foot) + _SWAY
        points = [(start, top), (start, low), (end, low), (end, foot)]
    else:
        foot = target.row + (_BAR if down > 0 else 1 - _BAR)
        sway = max(abs(foot - top) / 2, _SWAY if abs(end - start) > 1 else 0)
        points = [(start, top), (start, top + down * sway), (end, foot - down * sway), (end, foot)]
    return tuple((round(x, 3), round(y, 3)) for x, y in points)


def _anchors(source: Bar | Chip, target: Bar | Chip) -> tuple[float, float]:
    """Choose where a curve leaves and enters: near each other, but not one above the other."""
    start = _clamp(target.left + target.width / 2, source)
    end = _clamp(start, target)
    if abs(end - start) < _SPREAD:
        middle = (start + end) / 2
        turn = 1 if source.left + source.width / 2 <= target.left + target.width / 2 else -1
        start = _clamp(middle - turn * _SPREAD / 2, source)
        end = _clamp(start + turn * _SPREAD, target)
    return start, end


def _clamp(x: float, bar: Bar | Chip) -> float:
    pad = min(_INSIDE, bar.width / 2)
    return max(bar.left + pad, min(x, bar.left + bar.width - pad))


def _find_spot(
    path: tuple[tuple[float, float], ...],
    row: float,
    width: float,
    taken: Mapping[int, list[Rectangle]],
) -> tuple[float, float] | None:
    """Find a place of an id on a curve that starts in a row; None if everything is taken."""
    for x, y in _list_spots(path, row):
        box = (x - width / 2, y - _HIGH, x + width / 2, y + _HIGH)
        if box[0] >= 0 and not any(
            _overlap(box, other) for cell in _rows(box) for other in taken.get(cell, ())
        ):
            return x, y
    return None


def _list_spots(path: tuple[tuple[float, float], ...], row: float) -> Iterator[tuple[float, float]]:
    """Give some points of a curve: from its middle outwards, then those between two rows."""
    for share in _PLACES:
        yield _walk(path, share)
    points = [_walk(path, number / _SAMPLES) for number in range(_SAMPLES + 1)]
    between = [(x, row + round(y - row)) for x, y in points if abs(y - row - round(y - row)) < _GAP]
    middle = (path[0][0] + path[-1][0]) / 2
    yield from sorted(between, key=lambda spot: (abs(spot[0] - middle), spot))


def _walk(path: tuple[tuple[float, float], ...], share: float) -> tuple[float, float]:
    """Give a point of the cubic curve, at a share of its parameter."""
    rest = 1 - share
    weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    x = sum(weight * point[0] for weight, point in zip(weights, path, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, path, strict=True))
    return x, y


def _take(taken: dict[int, list[Rectangle]], rectangle: Rectangle) -> None:
    for row in _rows(rectangle):
        taken.setdefault(row, []).append(rectangle)


def _rows(rectangle: Rectangle) -> range:
    return range(int(rectangle[1]), int(rectangle[3]) + 1)


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
