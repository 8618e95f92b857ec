"""A score as one HTML page: figures, documents, labels, and the links that are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tlex._version import __version__
from tlex.comparison.labels import NO_LABEL
from tlex.comparison.records import ClaimVerdict
from tlex.comparison.score_text import MEASURES, show_figure, sum_measure, tell_mode, tell_remarks
from tlex.comparison.scores import DocumentScore, Score
from tlex.pages import make_page, quote
from tlex.quotation import quote as quote_sentences
from tlex.wording import count, name_node

__all__ = ["write_score_page"]

_LABEL = ' class="label words"'
_SHOWN = 500
"""How many wrong links the page shows."""


def write_score_page(score: Score, gold: str, system: str) -> str:
    """Give the report on a score as one HTML page that loads nothing."""
    body = [
        "<main>",
        f"<header><h1>{quote(system)} against {quote(gold)}</h1>",
        f"<p>Temporal awareness of {count(len(score.documents), 'document')}.</p></header>",
        _list_keys(score),
        *_section("measures", "Measures", _list_measures(score)),
        *_section("documents", "Documents", _list_documents(score)),
        *_section("labels", "Labels", _list_labels(score)),
        *_section("wrong", "Links of the system that are wrong", _list_wrong(score)),
        f"<footer>tlex {quote(__version__)}</footer>",
        "</main>",
    ]
    return make_page(f"Score of {system}", "\n".join(body), "report.css")


def _list_keys(score: Score) -> str:
    keys = [
        (show_figure(score.precision.value), "precision, %"),
        (show_figure(score.recall.value), "recall, %"),
        (show_figure(score.f1), "F1, %"),
        (f"{len(score.documents):,}", "documents"),
        (f"{len(score.without_system):,}", "without system document"),
        (f"{len(score.errors):,}", "not comparable"),
    ]
    items = "".join(f"<li><b>{figure}</b> <span>{name}</span></li>" for figure, name in keys)
    return f'<ul class="keys">{items}</ul>'


def _section(name: str, title: str, content: Iterator[str]) -> Iterator[str]:
    yield f'<section id="{name}"><h2>{title}</h2>'
    yield from content
    yield "</section>"


def _list_measures(score: Score) -> Iterator[str]:
    rows: list[list[str]] = [
        [
            "temporal awareness",
            *map(show_figure, (score.precision.value, score.recall.value, score.f1)),
        ],
        ["temporal awareness, mean of documents", *map(show_figure, score.macro.values())],
    ]
    if score.interval:
        for place, name in enumerate(("from", "to")):
            bounds = (found and found[place] for found in score.interval.values())
            rows.append([f"95 % interval, {name}", *map(show_figure, bounds)])
    for name, title in MEASURES.items():
        summed = sum_measure(score, name)
        figures = summed.precision.value, summed.recall.value, summed.f1
        rows.append([title, *map(show_figure, figures)])
    yield from _table(["measure", "precision", "recall", "F1"], rows)
    for note in tell_mode(score):
        yield f'<p class="note">{quote(note)}</p>'


def _list_documents(score: Score) -> Iterator[str]:
    rows = [
        [
            quote(one.name),
            *map(show_figure, (one.precision.value, one.recall.value, one.f1)),
            f"{one.precision.total:,}",
            f"{one.recall.total:,}",
            "<br>".join(map(quote, tell_remarks(one))),
        ]
        for one in score.documents
    ]
    heads = ["document", "precision", "recall", "F1", "system's claims", "gold's claims", "remarks"]
    yield from _table(heads, rows, raw=True)
    for name in score.without_system:
        yield f'<p class="note">{quote(name)} has no system document: scored against nothing.</p>'
    for name in score.without_gold:
        yield f'<p class="note">{quote(name)} has no gold document and is not scored.</p>'
    for name, error in score.errors.items():
        yield f'<p class="note">{quote(name)} is not scored: {quote(error)}</p>'


def _list_labels(score: Score) -> Iterator[str]:
    confusion: Counter[tuple[str, str]] = Counter()
    for one in score.documents:
        confusion.update(one.literal.confusion)
    labels = Counter[str]()
    for (gold, system), number in confusion.items():
        labels[gold] += number
        labels[system] += number
    names = sorted(labels, key=lambda name: (name == NO_LABEL, -labels[name], name))
    yield '<p class="note">A row a label of the gold, a column a label of the system, for pairs '
    yield "whose expressions match. Labels are read in text order.</p>"
    rows = [[gold, *(_show_count(confusion[gold, system]) for system in names)] for gold in names]
    yield from _table(["gold", *names], rows)


def _show_count(number: int) -> str:
    return f"{number:,}" if number else ""


def _list_wrong(score: Score) -> Iterator[str]:
    shown = 0
    for one in score.documents:
        wrong = [
            each
            for each in one.verdicts
            if each.verdict == "contradicted" and each.side == "system"
        ]
        if not wrong:
            continue
        yield f"<h3>{quote(one.name)}</h3><ul>"
        for each in wrong[: max(_SHOWN - shown, 0)]:
            yield _show_wrong(one, each)
        yield "</ul>"
        shown += len(wrong)
    if not shown:
        yield "<p>None.</p>"
    if shown > _SHOWN:
        yield f'<p class="note">{shown - _SHOWN:,} more are not shown; --json lists all.</p>'


def _show_wrong(score: DocumentScore, verdict: ClaimVerdict) -> str:
    own = score.system.document
    ends = [name_node(end, own.words(end)) for end in (verdict.source, verdict.target)]
    said = f"{', '.join(verdict.links)}: {ends[0]} {verdict.type} {ends[1]}"
    others = dict.fromkeys(link for proof in verdict.proof for link in proof.links)
    reason = f"excluded by {', '.join(others)} of the gold" if others else "excluded by itself"
    sentences = "<br>".join(map(quote, quote_sentences(own, [verdict.source, verdict.target])))
    return f"<li>{quote(said)}; {quote(reason)}<p class=note>{sentences}</p></li>"


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, raw: bool = False
) -> Iterator[str]:
    """A table; the cells of a ``raw`` one are HTML, and its last column is words."""
    yield '<div class="wide" tabindex="0"><table><thead><tr>'
    for place, head in enumerate(heads):
        words = place == 0 or (raw and place == len(heads) - 1)
        yield f'<th scope="col"{_LABEL if words else ""}>{quote(head)}</th>'
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = list(row) if raw else [quote(cell) for cell in row]
        yield f'<tr><th scope="row">{cells[0]}</th>'
        for place, cell in enumerate(cells[1:], 1):
            words = raw and place == len(cells) - 1
            yield f"<td{_LABEL if words else ''}>{cell}</td>"
        yield "</tr>"
    yield "</tbody></table></div>"
