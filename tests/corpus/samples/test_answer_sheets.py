"""Sheets: what is written can be read back, and what is wrong with one is message in a line."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tlex.corpus.samples.answer_sheets import (
    COLUMNS,
    Sample,
    SampledQuestion,
    check_same,
    read_sheet,
    write_sheet,
)
from tlex.corpus.samples.populations import Question
from tlex.errors import OptionError

WORDS = st.text(
    st.characters(exclude_categories=()), max_size=12
)  # lone surrogates too, from bytes that are no text
ITEMS = st.builds(
    Question,
    WORDS,
    WORDS,
    WORDS,
    st.lists(st.tuples(st.integers(0, 2), WORDS), max_size=3).map(tuple),
)
SAMPLES = st.builds(
    Sample,
    st.sampled_from(["order", "main"]),
    st.integers(0, 10**6),
    st.lists(st.builds(SampledQuestion, WORDS, WORDS, ITEMS), min_size=1, max_size=6).map(tuple),
)


def make_sample(size: int = 3, what: str = "order") -> Sample:
    rows = [
        SampledQuestion(
            "news", f"n{k}.tml", Question(f"e{k}-", f"e{k}+", "Right?", ((0, "They "), (1, "fell")))
        )
        for k in range(size)
    ]
    return Sample(what, 40, tuple(rows))


def fill(sheet: str, answers: list[str], cut: str = ",") -> bytes:
    """Answer a sheet, as a spreadsheet would."""
    rows = list(csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff"), newline="")))
    page = io.StringIO()
    writer = csv.DictWriter(page, COLUMNS, delimiter=cut)
    writer.writeheader()
    for row, answer in zip(rows, answers, strict=True):
        writer.writerow({**row, "answer": answer})
    return page.getvalue().encode()


@settings(max_examples=60)
@given(sample=SAMPLES, data=st.data())
def test_answers_come_back_as_they_were_given(sample, data):
    size = len(sample.rows)
    answers = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    words = [
        data.draw(st.sampled_from(["yes", "Y", " yes "] if a else ["no", "N"])) for a in answers
    ]
    cut = data.draw(st.sampled_from(",;\t"))

    name, found = read_sheet(fill(write_sheet(sample), words, cut), "a.csv")

    assert name == sample.name
    assert found == answers


@settings(max_examples=60)
@given(sample=SAMPLES)
def test_no_cell_is_a_formula_or_a_second_line(sample):
    rows = list(csv.reader(io.StringIO(write_sheet(sample).removeprefix("\ufeff"), newline="")))

    assert rows[0] == list(COLUMNS)
    assert len(rows) == 1 + len(sample.rows)
    for row in rows[1:]:
        assert len(row) == len(COLUMNS)
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)
        assert all(cell.isprintable() for cell in row)


def test_a_sheet_shows_the_words_in_brackets():
    page = write_sheet(make_sample(1))

    assert page.splitlines()[1].endswith(",news,n0.tml,e0-,e0+,Right?,They [[fell]],,")


def test_the_name_of_a_sample_tells_its_items_apart():
    one, other = make_sample(3), make_sample(4)

    assert one.name == make_sample(3).name
    assert one.name != other.name != make_sample(4, "main").name
    assert one.name.startswith("order/3/")


def test_the_order_of_rows_and_columns_does_not_matter():
    rows = list(
        csv.DictReader(io.StringIO(fill(write_sheet(make_sample()), ["yes", "no", "no"]).decode()))
    )
    page = io.StringIO()
    writer = csv.DictWriter(page, ["Answer", "note", "ITEM", "sample"], extrasaction="ignore")
    writer.writeheader()
    for row in reversed(rows):
        writer.writerow({"Answer": row["answer"], "ITEM": row["item"], "sample": row["sample"]})

    assert read_sheet(page.getvalue().encode(), "b.csv")[1] == [True, False, False]


SHEET = write_sheet(make_sample())
ANSWERED = fill(SHEET, ["yes", "no", "yes"]).decode()
LINES = ANSWERED.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a.csv: not a sheet of tlex corpus sample: it has no column 'sample'"),
        (b"\xff\xfe\x00", "a.csv: not UTF-8; save the sheet as CSV UTF-8"),
        (b"item,answer\n1,yes\n", "no column 'sample'"),
        (b"sample,item,answer,answer\n", "the column 'answer' is there twice"),
        (b"sample,item,answer\n", "a.csv: there is no item in it"),
        (b"sample,item,answer\nx,one,yes\n", "'one' is not the number of an item"),
        (b"sample,item,answer\nx,1,yes\n", "'x' is not the name of a sample"),
        ("".join(LINES[:3]).encode(), "a.csv: 1 item is missing: 3"),
        ("".join([*LINES, LINES[1]]).encode(), "a.csv: item 1 is there twice"),
        (ANSWERED.replace("yes", "").encode(), "a.csv: 2 items are not answered: 1, 3"),
        (ANSWERED.replace("no,", "perhaps,").encode(), "item 2 is answered 'perhaps'; yes or no"),
        (ANSWERED.replace("/3/", "/2/").encode(), "the sample has 2 items, so none is number 3"),
        (
            ANSWERED.replace(make_sample().name, "order/3/000000000000", 1).encode(),
            "rows of different samples",
        ),
        (b'sample,item,answer\n"' + b"x" * 2_000_000, "not a sheet"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_reported(data, message):
    with pytest.raises(OptionError) as caught:
        read_sheet(data, "a.csv")

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_many_missing_items_are_not_all_listed():
    page = write_sheet(make_sample(100)).splitlines(keepends=True)

    with pytest.raises(OptionError, match=r"99 items are missing: 2, 3, 4, 5, 6 and 94 more"):
        read_sheet("".join(page[:2]).encode(), "a.csv")


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_else_is_refused_and_nothing_breaks(data):
    with pytest.raises(OptionError):
        read_sheet(b"sample,item,answer\n" + data, "a.csv")


def test_sheets_of_different_samples_cannot_be_compared():
    check_same([("a.csv", "order/3/x"), ("b.csv", "order/3/x")])
    with pytest.raises(OptionError, match=r"a.csv and b.csv are of different samples: x and y"):
        check_same([("a.csv", "x"), ("b.csv", "y")])
