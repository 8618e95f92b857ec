"""Writing a document that was read from TimeML: its own file, with the markup corrected.

The text, comments and everything else between tags stay identical to the byte. So does each tag
that is valid TimeML 1.2.1. These things change:

* Elements that TimeML does not have lose their tags.
* An empty EVENT that is an instance becomes a MAKEINSTANCE.
* Links refer to instances, by TimeML's own attributes.
* An event that links refer to gets an instance if it has none.
* A mark inside another mark is moved behind it, because TimeML does not allow nesting.
* Ids that do not have the form of the schema are replaced.

All other values stay, even those that the schema does not allow; these are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tlex.document import Document
from tlex.export.attribute_keys import ENDS, name_ends
from tlex.export.first_by_id import list_counted
from tlex.export.losses import Losses
from tlex.export.timeml_ids import fit
from tlex.export.timeml_schema import ATTRIBUTES, REFERENCES, TYPES, spell
from tlex.markup import scan, write_attributes
from tlex.nouns import Event, Instance, Link, Signal, Timex
from tlex.readers.xml import detect_encoding, name_encoding
from tlex.source import Source

__all__ = ["normalise"]

_DECLARED = re.compile(r"""(<\?xml[^>]*?encoding\s*=\s*["'])[^"']*""")
_NAMES = {Event: "EVENT", Timex: "TIMEX3", Signal: "SIGNAL", Instance: "MAKEINSTANCE"}
_KEYS = {"EVENT": "eid", "TIMEX3": "tid", "SIGNAL": "sid", "MAKEINSTANCE": "eiid"}
_ENTITY = re.compile(r"&(?!#|amp;|lt;|gt;|quot;|apos;)")
_LETTERS = ("ei", "e", "t")
_STAYING = frozenset(("GLINK", "CLINK", "CONFIDENCE"))
"""Elements that stay although TimeML's schema does not have them, or tlex does not read them."""

Noun = Event | Timex | Signal | Instance | Link


def normalise(document: Document, source: Source, losses: Losses) -> bytes:
    """Give the bytes of a TimeML document with its markup corrected."""
    written = "".join(_Normaliser(document, losses).write(source))
    if (
        detect_encoding(source.data) != source.encoding
    ):  # it was parsed from a string, so the declaration is wrong
        written = _DECLARED.sub(rf"\g<1>{name_encoding(source.encoding)}", written, count=1)
    # An id may need a letter that the encoding lacks: it becomes a character reference.
    return written.encode(source.encoding, "xmlcharrefreplace")


class _Normaliser:
    def __init__(self, document: Document, losses: Losses) -> None:
        self.document = document
        self.losses = losses
        events, instances, timexes, signals = list_counted(document, losses)
        nouns: list[Noun] = [*events, *instances, *timexes, *signals, *document.links]
        self.nouns = {noun.byte_start: noun for noun in nouns}
        self.repeated = {
            noun.byte_start
            for noun in (
                *document.events,
                *document.instances,
                *document.timexes,
                *document.signals,
            )
        }
        self.out: list[str] = []
        self.waiting: list[str] = []
        self.closing: list[str] = []  # for each open element, what to do at its end
        self.inside = False
        self.wrapped = False  # whether the file's own root stands inside a new one
        named: dict[str, tuple[str, list[str]]] = {
            "EVENT": ("e", [event.id for event in events]),
            "TIMEX3": ("t", [timex.id for timex in timexes]),
            "SIGNAL": ("s", [signal.id for signal in signals]),
            "MAKEINSTANCE": ("ei", [instance.id for instance in instances]),
        }
        loose = self._find_loose(
            {*document.index, *(name for _, ids in named.values() for name in ids)}
        )
        self.names = {
            element: fit(ids, prefix, losses, loose) for element, (prefix, ids) in named.items()
        }
        self.made = self._make_instances({*self.names["MAKEINSTANCE"].values(), *loose})
        self.ends = {**self.names["MAKEINSTANCE"], **self.names["TIMEX3"], **self.made}
        self.links = fit((link.id for link in document.links), "l", losses)
        labels = sum(map(len, document.labels.values()))
        losses.add("labels of one's own: what they mean", number=labels)

    def _find_loose(self, defined: set[str]) -> set[str]:
        """Find ids that are referred to but not defined: no element may get one of them."""
        events = {event.id for event in self.document.events}
        referred: set[str | None] = set()
        for link in self.document.links:
            referred |= {link.source, link.target, link.signal}
        for noun in (*self.document.timexes, *self.document.instances):
            referred |= {noun.attributes.get(key, "").strip() for key in REFERENCES}
        loose = {name for name in referred if name and name not in defined}
        lost = {own.event for own in self.document.instances if own.event} - events
        loose |= lost
        # In some dialects a bare number refers to the id with that number.
        numbers = {f"{prefix}{name}" for name in loose if name.isdecimal() for prefix in _LETTERS}
        # The id of an event that is missing may well be defined as something else, such as a time.
        return ((loose | numbers) - defined) | lost

    def _make_instances(self, taken: Iterable[str]) -> dict[str, str]:
        """Choose ids for the instances of events that links refer to and that have none."""
        ends = {end for link in self.document.links for end in (link.source, link.target)}
        lone = [
            node.id for node in self.document.nodes if isinstance(node, Event) and node.id in ends
        ]
        return fit(lone, "ei", self.losses, taken)

    def write(self, source: Source) -> list[str]:
        """Write the file, token by token."""
        for token in scan(source):
            if token.kind == "text":
                self._add_text(token.text)
            elif token.kind == "open":
                self._open(token.name, token.text, token.start)
            elif token.kind == "close":
                self._close(token.text)
            else:
                self.out.append(token.text)
        return self.out

    def _add_text(self, text: str) -> None:
        """Add the text between tags.

        Where a tag between CR and LF is removed, a comment keeps them two line ends.
        """
        if text[0] == "\n" and self.out and self.out[-1].endswith("\r"):
            self.out.append("<!---->")
        self.out.append(text)

    def _open(self, element: str, tag: str, at: int) -> None:
        empty = tag.endswith("/>")
        noun = self.nouns.get(at)
        action = "drop"
        outermost = not self.closing
        if outermost and noun is not None:  # a mark or link that everything else stands in
            self.losses.add("roots that are not called TimeML", element)
            self.out.append("<TimeML>")
            self.wrapped = True
        if outermost and noun is None:
            action = self._open_root(element, tag)
        elif element == "CONFIDENCE" and empty:
            self._put(tag)
        elif noun is None:
            self._drop(element, at)
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
        elif outermost and self.wrapped:
            self._unwrap()

    def _open_root(self, element: str, tag: str) -> str:
        if element == "TimeML":
            self.out.append(tag)
            return "root"
        self.losses.add("roots that are not called TimeML", element)
        self.out.append(f"<TimeML{tag[1 + len(element) :]}")
        return "other root"

    def _drop(self, element: str, at: int) -> None:
        """Count a tag that is left out: its element is not in TimeML, or has no id of its own."""
        if element not in _KEYS:
            self.losses.add("tags of elements that TimeML does not know", element)
        elif at not in self.repeated:  # those that repeat an id have been counted
            self.losses.add("elements without an id", element)

    def _close(self, tag: str) -> None:
        action = self.closing.pop()
        if action.endswith("root"):
            self.out += self._write_instances()
            self.out.append(tag if action == "root" else "</TimeML>")
        elif action == "mark":
            self.out += [tag, *self.waiting]
            self.waiting.clear()
            self.inside = False
        if not self.closing and self.wrapped:
            self._unwrap()

    def _unwrap(self) -> None:
        """Close the root that was put around a file whose own root is a mark or a link."""
        self.out += [*self._write_instances(), "</TimeML>"]

    def _put(self, tag: str) -> None:
        """Write an element without words: here, or behind the mark that is open now."""
        (self.waiting if self.inside else self.out).append(tag)

    def _write(self, noun: Noun, tag: str, *, empty: bool) -> str:
        wanted = self._describe(noun)
        element = _element_of(noun)
        self._count_forbidden(element, noun, wanted)
        same = wanted == noun.attributes and empty == tag.endswith("/>")
        if same and tag.startswith(f"<{element}"):  # an EVENT can be an instance in a dialect
            return tag
        if _ENTITY.search(tag):
            self.losses.add("entities in attributes that only a DTD could define", noun.id)
        return f"<{element}{write_attributes(wanted)}{'/>' if empty else '>'}"

    def _describe(self, noun: Noun) -> dict[str, str]:
        """Give the attributes of an element as they should be."""
        if isinstance(noun, Link):
            return self._describe_link(noun)
        element = _element_of(noun)
        wanted = {**noun.attributes, _KEYS[element]: self.names[element][noun.id]}
        if isinstance(noun, Instance) and noun.event is not None:
            event = self.names["EVENT"].get(noun.event, noun.event)
            if wanted.get("eventID") != event:
                rest = {key: wanted[key] for key in wanted if key not in {"eid", "eventID"}}
                wanted = {"eventID": event, **rest}
        return self._refer(wanted, element) | self._fill(wanted, element)

    def _describe_link(self, link: Link) -> dict[str, str]:
        wanted = {**link.attributes, "lid": self.links[link.id]}
        if link.type is not None and spell(link.type) in TYPES.get(link.kind, ()):
            wanted["relType"] = spell(link.type)
        if link.kind in _STAYING:
            return {k: self.ends.get(v.strip(), v) if k in ENDS else v for k, v in wanted.items()}
        ends = name_ends(link, self.document)
        if ends is None:
            self.losses.keep("links with an end that is not there", link.id)
            return self._refer(wanted, link.kind)
        named = {key: self.ends[end] for key, end in ends.items()}
        present = {key: value for key, value in wanted.items() if key in ENDS}
        if present != named:
            if len(present) > len(named):
                self.losses.add("second sources or targets of links", link.id)
            wanted = {key: value for key, value in wanted.items() if key not in ENDS} | named
        return self._refer(wanted, link.kind)

    def _refer(self, wanted: dict[str, str], element: str) -> dict[str, str]:
        """Replace references to times and signals by the new ids."""
        changed = dict(wanted)
        for key, kind in REFERENCES.items():
            if key in wanted:
                changed[key] = self.names[kind].get(wanted[key].strip(), wanted[key])
                if wanted[key].strip() not in self.names[kind]:
                    self.losses.keep("references to what is not there", f"{element} {key}")
        return changed

    def _fill(self, wanted: dict[str, str], element: str) -> dict[str, str]:
        """Give the attributes that TimeML demands and that are missing."""
        filled = {}
        for key, attribute in ATTRIBUTES[element].items():
            if attribute.default is not None and key not in wanted:
                filled[key] = attribute.default
                case = f"{element} {key}={attribute.default!r}"
                self.losses.add("attributes that TimeML demands, filled in", case)
        return filled

    def _count_forbidden(self, element: str, noun: Noun, wanted: dict[str, str]) -> None:
        """Count what is kept although the schema does not allow it."""
        known = ATTRIBUTES.get(element)
        if known is None:
            self.losses.keep("elements that TimeML does not have", element)
            return
        own = {*ENDS, "lid", "relType", *_KEYS.values()}
        for key, value in wanted.items():
            attribute = known.get(key)
            if attribute is None and key not in own:
                self.losses.keep("attributes that TimeML does not have", f"{element} {key}")
            elif attribute is not None and not attribute.allowed.fullmatch(value):
                case = f"{element} {key}={value!r:.40}"
                self.losses.keep("values that the schema of TimeML does not allow", case)
        if isinstance(noun, Link) and wanted.get("relType") not in TYPES[noun.kind]:
            case = f"{noun.kind} relType={wanted.get('relType')!r:.40}"
            self.losses.keep("values that the schema of TimeML does not allow", case)

    def _write_instances(self) -> list[str]:
        """Write the instances of events that need one, with attributes of the event."""
        tags = []
        for event, name in self.made.items():
            node = self.document.get(event)
            given = {} if node is None else node.attributes
            own = {key: given[key] for key in ATTRIBUTES["MAKEINSTANCE"] if key in given}
            attributes = {"eventID": self.names["EVENT"][event], "eiid": name, **own}
            attributes |= self._fill(attributes, "MAKEINSTANCE")
            tags.append(f"<MAKEINSTANCE{write_attributes(attributes)}\n/>")
        return tags


def _element_of(noun: Noun) -> str:
    return noun.kind if isinstance(noun, Link) else _NAMES[type(noun)]
