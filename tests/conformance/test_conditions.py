"""
Conditions of known differences: each is met by what it names, and by nothing once that is taken out.
"""

from __future__ import annotations

import pytest

from tertium import Cases
from tertium.conformance.conditions import CONDITIONS
from tertium.conformance.divergences import load_divergences

MET: dict[str, Cases] = {
    "wordless-text": Cases(["a b", "..."], [["a"], ["c"]]),
    "wordless-references": Cases(["a b", "c"], [["", "."], ["-"]]),
    "final-initial": Cases(["plan B.", "The"], [["x"], ["a"]]),
    "open-end": Cases(["a b", "they 've"], [["a"], ["c d"]]),
    "inner-sigma": Cases(["A1\u03a3", "a"], [["x"], ["b"]]),
    "blank-hypotheses": Cases(["", " \t"], [["a"], [""]]),
    "short-hypotheses": Cases(["a b c d", ""], [["a b c d e f"], ["x"]]),
}
UNMET: dict[str, Cases] = {
    "wordless-text": Cases(["a b", "c."], [["a"], ["3"]]),
    "wordless-references": Cases(["", "c"], [["", "."], ["d"]]),
    "final-initial": Cases(["plan B.", "the B. x"], [["AB."], ["A."]]),
    "open-end": Cases(["they 've", "a 12"], [["'99"], ["bcd 1"]]),
    "inner-sigma": Cases(["\u03a31", "a"], [["\u03c3"], ["b \u03a3"]]),
    "blank-hypotheses": Cases(["", "a"], [["a"], [""]]),
    "short-hypotheses": Cases(["a b c d e", ""], [["f"], ["x"]]),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_tell_inputs_apart(name: str) -> None:
    """A condition holds for the one input and not for the other, and not for the first without its feature."""
    condition = CONDITIONS[name]

    assert condition.met(MET[name])
    assert not condition.met(UNMET[name])
    assert not condition.met(condition.removed(MET[name]))
    assert condition.meaning


@pytest.mark.parametrize("name", CONDITIONS)
def test_what_is_not_the_feature_stays(name: str) -> None:
    """An input without the feature is given back as it is, but for cases that may follow; sources stay with theirs."""
    cases = Cases(UNMET[name].hypotheses, UNMET[name].references, ["s", "t"])

    found = CONDITIONS[name].removed(cases)

    if name == "blank-hypotheses":
        assert found.hypotheses[1:] == cases.hypotheses[1:]
    elif name not in ("wordless-references", "inner-sigma", "final-initial", "open-end"):
        assert found.hypotheses[:2] == cases.hypotheses
    assert found.sources is not None
    assert found.sources[:2] == ("s", "t")


def test_every_condition_is_used() -> None:
    """Each condition is named by an entry of the project's own list, and each such entry says of which metrics."""
    entries = [entry for entry in load_divergences().entries if entry.when]

    assert {entry.when for entry in entries} == set(CONDITIONS)
    assert all(entry.metrics and entry.condition is CONDITIONS[entry.when] for entry in entries)


def test_entities_are_no_words_and_tags_begin_a_sentence() -> None:
    """A text of one entity, or of astral letters, holds no word; a tag after an initial counts as a capital does."""
    assert CONDITIONS["wordless-references"].met(Cases([""], [["&quot;"]]))
    assert not CONDITIONS["wordless-references"].met(Cases([""], [["&quot;a"]]))
    assert CONDITIONS["wordless-references"].met(Cases([""], [["\U0001d400\U0001d401"]]))
    assert CONDITIONS["final-initial"].met(Cases(["", "a"], [[""], ["a.", "<s> "]]))
    assert not CONDITIONS["final-initial"].met(Cases(["", "a"], [[""], ["a.", "s "]]))


def test_numbers_stand_behind_their_abbreviations() -> None:
    """What counts is an abbreviation of a number at the end of a text and a digit that begins the next one."""
    condition = CONDITIONS["final-initial"]
    numbered = Cases(["House No.", "5 dogs"], [["a"], ["b"]])

    assert condition.met(numbered)
    assert not condition.met(condition.removed(numbered))
    assert not condition.met(Cases(["House No.", " 5 dogs"], [["a"], ["b"]]))
    assert not condition.met(Cases(["a piano.", "5 dogs"], [["a"], ["b"]]))
