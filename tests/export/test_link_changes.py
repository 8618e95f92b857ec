"""Writing TimeML back: what is added or taken out, and that nothing else changes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import tlex
from tlex.errors import WriteError
from tlex.export.link_changes import ORIGIN, add_links, remove_links
from tlex.records import EntailedLink

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"
CHAIN = """<TimeML>
<EVENT eid="e1">é one</EVENT> <TIMEX3 tid="t1" type="DATE" value="1">two</TIMEX3>
<EVENT eid="e3">three</EVENT>
<MAKEINSTANCE eiid="ei1" eventID="e1"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1"/>
<TLINK lid="l2" relType="BEFORE" timeID="t1" relatedToEventInstance="e3"/>
</TimeML>
"""
NEW = (
    '<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="e3" '
    'origin="tlex-closure"/>'
)


def close(document: tlex.Document) -> bytes:
    closure = tlex.extract(document).closure()
    return add_links(document, [link for link in closure.links if not link.links])


def shape(document: tlex.Document) -> tuple:
    """Everything of a document but its links and the places in the file."""
    nouns = (*document.events, *document.instances, *document.timexes, *document.signals)
    return (
        [(type(noun), noun.id, noun.attributes, noun.text_start, noun.text_end) for noun in nouns],
        document.text.rstrip(),
    )


def links_of(document: tlex.Document) -> list[tuple]:
    return [(k.id, k.kind, k.type, k.source, k.target, k.attributes) for k in document.links]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "utf-16-be"])
def test_new_links_stand_before_the_end_of_the_root_in_the_files_own_way(end, encoding):
    head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig").removesuffix("-be")}"?>\n'
    text = (head + CHAIN).replace("\n", end)
    document = tlex.parse(text.encode(encoding))

    written = close(document)

    assert written == text.replace("</TimeML>", NEW + end + "</TimeML>").encode(encoding)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n</TimeML>", "\n{new}\n</TimeML>"),
        ("\n  </TimeML>", "\n{new}\n  </TimeML>"),
        (" end </TimeML>", " end \n{new}\n</TimeML>"),
        ("\n</TimeML>\n<!-- </TimeML> --><?x </TimeML>?>", None),
        ("<!-- </TimeML> --></TimeML >", "<!-- </TimeML> -->\n{new}\n</TimeML >"),
        ("<![CDATA[</TimeML>]]></TimeML>", "<![CDATA[</TimeML>]]>\n{new}\n</TimeML>"),
    ],
)
def test_the_end_of_the_root_is_found_whatever_stands_around_it(before, after):
    text = CHAIN.replace("\n</TimeML>", before)
    wanted = after or "\n{new}" + before

    written = close(tlex.parse(text)).decode()

    assert written == CHAIN.replace("\n</TimeML>", wanted.format(new=NEW))


def test_a_file_without_line_ends_gets_some():
    text = CHAIN.replace("\n", " ").strip()

    assert close(tlex.parse(text)).decode() == text.replace("</TimeML>", f"\n{NEW}\n</TimeML>")


def test_reading_back_gives_the_same_document_and_the_new_links():
    document = tlex.read(STORY)

    again = tlex.parse(close(document))

    assert shape(again) == shape(document)
    count = len(document.links)
    assert links_of(again)[:count] == links_of(document)
    assert all(link.attributes["origin"] == ORIGIN for link in again.links[count:])
    assert tlex.extract(again).closure().new == 0
    assert not again.diagnostics
    assert [t.points for t in tlex.extract(again).timelines] == [
        t.points for t in tlex.extract(document).timelines
    ]


def test_ids_are_new_even_where_the_document_uses_odd_ones():
    text = CHAIN.replace('"l2"', f'"l{"9" * 30}"').replace('"l1"', '"l7"').replace("ei1", "l8")

    again = tlex.parse(close(tlex.parse(text)))

    assert [link.id for link in again.links] == ["l7", "l" + "9" * 30, "l9"]


def test_a_number_that_is_taken_is_passed_over():
    text = CHAIN.replace('"l1"', f'"l{"9" * 18}"').replace('"l2"', f'"l1{"0" * 18}"')

    again = tlex.parse(close(tlex.parse(text)))

    assert again.links[-1].id == f"l1{'0' * 17}1"


def test_an_id_is_escaped_and_may_need_a_letter_that_the_encoding_has_not():
    head = '<?xml version="1.0" encoding="iso-8859-1"?>\n'
    text = head + CHAIN.replace('"ei1"', '"&#x4e2d;&amp;&quot;&lt;"')

    written = close(tlex.parse(text.encode("iso-8859-1")))

    assert tlex.parse(written).links[-1].source == '中&"<'
    ET.fromstring(written)  # noqa: S314 -- our own


def test_nothing_new_leaves_every_byte():
    document = tlex.read(STORY)

    assert add_links(document, []) == STORY.read_bytes()
    assert remove_links(document, []) == STORY.read_bytes()


def test_removed_links_take_their_lines_and_nothing_else():
    document = tlex.read(STORY)
    lines = STORY.read_bytes().splitlines(keepends=True)

    written = remove_links(document, ["l20", "l7", "l33"])

    gone = (b'lid="l20"', b'lid="l7"', b'lid="l33"')
    assert written == b"".join(k for k in lines if not any(name in k for name in gone))
    assert len(tlex.parse(written).links) == len(document.links) - 3


@pytest.mark.parametrize(
    ("link", "left"),
    [
        ("<TLINK {a}/>", ""),
        ("<TLINK {a}></TLINK>", ""),
        ("<TLINK {a}> \n </TLINK>", " \n "),
        ("<TLINK {a} comment='> a'/>", ""),
        ("<TLINK {a}>words</TLINK>", "words"),
        ("<TLINK {a}><SIGNAL sid='s1'>as</SIGNAL></TLINK >", "<SIGNAL sid='s1'>as</SIGNAL>"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_link_goes_but_what_it_holds_stays(link, left, encoding):
    attributes = 'lid="l1" relType="BEFORE" eventInstanceID="e1" relatedToEventInstance="e1"'
    text = '<TimeML><EVENT eid="e1">é</EVENT> a {link} b</TimeML>'
    document = tlex.parse(text.format(link=link.format(a=attributes)).encode(encoding))

    assert remove_links(document, ["l1"]).decode(encoding) == text.format(link=left)


def test_a_link_with_a_made_up_id_can_be_removed():
    text = CHAIN.replace('lid="l2"', 'lid="l1"')
    document = tlex.parse(text)

    written = remove_links(document, [document.links[1].id])

    assert written.decode() == "".join(
        k for k in text.splitlines(keepends=True) if 't1" rel' not in k
    )


@pytest.mark.parametrize("write", [add_links, remove_links])
def test_what_does_not_come_from_timeml_cannot_be_written(write):
    document = tlex.from_links([("a", "BEFORE", "b")])

    with pytest.raises(WriteError, match="<links>: only a document read from TimeML"):
        write(document, [])


def test_a_root_without_end_has_no_room():
    document = tlex.parse("<TimeML/>")

    with pytest.raises(WriteError, match="no end tag"):
        add_links(document, [EntailedLink(source="a", type="BEFORE", target="b", name="before")])


@pytest.mark.corpus
def test_timebank_is_read_back_as_it_was(timebank):
    for name in list(timebank)[::10]:
        document = timebank[name]
        result = tlex.extract(document)
        closed = tlex.parse(close(document), name=name)
        reduced = tlex.parse(remove_links(document, result.reduction().dropped), name=name)

        for again in (closed, reduced):
            assert [timeline.record() for timeline in tlex.extract(again).timelines] == [
                timeline.record() for timeline in result.timelines
            ]
            assert shape(again)[0] == shape(document)[0]
