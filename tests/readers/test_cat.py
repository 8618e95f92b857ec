"""CAT XML: what is read of MEANTIME's, EventStoryLine's and the plain dialect."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotWellFormedError, RefusedError, StrictError, TooLargeError
from tlex.nouns import Code, Event, Timex

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def meantime() -> tlex.Document:
    return tlex.read(DATA / "meantime.xml")


@pytest.fixture(scope="module")
def storyline() -> tlex.Document:
    return tlex.read(DATA / "storyline.xml")


def cat(markables: str, relations: str = "", tokens: str = "") -> tlex.Document:
    tokens = tokens or "".join(
        f'<token t_id="{n}" sentence="0" number="{n}">w{n}</token>' for n in range(1, 5)
    )
    return tlex.parse(
        f"<Document>{tokens}\n<Markables>{markables}</Markables>\n"
        f"<Relations>{relations}</Relations></Document>"
    )


def mention(name: str, *tokens: int) -> str:
    anchors = "".join(f'<token_anchor t_id="{token}"/>' for token in tokens)
    return f'<EVENT_MENTION m_id="{name}">{anchors}</EVENT_MENTION>'


def link(name: str, source: str, target: str, kind: str = "TLINK", label: str = "BEFORE") -> str:
    ends = f'<source m_id="{source}"/><target m_id="{target}"/>'
    return f'<{kind} r_id="{name}" reltype="{label}">{ends}</{kind}>'


# --- MEANTIME -----------------------------------------------------------------------------------


def test_the_text_is_the_tokens_with_a_line_for_each_sentence(meantime):
    assert meantime.format == "cat"
    assert meantime.text.splitlines() == [
        "Lamp found",
        "In May , Zoë had switched it off before she tried to sell it",
    ]


def test_nodes_are_mentions_and_times_in_text_order_and_those_without_tokens_last(meantime):
    assert [node.id for node in meantime.nodes] == ["5", "6", "3", "4", "2", "7"]
    assert [type(node) for node in meantime.nodes] == [Event, Timex, Event, Event, Event, Timex]


def test_the_words_of_a_discontiguous_mention_are_its_own_in_text_order(meantime):
    node = meantime.node("3")

    assert meantime.words(node) == "switched off"
    assert meantime.text[node.text_start : node.text_end] == "switched it off"


def test_a_time_without_tokens_has_the_words_of_its_descriptor(meantime):
    node = meantime.node("7")

    assert node.span is None
    assert meantime.words(node) == "June 1"
    assert (node.type, node.value) == ("DATE", "2012-06-01")


def test_all_kinds_of_links_are_kept_in_document_order(meantime):
    assert [
        (each.kind, each.id, each.type, each.source, each.target, each.signal)
        for each in meantime.links
    ] == [
        ("TLINK", "101", "BEFORE", "3", "4", "8"),
        ("TLINK", "102", "IS_INCLUDED", "3", "6", None),
        ("TLINK", "103", "MEASURE", "5", "7", None),
        ("SLINK", "104", None, "4", "2", None),
        ("GLINK", "105", None, "4", "2", None),
        ("CLINK", "106", None, "5", "2", None),
    ]


def test_a_format_without_types_of_slinks_is_not_blamed_for_it(meantime):
    assert meantime.diagnostics == ()


def test_an_untyped_slink_subordinates_like_any_other(meantime):
    result = tlex.extract(meantime)

    assert [(c.link, c.type, c.source, c.target) for c in result.connections] == [
        ("104", None, "4", "2")
    ]
    assert "2" not in {name for timeline in result.trunk for name in timeline.intervals}


def test_glinks_and_clinks_neither_order_nor_connect(meantime):
    result = tlex.extract(meantime)

    assert [timeline.intervals for timeline in result.timelines] == [
        ("5",),
        ("6", "3", "4"),
        ("2",),
        ("7",),
    ]


def test_coreference_merges_nothing(meantime):
    assert not {"20"} & {*meantime.index}
    assert len(meantime.events) == 4


def test_every_noun_has_its_place(meantime):
    assert (meantime.node("3").line, meantime.node("3").column) == (25, 1)
    assert (meantime.links[1].line, meantime.links[1].column) == (54, 1)
    noun = meantime.links[0]
    element = meantime.source.data[noun.byte_start : noun.byte_end].decode()
    assert element.startswith('<TLINK r_id="101"')
    assert element.endswith("</TLINK>")


def test_the_answers_of_a_cat_document_can_be_proven(meantime):
    assert tlex.verify(meantime, tlex.extract(meantime))


def test_the_linter_takes_every_kind_of_link(meantime):
    result = tlex.extract(meantime)

    assert tlex.check(result, all=True).findings


def test_links_of_several_kinds_on_one_pair_are_no_trouble_to_the_linter():
    document = cat(
        mention("1", 1) + mention("2", 2),
        link("7", "1", "2") + link("8", "1", "2", kind="CLINK") + link("9", "2", "1", kind="GLINK"),
    )

    found = tlex.check(document, select=["TLX302", "TLX303"]).findings

    assert [finding.code for finding in found] == []


# --- EventStoryLine and ECB+ --------------------------------------------------------------------


def test_the_name_of_an_element_is_the_class(storyline):
    assert [(event.id, event.type) for event in storyline.events] == [
        ("1", "ACTION_OCCURRENCE"),
        ("2", "NEG_ACTION_ASPECTUAL"),
    ]
    assert [(timex.id, timex.type) for timex in storyline.timexes] == [("3", "TIME"), ("4", "DATE")]


def test_what_is_negated_by_its_name_did_not_happen(storyline):
    described = {node.id: node.factuality for node in tlex.extract(storyline).nodes}

    assert described["2"] == "negated"
    assert described["1"] == "factual"


def test_an_empty_type_is_a_diagnostic(storyline):
    found = [(d.code, d.line) for d in storyline.diagnostics if "13" in d.message]

    assert found == [(Code.MISSING_ATTRIBUTE, 24)]


def test_relations_that_are_no_links_of_time_are_left_alone(storyline):
    assert [each.id for each in storyline.links] == ["11", "12", "13", "15"]


def test_an_instance_that_a_link_points_at_is_a_node():
    document = cat(
        mention("1", 1) + '<ACTION_OCCURRENCE m_id="2" TAG_DESCRIPTOR="the fall"/>'
        '<ACTION_OCCURRENCE m_id="3" TAG_DESCRIPTOR="unused"/>',
        link("7", "1", "2"),
    )

    assert [node.id for node in document.nodes] == ["1", "2"]
    assert document.words(document.node("2")) == "the fall"
    assert not document.diagnostics


# --- the dialect with plain ids -----------------------------------------------------------------


def test_plain_ids_are_as_good_as_named_ones():
    document = tlex.read(DATA / "plain-ids.xml")

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("1", "wrote"),
        ("2", "called"),
    ]
    assert [(each.kind, each.id, each.type, each.signal) for each in document.links] == [
        ("CLINK", "4", None, "3"),
        ("TLINK", "5", "AFTER", None),
    ]
    assert [signal.id for signal in document.signals] == ["3"]
    assert not document.diagnostics


# --- what can be wrong --------------------------------------------------------------------------


def codes(document: tlex.Document) -> list[str]:
    return [problem.code for problem in document.diagnostics]


def test_an_anchor_that_leads_nowhere_is_reported_and_the_rest_counts():
    document = cat(mention("1", 2, 99))

    assert codes(document) == [Code.DANGLING]
    assert "EVENT_MENTION 1 is anchored to token '99'" in document.diagnostics[0].message
    assert document.words(document.node("1")) == "w2"


def test_a_link_without_ends_is_kept_and_reported():
    document = cat(mention("1", 1), '<TLINK r_id="7" reltype="BEFORE"/>')

    assert codes(document) == [Code.MISSING_ATTRIBUTE] * 2
    assert document.links[0].source is None


def test_of_two_sources_the_first_is_used():
    document = cat(
        mention("1", 1) + mention("2", 2) + mention("3", 3),
        '<TLINK r_id="7" reltype="BEFORE"><source m_id="1"/><source m_id="2"/>'
        '<target m_id="3"/></TLINK>',
    )

    assert codes(document) == [Code.TWO_ENDS]
    assert document.links[0].source == "1"


def test_repeated_ids_are_reported_and_the_first_counts():
    tokens = '<token t_id="1">one</token><token t_id="1">two</token>'
    document = cat(mention("1", 1) + mention("1", 1), tokens=tokens)

    assert codes(document) == [Code.REPEATED_ID, Code.REPEATED_ID]
    assert [document.words(node) for node in document.nodes] == ["one"]


def test_a_markable_or_token_without_id_is_reported():
    document = cat("<TIMEX3/><ENTITY/>", tokens="<token>one</token>")

    assert codes(document) == [Code.MISSING_ATTRIBUTE] * 2


def test_a_link_without_id_is_known_by_its_place():
    document = cat(mention("1", 1), "<GLINK><source m_id='1'/><target m_id='1'/></GLINK>")

    assert document.links[0].id == "GLINK@3:12"
    assert codes(document) == [Code.MISSING_ATTRIBUTE]


def test_an_unknown_type_is_reported_with_the_nearest_one():
    document = cat(mention("1", 1), link("7", "1", "1", label="BEFOR"))

    assert codes(document) == [Code.UNKNOWN_TYPE]
    assert "BEFORE" in document.diagnostics[0].hint


def test_any_type_of_a_kind_without_types_is_kept_as_it_is():
    document = cat(mention("1", 1), link("7", "1", "1", kind="CLINK", label="cause"))

    assert document.links[0].type == "cause"
    assert not document.diagnostics


def test_strict_raises_the_first_error():
    with pytest.raises(StrictError, match="token '9'"):
        tlex.parse(
            "<Document><token t_id='1'>a</token><Markables><EVENT_MENTION m_id='1'>"
            "<token_anchor t_id='9'/></EVENT_MENTION></Markables></Document>",
            strict=True,
        )


def test_an_unknown_element_inside_a_markable_is_passed_over():
    inner = "<EVENT_MENTION m_id='1'><note><EVENT_MENTION m_id='9'/></note>"
    document = cat(inner + "<token_anchor t_id='2'/></EVENT_MENTION>" + mention("2", 3))

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("1", "w2"),
        ("2", "w3"),
    ]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("<Document><token t_id='1'>a</Document>", NotWellFormedError),
        ("<!DOCTYPE D [<!ENTITY x 'y'>]><Document><token t_id='1'>&x;</token></Document>",
         RefusedError),
        ("<Document><token t_id='1'/>" + "<a>" * 300 + "</a>" * 300 + "</Document>", TooLargeError),
        ("<Document><token t_id='1'/><Markables><E m_id='" + "x" * (1 << 20) + "y'/></Markables>"
         "</Document>", TooLargeError),
    ],
)  # fmt: skip
def test_the_guards_are_those_of_timeml(content, error):
    with pytest.raises(error) as caught:
        tlex.parse(content, name="x.xml")

    assert caught.value.line == 1


def test_an_entity_from_elsewhere_stays_in_the_word_as_it_is_written():
    document = tlex.parse(
        "<!DOCTYPE D SYSTEM 'd.dtd'><Document><token t_id='1'>a&nbsp;b</token>&x;"
        "<token t_id='2'>c</token></Document>"
    )

    assert document.text == "a&nbsp;b c"
    assert codes(document) == [Code.UNEXPANDED_ENTITY] * 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
def test_byte_order_marks_and_utf_16_are_read(encoding):
    content = (DATA / "meantime.xml").read_text(encoding="utf-8").encode(encoding)

    assert "Zoë" in tlex.parse(content).text


SAMPLE = (DATA / "meantime.xml").read_bytes()


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), st.binary(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    damaged = SAMPLE[:start] + new + SAMPLE[start + length :]
    try:
        document = tlex.parse(damaged)
    except tlex.ReadError:
        return
    result = tlex.extract(document)
    assert tlex.verify(document, result)
