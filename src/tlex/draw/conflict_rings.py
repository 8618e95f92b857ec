"""The layout of a contradiction: a ring of nodes and links.

The ring is a rectangle, read clockwise. Half of the nodes stand on its upper side from left to
right, the others on its lower side from right to left. Each link stands between its two nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tlex.answer_text import conflict_headline
from tlex.calendar import KIND as CALENDAR
from tlex.draw.picture import STEP, Ring, RingLink, RingNode
from tlex.draw.text_width import SMALL, fit, room
from tlex.nouns import Link
from tlex.records import Conflict, Constraint

__all__ = ["lay_out_ring"]

_WORD = 110
_LABEL = 170
_WORDS = 320
_PAD = 0.3
_END = 0.4
_TOP, _MIDDLE, _BOTTOM, _HEIGHT = 1.6, 2.6, 3.6, 4.4


def lay_out_ring(
    conflict: Conflict,
    label: Callable[[str, float], str],
    links: Mapping[str, Link],
    x: float = 0,
    y: float = 0,
) -> Ring:
    """Lay out the ring of a contradiction, with the corner of its box at ``x``, ``y``.

    ``label`` gives the label of an interval, from its id and the number of pixels.
    """
    hops = _hops(conflict)
    names = [hop.left[:-1] for hop in hops]
    labels = [label(name, _WORD) for name in names]
    widths = [room(words) / STEP + 0.5 for words in labels]
    found = [links[hop.link or ""] for hop in hops]
    texts = [_name_link(link) for link in found]
    rooms = [room(text, SMALL, bold=True) / STEP for text in texts]
    caption = fit(f"{conflict.number}: {conflict_headline(conflict)}", 400, SMALL)
    size = len(names)
    above = (size + 1) // 2
    side = max(
        _side(widths[:above], rooms[: above - 1]),
        _side(widths[above:], rooms[above : size - 1]),
        _beside(rooms, above, size),
    )
    width = max(side + 2 * _PAD, room(caption, SMALL, bold=True) / STEP + _PAD)
    left, right = x + _PAD, x + width - _PAD
    ups = _spread(widths[:above], left, right)
    downs = [left + right - place for place in _spread(widths[above:], left, right)]
    spots = [(place, y + _TOP) for place in ups] + [(place, y + _BOTTOM) for place in downs]
    stations = tuple(
        RingNode(interval=name, label=words, x=_r(spot[0]), y=_r(spot[1]), width=_r(wide))
        for name, words, spot, wide in zip(names, labels, spots, widths, strict=True)
    )
    placed = []
    for number, (hop, text, wide) in enumerate(zip(hops, texts, rooms, strict=True)):
        after = (number + 1) % size
        if size == 1:
            spot = ((left + right) / 2, y + _BOTTOM)
        elif number == above - 1:
            spot = (right - 0.2 - wide / 2, y + _MIDDLE)
        elif number == size - 1:
            spot = (left + 0.2 + wide / 2, y + _MIDDLE)
        else:
            one, other = stations[number], stations[after]
            turn = 1 if number < above else -1
            spot = (
                (one.x + turn * one.width / 2 + other.x - turn * other.width / 2) / 2,
                one.y,
            )
        link = found[number]
        placed.append(
            RingLink(
                link=link.id,
                type=link.type,
                source=number,
                target=after,
                order=hop.order,
                forward=link.source == hop.left[:-1],
                needed=link.id in conflict.minimal,
                label=text,
                x=_r(spot[0]),
                y=_r(spot[1]),
                width=_r(wide),
                words=link.kind == CALENDAR,
            )
        )
    corners = ((left, _TOP), (right, _TOP), (right, _BOTTOM), (left, _BOTTOM))
    return Ring(
        timeline=conflict.timeline,
        kind=conflict.kind,
        x=_r(x),
        y=_r(y),
        width=_r(width),
        height=_HEIGHT,
        label=caption,
        nodes=stations,
        links=tuple(placed),
        path=tuple((_r(across), _r(y + down)) for across, down in corners),
    )


def _name_link(link: Link) -> str:
    """Name a link by its id and type; one of the calendar has only its words."""
    if link.kind == CALENDAR:
        return fit(link.attributes["words"], _WORDS, SMALL)
    return fit(f"{link.id} {link.type or '?'}", _LABEL, SMALL)


def _hops(conflict: Conflict) -> list[Constraint]:
    """Give the steps of the walk that come from links, not from an interval's own start < end."""
    return [step for step in conflict.walk if step.link is not None]


def _side(widths: list[float], rooms: list[float]) -> float:
    """Width of a side of the ring: its words, and between them the widest of its links."""
    return sum(widths) + len(rooms) * (max(rooms, default=0) + 0.8) + 2 * _END


def _beside(rooms: list[float], above: int, size: int) -> float:
    """Width of the links at the left and right end, which stand side by side inside the ring."""
    return rooms[0] if size == 1 else rooms[above - 1] + rooms[size - 1] + 0.8


def _spread(widths: list[float], left: float, right: float) -> list[float]:
    """Spread words evenly over a side; return the middle of each. A single word is centred."""
    if len(widths) < 2:  # noqa: PLR2004
        return [(left + right) / 2 for _ in widths]
    spare = (right - left - 2 * _END - sum(widths)) / (len(widths) - 1)
    places = []
    at = left + _END
    for width in widths:
        places.append(at + width / 2)
        at += width + spare
    return places


def _r(number: float) -> float:
    return round(number, 3)
