"""Configuration: what a file may say, and what is reported when it says something else."""

from __future__ import annotations

import pytest

from tlex.errors import OptionError
from tlex.lint.configuration import Configuration, parse_configuration

FULL = b"""
select = ["TLX1", "unlinked"]
ignore = ["TLX112"]
links = ["tlink"]
times = "point"
calendar = true
baseline = "known.json"
severity = {TLX106 = "error"}
"""


def test_every_key_is_read():
    assert parse_configuration(FULL, "tlex.toml") == Configuration(
        select=["TLX1", "unlinked"],
        ignore=["TLX112"],
        links=["tlink"],
        times="point",
        calendar=True,
        baseline="known.json",
        severity={"TLX106": "error"},
    )


def test_an_empty_file_says_nothing():
    assert parse_configuration(b"", "tlex.toml") == Configuration()
    assert parse_configuration(b"\xef\xbb\xbf# nothing", "tlex.toml") == Configuration()


def test_a_table_is_found_inside_another_file():
    inside = ("tool", "tlex")

    assert parse_configuration(b"[tool.ruff]\nx = 1", "p", inside=inside) is None
    assert parse_configuration(b"tool = 3", "p", inside=inside) is None
    assert parse_configuration(b"[tool.tlex]\ntimes = 'point'", "p", inside=inside) == (
        Configuration(times="point")
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"selct = []", "tlex.toml: unknown key 'selct'; did you mean 'select'"),
        (b"zzz = 1", "tlex.toml: unknown key 'zzz'; choose from select, ignore"),
        (b"select = 'TLX1'", "tlex.toml: select is 'TLX1', not a list of words"),
        (b"ignore = [1]", "tlex.toml: ignore is [1], not a list of words"),
        (b"calendar = 'yes'", "tlex.toml: calendar is 'yes', not true or false"),
        (b"times = 3", "tlex.toml: times is 3, not a word"),
        (b"severity = ['x']", "tlex.toml: severity is ['x'], not a table of words"),
        (b"severity = {a = 1}", "tlex.toml: severity is {'a': 1}, not a table of words"),
        (b"a = 1\nselect = [", "tlex.toml: not TOML: "),
        (b"a = 1\n\nselect 3\n", "tlex.toml:3:8: not TOML: "),
        (b"a = '\xff'", "tlex.toml: not UTF-8: "),
        (b"a = " + b"[" * 100_000, "tlex.toml: not TOML: "),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_key(content, message):
    with pytest.raises(OptionError) as caught:
        parse_configuration(content, "tlex.toml")

    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_key_of_a_table_is_named_in_full():
    with pytest.raises(OptionError, match=r"p: unknown key 'tool.tlex.x'"):
        parse_configuration(b"[tool.tlex]\nx = 1", "p", inside=("tool", "tlex"))
    with pytest.raises(OptionError, match=r"p: tool.tlex is not a table"):
        parse_configuration(b"tool.tlex = 1", "p", inside=("tool", "tlex"))
