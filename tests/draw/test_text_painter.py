"""The drawing shows what is there, within the width, and nothing steers the terminal."""

from __future__ import annotations

import pytest

import tlex

STORY = "examples/story.tml"


def draw(links, **options):
    texts = options.pop("texts", None)
    extra = {key: options.pop(key) for key in ("main",) if key in options}
    return tlex.draw.text(tlex.extract(tlex.from_links(links, texts=texts), **extra), **options)


def test_steps_go_down_the_page_with_the_words_of_what_begins_and_ends():
    text = draw([("e1", "BEFORE", "e2")], texts={"e1": "fell", "e2": "rose"})

    assert text.splitlines()[3:] == [
        "trunk (timeline 0): 2 events and times, 4 steps",
        "    1   begin fell (e1)",
        "    2   end   fell (e1)",
        "    3   begin rose (e2)",
        "    4   end   rose (e2)",
    ]


def test_points_that_are_equal_stand_on_one_step_with_an_equals_sign():
    text = draw([("e1", "IBEFORE", "e2")])

    assert "    2   end   e1\n      = begin e2\n" in text


def test_a_section_of_unknown_order_has_a_bar_at_its_side():
    links = [("a", "BEFORE", "b"), ("a", "BEFORE", "c"), ("b", "BEFORE", "d"), ("c", "BEFORE", "d")]

    lines = draw(links).splitlines()

    first = lines.index("┌─ order unknown: 4 points, 13 orders")
    last = lines.index("└─")
    assert all(line.startswith("│") for line in lines[first + 1 : last])
    assert not any(line.startswith("│") for line in lines[:first] + lines[last:])


def test_a_branch_hangs_from_the_event_that_introduces_it():
    text = draw([("a", "BEFORE", "b"), ("c", "BEFORE", "d"), ("a", "MODAL", "d")])

    lines = text.splitlines()
    place = lines.index("    1   begin a")
    assert lines[place + 1].endswith("MODAL (l3) to d (possible), branch (timeline 1) of 4 steps")
    assert lines[place + 2] == "          1   begin c (possible)"
    assert lines[place + 6] == "    2   end   a"


def test_every_timeline_is_drawn_once_even_if_slinks_go_in_circles():
    links = [("a", "BEFORE", "b"), ("c", "BEFORE", "d"), ("a", "MODAL", "c"), ("d", "MODAL", "b")]

    text = draw(links)

    for name in "abcd":
        assert sum(f"begin {name}" in line for line in text.splitlines()) == 1
    assert "on timeline 0" in text


def test_detached_timelines_and_lonely_ones_are_shown():
    text = draw([("a", "BEFORE", "b"), ("c", "BEFORE", "d")], main=["c"])

    assert "detached (timeline 0)" in text
    alone = tlex.extract(tlex.from_links([("a", "VAGUE", "b")]))
    assert tlex.draw.text(alone).splitlines()[-2:] == ["trunk, linked to nothing else", "  a, b"]


def test_a_conflict_names_its_links_and_the_chain():
    text = draw([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])

    assert "these 2 links cannot all hold:\n    l1   a BEFORE b\n    l2   b BEFORE a\n" in text
    assert "because a ends < b begins < b ends < a begins < a ends" in text
    assert "this link contradicts itself" in draw([("a", "BEFORE", "a")])


def test_of_very_many_contradictions_people_see_the_first_hundred():
    away = [("a", "BEFORE", f"e{n}") for n in range(130)]
    back = [(f"e{n}", "BEFORE", "a") for n in range(130)]

    text = draw([*away, *back])

    assert text.count("cannot all hold") == 100
    assert "contradiction 100: these 2 links" in text
    assert "\n  and 30 more contradictions, which --json lists\n" in text + "\n"


def test_of_a_very_long_contradiction_people_see_the_first_hundred_links():
    chain = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(1, 130)]

    text = draw([*chain, ("e130", "BEFORE", "e1")])

    assert "these 130 links cannot all hold" in text
    assert text.count("BEFORE") == 100
    assert "and 30 more links" in text
    assert "and so on for 160 more steps" in text.replace("\n            ", " ")


def test_problems_of_the_document_are_listed():
    assert "TLX103 TLINK l1 has relation 'BEFOR'" in draw([("a", "BEFOR", "b")])


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_asked(width):
    text = tlex.draw.text(tlex.extract(tlex.read(STORY)), width=width)

    widest = max(text.splitlines(), key=len)
    assert len(widest) <= width, widest


def test_a_narrow_page_has_more_lines_and_says_the_same():
    wide, narrow = (
        tlex.draw.text(tlex.extract(tlex.read(STORY)), width=width) for width in (80, 40)
    )

    assert narrow.split() == wide.split()
    assert "\ntrunk (timeline 0): 21 events and times,\n    23 steps\n" in narrow


def test_a_very_deep_nest_of_branches_stays_readable():
    links = [(f"e{i}", "MODAL", f"e{i + 1}") for i in range(3000)]

    text = draw(links)

    assert "e3000" in text
    assert max(map(len, text.splitlines())) <= 90


def test_words_from_a_file_cannot_steer_the_terminal():
    text = draw([("a\x1b[2J", "BEFORE", "b")], texts={"a\x1b[2J": "x\x9b31m\u202ey\r"})

    assert not any(c in text for c in "\x1b\x9b\u202e\r")


def test_colours_change_nothing_but_colours():
    result = tlex.extract(tlex.read(STORY))

    painted = tlex.draw.text(result, colour=True)

    assert "\x1b[" in painted
    plain = painted
    for code in ("1", "31", "33", "36", "2", "0"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert plain == tlex.draw.text(result)


def test_ascii_only_is_ascii_only():
    text = tlex.draw.text(tlex.extract(tlex.read(STORY)), ascii_only=True)

    assert text.isascii()


def test_wide_characters_count_twice():
    words = {f"e{i}": "漢字漢字漢字" for i in range(12)}
    links = [(f"e{i}", "SIMULTANEOUS", f"e{i + 1}") for i in range(11)]

    text = draw(links, texts=words)

    assert max(len(line) + sum(c in "漢字" for c in line) for line in text.splitlines()) <= 80


def test_an_empty_document_is_drawn_too():
    assert tlex.draw.text(tlex.extract(tlex.parse("<TimeML/>"))).endswith(
        "0 events and times, 0 trunk timelines, 0 branches, 0 sections of unknown order"
    )


def test_labels_are_words_ids_or_both():
    result = tlex.extract(tlex.read(STORY))

    drawn = {labels: tlex.draw.text(result, labels=labels) for labels in ("words", "ids", "both")}

    assert "begin snowed (ei1)" in drawn["both"]
    assert "begin snowed" in drawn["words"]
    assert "(ei1" not in drawn["words"]
    assert "begin ei1" in drawn["ids"]
    assert "snowed" not in drawn["ids"]
    assert drawn["both"] == tlex.draw.text(result)
    with pytest.raises(tlex.OptionError, match="choose from words, ids, both"):
        tlex.draw.text(result, labels="none")


DATED = """<TimeML>
<TIMEX3 tid="t1" type="DATE" value="1998-03-12">Thursday</TIMEX3>
<TIMEX3 tid="t2" type="DATE" value="1998-W12">next week</TIMEX3>
<EVENT eid="e1" class="OCCURRENCE">fell</EVENT> <EVENT eid="e2" class="OCCURRENCE">rose</EVENT>
<TLINK lid="l1" eventInstanceID="e1" relType="IS_INCLUDED" relatedToTime="t1"/>
<TLINK lid="l2" eventInstanceID="e2" relType="AFTER" relatedToEventInstance="e1"/>
{}
</TimeML>"""


def test_with_the_calendar_events_have_dates():
    result = tlex.extract(tlex.parse(DATED.format("")), calendar=True)

    lines = tlex.draw.text(result).splitlines()

    assert "    2   begin fell (e1; 12 Mar 1998)" in lines
    assert "│       begin rose (e2; 12 Mar 1998 or later)" in lines
    assert "    1   begin Thursday (t1, 1998-03-12)" in lines


def test_a_contradiction_shows_the_values():
    link = '<TLINK lid="l3" eventInstanceID="e1" relType="AFTER" relatedToTime="t2"/>'
    result = tlex.extract(tlex.parse(DATED.format(link)), calendar=True)

    text = " ".join(tlex.draw.text(result).split())

    assert "calendar:t1:t2 Thursday (t1) BEFORE next week (t2): 1998-03-12 is before" in text


@pytest.mark.parametrize("ascii_only", [False, True])
def test_what_hangs_in_a_section_stands_inside_its_frame(timebank, ascii_only: bool):  # noqa: FBT001
    bar = "|" if ascii_only else "│"
    foot = "+-" if ascii_only else "└─"
    framed = 0
    for name in ("wsj_0160.tml", "ABC19980114.1830.0611.tml", "AP900816-0139.tml"):
        drawn = tlex.draw.text(tlex.extract(timebank[name]), ascii_only=ascii_only).splitlines()
        inside = False
        for line in drawn:
            if "order unknown" in line and not line.startswith((" ", bar)):
                inside = True
            elif inside and line.startswith(foot):
                inside = False
            elif inside:
                framed += 1
                assert line.startswith(bar), line
    assert framed
