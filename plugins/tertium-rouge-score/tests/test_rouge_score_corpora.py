"""
Real corpora and measured cases: the values that the library itself gave when they were recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import TertiumError

Lines = Callable[[Path], list[str]]
CORPORA = {
    "summarization/compare-mt": ["ref.txt"],
    "mt/newstest2020-ru-en": ["ref.txt"],
    "mt/four-references": [f"ref{i}.txt" for i in range(4)],
    "simplification/turkcorpus": [f"ref{i}.txt" for i in range(8)],
}


@pytest.mark.parametrize("corpus", CORPORA)
def test_recorded_values(corpus: str, data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]) -> None:
    """The first system of each corpus gets the recorded means of F, precision and recall, stemmed ones included."""
    folder = data / corpus
    system, recorded = next(iter(expected(folder).items()))
    names = recorded["rouge@rouge-score"] if len(CORPORA[corpus]) == 1 else ("rouge2", "rougeL")
    (file,) = [path for path in (folder / "systems").iterdir() if path.name in (system, f"{system}.txt")]
    cases = tertium.Cases.from_streams(lines(file), [lines(folder / name) for name in CORPORA[corpus]])

    for name in names:
        values = recorded["rouge@rouge-score"][name]
        score = tertium.score(f"{name}@rouge-score", cases)
        for output, value in values.items():
            assert score[output] == pytest.approx(value, rel=1e-12)
    for name, value in recorded.get("rouge@rouge-score stemmer fmeasure", {}).items():
        assert tertium.score(f"{name}@rouge-score:stemmer=true", cases).value == pytest.approx(value, rel=1e-12)


def text_of(value: Any) -> Any:
    """
    Write out texts and lists that the file gives as a rule.
    """
    if isinstance(value, dict):
        if "$repeat" in value:
            return value["$repeat"] * value["times"] + value.get("suffix", "")
        if "$range" in value:
            return value.get("sep", " ").join(value["$range"] % n for n in range(value.get("start", 0), value["stop"]))
        if "$concat" in value:
            return "".join(map(text_of, value["$concat"]))
        if "$list" in value:
            return [text_of(value["$list"])] * value["times"]
        if "$nan" in value:
            return float("nan")
    return [text_of(one) for one in value] if isinstance(value, list) else value


def test_measured_values(measured: Path) -> None:
    """Every measured value of the library is reproduced; what made it fail is an error with a message here."""
    compared = refused = 0
    for line in (measured / "rouge.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        result = case["results"].get("rouge-score")
        if result is None:
            continue
        params = {"stemmer": True} if case["params"].get("stem") else {}
        hypotheses = [text_of(one["hyp"]) for one in case["cases"]]
        references = [text_of(one["refs"]) for one in case["cases"]]
        problem = None
        try:
            cases = tertium.Cases(hypotheses, references)
            score = tertium.score(tertium.Spec(case["params"]["rouge"], "rouge-score", params=params), cases)
        except TertiumError as error:
            problem = error
        if problem is not None:
            faults = ("surrogate", "no references", "an empty list of references")
            assert result["status"] != "ok" or any(fault in problem.truth for fault in faults), case["id"]
            refused += 1
            continue
        assert result["status"] == "ok", case["id"]
        assert score.value == pytest.approx(result["score"], rel=1e-9, abs=1e-12), case["id"]
        compared += 1

    assert compared >= 40
    assert refused <= 8


UC: list[tuple[str, str, list[str], list[list[str]], dict[str, Any], list[float]]] = [
    ("UC-020", "rouge1", ["", "."], [[""], ["the cat"]], {}, [0, 0]),
    ("UC-027", "rouge1", ["кошка сидит", "नमस्ते दुनिया"], [["кошка сидит"], ["नमस्ते दुनिया"]], {}, [0, 0]),
    (
        "UC-027",
        "rouge1",
        ["кошка сидит", "नमस्ते दुनिया"],
        [["кошка сидит"], ["नमस्ते दुनिया"]],
        {"tokenizer": "whitespace"},
        [1, 1],
    ),
    ("UC-028", "rouge1", ["我喜欢猫"], [["我喜欢狗"]], {"tokenizer": "char"}, [0.75]),
    ("UC-028", "rougeL", ["我喜欢猫"], [["我喜欢狗"]], {"tokenizer": "char"}, [0.75]),
    ("UC-044", "rouge1", ["the the the the"], [["the cat"]], {}, [1 / 3]),
    ("UC-045", "rougeL", ["the dog ran.\nthe cat sat."], [["the cat sat.\nthe dog ran."]], {}, [0.5]),
    ("UC-045", "rougeLsum", ["the dog ran.\nthe cat sat."], [["the cat sat.\nthe dog ran."]], {}, [1]),
    ("UC-045", "rougeLsum", ["the dog ran. the cat sat."], [["the cat sat. the dog ran."]], {}, [0.5]),
    ("UC-046", "rougeL", ["the dog ran"], [["the small dog ran far"]], {}, [0.75]),
    ("UC-059", "rouge1", ["a b", "d e", "f x"], [["a b c"], ["d e"], ["f g h i"]], {}, [0.8, 1, 1 / 3]),
]


@pytest.mark.parametrize(("story", "name", "hypotheses", "references", "params", "values"), UC)
def test_user_cases(
    story: str,
    name: str,
    hypotheses: list[str],
    references: list[list[str]],
    params: dict[str, Any],
    values: list[float],
) -> None:
    """What people ran into has its worked value, case by case, and the mean as the corpus value."""
    score = tertium.score(tertium.Spec(name, "rouge-score", params=params), tertium.Cases(hypotheses, references))

    assert score.per_case["fmeasure"].tolist() == pytest.approx(values, abs=1e-6)
    assert score.value == pytest.approx(sum(values) / len(values), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("rouge1", "кошка сидит", "keeps nothing"),
        ("rougeLsum", "the dog ran. the cat sat.", "newline"),
        ("rouge1", "我喜欢猫", "without spaces"),
    ],
)
def test_data_that_do_not_fit_are_noticed(name: str, text: str, words: str) -> None:
    """UC-027, UC-028, UC-045: texts of which nothing is left, or that hold no lines or spaces, are noticed."""
    notices = tertium.notices(tertium.load(f"{name}@rouge-score"), tertium.Cases([text], [[text]]))

    assert any(words in notice for notice in notices)
