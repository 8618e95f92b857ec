"""Documents with dated times, for the tests of the calendar."""

from __future__ import annotations

from itertools import product
from xml.sax.saxutils import quoteattr

from hypothesis import strategies as st

import tlex
from tlex.timex import find_bounds, find_moment, loosen

MOMENT = {"functionInDocument": "CREATION_TIME"}
LOOSE = ("1998-Q1", "1998-H2", "FY1999", "1998-SU", "1998-W12-WE", "1998-03-12TMO", "1998-03-12TNI")
EXACT = (
    *("1998", "199", "1999", "1998-03", "1998-03-12", "1998-03-13", "1998-W12", "1998-W11"),
    *("1998-03-12T09:30", "1998-03-12T24:00", "1998-03-13T00:00", "1998-04", "1997-12-31"),
    *("1998-01", "1998-01-01", "1998-12", "1998-12-31", "1998-03-16", "1998-03-22", "1998-W14"),
)
ZONED = ("1998-03-12T09:30Z", "1998-03-12T23:30-05:00", "1998-03-13T10:30+01:00")
MODS = ({}, {}, {}, {"mod": "START"}, {"mod": "BEFORE"}, {"mod": "AFTER"}, MOMENT)
EACH_TIME = [*product(EXACT + LOOSE + ZONED, MODS)]
"""Values with attributes; those without stand there several times, to be drawn more often."""
TIMES = st.sampled_from(EACH_TIME)
ENDS = ("beginPoint", "endPoint")
DURATION = ("P2Y", {"type": "DURATION", "beginPoint": "t1", "endPoint": "t2"})


@st.composite
def lists_of_times(draw, most=6):
    """Some times; some lists begin with two years and a duration between them."""
    times = draw(st.lists(TIMES, min_size=2, max_size=most))
    return [("1998", {}), ("2000", {}), DURATION, *times] if draw(st.booleans()) else times


def write(times, links=(), events=0) -> tlex.Document:
    """A document with some times, (value, attributes) each: t1, t2 …, and events ei1, ei2 …."""
    marks = []
    for number, (value, about) in enumerate(times, 1):
        attributes = {"tid": f"t{number}", "type": "DATE", "value": value, **about}
        words = "".join(f" {name}={quoteattr(word)}" for name, word in attributes.items())
        marks.append(f"<TIMEX3{words}>time{number}</TIMEX3>")
    for number in range(1, events + 1):
        marks.append(f'<EVENT eid="e{number}" class="OCCURRENCE">event{number}</EVENT>')
        marks.append(f'<MAKEINSTANCE eiid="ei{number}" eventID="e{number}"/>')
    for number, (source, label, target, *rest) in enumerate(links, 1):
        kind = rest[0] if rest else "TLINK"
        own = "timeID" if source[0] == "t" else "eventInstanceID"
        other = "relatedToTime" if target[0] == "t" else "relatedToEventInstance"
        if kind == "SLINK":
            other = "subordinatedEventInstance"
        marks.append(
            f'<{kind} lid="l{number}" {own}="{source}" relType="{label}" {other}="{target}"/>'
        )
    return tlex.parse(f"<TimeML>{' '.join(marks)}</TimeML>", name="dated.tml")


def judge(times) -> set[tuple[int, int, str]]:
    """All orders of points that are certain, by comparing each two and closing the whole."""
    found = []
    for value, about in times:
        bounds = find_bounds(value, mod=about.get("mod", ""))
        if value == "P2Y":
            begin, end = (find_bounds(times[int(about[name][1:]) - 1][0]) for name in ENDS)
            bounds = find_bounds(value, begin=begin, end=end)
        found.append(find_moment(bounds) if "functionInDocument" in about else bounds)
    below = {(2 * number, 2 * number + 1): "<" for number in range(len(found))}
    for one, other in product(range(len(found)), repeat=2):
        left, right = found[one], found[other]
        if one == other:
            continue
        exact = left.exact and right.exact and left.zoned == right.zoned
        if left.zoned != right.zoned:
            left, right = (loosen(own) if own.zoned else own for own in (left, right))
        for side, end in product((0, 1), repeat=2):
            latest = (left.latest_start, left.latest_end)[side]
            earliest = (right.earliest_start, right.earliest_end)[end]
            if latest < earliest:
                below[2 * one + side, 2 * other + end] = "<"
            elif exact and latest == earliest:
                below.setdefault((2 * one + side, 2 * other + end), "=")
        if left.part and right.part and left.part[0] == right.part[0] and left.part < right.part:
            below[2 * one, 2 * other] = "<"
    return close(below, 2 * len(found))


def close(below: dict[tuple[int, int], str], size: int) -> set[tuple[int, int, str]]:
    """All orders of points that follow from some; what is equal is so both ways."""
    below = {
        **{(right, left): "=" for (left, right), sign in below.items() if sign == "="},
        **below,
    }
    points = range(size)
    for middle, left, right in product(points, repeat=3):
        if (left, middle) in below and (middle, right) in below and left != right:
            strict = "<" in (below[left, middle], below[middle, right])
            if strict or (left, right) not in below:
                below[left, right] = "<" if strict else "="
    return {(left, right, sign) for (left, right), sign in below.items()}
