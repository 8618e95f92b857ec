"""Changing links of CAT and JSON files: those bytes change, and nothing else, in any layout."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import PatchError, WriteError
from tlex.repair.writing import Change, apply_changes, change_document, change_file, list_changes

MARKS = {
    "utf-8": ("utf-8", b""),
    "utf-8 with a mark": ("utf-8", b"\xef\xbb\xbf"),
    "utf-16-le with a mark": ("utf-16-le", b"\xff\xfe"),
    "utf-16-be with a mark": ("utf-16-be", b"\xfe\xff"),
    "utf-16-le": ("utf-16-le", b""),
}
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
LAYOUTS = {
    "one line": {},
    "compact": {"separators": (",", ":")},
    "two blanks": {"indent": 2},
    "tabs": {"indent": "\t"},
    "lines only": {"indent": 0},
}
LABELS = ("BEFORE", "AFTER", "INCLUDES", "IBEFORE")


def make(number: int, *, removed: set[int], types: dict[int, str], **members: object) -> dict:
    """Make a document of links, without some and with other types for some."""
    links = [
        {
            "id": f"l{k}",
            "source": "a[",
            "type": types.get(k, LABELS[k % 4]),
            "target": 'b"}',
            "attributes": {"type": "x]", "é": "\\"},
            "weight": k / 4,
        }
        for k in range(number)
        if k not in removed
    ]
    events = [{"id": "a[", "text": '{"links": ['}, {"id": 'b"}'}]
    return {"text": 'é "links": [{}, ]', "events": events, "links": links, **members}


def change(document: tlex.Document, removed: set[int], types: dict[int, str]) -> bytes:
    gone = {f"l{k}" for k in removed}
    new = {f"l{k}": label for k, label in types.items()}
    return change_file(document, list_changes(document, gone, new)).source.original


numbers = st.integers(0, 6)


@given(
    number=st.integers(1, 7),
    removed=st.sets(numbers),
    retyped=st.sets(numbers),
    layout=st.sampled_from(sorted(LAYOUTS)),
    encoding=st.sampled_from(sorted(MARKS)),
    end=st.sampled_from(sorted(ENDS)),
    last=st.booleans(),
)
def test_json_is_what_it_would_be_without_these_links(  # noqa: PLR0913, PLR0917
    number, removed, retyped, layout, encoding, end, last
):
    removed = {k for k in removed if k < number}
    types = {k: "DURING" for k in retyped - removed if k < number}
    codec, mark = MARKS[encoding]
    more = {} if last else {"signals": []}

    def write(**how: object) -> bytes:
        text = json.dumps(make(number, **how, **more), ensure_ascii=False, **LAYOUTS[layout])
        return mark + text.replace("\n", ENDS[end]).encode(codec)

    document = tlex.parse(write(removed=set(), types={}), name="x.json")

    assert change(document, removed, types) == write(removed=removed, types=types)


blanks = st.text(" \t\n\r", max_size=3)


@given(st.data())
def test_json_of_any_layout_stays_json_and_keeps_its_other_bytes(data):
    def gap() -> str:
        return data.draw(blanks)

    links = [
        f'{{{gap()}"source"{gap()}:{gap()}"a"{gap()},"target":"b",{gap()}"type":{gap()}"BEFORE"'
        f'{gap()},"id":"l{k}"{gap()}}}'
        for k in range(data.draw(st.integers(1, 5)))
    ]
    head, tail = f'{gap()}{{{gap()}"links"{gap()}:{gap()}[', f']{gap()},"name":"é"{gap()}}}{gap()}'
    text = head + ",".join(gap() + link + gap() for link in links) + tail
    removed = data.draw(st.sets(st.integers(0, len(links) - 1)))
    document = tlex.parse(text.encode(), name="x.json", format="json")

    new = change(document, removed, {}).decode()

    kept = [link for k, link in enumerate(links) if k not in removed]
    assert new.startswith(head)
    assert new.endswith(tail)
    inner = new[len(head) : len(new) - len(tail)]
    assert re.fullmatch(r"\s*,\s*".join(map(re.escape, kept)) or "", inner.strip(" \t\r\n"))
    assert [link["id"] for link in json.loads(new)["links"]] == [
        f"l{k}" for k in range(len(links)) if k not in removed
    ]


class TestJson:
    def test_a_key_may_be_written_with_escapes_and_twice(self):
        text = (
            r'{"text": "", "l\u0069nks": [{"type": "AFTER", "source": "a",'
            r' "target": "b", "ty\u0070e" : "BEFORE"}]}'
        )
        document = tlex.parse(text, name="x.json")

        new = apply_changes(document, [Change("l1", "BEFORE", "IBEFORE")]).decode()

        assert new == text.replace('"BEFORE"', '"IBEFORE"')

    def test_a_node_that_no_link_names_any_more_goes_if_the_file_lists_no_nodes(self):
        text = '{"links": [{"source": "a", "type": "BEFORE", "target": "a"}]}'

        fixed = tlex.fix(tlex.parse(text, name="x.json"))

        assert fixed.data == b'{"links": []}'
        assert tlex.extract(fixed.document).consistent

    def test_one_document_of_many_is_changed(self):
        lines = [
            '{"links": [{"source": "a", "type": "BEFORE", "target": "a"}]}',
            '{"links": [{"source": "b", "type": "BEFORE", "target": "b"}]}',
            "",
            '{"links": [{"source": "c", "type": "BEFORE", "target": "c"}]}\r',
        ]
        documents = tlex.readers.parse_all("\n".join(lines), name="x.jsonl")

        fixed = tlex.fix(documents[2])

        assert fixed.document.name == "x.jsonl:4"
        assert fixed.data.decode() == "\n".join([*lines[:3], '{"links": []}\r'])
        assert fixed.patch.files[0].part == "4"
        assert fixed.patch.find(documents[0]) is None
        assert tlex.repair.apply(documents[2], fixed.patch) == fixed.document

    def test_own_labels_stay_known(self):
        labels = {"TLINK": {"SOON": ("A+ < B-",)}}
        links = [
            {"source": "a", "type": "soon", "target": "b"},
            {"source": "b", "type": "BEFORE", "target": "a"},
        ]
        document = tlex.parse(json.dumps({"links": links}), name="x.json", labels=labels)

        fixed = tlex.fix(document, keep=["l1"])

        assert [link.type for link in fixed.document.links] == ["SOON"]
        assert json.loads(fixed.data)["links"] == links[:1]

    def test_a_link_without_a_type_gets_none(self):
        text = '{"links": [{"source": "a", "target": "b", "kind": "SLINK"}]}'

        with pytest.raises(WriteError, match=r"x.json:1: the type of link l1 cannot be found"):
            apply_changes(tlex.parse(text, name="x.json"), [Change("l1", None, "MODAL")])


LINKS = {
    "two children": '<TLINK r_id="{id}" reltype="{type}" comment="é &lt; >">\n'
    '<source m_id="{a}"/>\n<target m_id="{b}"/>\n</TLINK>',
    "blanks between": "<TLINK  relType = '{type}'\n  id='{id}' >\n\n<source id='{a}'></source> é\n"
    "<!-- </TLINK> -->\n<target id='{b}' />\n\n\t</TLINK\n>",
    "one line": '<TLINK RELTYPE="{type}" r_id="{id}"><source m_id="{a}"/>'
    '<target m_id="{b}"/></TLINK>',
}
GAPS = ("\n", "", "  ", "\n\n\t", "\n<!-- é -->\n", " \n  ")


def cat(links: list[str], declaration: str = "") -> str:
    return (
        f'{declaration}<Document doc_name="é">\n<token t_id="1" sentence="0">é</token>\n'
        '<token t_id="2" sentence="0">b\n</token><Markables>\n'
        '<EVENT_MENTION m_id="1"><token_anchor t_id="1"/></EVENT_MENTION>\n'
        '<EVENT_MENTION m_id="2"><token_anchor t_id="2"/></EVENT_MENTION>\n'
        f'</Markables>\n<Relations>\n<REFERS_TO r_id="9"/>\n{"".join(links)}\n</Relations>'
        "</Document>"
    )


@given(
    links=st.lists(
        st.tuples(st.sampled_from(sorted(LINKS)), st.sampled_from(["12", "21"])), max_size=6
    ),
    gaps=st.lists(st.sampled_from(GAPS), min_size=6, max_size=6),
    removed=st.sets(st.integers(0, 5)),
    retyped=st.sets(st.integers(0, 5)),
    encoding=st.sampled_from(sorted({*MARKS, "latin-1"} - {"utf-16-le"})),
    end=st.sampled_from(sorted(ENDS)),
)
def test_cat_is_what_it_would_be_without_these_links(  # noqa: PLR0913, PLR0917
    links, gaps, removed, retyped, encoding, end
):
    removed = {k for k in removed if k < len(links)}
    types = {k: "DURING" for k in retyped - removed if k < len(links)}
    codec, mark = MARKS.get(encoding, ("latin-1", b""))
    declaration = '<?xml version="1.0" encoding="ISO-8859-1"?>' if codec == "latin-1" else ""

    def write(*, gone: set[int], new: dict[int, str]) -> str:
        pieces = []
        for k, (way, (a, b)) in enumerate(links):
            label = new.get(k, "BEFORE")
            element = LINKS[way].format(id=f"l{k}", type=label, a=a, b=b)
            pieces.append(("\0" if k in gone else element) + gaps[k])
        return cat(pieces, declaration).replace("\n", ENDS[end])

    old = mark + write(gone=set(), new={}).encode(codec)
    document = tlex.parse(old, name="x.xml")

    new = change(document, removed, types)

    # A line on which there was nothing but what has gone has gone too.
    expected = write(gone=removed, new=types)
    line = re.compile(r"(?<=[\r\n])[ \t]*\0[\0 \t]*(?:\r\n|\r|\n)")
    without = line.sub("", expected).replace("\0", "")
    found = new.removeprefix(mark).decode(codec)
    assert found.replace("<!---->", "") == without
    root = ET.fromstring(found.removeprefix(declaration))  # noqa: S314 -- our own
    assert len(root.findall("Relations/TLINK")) == len(links) - len(removed)


class TestWhatCannotBeWritten:
    def test_the_document_alone_is_changed(self):
        document = tlex.parse("a BEFORE b\nb BEFORE a\n", name="x.txt")

        fixed = tlex.fix(document, relabel=True)

        assert [link.type for link in fixed.document.links] == ["BEFORE", "AFTER"]
        with pytest.raises(WriteError, match=r"x.txt: a file of format 'plain' cannot be written"):
            _ = fixed.data
        assert fixed.patch.files[0].result is None
        again = tlex.repair.apply(document, tlex.Patch.from_json(fixed.patch.to_json()))
        assert [link.type for link in again.links] == ["BEFORE", "AFTER"]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (Change("l1", "AFTER"), "x.txt:1: link l1 has type 'BEFORE', not 'AFTER'"),
            (Change("l9", "BEFORE"), "x.txt: there is no link 'l9'"),
            (
                Change("l1", "BEFORE", None, "b", "a"),
                "x.txt:1: link l1 goes from 'a' to 'b', not from 'b' to 'a'",
            ),
        ],
    )
    def test_a_change_that_does_not_fit_is_refused(self, change, message):
        document = tlex.parse("a BEFORE b\nb BEFORE a\n", name="x.txt")

        with pytest.raises(PatchError, match=message):
            change_document(document, [change])

    def test_text_between_the_words_of_a_token_is_not_lost(self):
        link = LINKS["one line"].format(id="l0", type="BEFORE", a="1", b="2")
        inside = f'<token t_id="2">b<Relations>\n{link}\n</Relations></token><Markables>'
        text = re.sub(r'<token t_id="2".*<Markables>', inside, cat([]), flags=re.DOTALL)
        document = tlex.parse(text, name="x.xml")

        with pytest.raises(WriteError, match="cannot be changed without changing something else"):
            change_file(document, [Change("l0", "BEFORE")])
