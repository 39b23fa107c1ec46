"""
Hold native BLEU to recorded and live results on real corpora.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium
from text_lines import lines_of


def corpus(folder: Path, system: str) -> tertium.Cases:
    """
    Read a system's output with all reference files of its folder.
    """
    names = sorted(path.name for path in folder.glob("ref*.txt"))
    streams = [lines_of(folder / name) for name in names]
    path = folder / system.strip("()") if system.startswith("(") else folder / "systems" / f"{system}.txt"
    return tertium.Cases.from_streams(lines_of(path), streams)


def recorded(shared: Path) -> Iterator[tuple[Path, str, str, dict[str, Any]]]:
    """
    Give every recorded sacreBLEU result of the corpora: folder, system, tokenizer, result.
    """
    for path in sorted(shared.glob("data/*/*/expected.json")):
        for system, results in json.loads(path.read_text("utf-8")).get("systems", {}).items():
            for found in [results, *(value for value in results.values() if isinstance(value, dict))]:
                result = found.get("bleu")
                if isinstance(result, dict) and "signature" in result:
                    tokenizer = re.search(r"tok:(ja-mecab|[^|]+)", result["signature"])
                    assert tokenizer is not None
                    yield path.parent, system, tokenizer[1], result


def test_equals_sacrebleu_on_every_corpus(shared: Path) -> None:
    """
    Scores agree to 1e-9 and counts exactly with sacreBLEU 2.6.0: WMT17, TED, four and eight references, three tokenizers.
    """
    seen: set[str] = set()
    for folder, system, tokenizer, result in recorded(shared):
        if tokenizer == "ja-mecab" and not _has_mecab():
            continue
        score = tertium.score(f"bleu:tokenize={tokenizer}", corpus(folder, system), workers=2)
        where = f"{folder.name} {system} {tokenizer}"
        assert math.isclose(score.value, result["score"], rel_tol=1e-9), where
        assert [score[f"matches_{order}"] for order in range(1, 5)] == result["counts"], where
        assert [score[f"totals_{order}"] for order in range(1, 5)] == result["totals"], where
        assert (score["hypothesis_length"], score["reference_length"]) == (result["sys_len"], result["ref_len"]), where
        assert math.isclose(score["brevity_penalty"], result["bp"], rel_tol=1e-9), where
        seen.add(f"{folder.name} {tokenizer}")
    assert {"wmt17-en-de 13a", "ted-en-ja char", "four-references 13a", "turkcorpus none"} <= seen, seen


def _has_mecab() -> bool:
    try:
        import MeCab  # noqa: F401
    except ImportError:
        return False
    return True


NLTK = "tokenize=none,denominator_floor=case,zero_precision=skip,percent=false"


def test_equals_nltk_on_four_references(shared: Path) -> None:
    """
    NLTK's corpus BLEU and its smoothing methods 1 to 4 agree to 1e-9 on 1,357 cases with four references.
    """
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    cases = corpus(shared / "data" / "mt" / "four-references", "out0")[:400]
    references = [[text.split() for text in case.references or ()] for case in cases]
    hypotheses = [case.hypothesis.split() for case in cases]
    functions = bleu_score.SmoothingFunction()
    for method in range(5):
        expected = bleu_score.corpus_bleu(
            references, hypotheses, smoothing_function=getattr(functions, f"method{method}")
        )
        got = tertium.score(f"bleu:smoothing=nltk-{method},{NLTK}", cases).value
        assert math.isclose(got, expected, rel_tol=1e-9), method


def test_equals_nltk_sentence_by_sentence(shared: Path) -> None:
    """
    Per-case values agree to 1e-9 with NLTK's sentence BLEU under each of its methods, where it gives a value.
    """
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    cases = corpus(shared / "data" / "mt" / "wmt17-en-de", "newstest2017.C-3MA.4959.en-de")[:120]
    functions = bleu_score.SmoothingFunction()
    for method in range(8):
        values = tertium.score(f"bleu:smoothing=nltk-{method},{NLTK}", cases).per_case["bleu"]
        for case, value in zip(cases, values, strict=True):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = bleu_score.sentence_bleu(
                        [text.split() for text in case.references or ()],
                        case.hypothesis.split(),
                        smoothing_function=getattr(functions, f"method{method}"),
                    )
            except AssertionError:  # method 6 without a trigram match
                assert math.isnan(value)
                continue
            assert math.isclose(value, expected, rel_tol=1e-9), (method, case.position)


def test_equals_coco_caption_evaluation(shared: Path) -> None:
    """
    Bleu_1 to Bleu_4 agree to 1e-9 with pycocoevalcap's scorer, for the corpus and for every case.
    """
    bleu = pytest.importorskip("pycocoevalcap.bleu.bleu")
    cases = corpus(shared / "data" / "mt" / "four-references", "out1")[:300]
    truths = {case.id: list(case.references or ()) for case in cases}
    results = {case.id: [case.hypothesis] for case in cases}
    scores, by_case = bleu.Bleu(4).compute_score(truths, results, verbose=0)
    for order in range(1, 5):
        score = tertium.score(
            f"bleu:tokenize=none,smoothing=pad,brevity=padded,no_match=smooth,percent=false,max_order={order}", cases
        )
        assert math.isclose(score.value, scores[order - 1], rel_tol=1e-9)
        for got, expected in zip(score.per_case["bleu"], by_case[order - 1], strict=True):
            assert math.isclose(got, expected, rel_tol=1e-9)


def mteval_records(shared: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """
    Give every recorded run of mteval with the spec that reproduces it.
    """
    for name in ("mteval-v13a", "mteval-v14"):
        for line in (shared / "golden" / f"{name}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            if "error" not in record["expected"]:
                yield record["id"], _mteval_spec(record["params"]), record


def _mteval_spec(params: dict[str, Any]) -> str:
    intl = "mteval-v14-intl" + ("-e" if params["split_non_ascii"] else "")
    return (
        f"bleu:tokenize={intl if params['international'] else 'mteval-v13a'},lowercase={str(not params['case']).lower()},"
        f"reference_length={params['brevity_penalty']},percent=false,"
        + ("smoothing=exp,missing_order=one,no_match=smooth" if params["smoothing"] else "smoothing=none")
    )


def test_equals_mteval(shared: Path) -> None:
    """
    BLEU of mteval-v13a.pl and v14.pl is reproduced to 1e-9, for the file and for every segment.
    """
    count = 0
    for name, spec, record in mteval_records(shared):
        hypotheses = [case["hyp"] for case in record["cases"]]
        score = tertium.score(spec, tertium.Cases(hypotheses, [case["refs"] for case in record["cases"]]))
        expected = record["expected"]
        assert math.isclose(score.value, float(expected["corpus"]["bleu"]), rel_tol=1e-9, abs_tol=1e-12), name
        for got, want in zip(score.per_case["bleu"], expected["per_case"], strict=True):
            assert math.isclose(got, float(want["bleu"]), rel_tol=1e-9, abs_tol=1e-12), name
        count += 1
    assert count > 250
