"""The colours and fonts of the picture, as the style sheet inside the SVG.

Every rule applies only inside the picture's own class, so that it does not change a page that
contains the picture. There are no CSS variables, because not every SVG renderer knows them.
Therefore the colours of the dark theme are a second set of rules, made from the same list.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["COLOURS", "make_style"]

COLOURS = {
    "paper": ("#ffffff", "#14181f"),
    "ink": ("#1d2733", "#e7ebf0"),
    "soft": ("#5b6673", "#9fabb9"),
    "line": ("#aab4bf", "#566170"),
    "faint": ("#e9edf1", "#232a34"),
    "event": ("#0072b2", "#56b4e9"),
    "event-pale": ("#d3e8f5", "#173a52"),
    "time": ("#00744f", "#63d68b"),
    "time-pale": ("#d2ece2", "#123f33"),
    "open": ("#fbeccb", "#3d3115"),
    "open-line": ("#efd08a", "#5c4a1e"),
    "open-ink": ("#7a5200", "#f0c060"),
    "branch": ("#8e3b74", "#e5a5cd"),
    "date": ("#c6e6d8", "#1c5040"),
    "date-pale": ("#e3f3ec", "#153a30"),
    "bad": ("#b84700", "#ff9557"),
    "bad-pale": ("#fdf0e8", "#33201a"),
    "good": ("#00744f", "#63d68b"),
    "on": ("#ffffff", "#10151b"),
}
"""By purpose: the colour of the light theme, and of the dark theme."""

# Selectors, property, colour.
_PAINT = (
    (".paper", "fill", "paper"),
    ("text", "fill", "ink"),
    (".facts, .step, .title, .legend text", "fill", "soft"),
    (".name", "fill", "ink"),
    (".axis", "stroke", "line"),
    (".grid", "stroke", "faint"),
    (".gap path", "stroke", "line"),
    (".foot", "stroke", "time"),
    (".flag rect", "fill", "open"),
    (".open-line", "stroke", "open-line"),
    (".tray rect", "fill", "paper"),
    (".tray.loose rect", "stroke", "open-ink"),
    (".tray.unconnected rect, .tray path", "stroke", "line"),
    (".tray.loose text", "fill", "open-ink"),
    (".tray.others text, .tray.branches text, .tray.unconnected text", "fill", "soft"),
    (".band text", "fill", "open-ink"),
    (".event rect, .event .whisker, .event .point", "stroke", "event"),
    (".time rect, .time .whisker, .time .point", "stroke", "time"),
    (".event.solid rect, .event.solid .point", "fill", "event"),
    (".time.solid rect, .time.solid .point", "fill", "time"),
    (".event.pale rect, .event.pale .point", "fill", "event-pale"),
    (".outlined rect, .outlined .point", "fill", "paper"),
    (".solid.on text", "fill", "on"),
    (".bar.solid.time .value", "fill", "time"),
    (".title, .hatched.on text, .crossed .beside text", "stroke", "paper"),
    (".band text", "stroke", "open"),
    (".band.beside text", "stroke", "paper"),
    (".title.bad", "stroke", "bad-pale"),
    (".hatch-paper", "fill", "paper"),
    (".hatch-line", "stroke", "event"),
    (".connector path", "stroke", "branch"),
    (".connector .tip, .connector text", "fill", "branch"),
    (".chip rect", "stroke", "bad"),
    (".left-out path", "stroke", "bad"),
    (".left-out .tip, .left-out text", "fill", "bad"),
    (".broken", "fill", "bad-pale"),
    (".title.bad, .caption, text.link", "fill", "bad"),
    (".track", "stroke", "bad"),
    (".ring .under", "fill", "bad-pale"),
    ("rect.node", "fill", "paper"),
    ("rect.node", "stroke", "bad"),
    (".ring .tip", "fill", "bad"),
    ("rect.verdict.good", "fill", "good"),
    ("rect.verdict.bad", "fill", "bad"),
    ("text.verdict", "fill", "on"),
)

_DATES = (
    (".in-date", "fill", "date-pale"),
    (".date rect", "fill", "date"),
    (".date.undated rect", "stroke", "line"),
    (".date text", "fill", "ink"),
    (".date.undated text", "fill", "soft"),
    (".date.undated text", "stroke", "paper"),
    (".undated-paper", "fill", "paper"),
    (".undated-line", "stroke", "line"),
    (".start path", "stroke", "time"),
    (".start text", "fill", "time"),
    (".start text", "stroke", "paper"),
)
_STRANDS = (
    (".strand rect", "stroke", "branch"),
    (".strand text", "fill", "branch"),
)
_LINES = (
    (".event .torn", "stroke", "event"),
    (".time .torn", "stroke", "time"),
    (".event.solid .torn", "fill", "event"),
    (".time.solid .torn", "fill", "time"),
    (".event.pale .torn", "fill", "event-pale"),
    (".outlined .torn", "fill", "paper"),
    (".date .torn", "fill", "date"),
    (".date.undated .torn", "stroke", "line"),
    (".strand .torn", "stroke", "branch"),
)

_FONTS = '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif'
_SMALL = (
    ".title, .value, .link, .band text, .tray text, .connector text, .caption, .legend text, "
    "text.verdict, .left-out text"
)

# Selectors, and the declarations that do not depend on the theme.
_SHAPE = (
    (".name", "font-size: 17px; font-weight: bold"),
    (".facts", "font-size: 11.5px"),
    (_SMALL, "font-size: 11px"),
    (".step", "font-size: 11px; text-anchor: middle"),
    (
        "text.verdict, text.node, text.link, .chip text, .connector text, text.tag",
        "text-anchor: middle",
    ),
    ("text.verdict, .caption, .needed, .title, .tag, .legend .head", "font-weight: bold"),
    (".axis, .grid, .gap path, .foot, .whisker, .connector path, .track", "fill: none"),
    (".axis, .whisker", "stroke-width: 1.2"),
    (".gap path", "stroke-width: 1.2; stroke-dasharray: 2 4; stroke-linecap: round"),
    (".foot", "stroke-width: 1; stroke-dasharray: 2 2; stroke-opacity: 0.6"),
    (".bar rect, .point, .connector path", "stroke-width: 1.3"),
    (
        ".title, .band text, .hatched.on text, .crossed .beside text",
        "stroke-width: 4; stroke-linejoin: round; paint-order: stroke",
    ),
    (".hatched rect, .hatched .point", "fill: url(#tlex-hatch)"),
    (".band rect", "fill: url(#tlex-open)"),
    (".tray rect", "stroke-width: 1.2; stroke-dasharray: 5 4"),
    (".tray path", "fill: none; stroke-width: 1.2"),
    (".tray text", "font-weight: bold"),
    (".pointing path", "stroke-dasharray: 4 3; stroke-opacity: 0.75"),
    (".far path", "stroke-opacity: 0.6"),
    (".connector .tip", "stroke: none"),
    (".track", "stroke-width: 2"),
    ("rect.node", "stroke-width: 1.5"),
    (".chip rect", "stroke-width: 1.6"),
    (".left-out path", "fill: none; stroke-width: 1.8; stroke-dasharray: 6 4"),
    (".left-out .tip", "stroke: none"),
)

_DATE_SHAPES = (
    (".date text, .start text", "font-size: 11px"),
    (".date text", "font-weight: bold"),
    (".date.undated text", "font-weight: normal"),
    (".date.undated rect", "fill: url(#tlex-undated); stroke-width: 0.6"),
    (".start path", "fill: none; stroke-width: 1.4"),
    (
        ".start text, .date.undated text",
        "stroke-width: 3; stroke-linejoin: round; paint-order: stroke",
    ),
)
_STRAND_SHAPES = (
    (".strand rect", "fill: none; stroke-width: 1.2; stroke-opacity: 0.55"),
    (".strand text", "font-size: 11px; font-weight: bold"),
)
_LINE_SHAPES = (
    (".bar .torn", "stroke-width: 1.3"),
    (".hatched .torn", "fill: url(#tlex-hatch)"),
    (".band .torn", "fill: url(#tlex-open)"),
    (".date.undated .torn", "fill: url(#tlex-undated); stroke-width: 0.6"),
    (".strand .torn", "fill: none; stroke-width: 1.2; stroke-opacity: 0.55"),
)
_UNDATED = (
    '<defs><pattern id="tlex-undated" width="5" height="5" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(-45)"><rect class="undated-paper" width="5" height="5"/>'
    '<path class="undated-line" d="M0 0V5" stroke-width="1"/></pattern></defs>'
)

_HATCH = (
    '<defs><pattern id="tlex-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect class="hatch-paper" width="6" height="6"/>'
    '<path class="hatch-line" d="M0 0V6" stroke-width="2"/></pattern>'
    '<pattern id="tlex-open" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(-45)"><path class="open-line" d="M0 0V7" stroke-width="1.6"/>'
    "</pattern></defs>"
)


def _tie(selectors: str, declarations: str) -> str:
    tied = ", ".join(f".tlex {selector}" for selector in selectors.split(", "))
    return f"{tied} {{ {declarations} }}"


def _paint(which: int, rules: Iterable[tuple[str, str, str]]) -> str:
    return "\n".join(
        _tie(selectors, f"{what}: {COLOURS[colour][which]}") for selectors, what, colour in rules
    )


def make_style(
    theme: str = "auto", *, dates: bool = False, strands: bool = False, lines: bool = False
) -> str:
    """Make the style element and the hatching patterns that it refers to.

    ``theme`` is *light*, *dark*, or *auto*, which follows the reader's settings. ``dates``,
    ``strands`` and ``lines`` add what a picture with a calendar, with branches on a common axis,
    and with timelines in several lines needs.
    """
    given = (
        (dates, _DATES, _DATE_SHAPES),
        (strands, _STRANDS, _STRAND_SHAPES),
        (lines, _LINES, _LINE_SHAPES),
    )
    paint = [*_PAINT, *(rule for wanted, rules, _ in given if wanted for rule in rules)]
    shape = [*_SHAPE, *(rule for wanted, _, rules in given if wanted for rule in rules)]
    rules = [_paint(theme == "dark", paint)]
    if theme == "auto":
        rules += ["@media screen and (prefers-color-scheme: dark) {", _paint(1, paint), "}"]
    return "\n".join(
        (
            "<style>",
            f".tlex {{ direction: ltr; font-family: {_FONTS}; font-size: 12px }}",
            *(_tie(selectors, declarations) for selectors, declarations in shape),
            *rules,
            "</style>",
            _HATCH + (_UNDATED if dates else ""),
        )
    )
