"""
Words by the rules of error-rate programs: where they end, and that numbers are equal exactly where words are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.native import words as kernels
from tertium.native.units import Units

# Words that share their length, both ends and the middle, and some that do not.
LOOKALIKES = ["abcXdefgYhi", "abcZdefgYhi", "abcXdefgQhi", "aabaa", "abbaa", "é", "漢字", "a", ""]
texts = st.one_of(
    st.lists(st.sampled_from(LOOKALIKES), max_size=8).map(" ".join),
    st.text(st.sampled_from("ab é\t\u00a0漢😀"), max_size=10),
)


def check(cases: tertium.Cases, units: Units) -> None:
    """
    Compare the numbers of every case's words with the words themselves.
    """
    left, right = units.columns(cases)
    for row in range(len(cases)):
        sides = []
        for column, rows in ((left, range(int(cases.bounds[row]), int(cases.bounds[row + 1]))), (right, [row])):
            for text_row in rows:
                text = (cases.flat_references if column is left else cases.hypotheses)[text_row]
                ids = column.ids[column.offsets[text_row] : column.offsets[text_row + 1]].tolist()
                pieces = units.pieces(text)
                assert len(pieces) == len(ids)
                sides += list(zip(pieces, ids, strict=True))
        assert len({word for word, _ in sides}) == len(set(sides)) == len({number for _, number in sides})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_numbers_are_equal_exactly_where_words_are(rows: list[tuple[str, list[str]]]) -> None:
    """Within a case two words share a number if and only if they are equal, for every split."""
    cases = tertium.Cases([row[0] for row in rows], [row[1] for row in rows])
    for split in ("jiwer", "jiwer-ascii", "whitespace", "ascii", "space"):
        check(cases, Units(split=split))  # type: ignore[arg-type]


@pytest.mark.parametrize("longest", [4096, 0])
def test_collisions_change_nothing(monkeypatch: pytest.MonkeyPatch, longest: int) -> None:
    """With a hash that tells nothing but lengths apart, numbers stay right, whether ends or all characters are hashed."""
    monkeypatch.setattr(kernels, "multipliers", lambda: np.zeros(64, np.int64))
    monkeypatch.setattr(kernels, "LONG", longest)
    text = " ".join(LOOKALIKES * 3)

    check(tertium.Cases([text, "a b"], [[text[::-1], text], ["b a c"]]), Units())


def test_many_lookalikes_stay_fast() -> None:
    """A text of 40,000 words that share their ends and middle is numbered in seconds."""
    text = " ".join(f"prefix{number:05d}m{99999 - number:05d}suffix" for number in range(40_000))
    began = time.perf_counter()

    left, _ = Units().pair(text, "x")

    assert left.ids.tolist() == list(range(40_000))
    assert time.perf_counter() - began < 10


def test_plain_python_gives_the_same() -> None:
    """With NUMBA_DISABLE_JIT=1 and warnings as errors all metrics over edits give the same numbers."""
    program = """
import json, tertium
cases = tertium.Cases(["the cat \\u2014 on", "b c \\u00e9 x", "", "d  e\\u00a0f"],
                      [["the cat sat on"], ["b c d", "x y"], [""], ["d e f"]])
specs = ["wer", "cer", "wer(split=space)", "wer(split=ascii,case=ascii,costs=sclite,ties=sclite,markup=sclite)",
         "cer(unit=grapheme)", "levenshtein", "levenshtein(transpositions=damerau)",
         "levenshtein(transpositions=restricted)", "mer(ties=most-hits)"]
found = {spec: tertium.score(spec, cases).outputs for spec in specs}
marked = tertium.Cases(["a b @ c fi-"], [["a { b / x @ } c (d) fish"]])
spec = "wer(split=ascii,costs=sclite,ties=sclite,markup=sclite,fragments=true,optional_words=true)"
found["marked"] = tertium.score(spec, marked).outputs
print(json.dumps(found))
"""
    outputs = []
    for disabled in ("1", "0"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            check=True,
        )
        outputs.append(json.loads(done.stdout))
    assert outputs[0] == outputs[1]
    assert outputs[0]["marked"]["hits"] == 5.0
