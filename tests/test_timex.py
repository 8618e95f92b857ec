"""The grammar of TIMEX3 values: what the guidelines show is in it, slips are not."""

from __future__ import annotations

import re

import pytest

from tlex.timex import FORMS, FORMS_OF_TYPE, is_frequency, is_value

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
