"""Readers of other packages, found by their entry point."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import tlex
from tlex.errors import NotRecognisedError, ReadError
from tlex.readers import FORMATS, list_formats, parse_all
from tlex.readers.recognition import _find_others

PLUGIN = Path(__file__).parents[1] / "data" / "plugin"
DIARY = "Dear diary\nI rose\nI ate\nI slept\n"


def install(folder: Path, points: dict[str, str], name: str = "tlex_diary") -> None:
    """Put down what an installer leaves of a package."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{key} = {value}" for key, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[tlex.readers]", *lines, ""]))


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    _find_others.cache_clear()
    yield tmp_path
    _find_others.cache_clear()


@pytest.fixture
def diary(site):
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    install(site, project["entry-points"]["tlex.readers"])
    (site / "tlex_diary.py").write_bytes((PLUGIN / "tlex_diary.py").read_bytes())


@pytest.mark.usefixtures("diary")
def test_a_format_of_another_package_is_recognised():
    document = tlex.parse(DIARY)

    assert [document.words(node) for node in document.nodes] == ["I rose", "I ate", "I slept"]
    assert tlex.extract(document).timelines[0].length == 6


@pytest.mark.usefixtures("diary")
def test_it_can_be_asked_for_by_name_and_is_listed():
    assert list(list_formats()) == [*FORMATS, "diary"]
    assert len(parse_all("x\na\nb\n", format="diary")[0].links) == 1
    with pytest.raises(NotRecognisedError, match="plain, diary"):
        tlex.parse("something else")


def test_without_the_package_nobody_knows_the_format():
    _find_others.cache_clear()
    with pytest.raises(NotRecognisedError):
        tlex.parse(DIARY)


def test_it_cannot_take_the_place_of_a_format_of_our_own(site):
    install(site, {"timeml": "nosuch:THING", "cat": "string:digits"})
    with pytest.warns(UserWarning, match="cannot be loaded"):
        assert list_formats() == FORMATS


def test_a_package_that_cannot_be_loaded_is_reported_and_harms_nobody(site):
    install(site, {"broken": "no_such_module:THING", "wrong": "math:pi"})

    with pytest.warns(UserWarning, match="cannot be loaded") as warnings:
        assert "broken" not in list_formats()

    assert len(warnings) == 2
    assert tlex.parse("<TimeML>x</TimeML>").text == "x"


def test_a_reader_that_fails_is_a_read_error(site):
    install(site, {"bad": "bad_reader:BAD"})
    (site / "bad_reader.py").write_text(
        "BAD = (lambda head: 'bad' in head, lambda *a, **k: 1 / 0)\n"
    )

    with pytest.raises(ReadError, match="the reader 'bad' failed: division by zero"):
        tlex.parse("this is bad")


def test_one_that_cannot_look_at_a_file_or_gives_nonsense_harms_nobody(site):
    (site / "odd_reader.py").write_text(
        "BAD = (lambda head: 1 / 0, lambda data, name, **options: ())\n"
        "ODD = (lambda head: True, lambda data, name, **options: ['x'])\n"
    )
    install(site, {"bad": "odd_reader:BAD"}, "bad")

    with (
        pytest.warns(UserWarning, match="the reader 'bad' cannot look at a file: division"),
        pytest.raises(NotRecognisedError),
    ):
        tlex.parse("something else")

    install(site, {"odd": "odd_reader:ODD"}, "odd")
    _find_others.cache_clear()
    with pytest.raises(ReadError, match="the reader 'odd' gave 'x', which is no document"):
        tlex.parse("something else", format="odd")
