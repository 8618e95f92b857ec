"""Whether an event happened: by what marks it, or else by the timeline that it is on."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("UNHEARD_OF", "unasserted"),
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


# --- events that nothing marks ------------------------------------------------------------------


def judge(*links, **options):
    """Judge each event of a graph, written as "e1 MODAL e2"; "?" is an SLINK without type."""
    rows = [dict(zip(("source", "type", "target"), link.split(), strict=True)) for link in links]
    for row in rows:
        if row["type"] == "?":
            row |= {"type": None, "kind": "SLINK"}
    document = tlex.parse(json.dumps({"links": rows}))
    result = tlex.extract(document, **options)
    tlex.verify(document, result)
    return {node.id: node.factuality for node in result.nodes}


@pytest.mark.parametrize(
    ("written", "judged"),
    [
        ("COUNTER_FACTIVE", "counterfactual"),
        ("NEGATIVE_EVIDENTIAL", "counterfactual"),
        ("CONDITIONAL", "conditional"),
        ("MODAL", "possible"),
        ("EVIDENTIAL", "reported"),
        ("FACTIVE", "factual"),
        ("?", "unasserted"),
    ],
)
def test_an_unmarked_event_on_a_branch_is_what_its_branch_is(written, judged):
    found = judge(f"e4 {written} e5", "e5 BEFORE e6", "t1 INCLUDES e6")

    assert found["e5"] == found["e6"] == judged
    assert found["t1"] == "factual"


def test_slinks_into_a_branch_that_disagree_leave_it_unasserted():
    links = ["a BEFORE b", "c BEFORE d", "d BEFORE e", "e BEFORE f"]

    assert judge(*links, "a MODAL c", "b MODAL d")["f"] == "possible"
    assert judge(*links, "a COUNTER_FACTIVE c", "b NEGATIVE_EVIDENTIAL d")["f"] == "counterfactual"
    for one, other in [("MODAL", "EVIDENTIAL"), ("MODAL", "?"), ("FACTIVE", "CONDITIONAL")]:
        found = judge(*links, f"a {one} c", f"b {other} d")
        assert found["e"] == found["f"] == "unasserted"


def test_slinks_inside_a_branch_say_nothing_about_the_rest_of_it():
    found = judge("a MODAL c", "c BEFORE d", "d BEFORE e", "c COUNTER_FACTIVE d")

    assert found == {"a": "factual", "c": "possible", "d": "counterfactual", "e": "possible"}


def test_a_branch_of_a_branch_is_what_its_own_slinks_say():
    found = judge("a MODAL c", "c BEFORE d", "d FACTIVE e", "e BEFORE f", "f EVIDENTIAL g")

    assert found == {
        "a": "factual",
        "c": "possible",
        "d": "possible",
        "e": "factual",
        "f": "factual",
        "g": "reported",
    }


def test_on_the_trunk_an_unmarked_event_is_factual_though_slinks_lead_there():
    found = judge("a BEFORE b", "b BEFORE c", "x MODAL a", "c EVIDENTIAL x", "x BEFORE y")

    assert found == {
        "a": "possible",
        "b": "factual",
        "c": "factual",
        "x": "reported",
        "y": "reported",
    }


def test_off_the_trunk_that_the_caller_names_nothing_is_a_fact_by_itself():
    links = ["a BEFORE b", "c BEFORE d", "c MODAL e", "e BEFORE f", "a EVIDENTIAL g", "g BEFORE h"]

    found = judge(*links, main=["a"])

    assert {name: found[name] for name in "abcdefgh"} == {
        "a": "factual",
        "b": "factual",
        "c": "unasserted",
        "d": "unasserted",
        "e": "possible",
        "f": "possible",
        "g": "reported",
        "h": "reported",
    }


def test_only_slinks_that_make_a_branch_say_what_it_is():
    links = ["a MODAL c", "b EVIDENTIAL c", "c BEFORE d", "a BEFORE b"]

    assert judge(*links)["d"] == "unasserted"
    assert judge(*links, subordinating=["MODAL"])["d"] == "possible"
    assert judge(*links, subordinating=["FACTIVE"])["d"] == "factual"  # it is no branch then
    assert judge(*links, subordinating=["MODAL"])["c"] == "possible"


def test_what_marks_an_event_itself_goes_before_its_branch():
    text = """<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>
    <MAKEINSTANCE eiid="i1" eventID="e1"/><MAKEINSTANCE eiid="i2" eventID="e2"/>
    <MAKEINSTANCE eiid="i3" eventID="e2" polarity="NEG"/>
    <MAKEINSTANCE eiid="i4" eventID="e2" modality="may"/>
    <MAKEINSTANCE eiid="i5" eventID="e2" polarity="POS"/>
    <SLINK lid="s1" relType="COUNTER_FACTIVE" eventInstanceID="i1" subordinatedEventInstance="i2"/>
    <TLINK lid="l1" relType="BEFORE" eventInstanceID="i2" relatedToEventInstance="i3"/>
    <TLINK lid="l2" relType="BEFORE" eventInstanceID="i3" relatedToEventInstance="i4"/>
    <TLINK lid="l3" relType="BEFORE" eventInstanceID="i4" relatedToEventInstance="i5"/></TimeML>"""

    judged = {node.id: node.factuality for node in tlex.extract(tlex.parse(text)).nodes}

    assert judged == {
        "i1": "factual",
        "i2": "counterfactual",
        "i3": "negated",
        "i4": "possible",
        "i5": "counterfactual",
    }


TYPES = ["COUNTER_FACTIVE", "NEGATIVE_EVIDENTIAL", "CONDITIONAL", "MODAL", "EVIDENTIAL", "FACTIVE"]
RANKS = [
    ({"COUNTER_FACTIVE", "NEGATIVE_EVIDENTIAL"}, "counterfactual"),
    ({"CONDITIONAL"}, "conditional"),
    ({"MODAL"}, "possible"),
    ({"EVIDENTIAL"}, "reported"),
    ({"FACTIVE"}, "factual"),
]
ENDS = st.sampled_from("abcdefg")
LINKS = st.lists(
    st.tuples(ENDS, st.sampled_from([*TYPES, "?", "BEFORE", "SIMULTANEOUS"]), ENDS), max_size=9
)


def rank(types):
    return next((word for kinds, word in RANKS if kinds & set(types)), None)


@given(LINKS, st.none() | st.lists(st.sampled_from(TYPES), unique=True), st.booleans())
def test_a_judge_of_its_own_comes_to_the_same(rows, subordinating, named):
    """Timelines by repeated merging, the trunk by walks from every timeline to every other."""
    rows = [row for row in rows if row[0] != row[2]]
    names = sorted({name for one, _, other in rows for name in (one, other)})
    if not names:
        return
    main = names[:1] if named else None
    parts = [{name} for name in names]
    for one, kind, other in rows:
        if kind in {"BEFORE", "SIMULTANEOUS"}:
            joined = [part for part in parts if part & {one, other}]
            parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    slinks = [row for row in rows if row[1] in {*TYPES, "?"}]
    counted = [row for row in slinks if subordinating is None or row[1] in subordinating]

    def leads(one, other):
        return any(a in one and b in other for a, _, b in counted) and one != other

    reached = {(i, i) for i in range(len(parts))}
    for _ in parts:
        reached |= {
            (i, k) for i, j in reached for k in range(len(parts)) if leads(parts[j], parts[k])
        }
    trunk = []
    for i, part in enumerate(parts):
        before = [j for j in range(len(parts)) if (j, i) in reached]
        if all((i, j) in reached for j in before):
            order = list(dict.fromkeys(name for a, _, b in rows for name in (a, b)))
            best = max(before, key=lambda j: (len(parts[j]), -min(map(order.index, parts[j]))))
            trunk += [part] if best == i else []
    if main:
        trunk = [part for part in parts if main[0] in part]

    found = judge(*map(" ".join, rows), subordinating=subordinating, main=main)

    for part in parts:
        entering = {rank([kind]) for a, kind, b in counted if a not in part and b in part}
        world = "factual" if part in trunk else "unasserted"
        if len(entering) == 1 and part not in trunk:
            world = entering.pop() or "unasserted"
        for name in part:
            own = [kind for a, kind, b in slinks if b == name]
            own += [kind for a, kind, b in slinks if a == name and kind == "CONDITIONAL"]
            assert found[name] == (rank(own) or world), name
