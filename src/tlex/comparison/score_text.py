"""A score for people: a table of figures, a line a document, and the reasons for a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from tlex.comparison.records import ClaimVerdict, Measures, Share, harmonise
from tlex.comparison.scores import DocumentScore, Score
from tlex.comparison.significance import PairedTest
from tlex.quotation import quote
from tlex.wording import clean, count, fit, measure, name_node, shorten_id

__all__ = [
    "MEASURES",
    "show_figure",
    "show_score",
    "show_test",
    "show_verdict",
    "sum_measure",
    "tell_mode",
    "tell_remarks",
]

MEASURES = {
    "orders": "orders of end points",
    "reduced_points": "reduced point graph",
    "one_timeline": "pairs in one timeline",
    "trunk": "on the trunk",
    "sections": "in sections of unknown order",
}
"""The measures besides temporal awareness, and what they are called."""

_HEADS = ("precision", "recall", "F1")
_COLUMN = 10


def show_figure(value: float | None) -> str:
    """Give a share in percent; a dash where there is no figure."""
    return "-" if value is None else f"{100 * value:.1f}"


def show_score(score: Score, width: int = 80) -> Iterator[str]:
    """Give a score in lines: overall, other measures, and each document."""
    longest = max([measure(clean(one.name)) for one in score.documents] or [0])
    room = min(max(longest + 2, 28), max(width - 3 * _COLUMN - 2, 20))
    figures: dict[str, Sequence[float | str | None]] = {
        "": _HEADS,
        "temporal awareness": [score.precision.value, score.recall.value, score.f1],
    }
    if score.interval:
        for place, name in enumerate(("from", "to")):
            bounds = [found and found[place] for found in score.interval.values()]
            figures[f"  95 % interval, {name}"] = bounds
    if len(score.documents) > 1:
        figures["  mean of documents"] = [*score.macro.values()]
    for name, title in MEASURES.items():
        summed = sum_measure(score, name)
        figures[title] = [summed.precision.value, summed.recall.value, summed.f1]
    for title, cells in figures.items():
        yield from _row(room, title, cells, width)
    yield ""
    for note in tell_mode(score):
        yield from (*_wrap(note, width), "")
    if len(score.documents) > 1:
        for one in score.documents:
            cells = [one.precision.value, one.recall.value, one.f1]
            yield from _row(room, clean(one.name), cells, width)
            yield from _list_remarks(one, width)
        yield ""
    elif score.documents:
        yield from _list_remarks(score.documents[0], width, indent="")
    yield from _wrap(_count_verdicts(score), width)


def sum_measure(score: Score, name: str) -> Measures:
    """Add a measure up over all documents."""
    measures = [one.measures[name] for one in score.documents]
    precision = sum((one.precision for one in measures), Share(0, 0))
    recall = sum((one.recall for one in measures), Share(0, 0))
    return Measures(precision=precision, recall=recall, f1=harmonise(precision, recall))


def tell_mode(score: Score) -> Iterator[str]:
    """Say how figures are counted that depend on the order of links."""
    if any(one.mode == "tempeval3" for one in score.documents):
        yield (
            "Temporal awareness is counted as TempEval-3's toolkit does: in the order of links, on "
            "which it depends."
        )


def tell_remarks(score: DocumentScore) -> Iterator[str]:
    """Say what a reader of a document's figures has to know."""
    for name, side in zip(("gold", "system"), score.sides, strict=True):
        if not side.consistent:
            muted = [link for claim in sorted(side.muted) for link in side.list_ids(claim)]
            yield (
                f"the {name} contradicts itself; not believed: "
                f"{', '.join(map(shorten_id, muted[:8]))}"
                f"{f' and {len(muted) - 8:,} more' if len(muted) > 8 else ''}"  # noqa: PLR2004
            )
        if side.silent:
            counts = ", ".join(f"{number:,} {clean(word)}" for word, number in side.silent.items())
            yield f"links of the {name} that claim nothing: {counts}"
    matched = len(score.matching.gold)
    total = [len(side.document.index) for side in score.sides]
    if matched < max(total):
        yield f"{matched:,} of {total[0]:,} nodes of the gold and {total[1]:,} of the system match"
    if score.mode == "tempeval3" and not all(score.consistent):
        yield "a side contradicts itself: the figures depend on the order of its links"


def show_verdict(score: DocumentScore, verdict: ClaimVerdict, width: int = 80) -> Iterator[str]:
    """Give a verdict on a claim, with the sentences and the reason."""
    number = verdict.side == "system"
    own, other = score.sides[number].document, score.sides[not number].document
    there = "gold" if number else "system"
    ends = [name_node(end, own.words(end)) for end in (verdict.source, verdict.target)]
    said = f"{verdict.side} {', '.join(map(shorten_id, verdict.links))}: "
    yield from _wrap(clean(f"{said}{ends[0]} {verdict.type} {ends[1]}"), width)
    for sentence in quote(own, [verdict.source, verdict.target]):
        yield from (f"    {line}" for line in wrap(sentence, max(width - 4, 20)))
    for sentence in _judge(verdict, there):
        yield from (f"  {line}" for line in _wrap(sentence, width - 2))
    for proof in verdict.proof:
        walk = " ".join(
            [proof.walk[0].left, *(f"{step.order} {step.right}" for step in proof.walk)]
        )
        yield from (f"    {line}" for line in _wrap(clean(walk), width - 4))
    used = {link for proof in verdict.proof for link in proof.links}
    for link in other.links:
        if link.id in used and link.source and link.target:
            names = [name_node(end, other.words(end)) for end in (link.source, link.target)]
            yield fit(clean(f"    {link.id}: {names[0]} {link.type} {names[1]}"), width)


def show_test(found: PairedTest, names: Sequence[str], width: int = 80) -> Iterator[str]:
    """Say how two systems compare."""
    if found.difference is None or found.p_value is None:
        yield from _wrap("there is nothing to compare the two systems by", width)
        return
    better, worse = names if found.difference >= 0 else names[::-1]
    words = (
        f"{clean(better)} is {100 * abs(found.difference):.1f} points of F1 above {clean(worse)} "
        f"on {count(found.documents, 'document')}; p = {found.p_value:.3f} "
        f"({found.rounds:,} random swaps)"
    )
    if found.interval:
        low, high = (100 * bound for bound in found.interval)
        words += f"; first less second, 95 % interval: {low:.1f} to {high:.1f}"
    yield from _wrap(words, width)


def _judge(verdict: ClaimVerdict, there: str) -> Iterator[str]:
    links = list(dict.fromkeys(link for proof in verdict.proof for link in proof.links))
    by = f", by its {', '.join(map(shorten_id, links))}" if links else ""
    if not verdict.counted:
        yield f"Not counted: it follows from other links of the {verdict.side}."
    if verdict.muted:
        yield f"Not believed: the {verdict.side} contradicts itself here. Counted all the same."
    match verdict.verdict:
        case "entailed":
            yield f"Right: the {there} says so{by}."
        case "contradicted":
            yield f"Wrong: the {there} excludes it{by}."
        case "unmatched":
            yield f"Not right: the {there} has no counterpart for one of its ends."
        case "undecided":
            yield f"Not decided: the search in the contradictions of the {there} took too long."
        case _:
            yield f"Not right, and not wrong: the {there} leaves it open."


def _count_verdicts(score: Score) -> str:
    counts: dict[str, dict[str, int]] = {"system": {}, "gold": {}}
    for one in score.documents:
        for name, found in zip(("gold", "system"), one.count_verdicts(), strict=True):
            for verdict, number in found.items():
                counts[name][verdict] = counts[name].get(verdict, 0) + number
    parts = []
    for name, found in counts.items():
        other = "system" if name == "gold" else "gold"
        words = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(found.items()))
        parts.append(f"Of the {name}'s claims, in the {other}: {words or 'none'}.")
    return " ".join(parts)


def _list_remarks(score: DocumentScore, width: int, indent: str = "    ") -> Iterator[str]:
    for remark in tell_remarks(score):
        yield from (f"{indent}{line}" for line in _wrap(remark, width - len(indent)))


def _row(room: int, name: str, cells: Sequence[float | str | None], width: int) -> Iterator[str]:
    """Give a row of the table; a name without room beside the figures has a line of its own."""
    line = name + " " * (room - measure(name))
    if measure(name) > room:
        yield fit(name, width)
        line = " " * room
    for cell in cells:
        line += f"{cell if isinstance(cell, str) else show_figure(cell):>{_COLUMN}}"
    yield line.rstrip()


def _wrap(words: str, width: int) -> list[str]:
    return wrap(words, max(width, 20), break_on_hyphens=False) or [""]
