"""
Run the pinned libraries themselves on cases that lack their outcomes, and write what they give into the files of cases.

    python conformance/measure.py [FAMILY ...]

The libraries are called here as their own documentation has it, outside of tertium, so that the outcomes are facts that
adapters can be held to. What is measured already stays as it is.
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
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    tokenizer: Any = PTBTokenizer()
    given = tokenizer.tokenize({i: [{"caption": text}] for i, text in enumerate(hypotheses)})
    wanted = tokenizer.tokenize({i: [{"caption": t} for t in row] for i, row in enumerate(references)})
    score, values = Cider().compute_score(wanted, given)
    return {"scale": "0-10", "score": float(score), "components": {"per_case": [float(value) for value in values]}}


RUNNERS: dict[str, tuple[str, str, Callable[..., Found]]] = {
    **dict.fromkeys(("bleu", "chrf", "ter"), ("sacrebleu", "sacrebleu", sacrebleu_)),
    **{f"rouge{kind}": ("rouge-score", "rouge-score", rouge_score_) for kind in ("1", "2", "3", "L", "Lsum")},
    **dict.fromkeys(("wer", "cer", "mer", "wil", "wip"), ("jiwer", "jiwer", jiwer_)),
    "meteor": ("nltk", "nltk", nltk_),
    "cider-d": ("pycocoevalcap-ptb", "pycocoevalcap", coco_),
}
"""Metric to the implementation's name in the cases, its distribution, and what runs it."""


def measured(record: Found) -> Found | None:
    """
    Run the library that a case lacks.

    Returns:
        The outcome, or None where there is nothing to measure.
    """
    name, distribution, runner = RUNNERS.get(record["metric"], ("", "", None))
    if runner is None or record["results"]:
        return None
    hypotheses = [written_out(row["hyp"]) for row in record["cases"]]
    references = [written_out(row["refs"]) for row in record["cases"]]
    params = {key: value for key, value in record["params"].items() if key != "rouge"}
    try:
        found = {"status": "ok", **runner(record["metric"], params, hypotheses, references)}
    except Exception as error:  # whatever a library raises is a fact about it
        found = {"scale": "0-1", "status": "error", "error": type(error).__name__}
    return {name: {"version": version(distribution), **found}}


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
            if found is not None:
                record["results"] = found
                count += 1
        if count:
            file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
            sys.stdout.write(f"{file.stem}: {count} measured\n")


if __name__ == "__main__":
    main(sys.argv[1:])
