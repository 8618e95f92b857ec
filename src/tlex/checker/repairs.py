"""The check of a repair: it repairs, all of it is needed, and no other one costs less.

That nothing costs less is proved knot by knot. A knot is a contradictory part of the points, with
the links inside. Its conflicts are sets of links of which one must go. They are the listed ones, to
which the checker adds those that it meets itself. A small search by branching removes one link of a
conflict after the other, up to the claimed cost. It finds every repair that costs no more, or ends
at a limit; then the claim is named as unchecked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

from tlex.checker.conflicts import check_conflicts
from tlex.checker.constraints import TYPES, Constraints, is_satisfiable
from tlex.checker.decisions import check_decisions
from tlex.checker.knots import Knot, TooMuchError, find_knots, share_out
from tlex.checker.listing import check_listing
from tlex.checker.parts import Parts
from tlex.checker.relations import list_rows
from tlex.checker.text_order import find_first
from tlex.checker.timelines import Edge
from tlex.checker.weights import Costs, write_cost
from tlex.errors import VerificationError
from tlex.nouns import Link
from tlex.records import FixRecord

__all__ = ["check_repair"]

TRIES_LIMIT: Final = 2_000_000
"""Constraints that may be looked at to see what else could be done with the changed links."""


def check_repair(constraints: Constraints, fix: FixRecord) -> list[str]:
    """Prove a repair; return what could not be checked."""
    costs = Costs(constraints.document, fix.options)
    changed = sorted(
        (*fix.removed, *fix.relabelled), key=lambda link: constraints.place.get(link, -1)
    )
    _check_names(constraints, fix, changed)
    world = _World(constraints, changed)
    renamed = [
        edge
        for name, label in fix.relabelled.items()
        for edge in world.read(world.links[name], label)
    ]
    if world.admits(renamed) != fix.consistent:
        raise VerificationError(f"'consistent' is {not fix.consistent} of the repaired document")
    real = sum((costs.exact[link] for link in changed), Fraction(0))
    if fix.cost not in (real, write_cost(real)):
        raise VerificationError(f"the repair costs {write_cost(real):g}, not {fix.cost:g}")
    owner = Parts(constraints).owner
    unchecked = check_conflicts(constraints, fix.conflicts, owner, appended=bool(fix.decisions))
    unchecked += check_listing(constraints, fix.conflicts, complete=fix.conflicts_complete)
    if fix.options.only is not None:
        _check_loops(constraints, fix)
    elif fix.consistent:
        if not fix.options.choose:
            unchecked += _check_needed(world, fix, renamed)
        unchecked += _Minimum(constraints, costs, fix).check(frozenset(changed))
    elif 0 not in fix.options.choose.values():
        raise VerificationError("the repair does not repair")
    elif (fix.optimal, fix.bound, fix.count, fix.exact, fix.alternatives) != (
        False,
        0,
        1,
        False,
        (),
    ):
        raise VerificationError("a repair that leaves contradictions claims more than that")
    unchecked += check_decisions(constraints, costs, fix)
    return unchecked + _check_suggestions(world, fix, [world.links[name] for name in changed])


def _check_names(constraints: Constraints, fix: FixRecord, changed: Sequence[str]) -> None:
    """Check that the links of a repair are there, are allowed to change, and in document order."""
    kinds = {link.id: link.kind for link in constraints.document.links}
    free = constraints.stated.keys() - set(constraints.firm)
    if len(set(changed)) != len(changed) or not free >= set(changed):
        raise VerificationError("a link of the repair says nothing, or is named twice")
    for name, listed in (("removed", fix.removed), ("relabelled", fix.relabelled)):
        if list(listed) != [link for link in changed if link in listed]:
            raise VerificationError(f"the links {name} are not in document order")
    if fix.relabelled and not fix.options.relabel and not fix.options.choose:
        raise VerificationError("links are relabelled, which was not asked for")
    for name in changed:
        if name in fix.options.keep:
            raise VerificationError(f"the link {name!r} was to be kept")
        if name in fix.relabelled and fix.relabelled[name] not in TYPES[kinds[name]]:
            raise VerificationError(f"{fix.relabelled[name]!r} is no type for {name!r}")


def _check_needed(world: _World, fix: FixRecord, renamed: Sequence[Edge]) -> list[str]:
    """Check that a smallest repair changes nothing that need not change."""
    names = (*fix.removed, *fix.relabelled) if fix.optimal else ()
    if len(names) * len(world.stays) > TRIES_LIMIT:
        return ["whether all changes are needed"]
    for name in names:
        others = [edge for edge in renamed if edge.link != name]
        if world.admits([*others, *world.constraints.stated[name]]):
            raise VerificationError(f"the link {name!r} need not be changed")
    return []


class _World:
    """The links that stay, and whether others can come back."""

    def __init__(self, constraints: Constraints, gone: Collection[str]) -> None:
        self.constraints = constraints
        self.links = {link.id: link for link in constraints.document.links}
        stays = (edges for link, edges in constraints.stated.items() if link not in set(gone))
        self.stays = [*constraints.own, *(edge for edges in stays for edge in edges)]

    def admits(self, edges: Collection[Edge]) -> bool:
        """Whether constraints can be added without a contradiction."""
        return is_satisfiable([*self.stays, *edges])

    def read(self, link: Link, label: str) -> list[Edge]:
        """Give the constraints of a link if it had another type."""
        return self.constraints.relabel(link, label)


def _check_suggestions(world: _World, fix: FixRecord, changed: Sequence[Link]) -> list[str]:
    """Check the types that each link could have if it alone came back, and the new types.

    New types are given in document order, each the nearest that fits with those before.
    """
    if list(fix.suggestions) != [link.id for link in changed]:
        raise VerificationError("suggestions are for the links of the repair, in document order")
    if len(changed) * len(TYPES["TLINK"]) * len(world.stays) > TRIES_LIMIT:
        return ["the types that the links of the repair could have instead"]
    back: list[Edge] = []
    for link in changed:
        fitting = _list_fitting(world, link, [])
        if list(fix.suggestions[link.id]) != fitting:
            raise VerificationError(
                f"the link {link.id!r} could be {fitting}, nearest first, "
                f"not {list(fix.suggestions[link.id])}"
            )
        if fix.options.relabel and not fix.options.choose:
            nearest = next(iter(_list_fitting(world, link, back)), None)
            if fix.relabelled.get(link.id) != nearest:
                raise VerificationError(f"the new type of {link.id!r} should be {nearest!r}")
            back += world.read(link, nearest or "")
    return []


def _list_fitting(world: _World, link: Link, back: Sequence[Edge]) -> list[str]:
    """List the types with which a link can come back, after others, nearest to its own first."""
    if not world.admits(back):
        return []
    read = world.constraints.read_label
    own = {edge[:3] for edge in read(link, link.type or "", 0, 1)}
    fitting = [
        label
        for label in TYPES[link.kind]
        if {edge[:3] for edge in read(link, label, 0, 1)} != own
        and world.admits([*back, *world.read(link, label)])
    ]
    return sorted(fitting, key=lambda label: _measure(world.constraints, link, label))


def _measure(constraints: Constraints, link: Link, label: str) -> int:
    """How many times an end point must be moved past, or onto, another one."""
    own, other = (
        list_rows((order, left, right) for left, order, right, _ in edges)
        for edges in (
            constraints.read_label(link, link.type or "", 0, 1),
            constraints.read_label(link, label, 0, 1),
        )
    )
    value = "<=>".index
    return min(
        sum(abs(value(sign) - value(cell)) for sign, cell in zip(left, right, strict=True))
        for left, right in product(own, other)
    )


def _check_loops(constraints: Constraints, fix: FixRecord) -> None:
    """Check a repair that removes nothing but links of an event to itself."""
    loops = [
        link
        for link, edges in constraints.stated.items()
        if edges[0].left // 2 == edges[0].right // 2 and constraints.is_contradictory([link])
    ]
    if fix.options.only != "self-loops" or list(fix.removed) + list(fix.relabelled) != loops:
        raise VerificationError(f"the links that contradict themselves are {loops}")
    bound = None if fix.consistent else fix.cost
    claimed = fix.optimal, fix.bound, fix.count, fix.exact, fix.alternatives
    if claimed != (fix.consistent, bound, 1, True, ()):
        raise VerificationError("there is one such repair; it is optimal if it repairs everything")


class _Minimum:
    """The proof that no repair costs less, and that there are so many of this cost."""

    def __init__(self, constraints: Constraints, costs: Costs, fix: FixRecord) -> None:
        self.constraints = constraints
        self.costs = costs
        self.fix = fix
        self.knots = find_knots(constraints)

    def check(self, chosen: frozenset[str]) -> list[str]:
        """Check the claims about all repairs; return what is too much work."""
        fix = self.fix
        total = self._weigh(chosen)
        least = 0
        counts: list[int | None] = []
        unchecked: list[str] = []
        shares = share_out(self.knots, fix.conflicts)
        for knot, own in zip(self.knots, shares, strict=True):
            inside = chosen & knot.links
            try:
                cost, repairs = knot.search(
                    self._weigh(inside),
                    self.costs.whole,
                    [conflict.minimal for conflict in own],
                    fix.options.keep,
                )
            except TooMuchError:
                first = min(knot.links, key=self.constraints.place.__getitem__)
                unchecked.append(f"the cost of the repair around link {first!r}")
                counts.append(None)
            else:
                measure = self.costs.measure
                if fix.optimal and measure(cost) < measure(self._weigh(inside)):
                    raise VerificationError("there is a repair that costs less")
                least += cost
                counts.append(len(repairs))
                if fix.optimal and not fix.options.choose:
                    unchecked += self._check_choice(knot, inside, repairs)
        known = prod(count for count in counts if count)
        if None in counts:
            unchecked.append(f"that there are {fix.count} repairs of this cost")
        elif least == total and (fix.count > known or (fix.exact and fix.count < known)):
            raise VerificationError(f"there are {known} repairs of this cost, not {fix.count}")
        self._check_bound(None if None in counts else least, unchecked)
        self._check_alternatives(chosen, total)
        return unchecked

    def _check_choice(
        self, knot: Knot, inside: frozenset[str], repairs: list[frozenset[str]]
    ) -> list[str]:
        """Check that of several repairs the one is chosen that keeps the first links it can."""
        first = min(knot.links, key=self.constraints.place.__getitem__)
        if self.fix.ended_by is not None:
            return [f"which of the smallest repairs is chosen around link {first!r}"]
        chosen = find_first(self.constraints, knot, repairs)
        if chosen is None:
            return [f"which of the smallest repairs is chosen around link {first!r}"]
        if chosen != inside:
            raise VerificationError(
                f"of the smallest repairs {sorted(chosen)} keeps the first links in text order"
            )
        return []

    def _weigh(self, links: Iterable[str]) -> int:
        return sum(self.costs.whole[link] for link in links)

    def _check_bound(self, least: int | None, unchecked: list[str]) -> None:
        fix = self.fix
        if fix.optimal:
            if fix.bound is not None:
                raise VerificationError("an optimal repair is its own bound")
        elif fix.bound is None or not 0 <= fix.bound < fix.cost:
            raise VerificationError("the bound is not below the cost")
        elif least is None:
            unchecked.append(f"that every repair costs at least {fix.bound:g}")
        elif fix.bound > write_cost(self.costs.measure(least)):
            raise VerificationError("there is a repair that costs less than the bound")

    def _check_alternatives(self, chosen: frozenset[str], total: int) -> None:
        fix = self.fix
        listed = [chosen, *map(frozenset, fix.alternatives)]
        if len(set(listed)) != len(listed) or len(listed) > fix.count:
            raise VerificationError("an alternative is listed twice, or is not counted")
        if len(listed) != min(fix.count, fix.options.limit):
            raise VerificationError("more or fewer alternatives are listed than were asked for")
        place = self.constraints.place
        for other in fix.alternatives:
            stays = [
                edge
                for link, edges in self.constraints.stated.items()
                if link not in other
                for edge in edges
            ]
            if (
                not self.constraints.stated.keys() - set(self.constraints.firm) >= set(other)
                or list(other) != sorted(set(other), key=place.__getitem__)
                or set(other) & set(fix.options.keep)
                or self._weigh(other) != total
                or not is_satisfiable([*self.constraints.own, *stays])
            ):
                raise VerificationError(f"the alternative {list(other)} is no repair of this cost")
