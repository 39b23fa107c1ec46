"""
What is drawn: every kind of text that implementations are known to part on, the same for the same seed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from tertium.fuzzing import drawing, scripts, strategies
from tertium.fuzzing.mutations import mutated
from tertium.fuzzing.strategies import corpora, long_texts, reworked
from tertium.shrinking import Draft


@pytest.fixture(scope="module")
def drawn() -> list[list[Draft]]:
    """
    Draw some rounds for metrics that need references.
    """
    return [corpus for number in range(4) for corpus in drawing.drawn(1, number, {"references"}, 4000)]


def texts(found: Sequence[Sequence[Draft]]) -> list[str]:
    return [text for corpus in found for draft in corpus for text in draft.texts]


def test_all_kinds_of_text_are_drawn(drawn: list[list[Draft]]) -> None:
    """There are blank, empty and one-character texts, marks, odd white space, numbers, and letters of a dozen scripts."""
    found = texts(drawn)
    everything = "".join(found)

    assert "" in found
    assert any(text and not text.strip() for text in found)
    assert any(len(text) == 1 for text in found)
    assert len({unicodedata.category(character) for character in everything}) > 20
    assert len({unicodedata.name(letter, "?").split(" ")[0] for letter in everything if letter.isalpha()}) > 12
    assert {character for character in everything if character.isspace()} > set(" \t\n\r\xa0\u3000\u2028\x1c")
    assert any(text != unicodedata.normalize("NFC", text) for text in found)


def test_words_repeat_and_hypotheses_resemble_references(drawn: list[list[Draft]]) -> None:
    """Many texts say a word twice, and most hypotheses share a word with a reference without being equal to it."""
    found = texts(drawn)
    repeated = [text for text in found if len(set(text.split())) < len(text.split())]
    drafts = [draft for corpus in drawn for draft in corpus]
    near = [
        draft
        for draft in drafts
        if any(set(draft.hypothesis.split()) & set(text.split()) for text in draft.references or ())
        and draft.hypothesis not in (draft.references or ())
    ]

    assert len(repeated) > len(found) / 6
    assert len(near) > len(drafts) / 3


def test_counts_of_references_differ(drawn: list[list[Draft]]) -> None:
    """Cases have one to four references, equally many in some corpora of several cases and unequally many in others."""
    several = [{len(draft.references or ()) for draft in corpus} for corpus in drawn if len(corpus) > 2]

    assert {len(draft.references or ()) for corpus in drawn for draft in corpus} >= {1, 2, 3, 4}
    assert any(len(counts) == 1 for counts in several)
    assert any(len(counts) > 1 for counts in several)


def test_same_seed_draws_the_same() -> None:
    """A round depends on seed and number alone, not on what was drawn before."""
    first = drawing.drawn(3, 1, {"references"}, 1000)

    assert drawing.drawn(3, 0, {"references"}, 1000) != first
    assert drawing.drawn(3, 1, {"references"}, 1000) == first
    assert drawing.drawn(4, 1, {"references"}, 1000) != first


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(corpora({"one-reference", "sources"}))
def test_needs_decide_the_shape(corpus: list[Draft]) -> None:
    """Metrics that take one reference get one, and those that need sources get a source a case."""
    assert 1 <= len(corpus) <= 6
    assert all(len(draft.references or ()) == 1 and draft.source is not None for draft in corpus)


@settings(max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(long_texts(5000))
def test_long_texts_are_long(text: str) -> None:
    """A long text has from a sixteenth of the length that is allowed up to all of it."""
    assert 5000 // 16 <= len(text) <= 5000


def test_long_texts_come_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of the corpora holds a long text, and none does where no length is allowed."""
    monkeypatch.setattr(strategies, "LONG", 0.2)

    long, without = ([len(text) for text in texts(drawing.drawn(9, 0, {"references"}, size))] for size in (4000, 0))

    assert sum(length > 1000 for length in long) > 2
    assert max(without) < 1000


def test_real_text_stays_recognisable() -> None:
    """Most cases start from a real one and keep words of it; others are invented."""
    real = [Draft("a long real sentence of many words stands here", ("the reference of it stands there",), None)]
    words = {word for text in real[0].texts for word in text.split()}

    found = [draft for corpus in drawing.drawn(0, 0, {"references"}, 0, real) for draft in corpus]

    kept = [draft for draft in found if len(words & set(" ".join(draft.texts).split())) > 3]
    assert len(found) * 0.6 < len(kept) < len(found) * 0.9


def test_changes_change_little() -> None:
    """A changed text is another one nearly always, is bounded, and comes from the random numbers alone."""
    text = "the old ferry crosses the river twice a day"
    found = [mutated(text, Random(seed)) for seed in range(300)]

    assert found == [mutated(text, Random(seed)) for seed in range(300)]
    assert sum(one != text for one in found) > 280
    assert max(map(len, found)) < 3 * len(text)
    assert all(isinstance(mutated(blank, Random(seed)), str) for blank in scripts.BLANKS for seed in range(50))


def test_reworked_corpora_keep_their_shape() -> None:
    """Cases, counts of references and sources stay where a corpus is changed once more."""
    corpus = [Draft("a b", ("a c", "b"), "s"), Draft("", ("x",), "t")]

    found = reworked(corpus, Random(1))

    assert [(len(draft.references or ()), draft.source) for draft in found] == [(2, "s"), (1, "t")]
    assert found != corpus
