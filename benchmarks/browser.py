"""How long the page of a large document takes in a real browser; `draw` prints it.

*page*: making the HTML, without the extraction; *paint*: until chromium has painted something, and
*ready*: until the page answers, both from the start of loading; *zoom*: the longest frame while all
of the picture comes into view, and back; *choose*: until a click on a word has coloured everything.
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
CHOOSE = """async () => {
  const start = performance.now();
  document.querySelectorAll(".mark")[100].click();
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
    print(
        f"\n{'in chromium':>14} {'events':>7} {'MB':>6} {'page ms':>9} {'paint':>8} {'ready':>8}",
        end="",
    )
    print(f" {'zoom':>8} {'choose':>8}")
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
            times = _measure(browser, file)
            print(
                f"{shape:>14} {len(result.nodes):>7,} {len(page) / 1e6:>6.1f} {made:>9.0f}", end=""
            )
            print("".join(f" {taken:>8.0f}" for taken in times))
        browser.close()


def _measure(browser: Any, file: Path) -> list[float]:  # noqa: ANN401 -- playwright may be missing
    window = browser.new_page(viewport={"width": 1400, "height": 850})
    start = time.perf_counter()
    window.goto(file.as_uri())
    window.wait_for_selector("html[data-ready]", state="attached")
    ready = (time.perf_counter() - start) * 1e3
    window.wait_for_timeout(500)
    zoom = max(window.evaluate(ZOOM, key) for key in ("0", "1", "+", "-"))
    times = [window.evaluate(PAINT), ready, zoom, window.evaluate(CHOOSE)]
    window.close()
    return times
