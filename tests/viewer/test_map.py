"""The map in a real browser: readable at every width, with filters that leave only one thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Opener
from playwright.sync_api import Page, expect

import tlex
from tlex.draw.layout import lay_out

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg.picture text")]
  .filter((e) => e.textContent && e.getClientRects().length)
  .map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))"""


def islands(many: int) -> tlex.Extraction:
    """Many timelines of two events, an event without links, and loose events on a long timeline."""
    links = [(f"a{k}", "BEFORE", f"b{k}") for k in range(many)]
    links += [(f"c{k}", "BEFORE", f"c{k + 1}") for k in range(9)]
    links += [("c0", "BEFORE", f"x{k}") for k in range(12)]
    texts = {f"b{k}": f"word{k}" for k in range(many)} | {"alone": "apart"}
    links.append(("alone", "VAGUE", "alone2"))
    return tlex.extract(tlex.from_links(links, texts=texts))


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("fragment", ["", "#z=0.3,0,0"])
def test_no_word_is_smaller_than_eleven_pixels_at_first_and_after_fit(
    show: Opener, width: int, fragment: str
):
    page = show(
        tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True), fragment, (width, 800)
    )
    if fragment:
        page.keyboard.press("0")
        page.wait_for_timeout(150)

    assert page.evaluate(SMALLEST) >= 10.99


def test_what_has_no_order_stands_in_trays_on_the_page_as_in_the_picture(show: Opener):
    result = islands(3)
    trays = lay_out(result).trays

    page = show(result, size=(2200, 1500))

    assert {tray.kind for tray in trays} == {"loose", "others", "unconnected"}
    assert sorted(page.locator(".tray text").all_text_contents()) == sorted(
        tray.label for tray in trays
    )
    boxes = {
        kind: page.locator(f".tray.{kind}").bounding_box() for kind in ("loose", "unconnected")
    }
    inside = page.locator(".thing", has_text="apart").locator(".body").bounding_box()
    assert boxes["unconnected"]["y"] < inside["y"]
    assert boxes["unconnected"]["y"] > boxes["loose"]["y"] + boxes["loose"]["height"]
    assert page.locator(".band rect").first.evaluate("(e) => getComputedStyle(e).fill") == (
        'url("#open")'
    )


def test_bars_have_phrases_while_that_is_chosen(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True))
    button = page.get_by_role("button", name="Phrases")
    words = page.locator("svg.picture .thing").get_by_text("snowed", exact=True)
    phrase = page.locator("svg.picture .thing").get_by_text("It \u2039snowed\u203a all through")
    expect(words).to_be_visible()

    page.keyboard.press("p")

    expect(phrase).to_be_visible()
    expect(words).to_have_count(0)
    assert "p=1" in page.url
    assert page.evaluate(SMALLEST) >= 10.99
    assert button.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(29, 39, 51)"
    button.click()
    expect(words).to_be_visible()


def test_only_one_kind_is_shown_and_then_all_again(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), size=(1920, 1300))
    page.keyboard.press("v")
    only = page.get_by_role("button", name=re.compile("^Show only counterfactual"))

    only.click()

    expect(page.locator(".mark:not(.out)")).to_have_text(["attended", "learned"])
    expect(only).to_have_attribute("aria-pressed", "true")
    only.click()
    expect(page.locator(".mark.out")).to_have_count(0)
    expect(only).to_have_attribute("aria-pressed", "false")


def test_timelines_are_found_by_a_word_and_shown_alone(show: Opener):
    result = islands(32)
    page = show(result)
    page.keyboard.press("v")
    listed = page.locator(".timelines li")
    expect(listed).to_have_count(6)
    expect(page.locator(".filters [role=status]")).to_contain_text("more timelines")

    page.get_by_label("Find a timeline by a word or an id").fill("word21")

    expect(listed).to_have_count(1)
    listed.get_by_role("button").click()
    timeline = next(one for one in result.timelines if "b21" in one.intervals)
    expect(page.locator(".bars .thing")).to_have_count(2)
    assert page.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('h')") == sorted(
        f"timeline:{one.id}" for one in result.timelines if one is not timeline
    )
    page.get_by_label("Find a timeline by a word or an id").fill("nothing of this kind")
    expect(page.locator(".filters [role=status]")).to_have_text("no timeline has these words")


@pytest.mark.parametrize("second", [".mark", "svg.picture .thing"])
def test_comparing_by_shift_click_selects_no_text(show: Opener, second: str):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), size=(1920, 1300))
    page.locator(".mark", has_text="snowed").first.click()
    other = page.locator(second, has_text="cheered").first
    target = other if second == ".mark" else other.locator(".body")

    target.click(modifiers=["Shift"])

    assert page.evaluate("() => getSelection().toString()") == ""
    assert selected(page) == ["ei1", "ei20"]
    assert page.evaluate("() => document.activeElement.dataset.node") == other.get_attribute(
        "data-node"
    )


def selected(page: Page) -> list[str]:
    return page.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('s')")


def test_no_title_shows_the_path_of_a_file(show: Opener, tmp_path: Path):
    copy = tmp_path / "deep" / "story.tml"
    copy.parent.mkdir()
    copy.write_bytes((EXAMPLES / "story.tml").read_bytes())
    result = tlex.extract(tlex.read(copy.resolve()))

    page = show(result)

    assert page.title() == "story.tml · tlex"
    assert page.locator("h1").text_content() == page.locator("h1").get_attribute("title")
    assert str(tmp_path) not in tlex.draw.svg(result) + page.content()


@pytest.mark.parametrize(("width", "dark"), [(360, False), (768, False), (1440, True)])
def test_axe_finds_nothing_serious_on_the_map_with_its_filters(
    show: Opener,
    width: int,
    dark: bool,  # noqa: FBT001
):
    page = show(islands(12), "#h=kind:time", (width, 800), dark=dark)
    page.keyboard.press("v")

    found = Axe().run(page).response["violations"]

    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []


def flowing(size: int) -> tlex.Extraction:
    """A chain with a long event from its tenth to its thirtieth, in two lines of the map."""
    links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(size - 1)]
    links += [("e9", "BEFORE", "long"), ("long", "INCLUDES", "e10"), ("long", "INCLUDES", "e29")]
    links += [("long", "BEFORE", "e30")]
    return tlex.extract(tlex.from_links(links))


def test_a_wide_timeline_needs_no_scrolling_to_the_right_in_a_window_of_1440_pixels(show: Opener):
    result = flowing(200)
    picture = lay_out(result)

    page = show(result, size=(1440, 900))

    pane = page.locator("svg.picture").bounding_box()
    assert picture.width * picture.step + 40 <= pane["width"]
    for place in range(4):
        bodies = page.locator(".bars .thing .body")
        boxes = [each.bounding_box() for each in bodies.all()[:: 1 + 3 * place]]
        assert len(boxes) > 5
        assert min(box["x"] for box in boxes) >= pane["x"]
        assert max(box["x"] + box["width"] for box in boxes) <= pane["x"] + pane["width"]
        page.mouse.move(pane["x"] + 300, pane["y"] + 300)
        page.mouse.wheel(0, 500)
        page.wait_for_timeout(60)
    assert page.evaluate(SMALLEST) >= 10.99
    page.keyboard.press("0")
    titles = page.locator("svg.picture .title")
    expect(titles.filter(has_text="timeline 0, continued").first).to_be_visible()


def test_each_piece_of_a_folded_bar_selects_it_and_one_takes_the_focus(show: Opener):
    page = show(flowing(200), size=(1440, 900))
    pieces = page.locator(".bars .thing").filter(has_text="long")
    expect(pieces).to_have_count(2)
    node = pieces.first.get_attribute("data-node")
    expect(page.locator("svg.picture [role=button]").filter(has_text="long")).to_have_count(1)
    expect(page.locator(".legend li")).to_have_text(["factual", "goes on in another line"])
    assert "goes on in another line" in tlex.draw.svg(flowing(200))
    assert pieces.last.get_attribute("aria-hidden") == "true"
    assert pieces.last.get_attribute("tabindex") is None

    pieces.last.locator(".body").click()

    assert selected(page) == ["long"]
    expect(page.locator(f".bars .thing.chosen[data-node='{node}']")).to_have_count(2)
    page.keyboard.press("Escape")
    page.locator(".bars .thing[role=button]").first.focus()
    page.keyboard.press("Home")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    words = "() => document.activeElement.querySelector('.label').textContent"
    assert page.evaluate(words) == "e29"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Enter")
    assert selected(page) == ["e29", "e28"]
    expect(page.locator(".details")).to_contain_text("BEFORE")
    page.keyboard.press("ArrowDown")
    found = page.evaluate("() => document.activeElement.getAttribute('role')")
    assert found == "button"


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_on_a_map_in_lines(show: Opener, dark: bool):  # noqa: FBT001
    page = show(flowing(60), size=(1440, 900), dark=dark)

    found = Axe().run(page).response["violations"]

    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []
