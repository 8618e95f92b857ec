"""Findings as text: places, the source line with its carets, notes, the summary."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linted import check, whole

from tlex.lint.reports.text import show_findings, show_summary
from tlex.wording import measure, plain

LOOP = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToTime="t0"/>'


def shown(text: str | bytes, *select: str, **options) -> list[str]:
    return list(show_findings(check(text, *(select or ["TLX2"])), **options))


def excerpt(lines: list[str]) -> tuple[str, str]:
    """Give the source line and the carets of the first finding, without the margin."""
    return tuple(line.partition("| ")[2] for line in lines[2:4])


def marked(lines: list[str]) -> str:
    """Give what stands above the carets, column by column."""
    source, carets = excerpt(lines)
    first = len(carets) - len(carets.lstrip())
    columns = [cell for c in source for cell in [c, *[""] * (measure(c) - 1)] if measure(c)]
    return "".join(columns[first : len(carets)])


def test_a_finding_looks_like_this():
    text = whole('<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1"/>\n')

    assert shown(text) == [
        (
            'story.tml:6:1: TLX203 [contradictory-cycle] TLINK l1: "left" (ei1) BEFORE '
            '"came" (ei2) contradicts 2 other links'
        ),
        "  |",
        '6 | <TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstan…',
        "  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "  text: [New Year's Eve]:",
        "  text: Ann [left] before Bob [came].",
        '  note: TLINK l2: "came" (ei2) BEFORE "New Year\'s Eve" (t0), line 7',
        '  note: TLINK l3: "New Year\'s Eve" (t0) BEFORE "left" (ei1), line 8',
        '  note: contradiction 1: "came" (ei2) ends before "New Year\'s Eve" (t0) begins',
        '        (l2), "New Year\'s Eve" (t0) ends before "left" (ei1) begins (l3); so',
        '        "came" (ei2) begins before "left" (ei1) ends, but l1 says that "left"',
        '        (ei1) ends before "came" (ei2) begins',
        "",
    ]


@pytest.mark.parametrize("before", ["", "x" * 20, "x" * 500, "x" * 5000, "中" * 400, "\t" * 90])
@pytest.mark.parametrize("behind", ["", "y" * 20, "y" * 5000, "文" * 3000])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_long_line_is_cut_around_the_carets(before, behind, width):
    lines = shown(whole(f"{before}{LOOP}{behind}\n"), width=width)

    source, _ = excerpt(lines)
    assert measure(lines[2]) <= width
    assert marked(lines) == LOOP[: len(marked(lines))]
    assert len(marked(lines)) >= min(len(LOOP), width // 2 - 6)
    if not source.startswith("…"):
        assert source.startswith(before.replace("\t", " ") + LOOP[:8])
    if marked(lines) != LOOP:
        assert source.endswith("…")


@given(
    before=st.text(st.characters(codec="utf-8", categories=["L", "M", "Cf"]), max_size=30),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
def test_carets_stand_below_what_is_meant_in_any_script(before, encoding):
    text = whole(f"{before}{LOOP}\n").encode(encoding)

    assert marked(shown(text, width=250)) == LOOP


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_an_element_over_several_lines_is_marked_to_the_end_of_the_first(end):
    text = whole(f"words {LOOP}\n").replace('" relType', '"  \n relType').replace("\n", end)

    assert excerpt(shown(text)) == ('words <TLINK lid="l3"', "      ^^^^^^^^^^^^^^^")


def test_a_byte_order_mark_takes_no_room():
    lines = shown("\ufeff<TimeML><TIMEX3 tid='t1' type='DATE' value='2019'/></TimeML>", "TLX112")

    assert excerpt(lines) == ("<TimeML><TIMEX3 tid='t1' type='DATE' value='2019'/></TimeML>", "^")


def test_nothing_from_a_file_steers_the_terminal():
    text = whole(f"a\x9bb\u202ec\u2028d{LOOP}\n").replace("New", "New\x9b31m\u202e")

    for line in shown(text, "ALL"):
        assert line.isprintable()
    assert marked(shown(text)) == LOOP


def test_colours_are_added_on_request_and_change_nothing_else():
    text = whole(f"{'x' * 300}{LOOP}\n")

    colourful = shown(text, "ALL", colour=True)

    assert any("\x1b[31;1m" in line for line in colourful)
    assert [plain(line) for line in colourful] == shown(text, "ALL")


def test_ascii_will_do():
    lines = shown(whole(f"{'中' * 100}{LOOP}é{'x' * 100}\n"), ascii_only=True)

    assert all(line.isascii() for line in lines)
    assert excerpt(lines)[0].startswith("...????")
    assert marked(lines) == LOOP[: len(marked(lines))]


def test_notes_keep_within_the_width():
    lines = shown(whole(f"{LOOP}\n"), width=50)

    notes = [line for line in lines if re.match(r"  note|        \S", line)]
    assert len(notes) > 1
    assert max(map(len, notes)) <= 50


def test_the_summary_counts_documents_and_rules():
    assert list(show_summary(183, 65, {"TLX202": 40, "TLX105": 1_003}, hidden=2)) == [
        "65 of 183 documents contradictory",
        (
            "1,003 TLX105 instance-without-event: "
            "a MAKEINSTANCE is of an event that the document does not define"
        ),
        "   40 TLX202 contradictory-pair: two links contradict each other",
        "2 findings are in the baseline and not shown",
    ]
    assert list(show_summary(1, 0, {})) == ["0 of 1 documents contradictory"]


def test_a_finding_about_links_shows_the_sentences_of_their_ends():
    text = whole(
        f"Then he, {'who had been late for years, ' * 12}"
        '<EVENT eid="e3">slept</EVENT> \u4e2d.\n<MAKEINSTANCE eiid="ei3" eventID="e3"/>\n'
        '<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei3" relatedToEventInstance="ei3"/>'
    )

    lines = [line for line in shown(text, width=60) if line.startswith(("  text: ", " " * 8))]
    plainly = shown(text, width=60, ascii_only=True)

    assert lines[0].startswith("  text: \u2026 been late for years, who")
    assert "[slept] \u4e2d." in next(line for line in lines if "slept" in line)
    assert len([line for line in plainly if line.startswith("  text: ... been late")]) == 1
    assert all(line.isascii() for line in plainly)


def test_a_finding_without_links_shows_no_sentence():
    assert not [
        line for line in shown(whole("<EVENT eid='e9'>x</EVENT>"), "ALL") if "text:" in line
    ]


def test_of_a_long_cycle_a_few_sentences_are_shown():
    numbers = range(10, 20)
    events = "".join(f'It <EVENT eid="e{n}">rang</EVENT>.\n' for n in numbers)
    instances = "".join(f'<MAKEINSTANCE eiid="ei{n}" eventID="e{n}"/>\n' for n in numbers)
    links = "".join(
        f'<TLINK lid="l{n}" relType="BEFORE" eventInstanceID="ei{n}" '
        f'relatedToEventInstance="ei{10 + (n - 9) % 10}"/>\n'
        for n in numbers
    )

    lines = [line for line in shown(whole(events + instances + links)) if "  text:" in line]

    assert lines == [*["  text: It [rang]."] * 6, "  text: and 4 more sentences"]
