"""The reading view in a real browser: what one sees, chooses, prints, and reads with no script."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Opener
from playwright.sync_api import Browser, Page, expect

import tlex
from tlex.viewer.page import html

EXAMPLES = Path(__file__).parents[2] / "examples"

TOLD = """<TimeML>
<TIMEX3 tid="t1" type="DATE" value="2013-03-22">22 March 2013</TIMEX3>.
Officials <EVENT eid="e1" class="REPORTING">said</EVENT> that the dam
<EVENT eid="e2" class="OCCURRENCE">broke</EVENT> in
<TIMEX3 tid="t2" type="DATE" value="2009">2009</TIMEX3>.
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t1"/>
<TLINK lid="l2" eventInstanceID="ei2" relType="IS_INCLUDED" relatedToTime="t2"/>
<SLINK lid="l3" eventInstanceID="ei1" relType="EVIDENTIAL" subordinatedEventInstance="ei2"/>
</TimeML>"""

# The smallest letters, and what is wider than the window.
MEASURE = """() => {
  const small = [], wide = [];
  for (const e of document.querySelectorAll(".tlex-reading *")) {
    const box = e.getBoundingClientRect();
    const own = [...e.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (own && box.width && parseFloat(getComputedStyle(e).fontSize) < 13) small.push(e.className);
    if (box.right > innerWidth + 1) wide.push(e.className);
  }
  return { small, wide, scroll: document.documentElement.scrollWidth - innerWidth };
}"""


def extract(name: str = "story.tml") -> tlex.Extraction:
    return tlex.extract(tlex.read(EXAMPLES / name), calendar=True, mend=True)


@pytest.fixture
def story(show: Opener) -> Page:
    return show(extract(), view="reading")


def phrase(page: Page, words: str) -> object:
    return page.locator(".reading .phrase", has=page.get_by_text(words, exact=True)).first


def others(page: Page, title: str) -> list[str]:
    found = page.locator(".others", has=page.locator("summary", has_text=title))
    return found.locator(".other b").all_text_contents()


def test_a_page_opens_with_the_reading_view_and_m_shows_the_map(story: Page):
    expect(story.locator(".summary")).to_contain_text("21 events, 31 December 2019 to 1 January")
    assert story.locator("svg.picture").count() == 0

    story.keyboard.press("m")
    expect(story.locator("svg.picture .thing").first).to_be_visible()
    expect(story.locator(".tlex-reading")).to_be_hidden()
    assert "v=map" in story.url

    story.keyboard.press("m")
    expect(story.locator(".tlex-reading")).to_be_visible()
    expect(story.locator("svg.picture")).to_be_hidden()


def test_an_unknown_order_stands_side_by_side_and_a_known_one_below_each_other(story: Page):
    box = {word: phrase(story, word).bounding_box() for word in ("snowed", "built", "warmed")}

    assert box["snowed"]["y"] < box["built"]["y"] == box["warmed"]["y"]
    assert box["built"]["x"] + box["built"]["width"] < box["warmed"]["x"]
    loose = story.locator("li.loose").first
    assert loose.evaluate("e => getComputedStyle(e).borderStyle") == "dashed"
    expect(loose.locator("> .title")).to_have_text("the order of these 2 is not known")


def test_a_loose_box_stands_outside_the_heading_above_it(show: Opener):
    dates = {"t1": "1997-05-11", "t2": "1997-08-02", "t3": "1997"}
    links = [(f"e{number}", "IS_INCLUDED", name) for number, name in enumerate(dates)]
    document = tlex.parse(
        "<TimeML>"
        + "".join(
            f"<TIMEX3 tid='{t}' type='DATE' value='{v}'>{v}</TIMEX3> " for t, v in dates.items()
        )
        + "".join(f"<EVENT eid='{e}'>{e}</EVENT> " for e, _, _ in links)
        + "".join(f"<MAKEINSTANCE eiid='i{e}' eventID='{e}'/>" for e, _, _ in links)
        + "".join(
            f"<TLINK lid='l{e}' eventInstanceID='i{e}' relType='{r}' relatedToTime='{t}'/>"
            for e, r, t in links
        )
        + "</TimeML>"
    )
    page = show(tlex.extract(document, calendar=True), view="reading")

    box = page.locator("li.apart").bounding_box()
    day = page.locator("li.day").last

    assert page.locator(".title").all_text_contents() == [
        *("1997", "11 May 1997", "2 August 1997", "sometime in 1997")
    ]
    assert box["x"] == day.bounding_box()["x"] < phrase(page, "e1").bounding_box()["x"] - 50
    assert box["y"] > day.bounding_box()["y"] + day.bounding_box()["height"] + 8


def test_choosing_an_event_lists_what_is_before_after_and_not_known(story: Page):
    phrase(story, "built").click()

    details = story.locator(".details")
    expect(details.locator("blockquote b")).to_have_text("built")
    expect(details.locator(".dates")).to_contain_text("because of “yesterday afternoon”")
    assert others(story, "Before it") == ["snowed"]
    assert others(story, "After it")[:2] == ["coughed", "stopped"]
    assert others(story, "During it") == ["ticking"]
    assert others(story, "Not known")[0] == "warmed"

    details.locator(".other", has_text="snowed").click()
    expect(details.locator("blockquote b")).to_have_text("snowed")
    details.locator(".dates button").first.click()
    expect(details.locator("h2")).to_contain_text("happen at the same time")


def test_the_first_glance_leads_to_the_events_that_are_not_certain(story: Page):
    row = story.locator(".glance > .unordered")
    expect(row).to_contain_text("2 events")

    row.locator(".brief").last.click()

    expect(story.locator(".details blockquote b")).to_have_text("warmed")
    expect(phrase(story, "warmed")).to_have_attribute("aria-pressed", "true")


def test_signs_differ_and_what_is_known_of_when_is_in_the_line_of_the_words(story: Page):
    signs = story.locator(".glance dt").evaluate_all(
        "all => all.map(e => { const s = getComputedStyle(e, '::before');"
        " return [s.content, s.borderStyle, s.borderRadius, s.backgroundColor].join(); })"
    )
    assert len(set(signs)) == len(signs) == 5
    began = story.locator(".same .when", has_text="began").last.bounding_box()
    words = phrase(story, "ticking").bounding_box()
    assert abs(began["y"] - words["y"]) < 12
    assert began["x"] + began["width"] <= words["x"]


def test_two_events_of_unknown_order_have_both_worlds_in_a_line_each(story: Page):
    phrase(story, "built").click()
    phrase(story, "warmed").click(modifiers=["Shift"])

    expect(story.locator(".worlds li")).to_have_text(
        [
            "It can be that “built” (ei2) is before “warmed” (ei3).",
            "It can also be that “built” (ei2) is after “warmed” (ei3).",
        ]
    )
    assert story.evaluate("() => String(getSelection())") == ""


def test_the_keyboard_alone_is_enough(story: Page):
    story.keyboard.press("g")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowDown", "Shift+Enter"):
        story.keyboard.press(key)

    expect(story.locator(".details h2")).to_contain_text("“built” (ei2) and “warmed” (ei3)")
    story.keyboard.press("Escape")
    story.keyboard.press("Escape")
    expect(story.locator(".right")).to_be_hidden()
    story.keyboard.press("t")
    expect(story.locator(".text .mark").first).to_be_focused()


def test_steps_and_ids_are_one_switch_away(story: Page):
    facts = story.locator(".item .more").first
    expect(facts).to_be_hidden()

    story.get_by_role("checkbox", name="Details").check()

    expect(facts).to_contain_text("timeline 0")
    expect(story.locator("p.more").first).to_have_text("timeline 0 (main), 23 steps, 13 orders")


def test_a_reporting_verb_is_folded_into_what_it_tells(show: Opener):
    page = show(tlex.extract(tlex.parse(TOLD), calendar=True), view="reading")
    assert page.locator(".tlex-reading h2").all_text_contents() == ["2009"]
    assert phrase(page, "said").is_hidden()

    page.get_by_text("❝ said").click()
    phrase(page, "said").click()

    expect(page.locator(".details blockquote")).to_contain_text("Officials said that the dam broke")
    expect(page.locator(".details .dates")).to_contain_text("On 22 March 2013")


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_words_are_large_enough_and_nothing_leaves_the_window(width: int, show: Opener):
    page = show(extract(), "#s=ei11", (width, 900), view="reading")
    page.get_by_role("checkbox", name="Details").check()

    assert page.evaluate(MEASURE) == {"small": [], "wide": [], "scroll": 0}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["story.tml", "contradiction.tml"])
def test_the_reading_view_is_accessible(name: str, dark: bool, show: Opener):  # noqa: FBT001
    page = show(extract(name), dark=dark, view="reading")
    page.locator(".reading .phrase").nth(1).click()
    for folded in page.locator("details").all():
        folded.evaluate("e => { e.open = true }")

    found = Axe().run(page).response["violations"]

    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []


def test_paper_is_a4_white_and_has_no_controls(show: Opener):
    page = show(extract(), "#s=ei2", dark=True, view="reading")
    printed = page.pdf(prefer_css_page_size=True)
    page.emulate_media(media="print")

    assert b"/MediaBox [0 0 594" in printed or b"/MediaBox [0 0 595" in printed
    colours = page.locator(".tlex-reading").evaluate(
        "e => [getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours == ["rgb(29, 39, 51)", "rgb(255, 255, 255)"]
    for hidden in (".bar button", ".right", ".switch", ".text"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(phrase(page, "asked")).to_be_visible()


def test_without_a_script_everything_can_be_read(browser: Browser, tmp_path: Path):
    file = tmp_path / "page.html"
    file.write_text(html(extract()), encoding="utf-8")
    window = browser.new_page(java_script_enabled=False)
    window.goto(file.as_uri())

    assert window.locator(".phrase b").count() == 22
    expect(window.get_by_text("“deny”: denied")).to_be_visible()
    window.close()
