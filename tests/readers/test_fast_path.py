"""The fast path of reading TimeML and the full one give the same."""

from __future__ import annotations

import contextlib
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import fuzz
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import tlex
from tlex.document import Document
from tlex.graph import list_relations
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.timeml import parsing
from tlex.readers.timeml.fast_path import number_document
from tlex.readers.timeml.nouns import are_clean, build_document
from tlex.readers.timeml.parsing import parse_elements
from tlex.readers.xml import open_source

SOUND = """<TimeML>
<TIMEX3 tid="t1">Today <EVENT eid="e1">he <EVENT eid="e2">saw</EVENT></EVENT></TIMEX3>
<SIGNAL sid="s1">before</SIGNAL> <TIMEX3 tid="t2"><TIMEX3 tid="t3">noon</TIMEX3></TIMEX3>
<MAKEINSTANCE eiid="ei2" eventID="e2"/><MAKEINSTANCE eiid="ei1" eventID="e1"/>
<MAKEINSTANCE eiid="ei3" eventID="e1"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1" signalID="s1"/>
<TLINK lid="l2" relType=" after " timeID="t3" relatedToEventInstance="ei2"/>
<TLINK lid="l3" relType="VAGUE" timeID="t2" relatedToTime="t3"/>
<SLINK lid="l4" relType="NEG_EVIDENTIAL" eventInstanceID="ei1" subordinatedEventInstance="ei3"/>
<ALINK lid="l5" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>
</TimeML>"""


def look_twice(data: bytes) -> bool:
    """Compare the fast path with the nouns; say whether the fast path was taken."""
    source, encoding = open_source(data, "x", None)
    diagnostics = Diagnostics("x", source)
    found = parse_elements(source, diagnostics, encoding)
    numbers = number_document(found)
    if numbers is None or diagnostics.found:
        return False
    document = build_document(source, found, diagnostics)
    index, relations = numbers
    assert document.diagnostics == ()
    assert list(index.items()) == list(document.index.items())
    assert [node.id for node in document.nodes] == list(index)
    assert relations == list_relations(document)
    nouns = (*document.nodes, *document.events, *document.links, *document.signals)
    assert are_clean([noun.id for noun in nouns])
    return True


def test_a_sound_file_needs_no_closer_look():
    assert look_twice(SOUND.encode())

    document = tlex.parse(SOUND)
    assert document.relations.sources == [1, 5, 2]
    assert document.relations.targets == [0, 3, 3]
    assert list(document.index) == ["t1", "ei1", "ei3", "ei2", "t2", "t3"]


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


def test_the_fast_path_of_broken_files_says_what_the_nouns_say():
    sources = [data for data in fuzz.collect("own") if b"<TimeML" in data]
    outcomes = set()
    for number in range(400):
        try:
            outcomes.add(look_twice(fuzz.make(11, number, sources)))
        except tlex.ReadError:
            continue
    assert outcomes == {True, False}


@pytest.mark.corpus
def test_timebank_needs_a_closer_look_in_one_place(timebank):
    odd = [name for name, known in timebank.items() if not look_twice(known.source.data)]

    assert odd == ["APW19980213.1380.tml"]


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
    assert [event.id for event in document.events] == ["e1", "e2"]
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

    assert [event.id for event in document.events] == ["e1", "e2"]
    assert [time.id for time in document.timexes] == ["t1", "t2", "t3"]


def test_whether_the_tail_is_plain_is_looked_up_once(monkeypatch):
    asked: list[int] = []
    pattern = parsing._END_IN_TAIL  # noqa: SLF001

    class Counting:
        def search(self, data: bytes, start: int) -> object:
            asked.append(start)
            return pattern.search(data, start)

    monkeypatch.setattr(parsing, "_END_IN_TAIL", Counting())
    pairs = [
        f'<EVENT eid="e{n}">a</EVENT><MAKEINSTANCE eiid="ei{n}" eventID="e{n}"/>' for n in range(9)
    ]

    assert look_twice(f"<TimeML>{''.join(pairs)}</TimeML>".encode())

    assert len(asked) == 1


def test_a_document_can_be_sent_elsewhere_before_and_after_somebody_looks():
    document = tlex.parse(SOUND, name="sent")
    before = pickle.loads(pickle.dumps(document))  # noqa: S301 -- our own bytes
    names = [node.id for node in document.nodes]
    after = pickle.loads(pickle.dumps(document))  # noqa: S301

    for again in (before, after):
        assert [node.id for node in again.nodes] == names
        assert [link.line for link in again.links] == [6, 7, 8, 9, 10]
        assert tlex.extract(again).to_json() == tlex.extract(document).to_json()


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
    assert repr(tlex.parse(SOUND, name="x.tml")) == "<Document 'x.tml': 6 nodes, format timeml>"
    assert isinstance(tlex.parse(SOUND), Document)
