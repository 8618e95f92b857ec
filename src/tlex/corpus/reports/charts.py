"""Charts as SVG, without scripts: bars, stacked bars, histograms.

Every chart has a title and a description for screen readers. The style sheet of the page has the
colours, light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from tlex.wording import clean

__all__ = ["draw_bars", "draw_histogram", "draw_shares"]

_WIDTH = 840
_BAR = 16
_GAP = 12
_LETTER = 6.6
_CAPITAL = 8.6
_TOP = 26


def draw_bars(
    name: str, title: str, rows: Sequence[tuple[str, Sequence[float]]], series: Sequence[str]
) -> str:
    """Draw horizontal bars, one for each series in each row, with their numbers."""
    most = max((value for _, values in rows for value in values), default=0) or 1
    label = _find_room(rows)
    room = _WIDTH - label - 60
    legend = series if len(series) > 1 else ()
    marks, top = _draw_legend(legend, label), _TOP if legend else 6
    for row, values in rows:
        middle = top + _BAR * len(values) / 2
        marks.append(_write(label - 8, middle, _cut(row, label), "end"))
        for number, value in enumerate(values):
            width = max(room * value / most, 1.5 if value else 0)
            marks.append(_block(label, top, width, _BAR - 2, number))
            marks.append(_write(label + width + 6, top + _BAR / 2 - 1, f"{value:,g}", "start"))
            top += _BAR
        top += _GAP
    described = "; ".join(
        f"{row}: {', '.join(f'{s} {v:,g}' for s, v in zip(series, values, strict=True))}"
        for row, values in rows
    )
    return _frame(name, title, described, top, marks)


def draw_shares(
    name: str, title: str, rows: Sequence[tuple[str, Sequence[int]]], series: Sequence[str]
) -> str:
    """Draw one bar of full width for each row, divided in proportion."""
    label = _find_room(rows)
    lines = len(_wrap(series, _WIDTH - label))
    marks, top = _draw_legend(series, label), _TOP + _BAR * (lines - 1)
    room = _WIDTH - label - 8
    described = []
    for row, values in rows:
        marks.append(_write(label - 8, top + 11, _cut(row, label), "end"))
        whole, at = sum(values) or 1, float(label)
        for number, value in enumerate(values):
            width = room * value / whole
            if value:
                share = f"{series[number]}: {value:,} ({100 * value / whole:.1f} %)"
                marks.append(_block(at, top, max(width - 1, 0.5), 22, number, share))
            at += width
        top += 22 + _GAP
        shares = (f"{s} {100 * v / whole:.1f} %" for s, v in zip(series, values, strict=True))
        described.append(f"{row}: {', '.join(shares)}")
    return _frame(name, title, "; ".join(described), top, marks)


def draw_histogram(
    name: str, title: str, rows: Sequence[tuple[str, Mapping[int, int]]], unit: str
) -> str:
    """Draw how often each number occurs, with one histogram below the other for each row."""
    largest = max((number for _, counts in rows for number in counts), default=0)
    step = max(1, -(-(largest + 1) // 48))
    bins = largest // step + 1
    label = _find_room(rows)
    room, height = _WIDTH - label - 12, 84
    wide = max(min(room / bins - 2, 40), 1)
    marks: list[str] = []
    top, described = 18.0, []
    for number, (row, counts) in enumerate(rows):
        sums = [0] * bins
        for value, count in counts.items():
            sums[value // step] += count
        most, base = max(sums, default=0) or 1, top + height
        marks.append(_write(label - 8, top + height / 2, _cut(row, label), "end"))
        for place, count in enumerate(sums):
            at = label + room * place / bins
            if count:
                tall = max(height * count / most, 1.5)
                said = f"{_range(place, step)} {unit}: {count:,} texts"
                marks.append(_block(at, base - tall, wide, tall, number % 2, said))
            if count == most and count not in sums[:place]:
                texts = "1 text" if count == 1 else f"{count:,} texts"
                marks.append(_write(at, top - 8, texts, "start", "small"))
            if not place % max(1, -(-bins // 12)):
                marks.append(_write(at + wide / 2, base + 11, str(place * step), "middle", "small"))
        line = f'x1="{label}" y1="{base:g}" x2="{_WIDTH - 12}" y2="{base:g}"'
        marks.append(f'<line class="axis" {line}/>')
        found = (f"{_range(place, step)}: {n}" for place, n in enumerate(sums) if n)
        described.append(f"{row}: {', '.join(found)}")
        top = base + 46
    marks.append(_write(label, top - 14, unit, "start", "small"))
    return _frame(name, title, "; ".join(described), top, marks)


def _frame(name: str, title: str, description: str, height: float, marks: Sequence[str]) -> str:
    head = (
        f'<svg id="{name}" class="chart" role="img" viewBox="0 0 {_WIDTH} {height:g}" '
        f'width="{_WIDTH}" height="{height:g}" aria-labelledby="{name}-title {name}-description">'
        f'<title id="{name}-title">{_quote(title)}</title>'
        f'<desc id="{name}-description">{_quote(description)}</desc>'
    )
    return head + "".join(marks) + "</svg>"


def _find_room(rows: Sequence[tuple[str, object]]) -> int:
    """The width of the column of names."""
    return min(_WIDTH // 2, max([60, *(round(_measure(row)) + 16 for row, _ in rows)]))


def _measure(words: str) -> float:
    """Estimate the width of words, in the units of a chart."""
    return sum(_CAPITAL if c.isupper() or c in "_+" else _LETTER for c in words)


def _draw_legend(series: Sequence[str], label: int) -> list[str]:
    marks = []
    for line, names in enumerate(_wrap(series, _WIDTH - label)):
        at, top = float(label), 4 + _BAR * line
        for number, name in names:
            marks.append(_block(at, top, 10, 10, number))
            marks.append(_write(at + 15, top + 5, name, "start", "small"))
            at += 32 + _measure(name)
    return marks


def _wrap(series: Sequence[str], room: float) -> list[list[tuple[int, str]]]:
    """The names of a legend, in as many lines as they need."""
    lines: list[list[tuple[int, str]]] = [[]]
    at = 0.0
    for number, name in enumerate(series):
        width = 32 + _measure(name)
        if lines[-1] and at + width > room:
            lines.append([])
            at = 0.0
        lines[-1].append((number, name))
        at += width
    return lines


def _block(x: float, y: float, width: float, height: float, number: int, said: str = "") -> str:  # noqa: PLR0913, PLR0917
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    title = f"<title>{_quote(said)}</title>" if said else ""
    return f'<rect class="s{number}" {place} rx="2">{title}</rect>'


def _write(x: float, y: float, words: str, anchor: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return (
        f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'dominant-baseline="central">{_quote(words)}</text>'
    )


def _range(place: int, step: int) -> str:
    return str(place * step) if step == 1 else f"{place * step} to {(place + 1) * step - 1}"


def _cut(words: str, room: float) -> str:
    kept = words
    while len(kept) > 1 and _measure(kept) > room - 12:
        kept = kept[:-1]
    return words if kept == words else kept[:-1] + "\u2026"


def _quote(words: str) -> str:
    return escape(clean(words))
