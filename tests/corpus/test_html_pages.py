"""The report and the form as pages: whole, safe, and as a browser shows them."""

from __future__ import annotations

import base64
import csv
import hashlib
import html.parser
import io
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tlex.corpus.reports.counting import count_figures
from tlex.corpus.reports.html_report import write_html_report
from tlex.corpus.runs.result import open_run
from tlex.corpus.samples.answer_sheets import (
    COLUMNS,
    Sample,
    SampledQuestion,
    read_sheet,
    write_sheet,
)
from tlex.corpus.samples.html_form import write_html_form
from tlex.corpus.samples.populations import Question

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"
VOID = {"meta", "input", "br", "img", "link", "hr"}
SAMPLE = Sample(
    "order",
    1_234,
    tuple(
        SampledQuestion(
            "news",
            f"n{k}.tml",
            Question(
                f"e{k}-",
                f"e{k}+",
                f'Is "{HOSTILE}" right?' if k == 1 else "Is it right?",
                ((0, "He, \n said "), (1, HOSTILE if k == 1 else "fell"), (0, ' "down"')),
            ),
        )
        for k in range(4)
    ),
)


class Reader(html.parser.HTMLParser):
    """Collects the tags of a page, and sees that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def make_report(small_run: Path) -> str:
    figures = count_figures(open_run(small_run))
    figures.corpora[1].name = HOSTILE
    return write_html_report(figures)


@pytest.fixture(params=["report", "form"])
def page(request, small_run) -> str:
    return make_report(small_run) if request.param == "report" else write_html_form(SAMPLE)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def test_a_page_is_well_formed_and_its_ids_are_its_own(page):
    reader = read(page)

    assert not reader.open
    assert not reader.wrong
    ids = Counter(attrs["id"] for _, attrs in reader.tags if "id" in attrs)
    assert not [name for name, count in ids.items() if count > 1]
    known = set(ids)
    for _, attrs in reader.tags:
        assert set((attrs.get("aria-labelledby") or "").split()) <= known


def test_a_page_loads_nothing_and_has_no_script_or_style_in_attributes(page):
    for tag, attrs in read(page).tags:
        assert tag not in {"img", "link", "iframe", "object", "base"}
        assert not [name for name in attrs if name.startswith("on") or name in {"style", "src"}]
        assert (attrs.get("href") or "#").startswith("#")


def test_the_policy_names_the_hash_of_what_is_there_and_nothing_else(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]

    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy
    for kind in ("style", "script"):
        blocks = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        hashes = [base64.b64encode(hashlib.sha256(b.encode()).digest()).decode() for b in blocks]
        assert re.findall(rf"{kind}-src 'sha256-([^']*)'", policy) == hashes


def test_every_chart_has_a_title_and_a_description(small_run):
    page = make_report(small_run)

    charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)

    assert len(charts) == 8
    for chart in charts:
        assert re.search(r'role="img"', chart)
        assert re.search(r"<title [^>]*>[^<]+</title><desc [^>]*>[^<]+</desc>", chart)


def test_the_page_has_every_number_of_the_report(small_run):
    figures = count_figures(open_run(small_run))

    page = write_html_report(figures)

    assert "Timelines of stories, odd" in page
    assert f"<b>{figures.total.words:,}</b> <span>words</span>" in page
    assert "<b>1</b> <span>documents failed</span>" in page


def test_of_very_many_corpora_the_first_are_drawn_and_all_are_in_the_tables(small_run):
    figures = count_figures(open_run(small_run))
    figures.corpora = [
        msgspec.structs.replace(figures.corpora[0], name=f"corpus{k:03}") for k in range(40)
    ]

    page = write_html_report(figures)

    charts = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "<h1>Timelines of corpus000, corpus001, corpus002, corpus003 and 36 more</h1>" in page
    assert "The charts show the first 12 corpora." in page
    assert "corpus011" in charts
    assert "corpus012" not in charts
    assert '<th scope="row">corpus039</th>' in page


def test_words_from_a_file_stay_words(page):
    assert HOSTILE not in page
    assert "<img" not in page
    assert page.count("</script>") == page.count("<script")


# What follows needs a browser.


@pytest.fixture
def visit(browser, tmp_path):
    """Open a page from the disk; what it complains about or asks the network for is kept."""
    contexts = []

    def go(page: str, **options):
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        tab = context.new_page()
        tab.complaints = []
        tab.on("console", lambda message: tab.complaints.append(message.text))
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith(("file:", "blob:"))
                else tab.complaints.append(asked.url)
            ),
        )
        tab.goto(path.as_uri())
        return tab

    yield go
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible_fits_a_phone_and_complains_about_nothing(page, visit, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    tab = visit(page, color_scheme=scheme, viewport={"width": 390, "height": 800}, bypass_csp=True)

    wide = tab.evaluate("document.documentElement.scrollWidth")
    found = axe.Axe().run(tab).response["violations"]

    assert wide <= 390
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []
    assert tab.complaints == []
    assert tab.title() != "owned"


def test_the_policy_lets_the_pages_own_style_and_script_run(page, visit):
    tab = visit(page)

    assert tab.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
    if tab.query_selector("output"):
        assert tab.inner_text("output") == "0 of 4 answered"
    assert tab.complaints == []


def save(tab) -> bytes:
    with tab.expect_download() as download:
        tab.click("#save")
    return Path(download.value.path()).read_bytes()


def test_answers_are_saved_as_the_sheet_that_agreement_reads(visit):
    tab = visit(write_html_form(SAMPLE))

    tab.locator("fieldset").nth(0).get_by_label("yes").check()
    tab.locator("fieldset").nth(1).get_by_label("no").check()
    tab.locator("fieldset").nth(1).get_by_label("comment").fill('=1+1, "odd"\n')
    tab.locator("fieldset").nth(2).get_by_label("no").focus()
    tab.keyboard.press("y")
    tab.keyboard.press("n")  # the next one: y has moved on
    data = save(tab)

    assert read_sheet(data, "saved.csv") == (SAMPLE.name, [True, False, True, False])
    saved = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    empty = list(csv.reader(io.StringIO(write_sheet(SAMPLE)[1:], newline="")))
    assert saved[0] == list(COLUMNS)
    assert [row[:-2] for row in saved] == [row[:-2] for row in empty]
    assert saved[2][-1] == '\'=1+1, "odd"'
    assert tab.inner_text("output") == "4 of 4 answered"
    assert tab.complaints == []


def test_the_form_without_answers_is_the_sheet_itself(visit):
    assert save(visit(write_html_form(SAMPLE))).decode() == write_sheet(SAMPLE)


def test_answers_are_still_there_when_the_page_is_opened_again(visit):
    tab = visit(write_html_form(SAMPLE))
    tab.locator("fieldset").nth(3).get_by_label("no").check()

    for _ in range(20):  # the browser stores what a page gives it a moment later
        tab.reload()
        if tab.inner_text("output") == "1 of 4 answered":
            break
        tab.wait_for_timeout(100)

    assert tab.inner_text("output") == "1 of 4 answered"
    assert tab.locator("fieldset").nth(3).get_by_label("no").is_checked()


def test_the_sheet_can_be_copied(visit):
    tab = visit(write_html_form(SAMPLE), permissions=["clipboard-read", "clipboard-write"])

    tab.click("#copy")

    tab.wait_for_function("document.getElementById('said').textContent !== ''")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.replace("\r\n", "\n").lstrip("\ufeff") == (
        write_sheet(SAMPLE).replace("\r\n", "\n").lstrip("\ufeff")
    )
