"""From the content of a JSON file to a document."""

from __future__ import annotations

from msgspec import UnsetType

from tlex.algebra import CODES, find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Instance, Link, Signal, Timex
from tlex.readers.assembly import Nouns, assemble, find_kind, make_ends
from tlex.readers.diagnostics import Diagnostics, show, suggest_label
from tlex.readers.json.labelling import write_label
from tlex.readers.json.records import LISTS, JsonLink, JsonNoun, JsonPart, JsonSignal
from tlex.readers.json.source import JsonSource, Span
from tlex.readers.json.spans import SpanFinder
from tlex.source import NOWHERE, Source
from tlex.wording import count

__all__ = ["JsonBuilder", "make_links"]


class JsonBuilder:
    """Makes nouns of what was decoded."""

    def __init__(self, content: JsonPart, source: Source, diagnostics: Diagnostics) -> None:
        self.content = content
        self.source = source
        self.diagnostics = diagnostics
        self.nouns = Nouns(has_instances=bool(content.instances))
        self.finder = SpanFinder(content.text)

    def build(self, start: int, places: dict[str, list[int]]) -> Document:
        """Make the document that begins at a byte offset; ``places`` are those of its nouns."""
        events_at, instances_at, times_at, signals_at, links_at = (
            places.get(each, []) for each in LISTS
        )
        content, nouns = self.content, self.nouns
        self._remember(start, places)
        for number, (event, at) in enumerate(zip(content.events, events_at, strict=True)):
            given = {"class": event.kind, "polarity": event.polarity, "modality": event.modality}
            nouns.events.append(Event(*self._place(event, at, given, ("events", number))))
        for number, (time, at) in enumerate(zip(content.times, times_at, strict=True)):
            given = {"type": time.type, "value": time.value}
            nouns.timexes.append(Timex(*self._place(time, at, given, ("times", number))))
        for number, (signal, at) in enumerate(zip(content.signals, signals_at, strict=True)):
            nouns.signals.append(Signal(*self._place(signal, at, {}, ("signals", number))))
        for number, (instance, at) in enumerate(zip(content.instances, instances_at, strict=True)):
            given = {"polarity": instance.polarity, "modality": instance.modality}
            event_id = instance.event if isinstance(instance.event, str) else None
            nouns.instances.append(
                Instance(*self._place(instance, at, given, ("instances", number)), event_id)
            )
        if not (content.events or content.times or content.instances):
            first: dict[str, int] = {}
            for link, at in zip(content.links, links_at, strict=True):
                for end in filter(None, (link.source, link.target)):  # it may lack one
                    first.setdefault(end, at)
            nouns.ends = make_ends(first, self.source)
        return assemble(
            nouns,
            make_links(content.links, links_at, self.source, self.diagnostics),
            self.diagnostics,
            format="json",
            text=content.text,
            untyped=("SLINK",),
            order=content.order,
            sentences=self._find_sentences(places.get("sentences", [])),
        )

    def _place(
        self,
        found: JsonNoun,
        start: int,
        given: dict[str, str | UnsetType],
        member: tuple[str, int],
    ) -> tuple[str, dict[str, str], int, Source, int, int]:
        """Give what the nouns with words are made from, up to their span in the text."""
        known = {key: value for key, value in given.items() if isinstance(value, str)}
        first, last = self._find_span(found, start, member)
        words = "" if first < 0 else self.content.text[first:last]
        signal = isinstance(found, JsonSignal)  # a signal may have the id of a node
        if isinstance(found.text, str) and found.text.split() != words.split():
            first, last = self._look_for(found, found.text, (first, last), (start, member))
            words = "" if first < 0 else self.content.text[first:last]
            if found.text.split() != words.split() and not signal:
                self.nouns.phrases.setdefault(found.id, found.text)
        self.finder.pass_by(last)
        return found.id, {**found.attributes, **known}, start, self.source, first, last

    def _look_for(
        self, found: JsonNoun, words: str, span: Span, place: tuple[int, tuple[str, int]]
    ) -> Span:
        """Look for words that do not stand where the file says; say what was done.

        Words that stand in the span with others between them are one expression in parts. Without
        numbers a document's creation time is not looked for: it need not be in the text.
        """
        start, (key, number) = place
        nowhere = span[0] < 0
        function = found.attributes.get("functionInDocument", "NONE")
        if nowhere and (found.outside or function != "NONE" or not self.content.text):
            return span
        if not words.strip() or (not nowhere and self.finder.fits(words, *span)):
            return span
        near = span[0] if not nowhere else found.start if isinstance(found.start, int) else NOWHERE
        other = self.finder.find(words.strip(), near)
        path = f"$.{key}[{number}]"
        if other is None:
            if not nowhere:
                inside = self.content.text[span[0] : span[1]]
                message = f"{path}: the text is {words!r:.60}, but its span holds {inside!r:.60}"
                self.diagnostics.add(Code.TEXT_AND_SPAN, start, message)
            return span
        (first, last), count = other
        choice = "the only place" if count == 1 else f"one of {count:,} places"
        if near != NOWHERE:
            choice = "the only place" if count == 1 else f"the nearest of {count:,} places"
            given = f"{found.start} to {found.end}" if not nowhere else "its span"
            message = f"{path}: {words!r:.60} is not at {given} but at {first} to {last}, {choice}"
        else:
            message = (
                f"{path}: {words!r:.60} has no span; it is found at {first} to {last}, {choice}"
            )
        self.diagnostics.add(Code.TEXT_AND_SPAN, start, message)
        return first, last

    def _remember(self, start: int, places: dict[str, list[int]]) -> None:
        """Take over the lines and columns that the document has of its nouns."""
        known = {
            at: (noun.line, noun.column)
            for key in LISTS
            for noun, at in zip(getattr(self.content, key), places.get(key, []), strict=True)
            if isinstance(noun.line, int) and isinstance(noun.column, int)
        }
        if known and isinstance(self.source, JsonSource):
            self.source.remember(start, self.diagnostics.name, known)

    def _find_sentences(self, places: list[int]) -> list[Span]:
        kept = []
        for number, ((first, last), start) in enumerate(
            zip(self.content.sentences, places, strict=True), 1
        ):
            if first <= last <= len(self.content.text):
                kept.append((first, last))
                continue
            message = (
                f"sentence {number} goes from {first} to {last} in a text of "
                f"{len(self.content.text):,} characters; it is left out"
            )
            self.diagnostics.add(Code.UNCLEAR_JSON, start, message)
        return kept

    def _find_span(self, found: JsonNoun, start: int, member: tuple[str, int]) -> Span:
        if isinstance(found.start, UnsetType) and isinstance(found.end, UnsetType):
            return NOWHERE, NOWHERE
        first = found.start if isinstance(found.start, int) else NOWHERE
        last = found.end if isinstance(found.end, int) else NOWHERE
        if 0 <= first <= last <= len(self.content.text):
            return first, last
        if isinstance(found.text, str) and self.finder.find(found.text.strip(), first) is not None:
            return NOWHERE, NOWHERE  # told when it is found
        shown = [str(place) if place >= 0 else "nowhere" for place in (first, last)]
        message = (
            f"$.{member[0]}[{member[1]}]: {show(found.id)} goes from {shown[0]} to {shown[1]} in a "
            f"text of {len(self.content.text):,} characters; it is taken to be outside the text"
        )
        self.diagnostics.add(Code.UNCLEAR_JSON, start, message)
        return NOWHERE, NOWHERE


def make_links(
    found: list[JsonLink], places: list[int], source: Source, diagnostics: Diagnostics
) -> list[Link]:
    """Make the links of a document."""
    taken = {link.id for link in found if isinstance(link.id, str)}
    links = []
    candidates: list[int] = []  # where links are that only have candidates
    small: list[tuple[int, str]] = []  # where types are in lower case, and how they are read
    for number, (link, start) in enumerate(zip(found, places, strict=True), 1):
        written, weight = link.type or "", link.weight if isinstance(link.weight, float) else None
        labels = None
        if isinstance(link.labels, dict):
            labels = _name_candidates(link.labels, (start, number - 1), diagnostics)
            if labels and not written:
                written = max(labels, key=labels.__getitem__)
                candidates.append(start)
            if weight is None and labels:
                weight = labels.get(written.strip().upper())
        label, kind = find_kind(written)
        if written and label not in CODES[kind] and not isinstance(link.kind, str):
            known = write_label(written)
            if known is not None:
                label, kind = find_kind(known)
                message = f"$.links[{number - 1}].type: {written!r:.60} is read as {label}"
                diagnostics.add(Code.FORGIVEN_JSON, start, message)
                written = label
        if isinstance(link.kind, str):
            kind = link.kind
            label = find_label(kind, written) or written.strip()
        if written.upper() != written and label in CODES[kind]:
            path = f"$.links[{number - 1}].type"
            small.append((start, f"{path}: {written!r:.60} is read as {label}"))
        own = link.id if isinstance(link.id, str) else f"l{number}"
        while own in taken and not isinstance(link.id, str):
            own += "'"
        links.append(
            Link(
                id=own,
                attributes=link.attributes,
                byte_start=start,
                file=source,
                kind=kind,
                type=label or None,
                source=link.source or None,
                target=link.target or None,
                signal=link.signal if isinstance(link.signal, str) else None,
                weight=weight,
                labels=labels or None,
            )
        )
    if small:
        start, message = small[0]
        more = f", and {count(len(small) - 1, 'other type')} likewise" if len(small) > 1 else ""
        diagnostics.add(Code.FORGIVEN_JSON, start, message + more)
    if candidates:
        message = f"{count(len(candidates), 'link')} with candidates for the type and no type"
        hint = "the most probable one is used; tlex decode chooses those that fit together"
        diagnostics.add(Code.CANDIDATES, candidates[0], message, hint)
    return links


def _name_candidates(
    written: dict[str, float], place: tuple[int, int], diagnostics: Diagnostics
) -> dict[str, float]:
    """Give candidates by the names that tables have; the probabilities of one label are added."""
    labels: dict[str, float] = {}
    for word, probability in written.items():
        label, kind = find_kind(word)
        if label not in CODES[kind]:
            known = write_label(word)
            if known is None:
                near = suggest_label("TLINK", word)
                message = f"$.links[{place[1]}].labels: {word!r:.60} is no label; it is left out"
                hint = f"did you mean {near}?" if near else None
                diagnostics.add(Code.UNKNOWN_TYPE, place[0], message, hint)
                continue
            message = f"$.links[{place[1]}].labels: {word!r:.60} is read as {known}"
            diagnostics.add(Code.FORGIVEN_JSON, place[0], message)
            label = known
        labels[label] = labels.get(label, 0.0) + probability
    return labels
