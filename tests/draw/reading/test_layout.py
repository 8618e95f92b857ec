"""What stands where in the reading view, and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

import tlex
from tlex.draw.reading.layout import lay_out_reading, list_nodes
from tlex.draw.reading.parts import Group, Reading, Row

EXAMPLES = Path(__file__).parents[3] / "examples"


def outline(reading: Reading) -> list[str]:
    """Write a view as lines: titles, and the words of items, by their depth."""
    lines: list[str] = []

    def add(group: Group, depth: int) -> None:
        if group.title:
            lines.append("  " * depth + ("" if group.settled else "? ") + group.title)
        for part in group.parts:
            if isinstance(part, Group):
                add(part, depth + 1)
                continue
            words = [reading.items[node].phrase.words for node in part.nodes]
            lines.append("  " * (depth + 1) + "- " + " = ".join(words))
            for node in part.nodes:
                for box in reading.items[node].boxes:
                    lines.append("  " * (depth + 2) + f"[{box.title}]")
                    add(box.group, depth + 2)

    for group in reading.groups:
        add(group, 0)
    return lines


def read(*links: tuple[str, str, str]) -> Reading:
    return lay_out_reading(tlex.extract(tlex.from_links(links)))


def test_the_story_reads_from_top_to_bottom():
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True)

    reading = lay_out_reading(result)

    assert reading.summary == (
        "21 events, 31 December 2019 to 1 January 2020; 15 dated; the order of 2 is not known."
    )
    assert outline(reading) == [
        "  before 31 December 2019, 23:00",
        "    - ninety years = ticking",
        "  31 December 2019",
        "    - snowed",
        "    the order of these 2 is not known",
        "      - built",
        "      - warmed",
        "    - coughed",
        "    - stopped = heard = stop",
        "    - climbed",
        "    - thanked",
        "    - promised",
        "      [“promised”, and would happen only if “she brought him a cheese”]",
        "        - brought",
        "        - hoot",
        "        - deny",
        "          [“deny”: denied]",
        "            - attended",
        "            - learned",
        "    - fetched",
        "  1 January 2020",
        "    - began = hoot",
        "    - cheered",
        "    - asked",
    ]


def test_islands_stand_apart_and_single_events_loose():
    reading = read(
        ("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("d", "BEFORE", "e"), ("f", "VAGUE", "g")
    )

    assert outline(reading) == [
        *("  - a", "  - b", "  - c"),
        *("? apart from the above: no order to it is known", "  - d", "  - e"),
        *("? not known when; the order of these 2 is not known", "  - f", "  - g"),
    ]
    assert reading.summary == "7 events; the order of 4 is not known."


def test_what_has_no_place_is_between_what_it_follows_and_precedes():
    chain = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "d")]

    reading = read(*chain, ("a", "BEFORE", "x"), ("x", "BEFORE", "d"))

    assert outline(reading) == [
        *("  - a", "  - b", "  - c", "  ? sometime between a and d", "    - x", "  - d"),
    ]


def test_what_has_no_place_stands_as_late_as_it_can_be():
    chain = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "d"), ("d", "BEFORE", "e")]

    reading = read(*chain, ("a", "BEFORE", "x"), ("x", "BEFORE", "d"), ("y", "BEFORE", "e"))

    assert outline(reading) == [
        *("  - a", "  - b", "  - c", "  ? sometime between a and d", "    - x", "  - d"),
        *("  ? sometime before e, perhaps much earlier", "    - y", "  - e"),
    ]


def test_a_span_without_an_end_stands_at_the_end():
    times = "".join(
        f"<TIMEX3 tid='t{year}' type='DATE' value='{year}'>{year}</TIMEX3>"
        f"<EVENT eid='e{year}'>of {year}</EVENT>"
        f"<MAKEINSTANCE eiid='i{year}' eventID='e{year}'/>"
        f"<TLINK lid='l{year}' eventInstanceID='i{year}' relatedToTime='t{year}'"
        f" relType='IS_INCLUDED'/>"
        for year in (2009, 2013)
    )
    later = (
        "<EVENT eid='x'>later</EVENT><MAKEINSTANCE eiid='ix' eventID='x'/>"
        "<TLINK lid='lx' eventInstanceID='ix' relatedToTime='t2009' relType='AFTER'/>"
    )
    document = tlex.parse(f"<TimeML>{times}{later}</TimeML>".encode())

    reading = lay_out_reading(tlex.extract(document, calendar=True))

    assert outline(reading) == [
        *("  2009", "    - of 2009", "  2013", "    - of 2013"),
        *("  ? 2010 or later", "    - later"),
    ]


def test_many_orders_are_counted_by_events_and_not_by_orders():
    links = [(f"e{number}", "BEFORE", "end") for number in range(14)]

    reading = read(*links)

    assert reading.groups[0].parts[0].title == "the order of these 14 is not known"
    assert "10^" not in reading.summary


def test_links_left_out_are_counted_and_named():
    document = tlex.read(EXAMPLES / "contradiction.tml")
    result = tlex.extract(document, mend=True)

    mended = lay_out_reading(result)
    broken = lay_out_reading(tlex.extract(document))

    assert "contradicts others and was left out" in mended.summary
    assert [left_out.link.id for left_out in mended.left_out] == list(result.mended)
    assert mended.contradictions == "1 contradiction"
    ((link, against),) = ((one.link, one.against) for one in mended.left_out)
    (conflict,) = result.conflicts
    assert {link.id, *(other.id for other in against)} == {*conflict.minimal}
    assert link.type == next(one.type for one in result.document.links if one.id == link.id)
    assert [mended.items[node].phrase.words for node in link.nodes] == [
        phrase.words for phrase in link.phrases
    ]
    assert any(phrase.before or phrase.after for phrase in link.phrases)
    assert "1 contradiction." in broken.summary
    assert "no order is known" in outline(broken)[0]


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("MODAL", "a: not certain to happen"),
        ("EVIDENTIAL", "a: only claimed"),
        ("NEGATIVE_EVIDENTIAL", "a: denied"),
        ("COUNTER_FACTIVE", "a: said not to happen"),
        ("FACTIVE", "a: taken as a fact"),
        ("CONDITIONAL", "would happen only if “a”"),
    ],
)
def test_a_branch_is_named_in_words(kind: str, title: str):
    reading = read(("a", "BEFORE", "b"), ("a", kind, "c"))

    assert reading.items[0].boxes[0].title == title


def test_boxes_do_not_nest_without_end():
    links = [(f"e{number}", "MODAL", f"e{number + 1}") for number in range(600)]

    reading = read(*links)

    depths = {box.depth for item in reading.items.values() for box in item.boxes}
    assert depths == {1, 2, 3, 4}
    assert len(reading.items) == 601
    assert tlex.draw.html(tlex.from_links(links)).count('<section class="box">') == 600


def test_long_chains_of_loose_events_need_no_recursion():
    chain = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(1500)]
    loose = [(f"e{number}", "BEFORE", f"x{number}") for number in range(0, 1500, 3)]

    reading = read(*chain, *loose)

    assert len(list_nodes(reading.groups[0])) == 2001
    assert all(isinstance(part, Row) or not part.settled for part in reading.groups[0].parts[1:])


def test_a_branch_that_many_events_introduce_in_many_ways_has_a_short_title():
    kinds = ("MODAL", "EVIDENTIAL", "FACTIVE", "COUNTER_FACTIVE", "MODAL")
    links = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(4)]

    reading = read(*links, *((f"e{number}", kind, "c") for number, kind in enumerate(kinds)))

    boxes = [box for item in reading.items.values() for box in item.boxes]
    assert [box.title for box in boxes] == ["e0, e1, e2 and 2 others: said not to happen"]


def test_a_box_of_several_kinds_names_each():
    links = [("a", "MODAL", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "d")]

    reading = read(("a", "BEFORE", "x"), *links, ("a", "EVIDENTIAL", "c"), ("a", "FACTIVE", "d"))

    (box,) = reading.items[0].boxes
    assert (
        box.title
        == "a: in part not certain to happen, in part only claimed, in part taken as a fact"
    )


def glance(reading: Reading) -> dict[str, list[str]]:
    return {
        kind.title: [reading.items[node].phrase.words for node in kind.nodes]
        for kind in reading.kinds
    }


def test_the_first_glance_says_what_came_first_and_what_is_no_plain_fact():
    story = lay_out_reading(tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True))
    chain = [("b", "BEFORE", "c"), ("a", "BEFORE", "c"), ("c", "BEFORE", "d"), ("x", "VAGUE", "y")]
    reading = read(*chain)

    assert story.first is not None
    assert story.items[story.first.node].phrase.words == "ticking"
    assert (story.first.when, story.first.others) == ("began before 31 December 2019, 23:00", 0)
    assert not story.first.doubted
    assert glance(story) == {
        "Order not known": ["built", "warmed"],
        "Not certain to happen": ["brought", "hoot", "deny"],
        "Only claimed": ["stop"],
        "Said not to happen": ["attended", "learned", "asked"],
    }
    assert reading.first is not None
    assert (reading.items[reading.first.node].id, reading.first.others) == ("b", 3)
    assert reading.first.when == "began"
    assert glance(reading) == {
        "Order not known": ["b", "a", "x", "y"],
        "Not certain to happen": [],
        "Only claimed": [],
    }
    backwards = read(*((f"e{number}", "AFTER", f"e{number + 1}") for number in range(40)))
    assert backwards.first is not None
    assert (backwards.items[backwards.first.node].id, backwards.first.others) == ("e40", 0)


def test_the_first_glance_says_that_a_link_of_the_first_event_was_left_out():
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c"), ("x", "VAGUE", "y")]
    reading = lay_out_reading(tlex.extract(tlex.from_links(links), mend=True))

    assert reading.first is not None
    assert (reading.items[reading.first.node].id, reading.first.doubted) == ("a", True)
    assert glance(reading)["Order not known"] == ["x", "y"]


def test_a_link_that_was_left_out_names_what_it_contradicts():
    chain = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(6)]
    twice = [("x", "BEFORE", "y"), ("y", "BEFORE", "x")] * 2
    links = [*chain, ("e5", "BEFORE", "e0"), ("a", "BEFORE", "a"), *twice]

    result = tlex.extract(tlex.from_links(links), mend=True)
    left_out = lay_out_reading(result).left_out

    assert {one.link.id for one in left_out} == {*result.mended}
    for one in left_out:
        assert one.alone == (one.link.nodes[0] == one.link.nodes[1])
        conflicts = [
            conflict.minimal
            for conflict in result.conflicts
            if one.link.id in conflict.minimal
            or any(one.link.id in same for same in conflict.same.values())
        ]
        assert len(one.against) + one.more + 1 in {len(minimal) for minimal in conflicts}
        named = {other.id for other in one.against}
        assert any(named < {*minimal} for minimal in conflicts)
    assert {(len(one.against), one.more) for one in left_out} >= {(0, 0), (2, 3)}


def test_events_that_may_not_have_happened_and_are_earlier_are_counted():
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="t1" type="DATE" value="2009">2009</TIMEX3>'
        '<TIMEX3 tid="t2" type="DATE" value="2013">2013</TIMEX3>'
        '<EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT><EVENT eid="e3">c</EVENT>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1" polarity="NEG"/>'
        '<MAKEINSTANCE eiid="ei2" eventID="e2"/><MAKEINSTANCE eiid="ei3" eventID="e3"/>'
        '<TLINK lid="l1" eventInstanceID="ei1" relType="BEFORE" relatedToTime="t1"/>'
        '<TLINK lid="l2" eventInstanceID="ei2" relType="IS_INCLUDED" relatedToTime="t1"/>'
        '<TLINK lid="l3" eventInstanceID="ei3" relType="IS_INCLUDED" relatedToTime="t2"/></TimeML>'
    )

    reading = lay_out_reading(tlex.extract(document, calendar=True))

    assert reading.first is not None
    assert (reading.first.when, reading.first.others, reading.first.unsure) == ("in 2009", 0, 1)
    assert "3 events, from before 2009 to 2013; 2 dated" in reading.summary


def test_what_another_event_tells_without_saying_how_is_marked_as_told():
    document = tlex.parse(
        '<TimeML>Apple <EVENT eid="e1" class="REPORTING">claims</EVENT> that it '
        '<EVENT eid="e2" class="OCCURRENCE">works</EVENT>. It '
        '<EVENT eid="e3" class="OCCURRENCE">will</EVENT>.'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>'
        '<MAKEINSTANCE eiid="ei3" eventID="e3" tense="FUTURE"/>'
        '<TLINK lid="l1" eventInstanceID="ei2" relType="BEFORE" relatedToEventInstance="ei1"/>'
        '<SLINK lid="l2" eventInstanceID="ei1" subordinatedEventInstance="ei2"/></TimeML>'
    )

    reading = lay_out_reading(tlex.extract(document))

    assert [[mark.words for mark in reading.items[node].marks] for node in (1, 2)] == [
        ["only claimed: “claims”"],
        ["had not happened yet"],
    ]
    assert glance(reading) == {
        "Order not known": ["will"],
        "Not certain to happen": [],
        "Only claimed": ["works"],
        "Had not happened yet": ["will"],
    }
