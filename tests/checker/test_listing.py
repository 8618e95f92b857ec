"""The check of a list of conflicts as a whole: it notices exactly the omissions that matter."""

from __future__ import annotations

import random

import brute
import pytest
from conflict_judge import Judge

import tlex
from tlex.checker.constraints import Constraints
from tlex.checker.listing import check_listing

LABELS = (*brute.TLINKS, *brute.ALINKS)
MATTERS = ("they cover", "they are thorough", "they prove the repair")


def draw(seed: int) -> tuple[int, list[brute.Link]]:
    dice = random.Random(f"omitted/{seed}")  # noqa: S311
    size = dice.randint(2, 5)
    count = dice.randint(3, 8)
    ends = [(dice.randrange(size), dice.randrange(size)) for _ in range(count)]
    return size, [(a, dice.choice(LABELS), b) for a, b in ends]


def is_accepted(constraints: Constraints, conflicts) -> bool:
    try:
        assert check_listing(constraints, conflicts, complete=True) == []
    except tlex.VerificationError:
        return False
    return True


@pytest.mark.parametrize("part", range(7))
def test_a_list_without_one_of_its_conflicts_is_accepted_only_if_it_keeps_every_promise(part):
    omitted = accepted = 0
    for seed in range(60 * part, 60 * (part + 1)):
        size, links = draw(seed)
        rows = [(f"e{a}", label, f"e{b}") for a, label, b in links]
        result = tlex.extract(tlex.from_links(rows))
        constraints = Constraints(result.document, result.options)
        judge = Judge(size, links, ())
        assert is_accepted(constraints, result.conflicts)
        for conflict in result.conflicts:
            rest = [one for one in result.conflicts if one is not conflict]

            found = is_accepted(constraints, rest)

            assert found == (not {*MATTERS}.intersection(judge.find_flaws(rest))), links
            omitted += 1
            accepted += found
    assert 0 < accepted < omitted


def test_a_contradiction_of_thousands_of_links_is_proven_whole():
    size = 3_000
    ring = [(f"e{number}", "BEFORE", f"e{(number + 1) % size}") for number in range(size)]
    result = tlex.extract(tlex.from_links(ring))
    constraints = Constraints(result.document, result.options)

    assert is_accepted(constraints, result.conflicts)


def test_of_many_contradictions_none_may_be_missing():
    ends = [(f"a{number}", f"b{number}") for number in range(300)]
    links = [(one, "BEFORE", other) for one, other in [*ends, *(pair[::-1] for pair in ends)]]
    joined = [(f"a{number}", "BEFORE", f"a{number + 1}") for number in range(299)]
    result = tlex.extract(tlex.from_links([*links, *joined]))
    constraints = Constraints(result.document, result.options)
    assert is_accepted(constraints, result.conflicts)

    for number in (0, 150, 299):
        missing = result.conflicts[number]
        rest = [one for one in result.conflicts if one is not missing]

        with pytest.raises(tlex.VerificationError, match="no conflict shows"):
            check_listing(constraints, rest, complete=True)
