"""
Recover the conventions of every adapter blind, and those of libraries from PyPI that have no adapter.

An adapter is handed over as an object that hides its name, its parameters and its declared equivalent: only its answers are
left. What is found is held against the declared equivalent afterwards, on the inputs of the fingerprint and on fresh ones.

    python conformance/fingerprints.py                 all rows
    python conformance/fingerprints.py 'bleu*' wer@jiwer   rows whose spec looks so

A row says the provider's spec, whether its conventions were recovered, the setting that was found, the probes it took, probes
that no setting explains, and the seconds. A library that is not installed is skipped, and the row says so.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

import tertium
from tertium.errors import TertiumError
from tertium.fingerprinting import Fingerprint, fingerprint
from tertium.fingerprinting.answering import DIFFERENT, ERROR, Answers, Natives
from tertium.fingerprinting.probing import groups, invented, suite
from tertium.fingerprinting.space import Setting, Space
from tertium.registry import registry
from tertium.sides import answer
from tertium.spec import parse

ADAPTERS = (
    "bleu@sacrebleu",
    "bleu@sacrebleu(tokenize=intl,smooth_method=floor)",
    "bleu@sacrebleu(tokenize=char,lowercase=true,effective_order=true,smooth_method=add-k,smooth_value=3)",
    "chrf@sacrebleu",
    "chrf@sacrebleu(word_order=2,beta=1.7)",
    "chrf@sacrebleu(whitespace=true,eps_smoothing=true,char_order=4)",
    "ter@sacrebleu",
    "ter@sacrebleu(normalized=true,case_sensitive=true)",
    "ter@sacrebleu(no_punct=true,asian_support=true)",
    *(f"rouge{order}@rouge-score" for order in range(1, 10)),
    "rouge1@rouge-score(stemmer=true)",
    "rougeL@rouge-score",
    "rougeL@rouge-score(stemmer=true)",
    "rougeLsum@rouge-score",
    "wer@jiwer",
    "wer@jiwer(transform=wer_standardize)",
    "cer@jiwer",
    "mer@jiwer",
    "wil@jiwer",
    "wip@jiwer",
    "meteor@nltk",
    "meteor@nltk(alpha=0.8,gamma=0.3,stemmer=none)",
    "bleu@nltk",
    "bleu@nltk(smoothing=method4)",
    "chrf@nltk",
    "gleu@nltk",
    "nist@nltk",
    "ribes@nltk",
    "levenshtein@nltk",
    "levenshtein@nltk(transpositions=true)",
    "cider-d@pycocoevalcap",
    "cider-d@pycocoevalcap(tokenizer=none)",
    "bleu@pycocoevalcap(tokenizer=none)",
    "rougeL@pycocoevalcap(tokenizer=none)",
    "bleu@pycocoevalcap",
    "rougeL@pycocoevalcap",
    "meteor@pycocoevalcap",
    "levenshtein@rapidfuzz",
    "levenshtein@rapidfuzz(normalized=true)",
    "chrf@fastchrf",
    "rouge1@rouge",
    "rouge2@rouge",
    "rougeL@rouge",
    "rouge1@rouge-metric",
    "rouge2@rouge-metric(alpha=0.3)",
    "rougeL@rouge-metric",
    "rougeW@rouge-metric",
    "rougeS@rouge-metric",
    "rougeSU@rouge-metric",
)


class Hidden(tertium.Metric):
    """
    Answer as another metric does, and say nothing else.
    """

    name, provider = "hidden", "hidden"

    def __init__(self) -> None:
        self._inner: Any = None

    @classmethod
    def behind(cls, spec: str) -> Hidden:
        """
        Hide the metric that a spec names.
        """
        made = cls()
        made._inner = tertium.load(spec)
        info = made._inner.info
        made.columns, made.outputs, made.scale = info.columns, info.outputs, info.scale
        made.additive, made.needs = info.additive, info.needs
        return made

    def preprocess(self, cases: tertium.Cases) -> Any:
        return self._inner.preprocess(cases)

    def constants(self, prepared: Any) -> Any:
        return self._inner.constants(prepared)

    def statistics(self, prepared: Any, constants: Any) -> Any:
        return self._inner.statistics(prepared, constants)

    def aggregate(self, sums: Any) -> Any:
        return self._inner.aggregate(sums)

    def corpus(self, prepared: Any, constants: Any) -> Any:
        return self._inner.corpus(prepared, constants)


class Function(tertium.Metric):
    """
    Answer as a function of outputs and lists of references does.
    """

    name, provider = "function", "library"
    additive = False

    def __init__(self) -> None:
        self._function: Callable[[list[str], list[list[str]]], float] | None = None

    @classmethod
    def of(cls, function: Callable[[list[str], list[list[str]]], float], one_reference: bool) -> Function:
        """
        Adapt a function.
        """
        made = cls()
        made._function = function
        made.needs = ("one-reference",) if one_reference else ("references",)
        return made

    def corpus(self, prepared: tertium.Cases, constants: object) -> Any:
        assert self._function is not None  # `of` gave one
        return np.array(
            [self._function(list(prepared.hypotheses), [list(texts or ()) for texts in prepared.references])]
        )


def _bleuscore(hypotheses: list[str], references: list[list[str]]) -> float:
    found = importlib.import_module("bleuscore").compute(references, hypotheses, max_order=4, smooth=False)
    return float(found["bleu"])


def _bleuscore_smooth(hypotheses: list[str], references: list[list[str]]) -> float:
    found = importlib.import_module("bleuscore").compute(references, hypotheses, max_order=3, smooth=True)
    return float(found["bleu"])


def _werx(hypotheses: list[str], references: list[list[str]]) -> float:
    return float(importlib.import_module("werx").wer([texts[0] for texts in references], hypotheses))


def _fastwer(hypotheses: list[str], references: list[list[str]]) -> float:
    return float(importlib.import_module("fastwer").score(hypotheses, [texts[0] for texts in references]))


def _fastcer(hypotheses: list[str], references: list[list[str]]) -> float:
    library = importlib.import_module("fastwer")
    return float(library.score(hypotheses, [texts[0] for texts in references], char_level=True))


def _rouge_rust(name: str) -> Callable[[list[str], list[list[str]]], float]:
    def scored(hypotheses: list[str], references: list[list[str]]) -> float:
        scorer = importlib.import_module("rouge_score_rs").RougeScorer([name], use_stemmer=True)
        pairs = zip(hypotheses, references, strict=True)
        return float(np.mean([scorer.score(texts[0], output)[name].fmeasure for output, texts in pairs]))

    return scored


def _editdistance(hypotheses: list[str], references: list[list[str]]) -> float:
    distance = importlib.import_module("editdistance").eval
    return float(np.mean([distance(output, texts[0]) for output, texts in zip(hypotheses, references, strict=True)]))


LIBRARIES: Sequence[tuple[str, str, str, Callable[[list[str], list[list[str]]], float], bool, str]] = (
    ("bleuscore", "bleuscore", "bleu", _bleuscore, False, "bleu(smoothing=none,tokenize=mteval-v13a,reference_length=shortest,percent=false)"),
    (
        *("bleuscore(max_order=3,smooth=true)", "bleuscore", "bleu", _bleuscore_smooth, False),
        "bleu(smoothing=add-k-all,no_match=smooth,tokenize=mteval-v13a,max_order=3,reference_length=shortest,percent=false)",
    ),
    ("werx", "werx", "wer", _werx, True, "wer(split=whitespace)"),
    ("fastwer", "fastwer", "wer", _fastwer, True, "wer(split=space,empty_reference=error)"),
    ("fastwer(char_level=true)", "fastwer", "cer", _fastcer, True, "cer(whitespace=keep,empty_reference=error)"),
    ("rouge-score-rs rouge2", "rouge_score_rs", "rouge2", _rouge_rust("rouge2"), True, "rouge2(stemmer=nltk)"),
    ("rouge-score-rs rougeL", "rouge_score_rs", "rougeL", _rouge_rust("rougeL"), True, "rougeL(stemmer=nltk)"),
    ("editdistance", "editdistance", "levenshtein", _editdistance, True, "levenshtein"),
)  # fmt: skip
"""Name, module, metric, function, whether it takes one reference, and what it is known to be."""


def same(metric: str, found: Fingerprint, known: str, provider: tertium.Metric) -> bool:
    """
    Tell whether a setting gives the numbers of a known native spec, on the suite and on a thousand fresh inputs.

    Where the two differ the provider is asked: the setting must be right there, or the provider refuses the input.
    """
    space = Space(metric)
    spec = registry().resolve(parse(known))
    wanted = space.with_params(Setting(spec.metric, (), spec.output, found.setting.factor), spec.params)
    natives = Natives(space)
    one_reference = "one-reference" in provider.info.needs
    probes = suite(space.family)
    probes += groups([probe for probe in probes if probe.own], 7)
    probes = [probe for probe in probes if not one_reference or probe.references == 1]
    places = natives.add([*probes, *invented(777, 1000, one_reference)])
    pair = natives.answers(found.setting, places), natives.answers(wanted, places)
    differing = np.flatnonzero(pair[0].against(pair[1], found.tolerance) == DIFFERENT)
    asked = Answers.of([answer(provider, 0, natives.probes[places[at]].cases) for at in differing])
    wrong = asked.against(pair[0].at(differing.tolist()), found.tolerance) == DIFFERENT
    return not bool((wrong & (asked.kinds != ERROR)).any())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def row(label: str, recovered: str, found: Fingerprint, seconds: float) -> None:
    """
    Print one row.
    """
    missed, open_axes = len(found.unexplained), sum(not one.decided for one in found.conventions)
    _say(
        f"{label}\t{recovered}\t{found.setting}\t{found.asked} probes\t{missed} unexplained\t{len(found.rivals)} rivals\t"
        f"{open_axes} axes open\t{seconds:.0f} s"
    )


def main(wanted: Sequence[str]) -> int:
    """
    Print the table.
    """
    failed = 0
    for spec in ADAPTERS:
        if wanted and not any(fnmatchcase(spec, one) for one in wanted):
            continue
        start = time.perf_counter()
        try:
            told = tertium.load(spec).equivalent()
            known = str(told)
            name = registry().resolve(parse(spec)).metric
            hidden = Hidden.behind(spec)
            found = fingerprint(hidden, metric=name)
        except TertiumError as error:
            _say(f"{spec}\tskipped: {error}")
            continue
        recovered = same(name, found, known, hidden)
        failed += not recovered
        row(spec, "recovered" if recovered else f"NOT recovered: {known}", found, time.perf_counter() - start)
    for label, module, name, function, one_reference, known in LIBRARIES:
        if wanted and not any(fnmatchcase(label, one) for one in wanted):
            continue
        try:
            importlib.import_module(module)
        except ImportError:
            _say(f"{label}\tskipped: {module} is not installed")
            continue
        start = time.perf_counter()
        library = Function.of(function, one_reference)
        found = fingerprint(library, metric=name)
        recovered = same(name, found, known, library)
        failed += not recovered
        row(label, "recovered" if recovered else f"NOT recovered: {known}", found, time.perf_counter() - start)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
