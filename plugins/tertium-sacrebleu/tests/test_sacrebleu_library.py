"""
The adapter against the library called directly, on short invented texts.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sacrebleu

import tertium
from tertium.errors import MissingReferences, ParameterError

HYPOTHESES = [
    "The red fox ran home today, didn't it?",
    "a bird sang 3,000.50 times - loudly",
    "",
    "Sie sagte: „Nein!“ &quot;Doch&quot; &amp; ging.",
    "我喜欢猫 and dogs。",
    "one two three four five six seven eight",
    "seven eight one two three four five six .",
    "İstanbul ΟΔΟΣ straße ﬁne",
    "a\u2028b\x85c\u00a0d\x1ce\rf\tg\nh-\ni",
    "🙂🙂 👩‍👩‍👧 e\u0301 é",
    "猫が好きです。",
    "나는 고양이를 좋아합니다.",
    ".",
    "   spaced   out   ",
]
REFERENCES: list[list[str]] = [
    ["The red fox ran home today, did it not?", "Today the red fox ran home."],
    ["A bird sang 3,000.5 times, loudly"],
    ["something", ""],
    ['Sie sagte: "Nein!" "Doch" & ging.', "Sie sprach: nein.", "Nein, sagte sie; doch, und ging"],
    ["我喜欢狗 and cats。"],
    ["two one three four six five seven eight nine"],
    ["one two three four five six seven eight ."],
    ["istanbul οδος strasse fine", "İstanbul ΟΔΟΣ straße ﬁne"],
    ["a b c d e f g h i"],
    ["🙂 👩‍👩‍👧 é é"],
    ["猫が好きでした。", "犬が好きです。"],
    ["나는 개를 좋아합니다."],
    ["", "."],
    ["spaced out"],
]


def streams(references: list[list[str]]) -> Any:
    """
    Turn references by case into the library's streams, where None stands for a reference that is not there.
    """
    most = max(map(len, references))
    return [[row[i] if i < len(row) else None for row in references] for i in range(most)]


def library_value(library: Any, hypotheses: list[str], references: list[list[str]]) -> Any:
    """
    Score with the library alone.
    """
    return library.corpus_score(hypotheses, streams(references))


BLEU_PARAMETERS: list[dict[str, Any]] = [
    {},
    *({"tokenize": name} for name in ("13a", "none", "zh", "intl", "char", "ja-mecab", "ko-mecab")),
    *({"trg_lang": code} for code in ("zh", "ja", "ko", "de")),
    *({"tokenize": "13a", "trg_lang": code} for code in ("zh", "ja", "ko", "de")),
    *({"max_ngram_order": order} for order in (1, 2, 7)),
    {"lowercase": True},
    {"force": True},
    *(
        {"smooth_method": method, "max_ngram_order": 6, "effective_order": effective, **value}
        for method, value in (
            ("exp", {}),
            ("none", {}),
            ("floor", {}),
            ("floor", {"smooth_value": 0.37}),
            ("floor", {"smooth_value": 0.0}),
            ("add-k", {}),
            ("add-k", {"smooth_value": 0.123}),
        )
        for effective in (False, True)
    ),
]


@pytest.mark.parametrize("parameters", BLEU_PARAMETERS, ids=str)
def test_bleu_equals_the_library(parameters: dict[str, Any]) -> None:
    """Every parameter gives the library's own corpus value, parts, signature and value of each case."""
    score = tertium.score(tertium.Spec("bleu", "sacrebleu", params=parameters), tertium.Cases(HYPOTHESES, REFERENCES))
    library = sacrebleu.BLEU(**{"tokenize": None, **parameters})
    value = library_value(library, HYPOTHESES, REFERENCES)
    order = library.max_ngram_order

    assert score.value == value.score
    assert score["brevity_penalty"] == value.bp
    assert [score[f"precision_{n}"] for n in range(1, order + 1)] == value.precisions
    assert (score["hypothesis_length"], score["reference_length"]) == (value.sys_len, value.ref_len)
    counts = _counts(library, HYPOTHESES, REFERENCES)
    assert [score[f"matches_{n}"] for n in range(1, order + 1)] == counts[:order]
    assert [score[f"totals_{n}"] for n in range(1, order + 1)] == counts[order:]
    assert score.statistics is not None
    assert score.statistics.sum(axis=0).tolist() == [*counts, value.sys_len, value.ref_len]
    assert score.conventions["sacrebleu.signature"] == str(library.get_signature())
    for case, (hypothesis, references) in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        alone = library_value(library, [hypothesis], [references])
        assert score.per_case["bleu"][case] == alone.score


def _counts(library: Any, hypotheses: list[str], references: list[list[str]]) -> list[int]:
    rows = library._extract_corpus_statistics(hypotheses, streams(references))
    return [sum(column) for column in zip(*rows, strict=True)][2:]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"word_order": 2},
        {"char_order": 0, "word_order": 3},
        {"char_order": 1},
        {"char_order": 9, "word_order": 1},
        {"beta": 1.0},
        {"beta": 3.0},
        {"beta": 0.0},
        {"beta": 0.5},
        *(
            {"lowercase": lower, "whitespace": space, "eps_smoothing": eps, "word_order": 1}
            for lower, space, eps in itertools.product((False, True), repeat=3)
        ),
    ],
    ids=str,
)
def test_chrf_equals_the_library(parameters: dict[str, Any]) -> None:
    """Every parameter gives the library's own corpus value, signature and value of each case."""
    score = tertium.score(tertium.Spec("chrf", "sacrebleu", params=parameters), tertium.Cases(HYPOTHESES, REFERENCES))
    library = sacrebleu.CHRF(**parameters)

    assert score.value == library_value(library, HYPOTHESES, REFERENCES).score
    assert score.conventions["sacrebleu.signature"] == str(library.get_signature())
    for case, (hypothesis, references) in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        assert score.per_case["score"][case] == library.sentence_score(hypothesis, references).score


def test_chrf_plus_plus_is_word_order_two() -> None:
    """The alias chrf++ scores with word_order=2."""
    cases = tertium.Cases(HYPOTHESES, REFERENCES)

    assert (
        tertium.score("chrf++@sacrebleu", cases).value
        == sacrebleu.CHRF(word_order=2).corpus_score(HYPOTHESES, streams(REFERENCES)).score
    )


@pytest.mark.parametrize("flags", list(itertools.product((False, True), repeat=4)), ids=str)
def test_ter_equals_the_library(flags: tuple[bool, ...]) -> None:
    """Every parameter gives the library's own corpus value, edits, length, signature and value of each case."""
    parameters: dict[str, Any] = dict(
        zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags, strict=True)
    )
    score = tertium.score(tertium.Spec("ter", "sacrebleu", params=parameters), tertium.Cases(HYPOTHESES, REFERENCES))
    library = sacrebleu.TER(**parameters)
    value = library_value(library, HYPOTHESES, REFERENCES)

    # Mean lengths over references are not whole: the order of summation may differ in the last bits.
    assert score.value == pytest.approx(value.score, rel=1e-12)
    assert score["edits"] == value.num_edits
    assert score["reference_length"] == pytest.approx(value.ref_length, rel=1e-12)
    assert score.conventions["sacrebleu.signature"] == str(library.get_signature())
    for case, (hypothesis, references) in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        assert score.per_case["ter"][case] == library.sentence_score(hypothesis, references).score


def test_ter_keeps_the_librarys_second_pass_over_references() -> None:
    """The library normalises a reference twice and an output once, so a text need not be equal to itself."""
    text = "the fox's, den"
    score = tertium.score("ter@sacrebleu:normalized=true", tertium.Cases([text], [[text]]))
    value = sacrebleu.TER(normalized=True).corpus_score([text], [[text]])

    # once: the fox's , den; twice: the fox 's , den
    assert (score["edits"], score["reference_length"]) == (value.num_edits, value.ref_length) == (2, 5)


@pytest.mark.parametrize(
    ("references", "shown"),
    [([["a"], ["b"]], "nrefs:1|"), ([["a", "b"]] * 2, "nrefs:2|"), ([["a", "b"], ["c"]], "nrefs:var|")],
)
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_number_of_references_stands_in_the_signature(metric: str, references: list[list[str]], shown: str) -> None:
    """The library's signature says how many references there are, and `var` where cases differ."""
    score = tertium.score(f"{metric}@sacrebleu", tertium.Cases(["a", "b"], references))

    assert score.conventions["sacrebleu.signature"].startswith(shown)


@pytest.mark.parametrize(
    ("metric", "one", "other"),
    [
        ("bleu", {"max_ngram_order": 4}, {"max_ngram_order": 3}),
        ("bleu", {"smooth_method": "floor", "smooth_value": 0.101}, {"smooth_method": "floor", "smooth_value": 0.102}),
        ("chrf", {"beta": 2.0}, {"beta": 3.0}),
    ],
)
def test_what_the_librarys_signature_hides_stands_in_ours(metric: str, one: Any, other: Any) -> None:
    """Parameters that move the value while the library's signature stays the same still tell two signatures apart."""
    cases = tertium.Cases(["a b c d e f"], [["a b x d e f"]])
    scores = [tertium.score(tertium.Spec(metric, "sacrebleu", params=params), cases) for params in (one, other)]

    assert scores[0].conventions["sacrebleu.signature"] == scores[1].conventions["sacrebleu.signature"]
    assert scores[0].signature != scores[1].signature


def test_a_short_reference_stream_cannot_cut_the_corpus() -> None:
    """Where the library would score a common prefix, the cases with fewer references keep their own."""
    hypotheses, references = ["a b c d e", "v w x y z"], [["a b c d e", "q"], ["v w x y y"]]
    prefix = sacrebleu.BLEU().corpus_score(hypotheses, [["a b c d e", "v w x y y"], ["q"]])
    score = tertium.score("bleu@sacrebleu", tertium.Cases(hypotheses, references))

    assert prefix.sys_len == 5
    assert score["hypothesis_length"] == 10
    assert score.value == library_value(sacrebleu.BLEU(), hypotheses, references).score


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_a_case_without_references_is_refused(metric: str) -> None:
    """A case without references is an error that names it."""
    with pytest.raises(MissingReferences, match="case 1"):
        tertium.score(f"{metric}@sacrebleu", tertium.Cases(["a", "b"], [["a"], []]))


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++", "ter"])
def test_aggregate_takes_any_leading_shape_and_weights_that_are_not_whole(metric: str) -> None:
    """Sums of any leading shape go through the finaliser row by row, and common factors of all sums cancel out."""
    loaded = tertium.load(f"{metric}@sacrebleu")
    rows = loaded.statistics(tertium.Cases(HYPOTHESES, REFERENCES), None)
    total = rows.sum(axis=0)
    values = loaded.aggregate(np.stack([[total, 0.3 * total], [2 * total, 7.7 * total]]))

    assert values.shape == (2, 2, len(loaded.info.outputs))
    np.testing.assert_allclose(values[..., 0], loaded.aggregate(total)[0], rtol=1e-12)


@pytest.mark.parametrize("spec", ["bleu:smooth_method=add-k", "chrf", "ter"])
def test_aggregate_leaves_the_sums_alone(spec: str) -> None:
    """The library changes lists in place under add-k; the statistics handed over stay as they are."""
    metric, _, parameters = spec.partition(":")
    loaded = tertium.load(f"{metric}@sacrebleu" + (f":{parameters}" if parameters else ""))
    rows = loaded.statistics(tertium.Cases(HYPOTHESES, REFERENCES), None)
    before = rows.copy()
    loaded.aggregate(rows)

    np.testing.assert_array_equal(rows, before)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("bleu@sacrebleu:tokenize=moses", "it takes auto, 13a, none, zh"),
        ("bleu@sacrebleu:tokenise=13a", "Did you mean tokenize"),
        ("bleu@sacrebleu:smooth_method=lin", "it takes exp, floor, add-k, none"),
        ("bleu@sacrebleu:smooth_value=-0.1,smooth_method=floor", "0 to 1e"),
        ("bleu@sacrebleu:smooth_value=0.5", "only floor and add-k have a value"),
        ("bleu@sacrebleu:max_ngram_order=0", "1 to 100"),
        ("chrf@sacrebleu:char_order=0", "no n-gram would be left"),
        ("chrf@sacrebleu:beta=-1", "0 to 1000"),
        ("ter@sacrebleu:normalised=true", "Did you mean normalized"),
    ],
)
def test_wrong_parameters_are_refused_with_what_is_right(spec: str, words: str) -> None:
    """An unknown parameter or a value out of its choices or range is an error that says what is taken."""
    with pytest.raises(ParameterError) as caught:
        tertium.load(spec)

    assert words in str(caught.value)


@pytest.mark.parametrize("spec", ["bleu@sacrebleu:tokenize=none", "bleu@sacrebleu:smooth_method=none"])
def test_a_bare_none_means_the_choice_of_that_name(spec: str) -> None:
    """In a spec `tokenize=none` is the tokenizer `none` and `smooth_method=none` the method of that name."""
    value = tertium.load(spec).parameters[spec.partition(":")[2].partition("=")[0]]

    assert value == "none"
