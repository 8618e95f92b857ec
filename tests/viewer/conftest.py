"""One window for all tests; whatever a page does wrong fails the test that opened it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Opener
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

import tlex
from tlex.viewer.page import html

PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What is visible is painted in the next frame."""


@pytest.fixture(scope="session")
def page(browser: Browser) -> Page:
    """Give the one window that all tests use; whatever it shows is gone with the next page."""
    page = browser.new_page()
    page.set_default_timeout(10_000)
    return page


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Iterator[Opener]:
    """Open a page: of a result, of a path, or at an address. No page may ask a host for anything.

    Nor may it write an error to the console, or raise one. That a document is missing is news, and
    the browser tells it there too.
    """
    wrong: list[str] = []
    homes = ["file:"]
    written = 0

    def look(request: Request) -> None:
        if not request.url.startswith((*homes, "data:")):
            wrong.append(f"asks {request.url}")

    def listen(message: ConsoleMessage) -> None:
        missing = "status of 404" in message.text and message.location["url"] in page.url
        if message.type in {"error", "warning"} and not missing:
            wrong.append(message.text)

    page.on("pageerror", raised := lambda error: wrong.append(f"error: {error}"))
    page.on("console", listen)
    page.on("request", look)

    def open_page(  # noqa: PLR0913 -- one argument an option
        thing: tlex.Extraction | Path | str,
        fragment: str = "",
        size: tuple[int, int] = (1400, 850),
        *,
        dark: bool = False,
        home: str = "file:",
        view: str = "map",
    ) -> Page:
        nonlocal written
        homes.append(home)
        page.goto("about:blank")  # otherwise only the fragment may change
        page.set_viewport_size({"width": size[0], "height": size[1]})
        scheme = "dark" if dark else "light"
        page.emulate_media(media="screen", color_scheme=scheme, reduced_motion="reduce")
        if isinstance(thing, tlex.Extraction):
            written += 1
            file = tmp_path / f"page{written}.html"
            file.write_text(html(thing, view=view), encoding="utf-8")
            thing = file
        elif view != "reading":
            fragment = f"{fragment}&v={view}" if fragment else f"#v={view}"
        page.goto((thing.as_uri() if isinstance(thing, Path) else thing) + fragment)
        page.wait_for_selector("html[data-ready]", state="attached")
        page.evaluate(PAINTED)
        return page

    homes.append("about:blank")
    yield open_page
    page.goto("about:blank")
    page.remove_listener("pageerror", raised)
    page.remove_listener("console", listen)
    page.remove_listener("request", look)
    assert not wrong
