"""Annotated documents to write and read again, for Hypothesis, and when two are the same."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st
from lxml import etree

import tlex

SCHEMA = Path(__file__).resolve().parents[2] / "shared" / "schema"
TLINKS = ("BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED", "DURING", "SIMULTANEOUS", "IDENTITY")
SLINKS = ("MODAL", "EVIDENTIAL", "NEG_EVIDENTIAL", "FACTIVE", "COUNTER_FACTIVE", "CONDITIONAL")
ALINKS = ("INITIATES", "CULMINATES", "TERMINATES", "CONTINUES", "REINITIATES")
ODD_TYPES = (*TLINKS, *SLINKS, *ALINKS, "OVERLAP", "VAGUE", "CONTAINS", "DURING_INV", "before", "?")
IDS_OF_ELEMENTS = {
    *("eid", "eiid", "eventID", "tid", "sid", "lid", "m_id", "r_id", "id", "relType", "signalID"),
    *("eventInstanceID", "timeID", "relatedToEventInstance", "relatedToTime"),
    "subordinatedEventInstance",
}

# What XML allows; a carriage return only as a character of the text, for a file's are line ends.
LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
WORDS = st.text(st.one_of(LETTERS, st.sampled_from("<>&\"' \n\t\r]")), max_size=12)


def content(document: tlex.Document) -> dict[str, object]:
    """What a document says: two that say the same are the same."""
    return {
        "text": document.text,
        "nodes": [describe(document, node) for node in document.nodes],
        "events": [describe(document, event) for event in document.events],
        "instances": [(own.id, own.event) for own in document.instances],
        "signals": [describe(document, signal) for signal in document.signals],
        "links": [
            (own.id, own.kind, own.type, own.source, own.target, own.signal, own.weight)
            for own in document.links
        ],
    }


def describe(document: tlex.Document, noun) -> tuple:
    attributes = {k: v for k, v in noun.attributes.items() if k not in IDS_OF_ELEMENTS}
    words = document.words(noun)
    return type(noun).__name__, noun.id, noun.text_start, noun.text_end, words, attributes


@cache
def schema() -> etree.XMLSchema | None:
    """The published schema of TimeML, mended in one point: marks may have words."""
    file = SCHEMA / "timeml_1.2.1.xsd"
    if not file.exists():
        return None
    text = file.read_text(encoding="utf-8")
    for element in ("EVENT", "TIMEX3", "SIGNAL"):
        head = rf'(<xs:element name="{element}">\s*<xs:complexType)>'
        text, changed = re.subn(head, r'\1 mixed="true">', text)
        assert changed == 1
    return etree.XMLSchema(etree.fromstring(text.encode()))


def faults_of(data: bytes) -> list[str]:
    """What the schema has against a TimeML file."""
    tree = etree.fromstring(data)
    judge = schema()
    assert judge is not None
    judge.validate(tree)
    return [error.message for error in judge.error_log]


@st.composite
def any_documents(draw: st.DrawFn) -> tlex.Document:
    """Draw documents of all kinds: odd ids, odd values, marks across each other, loose ends."""
    text = draw(st.text(st.one_of(LETTERS, st.sampled_from("<>&\r\n\0\x0b ")), max_size=30))
    names = ["e1", "ei1", "ei2", "e2", "17", "t1", "t9", "s1", "fell", "x-7", "ü", "l1", "e007"]
    ids = st.sampled_from(names)
    values = st.one_of(st.sampled_from(("NEG", "PAST", "VERB", "DATE", "1989-11-02", "t1")), WORDS)
    keys = ("tense", "pos", "aspect", "mod", "anchorTimeID", "comment", "signalID", "class", "stem")
    attributes = st.dictionaries(st.sampled_from(keys), values, max_size=3)

    def mark(**fields):
        place = st.integers(0, len(text))
        optional = {"attributes": attributes, "text": WORDS, "start": place, "end": place, **fields}
        return st.lists(st.fixed_dictionaries({"id": ids}, optional=optional), max_size=4)

    kinds = st.sampled_from(("TLINK", "ALINK", "SLINK", "GLINK", "CLINK"))
    link = st.fixed_dictionaries(
        {"source": ids, "target": ids},
        optional={
            "id": ids,
            "kind": kinds,
            "type": st.sampled_from(ODD_TYPES),
            "signal": ids,
            "weight": st.floats(0, 1),
        },
    )
    found = {
        "text": text,
        "events": draw(mark(**{"class": values, "polarity": values})),
        "instances": draw(st.one_of(st.just([]), mark(event=ids, modality=values))),
        "times": draw(mark(type=values, value=values)),
        "signals": draw(mark()),
        "links": draw(st.lists(link, max_size=5)),
    }
    return tlex.parse(json.dumps({"schema": "tlex-document/1", **found}))


@st.composite
def timeml_files(draw: st.DrawFn) -> bytes:
    """Draw valid TimeML: what an annotator's tool would have written."""
    pieces: list[str] = []
    events: list[str] = []
    times: list[str] = ["t0"]
    signals: list[str] = []
    for number, kind in enumerate(draw(st.lists(st.sampled_from("wwets"), max_size=9)), 1):
        words = escape(draw(WORDS), {"\r": "&#13;"})
        if kind == "e":
            events.append(f"e{number}")
            pieces.append(f'<EVENT eid="e{number}" class="STATE">{words}</EVENT>')
        elif kind == "t":
            times.append(f"t{number}")
            pieces.append(f'<TIMEX3 tid="t{number}" type="TIME" value="T10:00">{words}</TIMEX3>')
        elif kind == "s":
            signals.append(f"s{number}")
            pieces.append(f'<SIGNAL sid="s{number}">{words}</SIGNAL>')
        else:
            pieces.append(words)
    pieces.append('<TIMEX3 tid="t0" type="DATE" value="1989-11-02"/>')
    fixed = 'tense="PAST" aspect="NONE" polarity="NEG" pos="VERB"'
    modal = f" modality={quoteattr(draw(WORDS))}" if draw(st.booleans()) else ""
    pieces += [
        f'<MAKEINSTANCE eventID="{event}" eiid="ei{event[1:]}" {fixed}{modal}/>\n'
        for event in events
    ]
    nodes = st.sampled_from([*(f"ei{event[1:]}" for event in events), *times])
    for number in range(draw(st.integers(0, 6))):
        ends = draw(nodes), draw(nodes)
        signal = f' signalID="{draw(st.sampled_from(signals))}"' if signals else ""
        if events and draw(st.booleans()) and all(end.startswith("e") for end in ends):
            kind, label, to = draw(
                st.sampled_from(
                    [
                        *(("SLINK", label, "subordinatedEventInstance") for label in SLINKS),
                        *(("ALINK", label, "relatedToEventInstance") for label in ALINKS),
                    ]
                )
            )
            named = f'eventInstanceID="{ends[0]}" {to}="{ends[1]}"'
        else:
            kind, label = "TLINK", draw(st.sampled_from(TLINKS))
            first = "timeID" if ends[0][0] == "t" else "eventInstanceID"
            second = "relatedToTime" if ends[1][0] == "t" else "relatedToEventInstance"
            named = f'{first}="{ends[0]}" {second}="{ends[1]}"'
        pieces.append(f'<{kind} lid="l{number}" relType="{label}" {named}{signal}/>\n')
    return f'<?xml version="1.0"?>\n<TimeML>{"".join(pieces)}</TimeML>\n'.encode()
