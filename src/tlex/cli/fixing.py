"""The options of ``tlex fix`` that need work, and its text for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tlex.cli.files import Documents
from tlex.cli.options import split_list
from tlex.cli.words import link_lines, list_lines
from tlex.document import Document, Link
from tlex.errors import OptionError
from tlex.lookup import describe_link
from tlex.repair import FixResult
from tlex.repair.weights import ORDERING, is_general, read_weight
from tlex.wording import clean, count

__all__ = [
    "Choices",
    "Named",
    "read_weights",
    "show_fix",
]

_WORK = 1_000_000
"""How many links may be looked at to give reasons."""


class Choices(Struct, frozen=True, kw_only=True):
    """The options that `tlex.fix` takes as well."""

    weights: dict[str, str]
    keep: tuple[str, ...]
    confidence: bool
    only: str | None
    choose: int
    limit: int
    seconds: float
    relabel: bool


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


def show_fix(fix: FixResult, choose: int) -> Iterator[str]:
    """Show a repair and its reasons to people."""
    proof = "proven: nothing smaller will do"
    if not fix.consistent:
        proof = "other contradictions are left"
    elif not fix.optimal:
        proof = f"not proven to be the smallest; at least {fix.bound:g}"
    facts = [f"{count(len(fix.links), 'link')} to change", f"cost {fix.cost:g}", proof]
    yield from list_lines(f"{clean(fix.path)}: ", facts)
    links = {link.id: link for link in fix.extraction.document.links}
    reasons = 1 + _WORK // len(links)
    for link in (name for name in links if name in fix.suggestions):
        reason = fix.find_reason(link) if reasons > 0 else None
        reasons -= 1
        yield from _show_link(fix, links, link, reason)
    if fix.alternatives:
        least = "" if fix.exact else "at least "
        others = fix.count - 1
        yield from list_lines(
            "  ", [f"{least}{count(others, 'other repair')} of the same cost", "see --choose"]
        )
        numbers = (number for number in range(1, len(fix.alternatives) + 2) if number != choose)
        for number, repair in zip(numbers, fix.alternatives, strict=True):
            yield f"  {number}. {clean(', '.join(repair))}"


def _show_link(
    fix: FixResult, links: dict[str, Link], name: str, others: tuple[str, ...] | None
) -> Iterator[str]:
    """Show a link of the repair, the links that it contradicts if known, and its other types."""

    def show_one(one: str, indent: str) -> Iterator[str]:
        before = fix.extraction
        return link_lines(describe_link(before.document, before.nodes, links[one]), indent)

    new = fix.relabelled.get(name)
    yield f"  {'remove' if new is None else 'make ' + new}"
    yield from show_one(name, "    ")
    if others is not None:
        yield "    because it contradicts" + ("" if others else " itself")
        for other in others:
            yield from show_one(other, "      ")
    if new is None and fix.suggestions[name]:
        yield from list_lines("    could be instead: ", list(fix.suggestions[name]))
