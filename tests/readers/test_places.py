"""Where things stand: byte spans, text spans, lines and columns, in every encoding.

The pages below mark their own nouns: ``⟦e1|<EVENT eid="e1">fell</EVENT>⟧`` says that the noun e1
is what stands between the bar and the closing bracket. `unmark` takes the marks away, so that the
answer is known without looking for tags.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

import pytest

import tlex
from tlex.document import Document

MARK = re.compile(r"⟦(\w+)\||⟧")

PAGE = """{head}<TimeML>{x}
⟦e1|<EVENT eid="e1">fell</EVENT>⟧ {x}⟦t1|<TIMEX3 tid="t1" note="a>b/>{x}">Mon{x}day</TIMEX3>⟧
{x} ⟦s1|<SIGNAL sid="s1">a /></SIGNAL>⟧{x}⟦e2|<EVENT eid="e2"/>⟧⟦e3|<EVENT eid="e3"></EVENT>⟧
⟦e4|<EVENT eid="e4"><!-- {x}/></EVENT> --></EVENT>⟧
⟦e5|<EVENT eid="e5"><![CDATA[</EVENT>{x}/>]]></EVENT>⟧
⟦e6|<EVENT eid="e6"><?p {x}/?></EVENT
  >⟧⟦e7|<EVENT eid="e7">⟦e8|<EVENT eid="e8">⟦e9|<EVENT eid='e9' note='"/>' />⟧</EVENT>⟧ {x}</EVENT>⟧
<x a="/>">⟦e10|<EVENT eid="e10"><b c="{x}>"/></EVENT>⟧</x>⟦e11|<EVENT eid="e11">{x}<b/></EVENT>⟧
⟦e12|<EVENT eid="e12">⟦e13|<EVENT eid="e13"/>⟧{x}</EVENT>⟧⟦e14|<EVENT eid="e14"><b/>{x}<b/></EVENT>⟧
⟦e15|<EVENT eid="e15">&#47;&gt;</EVENT>⟧⟦e16|<EVENT eid="e16"><![CDATA[]]></EVENT>⟧/>⟦t2|<TIMEX3
    tid="t2"
/>⟧{x}⟦e17|<EVENT eid="e17"><EVENTS/><b></b></EVENT>⟧⟦e18|<EVENT eid="e18">w</EVENT{blanks}>⟧
{x}⟦i1|<MAKEINSTANCE eiid="i1" eventID="e1" note="/>"/>⟧
⟦i2|<MAKEINSTANCE eiid="i2" eventID="e2"></MAKEINSTANCE>⟧
⟦i3|<MAKEINSTANCE eiid="i3" eventID="e3">{x}<x/></MAKEINSTANCE>⟧ {x}
⟦l1|<TLINK lid="l1" relType="BEFORE" note="{x}"/>⟧ {x} ⟦l2|<TLINK lid="l2"></TLINK>⟧⟦l3|<TLINK
  lid='l3' note='">'
  />⟧⟦l4|<SLINK lid="l4"><!----></SLINK>⟧⟦l5|<ALINK lid="l5">⟦l6|<ALINK lid="l6"/>⟧</ALINK>⟧
{x}⟦l7|<TLINK lid="l7"><!-- / --></TLINK>⟧⟦l8|<TLINK lid="l8"><!-- " ' > --><b/></TLINK>⟧
</TimeML>{x_comment}
"""
WORDS = {
    "e1": "fell",
    "t1": "Mon{x}day",
    "s1": "a />",
    "e2": "",
    "e3": "",
    "e4": "",
    "e5": "</EVENT>{x}/>",
    "e6": "",
    "e7": " {x}",
    "e8": "",
    "e9": "",
    "e10": "",
    "e11": "{x}",
    "e12": "{x}",
    "e13": "",
    "e14": "{x}",
    "e15": "/>",
    "e16": "",
    "t2": "",
    "e17": "",
    "e18": "w",
}

# U+3E00, U+2F3E and U+3C2F are written with the bytes of ">", "/>" and "</" in UTF-16; of 㹁一 and
# 一㹁 one has the bytes of ">" across the two characters, whichever way round it is written.
WIDE = "é㸀⼾㰯㹁一㹁𝄞🜂>"


class Way(NamedTuple):
    """A way to write a page down."""

    codec: str
    mark: bytes = b""
    head: str = ""
    filler: str = WIDE


WAYS = {
    "utf-8": Way("utf-8"),
    "utf-8 declared": Way("utf-8", head='<?xml version="1.0" encoding="utf-8"?>'),
    "utf-8 with a mark": Way("utf-8", codecs.BOM_UTF8),
    "utf-16-le with a mark": Way("utf-16-le", codecs.BOM_UTF16_LE),
    "utf-16-be with a mark": Way("utf-16-be", codecs.BOM_UTF16_BE),
    "utf-16-le": Way("utf-16-le"),
    "utf-16-be": Way("utf-16-be"),
    "utf-16-le declared": Way("utf-16-le", head="<?xml version='1.0' encoding='UTF-16'?>"),
    "utf-16-be declared": Way(
        "utf-16-be", codecs.BOM_UTF16_BE, '<?xml version="1.0" encoding="UTF-16"?>'
    ),
    "iso-8859-1 declared": Way(
        "iso-8859-1", head='<?xml version="1.0" encoding="ISO-8859-1"?>', filler="éÿ\xa0>\xad"
    ),
    "windows-1252 declared": Way(
        "cp1252", head="<?xml version='1.0' encoding='windows-1252'?>", filler="€“é”>Ÿ"
    ),
    "ascii declared": Way("ascii", head='<?xml version="1.0" encoding="us-ascii"?>', filler="+>"),
}
LINE_ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


def unmark(page: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """Give the page without its marks, and where each noun stands in it, in characters."""
    spans: dict[str, tuple[int, int]] = {}
    opened: list[tuple[str, int]] = []
    pieces: list[str] = []
    size = last = 0
    for match in MARK.finditer(page):
        pieces.append(page[last : match.start()])
        size += len(pieces[-1])
        last = match.end()
        if match[1]:
            opened.append((match[1], size))
        else:
            name, start = opened.pop()
            spans[name] = (start, size)
    return "".join([*pieces, page[last:]]), spans


def count_lines(text: str, at: int) -> tuple[int, int]:
    """Find the line and the column of a character, by counting."""
    lines = re.split("\r\n|\r|\n", text[:at])
    return len(lines), len(lines[-1]) + 1


def everything(document: Document) -> dict[str, tlex.Event | tlex.Link]:
    nouns = (
        *document.events,
        *document.instances,
        *document.timexes,
        *document.signals,
        *document.links,
    )
    return {noun.id: noun for noun in nouns}


def write_page(way: Way, line_end: str) -> str:
    page = PAGE.replace("{head}", way.head).replace("{blanks}", " " * 5000)
    page = page.replace("{x_comment}", f"<!-- {way.filler} -->").replace("{x}", way.filler)
    return page.replace("\n", line_end)


@pytest.fixture(params=LINE_ENDS)
def line_end(request) -> str:
    return LINE_ENDS[request.param]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_byte_span_cuts_exactly_its_element_out_of_the_file(way, line_end):
    text, spans = unmark(write_page(way, line_end))
    data = way.mark + text.encode(way.codec)

    nouns = everything(tlex.parse(data))

    assert nouns.keys() == spans.keys()
    for name, (start, end) in spans.items():
        cut = data[nouns[name].byte_start : nouns[name].byte_end]
        assert (name, cut.decode(way.codec)) == (name, text[start:end])
        assert nouns[name].byte_start == len(way.mark) + len(text[:start].encode(way.codec))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_line_and_column_count_characters_from_one(way, line_end):
    text, spans = unmark(write_page(way, line_end))

    document = tlex.parse(way.mark + text.encode(way.codec))

    nouns = everything(document)
    expected = {name: count_lines(text, start) for name, (start, _) in spans.items()}
    assert {name: (noun.line, noun.column) for name, noun in nouns.items()} == expected
    assert {name: document.position(n.byte_start) for name, n in nouns.items()} == expected


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_text_span_selects_the_words(way, line_end):
    text, _ = unmark(write_page(way, line_end))

    document = tlex.parse(way.mark + text.encode(way.codec))

    nouns = everything(document)
    chosen = {name: document.text[nouns[name].span.start : nouns[name].span.end] for name in WORDS}
    assert chosen == {name: words.replace("{x}", way.filler) for name, words in WORDS.items()}
    assert nouns["i1"].span == nouns["e1"].span
    assert "\r" not in document.text


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_diagnostic_stands_where_its_element_does(way, line_end):
    text, spans = unmark(write_page(way, line_end))

    document = tlex.parse(way.mark + text.encode(way.codec))

    found = {(d.line, d.column) for d in document.diagnostics if d.message.startswith("TLINK l3")}
    assert found == {count_lines(text, spans["l3"][0])}
    for diagnostic in document.diagnostics:
        place = document.position(diagnostic.offset)
        assert (diagnostic.line, diagnostic.column) == place


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_broken_xml_is_reported_where_it_breaks(way, line_end):
    text, _ = unmark(write_page(way, line_end))
    place = text.index("</TimeML>")
    broken = text[:place] + "<oh no>" + text[place:]

    with pytest.raises(tlex.ReadError) as caught:
        tlex.parse(way.mark + broken.encode(way.codec))

    line, column = count_lines(broken, place)
    assert (caught.value.line, caught.value.column) == (line, column + len("<oh no"))


@pytest.mark.parametrize("declared", ["UTF-16", "ISO-8859-1", "windows-1252", "no-such-thing"])
def test_the_encoding_that_a_str_declares_does_not_count(declared, line_end):
    way = Way("utf-8", head=f'<?xml version="1.0" encoding="{declared}"?>')
    text, spans = unmark(write_page(way, line_end))

    document = tlex.parse(text)

    nouns = everything(document)
    for name, (start, end) in spans.items():
        cut = document.source.data[nouns[name].byte_start : nouns[name].byte_end]
        assert cut.decode() == text[start:end]
        assert document.position(nouns[name].byte_start) == count_lines(text, start)


def test_a_str_may_begin_with_a_byte_order_mark():
    document = tlex.parse('\ufeff<TimeML>é<EVENT eid="e1">a</EVENT></TimeML>')

    assert document.text == "éa"
    assert document.position(document.events[0].byte_start) == (1, 10)


def test_a_byte_order_mark_counts_for_more_than_a_declaration():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><TimeML>é<EVENT eid="e1">ü</EVENT></TimeML>'

    document = tlex.parse(codecs.BOM_UTF8 + text.encode())

    assert document.text == "éü"
    assert document.position(document.events[0].byte_start) == (1, 53)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_may_begin_with_an_empty_line(codec):
    document = tlex.parse('\n<TimeML><EVENT eid="e1">é</EVENT></TimeML>'.encode(codec))

    assert document.text == "é"


@pytest.mark.parametrize("way", ["utf-8", "utf-16-le", "utf-16-be with a mark"])
def test_the_json_has_the_place_and_the_span_of_each_node(way):
    chosen = WAYS[way]
    text, spans = unmark(write_page(chosen, "\n"))
    document = tlex.parse(chosen.mark + text.encode(chosen.codec))

    nodes = {node.id: node for node in tlex.extract(document).nodes}

    assert (nodes["t1"].line, nodes["t1"].column) == count_lines(text, spans["t1"][0])
    assert (nodes["i1"].line, nodes["i1"].column) == count_lines(text, spans["e1"][0])
    assert document.text[nodes["t1"].span.start : nodes["t1"].span.end] == f"Mon{WIDE}day"
