"""
The matrix page in a real Chromium: what it shows, how it is used, and what it withstands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from report_lines import HOSTILE, MEANINGS, large, small
from tertium.reports.matrix import page

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """
    Give a function that opens the page of a report, and fails the test where the page complains or asks for anything.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(lines: list[dict[str, Any]] | None, address: str = "", **settings: Any) -> Any:
        file = tmp_path / "matrix.html"
        if lines is not None:
            file.write_text(page(lines, MEANINGS), encoding="utf-8")
        context = browser.new_context(**settings)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(10_000)
        tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda asked: None if asked.url.startswith(file.as_uri()) else wrong.append(asked.url))
        tab.goto(f"{file.as_uri()}{address}")
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def titles(tab: Any) -> list[str]:
    return [text.split(" · ")[1] for text in tab.locator("#matrix tbody th small").all_inner_texts()]


def cell(tab: Any, id_: str, provider: str) -> Any:
    row = tab.locator("#matrix tbody tr", has=tab.locator("small", has_text=f"· {id_}"))
    return row.locator(f'td[data-name="{provider}"]')


def test_cells_say_value_and_verdict_in_words(open_page: Open) -> None:
    """Each cell has its value and its verdict as text beside the colour."""
    tab = open_page(small())
    found = {
        (id_, provider): cell(tab, id_, provider).inner_text().split("\n")
        for id_ in ("first", "second", "hostile", "fourth")
        for provider in ("native", "other")
    }

    assert found["first", "native"] == ["0.5", "= agrees"]
    assert found["first", "other"] == ["1", "≈ explained"]
    assert found["second", "native"] == ["refused", "= agrees"]
    assert found["second", "other"] == ["∞", "≠ unexplained"]
    assert found["hostile", "native"] == ["failed", "! error"]
    assert found["hostile", "other"] == ["not offered", "– skipped"]
    assert found["fourth", "native"] == ["undefined", "= agrees"]
    assert found["fourth", "other"] == ["no such metric"]


def test_hostile_text_is_shown_and_never_run(open_page: Open) -> None:
    """Markup in titles, texts, notices, names and commands appears as it was written, and nothing of it happens."""
    tab = open_page(small())
    cell(tab, "hostile", "native").click()
    body = tab.locator("#details-body")

    assert tab.evaluate("() => window.hacked") is None
    assert tab.locator("img").count() == 0
    assert HOSTILE.split("<!--")[0] in tab.locator("#details-title").inner_text()
    assert body.inner_text().count("window.hacked") >= 6
    assert "× 900" in body.inner_text()


def test_hidden_characters_are_visible(open_page: Open) -> None:
    """Marks, spaces, control characters and halves of pairs stand in the input with their numbers and names."""
    tab = open_page(small())
    cell(tab, "second", "other").click()
    text = tab.locator("#details-body .segment").first
    chips = text.locator(".chip").all_inner_texts()

    assert [chip.split()[-1] for chip in chips] == [
        "U+0301",
        "U+00A0",
        "U+0009",
        "U+000A",
        "U+202E",
        "U+200B",
        "U+D800",
    ]
    assert chips[0].startswith("◌\u0301")
    assert text.locator(".chip").first.get_attribute("title") == "U+0301 COMBINING ACUTE ACCENT"
    assert text.locator("[title='U+1F600 GRINNING FACE']").count() == 1
    assert text.locator(".text").first.inner_text().count("·") == 3
    assert "∅ empty" in text.inner_text()
    assert tab.locator("#details-body .segment").nth(1).inner_text().split() == [
        "Segment", "2", "hypothesis", "None", "references", "none",
    ]  # fmt: skip


def test_details_say_all(open_page: Open) -> None:
    """A cell opens on values, textbook, components, conventions with their meanings, comparisons and the command."""
    tab = open_page(small())
    cell(tab, "first", "other").click()
    body = tab.locator("#details-body")
    chosen = body.locator(".implementation").first.inner_text()

    assert "0.5 on the scale 0-1 = 1/2 (Anon 1901)" in body.inner_text()
    assert "bleu.scale How it is written." in body.inner_text()
    for part in (
        "other ≈ explained",
        "1, written as 100",
        "it smooths",
        "smoothing bleu.smoothing: What stands in for zero.",
        "native (bleu@native) differs: 1.0 against 0.5",
        "tertium conform other --case first",
    ):
        assert part in chosen
    assert "bleu: 50, matches_1: 2" in body.inner_text()


@pytest.mark.parametrize(
    ("field", "value", "left"),
    [
        ("metric", "chrf", ["fourth"]),
        ("tag", "empty", ["second"]),
        ("outcome", "unexplained", ["second"]),
        ("outcome", "parted", ["first", "second"]),
        ("order", "title", ["hostile", "first", "fourth", "second"]),
    ],
)
def test_choices_filter_and_order(open_page: Open, field: str, value: str, left: list[str]) -> None:
    """Metric, tag, outcome and order act at once, and the number of cases is said."""
    tab = open_page(small())
    tab.select_option(f"#{field}", value)

    assert titles(tab) == left
    assert tab.locator("#shown").inner_text() == f"{len(left)} of 4 cases"
    tab.click("button[type=reset]")
    playwright.expect(tab.locator("#shown")).to_have_text("4 of 4 cases")
    assert titles(tab) == ["first", "second", "hostile", "fourth"]


def test_search_looks_into_titles_texts_and_conventions(open_page: Open) -> None:
    """All words of a search must stand somewhere in a case; what is searched may look like markup."""
    tab = open_page(small())
    for words, left in (
        ("case FOURTH", ["fourth"]),
        ("chrf.beta", ["fourth"]),
        ("<img", ["hostile"]),
        ("first fourth", []),
    ):
        tab.fill("#search", words)
        playwright.expect(tab.locator("#matrix tbody th small")).to_have_text([re.compile(f"· {id_}$") for id_ in left])
        assert tab.locator("#shown").inner_text() == f"{len(left)} of 4 cases"


def test_implementations_can_be_taken_out_and_measured_ones_put_in(open_page: Open) -> None:
    """A provider's column goes with its tick, and what was measured outside comes with another."""
    tab = open_page(small())
    tab.click(".providers summary")
    tab.get_by_label("other", exact=True).uncheck()

    assert not cell(tab, "first", "other").is_visible()
    tab.locator("#measured").check()
    assert "· measured" in cell(tab, "hostile", f"{HOSTILE} (measured)".replace('"', '\\"')).inner_text()


def test_columns_without_a_cell_step_aside(open_page: Open) -> None:
    """Where no case that is left concerns an implementation, its column is not shown; it comes back with the cases."""
    tab = open_page(small())
    heading = tab.locator("#matrix thead th", has_text="other")
    tab.select_option("#metric", "chrf")
    playwright.expect(heading).to_be_hidden()
    tab.select_option("#metric", "")

    playwright.expect(heading).to_be_visible()
    assert cell(tab, "first", "other").is_visible()


def test_columns_sort(open_page: Open) -> None:
    """A heading sorts by its column, first the worst verdicts last, then the other way round, and says so."""
    tab = open_page(small())
    heading = tab.locator("#matrix thead th").nth(1)
    heading.locator("button").click()
    first = titles(tab)
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.locator("button").click()

    assert heading.get_attribute("aria-sort") == "descending"
    assert first[0] == "hostile"
    assert titles(tab)[-1] == "hostile"


def test_keyboard_alone_is_enough(open_page: Open) -> None:
    """The table is one stop for Tab; arrows move, Enter opens, Escape closes and gives the focus back."""
    tab = open_page(small())
    tab.locator("#matrix thead button").last.focus()
    tab.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "End", "ArrowUp", "ArrowDown"):
        tab.keyboard.press(key)
    focused = (
        "() => [document.activeElement.tagName, document.activeElement.dataset.name, document.activeElement.tabIndex]"
    )

    assert tab.evaluate(focused) == ["TD", "other", 0]
    tab.keyboard.press("Enter")
    assert tab.locator("#details-title").inner_text() == "The case second"
    tab.keyboard.press("Escape")
    assert not tab.locator("dialog").is_visible()
    assert tab.evaluate(focused) == ["TD", "other", 0]
    assert tab.locator("#matrix tbody [tabindex='0']").count() == 1


def test_dialog_walks_through_cases(open_page: Open) -> None:
    """The arrows of the dialog go on to the cases before and after in the order that is shown."""
    tab = open_page(small())
    cell(tab, "first", "native").click()

    assert tab.locator("#previous").is_disabled()
    tab.click("#next")
    assert tab.locator("#details-title").inner_text() == "The case second"


def test_address_opens_a_case(open_page: Open) -> None:
    """Filters and the open case stand in the address, which opens the page as it was."""
    tab = open_page(small(), "#metric=bleu&case=first&provider=other")

    assert titles(tab) == ["first", "second", "hostile"]
    assert tab.locator(".implementation.current h4").inner_text().startswith("other")


@pytest.mark.parametrize(
    "settings",
    [{}, {"color_scheme": "dark"}, PHONE, {"forced_colors": "active"}],
    ids=["light", "dark", "phone", "forced-colours"],
)
@pytest.mark.parametrize("opened", [False, True], ids=["table", "dialog"])
def test_accessibility(open_page: Open, settings: dict[str, Any], opened: bool) -> None:
    """axe-core finds nothing wrong with the page or its dialog, in light, in dark and on a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed").Axe
    tab = open_page(small(), **settings, bypass_csp=True)
    tab.locator(".legend summary").click()
    tab.locator(".providers summary").click()
    if opened:
        cell(tab, "hostile", "native").click()

    found = axe().run(tab).response["violations"]

    assert [(one["id"], [node["html"] for node in one["nodes"]][:2]) for one in found] == []


def test_phone_needs_no_sideways_scrolling(open_page: Open) -> None:
    """At the width of a phone the page is as wide as the screen, cells name their implementation, and can be touched."""
    tab = open_page(small(), **PHONE)
    tab.click(".providers summary")
    tab.locator("#measured").check()

    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390
    box = cell(tab, "first", "native").bounding_box()
    assert box["height"] >= 44
    cell(tab, "first", "native").tap()
    assert tab.locator("dialog").is_visible()
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_print_shows_the_table_or_the_open_case(open_page: Open) -> None:
    """On paper there are no controls; all rows stand there, or the case that is open by itself."""
    tab = open_page(small(), color_scheme="dark")
    tab.emulate_media(media="print")

    assert not tab.locator("#filters").is_visible()
    assert tab.locator("#matrix tbody tr").last.is_visible()
    assert tab.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    tab.emulate_media(media="screen")
    cell(tab, "first", "native").click()
    tab.emulate_media(media="print")
    assert tab.locator("#details-body").is_visible()
    assert not tab.locator("main").is_visible()
    assert tab.pdf().startswith(b"%PDF")


def test_large_reports_open_at_once(open_page: Open) -> None:
    """500 cases by 20 implementations show their first rows in under a second (the least of three), and then all."""
    tab = open_page(large())
    assert tab.locator("#matrix tbody td").count() == 10_000
    times = [int(tab.locator("html").get_attribute("data-opened"))]
    for _ in range(2):
        tab.reload(wait_until="commit")
        tab.wait_for_selector("html[data-opened]", state="attached")
        times.append(int(tab.locator("html").get_attribute("data-opened")))

    assert min(times) < 1000
