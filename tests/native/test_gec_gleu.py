"""
GLEU+ against the authors' recorded outputs.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import Cases
from tertium.errors import MissingSources
from tertium.native.drawn_references import Draws
from tertium.native.gec_gleu import GecGleu
from tertium.scoring import total
from text_lines import lines_of


def jfleg(shared: Path) -> Cases:
    folder = shared / "data" / "gec" / "jfleg"
    source = lines_of(folder / "source.txt")
    return Cases.from_streams(source, [lines_of(folder / f"ref{number}.txt") for number in range(4)], source)


def test_recorded_outputs_of_the_authors_program(shared: Path) -> None:
    """Corpus mean and deviation, sentence values and the statistics of the first draw equal the program's records."""
    compared = 0
    for line in (shared / "golden" / "gec-gleu-plus-50b5032.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        given, expected = record["params"], record["expected"]
        cases = Cases(
            [case["hyp"] for case in record["cases"]],
            [case["refs"] for case in record["cases"]],
            [case["src"] for case in record["cases"]],
        )
        fault: dict[str, Any] = {} if given["n"] == 4 else {"n": min(given["n"], 4), "divisor": "four"}
        found = tertium.score(GecGleu(iterations=given["iter"], **fault), cases)
        assert math.isclose(found.value, expected["corpus"]["gleu"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
        assert math.isclose(found["deviation"], expected["corpus"]["std"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
        first = expected["corpus"]["stats_iteration0"]
        assert found.statistics[:, : len(first)].sum(axis=0).tolist() == first, record["id"]  # type: ignore[index]
        if not fault:
            wanted = [case["gleu_sentence"] for case in expected["per_case"]]
            assert np.allclose(found.per_case["gleu"], wanted, rtol=1e-9, atol=1e-12), record["id"]
        compared += 1
    assert compared > 200


def test_jfleg_left_as_it_is(shared: Path) -> None:
    """JFLEG's uncorrected sentences score 0.405430 with four references, and the first reference itself 0.713771."""
    cases = jfleg(shared)
    corrected = Cases([texts[0] for texts in cases.references if texts], cases.references, cases.sources)

    assert round(tertium.score("gec-gleu@native", cases).value, 6) == 0.405430
    assert round(tertium.score("gec-gleu@native", corrected).value, 6) == 0.713771


def test_every_chunk_and_number_of_threads_gives_the_same_bits(shared: Path) -> None:
    """Draws depend on the position in the corpus, whatever the chunks are and whichever comes first."""
    cases = jfleg(shared)
    metric = GecGleu(iterations=20)
    whole = tertium.score(metric, cases)

    cut = tertium.score(metric, cases, 2, chunk=100)

    assert np.array_equal(whole.statistics, cut.statistics)  # type: ignore[arg-type]
    part = tertium.score(metric, cases[300:340])
    assert np.array_equal(whole.statistics[300:340], part.statistics)  # type: ignore[index,arg-type]


def test_draws_are_those_of_python() -> None:
    """Iteration j chooses by what Python's generator draws with the seed 101 j, from any position and in any order."""
    draws, most, cases = Draws(kept=2), 2**31 - 1, 4000
    wanted = [[int(rng.random() * most) for _ in range(cases)] for rng in (random.Random(101 * j) for j in range(4))]

    def chosen(iterations: int, positions: list[int]) -> list[list[int]]:
        rows = np.full((iterations, len(positions)), -1)
        counts = np.full(len(positions), most)
        for numbers, found in draws.choices(iterations, np.array(positions), counts):
            rows[:, numbers] = found
        return rows.tolist()  # type: ignore[no-any-return]

    for start, end in ((20, 30), (30, 1200), (0, 20), (311, 313), (1200, cases), (600, 650)):
        assert chosen(4, list(range(start, end))) == [row[start:end] for row in wanted]
    assert chosen(2, [3000, 3, 999, 3]) == [[row[at] for at in (3000, 3, 999, 3)] for row in wanted[:2]]


@pytest.mark.parametrize("iteration", [1, 9_999])
def test_a_reference_is_chosen_as_python_chooses(iteration: int) -> None:
    """The sums of an iteration are those of the references that the authors' program would draw for it."""
    references = [[f"{'b ' * number}a" for number in range(count)] for count in (1, 2, 3, 5, 7)] * 70
    rng = random.Random(101 * iteration)
    lengths = [len(texts[int(rng.random() * len(texts))].split()) for texts in references]
    texts = ["a"] * len(references)
    metric = GecGleu(iterations=iteration + 1, n=1)
    prepared = metric.preprocess(Cases(texts, references, texts))

    assert metric.statistics(prepared, None).sums[4 * iteration + 1] == sum(lengths)


def test_sums_are_those_of_the_rows(shared: Path) -> None:
    """What is summed without rows has the same bits as the rows that are written out, with one reference too."""
    cases = jfleg(shared)
    single = Cases(cases.hypotheses, [texts[:1] for texts in cases.references or () if texts], cases.sources)
    for given in (cases, cases[5:9], single):
        found = tertium.score(GecGleu(iterations=20), given, chunk=300)
        assert found.statistics is not None
        assert found.metric.aggregate(total(found.statistics)).tolist() == list(found.outputs.values())
        assert np.array_equal(found.metric.per_case(found.statistics)[:, 0], found.per_case["gleu"])


def test_sources_are_needed() -> None:
    """Without sources nothing is scored."""
    with pytest.raises(MissingSources):
        tertium.score("gec-gleu@native", Cases(["a"], [["a"]]))


def test_a_source_word_that_the_reference_has_is_not_penalized() -> None:
    """The penalty leaves out n-grams whose type the reference has, however often the source repeats them."""
    cases = Cases(["the the the cat sat down"], [["the cat sat down"]], ["the the the cat sat down"])

    found = tertium.score("gec-gleu@native(iterations=1)", cases).statistics

    # 4 shared words of 6; of 5 pairs "the cat", "cat sat", "sat down" are shared and "the the" twice is penalized.
    assert found is not None
    assert found[0, :6].tolist() == [6.0, 4.0, 4.0, 6.0, 1.0, 5.0]


def test_several_references_deviate_by_sentence() -> None:
    """A sentence's value is the mean over its references, with the deviation of the population."""
    text, other = "he goes to school now", "x x x x x"
    cases = Cases([text], [[text, other]], ["he go to school now"])
    found = tertium.score("gec-gleu@native", cases).per_case
    low = tertium.score("gec-gleu@native(iterations=1)", Cases([text], [[other]], ["he go to school now"])).per_case[
        "gleu"
    ][0]

    assert math.isclose(found["gleu"][0], (1 + low) / 2, rel_tol=1e-12)
    assert math.isclose(found["deviation"][0], (1 - low) / 2, rel_tol=1e-12)


def test_one_reference_says_that_nothing_is_drawn() -> None:
    """Where every case has one reference, 500 iterations are 500 times the same, and the score says so."""
    cases = Cases(["a b c d e"], [["a b c d e"]], ["a b c d f"])
    many, one = tertium.score("gec-gleu@native", cases), tertium.score("gec-gleu@native(iterations=1)", cases)

    assert many.value == one.value == 1.0
    assert many["deviation"] == 0.0
    assert "iterations=1" in many.notes[0]
    assert one.notes == ()


def test_a_hypothesis_of_100_000_words() -> None:
    """A very long hypothesis is scored."""
    text = " ".join(f"w{number % 977}" for number in range(100_000))
    assert tertium.score("gec-gleu@native(iterations=2)", Cases([text], [[text]], [text])).value == 1.0
