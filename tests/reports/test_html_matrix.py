"""
The matrix page as text: self-contained, escaped, small.
"""

from __future__ import annotations

import base64
import hashlib
import html.parser
import json
import re

from report_lines import HOSTILE, MEANINGS, large, small
from tertium.reports.matrix import page


class Elements(html.parser.HTMLParser):
    """
    Collect the elements of a page, with their attributes.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def blocks(text: str, opening: str) -> list[str]:
    return re.findall(rf"{opening}(.*?)</(?:script|style)>", text, re.DOTALL)


def test_page_asks_for_nothing_from_outside() -> None:
    """No element names an address, and the policy lets nothing be loaded."""
    text = page(small(), MEANINGS)
    elements = Elements(text).found

    assert [one for one in elements if {"src", "href", "action", "data", "style"} & set(one[1])] == []
    assert not any(name.startswith("on") for _, attributes in elements for name in attributes)
    assert "default-src 'none'" in text
    assert "unsafe" not in text.split("<style>")[0]


def test_policy_allows_exactly_the_style_and_the_script() -> None:
    """The hashes in the policy are those of the one style and the one script."""
    text = page(small(), MEANINGS)
    (style,), (script,) = blocks(text, "<style>"), blocks(text, "<script>")

    for name, content in (("style", style), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in text


def test_hostile_text_stays_data() -> None:
    """Markup in a case does not become markup: it stands in the data alone, and there without angle brackets."""
    text = page(small(), MEANINGS)
    (data,) = blocks(text, '<script type="application/json" id="data">')

    assert len(re.findall(r"<script", text)) == 2
    assert "<" not in data
    assert "49" not in json.dumps(json.loads(data)["cases"][2]["title"])
    assert json.loads(data)["cases"][2]["title"] == HOSTILE


def test_hostile_names_are_escaped() -> None:
    """A provider's name, which stands in the page itself, is escaped there."""
    lines = small()
    lines[0]["providers"][1]["provider"] = HOSTILE
    for line in lines:
        if line.get("provider") == "other":
            line["provider"] = HOSTILE

    text = page(lines)

    assert "&lt;/script&gt;&lt;script&gt;window.hacked" in text
    assert not any(tag == "img" for tag, _ in Elements(text).found)


def test_summary_counts_verdicts() -> None:
    """The table at the top counts each provider's verdicts, and all together."""
    text = page(small())
    rows = re.findall(r"<th scope=\"row\"[^>]*>([^<]+)</th>.*?\n?((?:<td class=\"count\">\d+</td>)+)", text)
    counts = {name: re.findall(r"\d+", cells) for name, cells in rows}

    assert counts == {
        "native": ["3", "0", "0", "1", "0"],
        "other": ["0", "1", "1", "0", "1"],
        "together": ["3", "1", "1", "1", "1"],
    }


def test_only_meanings_in_use_are_kept() -> None:
    """The page holds what is said of the conventions that its cases and results name, and of no others."""
    (data,) = blocks(page(small(), {**MEANINGS, "ter.beam": "x"}), '<script type="application/json" id="data">')

    assert json.loads(data)["meanings"] == MEANINGS


def test_page_is_small() -> None:
    """500 cases by 20 implementations weigh under 5 MB."""
    assert len(page(large()).encode()) < 5_000_000
