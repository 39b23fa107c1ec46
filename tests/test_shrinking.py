"""
Shrinking: the smallest input that keeps what is interesting, within a budget, as a ready conformance case.
"""

from __future__ import annotations

import doctest
import math
from pathlib import Path

import pytest

import tertium
from tertium import Cases, shrinking
from tertium.conformance.schemas import problem
from tertium.errors import Refused
from tertium.shrinking import Shrinker, sentences, shrink, tokens


@pytest.mark.parametrize(
    "text", ["", " ", "a", "  a b\t c ", "One. Two!  Three?\nFour", "日本。です", "\u2028x\u00a0y"]
)
def test_pieces_make_up_the_text(text: str) -> None:
    """Nothing is lost where a text is cut, and no piece is empty."""
    for cut in (sentences, tokens):
        assert "".join(cut(text)) == text
        assert "" not in cut(text)


def test_sentences_and_tokens() -> None:
    """Sentences end with their white space, tokens begin with theirs."""
    assert sentences("One. Two!\nThree") == ["One. ", "Two!\n", "Three"]
    assert tokens("a  b ") == ["a", "  b", " "]


def test_what_is_not_needed_goes() -> None:
    """Of five cases with two references each, only the characters that the condition asks for are left."""
    cases = Cases(
        ["One x. Two", "Three needle here. Four", "five", "six", "seven"],
        [["a", "b"], ["some hay here", "other"], ["c"], ["d"], ["e"]],
    )

    def interesting(some: Cases) -> bool:
        return any("needle" in case.hypothesis and "hay" in "".join(case.references or ()) for case in some)

    found = Shrinker(interesting).shrink(cases)

    assert (found.hypotheses, found.references) == (("needle",), (("hay",),))


def test_what_must_go_together_goes() -> None:
    """Texts that must stay equal lose a word on both sides at once."""
    cases = Cases(["keep this word"], [["keep this word"]])

    def interesting(some: Cases) -> bool:
        return some.hypotheses == some.flat_references and "word" in some.hypotheses[0]

    assert Shrinker(interesting).shrink(cases).hypotheses == ("word",)


def test_two_cases_that_need_each_other_stay() -> None:
    """A condition about two cases keeps both."""
    cases = Cases(["a", "b", "c", "d"], [["x"], ["y"], ["z"], ["w"]])

    def interesting(some: Cases) -> bool:
        return {"b", "d"} <= set(some.hypotheses)

    assert Shrinker(interesting).shrink(cases).hypotheses == ("b", "d")


def test_the_result_cannot_lose_a_piece() -> None:
    """Where the search ends by itself, no case, reference, word or character can be left out any more."""
    cases = Cases(["the cats sat. on the mat", "a dog"], [["the cat sits on a mat", "mat"], ["a dog"]])

    found = shrink("rougeL", "rougeL(stemmer=nltk)", cases)

    assert found.complete
    assert len(found.cases) == 1
    hypothesis, (reference,) = found.cases.hypotheses[0], found.cases.flat_references
    for place in range(len(hypothesis)):
        assert not _differ([hypothesis[:place] + hypothesis[place + 1 :]], [[reference]])
    for place in range(len(reference)):
        assert not _differ([hypothesis], [[reference[:place] + reference[place + 1 :]]])


def _differ(hypotheses: list[str], references: list[list[str]]) -> bool:
    cases = Cases(hypotheses, references)
    return abs(tertium.score("rougeL", cases).value - tertium.score("rougeL(stemmer=nltk)", cases).value) > 1e-6


def test_the_budget_ends_the_search() -> None:
    """No more inputs are tried than allowed; what was found until then is given, and that it is not the end."""
    tried = 0

    def interesting(some: Cases) -> bool:
        nonlocal tried
        tried += 1
        return "z" in some.hypotheses[-1]

    told: list[tuple[int, int]] = []
    shrinker = Shrinker(interesting, budget=4, progress=lambda *counted: told.append(counted))
    found = shrinker.shrink(Cases(["a b c d e f g h i j z"] * 4, [["x y"]] * 4))

    assert tried == shrinker.calls == 4
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert shrinker.spent
    assert "z" in found.hypotheses[-1]
    assert len(found) < 4


def test_nothing_to_leave_out() -> None:
    """Where nothing can go, the cases themselves are the result."""
    cases = Cases(["ab"], [["ab"]])

    assert Shrinker(lambda some: some == cases).shrink(cases) == cases


def test_likely_cases_are_tried_alone_first() -> None:
    """A case that shows it alone is found by one try."""
    cases = Cases([str(number) for number in range(1000)], [["x"]] * 1000)
    shrinker = Shrinker(lambda some: "777" in some.hypotheses, budget=1)

    assert shrinker.shrink(cases, likely=[777]).hypotheses == ("777",)


def test_sources_are_shrunk_too() -> None:
    """Sources stay with their cases and become smaller."""
    cases = Cases(["a"], [["b"]], sources=["left needle right"])

    found = Shrinker(lambda some: some.sources is not None and "needle" in some.sources[0]).shrink(cases)

    assert (found.sources, found.hypotheses) == (("needle",), ("",))


def test_the_kind_of_the_difference_stays() -> None:
    """Two numbers that differ do not become a number and a refusal, which an empty reference would make of them."""
    cases = Cases(["The cat sat", "b"], [["the cat sat"], ["b"]])

    found = shrink("wer", "wer(case=lower,empty_reference=error)", cases)

    assert [kind for kind, _ in found.answers] == ["number", "number"]
    assert found.cases.flat_references[0] != ""
    assert (found.cases.hypotheses, found.cases.flat_references) == (("T",), ("t",))


def test_a_refusal_on_one_side_is_kept() -> None:
    """Where one side refuses, the smallest input that it refuses is found."""
    cases = Cases(["some words", "more words"], [["  "], [""]])

    found = shrink("wer", "wer(empty_reference=error)", cases)

    assert found.answers[0][0] == "number"
    assert found.answers[1][0] == "BadText"
    assert math.isnan(found.gap)
    assert (found.cases.hypotheses, found.cases.flat_references) == (("",), ("",))


def test_two_that_agree_are_refused() -> None:
    """Without a difference there is nothing to shrink, and the message gives the numbers."""
    with pytest.raises(Refused, match="0 apart on these cases"):
        shrink("wer", "wer(case=lower)", Cases(["a"], [["a"]]))


def test_the_tolerance_is_kept() -> None:
    """What is left differs by more than the tolerance, on one scale."""
    cases = Cases(["The cat sat on The mat"], [["the cat sat on the mat"]])

    found = shrink("wer", "wer(case=lower)", cases, tolerance=0.3)

    assert abs(found.gap) > 0.3
    assert len(found.cases.flat_references[0].split()) < 4


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("bleu@nltk", "bleu@sacrebleu"),
        ("wer", "wer(empty_reference=error)"),
        ("wer", "wer(empty_reference=infinity)"),
        ("wer", "wer(empty_reference=undefined)"),
        ("cider-d(tokenizer=none)", "cider-d(tokenizer=none,clipping=false)"),
        ("ter", "ter(case_sensitive=true)"),
        ("rougeL.recall", "rougeL(stemmer=nltk).recall"),
    ],
)
def test_the_result_is_a_conformance_case(a: str, b: str) -> None:
    """The input with what both gave fits the schema of the suite's cases."""
    cases = Cases(["The cats cats sat, down", "a", "b"], [["the cat sat, down", "cats"], [""], ["b c"]])
    cases = cases[1:2] if "empty_reference" in b else cases

    case = shrink(a, b, cases).case(["bleu.tokenizer"])

    assert problem(case, "case") == ""
    assert len(case["results"]) == 2
    assert case["axes"] == ["bleu.tokenizer"]
    assert shrink(a, b, cases).case()["axes"] == ["unexplained"]


def test_a_real_corpus_shrinks_to_a_few_characters(shared: Path) -> None:
    """Of 3,004 sentences on which two tokenizers differ, one of a few characters is left within the budget."""
    folder = shared / "data" / "mt" / "wmt17-en-de"

    def lines(path: Path) -> list[str]:
        return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")

    system = sorted((folder / "systems").glob("*.txt"))[0]
    cases = Cases(lines(system), [[text] for text in lines(folder / "ref.txt")])

    found = shrink("bleu", "bleu(tokenize=none)", cases, budget=500)

    assert found.complete
    assert len(found.cases) == 1
    assert len(found.cases.hypotheses[0]) < 10
    assert abs(found.gap) > 1e-4


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(shrinking)

    assert (failed, tried > 0) == (0, True)
