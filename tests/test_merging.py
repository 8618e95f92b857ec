"""Several documents as one: qualified ids, own places, and no order that nobody gave."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from annotated import any_documents, content
from calendar_judge import span_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import document_of, forests

import tlex
from tlex.calendar import add_calendar
from tlex.errors import OptionError, ReadError, UnknownNameError, WriteError
from tlex.export import convert
from tlex.quotation import quote
from tlex.repair.writing import change_document, list_changes

STORY = Path(__file__).parents[1] / "examples" / "story.tml"
DATES = ("1998", "1998-03", "1998-03-12", "1998-W11", "199", "1999-01-01", "1998-03-13", "2001-07")


def dated(name: str, *values: str, created: str = "") -> tlex.Document:
    """Make a document of times alone, one of which may be its creation time."""
    times = [
        {"id": f"t{number}", "type": "DATE", "value": value}
        for number, value in enumerate(values, 1)
    ]
    if created:
        function = {"functionInDocument": "CREATION_TIME"}
        times.append({"id": "t0", "type": "DATE", "value": created, "attributes": function})
    return tlex.parse(json.dumps({"times": times}), name=name)


def numbered(documents: list[tlex.Document]) -> list[tlex.Document]:
    return [own.replace(name=f"d{number}") for number, own in enumerate(documents)]


def again(document: tlex.Document) -> tlex.Document:
    """Write a document as JSON and read it."""
    return tlex.parse(convert(document, "json")[0], name=document.name, format="json")


# What comes out is what went in.


def summary(result: tlex.Extraction, name: str = "") -> dict[str, list]:
    """What a result says, with a name before every id."""

    def own(word: str | None) -> str | None:
        return word if word is None else name + word

    return {
        "nodes": [
            (own(n.id), own(n.event), n.text, n.line, n.column, n.span, n.value, n.factuality)
            for n in result.nodes
        ],
        "timelines": [
            (
                [own(word) for word in line.intervals],
                {own(point): steps for point, steps in line.points.items()},
                [sorted(map(own, each)) for each in line.compounds],
                [(each.first, each.last, sorted(map(own, each.points))) for each in line.sections],
                (line.main, line.detached, line.consistent, line.length, line.scenarios),
            )
            for line in result.timelines
        ],
        "connections": [
            (own(c.link), c.type, own(c.source), own(c.target)) for c in result.connections
        ],
        "conflicts": [
            (c.kind, [own(link) for link in c.links], [own(link) for link in c.minimal])
            for c in result.conflicts
        ],
    }


def union(documents: list[tlex.Document]) -> dict[str, list]:
    every = [summary(tlex.extract(own), f"{own.name}#") for own in documents]
    return {key: [row for one in every for row in one[key]] for key in every[0]}


@given(
    st.lists(
        st.one_of(any_documents(), forests().map(lambda f: document_of(*f))), min_size=1, max_size=3
    )
)
def test_without_pairs_and_calendar_the_timelines_are_those_of_the_single_documents(documents):
    documents = numbered(documents)

    merged = tlex.merge(documents)
    result = tlex.extract(merged)

    assert summary(result) == union(documents)
    if all(own.format == "links" for own in documents):
        tlex.verify(merged, result)


@given(st.lists(any_documents(), min_size=1, max_size=3))
def test_what_is_written_is_read_as_it_was(documents):
    documents = numbered([again(again(own)) for own in documents])  # without what JSON cannot hold
    merged = tlex.merge(documents, name="all")

    read = again(merged)

    assert content(read) == content(tlex.merge([again(own) for own in documents]))
    assert list(read.documents) == list(merged.documents)
    assert again(read) == read
    assert convert(read, "json")[0] == convert(merged, "json")[0]


def test_a_merge_of_files_is_read_back_with_all_that_it_says():
    one = tlex.read(STORY, name="one.tml")
    merged = tlex.merge([one, one.replace(name="two.tml")], same=[("one#ei1", "two#ei1")])

    read = again(merged)

    assert content(read) == content(merged)
    assert [(n.line, n.column) for n in read.nodes] == [(n.line, n.column) for n in merged.nodes]
    assert [own.line for own in read.links[:-1]] == [own.line for own in merged.links[:-1]]
    assert summary(tlex.extract(read)) == summary(tlex.extract(merged))
    assert read.sentences == merged.sentences
    tlex.verify(read, tlex.extract(read, calendar=False))


def test_every_node_keeps_its_text_its_place_and_its_document():
    one = tlex.read(STORY, name="one.tml")
    other = tlex.read(Path(STORY.parent, "contradiction.tml"), name="sub/two.tml")

    merged = tlex.merge([one, other])

    assert list(merged.documents) == ["one", "two"]
    for node in merged.nodes:
        home, name = merged.home(node)
        own = home.node(name)
        assert (node.line, node.column) == (own.line, own.column)
        assert merged.words(node) == home.words(own)
        assert quote(merged, [node]) == quote(home, [own])
    for record in tlex.extract(merged).nodes:
        home, name = merged.home(record.id)
        own = home.node(name)
        assert record.source == home.name
        assert record.span == own.span
    assert merged.home("two#ei1")[0] is other
    assert one.home("ei1") == (one, "ei1")
    assert one.documents == {}


def test_references_in_attributes_stay_inside_their_document():
    times = [
        {"id": "t1", "type": "DATE", "value": "1998-03-12"},
        {"id": "t2", "type": "DATE", "value": "1998-03-20"},
        {
            "id": "t3",
            "type": "DURATION",
            "value": "P8D",
            "attributes": {"beginPoint": "t1", "endPoint": "t2", "anchorTimeID": "t1"},
        },
    ]
    one = tlex.parse(json.dumps({"times": times}), name="a")
    times[0]["value"], times[1]["value"] = "2001-03-12", "2001-03-20"
    other = tlex.parse(json.dumps({"times": times}), name="b")

    merged = tlex.merge([one, other])

    assert merged.node("b#t3").attributes["beginPoint"] == "b#t1"
    result = tlex.extract(merged, calendar=True)
    assert result.relation("a#t3", "b#t3").types == ("BEFORE",)
    assert content(again(merged)) == content(merged)


# The calendar orders across documents.


@given(st.lists(st.lists(st.sampled_from(DATES), min_size=1, max_size=3), min_size=1, max_size=4))
def test_with_the_calendar_times_of_all_documents_stand_as_the_standard_library_says(values):
    merged = tlex.merge([dated(f"d{n}", *own) for n, own in enumerate(values)])

    result = tlex.extract(merged, calendar=True)

    for one, other in combinations(merged.nodes, 2):
        spans = span_of(one.value), span_of(other.value)
        ends = [((start, 1), (end, 0)) for start, end in spans]
        signs = {
            f"{one.id}{'-+'[p]} {other.id}{'-+'[q]}": "=<>"[
                (ends[0][p] < ends[1][q]) - (ends[0][p] > ends[1][q])
            ]
            for p in (0, 1)
            for q in (0, 1)
        }
        found = {
            f"{o.left} {o.right}": "".join(o.orders)
            for o in result.relation(one.id, other.id).orders
        }
        assert found == signs


def test_each_creation_time_is_a_moment_of_its_own():
    merged = tlex.merge(
        [dated("a", "1998-03-11", created="1998-03-12"), dated("b", created="1998-03-12")]
    )

    result = tlex.extract(merged, calendar=True)

    assert result.relation("a#t1", "b#t0").types == ("BEFORE",)
    assert result.relation("a#t0", "b#t0").entailed is None  # two moments of one day
    assert not [found for found in tlex.check(merged) if found.code in {"TLX112", "TLX113"}]


# Pairs.


def test_a_pair_becomes_a_link_that_says_identity():
    one = tlex.from_links([("e1", "BEFORE", "e2")]).replace(name="a")
    other = tlex.from_links([("e1", "BEFORE", "e2")]).replace(name="b")

    merged = tlex.merge([one, other], same=[("a#e2", "b#e1"), ("b#e1", "a#e2")])

    (link,) = merged.links[2:]
    assert (link.kind, link.type, link.source, link.target) == (
        "TLINK",
        "IDENTITY",
        "a#e2",
        "b#e1",
    )
    assert link.attributes == {"origin": "SAME"}
    assert merged.home(link) == (merged, "same1")
    assert tlex.extract(merged).relation("a#e1", "b#e2").types == ("BEFORE",)
    assert tlex.extract(again(merged)).relation("a#e1", "b#e2").types == ("BEFORE",)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("story#ei1", "twin#ei444"), "twin#ei4"),
        (("stori#ei1", "twin#ei1"), "there is no document 'stori'; did you mean 'story'"),
        (("ei1", "twin#ei1"), "'ei1' names no document; did you mean 'story#ei1'"),
        (("story#ei1", "story#ei1"), "'story#ei1' is paired with itself"),
        (("story#ei1",), "same takes pairs of ids"),
        ("ab", "same takes pairs of ids"),
        (7, "same takes pairs of ids"),
        (("story#ei1", 5), "same takes pairs of ids"),
    ],
)
def test_a_pair_that_cannot_be_used_is_refused(pair, message):
    story = tlex.read(STORY)

    with pytest.raises(OptionError) as refused:
        tlex.merge([story, story.replace(name="twin")], same=[pair])

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_event_may_be_named_in_place_of_its_only_instance():
    story = tlex.read(STORY)

    merged = tlex.merge([story, story.replace(name="twin")], same=[("story#e2", "twin#e2")])

    assert (merged.links[-1].source, merged.links[-1].target) == ("story#ei2", "twin#ei2")


CAT = """<?xml version="1.0"?><Document doc_name="{name}">
<token t_id="1" sentence="0">sold</token><token t_id="2" sentence="0">sale</token>
<Markables><EVENT_MENTION m_id="1"><token_anchor t_id="1"/></EVENT_MENTION>
<EVENT_MENTION m_id="2"><token_anchor t_id="2"/></EVENT_MENTION>
<EVENT m_id="9" instance_id="{instance}"/></Markables>
<Relations><REFERS_TO r_id="5"><source m_id="1"/><source m_id="2"/><target m_id="9"/></REFERS_TO>
<TLINK r_id="6" reltype="BEFORE"><source m_id="1"/><target m_id="2"/></TLINK>
</Relations></Document>"""


def test_first_mentions_of_one_instance_of_a_corpus_are_the_same():
    documents = [
        tlex.parse(CAT.format(name=name, instance=instance), name=f"{name}.xml")
        for name, instance in (("a", "OTH1"), ("b", "OTH1"), ("c", "OTH2"), ("d", "OTH1"))
    ]

    merged = tlex.merge(documents)

    between = [own for own in merged.links if merged.home(own)[0] is merged]
    assert [(own.source, own.type, own.target) for own in between] == [
        ("a#1", "IDENTITY", "b#1"),
        ("a#1", "IDENTITY", "d#1"),
    ]
    assert between[0].attributes == {"origin": "INSTANCE", "instance_id": "OTH1"}
    assert tlex.extract(merged).consistent


def test_a_mention_may_refer_to_several_instances():
    one, other = (
        CAT.replace("</Markables>", '<EVENT m_id="8" instance_id="OTH7"/></Markables>').replace(
            "</Relations>",
            '<REFERS_TO r_id="7"><source m_id="2"/><target m_id="8"/></REFERS_TO></Relations>',
        ),
        CAT,
    )
    documents = [
        tlex.parse(one.format(name="a", instance="OTH1"), name="a"),
        tlex.parse(other.format(name="b", instance="OTH7"), name="b"),
    ]

    assert documents[0].node("2").attributes["instance_id"] == "OTH1 OTH7"
    (link,) = (own for own in tlex.merge(documents).links if own.id == "same1")
    assert (link.source, link.target) == ("a#2", "b#1")


# Names.


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.tml", "b.xml"], ["a", "b"]),
        (["x/a.tml", "y/b.tml"], ["a", "b"]),
        (["a.tml", "a.xml", "b.tml"], ["a.tml", "a.xml", "b"]),
        (["x/a.tml", "y/a.xml"], ["a.tml", "a.xml"]),
        (["x/a.tml", "y/a.tml", "b.tml"], ["x/a.tml", "y/a.tml", "b"]),
        (["APW19980213.1310", "wsj_1.2"], ["APW19980213.1310", "wsj_1.2"]),
        (
            ["two words.tml", "a#b,c.tml", "\u00fc\u5317.tml"],
            ["two_words", "a_b_c", "\u00fc\u5317"],
        ),
        (["", "<links>", "-"], ["1", "<links>", "-"]),
        (["table.tsv:1", "table.tsv:2"], ["table.tsv:1", "table.tsv:2"]),
        ([".tml", "\ud800.tml"], [".tml", "_"]),
    ],
)
def test_ids_begin_with_the_name_of_the_file_or_as_much_as_tells_two_apart(names, expected):
    merged = tlex.merge([dated("x", "1998").replace(name=name) for name in names])

    assert list(merged.documents) == expected
    assert [node.id for node in merged.nodes] == [f"{name}#t1" for name in expected]
    assert (
        list(again(merged.replace(name="m")).documents if "\ud800.tml" not in names else expected)
        == expected
    )


@given(
    st.lists(st.text(st.sampled_from("ab./# \\"), max_size=6), unique=True, min_size=1, max_size=6)
)
def test_names_lead_back_to_their_documents_or_are_refused(names):
    documents = [dated("x", "1998").replace(name=name) for name in names]

    try:
        merged = tlex.merge(documents)
    except OptionError:
        assert len({name.replace(" ", "_").replace("#", "_") for name in names}) < len(names)
        return

    assert len({node.id for node in merged.nodes}) == len(names)
    for node, document in zip(merged.nodes, documents, strict=True):
        assert merged.home(node) == (document, "t1")


def test_a_document_is_not_merged_with_itself():
    story = tlex.read(STORY)

    with pytest.raises(OptionError, match="is given twice"):
        tlex.merge([story, story])
    with pytest.raises(OptionError, match="two documents are called 'a'"):
        tlex.merge([dated("a", "1998"), dated("a", "1999")])


@pytest.mark.parametrize("given_", [[], "story.tml", [1], 7, ["story.tml"]])
def test_what_is_no_list_of_documents_is_refused(given_):
    with pytest.raises(OptionError):
        tlex.merge(given_)
    with pytest.raises(OptionError):
        tlex.merge(tlex.read(STORY))


def test_one_document_alone_can_be_merged():
    merged = tlex.merge([tlex.read(STORY)])

    assert list(merged.documents) == ["story"]
    assert len(tlex.extract(merged).timelines) == len(tlex.extract(tlex.read(STORY)).timelines)


def test_merged_documents_can_be_merged_again():
    one, two, three = (tlex.from_links([("e1", "BEFORE", "e2")]).replace(name=n) for n in "abc")
    first = again(tlex.merge([one, two], same=[("a#e2", "b#e1")]))

    merged = tlex.merge([first, three], same=[("b#e2", "c#e1")])

    assert list(merged.documents) == ["a", "b", "c"]
    assert tlex.extract(merged).relation("a#e1", "c#e2").types == ("BEFORE",)
    assert [link.id for link in merged.links[-2:]] == ["same1", "same2"]


def test_links_that_were_changed_are_written_as_they_are_now():
    story = tlex.read(STORY)
    merged = tlex.merge([story, story.replace(name="twin")])
    fewer = merged.replace(links=merged.links[1:])

    assert [link.id for link in again(fewer).links] == [link.id for link in merged.links[1:]]
    other = merged.replace(
        links=tuple(msgspec.structs.replace(own, type="AFTER") for own in fewer.links)
    )
    assert {link.type for link in again(other).links} == {"AFTER"}
    stated, complete = add_calendar(merged)
    assert complete
    assert stated.documents == merged.documents


# Lookup, checking, mending, writing.


def test_a_node_is_found_by_words_and_by_its_own_id():
    story = tlex.read(STORY)
    other = tlex.from_links([("e1", "BEFORE", "x9")]).replace(name="b")
    merged = tlex.merge([story, other])

    assert merged.node("story#midnight").id == "story#t4"
    assert merged.node("midnight").id == "story#t4"
    assert merged.node("x9").id == "b#x9"
    assert merged.node("story#e2").id == "story#ei2"
    with pytest.raises(tlex.AmbiguousError, match="may be any of 2"):
        tlex.merge([story, story.replace(name="twin")]).node("ei1")
    with pytest.raises(UnknownNameError, match="did you mean 'story#ei1'"):
        merged.node("story#ei1x")


def test_findings_of_a_merge_are_those_of_its_documents_with_their_places():
    paths = [STORY, STORY.parent / "contradiction.tml"]
    documents = [tlex.read(path, name=path.name) for path in paths]
    expected = [
        (one.name, found.code, found.line, found.column)
        for one in documents
        for found in tlex.check(one, all=True, ignore=["TLX4"])
        if found.code != "TLX112"
    ]

    for merged in (tlex.merge(documents), again(tlex.merge(documents))):
        findings = tlex.check(merged, all=True, ignore=["TLX4"]).findings  # gaps between them

        placed = [(f.source, f.code, f.line, f.column) for f in findings if f.line is not None]
        assert placed == expected
        (undated,) = (finding for finding in findings if finding.line is None)
        assert undated.message == "no TIMEX3 says when contradiction was created"
        assert f"{documents[1].name}:" in str(tlex.check(merged))


def test_diagnostics_say_whose_they_are():
    broken = {
        "events": [{"id": "e1"}],
        "links": [{"source": "e1", "target": "e9", "type": "BEFORE"}],
    }
    one = tlex.parse(json.dumps(broken), name="broken.json")

    for merged in (tlex.merge([one]), again(tlex.merge([one]))):
        (problem,) = merged.diagnostics
        assert (problem.source, problem.line, problem.column) == ("broken.json", 1, 38)
    with pytest.raises(ReadError, match=r"broken\.json:1:38"):
        tlex.parse(convert(tlex.merge([one]), "json")[0], strict=True)


@pytest.mark.parametrize("removed", [("a#l1",), ("a#l1", "b#l1"), ("b#l3",), ("same1",)])
def test_links_of_a_written_merge_are_removed_in_their_own_list(removed):
    triples = [("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e3"), ("e3", "BEFORE", "e1")]
    one = tlex.from_links(triples)
    merged = again(
        tlex.merge([one.replace(name=n) for n in "ab"], same=[("a#e1", "b#e1")], name="m")
    )

    changed = change_document(merged, list_changes(merged, removed, {"b#l2": "AFTER"}))

    kept = [link.id for link in merged.links if link.id not in removed]
    assert [link.id for link in changed.links] == kept
    assert {link.id: link.type for link in changed.links}["b#l2"] == "AFTER"
    assert tlex.fix(merged).document.format == "json"
    assert tlex.extract(tlex.fix(merged).document).consistent


def test_timeml_has_one_text():
    with pytest.raises(WriteError, match="TimeML has one text"):
        convert(tlex.merge([tlex.read(STORY)]), "timeml")


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"documents": [{"name": "a"}, {"name": "a"}]}, "is given twice"),
        ({"documents": [{"name": "a"}], "text": "x"}, "has no 'text' of its own"),
        ({"documents": [{"name": "a"}], "events": [{"id": "e"}]}, "has no 'events' of its own"),
        ({"documents": [{"documents": [{"name": "a"}]}]}, "unknown field"),
        ({"documents": [{"events": [{"id": "a b"}]}]}, r"\$\.documents\[0\]\.events\[0\]"),
        ({"documents": [{"events": [{"id": "a", "line": 0}]}]}, "line"),
    ],
)
def test_a_merge_that_was_written_by_hand_is_checked(given_, message):
    with pytest.raises(ReadError, match=message) as refused:
        tlex.parse(json.dumps(given_), name="m.json", format="json")

    assert "m.json:1:" in str(refused.value)


def test_a_mistake_in_one_of_the_documents_is_shown_at_its_place():
    good = '{"events": [{"id": "e1"}]}'
    text = f'{{"documents": [\n {good},\n {{"events": [\n  {{"id": 7}}]}},\n {good}]}}'

    with pytest.raises(ReadError, match=r"m\.json:4:3: .*\$\.documents\[1\]\.events\[0\]\.id"):
        tlex.parse(text, name="m.json", format="json")


def test_links_between_documents_that_were_written_by_hand_are_checked():
    one = {"events": [{"id": "e1"}]}
    links = [
        {"source": "1#e1", "target": "2#e1", "type": "BEFORE"},
        {"source": "1#e1", "target": "2#e9", "type": "BEFORE"},
    ]

    merged = tlex.parse(json.dumps({"documents": [one, one], "links": links}))

    assert tlex.extract(merged).relation("1#e1", "2#e1").types == ("BEFORE",)
    assert [problem.code for problem in merged.diagnostics] == ["TLX101"]
    assert merged.diagnostics[0].source is not None


def test_labels_of_two_meanings_are_not_put_together():
    links = '{"links": [{"source": "e1", "type": "SOON", "target": "e2"}]}'
    one, other = (
        tlex.parse(links, name=name, labels={"TLINK": {"SOON": (row,)}})
        for name, row in (("a", "A+ < B-"), ("b", "B+ < A-"))
    )

    assert tlex.extract(tlex.merge([one, one.replace(name="c")])).relation(
        "c#e1", "c#e2"
    ).types == ("BEFORE",)
    with pytest.raises(OptionError, match="means one thing in 'a' and another in 'b'"):
        tlex.merge([one, other])


# Size.


def test_a_thousand_documents_are_one():
    values = [f"{1000 + number}" for number in range(1000)]

    merged = tlex.merge([dated(value, value, f"{value}-03-12") for value in values])
    result = tlex.extract(merged, calendar=True)

    assert len(merged.nodes) == 2000
    assert len(result.timelines) == 1
    assert len(result.document.links) < 4 * len(merged.nodes)
    assert result.relation("1000#t2", "1999#t1").types == ("BEFORE",)
    assert len(again(merged).documents) == 1000


def test_very_many_loose_values_are_cut_at_the_limit():
    documents = [
        dated(f"d{number}", *(f"{year}-SU" for year in range(1900, 2000))) for number in range(40)
    ]

    result = tlex.extract(tlex.merge(documents), calendar=True)

    assert len(result.document.links) <= 100_000 + 8 * 4000 + 1
    assert not result.calendar_complete


# The corpora.


def test_timebank_under_two_names_is_the_union_of_its_documents(timebank):
    singles = [own.replace(name=Path(own.name).name) for own in timebank.values()]
    copies = [own.replace(name=f"copy-{own.name}") for own in singles]

    merged = tlex.merge([*singles, *copies])
    result = tlex.extract(merged)

    alone = [tlex.extract(own) for own in singles]
    assert len(result.timelines) == 2 * sum(len(one.timelines) for one in alone)
    assert [line.length for line in result.timelines] == 2 * [
        line.length for one in alone for line in one.timelines
    ]


def test_thirty_texts_of_meantime_become_one_timeline(meantime):
    apple = [own for path, own in meantime.items() if "corpus_apple" in str(path)]

    merged = tlex.merge(apple)
    alone = tlex.extract(merged)
    result = tlex.extract(merged, calendar=True, mend=True)

    between = [link for link in merged.links if merged.home(link)[0] is merged]
    assert len(between) == 3  # the instances that its documents share
    assert sum(own.id.startswith("same") for own in tlex.merge(meantime.values()).links) == 14
    assert len(apple) == len(merged.documents) == 30
    assert len(result.timelines) < len(alone.timelines)
    largest = max(result.timelines, key=lambda line: len(line.intervals))
    assert len({merged.home(name)[0].name for name in largest.intervals}) >= 28
    assert content(again(merged)) == content(tlex.merge([again(own) for own in apple]))


def test_breaks_are_those_of_the_single_documents_and_none_has_words_across_two(timebank):
    singles = [own.replace(name=Path(own.name).name) for own in list(timebank.values())[:25]]
    merged = tlex.merge(singles)

    result = tlex.extract(merged)

    expected = [
        (f"{name}#{gap.first}", f"{name}#{gap.second}", gap.words)
        for name, own in merged.documents.items()
        for gap in tlex.extract(own).breaks
    ]
    inside, across = [], []
    for gap in result.breaks:
        same = merged.home(gap.first)[0] is merged.home(gap.second)[0]
        (inside if same else across).append((gap.first, gap.second, gap.words))
    assert inside == expected
    assert len(expected) > 25
    assert {words for _, _, words in across} == {None}
    tlex.verify(merged, result)


def test_a_break_is_not_looked_for_between_the_texts_of_two_documents():
    events = [{"id": "p", "start": 0, "end": 1}, {"id": "q", "start": 8, "end": 9}]
    one = tlex.parse(json.dumps({"text": "p a b c q", "events": events}), name="a")
    pairs = [("a#p", "b#p"), ("a#q", "b#q")]

    merged = tlex.merge([one, one.replace(name="b")], same=pairs)
    result = tlex.extract(merged)

    (gap,) = result.breaks  # a#q and b#p are nearer, in two texts
    assert (gap.first, gap.second, gap.words) == ("a#p", "a#q", 3)
    tlex.verify(merged, result)
