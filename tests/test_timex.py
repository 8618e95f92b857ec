"""TIMEX3 values: what the guidelines show is in the grammar, and the calendar agrees on it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from itertools import product

import pytest
from calendar_judge import LAST, span_of
from hypothesis import given
from hypothesis import strategies as st

from tlex.timex import (
    FORMS,
    FORMS_OF_TYPE,
    OPEN,
    Bounds,
    Reason,
    find_bounds,
    find_moment,
    is_frequency,
    is_value,
    loosen,
    write_instant,
)

DATES = """
1998-08-14 1998-08 1998 199 19 1 19XX 199X XXXX XXXX-10-31 XXXX-XX-XX 1998-XX 1998-12-XX 1998-1X
1998-W33 1998-WXX 1998-W33-6 1998-WXX-WE 1998-W53 XXXX-WXX-5 1998-W33-X
1999-SU 1999-SP 1999-FA 1999-WI XXXX-SU 1998-Q3 1998-QX 1998-H1 1998-HX FY1998 FY1998-Q3
BC0346 BC346 BC3XX -0346 KA10 MA3.5 GA2 2000-02-29 PAST_REF PRESENT_REF FUTURE_REF
""".split()  # noqa: SIM905 -- read as a list of examples
TIMES = """
T09:30 T24:00 TNI TMO TAF TEV TDT TMI 1998-08-14T09:30 1998-08-14T09:30:15
1998-08-14T09:30:15Z 1998-08-14T09:30:15.25 1998-08-14T09:30+01:00 1998-08-14T09:30-05 1998-08-14T09
1998-08-14TNI XXXX-XX-XXT09:00 XXXX-WXX-1TNI 1998-W33-5T10:00 TXX:30 PRESENT_REF PAST_REF
""".split()  # noqa: SIM905 -- read as a list of examples
DURATIONS = """
P3D P2M P1Y P1Y2M P1Y2M3D P2W PT5H PT5M PT5M30S P1DT12H PXY PXM PXXD P0.5D P2.5Y P1,5Y PTXH P100Y
P1DE P1CE P1ML P1E P1C P1L P2Q P2WE PXQ P1FY P2SU PT1NI PT2MO P6M P90D
""".split()  # noqa: SIM905 -- read as a list of examples

EXAMPLES = {
    "year": "199X",
    "part of year": "1998-Q3",
    "month": "1998-08",
    "day": "1998-08-14",
    "week": "1998-W33",
    "day of week": "1998-W33-5",
    "weekend": "1998-W33-WE",
    "years ago": "MA3.5",
    "reference": "PRESENT_REF",
    "time of day": "1998-08-14T09:30",
    "part of day": "TNI",
    "period": "P1DT12H",
    "units": "P2WE",
    "parts of day": "PT2NI",
}


def test_every_form_has_an_example_and_belongs_to_a_type():
    used = {form for forms in FORMS_OF_TYPE.values() for form in forms}

    assert list(EXAMPLES) == list(FORMS)
    assert used == set(FORMS)


@pytest.mark.parametrize("form", EXAMPLES)
def test_an_example_has_its_own_form_and_no_other(form):
    value = EXAMPLES[form]

    assert [name for name, pattern in FORMS.items() if re.fullmatch(pattern, value)] == [form]


@pytest.mark.parametrize("value", DATES)
def test_a_date(value):
    assert is_value("DATE", value)
    assert is_value("SET", value)
    assert not is_value("DURATION", value)


@pytest.mark.parametrize("value", TIMES)
def test_a_time(value):
    assert is_value("TIME", value)
    assert is_value("SET", value)
    assert not is_value("DURATION", value)
    assert is_value("DATE", value) == value.endswith("_REF")


@pytest.mark.parametrize("value", DURATIONS)
def test_a_duration(value):
    assert is_value("DURATION", value)
    assert is_value("SET", value)
    assert not is_value("DATE", value)
    assert not is_value("TIME", value)


@pytest.mark.parametrize(
    "value",
    """
    1998-13 1998-00 1998-08-32 1998-02-30 1999-02-29 1998-8-4 98-08-14-01 14/08/1998 1998/08/14
    1998-W54 1998-W00 1998-W33-8 1998-Q5 1998-Q0 1998-H3 1998-XYZ 19980814 12345 PRESENT present_ref
    1998- --1998 1998-08-14- august 1998-08-14TXY FY98 P P3 PT P3H 1998-AU
    """.split(),  # noqa: SIM905
)
def test_what_is_no_date(value):
    assert not is_value("DATE", value)


@pytest.mark.parametrize(
    "value",
    ["T25:00", "T9:30", "T09:60", "T09:3", "09:30", "T", "1998T09:00", "1998-08T09:00", "TXY"],
)
def test_what_is_no_time(value):
    assert not is_value("TIME", value)


@pytest.mark.parametrize(
    "value",
    ["P", "PT", "3D", "P3", "PD", "P1D2M", "P5H", "PT5D", "P1YT", "P-1D", "P1.D", "p3d", "P3DAYS"],
)
def test_what_is_no_duration(value):
    assert not is_value("DURATION", value)


@pytest.mark.parametrize(
    "value", ["2X", "3D", "1W", "7D", "3Y", "1", "XD", "2WE", "1H", "PT2H", "2M"]
)
def test_a_frequency(value):
    assert is_frequency(value)


@pytest.mark.parametrize("value", ["often", "D", "", "1 W", "2x", "daily", "1WW"])
def test_what_is_no_frequency(value):
    assert not is_frequency(value)


@pytest.mark.parametrize("value", ["1998\n", " 1998", "1998 ", "\uff11\uff19\uff19\uff18"])
def test_blanks_and_foreign_digits_are_not_in_the_grammar(value):
    assert not is_value("DATE", value)


def test_long_values_are_judged_quickly():
    for value in ("P" + "1" * 100_000, "9" * 100_000 + "-", "P" + "X" * 100_000 + "Z"):
        assert not is_value("SET", value)


YEARS = st.integers(0, 9999).map("{:04}".format)
DAYS = st.one_of(
    st.dates().map("{:%Y-%m-%d}".format).map(lambda day: day.zfill(10)),
    st.builds("{}-{:02}-{:02}".format, YEARS, st.integers(1, 12), st.integers(1, 31)),
    st.builds("{}-W{:02}-{}".format, YEARS, st.integers(1, 53), st.integers(1, 7)),
)
CLOCKS = st.builds("T{:02}:{:02}:{:02}".format, *(st.integers(0, most) for most in (24, 59, 59)))
EXACT = st.one_of(
    st.builds(str.__getitem__, YEARS, st.integers(2, 4).map(slice)),
    st.builds("{}-{:02}".format, YEARS, st.integers(1, 12)),
    st.builds("{}-W{:02}".format, YEARS, st.integers(1, 53)),
    DAYS,
    st.builds(
        lambda day, clock, end: f"{day}{clock[:end]}", DAYS, CLOCKS, st.sampled_from((3, 6, 9))
    ),
)


def instant_of(place):
    """The instant of a place; the standard library's last one for the end of year 9999."""
    try:
        return datetime.min + timedelta(  # noqa: DTZ901 -- no zones here
            microseconds=place // 4
        )
    except OverflowError:
        return LAST


def edges_of(bounds):
    """The four bounds, as places."""
    return (
        bounds.earliest_start,
        bounds.latest_start,
        bounds.earliest_end,
        bounds.latest_end,
    )


def show(value, **about):
    """The four bounds, as written instants."""
    return [write_instant(place) for place in edges_of(find_bounds(value, **about))]


@given(EXACT)
def test_exact_values_agree_with_the_standard_library(value):
    bounds, span = find_bounds(value), span_of(value)

    if span is None:
        assert isinstance(bounds, Reason)
    else:
        assert bounds.exact
        assert bounds.earliest_start == bounds.latest_start
        assert bounds.earliest_end == bounds.latest_end
        assert (instant_of(bounds.earliest_start), instant_of(bounds.latest_end)) == span


@pytest.mark.parametrize("year", [1, 4, 100, 400, 1900, 2000, 2023, 2024, 9996, 9999])
def test_every_month_of_a_year_is_that_of_the_standard_library(year):
    for value in (f"{year:04}", *(f"{year:04}-{month:02}" for month in range(1, 13))):
        bounds = find_bounds(value)

        assert (instant_of(bounds.earliest_start), instant_of(bounds.latest_end)) == span_of(value)


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("0001", "0001-01-01", "0002-01-01"),
        ("9999", "9999-01-01", "10000-01-01"),
        ("199", "1990-01-01", "2000-01-01"),
        ("19", "1900-01-01", "2000-01-01"),
        ("1900-02", "1900-02-01", "1900-03-01"),
        ("2000-02-29", "2000-02-29", "2000-03-01"),
        ("1998-W53", "1998-12-28", "1999-01-04"),
        ("1998-W12", "1998-03-16", "1998-03-23"),
        ("1998-W12-1", "1998-03-16", "1998-03-17"),
        ("1998-03-12T24:00", "1998-03-13", "1998-03-13T00:01"),
        ("1998-03-12T09", "1998-03-12T09:00", "1998-03-12T10:00"),
        ("1998-03-12T09:30:15.25", "1998-03-12T09:30:15.25", "1998-03-12T09:30:15.26"),
        ("1998-03-12T09:30Z", "1998-03-12T09:30", "1998-03-12T09:31"),
        ("1998-03-12T09:30-05:30", "1998-03-12T15:00", "1998-03-12T15:01"),
        (" 1998 ", "1998-01-01", "1999-01-01"),
    ],
)
def test_an_exact_value(value, start, end):
    assert show(value) == [start, start, end, end]


@pytest.mark.parametrize(
    ("value", "edges"),
    [
        ("1998-Q3", ["1997-07-01", "1999-07-01", "1997-10-01", "1999-10-01"]),
        ("FY1998-Q3", ["1997-07-01", "1999-07-01", "1997-10-01", "1999-10-01"]),
        ("1998-H2", ["1997-07-01", "1999-07-01", "1998-01-01", "2000-01-01"]),
        ("FY1998", ["1997-01-01", "1999-01-01", "1998-01-01", "2000-01-01"]),
    ],
)
def test_fiscal_years_shift_by_a_year_either_way(value, edges):
    assert show(value) == edges


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("1998-SU", "1997-10-01", "1999-04-01"),
        ("1998-03-12TNI", "1998-03-12", "1998-03-13T06:00"),
        ("1998-W12-4TMI", "1998-03-19", "1998-03-20T06:00"),
        ("1998-W12-WE", "1998-03-20", "1998-03-24"),
    ],
)
def test_a_loose_value_starts_and_ends_within_limits(value, first, last):
    bounds = find_bounds(value)

    assert not bounds.exact
    assert (write_instant(bounds.earliest_start), write_instant(bounds.latest_end)) == (first, last)
    assert bounds.earliest_start < bounds.earliest_end
    assert bounds.latest_start < bounds.latest_end


@pytest.mark.parametrize("mod", ["START", "MID", "END", "early"])
def test_a_part_of_a_value_lies_within_it(mod):
    whole, part = find_bounds("1998"), find_bounds("1998", mod=mod)

    assert not part.exact
    assert part.earliest_start == whole.earliest_start
    assert part.latest_end == whole.latest_end
    assert edges_of(part) == edges_of(find_moment(whole))


@pytest.mark.parametrize("mod", ["BEFORE", "ON_OR_BEFORE"])
def test_before_a_value_has_no_earliest_start(mod):
    bounds = find_bounds("1998", mod=mod)

    assert bounds.earliest_start == -OPEN
    assert write_instant(bounds.latest_end) == "1999-01-01"


@pytest.mark.parametrize("mod", ["AFTER", "ON_OR_AFTER"])
def test_after_a_value_has_no_latest_end(mod):
    bounds = find_bounds("1998", mod=mod)

    assert bounds.latest_end == OPEN
    assert write_instant(bounds.earliest_start) == "1998-01-01"


def test_the_parts_of_a_day_have_their_order_in_it():
    parts = [find_bounds(f"1998-03-12T{part}").part for part in ("MO", "AF", "EV", "NI")]

    assert sorted(parts) == parts
    assert len({day for day, _ in parts}) == 1
    assert find_bounds("1998-03-12TDT").part is None
    assert find_bounds("1998-03-12TMO", mod="END").part is None


def test_a_duration_starts_in_one_time_and_ends_in_another():
    begin, end = find_bounds("1998-03"), find_bounds("2000")

    assert show("P2Y", kind="DURATION", begin=begin, end=end) == [
        "1998-03-01",
        "1998-04-01",
        "2000-01-01",
        "2001-01-01",
    ]


@pytest.mark.parametrize(
    ("value", "about", "reason"),
    [
        ("", {}, Reason.MISSING),
        ("12-03-2010", {}, Reason.MALFORMED),
        ("PRESENT_REF", {}, Reason.VAGUE),
        ("MA3.5", {}, Reason.VAGUE),
        ("XXXX-12-25", {}, Reason.PARTLY),
        ("199X", {}, Reason.PARTLY),
        ("1998-QX", {}, Reason.PARTLY),
        ("1998-WXX-WE", {}, Reason.PARTLY),
        ("T09:30", {}, Reason.PARTLY),
        ("TNI", {}, Reason.PARTLY),
        ("1998-03-12", {"kind": "SET"}, Reason.SET),
        ("P3D", {}, Reason.DURATION),
        ("1998", {"kind": "DURATION"}, Reason.DURATION),
        ("1998", {"mod": "APPROX"}, Reason.APPROXIMATE),
        ("1998", {"mod": "LESS_THAN"}, Reason.APPROXIMATE),
        ("1998", {"mod": "no such"}, Reason.APPROXIMATE),
        ("-0044", {}, Reason.OUTSIDE),
        ("BC0346", {}, Reason.OUTSIDE),
        ("0000", {}, Reason.OUTSIDE),
        ("0000-01-01", {}, Reason.OUTSIDE),
        ("000", {}, Reason.OUTSIDE),
        ("1", {}, Reason.OUTSIDE),
        ("199-08", {}, Reason.OUTSIDE),
        ("2013-02-30", {}, Reason.NO_SUCH),
        ("1900-02-29", {}, Reason.NO_SUCH),
        ("1999-W53", {}, Reason.NO_SUCH),
        ("9999-W52", {}, Reason.OUTSIDE),
        ("9999-W52-WE", {}, Reason.OUTSIDE),
        ("1998-03-12T24:30", {}, Reason.NO_SUCH),
        ("1998-03-12T23:59:60", {}, Reason.NO_SUCH),
        ("1998-03-12T09:30+19:00", {}, Reason.NO_SUCH),
    ],
)
def test_a_value_without_bounds_says_why(value, about, reason):
    assert find_bounds(value, **about) is reason


def test_a_duration_that_ends_before_it_starts_has_no_bounds():
    begin, end = find_bounds("2013-02-27"), find_bounds("2007-03-13")

    assert find_bounds("P6Y", kind="DURATION", begin=begin, end=end) is Reason.BACKWARDS
    assert find_bounds("P6Y", kind="DURATION", begin=begin) is Reason.DURATION


@given(EXACT, st.sampled_from(("", "START", "BEFORE", "AFTER")))
def test_bounds_never_shrink_when_a_value_loses_precision(value, mod):
    fine = find_bounds(value, mod=mod)
    while isinstance(fine, Bounds) and len(value) > 2:
        shorter = re.sub(r"(:\d\d|T\d\d|-W?\d+|(?<=^\d{3})\d|(?<=^\d{2})\d)$", "", value)
        coarse = find_bounds(shorter, mod=mod)
        week = "W" in value and "W" not in shorter  # the first and last week cross a year
        late = "T24" in value and "T" not in shorter  # the start of the next day
        if isinstance(coarse, Bounds) and not week and not late:
            assert coarse.earliest_start <= fine.earliest_start
            assert coarse.latest_end >= fine.latest_end
        value, fine = shorter, coarse


@given(EXACT, st.sampled_from(("", "+01:00", "-0530", "Z", "+14")))
def test_a_zone_is_up_to_fourteen_hours_off(value, zone):
    bounds = find_bounds(value + zone)
    local = find_bounds(value)
    if "T" not in value or not zone or isinstance(local, Reason):
        return

    wide = loosen(bounds)

    assert bounds.zoned
    assert not wide.exact
    assert wide.earliest_start <= local.earliest_start <= wide.latest_start
    assert wide.earliest_end <= local.latest_end <= wide.latest_end


HOSTILE = [
    "".join(parts)
    for parts in product(
        (
            "9999999",
            "-0044",
            "BC",
            "2013",
            "0000",
            "\U0001f4c5",
            "\uff11\uff19\uff19\uff18",
            "P",
            "",
        ),
        ("-99", "-02", "-W54", "-Q9", "T", "\0"),
        ("-99", "-30", "T25:61", "+99:99", "\n", "X"),
    )
]


@pytest.mark.parametrize("kind", ["DATE", "DURATION", "\U0001f4c5"])
def test_hostile_values_never_raise(kind):
    assert len(HOSTILE) > 300
    for value in HOSTILE:
        assert isinstance(find_bounds(value, kind=kind), Bounds | Reason)


@pytest.mark.parametrize(
    "value",
    [
        "9" * 10**6,
        "X" * 10**6,
        "P" + "1" * 10**6,
        "2013-02-03T09:30:15." + "1" * 10**6,
        "MA" + "1" * 10**6 + "-",
        "\U0001f4c5" * 10**6,
        "-" * 10**6,
        "2013-" * 10**5,
    ],
    ids=range(8),
)
def test_a_megabyte_is_read_once(value):
    assert isinstance(find_bounds(value), Bounds | Reason)


@given(st.text(), st.text(), st.text())
def test_any_text_is_a_value_with_bounds_or_without(value, kind, mod):
    assert isinstance(find_bounds(value, kind=kind, mod=mod), Bounds | Reason)
