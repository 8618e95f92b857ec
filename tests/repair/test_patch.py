"""Writing a repair: the bytes of the links concerned change, and nothing else, in any file."""

from __future__ import annotations

import re
from hashlib import sha256
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import tlex
from tlex.errors import PatchError, WriteError
from tlex.repair.patch import Patch, apply, describe_file
from tlex.repair.relabelling import relabel
from tlex.repair.search import find_repair
from tlex.repair.writing import Change, apply_changes, list_changes

ENCODINGS = {
    "utf-8": ("utf-8", b"", ""),
    "utf-8 with a mark": ("utf-8", b"\xef\xbb\xbf", ""),
    "utf-16-le with a mark": ("utf-16-le", b"\xff\xfe", ""),
    "utf-16-be with a mark": ("utf-16-be", b"\xfe\xff", ""),
    "latin-1": ("iso-8859-1", b"", '<?xml version="1.0" encoding="ISO-8859-1"?>'),
}
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
WAYS = {
    "plain": '<TLINK lid="{id}" relType="{type}" eventInstanceID="{a}" '
    'relatedToEventInstance="{b}"/>',
    "single quotes": "<TLINK lid='{id}' relType='{type}' eventInstanceID='{a}' "
    "relatedToEventInstance='{b}' />",
    "entities": '<TLINK comment="a &amp; b &lt;relType=&quot;X&quot;&gt;" lid="{id}" '
    'relType="{type}" eventInstanceID="{a}" relatedToEventInstance="{b}"/>',
    "a > in a value": '<TLINK comment="a > b" lid="{id}" relType="{type}" eventInstanceID="{a}" '
    'relatedToEventInstance="{b}" syntax="/>"/>',
    "relType inside another value": '<TLINK comment="relType=\'AFTER\'" lid="{id}" '
    "relatedToEventInstance='{b}' origin=' relType = \"X\"' eventInstanceID=\"{a}\" "
    'relType="{type}"/>',
    "names that end in relType": '<TLINK my-relType="A" XrelType="B" lid="{id}" relType="{type}" '
    'relTypes="C" eventInstanceID="{a}" relatedToEventInstance="{b}"/>',
    "blanks around =": '<TLINK\tlid = "{id}"\n  relType\n=\t"{type}"  eventInstanceID ="{a}" '
    'relatedToEventInstance= "{b}"\n/>',
    "blanks and small letters in the type": '<TLINK lid="{id}" relType=" {small} " '
    'eventInstanceID="{a}" relatedToEventInstance="{b}"/>',
    "a character written as its number": '<TLINK lid="{id}" relType="&#{first};{rest}" '
    'eventInstanceID="{a}" relatedToEventInstance="{b}"/>',
    "two tags": '<TLINK lid="{id}" relType="{type}" eventInstanceID="{a}" '
    'relatedToEventInstance="{b}"></TLINK>',
    "two tags with blanks": '<TLINK lid="{id}" relType="{type}" eventInstanceID="{a}" '
    'relatedToEventInstance="{b}">\n\t</TLINK >',
    "a comment inside": '<TLINK lid="{id}" relType="{type}" eventInstanceID="{a}" '
    'relatedToEventInstance="{b}"><!-- relType="X" </TLINK> --></TLINK>',
    "without an id": '<TLINK relType="{type}" eventInstanceID="{a}" relatedToEventInstance="{b}"/>',
}
GONE = "\0"
LINE = re.compile(r"(?<=[\r\n])[ \t]*\0[\0 \t]*(?:\r\n|\r|\n)")
GAPS = ("\n", "", " \t", "\n\n  \t", "<!-- é < > -->", "é", "\n<?note l1?>\n")


def write(way: str, number: int, label: str, a: str, b: str) -> str:
    return WAYS[way].format(
        id=f"l{number}", type=label, small=label.lower(), first=ord(label[0]), rest=label[1:],
        a=a, b=b,
    )  # fmt: skip


def encode(text: str, encoding: str, end: str) -> bytes:
    codec, mark, declaration = ENCODINGS[encoding]
    return mark + (declaration + text.replace("\n", ENDS[end])).encode(codec)


def contradiction(*pieces: str) -> str:
    return (
        '<TimeML>é\t<EVENT eid="a">à</EVENT> <EVENT eid="b">ü</EVENT>\n'
        + "".join(pieces)
        + "\n</TimeML>\n<!-- the end -->"
    )


def inside(element: str) -> str:
    """What stands between the tags of an element."""
    tags = re.fullmatch(r"""<(?:[^"'>]|"[^"]*"|'[^']*')*>(.*)</[TA]LINK\s*>""", element, re.DOTALL)
    return tags[1] if tags else ""


def count_common(one: str, other: str) -> int:
    """How many first letters two words share."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def differ_in_the_type_alone(old: str, new: str, label: str) -> bool:
    """Whether one piece of an element has become a label, and the element says what it should."""
    before, after = ET.fromstring(old), ET.fromstring(new)  # noqa: S314 -- our own
    begun = count_common(old, new)
    kept = begun + count_common(old[begun:][::-1], new[begun:][::-1])
    return (
        after.attrib == {**before.attrib, "relType": label}
        and inside(old) == inside(new)
        and len(new) - kept <= len(label)
    )


def check_bytes(
    document: tlex.Document, after: tlex.Document, removed: set[str], types: dict[str, str]
) -> None:
    """Put the new file together from the old one's bytes and the links concerned."""
    old, new, encoding = document.source.data, after.source.data, document.source.encoding
    marks = (*document.events, *document.timexes, *document.signals)
    at = max(mark.byte_end for mark in marks)  # all links stand behind the last mark
    before, left = old[:at].decode(encoding), iter(after.links)
    behind = ""
    for link in document.links:
        start, end = link.byte_start, link.byte_end
        was = old[start:end].decode(encoding)
        words = GONE + inside(was) + GONE
        if link.id not in removed:
            same = next(left)
            words = new[same.byte_start : same.byte_end].decode(encoding)
            assert words == was or differ_in_the_type_alone(was, words, types[link.id])
        behind += old[at:start].decode(encoding) + words
        at = end
    behind += old[at:].decode(encoding)
    # Lines on which there was nothing but what has gone have gone too.
    assert before + LINE.sub("", behind).replace(GONE, "") == new.decode(encoding)


def make(
    document: tlex.Document, *, new_types: bool, **options: object
) -> tuple[bytes, set[str], dict[str, str]]:
    result = tlex.extract(document, **options)
    removed = find_repair(result).removed
    types = relabel(result, removed) if new_types else {}
    gone = {name for name in removed if name not in types}
    return apply_changes(document, list_changes(document, gone, types)), gone, types


def check_rewritten(data: bytes, *, new_types: bool, **options: object) -> None:
    """Repair a file, and judge what comes out by what was asked for and by the checker."""
    document = tlex.parse(data, name="x.tml")

    new, removed, types = make(document, new_types=new_types, **options)

    after = tlex.parse(new, name="x.tml")
    check_bytes(document, after, removed, types)
    result = tlex.extract(after, **options)
    tlex.verify(after, result)
    assert result.consistent
    assert after.text.split() == document.text.split()
    assert [(node.id, node.span) for node in after.nodes] == [
        (node.id, node.span) for node in document.nodes
    ]
    stays = [link for link in document.links if link.id not in removed]
    assert [(link.kind, link.source, link.target) for link in after.links] == [
        (link.kind, link.source, link.target) for link in stays
    ]
    assert [link.type for link in after.links] == [types.get(link.id, link.type) for link in stays]
    assert tlex.extract(document, **options).consistent or removed or types


@pytest.mark.parametrize("new_types", [False, True], ids=["remove", "relabel"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("way", WAYS)
def test_only_the_link_changes_however_it_is_written(way, encoding, end, new_types):
    text = contradiction(
        write(way, 1, "BEFORE", "a", "b"), "\n", write(way, 2, "BEFORE", "b", "a"), " é"
    )

    check_rewritten(encode(text, encoding, end), new_types=new_types)


@given(
    links=st.lists(
        st.tuples(
            st.sampled_from(sorted(WAYS)),
            st.sampled_from(["BEFORE", "AFTER", "INCLUDES", "IBEFORE", "DURING"]),
            st.sampled_from(["ab", "ba", "aa"]),
            st.sampled_from(GAPS),
        ),
        min_size=1,
        max_size=7,
    ),
    encoding=st.sampled_from(sorted(ENCODINGS)),
    end=st.sampled_from(sorted(ENDS)),
    new_types=st.booleans(),
)
def test_only_the_links_change_however_many_there_are(links, encoding, end, new_types):
    pieces = [
        write(way, number, label, *ends) + gap
        for number, (way, label, ends, gap) in enumerate(links, 1)
    ]

    check_rewritten(encode(contradiction(*pieces), encoding, end), new_types=new_types)


def test_the_words_of_the_other_bytes_are_really_the_same():
    text = contradiction("<!-- 1 -->", write("plain", 1, "BEFORE", "a", "b"), "é",
                         write("two tags", 2, "BEFORE", "b", "a"), " \t\n")  # fmt: skip
    document = tlex.parse(text.encode(), name="x.tml")

    removed = apply_changes(document, [Change("l2", "BEFORE"), Change("l1", "BEFORE")]).decode()
    retyped = apply_changes(document, [Change("l2", "BEFORE", "IAFTER")]).decode()

    assert removed == contradiction("<!-- 1 -->é \t\n")
    assert retyped == text.replace('lid="l2" relType="BEFORE"', 'lid="l2" relType="IAFTER"')


class TestLinksInsideLinks:
    INNER = write("plain", 2, "BEFORE", "b", "a")
    OUTER = write("two tags", 1, "BEFORE", "a", "b").removesuffix("</TLINK>")
    TEXT = contradiction(OUTER, "x <EVENT eid='c'>y</EVENT>", INNER, "\n</TLINK>")

    def change(self, *changes):
        return apply_changes(tlex.parse(self.TEXT.encode(), name="x.tml"), changes).decode()

    def test_the_outer_one_goes_and_leaves_what_it_holds(self):
        left = self.change(Change("l1", "BEFORE"))

        assert left == contradiction("x <EVENT eid='c'>y</EVENT>", self.INNER)

    def test_the_inner_one_goes_alone(self):
        assert self.change(Change("l2", "BEFORE")) == self.TEXT.replace(self.INNER, "")

    def test_both_can_go_and_one_can_be_changed(self):
        both = self.change(Change("l1", "BEFORE"), Change("l2", "BEFORE"))
        mixed = self.change(Change("l1", "BEFORE"), Change("l2", "BEFORE", "AFTER"))

        assert both == contradiction("x <EVENT eid='c'>y</EVENT>")
        assert mixed == contradiction(
            "x <EVENT eid='c'>y</EVENT>", self.INNER.replace("BEFORE", "AFTER")
        )


def test_links_of_one_name_are_reported_apart():
    first = write("plain", 1, "BEFORE", "a", "b")
    second = write("plain", 1, "BEFORE", "b", "a")
    document = tlex.parse(contradiction(first, second, second).encode(), name="x.tml")
    names = [link.id for link in document.links]

    left = apply_changes(document, [Change(names[1], "BEFORE"), Change(names[2], "BEFORE")])

    assert names[0] == "l1"
    assert all(name.startswith("TLINK@2:") for name in names[1:])
    assert left.decode() == contradiction(first)


class TestWhatDoesNotFit:
    DATA = contradiction(write("plain", 1, "BEFORE", "a", "b")).encode()

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ([Change("l9", "BEFORE")], r"x.tml: there is no link 'l9'"),
            ([Change("l1", "AFTER")], r"x.tml:2: link l1 has type 'BEFORE', not 'AFTER' as the"),
            ([Change("l1", "BEFORE"), Change("l1", "BEFORE")], r"there is no link 'l1' \(left\)"),
            ([Change("l1", "BEFORE", 'X"/><x y="')], r"x.tml:2: .* is no type of a TLINK"),
            ([Change("l1", "BEFORE", "INITIATES")], r"x.tml:2: 'INITIATES' is no type of a TLINK"),
            ([Change("l1", "BEFORE", "before")], r"x.tml:2: 'before' is no type of a TLINK"),
        ],
    )
    def test_a_change_is_refused(self, changes, message):
        document = tlex.parse(self.DATA, name="x.tml")

        with pytest.raises(PatchError, match=message):
            apply_changes(document, changes)

    def test_a_document_without_a_file_cannot_be_written(self):
        document = tlex.from_links([("a", "BEFORE", "b")], name="mine")

        for work in (apply_changes, describe_file):
            with pytest.raises(WriteError, match="mine: comes from no file"):
                work(document, [Change("l1", "BEFORE")])

    def test_a_patch_is_for_one_content(self):
        document = tlex.parse(self.DATA, name="x.tml")
        patch = describe_file(document, [Change("l1", "BEFORE")])
        other = tlex.parse(self.DATA.replace(b"the end", b"The end"), name="y.tml")

        assert b"l1" not in apply(document, patch).source.data
        with pytest.raises(PatchError, match=r"y.tml: not the file that the patch was made for"):
            apply(other, patch)


class TestJson:
    def test_a_patch_has_no_word_of_the_text(self):
        document = tlex.parse(TestWhatDoesNotFit.DATA, name="a/x.tml")
        changes = [Change("l1", "BEFORE", "IBEFORE")]

        data = Patch.of([describe_file(document, changes)]).to_json()

        assert msgspec.json.decode(data) == {
            "schema": "tlex-patch/1",
            "files": [
                {
                    "path": "a/x.tml",
                    "sha256": sha256(TestWhatDoesNotFit.DATA).hexdigest(),
                    "changes": [
                        {
                            "link": "l1",
                            "old": "BEFORE",
                            "new": "IBEFORE",
                            "source": None,
                            "target": None,
                        }
                    ],
                    "result": sha256(
                        TestWhatDoesNotFit.DATA.replace(b"BEFORE", b"IBEFORE")
                    ).hexdigest(),
                }
            ],
        }
        assert Patch.from_json(data, "p").files[0].changes == tuple(changes)

    def test_a_patch_that_says_who_when_and_why_does_the_same(self):
        document = tlex.parse(TestWhatDoesNotFit.DATA)
        change = list_changes(document, [document.links[0].id], {})[0]
        signed = replace(
            describe_file(document, [replace(change, why="the text says so")]),
            who="Ann",
            when="2026-01-02T03:04:05Z",
        )

        read = Patch.from_json(Patch.of([signed]).to_json())

        assert read.files == (signed,)
        plain = apply(document, describe_file(document, [change]))
        assert apply(document, read).source.original == plain.source.original

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "p.json: not a patch of tlex: Input data was truncated"),
            (b"{", "not a patch of tlex"),
            (b"[]", "not a patch of tlex: Expected `object`"),
            (b"{}", "missing required field `schema`"),
            (b'{"schema": "tlex-patch/1", "files": [{"path": "x"}]}', "`sha256`"),
            (b'{"schema": "tlex-patch/1", "files": ' + b"[" * 100_000, "not a patch of tlex"),
            (b'{"schema": "tlex-patch/1", "more": ' + b"[" * 100_000, "not a patch of tlex"),
            (b'{"schema": "tlex/1", "files": []}', "p.json: a patch of schema 'tlex/1'; known"),
            (b'{"schema": "\xff", "files": []}', "not a patch of tlex"),
        ],
    )
    def test_what_is_no_patch_is_reported(self, data, message):
        with pytest.raises(PatchError, match=re.escape(message)):
            Patch.from_json(data, "p.json")


@pytest.mark.corpus
@pytest.mark.parametrize("new_types", [False, True], ids=["remove", "relabel"])
@pytest.mark.parametrize("links", [("TLINK",), ("TLINK", "ALINK")], ids=["tlink", "both"])
def test_every_file_of_timebank_keeps_its_other_bytes_and_is_consistent(timebank, links, new_types):
    changed = 0
    for document in timebank.values():
        data = document.source.data
        if tlex.extract(document, links=links).consistent:
            assert make(document, new_types=new_types, links=links) == (data, set(), {})
        else:
            check_rewritten(data, new_types=new_types, links=links)
            changed += 1
    assert changed == (65 if "ALINK" in links else 30)
