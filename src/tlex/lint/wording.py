"""Nodes and links in the annotator's words: ``"fell asleep" (ei3) BEFORE "midnight" (t2)``."""

from __future__ import annotations

from functools import cached_property

from tlex.document import Document, Event, Instance, Link, Node, Timex
from tlex.wording import name_node, quote_node, shorten_id

__all__ = ["Wording"]


class Wording:
    """Puts what a document has into words, and knows where it stands."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def links(self) -> dict[str, Link]:
        """The links by id."""
        return {link.id: link for link in self.document.links}

    @cached_property
    def events(self) -> dict[str, Event]:
        """The events by id; of several with one id the first counts."""
        return {event.id: event for event in reversed(self.document.events)}

    def event_of(self, name: str | None) -> Event | None:
        """Find the EVENT of an instance, or the EVENT that is a node itself."""
        node = self.find(name)
        if isinstance(node, Instance):
            return self.events.get(node.event or "")
        return node if isinstance(node, Event) else None

    def find(self, name: str | None) -> Node | None:
        """Find a node by its id."""
        return None if name is None else self.document.node(name)

    def is_time(self, name: str | None) -> bool:
        """Whether an id is a time's."""
        return isinstance(self.find(name), Timex)

    def describe(self, name: str | None) -> str:
        """Give a node's words and id: ``"left" (ei1)``."""
        return name_node(name or "?", self._words(name))

    def quote(self, name: str | None) -> str:
        """Give a node's words alone; its id where it has none."""
        return quote_node(name or "?", self._words(name))

    def _words(self, name: str | None) -> str:
        node = self.find(name)
        return self.document.words(node) if node else ""

    def say(self, link: Link) -> str:
        """Read a link as a sentence."""
        label = shorten_id(link.type or "?")
        return f"{self.describe(link.source)} {label} {self.describe(link.target)}"

    def name(self, link: Link) -> str:
        """Give the kind and id of a link."""
        own = shorten_id(link.id)
        return own if own.startswith(f"{link.kind}@") else f"{link.kind} {own}"

    def where(self, offset: int) -> str:
        """Name a line, as the end of a message; nothing where there is no file."""
        line, _ = self.document.position(offset)
        return "" if line is None else f", line {line}"

    def place(self, name: str | None) -> int:
        """Where the words of a node begin, in bytes: its EVENT or TIMEX3, else its instance."""
        node = self.event_of(name) or self.find(name)
        return -1 if node is None else node.byte_start

    def sign(self, link: Link) -> str:
        """Say what a link is in words that do not change when lines move."""
        own = "" if link.id.startswith(f"{link.kind}@") else link.id
        return f"{link.kind} {own} {link.source} {link.type} {link.target}"
