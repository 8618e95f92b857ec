"""Our figures beside the paper's, with a line on each difference that says why, if we know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tlex.corpus.figures import BASES, CorpusFigures, Figures, Spread
from tlex.corpus.grids import Cell, Grid, Head
from tlex.corpus.published import PROSE, TABLE_2, TABLE_3, TABLE_4

__all__ = ["Extra", "compare"]

SAME = "none"
UNEXPLAINED = "not explained"


class Extra(NamedTuple):
    """What is counted for the comparison alone, to see where a figure of the paper comes from."""

    named_events: int = 0
    annotated_tokens: int | None = None


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
        f"{UNEXPLAINED}: ours are separated by blanks; with punctuation there are {{tokens:,}}"
    ),
    ("TimeBank", "events"): (
        "ours are instances; the paper's is the number of events that the instances name, "
        "{named:,}: {events:,} EVENT elements and those that three MAKEINSTANCEs name in vain"
    ),
    ("MEANTIME", "words"): (
        "ours is the whole articles; the paper's is the tokens of the part that is annotated, "
        "the first sentences: {annotated:,}"
    ),
    ("MEANTIME", "events"): (f"{UNEXPLAINED}: the files have {{events:,}} EVENT_MENTIONs"),
    ("MEANTIME", "links"): (
        f"{UNEXPLAINED}: the files have {{tlinks:,}} TLINKs, {{slinks:,}} SLINKs and {{others:,}} "
        "others (GLINKs and CLINKs)"
    ),
}

_LENGTH_WHY = {
    "consistent": (
        "minimum and maximum are the longest timeline of the consistent texts; the average is not "
        "explained: the authors' rests on their own corrections"
    ),
    "annotated": "what contradicts itself has no steps, so texts are short of timelines here",
    "repaired": (
        "a minimum repair removes other links than the authors' corrections by hand, which are "
        "not at hand here"
    ),
}
_SECTIONS_WHY = (
    f"{UNEXPLAINED}: ours are the stretches whose order is open, and beside them the tied steps, "
    "which earlier implementations count; neither is the paper's"
)

_PROSE_WHY = {
    "neighbours": "ours are pairs on neighbouring steps whose order is entailed; two corpora more "
    "are in the paper's",
    "breaks": f"{UNEXPLAINED}: the paper has fewer in four corpora than we in two. In ours every "
    "main timeline counts, also that of a lone event or time",
    "several": "the paper's are those of them that, by its authors' judgement, should be one; "
    "ours are all",
    "branch_points": "two corpora more are in the paper's",
    "branches": "the paper's is the number of SLINKs of its four corpora (14.8 a text, of 385); "
    "the SLINKs of the two are {slinks:,}, and their branch timelines those given here",
    "sections": f"{UNEXPLAINED}: two corpora more are in the paper's; the tied steps of the two "
    "are {tied:,}",
    "pairs": f"{UNEXPLAINED}: ours are all pairs whose order is open, the paper has between four "
    "and five a section",
}


def compare(figures: Figures, extras: Mapping[str, Extra]) -> list[Grid]:
    """The tables of the comparison; corpora go by the paper's names."""
    ours = {corpus.name: corpus for corpus in figures.corpora}
    return [
        _compare_table_2(ours, extras),
        _compare_table_3(ours),
        *(_compare_table_4(ours, basis) for basis in BASES),
        *(_compare_prose(figures.total, basis) for basis in ("annotated", "repaired")),
    ]


def _compare_table_2(ours: Mapping[str, CorpusFigures], extras: Mapping[str, Extra]) -> Grid:
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
            "others": corpus.links - corpus.tlinks - corpus.alinks - corpus.slinks,
        }
        for field, paper, found in zip(TABLE_2[name]._fields, TABLE_2[name], own, strict=True):
            why = _TABLE_2_WHY.get((name, field), UNEXPLAINED).format(**facts)
            rows.append((name, field, paper, found, _differs(paper, found, why)))
    return _grid("table-2", "Table 2: the corpora", rows)


def _compare_table_3(ours: Mapping[str, CorpusFigures]) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for name, corpus in ours.items():
        paper = TABLE_3[name]
        found = (corpus.texts, corpus.inconsistent_tlinks, corpus.inconsistent)
        what = ("texts", "inconsistent with TLINKs only", "inconsistent with ALINKs")
        for title, theirs, own in zip(what, paper, found, strict=True):
            rows.append((name, title, theirs, own, _differs(theirs, own, UNEXPLAINED)))
    return _grid("table-3", "Table 3: inconsistent texts", rows)


def _compare_table_4(ours: Mapping[str, CorpusFigures], basis: str) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for name, corpus in ours.items():
        extent, paper = corpus.extents[basis], TABLE_4[name]
        rows += _compare_spreads(
            name,
            "length of the main timeline",
            paper.length,
            (
                ("longest main timeline", extent.longest_main),
                ("longest timeline", extent.longest),
                ("every main timeline", corpus.main_each if basis == "annotated" else None),
            ),
            _LENGTH_WHY[basis],
        )
        slinks = "" if basis != "consistent" else "the paper's are over all texts"
        rows += _compare_spreads(
            name,
            "subordinated branches of a text",
            paper.branches,
            (
                ("SLINKs", extent.slinks),
                ("crossing SLINKs", extent.connections),
                ("branch timelines", extent.branches),
            ),
            slinks or UNEXPLAINED,
        )
        rows += _compare_spreads(
            name,
            "indeterminate sections of a text",
            paper.sections,
            (("sections", extent.sections), ("tied steps", extent.tied_steps)),
            _SECTIONS_WHY,
        )
    texts = ", ".join(f"{corpus.extents[basis].texts} of {name}" for name, corpus in ours.items())
    title = f"Table 4: timelines, {_TEXTS[basis]} ({texts})"
    return _grid(f"table-4-{basis}", title, rows)


def _compare_spreads(
    corpus: str,
    title: str,
    paper: tuple[float, float, float],
    ours: tuple[tuple[str, Spread | None], ...],
    why: str,
) -> Iterator[tuple[Cell, ...]]:
    """The paper's minimum, average and maximum, and below them ours, each way of counting."""
    theirs = _triple(*paper)
    found = [(name, _of(spread)) for name, spread in ours if spread is not None]
    same = next((name for name, own in found if own == theirs), None)
    yield corpus, title, theirs, None, "" if same else why
    for name, own in found:
        yield "", f"  {name}", None, own, SAME if own == theirs else ""


def _compare_prose(total: CorpusFigures, basis: str) -> Grid:
    extent = total.extents[basis]
    ours: dict[str, int] = {
        "neighbours": extent.neighbours,
        "breaks": extent.breaks,
        "several": extent.several,
        "branch_points": extent.branch_points,
        "branches": int(extent.branches.total),
        "sections": int(extent.sections.total),
        "pairs": extent.pairs,
    }
    facts = {"slinks": total.slinks, "tied": int(extent.tied_steps.total)}
    rows: list[tuple[Cell, ...]] = [
        (
            place,
            _TITLES[name],
            paper,
            ours[name],
            _differs(paper, ours[name], _PROSE_WHY[name].format(**facts)),
        )
        for name, (paper, place) in PROSE.items()
    ]
    title = f"The prose: the paper's four corpora, and ours, {_TEXTS[basis]}"
    return _grid(f"prose-{basis}", title, rows, first="in")


def _grid(name: str, title: str, rows: list[tuple[Cell, ...]], first: str = "corpus") -> Grid:
    """A table in which a difference is a number, and what is to be said about it a note."""
    heads = tuple(Head(head) for head in (first, "figure", "paper", "tlex", "difference"))
    notes: dict[str, int] = {}
    numbered = []
    for *cells, why in rows:
        said = str(why)
        mark = said if said in {"", SAME} else f"({notes.setdefault(said, len(notes) + 1)})"
        numbered.append((*cells, mark))
    told = tuple(f"({number}) {why}." for why, number in notes.items())
    return Grid(name, title, heads, tuple(numbered), told, labels=2)


def _differs(paper: float, ours: float, why: str) -> str:
    return SAME if paper == ours else why


def _of(spread: Spread) -> str:
    if spread.least is None or spread.mean is None or spread.most is None:
        return "-"
    return _triple(spread.least, spread.mean, spread.most)


def _triple(least: float, mean: float, most: float) -> str:
    return f"{least:g} / {mean:.1f} / {most:g}"
