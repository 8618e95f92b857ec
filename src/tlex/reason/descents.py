"""Partial orders by their descents, put in series and in parallel (reading R16).

The elements of a partial order are numbered so that whatever precedes an element has a lower
number. A linear extension has a *descent* wherever a lower number follows a higher one. An ordering
with ties becomes a linear extension if each of its blocks is written from the highest number down.
So a linear extension with d descents stands for 2^d orderings: each descent is inside a block, or
between two. `Descents` says how many linear extensions have exactly 0, 1, 2 … descents. That does
not depend on the numbering.

The same follows from weak maps: these give each element one of n steps, no earlier one than to
whatever precedes it. Let w(n) be their number. Then the power series with the coefficients w(1),
w(2), w(3) …, times (1 - x)^(size + 1), is the polynomial of the descents (Stanley). In series, the
polynomials are multiplied; in parallel, the numbers of maps. The longest chain has as many elements
as no descent may precede: ``size + 1 - len(descents)``. So maps into few steps are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, repeat
from math import comb
from operator import mul
from typing import TypeAlias

__all__ = [
    "Descents",
    "Piece",
    "count_orderings",
    "find_descents",
    "line_up",
    "stand_beside",
]

_FEW = 3
"""The maps of a chain of so many elements are summed up; of more, they are computed one by one."""

Descents: TypeAlias = list[int]

Piece: TypeAlias = tuple[int, tuple[int, ...]]
"""How many elements a piece has, and its descents."""


def count_orderings(descents: Descents) -> int:
    """Count the orderings with ties."""
    return sum([count << number for number, count in enumerate(descents)])


def line_up(pieces: Iterable[Descents]) -> Descents:
    """The descents of pieces in series."""
    whole = [1]
    for descents in pieces:
        if len(descents) == 1:
            if descents[0] != 1:
                whole = [count * descents[0] for count in whole]
            continue
        longer = [0] * (len(whole) + len(descents) - 1)
        for i, a in enumerate(whole):
            for j, b in enumerate(descents, i):
                longer[j] += a * b
        whole = longer
    return whole


def stand_beside(pieces: Iterable[Piece]) -> Descents:
    """The descents of pieces in parallel."""
    return find_descents(*_multiply(pieces))


def count_beside(pieces: Iterable[Piece]) -> int:
    """Count the orderings with ties of pieces in parallel."""
    return count_by_maps(*_multiply(pieces))


def find_descents(maps: Sequence[int], size: int) -> Descents:
    """Find the descents, given the numbers of weak maps into 1, 2, … steps."""
    factors = _find_factors(size)
    return [sum(map(mul, factors, maps[number::-1])) for number in range(len(maps))]


def count_by_maps(maps: Sequence[int], size: int) -> int:
    """Count the orderings with ties, given the numbers of weak maps: as if by the descents."""
    weights = _find_weights(size)[len(maps) - 1 :: -1]
    return sum([count << number for number, count in enumerate(map(mul, maps, weights))])


@lru_cache(maxsize=64)
def _find_factors(size: int) -> tuple[int, ...]:
    """The coefficients of (1 - x)^(size + 1)."""
    factors = [1]
    for number in range(size + 1):
        factors.append(factors[-1] * (number - size - 1) // (number + 1))
    return tuple(factors)


@lru_cache(maxsize=64)
def _find_weights(size: int) -> tuple[int, ...]:
    """The sums of the first 1, 2, … coefficients of (1 - 2x)^(size + 1)."""
    return tuple(accumulate([factor << place for place, factor in enumerate(_find_factors(size))]))


def _multiply(pieces: Iterable[Piece]) -> tuple[list[int], int]:
    """Count the weak maps of pieces in parallel, into as many steps as decide; and the elements."""
    kinds: dict[Piece, int] = {}
    whole = height = 0
    for piece in pieces:
        kinds[piece] = kinds.get(piece, 0) + 1
        size, descents = piece
        whole += size
        height = max(height, size + 1 - len(descents))
    most = whole + 1 - height
    maps = [1] * most
    for (size, descents), times in kinds.items():
        values = _count_maps(size, descents, most)
        maps = list(map(mul, maps, values if times == 1 else map(pow, values, repeat(times))))
    return maps, whole


def _count_maps(size: int, descents: Sequence[int], most: int) -> Sequence[int]:
    """Count the weak maps into 1, 2, … ``most`` steps."""
    chain: Sequence[int] = range(1, most + 1)
    if size <= _FEW:
        for _ in range(size - 1):
            chain = list(accumulate(chain))
    else:
        chain = [comb(steps, size) for steps in range(size, size + most)]
    if len(descents) == 1:
        return chain if descents[0] == 1 else [descents[0] * count for count in chain]
    return [sum(map(mul, descents, chain[steps::-1])) for steps in range(most)]
