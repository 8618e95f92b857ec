"""The descents of a partial order, counted over its down-sets (reading R16, `descents`).

A down-set needs its number of linear extensions for each last element, and so each element takes
one addition and one shift. This is quick if there are few down-sets, because the order is small or
narrow; `order_maps` is quick if it is nearly a tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from tlex.reason.descents import Descents

__all__ = ["count_down_sets"]

_EACH = 10
"""What one more element of a down-set takes, in elements of lists, as `order_maps` counts work."""


def count_down_sets(covers: Sequence[Sequence[int]], limit: int) -> tuple[Descents, int]:
    """Give the descents, empty if it is likely to take more work than the limit; and the work.

    ``covers`` are those of each element from below, in a linear extension. Descents are packed
    into one integer each, ``width`` bits for a number of descents.
    """
    size = len(covers)
    width = size * size.bit_length()
    needs = [sum(1 << other for other in below) for below in covers]
    above: list[list[int]] = [[] for _ in covers]
    for element, below in enumerate(covers):
        for other in below:
            above[other].append(element)
    free = sum(1 << element for element, below in enumerate(covers) if not below)
    level: dict[int, list[tuple[int, int]]] = {0: [(-1, 1)]}
    frees = {0: free}
    work = 0
    for place in range(1, size + 1):
        grown: dict[int, list[tuple[int, int]]] = {}
        for done, lasts in level.items():
            lasts.sort(reverse=True)
            ascending = sum([count for _, count in lasts])
            free = candidates = frees.pop(done)
            descending = passed = 0
            while candidates:
                element = candidates.bit_length() - 1
                bit = 1 << element
                candidates ^= bit
                while passed < len(lasts) and lasts[passed][0] > element:
                    ascending -= lasts[passed][1]
                    descending += lasts[passed][1]
                    passed += 1
                longer = done | bit
                entry = (element, ascending + (descending << width))
                if longer in grown:
                    grown[longer].append(entry)
                else:
                    grown[longer] = [entry]
                    frees[longer] = free ^ bit
                    for other in above[element]:
                        if not needs[other] & ~longer:
                            frees[longer] |= 1 << other
                work += _EACH
            if work > limit:
                return [], work
        if 4 * work * size > 5 * limit * place:  # it grows until the middle
            return [], work
        level = grown
    packed = sum([count for _, count in level[(1 << size) - 1]])
    mask = (1 << width) - 1
    return [packed >> place & mask for place in range(0, packed.bit_length(), width)], work
