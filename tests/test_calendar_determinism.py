"""The calendar gives the same answer whatever the hash seed, the order of lines, or the reader."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys

import pytest
from calendar_documents import lists_of_times
from hypothesis import given
from hypothesis import strategies as st

import tlex

DATED = """<TimeML>
<TIMEX3 tid="t0" type="DATE" value="1998-03-12" functionInDocument="CREATION_TIME">Thursday</TIMEX3>
<EVENT eid="e1" class="OCCURRENCE">fell</EVENT>
<TIMEX3 tid="t1" type="DATE" value="1998-03-12">12 March</TIMEX3>
<TIMEX3 tid="t2" type="DATE" value="1998-W12">that week</TIMEX3>
<EVENT eid="e2" class="OCCURRENCE">rose</EVENT>
<TIMEX3 tid="t3" type="DATE" value="1998-Q1">the quarter</TIMEX3>
<TIMEX3 tid="t4" type="TIME" value="1998-03-12TMO">the morning</TIMEX3>
<TIMEX3 tid="t5" type="TIME" value="1998-03-12TNI">the night</TIMEX3>
<TIMEX3 tid="t6" type="TIME" value="1998-03-12T09:30Z">half past nine</TIMEX3>
<TIMEX3 tid="t7" type="TIME" value="1998-03-12T10:30+01:00">the same</TIMEX3>
<TIMEX3 tid="t8" type="DATE" value="1998-03-11">the day before</TIMEX3>
<MAKEINSTANCE eiid="ei1" eventID="e1"/>
<MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t1"/>
<TLINK lid="l2" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t2"/>
<TLINK lid="l3" eventInstanceID="ei2" relType="AFTER" relatedToTime="t2"/>
<TLINK lid="l4" timeID="t8" relType="IBEFORE" relatedToTime="t1"/>
</TimeML>
"""

AGREEING = DATED.replace(
    'relType="IS_INCLUDED" relatedToTime="t2"', 'relType="BEFORE" relatedToTime="t2"'
)

ANSWER = """
import sys, tlex
for path in sys.argv[1:]:
    document = tlex.read(path)
    for mend in (False, True):
        result = tlex.extract(document, calendar=True, mend=mend)
        print(result.to_json().decode())
        print(result.answer(closure=result.closure(), reduction=result.reduction()).to_json())
    print(tlex.fix(document, calendar=True).to_json())
    print(tlex.check(document, calendar=True).to_json())
"""


def answer(seed: int, *paths) -> bytes:
    """Ask about documents in a process of its own, with a hash seed of its own."""
    done = subprocess.run(  # noqa: S603 -- our own Python and our own script
        [sys.executable, "-c", ANSWER, *map(str, paths)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
    )
    return done.stdout


def test_the_hash_seed_changes_no_byte(tmp_path):
    path = tmp_path / "dated.tml"
    path.write_text(DATED, encoding="utf-8")

    assert answer(0, path) == answer(1, path) == answer(2, path)


@pytest.mark.corpus
def test_the_hash_seed_changes_no_byte_of_news(corpora):
    paths = sorted((corpora / "timebank-1.2").glob("wsj_0[15]*.tml"))[:25]

    assert answer(0, *paths) == answer(1, *paths) == answer(2, *paths)


def shuffle_tail(text: str, seed: int) -> str:
    """Put the MAKEINSTANCE and link elements of a file into another order."""
    tail = re.compile(r"<(?:MAKEINSTANCE|TLINK|SLINK|ALINK)\b[^>]*/>")
    found = tail.findall(text)
    random.Random(seed).shuffle(found)  # noqa: S311 -- an order, no secret
    head, _, end = tail.sub("", text).rpartition("</TimeML>")
    return f"{head}{''.join(found)}</TimeML>{end}"


def tell(document: tlex.Document) -> tuple:
    """What the calendar says of a document, whatever the order of its lines."""
    result = tlex.extract(document, calendar=True)
    return (
        set(result.calendar),
        {node.id: (node.date, node.factuality) for node in result.nodes},
        result.consistent,
        result.calendar_complete,
        {frozenset(timeline.intervals) for timeline in result.timelines},
    )


@pytest.mark.corpus
def test_shuffled_instances_and_links_give_the_same_links_and_dates(timebank):
    for number, document in enumerate(timebank.values()):
        text = document.source.data.decode(document.source.encoding)
        shuffled = tlex.parse(shuffle_tail(text, number), name=document.name)
        assert len(shuffled.links) == len(document.links)
        if set(shuffled.index) == set(document.index):
            assert tell(shuffled)[1:] == tell(document)[1:]
            if shuffled.index == document.index:
                assert tell(shuffled) == tell(document)


MARKS = [line for line in AGREEING.splitlines() if line.startswith(("<TIMEX3", "<EVENT"))]
TAIL = [line for line in AGREEING.splitlines() if line.startswith(("<MAKE", "<TLINK"))]


@given(st.permutations(MARKS), st.permutations(TAIL))
def test_shuffled_times_give_the_same_dates(marks, tail):
    shuffled = tlex.parse("\n".join(("<TimeML>", *marks, *tail, "</TimeML>")))

    one, other = tell(tlex.parse(AGREEING)), tell(shuffled)

    assert one[1:] == other[1:]


def test_a_document_whose_nouns_are_made_has_the_same_calendar(timebank):
    for document in timebank.values():
        late = tlex.parse(document.source.data, name=document.name)
        made = late.replace(name=document.name)
        assert made.relations is None

        one, other = (tlex.extract(own, calendar=True) for own in (late, made))

        assert one.components.component_of == other.components.component_of
        assert one.document.links == other.document.links
        assert one.document == other.document
        assert one.to_json() == other.to_json()


@given(lists_of_times())
def test_shuffling_the_attributes_changes_nothing(times):
    def write(turn):
        marks = []
        for number, (value, about) in enumerate(times, 1):
            words = [f'tid="t{number}"', 'type="DATE"', f'value="{value}"']
            words = [word for word in words if word.split("=")[0] not in about]
            words += [f'{name}="{word}"' for name, word in about.items()]
            marks.append(f"<TIMEX3 {' '.join(words[::turn])}>x</TIMEX3>")
        return tlex.extract(tlex.parse(f"<TimeML>{' '.join(marks)}</TimeML>"), calendar=True)

    assert write(1).calendar == write(-1).calendar
