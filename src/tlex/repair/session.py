"""A repair session: one contradiction after the other is decided, with what each option does.

The terminal (``tlex fix --interactive``) and the page (``tlex view --repair``) both use it. The
answers are plain data, so that a session can be kept on the disk and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tlex.calendar import KIND as CALENDAR
from tlex.calendar import drop_calendar
from tlex.document import Document
from tlex.errors import OptionError
from tlex.nouns import Link
from tlex.records import Conflict, Decision, DecisionOption
from tlex.repair.fixes import FixTask
from tlex.repair.option_reasons import is_about_options
from tlex.repair.what_if import Effect, NewLink, Standing, compare
from tlex.repair.writing import Change, list_changes

__all__ = ["Answer", "Session"]

_MOST = 300
"""How many decisions are counted that are still to come."""

_PAIR = 2

Pattern = tuple[tuple[str, str | None, bool], ...]
_Key = tuple[object, ...]

_PROGRAM = "tlex"
"""What a reason begins with that is not an annotator's."""


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was decided about a contradiction: which links are removed or get other types.

    If it is neither, the contradiction was left as it is. ``links`` are those of the contradiction,
    ``why`` is the reason of the option, ``note`` what somebody wrote, ``when`` the time. Answers
    that were given together name the place of the first of them as ``group``.
    """

    links: tuple[str, ...]
    removed: tuple[str, ...] = ()
    types: dict[str, str] = {}
    why: str = ""
    note: str = ""
    when: str = ""
    group: int = -1


class Session:
    """The decisions of one document; every answer can be undone."""

    def __init__(self, task: FixTask) -> None:
        self.result = task.result
        self.document: Document = drop_calendar(task.result.document)
        """The document as it was read."""
        self.answers: list[Answer] = []
        self._course = task.course
        self._left: dict[_Key, int] = {}
        self._standings: dict[_Key, Standing] = {}
        self._links = {link.id: link for link in task.result.document.links}

    @property
    def current(self) -> Decision | None:
        """The decision to take now; None if there is none left."""
        return None if self._course is None else self._course.current

    @property
    def taken(self) -> tuple[Decision, ...]:
        """The decisions that were taken."""
        return () if self._course is None else self._course.taken

    @property
    def open(self) -> tuple[Conflict, ...]:
        """The listed contradictions that are not settled, the current one first."""
        return () if self._course is None else self._course.open

    @property
    def left(self) -> int:
        """How many decisions are left if the first option is taken each time."""
        course, key = self._course, self._key
        if course is None:
            return 0
        if key not in self._left:
            steps = 0
            while course.current is not None and steps < _MOST:
                course.choose(1)
                steps += 1
            for _ in range(steps):
                course.undo()
            self._left[key] = steps
        return self._left[key]

    def choose(self, option: int = 1, note: str = "", when: str = "") -> None:
        """Take an option of the current decision; 0 leaves the contradiction as it is.

        Raises `OptionError` if there is no such option.
        """
        decision, course = self.current, self._course
        if decision is None or course is None:
            raise OptionError("there is nothing left to decide")
        left = self._left.get(self._key)
        course.choose(option)
        self._add(decision, option, note, when)
        if option == 1 and left:
            self._left[self._key] = left - 1

    def change(self, link: str, new: str | None, note: str = "", when: str = "") -> None:
        """Decide by another change than the options: a link gets a type, or None removes it."""
        decision, course = self.current, self._course
        if decision is None or course is None:
            raise OptionError("there is nothing left to decide")
        course.change(link, new)
        taken = course.taken[-1]
        self._add(taken, taken.chosen, note, when)

    def skip_rest(self) -> None:
        """Leave all contradictions that are not decided as they are."""
        while self.current is not None:
            self.choose(0)

    def undo(self) -> bool:
        """Take back the last answer, with those given together with it; False if there is none."""
        if not self.answers or self._course is None:
            return False
        last = self.answers.pop()
        self._course.undo()
        while 0 <= last.group < len(self.answers):
            self.answers.pop()
            self._course.undo()
        return True

    def turn_to(self, links: Iterable[str]) -> bool:
        """Go to another open contradiction, known by its links; False if there is no such one."""
        return self._course is not None and self._course.turn_to(links)

    def turn_on(self) -> None:
        """Go to the next open contradiction, by their numbers; behind the last comes the first."""
        if self.open:
            numbered = sorted(self.open, key=lambda one: (not one.number, one.number))
            at = numbered.index(self.open[0]) + 1
            self.turn_to(numbered[at % len(numbered)].minimal)

    def repeat(self, answers: Sequence[Answer]) -> int:
        """Give answers that were given before, as far as they fit; say how many did."""
        fitting = 0
        for answer in answers:
            course, before = self._course, len(self.answers)
            if course is None or not self.turn_to(answer.links) or course.current is None:
                continue
            option = _find_option(course.current, answer)
            try:
                if option is not None:
                    self.choose(option, answer.note, answer.when)
                else:
                    own = {**dict.fromkeys(answer.removed), **answer.types}
                    name = next(iter(answer.types or own))
                    self.change(name, own[name], answer.note, answer.when)
            except OptionError:
                continue
            group = answer.group if answer.group <= before else -1
            self.answers[-1] = replace(self.answers[-1], why=answer.why, group=group)
            fitting += 1
        return fitting

    # --- decisions of the same pattern ------------------------------------------------------------

    def list_alike(self) -> list[Conflict]:
        """List the other open contradictions of the same pattern: the same types on one pair."""
        decision = self.current
        pattern = None if decision is None else self._find_pattern(decision.links)
        if pattern is None:
            return []
        first = pattern[0]
        return [
            conflict
            for conflict in self.open[1:]
            if (found := self._find_pattern(conflict.minimal)) is not None and found[0] == first
        ]

    def choose_alike(self, option: int, note: str = "", when: str = "") -> int:
        """Decide all contradictions of the current pattern in the same way; say how many were.

        They are one answer for `undo`. What another one of them has settled is passed over.
        """
        decision, alike = self.current, self.list_alike()
        if decision is None or not 1 <= option <= len(decision.options):
            raise OptionError("choose an option for all of them")
        pattern = self._find_pattern(decision.links)
        chosen = decision.options[option - 1]
        name = next(link for link in chosen.links if link in decision.links)
        role = 0 if pattern is None else pattern[1].index(name)
        new = chosen.types.get(name)
        group = len(self.answers)
        self.choose(option, note, when)
        for conflict in alike:
            found = self._find_pattern(conflict.minimal)
            if found is None or not self.turn_to(conflict.minimal):
                continue
            self._choose_same(found[1][role], new, note, when)
        self.answers[group:] = [replace(one, group=group) for one in self.answers[group:]]
        return len(self.answers) - group

    def say_pattern(self) -> str:
        """Say what the decisions of the current pattern have in common."""
        decision = self.current
        pattern = None if decision is None else self._find_pattern(decision.links)
        if pattern is None:
            return ""
        types = " and ".join(label or "?" for _, label, _ in pattern[0])
        if len(pattern[0]) == 1:
            return f"{types} of something to itself"
        turned = any(not same for _, _, same in pattern[0])
        return f"{types} on one pair{', in opposite directions' if turned else ''}"

    # --- what if ----------------------------------------------------------------------------------

    @property
    def standing(self) -> Standing:
        """The document with what was decided so far."""
        removed, types = self._decided
        key = tuple(sorted(removed)), tuple(sorted(types.items()))
        if key not in self._standings:
            if len(self._standings) > _MOST:
                self._standings.clear()
            first = Standing(self.document, self.result.options)
            self._standings[key] = first.change(removed, types)
        return self._standings[key]

    def try_option(self, option: int) -> tuple[Standing, Effect]:
        """Say what an option of the current decision does; 0 does nothing."""
        decision = self.current
        if decision is None or not 0 <= option <= len(decision.options):
            raise OptionError(f"there is no option {option}")
        if option == 0:
            return self.try_changes({})
        chosen = decision.options[option - 1]
        return self.try_changes({link: chosen.types.get(link) for link in chosen.links})

    def try_changes(
        self, changes: dict[str, str | None], added: Iterable[NewLink] = ()
    ) -> tuple[Standing, Effect]:
        """Say what changes of any links do: new types, None to remove, and links to add."""
        removed = [link for link, new in changes.items() if new is None]
        types = {link: new for link, new in changes.items() if new is not None}
        after = self.standing.change(removed, types, added)
        return after, compare(self.standing, after)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was decided, as changes of the file; each says why.

        That is the note, or the reason of the option, which says that it is not an annotator's.
        """
        removed, types = self._decided
        why: dict[str, str] = {}
        for answer in self.answers:
            names = (*answer.removed, *answer.types)
            reason = f"{_PROGRAM}: {answer.why}" if answer.why else ""
            why.update(dict.fromkeys(names, answer.note or reason))
        return tuple(
            replace(change, why=why[change.link]) if why.get(change.link) else change
            for change in list_changes(self.document, removed, types)
        )

    @property
    def _key(self) -> _Key:
        """What decides which decisions are left."""
        return tuple(
            (answer.links, answer.removed, *sorted(answer.types.items())) for answer in self.answers
        )

    @property
    def _decided(self) -> tuple[tuple[str, ...], dict[str, str]]:
        return ((), {}) if self._course is None else self._course.decided

    def _add(self, decision: Decision, option: int, note: str, when: str) -> None:
        chosen = decision.options[option - 1] if option else None
        self.answers.append(
            Answer(
                links=decision.links,
                removed=() if chosen is None else _list_removed(chosen),
                types={} if chosen is None else chosen.types,
                why="" if chosen is None or is_about_options(chosen.reason) else chosen.reason,
                note=note,
                when=when,
            )
        )

    def _choose_same(self, link: str, new: str | None, note: str, when: str) -> None:
        """Decide the current contradiction by a change of one of its links."""
        decision = self.current
        for option in () if decision is None else decision.options:
            if link in option.links and option.types.get(link) == new:
                self.choose(option.number, note, when)
                return
        self.change(link, new, note, when)

    def _find_pattern(self, links: Iterable[str]) -> tuple[Pattern, list[str]] | None:
        """Give the types of links on one pair and their directions, and the links in that order.

        None if they connect more than two events or times, or if values have a part in it.
        """
        own = [self._links[link] for link in links]
        if len({end for link in own for end in (link.source, link.target)}) > _PAIR:
            return None
        if any(link.kind == CALENDAR for link in own):
            return None
        own.sort(key=lambda link: (link.kind == "ALINK", link.kind, link.type or ""))
        return tuple(_list_roles(own)), [link.id for link in own]


def _list_roles(links: Sequence[Link]) -> Iterator[tuple[str, str | None, bool]]:
    for link in links:
        yield link.kind, link.type, link.source == links[0].source


def _list_removed(option: DecisionOption) -> tuple[str, ...]:
    return tuple(link for link in option.links if link not in option.types)


def _find_option(decision: Decision, answer: Answer) -> int | None:
    """Find the option that does what was answered before."""
    if not answer.removed and not answer.types:
        return 0
    for option in decision.options:
        if (set(_list_removed(option)), option.types) == (set(answer.removed), answer.types):
            return option.number
    return None
