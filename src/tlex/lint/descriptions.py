"""How messages of the linter name nodes and links: ``"fell asleep" (ei3) BEFORE "midnight" (t2)``.

Also where these stand in the file, so that a finding can be placed.
"""

from __future__ import annotations

from tlex.caching import cached_property
from tlex.document import Document
from tlex.lint.findings import Note, make_note
from tlex.nouns import Event, Instance, Link, Node, Timex
from tlex.wording import name_node, shorten_id

__all__ = ["Describer"]


class Describer:
    """Describes and finds the nodes and links of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _link_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.document.link_ids)}

    @cached_property
    def events(self) -> dict[str, Event]:
        """The events by id; the first of those that have the same id."""
        return {event.id: event for event in reversed(self.document.events)}

    def find_link(self, name: str) -> Link:
        """Find a link by its id."""
        return self.document.link(self._link_numbers[name])

    def find_node(self, name: str | None) -> Node | None:
        """Find a node by its id."""
        return None if name is None else self.document.get(name)

    def find_event(self, name: str | None) -> Event | None:
        """Find the EVENT of an instance, or the EVENT that is a node itself."""
        node = self.find_node(name)
        if isinstance(node, Instance):
            return self.events.get(node.event or "")
        return node if isinstance(node, Event) else None

    def find_place(self, name: str | None) -> int:
        """Find the byte offset of a node's EVENT or TIMEX3, or else of its MAKEINSTANCE."""
        number = self.document.index.get(name or "")
        return -1 if number is None else self.document.node_columns.offsets[number]

    def is_time(self, name: str | None) -> bool:
        """Whether an id is that of a time."""
        return isinstance(self.find_node(name), Timex)

    def describe(self, name: str | None) -> str:
        """Describe a node by its words and its id: ``"left" (ei1)``."""
        return name_node(name or "?", self.document.words_of(name or ""))

    def describe_link(self, link: Link) -> str:
        """Describe a link as a sentence: ``"left" (ei1) BEFORE "came" (ei2)``."""
        label = shorten_id(link.type or "?")
        return f"{self.describe(link.source)} {label} {self.describe(link.target)}"

    def name_link(self, link: Link) -> str:
        """Give the kind and the id of a link: ``TLINK l1``."""
        own = shorten_id(link.id)
        return own if own.startswith(f"{link.kind}@") else f"{link.kind} {own}"

    def state_link(self, link: Link) -> str:
        """Name a link and describe it: ``TLINK l1: "left" (ei1) BEFORE "came" (ei2)``."""
        return f"{self.name_link(link)}: {self.describe_link(link)}"

    def name_line(self, offset: int) -> str:
        """Give the line of a byte offset, as the end of a message; nothing if there is no file."""
        line, _ = self.document.position(offset)
        return "" if line is None else f", line {line}"

    def note_link(self, link: Link) -> Note:
        """Give a note on a link: ``TLINK l1: "left" (ei1) BEFORE "came" (ei2), line 6``."""
        message = self.state_link(link) + self.name_line(link.byte_start)
        return make_note(self.document, link.byte_start, message)

    def identify_link(self, link: Link) -> str:
        """Give what a fingerprint knows of a link, which is the same when lines move."""
        own = "" if link.id.startswith(f"{link.kind}@") else link.id
        return f"{link.kind} {own} {link.source} {link.type} {link.target}"
