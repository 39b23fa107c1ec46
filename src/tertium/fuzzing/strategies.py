"""
Draw texts, cases and corpora with Hypothesis: strategies that know scripts, marks, blanks, repeats and ties.

They are what ``tertium fuzz`` draws from, and serve in tests of one's own as well::

    @given(corpora(tertium.load("bleu").info.needs))
    def test_my_metric(corpus: list[Draft]) -> None: ...
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from random import Random

from hypothesis import strategies as st

from tertium.fuzzing import scripts
from tertium.fuzzing.mutations import mutated
from tertium.shrinking import Draft

LONGEST = 10_000
"""Characters that a long text has at most, by default."""

_MIXED = tuple(word for words in scripts.WORDS.values() for word in words)
_PIECES = (*_MIXED, *scripts.NUMBERS, *scripts.PUNCTUATION, *scripts.GLUED)
_ODD = (*scripts.SPACES, *scripts.INVISIBLE, *scripts.MARKS)

LONG = 0.004
"""Share of corpora that hold a long text."""

Strategy = st.SearchStrategy

# Whole numbers would be drawn small more often than not, and make the same choices again and again.
_CHOICES = st.binary(min_size=8, max_size=8).map(Random)
_ANY = st.characters(exclude_categories=["Cs"])


def _weighted(*options: tuple[int, Strategy[str]]) -> Strategy[str]:
    return st.one_of([strategy for weight, strategy in options for _ in range(weight)])


@functools.cache
def words() -> Strategy[str]:
    """
    Draw sentences of one script, words apart by single spaces, some with numbers and punctuation.
    """

    def sentences(name: str) -> Strategy[str]:
        piece = st.sampled_from((*scripts.WORDS[name] * 4, *scripts.NUMBERS, *scripts.PUNCTUATION, *scripts.GLUED))
        plain = st.sampled_from(scripts.WORDS[name])
        return st.one_of(st.lists(plain, max_size=14), st.lists(piece, min_size=1, max_size=12)).map(" ".join)

    return st.one_of([sentences(name) for name in (*scripts.WORDS, "english", "english", "inflected")])


@functools.cache
def repeats() -> Strategy[str]:
    """
    Draw sentences of very few different words, where n-grams repeat and alignments tie.
    """
    return st.one_of([st.lists(st.sampled_from(few), max_size=16).map(" ".join) for few in scripts.FEW])


@functools.cache
def mixed() -> Strategy[str]:
    """
    Draw pieces of all scripts, numbers and punctuation, apart by all kinds of white space or by nothing.
    """
    between = st.sampled_from((" ", " ", " ", "", *scripts.SPACES))
    piece = st.sampled_from(_PIECES)
    return st.lists(st.tuples(piece, between), max_size=9).map(lambda found: "".join(map("".join, found)))


@functools.cache
def noise() -> Strategy[str]:
    """
    Draw a few characters of any kind: marks without letters, controls, white space, code points that mean nothing.
    """
    odd = st.sampled_from((*_ODD, "a", "b", " ", "A", "."))
    return st.lists(st.one_of(odd, odd, _ANY), max_size=8).map("".join)


@functools.cache
def singles() -> Strategy[str]:
    """
    Draw one character.
    """
    return st.one_of(st.sampled_from(("a", "A", ".", "猫", *_ODD)), _ANY)


@functools.cache
def blanks() -> Strategy[str]:
    """
    Draw texts that hold nothing, or next to nothing.
    """
    return st.sampled_from(scripts.BLANKS)


@functools.cache
def texts() -> Strategy[str]:
    """
    Draw a text of any kind, long ones excepted.
    """
    return _weighted((6, words()), (4, repeats()), (4, mixed()), (2, noise()), (1, singles()), (1, blanks()))


@functools.cache
def long_texts(longest: int = LONGEST) -> Strategy[str]:
    """
    Draw a text of many sentences or lines.

    Args:
        longest: Characters that it has at most.
    """

    def stretched(base: str, share: int, joint: str) -> str:
        unit = (base or "a") + joint
        return (unit * (longest // len(unit) + 1))[: max(1, longest // share)]

    return st.builds(
        stretched,
        st.one_of(words(), repeats(), mixed()),
        st.sampled_from((1, 2, 4, 8, 16)),
        st.sampled_from((" ", ". ", "\n", "")),
    )


@st.composite
def cases(
    draw: st.DrawFn,
    needs: Collection[str] = (),
    counts: Sequence[int] = (1, 1, 1, 2, 3, 4),
    real: Sequence[Draft] = (),
) -> Draft:
    """
    Draw a case: a hypothesis that often resembles a reference, with as many references as the metric takes.

    Args:
        needs: What the metrics need: any of ``one-reference`` and ``sources``.
        counts: Numbers of references to choose from.
        real: Cases to start from; invented texts are mixed in.
    """
    random = draw(_CHOICES)
    if real and random.random() < 0.75:
        return _changed(random.choice(real), random, needs)
    references = [draw(texts())]
    for _ in range(1, 1 if "one-reference" in needs else draw(st.sampled_from(tuple(counts)))):
        references.append(draw(texts()) if random.random() < 0.3 else mutated(references[0], random))
    chance = random.random()
    if chance < 0.3:
        hypothesis = draw(texts())
    else:
        hypothesis = random.choice(references)
        hypothesis = hypothesis if chance < 0.4 else mutated(hypothesis, random)
    source = mutated(references[0], random) if "sources" in needs else None
    return Draft(hypothesis, tuple(references), source)


def _changed(case: Draft, random: Random, needs: Collection[str]) -> Draft:
    """
    Change a real case here and there, its references seldom.
    """
    references = list(case.references or (case.hypothesis,))
    references = references[:1] if "one-reference" in needs else references
    if random.random() < 0.3:
        place = random.randrange(len(references))
        references[place] = mutated(references[place], random)
    hypothesis = random.choice((case.hypothesis, case.hypothesis, random.choice(references)))
    source = case.source if case.source is not None else references[0]
    return Draft(mutated(hypothesis, random), tuple(references), source if "sources" in needs else None)


def corpora(needs: Collection[str] = (), longest: int = LONGEST, real: Sequence[Draft] = ()) -> Strategy[list[Draft]]:
    """
    Draw a corpus of one to six cases; one in some hundred holds a long text.

    Args:
        needs: What the metrics need: any of ``one-reference`` and ``sources``.
        longest: Characters of a long text at most; 0 for none.
        real: Cases to start from.
    """
    case, even = cases(needs, real=real), [cases(needs, (count,), real) for count in (1, 2)]
    several = [st.lists(one, min_size=2, max_size=6) for one in (case, case, *even)]
    usual = st.one_of([st.lists(case, min_size=1, max_size=1), st.lists(case, min_size=1, max_size=3), *several])
    return _now_and_then_long(usual, needs, longest)


@st.composite
def _now_and_then_long(
    draw: st.DrawFn, usual: Strategy[list[Draft]], needs: Collection[str], longest: int
) -> list[Draft]:
    found = draw(usual)
    random = draw(_CHOICES)
    if longest and random.random() < LONG:
        text = draw(long_texts(longest))
        found[0] = Draft(mutated(text, random), (text,), text if "sources" in needs else None)
    return found


def reworked(corpus: Sequence[Draft], random: Random) -> list[Draft]:
    """
    Make another corpus of one that was drawn, at a fraction of the cost: its hypotheses are changed once more.
    """
    found = []
    for case in corpus:
        texts_of = (case.hypothesis, *(case.references or ()))
        references = case.references
        if references and random.random() < 0.2:
            place = random.randrange(len(references))
            references = (*references[:place], mutated(references[place], random), *references[place + 1 :])
        hypothesis = case.hypothesis if random.random() < 0.1 else mutated(random.choice(texts_of), random)
        found.append(Draft(hypothesis, references, case.source))
    return found
