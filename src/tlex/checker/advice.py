"""The check of what the options of decisions cost, settle and create, and of the words for it.

What an option costs is proved by a search for a cheaper repair of what is left, and for any of that
cost. All searches of a document share a limit. What is left then is named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from math import inf
from typing import Final

from tlex.checker.constraints import Constraints
from tlex.checker.explanations import describe_conflict
from tlex.checker.knots import TooMuchError, find_knots_in, share_out
from tlex.checker.text_order import order_links
from tlex.checker.timelines import Edge
from tlex.checker.weights import Costs, write_cost
from tlex.errors import VerificationError
from tlex.nouns import Link
from tlex.records import Conflict, Decision, FixRecord

__all__ = ["Advice"]

ADVICE_LIMIT: Final = 6_000_000
"""Constraints and conflicts that may be looked at to find out what options cost, altogether."""

_ROUNDS: Final = 10
"""How often about all constraints are walked to find the knots."""


class Advice:
    """The advice of a document's decisions. They have to be checked in their order."""

    def __init__(self, constraints: Constraints, costs: Costs, fix: FixRecord) -> None:
        self.constraints = constraints
        self.costs = costs
        self.fix = fix
        self.firm = set(constraints.firm)
        self.conflicts = {conflict.number: conflict for conflict in fix.conflicts}
        self.unchecked: list[str] = []
        self._found: dict[object, int | None] = {}
        self._work = ADVICE_LIMIT
        self._listed = 0
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, conflict in enumerate(fix.conflicts):
            for link in conflict.minimal:
                self._holders[link].append(place)

    def check(self, decision: Decision, removed: Collection[str], types: dict[str, str]) -> None:
        """Check a decision; ``removed`` and ``types`` are what was decided before."""
        place = f"decision {decision.number}"
        conflict = self.conflicts.get(decision.conflict or 0)
        involved = set(decision.links)
        if conflict is not None:
            involved.update(link for same in conflict.same.values() for link in same)
        with_values = not self.firm.isdisjoint(involved)
        if conflict is None or with_values:
            self.unchecked.append(f"{place}: the words in 'says'")
        elif decision.says != (
            said := describe_conflict(
                self.constraints.document, conflict, decision.options[0].links[0]
            )
        ):
            raise VerificationError(f"{place}: it says {decision.says!r}, not {said!r}")
        if decision.calendar:
            self.unchecked.append(f"{place}: the words about values in 'calendar'")
        self._check_settled(decision, removed, types, place)
        real = self._check_costs(decision, removed, types, place)
        left = [
            bool(option.types)
            and self.constraints.is_contradictory(decision.links, types | option.types)
            for option in decision.options
        ]
        self._check_reasons(decision, real, left, place, values=with_values)

    def _check_settled(
        self, decision: Decision, removed: Collection[str], types: dict[str, str], place: str
    ) -> None:
        """Check how many listed contradictions each option settles.

        The list may have been shorter: contradictions that only later decisions need were added
        later. So some length of the list has to fit for all options, and no list was longer before.
        """
        if decision.conflict is None:
            self.unchecked.append(f"{place}: how many contradictions its options settle")
            return
        settled = [
            [
                conflict.number
                for conflict in self._list_holders(option.links[0], decision.conflict)
                if self._is_open(conflict, removed, types)
                and not (option.types and self._is_open(conflict, (), types | option.types))
            ]
            for option in decision.options
        ]
        claimed = [option.settles for option in decision.options]
        self._listed = max(self._listed, decision.conflict)
        later = {number for one in settled for number in one if number > self._listed}
        for length in (self._listed, *sorted(later)):
            counts = [sum(number <= length for number in one) for one in settled]
            if counts == claimed:
                self._listed = length
                return
        least = [sum(number <= self._listed for number in one) for one in settled]
        if types and all(own <= said for own, said in zip(least, claimed, strict=True)):
            self.unchecked.append(f"{place}: how many contradictions its options settle")
            return
        raise VerificationError(f"{place}: its options settle {least} contradictions or more")

    def _list_holders(self, link: str, first: int) -> list[Conflict]:
        """The conflicts that have a link, from a number on."""
        return [self.fix.conflicts[place] for place in self._holders[link] if place >= first - 1]

    def _is_open(
        self, conflict: Conflict, removed: Collection[str], types: Mapping[str, str]
    ) -> bool:
        if any(link in removed for link in conflict.minimal):
            return False
        if types.keys().isdisjoint(conflict.minimal):
            return True
        return self.constraints.is_contradictory(conflict.minimal, types)

    def _check_costs(
        self, decision: Decision, removed: Collection[str], types: dict[str, str], place: str
    ) -> list[Fraction | None] | None:
        """Check what the options cost; return the exact costs, or None if they are not known."""
        alone = {option.links: option.cost for option in decision.options if not option.types}
        for option in decision.options:
            other = alone.get(option.links)
            differs = None not in (option.cost, other) and option.cost != other
            if option.creates != (bool(option.types) and differs):
                raise VerificationError(
                    f"{place}, option {option.number}: 'creates' does not agree with the costs"
                )
        if self.fix.ended_by is not None:
            self.unchecked.append(
                f"{place}: what its options cost (cost, creates, reason): a search was not done"
            )
            return None
        real: list[Fraction | None] = []
        for option in decision.options:
            if option.cost is None:
                real.append(None)
                continue
            least = self._measure(
                {*removed, *option.links} - option.types.keys(), types | option.types
            )
            if least is None:
                self.unchecked.append(f"{place}: what its options cost (cost, creates, reason)")
                return None
            spent = self._add_up({*removed, *types}) + self._add_up(option.links)
            cost = inf if least == inf else spent + self.costs.measure(int(least))
            if isinstance(cost, float) or option.cost not in (cost, write_cost(cost)):
                said = f"{place}, option {option.number}"
                raise VerificationError(f"{said}: it costs {float(cost):g}")
            real.append(cost)
        return real

    def _add_up(self, links: Iterable[str]) -> Fraction:
        return sum((self.costs.exact[link] for link in links), Fraction(0))

    def _measure(self, removed: Collection[str], types: dict[str, str]) -> float | None:
        """Find what a minimum repair costs after some changes; None if that is too much work."""
        if self._work <= 0:
            return None
        constraints = self.constraints
        stated: dict[str, list[Edge]] = {
            link: constraints.relabel(self._link(link), types[link]) if link in types else edges
            for link, edges in constraints.stated.items()
            if link not in removed
        }
        self._work -= _ROUNDS * (len(constraints.own) + sum(map(len, stated.values())))
        total: float = 0
        knots = find_knots_in(constraints, stated)
        same = (one for one in self.fix.conflicts if types.keys().isdisjoint(one.minimal))
        for knot, own in zip(knots, share_out(knots, same), strict=True):
            key = knot.links, tuple(sorted(item for item in types.items() if item[0] in knot.links))
            if key not in self._found:
                knot.limit = max(self._work, 0)
                listed = [conflict.minimal for conflict in own]
                keep = {*self.fix.options.keep, *types}
                most = sum(self.costs.whole.get(link, 0) for link in knot.links)
                try:
                    cost, found = knot.search(most, self.costs.whole, listed, keep, every=False)
                    self._found[key] = cost if found else -1
                except TooMuchError:
                    self._found[key] = None
                self._work -= knot.work
            least = self._found[key]
            if least is None:
                return None
            total += inf if least < 0 else least
        return total

    def _link(self, name: str) -> Link:
        return self.constraints.document.links[self.constraints.place[name]]

    def _check_reasons(
        self,
        decision: Decision,
        real: list[Fraction | None] | None,
        left: list[bool],
        place: str,
        *,
        values: bool,
    ) -> None:
        """Check the order of the options and the reasons that they give.

        ``real`` are the exact costs, if they are known, and ``left`` says which options need others
        to settle the conflict; ``values``: values of times have a part in it.
        """
        ranks = order_links(self.constraints, decision.links)
        options = decision.options
        keys = [
            (
                option.cost is None,
                option.cost or 0,
                bool(option.types) != self.fix.options.relabel,
                -ranks[option.links[0]],
            )
            for option in options[1:]
        ]
        if keys != sorted(keys):
            raise VerificationError(f"{place}: its options are not in order")
        for number, option in enumerate(options):
            if real is not None:
                said = self._give_reason(decision, real, number, ranks, values=values)
                if left[number]:
                    base, semicolon, more = said.partition("; ")
                    said = f"{base}; settles this together with other changes{semicolon}{more}"
                if option.reason != said:
                    raise VerificationError(
                        f"{place}, option {option.number}: the reason is {said!r}"
                    )

    def _give_reason(
        self,
        decision: Decision,
        real: list[Fraction | None],
        number: int,
        ranks: dict[str, int],
        *,
        values: bool,
    ) -> str:
        """Give the words for an option's place."""
        option, first = decision.options[number], decision.options[0]
        mine, best = real[number], real[0]
        dearer = mine is not None and best is not None and mine > best
        more = ""
        if dearer and mine is not None and best is not None:
            more = f"the whole repair costs {write_cost(mine - best):g} more"
        if option.creates:
            return f"nearest type that settles this, but {more}"
        if option.types:
            with_it = " and agrees with the calendar" if values else ""
            return f"nearest type that fits what stays{with_it}{more and '; ' + more}"
        if option.links == first.links:
            others = [
                cost
                for one, cost in zip(decision.options, real, strict=True)
                if not one.types and one is not option
            ]
            return _praise(mine, others, alone=len(decision.links) == 1, values=values)
        if mine is None:
            return "what it costs in all is not worked out"
        where = "" if ranks[option.links[0]] < ranks[first.links[0]] else " elsewhere"
        return more or f"as small, but changes a link earlier in text order{where}"


def _praise(
    cost: Fraction | None, others: list[Fraction | None], *, alone: bool, values: bool
) -> str:
    """Give the words for the link that is recommended; ``others`` are the costs of the others."""
    if values and not others:
        return "what stays agrees with the calendar"
    if alone:
        return "it contradicts itself"
    if not others:
        return "the other links must stay"
    if cost in others:
        return "keeps the links that are first in text order"
    if None in others:
        return "part of the smallest repair that was found"
    return "the smallest repair in all"
