"""Repair sessions in a real browser: by keyboard alone, and whatever happens meanwhile."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from axe_playwright_python.sync_playwright import Axe
from contradictory import LINK, contents, document, fill
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

import tlex

TWO = document(
    ("l1", "BEFORE", "b", "a"),
    ("l2", "BEFORE", "a", "b"),
    ("l3", "BEFORE", "d", "c"),
    ("l4", "BEFORE", "c", "d"),
)
PATTERN = document(
    ("l1", "BEFORE", "a", "b"),
    ("l2", "BEGINS", "a", "b"),
    ("l3", "BEFORE", "c", "d"),
    ("l4", "BEGINS", "c", "d"),
    ("l5", "AFTER", "b", "e"),
    ("l6", "AFTER", "e", "b"),
)
KEPT = ".tlex-decisions.jsonl"
expect.set_options(timeout=15_000)  # other tests may run at the same time


class Server:
    """A server that can be killed and started again."""

    def __init__(self, *arguments: str | Path) -> None:
        self.arguments = arguments
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "tlex", "view", *map(str, self.arguments), "--repair"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = self.process.stdout.readline().strip()
        self.home, self.token = self.address.split("#")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def page(self, name: str) -> str:
        return f"{self.home}repair/{name}#{self.token}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def serve() -> Iterator[partial]:
    started: list[Server] = []

    def start(*arguments: str | Path) -> Server:
        started.append(Server(*arguments))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    """Give a new window. It may ask nobody but its server, and nothing may go wrong in it."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(10_000)
    wrong: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # That a request was refused, or that nobody answered, is what some tests are about.
        if message.type in {"error", "warning"} and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def head(page: Page) -> str:
    return page.locator(".decision h2").text_content()


def decide_all(page: Page, *keys: str) -> int:
    """Take decision after decision: by the keys, one for each, and then by Enter alone."""
    left, taken = list(keys), 0
    while (words := head(page)).startswith("Decision"):
        expect(page.locator(".effect")).to_contain_text("ettles")  # it says what the option does
        if left:
            page.keyboard.press(left.pop(0))
        page.keyboard.press("Enter")
        taken += 1
        expect(page.locator(".decision h2")).not_to_have_text(words)
    return taken


def check_lines(before: str, after: str, kinds: tuple[str, ...]) -> None:
    """Nothing has changed but lines of links."""
    kept = set(after.splitlines())
    gone = [line for line in before.splitlines() if line not in kept]
    assert gone
    assert all(any(f"<{kind}" in line for kind in kinds) for line in gone), gone


# --- whole sessions -------------------------------------------------------------------------------


@pytest.mark.corpus
def test_a_document_of_timebank_is_repaired_by_keyboard_alone(corpora, folder, serve, window):
    folder.mkdir()
    for name in ("wsj_0124.tml", "wsj_0027.tml", "wsj_0006.tml"):
        shutil.copy(corpora / "timebank-1.2" / name, folder)
    before = (folder / "wsj_0124.tml").read_bytes().decode()
    server = serve(folder)
    window.goto(server.address)
    expect(window.locator(".verdicts button")).to_have_text(["2 unsettled", "1 consistent"])

    press(window, "]")
    window.wait_for_url(re.compile("wsj_0124"))
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 4")
    marked = window.locator(".said.asked")
    assert marked.count() == 3  # and the text has scrolled to them
    pane, words = (one.bounding_box() for one in (window.locator(".repair-text"), marked.first))
    assert window.locator(".repair-text").evaluate("(e) => e.scrollTop") > 0
    assert pane["y"] <= words["y"] <= pane["y"] + pane["height"]
    assert decide_all(window, "2", "ArrowDown", "1") >= 4
    expect(window.locator(".verdict")).to_have_text("consistent")
    press(window, "S")

    expect(window.locator(".news")).to_contain_text("the document is consistent")
    after = (folder / "wsj_0124.tml").read_bytes().decode()
    check_lines(before, after, ("TLINK", "ALINK"))
    assert tlex.extract(tlex.read(folder / "wsj_0124.tml"), calendar=True).consistent
    assert not (folder / KEPT).exists()
    press(window, "]")
    window.wait_for_url(re.compile("wsj_0027"))
    press(window, "a")
    expect(window.locator(".verdicts button")).to_have_text(["1 unsettled", "2 consistent"])


@pytest.mark.corpus
def test_a_document_of_meantime_is_repaired_with_a_note_an_undo_and_a_skip(
    corpora, folder, serve, window
):
    (source,) = (corpora / "meantime-en").glob("*/118175_*.xml")
    folder.mkdir()
    file = Path(shutil.copy(source, folder))
    before = file.read_bytes().decode()
    server = serve(file)
    window.goto(server.address)
    expect(window.locator("h1")).to_have_text("White House considering auto rescue plan")
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 3")

    press(window, "s")
    expect(window.locator(".decision h2")).to_contain_text("Decision 2")
    press(window, "u")
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 3")
    press(window, "n")
    window.keyboard.type("s is no command here")
    press(window, "Enter")
    decide_all(window)
    expect(window.locator(".past li").first).to_contain_text("(s is no command here)")
    press(window, "Control+s")

    expect(window.locator(".news")).to_contain_text("the document is consistent")
    check_lines(
        before,
        file.read_bytes().decode(),
        ("TLINK", "CLINK", "SLINK", "source", "target", "/TLINK"),
    )
    assert tlex.extract(tlex.read(file), calendar=True).consistent


def test_a_patch_is_saved_by_keyboard_and_applies(folder, tmp_path, serve, window):
    fill(folder, two=TWO)
    patch = tmp_path / "fixes.json"
    server = serve(folder, "--patch", patch, "--who", "Ann Otator")
    window.goto(server.page("two.tml"))
    press(window, "n")
    window.keyboard.type("read twice")
    press(window, "Enter")
    decide_all(window)

    press(window, "Enter")
    expect(window.locator(".main-action:focus")).to_have_count(
        1
    )  # one Enter too many saves nothing
    assert not patch.exists()
    press(window, "Enter")
    expect(window.locator(".news")).to_have_text("saved to fixes.json: 2 changes")

    assert contents(folder) == {"two.tml": TWO}
    (file,) = tlex.Patch.from_json(patch.read_bytes()).files
    assert (file.who, file.changes[0].why) == ("Ann Otator", "read twice")
    out = tmp_path / "out.tml"
    command = ["apply", patch, folder / "two.tml", "-o", out]
    subprocess.run([sys.executable, "-m", "tlex", *command], check=True, capture_output=True)  # noqa: S603
    assert tlex.extract(tlex.read(out)).consistent


# --- what may happen meanwhile --------------------------------------------------------------------


def test_a_file_that_changed_underneath_is_shown_and_not_lost(folder, serve, window):
    fill(folder, two=TWO)
    window.goto(serve(folder).page("two.tml"))
    decide_all(window)
    changed = TWO.replace("</TimeML>", "<!-- mine --></TimeML>")
    (folder / "two.tml").write_text(changed)

    press(window, "S")

    expect(window.locator(".news pre")).to_contain_text("+<!-- mine --></TimeML>")
    assert (folder / "two.tml").read_text() == changed
    press(window, "Enter")  # read it again
    expect(window.locator(".news")).to_have_text("2 earlier decisions taken up again")
    press(window, "S")
    expect(window.locator(".news")).to_contain_text("the document is consistent")
    after = (folder / "two.tml").read_text()
    assert "<!-- mine -->" in after
    assert tlex.extract(tlex.parse(after)).consistent


def test_nothing_is_lost_when_the_server_is_killed(folder, serve, window):
    fill(folder, two=TWO)
    server = serve(folder)
    window.goto(server.page("two.tml"))
    press(window, "2", "Enter")
    expect(window.locator(".decision h2")).to_have_text("Decision 2 of 2")

    server.kill()
    press(window, "Enter")
    expect(window.locator(".gone")).to_contain_text("Nothing is lost")
    assert contents(folder).keys() == {"two.tml", KEPT}

    server.start()
    window.goto(server.page("two.tml"))
    expect(window.locator(".decision h2")).to_have_text("Decision 2 of 2")
    expect(window.locator(".past li")).to_have_text("Remove l2")
    decide_all(window)
    press(window, "S")
    expect(window.locator(".news")).to_contain_text("the document is consistent")
    written = TWO.replace(LINK.format("l2", "BEFORE", "a", "b"), "")
    assert contents(folder) == {
        "two.tml": written.replace(LINK.format("l3", "BEFORE", "d", "c"), "")
    }


def test_a_second_window_follows_the_first(folder, serve, window):
    fill(folder, two=TWO)
    server = serve(folder)
    window.goto(server.page("two.tml"))
    other = window.context.new_page()
    other.goto(server.page("two.tml"))
    expect(other.locator(".decision h2")).to_have_text("Decision 1 of 2")

    press(window, "Enter")
    expect(window.locator(".decision h2")).to_have_text("Decision 2 of 2")

    expect(other.locator(".news")).to_have_text("Another window has decided something.")
    expect(other.locator(".decision h2")).to_have_text("Decision 2 of 2")
    press(other, "Enter")
    expect(other.locator(".decision h2")).to_have_text("All decided")
    expect(window.locator(".decision h2")).to_have_text("All decided")


def test_a_window_without_the_token_can_only_look(folder, serve, window):
    fill(folder, two=TWO)
    server = serve(folder)
    window.goto(f"{server.home}repair/two.tml")
    expect(window.locator(".notice")).to_contain_text("can only look")

    press(window, "Enter", "s", "S")
    window.wait_for_timeout(300)

    assert head(window) == "Decision 1 of 2"
    assert contents(folder) == {"two.tml": TWO}


FORGED = """<!doctype html><body><script>
const home = HOME, token = TOKEN;
const body = JSON.stringify({action: "choose", option: 1, version: VERSION});
const send = (headers, mode) =>
  fetch(home + "decide/two.tml", {method: "POST", mode, headers, body})
    .then((answer) => answer.type + answer.status, () => "failed");
(async () => {
  const said = [];
  said.push(await send({"content-type": "text/plain"}, "no-cors"));
  said.push(await send({"content-type": "application/json", "x-tlex-token": token}, "cors"));
  said.push(await send({"content-type": "text/plain"}, "cors"));
  said.push(await fetch(home).then(() => "read", () => "failed"));
  const form = document.createElement("form");
  form.method = "post"; form.enctype = "text/plain"; form.action = home + "decide/two.tml";
  const field = document.createElement("input");
  field.name = body.slice(0, -1) + ',"note":"'; field.value = '"}';
  form.append(field); document.body.append(form);
  const frame = document.createElement("iframe");
  frame.name = "there"; form.target = "there"; document.body.append(frame);
  form.submit();
  const opened = document.createElement("iframe");
  opened.src = home + "repair/two.tml#token=" + token;
  document.body.append(opened);
  document.title = JSON.stringify(said);
})();
</script>"""


def test_pages_of_another_origin_can_change_nothing(folder, serve, browser):
    """They know the token here, which they cannot, and still nothing happens."""
    fill(folder, two=TWO)
    server = serve(folder)
    token = server.token.removeprefix("token=")
    context = browser.new_context()
    window = context.new_page()
    window.goto(server.page("two.tml"))
    version = window.evaluate("() => fetch('/state/two.tml').then((a) => a.json())")["version"]
    page = FORGED.replace("HOME", json.dumps(server.home)).replace("TOKEN", json.dumps(token))
    page = page.replace("VERSION", str(version))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    evil = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    answers: list[tuple[str, int]] = []
    try:
        for host in ("127.0.0.1", "localhost"):
            window.on("response", lambda answer: answers.append((answer.url, answer.status)))
            window.goto(f"http://{host}:{evil.server_port}/")
            window.wait_for_function("() => document.title.startsWith('[')")
            window.wait_for_timeout(500)
            said = json.loads(window.title())
            assert said == ["failed"] * 4
    finally:
        evil.shutdown()
        evil.server_close()

    assert [status for url, status in answers if "/decide/" in url and status == 200] == []
    assert 403 in [status for url, status in answers if "/decide/" in url]
    assert contents(folder) == {"two.tml": TWO}
    window.goto(server.page("two.tml"))
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 2")
    context.close()


# --- what one sees --------------------------------------------------------------------------------


def test_options_move_the_timeline_and_anything_can_be_tried(folder, serve, window):
    fill(folder, two=TWO)
    window.goto(serve(folder).page("two.tml"))
    effect = window.locator(".effect")
    expect(effect).to_have_text(
        "Settles 1, creates 0, 2 events gain an order. It is still contradictory then."
    )
    before = window.locator(".line.moved").count()

    press(window, "2")
    expect(window.locator(".line.moved")).not_to_have_count(before)
    assert window.locator(".said.asked").all_text_contents() == ["a", "b"]

    press(window, "w")  # the types of the first link
    expect(window.locator(".what-if select:focus")).to_have_count(1)
    window.keyboard.type("INCL")
    expect(effect).to_contain_text("What if: make l1 INCLUDES. Settles 0, creates 0")
    press(window, "Home", "ArrowDown")
    expect(effect).to_contain_text("What if: remove l1. Settles 1, creates 0")
    press(window, "Enter")
    expect(window.locator(".past li")).to_have_text("Remove l1")

    press(window, "w", "Tab")
    source, label, target = window.locator(".what-if fieldset").nth(1).locator("select").all()
    source.select_option(index=2)
    target.select_option(index=1)
    label.select_option("BEFORE")
    expect(effect).to_contain_text("What if: add b BEFORE a. Settles 0, creates 1")
    expect(effect.locator("button")).to_have_count(0)
    press(window, "Escape")
    expect(effect).not_to_contain_text("What if")


def test_decisions_of_one_pattern_are_settled_after_seeing_them(folder, serve, window):
    fill(folder, pattern=PATTERN)
    window.goto(serve(folder).page("pattern.tml"))
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 3")

    press(window, "p")
    dialog = window.locator("dialog.alike")
    expect(dialog.locator("h2")).to_have_text("2 decisions: BEFORE and BEGINS on one pair")
    expect(dialog.locator("li")).to_have_count(2)
    press(window, "Enter")

    expect(window.locator(".past li")).to_have_text(["Remove l2", "Remove l4"])
    expect(window.locator(".decision h2")).to_have_text("Decision 3 of 3")
    press(window, "u")
    expect(window.locator(".decision h2")).to_have_text("Decision 1 of 3")


def test_contradictions_can_wait_and_every_verdict_is_a_filter(folder, serve, window):
    fill(folder, two=TWO, pattern=PATTERN, fine=document(("l1", "BEFORE", "a", "b")))
    (folder / "broken.tml").write_text("<TimeML>")
    server = serve(folder)
    window.goto(server.page("two.tml"))
    press(window, "l")
    expect(window.locator(".disagree .id")).to_have_text(["l3", "l4"])
    press(window, "l")
    expect(window.locator(".disagree .id")).to_have_text(["l1", "l2"])
    decide_all(window)
    expect(window.locator(".decision h2")).to_have_text("All decided")

    press(window, "a")
    buttons = window.locator(".verdicts button")
    expect(buttons).to_have_text(
        ["1 unsettled", "1 decided, not saved", "1 consistent", "1 cannot be read"]
    )
    names = window.locator("tbody .file, tbody a")
    for at, name in enumerate(["pattern.tml", "two.tml", "fine.tml", "broken.tml"]):
        buttons.nth(at).click()
        expect(window.locator("tbody tr")).to_have_count(1)
        assert name in names.all_text_contents()
        buttons.nth(at).click()
    assert window.locator("tbody tr").count() == 4


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_view_has_serious_barriers_or_is_too_wide(dark, folder, serve, window):
    fill(folder, pattern=PATTERN, two=TWO)
    server = serve(folder)
    window.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    axe = Axe()

    def look(view: str) -> None:
        for width in (360, 768, 1440):
            window.set_viewport_size({"width": width, "height": 800})
            wide = window.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= width, (view, width)
            if width == 768 or (dark and width == 360):  # the same elements in the same colours
                continue
            found = axe.run(window).response["violations"]
            worst = [one["id"] for one in found if one["impact"] in {"serious", "critical"}]
            assert worst == [], (view, width, json.dumps(found)[:2000])

    window.goto(server.address)
    expect(window.locator(".verdict.unsettled").first).to_be_visible()
    look("list")
    window.goto(server.page("pattern.tml"))
    expect(window.locator(".effect")).to_contain_text("ettles")
    press(window, "w")
    look("decision")
    press(window, "Escape", "p")
    look("pattern")
    press(window, "Enter")
    expect(window.locator(".past li")).to_have_count(2)  # the server has answered
    decide_all(window)
    (folder / "pattern.tml").write_text(PATTERN + "\n")
    press(window, "S")
    expect(window.locator(".news pre")).to_be_visible()
    look("refused")


def test_whatever_a_document_or_a_note_holds_is_text(folder, serve, window):
    shot = "<img src=x onerror=window.hit=1>"
    hostile = TWO.replace(">a<", f">{escape(shot)}<").replace('"l1"', quoteattr(shot + "1"))
    fill(folder, **{f"a {shot} b": hostile})
    window.goto(serve(folder).address)
    expect(window.locator(".verdicts button")).to_have_text(["1 unsettled"])
    press(window, "]")
    expect(window.locator(".decision").first).to_contain_text(shot)
    press(window, "n")
    window.keyboard.type(shot)
    press(window, "Enter", "Enter")

    expect(window.locator(".past li")).to_contain_text(f"({shot})")
    assert window.locator("img").count() == 0
    assert window.evaluate("() => window.hit") is None


def test_an_exported_page_only_shows_and_says_so(folder, tmp_path, window):
    fill(folder, two=TWO)
    command = ["view", folder, "--export", tmp_path / "pages"]
    subprocess.run([sys.executable, "-m", "tlex", *command], check=True, capture_output=True)  # noqa: S603

    window.goto((tmp_path / "pages" / "two.tml.html").as_uri())

    expect(window.locator("body")).to_contain_text("This page only shows.")
