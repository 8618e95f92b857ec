"""The frame of HTML pages that load nothing: reports, and the form of a sample.

The content security policy of a page allows only its own style and script, by their hashes.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

from tlex.wording import clean

__all__ = ["make_page", "quote"]


def make_page(title: str, body: str, style: str, script: str | None = None) -> str:
    """Put a page together from its body and the names of a style and a script in ``assets``.

    The style that all pages share is added.
    """
    style = _read("colours.css") + _read(style)
    script = _read(script) if script else ""
    allowed = f"default-src 'none'; style-src 'sha256-{_hash(style)}'"
    if script:
        allowed += f"; script-src 'sha256-{_hash(script)}'"
    policy = f"{allowed}; base-uri 'none'; form-action 'none'"
    run = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{quote(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{body}\n{run}</body>\n</html>\n"
    )


def quote(words: str) -> str:
    """Escape words from a file for HTML."""
    return escape(clean(words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")))


def _read(asset: str) -> str:
    return files("tlex.pages").joinpath("assets", asset).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return b64encode(sha256(content.encode()).digest()).decode()
