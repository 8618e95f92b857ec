"""The same kinds of bad input for every format: what is wrong is reported with its place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import tlex
from tlex.nouns import Code
from tlex.readers import FORMATS, parse_all

DATA = Path(__file__).parents[1] / "data"


class Case(NamedTuple):
    """A good file, and how to break it: a piece and what to put in its place.

    Empty if a format cannot have the fault: tables and graphs name nodes without defining them.
    """

    file: str
    repeated: tuple[str, str]
    dangling: tuple[str, str]
    unknown: tuple[str, str]


CASES = {
    "timeml": Case(
        "note.tml",
        ('eiid="ei2"', 'eiid="ei1"'),
        ('relatedToTime="t1"', 'relatedToTime="t9"'),
        ('lid="l2" relType="BEFORE"', 'lid="l2" relType="SOON"'),
    ),
    "cat": Case(
        "meantime.xml",
        ('<EVENT_MENTION m_id="3"', '<EVENT_MENTION m_id="2"'),
        ('<source m_id="3"/>\n<target m_id="4"', '<source m_id="39"/>\n<target m_id="4"'),
        ('reltype="BEFORE"', 'reltype="SOON"'),
    ),
    "anafora": Case(
        "thyme.Temporal-Relation.gold.completed.xml",
        ("<id>4@e@", "<id>1@e@"),
        ("<Target>1@e@thyme@gold", "<Target>99@e@thyme@gold"),
        ("<Type>CONTAINS", "<Type>SOON"),
    ),
    "sty": Case(
        "tale.sty",
        ('<desc id="31"', '<desc id="30"'),
        ("TEMPORAL|BEFORE|32|33", "TEMPORAL|BEFORE|32|99"),
        ("TEMPORAL|BEFORE|32", "TEMPORAL|SOON|32"),
    ),
    "json": Case(
        "story.json",
        ("", ""),
        ('"target": "t1"', '"target": "t99"'),
        ('"type": "BEFORE"', '"type": "SOON"'),
    ),
    "xmi": Case(
        "e3c.xmi",
        ('EVENT xmi:id="6"', 'EVENT xmi:id="5"'),
        ('target="11"', 'target="99"'),
        ('role="CONTAINS"', 'role="SOON"'),
    ),
    "mae": Case(
        "mae.xml",
        ('<TIMEX3 id="T0"', '<TIMEX3 id="E0"'),
        ('toID="T0"', 'toID="T9"'),
        ('type="OVERLAP"', 'type="SOON"'),
    ),
    "casjson": Case(
        "cas.json",
        ('"%ID": 6', '"%ID": 5'),
        ('"@Dependent": 6', '"@Dependent": 99'),
        ('"label": "BEFORE"', '"label": "SOON"'),
    ),
    "eventfull": Case(
        "eventfull.json",
        ('"m_id": 9', '"m_id": 7'),
        ('"_secondId": "9"', '"_secondId": "99"'),
        ("before/cause", "soon"),
    ),
    "maven": Case(
        "maven.jsonl",
        ('"id": "EVENT_b"', '"id": "EVENT_a"'),
        ('["TIME_a", "EVENT_a"]', '["TIME_z", "EVENT_a"]'),
        ('"CONTAINS"', '"SOON"'),
    ),
    "brat": Case("brat.ann", ("T3\t", "T1\t"), ("Arg2:T2", "Arg2:T9"), ("R1\tDURING", "R1\tSOON")),
    "matres": Case("matres.tsv", ("", ""), ("", ""), ("2\tBEFORE", "2\tSOON")),
    "dense": Case("dense.tsv", ("", ""), ("", ""), ("e2\tb", "e2\tq")),
    "plain": Case("graph.txt", ("", ""), ("", ""), ("fell BEFORE", "fell SOON")),
}
FAULTS = {
    "repeated": Code.REPEATED_ID,
    "dangling": Code.DANGLING,
    "unknown": Code.UNKNOWN_TYPE,
}
LINES = frozenset(("brat", "matres", "dense", "plain"))


def load(form: str) -> str:
    return (DATA / CASES[form].file).read_text(encoding="utf-8")


def read(text: str, form: str) -> tuple[tlex.Document, ...]:
    """Read with the text beside it, where there is one."""
    file = DATA / CASES[form].file
    return parse_all(text, name=file.name, path=file if form in {"anafora", "brat"} else None)


def attempt(text: str, form: str) -> tuple[tuple[tlex.Document, ...], tlex.ReadError | None]:
    """Give the documents, or the error."""
    try:
        return read(text, form), None
    except tlex.ReadError as error:
        return (), error


def test_every_format_is_here():
    assert set(CASES) == set(FORMATS)


@pytest.mark.parametrize("form", CASES)
def test_the_good_file_is_of_its_format_and_has_no_errors(form):
    documents = read(load(form), form)

    assert {document.format for document in documents} == {form}
    assert not [p for d in documents for p in d.diagnostics if p.severity == "error"]


@pytest.mark.parametrize(
    ("form", "fault"),
    [(form, fault) for form, case in CASES.items() for fault in FAULTS if getattr(case, fault)[0]],
)
def test_a_fault_is_reported_in_the_line_where_it_is_and_no_link_is_lost(form, fault):
    good = load(form)
    old, new = getattr(CASES[form], fault)
    assert old in good

    documents = read(good.replace(old, new, 1), form)

    problems = [p for document in documents for p in document.diagnostics]
    (found,) = {p.line: p for p in problems if p.code == FAULTS[fault]}.values()
    line = good[: good.index(old)].count("\n") + 1
    # An entity, a relation or a markable of XML begins some lines before the piece.
    assert 0 <= line - (found.line or 0) <= (3 if form in {"anafora", "cat"} else 0)
    links = [len(document.links) for document in read(good, form)]
    assert [len(document.links) for document in documents] == links
    for document in documents:
        assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize("form", CASES)
@pytest.mark.parametrize("share", [0.35, 0.6, 0.9])
def test_a_file_that_is_cut_off_is_an_error_with_its_place_or_reported(form, share):
    good = load(form)
    text = good[: int(share * len(good))]

    documents, error = attempt(text, form)

    if error is not None:
        assert error.line is not None
        assert error.line <= text.count("\n") + 1
        assert "\n" not in str(error)
    else:  # a format of lines ends anywhere
        assert form in LINES
        links = sum(len(document.links) for document in documents)
        problems = [p for d in documents for p in d.diagnostics if p.code == Code.MISSING_ATTRIBUTE]
        marks = [line for line in text.splitlines() if line[:1] in "R*" or form != "brat"]
        rows = [line for line in marks if line.strip() and not line.startswith("#")]
        assert links + len(problems) >= len(rows)


@pytest.mark.parametrize("content", ["", " \n\t\n", "\ufeff"])
def test_a_blank_file_is_no_document(content):
    with pytest.raises(tlex.ReadError, match="the file is empty"):
        tlex.parse(content)


@pytest.mark.parametrize("form", sorted(set(CASES) - {"brat", "plain"}))
def test_a_blank_file_is_refused_with_a_place_even_if_the_format_is_given(form):
    with pytest.raises(tlex.ReadError) as caught:
        tlex.parse(" \n", format=form)

    assert caught.value.line is not None
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("form", "old", "new", "message"),
    [
        ("casjson", '"%FEATURE_STRUCTURES": [', '"x": [', "no list of feature structures"),
        ("casjson", '"begin": 7', '"begin": "x"', "has span 'x,11', which the text has not"),
        ("eventfull", '"tokens_ids": [1]', '"tokens_ids": ["1"]', "allMentions[0].tokens_ids[0]"),
        ("eventfull", '"tokens_ids": [1]', '"tokens_ids": [99]', "names tokens that the document"),
        ("maven", '"offset": [1, 2]', '"offset": {}', "expected `array`, got `object`"),
        ("maven", '"offset": [1, 2]', '"offset": [2, 1]', "m1 has a place that"),
        ("maven", '["EVENT_a", "EVENT_b"]', '["EVENT_a"]', "temporal_relations"),
        ("xmi", 'end="11"', 'end="-1"', "has span '7,-1', which the text has not"),
        ("mae", 'end="36"', 'end="30"', "has a span that the text has not"),
        ("brat", "Event 4 15", "Event 15 4", "has span '15 4', which the text has not"),
        ("brat", "Arg2:T2", "Arg3:T2", "TLINK R1 has no target"),
        ("anafora", "<span>9,16", "<span>16,9", "has span '16,9', which the text has not"),
        ("sty", "|12|12~13|", "|12|12~99|", "99"),
        ("dense", "doc_a\te1\te2\tb", "doc_a\te1\te2", "without all of document, source"),
    ],
)
def test_a_value_of_a_wrong_kind_is_named(form, old, new, message):
    good = load(form)
    assert old in good

    documents, error = attempt(good.replace(old, new, 1), form)

    said = [(p.line, p.message) for document in documents for p in document.diagnostics]
    said += [(error.line, str(error))] if error else []
    assert [line for line, words in said if message in words], said
    assert None not in [line for line, _ in said]
