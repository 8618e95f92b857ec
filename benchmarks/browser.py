"""How long the page of a large document takes in a real browser; `draw` prints it.

*page*: making the HTML, without the extraction. Then for the reading view and for the map: *paint*:
until chromium has painted something, and *ready*: until the page answers, both from the start of
loading; *scroll*: the longest frame while the reading view is scrolled to its end; *zoom*: the
longest frame while all of the map comes into view, and back; *choose*: until a click on an event
has coloured everything.
"""

from __future__ import annotations

import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import tlex
from tlex.viewer.page import html

# Press a key, and give the longest time between two frames until things have come to rest.
ZOOM = """async (key) => {
  const frames = [];
  let last = 0, going = true;
  const look = (now) => {
    if (last) frames.push(now - last);
    last = now;
    if (going) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  dispatchEvent(new KeyboardEvent("keydown", { key }));
  await new Promise((go) => setTimeout(go, 700));
  going = false;
  return Math.max(...frames);
}"""
# Scroll to the end in sixty steps, and give the longest time between two frames.
SCROLL = """async () => {
  const pane = document.querySelector(".reading.pane");
  const frames = [];
  let last = 0;
  for (let step = 1; step <= 60; step += 1) {
    pane.scrollTop = (pane.scrollHeight * step) / 60;
    const now = await new Promise((go) => requestAnimationFrame(go));
    if (last) frames.push(now - last);
    last = now;
  }
  return Math.max(...frames);
}"""
CHOOSE = """async (what) => {
  const start = performance.now();
  document.querySelectorAll(what)[100].click();
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - start;
}"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def report_pages(documents: dict[str, tlex.Document]) -> None:
    """Print one line a document, if there is a browser."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    try:
        browsing = import_module("browsing")
        playwright = import_module("playwright.sync_api")
    except ModuleNotFoundError as error:
        print(f"no pages: {error.name} is not installed")
        return
    if not browsing.CHROMIUM:
        print("no pages: there is no chromium")
        return
    print(f"\n{'in chromium':>14} {'view':>8} {'events':>7} {'MB':>6} {'page ms':>8}", end="")
    print(f" {'paint':>7} {'ready':>7} {'scroll':>7} {'zoom':>7} {'choose':>7}")
    with playwright.sync_playwright() as started, tempfile.TemporaryDirectory() as folder:
        browser = started.chromium.launch(executable_path=browsing.CHROMIUM, args=browsing.FLAGS)
        for shape, document in documents.items():
            result = tlex.extract(document)
            result.record()
            start = time.perf_counter()
            page = html(result)
            made = (time.perf_counter() - start) * 1e3
            file = Path(folder) / "page.html"
            file.write_text(page, encoding="utf-8")
            for view in ("reading", "map"):
                times = _measure(browser, file, view)
                print(f"{shape:>14} {view:>8} {len(result.nodes):>7,}", end="")
                print(f" {len(page) / 1e6:>6.1f} {made:>8.0f}", end="")
                print("".join(f" {'' if time is None else f'{time:.0f}':>7}" for time in times))
        browser.close()


def _measure(browser: Any, file: Path, view: str) -> list[float | None]:  # noqa: ANN401 -- playwright may be missing
    window = browser.new_page(viewport={"width": 1400, "height": 850})
    start = time.perf_counter()
    window.goto(f"{file.as_uri()}#v={view}")
    window.wait_for_selector("html[data-ready]", state="attached")
    ready = (time.perf_counter() - start) * 1e3
    window.wait_for_timeout(500)
    scroll = zoom = None
    if view == "reading":
        scroll = window.evaluate(SCROLL)
    else:
        zoom = max(window.evaluate(ZOOM, key) for key in ("0", "1", "+", "-"))
    chosen = window.evaluate(CHOOSE, ".phrase" if view == "reading" else ".mark")
    times = [window.evaluate(PAINT), ready, scroll, zoom, chosen]
    window.close()
    return times
