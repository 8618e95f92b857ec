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
    "LeftOutLink",
    "Note",
    "Part",
    "Phrase",
    "Reading",
    "Row",
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


class Box(Struct, frozen=True, kw_only=True):
    """A branch: what an event introduces, and how far that is a fact, in words.

    ``depth`` is 1 for a box of the story, 2 for a box in it.
    """

    title: str
    source: int
    depth: int
    group: Group


class Item(Struct, frozen=True, kw_only=True):
    """An event or time to show: its phrase, and what is known of it.

    ``when`` adds to the heading above it. ``mark`` says in words that it is no plain fact. An event
    of the ``future`` was still to come when the text was written. One that is ``claimed`` is told
    by another event, and nothing says whether it is a fact. ``told_by`` are the reporting verbs
    that are folded into it. An item that ``reports`` is such a verb itself, and is shown small.
    """

    node: int
    id: str
    kind: str
    phrase: Phrase
    factuality: str
    when: str = ""
    mark: str = ""
    future: bool = False
    claimed: bool = False
    notes: tuple[Note, ...] = ()
    told_by: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    reports: bool = False
    details: str = ""


class LeftOutLink(Struct, frozen=True, kw_only=True):
    """A link that contradicts others and was left out: its type, its two nodes, their phrases."""

    id: str
    type: str
    nodes: tuple[int, int]
    phrases: tuple[Phrase, Phrase]


class First(Struct, frozen=True):
    """The event that came first, as far as is known, and when it began.

    ``others`` is the number of events that may be earlier; ``doubted`` says whether a link of its
    own was left out.
    """

    node: int
    when: str
    others: int
    doubted: bool = False


class Kind(Struct, frozen=True):
    """The events that are no plain facts in one way, such as *Only claimed*; ``look`` names it.

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
    that nothing is known of and that are left out; ``loose`` that of the events of unknown order.
    """

    name: str
    summary: str
    groups: tuple[Group, ...]
    items: dict[int, Item]
    first: First | None = None
    kinds: tuple[Kind, ...] = ()
    left_out: tuple[LeftOutLink, ...] = ()
    silent: int = 0
    loose: int = 0
