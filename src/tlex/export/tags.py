"""TimeML's tags, and which attributes of a link name its ends."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from tlex.document import Document, Link, Timex

__all__ = ["name_ends", "write_attributes"]


def name_ends(link: Link, document: Document) -> dict[str, str] | None:
    """Give the ends of a link under the attributes that TimeML has for them.

    None if an end is not defined, or is a time where only events can be.
    """
    source, target = document.node(link.source or ""), document.node(link.target or "")
    if source is None or target is None:
        return None
    times = isinstance(source, Timex), isinstance(target, Timex)
    if link.kind == "SLINK":
        keys = ("eventInstanceID", "subordinatedEventInstance")
    else:
        keys = (
            "timeID" if times[0] else "eventInstanceID",
            "relatedToTime" if times[1] else "relatedToEventInstance",
        )
    if link.kind in {"ALINK", "SLINK"} and any(times):
        return None
    return {keys[0]: source.id, keys[1]: target.id}


def write_attributes(attributes: Mapping[str, str]) -> str:
    """Give attributes as they stand in a tag, each with a blank before it."""
    return "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
