"""Whatever a document holds, it is text: nothing of it runs, and nothing of it is loaded."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from browsing import Opener
from playwright.sync_api import Browser, Error, Page

import tlex
from tlex.viewer.data import Entry
from tlex.viewer.page import html, list_page, refusal_page

SHOTS = (
    "<script>window.hit=1</script>",
    "</script><script>window.hit=2</script>",
    "<img src=x onerror=window.hit=3>",
    '"><svg onload=window.hit=4>',
    "' onmouseover='window.hit=5",
    "javascript:window.hit=6",
    "<!--<script>",
    "]]><iframe srcdoc='<script>parent.hit=7</script>'>",
    "&lt;script&gt;window.hit=8&lt;/script&gt;",
    "\u2028window.hit=9\u2029",
    "{{constructor.constructor('window.hit=10')()}}",
    "</style><style>@import 'http://example.invalid/'</style>",
    "</title><script>window.hit=11</script>",
)


def arm() -> tlex.Document:
    """A document with something nasty in every place where words can stand."""
    words, instances, links = [], [], []
    for number, shot in enumerate(SHOTS):
        attribute, name = quoteattr(shot), quoteattr(f"{shot}{number}")
        words.append(
            f"<EVENT eid={name} class={attribute} x={attribute}>{escape(shot)}</EVENT> "
            f'and <TIMEX3 tid={quoteattr(f"t{shot}{number}")} type="DATE" value={attribute}>'
            f"{escape(shot)}</TIMEX3>.\n"
        )
        instances.append(f"<MAKEINSTANCE eventID={name} eiid={quoteattr(f'i{shot}{number}')}/>")
        if number:
            before = quoteattr(f"i{SHOTS[number - 1]}{number - 1}")
            ends = f"eventInstanceID={before} relatedToEventInstance="
            own = quoteattr(f"i{shot}{number}")
            links.append(f'<TLINK lid={name} relType="BEFORE" {ends}{own}/>')
            links.append(
                f"<SLINK lid={quoteattr(f's{shot}')} relType={attribute} eventInstanceID={before}"
                f" subordinatedEventInstance={quoteattr(f'gone{shot}')}/>"
            )
    first, last = (quoteattr(f"i{SHOTS[at]}{at}") for at in (0, 3))
    links.append(
        f"<TLINK lid={quoteattr(SHOTS[2])} relType='AFTER' eventInstanceID={first}"
        f" relatedToEventInstance={last}/>"
    )
    return tlex.parse(
        f"<TimeML>{''.join(words)}{escape(''.join(SHOTS))}{''.join(instances + links)}</TimeML>",
        name="".join(SHOTS),
    )


def look(page: Page) -> None:
    """Nothing ran; nothing is there that could run or load."""
    assert page.evaluate("() => window.hit") is None
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, object, embed, link:not([rel=icon]), base, form").count() == 0
    assert (
        page.evaluate(
            """() => [...document.querySelectorAll("*")].flatMap((e) => [...e.attributes])
          .filter((a) => /^on/i.test(a.name) || /^\\s*javascript:/i.test(a.value)
            && /href|src|action/i.test(a.name)).map((a) => a.name)"""
        )
        == []
    )


def test_markup_in_texts_ids_and_attributes_is_shown_as_text(show: Opener):
    result = tlex.extract(arm())
    assert not result.consistent
    page = show(result)
    look(page)

    for mark in page.locator(".text .mark").all()[::3]:
        mark.click()
        look(page)
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    page.keyboard.press("c")
    page.locator(".details button").last.click()
    page.locator("#search").fill(SHOTS[0])

    look(page)
    shown = page.locator(".prose").text_content()
    assert all(shot in shown for shot in SHOTS)


def test_what_an_address_says_is_no_markup_either(show: Opener):
    result = tlex.extract(arm())

    for shot in SHOTS[:5]:
        page = show(result, f"#q={shot}&s={shot}&l={shot}&h={shot}")
        look(page)


def test_lists_and_refusals_are_inert(show: Opener, tmp_path: Path):
    entries = tuple(
        Entry(name=f"{shot}{number}", href=f"/document/{number}", verdict="broken", message=shot)
        for number, shot in enumerate(SHOTS)
    )
    pages = [list_page("".join(SHOTS), entries), refusal_page(SHOTS[0], "".join(SHOTS))]
    for number, content in enumerate(pages):
        file = tmp_path / f"{number}.html"
        file.write_text(content, encoding="utf-8")
        page = show(file)
        look(page)
        assert SHOTS[2] in page.locator("main").text_content()


def test_the_policy_stops_what_would_get_through(browser: Browser, tmp_path: Path):
    """The second line of defence: break the first, and still nothing runs."""
    page = html(tlex.extract(tlex.from_links([("a", "BEFORE", "b")])))
    attack = (
        "<script>window.hit=1</script><img src=x onerror=window.hit=2>"
        "<style>body{color:red !important}</style><p style='color:red'>"
        "<img src='http://127.0.0.1:9/'><script src='http://127.0.0.1:9/'></script>"
    )
    file = tmp_path / "broken.html"
    file.write_text(page.replace("<noscript>", f"{attack}<noscript>"), encoding="utf-8")
    window = browser.new_page()
    messages: list[str] = []
    window.on("console", lambda message: messages.append(message.text))

    window.goto(file.as_uri())
    window.wait_for_selector("html[data-ready]", state="attached")

    assert window.evaluate("() => window.hit") is None
    assert window.evaluate("() => getComputedStyle(document.body).color") != "rgb(255, 0, 0)"
    with pytest.raises(Error, match="TrustedHTML"):
        window.evaluate("() => { document.body.innerHTML = '<b>' }")
    window.close()
    assert len([line for line in messages if "Content Security Policy" in line]) >= 5


# --- without a browser ----------------------------------------------------------------------------


def data_of(page: str) -> str:
    return page.partition('id="data">')[2].partition("</script>")[0]


def test_embedded_data_cannot_end_its_element():
    document = arm()
    result = tlex.extract(document)

    page = html(result)

    data = data_of(page)
    assert not set(data) & set("<>&\u2028\u2029")
    decoded = json.loads(data)
    assert decoded["name"] == document.name
    assert {node["id"] for node in decoded["nodes"]} == {node.id for node in document.nodes}
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert "<" not in title
    assert unescape(title).startswith(document.name)
