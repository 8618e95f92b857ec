"""Guidelines (TLX3xx): advice from the annotation guidelines of TimeML 1.2.1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tlex.algebra import INVERSES, ROWS, Offsets, list_basic
from tlex.document import Document
from tlex.graph import find_code
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding
from tlex.nouns import Link

__all__ = ["find_duplicates", "find_oversights"]

_EVIDENTIAL = ("EVIDENTIAL", "NEGATIVE_EVIDENTIAL")
_ORDERING = frozenset(("TLINK", "ALINK"))
Pair = tuple[str, str]


def find_oversights(describer: Describer, wanted: Collection[str]) -> Iterator[Finding]:
    """Find what does not follow the guidelines, as far as these rules are wanted."""
    document = describer.document
    judges: dict[str, Callable[[Describer, Link], str | None]] = {
        "TLX306": _judge_aspectual,
        "TLX307": _judge_perception,
        "TLX308": _judge_times,
        "TLX309": _judge_self_loop,
        "TLX310": _judge_identity,
    }
    chosen = [(code, judge) for code, judge in judges.items() if code in wanted]
    for link in document.links if chosen else ():
        for code, judge in chosen:
            objection = judge(describer, link)
            if objection:
                yield _object(describer, code, link, objection)
    if "TLX301" in wanted:
        for number, first in find_duplicates(describer).items():
            link, earlier = document.links[number], document.links[first]
            message = f"says the same as {describer.name_link(earlier)}"
            yield _object(describer, "TLX301", link, message, earlier)
    if "TLX302" in wanted or "TLX303" in wanted:
        yield from _find_crowded_pairs(describer, wanted)
    if "TLX305" in wanted:
        yield from _find_unlinked(describer)


def find_duplicates(describer: Describer) -> dict[int, int]:
    """Find the links that repeat an earlier link: their numbers, and the number of that link."""
    first: dict[tuple[str | None, ...], int] = {}
    found = {}
    for number, link in enumerate(describer.document.links):
        said = (link.kind, link.source, link.type, link.target)
        inverse = INVERSES.get(link.type or "") if link.kind == "TLINK" else None
        backwards = (link.kind, link.target, inverse, link.source)
        key = min(said, backwards, key=repr) if inverse else said
        earlier = first.setdefault(key, number)
        if earlier != number and None not in said:
            found[number] = earlier
    return found


def _object(
    describer: Describer, code: str, link: Link, objection: str, other: Link | None = None
) -> Finding:
    """Make a finding on a link, with a note on another one."""
    notes: list[Note] = []
    links = [link]
    if other is not None:
        notes.append(describer.note_link(other))
        links.append(other)
    return make_finding(
        describer.document,
        code,
        link.byte_start,
        f"{describer.state_link(link)} {objection}",
        subject=sorted(map(describer.identify_link, links)),
        notes=notes,
        links=tuple(one.id for one in links),
        nodes=tuple(dict.fromkeys(end for end in (link.source, link.target) if end)),
    )


def _judge_aspectual(describer: Describer, link: Link) -> str | None:
    event = describer.find_event(link.source) if link.kind == "ALINK" else None
    kind = (event.type or "").strip().upper() if event else ""
    if not kind or kind == "ASPECTUAL":
        return None
    return f"leads from an event of class {kind}, not ASPECTUAL"


def _judge_perception(describer: Describer, link: Link) -> str | None:
    event = describer.find_event(link.source) if link.kind == "SLINK" else None
    kind = (event.type or "").strip().upper() if event else ""
    if kind != "PERCEPTION" or link.type is None or link.type in _EVIDENTIAL:
        return None
    return "leads from an event of class PERCEPTION, so it should be EVIDENTIAL"


def _judge_times(describer: Describer, link: Link) -> str | None:
    if link.kind == "TLINK" or not (
        describer.is_time(link.source) or describer.is_time(link.target)
    ):
        return None
    return f"touches a time, and {link.kind}s relate events only"


def _judge_self_loop(describer: Describer, link: Link) -> str | None:
    if link.source is None or link.source != link.target:
        return None
    code = find_code(describer.document, link.kind, link.type)
    if code is None or _fold(ROWS[code]):  # otherwise it is a contradiction (TLX201)
        return None
    return "leads back to where it starts and says nothing"


def _fold(row: Offsets) -> list[tuple[int, bool, int]]:
    """Give a row for a link of an interval to itself, without what holds of every interval."""
    folded = [(left % 2, strict, right % 2) for left, strict, right in row]
    return [said for said in folded if said not in {(0, False, 0), (1, False, 1), (0, True, 1)}]


def _judge_identity(describer: Describer, link: Link) -> str | None:
    if link.kind != "TLINK" or link.type != "IDENTITY":
        return None
    if None in (describer.find_node(link.source), describer.find_node(link.target)):
        return None
    if describer.is_time(link.source) == describer.is_time(link.target):
        return None
    return "makes an event and a time the same thing; SIMULTANEOUS makes them coincide"


def _find_crowded_pairs(describer: Describer, wanted: Collection[str]) -> Iterator[Finding]:
    """Find pairs with two links of a kind, or with a TLINK and an ALINK that disagree."""
    duplicates = find_duplicates(describer)
    pairs: dict[Pair, list[Link]] = {}
    for number, link in enumerate(describer.document.links):
        if link.kind not in _ORDERING or number in duplicates or link.source == link.target:
            continue
        if link.source is not None and link.target is not None:
            ends = (min(link.source, link.target), max(link.source, link.target))
            pairs.setdefault(ends, []).append(link)
    for links in pairs.values():
        first: dict[str, Link] = {}
        for link in links:
            earlier = first.setdefault(link.kind, link)
            if "TLX302" in wanted and earlier is not link:
                message = f"stands on the same pair as {describer.name_link(earlier)}"
                yield _object(describer, "TLX302", link, message, earlier)
        if "TLX303" in wanted and len(first) > 1:
            yield from _find_disagreements(describer, links)


def _find_disagreements(describer: Describer, links: list[Link]) -> Iterator[Finding]:
    """Find the TLINKs and ALINKs of one pair that cannot both hold.

    There are few links of each kind, because duplicates are left out.
    """
    for tlink in links:
        for alink in links:
            if (
                tlink.kind == "TLINK"
                and alink.kind == "ALINK"
                and _disagree(describer.document, tlink, alink)
            ):
                message = f"and {describer.name_link(alink)} cannot both hold"
                yield _object(describer, "TLX303", tlink, message, alink)


def _disagree(document: Document, one: Link, other: Link) -> bool:
    """Whether two links on one pair cannot both hold."""
    codes = [find_code(document, link.kind, link.type) for link in (one, other)]
    rows = [() if code is None else ROWS[code] for code in codes]
    if one.source != other.source:
        rows[1] = tuple((left ^ 2, strict, right ^ 2) for left, strict, right in rows[1])
    return not list_basic(rows[0] + rows[1])


def _find_unlinked(describer: Describer) -> Iterator[Finding]:
    linked = {end for link in describer.document.links for end in (link.source, link.target)}
    for node in describer.document.nodes:
        if node.id not in linked:
            yield make_finding(
                describer.document,
                "TLX305",
                describer.find_place(node.id),
                f"{describer.describe(node.id)} is in no link",
                subject=[node.id],
                nodes=(node.id,),
            )
