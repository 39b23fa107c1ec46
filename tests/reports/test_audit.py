"""
An audit as text and as a page: all parts are there, and texts are only texts.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from audit_report import HOSTILE, report
from tertium.reports.audit import audit, behaves, called
from tertium.reports.audit_page import page
from tertium.reports.terminal import render


class Tags(HTMLParser):
    """
    List the tags and attributes of a page.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_the_text_has_every_part() -> None:
    """Verdict, shape, behaviour, setting, suite, difference and explanation, with control characters visible."""
    text = render(*audit(report()))

    for part in (
        "verdict <img",
        "input=tokens,tokenize=13a",
        "it draws <img",
        "bleu@native(tokenize=",
        "bleu.smoothing",
    ):
        assert part in text
    for part in ("the native default", "left out: 12 since they have several references", "-0.250000", "remainder"):
        assert part in text
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("equal", [True, False])
def test_the_page_holds_texts_as_texts(equal: bool) -> None:
    """No tag, attribute, script or address comes out of a person's data, and no template is filled in them."""
    found = page(report(equal))
    tags = Tags()
    tags.feed(found)

    assert not {"img", "script", "a", "link", "iframe", "form"} & set(tags.tags)
    assert {name for name in tags.attributes if name.startswith("on")} | {"src", "href"} & tags.attributes == set()
    assert tags.tags.count("style") == 1
    assert "{{ 7*7 }}" in found
    assert found.count("&lt;img src=x onerror=") >= 14
    assert not re.search(r"https?:", found)
    assert "\x1b" not in found
    assert "default-src &#39;none&#39;" in found or "default-src 'none'" in found


def test_an_audit_without_a_setting_has_a_page() -> None:
    """Where nothing could be inferred the page says why, and where a side refuses it says that."""
    facts = report()
    facts |= {"fingerprint": None, "explanation": None, "problem": f"problem {HOSTILE}", "behaviour": None, "shape": {}}
    facts["difference"] |= {"gap": None, "differing": None, "carriers": [], "finding": f"refused {HOSTILE}"}
    facts["difference"]["b"] |= {"state": "error", "value": None}
    found = page(facts)

    assert "Nothing can be inferred: problem &lt;img" in found
    assert "refused &lt;img" in found
    assert "no plain function" in found
    assert "nothing can be inferred: problem <img" in render(*audit(facts))


def test_shapes_and_behaviour_are_said_in_words() -> None:
    """What is not in force is left out; a sound function is told so."""
    assert called(
        {"metric": "bleu", "input": "strings", "tokenize": "whitespace", "scale": 100.0, "source": "none"}
    ) == ("input=strings,scale=100")
    assert behaves({"calls": 3, "apart": False, "remarks": []})[0].endswith("draws nothing and remembers nothing")
    assert "cannot copy a process" in behaves({"calls": 3, "apart": False, "remarks": []})[0]
