"""The parts of a laid-out reading view: plain data, with nodes by their numbers.

A view is a tree of groups. What a group says about order is in two fields, and nowhere else:

* ``order`` is about the parts of the group. *known*: everything in a part begins before everything
  in the next one, as far as these parts are ``settled``. *unknown*: no order is known between what
  is in one part and what is in another. *partly*: the group says nothing; its items have notes.
* ``settled`` is about the place of the group in its parent. A group that is not settled stands
  apart: its title says all that is known of when it was. Of spans of an event or time, ``after``
  and ``before`` are the nodes that everything in it begins after and before.

So nothing is ordered by its mere place on the page unless the order is entailed.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "Box",
    "First",
    "Group",
    "Item",
    "Kind",
    "LeftOut",
    "Mark",
    "Note",
    "Part",
    "Phrase",
    "Reading",
    "Row",
    "ShownLink",
]


class Row(Struct, frozen=True, kw_only=True):
    """Events and times that begin together, given by number.

    ``whole`` says that they end together too.
    """

    nodes: tuple[int, ...]
    whole: bool = True


class Group(Struct, frozen=True, kw_only=True):
    """Rows and groups; see the module for what their order means.

    ``title`` says in words what the group is. ``unit`` is *year*, *month* or *day* for the heading
    of a date, and *span* for any other stretch of the calendar; it ends at the instant ``until``.
    ``details`` is for those who want steps and counts.
    """

    order: str
    parts: tuple[Part, ...]
    settled: bool = True
    title: str = ""
    unit: str = ""
    after: int | None = None
    before: int | None = None
    until: int | None = None
    details: str = ""


Part = Row | Group


class Phrase(Struct, frozen=True):
    """The words of an event, with some of its sentence before and behind them."""

    before: str
    words: str
    after: str


class Note(Struct, frozen=True):
    """What is known of an item beside its place: ``words`` such as *after*, and a node."""

    words: str
    node: int


class Mark(Struct, frozen=True):
    """In what way an event is no plain fact: its ``look`` names the kind (see `kinds`)."""

    look: str
    words: str


class Box(Struct, frozen=True, kw_only=True):
    """A branch: what an event introduces; the title says how far that is a fact.

    ``depth`` is 1 for a box of the story, 2 for a box in it.
    """

    title: str
    source: int
    depth: int
    group: Group


class Item(Struct, frozen=True, kw_only=True):
    """An event or time to show: its phrase, and what is known of it.

    ``when`` adds to the heading above it. ``marks`` say that it is no plain fact. ``told_by`` are
    the reporting verbs that are folded into it. An item that ``reports`` is such a verb itself, and
    is shown small.
    """

    node: int
    id: str
    kind: str
    phrase: Phrase
    factuality: str
    when: str = ""
    marks: tuple[Mark, ...] = ()
    notes: tuple[Note, ...] = ()
    told_by: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    reports: bool = False
    details: str = ""

    @property
    def look(self) -> str:
        """What the item looks like: *fact*, or the look of its last mark."""
        return self.marks[-1].look if self.marks else "fact"


class ShownLink(Struct, frozen=True, kw_only=True):
    """A link in words: its type, its two nodes, their phrases."""

    id: str
    type: str
    nodes: tuple[int, int]
    phrases: tuple[Phrase, Phrase]


class LeftOut(Struct, frozen=True, kw_only=True):
    """A link that was left out, and links that it contradicts together; ``more`` are not shown.

    A link that contradicts itself is ``alone``.
    """

    link: ShownLink
    against: tuple[ShownLink, ...]
    more: int = 0
    alone: bool = False


class First(Struct, frozen=True):
    """The event that came first, as far as is known, and when it was or began.

    ``others`` is the number of events that have no known order to it. ``unsure`` is the number of
    those with an earlier date that may not have happened. ``doubted`` says whether a link of its
    own was left out.
    """

    node: int
    when: str
    others: int
    unsure: int = 0
    doubted: bool = False


class Kind(Struct, frozen=True):
    """The events of one kind, such as *Only claimed*; ``look`` names it.

    ``phrases`` are those of the first few of its nodes, cut short.
    """

    look: str
    title: str
    nodes: tuple[int, ...]
    phrases: tuple[Phrase, ...]


class Reading(Struct, frozen=True, kw_only=True):
    """The reading view of a result.

    ``summary`` is the one sentence at the top; ``first`` and ``kinds`` are the first glance.
    ``groups`` are the stories that have no order among each other, the largest first; ``items`` has
    all that they show, by number, and the folded reporting verbs. ``silent`` is the number of times
    that nothing is known of and that are left out. ``contradictions`` counts those that leaving out
    links has solved.
    """

    name: str
    summary: str
    groups: tuple[Group, ...]
    items: dict[int, Item]
    first: First | None = None
    kinds: tuple[Kind, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    contradictions: str = ""
    silent: int = 0
