"""
Native exact match: its normalisers, and what it counts.
"""

from __future__ import annotations

import pickle
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import BadText, MissingReferences, ParameterError
from tertium.native.exact import ExactMatch

texts = st.text(
    st.one_of(st.sampled_from("aAbB .,-'\t\n\u00a0\u3000éÉßİΣς１Ａﬁ\u0301\u200b"), st.characters(codec="utf-8")),
    max_size=8,
)


def share(hypotheses: list[str], references: list[list[str]], normalizer: str = "none") -> float:
    return tertium.score(ExactMatch(normalizer=normalizer), tertium.Cases(hypotheses, references)).value


@pytest.mark.parametrize(
    ("normalizer", "text", "reference", "equal"),
    [
        ("none", "a", "a", True),
        ("none", "a", "A", False),
        ("none", "", "", True),
        ("none", "a ", "a", False),
        ("none", "café", "cafe\u0301", False),
        ("lowercase", "ÀB", "àb", True),
        ("lowercase", "Straße", "STRASSE", False),
        ("casefold", "Straße", "STRASSE", True),
        ("strip", "\u3000a b\n", "a b", True),
        ("strip", "a  b", "a b", False),
        ("whitespace", " a \t b ", "a b", True),
        ("punctuation", "A-10.", "A10", True),
        ("punctuation", "“a”", "a", False),
        ("nfc", "café", "cafe\u0301", True),
        ("nfc", "Ａ", "A", False),
        ("nfd", "café", "cafe\u0301", True),
        ("nfkc", "Ａﬁ", "Afi", True),
        ("nfkd", "é①", "e\u03011", True),
        ("nfkc+casefold+strip", " Ｓtraße", "STRASSE", True),
        ("squad", 'The "Eiffel" tower.', "eiffel tower", True),
        ("squad", "ça va", "ç va", False),
        ("squad-browser", "ça va", "ç va", True),
        ("squad-browser", "x\ty", "x y", False),
    ],
)
def test_normalisers(normalizer: str, text: str, reference: str, equal: bool) -> None:
    """Each step makes equal what it should, and no more."""
    assert share([text], [[reference]], normalizer) == equal


def test_any_reference_counts() -> None:
    """A case matches if any of its references is equal, however many others there are."""
    assert share(["a", "b", "c"], [["x", "a"], ["b"], ["d", "e", "f"]]) == pytest.approx(2 / 3)


def test_percent_and_per_case() -> None:
    """Percent is a scale from 0 to 100; each case has its own value."""
    score = tertium.score(ExactMatch(percent=True), tertium.Cases(["a", "b"], [["a"], ["a"]]))

    assert score.value == 50
    assert score.info.scale == (0, 100)
    assert score.per_case["exact_match"].tolist() == [100, 0]


def test_steps_are_checked() -> None:
    """An unknown step, and ``none`` beside others, are errors that name the steps."""
    with pytest.raises(ParameterError, match=r"no step 'nfck'.*Did you mean nf"):
        ExactMatch(normalizer="casefold+nfck")
    with pytest.raises(ParameterError, match="none stands alone"):
        ExactMatch(normalizer="none+nfc")


def test_function_as_normaliser() -> None:
    """A function from text to text is a normaliser; one that gives something else is refused."""
    cases = tertium.Cases(["abc"], [["axx"]])

    assert tertium.score(ExactMatch(normalizer=lambda text: text[:1]), cases).value == 1
    with pytest.raises(BadText, match="gave a list"):
        tertium.score(ExactMatch(normalizer=str.split), cases)  # type: ignore[arg-type]


def test_missing_references_are_an_error() -> None:
    """A case without references is not scored, an empty reference is a text."""
    assert share([""], [[""]]) == 1
    with pytest.raises(MissingReferences):
        share(["a"], [[]])


def test_signature_and_pickle() -> None:
    """The version of Unicode stands in the signature where a step depends on it; the metric pickles."""
    cases = tertium.Cases(["a"], [["a"]])
    metric = pickle.loads(pickle.dumps(ExactMatch(normalizer="nfc")))

    assert tertium.score(metric, cases).conventions["unicode"] == unicodedata.unidata_version
    assert "unicode" not in tertium.score("exact-match@native", cases).conventions


@settings(max_examples=60, deadline=None)
@given(corpus=st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5))
def test_equals_its_definition(corpus: list[tuple[str, list[str]]]) -> None:
    """On any texts the value is the share of outputs whose normal form is among those of their references."""
    for name in ("NFC", "NFKD"):

        def normal(text: str, form: str = name) -> str:
            return unicodedata.normalize(form, text).casefold()  # type: ignore[arg-type]

        expected = sum(normal(text) in map(normal, references) for text, references in corpus) / len(corpus)
        found = share([text for text, _ in corpus], [row for _, row in corpus], f"{name.lower()}+casefold")
        assert found == pytest.approx(expected)
