"""Check the built documentation: run by ``make site``.

No page may load anything from another host, and each link to another page of the site must lead to
a file and to a place in it.

python tests/check_site.py DIRECTORY
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src", "srcdoc"),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Attributes whose address a browser loads by itself."""
STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
REMOTE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """What a page loads, where it leads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.places: set[str] = set()
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of the addresses of an element."""
        given = {name: value or "" for name, value in attrs}
        self.inside = tag
        self.loads += [given[name] for name in LOADED.get(tag, ()) if name in given]
        self.loads += _list_styles(given.get("style", ""))
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        self.places |= {given[name] for name in ("id", "name") if name in given}

    def handle_data(self, data: str) -> None:
        """Take note of what a style sheet inside a page loads."""
        if self.inside == "style":
            self.loads += _list_styles(data)


def _list_styles(text: str) -> list[str]:
    return [found[1] or found[2] for found in STYLE.finditer(text)]


def list_problems(site: Path) -> Iterator[str]:
    """List everything that is wrong with a site."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in page.loads:
            if REMOTE.match(address):
                yield f"{name} loads {address}"
            elif not address.startswith("data:") and (bad := find_gap(path, address, pages)):
                yield f"{name} loads {bad}"
        for address in page.leads:
            if path.name != "404.html" and (bad := find_gap(path, address, pages)):
                yield f"{name} leads to {bad}"
    for path in sorted(site.rglob("*.css")):
        for address in _list_styles(path.read_text(encoding="utf-8")):
            if REMOTE.match(address):
                yield f"{path.relative_to(site)} loads {address}"


def find_gap(path: Path, address: str, pages: dict[Path, Page]) -> str:
    """Say where an address of a page leads, if that is not there; nothing if it is."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or path.name == "404.html":
        return ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return f"{address}, which is not there"
    page = pages.get(target)
    place = unquote(parts.fragment)
    if page and place and place not in page.places:
        return f"{address}, a place that is not there"
    return ""


def main() -> None:
    """Stop with all problems of a site, or say how large it is."""
    site = Path(sys.argv[1]).resolve()
    problems = list(dict.fromkeys(list_problems(site)))
    if problems:
        sys.exit("\n".join(problems))
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 2**20
    pages = sum(path.suffix == ".html" for path in files)
    print(f"{site.name}/: {pages} pages, {size:.1f} MB; nothing is loaded from another host")


if __name__ == "__main__":
    main()
