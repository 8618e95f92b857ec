"""The PNG is the SVG in png_painter, with letters on every machine."""

from __future__ import annotations

import math
import re
import struct
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import tlex
from tlex.draw import png_painter
from tlex.draw.text_width import room
from tlex.errors import OptionError

FONTS = Path(find_spec("font_source_sans_pro").submodule_search_locations[0]) / "files"


def result_of(**texts):
    return tlex.extract(tlex.from_links([("a", "BEFORE", "b")], texts=texts))


def size_of(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def test_it_has_the_size_of_the_svg_times_the_scale():
    result = result_of()
    drawn = tlex.draw.svg(result)

    once, twice = (size_of(tlex.draw.png(result, scale=scale)) for scale in (1, 2))

    wide, high = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', drawn).groups())
    assert once == (math.ceil(wide), math.ceil(high))
    assert twice == (math.ceil(2 * wide), math.ceil(2 * high))


def test_letters_are_drawn_without_any_font_of_the_machine():
    one, other = result_of(a="WWW"), result_of(a="mmm")  # as wide, by the estimate

    assert not png_painter.LACKING.search(tlex.draw.svg(one))
    assert tlex.draw.png(one) != tlex.draw.png(other)
    assert tlex.draw.png(one) == tlex.draw.png(one)


@pytest.mark.parametrize("name", ["Regular", "Bold"])
def test_the_font_has_every_letter_that_is_said_to_be_in_it(name):
    known = TTFont(FONTS / f"SourceSansPro-{name}.ttf").getBestCmap()

    lacking = [
        chr(code)
        for code in range(32, 0x3000)
        if not png_painter.LACKING.match(chr(code)) and code not in known
    ]

    assert lacking == []
    assert png_painter.LACKING.match("夜")


def test_no_letter_is_wider_than_it_is_thought_to_be():
    font = TTFont(FONTS / "SourceSansPro-Regular.ttf")
    known, widths = font.getBestCmap(), font["hmtx"]
    em = font["head"].unitsPerEm

    for code in range(32, 0x530):
        if chr(code).isprintable() and code in known:
            assert widths[known[code]][0] / em * 12 <= room(chr(code)) + 1e-9, chr(code)


def test_for_a_very_large_picture_svg_is_recommended():
    with pytest.raises(OptionError, match=r"too large for a PNG; draw it as SVG"):
        png_painter.choose_scale('<svg width="1400000" height="358">', 2)


def test_a_large_picture_has_fewer_pixels_to_a_step():
    assert 1 <= png_painter.choose_scale('<svg width="48000" height="358">', 2) < 2
    assert png_painter.choose_scale(tlex.draw.svg(result_of()), 2) == 2


@pytest.mark.parametrize(("width", "height"), [(7_870, 11_158), (16_000, 19_000)])
def test_a_very_large_picture_has_fewer_pixels_than_the_svg(width, height):
    scale = png_painter.choose_scale(f'<svg width="{width}" height="{height}">', 2)

    assert 0.5 <= scale < 1
    assert scale**2 * width * height == pytest.approx(80_000_000)


def test_a_scale_is_a_number_above_0():
    with pytest.raises(OptionError, match="scale of a PNG cannot be 0"):
        tlex.draw.png(result_of(), scale=0)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(OptionError, match=r"pip install 'tlex\[png\]'"):
        tlex.draw.png(result_of())


def test_without_the_font_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(png_painter, "find_spec", lambda _: None)

    with pytest.raises(
        OptionError, match=r"needs a font; install it with: pip install 'tlex\[png\]'"
    ):
        tlex.draw.png(result_of())
