"""An element in a file's own bytes: what is removed or changed, and that all else stays."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tlex
from tlex.markup import (
    Markup,
    apply_edits,
    escape_text,
    find_tags,
    insert_before_root_end,
    recode,
    remove_elements,
    scan,
    set_attribute,
    write_attributes,
)
from tlex.source import Source

ROOT = Path(__file__).parents[1]
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
ENCODINGS = {
    "utf-8": ("utf-8", b""),
    "utf-8 with a mark": ("utf-8", b"\xef\xbb\xbf"),
    "utf-16-le": ("utf-16-le", b"\xff\xfe"),
    "utf-16-be": ("utf-16-be", b"\xfe\xff"),
}
LINK = '<TLINK lid="{}" relType="BEFORE" eventInstanceID="e1" relatedToEventInstance="e2"/>'
L1, L2, L3 = (LINK.format(f"l{number}") for number in (1, 2, 3))


def text_of(*lines: str) -> str:
    """A document whose last marked expression is on its second line."""
    head = '<TimeML>\n<EVENT eid="e1">é</EVENT> <EVENT eid="e2">two</EVENT> 中\n'
    return head + "".join(lines) + "</TimeML>\n"


def encode(text: str, encoding: str = "utf-8", end: str = "LF") -> bytes:
    codec, mark = ENCODINGS[encoding]
    return mark + text.replace("\n", ENDS[end]).encode(codec)


def remove(data: bytes, *links: str) -> bytes:
    document = tlex.parse(data)
    starts = [link.byte_start for link in document.links if link.id in links]
    return apply_edits(data, remove_elements(document, starts))


def test_edits_in_any_order_change_their_spans_and_nothing_else():
    edits = [(8, 13, b"3"), (0, 3, b"1"), (4, 4, b"and "), (13, 13, b".")]

    assert apply_edits(b"one two three", edits) == b"1 and two 3."


def test_insertions_at_one_place_keep_their_order_and_come_first():
    edits = [(3, 3, b"a"), (3, 5, b"c"), (3, 3, b"b")]

    assert apply_edits(b"012345", edits) == b"012abc5"


@pytest.mark.parametrize(
    "edits", [[(0, 3, b""), (2, 4, b"")], [(3, 2, b"")], [(0, 9, b"")], [(-2, 1, b"")]]
)
def test_edits_that_overlap_or_leave_the_file_are_a_mistake(edits):
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits(b"012345", edits)


@given(
    pieces=st.lists(st.tuples(st.binary(max_size=4), st.binary(max_size=4)), max_size=6),
    news=st.lists(st.binary(max_size=4), min_size=6, max_size=6),
)
def test_what_is_not_edited_stays(pieces, news):
    data, wanted, edits = b"", b"", []
    for (kept, old), new in zip(pieces, news, strict=False):
        start = len(data + kept)
        edits.append((start, start + len(old), new))
        data += kept + old
        wanted += kept + new

    assert apply_edits(data, edits) == wanted
    assert apply_edits(data, []) == data


ALL = pytest.mark.parametrize("encoding", ENCODINGS)
EVERY_END = pytest.mark.parametrize("end", ENDS)


@ALL
@EVERY_END
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([f"{L1}\n", "\n"], ["\n"]),
        ([f" \t{L1} \t\n", f"{L2}\n"], [f"{L2}\n"]),
        ([f"{L2}\n", f"{L1}"], [f"{L2}\n"]),  # the root ends on its line
        ([f"{L1} {L2}\n"], [f" {L2}\n"]),
        ([f"a {L1}\n"], ["a \n"]),
        ([f"{L1} b\n"], [" b\n"]),
        ([f"<!-- -->{L1}\n"], ["<!-- -->\n"]),
        ([f"\u2000{L1}\n"], ["\u2000\n"]),
        ([f"\u0920{L1}\n"], ["\u0920\n"]),  # has the byte of a blank in UTF-16
        (["<x>\n", f"  {L1}\n", "</x>\n"], ["<x>\n", "</x>\n"]),
        ([f"\n\n{L1}\n\n"], ["\n\n\n"]),
    ],
)
def test_behind_the_last_mark_a_link_alone_on_its_line_goes_with_it(encoding, end, before, after):
    left = remove(encode(text_of(*before), encoding, end), "l1")

    assert left == encode(text_of(*after), encoding, end)


@ALL
@EVERY_END
def test_links_that_share_a_line_with_nothing_else_take_it_with_them(encoding, end):
    text = text_of(f"  {L1} {L2}{L3}\n", "the end\n")

    all_three = remove(encode(text, encoding, end), "l1", "l2", "l3")
    two = remove(encode(text, encoding, end), "l1", "l2")

    assert all_three == encode(text_of("the end\n"), encoding, end)
    assert two == encode(text_of(f"   {L3}\n", "the end\n"), encoding, end)


@ALL
@EVERY_END
@pytest.mark.parametrize("kind", ["EVENT eid", "TIMEX3 tid", "SIGNAL sid"])
def test_before_a_marked_expression_only_the_links_own_bytes_go(encoding, end, kind):
    mark = f'<{kind}="x1">word</{kind.split()[0]}>'
    text = text_of(f"{L1} \n", f"  {L2}\n", f"a {mark}\n", f"{L3}\n")

    left = remove(encode(text, encoding, end), "l1", "l2", "l3")

    assert left == encode(text_of(" \n", "  \n", f"a {mark}\n"), encoding, end)


def test_a_mark_without_words_has_a_place_in_the_text_too():
    text = text_of(f"{L1}\n", '<TIMEX3 tid="t1"/>\n')

    assert remove(encode(text), "l1") == encode(text_of("\n", '<TIMEX3 tid="t1"/>\n'))


def test_inside_a_mark_only_the_links_own_bytes_go():
    text = f'<TimeML><EVENT eid="e1">a<EVENT eid="e2">b</EVENT>\n{L1}\n</EVENT>\n</TimeML>'

    assert remove(encode(text), "l1") == encode(text.replace(L1, ""))


def test_an_instance_is_no_mark():
    instance = '<MAKEINSTANCE eiid="ei1" eventID="e1"/>\n'
    text = text_of(f"{L1}\n", instance)

    assert remove(encode(text), "l1") == encode(text_of(instance))


def test_without_any_mark_every_line_may_go():
    text = f"<TimeML>\n{L1}\n</TimeML>"

    assert remove(encode(text), "l1") == b"<TimeML>\n</TimeML>"


@ALL
@EVERY_END
@pytest.mark.parametrize(
    ("inside", "after"),
    [
        ("", ""),
        ("\n\t", ""),
        ("words", "words\n"),
        ("\nwords\n", "words\n"),
        (L2, f"{L2}\n"),
        (f"\n{L2}\n", f"{L2}\n"),
    ],
)
def test_of_a_link_with_content_the_tags_go(encoding, end, inside, after):
    text = text_of(L1.replace("/>", ">") + inside + "</TLINK >\n", "the end\n")

    left = remove(encode(text, encoding, end), "l1")

    assert left == encode(text_of(after, "the end\n"), encoding, end)


@pytest.mark.parametrize("removed", [("l1",), ("l1", "l2")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_two_line_ends_never_become_one(encoding, removed):
    links = L1 if len(removed) == 1 else L1 + L2
    text = f'<TimeML><EVENT eid="e1">a</EVENT>\r{links}\n<EVENT eid="e2">b</EVENT></TimeML>'
    data = encode(text, encoding, "LF")

    left = remove(data, *removed)

    assert left == encode(text.replace(links, "<!---->"), encoding)
    assert tlex.parse(left).text == tlex.parse(data).text == "a\n\nb"


@pytest.mark.parametrize("around", ["]]{}>", "]{}]&gt;", "]{}]>"])
def test_what_is_left_is_well_formed(around):
    data = encode(text_of(around.format(L1), "\n"))

    assert tlex.parse(remove(data, "l1")).text == tlex.parse(data).text


def test_a_file_may_end_without_a_line_end():
    text = text_of(f"{L1}\n").rstrip("\n")

    assert remove(encode(text), "l1") == encode(text_of().rstrip("\n"))


# --- a law: whatever is removed, the rest is read as before -------------------------------------

PIECES = st.sampled_from(
    [
        *("\n", "\r\n", "\r", " ", "\t", "é", "中", "]", ">", "a b", "<!-- <TLINK/> -->", "<x/>"),
        *("<![CDATA[<TLINK>]]>", "<?TLINK?>", "{event}", "{time}", "{signal}"),
    ]
)
LINKS = st.sampled_from(["{link}/>", "{link}></TLINK>", "{link}>\n \r</TLINK>", "{link}\n/>"])


def build(pieces: list[str]) -> str:
    """Number what the pieces mark."""
    names = {
        "event": '<EVENT eid="e{}">ü</EVENT>',
        "time": '<TIMEX3 tid="t{}"/>',
        "signal": '<SIGNAL sid="s{}">as\n</SIGNAL>',
        "link": '<TLINK lid="l{}" comment="> é" relType="BEFORE"',
    }
    text = "<TimeML>"
    for number, piece in enumerate(pieces):
        if not (piece == ">" and text.endswith("]]")):  # which no text may hold
            text += piece.format(**{name: form.format(number) for name, form in names.items()})
    return text + "</TimeML>"


def nouns_of(document: tlex.Document) -> list[tuple]:
    nouns = (*document.events, *document.timexes, *document.signals)
    return [(type(one), one.id, one.attributes, one.text_start, one.text_end) for one in nouns]


@given(
    pieces=st.lists(st.one_of(PIECES, LINKS), max_size=14),
    encoding=st.sampled_from(sorted(ENCODINGS)),
    data=st.data(),
)
def test_what_is_not_removed_is_read_as_before(pieces, encoding, data):
    old = encode(build(pieces), encoding)
    document = tlex.parse(old)
    gone = data.draw(st.sets(st.sampled_from([link.id for link in document.links] or ["l"])))

    new = remove(old, *gone)

    after = tlex.parse(new)
    stay = [link for link in document.links if link.id not in gone]
    assert nouns_of(after) == nouns_of(document)
    assert [(k.id, k.attributes) for k in after.links] == [(k.id, k.attributes) for k in stay]
    last = max((one.text_end for one in (*document.nodes, *document.signals)), default=0)
    assert after.text[:last] == document.text[:last]
    assert after.text[last:].split() == document.text[last:].split()
    assert (new == old) == (not gone or not document.links)


@pytest.mark.corpus
def test_in_timebank_a_link_goes_with_its_line_and_nothing_else(timebank):
    alone = 0
    for document in list(timebank.values())[::5]:
        old = document.source.data
        gone = document.links[::3]

        new = apply_edits(old, remove_elements(document, [link.byte_start for link in gone]))

        lines = old.splitlines(keepends=True)
        out = {link.line - 1 for link in gone}
        alone += len(out)
        assert new == b"".join(line for number, line in enumerate(lines) if number not in out)
    assert alone > 500


# --- finding, changing, inserting ---------------------------------------------------------------


@ALL
def test_tokens_are_the_whole_file_and_know_their_places(encoding):
    text = (
        '<?xml version="1.0"?><!DOCTYPE TimeML [<!-- <a> --> <!ATTLIST a b "</a>">]>\n'
        "<TimeML a='>'>é<![CDATA[<a>]]><b/><!-- <a> --> 中</TimeML >\n"
    )
    data = encode(text, encoding)
    source = Markup(data, ENCODINGS[encoding][0])

    tokens = list(scan(source))

    assert "".join(token.text for token in tokens).lstrip("\ufeff") == text
    for token in tokens:
        written = token.text.encode(source.encoding)
        assert data[token.start : token.start + len(written)] == written
    named = [(token.kind, token.name) for token in tokens if token.kind in {"open", "close"}]
    assert named == [("open", "TimeML"), ("open", "b"), ("close", "")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "iso-8859-1"])
@pytest.mark.parametrize(
    ("element", "tags"),
    [
        ("<a/>", ["<a/>"]),
        ("<a b='/>' c='</a>' />", ["<a b='/>' c='</a>' />"]),
        ("<a>é<b></b></a >", ["<a>", "</a >"]),
        ("<a><a/><!-- </a> --><![CDATA[</a>]]><?x </a>?></a>", ["<a>", "</a>"]),
        (f"<a>{'é' * 20_000}</a>", ["<a>", "</a>"]),
    ],
)
def test_the_tags_of_an_element_are_found(encoding, element, tags):
    text = f"<r>é{element}<c/></r>"
    source = Markup(text.encode(encoding), encoding)
    start = len("<r>é".encode(encoding))

    found = find_tags(source, start)

    assert [source.data[first:last].decode(encoding) for first, last in found] == tags
    assert source.find_end(start) == found[-1][1] == start + len(element.encode(encoding))


def test_an_element_longer_than_asked_for_is_not_found():
    for encoding in ("utf-8", "utf-16-le"):
        source = Markup("<a>éé<!-- x --></a>".encode(encoding), encoding)

        assert source.find_end(0, 14) == -1
        assert source.find_end(0, 100) == len(source.data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "iso-8859-1"])
@pytest.mark.parametrize(
    ("tag", "value", "left"),
    [
        ("<a x='1' b=\"old\"/>", "new", "<a x='1' b=\"new\"/>"),
        ("<a xb='1' b = 'old'>b='2'</a>", "it's", "<a xb='1' b = 'it&apos;s'>b='2'</a>"),
        ("<a c=\" b='x' \" b=''/>", '"<&\n', "<a c=\" b='x' \" b='\"&lt;&amp;&#10;'/>"),
        ('<a b="é"/>', '"é"', '<a b="&quot;é&quot;"/>'),
    ],
)
def test_an_attribute_is_changed_and_nothing_else(encoding, tag, value, left):
    source = Markup(f"<r>é{tag}</r>".encode(encoding), encoding)

    edit = set_attribute(source, len("<r>é".encode(encoding)), "b", value)

    assert apply_edits(source.data, [edit]).decode(encoding) == f"<r>é{left}</r>"


def test_an_attribute_may_need_a_character_that_the_encoding_has_not():
    source = Markup(b'<a b=""/>', "iso-8859-1")

    edit = set_attribute(source, 0, "b", "中")

    assert apply_edits(source.data, [edit]) == b'<a b="&#20013;"/>'


def test_an_attribute_that_is_not_there_is_not_changed():
    assert set_attribute(Markup(b"<a c='b=1'>b='2'</a>", "utf-8"), 0, "b", "x") is None


@ALL
@EVERY_END
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<r>\n  </r>", "<r>\n<x/>\n<y/>\n  </r>"),
        ("<r>\né</r >\n<!-- </r> -->", "<r>\né\n<x/>\n<y/>\n</r >\n<!-- </r> -->"),
    ],
)
def test_lines_are_put_before_the_end_of_the_root(encoding, end, before, after):
    source = Markup(encode(before, encoding, end), ENCODINGS[encoding][0])

    parts = insert_before_root_end(source, ["<x/>", "<y/>"])

    assert b"".join(parts) == encode(after, encoding, end)


def test_a_root_without_an_end_tag_has_no_room():
    assert insert_before_root_end(Markup(b"<r/>", "utf-8"), ["<x/>"]) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_edits_are_recoded_with_their_file(encoding):
    text = "aé中b"
    source = Source(text.encode(encoding), encoding)
    places = [len(text[:n].encode(encoding)) for n in range(5)]
    edits = [(places[3], places[4], "ü".encode(encoding)), (places[1], places[2], b"")]

    data, recoded = recode(source, edits)

    assert data.decode() == text
    assert apply_edits(data, recoded).decode() == "a中ü"


@given(st.text(st.sampled_from("ab\"'&<>\n\t\r é"), max_size=8))
@example("\"'")
def test_text_and_values_are_escaped_as_the_standard_library_does_it(text):
    assert write_attributes({"a": text, "b": ""}) == f' a={quoteattr(text)} b=""'
    assert escape_text(text) == escape(text, {"\r": "&#13;"})
