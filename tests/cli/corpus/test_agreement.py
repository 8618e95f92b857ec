"""``tlex corpus agreement``: how far two judges agree."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

STORY = "examples/story.tml"


@pytest.fixture
def sheets(out, tlex, tmp_path) -> tuple[Path, Path]:
    """Give the sheets of two judges, unanswered."""
    tlex("sample", out, "--what", "order", "-o", tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes((tmp_path / "a.csv").read_bytes())
    return tmp_path / "a.csv", tmp_path / "b.csv"


def answer(path: Path, wrong: tuple[int, ...] = ()) -> int:
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            writer.writerow({**row, "answer": "no" if int(row["item"]) in wrong else "yes"})
    return len(rows)


def test_two_judges_who_agree_on_everything_have_no_kappa(sheets, tlex):
    size, _ = map(answer, sheets)

    code, page, err = tlex("agreement", *sheets)

    assert (code, err) == (0, "")
    head, first, second, agreed, kappa = page.splitlines()
    assert head.startswith("sample order/")
    assert f"{size} of {size} right, 100.0 % (" in first
    assert "to 100.0 % with 95 % confidence)" in second
    assert agreed == f"agreed on {size} of {size}, 100.0 %; by chance 100.0 %"
    assert kappa == "Cohen's kappa: undefined, because all answers of both are the same"


def test_two_judges_who_differ_have_one(sheets, tlex):
    size = answer(sheets[0], wrong=(1, 2))
    answer(sheets[1], wrong=(2, 3))

    code, page, _ = tlex("agreement", *sheets, "--json", "--confidence", "0.9")

    found = json.loads(page)
    assert code == 0
    assert found["confidence"] == 0.9
    assert found["first"]["right"] == found["second"]["right"] == found["agreed"] == size - 2
    chance = ((size - 2) ** 2 + 4) / size**2
    assert found["kappa"] == pytest.approx(((size - 2) / size - chance) / (1 - chance))
    assert "Cohen's kappa: 0.4" in tlex("agreement", *sheets)[1]


def test_a_sheet_that_is_not_answered_or_of_another_sample_is_reported(sheets, out, tlex, tmp_path):
    answer(sheets[0])
    unanswered = tlex("agreement", *sheets)
    tlex(
        "sample",
        out,
        "--what",
        "order",
        "--seed",
        "9",
        "--interval",
        "0.2",
        "-o",
        tmp_path / "c.csv",
    )
    answer(tmp_path / "c.csv")
    other = tlex("agreement", sheets[0], tmp_path / "c.csv")

    for (code, page, err), words in (
        (unanswered, "not answered: 1, 2"),
        (other, "different samples"),
    ):
        assert (code, page) == (2, "")
        (line,) = err.splitlines()
        assert words in line
