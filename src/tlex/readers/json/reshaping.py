"""Lists and links in other shapes that models give them, brought into the usual ones (R61)."""

from __future__ import annotations

from tlex.readers.json.keys import find_key, squeeze
from tlex.readers.json.labelling import is_known
from tlex.readers.json.syntax import Value

__all__ = ["list_by_type", "spread_ends", "spread_type", "take_for_time"]

_PAIR_KEYS = frozenset(("pair", "events", "nodes", "ends", "between", "arguments", "args"))
_SORT_KEYS = frozenset(("type", "kind", "category", "entitytype", "label", "tag"))
_TIME_KEYS = frozenset(("tid", "timexid"))
_EXPRESSIONS = frozenset(("timex3", "timex", "timeexpression", "temporalexpression"))
_TIMES = _EXPRESSIONS | {"date", "time", "duration", "set"}
_PLAIN = frozenset(("string", "number"))


def list_by_type(value: Value) -> list[tuple[str, Value]] | None:
    """List the links of an object whose keys are types, with their paths in it.

    ``{"BEFORE": [["a", "b"]]}`` is a triple, and so is ``{"BEFORE": ["a", "b"]}``. None if the
    object is another.
    """
    lists = [each for _, _, each in value.value]
    if not lists or not all(is_known(key) for key, _, _ in value.value):
        return None
    if any(each.kind != "list" for each in lists):
        return None
    found = []
    for key, start, each in value.value:
        label = Value("string", key, start, start)
        if _is_pair(each):
            found.append((f".{key}", _give_type(each, label)))
            continue
        found += [
            (f".{key}[{number}]", _give_type(link, label)) for number, link in enumerate(each.value)
        ]
    return found


def _give_type(link: Value, label: Value) -> Value:
    if _is_pair(link):
        source, target = link.value
        return link._replace(value=[source, label, target])
    if link.kind == "object" and all(find_key("links", key) != "type" for key, _, _ in link.value):
        return link._replace(value=[("type", label.start, label), *link.value])
    return link


def spread_ends(link: Value) -> tuple[str, Value] | None:
    """Give a link whose ends are together under one key two ends, and name that key.

    None if it is another.
    """
    if any(find_key("links", key) in {"source", "target"} for key, _, _ in link.value):
        return None
    for number, (key, start, each) in enumerate(link.value):
        if squeeze(key) in _PAIR_KEYS and _is_pair(each):
            source, target = each.value
            ends = [("source", start, source), ("target", start, target)]
            others = [*link.value[:number], *link.value[number + 1 :]]
            return key, link._replace(value=[*ends, *others])
    return None


def spread_type(link: Value) -> tuple[str, Value] | None:
    """Give a link whose type is an object its members, and one whose type is a list its only word.

    Name the key of the type; None if its type is another.
    """
    for number, (key, start, each) in enumerate(link.value):
        if find_key("links", key) != "type":
            continue
        others = [*link.value[:number], *link.value[number + 1 :]]
        if each.kind == "object" and any(
            find_key("links", own) == "type" for own, _, _ in each.value
        ):
            return key, link._replace(value=[*others, *each.value])
        if each.kind == "list" and len(each.value) == 1 and each.value[0].kind == "string":
            return key, link._replace(value=[*others, (key, start, each.value[0])])
    return None


def take_for_time(noun: Value) -> Value | None:
    """Give a noun that says it is a time, with its type if it names one; None if it is another."""
    if noun.kind != "object":
        return None
    is_time = any(squeeze(key) in _TIME_KEYS for key, _, _ in noun.value)
    members = []
    for key, start, each in noun.value:
        sort = squeeze(each.value) if each.kind == "string" else ""
        if squeeze(key) not in _SORT_KEYS or sort not in _TIMES:
            members.append((key, start, each))
            continue
        is_time = True
        if sort not in _EXPRESSIONS:
            members.append(("type", start, each._replace(value=each.value.upper())))
    return noun._replace(value=members) if is_time else None


def _is_pair(value: Value) -> bool:
    return (
        value.kind == "list"
        and len(value.value) == len(("source", "target"))
        and all(each.kind in _PLAIN for each in value.value)
    )
