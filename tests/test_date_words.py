# ruff: noqa: RUF001 -- dashes as they are printed
"""Dates in words: what is said is exactly what is known."""

import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.date_words import say_date
from tlex.records import DateRange

SAID = {
    ("2013-03-22", "2013-03-23"): ("on 22 March 2013", "22 Mar 2013"),
    ("2013-03-01", "2013-04-01"): ("in March 2013", "Mar 2013"),
    ("2009-01-01", "2010-01-01"): ("in 2009", "2009"),
    ("1990-01-01", "2000-01-01"): ("in the 1990s", "1990s"),
    ("1900-01-01", "2000-01-01"): ("between 1900 and 1999", "1900–1999"),
    ("2013-03-18", "2013-03-25"): ("in the week of 18 March 2013", "week of 18 Mar 2013"),
    ("2013-03-20", "2013-03-23"): ("between 20 and 22 March 2013", "20–22 Mar 2013"),
    ("2013-01-01", "2013-04-01"): ("between January and March 2013", "Jan – Mar 2013"),
    ("2009-01-01", "2013-03-23"): ("between 2009 and 22 March 2013", "2009 – 22 Mar 2013"),
    ("2013-03-22T09:30", "2013-03-22T09:31"): ("on 22 March 2013, 09:30", "22 Mar 2013, 09:30"),
    ("2013-03-22T09:30", "2013-03-23"): (
        "on 22 March 2013 from 09:30 on",
        "22 Mar 2013, from 09:30 on",
    ),
    ("2013-03-22", "2013-03-22T09:30"): (
        "on 22 March 2013 before 09:30",
        "22 Mar 2013, before 09:30",
    ),
    ("2013-03-22T09:00", "2013-03-22T10:00"): (
        "on 22 March 2013 between 09:00 and 10:00",
        "22 Mar 2013, 09:00–10:00",
    ),
    ("2013-03-20", None): ("20 March 2013 or later", "20 Mar 2013 or later"),
    (None, "2013-01-01"): ("before 2013", "before 2013"),
    (None, "2013-03-23"): ("before 23 March 2013", "before 23 Mar 2013"),
    ("0044-03-15", "0044-03-16"): ("on 15 March of the year 44", "15 Mar of the year 44"),
    ("9999-12-31", "10000-01-01"): ("on 31 December 9999", "31 Dec 9999"),
    ("10000-01-01", None): ("10000 or later", "10000 or later"),
    ("2013-03-22", "2013-03-22"): ("at the start of 22 March 2013", "22 Mar 2013"),
    (None, None): ("", ""),
}


@pytest.mark.parametrize(("instants", "words"), SAID.items())
def test_a_date_is_said_as_people_say_it(instants, words):
    said = say_date(*instants), say_date(*instants, short=True)

    assert said == words


def test_a_date_range_says_itself():
    assert str(DateRange("2009-01-01", "2010-01-01")) == "in 2009"


MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]
MONTH = "|".join(MONTHS)
NAME = rf"(?:(?:(\d+) )?({MONTH}) )?(\d{{4}})(?:, ([\d:.]+))?"


def parse(words):
    """Give the instants at which the named unit begins and ends."""
    day, month, year, clock = re.fullmatch(NAME, words).groups()
    start = datetime(int(year), MONTHS.index(month) + 1 if month else 1, int(day or 1))  # noqa: DTZ001
    if clock:
        hours, minutes = map(int, clock.split(":"))
        start += timedelta(hours=hours, minutes=minutes)
        return start, start
    if day:
        return start, start + timedelta(days=1)
    later = start.replace(day=28) + timedelta(days=4) if month else start.replace(month=12, day=31)
    return start, (later if month else later + timedelta(days=1)).replace(day=1)


def understand(words):  # noqa: PLR0911
    """Give the two instants that the words mean."""
    if words.endswith(" or later"):
        return parse(words.removesuffix(" or later"))[0], None
    if words.startswith("before "):
        return None, parse(words.removeprefix("before "))[0]
    if words.startswith("in the week of "):
        start = parse(words.removeprefix("in the week of "))[0]
        return start, start + timedelta(days=7)
    if words.startswith("in the "):
        start = parse(words[len("in the ") : -1])[0]
        return start, start.replace(year=start.year + 10)
    words = re.sub(r"^(on .*) before ", r"\1 between 00:00 and ", words)
    words = re.sub(r"^(on .*) from ([\d:]+) on", r"\1 between \2 and 24:00", words)
    clocks = re.fullmatch(r"on (.*) between ([\d:]+) and ([\d:]+)", words)
    if clocks:
        return tuple(parse(f"{clocks[1]}, {clock}")[0] for clock in clocks.groups()[1:])
    if words.startswith("between "):
        start, end = words.removeprefix("between ").split(" and ")
        if re.fullmatch(r"\d{1,2}", start):
            start = f"{start} {end.split()[1]} {end.split()[2]}"
        elif not re.search(r"\d{4}", start):
            start = f"{start} {end.split()[-1]}"
        return parse(start)[0], parse(end)[1]
    start, end = parse(words.removeprefix("on ").removeprefix("in "))
    return start, end if end > start else start + timedelta(minutes=1)


@st.composite
def instants(draw):
    day = draw(st.dates(date(1000, 1, 1), date(9990, 1, 1)))
    level = draw(st.sampled_from(["year", "month", "day", "minute"]))
    if level == "year":
        day = day.replace(month=1, day=1)
    if level == "month":
        day = day.replace(day=1)
    time = draw(st.times()) if level == "minute" else datetime.min.time()
    return datetime.combine(day, time.replace(second=0, microsecond=0))


def write(instant):
    day = instant.date().isoformat()
    return day if instant.time() == datetime.min.time() else instant.strftime("%Y-%m-%dT%H:%M")


@given(instants(), instants() | st.integers(1, 400).map(lambda days: timedelta(days=days)))
def test_the_words_mean_the_two_instants(first, second):
    second = first + second if isinstance(second, timedelta) else second
    if first != second:
        first, second = sorted((first, second))

        said = say_date(write(first), write(second))

        assert understand(said) == (first, second)


@given(instants())
def test_the_words_mean_the_one_instant_that_is_known(instant):
    after, before = say_date(write(instant), None), say_date(None, write(instant))

    assert understand(after) == (instant, None)
    assert understand(before) == (None, instant)
