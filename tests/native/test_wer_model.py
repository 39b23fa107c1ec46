"""
The error rates against a slow model in plain Python that shares no code with them, over all combinations of rules.
"""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest
import regex

import tertium

ALPHABET = [
    "a", "b", "A", "é", "e\u0301", "ß", "漢", "“", "'", "-", "\u200b", ".", "<x>", "[", "isn't", "can't", "😀",
    " ", " ", " ", "  ", "\t", "\u00a0", "\u3000", "\n", "\x1c",
]  # fmt: skip
CHOICES: dict[str, list[Any]] = {
    "split": ["jiwer", "jiwer-ascii", "whitespace", "ascii", "space", "at:b", "at:\t "],
    "whitespace": ["strip", "keep", "ignore", "ignore-ascii"],
    "case": ["sensitive", "lower", "upper", "casefold", "ascii"],
    "normalize": ["none", "nfc", "nfkd"],
    "strip_format": [False, True],
    "fold_quotes": [False, True],
    "strip_hyphens": [False, True],
    "strip_punctuation": [False, True],
    "strip_nonwords": [False, True],
    "expand_contractions": [False, True],
    "costs": ["unit", "sclite", "2/1/1.5", "0/1/1"],
    "ties": ["jiwer", "sclite", "kaldialign", "most-hits", "fewest-hits"],
    "average": ["pooled", "mean"],
    "references": ["best-value", "fewest-errors", "mean"],
}
PRICES = {"unit": (1.0, 1.0, 1.0), "sclite": (4.0, 3.0, 3.0), "2/1/1.5": (2.0, 1.0, 1.5), "0/1/1": (0.0, 1.0, 1.0)}
# Which step goes first on the way back from the end.
ORDERS = {"jiwer": "DSIC", "sclite": "CSID", "kaldialign": "IDCS"}
SHORT = [
    ("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are"),
    ("'s", " is"), ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am"),
]  # fmt: skip


def changed(text: str, rules: dict[str, Any]) -> str:
    """
    Normalise a text.
    """
    if rules["normalize"] != "none":
        text = unicodedata.normalize(rules["normalize"].upper(), text)
    if rules["strip_format"]:
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    if rules["fold_quotes"]:
        text = text.replace("“", '"')
    if rules["strip_hyphens"]:
        text = text.replace("-", "")
    if rules["case"] == "ascii":
        text = "".join(c.lower() if c.isascii() else c for c in text)
    elif rules["case"] != "sensitive":
        text = {"lower": str.lower, "upper": str.upper, "casefold": str.casefold}[rules["case"]](text)
    if rules["expand_contractions"]:
        for short, whole in SHORT:
            text = text.replace(short, whole)
    if rules["strip_nonwords"]:
        text = re.sub(r"[<\[][^>\]]*[>\]]", "", text)
    if rules["strip_punctuation"]:
        text = "".join(c for c in text if not unicodedata.category(c).startswith("P"))
    return text


def units(text: str, rules: dict[str, Any]) -> list[str]:
    """
    Cut a text into units.
    """
    text = changed(text, rules)
    if rules["unit"] == "word":
        split = rules["split"]
        if split == "whitespace":
            return text.split()
        if split == "ascii":
            return [word for word in re.split("[ \t\n\v\f\r]+", text) if word]
        if split == "space":
            words = text.split(" ")
            return words[:-1] if words[-1] == "" else words
        if split.startswith("at:"):
            return [word for word in text.split(split[3:]) if word]
        if split == "jiwer-ascii":
            text = re.sub("[\t\n\v\f\r]", " ", text)
        return [word for word in re.sub(r"\s\s+", " ", text).strip().split(" ") if word]
    if rules["whitespace"] == "strip":
        text = text.strip()
    elif rules["whitespace"] == "ignore":
        text = re.sub(r"\s", "", text)
    elif rules["whitespace"] == "ignore-ascii":
        text = re.sub("[ \t\n\v\f\r]", "", text)
    return regex.findall(r"\X", text) if rules["unit"] == "grapheme" else list(text)


def counted(left: Sequence[str], right: Sequence[str], rules: dict[str, Any]) -> tuple[int, int, int, int]:
    """
    Count hits, substitutions, deletions and insertions of the alignment that the rules choose.
    """
    substitution, insertion, deletion = PRICES[rules["costs"]]
    order, reward = ORDERS.get(rules["ties"]), 0.0
    if order is None:
        # All hits together weigh less than any difference in cost.
        reward = (-1 if rules["ties"] == "most-hits" else 1) / 1000
        order = "CSID" if reward < 0 else "SIDC"
    same = 0
    if rules["ties"] == "jiwer":
        start = 0
        while start < min(len(left), len(right)) and left[start] == right[start]:
            start += 1
        left, right, same = left[start:], right[start:], start
        while left and right and left[-1] == right[-1]:
            left, right, same = left[:-1], right[:-1], same + 1
    table = {(0, 0): 0.0}
    back: dict[tuple[int, int], str] = {}
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            ways = {}
            if i and j and left[i - 1] == right[j - 1]:
                ways["C"] = table[i - 1, j - 1] + reward
            elif i and j:
                ways["S"] = table[i - 1, j - 1] + substitution
            if i:
                ways["D"] = table[i - 1, j] + deletion
            if j:
                ways["I"] = table[i, j - 1] + insertion
            if ways:
                least = min(ways.values())
                near = [step for step, cost in ways.items() if cost <= least + 1e-7]
                back[i, j] = min(near, key=order.index)
                table[i, j] = least
    found = {"C": same, "S": 0, "D": 0, "I": 0}
    i, j = len(left), len(right)
    while i or j:
        step = back[i, j]
        found[step] += 1
        i, j = i - (step != "I"), j - (step != "D")
    return found["C"], found["S"], found["D"], found["I"]


def valued(name: str, counts: Sequence[float]) -> float:
    """
    Make a rate of counts, by JiWER's rules for empty sides.
    """
    hits, substitutions, deletions, insertions = counts
    errors, length, given = substitutions + deletions + insertions, hits + substitutions + deletions, 0.0
    given = hits + substitutions + insertions
    if name in ("wer", "cer"):
        return errors / length if length else insertions
    if name == "mer":
        return errors / (hits + errors) if hits + errors else 0.0
    kept = (hits / length) * (hits / given) if length and given else float(length == given == 0)
    return kept if name == "wip" else 1 - kept


def modelled(name: str, cases: Sequence[tuple[str, list[str]]], rules: dict[str, Any]) -> tuple[float, list[float]]:
    """
    Score cases of (hypothesis, references); return the value and the four counts.
    """
    rows, values = [], []
    for hypothesis, references in cases:
        right = units(hypothesis, rules)
        options = [counted(units(text, rules), right, rules) for text in references]
        rates = [valued(name, counts) for counts in options]
        if rules["references"] == "mean":
            rows.append([sum(column) / len(options) for column in zip(*options, strict=True)])
            values.append(sum(rates) / len(rates))
            continue
        losses = [rate * (-1 if name == "wip" else 1) for rate in rates]
        if rules["references"] == "fewest-errors":
            losses = [float(sum(counts[1:])) for counts in options]
        best = losses.index(min(losses))
        rows.append([float(count) for count in options[best]])
        values.append(rates[best])
    totals = [sum(column) for column in zip(*rows, strict=True)]
    return (valued(name, totals) if rules["average"] == "pooled" else sum(values) / len(values)), totals


@pytest.mark.parametrize("seed", range(8))
def test_metrics_equal_the_model(seed: int) -> None:
    """Value and counts equal the model's under random rules, on hostile texts with one to three references."""
    rng = random.Random(seed)

    def text() -> str:
        return "".join(rng.choices(ALPHABET, k=rng.randrange(9)))

    for _ in range(60):
        name = rng.choice(["wer", "cer", "mer", "wil", "wip"])
        rules = {key: rng.choice(values) if rng.random() < 0.6 else values[0] for key, values in CHOICES.items()}
        rules["unit"] = rng.choice(["codepoint", "grapheme"] + ["word"] * (3 * (name != "cer")))
        cases = [(text(), [text() for _ in range(rng.randint(1, 3))]) for _ in range(rng.randint(1, 4))]
        options = {
            key: value for key, value in rules.items() if key != ("whitespace" if rules["unit"] == "word" else "split")
        }

        metric = tertium.load(tertium.Spec(name, "native", params=options))
        score = tertium.score(metric, tertium.Cases([case[0] for case in cases], [case[1] for case in cases]))

        value, totals = modelled(name, cases, rules)
        assert math.isclose(score.value, value, rel_tol=1e-9, abs_tol=1e-12), (name, options, cases)
        shown = [score[key] for key in ("hits", "substitutions", "deletions", "insertions")]
        assert shown == pytest.approx(totals, rel=1e-12), (name, options, cases)
