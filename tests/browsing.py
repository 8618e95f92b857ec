"""Where the browser is, and how it is started: for the tests of the pages, and the benchmark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from playwright.sync_api import Page

CHROMIUM = (
    os.environ.get("TLEX_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-ipc-flooding-protection",  # for tests that change the address often
]

Opener = Callable[..., Page]
