"""Reading UIMA CAS, as WebAnno and INCEpTION export it: XMI and JSON.

A file is a flat list of feature structures: the text (``Sofa``), spans, and links. A link is a
relation with ``Governor`` and ``Dependent``, or stands in a slot of its source: a feature that
lists link elements with ``role`` and ``target``. Offsets count UTF-16 units. Which layers are
events, times and links is a setting (`tlex.readers.layers`); the defaults are those of E3C (R51).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tlex.algebra import find_label
from tlex.document import Document
from tlex.errors import NotRecognisedError, NotWellFormedError
from tlex.nouns import Code, Event, Link, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.document_time import (
    TimeRelation,
    make_document_time,
    relate_to_document_time,
)
from tlex.readers.json import find_places, open_json
from tlex.readers.layers import DEFAULT_LAYERS, Layers, LinkLayer, find_layer_kind
from tlex.readers.xml import find_root, list_elements, open_source
from tlex.source import NOWHERE

__all__ = ["read_casjson", "read_xmi", "recognise_casjson", "recognise_xmi"]

_ID = "http://www.omg.org/XMI id"
_LINK = LinkLayer()
_SLOTS = {
    "EVENT.TLINK": LinkLayer(kind="TLINK"),
    "EVENT.ALINK": LinkLayer(kind="ALINK"),
    "TIMEX3.timexLink": LinkLayer(kind="TLINK"),
}
"""The slots of E3C."""
_LABELS = ("label", "relType", "reltype", "type", "relation", "role", "value")
_NAMES = {"timex3Class": "type"}
_OFFSETS = frozenset(("begin", "end", "sofa", "id", "Governor", "Dependent"))
_NUMBER = re.compile(r"\d{1,9}")
_EVENTIVE = "eventiveValue"
_ARRAY = "FSArray"
_RESERVED = {"%ID": "id", "%ELEMENTS": "elements"}
_JSON = re.compile(r'"%(?:TYPES|FEATURE_STRUCTURES|VIEWS)"\s*:')


class _Structure(NamedTuple):
    """A feature structure: the name of its type, its package, its id, features and place."""

    name: str
    package: str
    id: str
    features: dict[str, str]
    start: int


def recognise_xmi(head: str) -> bool:
    """Whether the beginning of a file looks like XMI: by its root."""
    return (find_root(head) or "").rpartition(":")[2] == "XMI"


def recognise_casjson(head: str) -> bool:
    """Whether the beginning of a file looks like the JSON of a UIMA CAS."""
    return _JSON.search(head) is not None


def read_xmi(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    layers: Layers = DEFAULT_LAYERS,
) -> Document:
    """Read a document in XMI; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    found = []
    for element in list_elements(source, diagnostics, encoding, separator=" "):
        if element.parent is None:
            continue
        package, _, own = element.name.rpartition(" ")
        features = {key.rpartition(" ")[2]: value for key, value in element.attributes.items()}
        identity = element.attributes.get(_ID, "").strip()
        found.append(_Structure(own, package, identity, features, element.start))
    return _UimaBuilder(found, diagnostics, layers, "xmi").build()


def read_casjson(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    layers: Layers = DEFAULT_LAYERS,
) -> Document:
    """Read a document in the JSON of a UIMA CAS."""
    source, whole = open_json(data, name, encoding, dict[str, Any])
    text = source.data
    diagnostics = Diagnostics(name, source)
    listed = whole.get("%FEATURE_STRUCTURES")
    if isinstance(listed, dict):
        listed = [{"%ID": key, **value} for key, value in listed.items() if isinstance(value, dict)]
    if not isinstance(listed, list):
        message = "the file has no list of feature structures (%FEATURE_STRUCTURES)"
        raise NotWellFormedError(message, name=name, line=1, column=1)
    places = find_places(text, (0, len(text))).get("%FEATURE_STRUCTURES", [])
    start = max(text.find(b"{"), 0)
    found = []
    for number, each in enumerate(listed):
        if isinstance(each, dict):
            place = places[number] if number < len(places) else start
            found.append(_read_object(each, place))
    return _UimaBuilder(found, diagnostics, layers, "casjson").build()


def _read_object(each: dict[str, Any], start: int) -> _Structure:
    """Give a feature structure of JSON in the way of XMI: references are ids with blanks."""
    features = {
        name: value if isinstance(value, str) else _write(value)
        for key, value in each.items()
        if (name := _name_feature(key)) is not None
    }
    package, _, own = str(each.get("%TYPE", "")).rpartition(".")
    if own.endswith("[]"):
        own = _ARRAY
    return _Structure(own, package, _write(each.get("%ID")), features, start)


@lru_cache
def _name_feature(key: str) -> str | None:
    """Give the name that a key of JSON has in XMI; None for the type, which is no feature."""
    if key.startswith("%"):
        return _RESERVED.get(key)
    return key.removeprefix("@")


def _write(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_write, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


class _UimaBuilder:
    """Makes nouns of the feature structures."""

    def __init__(
        self, found: list[_Structure], diagnostics: Diagnostics, layers: Layers, form: str
    ) -> None:
        self.diagnostics = diagnostics
        self.layers = layers
        self.form = form
        self.nouns = Nouns()
        self.text, self.found = self._choose_view(found)
        # An id may occur twice, so a reference is looked up among those of the fitting kind.
        self.by_id: dict[str, list[_Structure]] = {}
        for each in self.found:
            self.by_id.setdefault(each.id, []).append(each)
        self.link_types = {each.name.lower() for each in self.found if "target" in each.features}
        self.kinds: dict[str, str | None] = {}
        self.slots: dict[tuple[str, str], LinkLayer | None] = {}
        self.wide: list[int] = []  # where the UTF-16 text has two units for one character
        for place, character in enumerate(self.text):
            if ord(character) > 0xFFFF:  # noqa: PLR2004
                self.wide.append(place + len(self.wide))

    def _choose_view(self, found: list[_Structure]) -> tuple[str, list[_Structure]]:
        """Give the first text, and what is annotated in it; a file may have several views."""
        views = [each for each in found if each.features.get("sofaString")]
        others = {view.id for view in views[1:]} - {view.id for view in views[:1]}
        kept = [each for each in found if each.features.get("sofa") not in others]
        if len(kept) < len(found):
            self.nouns.skipped["annotation of other views"] += len(found) - len(kept)
            message = f"the file has {len(views)} texts; only the first is read"
            self.diagnostics.add(Code.MISSING_ATTRIBUTE, views[1].start, message)
        return (views[0].features["sofaString"] if views else ""), kept

    def build(self) -> Document:
        """Make the document."""
        links = [*self._make_relations(), *self._make_slots()]
        ends = {end for link in links for end in (link.source, link.target)}
        ends -= {each.id for each in self.found if self._find_kind(each, linked=False)}
        relations = []
        layer, _, feature = self.layers.document_time.rpartition(".")
        time: str | None = None
        for each in self.found:
            value = each.features.get(feature, "").strip()
            if each.name == layer and value and time is None:
                time = each.id or "DCT"
                attributes = {"type": "DATE", "value": value}
                made = make_document_time(time, attributes, each.start, self.diagnostics.source)
                self.nouns.timexes.append(made)
                continue
            kind = self._find_kind(each, linked=each.id in ends)
            if kind is None:
                if "begin" in each.features and not _is_relation(each):
                    self.nouns.skipped[each.name] += 1
                continue
            self._add(each, kind)
            label = each.features.get(self.layers.time_relation, "").strip()
            if label and kind == "event" and each.id:
                relations.append(TimeRelation(each.id, label, each.start))
        links += relate_to_document_time(
            relations, self.nouns, time, self.diagnostics, self.layers.time_relation
        )
        links.sort(key=lambda link: link.byte_start)
        if not (self.text or links or self.nouns.events or self.nouns.timexes):
            message = "no reader recognises this file: it is UIMA's, without a text or annotation"
            raise NotRecognisedError(message, name=self.diagnostics.name, line=1, column=1)
        return assemble(
            self.nouns,
            links,
            self.diagnostics,
            format=self.form,
            text=self.text,
            untyped=("SLINK",),
            sentences=self._find_sentences(),
        )

    def _find_kind(self, each: _Structure, *, linked: bool) -> str | None:
        if "begin" not in each.features or "end" not in each.features or _is_relation(each):
            return None
        if each.name not in self.kinds:
            self.kinds[each.name] = find_layer_kind(self.layers, each.name)
        kind = self.kinds[each.name]
        if kind is None and each.features.get(_EVENTIVE, "").strip().upper() == "EVENT":
            return "event"
        return kind or ("event" if linked else None)

    def _find_sentences(self) -> list[tuple[int, int]]:
        spans = (self._find_span(each) for each in self.found if each.name == "Sentence")
        return [span for span in spans if span[0] >= 0]

    def _add(self, each: _Structure, kind: str) -> None:
        if not each.id:
            message = f"{each.name} has no id and takes no part"
            self.diagnostics.add(Code.MISSING_ATTRIBUTE, each.start, message)
            return
        span = self._find_span(each)
        if span[0] < 0:
            written = f"{each.features.get('begin', '')[:20]},{each.features.get('end', '')[:20]}"
            message = f"{each.name} {show(each.id)} has span {written!r}, which the text has not"
            self.diagnostics.add(Code.DANGLING, each.start, message)
        slots = self._list_slots(each)
        given = {
            _NAMES.get(key, key): value
            for key, value in each.features.items()
            if key not in _OFFSETS and value and key not in slots
        }
        noun = (each.id, given, each.start, self.diagnostics.source, *span)
        if kind == "time":
            self.nouns.timexes.append(Timex(*noun))
        else:
            self.nouns.events.append(Event(*noun))

    def _find_span(self, each: _Structure) -> tuple[int, int]:
        """Find the span of a structure, in characters of the text."""
        ends = [each.features.get(key, "") for key in ("begin", "end")]
        if not all(map(_NUMBER.fullmatch, ends)):
            return NOWHERE, NOWHERE
        start, end = (int(end) - bisect_left(self.wide, int(end)) for end in ends)
        return (start, end) if start <= end <= len(self.text) else (NOWHERE, NOWHERE)

    def _make_relations(self) -> Iterator[Link]:
        """Make a link of each element with a Governor and a Dependent."""
        for each in self.found:
            if each.name not in self.layers.links and not _is_relation(each):
                continue
            built_in = LinkLayer(kind="") if "tudarmstadt" in each.package else _LINK
            setting = self.layers.links.get(each.name, built_in)
            if not setting.kind:
                self.nouns.skipped[each.name] += _is_relation(each)
                continue
            ends = (setting.source or "Governor", setting.target or "Dependent")
            source, target = (each.features.get(end, "").strip() or None for end in ends)
            yield self._make_link(each, setting, self._find_label(each, setting), source, target)

    def _list_slots(self, each: _Structure) -> dict[str, LinkLayer]:
        """List the slots of a structure: settings, those of E3C, or features with link elements."""
        return {
            feature: setting
            for feature in each.features
            if (setting := self._find_slot(each.name, feature)) is not None
        }

    def _find_slot(self, layer: str, feature: str) -> LinkLayer | None:
        """Find the setting of a feature that is a slot; it is the same for the whole layer."""
        key = layer, feature
        if key not in self.slots:
            name = f"{layer}.{feature}"
            own = _LINK if f"{layer}{feature}Link".lower() in self.link_types else None
            self.slots[key] = self.layers.links.get(name) or _SLOTS.get(name) or own
        return self.slots[key]

    def _make_slots(self) -> Iterator[Link]:
        """Make the links that stand in slots of their sources."""
        for each in self.found:
            for feature, setting in self._list_slots(each).items():
                if not setting.kind:
                    continue
                for word in self._expand(each.features[feature]):
                    link = self._look_up(word, "target")
                    if link is None:
                        message = (
                            f"{each.name} {show(each.id)} lists {word!r} in its {feature}, "
                            "which the document does not define"
                        )
                        self.diagnostics.add(Code.DANGLING, each.start, message)
                        continue
                    target = link.features["target"].strip() or None
                    label = link.features.get(setting.label or "role", "").strip()
                    yield self._make_link(link, setting, label, each.id or None, target)

    def _expand(self, written: str) -> Iterator[str]:
        """List the ids of a feature; they may stand in an array of their own."""
        for word in written.split():
            named = self.by_id.get(word, ())
            array = next((each for each in named if each.name == _ARRAY), None)
            if array is None:
                yield word
            else:  # an empty array may have no elements
                yield from array.features.get("elements", "").split()

    def _look_up(self, identity: str, feature: str) -> _Structure | None:
        """Find the structure with an id that has a feature."""
        for each in self.by_id.get(identity, ()):
            if feature in each.features:
                return each
        return None

    def _find_label(self, each: _Structure, setting: LinkLayer) -> str:
        if setting.label:
            return each.features.get(setting.label, "").strip()
        for key in _LABELS:
            if each.features.get(key, "").strip():
                return each.features[key].strip()
        return ""

    def _make_link(
        self,
        each: _Structure,
        setting: LinkLayer,
        label: str,
        source: str | None,
        target: str | None,
    ) -> Link:
        if setting.turned:
            source, target = target, source
        return Link(
            id=each.id,
            attributes={},
            byte_start=each.start,
            file=self.diagnostics.source,
            kind=setting.kind,
            type=find_label(setting.kind, label) or label or None,
            source=source,
            target=target,
        )


def _is_relation(each: _Structure) -> bool:
    return "Governor" in each.features and "Dependent" in each.features
