"""A repair as decisions in sequence: one contradiction after the other, each with its options.

A decision shows the first contradiction of the list that is not settled yet. The first option is
what the chosen repair does about it. After another choice the repair of what is left is found anew,
with the choices made so far. So whoever takes the first option each time gets the chosen repair.
Reading R38.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tlex.caching import cached_property
from tlex.conflicts.knots import Knot, find_knots, find_tangle, merge_same
from tlex.conflicts.listing import list_these
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.minimum import Minimum, UnrepairableError, find_minimum
from tlex.conflicts.naming import name_conflict
from tlex.conflicts.narrowing import leave_out, narrow
from tlex.conflicts.text_order import rank_links
from tlex.conflicts.weights import Weights
from tlex.conflicts.work import RATE, Work
from tlex.disagreement import state_disagreement
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.points.graphs import PointGraph
from tlex.records import Conflict, Decision, DecisionOption, ValueProposal
from tlex.repair import relabelling
from tlex.repair.option_reasons import give_reason
from tlex.repair.places import Choice, Listed, Place, State
from tlex.repair.rests import Rests
from tlex.repair.search import Repair, round_cost
from tlex.repair.writing import change_links, list_changes
from tlex.result import Extraction
from tlex.wording import name_node, quote_node

if TYPE_CHECKING:
    from tlex.repair.proposals import Proposals
    from tlex.repair.suspects import Suspects

__all__ = ["Course"]

_REMOVALS = 8
"""How many links of one contradiction are offered to be removed."""

_RELABELLED = 4
"""How many of them are offered with another type."""

_FRESH = 8
"""How many contradictions of a knot are added at once when the list is used up."""

_WORK = RATE
"""How much work it may be to find out what options cost."""

_SHARE = RATE // 6
"""How much of it may be used for one option."""

_LIMIT = 20 * RATE
"""How much work all decisions may be; what is left is then done without any."""

_ANEW = 4
"""How often links are looked at until all is known of them with other types."""

_LEAST, _PART = RATE, 4
"""A limit of the search holds for them, too: they may be a quarter of it, but at least so much."""


class Course:
    """The decisions about a document, one after the other; they can be taken back."""

    def __init__(  # noqa: PLR0913 -- a repair and its options
        self,
        result: Extraction,
        repair: Repair,
        weights: Weights,
        conflicts: Sequence[Conflict],
        *,
        relabel: bool = False,
        seconds: float | None = None,
        work: int | None = None,
    ) -> None:
        self._result = result
        self._document = document = result.document
        self._weights = weights
        self._relabel = relabel
        self._limit = work, seconds
        self.ended_by: str | None = None
        """What ended a search after another choice before it was done: work or clock."""
        limit = Work(work, seconds).limit
        self._all = Work(_LIMIT if limit is None else min(_LIMIT, max(_LEAST, limit // _PART)))
        self._work = Work(min(_WORK, self._all.limit or 0))
        self._solved: dict[object, Minimum] = {}
        self._rests: dict[tuple[Place, tuple[tuple[int, str], ...]], Rests] = {}
        self._holding: tuple[Sequence[Listed], dict[int, list[int]]] = (), {}
        self._planned: tuple[frozenset[int], Fraction | int] = frozenset(), 0
        self._swap: tuple[State, frozenset[int], PointGraph | None] | None = None
        self._agreeing: dict[tuple[tuple[int, ...], tuple[str | None, ...]], bool] = {}
        self._prices: dict[Place, tuple[dict[int, int], frozenset[int], dict[int, int]]] = {}
        self._ids = ids = document.link_ids
        self._numbers = numbers = {name: number for number, name in enumerate(ids)}
        self._costs: dict[int, Fraction] = {}
        self._alike = weights.are_alike(document)
        self._ranks: dict[int, int] = {}
        self._types: dict[tuple[int, ...], list[dict[int, str]]] = {}
        self._places: dict[int, Place] = {}
        tangles = result.whole.tangles
        for number, component in result.whole.list_inconsistent():
            place = Place(document, component, tangles[number])
            self._places.update(dict.fromkeys(place.links, place))
        types = relabelling.relabel(result, repair.removed) if relabel else {}
        first = State(
            plan=frozenset(numbers[link] for link in repair.removed),
            plan_types={numbers[link]: label for link, label in types.items()},
            proven=repair.optimal,
            listed=tuple(
                Listed(tuple(numbers[link] for link in conflict.minimal), conflict)
                for conflict in conflicts
            ),
        )
        self._staying: dict[int, tuple[frozenset[int], int]] = {}
        """What is gone if a link gets another type now, and the room that the rest leaves it."""
        self._fixed = list_fixed(document)
        self._calendar = frozenset(ids[number] for number in self._fixed)
        self._proposed: dict[int, tuple[ValueProposal, ...]] = {}
        self._states = [first]
        self._choices: list[Choice] = []
        self.current: Decision | None = None
        """The decision to take now; None if there is none left. Its first option is recommended."""
        self._ask()

    @property
    def taken(self) -> tuple[Decision, ...]:
        """The decisions that were taken."""
        return self._state.taken

    @property
    def complete(self) -> bool:
        """Whether no limit of work ended the sequence."""
        return self.current is not None or not self._state.plan or bool(self._state.aside)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The contradictions of the document, and then those that only the decisions need."""
        return tuple(one.conflict for one in self._state.listed if one.conflict.number)

    @property
    def consistent(self) -> bool:
        """Whether the document is consistent with the changes."""
        state = self._state
        return not state.aside or all(
            place.tie(state.labels).is_consistent(state.removed)
            for place in dict.fromkeys(self._places.values())
        )

    @property
    def changes(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """The links that are removed and those that get another type, in document order.

        What no decision is about, because of the limit of work, is done as well.
        """
        state, ids = self._state, self._ids
        removed, types = state.removed, state.labels
        if not state.aside:
            types = types | state.plan_types
            removed = removed.union(state.plan.difference(types))
        return (
            tuple(ids[number] for number in sorted(removed)),
            {ids[number]: types[number] for number in sorted(types)},
        )

    @property
    def decided(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """The same as `changes`, without what is not decided yet."""
        if self.current is None:
            return self.changes
        state, ids = self._state, self._ids
        return (
            tuple(ids[number] for number in sorted(state.removed)),
            {ids[number]: state.labels[number] for number in sorted(state.labels)},
        )

    @property
    def open(self) -> tuple[Conflict, ...]:
        """The listed contradictions that are not settled, the current one first."""
        return tuple(one.conflict for one in self._list_open(self._state))

    def turn_to(self, links: Iterable[str]) -> bool:
        """Make the open contradiction of these links the current one; False if there is none."""
        state, wanted = self._state, frozenset(links)
        listed = self._list_open(state)
        found = next((one for one in listed if wanted == frozenset(one.conflict.minimal)), None)
        if found is None:
            return False
        before, left = state.listed[: state.position], state.listed[state.position :]
        others = (one for one in left if one is not found)
        self._states[-1] = replace(state, listed=(*before, found, *others))
        self._ask()
        return True

    def change(self, link: str, new: str | None) -> None:
        """Take a choice of one's own: a link gets another type, or is removed where that is None.

        Links that say the same change with it. Raises `OptionError` if that cannot be.
        """
        decision, state = self.current, self._state
        number = self._numbers.get(link, -1)
        place = self._places.get(number)
        if decision is None or place is None or self._must_stay(number):
            raise OptionError(f"link {link!r:.80} is in no part that is contradictory")
        if number in state.removed or number in state.labels:
            raise OptionError(f"link {link!r:.80} is decided already; undo that first")
        same = next(same for same in place.classes.values() if number in same)
        types = {} if new is None else self._read_types(place, number, new, same)
        choice = Choice(links=tuple(same), types=types)
        ids = self._ids
        option = DecisionOption(
            number=len(decision.options) + 1,
            action="relabel" if types else "remove",
            links=tuple(ids[each] for each in same),
            types={ids[each]: label for each, label in types.items()},
            cost=None,
            settles=self._count_settled(state, same[0], types),
            creates=False,
            reason="chosen by hand",
        )
        self._choices.append(choice)
        self.current = replace(decision, options=(*decision.options, option))
        try:
            self.choose(option.number)
        except UnrepairableError:
            self._choices.pop()
            self.current = decision
            raise OptionError(
                f"{link} cannot be {new}: that contradicts what must stay or was decided"
            ) from None

    def _read_types(
        self, place: Place, link: int, label: str, same: Iterable[int]
    ) -> dict[int, str]:
        """Give a new type to a link, and to those that say the same if they can have such a one."""
        document = self._document
        if label not in relabelling.list_nearest(document, own := document.link(link)):
            raise OptionError(f"{label!r:.80} is no other type of a {own.kind}")
        types = {link: label}
        said = place.read(link, label)
        for other in same:
            nearest = relabelling.list_nearest(document, document.link(other))
            for name in () if other == link else nearest:
                if len(merge_same({0: said, 1: place.read(other, name)})) == 1:
                    types[other] = name
                    break
        return types

    def choose(self, option: int = 1, *, final: bool = False) -> None:
        """Take an option of the current decision; 0 leaves the contradiction as it is.

        A ``final`` choice cannot be taken back, so that nothing is kept for that. Raises
        `OptionError` if there is no such option.
        """
        decision, state = self.current, self._state
        if decision is None:
            raise OptionError("there is nothing left to decide")
        last = len(decision.options)
        if not 0 <= option <= last:
            span = "option 1" if last == 1 else f"options 1 to {last}"
            raise OptionError(
                f"decision {decision.number} has no option {option}; it has {span}, "
                "and 0 leaves the contradiction as it is"
            )
        state = replace(state, taken=(*state.taken, replace(decision, chosen=option)))
        if option == 0:
            links = state.listed[state.position].links
            own = (link for link in links if link not in self._fixed)
            state = replace(state, position=state.position + 1, aside=state.aside.union(own))
        else:
            state = self._follow(state, self._choices[option - 1], first=option == 1)
        if final:
            self._states.clear()
        self._states.append(replace(state, work=self._all.spent))
        self._ask()

    def undo(self) -> bool:
        """Take the last decision back; False if there is none."""
        if len(self._states) == 1:
            return False
        self._states.pop()
        self._all.spent = self._state.work
        self._ask()
        return True

    @cached_property
    def _suspects(self) -> Suspects:
        from tlex.repair.suspects import Suspects  # noqa: PLC0415 -- long patterns

        return Suspects(self._result)

    @cached_property
    def _proposals(self) -> Proposals:
        from tlex.repair.proposals import Proposals  # noqa: PLC0415 -- long patterns

        return Proposals(self._suspects)

    @property
    def _state(self) -> State:
        return self._states[-1]

    def _follow(self, state: State, choice: Choice, *, first: bool) -> State:
        """Give what comes after a choice: the changes, and the repair of what is left."""
        plan = state.plan.difference(choice.links)
        now = state.plan.intersection(choice.links)
        self._planned = plan, self._weigh_plan(state) - self._weigh(now)
        state = replace(
            state,
            removed=state.removed.union(set(choice.links).difference(choice.types)),
            labels=state.labels | choice.types,
            spent=state.spent + self._weigh(choice.links),
            plan=plan,
            plan_types={n: t for n, t in state.plan_types.items() if n not in choice.links},
        )
        if first:
            return state
        work = Work(*self._limit)
        plan, proven = self._repair(state, work)
        if work.late or not proven:
            self.ended_by = "clock" if work.late else self.ended_by or "work"
        if choice.then is not None and self._weigh(choice.then) < self._weigh(plan):
            plan = choice.then  # the search has come to its limit
        types = self._find_types(state, plan) if self._relabel and plan else {}
        return replace(state, plan=plan, plan_types=types, proven=proven)

    def _find_types(self, state: State, plan: Collection[int]) -> dict[int, str]:
        """Find new types for the links of a repair of what is left."""
        ids, options = self._ids, self._result.options
        gone = [ids[number] for number in state.removed]
        labels = {ids[number]: label for number, label in state.labels.items()}
        left = change_links(self._document, list_changes(self._document, gone, labels))
        result = extract(left, links=options.links, times=options.times, calendar=options.calendar)
        found = relabelling.relabel(result, [ids[number] for number in plan])
        return {self._numbers[link]: label for link, label in found.items()}

    def _ask(self) -> None:
        """Find the next contradiction that is not settled, and its options."""
        self.current, self._choices = None, []
        state = self._state
        position, listed = state.position, state.listed
        while True:
            while position < len(listed) and self._is_settled(state, listed[position]):
                position += 1
            if position < len(listed):
                break
            fresh = [] if not state.plan or self._all.is_over() else self._find_fresh(state)
            if not fresh:
                return
            listed += tuple(fresh)
        state = self._states[-1] = replace(state, position=position, listed=listed)
        self._prepare(state, listed[position])

    def _is_settled(self, state: State, one: Listed) -> bool:
        if not state.removed.isdisjoint(one.links):
            return True
        return self._is_consistent(state.labels, one)

    def _is_consistent(self, labels: Mapping[int, str], one: Listed) -> bool:
        """Whether the links of a contradiction agree if some have other types; worked out once."""
        if labels.keys().isdisjoint(one.links):
            return False
        key = one.links, tuple(map(labels.get, one.links))
        if key not in self._agreeing:
            place = self._places[one.links[0]]
            self._agreeing[key] = place.is_consistent(labels, one.links)
        return self._agreeing[key]

    def _find_fresh(self, state: State) -> list[Listed]:
        """Find contradictions that are left but are not in the list."""
        found: list[Listed] = []
        number = sum(1 for one in state.listed if one.conflict.number)
        for place in dict.fromkeys(self._places[link] for link in sorted(state.plan)):
            sets: list[list[int]] = []
            for knot in self._find_knots(state, place, self._all):
                if state.aside.isdisjoint(knot.links):
                    for links, _ in zip(knot.core.find_conflicts(()), range(_FRESH), strict=False):
                        self._all.spend(knot.weight)
                        sets.append(links)
            whole = place.tie(state.labels)
            self._all.spend(2 * whole.weight)
            own = [links for links in sorted(sets) if state.labels.keys().isdisjoint(links)]
            new = [links for links in sorted(sets) if links not in own]
            places = [place.members[interval] for interval in whole.intervals]
            for tangle, members, some in (
                (place.tangle, place.members, own),
                (find_tangle(whole.points) if new else None, places, new),
            ):
                listing = list_these(tangle, some, self._fixed) if tangle and some else None
                for conflict in listing.conflicts if listing else ():
                    number += some is own
                    named = name_conflict(
                        self._document,
                        self._result.components.component_of,
                        conflict,
                        members,
                        listing,  # type: ignore[arg-type]
                        number if some is own else 0,
                    )
                    found.append(Listed(conflict.links, named))
        return found

    def _prepare(self, state: State, one: Listed) -> None:
        """Find the options of a contradiction, in order of preference."""
        self._staying = {}
        place, ids = self._places[one.links[0]], self._ids
        free = [
            link
            for link in one.links
            if link not in state.labels
            and not any(self._must_stay(each) for each in place.classes[link])
        ]
        planned = next(link for link in free if link in state.plan)
        ranks = self._rank(one.links)
        others = sorted((link for link in free if link != planned), key=lambda link: -ranks[link])
        removals = [
            self._weigh_removal(state, place, link, planned)
            for link in [planned, *others[: _REMOVALS - 1]]
        ]
        choices = list(removals)
        for removal in removals[:_RELABELLED]:
            choices += self._try_types(state, place, one, removal)
        kept = state.plan_types
        first = next(
            choice
            for choice in choices
            if choice.links[0] == planned
            and choice.types == {link: kept[link] for link in choice.links if link in kept}
        )
        choices.sort(
            key=lambda choice: (
                choice is not first,
                choice.cost is None,
                choice.cost or 0,
                bool(choice.types) != self._relabel,
                -ranks[choice.links[0]],
            )
        )
        self._choices = choices
        contradicted = bool(self._calendar) and self._suspects.is_involved(one.conflict)
        self.current = Decision(
            number=len(state.taken) + 1,
            conflict=one.conflict.number or None,
            links=one.conflict.minimal,
            says=self._say(one.conflict, ids[planned]),
            options=tuple(
                DecisionOption(
                    number=number,
                    action="relabel" if choice.types else "remove",
                    links=tuple(ids[link] for link in choice.links),
                    types={ids[link]: label for link, label in choice.types.items()},
                    cost=None if choice.cost is None else round_cost(choice.cost),
                    settles=choice.settles,
                    creates=choice.creates,
                    reason=give_reason(
                        choice,
                        choices,
                        ranks,
                        alone=len(one.links) == 1,
                        calendar=contradicted,
                        together=self._is_left(state, one, choice),
                    ),
                )
                for number, choice in enumerate(choices, 1)
            ),
            chosen=1,
        )
        if contradicted:
            self.current = replace(
                self.current,
                calendar=self._suspects.say(one.conflict),
                values=self._suspects.find(one.conflict),
                proposals=self._propose(one.conflict),
            )

    def _rank(self, links: Collection[int]) -> dict[int, int]:
        """Give the text order of some links, and of all that are listed."""
        if not self._ranks.keys() >= set(links):
            listed = (link for one in self._state.listed for link in one.links)
            self._ranks = rank_links(self._document, {*self._ranks, *listed, *links})
        return self._ranks

    def _is_left(self, state: State, one: Listed, choice: Choice) -> bool:
        """Whether new types settle a contradiction only together with other changes."""
        return bool(choice.types) and not self._agree(state, one, choice.types)

    def _weigh_removal(self, state: State, place: Place, link: int, planned: int) -> Choice:
        """Find out what the repair costs if a link is removed."""
        same = place.classes[link]
        choice = Choice(links=tuple(same), settles=self._count_settled(state, link))
        if state.plan.issuperset(same):
            rest = state.plan.difference(same)
            return replace(choice, then=rest, cost=state.spent + self._weigh_plan(state))
        if self._work.is_over():
            return choice
        old = place.classes[planned]
        if self._weigh(same) == self._weigh(old):
            rest = state.plan.difference(old)
            if self._can_swap(state, place, rest, same):
                return replace(choice, then=rest, cost=state.spent + self._weigh_plan(state))
        return self._ask_solver(state, place, choice) or choice

    def _can_swap(
        self, state: State, place: Place, rest: frozenset[int], same: Sequence[int]
    ) -> bool:
        """Whether nothing contradicts itself without some links, beside the ``rest`` of a repair.

        All contradictions that are left without the rest lie in one part, which is often small.
        """
        gone = state.removed.union(rest, same)
        known = place.has_repair(state.labels, same[0], gone)
        if known is not None:
            return known
        if self._swap is None or self._swap[:2] != (state, rest):
            knot = place.find_knot(state.labels, same[0])
            self._work.spend(knot.weight)
            self._swap = state, rest, knot.narrow(state.removed.union(rest))
        part = self._swap[2]
        self._work.spend(0 if part is None else part.size)
        if part is None:
            return True
        if any(map(gone.isdisjoint, self._recall(state, place))):
            return False
        return narrow(leave_out(part, same)) is None

    def _ask_solver(self, state: State, place: Place, choice: Choice) -> Choice | None:
        """Find out whether links to remove are in a minimum repair; if not, what it costs then.

        If all links cost the same, one that is in none makes the repair larger by its own cost.
        """
        rests = self._find_rests(state, place)
        if state.proven and rests.alike:
            work = Work(_SHARE)
            inside = [link for link in state.plan if self._places[link] is place]
            found = rests.find_minimum_with(state.removed, choice.links, inside, work)
            self._work.spend(work.spent)
            if found is False:
                cost = state.spent + self._weigh_plan(state) + self._weigh(choice.links)
                return replace(choice, then=state.plan, cost=cost)
            if isinstance(found, frozenset):
                then = found.union(state.plan.difference(inside))
                return replace(choice, then=then, cost=state.spent + self._weigh_plan(state))
        after = replace(state, removed=state.removed.union(choice.links))

        def find(work: Work) -> frozenset[int] | None:
            return rests.find_repair(after.removed, work)

        return self._search(after, place, choice, find)

    def _search(
        self,
        after: State,
        place: Place,
        choice: Choice,
        find: Callable[[Work], frozenset[int] | None],
    ) -> Choice | None:
        """Find the repair of what is left after a choice, and what all costs then.

        ``find`` is a quick way to find it, which may fail.
        """
        if not after.proven:
            return None
        work = Work(_SHARE)
        try:
            rest = find(work)
            if rest is None:
                rest, proven = self._repair(after, work, place)
                if not proven:
                    return None
        except UnrepairableError:
            return None
        finally:
            self._work.spend(work.spent)
        then = rest.union(link for link in after.plan if self._places[link] is not place)
        cost = after.spent + self._weigh(choice.links) + self._weigh(then)
        return replace(choice, then=then, cost=cost)

    def _find_rests(self, state: State, place: Place) -> Rests:
        """Give what is known of a place with the new types that links have."""
        key = place, tuple(sorted(state.labels.items()))
        if key not in self._rests:
            if place not in self._prices:
                self._prices[place] = (
                    self._weights.scale_some(self._document, place.links).costs,
                    frozenset(filter(self._must_stay, place.links)),
                    rank_links(self._document, place.links),
                )
            costs, kept, ranks = self._prices[place]
            knot = place.tie(state.labels)
            known = self._list_known(state, knot.links)
            if self._rests:  # beyond the first one, there may be many
                looked = sum(len(rests.known) for rests in self._rests.values())
                self._work.spend(_ANEW * knot.weight + looked + len(state.listed))
            self._rests[key] = Rests(knot, costs, kept.union(state.labels), ranks, known)
        return self._rests[key]

    def _recall(self, state: State, place: Place) -> Iterable[tuple[int, ...]]:
        """List known contradictions of a place; more are known once options were worked out."""
        if state.labels or (place, ()) in self._rests:
            return self._find_rests(state, place).known
        return (one.links for one in state.listed if self._places[one.links[0]] is place)

    def _list_known(self, state: State, links: Iterable[int]) -> list[tuple[int, ...]]:
        """List the known contradictions of some links that have no new types."""
        inside = set(links).difference(state.labels)
        known = dict.fromkeys(one.links for one in state.listed)
        for (_, labels), rests in self._rests.items():
            changed = {link for link, _ in labels}
            known |= dict.fromkeys(filter(changed.isdisjoint, rests.known))
        return [conflict for conflict in known if inside.issuperset(conflict)]

    def _try_types(
        self, state: State, place: Place, one: Listed, removal: Choice
    ) -> Iterator[Choice]:
        """Find the nearest type with which the links of an option need not be removed."""
        same = removal.links
        planned = {link: state.plan_types[link] for link in same if link in state.plan_types}
        if planned and state.plan.issuperset(same):
            settles = self._count_settled(state, same[0], planned)
            yield replace(removal, types=planned, settles=settles)
            return
        if removal.then is None:
            return
        if self._work.is_over():
            return
        self._work.spend(2 * place.weigh(state.labels))
        gone = state.removed.union(removal.then, same)
        staying = place.find_room(state.labels, same[0], gone)
        self._staying[same[0]] = gone, staying
        possible = self._list_types(place, same)
        for types in possible:
            fits = self._find_type_room(same[0], types[same[0]]) & staying
            if fits and self._agree(state, one, types):
                settles = self._count_settled(state, same[0], types)
                yield replace(removal, types=types, settles=settles)
                return
        nearest = next((types for types in possible if self._agree(state, one, types)), None)
        if nearest is not None:
            found = self._weigh_type(state, place, removal, nearest)
            if found is not None:
                yield replace(found, creates=found.cost != removal.cost)

    def _weigh_type(
        self, state: State, place: Place, removal: Choice, types: dict[int, str]
    ) -> Choice | None:
        """Find out what the repair costs if the links of an option get another type."""
        same, near = removal.links, removal.then
        settles = self._count_settled(state, same[0], types)
        choice = Choice(links=same, types=types, settles=settles)
        after = replace(state, labels=state.labels | types)

        def find(work: Work) -> frozenset[int] | None:
            rests, says = self._find_rests(state, place), place.read(same[0], types[same[0]])
            return rests.find_changed(state.removed, same, says, near or (), work)

        return self._search(after, place, choice, find)

    def _find_type_room(self, link: int, label: str) -> int:
        """Find the placements of the ends of a link that a type allows."""
        return relabelling.find_type_room(self._places[link].relations[link].kind, label)

    def _list_types(self, place: Place, same: tuple[int, ...]) -> list[dict[int, str]]:
        """List the types that links that say the same could have together, nearest first."""
        if same not in self._types:
            self._types[same] = list(self._find_types_of(place, same))
        return self._types[same]

    def _find_types_of(self, place: Place, same: Sequence[int]) -> Iterator[dict[int, str]]:
        document = self._document
        if len(same) == 1:
            kind, code, *_ = place.relations[same[0]]
            for label in relabelling.list_nearest_to(document, kind, code):
                yield {same[0]: label}
            return
        alike: dict[tuple[str | None, ...], list[int]] = {}  # links that are written in one way
        for link in same:
            own = document.link(link)
            alike.setdefault((own.kind, own.type, own.source, own.target), []).append(link)
        first, *others = alike.values()
        if not others:
            for label in relabelling.list_nearest(document, document.link(first[0])):
                yield dict.fromkeys(first, label)
            return
        nearest = [relabelling.list_nearest(document, document.link(some[0])) for some in others]
        for label in relabelling.list_nearest(document, document.link(first[0])):
            types = dict.fromkeys(first, label)
            said = place.read(first[0], label)
            for some, labels in zip(others, nearest, strict=True):
                for other in labels:
                    if len(merge_same({0: said, 1: place.read(some[0], other)})) == 1:
                        types |= dict.fromkeys(some, other)
                        break
            if len(types) == len(same):
                yield {link: types[link] for link in same}

    def _count_settled(self, state: State, link: int, types: dict[int, str] | None = None) -> int:
        """Count the listed contradictions that removing a link, or another type, settles."""
        holding = self._index(state.listed).get(link, ())
        left = (state.listed[place] for place in holding if place >= state.position)
        return sum(
            1
            for one in left
            if not self._is_settled(state, one) and (not types or self._agree(state, one, types))
        )

    def _agree(self, state: State, one: Listed, types: dict[int, str]) -> bool:
        """Whether the links of a contradiction agree if some get new types."""
        changed = [link for link in one.links if link in types]
        if len(changed) != 1:
            return self._is_consistent(state.labels | types, one)
        (link,) = changed
        room = self._find_type_room(link, types[link])
        gone, staying = self._staying.get(link, (frozenset(), 0))
        if room & staying and gone.intersection(one.links) == {link}:
            return True  # the others all stay, and the type fits with all that stays
        return bool(room & self._places[link].find_room_in(one.links, link, state.labels))

    def _index(self, listed: Sequence[Listed]) -> dict[int, list[int]]:
        """Find the places in the list at which each link is named; once for each list."""
        if self._holding[0] is not listed:
            holding: dict[int, list[int]] = {}
            for place, one in enumerate(listed):
                for link in one.links:
                    holding.setdefault(link, []).append(place)
            self._holding = listed, holding
        return self._holding[1]

    def _list_open(self, state: State) -> list[Listed]:
        """List the contradictions that are not settled yet."""
        left = state.listed[state.position :]
        return [one for one in left if not self._is_settled(state, one)]

    def _repair(
        self, state: State, work: Work, only: Place | None = None
    ) -> tuple[frozenset[int], bool]:
        """Find the minimum repair of what is left, everywhere or in one place."""
        repair: set[int] = set()
        proven = True
        for place in dict.fromkeys(self._places.values()) if only is None else (only,):
            for knot in self._find_knots(state, place, work):
                minimum = self._solve(state, knot, work)
                proven = proven and minimum.cost == minimum.bound
                repair.update(minimum.repairs[0])
        return frozenset(repair), proven

    @staticmethod
    def _find_knots(state: State, place: Place, work: Work) -> list[Knot]:
        """Find the knots of what is left in a place."""
        links = [link for link in place.links if link not in state.removed]
        left = place.tie_some(state.labels, links)
        work.spend(2 * left.weight)
        return find_knots(left.points)

    def _solve(self, state: State, knot: Knot, work: Work) -> Minimum:
        """Find the minimum repair of a knot; each once."""
        labels = [(link, state.labels[link]) for link in knot.links if link in state.labels]
        key = tuple(knot.links), tuple(labels)
        if key in self._solved:
            return self._solved[key]
        inside = set(knot.links).difference(state.labels)
        kept = set(filter(self._must_stay, inside))
        minimum = find_minimum(
            knot,
            self._weights.scale_some(self._document, knot.links).costs,
            kept.union(state.labels),
            ranks=rank_links(self._document, knot.links),
            known=self._list_known(state, knot.links),
            work=work,
        )
        if minimum.cost == minimum.bound:
            self._solved[key] = minimum
        return minimum

    def _must_stay(self, link: int) -> bool:
        """Whether a link is to be kept, or follows from values."""
        return link in self._fixed or self._ids[link] in self._weights.keep

    def _weigh(self, links: Collection[int]) -> Fraction | int:
        """Give what links cost together."""
        if self._alike:
            return len(links)
        total, ones = Fraction(0), 0
        for link in links:
            cost = self._costs.get(link)
            if cost is None:
                cost = self._costs[link] = self._weights.cost_of(self._document.link(link))
            if cost == 1:
                ones += 1
            else:
                total += cost
        return total + ones

    def _weigh_plan(self, state: State) -> Fraction | int:
        """Give what the repair of what is left costs; worked out once."""
        if self._planned[0] is not state.plan:
            self._planned = state.plan, self._weigh(state.plan)
        return self._planned[1]

    def _propose(self, conflict: Conflict) -> tuple[ValueProposal, ...]:
        """Find values that would end a contradiction; each once. A new type is no value's fault."""
        known = self._proposed.get(conflict.number)
        if known is None:
            known = self._proposals.find(conflict) if conflict.number else ()
            self._proposed[conflict.number] = known
        return known

    def _say(self, conflict: Conflict, blamed: str) -> str:
        """Say what the links of a contradiction disagree about."""
        document = self._document
        names = dict.fromkeys(step.left[:-1] for step in conflict.walk)
        words = {name: document.words_of(name) for name in names}
        said = list(words.values())

        def name(own: str) -> str:
            show = name_node if said.count(words.get(own, "")) > 1 else quote_node
            return show(own, words.get(own, ""))

        return state_disagreement(conflict.walk, blamed, name, self._calendar)
