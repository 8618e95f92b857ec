"""Workflow commands: nothing from a file can end a property, a command or a line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from linted import found, only, whole
from msgspec.structs import replace

from tlex.lint.findings import Note
from tlex.lint.reports.github import write_command
from tlex.lint.rules import RULES

CYCLE = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1" weight="0"/>\n'


def read(command: str) -> tuple[str, dict[str, str], str]:
    """Read a command as the runner does."""
    head, _, message = command.removeprefix("::").partition("::")
    name, _, given_ = head.partition(" ")
    properties = dict(part.partition("=")[::2] for part in given_.split(","))

    def unescape(words: str) -> str:
        for code, character in (("0D", "\r"), ("0A", "\n"), ("3A", ":"), ("2C", ","), ("25", "%")):
            words = words.replace(f"%{code}", character)
        return words

    return name, {key: unescape(value) for key, value in properties.items()}, unescape(message)


def test_a_finding_is_one_command():
    finding = only(whole(CYCLE))

    name, properties, message = read(write_command(finding, "d/story.tml"))

    assert name == "error"
    assert properties == {
        "file": "d/story.tml",
        "line": "8",
        "col": "1",
        "endLine": "8",
        "endColumn": "87",
        "title": "TLX203 contradictory-cycle",
    }
    assert message.splitlines() == [finding.message, *(f"note: {n.message}" for n in finding.notes)]


def test_warnings_and_advice_have_commands_of_their_own():
    commands = [
        write_command(finding, "x")
        for code in ("TLX106", "TLX309")
        for finding in found(whole(RULES[code].example))
    ]

    assert [read(command)[0] for command in commands] == ["warning", "notice"]


def test_columns_of_several_lines_are_left_out():
    finding = only(whole(CYCLE.replace(" rel", "\nrel")))

    assert "endColumn" not in read(write_command(finding, "x"))[1]


def test_a_finding_without_a_place_has_none():
    finding = replace(only(whole(CYCLE)), line=None, column=None, end_line=None)

    assert set(read(write_command(finding, "x"))[1]) == {"file", "title"}


ANY = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n\r%:,"))


@given(path=st.text(), message=st.text())
def test_nothing_in_a_command_steers_a_terminal(path, message):
    command = write_command(replace(only(whole(CYCLE)), message=message), path)

    assert command.isprintable() or set(command) & {"\u200c", "\u200d"}


@given(path=ANY, message=ANY, note=ANY)
def test_any_words_come_out_as_they_went_in(path, message, note):
    finding = replace(only(whole(CYCLE)), message=message, notes=(Note(note),))

    command = write_command(finding, path)

    assert "\n" not in command
    assert "\r" not in command
    if not any(code in path + message + note for code in ("%0", "%2", "%3")):
        _, properties, text = read(command)
        assert properties["file"] == path
        assert text == f"{message}\nnote: {note}"
