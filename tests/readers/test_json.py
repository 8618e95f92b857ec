"""tlex's own JSON: what is read, and errors that name the path inside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotRecognisedError, NotWellFormedError, StrictError
from tlex.export import convert
from tlex.nouns import Code, Event, Timex
from tlex.readers.json import find_places

ROOT = Path(__file__).parents[2]
STORY = ROOT / "tests" / "data" / "story.json"
SCHEMA = json.loads((ROOT / "docs" / "schema-document.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def story() -> tlex.Document:
    return tlex.read(STORY)


def parse(**content: object) -> tlex.Document:
    return tlex.parse(json.dumps({"schema": "tlex-document/1", **content}))


def test_nodes_have_words_places_and_attributes(story):
    assert story.format == "json"
    assert [(node.id, story.words(node), node.line) for node in story.nodes] == [
        ("e1", "filled", 6),
        ("e2", "boiled", 7),
        ("t1", "noon", 10),
        ("e3", "made tea", 8),
    ]
    assert [type(node) for node in story.nodes] == [Event, Event, Timex, Event]
    assert story.node("e1").attributes == {"tense": "PAST", "class": "OCCURRENCE"}
    assert (story.node("t1").type, story.node("t1").value) == ("TIME", "T12:00")
    told = "$.links[0].type: 'before' is read as BEFORE"
    assert [diagnostic.message for diagnostic in story.diagnostics] == [told]


def test_links_may_carry_a_weight_an_id_a_kind_and_a_signal(story):
    assert [
        (link.id, link.kind, link.type, link.source, link.target, link.signal, link.weight)
        for link in story.links
    ] == [
        ("l1", "TLINK", "BEFORE", "e1", "e2", None, 0.5),
        ("x", "TLINK", "BEFORE", "e2", "t1", "s1", None),
        ("l3", "SLINK", None, "e2", "e3", None, None),
        ("l4", "CLINK", "cause", "e1", "e2", None, None),
    ]
    assert [link.line for link in story.links] == [13, 14, 15, 16]


def test_the_place_of_a_noun_is_its_object(story):
    link = story.links[1]

    assert json.loads(story.source.data[link.byte_start : link.byte_end])["id"] == "x"


def test_factuality_is_read(story):
    found = {node.id: node.factuality for node in tlex.extract(story).nodes}

    assert found == {"e1": "factual", "e2": "negated", "t1": "factual", "e3": "possible"}


def test_the_example_and_all_that_is_read_meet_the_published_schema():
    jsonschema.validate(json.loads(STORY.read_text(encoding="utf-8")), SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"links": [{"source": "a"}]}, SCHEMA)


def test_without_events_and_times_the_ends_of_links_are_the_nodes():
    document = parse(links=[{"source": "A", "type": "BEFORE", "target": "t1"}])

    assert [node.id for node in document.nodes] == ["A", "t1"]
    assert [time.id for time in document.timexes] == ["t1"]


def test_an_end_that_is_not_defined_is_a_diagnostic():
    document = parse(events=[{"id": "A"}], links=[{"source": "A", "type": "BEFORE", "target": "B"}])

    assert [d.code for d in document.diagnostics] == [Code.DANGLING]
    assert len(document.links) == 1


def test_a_link_without_type_is_a_diagnostic_unless_it_subordinates():
    ends = {"source": "A", "target": "B"}
    document = parse(links=[ends, {**ends, "kind": "SLINK"}, {**ends, "kind": "GLINK"}])

    assert [d.code for d in document.diagnostics] == [Code.MISSING_ATTRIBUTE]


def test_a_type_belongs_to_its_kind():
    link = {"source": "A", "target": "B", "kind": "TLINK", "type": "MODAL"}
    document = parse(links=[link])

    assert [d.code for d in document.diagnostics] == [Code.UNKNOWN_TYPE]


def test_repeated_ids_are_reported_and_the_first_counts():
    document = parse(
        events=[{"id": "A", "text": "one"}, {"id": "A", "text": "two"}],
        times=[{"id": "A"}],
        links=[
            {"id": "l2", "source": "A", "type": "BEFORE", "target": "A"},
            {"source": "A", "type": "BEFORE", "target": "A"},
            {"id": "l2", "source": "A", "type": "BEFORE", "target": "A"},
        ],
    )

    assert [d.code for d in document.diagnostics] == [Code.REPEATED_ID] * 3
    assert document.words(document.node("A")) == "one"
    assert [link.id for link in document.links][:2] == ["l2", "l2'"]


def test_of_a_repeated_key_the_last_counts_and_places_are_its_own():
    document = tlex.parse(
        '{"links": [{"source": "A", "type": "AFTER", "target": "B"}],\n'
        '"links": [{"source": "A", "type": "BEFORE", "target": "B"}]}'
    )

    assert [(link.type, link.line) for link in document.links] == [("BEFORE", 2)]


@pytest.mark.parametrize("place", [{"start": 2, "end": 1}, {"start": 0, "end": 9}, {"end": 1}])
def test_a_span_outside_the_text_is_reported(place):
    document = parse(text="abc", events=[{"id": "e1", **place}])

    assert [d.code for d in document.diagnostics] == [Code.UNCLEAR_JSON]
    assert document.nodes[0].span is None


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ('{"links":\n [{"source": "a", "target": 3}]}', "$.links[0].target", 2),
        ('{"links": [{"source": "a", "target": "b"},\n{"source": "a"}]}', "target", 2),
        ('{"links": [{"source": "a", "target": "b",\n"type": 1}]}', "$.links[0].type", 2),
        ('{"links": [{"source": "a", "target": "b", "weight": "x"}]}', "$.links[0].weight", 1),
        ('{"links": [{"source": "a b", "target": "b"}]}', "$.links[0].source", 1),
        ('{"links": [{"source": "a", "target": "b", "wieght": 1}]}', "wieght", 1),
        ('{"links": [{"source": "a", "target": "b", "kind": "XLINK"}]}', "$.links[0].kind", 1),
        ('{"events": [{"id": "a"}, {"id": ""}]}', "$.events[1].id", 1),
        ('{"events": [{"id": "a", "start": -2}]}', "$.events[0].start", 1),
    ],
)
def test_what_violates_the_schema_is_a_diagnostic_that_names_the_path(text, path, line):
    document = tlex.parse(text, name="x.json")

    assert [one.line for one in document.diagnostics if path in one.message] == [line]


def test_broken_json_is_reported_where_it_breaks():
    with pytest.raises(NotWellFormedError) as caught:
        tlex.parse('{"links": [\n {"source" "a"}]}')

    assert (caught.value.line, caught.value.column) == (2, 12)


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000])
def test_depth_is_bounded_by_the_schema(deep):
    with pytest.raises(NotWellFormedError):
        tlex.parse('{"links": ' + deep, format="json")


def test_a_number_out_of_range_is_no_weight():
    document = tlex.parse('{"links": [{"source": "a", "target": "b", "weight": 1e999}]}')

    assert Code.BAD_WEIGHT in [one.code for one in document.diagnostics]
    assert document.links[0].weight is None


@pytest.mark.parametrize("text", ['{"json": 1}', "[1]", '{"schema": "tlex/1", "links": []}', "{"])
def test_other_json_is_not_recognised(text):
    with pytest.raises(NotRecognisedError):
        tlex.parse(text)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_read(encoding):
    text = '{"links": [],\n "text": "é", "events": [{"id": "é", "start": 0, "end": 1}]}'
    document = tlex.parse(text.encode(encoding))

    assert document.words(document.nodes[0]) == "é"
    assert document.nodes[0].line == 2


def test_strict_raises_the_first_error():
    with pytest.raises(StrictError):
        tlex.parse('{"links": [{"source": "a", "target": "b"}]}', strict=True)


SAMPLE = STORY.read_bytes()


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.binary(max_size=6))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    damaged = SAMPLE[:start] + new + SAMPLE[start + length :]
    try:
        document = tlex.parse(damaged, format="json")
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))
    for link in document.links if document.source.editable else ():
        assert json.loads(document.source.data[link.byte_start : link.byte_end])


VALUES = st.recursive(
    st.sampled_from([None, True, 1.5, "", 'a"b', "x{y", "[", "]}", ":", "\\", "é", ',"a":[{']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=3), st.lists(VALUES, max_size=4)), st.booleans())
def test_each_member_of_a_list_that_is_an_object_or_a_list_has_its_place(content, wide):
    data = json.dumps(content, ensure_ascii=wide, indent=1 if wide else None).encode()
    places = find_places(data, (0, len(data)))
    wanted = {
        key: [each for each in members if each and isinstance(each, list | dict)]
        for key, members in content.items()
    }
    found = {
        key: [
            json.JSONDecoder().raw_decode(data.decode(), len(data[:at].decode()))[0]
            for at in starts
        ]
        for key, starts in places.items()
    }
    assert {key: list(filter(None, members)) for key, members in found.items()} == wanted


def test_a_key_that_is_there_twice_is_told_if_it_is_one_of_the_document():
    data = b'{"links": [{"a": [1], "a": 2}], "x": {"links": 1}, "li\\u006eks": [[], {}], "y": []}'
    repeated: set[str] = set()
    assert find_places(data, (0, len(data)), repeated) == {
        "links": [data.index(b"[]"), data.index(b"{}")],
        "x": [],
        "y": [],
    }
    assert repeated == {"links"}


def test_tags_inside_the_text_do_not_make_it_timeml():
    document = tlex.parse('{"text": "<TimeML><EVENT >", "links": []}')

    assert document.format == "json"
    assert document.text == "<TimeML><EVENT >"


def test_instances_stand_where_their_event_does_and_order_overrules_the_lists():
    document = tlex.parse(
        '{"text": "it fell", "events": [{"id": "e1", "start": 3, "end": 7}],'
        ' "instances": [{"id": "ei1", "event": "e1"}, {"id": "ei2"}],'
        ' "times": [{"id": "t1", "type": "DATE"}], "order": ["t1", "ei2"]}'
    )

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("ei1", "fell"),
        ("t1", ""),
        ("ei2", ""),
    ]
    assert [instance.event for instance in document.instances] == ["e1", None]


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "' + "x" * 200_000 + '", "events": []}',
        '{"order": ["a"], "links": []}',
        '{"text": "hello"}',
    ],
)
def test_a_document_is_recognised_without_its_schema(text):
    assert tlex.parse(text).format == "json"


def test_an_unknown_member_is_named():
    document = tlex.parse('{"model": "x", "links": []}')

    assert ["model" in one.message for one in document.diagnostics] == [True]


def test_one_document_a_line_is_several_documents():
    lines = '{"links": [{"source": "a", "type": "BEFORE", "target": "b"}]}\n\n{"text": "x"}\n'

    documents = tlex.readers.parse_all(lines, name="all.jsonl")

    assert [document.name for document in documents] == ["all.jsonl:1", "all.jsonl:3"]
    assert [len(document.nodes) for document in documents] == [2, 0]
    assert documents[0].links[0].line == 1


class Watched(bytes):
    """Bytes that count how many of them are looked at."""

    looked = 0

    def __getitem__(self, key):
        found = super().__getitem__(key)
        Watched.looked += len(found) if isinstance(key, slice) else 1
        return found

    def find(self, what, start=0, end=None):
        end = len(self) if end is None else end
        found = super().find(what, start, end)
        Watched.looked += max((found if found >= 0 else end) - start, 0) + 1
        return found

    def rfind(self, what, start=0, end=None):
        end = len(self) if end is None else end
        found = super().rfind(what, start, end)
        Watched.looked += max(end - (found if found >= 0 else start), 0) + 1
        return found

    def count(self, what, start=0, end=None):
        end = len(self) if end is None else end
        Watched.looked += max(end - start, 0) + 1
        return super().count(what, start, end)


def count_work(documents: int, mark: str) -> tuple[int, int]:
    """How many functions are called, and how many bytes are looked at, for lines and their links.

    With a letter that is not ASCII, lines and columns are found in another way.
    """
    line = f'{{"links": [{{"source": "a{mark}", "type": "BEFORE", "target": "b"}}]}}\n'
    calls = Watched.looked = 0

    def note(_frame, event, _what):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        for number, document in enumerate(tlex.readers.parse_all(line * documents), 1):
            source = document.source
            if not isinstance(source.data, Watched):
                source.data = Watched(source.data)
            assert document.links[0].line == number
            assert document.position(document.links[0].byte_start)[0] == number
            assert source.positions([document.links[0].byte_start])
    finally:
        sys.setprofile(None)
    return calls, Watched.looked


@pytest.mark.parametrize("mark", ["", "\u00e9"])
def test_twice_as_many_lines_are_twice_the_work(mark):
    small, large = count_work(500, mark), count_work(1_000, mark)

    assert large[0] < 2.1 * small[0]
    assert 0 < large[1] < 2.1 * small[1]


def test_trouble_on_a_line_is_placed_there():
    lines = '{"text": "x"}\n{"links": [{"source": "a"]}\n'

    with pytest.raises(NotWellFormedError, match=r"x:2:26: not JSON: .*\$.links\[0\]"):
        tlex.readers.parse_all(lines, name="x")


def test_what_is_converted_to_lines_is_read_from_lines():
    first = tlex.extract(tlex.read("examples/story.tml"))
    lines = convert(first, "json")[0] + convert(first, "json")[0]

    again = tlex.readers.parse_all(lines)

    assert [tlex.extract(d).timelines[0].points for d in again] == [first.timelines[0].points] * 2
