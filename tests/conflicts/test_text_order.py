"""The text order of links: by what they say and where, never by their line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import document_of, tangled_graphs

import tlex
from tlex.conflicts.text_order import rank_links
from tlex.repair.search import find_repair

TEXT = """<TimeML><DOCNO>d</DOCNO>
<TIMEX3 tid="t9" type="DATE" value="2020-01-01">now</TIMEX3>
<EVENT eid="e1" class="OCCURRENCE">one</EVENT> <EVENT eid="e2" class="OCCURRENCE">two</EVENT>
<TIMEX3 tid="t0" type="DATE" value="2020-01-02" functionInDocument="CREATION_TIME">then</TIMEX3>
{instances}
{links}
</TimeML>"""
INSTANCES = [
    f'<MAKEINSTANCE eiid="{name}" eventID="{event}" pos="VERB" tense="PAST" aspect="NONE"'
    ' polarity="POS"/>'
    for name, event in (("ei10", "e1"), ("ei9", "e1"), ("ei2", "e2"))
]
LINKS = [
    ("l1", "eventInstanceID", "ei2", "relatedToTime", "t9", "AFTER"),
    ("l2", "eventInstanceID", "ei2", "relatedToTime", "t0", "BEFORE"),
    ("l3", "eventInstanceID", "ei10", "relatedToEventInstance", "ei2", "BEFORE"),
    ("l4", "eventInstanceID", "ei2", "relatedToEventInstance", "ei9", "BEFORE"),
    ("l5", "eventInstanceID", "ei9", "relatedToEventInstance", "ei2", "BEFORE"),
    ("l6", "eventInstanceID", "ei9", "relatedToEventInstance", "ei10", "SIMULTANEOUS"),
    ("l7", "eventInstanceID", "ei2", "relatedToEventInstance", "ei9", "INCLUDES"),
]
IN_ORDER = ["l2", "l1", "l6", "l5", "l4", "l7", "l3"]


def write(links: list[tuple[str, ...]], instances: list[str]) -> bytes:
    lines = [
        f'<TLINK lid="{name}" {one}="{source}" {other}="{target}" relType="{kind}"/>'
        for name, one, source, other, target, kind in links
    ]
    return TEXT.format(instances="\n".join(instances), links="\n".join(lines)).encode()


def name_in_order(document: tlex.Document) -> list[str]:
    ranks = rank_links(document, range(len(document.links)))
    return [document.links[number].id for number in sorted(ranks, key=ranks.__getitem__)]


def test_links_stand_by_their_earlier_end_their_later_end_and_their_row():
    # The creation time comes first, then t9, ei9, ei10 and ei2. Read from ei9, l5 is BEFORE,
    # l4 is AFTER and l7 is IS_INCLUDED.
    document = tlex.parse(write(LINKS, INSTANCES), format="timeml")

    assert name_in_order(document) == IN_ORDER


def test_no_noun_is_made_to_choose_a_repair():
    plain = tlex.parse(write(LINKS, INSTANCES), format="timeml")

    removed = tlex.extract(plain, mend=True).repair

    assert "links" not in vars(plain)
    whole = plain.replace()  # without relations
    assert tlex.extract(whole, mend=True).repair == removed
    assert len(removed) == 2


@pytest.mark.parametrize("weight", ["1", "5"])
def test_a_weight_in_a_file_counts(weight):
    loop = [LINKS[3], LINKS[4]]
    data = write(loop, INSTANCES).replace(b'lid="l4"', f'lid="l4" weight="{weight}"'.encode())

    mended = tlex.extract(tlex.parse(data, format="timeml"), mend=True).mended

    assert mended == (("l4",) if weight == "1" else ("l5",))


@pytest.mark.parametrize("seed", range(6))
def test_lines_in_another_order_change_neither_the_order_nor_the_repair(seed):
    dice = Random(seed)  # noqa: S311 -- no secret
    links, instances = LINKS[:], INSTANCES[:]
    dice.shuffle(links)
    dice.shuffle(instances)
    document = tlex.parse(write(links, instances), format="timeml")

    removed = find_repair(tlex.extract(document)).removed

    assert name_in_order(document) == IN_ORDER
    assert sorted(removed) == ["l4", "l7"]


@given(graph=tangled_graphs(), data=st.data())
def test_shuffling_the_lines_of_any_graph_leaves_the_repair_as_it_was(graph, data):
    document = document_of(graph)
    rows = [
        {"id": link.id, "source": link.source, "type": link.type, "target": link.target}
        for link in document.links
    ]
    shuffled = data.draw(st.permutations(rows))

    one, other = (find_repair(tlex.extract(tlex.from_links(each))) for each in (rows, shuffled))

    assert sorted(one.removed) == sorted(other.removed)
    assert one.cost == other.cost


def test_nodes_without_a_place_stand_by_id_with_numbers_as_numbers():
    rows = [("e10", "BEFORE", "x"), ("e9", "BEFORE", "x"), ("e", "BEFORE", "x")]

    assert name_in_order(tlex.from_links(rows)) == ["l3", "l2", "l1"]


def test_the_first_of_two_links_that_contradict_each_other_stays():
    rows = [("b", "BEFORE", "a"), ("a", "BEFORE", "b")]

    assert find_repair(tlex.extract(tlex.from_links(rows))).removed == ("l1",)
    assert find_repair(tlex.extract(tlex.from_links(rows[::-1]))).removed == ("l2",)


def test_links_that_order_nothing_have_a_place_too():
    link = '<TLINK lid="{}" relType="{}" eventInstanceID="ei10" relatedToEventInstance="ei2"/>'
    links = link.format("l1", "VAGUE"), link.format("l2", "BEFORE")
    document = tlex.parse(TEXT.format(instances="".join(INSTANCES), links="\n".join(links)))

    assert document.relations is not None
    assert list(document.relations.numbers) == [1]
    assert rank_links(document, [0, 1]) == {1: 0, 0: 1}
