"""
Score a small example corpus that comes along: ``tertium demo``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from tertium.example_files import examples

SENTENCES = ("--hyp", "sentences.aurora.txt", "--hyp", "sentences.brook.txt")
REFERENCES = ("--ref", "sentences.ref1.txt", "--ref", "sentences.ref2.txt")
SPEECH = ("--hyp", "speech.hyp.txt", "--ref", "speech.ref.txt")

JOBS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Two translation systems, two references", ("bleu", "chrf", "ter", "meteor"), (*SENTENCES, *REFERENCES)),
    ("What a recogniser understood", ("wer", "cer"), SPEECH),
    ("Captions of images, three references each", ("rougeL", "cider-d"), ("captions.jsonl",)),
)
"""Title, metrics and files of each job; every installed provider computes every metric."""


@click.command("demo", short_help="Score a small example corpus that comes along.")
@click.option("--where", is_flag=True, help="Only print the folder of the example files.")
@click.pass_context
def command(context: click.Context, where: bool) -> int:
    """
    Score the example corpora with every installed provider, and print each command before its result.

    The texts are invented; their scores say nothing about any system.
    """
    from tertium.console.output import emit
    from tertium.registry import registry

    folder = examples()
    if where:
        emit(f"{folder}\n")
        return 0
    root = context.find_root().command
    assert isinstance(root, click.Group)
    score = root.get_command(context, "score")
    assert score is not None
    codes = []
    for number, (title, metrics, files) in enumerate(JOBS):
        specs = [f"{metric}@all" for metric in metrics if metric in registry().metrics]
        if not specs:
            click.echo(f"note: {title.lower()}: none of {', '.join(metrics)} is installed", err=True)
            continue
        paths = [word if word.startswith("--") else os.path.join(folder, word) for word in files]
        emit(("\n" if number else "") + f"{title}\n$ {_typed(['tertium', 'score', *specs, *paths])}\n\n")
        with score.make_context("score", [*specs, *paths, "--no-signature"], parent=context) as inner:
            codes.append(score.invoke(inner))
    emit("\nSignatures, full precision and cases: the same commands with --json or --per-case.\n")
    return max(codes, default=0)


def _typed(words: Sequence[str]) -> str:
    import shlex

    return shlex.join(words)
