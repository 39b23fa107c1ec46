"""
A plugin whose providers each misbehave in exactly one way, and cases to run them on.
"""

from __future__ import annotations

from typing import Any

MINIATURES = '''
import ctypes, os, subprocess, sys, time
import numpy as np
import tertium


class Sound(tertium.Metric):
    """Share of outputs that equal their first reference."""

    name, provider = "exact-match", "sound"
    columns, outputs = ("hits", "cases"), ("exact_match",)

    def statistics(self, prepared, constants):
        return np.array([[case.hypothesis == case.references[0], 1] for case in prepared], dtype=float)

    def aggregate(self, sums):
        return sums[..., :1] / sums[..., 1:]


class Crashes(Sound):
    provider = "crashes"

    def statistics(self, prepared, constants):
        if "b" in prepared.hypotheses:
            os.write(2, b"about to fall\\n")
            os._exit(3)
        return super().statistics(prepared, constants)


class Segfaults(Sound):
    provider = "segfaults"

    def statistics(self, prepared, constants):
        os.kill(os.getpid(), 11)


class Hangs(Sound):
    provider = "hangs"

    def statistics(self, prepared, constants):
        if "b" in prepared.hypotheses:
            time.sleep(600)
        return super().statistics(prepared, constants)


class Hoards(Sound):
    provider = "hoards"

    def statistics(self, prepared, constants):
        kept = []
        while "b" in prepared.hypotheses:
            kept.append(np.ones(2**22))
            time.sleep(0.002)
        return super().statistics(prepared, constants)


class Breeds(Sound):
    """Start a program that takes memory without end."""

    provider = "breeds"

    def statistics(self, prepared, constants):
        if "b" in prepared.hypotheses:
            grow = "kept = []\\nwhile True: kept.append(b'x' * 2**24)"
            subprocess.run([sys.executable, "-c", grow], check=True)
        return super().statistics(prepared, constants)


class Reserves(Sound):
    """Reserve address space that is never used."""

    provider = "reserves"

    def statistics(self, prepared, constants):
        kept = np.empty(2**29)
        return super().statistics(prepared, constants)


class Prints(Sound):
    provider = "prints"

    def statistics(self, prepared, constants):
        print("loading a model")
        os.write(1, b"from below Python\\n")
        sys.stderr.write("and an error\\n")
        return super().statistics(prepared, constants)


class Nan(Sound):
    provider = "nan"

    def aggregate(self, sums):
        return sums[..., :1] * np.nan


class Undefined(Nan):
    provider, undefined = "undefined", "nothing was counted"


class Endless(Sound):
    provider, scale = "endless", (0.0, float("inf"))

    def aggregate(self, sums):
        return sums[..., :1] / 0.0


class Shape(Sound):
    provider = "shape"

    def statistics(self, prepared, constants):
        return np.ones((len(prepared), 3))


class Dtype(Sound):
    provider = "dtype"

    def statistics(self, prepared, constants):
        return np.array([["many", "few"]] * len(prepared), dtype=object)


class Raises(Sound):
    provider = "raises"

    def statistics(self, prepared, constants):
        raise KeyError("no such word")


class Refuses(Sound):
    provider = "refuses"

    def statistics(self, prepared, constants):
        raise tertium.errors.DataError("an answer", "it is too short", "Write more")


class Exits(Sound):
    provider = "exits"

    def statistics(self, prepared, constants):
        raise SystemExit(5)


class Constructor(Sound):
    provider = "constructor"

    def __init__(self):
        time.sleep(600)


class Prepares(Sound):
    """Take its time once, and then be ready."""

    provider, ready = "prepares", False

    def anticipate(self, corpora):
        time.sleep(3)
        type(self).ready = True

    def statistics(self, prepared, constants):
        if not self.ready:
            time.sleep(600)
        return super().statistics(prepared, constants)


class Folds(Sound):
    """Lower-case both sides first, and say so."""

    provider = "folds"

    def preprocess(self, cases):
        return cases.map(str.lower)

    def equivalent(self):
        return tertium.Spec("exact-match", "native", params={"normalizer": "lowercase"})


class Lies(Sound):
    """Declare an equivalent and give something else."""

    provider = "lies"

    def aggregate(self, sums):
        return 1 - super().aggregate(sums)

    def equivalent(self):
        return tertium.Spec("exact-match", "native", params={"normalizer": "lowercase"})


class Silent(Folds):
    """Lower-case both sides first, and say nothing."""

    provider = "silent"

    def equivalent(self):
        return None


class Picky(Sound):
    """Know a parameter of its own."""

    provider = "picky"

    def __init__(self, *, strictness: int = 1):
        self.strictness = strictness


@tertium.hookimpl
def tertium_metrics():
    return [
        Sound, Crashes, Segfaults, Hangs, Prints, Nan, Undefined, Endless, Shape, Dtype, Raises, Refuses, Exits, Constructor,
        Prepares, Folds, Lies, Silent, Picky, Hoards, Breeds, Reserves,
    ]
'''

ROWS: list[dict[str, Any]] = [
    {"id": "right", "hyp": "a", "refs": ["a"], "value": 1},
    {"id": "wrong", "hyp": "b", "refs": ["c"], "value": 0},
    {"id": "case", "hyp": "A", "refs": ["a"], "value": 0},
]


def case_line(**facts: Any) -> dict[str, Any]:
    """
    Make a line of a file of cases.
    """
    line = {
        "id": facts["id"],
        "family": "made",
        "metric": "exact-match",
        "title": "A title",
        "explanation": "A sentence.",
        "tags": facts.get("tags", ["case"]),
        "axes": ["em.normaliser"],
        "params": facts.get("params", {}),
        "cases": [{"hyp": facts["hyp"], "refs": facts["refs"]}],
        "results": {},
    }
    if "value" in facts:
        line["textbook"] = {"value": facts["value"], "scale": "0-1"}
    return line
