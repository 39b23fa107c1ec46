"""
Native BLEU against sacreBLEU, NLTK and COCO's caption evaluation: the same values on any corpus under fuzzing.
"""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.native.bleu import Bleu

WORDS = [
    "a",
    "b",
    "A",
    "1.5",
    ".",
    "-",
    "5-",
    "&amp;",
    "<skipped>",
    "中文",
    "é",
    "e\u0301",
    "😀",
    "İ",
    "Σ",
    "\0",
    "\u200b",
    "½",
    "—",
]
GAPS = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u0085", "\u2028", "\u3000", "\x1f", "", "-\n"]

texts = st.one_of(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=9).map(
        lambda parts: "".join(word + gap for word, gap in parts)
    ),
    st.text(max_size=6),
).map(lambda text: text.encode("utf-8", "ignore").decode("utf-8"))
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)

SETTINGS: dict[str, list[Any]] = {
    "tokenize": ["none", "13a", "intl", "char", "zh"],
    "lowercase": [False, True],
    "smoothing": [("none", None), ("floor", None), ("floor", 0), ("add-k", None), ("add-k", 2.5), ("add-k", 0), ("exp", None)],
    "max_order": [1, 2, 4, 6],
    "effective_order": [False, True],
}  # fmt: skip


def pairwise(choices: dict[str, list[Any]], seed: int) -> list[dict[str, Any]]:
    """
    Give few combinations in which every two values of two different settings meet.
    """
    rng = random.Random(seed)
    names = list(choices)
    missing = {
        (one, i, two, j)
        for one, two in itertools.combinations(range(len(names)), 2)
        for i in range(len(choices[names[one]]))
        for j in range(len(choices[names[two]]))
    }
    rows: list[dict[str, Any]] = []
    while missing:
        drawn = [[rng.randrange(len(choices[name])) for name in names] for _ in range(40)]
        found = [{(a, d[a], b, d[b]) for a, b in itertools.combinations(range(len(names)), 2)} & missing for d in drawn]
        best = max(range(40), key=lambda i: len(found[i]))
        missing -= found[best]
        rows.append({name: choices[name][i] for name, i in zip(names, drawn[best], strict=True)})
    return rows


@pytest.mark.parametrize("row", pairwise(SETTINGS, 1), ids=str)
@given(corpus=corpora)
@settings(max_examples=25, deadline=None)
def test_equals_sacrebleu(row: dict[str, Any], corpus: list[tuple[str, list[str]]]) -> None:
    """
    Under every pair of settings, any corpus gets sacreBLEU's counts exactly and its score and precisions to 1e-9.
    """
    module = pytest.importorskip("sacrebleu.metrics.bleu")
    method, value = row["smoothing"]
    theirs = module.BLEU(
        tokenize=row["tokenize"],
        lowercase=row["lowercase"],
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=row["max_order"],
        effective_order=row["effective_order"],
    )
    ours = Bleu(**{**row, "smoothing": method, "smooth_value": value})
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    width = max(len(references) for _, references in corpus)
    streams = [[(references[i : i + 1] or [None])[0] for _, references in corpus] for i in range(width)]
    got = tertium.score(ours, tertium.Cases(hypotheses, [references for _, references in corpus]))
    orders = range(1, row["max_order"] + 1)
    stats = np.sum(theirs._extract_corpus_statistics(hypotheses, streams), axis=0).tolist()
    counted = [got["hypothesis_length"], got["reference_length"]]
    counted += [got[f"{kind}_{order}"] for kind in ("matches", "totals") for order in orders]
    assert counted == stats
    expected = theirs.corpus_score(hypotheses, streams)
    assert math.isclose(got.value, expected.score, rel_tol=1e-9, abs_tol=1e-300)
    assert math.isclose(got["brevity_penalty"], expected.bp, rel_tol=1e-9)
    for order in orders:
        assert math.isclose(got[f"precision_{order}"], expected.precisions[order - 1], rel_tol=1e-9)


NLTK_SETTINGS: dict[str, list[Any]] = {
    "method": [None, 0, 1, 2, 3, 4],
    "weights": [(0.25,) * 4, (1.0,), (0.1, 0.2, 0.7), (0.5, 0.5, 0.0, 0.0)],
    "auto_reweigh": [False, True],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", pairwise(NLTK_SETTINGS, 2), ids=str)
@given(corpus=corpora)
@settings(max_examples=25, deadline=None)
def test_equals_nltk(row: dict[str, Any], corpus: list[tuple[str, list[str]]]) -> None:
    """
    Under every pair of settings, any corpus gets NLTK's corpus BLEU to 1e-9.
    """
    nltk_bleu = pytest.importorskip("nltk.translate.bleu_score")
    weights = row["weights"]
    reweigh = row["auto_reweigh"] and len(weights) == 4 and len(set(weights)) == 1
    function = None if row["method"] is None else getattr(nltk_bleu.SmoothingFunction(), f"method{row['method']}")
    expected = nltk_bleu.corpus_bleu(
        [[text.split() for text in references] for _, references in corpus],
        [hypothesis.split() for hypothesis, _ in corpus],
        weights=weights,
        smoothing_function=function,
        auto_reweigh=row["auto_reweigh"],
    )
    ours = Bleu(
        tokenize="none",
        max_order=len(weights),
        weights="uniform" if len(set(weights)) == 1 else ",".join(map(str, weights)),
        smoothing="none" if row["method"] is None else f"nltk-{row['method']}",
        zero_precision="tiny" if row["method"] is None else "skip",
        denominator_floor="case",
        auto_reweigh=reweigh,
        percent=False,
    )
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    assert math.isclose(tertium.score(ours, cases).value, expected, rel_tol=1e-9, abs_tol=1e-320)


@pytest.mark.parametrize("method", [5, 6, 7])
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=3), order=st.integers(3, 6))
@settings(max_examples=60, deadline=None)
def test_equals_nltk_sentence_by_sentence(method: int, hypothesis: str, references: list[str], order: int) -> None:
    """
    NLTK's methods 5 to 7, which read the case's text, agree to 1e-9 on any single case; where 6 fails, the value is NaN.
    """
    nltk_bleu = pytest.importorskip("nltk.translate.bleu_score")
    ours = Bleu(
        tokenize="none",
        max_order=order,
        smoothing=f"nltk-{method}",  # type: ignore[arg-type]
        zero_precision="skip",
        denominator_floor="case",
        percent=False,
    )
    got = tertium.score(ours, tertium.Cases([hypothesis], [references])).value
    try:
        expected = nltk_bleu.sentence_bleu(
            [text.split() for text in references],
            hypothesis.split(),
            weights=(1 / order,) * order,
            smoothing_function=getattr(nltk_bleu.SmoothingFunction(), f"method{method}"),
        )
    except AssertionError:
        assert math.isnan(got)
        return
    assert math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-320)


@given(corpus=corpora, order=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_equals_coco_caption_evaluation(corpus: list[tuple[str, list[str]]], order: int) -> None:
    """
    Any corpus gets the value of pycocoevalcap's scorer to 1e-9.
    """
    coco = pytest.importorskip("pycocoevalcap.bleu.bleu")
    truths = {i: references for i, (_, references) in enumerate(corpus)}
    results = {i: [hypothesis] for i, (hypothesis, _) in enumerate(corpus)}
    expected, _ = coco.Bleu(order).compute_score(truths, results, verbose=0)
    ours = Bleu(tokenize="none", max_order=order, smoothing="pad", brevity="padded", no_match="smooth", percent=False)
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    assert math.isclose(tertium.score(ours, cases).value, expected[-1], rel_tol=1e-9, abs_tol=1e-320)
