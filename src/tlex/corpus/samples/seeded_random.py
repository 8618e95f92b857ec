"""Random numbers from a seed: the same ones with every version of Python and on every machine."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["Dice", "draw"]

_BITS = 256


class Dice:
    """Random numbers from a seed: SHA-256 of the seed and the number of the throw."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.thrown = 0

    def throw(self, sides: int) -> int:
        """Give a number from 0 to ``sides - 1``; each is equally likely."""
        if not 0 < sides <= 1 << _BITS:
            raise ValueError(f"no dice has {sides} sides")
        bits = (sides - 1).bit_length()
        while True:
            digest = sha256(f"{self.seed}/{self.thrown}".encode("utf-8", "surrogatepass")).digest()
            self.thrown += 1
            number = int.from_bytes(digest) >> (_BITS - bits)
            if number < sides:
                return number


def draw(population: int, size: int, dice: Dice) -> list[int]:
    """Draw so many different numbers below ``population``, in ascending order.

    Every set of that size is equally likely (Floyd's algorithm). The work grows with the
    sample, not with the population.
    """
    chosen: set[int] = set()
    for last in range(population - size, population):
        number = dice.throw(last + 1)
        chosen.add(last if number in chosen else number)
    return sorted(chosen)
