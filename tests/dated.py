"""Small documents with dated times, and a judge of links against values.

The judge shares nothing with tlex: spans come from `calendar_judge`, what labels mean from `brute`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations, product
from xml.sax.saxutils import quoteattr

import brute
from calendar_judge import span_of
from hypothesis import strategies as st

import tlex

Link = tuple[str, str, str]
"""Source, label and target: times are t1, t2 and so on, events ei1, ei2 and so on."""

LABELS = ("BEFORE", "AFTER", "IS_INCLUDED", "INCLUDES", "SIMULTANEOUS", "BEGINS", "ENDED_BY")
VALUES = (
    *("1988", "1989", "1990", "1988-03", "1989-03", "1989-10", "1990-10"),
    *("1989-10-30", "1989-10-31", "1989-03-31", "1988-10-30", "1989-W44", "1988-W44", "1989-W10"),
)


def write(times: Sequence[str | tuple[str, dict[str, str]]], links: Sequence[Link] = ()) -> str:
    """Write a document, one element a line; the links are l1, l2 and so on."""
    lines = []
    for number, time in enumerate(times, 1):
        value, about = (time, {}) if isinstance(time, str) else time
        attributes = {"tid": f"t{number}", "type": "DATE", "value": value, **about}
        words = "".join(f" {name}={quoteattr(word)}" for name, word in attributes.items())
        lines.append(f"Time <TIMEX3{words}>time {number}</TIMEX3>.")
    events = sorted({end for link in links for end in link[::2] if end.startswith("ei")})
    for name in events:
        lines.append(
            f'Then <EVENT eid="{name[0] + name[2:]}" class="STATE">event {name[2:]}</EVENT>.'
        )
        lines.append(f'<MAKEINSTANCE eiid="{name}" eventID="{name[0] + name[2:]}"/>')
    for number, (source, label, target) in enumerate(links, 1):
        own = "timeID" if source[0] == "t" else "eventInstanceID"
        other = "relatedToTime" if target[0] == "t" else "relatedToEventInstance"
        lines.append(
            f'<TLINK lid="l{number}" {own}="{source}" relType="{label}" {other}="{target}"/>'
        )
    return "<TimeML>\n" + "\n".join(lines) + "\n</TimeML>\n"


def parse(
    times: Sequence[str | tuple[str, dict[str, str]]], links: Sequence[Link] = ()
) -> tlex.Document:
    """Make a document."""
    return tlex.parse(write(times, links), name="dated.tml")


@st.composite
def dated_graphs(draw: st.DrawFn) -> tuple[list[str], list[Link]]:
    """Draw a few exact values and links among the times and two events."""
    times = draw(st.lists(st.sampled_from(VALUES), min_size=2, max_size=5))
    nodes = [*(f"t{number}" for number in range(1, len(times) + 1)), "ei1", "ei2"]
    ends = st.tuples(st.sampled_from(nodes), st.sampled_from(LABELS), st.sampled_from(nodes))
    links = st.lists(ends.filter(lambda link: link[0] != link[2]), min_size=1, max_size=5)
    return times, draw(links)


def agree(values: Mapping[str, str], links: Iterable[Link]) -> bool:
    """Whether links agree with each other and with the values of some times."""
    links = list(links)
    names = dict.fromkeys((*values, *(end for link in links for end in link[::2])))
    number = {name: place for place, name in enumerate(names)}
    known = {
        claim
        for source, label, target in links
        for claim in brute.constraints_of((number[source], label, number[target]))
    }
    known |= {(2 * place, "<", 2 * place + 1) for place in number.values()}
    for one, other in combinations(values, 2):
        for side, end in product((0, 1), repeat=2):
            left, right = (_place(values[one], side), _place(values[other], end))
            points = 2 * number[one] + side, 2 * number[other] + end
            if left == right:
                known.add((points[0], "=", points[1]))
            else:
                low, high = points if left < right else points[::-1]
                known.add((low, "<", high))
    return brute.close_constraints(2 * len(number), known) is not None


def _place(value: str, side: int) -> tuple[datetime, int]:
    """Where a start (0) or an end (1) stands: at one instant ends come first."""
    span = span_of(value)
    assert span is not None
    return span[side], 1 - side


def find_cheapest(values: Mapping[str, str], links: Sequence[Link]) -> int:
    """How many links must go at least."""
    return next(
        size
        for size in range(len(links) + 1)
        for gone in combinations(range(len(links)), size)
        if agree(values, [link for place, link in enumerate(links) if place not in gone])
    )


def name_values(times: Sequence[str], only: Collection[str] | None = None) -> dict[str, str]:
    """Give the values by the names of the times."""
    named = {f"t{number}": value for number, value in enumerate(times, 1)}
    return named if only is None else {name: named[name] for name in named if name in only}
