"""Our figures beside the paper's; each difference is explained where the reason is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from paper_figures import FOUR, PROSE, TABLE_2, TABLE_3, TABLE_4

from tlex.corpus.reports.figures import BASES, CorpusFigures, Figures, Spread
from tlex.corpus.reports.report_tables import Cell, Head, ReportTable

__all__ = ["Extra", "compare"]

SAME = "none"
_AVERAGE = 1
_GROUPS = ("length", "branches", "sections")
UNEXPLAINED = "not explained"


class Extra(NamedTuple):
    """What is counted for the comparison alone, to see where a figure of the paper comes from.

    ``long_breaks`` and ``long_several`` leave out main timelines of a lone event or time. The last
    two are averages over consistent texts: the steps on which some timeline has a tie, and those
    with two points if all timelines of a text are laid over each other.
    """

    named_events: int = 0
    annotated_tokens: int | None = None
    long_breaks: int = 0
    long_several: int = 0
    distinct_tied: float = 0.0
    overlaid_tied: float = 0.0


_TEXTS = {
    "consistent": "consistent texts as annotated",
    "annotated": "all texts as annotated",
    "repaired": "all texts after minimum repair",
}
_TITLES = {
    "neighbours": "neighbouring pairs of time-points",
    "breaks": "breaks between main timelines",
    "several": "texts with several main timelines",
    "branch_points": "time-points on branches",
    "branches": "subordinated timelines",
    "sections": "indeterminate sections",
    "pairs": "indeterminate pairs of time-points",
}

_TABLE_2_WHY = {
    ("TimeBank", "words"): (
        "not explained: ours are separated by blanks; words and punctuation marks together are "
        "{tokens:,}, so the paper's may be tokens"
    ),
    ("TimeBank", "events"): (
        "ours are instances; the paper's is the number of events that the instances name, "
        "{named:,}: {events:,} EVENT elements and those that three MAKEINSTANCEs name in vain"
    ),
    ("MEANTIME", "words"): (
        "ours is the whole articles; the paper's is the tokens of the part that is annotated, "
        "the first sentences: {annotated:,}"
    ),
    ("MEANTIME", "events"): ("not explained: the files have {events:,} EVENT_MENTIONs"),
    ("ProppLearner", "words"): (
        "not explained: ours are separated by blanks, with the comment at the head of each file; "
        "words and punctuation marks together are {tokens:,}"
    ),
    ("ProppLearner", "links"): (
        "not explained: the files have {tlinks:,} TLINKs, {alinks:,} ALINKs and {slinks:,} SLINKs"
    ),
    ("MEANTIME", "links"): (
        "not explained: the files have {tlinks:,} TLINKs, {slinks:,} SLINKs and {others:,} "
        "others (GLINKs and CLINKs)"
    ),
}

_LONG = {
    "longest main": "those of the longest main timeline of a text",
    "longest": "those of the longest timeline of a text, main or not",
    "SLINKs": "the SLINKs of a text",
}
_AVERAGE_WHY = (
    "its average is not explained: it rests on the authors' corrections by hand, which are not at "
    "hand here"
)
_LENGTH_WHY = {
    "consistent": f"the paper's are not these; {_AVERAGE_WHY}",
    "annotated": "the paper's are not these: part of a text that contradicts itself has no steps",
    "repaired": f"not these: a minimum repair is another correction than theirs; {_AVERAGE_WHY}",
}
_SECTIONS_WHY = (
    "not explained: ours are the stretches whose order is open, and beside them the tied steps, "
    "which earlier implementations count; neither is the paper's"
)

_SECTION_NOTES = (
    "None of these is the paper's.",
    (
        "sections: stretches whose order is open; tied steps: of each timeline; distinct: the "
        "numbers of the steps on which some timeline of the text has a tie; overlaid: steps with "
        "two points if all timelines of a text are laid over each other, as the public Python port "
        "counts them."
    ),
)
_PROSE_WHY = {
    "neighbours": "ours are pairs on neighbouring steps whose order is entailed; the paper's has "
    "{missing}",
    "breaks": "ours counts every main timeline, also that of a lone event or time. Without these "
    "there are {breaks}, and the paper's has {missing}",
    "several": "the paper's are those of them that, by its authors' judgement, should be one; "
    "ours are all. Without main timelines of a lone event or time there are {several}",
    "branch_points": "the paper's is about two for each of its 5,701 SLINKs (11,402); two for each "
    "SLINK of the corpora here are {doubled:,}",
    "branches": "the paper's is the number of SLINKs of its four corpora (14.8 a text, of 385); "
    "the SLINKs of the corpora here are {slinks:,}, and their branch timelines those given here",
    "sections": "not explained: the paper's has {missing}; the tied steps of the corpora here are "
    "{tied:,}, repaired {mended:,}",
    "pairs": "not explained: ours are all pairs whose order is open, the paper has between four "
    "and five a section",
}


def compare(figures: Figures, extras: Mapping[str, Extra]) -> list[ReportTable]:
    """The tables of the comparison; corpora go by the paper's names."""
    ours = {corpus.name: corpus for corpus in figures.corpora}
    return [
        _compare_table_2(ours, extras),
        _compare_table_3(ours),
        *(_compare_table_4(ours, basis) for basis in BASES),
        _compare_sections(ours, extras),
        _compare_prose(figures.total, ours, extras),
    ]


def _compare_table_2(ours: Mapping[str, CorpusFigures], extras: Mapping[str, Extra]) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for name, corpus in ours.items():
        extra = extras.get(name, Extra())
        own = (corpus.texts, corpus.words, corpus.instances, corpus.times, corpus.links)
        facts = {
            "tokens": corpus.tokens,
            "events": corpus.events,
            "named": extra.named_events,
            "annotated": extra.annotated_tokens or 0,
            "tlinks": corpus.tlinks,
            "slinks": corpus.slinks,
            "alinks": corpus.alinks,
            "others": corpus.links - corpus.tlinks - corpus.alinks - corpus.slinks,
        }
        for field, paper, found in zip(TABLE_2[name]._fields, TABLE_2[name], own, strict=True):
            why = _TABLE_2_WHY.get((name, field), UNEXPLAINED).format(**facts)
            rows.append((name, field, paper, found, _differs(paper, found, why)))
    return _make_table("table-2", "Table 2: the corpora", rows)


def _compare_table_3(ours: Mapping[str, CorpusFigures]) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for name, corpus in ours.items():
        paper = TABLE_3[name]
        found = (corpus.texts, corpus.inconsistent_tlinks, corpus.inconsistent)
        what = ("texts", "inconsistent with TLINKs only", "inconsistent with ALINKs")
        for title, theirs, own in zip(what, paper, found, strict=True):
            rows.append((name, title, theirs, own, _differs(theirs, own, UNEXPLAINED)))
    return _make_table("table-3", "Table 3: inconsistent texts", rows)


def _compare_table_4(ours: Mapping[str, CorpusFigures], basis: str) -> ReportTable:
    """Minimum, average and maximum in rows; beside the paper's what we can count, in columns."""
    columns = ("longest main", "longest", "SLINKs", "crossing", "timelines", "sections", "tied")
    rows: list[tuple[Cell, ...]] = []
    notes: dict[str, list[str]] = {}
    for name, corpus in ours.items():
        extent, paper = corpus.extents[basis], TABLE_4[name]
        spreads = (
            (extent.longest_main, extent.longest),
            (extent.slinks, extent.connections, extent.branches),
            (extent.sections, extent.tied_steps),
        )
        groups = tuple(zip(_GROUPS, paper, spreads, strict=True))
        for place, title in enumerate(("min", "avg", "max")):
            cells = [
                cell
                for _, theirs, own in groups
                for cell in (
                    _round(theirs[place], place),
                    *(_pick(spread, place) for spread in own),
                )
            ]
            rows.append((name, title, *cells))
        titles = iter(columns)
        for group, theirs, own in groups:
            named = [(next(titles), spread) for spread in own]
            notes.setdefault(_explain(group, theirs, named, basis), []).append(name)
    heads = (
        Head("corpus"),
        Head(""),
        *(Head(head, "length of timelines") for head in ("paper", *columns[:2])),
        *(Head(head, "branches of a text") for head in ("paper", *columns[2:5])),
        *(Head(head, "sections of a text") for head in ("paper", *columns[5:])),
    )
    texts = ", ".join(f"{corpus.extents[basis].texts} of {name}" for name, corpus in ours.items())
    title = f"Table 4: timelines, {_TEXTS[basis]} ({texts})"
    ordered = sorted(notes.items(), key=lambda one: _GROUPS.index(one[0].partition(":")[0]))
    explained = tuple(f"{', '.join(names)}, {why}." for why, names in ordered)
    return ReportTable(
        name=f"table-4-{basis}",
        title=title,
        heads=heads,
        rows=tuple(rows),
        notes=explained,
        labels=2,
    )


def _explain(
    group: str,
    paper: tuple[float, float, float],
    ours: list[tuple[str, Spread]],
    basis: str,
) -> str:
    """Which of our figures the paper's are, or why they are none of them."""
    alike = [[_pick(own, k) == _round(paper[k], k) for k in range(3)] for _, own in ours]
    for (title, _), same in zip(ours, alike, strict=True):
        if all(same):
            return f"{group}: no difference, the paper's are {_LONG.get(title, title)}"
    for (title, _), (least, _, most) in zip(ours, alike, strict=True):
        if least and most and group == "length":
            return f"{group}: the paper's minimum and maximum are {_LONG[title]}; {_AVERAGE_WHY}"
    if group == "length":
        return f"{group}: {_LENGTH_WHY[basis]}"
    if group == "branches" and basis == "consistent":
        return f"{group}: the paper's are the SLINKs over all texts, below"
    return f"{group}: {_SECTIONS_WHY if group == 'sections' else UNEXPLAINED}"


def _compare_sections(
    ours: Mapping[str, CorpusFigures], extras: Mapping[str, Extra]
) -> ReportTable:
    """Every way to count sections that was tried, on average over the consistent texts."""
    rows: list[tuple[Cell, ...]] = []
    for name, corpus in ours.items():
        extent, extra = corpus.extents["consistent"], extras.get(name, Extra())
        counted = (extra.distinct_tied, extra.overlaid_tied)
        rows.append(
            (
                name,
                _round(TABLE_4[name].sections[_AVERAGE], _AVERAGE),
                _pick(extent.sections, _AVERAGE),
                _pick(extent.tied_steps, _AVERAGE),
                *(_round(number, _AVERAGE) for number in counted),
            )
        )
    heads = ("corpus", "paper", "sections", "tied steps", "distinct", "overlaid")
    return ReportTable(
        name="sections",
        title="Ways to count sections: averages over consistent texts as annotated",
        heads=tuple(map(Head, heads)),
        rows=tuple(rows),
        notes=_SECTION_NOTES,
        labels=1,
    )


def _compare_prose(
    total: CorpusFigures, corpora: Mapping[str, CorpusFigures], extras: Mapping[str, Extra]
) -> ReportTable:
    extents = [total.extents[basis] for basis in ("annotated", "repaired")]
    ours: dict[str, list[int]] = {
        "neighbours": [extent.neighbours for extent in extents],
        "breaks": [extent.breaks for extent in extents],
        "several": [extent.several for extent in extents],
        "branch_points": [extent.branch_points for extent in extents],
        "branches": [int(extent.branches.total) for extent in extents],
        "sections": [int(extent.sections.total) for extent in extents],
        "pairs": [extent.indeterminate_pairs for extent in extents],
    }
    tied, mended = (int(extent.tied_steps.total) for extent in extents)
    known = [extras[name] for name in corpora if name in extras]
    missing = [name for name in FOUR if name not in corpora]
    facts = {
        "slinks": total.slinks,
        "doubled": 2 * total.slinks,
        "tied": tied,
        "mended": mended,
        "breaks": _add_up([extra.long_breaks for extra in known]),
        "several": _add_up([extra.long_several for extra in known]),
        "missing": f"also {' and '.join(missing)}" if missing else "the same corpora",
    }
    rows: list[tuple[Cell, ...]] = [
        (
            place,
            _TITLES[name],
            paper,
            *ours[name],
            SAME if paper in ours[name] else _PROSE_WHY[name].format(**facts),
        )
        for name, (paper, place) in PROSE.items()
    ]
    title = f"The prose: totals of the paper's four corpora, and of the {len(corpora)} here"
    return _make_table("prose", title, rows, ("in", "figure", "paper", "tlex", "repaired"))


def _make_table(
    name: str,
    title: str,
    rows: list[tuple[Cell, ...]],
    heads: tuple[str, ...] = ("corpus", "figure", "paper", "tlex"),
) -> ReportTable:
    """A table in which a difference is a number, and what is to be said about it a note."""
    notes: dict[str, int] = {}
    numbered = []
    for *cells, why in rows:
        said = str(why)
        mark = said if said == SAME else f"({notes.setdefault(said, len(notes) + 1)})"
        numbered.append((*cells, mark))
    explained = tuple(f"({number}) {why}." for why, number in notes.items())
    columns = tuple(Head(head) for head in (*heads, "difference"))
    return ReportTable(
        name=name,
        title=title,
        heads=columns,
        rows=tuple(numbered),
        notes=explained,
        labels=2,
    )


def _add_up(numbers: list[int]) -> str:
    """Write a sum with its parts, such as ``656 + 133 = 789``."""
    parts = " + ".join(f"{number:,}" for number in numbers)
    return f"{parts} = {sum(numbers):,}" if len(numbers) > 1 else parts


def _differs(paper: float, ours: float, why: str) -> str:
    return SAME if paper == ours else why


def _pick(spread: Spread, place: int) -> Cell:
    """Minimum, average or maximum, as precise as the paper has it."""
    number = (spread.least, spread.mean, spread.most)[place]
    return None if number is None else _round(number, place)


def _round(number: float, place: int) -> int | float:
    return round(float(number), 1) if place == _AVERAGE else int(number)
