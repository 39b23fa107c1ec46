"""
Porter's stemmer in three forms.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native.porter import measure, nltk_stem, original_stem, perl_stem, porter_perl, shape

SUFFIXES = [
    *("ational", "tional", "enci", "anci", "izer", "bli", "abli", "alli", "entli", "eli", "ousli", "ization", "ation"),
    *("ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative"),
    *("alize", "iciti", "ical", "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement"),
    *("ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll", "s", "ed"),
    *("ing", "eed", "ies", "ied", "y", "ss", "sses", "at", "bl", "iz"),
]
WORDS = st.tuples(st.text("abdelnostyu", max_size=6), st.lists(st.sampled_from(SUFFIXES), max_size=3)).map(
    lambda parts: parts[0] + "".join(parts[1])
)


def nltk_pair() -> tuple[object, object]:
    """Make NLTK's stemmer in its default and in its original mode."""
    module = pytest.importorskip("nltk.stem.porter", reason="NLTK is not installed")
    return module.PorterStemmer(), module.PorterStemmer("ORIGINAL_ALGORITHM")


def check(words: list[str]) -> None:
    """Hold both forms against NLTK on words."""
    extended, original = nltk_pair()
    for word in words:
        assert (extended.stem(word), original.stem(word)) == (nltk_stem(word), original_stem(word)), word


@given(st.lists(WORDS | st.text("aeiouybcdls*'-9", min_size=1, max_size=8) | st.text(min_size=1, max_size=6)))
@settings(max_examples=500, deadline=None)
def test_any_word_equals_nltk(words: list[str]) -> None:
    """Invented words, other scripts included, stem as NLTK 3.10.0 stems them, extended and original."""
    check([word for word in words if word])


def test_built_words_equal_nltk() -> None:
    """Twenty thousand chains of suffixes stem as NLTK stems them."""
    rng = random.Random(1980)
    stems = ("".join(rng.choices("abdelnostyu", k=rng.randrange(6))) for _ in range(20_000))
    check([stem + "".join(rng.choices(SUFFIXES, k=rng.randrange(1, 4))) for stem in stems])


def test_words_of_real_corpora_equal_nltk(shared: Path) -> None:
    """Every word of the English corpora stems as NLTK stems it."""
    files = [*(shared / "data" / "summarization").rglob("*.txt"), *(shared / "data" / "simplification").rglob("*.txt")]
    files += sorted((shared / "data" / "mt" / "ted-sk-en").rglob("*.txt"))
    words = {
        word
        for file in files
        for word in re.findall(r"[a-z0-9]+", file.read_text(encoding="utf-8", errors="replace").lower())
    }
    assert len(words) > 10_000
    check(sorted(words))


def test_measure() -> None:
    """The measure is that of the paper's examples, section 2."""
    wanted = {0: "tr ee tree y by", 1: "trouble oats trees ivy", 2: "troubles private oaten orrery"}
    assert all(measure(word) == m for m, words in wanted.items() for word in words.split())
    assert shape("syzygy") == "cvcvcv"


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        *(("caresses", "caress"), ("ponies", "poni"), ("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster")),
        *(("motoring", "motor"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file")),
        *(("happy", "happi"), ("sky", "sky"), ("relational", "relat"), ("vietnamization", "vietnam")),
        *(("sensibiliti", "sensibl"), ("electriciti", "electr"), ("goodness", "good"), ("replacement", "replac")),
        *(("adoption", "adopt"), ("bowdlerize", "bowdler"), ("probate", "probat"), ("rate", "rate"), ("roll", "roll")),
    ],
)
def test_examples_of_the_paper(word: str, stem: str) -> None:
    """The examples of Porter 1980 hold in the original form and in that of ROUGE-1.5.5."""
    assert (original_stem(word), perl_stem(word)) == (stem, stem)


@pytest.mark.parametrize(
    ("word", "perl", "original"),
    [
        ("possibly", "possibl", "possibli"),  # -bli, not -abli
        ("archaeology", "archaeolog", "archaeologi"),  # -logi
        ("basement", "basem", "basement"),  # -ement and -ment leave too little, so -ent goes
        ("yay", "yai", "yai"),
        ("abandonment", "abandon", "abandon"),
        ("commencement", "commenc", "commenc"),
        ("dyed", "dy", "dy"),
        ("yes", "ye", "ye"),
        ("argument", "argum", "argument"),
    ],
)
def test_departures_of_rouge_155(word: str, perl: str, original: str) -> None:
    """ROUGE-1.5.5's stemmer gives what the program gave when it was run, unlike Porter's paper for some words."""
    assert (porter_perl(word), original_stem(word)) == (perl, original)
