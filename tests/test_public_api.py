"""
The public surface: listed once, sorted, documented.
"""

from __future__ import annotations

import doctest
import importlib

import pytest

import tertium


def test_public_names_are_sorted_and_exist() -> None:
    """`__all__` is sorted, and each name is there."""
    assert sorted(tertium.__all__) == tertium.__all__
    assert [name for name in tertium.__all__ if not hasattr(tertium, name)] == []


def test_public_names_are_all_that_is_offered() -> None:
    """The lazily loaded names are exactly the listed ones."""
    functions = {
        name
        for name, value in vars(tertium).items()
        if getattr(value, "__module__", "") == "tertium" and name[0] != "_"
    }

    assert set(tertium.__all__) - {"__version__"} == set(tertium._HOMES) | functions


@pytest.mark.parametrize("name", [name for name in tertium.__all__ if name != "__version__"])
def test_public_objects_are_documented(name: str) -> None:
    """Every public object has a docstring."""
    assert (getattr(tertium, name).__doc__ or "").strip()


def test_unknown_name_is_an_attribute_error() -> None:
    """A name that does not exist is refused as Python does."""
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        _ = tertium.blue


@pytest.mark.parametrize("module", ["tertium", "tertium.cases", "tertium.scoring"])
def test_examples_in_docstrings_run(module: str) -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(importlib.import_module(module))

    assert (failed, tried > 0) == (0, True)
