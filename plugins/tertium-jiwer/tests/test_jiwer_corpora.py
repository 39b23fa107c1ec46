"""
Hold the error rates to the library's recorded values on real corpora, which stand beside the repository.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tertium

COUNTS = ("hits", "substitutions", "deletions", "insertions")


@pytest.fixture(scope="module")
def data() -> Path:
    """
    Give the folder of real corpora, or skip.
    """
    found = Path(__file__).resolve().parents[3].parent / "shared" / "data"
    if not found.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    return found


def lines(path: Path) -> list[str]:
    """
    Read lines that end at LF alone.
    """
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def check(references: list[str], hypotheses: list[str], expected: dict[str, Any], params: str = "") -> None:
    """
    Compare every recorded value with what the adapter gives, to 1e-12.
    """
    cases = tertium.Cases(hypotheses, [[text] for text in references])
    for name in ("wer", "mer", "wil", "wip", "cer"):
        if name not in expected:
            continue
        score = tertium.score(f"{name}@jiwer{params}", cases)
        assert score.value == pytest.approx(expected[name], rel=1e-12, abs=0), name
        counts = expected.get("cer_counts", {}) if name == "cer" else expected
        for count in COUNTS:
            assert score.outputs[count] == counts.get(count, score.outputs[count]), (name, count)


def test_mandarin_speech(data: Path) -> None:
    """2,000 Mandarin utterances give the recorded WER, MER, WIL, WIP, counts and CER."""
    folder = data / "asr" / "aishell1-zh"
    rows = [json.loads(line) for line in lines(folder / "data.jsonl")]

    check(
        [row["reference"] for row in rows],
        [row["hypothesis"] for row in rows],
        json.loads((folder / "expected.json").read_text("utf-8"))["values"],
    )


def test_plain_utterances_of_sclites_test_data(data: Path) -> None:
    """The utterances without alternatives, paired by their very ids, give the recorded values."""
    folder = data / "asr" / "sctk-csrnab"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))

    def read(name: str) -> dict[str, str]:
        rows = [re.fullmatch(r"(.*)\(([^()]*)\)\s*", line) for line in lines(folder / name)]
        return {row[2]: row[1] for row in rows if row}

    references, hypotheses = read("csrnab.ref"), read("csrnab.hyp")
    plain = [key for key, text in references.items() if "{" not in text and key in hypotheses]

    assert len(plain) == expected["utterances"]
    check([references[key] for key in plain], [hypotheses[key] for key in plain], expected["values"])


@pytest.mark.parametrize("system", ["amazon", "rev-kaldi"])
def test_long_calls(data: Path, system: str) -> None:
    """Calls of some thousand words give the recorded values, raw and normalised."""
    folder = data / "asr" / "earnings21"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["systems"][system]
    references, hypotheses = lines(folder / "ref.txt"), lines(folder / "systems" / f"{system}.txt")
    normal = [" ".join(re.sub(r"[^\w\s']", " ", text.lower()).split()) for text in references + hypotheses]

    check(references, hypotheses, expected["raw"])
    check(normal[: len(references)], normal[len(references) :], expected["lower, [^\\w\\s'] to space"])


def test_chain_normalises_as_python_does(data: Path) -> None:
    """The same normalisation written as a chain of transforms gives the same recorded WER."""
    folder = data / "asr" / "earnings21"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["systems"]["google"]
    chain = r"""ToLowerCase,SubstituteRegexes({r"[^\\w\\s\']": " "}),RemoveMultipleSpaces,Strip"""

    check(
        lines(folder / "ref.txt"),
        lines(folder / "systems" / "google.txt"),
        {"wer": expected["lower, [^\\w\\s'] to space"]["wer"]},
        f"(transform='{chain}')",
    )


@pytest.mark.parametrize("system", ["ckbLayer", "fast_Arabic"])
def test_character_recognition(data: Path, system: str) -> None:
    """834 lines of right-to-left script give the recorded values."""
    folder = data / "ocr" / "tesseract-ckb"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["systems"][system]

    check(lines(folder / "ref.txt"), lines(folder / "systems" / f"{system}.txt"), expected)
