"""The fast path of reading TimeML and the full one give the same."""

from __future__ import annotations

import contextlib
import gc
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from random import Random

import fuzz
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from two_ways import goes_fast, look_twice, mutate, read_the_long_way

import tlex
from tlex.document import Document
from tlex.graph import list_relations
from tlex.readers.timeml.plain_elements import list_elements
from tlex.readers.xml import open_source

SOUND = """<TimeML>
<TIMEX3 tid="t1">Today <EVENT eid="e1">he <EVENT eid="e2">saw</EVENT></EVENT></TIMEX3>
<SIGNAL sid="s1">before</SIGNAL> <TIMEX3 tid="t2"><TIMEX3 tid="t3">noon</TIMEX3></TIMEX3>
<EVENT eid="e4"><TIMEX3 tid="t4">x</TIMEX3></EVENT> <EVENT eid="e5"></EVENT> <TIMEX3 tid="t5"/>
<MAKEINSTANCE eiid="ei2" eventID="e2"/><MAKEINSTANCE eiid="ei1" eventID="e1"/>
<MAKEINSTANCE eiid="ei3" eventID="e1"/><MAKEINSTANCE eiid="ei4" eventID="e4"/>
<MAKEINSTANCE eiid="ei5" eventID="e5"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1" signalID="s1"/>
<TLINK lid="l2" relType=" after " timeID="t3" relatedToEventInstance="ei2"/>
<TLINK lid="l3" relType="VAGUE" timeID="t2" relatedToTime="t3"/>
<SLINK lid="l4" relType="NEG_EVIDENTIAL" eventInstanceID="ei1" subordinatedEventInstance="ei3"/>
<ALINK lid="l5" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>
</TimeML>"""


FLAT = """<TimeML>
Today <EVENT eid="e1" class="STATE">he</EVENT> saw <TIMEX3 tid="t1" type="DATE">noon</TIMEX3>
<SIGNAL sid="s1">before</SIGNAL> <b>he</b> <EVENT eid="e2">saw</EVENT><TIMEX3 tid="t2">x</TIMEX3>
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1" signalID="s1"/>
<SLINK lid="l2" relType="MODAL" eventInstanceID="ei1" subordinatedEventInstance="ei2"/>
</TimeML>"""
"""No element has anything but words, and some follow each other without words."""


def test_a_sound_file_needs_no_closer_look():
    assert look_twice(SOUND.encode())

    document = tlex.parse(SOUND)
    assert document.relations.sources == [1, 5, 2]
    assert document.relations.targets == [0, 3, 3]
    assert list(document.index) == [
        *("t1", "ei1", "ei3", "ei2", "t2", "t3"),
        *("t4", "ei4", "ei5", "t5"),  # of two at one place, the time is first
    ]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('lid="l2"', 'lid="l1"'),
        ('lid="l2"', 'lid=""'),
        ('lid="l2"', 'lid=" l2"'),
        ('lid="l2" ', ""),
        ('relType="VAGUE"', 'relType="VAGE"'),
        ('relType="VAGUE" ', ""),
        ('timeID="t3"', 'timeID="t9"'),
        ('timeID="t3"', 'timeID="t3" eventInstanceID="ei1"'),
        ('relatedToTime="t1"', 'relatedToTime="t1" relatedToEventInstance="ei1"'),
        ('relatedToTime="t1"', 'relatedToTime="t1" weight="x"'),
        ('relatedToTime="t1"', 'relatedToTime="t1" weight="2"'),
        ('relatedToTime="t1"', ""),
        ('subordinatedEventInstance="ei3"', 'relatedToEventInstance="ei3"'),
        ('eventInstanceID="ei1" subordinated', 'timeID="t1" subordinated'),
        ('subordinatedEventInstance="ei3"', ""),
        ('eiid="ei3"', 'eiid="ei1"'),
        ('eiid="ei3"', 'eiid="t1"'),
        ('eiid="ei5"', 'eiid="t1"'),
        ('eiid="ei3"', 'eiid=" "'),
        ('eiid="ei3" ', ""),
        ('eiid="ei2" eventID="e2"', 'eiid="ei2" eventID="e1"'),
        ('eiid="ei2" eventID="e2"', 'eiid="ei2" eventID="e9"'),
        ('eiid="ei2" eventID="e2"', 'eiid="ei2"'),
        ('eid="e2"', 'eid="e1"'),
        (' eid="e2"', ""),
        ('"e2"', '" e2"'),
        (' sid="s1"', ""),
        (' sid="s1"', ' sid="s 1"'),
        (' tid="t3"', ""),
        (' tid="t3"', ' tid="t2"'),
        ("<SIGNAL", '<MAKEINSTANCE eiid="ei9" eventID="e1"/><SIGNAL'),
        ("<SIGNAL", '<EVENT eid="e1">x</EVENT><SIGNAL'),
        ("<SIGNAL", '<TIMEX3 tid="t1">x</TIMEX3><SIGNAL'),
        ("<SIGNAL", '<TIMEX3 tid="t 4">x</TIMEX3><SIGNAL'),
        ("<ALINK", "<GLINK"),
    ],
)
def test_whatever_is_odd_is_left_to_a_closer_look(right, wrong):
    assert right in SOUND

    assert not look_twice(SOUND.replace(right, wrong).encode())


NAMES = st.sampled_from(["1", "2", "3", "3", " 1", ""])
ELEMENTS = {
    "EVENT": {"eid": "e"},
    "TIMEX3": {"tid": "t"},
    "SIGNAL": {"sid": "s"},
    "MAKEINSTANCE": {"eiid": "i", "eventID": "e"},
    "TLINK": {
        "lid": "l",
        "eventInstanceID": "i",
        "timeID": "t",
        "relatedToEventInstance": "i",
        "relatedToTime": "t",
    },
    "SLINK": {"lid": "l", "eventInstanceID": "i", "subordinatedEventInstance": "i"},
}
TYPES = {"TLINK": ("BEFORE", "IS_INCLUDED", "VAGUE", "during", "X"), "SLINK": ("MODAL", "modal")}


@st.composite
def annotations(draw: st.DrawFn) -> str:
    """A file of good and bad elements, nested and in any order; more are good than bad."""
    words = draw(st.integers(1, 3))
    marks = [f'<EVENT eid="e{n}">{draw(st.sampled_from(["", "w"]))}</EVENT>' for n in range(words)]
    tail = [f'<MAKEINSTANCE eventID="e{n}" eiid="i{n}"/>' for n in range(words)]
    text = draw(st.sampled_from(["{}", "<s>{}</s>", '<TIMEX3 tid="t0">{}</TIMEX3>']))
    body = [text.format("".join(draw(st.permutations(marks)))), *draw(st.permutations(tail))]
    for number in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["TLINK", "SLINK"]))
        ends = {"eventInstanceID": f"i{draw(st.integers(0, words))}"}
        target = "subordinatedEventInstance" if kind == "SLINK" else "relatedToEventInstance"
        ends[target] = f"i{draw(st.integers(0, words - 1))}"
        ends |= {"lid": f"l{number}", "relType": draw(st.sampled_from(TYPES[kind]))}
        written = " ".join(f'{key}="{value}"' for key, value in ends.items())
        body.append(f"<{kind} {written}/>")
    for _ in range(draw(st.integers(0, 2))):
        element = draw(st.sampled_from([*ELEMENTS]))
        keys = draw(st.lists(st.sampled_from([*ELEMENTS[element]]), unique=True))
        given = " ".join(f'{k}="{ELEMENTS[element][k]}{draw(NAMES)}"' for k in keys)
        place = draw(st.integers(0, len(body)))
        body.insert(place, f"<{element} {given}>{draw(st.sampled_from(['', 'x']))}</{element}>")
    return f"<TimeML>{''.join(body)}</TimeML>"


@given(annotations())
def test_the_fast_path_says_what_the_nouns_say(text):
    event("plain" if look_twice(text.encode()) else "odd")


ATTRIBUTE, EMPTY, TAG, WORDS = r' (\w+)="([^"]*)"', r"<(\w+)([^<>]*)/>", r"<(\w+)", r">([^<>]+)<"
LINK = '<TLINK lid="l8" relType="BEFORE" timeID="t1" relatedToTime="t2"/>'
DEEP = 250
ODD = [
    (ATTRIBUTE, r""" \1="\2" y='x'"""),
    (TAG, r"<![CDATA[w]]><\1"),
    (r"(?s)<TimeML>(.*?)saw", r"<!DOCTYPE TimeML SYSTEM 'x'><TimeML>\1&nbsp;"),
    *(
        (r"(?s)(<MAKE.*)</TimeML>", rf"<s>\1</s>{more}</TimeML>")
        for more in (LINK, '<TIMEX3 tid="t9"/>')
    ),
    *((ATTRIBUTE, new) for new in (r" \1='\2'", r' \1 = "\2"', r' \1= "\2"', r' \1 ="\2"')),
    *((ATTRIBUTE, new) for new in (r'  \1="\2"', r'\n\1="\2"', r'\t\1="\2"', r'\r\1="\2" ', "")),
    *((ATTRIBUTE, new) for new in (r' \1="\2>"', r' \1="\2<"', r' \1="\2\t"', r' \1="\n\2"')),
    *((ATTRIBUTE, new) for new in (r' \1="\2&amp;"', r' \1="\2&#65;"', r' \1="&quot;\2"')),
    *((ATTRIBUTE, new) for new in (r' \1="\2" \1="\2"', r' \1="\2" z="\2"', r' x:\1="\2"')),
    *((ATTRIBUTE, new) for new in (r" \1='\2' z=\"\"", r""" z='"' \1="\2" y='"'""")),
    *((ATTRIBUTE, new) for new in (r""" z='lid="l9"' \1="\2\"""", r' \1="\2é"', r' é="" \1="\2"')),
    *(
        (ATTRIBUTE, new)
        for new in (r' z="\1=" \1="\2"', r""" z="='" \1="\2\"""", r' z="= " \1="\2"')
    ),
    *((ATTRIBUTE, new) for new in (r' \1="\2" weight="1"', r' \1="\2" timeID="t1"', r' \1=""')),
    *(
        (ATTRIBUTE, new)
        for new in (r' \1="\2" relatedToTime="t2"', ' \\1="\\2\x01"', ' \\1="\\2\uffff"')
    ),
    *(
        (ATTRIBUTE, new)
        for new in (r' \1="\2"z="1"', r' Z\1="\2"', r' 1z="" \1="\2"', r' \1="\2" y')
    ),
    *((EMPTY, new) for new in (r"<\1\2></\1>", r"<\1\2 />", r"<\1\2\n/>", r"<\1\2/>he", "")),
    *((EMPTY, new) for new in (r"<\1\2>he</\1>", r"<\1\2>", r"<!--<\1\2/>-->", r"<?\1\2?>")),
    *(
        (EMPTY, new)
        for new in (r"<![CDATA[<\1\2/>]]>", r'<\1\2/>"x"', r"<\1\2/>'x'", r"<\1\2/>&amp;")
    ),
    *(
        (EMPTY, new)
        for new in ("<\\1\\2/>\u2028", "<\\1\\2/>\x0c", r"<\1\2/><EVENT eid='e1'>x</EVENT>")
    ),
    *(
        (EMPTY, new)
        for new in (r'<\1\2/><TIMEX3 tid="t8">x</TIMEX3>', r"<\1\2/><s/>", r"<s><\1\2/></s>")
    ),
    *((TAG, new) for new in (r"<x:\1", r"<\1é", r"<\1-x", r"<\1X", r"<\1 ", r"<\1\n", r"<e/><\1")),
    *(
        (TAG, new)
        for new in (r"<!-- ' --><\1", r"<!-- > --><\1", r"<![CDATA[>]]><\1", r"<?p '?><\1")
    ),
    *((TAG, rf"{LINK}<\1"), (TAG, r"<Me eiid='i'/><\1"), (TAG, r"<M/><\1"), (TAG, r"<TLINKS/><\1")),
    *((TAG, rf"{'<a>' * size}{'</a>' * size}<\1") for size in (DEEP, 255, 256)),
    *((TAG, rf"{'<a><b/>' * size}{'</a>' * size}<\1") for size in (DEEP, 254, 255)),
    *(
        (WORDS, new)
        for new in (r">\1&amp;<", r">&lt;\1<", r">&#65;<", r">&nbsp;<", r">\1 > <", "><")
    ),
    *(
        (WORDS, new)
        for new in (r">\1]]><", r">\1é<", r">=' \1<", r'>"\1"<', r">&amp;lt;\1<", r">\1\0<")
    ),
    *((r"</TimeML>", new) for new in ("", "</TimeML><!-- -->", "</TimeML>x", "</TimeML></TimeML>")),
    *((r"</TimeML>", new) for new in (rf"</TimeML>{LINK}", "<TimeML/></TimeML>", "x</TimeML>\n")),
    *(
        (r"(?s)(<MAKE.*)</TimeML>", new)
        for new in (r"</TimeML>\1", r"<s>\1</s></TimeML>", r"</TimeML>")
    ),
    *((r"\n", new) for new in ("\r\n", "\r", "")),
    *(
        (r"<TimeML>", new)
        for new in ("<TimeML a='>'>", '<TimeML a="/">', "<TimeML a='\"'>", "<TimeML >")
    ),
    *(
        (r"<TimeML>", f"{before}<TimeML>")
        for before in ("\n", "<!-- -->", "<?p?>", "x", "<a/>", "\ufeff")
    ),
    *(
        (r"<TimeML>", f"<!DOCTYPE {doctype}><TimeML>")
        for doctype in ("TimeML", "TimeML SYSTEM 'x.dtd'")
    ),
    (r"<TimeML>", "<!DOCTYPE TimeML PUBLIC 'a' \"b\"><TimeML>"),
    (r"<TimeML>", "<!DOCTYPE TimeML []><TimeML>"),
    (r"<TimeML>", "<!DOCTYPE TimeML [<!ATTLIST EVENT eid CDATA 'e9'>]><TimeML>"),
    (r"<TimeML>", "<!DOCTYPE TimeML [<!ATTLIST TLINK lid NMTOKEN #IMPLIED>]><TimeML>"),
    (r"<TimeML>", "<!DOCTYPE TimeML [<!ENTITY nbsp ' '>]><TimeML>"),
    *(
        (r"(?s)<TimeML>(.*)</TimeML>", rf"<{root}>\1</{root.split()[0]}>")
        for root in ("s", "a:b", "é")
    ),
    (r"(?s)<TimeML>(.*)</TimeML>", r'<EVENT eid="e8">\1</EVENT>'),
    (r"(?s)<TimeML>(.*)</TimeML>", r"<TLINK>\1</TLINK>"),
    *(
        (r"^", f'<?xml version="1.0" encoding="{name}"?>')
        for name in (
            "utf-8",
            "UTF-8",
            "us-ascii",
            "iso-8859-1",
            "windows-1252",
            "utf8",
            "utf-16",
            "x",
        )
    ),
    (r"^", "<?xml version='1.0' standalone='yes' ?>\n"),
    (r"^", '<?xml version="1.1"?>'),
]
"""What may be odd about a file: a pattern, and what is written in its place."""

END = r"</(\w+)>"
ODD += [
    *(
        (END, new)
        for new in (r"</\1 >", r"</\1  >", r"</ \1>", r"</\1/>", r"</\1 a='b'>", r"<\1>", "")
    ),
    *(
        (END, new)
        for new in (r"</\1></\1>", r"</\1x>", "</x>", "</>", r"<//\1>", r"</\1\n>", r"</\1>x")
    ),
    *((END, new) for new in (r"<\1></\1></\1>", r"</\1><\1></\1>", r"<x></\1></x>", r"</\1é>")),
    (rf"{END}(.*?){END}", r"</\3>\2</\1>"),
    *(
        (TAG, new)
        for new in (r"<", r"< \1", r"</\1", r"<><\1", r"<a b><\1", r"<a/b><\1", r"<1/><\1")
    ),
    *((TAG, new) for new in (r'<a b="1"b="2"/><\1', r'<a b="1" b="2"/><\1', r'<a b="1" c/><\1')),
    *((TAG, new) for new in (r"<a b=1/><\1", r"<a//><\1", r"<a /><\1", r"<a / ><\1", r"<a:b/><\1")),
    *(
        (TAG, rf"{odd}<\1")
        for odd in ("<EVENT-x></EVENT-x>", "<TIMEX3:x/>", '<TIMEX3-x tid="t9"/>')
    ),
    *(
        (TAG, rf"{odd}<\1")
        for odd in ("<TimeML/>", "</TimeML><TimeML>", "<TLINK-x/>", "<MAKEINSTANCE-x/>")
    ),
    *(
        (WORDS, rf">\1{odd}<")
        for odd in ("\ufffe", "\uffff", "\ufffd", "\x7f", "\x1f", "\x0b", "\t", "\U0001fffe")
    ),
    *(
        (ATTRIBUTE, rf' \1="\2{odd}"')
        for odd in ("\ufffe", "\x7f", "\x1f", "\U0001fffe", "&", "]]>")
    ),
    *(
        (r"(?s)<TimeML>(.*)(<MAKE|</TimeML>)", new)
        for new in (
            r"<TimeML><a>\1</a>\2",
            r"<TimeML></a>\1<a>\2",
            r"<TimeML><a>\1\2",
            r"<TimeML>\1<a>\2",
        )
    ),
    *(
        (r"(?s)<TimeML>(.*)</TimeML>", new)
        for new in (
            r"<TimeML><a>\1</a></TimeML>",
            r"<TimeML><a>\1</TimeML></a>",
            r"<TimeML><a>\1</b></TimeML>",
        )
    ),
    (r"(?s)<TimeML>(.*)</TimeML>", r"<TimeML><a><b>\1</b></a></TimeML>"),
    (r"(?s)<TimeML>(.*)</TimeML>", r"<TimeML><a><b>\1</b>x</a >\n</TimeML >\n"),
]


@st.composite
def nearly_plain(draw: st.DrawFn) -> bytes:
    """A sound file that is odd in a few places, in some encoding."""
    text = draw(st.sampled_from((SOUND, FLAT)))
    for pattern, new in draw(st.lists(st.sampled_from(ODD), max_size=2)):
        found = [*re.finditer(pattern, text)]
        if found:
            place = draw(st.sampled_from(found))
            text = text[: place.start()] + place.expand(new) + text[place.end() :]
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "latin-1", "utf-8-sig", "utf-16"]))
    return text.encode(encoding, "replace")


@settings(max_examples=2 * settings.default.max_examples)
@given(nearly_plain())
def test_patterns_say_what_the_parser_says(data):
    event("plain" if look_twice(data) else "odd")


@pytest.mark.parametrize(("pattern", "new"), ODD)
@pytest.mark.parametrize("file", [SOUND, FLAT, FLAT.partition("<MAKE")[0] + "</TimeML>"])
def test_patterns_say_what_the_parser_says_of_each_oddity(file, pattern, new):
    for place in re.finditer(pattern, file):
        look_twice((file[: place.start()] + place.expand(new) + file[place.end() :]).encode())


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        (END, r"</\1 >"),
        (WORDS, ">\\1\x7f\t\ufffd<"),
        (r"<(EVENT)", r"<a /><\1"),
        (r"<(EVENT)", r'<a b="1" c="2"/><\1'),
        (r"(?s)<TimeML>(.*)</TimeML>", r"<TimeML><a><b>\1</b>x</a >\n</TimeML >\n"),
        (r"(?s)<TimeML>(.*?)(<MAKE.*)</TimeML>", r"<TimeML><a>\1</a><b>\2</b></TimeML>"),
    ],
)
@pytest.mark.parametrize("file", [SOUND, FLAT])
def test_some_oddities_need_no_closer_look(file, pattern, new):
    assert goes_fast(re.sub(pattern, new, file, count=1).encode())


@pytest.mark.parametrize("file", [SOUND, FLAT])
def test_ascii_is_ascii(file):
    declared = f'<?xml version="1.0" encoding="us-ascii"?>{file}'

    assert look_twice(declared.encode())
    assert not look_twice(declared.replace("he", "hé").encode())


def test_what_expat_does_not_see_is_refused_as_expat_would():
    """Every change of one character of a file, and every loss of one."""
    for at in range(len(FLAT)):
        for new in ("", "<", ">", "/", '"', " ", "x", "&", "\n"):
            look_twice((FLAT[:at] + new + FLAT[at + 1 :]).encode())


@pytest.mark.parametrize(
    "data",
    [
        SOUND.encode(),
        FLAT.encode(),
        re.sub(r"(?s)(<MAKE.*\n)(<TLINK.*\n)", r"\2\1", FLAT).encode(),
        SOUND.replace("\n", "\r\n").encode(),
        SOUND.replace("saw", "sàw &amp; &lt; 'x' \"y\" =").encode(),
        SOUND.replace('lid="l1"', 'lid="l1" comment="é\'"').encode(),
        SOUND.replace('signalID="s1"', 'signalID=" s1 "').encode(),
        SOUND.replace('signalID="s1"', 'signalID=" "').encode(),
        SOUND.replace("</SIGNAL>", f"</SIGNAL>{'<a>' * DEEP}{'</a>' * DEEP}").encode(),
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE TimeML SYSTEM "x">\n{SOUND}'.encode(),
        b"<TimeML></TimeML>",
        b'<TimeML a="b">words</TimeML>\n',
    ],
)
def test_plain_files_go_the_fast_way(data):
    assert goes_fast(data)
    assert look_twice(data)


@pytest.mark.parametrize("element", ["EVENT", "TIMEX3", "SIGNAL", "s"])
def test_a_mark_around_instances_and_links_is_left_to_a_closer_look(element):
    ids = {"EVENT": ' eid="e6"', "TIMEX3": ' tid="t6"', "SIGNAL": ' sid="s6"', "s": ""}
    more = '<MAKEINSTANCE eiid="ei6" eventID="e6"/>' if element == "EVENT" else ""
    around = SOUND.replace("<MAKE", f"<{element}{ids[element]}>odd {more}<MAKE", 1)
    data = around.replace("</TimeML>", f"</{element}></TimeML>").encode()

    assert not look_twice(data)
    assert len(tlex.parse(data).node_columns.starts) == (10 if element in {"SIGNAL", "s"} else 11)


@pytest.mark.parametrize(
    "marks",
    [
        '<EVENT eid="e8" class="STATE"/>',
        'a <EVENT eid="e8" class="STATE" ></EVENT > ',
        '<TIMEX3 tid="t8" value="1998">in <EVENT eid="e8">mid</EVENT> 1998</TIMEX3>',
        '<TIMEX3 tid="t8" value="1998">in <EVENT eid="e8" class="STATE" /></TIMEX3>',
        '<EVENT eid="e8" polarity="NEG"><b>in</b> <EVENTS/>a<c><EVENTS></EVENTS></c></EVENT>',
        '<EVENT eid="e8">&lt;<b/>&#38;</EVENT><TIMEX3N/>'.replace("#38", "amp"),
        '\r\n<EVENT eid="e8">\r</EVENT>\n\r',
        'é<TIMEX3 tid="t8" type="DATE">é</TIMEX3>\n é<EVENT eid="e8" modality="can">é</EVENT>',
    ],
)
@pytest.mark.parametrize("tail", [True, False])
def test_marks_may_be_empty_nested_or_around_others(marks, tail):
    instance = '<MAKEINSTANCE eiid="ei8" eventID="e8"/>' if tail else ""

    for text in (
        f"<TimeML>some {marks}{instance}</TimeML>",
        f"<TimeML><s>\n some {marks}</s> more\n{instance} </TimeML>\n",
    ):
        assert look_twice(text.encode()) is tail


@pytest.mark.parametrize("of_time", ["", 'type="DATE" value="1998"'])
@pytest.mark.parametrize("of_instances", ["", 'class="STATE"', 'polarity="NEG"'])
@pytest.mark.parametrize("of_events", ["", 'class="STATE"', 'modality="can"'])
def test_any_of_the_marks_and_instances_may_say_what_is_said(of_events, of_instances, of_time):
    text = f"""<TimeML><EVENT eid="e1" {of_events}>a</EVENT> <EVENT n="1" eid="e2">b</EVENT>
<TIMEX3 tid="t1" {of_time}>c</TIMEX3> <TIMEX3 tid="t2" mod="END" type="SET">d</TIMEX3>
<MAKEINSTANCE eiid="ei1" eventID="e1" {of_instances}/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
</TimeML>""".replace('" >', '">').replace('" />', '"/>')

    assert look_twice(text.encode())


def test_times_may_be_nested_in_a_file_without_instances_and_links():
    times = '<b><TIMEX3 tid="t1">in <TIMEX3 tid="t2" value="1998">98</TIMEX3> or so</TIMEX3></b>'

    assert look_twice(f"<TimeML>{times} and more</TimeML>\n".encode())


@pytest.mark.parametrize(
    "marked",
    [
        "<s>One. <s>Two.</s> Three.</s> Four.",
        '<s>One.</s> <s >Two &amp;\r\n more.</s > <s/>Three. <s n="1" />',
        '<s>One <TIMEX3 tid="t1">two</TIMEX3></s>. Three <SIGNAL sid="s1">four</SIGNAL>. Five.',
    ],
)
def test_marked_sentences_and_the_last_mark_are_found_without_nouns(marked):
    assert look_twice(f"<TimeML>{marked}\n</TimeML>".encode())
    assert look_twice(f'<TimeML>{marked}<TIMEX3 tid="t9"/> End.\n</TimeML>'.encode())


def test_nouns_of_a_plain_file_are_made_by_patterns_unless_a_tag_is_unusual():
    unusual = SOUND.replace("<TimeML>", "<TimeML><b c='d'/>")

    for text, found in ((SOUND, True), (unusual, False)):
        source, _ = open_source(text.encode(), "x", None)
        assert (list_elements(source) is not None) is found
        assert look_twice(text.encode()) is found


@pytest.mark.parametrize("element", ["EVENT", "TLINK", "TimeML"])
def test_a_huge_attribute_is_refused_in_both_ways(element):
    huge = "e" * ((1 << 20) + 1)

    data = SOUND.replace(f"<{element}", f'<{element} z="{huge}"', 1).encode()

    assert not look_twice(data)
    with pytest.raises(tlex.ReadError, match="longer than"):
        tlex.parse(data)


@pytest.mark.parametrize("encoding", ["utf-8", "iso8859-1", "ascii"])
def test_an_encoding_that_is_given_counts(encoding):
    look_twice(SOUND.replace('"t5"', '"t5é"').encode(), encoding)


def test_many_shapes_of_tags_are_not_kept():
    from tlex.readers.timeml.scan import _SHAPES  # noqa: PLC0415

    links = "".join(
        f'<TLINK lid="l{n}" relType="BEFORE" timeID="t1" relatedToTime="t2" a{n}=""/>'
        for n in range(3000)
    )
    file = f'<TimeML><TIMEX3 tid="t1">x</TIMEX3> <TIMEX3 tid="t2">x</TIMEX3>{links}</TimeML>'

    assert look_twice(file.encode())
    assert len(_SHAPES) <= 1000


def test_broken_files_are_read_alike_in_both_ways():
    chance = Random(11)  # noqa: S311 -- no secret
    outcomes = {look_twice(mutate(SOUND.encode(), chance)) for _ in range(1000)}
    for data in fuzz.collect("own"):
        if b"<TimeML" in data:
            outcomes.add(look_twice(mutate(data, chance)))
    assert outcomes == {True, False}


@pytest.mark.corpus
def test_broken_files_of_timebank_are_read_alike_in_both_ways(timebank):
    small = [known.source.data for known in timebank.values() if len(known.source.data) < 5000]
    chance = Random(12)  # noqa: S311
    outcomes = {look_twice(mutate(chance.choice(small), chance)) for _ in range(200)}
    assert outcomes == {True, False}


@pytest.mark.corpus
def test_timebank_needs_a_closer_look_in_one_place(timebank):
    odd = [name for name, known in timebank.items() if not goes_fast(known.source.data)]

    assert odd == ["APW19980213.1380.tml"]
    assert all(
        look_twice(known.source.data) is (name not in odd) for name, known in timebank.items()
    )


def test_an_slink_may_have_what_no_slink_needs():
    more = SOUND.replace('<SLINK lid="l4"', '<SLINK lid="l4" timeID="t1"')

    assert look_twice(more.encode())
    assert tlex.parse(more).links[3].source == "ei1"


@pytest.mark.parametrize("file", [SOUND, SOUND.replace("</TimeML>", "<TLINK></TLINK></TimeML>")])
def test_a_link_may_stand_anywhere(file):
    """In the text, in a mark, in another link: at any depth, and marks go on behind it."""
    link = '<TLINK lid="l9" relType="BEFORE" timeID="t1" relatedToTime="t2"/>'
    inside = file.replace("he <EVENT", f"he {link}<EVENT").replace('"before"', '"after"')

    document = tlex.parse(inside)

    assert document.words(document.events[0]) == "he saw"
    assert [event.id for event in document.events] == ["e1", "e2", "e4", "e5"]
    assert [link.id for link in document.links][:2] == ["l9", "l1"]


@pytest.mark.parametrize("element", ["a", "EVENT", "TLINK"])
@pytest.mark.parametrize("before", ["", "<TLINK/>", "<TLINK/><a/><SLINK/>"])
def test_elements_may_be_256_deep_and_no_deeper_before_and_behind_links(element, before):
    def nest(depth: int) -> str:
        return f"<TimeML>{before}{f'<{element}>' * depth}{f'</{element}>' * depth}</TimeML>"

    assert tlex.parse(nest(255)).text == ""
    with pytest.raises(tlex.ReadError, match="256 deep"):
        tlex.parse(nest(256))


def test_reading_leaves_nothing_to_the_garbage_collector():
    tlex.parse(SOUND)  # whatever is loaded once is loaded now
    gc.collect()
    gc.disable()
    try:
        tlex.parse(SOUND)
        with contextlib.suppress(tlex.ReadError):
            tlex.parse(SOUND[:-20])
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_rows_are_let_go_when_the_nouns_are_made():
    document = tlex.parse(SOUND)
    assert "_make" in vars(document)

    assert document.nodes

    assert "_make" not in vars(document)


# --- nouns that are made later ------------------------------------------------------------------


def test_extracting_makes_no_nouns_and_looking_does():
    document = tlex.parse(SOUND)
    result = tlex.extract(document)
    assert result.consistent
    assert "links" not in vars(document)

    assert [link.id for link in document.links] == ["l1", "l2", "l3", "l4", "l5"]
    assert document.links is document.links
    assert document.links[0].signal == "s1"
    assert document.node("ei2") is document.instances[0]


def test_many_who_look_at_once_see_the_same_nouns():
    for _ in range(100):
        document = tlex.parse(SOUND)
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda _: document.nodes, range(16)))  # noqa: B023
        assert all(nodes is seen[0] for nodes in seen)


def test_nouns_are_in_the_order_of_the_file():
    document = tlex.parse(SOUND)

    assert [event.id for event in document.events] == ["e1", "e2", "e4", "e5"]
    assert [time.id for time in document.timexes] == ["t1", "t2", "t3", "t4", "t5"]


def test_a_document_can_be_sent_elsewhere_before_and_after_somebody_looks():
    document = tlex.parse(SOUND, name="sent")
    before = pickle.loads(pickle.dumps(document))  # noqa: S301 -- our own bytes
    names = [node.id for node in document.nodes]
    after = pickle.loads(pickle.dumps(document))  # noqa: S301

    for again in (before, after):
        assert [node.id for node in again.nodes] == names
        assert [link.line for link in again.links] == [8, 9, 10, 11, 12]
        assert tlex.extract(again).to_json() == tlex.extract(document).to_json()


@pytest.mark.parametrize("label", ["BEFORE", "AFTER"])
def test_all_answers_of_a_plain_file_need_no_nouns_and_are_the_same(label):
    more = f'<TLINK lid="l6" relType="{label}" eventInstanceID="ei1" relatedToTime="t1"/>'
    data = SOUND.replace("</TimeML>", f"{more}</TimeML>").encode()
    document, long = tlex.parse(data, name="x"), read_the_long_way(data, None)

    result = tlex.extract(document)

    assert result.consistent is (label == "BEFORE")
    assert result.to_json() == tlex.extract(long).to_json()
    assert "nodes" not in vars(document)
    assert result.mended == ()


def test_a_document_with_a_calendar_can_be_sent_elsewhere():
    dated = """<TimeML><TIMEX3 tid="t1" type="DATE" value="1999">then</TIMEX3>
<TIMEX3 tid="t2" type="DATE" value="2001">now</TIMEX3></TimeML>"""
    document = tlex.extract(tlex.parse(dated), calendar=True).document
    assert "nodes" not in vars(document)

    again = pickle.loads(pickle.dumps(document))  # noqa: S301 -- our own bytes

    assert again.link_ids == [link.id for link in document.links]
    assert again.slinks == []
    assert len(again.links) == 1


def test_a_document_like_another_has_what_it_is_given():
    document = tlex.parse(SOUND, name="first")

    fewer = document.replace(links=document.links[:1], name="second")

    assert (fewer.name, len(fewer.links), fewer.text) == ("second", 1, document.text)
    assert len(list_relations(fewer).labels) == 1
    assert len(tlex.extract(fewer).timelines) > len(tlex.extract(document).timelines)
    with pytest.raises(TypeError, match="lnks"):
        document.replace(lnks=())


@pytest.mark.parametrize("name", ["lnks", "__deepcopy__", "_make_up"])
def test_a_document_has_no_other_attributes(name):
    with pytest.raises(AttributeError, match=name):
        getattr(tlex.parse(SOUND), name)


def test_a_document_names_its_nouns_and_loses_none():
    document = tlex.parse(SOUND)

    assert {"events", "instances", "timexes", "signals", "nodes", "links"} <= set(dir(document))
    with pytest.raises(AttributeError):
        del document.text
    assert not hasattr(Document.__new__(Document), "nodes")


def test_an_index_may_know_a_node_by_two_names():
    document = tlex.parse(SOUND)

    twice = document.replace(index={**document.index, "E1": document.index["ei1"]})

    assert len(tlex.extract(twice).nodes) == len(document.nodes)
    assert tlex.extract(twice).to_json()


def test_a_document_is_shown_by_its_name():
    assert repr(tlex.parse(SOUND, name="x.tml")) == "<Document 'x.tml': 10 nodes, format timeml>"
    assert isinstance(tlex.parse(SOUND), Document)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("BEFORE", "AFTER", True),
        ('eiid="ei5"', 'class="STATE" eiid="ei5"', True),
        (">noon<", ">dawn<", False),
        ('"ei4" eventID', '"ei9" eventID', False),
        ('tid="t1"', 'functionInDocument="CREATION_TIME" tid="t1"', False),
        ("</TimeML>", "\n</TimeML>", False),
        ('"e4"/>\n', '"e4"/>', False),
        # of two instances of one event, the first in the file comes first
        ('eiid="ei3" eventID="e1"', 'eiid="ei0" eventID="e1"', False),
        ("</TimeML>", "</TimeML><!-- -->", False),
    ],
)
def test_a_file_with_other_links_has_the_nodes_of_another(one, other, same):
    assert one in SOUND
    document = tlex.parse(SOUND)
    changed = tlex.parse(SOUND.replace(one, other))

    assert document.has_nodes_of(changed) is changed.has_nodes_of(document) is same
    assert same <= (document.places == changed.places)
    assert not document.has_nodes_of(document.replace())


def test_files_with_other_orders_of_instances_have_other_nodes():
    head = '<TimeML><EVENT eid="e1">he</EVENT>'
    instances = [f'<MAKEINSTANCE eiid="ei{n}" eventID="e1"/>' for n in range(2)]
    one, other = (
        tlex.parse("".join((head, *order, "</TimeML>"))) for order in (instances, instances[::-1])
    )

    assert not one.has_nodes_of(other)
    assert one.places.ids != other.places.ids


def test_a_file_that_has_the_nodes_of_another_has_them_in_the_same_places():
    chance = Random(5)  # noqa: S311
    document, answers = tlex.parse(SOUND), set()
    for _ in range(1000):
        with contextlib.suppress(tlex.TlexError):
            changed = tlex.parse(mutate(SOUND.encode(), chance))
            same = document.has_nodes_of(changed)
            assert same <= (document.places == changed.places)
            answers.add(same)

    assert answers == {True, False}
