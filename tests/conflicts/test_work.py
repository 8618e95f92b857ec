"""Limits of searches: work is the same everywhere, and the clock is a safety net that says so."""

from __future__ import annotations

import time

import pytest

import tlex
from tlex.conflicts.work import PATIENCE, RATE, Work
from tlex.repair.fix_text import fix_lines


def test_seconds_are_a_limit_of_work():
    work = Work(seconds=2)

    work.spend(2 * RATE - 1)
    assert not work.is_over()
    work.spend(1)
    assert work.is_over()
    assert not work.late


@pytest.mark.parametrize("seconds", [1e300, float("inf"), None])
def test_any_number_of_seconds_is_a_limit(seconds):
    work = Work(seconds=seconds)

    work.spend(10**9)
    assert not work.is_over()


def test_the_clock_ends_what_takes_far_too_long_and_says_so():
    work, exact = Work(seconds=0.001), Work(1500, seconds=0.001)
    until = time.process_time() + PATIENCE * 0.001
    while time.process_time() <= until:
        pass

    work.spend(1)
    exact.spend(1)
    assert work.late
    assert work.is_over()
    assert not exact.late
    assert not exact.is_over()


def test_a_machine_that_does_something_else_ends_nothing():
    work = Work(seconds=0.001)
    time.sleep(PATIENCE * 0.001 + 0.02)

    work.spend(1)
    assert not work.late


def test_the_clock_is_looked_at_again():
    work = Work(seconds=0.1)
    work.spend(1)
    until = time.process_time() + PATIENCE * 0.1
    while time.process_time() <= until:
        pass

    work.spend(RATE // 100)
    assert work.late


def test_a_result_says_that_the_clock_ended_it(monkeypatch):
    rows = [
        (f"e{k}", "BEFORE", f"e{(k * 7 + 3 * step) % 60}") for k in range(60) for step in (1, 2)
    ]
    monkeypatch.setattr("tlex.conflicts.work.PATIENCE", 1e-9)  # as if the machine stood still

    fixed = tlex.fix(tlex.from_links(rows), seconds=1)

    assert fixed.ended_by == "clock"
    assert "the clock ended the search" in " ".join(fix_lines(fixed))
    assert tlex.fix(tlex.from_links(rows), work=RATE).ended_by is None
