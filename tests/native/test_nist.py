"""
NIST against mteval's recorded outputs, NLTK run live, and values worked by hand.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import tertium
from points.nist import POINTS
from tertium import Cases
from tertium.native.constants_file import save
from tertium.native.nist import Nist
from text_lines import lines_of


@pytest.mark.parametrize("version", ["v13a", "v14"])
def test_recorded_outputs_of_mteval(version: str, shared: Path) -> None:
    """Corpus and segment NIST equal the program's on every record, under its tokenizations and with and without -c."""
    compared = 0
    for line in (shared / "golden" / f"mteval-{version}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        expected, given = record["expected"], record["params"]
        if "error" in expected:
            continue
        names = ("mteval-v14-intl-e" if given["split_non_ascii"] else "mteval-v14-intl", "mteval-v13a")
        metric = Nist(tokenize=names[0] if given["international"] else names[1], lowercase=not given["case"])
        cases = Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        found = tertium.score(metric, cases)
        assert math.isclose(found.value, expected["corpus"]["nist"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
        wanted = [case["nist"] for case in expected["per_case"]]
        assert np.allclose(found.per_case["nist"], wanted, rtol=1e-9, atol=1e-12), record["id"]
        compared += 1
    assert compared > 100


def test_whole_corpora_equal_printed_values(shared: Path) -> None:
    """newstest2017 and TED score what mteval-v14 prints, to its four decimals, under four tokenizations."""
    wmt, ted = shared / "data" / "mt" / "wmt17-en-de", shared / "data" / "mt" / "ted-sk-en"
    online = Cases(
        lines_of(wmt / "systems" / "newstest2017.online-B.0.en-de.txt"), [[text] for text in lines_of(wmt / "ref.txt")]
    )
    talks = Cases(lines_of(ted / "systems" / "sys1.txt"), [[text] for text in lines_of(ted / "ref.txt")])
    printed = {
        ("mteval-v13a", True): (7.3512, 6.6082),
        ("mteval-v13a", False): (7.2554, 6.5086),
        ("mteval-v14-intl", True): (7.3780, 6.6097),
        ("mteval-v14-intl", False): (7.2801, 6.5109),
    }
    for (tokenize, lowercase), values in printed.items():
        metric = Nist(tokenize=tokenize, lowercase=lowercase)
        assert [round(tertium.score(metric, cases).value, 4) for cases in (online, talks)] == list(values)


def test_invented_corpora_equal_nltk() -> None:
    """300 invented corpora have NLTK's value, or none where NLTK divides by zero."""
    library = pytest.importorskip("nltk.translate.nist_score", reason="NLTK is not installed")
    rng = random.Random(3)
    undefined = 0
    for _ in range(300):
        words = list("0abcdefg")[: rng.randrange(1, 9)]
        size, order = rng.randrange(1, 6), rng.randrange(1, 6)
        hypotheses = [rng.choices(words, k=rng.randrange(0, 9)) for _ in range(size)]
        references = [
            [rng.choices(words, k=rng.randrange(1, 9)) for _ in range(rng.randrange(1, 4))] for _ in hypotheses
        ]
        cases = Cases(map(" ".join, hypotheses), [[" ".join(text) for text in texts] for texts in references])
        found = tertium.score(Nist(**{**POINTS["nltk"], "n": order}), cases).value
        try:
            wanted = library.corpus_nist(references, hypotheses, n=order)
        except ZeroDivisionError:
            undefined += 1
            assert math.isnan(found)
            continue
        assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12), (references, hypotheses, order)
    assert 0 < undefined < 200


def test_references_with_the_same_words_are_equally_good() -> None:
    """Where references share the same n-grams in another order, the longest counts, whatever rounding does to sums."""
    library = pytest.importorskip("nltk.translate.nist_score", reason="NLTK is not installed")
    rng = random.Random(9)
    for _ in range(300):
        size, order = rng.randrange(1, 6), rng.randrange(1, 4)
        hypotheses = [rng.choices("0abcdefg", k=rng.randrange(order, 10)) for _ in range(size)]
        references = []
        for text in hypotheses:
            texts = [text + rng.choices("qr", k=rng.randrange(4)) for _ in range(3)]
            references.append([rng.sample(longer, len(longer)) for longer in texts])
        cases = Cases(map(" ".join, hypotheses), [[" ".join(text) for text in texts] for texts in references])
        found = tertium.score(Nist(**{**POINTS["nltk"], "n": order}), cases).value
        wanted = library.corpus_nist(references, hypotheses, n=order)
        assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12), (references, hypotheses, order)


def test_real_translations_equal_nltk(shared: Path) -> None:
    """TED talks score what NLTK gives them."""
    library = pytest.importorskip("nltk.translate.nist_score", reason="NLTK is not installed")
    ted = shared / "data" / "mt" / "ted-sk-en"
    hypotheses, references = lines_of(ted / "systems" / "sys1.txt"), lines_of(ted / "ref.txt")

    found = tertium.score(Nist(**POINTS["nltk"]), Cases(hypotheses, [[text] for text in references])).value

    wanted = library.corpus_nist([[text.split()] for text in references], [text.split() for text in hypotheses])
    assert math.isclose(found, wanted, rel_tol=1e-9)


def test_clipping_and_length_worked_by_hand() -> None:
    """Of two references an n-gram counts as in the one that has the most, and lengths are averaged."""
    cases = Cases(["a a b"], [["a a c", "b"]])

    union = tertium.score(Nist(n=1), cases)
    best = tertium.score(Nist(n=1, clipping="best", length="best"), cases)

    bits = {"a": math.log2(4 / 2), "b": math.log2(4 / 1)}
    assert math.isclose(union.value, (2 * bits["a"] + bits["b"]) / 3, rel_tol=1e-12)
    assert math.isclose(best.value, 2 * bits["a"] / 3, rel_tol=1e-12)


def test_the_word_zero_takes_all_words_for_its_beginning() -> None:
    """To Perl the word 0 is false, so an n-gram after it weighs as one after nothing."""
    cases = Cases(["0 a"], [["0 a 0 b"]])

    perl = tertium.score(Nist(n=2), cases)["nist_2"]
    count = tertium.score(Nist(n=2, zero_word="count"), cases)["nist_2"]

    assert (perl, count) == (2.0, 1.0)


def test_empty_texts() -> None:
    """An empty hypothesis and empty references give 0, or no value where the definition divides by zero."""
    for hypotheses, references in ((["", "a"], [["a"], ["a"]]), (["a"], [[""]]), ([""], [[""]])):
        assert tertium.score(Nist(), Cases(hypotheses, references)).value == 0.0
    nothing = tertium.score(Nist(empty="undefined"), Cases(["a"], [[""]]))
    assert math.isnan(nothing.value)
    assert nothing.reason is not None


def test_every_chunk_and_number_of_threads_gives_the_same_bits(shared: Path) -> None:
    """Counts of chunks merge to those of the corpus."""
    ted = shared / "data" / "mt" / "ted-sk-en"
    cases = Cases(lines_of(ted / "systems" / "sys1.txt"), [[text] for text in lines_of(ted / "ref.txt")])
    whole = tertium.score("nist@native", cases)

    cut = tertium.score("nist@native", cases, 2, chunk=100)

    assert np.array_equal(whole.statistics, cut.statistics)  # type: ignore[arg-type]


def test_frozen_counts_give_the_same_weights(tmp_path: Path) -> None:
    """Counts of the whole corpus, kept in a file, weigh a part of it as they weigh the whole."""
    cases = Cases(["a b c", "b c d"], [["a b d"], ["b c c"]])
    metric = Nist()
    save(tmp_path / "counts.npz", metric.constants(metric.preprocess(cases)), metric.built_with())  # type: ignore[arg-type]

    whole = tertium.score(metric, cases)
    part = tertium.score(Nist(frequencies=f"file:{tmp_path / 'counts.npz'}"), cases[1:])

    assert np.array_equal(whole.statistics[1:], part.statistics)  # type: ignore[index,arg-type]


def test_a_hypothesis_of_100_000_words() -> None:
    """A very long hypothesis is scored."""
    text = " ".join(f"w{number % 977}" for number in range(100_000))
    assert tertium.score("nist@native", Cases([text], [[text]])).value > 0
