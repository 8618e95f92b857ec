"""The calendar in the page: the strip of dates, dates in words, and contradictions with values."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import Opener
from calendar_documents import write
from playwright.sync_api import Page, expect

import tlex

EXAMPLES = Path(__file__).parents[2] / "examples"


def words(page: Page, selector: str) -> list[str]:
    return [text for text in page.locator(selector).all_text_contents() if text]


@pytest.fixture
def story(show: Opener) -> Page:
    return show(tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True))


def test_the_strip_of_dates_is_that_of_the_picture(story: Page):
    assert words(story, ".picture .date text") == ["31 Dec 2019", "1 Jan 2020"]
    assert words(story, ".picture .start text") == ["31 Dec 2019, 23:00", "1 Jan 2020, 00:00"]
    assert story.locator(".picture .date.undated").count() == 1
    expect(story.locator(".legend")).to_contain_text("day of these steps, by the calendar")
    expect(story.locator(".legend")).to_contain_text("undated steps")


def test_without_the_calendar_there_is_no_strip(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")))

    assert page.locator(".picture .date, .picture .start, .picture .in-date").count() == 0


def test_events_of_a_known_date_stand_on_its_ground(story: Page):
    date = story.locator(".picture .date", has_text="1 Jan 2020").locator("rect").bounding_box()
    grounds = [rect.bounding_box() for rect in story.locator(".picture .in-date").all()]

    below = [box for box in grounds if abs(box["x"] - date["x"]) < 1]
    assert below
    for box in below:
        assert abs(box["width"] - date["width"]) < 1


def test_the_details_say_when_an_event_was(story: Page):
    story.locator(".picture .thing", has_text="coughed").locator(".body").click()

    expect(story.locator(".details .facts")).to_contain_text("on 31 December 2019, 23:00")


def test_links_of_the_calendar_are_no_links_of_a_time_but_prove_its_order(show: Opener):
    document = write([("1990", {}), ("2020", {})], [("ei1", "BEFORE", "t1")], 1)

    page = show(tlex.extract(document, calendar=True), "#s=t2")
    expect(page.locator(".details h3").first).to_have_text("0 links")
    assert page.locator(".arc").count() == 0

    page = show(tlex.extract(document, calendar=True), "#s=ei1&s=t2")
    expect(page.locator(".details h2").first).to_contain_text("is before")
    expect(page.locator(".proof").first).to_contain_text("1990 is before 2020, by their values")


@pytest.mark.parametrize("mend", [False, True])
def test_a_contradiction_with_the_calendar_shows_the_values(show: Opener, mend: bool):  # noqa: FBT001
    times = [("1998-03-12", {}), ("1998-W12", {})]
    document = write(times, [("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t2")], 1)
    page = show(tlex.extract(document, calendar=True, mend=mend))

    expect(page.locator(".conflicts .quiet")).to_have_text("l1, l2, the calendar")
    page.keyboard.press("c")

    expect(page.locator(".details .links").first).to_contain_text(
        "1998-03-12 is before 1998-W12, by their values"
    )
    if not mend:
        assert "1998-03-12 is before 1998-W12, by their values" in words(page, ".tie text")


def test_a_branch_on_the_trunk_is_in_a_box_and_cannot_be_folded_away(show: Opener):
    links = [("ei1", "BEFORE", "t1"), ("ei1", "MODAL", "ei2", "SLINK"), ("ei2", "BEFORE", "t2")]
    page = show(tlex.extract(write([("1990", {}), ("2020", {})], links, 2), calendar=True))

    box = page.locator(".picture .strand rect").bounding_box()
    bar = page.locator(".picture .thing", has_text="event2").locator(".body").bounding_box()
    assert box["y"] < bar["y"] < bar["y"] + bar["height"] < box["y"] + box["height"]
    assert page.locator(".picture .connector").count() == 1
    assert page.locator(".picture .fold").count() == 0
    page.locator(".picture .thing", has_text="event2").locator(".body").click()
    expect(page.locator(".details .facts")).to_contain_text("on a branch")
