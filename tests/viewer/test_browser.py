"""The page in a real browser: what one sees, and what one can do with mouse and keyboard."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Opener
from playwright.sync_api import Page, expect

import tlex
from tlex.draw.layout import lay_out
from tlex.viewer.data import Entry
from tlex.viewer.page import list_page

EXAMPLES = Path(__file__).parents[2] / "examples"
TIMEBANK = (
    "wsj_1073.tml",
    "wsj_1039.tml",
    "NYT19980212.0019.tml",
    "VOA19980305.1800.2603.tml",
    "WSJ910225-0066.tml",
)
DOCUMENTS = ("story.tml", "contradiction.tml", *TIMEBANK)

# Everything in the picture that takes room: whose it is, and where.
MEASURE = """() => {
  const box = (e) => {
    const r = e.getBoundingClientRect();
    return [r.left, r.top, r.right, r.bottom];
  };
  const view = box(document.querySelector("svg.picture"));
  const things = [];
  const add = (owner, what, elements) => {
    for (const e of elements) things.push({ owner, what, box: box(e), words: e.textContent });
  };
  document.querySelectorAll("svg.picture .thing").forEach((e, n) => {
    add(n, "body", e.querySelectorAll(".body"));
    add(n, "words", e.querySelectorAll("text"));
  });
  document.querySelector("svg.picture")
    .querySelectorAll(".connector text, .band text, .tie text, .title, .caption, .step")
    .forEach((e, n) => add(-1 - n, "words", [e]));
  document.querySelectorAll(".picture .date text, .picture .start text")
    .forEach((e, n) => add(`date ${n}`, "words", e.textContent ? [e] : []));
  return { view, things };
}"""


def read(name: str, request: pytest.FixtureRequest, *, calendar: bool = False) -> tlex.Extraction:
    """Extract an example, or a document of TimeBank where there is one."""
    if (EXAMPLES / name).exists():
        return tlex.extract(tlex.read(EXAMPLES / name), calendar=calendar)
    corpora: Path = request.getfixturevalue("corpora")
    return tlex.extract(tlex.read(corpora / "timebank-1.2" / name), calendar=calendar)


@pytest.fixture
def story(show: Opener) -> Page:
    return show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), size=(1920, 1300))


def address_of(conflict: tlex.Conflict) -> str:
    """The address of a contradiction: its links."""
    return "#c=" + "+".join(sorted(conflict.minimal))


def bar(page: Page, words: str, number: int = 0) -> Any:
    return page.locator("svg.picture .thing", has_text=words).nth(number)


def mark(page: Page, words: str, number: int = 0) -> Any:
    return page.locator(".text .mark", has_text=words).nth(number)


def inside(page: Page, thing: Any, pane: str) -> bool:
    inner, outer = thing.bounding_box(), page.locator(pane).bounding_box()
    return (
        inner["x"] + inner["width"] > outer["x"]
        and inner["x"] < outer["x"] + outer["width"]
        and inner["y"] >= outer["y"]
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    )


# --- the picture --------------------------------------------------------------------------------


@pytest.mark.parametrize("calendar", [False, True])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_bar_is_in_the_view_and_nothing_overlaps(
    name: str,
    calendar: bool,  # noqa: FBT001
    request: pytest.FixtureRequest,
    show: Opener,
):
    result = read(name, request, calendar=calendar)
    drawn = show(result).evaluate(
        "() => JSON.parse(document.getElementById('data').textContent).picture"
    )
    room = drawn["width"] * drawn["step"], drawn["height"] * drawn["row"]
    size = max(int(room[0] / 0.66) + 200, 1200), max(int(room[1] / 0.64) + 300, 900)
    page = show(result, "#z=1,0,0", size)
    page.wait_for_function(f"() => ({MEASURE})().things.length")  # until it is drawn

    found = page.evaluate(MEASURE)

    left, top, right, bottom = found["view"]
    bodies = [thing for thing in found["things"] if thing["what"] == "body"]
    assert len({thing["owner"] for thing in bodies}) >= len(result.nodes)
    for thing in found["things"]:
        x, y, x2, y2 = thing["box"]
        assert left <= x <= x2 <= right, thing
        assert top <= y <= y2 <= bottom, thing
    assert list(overlaps(found["things"])) == []


def overlaps(things: list[dict[str, Any]]) -> Any:
    """Each two things of different owners that share more than a hair's breadth."""
    ordered = sorted(things, key=lambda thing: thing["box"][0])
    hair = 0.6
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other["box"][0] >= one["box"][2] - hair:
                break
            if one["owner"] == other["owner"]:
                continue
            # The line of a font is higher than its letters.
            grace = 2.5 if "words" in (one["what"], other["what"]) else hair
            if min(one["box"][3], other["box"][3]) - max(one["box"][1], other["box"][1]) > grace:
                yield one["words"], other["words"]


@pytest.mark.parametrize("name", DOCUMENTS[:-1])  # the last one is too large for a window
def test_fit_shows_every_bar_at_once_where_there_is_room(
    name: str, request: pytest.FixtureRequest, show: Opener
):
    result = read(name, request)
    picture = lay_out(result)
    room = picture.width * picture.step, picture.height * picture.row
    size = max(int(room[0] / 0.66) + 200, 1200), max(int(room[1] / 0.6) + 300, 900)
    page = show(result, "#z=2,0,0", size)

    page.keyboard.press("0")
    page.wait_for_timeout(150)
    page.wait_for_function(
        "(many) => document.querySelectorAll('svg.picture .bars .thing .body').length === many",
        arg=len(result.nodes),
    )

    view = page.locator("svg.picture").bounding_box()
    boxes = page.eval_on_selector_all(
        "svg.picture .bars .thing .body",
        """(all) => all.map((e) => e.getBoundingClientRect())
            .map((r) => [r.x, r.y, r.right, r.bottom])""",
    )
    assert len(boxes) == len(result.nodes)
    for x, y, right, bottom in boxes:
        assert view["x"] - 1 <= x <= right <= view["x"] + view["width"] + 1
        assert view["y"] - 1 <= y <= bottom <= view["y"] + view["height"] + 1


def test_the_first_view_holds_the_story_where_there_is_room_and_choosing_keeps_it(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), size=(1920, 1300))

    for words in (None, "attended", "built"):
        if words:
            mark(page, words).click()
        page.wait_for_timeout(100)
        assert page.locator(".overview").is_hidden()
        things = page.locator("svg.picture .bars .thing")
        assert things.count() == 26
        for number in range(26):
            assert inside(page, things.nth(number), ".stage"), words
        needed = page.locator(".details").evaluate("(e) => [e.scrollHeight, e.clientHeight]")
        assert needed[0] == needed[1]

    mark(page, "attended").click()
    assert inside(page, bar(page, "attended").locator(".body"), ".stage")
    for _ in range(2):
        page.keyboard.press("+")

    expect(page.locator(".overview")).to_be_visible()


def test_details_leave_most_of_the_room_to_the_picture(
    request: pytest.FixtureRequest, show: Opener
):
    result = read(TIMEBANK[-1], request)
    page = show(result, address_of(result.conflicts[0]))

    right, details = (page.locator(one).bounding_box() for one in (".right", ".details"))
    assert details["height"] <= 0.4 * right["height"]


def test_equal_points_line_up_and_bars_stand_on_their_steps(story: Page):
    def ends(words: str) -> tuple[float, float]:
        body = bar(story, words).locator(".body")
        left, width = (float(body.get_attribute(name)) for name in ("x", "width"))
        return left, left + width

    snowed, afternoon = ends("snowed"), ends("yesterday afternoon")
    coughed, stopped = ends("coughed"), ends("stopped")

    assert snowed == afternoon
    assert coughed[1] == stopped[0]
    grid = story.locator(".grid").first.get_attribute("d")
    columns = {float(x) for x in re.findall(r"M([\d.]+) ", grid)}
    assert columns.issuperset({*snowed, *coughed, *stopped})


def test_chips_have_their_words_in_the_middle(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")))

    middles = page.eval_on_selector_all(
        ".picture .chip",
        """(all) => all.map((e) => [...e.querySelectorAll(".body, text")]
            .map((one) => one.getBoundingClientRect()).map((r) => r.x + r.width / 2))""",
    )

    assert middles
    assert all(body == pytest.approx(words, abs=0.5) for body, words in middles)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_legend_lists_what_the_static_one_does(
    name: str, request: pytest.FixtureRequest, show: Opener
):
    result = read(name, request)
    static = static_legend(tlex.draw.svg(result))

    page = show(result)

    assert page.locator(".legend li").all_text_contents() == static


def static_legend(svg: str) -> list[str]:
    legend = svg.partition('class="legend"')[2]
    return re.findall(r'</g><text x="42" y="13">([^<]*)</text>', legend)


def test_the_legend_has_no_key_for_what_is_not_there(show: Opener):
    page = show(tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")])))

    expect(page.locator(".legend li")).to_have_text(["factual"])


def test_stretches_of_unknown_order_say_how_many_orders_are_possible(story: Page):
    expect(story.locator(".band text")).to_have_text("4 points, 13 orders")


# --- text and timeline --------------------------------------------------------------------------


def test_hovering_words_shows_their_bar_and_the_other_way_round(show: Opener):
    pointed = re.compile(r"\bpointed\b")
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), "#z=2,0,0", (1400, 480))
    assert bar(page, "cheered").count() == 0  # too far away to be painted
    mark(page, "cheered").scroll_into_view_if_needed()
    assert not inside(page, mark(page, "snowed"), ".text")

    mark(page, "cheered").hover()

    expect(bar(page, "cheered")).to_have_class(pointed)  # it has been brought into view
    assert inside(page, bar(page, "cheered").locator(".body"), ".stage")

    page.evaluate("() => { location.hash = '#z=1,0,0'; }")
    page.wait_for_timeout(100)
    bar(page, "snowed").locator(".body").hover()

    expect(mark(page, "snowed")).to_have_class(pointed)
    expect(mark(page, "cheered")).not_to_have_class(pointed)
    expect(mark(page, "snowed")).to_be_in_viewport()
    page.wait_for_timeout(150)  # until the pointer has come to rest
    assert inside(page, mark(page, "snowed"), ".text")


def test_choosing_on_one_side_brings_the_other_into_view(
    request: pytest.FixtureRequest, show: Opener
):
    page = show(read(TIMEBANK[-1], request))
    last = page.locator(".text .mark").last
    last.scroll_into_view_if_needed()

    last.click()

    number = last.get_attribute("data-node")
    chosen = page.locator(f'.bars .thing[data-node="{number}"]')
    expect(chosen).to_have_attribute("aria-pressed", "true")
    assert inside(page, chosen, ".stage")

    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")

    chosen = page.locator('.mark[aria-pressed="true"]').first
    assert inside(page, chosen, ".text")


def test_choosing_shows_only_its_own_links(story: Page):
    mark(story, "coughed").click()

    arcs = story.eval_on_selector_all(".arc", "(all) => all.map((e) => e.dataset.link)")
    listed = story.eval_on_selector_all(
        ".details .links button", "(all) => all.map((e) => e.dataset.link)"
    )
    assert sorted(arcs) == sorted(listed) == ["l4", "l5", "l6", "l7"]
    assert story.locator(".connector:not(.dim)").count() == 0


def test_links_that_have_a_connector_get_no_second_line(story: Page):
    mark(story, "promised").click()

    arcs = story.eval_on_selector_all(".arc", "(all) => all.map((e) => e.dataset.link)")
    lines = story.eval_on_selector_all(
        ".connector:not(.dim)", "(all) => all.map((e) => e.dataset.link)"
    )
    assert (sorted(arcs), sorted(lines)) == (["l14", "l18"], ["l28", "l29"])


def test_two_show_their_relation_and_each_link_of_the_proof_can_be_clicked(story: Page):
    mark(story, "built").click()
    mark(story, "midnight").click(modifiers=["Shift"])

    details = story.locator(".details")
    expect(details.locator("h2")).to_have_text("“built” (ei2) is before “midnight” (t4)")
    steps = details.locator(".proof li[data-link]")
    assert steps.evaluate_all("(all) => all.map((e) => e.dataset.link)") == ["l4", "l6", "l20"]

    steps.nth(1).locator("button").click()

    expect(details.locator(".card")).to_contain_text("TLINK l6")
    expect(story.locator(".arc.lit")).to_have_attribute("data-link", "l6")
    assert mark(story, "coughed").get_attribute("class").split()[-1] == "end"


def test_with_two_the_colours_are_still_explained_relative_to_the_first(story: Page):
    mark(story, "built").click()
    alone = story.locator(".groups li").all_text_contents()
    mark(story, "midnight").click(modifiers=["Shift"])

    expect(story.locator(".details .relative > span")).to_have_text("Relative to “built”:")
    assert story.locator(".groups li").all_text_contents() == alone


VISION = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "without red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "without green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}  # Machado, Oliveira and Fernandes 2009


@pytest.mark.parametrize("dark", [False, True])
def test_the_groups_have_colours_of_their_own_for_every_eye(show: Opener, *, dark: bool):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), "#s=ei2", dark=dark)
    fills = {
        group: page.locator(f".groups .swatch.{group}").evaluate(
            "(e) => getComputedStyle(e).backgroundColor.match(/\\d+/g).map(Number)"
        )
        for group in ("before", "overlapping", "after", "unknown")
    }
    kinds = {
        kind: page.evaluate(
            """(kind) => getComputedStyle(document.documentElement).getPropertyValue(kind)
                .trim().match(/[0-9a-f]{2}/g).map((two) => parseInt(two, 16))""",
            f"--{kind}",
        )
        for kind in ("event", "time")
    }

    for vision in VISION.values():
        for one, other in combinations(fills.values(), 2):
            assert differ(one, other, vision) > 0.1
    for one in fills.values():
        for other in kinds.values():
            assert differ(one, other, VISION["usual"]) > 0.12


def differ(one: list[int], other: list[int], vision: Any) -> float:
    """How far two colours lie apart in OKLab, for some eye; black and white are 1 apart."""
    return dist(
        *(oklab(multiply(vision, [linear(part / 255) for part in c])) for c in (one, other))
    )


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def multiply(matrix: Any, vector: Any) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def oklab(colour: list[float]) -> list[float]:
    cones = multiply(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        [max(part, 0) for part in colour],
    )
    return multiply(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        [max(cone, 0) ** (1 / 3) for cone in cones],
    )


def test_compare_works_without_a_keyboard(story: Page):
    bar(story, "built").click()
    story.get_by_role("button", name="Compare with another").click()
    bar(story, "warmed").locator(".body").click()

    expect(story.locator(".details h2")).to_have_text(
        "The order of “built” (ei2) and “warmed” (ei3) is unknown"
    )


def test_across_timelines_the_slinks_are_listed(story: Page):
    mark(story, "snowed").click()
    mark(story, "attended").click(modifiers=["Shift"])

    expect(story.locator(".details h2")).to_contain_text("are not related in time")
    links = story.eval_on_selector_all(
        ".details .links button", "(all) => all.map((e) => e.dataset.link)"
    )
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"))
    assert links == [step.link for step in result.relation("ei1", "ei15").path]


def test_words_that_several_events_share_give_one_after_the_other(show: Opener):
    text = (
        '<TimeML>They <EVENT eid="e1" class="OCCURRENCE">met</EVENT> twice.'
        '<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e1" eiid="ei2"/>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="ei2"/>'
        "</TimeML>"
    )
    page = show(tlex.extract(tlex.parse(text)))
    heads = []
    for _ in range(2):
        mark(page, "met").click()
        heads.append(page.locator(".details h2").text_content())

    assert heads == ["“met” (ei1)", "“met” (ei2)"]


def test_what_has_no_words_in_the_text_is_listed(show: Opener):
    page = show(tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")])))

    mark(page, "broke").click()

    expect(bar(page, "broke")).to_have_attribute("aria-pressed", "true")


def test_each_of_several_documents_has_its_text_under_its_name(show: Opener):
    names = ("contradiction.tml", "story.tml")
    merged = tlex.merge([tlex.read(EXAMPLES / name, name=name) for name in names])
    page = show(tlex.extract(merged), "#s=story%23t4")

    heads = page.locator("#text h2.source")
    expect(heads).to_have_text(names)
    expect(page.locator("#details")).to_contain_text("story.tml")
    place = heads.nth(1).bounding_box()["y"]
    expect(mark(page, "midnight")).to_be_in_viewport()
    assert mark(page, "midnight").bounding_box()["y"] > place
    assert mark(page, "washed").bounding_box()["y"] < place


@pytest.mark.parametrize(
    ("chosen", "groups"),
    [
        ("ei1", ["4 without an order (this timeline is contradictory)", "1 on another timeline"]),
        ("ei5", ["4 without an order (this timeline is contradictory)", "1 on another timeline"]),
    ],
)
def test_what_has_no_order_is_listed_with_the_reason(show: Opener, chosen: str, groups: list[str]):
    page = show(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")), f"#s={chosen}")

    expect(page.locator(".groups li")).to_have_text(groups)


# --- contradictions -----------------------------------------------------------------------------


def test_a_contradiction_jumps_to_text_and_ring(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")))

    page.locator(".conflicts button").click()

    guilty = page.eval_on_selector_all(".mark.guilty", "(all) => all.map((e) => e.textContent)")
    assert guilty == ["ate", "washed", "arrived"]
    assert inside(page, page.locator(".ring.lit .track"), ".stage")
    expect(page.locator(".details h2").first).to_have_text(
        "Contradiction 1: these 3 links cannot all hold"
    )
    ties = page.eval_on_selector_all(".tie.lit", "(all) => all.map((e) => e.dataset.link)")
    assert sorted(ties) == ["l2", "l3", "l4"]


def test_a_mended_page_draws_the_links_left_out_and_lists_them(show: Opener):
    result = tlex.extract(tlex.read(EXAMPLES / "contradiction.tml"), mend=True)
    page = show(result)

    drawn = page.eval_on_selector_all(
        ".picture [data-link].left-out", "(all) => all.map((e) => e.dataset.link)"
    )
    listed = page.eval_on_selector_all(
        ".left-outs button", "(all) => all.map((e) => e.textContent)"
    )
    dashes = page.locator(".picture .left-out .line").evaluate(
        "(e) => getComputedStyle(e).strokeDasharray"
    )
    assert drawn == list(result.mended) == ["l3"]
    assert listed == ["“washed” BEFORE “arrived”l3, line 23, left out"]
    assert dashes != "none"
    assert not page.locator(".ring, .chip").count()
    expect(page.locator(".conflicts .number")).to_have_text(["1."])

    page.locator(".left-outs button").click()
    expect(page.locator(".picture .left-out.lit")).to_have_count(1)
    expect(page.locator(".details .card")).to_contain_text("left out to mend the contradictions")

    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.locator(".details h2").first).to_have_text(
        "Contradiction 1: these 3 links cannot all hold"
    )
    guilty = page.eval_on_selector_all(".mark.guilty", "(all) => all.map((e) => e.textContent)")
    assert guilty == ["ate", "washed", "arrived"]
    arcs = page.eval_on_selector_all(".arc", "(all) => all.map((e) => e.dataset.link)")
    assert sorted(arcs) == ["l2", "l4"]


def test_an_answer_of_a_mended_page_names_the_links_left_out(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml"), mend=True), "#s=ei1&s=ei3")

    expect(page.locator(".details .repair")).to_have_text("Mended: this is the answer without l3.")
    expect(page.locator(".details h2").first).to_contain_text("is before")


def test_each_contradiction_brings_its_own_ring_into_view(
    request: pytest.FixtureRequest, show: Opener
):
    result = read(TIMEBANK[-1], request)
    page = show(result)

    for conflict in result.conflicts:
        page.keyboard.press("c")
        ties = page.locator(".ring.lit .tie")
        expect(ties.first).to_be_attached()
        links = ties.evaluate_all("(all) => all.map((e) => e.dataset.link)")
        assert sorted(links) == sorted(conflict.links)
        assert inside(page, page.locator(".ring.lit .caption"), ".stage")
    assert len(result.conflicts) == 6

    page = show(result, address_of(result.conflicts[0]))  # an address leads there as well
    assert inside(page, page.locator(".ring.lit .caption"), ".stage")
    assert inside(page, page.locator(".mark.guilty").first, ".text")


# --- search, filters, folding, zoom ---------------------------------------------------------------


def test_search_finds_words_and_ids(story: Page):
    story.keyboard.press("/")
    story.keyboard.type("hoot")
    expect(story.locator(".hits")).to_have_text("2 matches")
    assert story.locator(".mark.found").count() == 2
    story.keyboard.press("Enter")
    story.keyboard.press("Enter")
    expect(story.locator(".hits")).to_have_text("2 of 2")
    expect(story.locator(".details h2")).to_have_text("“hoot” (ei19)")

    story.locator("#search").fill("ei4")

    expect(story.locator(".mark.found")).to_have_text(["coughed"])


@pytest.mark.parametrize(
    ("value", "out"),
    [("kind:time", 5), ("factuality:counterfactual", 2), ("timeline:1", 3)],
)
def test_filters_put_things_out(story: Page, value: str, out: int):
    story.keyboard.press("v")
    story.locator(f'.filters input[value="{value}"]').uncheck()

    expect(story.locator(".mark.out")).to_have_count(out)
    expect(story.locator(".bars .thing:not(.out)")).to_have_count(26 - out)

    story.get_by_role("button", name="Show all").click()

    expect(story.locator(".mark.out")).to_have_count(0)
    expect(story.locator(".bars .thing:not(.out)")).to_have_count(26)


@pytest.mark.parametrize("fragment", ["", "&s=ei15"])
def test_what_is_chosen_comes_back_if_its_timeline_was_filtered_out(show: Opener, fragment: str):
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"))
    timeline = next(one.id for one in result.timelines if "ei15" in one.intervals)
    page = show(result, f"#h=kind:time&h=timeline:{timeline}{fragment}")
    if not fragment:
        expect(bar(page, "attended")).to_have_count(0)
        mark(page, "attended").click()

    expect(bar(page, "attended")).to_have_attribute("aria-pressed", "true")
    assert inside(page, bar(page, "attended").locator(".body"), ".stage")
    assert page.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('h')") == [
        "kind:time"
    ]


def test_a_branch_folds_with_all_that_hangs_from_it(story: Page):
    story.keyboard.press("0")
    assert bar(story, "attended").count() == 1

    story.locator(".fold").first.click()

    expect(bar(story, "hoot", 1)).to_have_count(0)
    expect(bar(story, "attended")).to_have_count(0)

    mark(story, "learned").click()  # and what is chosen comes back

    expect(bar(story, "learned")).to_have_attribute("aria-pressed", "true")

    mark(story, "promised").click()
    story.keyboard.press("f")

    expect(bar(story, "learned")).to_have_count(0)
    expect(story.locator(".fold.shut")).to_have_count(1)

    story.keyboard.press("f")

    expect(bar(story, "deny")).to_have_count(1)


def test_zooming_and_panning_move_the_picture(story: Page):
    def place() -> dict[str, float]:
        return bar(story, "built").locator(".body").bounding_box()

    before = place()
    story.mouse.move(before["x"] + 5, before["y"] + 5)
    story.keyboard.down("Control")
    story.mouse.wheel(0, -300)
    story.keyboard.up("Control")
    story.wait_for_timeout(100)
    larger = place()
    story.mouse.wheel(40, 30)
    story.wait_for_timeout(100)
    moved = place()
    story.mouse.move(900, 480)
    story.mouse.down()
    story.mouse.move(870, 480, steps=3)
    story.mouse.up()
    story.wait_for_timeout(100)
    dragged = place()

    assert larger["width"] > 1.2 * before["width"]
    assert moved["width"] == pytest.approx(larger["width"])
    assert moved["x"] == pytest.approx(larger["x"] - 40, abs=1)
    assert moved["y"] == pytest.approx(larger["y"] - 30, abs=1)
    assert dragged["x"] == pytest.approx(moved["x"] - 30, abs=4)  # the outline is thinner now


def test_the_address_holds_the_view(show: Opener):
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"))
    page = show(result)
    mark(page, "built").click()
    mark(page, "midnight").click(modifiers=["Shift"])
    page.locator("#search").fill("owl")
    page.locator("#search").evaluate("(e) => e.blur()")
    page.keyboard.press("F")
    page.keyboard.press("0")
    page.wait_for_timeout(400)

    def look() -> list[Any]:
        box = bar(page, "built").locator(".body").bounding_box()
        return [
            page.locator(".details").inner_text(),
            page.locator("#search").input_value(),
            page.locator(".bars .thing").count(),
            page.locator(".fold.shut").count(),
            [round(box[side]) for side in ("x", "y", "width")],
        ]

    before = look()
    assert before[2:4] == [21, 1]

    show(result, "#" + page.url.partition("#")[2])

    assert look() == before


def test_an_address_pasted_into_an_open_page_leads_there(
    request: pytest.FixtureRequest, show: Opener
):
    result = read(TIMEBANK[-1], request)
    page = show(result)
    last = page.locator(".text .mark").last.get_attribute("data-node")
    assert not inside(page, page.locator(".text .mark").last, ".text")

    page.evaluate("(id) => { location.hash = `#s=${id}`; }", result.nodes[int(last)].id)

    chosen = page.locator(f'.bars .thing[data-node="{last}"]')
    expect(chosen).to_have_attribute("aria-pressed", "true")
    assert inside(page, chosen.locator(".body"), ".stage")
    assert inside(page, page.locator(".text .mark").last, ".text")

    page.evaluate("(to) => { location.hash = to; }", address_of(result.conflicts[5]))

    expect(page.locator(".ring.lit")).to_have_count(1)
    assert inside(page, page.locator(".ring.lit .caption"), ".stage")
    assert inside(page, page.locator(".mark.guilty").first, ".text")


@pytest.mark.parametrize(
    "fragment",
    ["#s=nobody", "#s=ei1&s=nobody", "#z=0,0,0", "#z=x", "#c=99", "#l=l999", "#f=-1", "#%"],
)
def test_an_address_that_makes_no_sense_does_no_harm(show: Opener, fragment: str):
    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), fragment)

    assert page.locator(".bars .thing").count() > 10


# --- keyboard, screens, everybody -----------------------------------------------------------------


def test_everything_can_be_done_by_keyboard(story: Page):
    press = story.keyboard.press
    press("t")
    press("ArrowRight")
    expect(mark(story, "snowed")).to_be_focused()
    press("Enter")
    expect(story.locator(".details h2")).to_have_text("“snowed” (ei1)")

    press("g")
    for _ in range(30):  # somewhere to the right
        press("ArrowRight")
    focused = story.evaluate("() => document.activeElement.dataset.node")
    press("ArrowUp")
    assert story.evaluate("() => document.activeElement.dataset.node") != focused
    press("Shift+Enter")
    expect(story.locator(".details h2")).to_contain_text("“snowed” (ei1)")
    assert story.evaluate("() => location.hash").count("s=") == 2

    press("d")
    assert story.evaluate("() => document.activeElement.closest('.details') !== null")
    press("Escape")
    press("Escape")
    expect(story.locator(".details h2")).to_have_text("Consistent")

    press("?")
    expect(story.locator("dialog")).to_be_visible()
    press("Escape")
    expect(story.locator("dialog")).to_be_hidden()

    before = story.locator(".world").get_attribute("transform")
    press("+")
    press("Shift+ArrowRight")
    story.wait_for_timeout(100)
    assert story.locator(".world").get_attribute("transform") != before

    press("g")
    press("Home")
    shown = story.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('f').length")
    press("F")
    assert (
        story.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('f').length")
        > shown
    )


def test_the_filters_take_the_focus_and_give_it_back(story: Page):
    story.keyboard.press("t")
    before = story.evaluate("() => document.activeElement.textContent")

    story.keyboard.press("v")
    expect(story.locator(".filters input").first).to_be_focused()
    story.keyboard.press("Space")
    assert story.locator(".mark.out").count() > 0
    story.keyboard.press("Escape")

    expect(story.locator(".filters .sheet")).to_be_hidden()
    assert story.evaluate("() => document.activeElement.textContent") == before

    story.evaluate("() => document.activeElement.blur()")
    story.keyboard.press("v")
    story.keyboard.press("v")

    expect(story.locator(".filters .sheet")).to_be_hidden()
    expect(story.locator(".filters summary")).to_be_focused()


def test_contradictions_have_a_key(show: Opener):
    page = show(tlex.extract(tlex.read(EXAMPLES / "contradiction.tml")))

    page.keyboard.press("c")

    assert page.locator(".ring.lit").count() == 1


def test_tab_goes_through_bar_text_timeline_and_details(story: Page):
    seen = []
    for _ in range(20):
        story.keyboard.press("Tab")
        seen.append(
            story.evaluate(
                "() => (document.activeElement.closest('header, .text, .timeline, .details')"
                " ?? document.body).className"
            )
        )

    places = list(dict.fromkeys(seen))
    assert places[:4] == ["bar", "text pane", "timeline pane", "details pane"]


def test_the_focus_can_be_seen(story: Page):
    story.keyboard.press("g")

    stroke = "(e) => getComputedStyle(e.querySelector('.body')).strokeWidth"
    assert story.locator(".thing:focus").evaluate(stroke) == "3.4px"

    story.keyboard.press("t")

    assert (
        story.locator(".mark:focus").evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"
    )


def test_dark_screens_get_dark_pages(show: Opener):
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"))
    colours = [
        show(result, dark=dark).evaluate("() => getComputedStyle(document.body).backgroundColor")
        for dark in (False, True)
    ]

    assert colours == ["rgb(255, 255, 255)", "rgb(20, 24, 31)"]


def test_a_long_name_leaves_the_bar_one_line(show: Opener):
    heights = []
    for name in ("a.tml", "n" * 300 + ".tml"):
        page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml", name=name)), size=(1000, 700))
        heights.append(page.locator("header.bar").bounding_box()["height"])
        assert page.locator("header.bar .verdict").bounding_box()["x"] < 600

    assert heights[0] == heights[1] < 60
    assert page.locator("h1").evaluate("(e) => e.scrollWidth > e.clientWidth")


@pytest.mark.parametrize("name", ["story.tml", "contradiction.tml", TIMEBANK[-1]])
def test_on_paper_there_is_all_of_it_and_no_control(
    name: str, request: pytest.FixtureRequest, show: Opener
):
    result = read(name, request)
    page = show(result, "#z=2,0,0", (800, 500))
    things = page.locator("svg.picture .bars .thing")
    expect(things).not_to_have_count(len(result.nodes))

    page.emulate_media(media="print")

    expect(things).to_have_count(len(result.nodes))

    for control in page.locator("header.bar :is(button, input, summary, a), .close, .fold").all():
        assert control.is_hidden()
    for pane in (".text", ".stage", ".details"):
        whole = page.locator(pane).evaluate("(e) => [e.scrollHeight, e.clientHeight]")
        assert whole[0] <= whole[1] + 1, pane
    view = page.locator("svg.picture").bounding_box()
    assert view["width"] <= 800
    bodies = page.eval_on_selector_all(
        "svg.picture .bars .body", "(all) => all.map((e) => e.getBoundingClientRect().toJSON())"
    )
    assert len(bodies) == len(result.nodes)
    for body in bodies:
        assert view["x"] <= body["left"] <= body["right"] <= view["x"] + view["width"]
        assert view["y"] <= body["top"] <= body["bottom"] <= view["y"] + view["height"]

    page.emulate_media(media="screen")

    expect(things).not_to_have_count(len(result.nodes))


@pytest.mark.parametrize("name", ["story.tml", "contradiction.tml", TIMEBANK[-1]])
def test_a_narrow_window_stacks_the_panes(name: str, request: pytest.FixtureRequest, show: Opener):
    page = show(read(name, request), size=(360, 640))

    boxes = [
        page.locator(pane).bounding_box()
        for pane in ("header.bar", ".text", ".timeline", ".details")
    ]
    for above, below in pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"] + 1
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
    assert all(box["height"] >= 80 for box in boxes[1:])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    rights = page.eval_on_selector_all(
        "header.bar button, header.bar input, header.bar summary",
        "(all) => all.map((e) => e.getBoundingClientRect().right)",
    )
    assert 0 < max(rights) <= 360

    mark(page, page.locator(".text .mark").first.text_content()).first.click()

    assert page.locator(".details h2").first.is_visible()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("name", "fragment"),
    [("story.tml", ""), ("story.tml", "#s=ei2&q=owl"), ("story.tml", "#s=ei2&s=t4"),
     ("contradiction.tml", "#c=0"), (TIMEBANK[-1], "")],
)  # fmt: skip
def test_axe_finds_nothing_serious(
    name: str, fragment: str, *, dark: bool, request: pytest.FixtureRequest, show: Opener
):
    page = show(read(name, request), fragment, dark=dark)

    assert find_serious(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_in_lists_and_help(*, dark: bool, show: Opener, tmp_path: Path):
    entries = tuple(
        Entry(
            name=f"{verdict}.tml",
            href=f"{verdict}.html",
            verdict=verdict,
            message="why" if verdict == "broken" else "",
        )
        for verdict in ("waiting", "consistent", "inconsistent", "broken")
    )
    file = tmp_path / "index.html"
    file.write_text(list_page("corpus", entries), encoding="utf-8")

    assert find_serious(show(file, dark=dark)) == []

    page = show(tlex.extract(tlex.read(EXAMPLES / "story.tml")), dark=dark)
    page.keyboard.press("?")
    assert find_serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    assert find_serious(page) == []


def find_serious(page: Page) -> list[tuple[str, list[str]]]:
    return [
        (one["id"], [node["html"][:160] for node in one["nodes"]])
        for one in Axe().run(page).response["violations"]
        if one["impact"] in {"serious", "critical"}
    ]
