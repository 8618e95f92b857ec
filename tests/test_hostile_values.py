"""Values that no calendar has, and times that no document should have, are no error."""
# ruff: noqa: RUF001 -- digits that look like others, on purpose

from __future__ import annotations

import json
from itertools import product
from xml.sax.saxutils import quoteattr

import pytest
from calendar_documents import MOMENT, write
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

import tlex
from tlex.calendar import find_values
from tlex.checker.values import read_value
from tlex.timex import Bounds, Reason, find_bounds

YEARS = ("0000", "-0044", "BC0044", "9999999", "99999", "XXXX", "20l3", "２０１３", "٢٠١٣", "+2013")
DAYS = ("", "-99", "-99-99", "-02-30", "-W54", "-W00-8", "-Q5", "-H3", "-XX", "-ZZ")
CLOCKS = ("", "T25", "T24:01", "T12:60", "TXX", "T12:00+99:99", "T12:00:61Z", "TBR")
HOSTILE = (
    *("".join(pieces) for pieces in product(YEARS, DAYS, CLOCKS)),
    *("", " ", "\u00a0", "\u200b1998", "1998\u200b", "\u202e8991", "\U0001f4c5", "1998\U0001f4c5"),
    *("1998 03 12", "1998/03/12", "12-03-1998", "March 1998", "today", "None", "null", "NaN"),
    *("P", "PT", "P-1D", "P1", "PXX", "P" + "9" * 400 + "Y", "PT1H1H", "P1Y1Y", "-P1D", "P1.Y"),
    *("1998-03-12T", "T", "TT", "T09:30T", "1998T", "1998-", "-", "--", "1998--03", "1998-03-12-"),
    *("1998-03-12T09:30:15." + "9" * 4000, "1998-03-12T09:30:15.", "1998-03-12T09:30:15.1.1"),
    *("<b>1998</b>", "1998&amp;", "1998'\"", "${jndi:ldap}", "../../1998", "1998;drop", "%s%n"),
    *("9" * 100_000, "X" * 100_000, "1998-03-12 " * 5_000, "P" + "1Y" * 50_000, "-" * 100_000),
    *("P" + "1" * 100_000, "PT" + "1." * 50_000, "FY" * 50_000, "1998-W" + "1" * 100_000),
    *("9999-12-31T24:00", "0001-01-01T00:00+14:00", "9999-W52-WE", "FY0001-Q1", "0001-WI"),
    *("\x7f1998", "1998\u0000"[:4] + "\ufffd", "１９９８", "ⅯⅭⅯⅩⅭⅧ", "1998²", "①⑨⑨⑧"),
)  # fmt: skip
TYPES = ("DATE", "TIME", "DURATION", "SET", "", "date", "YEAR", "\U0001f4c5")
MODS = ("", "START", "BEFORE", "AFTER", "APPROX", "mid ", "\U0001f4c5", "X" * 10_000)


def test_there_are_many_hostile_values():
    assert len(set(HOSTILE)) >= 300


@pytest.mark.parametrize("mod", MODS)
def test_a_hostile_value_has_bounds_that_are_in_order_or_a_reason(mod):
    for value, kind in product(HOSTILE, TYPES):
        found = find_bounds(value, kind=kind, mod=mod)
        if isinstance(found, Bounds):
            places = found.earliest_start, found.latest_start, found.earliest_end, found.latest_end
            assert places[0] <= places[1]
            assert places[2] <= places[3]
            assert places[0] < places[3]
        else:
            assert isinstance(found, Reason)


def test_both_calendars_refuse_the_same_values():
    times = [(value, {}) for value in HOSTILE if value.isprintable()]
    document = write(times)

    found = find_values(document)

    assert len(found) == len(times)
    for timex, bounds in zip(document.timexes, found, strict=True):
        assert isinstance(bounds, Bounds) == (read_value(timex) is not None), timex


def test_a_document_of_hostile_values_is_extracted_and_proven():
    values = [value for value in HOSTILE if value.isprintable() and len(value) < 5_000]
    times = [(value, {"type": kind}) for kind in ("DATE", "DURATION") for value in values]
    times += [("1998-03-12", MOMENT), ("1999", {})]
    document = write(
        times, [("ei1", "AFTER", "t1"), ("ei1", "IBEFORE", f"t{len(times)}")], events=1
    )

    result = tlex.extract(document, calendar=True)

    assert result.consistent
    assert result.relation(f"t{len(times) - 1}", f"t{len(times)}").entailed.name == "before"
    assert not tlex.verify(document, result.to_json()).unchecked
    assert tlex.check(document, calendar=True).findings


TEXTS = st.text(max_size=30) | st.from_regex(
    r"\A(FY|BC|-)?[0-9X]{0,5}(-(W|Q|H)?[0-9X]{1,2}){0,2}"
    r"(T[0-9:X]{0,8}[.,]?[0-9]{0,9}(Z|[+-][0-9:]{2,5})?)?\Z"
)


@settings(max_examples=120)
@given(
    TEXTS,
    st.sampled_from(TYPES) | st.text(max_size=8),
    st.sampled_from(MODS) | st.text(max_size=8),
    TEXTS,
    TEXTS,
)
def test_any_text_may_be_a_value(value, kind, mod, begin, end):
    bounds = [find_bounds(text) for text in (begin, end)]
    known = [one if isinstance(one, Bounds) else None for one in bounds]

    found = find_bounds(value, kind=kind, mod=mod, begin=known[0], end=known[1])

    assert isinstance(found, Bounds | Reason)


@settings(max_examples=50)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(TYPES), TEXTS), min_size=1, max_size=8))
def test_documents_with_any_texts_as_values_are_proven(times):
    marks = "".join(
        f'<TIMEX3 tid="t{number}" type={quoteattr(_clean(kind))} value={quoteattr(_clean(value))} '
        f"mod={quoteattr(_clean(mod))}>x</TIMEX3> "
        for number, (value, kind, mod) in enumerate(times)
    )
    document = tlex.parse(f"<TimeML>{marks}</TimeML>")

    result = tlex.extract(document, calendar=True)

    assert result.consistent
    assert not tlex.verify(document, result).unchecked


def _clean(text: str) -> str:
    """Leave out what XML cannot say."""
    return "".join(letter for letter in text if letter.isprintable())


RING = {"type": "DURATION"}
ODD = {
    "two creation times": [("1998", MOMENT), ("1999", MOMENT), ("1997", {})],
    "two creation times of one day": [("1998-03-12", MOMENT), ("1998-03-12", MOMENT)],
    "no creation time": [("1998", {}), ("1999", {})],
    "no time": [],
    "a creation time without value": [("", MOMENT), ("1999", {}), ("1998", {})],
    "a vague creation time": [("PRESENT_REF", MOMENT), ("1999", {}), ("1998", {})],
    "a creation time that is a duration": [("P1D", {**MOMENT, **RING}), ("1998", {})],
    "a duration of itself": [("P1D", {**RING, "beginPoint": "t1", "endPoint": "t1"}), ("1998", {})],
    "a ring of durations": [
        ("P1D", {**RING, "beginPoint": "t2", "endPoint": "t3"}),
        ("P1D", {**RING, "beginPoint": "t3", "endPoint": "t1"}),
        ("P1D", {**RING, "beginPoint": "t1", "endPoint": "t2"}),
        ("1998", {}),
    ],
    "a chain of durations": [
        *(
            ("P1D", {**RING, "beginPoint": f"t{number}", "endPoint": f"t{number + 1}"})
            for number in range(2, 1_000)
        ),
        ("1998", {}),
    ],
    "a duration backwards": [
        ("2013", {}),
        ("2007", {}),
        ("P1D", {**RING, "beginPoint": "t1", "endPoint": "t2"}),
    ],
    "a duration from nowhere": [
        ("1998", {}),
        ("P1D", {**RING, "beginPoint": "nowhere", "endPoint": "t1"}),
        ("P1D", {**RING, "beginPoint": "ei1", "endPoint": "t1"}),
        ("P1D", {**RING, "beginPoint": "", "endPoint": ""}),
    ],
    "a function that nobody knows": [("1998", {"functionInDocument": "\U0001f4c5"}), ("1999", {})],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_times_are_no_error(name):
    document = write(ODD[name], [("ei1", "BEFORE", "t1")] if ODD[name] else (), events=1)

    for times in ("interval", "point"):
        result = tlex.extract(document, calendar=True, times=times)
        assert result.consistent
        unchecked = tlex.verify(document, result.to_json()).unchecked
        assert all("scenarios" in claim for claim in unchecked)
        tlex.check(result)
        assert tlex.draw.svg(result)


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory):
    values = [*[value for value in HOSTILE if value.isprintable()][:320], "9" * 1_000_000]
    marks = "".join(
        f'<TIMEX3 tid="t{number}" type="{"DATE" if number % 2 else "TIME"}" '
        f"value={quoteattr(value)}>time</TIMEX3>\n"
        for number, value in enumerate([*values, "1998-03-12", "1999"])
    )
    path = tmp_path_factory.mktemp("hostile") / "hostile.tml"
    path.write_text(f"<TimeML>\n{marks}</TimeML>\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("extract", "--calendar", "--verify"),
        ("extract", "--calendar", "--json"),
        ("check", "--calendar"),
        ("check", "--calendar", "--json"),
        ("fix", "--calendar", "--json"),
        ("relation", "t321", "t322", "--calendar"),
        ("why", "t321", "t322", "--calendar"),
        ("closure", "--calendar", "--json"),
        ("reduce", "--calendar"),
        ("events",),
        ("draw",),
        ("convert", "--to", "timeml", "--calendar"),
        ("convert", "--to", "csv", "--table", "nodes", "--calendar"),
    ],
    ids=" ".join,
)
def test_no_command_fails_on_hostile_values(hostile_file, words):
    command, *more = words

    done = run(command, hostile_file, *more)

    assert done.returncode in {0, 1}, done.stderr[-2000:]
    assert b"Traceback" not in done.stderr
    if "--json" in words:
        assert json.loads(done.stdout.splitlines()[0])
