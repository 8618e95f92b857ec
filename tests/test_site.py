"""The documentation site: what is checked would be found, and the search works from a folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_site import list_problems

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("markup", "problem"),
    [
        ("<script src='https://cdn.example/x.js'></script>", "loads https://cdn.example/x.js"),
        ("<link rel=stylesheet href='//fonts.example/a.css'>", "loads //fonts.example/a.css"),
        ("<img src=http://example.org/pixel.gif>", "loads http://example.org/pixel.gif"),
        ("<img src=gone.svg>", "loads gone.svg, which is not there"),
        ("<style>@import 'https://example.org/a.css'</style>", "loads https://example.org/a.css"),
        ("<p style='background: url(http://x.example/b)'>", "loads http://x.example/b"),
        ("<a href=gone.html>x</a>", "leads to gone.html, which is not there"),
        ("<a href='other.html#gone'>x</a>", "leads to other.html#gone, a place that is not there"),
        ("<a href='#gone'>x</a>", "leads to #gone, a place that is not there"),
    ],
)
def test_a_bad_address_of_a_page_is_found(tmp_path, markup, problem):
    (tmp_path / "other.html").write_text("<p id=here>")
    (tmp_path / "page.html").write_text(markup)

    assert list(list_problems(tmp_path)) == [f"page.html {problem}"]


def test_a_style_sheet_that_loads_from_another_host_is_found(tmp_path):
    (tmp_path / "a.css").write_text("p { background: url('https://example.org/x.png') }")

    assert list(list_problems(tmp_path)) == ["a.css loads https://example.org/x.png"]


def test_good_addresses_are_no_problem(tmp_path):
    (tmp_path / "other.html").write_text("<p id='here and there'>")
    (tmp_path / "page.html").write_text(
        "<a href='other.html#here%20and%20there'>x</a><a href='https://example.org'>y</a>"
        "<img src='data:image/gif;base64,R0lGOD'><a href='.'>z</a><a href=mailto:a@b.example>m</a>"
    )
    (tmp_path / "index.html").write_text("<a href=page.html>x</a>")

    assert list(list_problems(tmp_path)) == []


COPY = """[...document.querySelectorAll("pre code")].map(block => {
    block.setAttribute("data-md-copying", "");  // as the button does
    return block.innerText.trim();
})"""


@pytest.mark.parametrize("line", ["[x](gone.md)", "[x](index.md#gone)"])
def test_the_site_is_not_built_with_a_broken_link(tmp_path, line):
    pytest.importorskip("mkdocs")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Start\n\n{line}\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nvalidation: {anchors: warn}\n")
    words = re.findall(r"/mkdocs (.*)", (ROOT / "Makefile").read_text())[0].split()

    done = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, "-m", "mkdocs", *words], cwd=tmp_path, capture_output=True, check=False
    )

    assert done.returncode == 1
    assert b"gone" in done.stderr


@pytest.mark.filterwarnings("ignore")  # of mkdocs and its plugins
def test_search_and_copies_work_from_a_folder_and_nothing_is_loaded(browser, tmp_path, monkeypatch):
    mkdocs = pytest.importorskip("mkdocs.commands.build")
    from mkdocs.config import load_config  # noqa: PLC0415 -- may be missing

    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    shutil.copytree(ROOT / "docs" / "assets", tmp_path / "docs" / "assets")
    (tmp_path / "docs" / "index.md").write_text("# Start\n\nNothing.\n")
    (tmp_path / "docs" / "owls.md").write_text("""# Owls

An educated owl hoots at midnight.

```console
$ tlex demo
an output
```

```pycon
>>> 1 + 1
2
```
""")
    config = load_config(
        str(ROOT / "mkdocs.yml"),
        docs_dir=str(tmp_path / "docs"),
        site_dir=str(tmp_path / "site"),
        nav=None,
        plugins=["search", "offline"],
    )
    mkdocs.build(config)
    asked = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))

    page.goto((tmp_path / "site" / "index.html").as_uri())
    page.wait_for_function("document.querySelector('iframe') !== null")  # the search is set up
    page.focus("input[name=query]")
    page.keyboard.type("educated", delay=50)
    page.wait_for_selector(".md-search-result__link", state="attached", timeout=60_000)
    found = page.get_attribute(".md-search-result__link", "href")
    page.goto((tmp_path / "site" / "owls.html").as_uri())
    copied = page.evaluate(COPY)
    page.close()

    assert found.partition("?")[0].endswith("/site/owls.html")
    assert copied == ["tlex demo", "1 + 1"]  # no prompt, no output
    assert asked
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
