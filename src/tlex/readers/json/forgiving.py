"""Reading what is clear in JSON that is not tlex's to the letter; reading R61.

A value is read in place of another if there is one meaning. Each such liberty is a warning with the
path in the JSON; liberties of the same sort are one warning with their number. What has no clear
meaning is an error with its path, and is left out. So all problems of a file are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import UNSET

from tlex.errors import NotWellFormedError
from tlex.readers.json.keys import KEYS, WRAPPERS, find_key
from tlex.readers.json.labelling import is_known
from tlex.readers.json.records import (
    LISTS,
    JsonEvent,
    JsonInstance,
    JsonLink,
    JsonNoun,
    JsonPart,
    JsonSignal,
    JsonTime,
)
from tlex.readers.json.reshaping import (
    list_by_type,
    spread_ends,
    spread_type,
    take_for_time,
)
from tlex.readers.json.syntax import Value
from tlex.readers.json.values import BLANK, SHOWN, Liberties, ValueReader, show_value

__all__ = ["Forgiven", "forgive", "is_document", "is_link", "is_wrapper"]

_TYPES: dict[str, type[JsonNoun]] = {
    "events": JsonEvent,
    "instances": JsonInstance,
    "times": JsonTime,
    "signals": JsonSignal,
}
_TRIPLE, _WEIGHTED = 3, 4
_LAYERS = 4
"""So many objects may be around a document."""

_OF_KIND = {"slinks": "SLINK", "alinks": "ALINK"}
_CONTEXT = ("sentence", "context")

Fields = dict[str, tuple[str, Value]]
"""The members of an object: key as it is read, key as written, value."""


class Forgiven(NamedTuple):
    """The content of a document, and the byte offsets of the members of its lists."""

    content: JsonPart
    places: dict[str, list[int]]
    ends: dict[int, int]


def is_link(value: Value) -> bool:
    """Whether a value looks like a link: an object with two ends, or a triple."""
    if value.kind == "list":
        return _is_triple(value)
    if value.kind != "object":
        return False
    keys = {find_key("links", key) for key, _, _ in value.value}
    return "source" in keys and "target" in keys


def is_document(value: Value) -> bool:
    """Whether a value looks like a document: an object with one of its lists, or a text."""
    if value.kind != "object":
        return False
    found = {
        find_key("document", key): each
        for key, _, each in value.value
        if each.kind in {"object", "list"} or each.value is None
    }
    return "text" in {key for key, _, _ in value.value} or bool(found.keys() & {*LISTS, "order"})


def is_wrapper(value: Value) -> bool:
    """Whether an object has a document, or a list of links, under a key that says so."""
    return _unwrap(value) is not None


def _unwrap(value: Value) -> tuple[Value, str] | None:
    """Find the document in an object that has nothing else, perhaps in several layers."""
    path = "$"
    for _ in range(_LAYERS):
        inside = [
            (key, inner)
            for key, _, inner in value.value
            if key.lower() in WRAPPERS and inner.kind in {"object", "list"}
        ]
        for key, inner in inside:
            if is_document(inner) or _is_list_of_links(inner):
                return inner, f"{path}.{key}"
        if len(inside) != 1 or inside[0][1].kind != "object":
            break
        path, value = f"{path}.{inside[0][0]}", inside[0][1]
    return None


def forgive(value: Value, liberties: Liberties) -> Forgiven:
    """Read the content of a document: an object, or a list of links.

    Raises `NotWellFormedError` if it is of another version.
    """
    return _Forgiver(liberties).read(value)


def _is_triple(value: Value) -> bool:
    """Whether a list is a link: source, type, target, and perhaps a weight."""
    items = value.value
    return (
        value.kind == "list"
        and len(items) in {_TRIPLE, _WEIGHTED}
        and all(item.kind in {"string", "number"} for item in items)
        and any(item.kind == "string" and is_known(item.value) for item in items[1:_TRIPLE])
    )


class _Forgiver(ValueReader):
    def __init__(self, liberties: Liberties) -> None:
        super().__init__(liberties)
        self.places: dict[str, list[int]] = {}
        self.ends: dict[int, int] = {}
        self.text = ""
        self.words: dict[str, str | None] = {}  # ids by the words of nouns; None: several
        self.ids: dict[str, str | None] = {}  # ids by themselves in lower case; None: several
        self.times: list[JsonNoun] = []  # those that stand among the events
        self.events = 0
        self.numbered: list[str] = []  # events without ids of their own
        self.first: int | None = None  # what the numbers of these begin with

    def read(self, value: Value) -> Forgiven:
        """Read a document."""
        path = "$"
        content: dict[str, Any] = {}
        if value.kind == "list":
            self.liberties.take("the list is read as the links of a document", path, value.start)
            content["links"] = self._read_list("links", value, path)
            return self._finish(content)
        value, path = self._open(value)
        fields = self._sort("document", value, path, extra="left out")
        if "text" in fields and fields["text"][1].kind == "string":
            self.text = fields["text"][1].value
        for name in (*LISTS, "order", "sentences"):
            if name not in fields:
                continue
            written, found = fields[name]
            if name == "links":
                self.first = self._find_first(found)
            if name in LISTS:
                content[name] = self._read_list(name, found, f"{path}.{written}")
                if name == "times":
                    content[name] = [*self.times, *content[name]]
            elif name == "order":
                content[name] = self._read_order(found, f"{path}.{written}")
            else:
                content[name] = self._read_sentences(found, f"{path}.{written}")
        content.setdefault("times", self.times)
        content.setdefault("links", []).extend(self._read_kinds(fields, path))
        for name in ("text", "name"):
            if name in fields:
                written, found = fields[name]
                content[name] = self.take_string(found, f"{path}.{written}")
        return self._finish({key: found for key, found in content.items() if found is not UNSET})

    def _open(self, value: Value) -> tuple[Value, str]:
        """Take the document out of what is around it."""
        wrapped = None if is_document(value) else _unwrap(value)
        if wrapped is None:
            return value, "$"
        value, path = wrapped
        self.liberties.take("read as the document", path, value.start)
        if value.kind == "list":
            value = Value("object", [("links", value.start, value)], value.start, value.end)
        return value, path

    def _read_kinds(self, fields: Fields, path: str) -> Iterator[JsonLink]:
        """Read the links that stand in lists of their own, by kind."""
        for name, kind in _OF_KIND.items():
            if name in fields:
                written, found = fields[name]
                sort = f"read as links of kind {kind}"
                self.liberties.take(sort, f"{path}.{written}", found.start)
                for link in self._read_list("links", found, f"{path}.{written}"):
                    if link.kind is UNSET:
                        link.kind = kind
                    yield link

    def _finish(self, content: dict[str, Any]) -> Forgiven:
        return Forgiven(JsonPart(**content), self.places, self.ends)

    def _find_first(self, links: Value) -> int | None:
        """Find out whether links count events from 0 or from 1; None if that is not clear."""
        ends: list[Value] = []
        for link in links.value if links.kind == "list" and self.numbered else ():
            if link.kind == "object":
                named = {find_key("links", key): each for key, _, each in link.value}
                ends += (named[key] for key in ("source", "target") if key in named)
            elif _is_triple(link):
                ends += (each for each in link.value[:_TRIPLE] if each.kind == "number")
        numbers = {int(end.value) for end in ends if end.kind == "number" and end.value.isdigit()}
        if not numbers or not len(set(self.numbered)) == len(self.numbered) == self.events:
            return None
        least, most, size = min(numbers), max(numbers), len(self.numbered)
        if least == 0 and most < size:
            return 0
        return 1 if least > 0 and most == size else None

    def _sort(self, where: str, value: Value, path: str, extra: str) -> Fields:
        """Find out which member is which. Extra ones stand under their own key after a space."""
        fields: Fields = {}
        exact = {key for key, _, _ in value.value if key in KEYS.get(where, {}) or key == "schema"}
        for key, start, found in value.value:
            name = key if key in exact else find_key(where, key)
            if name is not None and name != key:
                if name in exact or (name in fields and fields[name][0] != key):
                    name = None  # there is a better one
                else:
                    about = ""
                    if name == "weight":
                        about = "; --confidence uses weights as probabilities"
                    sort = f"{key[:SHOWN]!r} is read as {name!r}{about}"
                    self.liberties.take(sort, f"{path}.{key[:SHOWN]}", start)
            if name == "schema":
                self._check_schema(found)
                continue
            if name is None:
                name = f" {key}"
                if extra != "kept" and key not in {"$schema", "schema"}:
                    sort = f"{key[:SHOWN]!r} has no meaning here; it is left out"
                    self.liberties.take(sort, f"{path}.{key[:SHOWN]}", start)
            elif name in fields:
                sort = f"{key[:SHOWN]!r} is there more than once; the last one counts"
                self.liberties.take(sort, f"{path}.{key[:SHOWN]}", start)
            fields[name] = (key, found)
        return fields

    def _check_schema(self, value: Value) -> None:
        if value.kind == "string" and value.value == "tlex-document/1":
            return
        line, column = self.liberties.diagnostics.position(value.start)
        message = f"$.schema: {value.value!r:.60} is not 'tlex-document/1', which this tlex reads"
        name = self.liberties.diagnostics.name
        raise NotWellFormedError(message, name=name, line=line, column=column)

    def _read_list(self, name: str, value: Value, path: str) -> list[Any]:
        """Read a list of nouns; an object may stand for a list of one, or have ids as keys."""
        members = self._list_members(name, value, path)
        found, places = [], self.places.setdefault(name, [])
        for where, member in members:
            noun: JsonLink | JsonNoun | None
            time = take_for_time(member) if name == "events" else None
            if time is not None:
                self._add_time(time, where)
                continue
            if name == "links":
                noun = self._read_link(member, where)
            else:
                noun = self._read_noun(name, member, where)
            if noun is not None:
                found.append(noun)
                places.append(member.start)
                self.ends[member.start] = member.end
        return found

    def _add_time(self, value: Value, path: str) -> None:
        """Read a time that stands among the events."""
        self.liberties.take("a time among the events is read as a time", path, value.start)
        noun = self._read_noun("times", value, path)
        if noun is not None:
            self.times.append(noun)
            self.places.setdefault("times", []).append(value.start)
            self.ends[value.start] = value.end

    def _list_members(self, name: str, value: Value, path: str) -> list[tuple[str, Value]]:
        if value.kind == "list":
            return [(f"{path}[{number}]", each) for number, each in enumerate(value.value)]
        if value.kind == "word" and value.value is None:
            return []
        if value.kind != "object":
            self.liberties.refuse(f"{show_value(value)} is no list of {name}", path, value.start)
            return []
        if is_link(value) if name == "links" else _has_id(name, value):
            self.liberties.take("an object is read as a list of one", path, value.start)
            return [(path, value)]
        typed = list_by_type(value) if name == "links" else None
        if typed is not None:
            self.liberties.take("the keys are read as the types of links", path, value.start)
            return [(f"{path}{where}", link) for where, link in typed]
        self.liberties.take(f"the keys are read as the ids of {name}", path, value.start)
        return [
            (f"{path}.{key[:SHOWN]}", _give_id(key, start, each))
            for key, start, each in value.value
        ]

    def _read_noun(self, name: str, value: Value, path: str) -> JsonNoun | None:
        if value.kind in {"string", "number"}:
            self.liberties.take("a word is read as an id", path, value.start)
            own = self.take_id(value, path)
            if own is None:
                return None
            self._note(name, own, numbered=value.kind == "string")
            words = value.value.strip()
            known = value.kind == "string" and words in self.text
            return _TYPES[name](id=own, **({"text": words} if known else {}))
        if value.kind != "object":
            what = name.removesuffix("s")
            self.liberties.refuse(f"{show_value(value)} is no {what}; left out", path, value.start)
            return None
        fields = self._sort(name, value, path, extra="kept")
        given = self._take_fields(fields, path)
        words = given.get("text", UNSET)
        numbered = "id" not in given
        if numbered:
            if not isinstance(words, str) or not words.strip():
                self.liberties.refuse("has no id; it is left out", path, value.start)
                return None
            self.liberties.take("has no id; its words are its id", path, value.start)
            given["id"] = BLANK.sub("_", words.strip())
        if isinstance(words, str) and name != "signals":
            several = self.words.get(words, given["id"]) != given["id"]
            self.words[words] = None if several else given["id"]
        self._note(name, given["id"], numbered=numbered)
        self._use_sentence(given, path, value.start)
        if "class" in given:
            given["kind"] = given.pop("class")
        return _TYPES[name](**given)

    def _note(self, name: str, own: str, *, numbered: bool) -> None:
        """Note the id of an event or time; a ``numbered`` one has no id of its own."""
        if name == "signals":
            return
        low = own.lower()
        self.ids[low] = own if self.ids.get(low, own) == own else None
        self.events += name == "events"
        if numbered and name == "events":
            self.numbered.append(own)

    def _use_sentence(self, given: dict[str, Any], path: str, offset: int) -> None:
        """Find words that stand in several places by their sentence, if it tells them apart."""
        words = given.get("text", "")
        attributes = given.get("attributes", {})
        sentence = next((attributes[key] for key in _CONTEXT if key in attributes), "")
        if not words or not sentence or "start" in given or "end" in given:
            return
        if self.text.count(words) > 1 == self.text.count(sentence) == sentence.count(words):
            given["start"] = self.text.index(sentence) + sentence.index(words)
            given["end"] = given["start"] + len(words)
            self.liberties.take("the words are found by their sentence", path, offset)

    def _take_fields(self, fields: Fields, path: str) -> dict[str, Any]:
        """Read the members that nouns have."""
        given: dict[str, Any] = {}
        extra: dict[str, str] = {}
        for name, (key, value) in fields.items():
            where = f"{path}.{key[:SHOWN]}"
            found: Any = UNSET
            if value.kind == "word" and value.value is None:
                continue
            if name.startswith(" "):
                self.keep(extra, key, value, where)
            elif name in {"id", "event"}:
                found = self.take_id(value, where)
                found = UNSET if found is None else found
            elif name in {"start", "end"}:
                found = self.take_place(value, where)
            elif name in {"line", "column"}:
                found = self.take_count(value, where)
            elif name == "outside":
                found = value.value is True
            elif name == "span":
                given |= self.take_span(value, where)
            elif name == "attributes":
                extra |= self.take_attributes(value, where)
            else:
                found = self.take_string(value, where)
            if found is not UNSET:
                given.setdefault(name, found)
        return {**given, **({"attributes": extra} if extra else {})}

    def _read_link(self, value: Value, path: str) -> JsonLink | None:
        if value.kind == "string":
            value = self._split(value) or value
        if value.kind == "list":
            return self._read_triple(value, path)
        if value.kind != "object":
            self.liberties.refuse(f"{show_value(value)} is no link; left out", path, value.start)
            return None
        for spread, meaning in ((spread_ends, "source and target"), (spread_type, "one type")):
            found = spread(value)
            if found is not None:
                key, value = found
                sort = f"{key[:SHOWN]!r} is read as {meaning}"
                self.liberties.take(sort, f"{path}.{key[:SHOWN]}", value.start)
        fields = self._sort("links", value, path, extra="kept")
        given: dict[str, Any] = {"source": "", "target": ""}
        extra: dict[str, str] = {}
        readers: dict[str, Callable[[Value, str], Any]] = {
            "source": self._take_end,
            "target": self._take_end,
            "id": self.take_id,
            "signal": self.take_id,
            "weight": self.take_weight,
            "labels": self.take_labels,
            "kind": self.take_kind,
            "type": self.take_string,
            "line": self.take_count,
            "column": self.take_count,
        }
        for name, (key, member) in fields.items():
            where = f"{path}.{key[:SHOWN]}"
            if member.kind == "word" and member.value is None:
                continue
            if name == "attributes":
                extra |= self.take_attributes(member, where)
            elif name in readers:
                read = readers[name](member, where)
                if read is not UNSET and read is not None:
                    given[name] = read
            else:
                self.keep(extra, key, member, where)
        if not given["source"] and not given["target"]:
            self.liberties.refuse("has no ends; it is left out", path, value.start)
            return None
        return JsonLink(**given, attributes=extra)

    def _read_triple(self, value: Value, path: str) -> JsonLink | None:
        """Read a list as a link: source, type, target, or source, target, type; then a weight."""
        if not _is_triple(value):
            self.liberties.refuse(f"{show_value(value)} is no link; left out", path, value.start)
            return None
        first, second, third, *rest = value.value
        if second.kind != "string" or not is_known(second.value):
            second, third = third, second
            self.liberties.take("a list is read as source, target, type", path, value.start)
        else:
            self.liberties.take("a list is read as source, type, target", path, value.start)
        weight = self.take_weight(rest[0], f"{path}[3]") if rest else UNSET
        return JsonLink(
            source=self._take_end(first, f"{path}[0]"),
            target=self._take_end(third, f"{path}[2]"),
            type=second.value,
            weight=weight,
        )

    def _split(self, value: Value) -> Value | None:
        """Split ``a BEFORE b`` into a list; None if it is not clear what the ends are."""
        words = value.value.split()
        found = [number for number, word in enumerate(words) if is_known(word)]
        if len(found) != 1 or not 0 < found[0] < len(words) - 1:
            return None
        parts = [" ".join(words[: found[0]]), words[found[0]], " ".join(words[found[0] + 1 :])]
        ends = (parts[0], parts[2])
        if self.ids and any(
            end not in self.words and BLANK.sub("_", end).lower() not in self.ids for end in ends
        ):
            return None
        if not self.ids and any(" " in end for end in ends):
            return None
        items = [Value("string", part, value.start, value.end) for part in parts]
        return Value("list", items, value.start, value.end)

    def _take_end(self, value: Value, path: str) -> str:
        """Read the id of an end; words of a single event or time stand for its id."""
        if value.kind == "object":
            inside = {find_key("events", key): each for key, _, each in value.value}
            inner = inside.get("id", inside.get("text"))
            if inner is not None and inner.kind in {"string", "number"}:
                self.liberties.take("an object is read as its id", path, value.start)
                value = inner
        if value.kind == "number" and self.first is not None and value.value.isdigit():
            sort = f"a number is read as the place in the list of events, from {self.first} on"
            self.liberties.take(sort, path, value.start)
            return self.numbered[int(value.value) - self.first]
        known = self.words.get(value.value) if value.kind == "string" else None
        if known is not None and known != value.value:
            self.liberties.take("the words of an event or time stand for its id", path, value.start)
            return known
        own = self.take_id(value, path) or ""
        other = self.ids.get(own.lower())
        if other is not None and other != own:
            self.liberties.take("an id is read as the same one in other case", path, value.start)
            return other
        return own

    def _read_order(self, value: Value, path: str) -> list[str]:
        if value.kind != "list":
            self.liberties.refuse(f"{show_value(value)} is no list of ids", path, value.start)
            return []
        found = (self.take_id(each, f"{path}[{number}]") for number, each in enumerate(value.value))
        return [own for own in found if own is not None]

    def _read_sentences(self, value: Value, path: str) -> list[tuple[int, int]]:
        if value.kind != "list":
            self.liberties.refuse(f"{show_value(value)} is no list of spans", path, value.start)
            return []
        found, places = [], self.places.setdefault("sentences", [])
        for number, each in enumerate(value.value):
            ends = each.value if each.kind == "list" else []
            if len(ends) != len(("start", "end")):
                message = f"{show_value(each)} is no start and end; left out"
                self.liberties.refuse(message, f"{path}[{number}]", each.start)
                continue
            span = [self.take_place(end, f"{path}[{number}]", 0) for end in ends]
            if isinstance(span[0], int) and isinstance(span[1], int):
                found.append((span[0], span[1]))
                places.append(each.start)
        return found


def _is_list_of_links(value: Value) -> bool:
    return value.kind == "list" and bool(value.value) and all(map(is_link, value.value))


def _has_id(name: str, value: Value) -> bool:
    return any(find_key(name, key) == "id" for key, _, _ in value.value)


def _give_id(key: str, start: int, value: Value) -> Value:
    """Give an object the key under which it stands as its id; a string is its words."""
    own = ("id", start, Value("string", key, start, start))
    if value.kind == "string":
        return Value("object", [own, ("text", value.start, value)], value.start, value.end)
    if value.kind != "object":
        return value
    return Value("object", [own, *value.value], value.start, value.end)
