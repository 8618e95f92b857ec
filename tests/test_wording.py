"""What may stand on a terminal, and how wide it is there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tlex.wording import clean, flow, measure, plain


@given(words=st.text())
def test_what_is_clean_is_printable_but_for_joiners_and_as_long(words):
    cleaned = clean(words)

    assert len(cleaned) == len(words)
    assert all(c.isprintable() or c in "\u200c\u200d" for c in cleaned)
    assert clean(cleaned) == cleaned


def test_wide_characters_take_two_columns_and_marks_none():
    assert [measure(words) for words in ("ab", "夜中", "e\u0301", "a\u200db", "")] == [
        2,
        4,
        1,
        2,
        0,
    ]


def test_colours_are_taken_off():
    assert plain("\x1b[1ma\x1b[0m b\x1b[31;1mc\x1b[0m") == "a bc"


WORDS = st.text(st.sampled_from("ab-夜\u0301 "), max_size=8)


@given(
    head=WORDS,
    items=st.lists(WORDS, max_size=12),
    indent=st.sampled_from(["", "    "]),
    joint=st.sampled_from([", ", " ", ""]),
    room=st.integers(0, 30),
)
def test_a_line_ends_where_the_next_item_has_no_room(head, items, indent, joint, room):
    *lines, line = [head + "".join(items[:1])]
    for item in items[1:]:
        if measure(line) + measure(joint) + measure(item) > room - measure(joint.rstrip()):
            lines.append(line + joint.rstrip())
            line = indent + item
        else:
            line += joint + item

    assert list(flow(head, items, indent, joint, room)) == [*lines, line]
