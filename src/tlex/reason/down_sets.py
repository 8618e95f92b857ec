"""The profile of a partial order, counted over its down-sets (reading R16).

An ordering with ties is written as a linear extension, each of its blocks from the highest number
down. So a lower number is followed by a higher one in another block; and a higher number by a
lower one in the same block or in the next. A down-set needs its number of orderings for each last
element, and so each element takes one addition and one shift. This is quick if there are few
down-sets, because the order is small or narrow; `order_maps` is quick if it is nearly a tree.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["count_down_sets"]

_EACH = 10
"""What one more element of a down-set takes, in elements of lists, as `order_maps` counts work."""


def count_down_sets(covers: Sequence[Sequence[int]], limit: int) -> tuple[list[int], int]:
    """Give the profile, empty if it takes more work than the limit; and the work.

    ``covers`` are those of each element from below, in a linear extension. Profiles are packed
    into one integer each, ``width`` bits for a number of blocks.
    """
    size = len(covers)
    width = size * size.bit_length() + size + 1
    needs = [sum(1 << other for other in below) for below in covers]
    above: list[list[int]] = [[] for _ in covers]
    for element, below in enumerate(covers):
        for other in below:
            above[other].append(element)
    free = sum(1 << element for element, below in enumerate(covers) if not below)
    level: dict[int, list[tuple[int, int]]] = {0: [(-1, 1)]}
    frees = {0: free}
    work = 0
    for _ in covers:
        grown: dict[int, list[tuple[int, int]]] = {}
        for done, lasts in level.items():
            lasts.sort(reverse=True)
            separate = sum(count for _, count in lasts) << width
            free = candidates = frees.pop(done)
            together = place = 0
            while candidates:
                element = candidates.bit_length() - 1
                bit = 1 << element
                candidates ^= bit
                while place < len(lasts) and lasts[place][0] > element:
                    together += lasts[place][1]
                    place += 1
                longer = done | bit
                entry = (element, separate + together)
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
        level = grown
    packed = sum(count for _, count in level[(1 << size) - 1])
    mask = (1 << width) - 1
    return [packed >> blocks * width & mask for blocks in range(size + 1)], work
