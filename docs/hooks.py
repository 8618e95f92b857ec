"""What mkdocs does beside its plugins: the page of changes is the file at the root."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"


def on_page_markdown(markdown: str, *, page: Any, **others: object) -> str:  # noqa: ANN401
    """Give the text of a page; that of the changes is written for readers of the repository."""
    del others
    if page.file.src_uri != "changelog.md":
        return markdown
    return CHANGES.read_text(encoding="utf-8").replace("](docs/", "](")
