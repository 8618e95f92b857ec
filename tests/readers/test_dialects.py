"""The dialects of TimeML whose links do not name event instances."""

from __future__ import annotations

from pathlib import Path

import pytest

import tlex
from tlex.export import convert
from tlex.nouns import Code

DATA = Path(__file__).parents[1] / "data"


def list_links(document: tlex.Document) -> list[tuple[str | None, ...]]:
    return [(link.id, link.source, link.type, link.target) for link in document.links]


def problems(document: tlex.Document) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in document.diagnostics]


def test_links_that_point_at_events_without_instance_are_read():
    document = tlex.read(DATA / "tempeval1.tml")

    assert document.format == "timeml"
    assert list_links(document) == [
        ("l1", "e1", "OVERLAP", "t1"),
        ("l2", "e2", "BEFORE-OR-OVERLAP", "t0"),
        ("l3", "e2", "OVERLAP-OR-AFTER", "e1"),
        ("l4", "e1", "VAGUE", "e2"),
    ]
    assert {problem.code for problem in document.diagnostics} == {Code.EVENT_WITHOUT_INSTANCE}
    assert tlex.verify(document, tlex.extract(document))


def test_ends_may_be_called_from_and_to_and_be_events_or_instances():
    document = tlex.read(DATA / "portuguese.tml")

    assert list_links(document) == [
        ("l1", "ei1", "OVERLAP", "t1"),
        ("l2", "ei1", "BEFORE", "ei2"),
        ("l3", "e3", "EVIDENTIAL", "ei2"),
        ("l4", "e9", "BEFORE", "ei1"),
    ]
    assert [instance.event for instance in document.instances] == ["e1", "e2", "e2"]
    assert document.words(document.node("ei1")) == "partiu"


def test_an_event_with_two_instances_stands_for_the_first_and_what_is_lost_is_reported():
    document = tlex.read(DATA / "portuguese.tml")

    assert problems(document) == [
        (Code.EVENT_WITHOUT_INSTANCE, 3),
        (Code.TWO_ENDS, 8),
        (Code.DANGLING, 10),
    ]
    assert "'e2', which has several instances" in document.diagnostics[1].message


def test_the_attributes_stay_as_the_file_has_them():
    document = tlex.read(DATA / "tempeval1.tml")

    assert document.links[0].attributes == {
        "lid": "l1",
        "relType": "OVERLAP",
        "eventID": "e1",
        "relatedToTime": "t1",
        "task": "A",
    }


def test_numbers_stand_for_ids_where_nothing_else_is_meant():
    document = tlex.read(DATA / "narrative.tml")

    assert list_links(document) == [
        ("1", "ei1", "BEFORE", "ei2"),
        ("2", "ei2", "AFTER", "ei1"),
        ("3", "ei2", "VAGUE", "ei3"),
        ("4", "ei1", "OVERLAP", "ei3"),
    ]
    assert [instance.event for instance in document.instances] == ["e1", "e2", "e3"]
    assert not document.diagnostics


def test_a_number_that_leads_nowhere_is_still_dangling():
    text = (
        (DATA / "narrative.tml").read_text().replace('eventInstanceID="2"', 'eventInstanceID="7"')
    )

    assert problems(tlex.parse(text)) == [(Code.DANGLING, 9)]


def test_an_instance_attribute_that_names_an_event_is_still_an_error():
    text = (
        (DATA / "narrative.tml").read_text().replace('eventInstanceID="2"', 'eventInstanceID="e2"')
    )

    assert problems(tlex.parse(text)) == [(Code.DANGLING, 9)]


def test_a_clink_is_kept_and_orders_nothing():
    document = tlex.read(DATA / "wrapped.tml")

    assert [(link.kind, link.id, link.type) for link in document.links] == [
        ("TLINK", "l1", "BEFORE"),
        ("CLINK", "c1", None),
    ]
    assert not document.diagnostics


# --- French TimeBank: an EVENT has its own eiid -------------------------------------------------

FRENCH = DATA / "french.tml"


def test_an_event_with_its_own_eiid_is_its_own_instance():
    document = tlex.read(FRENCH, strict=True)

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("t1", ""),
        ("ei1", "tombée"),
        ("ei2", "tombée"),
        ("ei3", "course"),
        ("ei4", "saison"),
    ]
    assert [event.id for event in document.events] == ["e1", "e2", "e3"]
    assert [(one.id, one.event) for one in document.instances][-1] == ("ei2", "e1")
    assert document.diagnostics == ()


def test_there_during_means_inside_and_the_result_says_so():
    document = tlex.read(FRENCH)

    result = tlex.extract(document)

    assert result.consistent  # two falls, one before the other, during one race
    assert result.relation("ei1", "ei3").names == ("during",)
    assert result.relation("ei4", "t1").names == ("overlaps",)
    about = result.record().document
    assert about.reading == "frtimebank"
    assert about.labels == {
        "TLINK": {"DURING": ("B- < A-", "A+ < B+")},
        "SLINK": {"NEGATIVE": ()},
    }
    assert tlex.verify(document, result)


def test_timeml_s_meaning_of_during_can_be_asked_for():
    document = tlex.read(FRENCH, labels="timeml")

    assert document.reading == "timeml"
    assert not tlex.extract(document).consistent


def test_the_words_may_stand_in_a_later_event():
    text = (
        '<TimeML><EVENT eid="e1" eiid="ei1"/>Ann <EVENT eid="e1" eiid="ei2">fell</EVENT></TimeML>'
    )

    document = tlex.parse(text, strict=True)

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("ei1", "fell"),
        ("ei2", "fell"),
    ]


def test_with_a_makeinstance_an_eiid_on_an_event_is_only_an_attribute():
    text = (
        '<TimeML>Ann <EVENT eid="e1" eiid="ei7">fell</EVENT>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/>'
        '<TLINK lid="l1" relType="DURING" eventInstanceID="ei1" relatedToEventInstance="ei1"/>'
        "</TimeML>"
    )

    document = tlex.parse(text, strict=True)

    assert ([node.id for node in document.nodes], document.reading) == (["ei1"], "")


@pytest.mark.parametrize("missing", ["eid", "eiid"])
def test_an_event_that_lacks_one_of_its_ids_is_reported(missing):
    text = FRENCH.read_text(encoding="utf-8").replace(f'{missing}="e', f'x{missing}="e', 1)

    document = tlex.parse(text)

    assert document.diagnostics
    assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize("form", ["timeml", "json"])
def test_what_is_written_says_the_same_in_the_words_of_timeml(form):
    document = tlex.read(FRENCH)

    again = tlex.parse(convert(document, form)[0])

    assert [link.type for link in again.links][:3] == ["BEFORE", "IS_INCLUDED", "IS_INCLUDED"]
    assert tlex.extract(again).relation("ei2", "ei3").names == ("during",)
    assert again.text.split() == document.text.split()


def test_it_cannot_be_merged_with_a_document_whose_during_means_something_else():
    other = tlex.parse("a DURING b\n", name="other")

    with pytest.raises(tlex.OptionError, match="'DURING' means one thing in"):
        tlex.merge([tlex.read(FRENCH), other])
    assert tlex.merge([tlex.read(FRENCH), tlex.parse("a BEFORE b\n", name="other")]).links


def test_an_instance_that_is_an_event_has_its_own_class():
    document = tlex.parse(
        '<TimeML><EVENT eid="e1" eiid="ei1">fell</EVENT>'
        '<EVENT eid="e1" eiid="ei2" class="STATE"/></TimeML>'
    )

    result = tlex.extract(document)

    assert [node.type for node in result.nodes] == [None, "STATE"]
    assert tlex.verify(document, result)
