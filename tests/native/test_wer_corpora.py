"""
Error rates on real transcripts and OCR output, against JiWER 4.0.0 and sclite as they were recorded, and JiWER live.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jiwer
import pytest
from rapidfuzz.distance import Levenshtein

import tertium

COUNTS = ("hits", "substitutions", "deletions", "insertions")


def lines(file: Path) -> list[str]:
    """
    Read the lines of a file.
    """
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def check(cases: tertium.Cases, expected: dict[str, Any]) -> None:
    """
    Compare all five metrics with recorded values: rates to 1e-9, counts exactly.
    """
    for name in ("wer", "mer", "wil", "wip", "cer"):
        score = tertium.score(name, cases)
        assert expected[name] == pytest.approx(score.value, rel=1e-9, abs=0), name
        counts = expected.get("cer_counts", {}) if name == "cer" else expected
        for count in counts.keys() & set(COUNTS):
            assert counts[count] == score[count], (name, count)


def test_mandarin_speech(shared: Path) -> None:
    """On unspaced Mandarin all five metrics equal JiWER's recorded values."""
    folder = shared / "data" / "asr" / "aishell1-zh"
    records = [json.loads(line) for line in lines(folder / "data.jsonl")]
    cases = tertium.Cases([record["hypothesis"] for record in records], [[record["reference"]] for record in records])

    check(cases, json.loads((folder / "expected.json").read_text())["values"])


@pytest.mark.parametrize("system", ["amazon", "google", "rev-espnet", "rev-kaldi", "speechmatics"])
def test_long_calls(shared: Path, system: str) -> None:
    """On calls of thousands of words, where rapidfuzz aligns halves, JiWER's values and sclite's counts hold."""
    folder = shared / "data" / "asr" / "earnings21"
    expected = json.loads((folder / "expected.json").read_text())["systems"][system]
    hypotheses, references = lines(folder / "systems" / f"{system}.txt"), lines(folder / "ref.txt")
    check(tertium.Cases(hypotheses, [[text] for text in references]), expected["raw"])

    def plain(text: str) -> str:
        return " ".join(re.sub(r"[^\w\s']", " ", text.lower()).split())

    cases = tertium.Cases(map(plain, hypotheses), [[plain(text)] for text in references])
    check(cases, expected["lower, [^\\w\\s'] to space"])

    score = tertium.score("wer(split=ascii,case=ascii,costs=sclite,ties=sclite)", cases)
    printed = expected["sclite 2.10 -i rm -o rsum, on the normalised text"]
    numbers = [int(number) for number in re.findall(r"\d+", printed)]
    assert numbers[1:6] == [score[name] for name in ("reference_length", *COUNTS)]


def test_read_speech(shared: Path) -> None:
    """On NIST's own utterances all five metrics equal JiWER's recorded values."""
    folder = shared / "data" / "asr" / "sctk-csrnab"
    utterance = re.compile(r"(.*)\(([^()]+)\)\s*$")
    sides = []
    for name in ("csrnab.hyp", "csrnab.ref"):
        found = map(utterance.fullmatch, lines(folder / name))
        sides.append({match[2]: match[1].strip() for match in found if match})
    hypotheses, references = sides
    names = [name for name, text in references.items() if "{" not in text and name in hypotheses]
    expected = json.loads((folder / "expected.json").read_text())
    assert expected["utterances"] == len(names)

    check(tertium.Cases([hypotheses[n] for n in names], [[references[n]] for n in names]), expected["values"])


@pytest.mark.parametrize("system", ["ckbLayer", "fast_Arabic"])
def test_kurdish_ocr(shared: Path, system: str) -> None:
    """On Arabic script all five metrics equal JiWER's recorded values, and case by case JiWER and rapidfuzz live."""
    folder = shared / "data" / "ocr" / "tesseract-ckb"
    hypotheses, references = lines(folder / "systems" / f"{system}.txt"), lines(folder / "ref.txt")
    cases = tertium.Cases(hypotheses, [[text] for text in references])
    check(cases, json.loads((folder / "expected.json").read_text())["systems"][system])

    words, distances = tertium.score("wer", cases), tertium.score("levenshtein", cases)
    for row in range(0, len(cases), 7):
        output = jiwer.process_words(references[row], hypotheses[row])
        assert [getattr(output, name) for name in COUNTS] == [words.per_case[name][row] for name in COUNTS]
        assert Levenshtein.distance(references[row], hypotheses[row]) == distances.per_case["levenshtein"][row]
