"""
Freeze what a metric learns from references: ``tertium constants build``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.console.corpus import corpus_options, read_systems
from tertium.errors import UsageError
from tertium.spec import Spec, parse

if TYPE_CHECKING:
    from tertium.cases import Cases

PARAMETER = "frequencies"
"""The parameter by which a metric takes frozen constants."""
CHUNK = 16_384


@click.group("constants", short_help="Freeze what a metric learns from references.")
def command() -> None:
    """
    Freeze what a metric learns once from all references: CIDEr's document frequencies, NIST's n-gram counts.

    A small test set has poor counts and one image alone has none. Counts of a larger corpus, kept in a file, give every
    score the same weights; the score's signature names them by their content.
    """


@command.command("build", short_help="Count over references and write a file.")
@click.argument("words", metavar="SPEC [DATA]", nargs=-1, required=True)
@corpus_options
@click.option("-o", "--output", metavar="FILE", required=True, help="Where the constants go, for instance df.npz.")
def build(words: tuple[str, ...], **options: Any) -> int:
    """
    Count over the references of DATA, or of --ref files, under the parameters of SPEC.

    \b
      tertium constants build cider-d captions.jsonl -o df.npz
      tertium constants build nist --ref ref1.txt --ref ref2.txt -o counts.npz
      tertium score cider-d results.jsonl --constants df.npz
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check, emit
    from tertium.guarding import check_needs
    from tertium.native.constants_file import save

    check(options["output"])
    notes = Notes()
    with notes.listening():
        metric = _learner(words[0])
        cases = _references(words, options, notes.say)
        check_needs(metric.info, cases)
        learned = None
        for chunk in cases.chunks(CHUNK):
            found = metric.constants(metric.preprocess(chunk))
            learned = found if learned is None else learned | found
        assert learned is not None  # there is at least one case
        facts = metric.built_with()
        digest = save(options["output"], learned, facts)
    emit(
        f"{options['output']}: {facts['kind']} of {len(cases):,} cases, {learned.merged.size:,} n-grams of up to "
        f"{facts['orders']} words ({', '.join(f'{name}={value}' for name, value in facts.items() if name not in ('kind', 'orders'))}), "
        f"sha256:{digest[:16]}\n"
    )
    return 0


def _learner(text: str) -> Any:
    from tertium.registry import registry

    asked = parse(text)
    metric = registry().load(asked)
    if not hasattr(metric, "built_with"):
        raise UsageError(
            f"constants of {asked} were to be built",
            "it learns nothing from references that could be frozen",
            f"Metrics that do: {', '.join(learners())}",
        )
    if metric.parameters[PARAMETER] != "corpus":
        raise UsageError(
            f"constants of {asked} were to be built",
            f"{PARAMETER}={metric.parameters[PARAMETER]} takes them from a file already",
            f"Leave {PARAMETER} out",
        )
    return metric


def learners() -> list[str]:
    """
    List the metrics that take frozen constants.
    """
    from tertium.registry import DEFAULT_PROVIDER, registry

    return [
        name for name, providers in registry().metrics.items() if hasattr(providers.get(DEFAULT_PROVIDER), "built_with")
    ]


def _references(words: Sequence[str], options: dict[str, Any], say: Any) -> Cases:
    if options["references"]:
        if len(words) > 1:
            raise UsageError(f"{words[1]} beside --ref", "references come from one place", "Leave one of the two out")
        # Nothing is scored: the first file of references stands for the hypotheses, too.
        files = {**options, "hypotheses": options["references"][:1]}
        ((_, cases),) = read_systems(
            None, files, lambda note: None if "same file as the hypotheses" in note else say(note)
        )
        return cases
    if len(words) != 2:
        raise UsageError(
            f"constants of {words[0]} were to be built",
            "no references are given" if len(words) == 1 else f"{len(words) - 1} files are named",
            "Name one data file, or --ref FILE for each set of references",
        )
    ((_, cases),) = read_systems(words[1], options, say)
    return cases


def with_constants(specs: Sequence[Spec], file: str, say: Any) -> list[Spec]:
    """
    Give the specs that take frozen constants those of a file.

    Args:
        specs: Resolved specs.
        file: The file.
        say: Told which specs take none.

    Raises:
        UsageError: A spec names other constants, or none takes any.
    """
    from tertium.registry import registry

    found: list[Spec] = []
    others: list[Spec] = []
    for spec in specs:
        provider = registry().metrics.get(spec.metric, {}).get(spec.provider or "")
        if not hasattr(provider, "built_with"):
            found.append(spec)
            others.append(spec)
            continue
        if spec.params.get(PARAMETER, "corpus") != "corpus":
            raise UsageError(
                f"--constants {file} beside {spec}",
                f"the spec names {PARAMETER} of its own",
                "Leave one of the two out",
            )
        found.append(spec.with_params({**spec.params, PARAMETER: f"file:{file}"}))
    if len(others) == len(specs):
        raise UsageError(
            f"--constants {file}",
            f"none of {', '.join(map(str, specs)) or 'the specs'} takes constants",
            f"Metrics that do: {', '.join(learners())}",
        )
    for spec in others:
        say(f"{spec} takes no constants; it is scored as it is")
    return found
