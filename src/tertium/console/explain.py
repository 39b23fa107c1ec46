"""
Split the gap between two metrics over their conventions: ``tertium explain``.
"""

from __future__ import annotations

from typing import Any

import click

from tertium.console.corpus import corpus_options


@click.command("explain", short_help="Say which conventions make two implementations differ.")
@click.argument("words", metavar="A B [DATA]", nargs=-1, required=True)
@corpus_options
@click.option(
    "--orders",
    type=click.IntRange(min=4),
    default=32,
    show_default=True,
    metavar="N",
    help="Orders to draw where more than eight conventions differ.",
)
@click.option("--seed", type=int, default=12345, show_default=True, help="Where that draw begins.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Threads or processes.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Split the gap between two metrics over the conventions on which they differ.

    \b
      tertium explain bleu@nltk bleu@sacrebleu --hyp sys.txt --ref ref.txt
      tertium explain 'rougeL@rouge-score(stemmer=true)' rougeL@pycocoevalcap data.jsonl
      tertium explain wer@jiwer 'wer(split=unicode)' data.tsv
      tertium explain 'bleu(aggregation=mean)' bleu data.jsonl

    Each metric stands for the native setting that gives the same numbers. Values are brought to one scale; what they
    differ by is shared out among the conventions (Shapley values: what each adds, averaged over every order in which
    they could be changed), exactly up to eight conventions and drawn at random, with the error stated, beyond. The
    remainder is what the conventions do not explain. Shares and remainder sum to the gap.
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check, emit, show
    from tertium.console.pairs import read_one, two_specs
    from tertium.explaining import explain

    check(options["output"])
    a, b, data = two_specs(words, options["hypotheses"], "explain")
    notes = Notes()
    with notes.listening():
        cases = read_one(data, options, notes.say)
        found = explain(
            a,
            b,
            cases,
            workers=options["workers"],
            orders=options["orders"],
            seed=options["seed"],
            allow_unpinned=options["allow_unpinned"],
        )
        for note in found.notes:
            notes.say(note)
        report = found.to_dict()
    if options["as_json"]:
        from tertium.reports import json

        emit(json.document(report), options["output"])
        return 0
    from tertium.reports.explanation import explanation

    show(*explanation(report), file=options["output"])
    return 0
