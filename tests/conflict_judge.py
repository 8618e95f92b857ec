"""A judge of lists of conflicts: what reading R6 promises, by trying everything.

Only `brute` is used, which knows what labels mean. Links have numbers from 0 here. As a program it
judges random graphs for as long as one likes:

    python tests/conflict_judge.py COUNT [SEED]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import brute

import tlex

Step = tuple[int, str, int, int | None]
"""Left point, order, right point, and the link; None for an interval's own."""


class Judge:
    """A small graph, and everything that can be found out about it by trying."""

    def __init__(self, size: int, links: Sequence[brute.Link], instants: Collection[int]) -> None:
        self.size, self.links, self.instants = size, links, instants
        self._known: dict[frozenset[int], bool] = {}
        said = [brute.constraints_of(link) for link in links]
        self.first = {number: said.index(one) for number, one in enumerate(said)}
        self.steps: list[Step] = [
            (left, order, right, number)
            for number, one in enumerate(said)
            for left, order, right in sorted(one)
            if self.first[number] == number
        ]
        self.own: list[Step] = []
        for i in range(size):
            if i in instants:
                self.own += [(2 * i, "=", 2 * i + 1, None), (2 * i + 1, "=", 2 * i, None)]
            else:
                self.own.append((2 * i, "<", 2 * i + 1, None))
        equal = [(a, b) for a, order, b, _ in chain(self.steps, self.own) if order == "="]
        groups = brute.connect(2 * size, equal)
        self.compound = {point: k for k, group in enumerate(groups) for point in group}

    def holds(self, numbers: Collection[int]) -> bool:
        """Whether some links can all hold."""
        key = frozenset(numbers)
        if key not in self._known:
            chosen = [self.links[number] for number in key]
            self._known[key] = brute.close(self.size, chosen, self.instants) is not None
        return self._known[key]

    def is_irreducible(self, numbers: Sequence[int]) -> bool:
        """Whether some links contradict each other, and no longer without any one of them."""
        return not self.holds(numbers) and all(
            self.holds([other for other in numbers if other != one]) for one in numbers
        )

    def find_cost(self) -> int:
        """The size of a minimum repair."""
        everything = range(len(self.links))
        return min(
            len(gone)
            for gone in _list_subsets(everything)
            if self.holds([number for number in everything if number not in gone])
        )

    def measure(self, start: Step, allowed: Collection[int] | None = None) -> int | None:
        """How many steps with links a shortest contradictory walk through a step has."""
        shortest = None
        border, seen = [(start[2], start[1] == "<")], set()
        length = 1
        while border and shortest is None:
            reached = list(border)
            for point, met in reached:  # along the intervals' own constraints, for nothing
                reached += [
                    (right, met or order == "<")
                    for left, order, right, _ in self.own
                    if left == point and (right, met or order == "<") not in reached
                ]
            if (start[0], True) in reached:
                shortest = length
            seen.update(reached)
            border = [
                (right, met or order == "<")
                for left, order, right, number in self.steps
                if allowed is None or number in allowed
                for point, met in reached
                if left == point and (right, met or order == "<") not in seen
            ]
            border = list(dict.fromkeys(border))
            length += 1
        return shortest

    def list_walks(self, start: Step, longest: int) -> Iterator[list[Step]]:
        """List the contradictory closed walks through a step that visit no state twice."""
        stack = [([start], {(start[2], start[1] == "<")}, 1)]
        while stack:
            walk, seen, length = stack.pop()
            point, met = walk[-1][2], any(step[1] == "<" for step in walk)
            if point == start[0] and met:
                yield walk
                continue
            for step in chain(self.own, self.steps):
                state = step[2], met or step[1] == "<"
                longer = length + (step[3] is not None)
                if step[0] == point and state not in seen and longer <= longest:
                    stack.append(([*walk, step], seen | {state}, longer))

    def find_flaws(self, conflicts: Sequence[Any]) -> list[str]:
        """Say what is wrong with a list of conflicts whose links are called l1, l2 and so on."""
        sets = [tuple(int(name[1:]) - 1 for name in conflict.minimal) for conflict in conflicts]
        named = {number for one in sets for number in one}
        removed = [number for number in self.first if self.first[number] in named]
        claims = {
            "every conflict is irreducible": all(map(self.is_irreducible, sets)),
            "no two have the same set": len(sets) == len(set(sets)),
            "they come by their first links": sets == sorted(sets),
            "they are numbered": [one.number for one in conflicts] == list(range(1, len(sets) + 1)),
            "of links that say the same the first is named": all(
                self.first[number] == number for number in named
            ),
            "the others are listed": all(
                conflict.same
                == {
                    f"l{number + 1}": tuple(
                        f"l{k + 1}" for k, one in self.first.items() if one == number != k
                    )
                    for number in one
                    if list(self.first.values()).count(number) > 1
                }
                for one, conflict in zip(sets, conflicts, strict=True)
            ),
            "they cover": self.holds([n for n in self.first if n not in removed]),
            "they are thorough": all(
                self._is_thorough(step, sets) for step in self.steps if step[0] != step[2]
            ),
            "they prove the repair": self._hit(sets) == self.find_cost(),
            "each walk has the fewest compounds": all(
                self._is_best(one, conflict) for one, conflict in zip(sets, conflicts, strict=True)
            ),
        }
        return [claim for claim, true in claims.items() if not true]

    def _is_thorough(self, step: Step, sets: Sequence[tuple[int, ...]]) -> bool:
        """Whether a shortest walk through a constraint, in either direction, holds a conflict."""
        left, order, right, number = step
        ways = [step] if order == "<" else [step, (right, order, left, number)]
        lengths = [length for way in ways if (length := self.measure(way)) is not None]
        if not lengths:
            return True
        return any(
            set(one) <= {each[3] for each in walk}
            for way in ways
            for walk in self.list_walks(way, min(lengths))
            for one in sets
        )

    def _hit(self, sets: Sequence[tuple[int, ...]]) -> int:
        """What it costs to meet all conflicts; links that say the same go together."""
        weight = {number: list(self.first.values()).count(number) for number in self.first}
        named = sorted({number for one in sets for number in one})
        return min(
            sum(weight[number] for number in chosen)
            for chosen in _list_subsets(named)
            if all(set(one) & set(chosen) for one in sets)
        )

    def _is_best(self, links: tuple[int, ...], conflict: Any) -> bool:
        """Whether no walk over the same links is shorter, or as short with fewer compounds."""
        length = sum(step.link is not None for step in conflict.walk)
        kind = {"i": 1, "ii": 2, "iii": 3}[conflict.kind]
        for start in self.steps:
            if start[3] != links[0]:
                continue
            for walk in self.list_walks(start, length):
                used = {step[3] for step in walk} - {None}
                if not used <= set(links):
                    continue
                steps = sum(step[3] is not None for step in walk)
                compounds = len({self.compound[step[0]] for step in walk})
                if (steps, min(compounds, 3)) < (length, kind):
                    return False
        return True


def _list_subsets(numbers: Collection[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def main() -> None:
    """Judge the lists of random graphs; print each that is not as promised."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    contradictory = listed = 0
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")  # noqa: S311 -- no secret
        size = dice.randint(1, 6)
        labels = (*brute.TLINKS, *brute.ALINKS)
        links = [
            (dice.randrange(size), dice.choice(labels), dice.randrange(size))
            for _ in range(dice.randint(1, 8))
        ]
        instants = {0} if dice.random() < 0.2 else set()
        result = tlex.extract(
            tlex.from_links(
                [(f"e{a}", label, f"e{b}") for a, label, b in links],
                times={f"e{one}": "TIME" for one in instants},
            ),
            times="point",
        )
        contradictory += not result.consistent
        listed += len(result.conflicts)
        if flaws := Judge(size, links, instants).find_flaws(result.conflicts):
            print(seed, number, links, instants, flaws)  # noqa: T201
    print(f"{count} graphs, {contradictory} contradictory, {listed} conflicts")  # noqa: T201


if __name__ == "__main__":
    main()
