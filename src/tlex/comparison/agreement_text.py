"""Agreement for people: a table of figures, then the documents and what to talk about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from tlex.comparison.agreements import Agreement, AgreementFigures, DocumentAgreement, Place
from tlex.wording import clean, count, fit, measure

__all__ = ["show_agreement"]

_HEADS = ("expressions", "orders", "equal", "kappa")
_COLUMN = 12
_NARROW = 20


def show_agreement(agreement: Agreement, width: int = 80, places: int = 5) -> Iterator[str]:
    """Give the agreement in lines; ``places`` is how many places of a document are shown."""
    names = [clean(one.name) for one in agreement.documents]
    names += [_name(figures) for figures in agreement.pairs]
    longest = max(map(measure, names), default=0)
    left = width - len(_HEADS) * _COLUMN
    room = min(max(longest + 2, _NARROW), left) if left >= _NARROW else 0
    yield from _list_row(room, "", _HEADS, width)
    for figures in agreement.pairs:
        yield from _list_row(room, _name(figures), _list_cells(figures), width)
    if len(agreement.annotators) > 2:  # noqa: PLR2004
        yield from _list_row(room, "together", _list_cells(agreement.together), width)
        units = sum(len(unit) > 1 for one in agreement.documents for unit in one.units)
        alpha = "none" if agreement.alpha is None else f"{agreement.alpha:.3f}"
        yield f"Krippendorff's alpha over {count(units, 'pair')}: {alpha}"
    opposite = agreement.together.opposite_orders
    if opposite:
        yield f"{count(opposite, 'order')} of end points opposite"
    for one in agreement.documents:
        yield ""
        yield from _list_row(room, clean(one.name), _list_cells(one.together), width)
        yield from _list_places(one, width, places)


def _list_places(one: DocumentAgreement, width: int, most: int) -> Iterator[str]:
    for name, side in zip(one.annotators, one.sides, strict=True):
        if not side.consistent:
            yield f"  {clean(name)} contradicts itself"
    for place in one.places[:most]:
        yield from _say_place(place, width)
    left = len(one.places) - most
    if left > 0:
        yield f"  and {count(left, 'more place', 'more places')} to talk about"


def _say_place(place: Place, width: int) -> Iterator[str]:
    if place.target is None:
        marked = [clean(name) for name, label in place.labels.items() if label is not None]
        yield fit(f"  only {' and '.join(marked)}: {place.source}", width)
    else:
        words = f"{place.kind}: {place.source} and {place.target}"
        yield from (f"  {line}" for line in _wrap(words, width - 2))
        said = [
            f"{clean(name)}: {clean(label) if label else 'nothing'}"
            for name, label in place.labels.items()
        ]
        yield from (f"    {line}" for line in _wrap("; ".join(said), width - 4))
    for sentence in place.sentences:
        yield from (f"    | {line}" for line in _wrap(sentence, width - 6))


def _name(figures: AgreementFigures) -> str:
    return clean(" and ".join(figures.annotators))


def _list_cells(figures: AgreementFigures) -> list[str]:
    shares = figures.expressions, figures.orders, figures.equal
    cells = ["-" if share is None else f"{100 * share:.1f}" for share in shares]
    return [*cells, "-" if figures.kappa is None else f"{figures.kappa:.3f}"]


def _list_row(room: int, name: str, cells: Sequence[str], width: int) -> Iterator[str]:
    """Give a row of the table; without room for the name, it has a line of its own."""
    if name and not room:
        yield fit(name, width)
    shown = fit(name, room) if room else ""
    column = _COLUMN if room else min(_COLUMN, max(width // len(_HEADS), 1))
    blank = " " * (room - measure(shown))
    yield (shown + blank + "".join(f"{cell:>{column}}" for cell in cells)).rstrip()


def _wrap(words: str, width: int) -> list[str]:
    return wrap(words, max(width, _NARROW), break_on_hyphens=False) or [""]
