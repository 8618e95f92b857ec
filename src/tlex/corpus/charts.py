"""Charts as SVG: bars, stacked bars, histograms. Plain marks, classes for colours, no script.

Every chart has a title and a description for those who cannot see it; the page's style has the
colours, for light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from tlex.screen import clean

__all__ = ["draw_bars", "draw_histogram", "draw_shares"]

_WIDTH = 720
_LABEL = 190
_BAR = 16
_GAP = 12
_LETTER = 6.6
_TOP = 26


def draw_bars(
    name: str, title: str, rows: Sequence[tuple[str, Sequence[float]]], series: Sequence[str]
) -> str:
    """Draw horizontal bars, one for each series in each row, with their numbers."""
    most = max((value for _, values in rows for value in values), default=0) or 1
    label = min(_WIDTH // 2, max([_LABEL, *(round(_LETTER * len(row)) + 16 for row, _ in rows)]))
    room = _WIDTH - label - 60
    legend = series if len(series) > 1 else ()
    marks, top = _draw_legend(legend), _TOP if legend else 6
    for row, values in rows:
        middle = top + _BAR * len(values) / 2
        marks.append(_write(label - 8, middle, _cut(row, label), "end"))
        for number, value in enumerate(values):
            width = max(room * value / most, 1.5 if value else 0)
            marks.append(_block(label, top, width, _BAR - 2, number))
            marks.append(_write(label + width + 6, top + _BAR / 2 - 1, f"{value:,g}", "start"))
            top += _BAR
        top += _GAP
    told = "; ".join(
        f"{row}: {', '.join(_tell(series, number, value) for number, value in enumerate(values))}"
        for row, values in rows
    )
    return _frame(name, title, told, top, marks)


def draw_shares(
    name: str, title: str, rows: Sequence[tuple[str, Sequence[int]]], series: Sequence[str]
) -> str:
    """Draw one bar of full width for each row, divided in proportion."""
    marks, top = _draw_legend(series), _TOP + _BAR * (len(_wrap(series)) - 1)
    room = _WIDTH - _LABEL - 8
    told = []
    for row, values in rows:
        marks.append(_write(_LABEL - 8, top + 11, _cut(row, _LABEL), "end"))
        whole, at = sum(values) or 1, float(_LABEL)
        for number, value in enumerate(values):
            width = room * value / whole
            if value:
                share = f"{series[number]}: {value:,} ({100 * value / whole:.1f} %)"
                marks.append(_block(at, top, max(width - 1, 0.5), 22, number, share))
            at += width
        top += 22 + _GAP
        shares = (f"{s} {100 * v / whole:.1f} %" for s, v in zip(series, values, strict=True))
        told.append(f"{row}: {', '.join(shares)}")
    return _frame(name, title, "; ".join(told), top, marks)


def draw_histogram(
    name: str, title: str, rows: Sequence[tuple[str, Mapping[int, int]]], unit: str
) -> str:
    """Draw how often each number occurs, one above the other for several rows."""
    largest = max((number for _, counts in rows for number in counts), default=0)
    step = max(1, -(-(largest + 1) // 48))
    bins = largest // step + 1
    room, height = _WIDTH - _LABEL - 20, 84
    marks: list[str] = []
    top, told = 6.0, []
    for number, (row, counts) in enumerate(rows):
        sums = [0] * bins
        for value, count in counts.items():
            sums[value // step] += count
        most = max(sums, default=0) or 1
        marks.append(_write(_LABEL - 8, top + height / 2, _cut(row, _LABEL), "end"))
        for place, count in enumerate(sums):
            if count:
                tall = max(height * count / most, 1.5)
                at = _LABEL + room * place / bins
                wide = max(min(room / bins - 2, 40), 1)
                said = f"{_range(place, step)} {unit}: {count:,} texts"
                marks.append(_block(at, top + height - tall, wide, tall, number % 2, said))
        base = top + height
        marks.append(
            f'<line class="axis" x1="{_LABEL}" y1="{base:g}" x2="{_WIDTH - 12}" y2="{base:g}"/>'
        )
        every = max(1, -(-bins // 12))
        for place in range(0, bins, every):
            at = _LABEL + room * place / bins + min(room / bins - 2, 40) / 2
            marks.append(_write(at, base + 11, str(place * step), "middle", "small"))
        said = ", ".join(
            f"{_range(place, step)}: {count}" for place, count in enumerate(sums) if count
        )
        told.append(f"{row}: {said}")
        top = base + 34
    marks.append(_write(_LABEL, top - 8, unit, "start", "small"))
    return _frame(name, title, "; ".join(told), top + 6, marks)


def _frame(name: str, title: str, told: str, height: float, marks: Sequence[str]) -> str:
    head = (
        f'<svg id="{name}" class="chart" role="img" viewBox="0 0 {_WIDTH} {height:g}" '
        f'width="{_WIDTH}" height="{height:g}" aria-labelledby="{name}-title {name}-told">'
        f'<title id="{name}-title">{_quote(title)}</title>'
        f'<desc id="{name}-told">{_quote(told)}</desc>'
    )
    return head + "".join(marks) + "</svg>"


def _draw_legend(series: Sequence[str]) -> list[str]:
    marks = []
    for line, names in enumerate(_wrap(series)):
        at, top = float(_LABEL), 4 + _BAR * line
        for number, name in names:
            marks.append(_block(at, top, 10, 10, number))
            marks.append(_write(at + 15, top + 5, name, "start", "small"))
            at += 32 + _LETTER * len(name)
    return marks


def _wrap(series: Sequence[str]) -> list[list[tuple[int, str]]]:
    """The names of a legend, in as many lines as they need."""
    lines: list[list[tuple[int, str]]] = [[]]
    at = 0.0
    for number, name in enumerate(series):
        width = 32 + _LETTER * len(name)
        if lines[-1] and at + width > _WIDTH - _LABEL:
            lines.append([])
            at = 0.0
        lines[-1].append((number, name))
        at += width
    return lines


def _block(x: float, y: float, width: float, height: float, number: int, said: str = "") -> str:  # noqa: PLR0913, PLR0917
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    told = f"<title>{_quote(said)}</title>" if said else ""
    return f'<rect class="s{number}" {place} rx="2">{told}</rect>'


def _write(x: float, y: float, words: str, anchor: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return (
        f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'dominant-baseline="central">{_quote(words)}</text>'
    )


def _tell(series: Sequence[str], number: int, value: float) -> str:
    return f"{series[number]} {value:,g}"


def _range(place: int, step: int) -> str:
    return str(place * step) if step == 1 else f"{place * step} to {(place + 1) * step - 1}"


def _cut(words: str, room: float) -> str:
    most = max(4, int((room - 12) / _LETTER))
    return words if len(words) <= most else words[: most - 1] + "\u2026"


def _quote(words: str) -> str:
    return escape(clean(words))
