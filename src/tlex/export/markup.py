"""Writing a document back that was read from TimeML: its own file, with the markup put in order.

The text, comments and everything else between tags stay to the byte, and so does each tag that is
already as TimeML 1.2.1 has it. What changes is structure: elements that TimeML does not know lose
their tags, links name instances in TimeML's own attributes, an event that links point at has an
instance, and a mark inside another mark stands behind it, for nothing could refer to it inside.
Ids and values stay the annotator's, also where the schema allows others only; that is counted.
"""

from __future__ import annotations

import re

from tlex.document import Document, Event, Instance, Link, Signal, Source, Timex
from tlex.export.counted import list_counted
from tlex.export.losses import Losses
from tlex.export.names import fit
from tlex.export.tags import name_ends, write_attributes
from tlex.export.vocabulary import ATTRIBUTES, TYPES, spell

__all__ = ["rewrite"]

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>"
    r"""|(?P<close></[^>]*>)|<(?P<open>[^!?/"'<>\s]+)(?:[^"'<>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)
_NAMES = {Event: "EVENT", Timex: "TIMEX3", Signal: "SIGNAL", Instance: "MAKEINSTANCE"}
_KEYS = {Event: "eid", Timex: "tid", Signal: "sid", Instance: "eiid"}
_ENDS = frozenset(
    (
        *("eventInstanceID", "timeID", "relatedToEventInstance", "relatedToTime"),
        *("subordinatedEventInstance", "eventID", "relatedToEvent", "relatedToEventID"),
        *("subordinatedEvent", "from", "to"),
    )
)
_UNKNOWN = ("GLINK", "CLINK", "CONFIDENCE")
"""Elements that stay although they take no part: they stand between others and have no words."""

Noun = Event | Timex | Signal | Instance | Link


def rewrite(document: Document, source: Source, losses: Losses) -> bytes:
    """Give the bytes of a TimeML document with its markup put in order."""
    text = source.data.decode(source.encoding)
    written = "".join(_Rewriter(document, losses).rewrite(text, source.encoding))
    # An id may need a letter that the encoding has not; XML has a way to write it.
    return written.encode(source.encoding, "xmlcharrefreplace")


class _Rewriter:
    def __init__(self, document: Document, losses: Losses) -> None:
        self.document = document
        self.losses = losses
        events, instances, timexes, signals = list_counted(document, losses)
        nouns: list[Noun] = [*events, *instances, *timexes, *signals, *document.links]
        self.nouns = {noun.byte_start: noun for noun in nouns}
        self.out: list[str] = []
        self.waiting: list[str] = []
        self.closing: list[str] = []  # of each open element: what to do at its end
        self.inside = False
        self.instances = self._find_instances()
        made_up = {link.id for link in document.links if link.id != _own_id(link)}
        names = (link.id for link in document.links if link.id in made_up)
        kept = [link.id for link in document.links if link.id not in made_up]
        self.links = fit(names, "l", losses, kept)

    def _find_instances(self) -> dict[str, str]:
        """Instances for events that links point at and that have none."""
        ends = {end for link in self.document.links for end in (link.source, link.target)}
        lone = [
            node.id for node in self.document.nodes if isinstance(node, Event) and node.id in ends
        ]
        return fit(lone, "ei", self.losses, self.document.index)

    def rewrite(self, text: str, encoding: str) -> list[str]:
        """Go through the file, token by token."""
        at = offset = 0
        for token in _TOKEN.finditer(text):
            between = text[at : token.start()]
            offset += len(between.encode(encoding))
            self.out.append(between)
            tag = token[0]
            if token["open"]:
                self._open(token["open"], tag, self.nouns.get(offset))
            elif token["close"]:
                self._close(tag)
            else:
                self.out.append(tag)
            offset += len(tag.encode(encoding))
            at = token.end()
        self.out.append(text[at:])
        return self.out

    def _open(self, element: str, tag: str, noun: Noun | None) -> None:
        empty = tag.endswith("/>")
        action = "drop"
        if not self.closing and not empty:
            action = self._open_root(element, tag)
        elif element in _UNKNOWN and empty:
            self._put(tag)
        elif noun is None or (isinstance(noun, Link) and element in _UNKNOWN):
            if element not in _NAMES.values():  # one of these repeats an id, or has none
                self.losses.add("tags of elements that TimeML does not know", element)
        elif isinstance(noun, Link | Instance):
            self._put(self._write(noun, tag, empty=True))
        elif self.inside:
            self.losses.add("words of marks inside another one; the mark stands behind it", noun.id)
            self._put(self._write(noun, tag, empty=True))
        else:
            self.out.append(self._write(noun, tag, empty=empty))
            self.inside = not empty
            action = "mark"
        if not empty:
            self.closing.append(action)

    def _open_root(self, element: str, tag: str) -> str:
        if element == "TimeML":
            self.out.append(tag)
            return "root"
        self.losses.add("roots that are not called TimeML", element)
        self.out.append("<TimeML>")
        return "other root"

    def _close(self, tag: str) -> None:
        action = self.closing.pop()
        if action.endswith("root"):
            self.out += self._write_instances()
            self.out.append(tag if action == "root" else "</TimeML>")
        elif action == "mark":
            self.out += [tag, *self.waiting]
            self.waiting.clear()
            self.inside = False

    def _put(self, tag: str) -> None:
        """Write an element without words: here, or behind the mark that is open."""
        (self.waiting if self.inside else self.out).append(tag)

    def _write(self, noun: Noun, tag: str, *, empty: bool) -> str:
        wanted = self._describe(noun)
        self._count_forbidden(noun, wanted)
        if wanted == noun.attributes and empty == tag.endswith("/>"):
            return tag
        element = noun.kind if isinstance(noun, Link) else _NAMES[type(noun)]
        return f"<{element}{write_attributes(wanted)}{'/>' if empty else '>'}"

    def _describe(self, noun: Noun) -> dict[str, str]:
        """The attributes of an element as they should be."""
        wanted = noun.attributes
        if isinstance(noun, Instance) and noun.event is not None:
            rest = {key: value for key, value in wanted.items() if key not in {"eid", "eventID"}}
            if wanted.get("eventID") != noun.event:
                wanted = {"eventID": noun.event, **rest}
        if not isinstance(noun, Link):
            return wanted
        ends = name_ends(noun, self.document)
        wanted = {**wanted, "lid": self.links.get(noun.id, noun.id)}
        if noun.type is not None and spell(noun.type) in TYPES.get(noun.kind, ()):
            wanted["relType"] = spell(noun.type)
        if ends is None:
            self.losses.add("links with an end that is not there; they stay as they are", noun.id)
            return wanted
        named = {key: self.instances.get(end, end) for key, end in ends.items()}
        if {key: value for key, value in wanted.items() if key in _ENDS} != named:
            wanted = {key: value for key, value in wanted.items() if key not in _ENDS} | named
        return wanted

    def _count_forbidden(self, noun: Noun, wanted: dict[str, str]) -> None:
        """Count what stays although the schema does not allow it."""
        element = noun.kind if isinstance(noun, Link) else _NAMES[type(noun)]
        known = ATTRIBUTES.get(element, {})
        own = {*_ENDS, "lid", "relType", *_KEYS.values()}
        for key, demanded in known.items():
            if demanded.default is not None and key not in wanted:
                message = "elements without what TimeML demands; they stay as they are"
                self.losses.add(message, f"{element} {key}")
        for key, value in wanted.items():
            attribute = known.get(key)
            if attribute is None and key not in own:
                message = "attributes that TimeML does not have; they stay"
                self.losses.add(message, f"{element} {key}")
            elif attribute is not None and not attribute.allowed.fullmatch(value):
                message = "values that the schema of TimeML does not allow; they stay"
                self.losses.add(message, f"{element} {key}={value!r}")
        if isinstance(noun, Link) and wanted.get("relType") not in TYPES.get(noun.kind, ()):
            message = "values that the schema of TimeML does not allow; they stay"
            self.losses.add(message, f"{noun.kind} relType={wanted.get('relType')!r}")

    def _write_instances(self) -> list[str]:
        """Instances for events that need one. What else they have stands on the EVENT."""
        tags = []
        for event, name in self.instances.items():
            node = self.document.node(event)
            known = ATTRIBUTES["MAKEINSTANCE"]
            given = {} if node is None else node.attributes
            own = {
                key: given.get(key) or attribute.default or ""
                for key, attribute in known.items()
                if given.get(key) or attribute.default
            }
            attributes = {"eventID": event, "eiid": name, **own}
            tags.append(f"<MAKEINSTANCE{write_attributes(attributes)}\n/>")
        return tags


def _own_id(link: Link) -> str:
    return link.attributes.get("lid", "").strip()
