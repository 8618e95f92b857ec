"""The pages for people: what they point to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^()#\s]+)(?:#[^()\s]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_of_a_page_leads_to_a_file(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []
