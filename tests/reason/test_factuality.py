"""Whether an event happened, by the first of six readings that applies."""

from __future__ import annotations

import pytest

import tlex

HEAD = """<TimeML>
<EVENT eid="e1" class="I_ACTION">said</EVENT> <EVENT eid="e2" class="STATE"{on_event}>go</EVENT>
<TIMEX3 tid="t1" type="DATE" value="2020-01-01" polarity="NEG" modality="may">today</TIMEX3>
<MAKEINSTANCE eventID="e1" eiid="ei1"/>
<MAKEINSTANCE eventID="e2" eiid="ei2"{on_instance}/>
"""


def factuality(*types: str, on_instance: str = "", on_event: str = "", kind: str = "SLINK") -> str:
    """Judge an event into which SLINKs of these types lead."""
    links = "".join(
        f'<{kind} lid="l{k}" relType="{written}" eventInstanceID="ei1" '
        f'subordinatedEventInstance="ei2"/>\n'
        for k, written in enumerate(types)
    )
    head = HEAD.format(on_event=on_event, on_instance=on_instance)
    nodes = {node.id: node for node in tlex.extract(tlex.parse(f"{head}{links}</TimeML>")).nodes}
    return nodes["ei2"].factuality


@pytest.mark.parametrize(
    ("written", "judged"),
    [
        ("COUNTER_FACTIVE", "counterfactual"),
        ("NEGATIVE_EVIDENTIAL", "counterfactual"),
        ("NEG_EVIDENTIAL", "counterfactual"),
        ("CONDITIONAL", "conditional"),
        ("MODAL", "possible"),
        ("modal ", "possible"),
        ("EVIDENTIAL", "reported"),
        ("FACTIVE", "factual"),
        ("UNHEARD_OF", "factual"),
    ],
)
def test_a_subordinating_link_says_whether_its_target_happened(written, judged):
    assert factuality(written) == judged


def test_an_event_of_which_nothing_is_said_is_factual():
    assert factuality() == "factual"


@pytest.mark.parametrize(
    ("types", "attributes", "judged"),
    [
        (("EVIDENTIAL", "COUNTER_FACTIVE", "MODAL"), "", "counterfactual"),
        (("MODAL", "CONDITIONAL"), "", "conditional"),
        (("EVIDENTIAL", "MODAL"), ' polarity="NEG"', "possible"),
        (("EVIDENTIAL",), ' polarity="NEG"', "negated"),
        (("FACTIVE",), ' polarity="NEG"', "negated"),
        (("EVIDENTIAL", "FACTIVE"), "", "reported"),
        (("EVIDENTIAL",), ' modality="would"', "possible"),
        (("CONDITIONAL",), ' polarity="NEG" modality="would"', "conditional"),
    ],
)
def test_the_first_reading_that_applies_wins(types, attributes, judged):
    assert factuality(*types, on_instance=attributes) == judged


@pytest.mark.parametrize(
    ("attributes", "judged"),
    [
        (' polarity="NEG"', "negated"),
        (' polarity=" neg "', "negated"),
        (' polarity="POS"', "factual"),
        (' modality="could"', "possible"),
        (' modality="NONE"', "factual"),
        (' modality=" none "', "factual"),
        (' modality=""', "factual"),
        (' polarity="NEG" modality="may"', "possible"),
    ],
)
def test_polarity_and_modality_count_on_the_instance_and_on_the_event(attributes, judged):
    assert factuality(on_instance=attributes) == judged
    assert factuality(on_event=attributes) == judged


def test_the_instance_overrules_its_event():
    assert factuality(on_event=' polarity="NEG"', on_instance=' polarity="POS"') == "factual"


def test_both_ends_of_a_conditional_are_conditional_and_of_others_the_target_only():
    document = tlex.from_links(
        [("e1", "CONDITIONAL", "e2"), ("e3", "MODAL", "e4"), ("e5", "COUNTER_FACTIVE", "e6")]
    )

    nodes = {node.id: node.factuality for node in tlex.extract(document).nodes}

    assert nodes == {
        "e1": "conditional",
        "e2": "conditional",
        "e3": "factual",
        "e4": "possible",
        "e5": "factual",
        "e6": "counterfactual",
    }


def test_a_time_is_factual_whatever_is_written_on_it():
    document = tlex.parse(HEAD.format(on_event="", on_instance="") + "</TimeML>")

    nodes = {node.id: node for node in tlex.extract(document).nodes}

    assert (nodes["t1"].kind, nodes["t1"].factuality) == ("time", "factual")
    assert nodes["t1"].value == "2020-01-01"


def test_only_subordinating_links_speak_of_factuality():
    document = tlex.from_links([("e1", "BEFORE", "e2"), ("e1", "INITIATES", "e3")])

    assert {node.factuality for node in tlex.extract(document).nodes} == {"factual"}


def test_a_node_is_described_by_its_words_and_place():
    document = tlex.parse(HEAD.format(on_event="", on_instance="") + "</TimeML>")

    said = tlex.extract(document).nodes[0]

    assert (said.id, said.kind, said.text, said.event) == ("ei1", "event", "said", "e1")
    assert (said.line, said.column, said.type) == (2, 1, "I_ACTION")
    assert document.text[said.span.start : said.span.end] == "said"


def test_a_link_with_an_undefined_end_says_nothing():
    document = tlex.parse(
        '<TimeML><EVENT eid="e1">a</EVENT><SLINK lid="l1" relType="MODAL" '
        'eventInstanceID="nobody" subordinatedEventInstance="e1"/></TimeML>'
    )

    result = tlex.extract(document)

    assert [node.factuality for node in result.nodes] == ["factual"]
    tlex.verify(document, result)
