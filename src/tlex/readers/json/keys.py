"""Which other keys are read as those of tlex's JSON: one table, for the reader and for the docs.

Case, ``_`` and ``-`` inside a key do not count: ``relType``, ``rel_type`` and ``RELTYPE`` are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DOCUMENT", "KEYS", "WRAPPERS", "find_key", "squeeze"]

# fmt: off
DOCUMENT: Final = {
    "links":     ("tlinks", "tlink", "relations", "temporal_links", "temporal_relations", "edges"),
    "slinks":    ("slink", "subordination_links"),
    "alinks":    ("alink", "aspectual_links"),
    "events":    ("event", "event_list", "event_mentions", "entities", "mentions", "nodes"),
    "instances": ("makeinstances", "makeinstance", "event_instances"),
    "times":     ("timexes", "timex", "timex3", "timex3s", "time_expressions",
                  "temporal_expressions"),
    "signals":   ("signal_list",),
    "text":      ("raw_text", "document_text", "doc_text", "input_text", "source_text", "full_text",
                  "original_text", "passage"),
    "name":      ("title", "doc_id", "document_id", "file"),
    "order":     ("text_order",),
    "sentences": ("sentence_spans",),
}
"""The keys of a document."""

WRAPPERS: Final = (
    "document", "annotation", "annotations", "result", "results", "output", "data", "response",
    "answer", "analysis", "timeline",
)
"""The keys of an object that has a document inside."""

_NOUN: Final = {
    "text":  ("word", "words", "phrase", "mention", "trigger", "trigger_word", "surface",
              "expression", "span_text", "name"),
    "start": ("begin", "start_char", "char_start", "start_offset", "begin_offset"),
    "end":   ("stop", "end_char", "char_end", "end_offset"),
    "span":  ("offsets", "offset", "char_span"),
    "attributes": ("attrs", "features"),
    "outside": (), "line": (), "column": (),
}
_HAPPENING: Final = {"polarity": (), "modality": ()}
KEYS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "events":    {"id": ("eid", "eiid", "event_id"), "class": ("event_class",),
                  **_HAPPENING, **_NOUN, "text": (*_NOUN["text"], "event", "event_text")},
    "instances": {"id": ("eiid", "instance_id"), "event": ("event_id", "eid"),
                  **_HAPPENING, **_NOUN},
    "times":     {"id": ("tid", "time_id", "timex_id"), "type": ("timex_type",),
                  "value": ("val", "normalized", "normalised", "iso"), **_NOUN},
    "signals":   {"id": ("sid", "signal_id"), **_NOUN},
    "links": {
        "source": ("from", "src", "source_id", "from_id", "head", "subject", "event1", "arg1",
                   "event_instance_id", "time_id", "source_event", "source_event_id", "from_event",
                   "from_event_id", "event1_id", "event_a", "entity1", "first_event", "e1"),
        "target": ("to", "tgt", "target_id", "to_id", "tail", "object", "event2", "arg2",
                   "related_to_event_instance", "related_to_time", "subordinated_event_instance",
                   "target_event", "target_event_id", "to_event", "to_event_id", "event2_id",
                   "event_b", "entity2", "second_event", "e2"),
        "type":   ("rel_type", "rel", "relation", "relation_type", "label", "predicate",
                   "relationship", "relationship_type", "temporal_relation", "relation_label"),
        "weight": ("confidence", "conf", "probability", "prob", "score", "confidence_score",
                   "certainty"),
        "labels": ("candidates", "probabilities", "probs", "distribution"),
        "id":     ("lid", "link_id"),
        "kind":   ("link_type", "tag"),
        "signal": ("signal_id",),
        "attributes": ("attrs", "features"), "line": (), "column": (),
    },
}
"""The keys of nouns, by the list that they are in."""
# fmt: on


def squeeze(key: str) -> str:
    """Write a key without what does not count."""
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


_INDEX: Final = {
    where: {squeeze(name): key for key, others in table.items() for name in (key, *others)}
    for where, table in {"document": DOCUMENT, **KEYS}.items()
}


def find_key(where: str, written: str) -> str | None:
    """Find the key that another one is read as; None if it has no meaning here.

    ``where`` is the list that the object is in, or ``"document"``.

    >>> find_key("links", "relType"), find_key("links", "Source_ID"), find_key("links", "why")
    ('type', 'source', None)
    """
    return _INDEX[where].get(squeeze(written))
