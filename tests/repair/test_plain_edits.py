"""What the bytes of a plain TimeML file prove of edits, judged by what a reader finds then."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.markup import apply_edits
from tlex.repair.writing import change_file, list_changes, list_edits, spares_all_else

LINK = '<{kind}LINK lid="l{n}" relType="{type}" eventInstanceID="i1"{more} {second}="i2"/>'
INSTANCES = '<MAKEINSTANCE eiid="i1" eventID="e1"/>\n<MAKEINSTANCE eiid="i2" eventID="e2"/>'
BLANKS = ("", " ", "\n", "\n  ", "\t\n", "\n\n", "\r\n")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a plain file, with words and an element that ends behind the links."""
    blanks = st.sampled_from(BLANKS)
    links = [
        LINK.format(
            n=number,
            **draw(
                st.sampled_from(
                    [{"kind": "T", "type": "BEFORE"}, {"kind": "A", "type": "CONTINUES"}]
                )
            ),
            more=draw(st.sampled_from(["", ' signalID="s1"', ' comment=" relType=BEFORE"'])),
            second="relatedToEventInstance",
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    parts = [INSTANCES, *links] if draw(st.booleans()) else [*links, INSTANCES]
    tail = "".join(part + draw(blanks) for part in parts)
    words = draw(st.sampled_from(["", " é", "\nthen it", ".</b> <b>so"]))
    marks = '<EVENT eid="e1">ran</EVENT> and <EVENT eid="e2">fell</EVENT>'
    behind = draw(st.sampled_from(["", "on", "\non"]))
    text = f"<TimeML><b>He {marks}{words}{draw(blanks)}{tail}</b>{behind}</TimeML>\n"
    return text.encode()


def describe(document: tlex.Document, links: dict[str, str | None]) -> tuple[object, ...]:
    """Say what a reader finds, without what is to change, and with the rest of the words folded."""
    end = max(event.text_end for event in document.events)
    nouns = (*document.events, *document.instances)
    return (
        [(noun.id, noun.attributes, noun.text_start, noun.text_end) for noun in nouns],
        [
            (link.id, link.kind, links.get(link.id, link.type), link.source, link.target,
             link.signal, {**link.attributes, "relType": links.get(link.id, link.type)})
            for link in document.links
            if links.get(link.id, "") is not None
        ],
        document.text[:end],
        document.text[end:].split(),
    )  # fmt: skip


def choose(data: st.DataObject, document: tlex.Document) -> tuple[set[str], dict[str, str]]:
    ids = [link.id for link in document.links]
    removed = data.draw(st.sets(st.sampled_from(ids)))
    kept = [own for own in ids if own not in removed]
    types = st.dictionaries(st.sampled_from(kept or ids), st.just("INITIATES"), max_size=2)
    new = data.draw(types) if kept else {}
    kinds = {link.id: link.kind for link in document.links}
    return removed, {own: "AFTER" if kinds[own] == "TLINK" else new[own] for own in new}


@given(content=files(), data=st.data())
def test_edits_that_are_seen_to_be_right_are_right(content, data):
    document = tlex.parse(content, name="x.tml")
    removed, new = choose(data, document)
    changes = list_changes(document, removed, new)
    if not changes:
        return
    edits = list_edits(document, changes)
    for place, (start, end, text) in enumerate(edits):  # and now some wrong ones
        moved = data.draw(
            st.sampled_from([(0, 0)] * 4 + [(-2, 0), (-1, 0), (0, 1), (1, 0), (0, 2)])
        )
        edits[place] = max(start + moved[0], 0), end + moved[1], text
    if data.draw(st.integers(0, 3)) == 0:
        edits = edits[1:]

    try:
        seen = bool(edits) and spares_all_else(document, changes, edits)
    except ValueError:  # edits that overlap
        return

    if seen:
        after = tlex.parse(apply_edits(content, edits), name="x.tml")
        wanted = dict.fromkeys(removed) | new
        assert describe(after, {}) == describe(document, wanted)


def test_nothing_is_proven_where_nothing_changes():
    document = tlex.read("examples/story.tml")

    assert change_file(document, []) == document
    assert not spares_all_else(document, [], [])


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("relabel", [False, True])
def test_the_edits_of_a_usual_file_are_seen_to_be_right(line_end, relabel):
    links = [
        LINK.format(n=n, kind="T", type="BEFORE", more="", second="relatedToEventInstance")
        for n in range(3)
    ]
    body = '<s>He <EVENT eid="e1">ran</EVENT> and <EVENT eid="e2">fell</EVENT>.</s>'
    content = line_end.join(["<TimeML>", body, INSTANCES, *links, "</TimeML>", ""])
    document = tlex.parse(content, name="x.tml")
    types = {"l1": "AFTER"} if relabel else {}
    changes = list_changes(document, {"l0", "l2"}, types)

    assert document.relations is not None
    assert spares_all_else(document, changes, list_edits(document, changes))


@pytest.mark.parametrize(
    "wrong",
    [
        rb"\n<TLINK[^>]*>",  # "over" and "on" become one word
        rb"<TLINK[^>]*",
        rb"<TLINK[^>]*></b>",
        rb"<TLINK[^>]*></b>on",
        rb"\n(?=<TIMEX3 tid=.t2)|<TLINK[^>]*>",  # the words of the event move
        rb"\n(?=<TIMEX3 tid=.t2)",
    ],
)
def test_edits_that_change_something_else_are_noticed(wrong):
    link = '<TLINK lid="l1" relType="BEFORE" timeID="t1" relatedToTime="t2"/>'
    marks = '<TIMEX3 tid="t1">now</TIMEX3> and\n\n<TIMEX3 tid="t2">then</TIMEX3>'
    document = tlex.parse(f"<TimeML><b>{marks} over\n{link}</b>on</TimeML>\n", name="x.tml")
    data = document.source.data
    changes = list_changes(document, {"l1"}, {})

    right = list_edits(document, changes)
    edits = [(*found.span(), b"") for found in re.finditer(wrong, data)]

    assert document.relations is not None
    assert edits
    assert spares_all_else(document, changes, right)
    assert not spares_all_else(document, changes, edits)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<TLINK", "<!-- --><TLINK"),  # not every < begins a tag
        ('signalID="s1"', 'weight="0.5"'),
        (' signalID="s1"/>', ' signalID="s1"></TLINK>'),
    ],
)
def test_bytes_prove_nothing_in_other_files(old, new):
    more = ' signalID="s1"'
    link = LINK.format(n=1, kind="T", type="BEFORE", more="", second="relatedToEventInstance")
    link = link.replace("/>", f"{more}/>")
    body = '<EVENT eid="e1">ran</EVENT> and <EVENT eid="e2">fell</EVENT>'
    content = f"<TimeML>{body}\n{INSTANCES}\n{link}\n</TimeML>\n"
    plain, other = (tlex.parse(text, name="x.tml") for text in (content, content.replace(old, new)))

    proven = []
    for document in (plain, other):
        changes = list_changes(document, {"l1"}, {})
        proven.append(spares_all_else(document, changes, list_edits(document, changes)))

    assert proven == [True, False]
