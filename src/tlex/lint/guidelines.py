"""Guidelines (TLX3xx): advice from the annotation guidelines of TimeML 1.2.1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tlex.algebra import INVERSES, ROWS, Offsets, list_basic
from tlex.document import Document, Link
from tlex.graph import find_code
from tlex.lint.findings import Finding, Note, make_finding, make_note
from tlex.lint.wording import Wording

__all__ = ["find_duplicates", "find_oversights"]

_EVIDENTIAL = ("EVIDENTIAL", "NEGATIVE_EVIDENTIAL")
_ORDERING = frozenset(("TLINK", "ALINK"))
Pair = tuple[str, str]


def find_oversights(wording: Wording, wanted: Collection[str]) -> Iterator[Finding]:
    """Find where the links of a document are not as the guidelines want them."""
    document = wording.document
    judges: dict[str, Callable[[Wording, Link], str | None]] = {
        "TLX306": _judge_aspectual,
        "TLX307": _judge_perception,
        "TLX308": _judge_times,
        "TLX309": _judge_self_loop,
        "TLX310": _judge_identity,
    }
    chosen = [(code, judge) for code, judge in judges.items() if code in wanted]
    for link in document.links if chosen else ():
        for code, judge in chosen:
            objection = judge(wording, link)
            if objection:
                yield _object(wording, code, link, objection)
    if "TLX301" in wanted:
        for number, first in find_duplicates(wording).items():
            link, earlier = document.links[number], document.links[first]
            message = f"says the same as {wording.name(earlier)}"
            yield _object(wording, "TLX301", link, message, earlier)
    if "TLX302" in wanted or "TLX303" in wanted:
        yield from _find_crowded_pairs(wording, wanted)
    if "TLX305" in wanted:
        yield from _find_unlinked(wording)


def find_duplicates(wording: Wording) -> dict[int, int]:
    """Find the links that say what an earlier one says: their numbers, and that link's."""
    first: dict[tuple[str | None, ...], int] = {}
    found = {}
    for number, link in enumerate(wording.document.links):
        said = (link.kind, link.source, link.type, link.target)
        inverse = INVERSES.get(link.type or "") if link.kind == "TLINK" else None
        backwards = (link.kind, link.target, inverse, link.source)
        key = min(said, backwards, key=repr) if inverse else said
        earlier = first.setdefault(key, number)
        if earlier != number and None not in said:
            found[number] = earlier
    return found


def _object(
    wording: Wording, code: str, link: Link, objection: str, other: Link | None = None
) -> Finding:
    """A finding on a link, with a note about another one."""
    notes: list[Note] = []
    links = [link]
    if other is not None:
        words = f"{wording.name(other)}: {wording.say(other)}{wording.where(other.byte_start)}"
        notes.append(make_note(wording.document, other.byte_start, words))
        links.append(other)
    return make_finding(
        wording.document,
        code,
        link.byte_start,
        f"{wording.name(link)}: {wording.say(link)} {objection}",
        subject=sorted(map(wording.sign, links)),
        notes=notes,
        links=tuple(one.id for one in links),
        nodes=tuple(dict.fromkeys(end for end in (link.source, link.target) if end)),
    )


def _judge_aspectual(wording: Wording, link: Link) -> str | None:
    event = wording.event_of(link.source) if link.kind == "ALINK" else None
    kind = (event.type or "").strip().upper() if event else ""
    if not kind or kind == "ASPECTUAL":
        return None
    return f"leads from an event of class {kind}, not ASPECTUAL"


def _judge_perception(wording: Wording, link: Link) -> str | None:
    event = wording.event_of(link.source) if link.kind == "SLINK" else None
    kind = (event.type or "").strip().upper() if event else ""
    if kind != "PERCEPTION" or link.type is None or link.type in _EVIDENTIAL:
        return None
    return "leads from an event of class PERCEPTION, so it should be EVIDENTIAL"


def _judge_times(wording: Wording, link: Link) -> str | None:
    if link.kind == "TLINK" or not (wording.is_time(link.source) or wording.is_time(link.target)):
        return None
    return f"touches a time, and {link.kind}s relate events only"


def _judge_self_loop(wording: Wording, link: Link) -> str | None:
    if link.source is None or link.source != link.target:
        return None
    code = find_code(wording.document, link.kind, link.type)
    if code is None or _fold(ROWS[code]):  # what is left is a contradiction, and told as such
        return None
    return "leads back to where it starts and says nothing"


def _fold(row: Offsets) -> list[tuple[int, bool, int]]:
    """A row with both ends on one interval, without what holds of every interval."""
    folded = [(left % 2, strict, right % 2) for left, strict, right in row]
    return [said for said in folded if said not in {(0, False, 0), (1, False, 1), (0, True, 1)}]


def _judge_identity(wording: Wording, link: Link) -> str | None:
    if link.kind != "TLINK" or link.type != "IDENTITY":
        return None
    if None in (wording.find(link.source), wording.find(link.target)):
        return None
    if wording.is_time(link.source) == wording.is_time(link.target):
        return None
    return "makes an event and a time the same thing; SIMULTANEOUS makes them coincide"


def _find_crowded_pairs(wording: Wording, wanted: Collection[str]) -> Iterator[Finding]:
    """Find pairs with two links of a kind, or with a TLINK and an ALINK that disagree."""
    duplicates = find_duplicates(wording)
    pairs: dict[Pair, list[Link]] = {}
    for number, link in enumerate(wording.document.links):
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
                message = f"stands on the same pair as {wording.name(earlier)}"
                yield _object(wording, "TLX302", link, message, earlier)
        if "TLX303" in wanted and len(first) > 1:
            yield from _find_disagreements(wording, links)


def _find_disagreements(wording: Wording, links: list[Link]) -> Iterator[Finding]:
    """Find the TLINKs and ALINKs of one pair that cannot both hold; duplicates are not among them.

    So there are no more of each kind than there are types and directions.
    """
    for tlink in links:
        for alink in links:
            if (
                tlink.kind == "TLINK"
                and alink.kind == "ALINK"
                and _disagree(wording.document, tlink, alink)
            ):
                message = f"and {wording.name(alink)} cannot both hold"
                yield _object(wording, "TLX303", tlink, message, alink)


def _disagree(document: Document, one: Link, other: Link) -> bool:
    """Whether no two intervals can be as both links say."""
    codes = [find_code(document, link.kind, link.type) for link in (one, other)]
    rows = [() if code is None else ROWS[code] for code in codes]
    if one.source != other.source:
        rows[1] = tuple((left ^ 2, strict, right ^ 2) for left, strict, right in rows[1])
    return not list_basic(rows[0] + rows[1])


def _find_unlinked(wording: Wording) -> Iterator[Finding]:
    linked = {end for link in wording.document.links for end in (link.source, link.target)}
    for node in wording.document.nodes:
        if node.id not in linked:
            yield make_finding(
                wording.document,
                "TLX305",
                wording.place(node.id),
                f"{wording.describe(node.id)} is in no link",
                subject=[node.id],
                nodes=(node.id,),
            )
