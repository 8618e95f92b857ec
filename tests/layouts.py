"""What stands where in a picture, judged from its numbers alone: boxes that must not meet.

Nothing here is shared with what lays the picture out, except the names of the fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tlex.draw.text_width import SMALL, room

TALL = 0.6  # of a row: letters and bars
POINT = 0.14  # of a step, on either side of an interval without length
NOISE = 0.004  # numbers are rounded


class Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float
    what: str

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right - NOISE
            and other.left < self.right - NOISE
            and self.top < other.bottom - NOISE
            and other.top < self.bottom - NOISE
        )


def in_row(left: float, width: float, row: float, what: str) -> Box:
    space = (1 - TALL) / 2
    return Box(left, left + width, row + space, row + 1 - space, what)


def boxes_of(picture) -> list[Box]:
    """Everything that takes room by itself: bars, what hangs out of them, chips and all labels."""
    return [*_bars(picture), *_labels(picture), *_rings(picture)]


def _bars(picture) -> Iterator[Box]:
    lanes = {lane.timeline: lane for lane in picture.lanes}
    for bar in picture.bars:
        lane = lanes[bar.timeline]
        point = POINT if not bar.width else 0
        yield in_row(bar.left - point, bar.width + 2 * point, bar.row, f"bar {bar.interval}")
        if bar.inside:
            assert bar.left <= bar.label_left
            assert bar.label_left + bar.label_width <= bar.left + bar.width + NOISE
        else:
            yield in_row(bar.label_left, bar.label_width, bar.row, f"label of {bar.interval}")
        for start, shown, top, torn in (
            (bar.first, bar.first_shown, bar.row, bar.torn[0]),
            (bar.last, bar.last_shown, bar.row + 0.8, bar.torn[1]),
        ):
            if torn:
                continue
            left, right = (lane.find_place(step, bar.line) for step in (start, shown))
            if right > left:
                yield Box(left, right, top, top + 0.2, f"whisker of {bar.interval}")
    for chip in picture.chips:
        yield in_row(chip.left, chip.width, chip.row, f"chip {chip.interval}")


def _labels(picture) -> Iterator[Box]:
    for mark in picture.landmarks:
        yield in_row(mark.label_left, mark.label_width, mark.row, f"value of {mark.interval}")
    for band in picture.bands:
        yield in_row(band.label_left, band.label_width, band.label_row, band.label)
    for each in picture.connectors:
        yield in_row(each.label_left, each.label_width, each.label_row, f"SLINK {each.link}")
    for date in (*picture.date_bands, *picture.date_marks):
        for left in (date.label_left, *getattr(date, "repeated", ())):
            if date.label:
                yield in_row(left, date.label_width, date.row, f"date {date.label}")
    for tray in picture.trays:
        yield in_row(tray.label_left, tray.label_width, tray.label_row, f"tray {tray.kind}")
    for strand in filter(lambda strand: strand.label, picture.strands):
        yield in_row(strand.label_left, strand.label_width, strand.label_row, "strand")
    for lane in picture.lanes:
        if lane.title_row is not None:
            yield in_row(lane.title_left, lane.title_width, lane.title_row, lane.title)
        for number, line in enumerate(lane.lines[1:], 1):
            wide = room(line.title, SMALL, bold=True) / picture.step
            yield in_row(lane.title_left, wide, line.title_row, f"{line.title} {number}")


def _rings(picture) -> Iterator[Box]:
    for ring in picture.rings:
        for node in ring.nodes:
            left = node.x - node.width / 2
            yield in_row(left, node.width, node.y - 0.5, f"on a ring: {node.interval}")
        for link in ring.links:
            left = link.x - link.width / 2
            yield in_row(left, link.width, link.y - 0.5, f"on a ring: {link.link}")


def meetings(boxes: list[Box]) -> list[tuple[str, str]]:
    """Find the boxes that meet, by a sweep from top to bottom."""
    found = []
    open_boxes: list[Box] = []
    for box in sorted(boxes, key=lambda box: box.top):
        open_boxes = [other for other in open_boxes if other.bottom > box.top]
        found += [(other.what, box.what) for other in open_boxes if other.meets(box)]
        open_boxes.append(box)
    return found


def hidden(tree) -> list[str]:
    """Find the words in an SVG that something filled is painted over, in the order of painting."""
    words: list[Box] = []
    found = []
    for element in tree.iter("{*}text", "{*}rect"):
        if any("legend" in above.get("class", "").split() for above in element.iterancestors()):
            continue
        if element.tag.endswith("text"):
            words.append(_letters(element))
            continue
        left, top = (float(element.get(name, "0")) for name in "xy")
        wide, high = (float(element.get(name)) for name in ("width", "height"))
        box = Box(left, left + wide, top, top + high, "")
        found += [each.what for each in words if each.meets(box)]
    return found


def _letters(text) -> Box:
    """Where the letters surely are: none is narrower than an i."""
    x, y = float(text.get("x")), float(text.get("y"))
    words = "".join(text.itertext())
    kinds = {text.get("class", ""), *text.getparent().get("class", "").split()}
    middle = bool(kinds & {"chip", "connector", "node", "link", "link needed", "step"})
    wide = 3 * len(words)
    left = x - wide / 2 if middle else x
    return Box(left, left + wide, y - 7, y, words)
