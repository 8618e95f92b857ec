"""Which pairs of time-points have an unknown order (§3.6, the paper's tables ``ID_i``).

An indeterminate pair always lies inside one section, so the tables are made section by section:
one bit for each pair of its compounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import mul

from tlex.points.graphs import CompoundGraph, Steps
from tlex.reason.sections import SectionOrder

__all__ = [
    "count_neighbours",
    "count_pairs",
    "is_indeterminate",
    "pick_neighbours",
    "pick_pairs",
    "walk_pairs",
]


def is_indeterminate(graph: CompoundGraph, steps: Steps, one: int, other: int) -> bool:
    """Whether two compounds are different and no path leads from either to the other. O(n + m)."""
    earliest = steps.earliest
    if one == other:
        return False
    if earliest[one] > earliest[other]:
        one, other = other, one
    limit = earliest[other]
    seen = {one}
    queue = [one]
    for number in queue:
        for after in graph.successors[number]:
            if after == other:
                return False
            if earliest[after] < limit and after not in seen:
                seen.add(after)
                queue.append(after)
    return True


def count_pairs(compound: Sequence[int], sections: Iterable[SectionOrder]) -> int:
    """Count the indeterminate pairs of points in some sections of a component.

    ``compound`` gives the compound of each of its points. Most compounds are single points. So
    what precedes a compound is counted in compounds first, and then the further points of these.
    """
    weights: dict[int, int] = {}
    if len(set(compound)) < len(compound):
        for number in compound:
            weights[number] = weights.get(number, 0) + 1
    total = 0
    for section in sections:
        below = section.below
        preceding = list(map(int.bit_count, below))
        own = [weights[number] for number in section.compounds] if weights else []
        points = sum(own)
        if points <= len(own):
            total += len(below) * (len(below) - 1) // 2 - sum(preceding)
            continue
        masks: dict[int, int] = {}
        for place, weight in enumerate(own):
            if weight > 1:
                masks[weight - 1] = masks.get(weight - 1, 0) | 1 << place
        for more, mask in masks.items():
            preceding = [
                number + more * (under & mask).bit_count()
                for number, under in zip(preceding, below, strict=True)
            ]
        ordered = sum(map(mul, own, preceding))
        total += (points * points - sum(map(mul, own, own))) // 2 - ordered
    return total


def walk_pairs(
    compound: Sequence[int], sections: Iterable[SectionOrder]
) -> Iterator[tuple[int, int]]:
    """Give every indeterminate pair of points, section by section, each pair once.

    Points are given by their places in ``compound``, as for `count_pairs`.
    """
    members = _group_points(compound)
    for section in sections:
        below = section.below
        place = {number: position for position, number in enumerate(section.compounds)}
        points = sorted(point for number in section.compounds for point in members[number])
        places = [place[compound[point]] for point in points]
        for first, left in enumerate(points):
            one = places[first]
            for second in range(first + 1, len(points)):
                other = places[second]
                if one != other and not (below[one] >> other | below[other] >> one) & 1:
                    yield left, points[second]


def pick_pairs(
    compound: Sequence[int], sections: Iterable[SectionOrder], numbers: list[int]
) -> list[tuple[int, int]]:
    """Give the indeterminate pairs with these numbers, of as many as `count_pairs` counts.

    The numbers ascend from 0. The order of the pairs is fixed, but it is not that of `walk_pairs`.
    No other pairs are made.
    """
    members = _group_points(compound)

    def blocks() -> Iterator[tuple[list[int], list[int]]]:
        for section in sections:
            inside, below = section.compounds, section.below
            for place, one in enumerate(inside):
                yield (
                    members[one],
                    [
                        point
                        for other in range(place + 1, len(inside))
                        if not below[other] >> place & 1
                        for point in members[inside[other]]
                    ],
                )

    return _pick(blocks(), numbers)


def count_neighbours(graph: CompoundGraph, steps: Steps) -> int:
    """Count the pairs of points on neighbouring steps of which the first must precede the second.

    Of two compounds on neighbouring steps, one precedes the other if and only if a constraint says
    so. Inconsistent components are left out.
    """
    sizes = _count_points(graph)
    earliest, total = steps.earliest, 0
    for block, (first, end) in enumerate(pairwise(graph.cuts)):
        if block in graph.broken:
            continue
        for number, after in enumerate(graph.successors[first:end], first):
            following = earliest[number] + 1
            if len(after) == 1:
                if earliest[after[0]] == following:
                    total += sizes[number] * sizes[after[0]]
            elif after:
                near = {other for other in after if earliest[other] == following}
                total += sizes[number] * sum([sizes[other] for other in near])
    return total


def pick_neighbours(
    graph: CompoundGraph, steps: Steps, numbers: list[int]
) -> list[tuple[int, int]]:
    """Give the pairs with these numbers, of as many as `count_neighbours` counts."""
    members, earliest = _group_points(graph.compound), steps.earliest
    blocks = (
        (
            members[number],
            [
                point
                for other in dict.fromkeys(after)
                if earliest[other] == earliest[number] + 1
                for point in members[other]
            ],
        )
        for number, after in enumerate(graph.successors)
    )
    return _pick(blocks, numbers)


def _pick(
    blocks: Iterable[tuple[list[int], list[int]]], numbers: list[int]
) -> list[tuple[int, int]]:
    """Number the pairs of each block, one of its first and one of its second list; pick some."""
    picked: list[tuple[int, int]] = []
    before = 0
    for ones, others in blocks:
        size = len(ones) * len(others)
        while len(picked) < len(numbers) and numbers[len(picked)] < before + size:
            row, column = divmod(numbers[len(picked)] - before, len(others))
            picked.append((ones[row], others[column]))
        if len(picked) == len(numbers):
            break
        before += size
    return picked


def _count_points(graph: CompoundGraph) -> list[int]:
    """How many points each compound has."""
    sizes = [1] * graph.size
    if graph.size < len(graph.compound):
        sizes = [0] * graph.size
        for compound in graph.compound:
            sizes[compound] += 1
    return sizes


def _group_points(compound: Sequence[int]) -> dict[int, list[int]]:
    """Find the points of each compound."""
    members: dict[int, list[int]] = {}
    for point, number in enumerate(compound):
        members.setdefault(number, []).append(point)
    return members
