"""The titles of groups: when, and what is not known of their order."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tlex.draw.reading.calendar_sections import NOT_KNOWN
from tlex.draw.reading.parts import Group, Row
from tlex.wording import count

__all__ = ["add_titles"]

_BESIDE = "the order to the others here is not known"


def add_titles(group: Group, quote: Callable[[int], str]) -> Group:
    """Give a group with titles for it and for all groups in it; ``quote`` names a node."""
    parts = tuple(
        part if isinstance(part, Row) else add_titles(part, quote) for part in group.parts
    )
    words = [_say_when(group, quote), _say_order(group)]
    return replace(group, parts=parts, title="; ".join(filter(None, words)))


def _say_when(group: Group, quote: Callable[[int], str]) -> str:
    title = group.title
    if group.settled:
        return title.removeprefix("on ").removeprefix("in ") if group.unit else title
    if title:
        vague = group.unit != "span" or title == NOT_KNOWN or title.endswith(" or later")
        return title if vague else f"sometime {title}"
    after, before = group.after, group.before
    if after is not None and before is not None:
        return f"sometime between {quote(after)} and {quote(before)}"
    if after is not None:
        return f"sometime after {quote(after)}, perhaps much later"
    return _BESIDE if before is None else f"sometime before {quote(before)}, perhaps much earlier"


def _say_order(group: Group) -> str:
    """Say what is not known of the order inside a group."""
    if group.order == "known":
        return ""
    events = sum(len(part.nodes) if isinstance(part, Row) else 1 for part in group.parts)
    if group.order == "partly":
        return f"the order of these {events:,} is known only in part"
    if any(isinstance(part, Group) for part in group.parts):
        many = count(len(group.parts), "part")
        return f"{many} side by side: the order between them is not known"
    return f"the order of these {events:,} is not known"
