"""
TERCOM's search and the tokenizers of TER, against recorded runs and against sacreBLEU's tokenizer.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

import tertium
from miniatures.ter_texts import FLAGS, OPTIONS, PIECES, TERCOM, value
from tertium.native.ter import Ter
from tertium.native.tercom import search_beam
from tertium.native.tokenizers.ter import ter_tokenizer
from tertium.native.tokenizers.tercom import tercom_tokenizer
from text_lines import lines_of


def test_equals_tercom_on_real_translations(shared: Path) -> None:
    """TERCOM 0.10.0's totals for online-B on newstest2017, as given and with -N: 33388 / 52833 and 33640 / 61301."""
    data = shared / "data" / "mt" / "wmt17-en-de"
    (system,) = (data / "systems").glob("*online-B*")
    cases = tertium.Cases.from_streams(lines_of(system), [lines_of(data / "ref.txt")])

    plain = tertium.score(Ter(**TERCOM), cases)
    normalized = tertium.score(Ter(**TERCOM, normalized=True), cases)
    assert (plain["edits"], plain["reference_length"]) == (33388, 52833)
    assert (normalized["edits"], normalized["reference_length"]) == (33640, 61301)


def test_equals_tercom_where_it_was_run(shared: Path) -> None:
    """Edits, lengths, insertions, deletions, substitutions, shifts and totals of all recorded runs, under all options."""
    names = {
        "normalize": "normalized",
        "no_punct": "no_punct",
        "asian": "asian_support",
        "case_sensitive": "case_sensitive",
        "no_tag_brackets": "no_tag_brackets",
        "beam_width": "beam",
        "max_shift_distance": "max_shift_distance",
        "shift_cost": "shift_cost",
        "insert_cost": "insert_cost",
        "delete_cost": "delete_cost",
        "substitute_cost": "substitute_cost",
    }
    compared = 0
    for line in (shared / "golden" / "tercom-0.10.0.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        expected = record["expected"]
        if "error" in expected:  # the program dropped the line for a separator in it: nothing was scored
            continue
        metric = Ter(**TERCOM, **{names[name]: asked for name, asked in record["params"].items()})
        cases = tertium.Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        score = tertium.score(metric, cases)
        rows = np.array(
            [
                [case[name] for name in ("ter", "edits", "ref_words", "shifts", "ins", "del", "sub")]
                for case in expected["per_case"]
            ],
            np.float64,
        )
        found = np.stack([score.per_case[name] for name in score.info.outputs[:7]], axis=1)

        np.testing.assert_allclose(found, rows, rtol=1e-9, atol=1e-9, err_msg=record["id"])
        total = float(expected["corpus"]["ter"])
        assert score.value == pytest.approx(total, rel=1e-9, nan_ok=True), record["id"]
        compared += len(rows)
    assert compared == 890


def test_shifts_are_those_of_tercom(shared: Path) -> None:
    """The shifts of all recorded runs with one reference, in order: first word, last word, word after which they go."""
    compared = 0
    for line in (shared / "golden" / "tercom-0.10.0.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        asked = record["params"]
        cutting = tercom_tokenizer(
            asked["normalize"], asked["no_punct"], asked["asian"], asked["case_sensitive"], asked["no_tag_brackets"]
        )
        costs = tuple(asked.get(f"{name}_cost", 1.0) for name in ("insert", "delete", "substitute", "shift"))
        for case, expected in zip(record["cases"], record["expected"].get("per_case", []), strict=False):
            if "shift_list" not in expected or len(case["refs"]) != 1:
                continue
            reference = cutting.column(case["refs"])
            hypothesis = cutting.column([case["hyp"]], reference.vocabulary)
            history = np.zeros(expected["shifts"] + 5, np.int64)
            found, _ = search_beam(
                hypothesis.ids,
                hypothesis.offsets,
                reference.ids,
                reference.offsets,
                np.zeros(1, np.int64),
                len(hypothesis.vocabulary),
                asked["beam_width"],
                10,
                asked["max_shift_distance"],
                10**9,
                10**10,
                costs,
                history,
            )
            moves = [(move >> 42, (move >> 21) & 0x1FFFFF, (move & 0x1FFFFF) - 1) for move in history.tolist()]
            made = [(start, start + span - 1, goal) for span, start, goal in moves[: found[0, 1]]]

            assert made == [(move["start"], move["end"], move["newloc"]) for move in expected["shift_list"]], record[
                "id"
            ]
            compared += 1
    assert compared > 150


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_tokens_are_those_of_sacrebleu(flags: dict[str, bool]) -> None:
    """Two thousand texts of awkward pieces are cut as the library's tokenizer cuts them."""
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    rng = random.Random(7)
    library = TercomTokenizer(**flags)
    made = ["".join(rng.choices(PIECES, k=rng.randrange(14))) for _ in range(2000)]
    column = ter_tokenizer(*flags.values()).column(made)

    for row, text in enumerate(made):
        assert column[row] == library(text.rstrip()).split(), text


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (" Hello, World ", {}, ["hello,", "world"]),
        ("a\u00a0b\u3000c", {}, ["a\u00a0b\u3000c"]),  # no ASCII white space
        ("", {"normalized": True}, []),
        (". hello", {"no_punct": True}, ["", "hello"]),  # the space at the start leaves an empty word
        ("...", {"no_punct": True}, [""]),
        (". .", {"no_punct": True}, []),
        (
            "the dog's 3.5 (1-2), x.",
            {"normalized": True},
            ["the", "dog", "'s", "3.5", "(", "1", "-", "2", ")", ",", "x", "."],
        ),
        ("a<skipped>b &lt;c&gt;", {"normalized": True}, ["ab", "<", "c", ">"]),
        ("a <b>c", {"normalized": True, "no_tag_brackets": True}, ["a", "b", "c"]),
        ("漢字かなカナ", {"normalized": True, "asian_support": True}, ["漢", "字", "かな", "カナ"]),
    ],
)
def test_tokens_of_tercom(text: str, options: dict[str, bool], expected: list[str]) -> None:
    """TERCOM's rules, one each."""
    names = (*OPTIONS, "no_tag_brackets")
    cutting = tercom_tokenizer(*(options.get(name, False) for name in names))

    assert cutting.tokens(text) == expected


def test_references_are_cut_twice_as_the_library_does() -> None:
    """With normalising, sacreBLEU cuts references twice, so that this text is not equal to itself; once, it is."""
    text = "the fox's, den"
    library = sacrebleu.TER(normalized=True).sentence_score(text, [text]).score

    assert library > 0
    assert value(text, text, normalized=True) == library
    assert value(text, text, normalized=True, reference_passes=1) == 0


def test_any_tokenizer_will_do() -> None:
    """Other tokenizers, and functions, cut the words; the case is lowered before unless it counts."""
    assert value("Hello, you", "hello , you", tokenize="13a") == 0
    assert value("ab", "ba", tokenize="char") == 50
    assert value("A|b", "a|b", tokenize=lambda text: text.split("|")) == 0
