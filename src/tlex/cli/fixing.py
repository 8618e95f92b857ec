"""What ``tlex fix`` does: find the repair that the user asks for, write it, and tell it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tlex.cli.files import Documents
from tlex.cli.options import split_list
from tlex.cli.words import link_lines, list_lines
from tlex.document import Document, Link
from tlex.errors import OptionError, WriteError
from tlex.extraction import extract
from tlex.readers import parse
from tlex.reason.lookup import describe_link
from tlex.repair import find_repair, relabel, suggest_all
from tlex.repair.patch import Change, apply_changes
from tlex.repair.search import find_reason
from tlex.repair.weights import ORDERING, is_general, read_weight
from tlex.timeline import Extraction
from tlex.wording import clean, count

__all__ = [
    "Choices",
    "Fix",
    "Named",
    "find_fix",
    "make_bytes",
    "read_weights",
    "take_bytes",
    "tell_fix",
]

_WORK = 1_000_000
"""How many links may be looked at to give reasons."""


class Fix(Struct, frozen=True):
    """What ``tlex fix --json`` says of a document.

    ``alternatives`` are other repairs of the same ``cost``, and ``count`` is how many there are,
    this one too; at least that many where it is not ``exact``. ``suggestions`` are the types that
    each link of the repair could have instead, nearest first.
    """

    path: str
    removed: tuple[str, ...]
    relabelled: dict[str, str]
    cost: float
    optimal: bool
    alternatives: tuple[tuple[str, ...], ...]
    count: int
    exact: bool
    consistent: bool
    suggestions: dict[str, tuple[str, ...]]
    bound: float | UnsetType = UNSET


class Choices(Struct, frozen=True):
    """What a user asks of a repair."""

    weights: dict[str, str]
    keep: tuple[str, ...]
    confidence: bool
    only: str | None
    choose: int
    limit: int
    seconds: float
    relabel: bool


def find_fix(result: Extraction, choices: Choices) -> Fix:
    """Find the repair that the user asks for."""
    repair = find_repair(
        result,
        weights=choices.weights,
        keep=choices.keep,
        confidence=choices.confidence,
        only=choices.only,
        limit=max(choices.limit, choices.choose),
        seconds=choices.seconds,
    )
    listed = (repair.removed, *repair.alternatives) if repair.removed else ()
    number = choices.choose - 1
    if listed and number >= len(listed):
        least = "" if repair.exact else "at least "
        raise OptionError(
            f"there is no repair number {choices.choose}; there are {least}{repair.count}"
        )
    removed = listed[number] if listed else ()
    new_types = relabel(result, removed) if choices.relabel else {}
    return Fix(
        path=result.document.name,
        removed=tuple(link for link in removed if link not in new_types),
        relabelled=new_types,
        cost=repair.cost,
        optimal=repair.optimal,
        alternatives=tuple(other for k, other in enumerate(listed) if k != number),
        count=repair.count,
        exact=repair.exact,
        consistent=repair.consistent,
        suggestions=suggest_all(result, removed),
        bound=UNSET if repair.optimal else repair.bound,
    )


class Named:
    """The link ids that the user names: a document need not have all, but each must be in one."""

    def __init__(self, choices: Choices, paths: list[str], documents: Documents) -> None:
        self.choices = choices
        self.labels = documents.options["labels"]
        ids = {name for name in choices.weights if not is_general(name, self.labels)}
        ids |= set(choices.keep)
        if not ids or (len(paths) == 1 and not Path(paths[0]).is_dir()):
            self.many = False
            return
        self.many = True
        if "-" in paths:
            raise OptionError("standard input is read once; link ids can be named for it alone")
        # Before anything is changed: a name that no document has is a slip of the pen.
        for document in documents:
            ids -= self._names_of(document)
        for name in sorted(ids):
            raise OptionError(f"no document has a TLINK or ALINK {name!r}")

    def fitting(self, document: Document) -> Choices:
        """The choices without the ids that a document does not have, if there are several."""
        if not self.many:
            return self.choices
        known = self._names_of(document)
        weights = {
            name: weight
            for name, weight in self.choices.weights.items()
            if is_general(name, self.labels) or name in known
        }
        keep = tuple(name for name in self.choices.keep if name in known)
        return replace(self.choices, weights=weights, keep=keep)

    @staticmethod
    def _names_of(document: Document) -> set[str]:
        return {link.id for link in document.links if link.kind in ORDERING}


def read_weights(written: list[str]) -> dict[str, str]:
    """Take apart what is written as ``alink=0.5``; several may stand together with commas.

    The name ends at the last equals sign; an id may have one too, or a comma.
    """
    weights = {}
    for item in (item for words in written for item in _split_weights(words)):
        name, equals, number = item.rpartition("=")
        if not equals or not name.strip():
            raise OptionError(
                f"--weight takes a name and a number, such as alink=0.5, not {item!r}"
            )
        read_weight(name.strip(), number)
        weights[name.strip()] = number.strip()
    return weights


def _split_weights(words: str) -> Iterator[str]:
    begun = ""
    for word in split_list(words):
        begun += word
        if "=" in word:
            yield begun
            begun = ""
        else:
            begun += ","
    if begun:
        yield begun.rstrip(",")


def take_bytes(document: Document) -> bytes:
    """What the file is."""
    if document.source is None:
        raise WriteError(f"{document.name}: comes from no file")
    return document.source.data


def make_bytes(before: Extraction, fix: Fix, changes: list[Change]) -> bytes:
    """What the file is to be.

    It is read again before anybody sees it: the links concerned have changed and nothing else.
    """
    document = before.document
    data = apply_changes(document, changes)
    gone = set(fix.removed)
    expected = [
        (link.kind, fix.relabelled.get(link.id, link.type), link.source, link.target)
        for link in document.links
        if link.id not in gone
    ]
    after = parse(data, name=document.name, max_bytes=max(len(data), 1))
    found = [(link.kind, link.type, link.source, link.target) for link in after.links]
    options = before.options
    consistent = extract(after, links=options.links, times=options.times).consistent
    same = (after.text, [node.id for node in after.nodes]) == (
        document.text,
        [node.id for node in document.nodes],
    )
    if found != expected or not same or consistent != fix.consistent:
        raise WriteError(
            f"{document.name}: the links cannot be changed without changing something else; "
            "nothing is written"
        )
    return data


def tell_fix(result: Extraction, fix: Fix, choose: int) -> Iterator[str]:
    """The change and its reason, for people."""
    chosen = (*fix.removed, *fix.relabelled)
    proof = "proven: nothing smaller will do"
    if not fix.consistent:
        proof = "other contradictions are left"
    elif not fix.optimal:
        proof = f"not proven to be the smallest; at least {fix.bound:g}"
    facts = [f"{count(len(chosen), 'link')} to change", f"cost {fix.cost:g}", proof]
    yield from list_lines(f"{clean(result.document.name)}: ", facts)
    links = {link.id: link for link in result.document.links}
    reasons = 1 + _WORK // len(links)
    for link in (name for name in links if name in fix.suggestions):
        reason = find_reason(result, link, chosen) if reasons > 0 else None
        reasons -= 1
        yield from _tell_link(result, fix, links, link, reason)
    if fix.alternatives:
        least = "" if fix.exact else "at least "
        others = fix.count - 1
        yield from list_lines(
            "  ", [f"{least}{count(others, 'other repair')} of the same cost", "see --choose"]
        )
        numbers = (number for number in range(1, len(fix.alternatives) + 2) if number != choose)
        for number, repair in zip(numbers, fix.alternatives, strict=True):
            yield f"  {number}. {clean(', '.join(repair))}"


def _tell_link(
    result: Extraction,
    fix: Fix,
    links: dict[str, Link],
    name: str,
    others: tuple[str, ...] | None,
) -> Iterator[str]:
    """A link of the repair, the others that it contradicts if they are known, and its types."""

    def tell_one(one: str, indent: str) -> Iterator[str]:
        return link_lines(describe_link(result.document, result.nodes, links[one]), indent)

    new = fix.relabelled.get(name)
    yield f"  {'remove' if new is None else 'make ' + new}"
    yield from tell_one(name, "    ")
    if others is not None:
        yield "    because it contradicts" + ("" if others else " itself")
        for other in others:
            yield from tell_one(other, "      ")
    if new is None and fix.suggestions[name]:
        yield from list_lines("    could be instead: ", list(fix.suggestions[name]))
