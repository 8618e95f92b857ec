"""The checker's calendar: it agrees with the one it judges, and rejects what values do not say."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from calendar_documents import DURATION, MOMENT, TIMES, close, judge, lists_of_times, write
from hypothesis import given, settings
from hypothesis import strategies as st

import tlex
from tlex.algebra import CALENDAR, compile_row
from tlex.checker import calendar as checker
from tlex.checker.values import Span, read_value, write_place
from tlex.nouns import Timex
from tlex.timex import OPEN, Bounds, find_bounds, write_instant

MICROSECOND = timedelta(microseconds=1)


def read(value, **about) -> Span | None:
    return read_value(Timex("t1", {"value": value, **about}, -1, None, -1, -1))


def agree(bounds, span) -> bool:
    """Whether two readings of a value are the same."""
    if not isinstance(bounds, Bounds) or span is None:
        return not isinstance(bounds, Bounds) and span is None
    places = bounds.earliest_start, bounds.latest_start, bounds.earliest_end, bounds.latest_end
    for place, (instant, what) in zip(places, span[:4], strict=True):
        if abs(place) < OPEN - 4:
            if place != 4 * (instant // MICROSECOND) + what:
                return False
            if what >= 0 and write_instant(place) != write_place((instant, what)):
                return False
        elif abs(instant) < timedelta(8_000_000) or (place > 0) != (instant > timedelta(0)):
            return False
    return (bounds.exact, bounds.zoned, bounds.part) == (span.exact, span.zoned, span.part)


SEEDS = (
    *("1998", "199", "19", "1", "0000", "00", "1998-03", "1998-13", "1998-00", "1998-03-12"),
    *("2013-02-29", "2012-02-29", "1998-W12", "1998-W53", "2015-W53", "1998-W00", "1998-W12-3"),
    *("9999-W52", "9999-W52-7", "9999-W52-WE", "9999", "9999-12-31", "9999-12", "999", "99"),
    *("FY1998", "FY0000", "FY1998-Q3", "FY1998-03", "FY1998-W12", "1998-Q1", "1998-H2", "0001-Q1"),
    *("0001-SU", "0001", "9999-Q4", "9999-FA", "199-SU", "1998-W12-WE", "1998-03-12TMO"),
    *("1998-03-12TNI", "1998-W12-3TEV", "1998-03-12TDT", "1998-03-12T09:30", "1998-03-12T24:00"),
    *("1998-03-12T24", "1998-03-12T24:01", "1998-03-12T24:00:00.00000001", "1998-03-12T09"),
    *("1998-03-12T09:30:15", "1998-03-12T09:30:60", "1998-03-12T09:30:15,1234567"),
    *("1998-03-12T09:30Z", "1998-03-12T09:30+02:00", "1998-03-12T09:30-0530", "1998-03-12T09+14"),
    *("1998-03-12T09+15:00", "1998-03-12T09+14:01", "1998-03-12T09+14:", "T09:30", "TMO", "199X"),
    *("XXXX-03-12", "PRESENT_REF", "MA3.5", "-0044", "BC0044", "P3D", "PT2H", "P", "PXD", "PT2NI"),
    *("9999999-99-99", "9999-12-31T24:00", "9999-12-31TNI", "1998-03-12T", "0001-01-01T00:00+14"),
)
MODS = ("", "NONE", "START", "MID", "END", "EARLY", "LATE", "BEFORE", "AFTER", "ON_OR_AFTER")


@st.composite
def values(draw):
    """Values that are, or nearly are, in the grammar."""
    value = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(value)))
        letter = draw(st.sampled_from("0123456789X-TWQHFYPMS:+Z.,NIEBCASPU \u0663"))
        value = value[:place] + letter * draw(st.integers(0, 1)) + value[place + 1 :]
    return value


@given(
    values(),
    st.sampled_from(("DATE", "TIME", "DURATION", "SET", "", " date")),
    st.sampled_from((*MODS, "APPROX", "start ")),
    st.tuples(values(), values()),
)
def test_two_calendars_read_every_value_in_the_same_way(value, kind, mod, ends):
    bounds = [find_bounds(end) for end in ends]
    known = [bound if isinstance(bound, Bounds) else None for bound in bounds]
    time = Timex("t1", {"value": value, "type": kind, "mod": mod}, -1, None, -1, -1)

    found = find_bounds(value, kind=kind, mod=mod, begin=known[0], end=known[1])
    span = read_value(time, *(read(end, type="DATE") for end in ends))

    assert agree(found, span), (found, span)


@pytest.mark.parametrize("value", SEEDS)
def test_two_calendars_read_these_values_in_the_same_way(value):
    assert agree(find_bounds(value), read(value))


def prove(document, **options):
    """Verify an extraction, live and saved, and answers about all pairs."""
    result = tlex.extract(document, calendar=True, **options)
    verdicts = [tlex.verify(document, result), tlex.verify(document, result.to_json())]
    answers = [{"closure": result.closure()}, {"reduction": result.reduction()}]
    names = [node.id for node in document.nodes]
    answers += [{"why": result.why(*pair)} for pair in pairwise(names)]
    verdicts += [tlex.verify(document, result.answer(**one).to_json()) for one in answers]
    return result, [claim for verdict in verdicts for claim in verdict.unchecked]


LABELS = ("BEFORE", "IS_INCLUDED", "IBEFORE", "IAFTER", "SIMULTANEOUS", "OVERLAP", "MODAL")
LINKS = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from(LABELS), st.integers(0, 8)), max_size=6
)
OPTIONS = st.sampled_from(({}, {"mend": True}, {"times": "point"}, {"links": ["ALINK"]}))


@settings(max_examples=60)
@given(lists_of_times(most=5), LINKS, OPTIONS)
def test_every_result_with_the_calendar_is_proven(times, links, options):
    names = [f"t{number + 1}" for number in range(len(times))] + ["ei1", "ei2", "ei3"]
    ends = [
        (names[one % len(names)], label, names[other % len(names)], _kind_of(label))
        for one, label, other in links
    ]
    document = write(times, [own for own in ends if own[3] == "TLINK" or own[0] != own[2]], 3)

    result, unchecked = prove(document, **options)

    assert not [claim for claim in unchecked if "scenarios" not in claim]
    assert result.calendar_complete


def _kind_of(label: str) -> str:
    return "SLINK" if label == "MODAL" else "TLINK"


@settings(max_examples=60)
@given(st.lists(TIMES, min_size=2, max_size=5))
def test_fewer_links_are_proven_only_if_they_entail_all_that_is_certain(times):
    document = write(times)
    saved = json.loads(tlex.extract(document, calendar=True).to_json())
    for number in range(len(saved["calendar"])):
        fewer = saved["calendar"][:number] + saved["calendar"][number + 1 :]
        below = {(2 * time, 2 * time + 1): "<" for time in range(len(times))}
        for link in fewer:
            ends = [2 * (int(link[end][1:]) - 1) for end in ("source", "target")]
            points = ends[0], ends[0] + 1, ends[1], ends[1] + 1
            for left, strict, right in compile_row(CALENDAR[link["type"]][1]):
                below[points[left], points[right]] = "<" if strict else "="

        try:
            tlex.verify(document, json.dumps({**saved, "calendar": fewer}))
        except tlex.VerificationError:
            assert close(below, 2 * len(times)) != judge(times)
        else:
            assert close(below, 2 * len(times)) == judge(times)


DOCUMENT = write(
    [
        *(("1998-03-12", MOMENT), ("1998-03-11", {}), ("1998-Q1", {}), ("1998-03-11TMO", {})),
        *(("1998-03-11TNI", {}), ("1999", {}), ("1999-02", {}), ("1998", {"mod": "BEFORE"})),
    ],
    [("ei1", "IS_INCLUDED", "t2"), ("ei2", "AFTER", "t6"), ("ei2", "MODAL", "ei3", "SLINK")],
    events=3,
)
SAVED = json.loads(tlex.extract(DOCUMENT, calendar=True).to_json())


def change(place, **fields):
    """The saved result with other fields in one of the calendar's links."""
    links = [dict(link) for link in SAVED["calendar"]]
    links[place] |= fields
    return json.dumps({**SAVED, "calendar": links})


@pytest.mark.parametrize("type_", sorted(checker._WORDS))  # noqa: SLF001 -- all that there are
def test_a_link_of_another_type_is_rejected(type_):
    for place, link in enumerate(SAVED["calendar"]):
        if link["type"] != type_:
            with pytest.raises(tlex.VerificationError, match="the values do not say"):
                tlex.verify(DOCUMENT, change(place, type=type_))


def test_a_link_between_other_ends_or_with_other_words_is_rejected():
    for place, link in enumerate(SAVED["calendar"]):
        ends = {"source": link["target"], "target": link["source"]}
        for fields in (
            ends,
            {**ends, "id": f"calendar:{ends['source']}:{ends['target']}"},
            {"id": "l1"},
            {"id": link["id"] + "'"},
            {"target": "ei1"},
            {"target": link["source"]},
            {"words": link["words"] + " "},
            {"words": link["words"].replace("1", "2")},
        ):
            with pytest.raises(tlex.VerificationError):
                tlex.verify(DOCUMENT, change(place, **fields))


def test_links_out_of_order_or_listed_twice_are_rejected():
    links = SAVED["calendar"]
    for wrong in (links[::-1], [*links, links[-1]], [*links, links[0]]):
        with pytest.raises(tlex.VerificationError, match="not in order"):
            tlex.verify(DOCUMENT, json.dumps({**SAVED, "calendar": wrong}))


def test_dates_and_worlds_are_proven():
    for number, node in enumerate(SAVED["nodes"]):
        for field, wrong in (
            ("date", {"after": "1990-01-01", "before": None}),
            ("date", None if node["date"] else {"after": None, "before": "2000-01-01"}),
            ("world", node["world"] + 1),
        ):
            nodes = [dict(own) for own in SAVED["nodes"]]
            nodes[number][field] = wrong
            with pytest.raises(tlex.VerificationError, match=f"the {field} is"):
                tlex.verify(DOCUMENT, json.dumps({**SAVED, "nodes": nodes}))


def test_a_result_that_hides_its_calendar_is_refused():
    hidden = {name: value for name, value in SAVED.items() if name != "calendar"}

    with pytest.raises(tlex.OptionError, match="does not list"):
        tlex.verify(DOCUMENT, json.dumps(hidden))
    options = {**SAVED["options"], "calendar": False}
    with pytest.raises(tlex.VerificationError, match="without the calendar"):
        tlex.verify(DOCUMENT, json.dumps({**SAVED, "options": options}))
    with pytest.raises(tlex.VerificationError, match="no links entail"):
        tlex.verify(DOCUMENT, json.dumps({**SAVED, "calendar": []}))


def test_a_list_that_is_not_complete_still_has_the_order_of_exact_values(monkeypatch):
    monkeypatch.setattr("tlex.calendar.LIMIT", 100)
    times = [("1990-Q1", {})] * 50 + [("1998-Q1", {})] * 50 + [("2009", {}), ("2013-03-22", {})]
    document = write(times)
    result = tlex.extract(document, calendar=True)
    record = json.loads(result.to_json())

    assert any("not complete" in claim for claim in tlex.verify(document, result).unchecked)
    fewer = [link for link in record["calendar"] if link["source"] != "t101"]
    with pytest.raises(tlex.VerificationError, match="no links entail"):
        tlex.verify(document, json.dumps({**record, "calendar": fewer}))
    with pytest.raises(tlex.VerificationError, match="no links entail"):
        tlex.verify(document, json.dumps({**record, "calendar_complete": True}))


def test_what_is_beyond_the_limit_is_named(monkeypatch):
    monkeypatch.setattr(checker, "WORK_LIMIT", 2)

    claims = tlex.verify(DOCUMENT, json.dumps(SAVED)).unchecked

    assert claims == ("whether the values say more, beyond 2 orders of two",)


WRONG_YEAR = write(
    [("1989-09", {}), ("1989-10", {}), ("1998-Q4", {}), ("1989", {})],
    [("t3", "BEFORE", "ei1"), ("ei1", "BEFORE", "t1")],
    events=1,
)


def test_values_that_may_be_wrong_and_proposals_are_proven():
    saved = json.loads(tlex.fix(WRONG_YEAR, calendar=True).to_json())
    (decision,) = saved["decisions"]
    assert tlex.verify(WRONG_YEAR, json.dumps(saved)).result == "fix"
    values, proposals = decision["values"], decision["proposals"]
    assert {value["id"] for value in values} == {"t1", "t3"}

    wrong = [{"values": values[:1]}, {"values": values[::-1]}, {"values": []}]
    wrong += [
        {"values": [{**values[0], field: new}, *values[1:]]}
        for field, new in (
            ("value", "1990"),
            ("line", 9),
            ("column", 8),
            ("text", "x"),
            ("id", "t2"),
        )
    ]
    new = {**proposals[0], "id": "t3", "old": "1998-Q4", "field": "year", "source": "t4"}
    wrong += [
        {"proposals": [{**new, **change}]}
        for change in (
            {"new": "1997-Q4"},
            {"new": "1998-Q4", "source": "t3"},
            {"new": "1989-Q4", "id": "t2"},
            {"new": "1989-Q4", "field": "day"},
            {"new": "1989-Q4", "source": "ei1"},
            {"new": "1989-Q4", "old": "1998"},
        )
    ]
    for changed in wrong:
        decisions = [{**decision, **changed}]
        with pytest.raises(tlex.VerificationError, match="decision 1"):
            tlex.verify(WRONG_YEAR, json.dumps({**saved, "decisions": decisions}))


def test_a_duration_of_another_type_is_no_reason_for_a_wrong_proposal():
    ends = {"type": "DATE", "beginPoint": "t1", "endPoint": "t2"}
    times = [("1987", {}), ("2007-10-19", {}), ("P20Y", ends), ("2007-10-20", {})]
    document = write(times, [("t4", "SIMULTANEOUS", "t3")])

    fix = tlex.fix(document, calendar=True)

    assert {value.id for value in fix.decisions[0].values} == {"t1", "t2", "t3", "t4"}
    assert tlex.verify(document, fix.to_json()).result == "fix"


CONDITIONS = st.dictionaries(
    st.sampled_from(("before", "after", "during", "unordered")),
    st.sampled_from(("t1", "t2", "ei1", "ei2", "1998", "1998-03-12", "1998-Q1", "1998-03-12T09Z")),
    max_size=2,
)


@settings(max_examples=80)
@given(lists_of_times(most=4), LINKS, CONDITIONS, OPTIONS)
def test_every_list_of_events_is_proven(times, links, conditions, options):
    names = [f"t{number + 1}" for number in range(len(times))] + ["ei1", "ei2", "ei3"]
    ends = [
        (names[one % len(names)], label, names[other % len(names)], _kind_of(label))
        for one, label, other in links
    ]
    document = write(times, [own for own in ends if own[0] != own[2]], 3)
    result = tlex.extract(document, calendar=True, **options)

    events = result.events(**conditions)
    verdict = tlex.verify(document, result.answer(events=events).to_json())

    assert verdict.result == "events"
    assert not verdict.unchecked


def test_a_list_of_events_with_another_event_is_rejected():
    result = tlex.extract(DOCUMENT, calendar=True)
    saved = json.loads(result.answer(events=result.events(before="1999")).to_json())
    events = saved["events"]
    assert [event["id"] for event in events["certain"]] == ["ei1"]

    for changed in (
        {"certain": [], "possible": events["certain"]},
        {"certain": []},
        {"certain": [*events["certain"], *events["unrelated"]], "unrelated": []},
        {"certain": [{**events["certain"][0], "order": "after"}]},
        {"certain": [{**events["certain"][0], "date": None}]},
        {"certain": [{**events["certain"][0], "sentence": "[event1]"}]},
        {"conditions": [{**events["conditions"][0], "asked": "1997"}]},
    ):
        with pytest.raises(tlex.VerificationError):
            tlex.verify(DOCUMENT, json.dumps({**saved, "events": {**events, **changed}}))


def test_a_repeated_id_has_the_value_of_the_first():
    marks = "".join(
        f'<TIMEX3 tid="{name}" type="DATE" value="{value}">x</TIMEX3> '
        for name, value in (("t1", "PAST_REF"), ("t1", "1998"), ("t2", "1999"), ("ei1", "1997"))
    )
    document = tlex.parse(
        f'<TimeML><EVENT eid="e1">y</EVENT><MAKEINSTANCE eiid="ei1" eventID="e1"/>{marks}</TimeML>'
    )

    result, unchecked = prove(document)

    assert not unchecked
    assert result.calendar == ()


def test_a_duration_needs_both_ends():
    document = write([("1998", {}), ("2000", {}), DURATION, ("P1Y", {**DURATION[1], "mod": "END"})])

    result, unchecked = prove(document)

    assert not unchecked
    assert len(result.calendar) >= 3


def test_both_corpora_are_proven(timebank, meantime):
    for document in (*timebank.values(), *meantime.values()):
        result = tlex.extract(document, calendar=True)
        unchecked = tlex.verify(document, result.to_json()).unchecked
        assert all("scenarios" in claim for claim in unchecked), (Path(document.name), unchecked)
