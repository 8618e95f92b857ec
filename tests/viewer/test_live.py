"""The server with a browser: a list, documents to leaf through, pages that follow a file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing import Opener
from playwright.sync_api import Page, expect

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(EXAMPLES / "story.tml", home / "b story.tml")
    shutil.copy(EXAMPLES / "contradiction.tml", home / "a.tml")
    (home / "c.tml").write_text("<TimeML>")
    return home


@contextmanager
def serving(path: Path) -> Iterator[str]:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "tlex", "view", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    yield process.stdout.readline().strip()
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with serving(folder) as address:
        yield address


def names(page: Page) -> list[str]:
    return page.locator("tbody a").all_text_contents()


def test_the_list_tells_verdicts_and_can_be_sorted_and_searched(address: str, show: Opener):
    page = show(address, home=address)
    expect(page.locator(".verdict")).to_have_text(["contradictory", "consistent", "cannot be read"])
    assert names(page) == ["a.tml", "b story.tml", "c.tml"]
    expect(page.locator("[role=status]")).to_have_text(
        "3 documents · 1 contradictory · 1 cannot be read"
    )

    page.get_by_role("button", name="Verdict").click()
    assert names(page) == ["c.tml", "a.tml", "b story.tml"]
    page.get_by_role("button", name="Events and times").click()
    assert names(page) == ["b story.tml", "a.tml", "c.tml"]
    assert page.get_attribute("th:nth-child(3)", "aria-sort") == "descending"
    page.keyboard.press("/")
    page.keyboard.type("story")
    assert names(page) == ["b story.tml"]


def test_documents_can_be_leafed_through(address: str, show: Opener):
    page = show(address, home=address)
    page.get_by_role("link", name="a.tml").click()
    page.wait_for_selector(".app")
    assert page.locator("h1").text_content() == "a.tml"

    page.keyboard.press("]")
    page.wait_for_url(re.compile("story"))
    page.wait_for_selector(".app")
    assert page.locator("h1").text_content() == "b story.tml"
    page.get_by_role("link", name="Next document").click()
    page.wait_for_url(re.compile(r"c\.tml"))
    assert "c.tml:1:9:" in page.locator("main").text_content()
    page.get_by_role("link", name="All").click()
    page.wait_for_selector("table")


def test_a_page_follows_its_file_and_keeps_the_view(address: str, show: Opener, folder: Path):
    page = show(f"{address}document/b%20story.tml", "#s=ei2", home=address)
    text = (folder / "b story.tml").read_text("utf-8")

    (folder / "b story.tml").write_text(text.replace(">built<", ">raised<"), encoding="utf-8")

    expect(page.locator(".details h2")).to_have_text("“raised” (ei2)")

    (folder / "b story.tml").write_text("<TimeML>", encoding="utf-8")
    expect(page.locator(".verdict")).to_have_text("cannot be read")
    (folder / "b story.tml").write_text(text, encoding="utf-8")
    expect(page.locator(".details h2")).to_have_text("“built” (ei2)")


@pytest.mark.parametrize("alone", [False, True])
def test_a_page_comes_back_when_its_file_does(alone: bool, show: Opener, folder: Path):  # noqa: FBT001
    file = folder / "b story.tml"
    with serving(file if alone else folder) as address:
        there = address if alone else f"{address}document/b%20story.tml"
        page = show(there, "#s=ei2", home=address)
        text = file.read_text("utf-8")

        file.unlink()

        expect(page.locator(".verdict")).to_have_text("missing")
        expect(page.locator("h1")).to_have_text("b story.tml")
        assert page.get_by_role("link", name="All").count() == (not alone)

        file.write_text(text, encoding="utf-8")

        expect(page.locator(".details h2")).to_have_text("“built” (ei2)")
        page.goto("about:blank")


def test_a_page_keeps_its_contradiction_when_another_one_before_it_is_mended(
    address: str, show: Opener, folder: Path
):
    file = folder / "a.tml"
    text = file.read_text("utf-8")
    slip = '<TLINK lid="l0" relType="AFTER" eventInstanceID="ei1" relatedToEventInstance="ei2"/>'
    first = '<TLINK lid="l1"'
    file.write_text(text.replace(first, f"{slip}\n{first}"), encoding="utf-8")
    page = show(f"{address}document/a.tml", home=address)
    page.keyboard.press("c")
    page.keyboard.press("c")
    links = page.evaluate("() => new URLSearchParams(location.hash.slice(1)).get('c')")
    assert links == "l2 l3 l4"

    with page.expect_navigation():
        file.write_text(text, encoding="utf-8")

    page.wait_for_selector("html[data-ready]", state="attached")
    expect(page.locator(".mark.guilty")).to_have_text(["ate", "washed", "arrived"])
    assert page.evaluate("() => new URLSearchParams(location.hash.slice(1)).get('c')") == links


def test_the_list_follows_the_directory(address: str, show: Opener, folder: Path):
    page = show(address, home=address)
    assert len(names(page)) == 3

    (folder / "c.tml").write_text("<TimeML>Mended.</TimeML>", encoding="utf-8")
    shutil.copy(EXAMPLES / "contradiction.tml", folder / "d.tml")

    expect(page.locator("tbody tr")).to_have_count(4)
    expect(page.locator(".verdict.inconsistent")).to_have_count(2)
    expect(page.locator(".verdict.broken")).to_have_count(0)

    (folder / "a.tml").unlink()

    expect(page.locator("tbody tr")).to_have_count(3)


def test_written_pages_lead_to_each_other(folder: Path, tmp_path: Path, show: Opener):
    (folder / "deep").mkdir()
    shutil.copy(EXAMPLES / "story.tml", folder / "deep" / "z#?%.tml")
    target = tmp_path / "pages"
    words = [sys.executable, "-m", "tlex", "view", str(folder), "--export", str(target)]
    subprocess.run(words, capture_output=True, check=False)  # noqa: S603
    page = show(target / "index.html")

    page.get_by_role("link", name="z#?%.tml").click()
    page.wait_for_selector(".app")
    page.keyboard.press("[")
    page.wait_for_url(re.compile(r"c\.tml"))
    page.get_by_role("link", name="All").click()
    page.wait_for_selector("table")

    assert len(names(page)) == 4


def test_the_calendar_can_be_switched_off_and_the_view_stays(address: str, show: Opener):
    page = show(f"{address}document/b%20story.tml", "#s=ei4", home=address)
    button = page.get_by_role("button", name="Calendar")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".picture .date").first).to_be_attached()

    button.click()
    page.wait_for_url(re.compile(r"\?calendar=off#s=ei4"))

    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".details h2").first).to_have_text("“coughed” (ei4)")
    assert page.locator(".picture .date").count() == 0

    button.click()
    expect(page.locator(".picture .date").first).to_be_attached()
