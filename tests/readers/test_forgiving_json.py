"""JSON that models and scripts write: what is clear is read, each liberty is told (R61)."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotRecognisedError, NotWellFormedError, StrictError
from tlex.export import convert
from tlex.nouns import Code
from tlex.readers.json.keys import DOCUMENT, KEYS

ENDS = {"source": "a", "target": "b"}
LINK = {**ENDS, "type": "BEFORE"}
LEFT = ("l1", "a", "BEFORE", "b", None)


def read(content: object) -> tlex.Document:
    text = content if isinstance(content, str) else json.dumps(content)
    return tlex.parse(text, name="model.json", format="json")


def links(document: tlex.Document) -> list[tuple[object, ...]]:
    return [(one.id, one.source, one.type, one.target, one.weight) for one in document.links]


def told(document: tlex.Document, code: Code = Code.FORGIVEN_JSON) -> list[str]:
    return [one.message for one in document.diagnostics if one.code == code]


ALIASES = [(key, other) for key, others in KEYS["links"].items() if key in LINK for other in others]


@pytest.mark.parametrize(("key", "other"), ALIASES)
def test_other_keys_of_links_are_read_and_told(key, other):
    link = {(other if name == key else name): value for name, value in LINK.items()}

    document = read({"links": [link]})

    assert links(document) == [LEFT]
    assert told(document) == [f"$.links[0].{other}: {other!r} is read as {key!r}"]


@pytest.mark.parametrize("other", DOCUMENT["links"])
def test_other_keys_of_the_list_of_links_are_read(other):
    document = tlex.parse(json.dumps({other: [LINK]}))

    assert links(document) == [LEFT]
    assert told(document) == [f"$.{other}: {other!r} is read as 'links'"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"links": [{**LINK, "confidence": 0.9}]}, (*LEFT[:4], 0.9)),
        ({"links": [{**LINK, "confidence": "90%"}]}, (*LEFT[:4], 0.9)),
        ({"links": [{**LINK, "target": 7}]}, ("l1", "a", "BEFORE", "7", None)),
        ({"links": [{**LINK, "target": "b c "}]}, ("l1", "a", "BEFORE", "b_c", None)),
        ({"links": [{**LINK, "type": "is included"}]}, ("l1", "a", "IS_INCLUDED", "b", None)),
        ({"links": [{**LINK, "kind": "tlink"}]}, LEFT),
        ({"links": [["a", "before", "b"]]}, LEFT),
        ({"links": [["a", "b", "before", 0.5]]}, (*LEFT[:4], 0.5)),
        ({"links": LINK}, LEFT),
        ({"links": {"x": LINK}}, ("x", *LEFT[1:])),
        ([LINK], LEFT),
        ({"result": {"links": [LINK]}}, LEFT),
        ('{"links": [{"source": "a", "type": "BEFORE", "target": "b"},]}', LEFT),
        ("{'links': [{'source': 'a', 'type': 'BEFORE', 'target': 'b'}]}", LEFT),
        ("{links: [{source: 'a', type: BEFORE, target: \"b\"}]} // done", LEFT),
        ('{"links": [{"source": "a" "type": "BEFORE", "target": "b"}]}', LEFT),
        ('{"links": [{"source": "a", "type": "BEFORE", "target": "b", "weight": None}]}', LEFT),
        ('{"text": "a\nb", "links": [{"source": "a", "type": "BEFORE", "target": "b"}]}', LEFT),
        ('{"relations": [], "relations": [{"from": "a", "rel": "BEFORE", "to": "b"}]}', LEFT),
    ],
)
def test_what_is_clear_is_read_with_a_warning_that_has_its_path(content, expected):
    document = read(content)

    assert links(document) == [expected]
    assert told(document)
    assert all(message.startswith("$") for message in told(document))
    assert {one.severity for one in document.diagnostics} == {"warning"}


def test_extra_keys_are_kept_as_attributes_and_lists_are_left_out():
    document = read({"links": [{**LINK, "why": "tense", "sure": True, "steps": [1]}], "model": "x"})

    assert document.links[0].attributes == {"why": "tense", "sure": "true"}
    assert told(document) == [
        "$.links[0].why: 'why' is kept as an attribute",
        "$.links[0].sure: 'sure' is kept as an attribute",
        "$.links[0].steps: 'steps' has no meaning here; it is left out",
        "$.model: 'model' has no meaning here; it is left out",
    ]


def test_liberties_of_one_sort_are_one_warning_with_their_number():
    document = read({"links": [{"from": number, "to": 0, "rel": "BEFORE"} for number in range(99)]})

    assert told(document)[0] == "$.links[0].from: 'from' is read as 'source' (99 times)"
    assert len(told(document)) == 4


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "~~~\n{}\n~~~", "```\n{}", "{}"])
@pytest.mark.parametrize(("before", "after"), [("", ""), ("Here you are:\n\n", "\nAnything else?")])
def test_markdown_and_prose_around_the_json_are_skipped(fence, before, after):
    closed = fence != "```\n{}"
    content = json.dumps({"relations": [LINK]}, indent=1)
    text = before + fence.format(f"\n{content}") + (after if closed else "")

    document = tlex.parse(text)

    assert links(document) == [LEFT]
    assert document.links[0].line == text[: text.index('"source"')].count("\n")


def test_two_blocks_of_json_are_refused():
    block = f"```json\n{json.dumps([LINK])}\n```\n"

    with pytest.raises(NotWellFormedError, match="there are 2 blocks of JSON; keep one"):
        tlex.parse(block + "and\n" + block)


def test_a_link_on_each_line_is_one_document():
    document = tlex.parse("\n".join(json.dumps({**LINK, "source": f"e{n}"}) for n in range(3)))

    assert [one.source for one in document.links] == ["e0", "e1", "e2"]
    assert [one.line for one in document.links] == [1, 2, 3]


def test_lines_may_be_forgiven_one_by_one():
    lines = [{"links": [LINK]}, {"relations": [LINK]}, {"links": [LINK]}]

    documents = tlex.readers.parse_all("\n".join(map(json.dumps, lines)), name="all.jsonl")

    assert [one.name for one in documents] == ["all.jsonl:1", "all.jsonl:2", "all.jsonl:3"]
    assert [links(one) for one in documents] == [[LEFT]] * 3
    assert [bool(told(one)) for one in documents] == [False, True, False]


def test_lines_that_are_forgiven_share_their_file():
    line = json.dumps({"relations": [LINK]})

    documents = tlex.readers.parse_all("\n".join([line] * 3), name="all.jsonl")

    assert len({id(one.source) for one in documents}) == 1
    assert [one.links[0].line for one in documents] == [1, 2, 3]


def test_a_list_of_documents_is_several_documents():
    documents = tlex.readers.parse_all(json.dumps([{"links": [LINK]}, {"links": []}]), name="x")

    assert [(one.name, len(one.links)) for one in documents] == [("x:1", 1), ("x:2", 0)]


def test_all_problems_are_told_at_once():
    document = read({"links": [LINK, 7, {}, {"source": "a"}, {**LINK, "kind": "X", "id": [1]}]})

    assert told(document, Code.UNCLEAR_JSON) == [
        "$.links[1]: 7 is no link; left out",
        "$.links[2]: has no ends; it is left out",
        "$.links[4].kind: 'X' is no kind of link; the kind follows from the type",
        "$.links[4].id: a list is no id",
    ]
    assert [m for m in told(document, Code.MISSING_ATTRIBUTE) if "target" in m]
    assert len(document.links) == 3
    with pytest.raises(StrictError):
        tlex.parse(json.dumps({"links": [LINK, 7]}), strict=True)


def test_a_label_is_suggested():
    document = read({"links": [{**LINK, "type": "BEFOR"}]})

    assert [one.hint for one in document.diagnostics] == ["did you mean BEFORE?"]


@pytest.mark.parametrize("weight", ["high", "NaN", "1e999", "[1]", "Infinity"])
def test_a_weight_that_is_no_number_is_told_and_the_link_has_none(weight):
    written = json.dumps(weight) if weight == "high" else weight
    document = read(
        f'{{"links": [{{"source": "a", "type": "BEFORE", "target": "b", "weight": {written}}}]}}'
    )

    assert links(document) == [LEFT]
    assert document.diagnostics


@pytest.mark.parametrize(
    ("text", "place", "about"),
    [
        ('{"links": [\n {"source" "a"}]}', (2, 12), r"':' is expected here \(inside \$.links\[0\]"),
        ('{"links": [\n {"source": "a"', (2, 16), "ends before its '}' comes; it is cut off"),
        ('{"links": ["a', (1, 12), "this string has no end"),
        ('{"links": [}', (1, 12), "'}' comes where ']' should be"),
        ('{"links":: []}', (1, 10), "':' comes where none can be"),
        ('{"links": @}', (1, 11), "'@' is no JSON"),
        ('{"text": \'it\'s\', "links": []}', (1, 14), "'}' is expected"),
    ],
)
def test_broken_json_is_an_error_of_json_with_line_and_column(text, place, about):
    with pytest.raises(NotWellFormedError, match=about) as caught:
        tlex.parse(text)

    assert (caught.value.line, caught.value.column) == place
    assert caught.value.message.startswith("not JSON: ")


TEXT = "Ann left. Then Bob left, and Cleo came."


@pytest.mark.parametrize(
    ("noun", "span", "about"),
    [
        ({"text": "left", "start": 4, "end": 8}, (4, 8), None),
        (
            {"text": "left", "start": 5, "end": 9},
            (4, 8),
            "not at 5 to 9 but at 4 to 8, the nearest",
        ),
        ({"text": "left", "start": 17, "end": 21}, (19, 23), "the nearest of 2 places"),
        ({"text": "came", "start": 0, "end": 3}, (34, 38), "the only place"),
        ({"text": "came"}, (34, 38), "has no span; it is found at 34 to 38, the only place"),
        ({"text": "left"}, (4, 8), "one of 2 places"),
        ({"text": "came", "start": 34, "end": 900}, (34, 38), "is not at its span but at 34"),
        ({"text": "Then left", "start": 10, "end": 23}, (10, 23), None),  # in two parts
        ({"text": "gone", "start": 4, "end": 8}, (4, 8), "is 'gone', but its span holds 'left'"),
        ({"text": "came", "outside": True}, None, None),
        ({"text": "came", "span": [34, 38]}, (34, 38), None),
    ],
)
def test_words_are_found_where_their_numbers_are_missing_or_wrong(noun, span, about):
    document = read({"text": TEXT, "events": [{"id": "e1", **noun}]})

    found = document.nodes[0].span
    assert (None if found is None else (found.start, found.end)) == span
    messages = told(document, Code.TEXT_AND_SPAN)
    assert [about in message for message in messages] == ([] if about is None else [True])
    assert document.words(document.nodes[0]) == noun["text"]


def test_without_numbers_the_next_place_is_taken():
    document = read({"text": TEXT, "events": [{"id": n, "text": "left"} for n in ("e1", "e2")]})

    assert [node.span.start for node in document.nodes] == [4, 19]


def test_words_of_an_event_stand_for_its_id_and_events_may_be_keyed_by_id():
    document = read(
        {
            "events": {"e1": {"text": "the crash"}, "e2": "the fire"},
            "links": [{**LINK, "source": "the crash", "target": "e2"}],
        }
    )

    assert links(document) == [("l1", "e1", "BEFORE", "e2", None)]
    assert [document.words(node) for node in document.nodes] == ["the crash", "the fire"]


def test_a_forgiven_file_is_not_changed_but_written_anew():
    before = [{"from": 1, "rel": "BEFORE", "to": 2, "confidence": 0.9}]
    before.append({"from": 2, "rel": "BEFORE", "to": 1, "confidence": 0.6})
    fixed = tlex.fix(read(before), confidence=True)

    assert fixed.removed == ("l2",)
    with pytest.raises(tlex.WriteError, match="not in tlex's JSON to the letter"):
        _ = fixed.data
    again = tlex.parse(convert(fixed.document, "json")[0])
    assert links(again) == [("l1", "1", "BEFORE", "2", 0.9)]
    assert not again.diagnostics


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2]",
        '[{"name": "x"}]',
        '[["a", "b"]]',
        "Some words.\n{and more}\n",
        "```python\nprint(1)\n```\n",
        '{"relations": [{"name": "x"}]}',
        '{"schema": "tlex/1", "links": []}',
    ],
)
def test_other_json_and_prose_are_not_recognised(text):
    with pytest.raises(NotRecognisedError):
        tlex.parse(text)


def test_another_version_of_the_schema_is_refused():
    with pytest.raises(NotWellFormedError, match=r"\$.schema: 'tlex-document/2' is not"):
        read({"schema": "tlex-document/2", "links": []})


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["links", "events", "times", "source", "to", "id", "type", "labels", "text", "span"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.fixed_dictionaries({"links": values}, optional={"events": values, "text": values}))
def test_any_json_is_read_or_refused_and_what_is_read_can_be_written(content):
    try:
        document = read(content)
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))
    again = tlex.parse(convert(document, "json")[0], format="json")
    kept = [one for one in links(document) if one[1] and one[3]] if document.nodes else []
    assert links(again) == kept


@given(st.lists(st.sampled_from([*"{}[]:,\"'a1 \n#/*\\-.", '"links"', "null"]), max_size=30))
def test_any_string_of_tokens_is_read_or_refused(tokens):
    with suppress(tlex.ReadError):
        assert read('{"links": [' + "".join(tokens)).format == "json"


def test_types_in_lower_case_are_told_once():
    rows = [("a", "before", "b"), ("b", "BEFORE", "c"), ("c", "Is_Included", "d")]
    links = [{"source": one, "type": label, "target": other} for one, label, other in rows]
    document = tlex.parse(json.dumps({"links": links}))

    assert [link.type for link in document.links] == ["BEFORE", "BEFORE", "IS_INCLUDED"]
    told = [one.message for one in document.diagnostics if one.code == Code.FORGIVEN_JSON]
    assert told == ["$.links[0].type: 'before' is read as BEFORE, and 1 other type likewise"]


@pytest.mark.parametrize("deep", ["[", '{"links":', '{"links": [{"source": '])
def test_very_deep_json_is_refused(deep: str):
    with pytest.raises(tlex.TlexError):
        tlex.parse(deep * 100_000, name="deep.json")


TWICE = '"text": "He left. She left. Bob came."'
NOUNS = '"events": [{"id": "a", "text": "came"}, {"id": "b"}]'


@pytest.mark.parametrize(
    ("written", "links", "said"),
    [
        ('Here it is: {"links": [["a", "BEFORE", "b"]]} Enjoy!', "a BEFORE b", "text around"),
        ('<think>{so}\n{hm}</think>\n{"links": [["a", "BEFORE", "b"]]}', "a BEFORE b", "around"),
        ('{"response": {"result": {"links": [["a", "BEFORE", "b"]]}}}', "a BEFORE b",
         "$.response.result: read as the document"),
        ('{"events": ["x", "y"], "links": [[0, "BEFORE", 1]]}', "x BEFORE y", "from 0 on"),
        ('{"events": ["x", "y"], "links": [{"from": 1, "rel": "AFTER", "to": 2}]}', "x AFTER y",
         "$.links[0].from: a number is read as the place in the list of events, from 1 on"),
        ('{"events": ["x", "y", "z"], "links": [[1, "BEFORE", 2]]}', "1 BEFORE 2", "as an id"),
        ('{"events": ["x", "x"], "links": [[0, "BEFORE", 1]]}', "0 BEFORE 1", "as an id"),
        (f'{{{NOUNS}, "links": ["a BEFORE b", "came AFTER b"]}}', "a BEFORE b, a AFTER b", "list"),
        (f'{{{NOUNS}, "links": [{{"source": {{"id": "a"}}, "type": "BEFORE", "target": "B "}}]}}',
         "a BEFORE b", "$.links[0].source: an object is read as its id"),
        (f'{{{NOUNS}, "slinks": [["a", "MODAL", "b"]], "alinks": [["a", "INITIATES", "b"]]}}',
         "a MODAL b, a INITIATES b", "$.slinks: read as links of kind SLINK"),
        ('{"links": [], "links": [{"source": "a", "type": "BEFORE", "target": "b"}]}',
         "a BEFORE b", "$.links: 'links' is there more than once; the last one counts"),
        ('{"temporal_relations": {"BEFORE": [["a", "b"], ["b", "c"]], "is included": ["a", "d"]}}',
         "a BEFORE b, b BEFORE c, a IS_INCLUDED d", "the keys are read as the types of links"),
        ('{"links": {"AFTER": [{"src": "a", "to": "b"}, {"to": "c", "rel": "ENDS", "src": "b"}]}}',
         "a AFTER b, b ENDS c", "$.links: the keys are read as the types of links"),
        (f'{{{NOUNS}, "links": [{{"pair": ["a", "b"], "rel": "BEFORE"}}]}}', "a BEFORE b",
         "$.links[0].pair: 'pair' is read as source and target"),
        ('{"links": [{"from": "a", "relation": {"type": "ENDS", "score": 0.5}, "to": "b"}]}',
         "a ENDS b", "$.links[0].relation: 'relation' is read as one type"),
        ('{"links": [{"from": "a", "type": ["ENDS"], "to": "b"}]}', "a ENDS b", "as one type"),
        ('{"links": [{"e1": "a", "type": "isIncluded", "e2": "b"}]}', "a IS_INCLUDED b", "isInc"),
        ("{“links”: [[“a”, “BEFORE”, “b”]]}", "a BEFORE b", "quotes other than"),
        ('{"EVENT": [{"eid": "a"}, {"eid": "b"}], "tlink": [["a", "BEFORE", "b"]]}', "a BEFORE b",
         "$.EVENT: 'EVENT' is read as 'events'"),
    ],
)  # fmt: skip
def test_what_models_write_is_read_where_it_is_clear(written, links, said):
    document = tlex.parse(written)

    found = [f"{link.source} {link.type} {link.target}" for link in document.links]
    assert ", ".join(found) == links
    assert any(said in message for message in told(document, Code.FORGIVEN_JSON))


def test_a_time_among_the_events_is_a_time():
    words = ("left", "Monday", "noon", "later")
    monday = {"type": "TIMEX3", "value": "XXXX"}
    sorts = ({"type": "EVENT"}, monday, {"kind": "time"}, {"tid": "later"})
    own = [{"text": w, **sort} for w, sort in zip(words, sorts, strict=True)]
    content = {"text": " ".join(words), "times": [{"id": "t"}], "entities": own}

    document = tlex.parse(json.dumps({**content, "links": [["left", "BEFORE", "Monday"]]}))

    assert [event.id for event in document.events] == ["left"]
    assert [(time.id, time.attributes) for time in document.timexes] == [
        ("Monday", {"value": "XXXX"}),
        ("noon", {"type": "TIME"}),
        ("later", {}),
        ("t", {}),
    ]
    assert [document.words(node) for node in document.nodes] == [*words, ""]
    assert "$.entities[1]: a time among the events is read as a time (3 times)" in told(document)
    data = document.source.data
    assert all(json.JSONDecoder().raw_decode(data[n.byte_start :].decode()) for n in document.nodes)


def test_words_that_stand_in_several_places_are_found_by_their_sentence():
    event = '{"id": "a", "text": "left", "sentence": "She left."}'

    document = tlex.parse(f'{{{TWICE}, "events": [{event}]}}')

    assert (document.events[0].text_start, document.events[0].text_end) == (13, 17)
    assert "$.events[0]: the words are found by their sentence" in told(
        document, Code.FORGIVEN_JSON
    )


@pytest.mark.parametrize(
    "text",
    [
        'How to write `{"links": [["a", "BEFORE", "b"]]}` by hand.',
        "A README.\n" * 50 + 'Here: {"links": [["a", "BEFORE", "b"]]}',
        '<page>{"links": [["a", "BEFORE", "b"]]}</page>',
    ],
)  # fmt: skip
def test_files_that_show_json_are_no_documents(text):
    with pytest.raises(NotRecognisedError):
        tlex.parse(text)
