"""
The page of an audit in a real Chromium: what it shows, that nothing in it runs, and that it is accessible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_report import report
from tertium.reports.audit_page import page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """
    Give a function that opens an audit's page, and fails the test where the page complains or asks for anything.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(equal: bool = False, **settings: Any) -> Any:
        file = tmp_path / "audit.html"
        file.write_text(page(report(equal)), encoding="utf-8")
        context = browser.new_context(**settings)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(10_000)
        tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda asked: None if asked.url == file.as_uri() else wrong.append(asked.url))
        tab.goto(file.as_uri())
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def test_hostile_texts_are_shown_and_never_run(open_page: Open) -> None:
    """Markup of all places appears as it was written, hidden characters are visible, and nothing happens."""
    tab = open_page()
    tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    shown = tab.locator("main").inner_text()

    assert tab.evaluate("() => window.hacked") is None
    assert tab.locator("img, script").count() == 0
    assert shown.count('<img src=x onerror="window.hacked=1">') >= 12
    assert "{{ 7*7 }}" in shown
    assert "a\\u00a0b\\u200b␣␣c\\te\\u0301" in shown.replace("\\xa0", "\\u00a0")
    assert '""' in shown


def test_the_page_says_what_was_found(open_page: Open) -> None:
    """Verdict, counts, shares and the values of a case, in words and numbers."""
    tab = open_page()
    shown = " ".join(tab.locator("main").inner_text().split())

    assert tab.locator(".verdict.bad").count() == 1
    for part in (
        "the native default 40 30",
        "definitions and papers 6 1",
        "smoothing -0.200000",
        "remainder -0.050000",
        "2 of 12 cases differ",
        "bleu.smoothing (11) What stands in for zero.",
        "its values times 0.01",
        "1 answer is left unexplained",
    ):
        assert part in shown
    assert open_page(True).locator(".verdict.good").count() == 1


@pytest.mark.parametrize(
    "settings",
    [{}, {"color_scheme": "dark"}, PHONE, {"forced_colors": "active"}],
    ids=["light", "dark", "phone", "forced-colours"],
)
def test_accessibility(open_page: Open, settings: dict[str, Any]) -> None:
    """axe-core finds nothing wrong with the page, all of its details open."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed").Axe
    tab = open_page(**settings, bypass_csp=True)
    tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")

    found = axe().run(tab).response["violations"]

    assert [(one["id"], [node["html"] for node in one["nodes"]][:2]) for one in found] == []


def test_phone_needs_no_sideways_scrolling(open_page: Open) -> None:
    """At the width of a phone the page is as wide as the screen; wide tables scroll by themselves."""
    tab = open_page(**PHONE)
    tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")

    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_colours_follow_the_system_and_paper(open_page: Open) -> None:
    """Dark where the system is, white on paper."""
    tab = open_page(color_scheme="dark")
    colour = "() => getComputedStyle(document.body).backgroundColor"

    assert tab.evaluate(colour) == "rgb(15, 19, 24)"
    tab.emulate_media(media="print")
    assert tab.evaluate(colour) == "rgb(255, 255, 255)"
    assert tab.pdf().startswith(b"%PDF")
