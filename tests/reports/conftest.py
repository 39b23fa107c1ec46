"""
What the pages' tests in a real Chromium share.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """
    Give a headless Chromium, or skip where there is none.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium is installed, so pages are not tried in a browser")
    with playwright.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        yield started
        started.close()
