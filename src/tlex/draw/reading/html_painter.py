"""Painting a reading view as HTML that needs no script: for pages, notebooks and the printer.

Whatever comes from a document is escaped here, in `_text` and nowhere else. Elements with
``data-node`` are events and times; the script of a page makes them answer to clicks and keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from tlex.document import Document
from tlex.draw.options import take_result
from tlex.draw.reading.layout import lay_out_reading
from tlex.draw.reading.parts import (
    Box,
    First,
    Group,
    Item,
    Kind,
    LeftOut,
    Part,
    Phrase,
    Reading,
    Row,
    ShownLink,
)
from tlex.draw.style import COLOURS
from tlex.result import Extraction
from tlex.wording import count

__all__ = ["html", "make_colours", "paint", "read_style"]

_HEADS = ("h2", "h3", "h4", "h5")

_TOGETHER = 30
"""How many parts without an order are in one list; a browser lays out only the lists in view."""

_OPEN = 3
"""How many of the links that were left out are shown at once."""


@cache
def read_style() -> str:
    """Give the style sheet of the reading view."""
    return (files("tlex.draw.reading") / "reading.css").read_text("utf-8")


@cache
def make_colours(selector: str = ":root") -> str:
    """Give the colours of the pictures as CSS variables: light, dark, and light on paper."""
    light, dark = (
        "".join(f"--{name}:{pair[which]};" for name, pair in COLOURS.items()) for which in (0, 1)
    )
    dark = f"@media screen and (prefers-color-scheme:dark){{{selector}{{{dark}}}}}"
    return f"{selector}{{{light}}}{dark}"


def html(result: Extraction | Document) -> str:
    """Give the reading view as a piece of HTML, for a notebook or a page of your own.

    Parameters
    ----------
    result : Extraction or Document
        What `tlex.extract` gave, or a document, which is extracted with ``calendar=True`` and
        ``mend=True``.

    Returns
    -------
    str
        One element with its own style sheet. It has no script and loads nothing.

    Raises
    ------
    OptionError
        If this is neither.

    Examples
    --------
    >>> import tlex
    >>> view = tlex.draw.html(tlex.read("examples/story.tml"))
    >>> view.count("<script"), "the order of these 2 is not known" in view
    (0, True)

    See Also
    --------
    svg : the map, a picture.
    tlex.viewer.html : a page with both, and with answers to questions.
    """
    style = make_colours(".tlex-reading") + read_style()
    view = paint(lay_out_reading(take_result(result)))
    return f'<div class="tlex-view"><style>{style}</style>{view}</div>'


def paint(reading: Reading) -> str:
    """Paint a reading view as one element."""
    return "".join(_Painter(reading).paint())


def _text(words: str) -> str:
    return escape(words)


class _Painter:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.items = reading.items

    def paint(self) -> Iterator[str]:
        """Paint everything."""
        reading = self.reading
        yield '<article class="tlex-reading">'
        yield f'<p class="summary">{_text(reading.summary)}</p>'
        yield (
            '<div class="how"><p class="quiet">From top to bottom: the order in which things began.'
            " Dashed box: place or order not known, what is in it may be earlier. Go by its title."
            "</p>"
            '<label class="switch"><input type="checkbox" class="details-switch"> Details</label>'
            "</div>"
        )
        yield from self._glance()
        yield from self._left_out()
        for group in reading.groups:
            yield f'<section class="story{"" if group.settled else " apart"}">'
            if group.details:
                yield f'<p class="more">{_text(group.details)}</p>'
            yield from self._group(group, 0)
            yield "</section>"
        if reading.silent:
            many = count(reading.silent, "time")
            yield f'<p class="quiet">{many} without any order or date: not shown.</p>'
        yield "</article>"

    def _glance(self) -> Iterator[str]:
        """Paint what came first, and the events of each kind."""
        first, kinds = self.reading.first, self.reading.kinds
        if first is None and not kinds:
            return
        yield '<dl class="glance">'
        if first is not None:
            look = self.items[first.node].look
            yield f'<div class="{look}">'
            yield f"<dt>First</dt><dd>{self._first(first)}</dd></div>"
        for kind in kinds:
            yield f'<div class="{kind.look}"><dt>{_text(kind.title)}</dt>'
            yield f"<dd>{self._list_quotes(kind)}</dd></div>"
        yield "</dl>"

    def _first(self, first: First) -> str:
        item = self.items[first.node]
        words = self._quote(first.node, item.phrase) + self._marks(item)
        if first.when:
            words = f'<span class="began">{_text(first.when)}:</span> {words}'
        if first.doubted:
            doubt = "in doubt, as a link of it contradicts others and was left out"
            words = f'<span class="doubt">{doubt}</span> \u00b7 {words}'
        if first.others:
            have = "has" if first.others == 1 else "have"
            others = f"{count(first.others, 'other')} {have} no known order to the earliest known"
            words = f"not known, as {others}: {words}"
        if first.unsure:
            verb = "is" if first.unsure == 1 else "are"
            words += f" \u00b7 {first.unsure:,} that may not have happened {verb} earlier"
        return words

    def _list_quotes(self, kind: Kind) -> str:
        if not kind.nodes:
            return "no event"
        words = count(len(kind.nodes), "event")
        words += ": " if len(kind.nodes) <= len(kind.phrases) else ", such as "
        return words + ", ".join(map(self._quote, kind.nodes, kind.phrases))

    def _left_out(self) -> Iterator[str]:
        links = self.reading.left_out
        if not links:
            return
        yield f'<section class="left-out"><p class="title">{_text(self.reading.contradictions)};'
        yield f" {count(len(links), 'link')} left out here, though the other side may be wrong</p>"
        yield self._list_left_out(links[:_OPEN])
        if links[_OPEN:]:
            yield f"<details><summary>{len(links) - _OPEN:,} more</summary>"
            yield f"{self._list_left_out(links[_OPEN:])}</details>"
        yield "</section>"

    def _list_left_out(self, links: Sequence[LeftOut]) -> str:
        return f"<ul>{''.join(f'<li>{self._describe_left_out(one)}</li>' for one in links)}</ul>"

    def _describe_left_out(self, left_out: LeftOut) -> str:
        """Paint a link that was left out, and why."""
        words = f"left out: {self._link(left_out.link)}"
        against = [self._link(link) for link in left_out.against]
        if left_out.more:
            against.append(count(left_out.more, "more link"))
        if left_out.alone:
            against.append("itself")
        together = " these together:" if len(against) > 1 else ""
        why = f"because it contradicts{together} {'; '.join(against)}"
        return f'{words}, <span class="why">{why}</span>' if against else words

    def _link(self, link: ShownLink) -> str:
        one, other = map(self._quote, link.nodes, link.phrases)
        return (
            f'{one} <span class="type">{_text(link.type)}</span> {other}'
            f'<span class="more"> {_text(link.id)}</span>'
        )

    def _group(self, group: Group, level: int) -> Iterator[str]:
        """Paint the title and the parts of a group."""
        if group.title:
            date = group.settled and bool(group.unit)
            tag = _HEADS[min(level, len(_HEADS) - 1)] if date else "p"
            title = group.title[0].upper() + group.title[1:] if date else group.title
            yield f'<{tag} class="title">{_text(title)}</{tag}>'
            level += date
        tag = "ol" if group.order == "known" else "ul"
        many = len(group.parts) if tag == "ol" else _TOGETHER
        look = f"{group.order} many" if len(group.parts) > many else group.order
        for first in range(0, len(group.parts), many):
            yield f'<{tag} class="{look}">'
            for part in group.parts[first : first + many]:
                yield from self._part(part, level)
            yield f"</{tag}>"

    def _part(self, part: Part, level: int) -> Iterator[str]:
        if isinstance(part, Group):
            names = [part.unit or "group", "" if part.settled else "apart"]
            if part.settled and part.order != "known":
                names.append("loose")
            yield f'<li class="{" ".join(filter(None, names))}">'
            yield from self._group(part, level)
            yield "</li>"
        elif len(part.nodes) == 1:
            yield self._open_item(part.nodes[0])
            yield from self._item(self.items[part.nodes[0]], level)
            yield "</li>"
        else:
            yield from self._row(part, level)

    def _open_item(self, node: int) -> str:
        return '<li class="wide">' if self.items[node].boxes else "<li>"

    def _row(self, row: Row, level: int) -> Iterator[str]:
        """Paint several items that begin together, side by side."""
        words = f"these {len(row.nodes):,} {'' if row.whole else 'begin '}at the same time"
        yield f'<li class="together"><p class="joint">{words}</p><ul class="same">'
        for node in row.nodes:
            yield self._open_item(node)
            yield from self._item(self.items[node], level)
            yield "</li>"
        yield "</ul></li>"

    def _item(self, item: Item, level: int) -> Iterator[str]:
        look = f"{item.kind} {item.look}{' reports' if item.reports else ''}"
        yield f'<div class="item {look}">'
        yield f'<span class="when">{_text(item.when)}</span><span class="what">'
        yield self._phrase(item.node, item.phrase)
        yield self._marks(item)
        if item.notes:
            yield f' <span class="notes">{self._notes(item)}</span>'
        yield f' <span class="more">{_text(item.details)}</span>'
        for teller in item.told_by:
            yield from self._told(self.items[teller])
        yield "</span></div>"
        for box in item.boxes:
            yield from self._box(box, level)

    def _phrase(self, node: int, phrase: Phrase, name: str = "phrase") -> str:
        before, words, after = (_text(part) for part in (phrase.before, phrase.words, phrase.after))
        return f'<span class="{name}" data-node="{node}">{before}<b>{words}</b>{after}</span>'

    def _quote(self, node: int, phrase: Phrase) -> str:
        return f'<span class="quote">\u201c{self._phrase(node, phrase, "brief")}\u201d</span>'

    def _marks(self, item: Item) -> str:
        return "".join(
            f' <span class="mark-word">{_text(mark.words)}</span>' for mark in item.marks
        )

    def _notes(self, item: Item) -> str:
        """Paint what is known of an item beside its place: after “a” and “b”, before “c”."""
        said: dict[str, dict[str, int]] = {}
        for note in item.notes:
            said.setdefault(note.words, {})[self.items[note.node].phrase.words] = note.node
        return ", ".join(
            f"{words} "
            + " and ".join(
                f'<span data-node="{node}">\u201c{_text(name)}\u201d</span>'
                for name, node in named.items()
            )
            for words, named in said.items()
        )

    def _told(self, teller: Item) -> Iterator[str]:
        """Paint the mark of a reporting verb, which unfolds to its own phrase."""
        yield f'<details class="teller"><summary>\u275d {_text(teller.phrase.words)}</summary>'
        yield self._phrase(teller.node, teller.phrase)
        yield f'{self._marks(teller)} <span class="more">{_text(teller.details)}</span></details>'

    def _box(self, box: Box, level: int) -> Iterator[str]:
        yield f'<section class="box"><p class="title">{_text(box.title)}</p>'
        if box.group.details:
            yield f'<p class="more">{_text(box.group.details)}</p>'
        yield from self._group(box.group, level + 1)
        yield "</section>"
