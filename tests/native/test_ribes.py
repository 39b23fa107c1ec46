"""
RIBES against NTT's recorded outputs, NLTK run live, and a plain transcription of the alignment.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tertium
from points.ribes import NLTK
from tertium import Cases
from tertium.errors import DataError, ParameterError
from tertium.native.ribes import Ribes
from text_lines import lines_of


def test_recorded_outputs_of_the_program(shared: Path) -> None:
    """Corpus and segment values, errors and left-out segments equal RIBES 1.03.1's on Python 2.7 and 3.11."""
    compared = 0
    for line in (shared / "golden" / "ribes-1.03.1.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        cases = Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        given = record["params"]
        for characters, expected in (
            ("bytes", record["expected"]),
            ("unicode", record["expected"].get("python3.11") or record["expected"]),
        ):
            metric = Ribes(
                alpha=given["alpha"],
                beta=given["beta"],
                lowercase=not given["case"],
                characters=characters,
                empty_reference="skip" if given["emptyref"] else "error",
            )
            if "Reference has no words" in expected.get("error", ""):
                with pytest.raises(DataError, match="without words"):
                    tertium.score(metric, cases)
                continue
            found = tertium.score(metric, cases)
            if "error" in expected:  # no segment is left
                assert math.isnan(found.value)
                assert found.reason is not None
                continue
            assert math.isclose(found.value, expected["corpus"]["ribes"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
            if "per_case" in expected:
                for value, case in zip(found.per_case["ribes"], expected["per_case"], strict=True):
                    wanted = case["ribes"]
                    if wanted in (None, "-Infinity"):
                        assert math.isnan(value)
                    else:
                        assert math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-12), record["id"]
            compared += 1
    assert compared > 200


def test_whole_corpora_equal_printed_values(shared: Path) -> None:
    """newstest2017 and TED score what RIBES.py prints, to its six decimals."""
    wmt, ted = shared / "data" / "mt" / "wmt17-en-de", shared / "data" / "mt" / "ted-sk-en"
    online = Cases(
        lines_of(wmt / "systems" / "newstest2017.online-B.0.en-de.txt"), [[text] for text in lines_of(wmt / "ref.txt")]
    )
    talks = Cases(lines_of(ted / "systems" / "sys1.txt"), [[text] for text in lines_of(ted / "ref.txt")])
    for spec in ("ribes@native", "ribes@native(characters=bytes)"):
        assert [round(tertium.score(spec, cases).value, 6) for cases in (online, talks)] == [0.748531, 0.805569]


def invented(rng: random.Random) -> tuple[list[str], list[str]]:
    words = "abcdefghijklmnopqrst"[: rng.choice([1, 2, 3, 5, 20])]
    reference = rng.choices(words, k=rng.randrange(1, 24))
    hypothesis = rng.choices(words, k=rng.randrange(0, 24))
    if rng.random() < 0.5:
        cut = rng.randrange(len(reference))
        hypothesis = reference[cut:] + reference[:cut]
    return hypothesis, reference


def test_invented_corpora_equal_nltk() -> None:
    """400 invented corpora have NLTK's value: other order of contexts, pairs in runs."""
    library = pytest.importorskip("nltk.translate.ribes_score", reason="NLTK is not installed")
    rng = random.Random(7)
    for _ in range(400):
        pairs = [invented(rng) for _ in range(rng.randrange(1, 4))]
        hypotheses, references = [pair[0] for pair in pairs], [[pair[1], pairs[0][1]] for pair in pairs]
        cases = Cases(map(" ".join, hypotheses), [[" ".join(text) for text in texts] for texts in references])
        wanted = library.corpus_ribes(references, hypotheses)
        assert math.isclose(tertium.score(Ribes(**NLTK), cases).value, wanted, rel_tol=1e-9, abs_tol=1e-12), pairs


def ranks(hypothesis: list[str], reference: list[str], left_first: bool, whole_prefix: bool) -> Iterator[int]:
    """Align as the algorithm is described, word by word and context by context."""

    def places(gram: list[str], text: list[str]) -> list[int]:
        return [start for start in range(len(text) - len(gram) + 1) if text[start : start + len(gram)] == gram]

    def context(position: int, length: int) -> int | None:
        sides = [position - length, position] if left_first else [position, position - length]
        for start in sides:
            reached = length <= (position if whole_prefix else max(position - 1, len(hypothesis) - position))
            before = start < position
            if start < 0 or (before and not reached) or start + length >= len(hypothesis):
                continue
            gram = hypothesis[start : start + length + 1]
            found = places(gram, reference)
            if len(found) == 1 and len(places(gram, hypothesis)) == 1:
                return found[0] + (length if before else 0)
        return None

    for position, word in enumerate(hypothesis):
        found = places([word], reference)
        if len(found) == 1 and hypothesis.count(word) == 1:
            yield found[0]
        elif found:
            rank = next((r for k in range(1, len(hypothesis)) if (r := context(position, k)) is not None), None)
            if rank is not None:
                yield rank


def test_alignment_by_sorting_equals_the_plain_one() -> None:
    """Aligning by sorted suffixes, for contexts of many words, gives the ranks of the algorithm as it is described."""
    from tertium.native.ranks import deep_ranks

    rng = random.Random(9)
    for _ in range(400):
        hypothesis, reference = invented(rng)
        numbers = {word: number for number, word in enumerate(sorted({*hypothesis, *reference}))}
        arrays = [np.array([numbers[word] for word in text], np.int64) for text in (hypothesis, reference)]
        for left_first, whole_prefix in ((True, True), (False, False)):
            found = deep_ranks(*arrays, left_first, whole_prefix).tolist() if hypothesis else []
            assert found == list(ranks(hypothesis, reference, left_first, whole_prefix)), (hypothesis, reference)


def test_contexts_of_many_words_are_found() -> None:
    """Two blocks that differ in their first word alone are told apart by a context of 100 words."""
    block = [f"w{number % 3}" for number in range(100)]
    text = ["x", *block, "y", *block, "z"]

    score = tertium.score("ribes@native", Cases([" ".join(text)], [[" ".join(text)]]))

    assert score.value == 1.0


def test_texts_of_100_000_words() -> None:
    """One word repeated, a short reference and unlike texts of 100,000 words are scored in seconds."""
    rng = random.Random(1)
    long = " ".join(str(rng.randrange(50)) for _ in range(100_000))
    texts = [" ".join(["w"] * 100_000), " ".join(["w", "x"] * 50_000), long]
    others = [texts[0], "w x y", " ".join(reversed(long.split()))]

    values = tertium.score("ribes@native", Cases(texts, [[text] for text in others])).per_case["ribes"]

    assert values[1] == 0.0
    # Of n equal words only the first and the last are unique, by a context of all others: one pair, in order.
    assert math.isclose(values[0], (2 / 100_000) ** 0.25, rel_tol=1e-9)
    assert 0 < values[2] < 1


def test_exact_matches_are_not_always_1() -> None:
    """Words whose context never becomes unique stay unaligned, as the recorded program has it."""
    for text, value in (("a a a", 0.903602), ("a b a b a", 0.945742)):
        assert math.isclose(tertium.score("ribes@native", Cases([text], [[text]])).value, value, abs_tol=6e-7)


def test_a_reference_without_words_is_an_error_that_names_the_case() -> None:
    """By default one empty reference stops the run, as the program does; the message says what else may be chosen."""
    with pytest.raises(DataError, match=r"case 1 .*skip"):
        tertium.score("ribes@native", Cases(["a", "b"], [["a"], ["b", " "]]))
    assert tertium.score("ribes@native(empty_reference=skip)", Cases(["a", "b"], [["a"], [" "]])).value == 1.0
    assert tertium.score("ribes@native(empty_reference=zero)", Cases(["a", "b"], [["a"], [" "]])).value == 0.5


def test_bytes_with_a_tokenizer_are_refused() -> None:
    """Bytes are split at white space, so that a tokenizer beside them contradicts."""
    with pytest.raises(ParameterError, match="bytes"):
        tertium.load("ribes@native(characters=bytes,tokenize=13a)")
