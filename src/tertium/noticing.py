"""
Notice what in the data makes a number mean something else than it seems to.

A notice never changes a score. The command line prints notices beside the table; in Python ask for them with
:func:`notices`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from tertium.cases import Cases
from tertium.metric import Metric

_TOKENISED = re.compile(r"\S [.!?]$")
_CUTTERS = re.compile(r"(?:13a|intl|none|whitespace)\Z")
_PIECE = re.compile(r"\w+|[^\w\s]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_NGRAM_METRICS = frozenset({"bleu", "nist"})
_WORD_METRICS = frozenset({"bleu", "nist", "wer", "mer", "wil", "wip", "meteor", "ter", "gleu", "ribes"})
_ROUGE = re.compile(r"rouge([1-9]|L|Lsum|W|S|SU)\Z")


def notices(metric: Metric, cases: Cases) -> list[str]:
    """
    List what is noteworthy about scoring these cases with this metric, one sentence each.

    Args:
        metric: The metric, with its parameters.
        cases: What is scored.

    Example:
        >>> import tertium
        >>> tertium.notices(tertium.load("exact-match@example"), tertium.Cases(["caf\\u00e9"], [["cafe\\u0301"]]))[0][:44]
        '1 case mixes Unicode normal forms (first: 0)'
    """
    return [*about_data(cases), *about_metric(metric, cases)]


def about_data(cases: Cases) -> list[str]:
    """
    List what is noteworthy about the cases, whatever scores them.
    """
    return [notice for check in (_normal_forms, _invisible, _empty_references) for notice in check(cases)]


def about_metric(metric: Metric, cases: Cases) -> list[str]:
    """
    List what is noteworthy about scoring these cases with this metric: its own notes, and traps of its family.
    """
    checks = (_tokenised, _unspaced, _no_ngrams, _nothing_left, _no_sentence_breaks)
    return [*metric.notes(cases), *(notice for check in checks for notice in check(metric, cases))]


def _counted(rows: Sequence[int], cases: Cases, one: str, many: str) -> str:
    count = len(rows)
    return f"{count:,} {one if count == 1 else many} (first: {int(cases.positions[rows[0]])})"


def _tokenizer(metric: Metric, default: str) -> str:
    chosen = str(metric.parameters.get("tokenize", metric.parameters.get("tokenizer", default)))
    # `auto` leaves the choice to the library; the metric knows which one that is.
    return str(getattr(metric, "tokenizer", "13a")) if chosen == "auto" else chosen


def _texts(cases: Cases) -> Iterator[tuple[int, str]]:
    yield from enumerate(cases.hypotheses)
    ends = cases.bounds.tolist()
    for row in range(len(cases)):
        for text in cases.flat_references[ends[row] : ends[row + 1]]:
            yield row, text


def _normal_forms(cases: Cases) -> Iterator[str]:
    sides = ("".join(cases.hypotheses), "".join(cases.flat_references))
    if all(text.isascii() or unicodedata.is_normalized("NFC", text) for text in sides):
        return
    ends = cases.bounds.tolist()
    mixed = []
    for row, hypothesis in enumerate(cases.hypotheses):
        for reference in cases.flat_references[ends[row] : ends[row + 1]]:
            if unicodedata.is_normalized("NFC", hypothesis) != unicodedata.is_normalized("NFC", reference):
                mixed.append(row)
                break
    if mixed:
        yield (
            _counted(mixed, cases, "case mixes Unicode normal forms", "cases mix Unicode normal forms")
            + ": one side is in NFC and the other is not, so characters that look the same differ. Normalise both sides"
        )


def _invisible(cases: Cases) -> Iterator[str]:
    if all(text.isascii() for text in (*cases.hypotheses, *cases.flat_references)):
        return
    seen: dict[int, set[str]] = {}
    for row, text in _texts(cases):
        if not text.isascii():
            found = {mark for mark in set(text) if unicodedata.category(mark) == "Cf"}
            if found:
                seen.setdefault(row, set()).update(found)
    if seen:
        rows = sorted(seen)
        marks = ", ".join(sorted({f"U+{ord(mark):04X}" for marks in seen.values() for mark in marks})[:8])
        yield (
            _counted(rows, cases, "case holds", "cases hold")
            + f": invisible format characters ({marks}) count as characters"
        )


def _tokenised(metric: Metric, cases: Cases) -> Iterator[str]:
    tokenizer = _tokenizer(metric, "")
    if metric.name != "bleu" or tokenizer in ("none", "whitespace", "char") or "force" in metric.parameters:
        return  # with a parameter `force` the metric itself tells, unless it is told not to
    rows = [row for row, text in enumerate(cases.hypotheses) if _TOKENISED.search(text)]
    if len(rows) >= 100:
        yield (
            _counted(rows, cases, "output ends", "outputs end")
            + f": in a full stop that stands apart, as tokenized text does, while {metric.name} tokenizes itself ({tokenizer}). "
            "Detokenize the outputs, or choose tokenize=none on purpose"
        )


def _unspaced(metric: Metric, cases: Cases) -> Iterator[str]:
    rouge = _ROUGE.match(metric.name)
    if metric.name not in _WORD_METRICS and not rouge:
        return
    tokenizer = _tokenizer(metric, "whitespace")
    if not (rouge or _CUTTERS.match(tokenizer)):
        return
    rows = [
        row
        for row, text in enumerate(cases.hypotheses)
        if not text.isascii() and len(text) > 1 and " " not in text.strip() and _UNSPACED.search(text)
    ]
    if rows:
        yield (
            _counted(rows, cases, "output is", "outputs are")
            + ": written without spaces between words, so a whole line counts as one word. Use a tokenizer of the language "
            "(char, zh, ja-mecab, ko-mecab) or a character metric (chrf, cer)"
        )


def _no_ngrams(metric: Metric, cases: Cases) -> Iterator[str]:
    if metric.name not in _NGRAM_METRICS or metric.name == "nist":
        return
    order = int(metric.parameters.get("max_order", metric.parameters.get("max_ngram_order", 4)))
    tokenizer = _tokenizer(metric, "13a")
    if not _CUTTERS.match(tokenizer) or metric.parameters.get("effective_order"):
        return
    if all(len(_PIECE.findall(text)) < order for text in cases.hypotheses):
        yield (
            f"no output has {order} tokens, so the order-{order} precision has nothing to count; the score is decided by "
            "smoothing. effective_order=true leaves such orders out"
        )


def _nothing_left(metric: Metric, cases: Cases) -> Iterator[str]:
    if not _ROUGE.match(metric.name) or metric.provider != "rouge-score" or metric.parameters["tokenizer"] != "default":
        return  # the native metrics say it themselves
    word = re.compile("[A-Za-z0-9]")
    rows = sorted({row for row, text in _texts(cases) if text.strip() and not word.search(text)})
    if rows:
        yield (
            _counted(rows, cases, "case has", "cases have")
            + ": a text of which this tokenizer keeps nothing (only a-z and 0-9 count), which scores 0. Choose another tokenizer"
        )


def _no_sentence_breaks(metric: Metric, cases: Cases) -> Iterator[str]:
    if metric.name != "rougeLsum" or metric.parameters.get("split_summaries"):
        return
    if metric.parameters.get("sentence_split", "newline") != "newline":
        return
    if not any("\n" in text for text in (*cases.hypotheses, *cases.flat_references)):
        yield "no text has a newline, so rougeLsum sees one sentence a text and equals rougeL. Put each sentence on a line"


def _empty_references(cases: Cases) -> Iterator[str]:
    ends = cases.bounds.tolist()
    rows = [
        row
        for row in range(len(cases))
        if ends[row + 1] > ends[row]
        and not any(text.strip() for text in cases.flat_references[ends[row] : ends[row + 1]])
    ]
    if rows:
        yield (
            _counted(rows, cases, "case has", "cases have")
            + ": only empty references; metrics disagree on these (see `tertium show`)"
        )
