"""
Score a corpus with one or several metrics: ``tertium score``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from tertium.console.corpus import corpus_options, group_options, read_systems, split_words
from tertium.console.pairs import look_here
from tertium.errors import Refused, TertiumError, UsageError
from tertium.spec import Spec, parse

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tertium.cases import Cases
    from tertium.console.notes import Notes
    from tertium.scoring import Score

PARTIAL = 4


class _Command(click.Command):
    """
    Let ``--per-case`` stand without a value, even before the data file.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        for number in range(end):
            follows = args[number + 1 : number + 2]
            if args[number] == "--per-case" and follows not in (["tsv"], ["jsonl"]):
                args[number] = "--per-case=plain"
        return super().parse_args(ctx, args)


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from tertium.registry import registry

    metrics = registry().metrics
    names = [f"{name}@{one}" for name in metrics for one in metrics[name]] if "@" in incomplete else list(metrics)
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


@click.command("score", cls=_Command, short_help="Score hypotheses against references.")
@click.argument("words", metavar="SPEC... [DATA]", nargs=-1, required=True, shell_complete=_complete)
@corpus_options
@group_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option(
    "--per-case",
    type=click.Choice(["tsv", "jsonl", "plain"]),
    metavar="[tsv|jsonl]",
    help="Write every case's scores as TSV (the default) or JSON lines; with --json, inside the object.",
)
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--precision", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals in the table.")
@click.option("--signature/--no-signature", default=True, show_default=True, help="Signatures below the table.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Threads or processes.")
@click.option("--chunk", type=click.IntRange(min=1), metavar="N", help="Cases that are scored at a time.")
@click.option("--constants", metavar="FILE", help="Use these frozen constants, from `tertium constants build`.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
@click.option("--keep-going", is_flag=True, help="When one spec fails, still score the others; exit with 4 at the end.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Score hypotheses with one or several metrics.

    \b
      tertium score bleu@sacrebleu chrf@sacrebleu --hyp sys.txt --ref ref.txt
      tertium score bleu@sacrebleu --hyp a.txt --hyp b.txt --ref ref1.txt --ref ref2.txt
      tertium score bleu@all data.jsonl
      tertium score wer@jiwer data.tsv --ref-column transcript --per-case jsonl

    Each SPEC is a metric, perhaps with a provider and parameters (`tertium show SPEC` explains one); bleu@all scores
    with every provider and shows the reason of each that fails. Without --hyp the last word is DATA, a JSON Lines,
    CSV or TSV file, or - for standard input. Files may be packed with gzip, bzip2, xz or zstd.

    The same numbers come out for every number of workers and every chunk.
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check

    specs, data = split_words(words, options["hypotheses"])
    if options["as_json"] and options["per_case"] in ("tsv", "jsonl") and options["output"] is None:
        raise UsageError(
            "--json and --per-case " + options["per_case"],
            "both would go to standard output",
            "Add --output FILE for the cases, or write --per-case alone to have them inside the object",
        )
    check(options["output"])
    notes = Notes()
    with notes.listening():
        run = Run(options, notes)
        run.plan(specs)
        run.require_files()
        for name, cases in read_systems(data, options, notes.say):
            run.score(name, cases)
    return run.write()


@dataclass
class Run:
    """
    Score every system with every spec, and keep what failed beside what did not.
    """

    options: dict[str, Any]
    notes: Notes
    specs: list[tuple[Spec, bool]] = field(default_factory=list)
    needs: set[str] = field(default_factory=set)
    scores: list[tuple[str | None, Cases, Score]] = field(default_factory=list)
    failures: list[tuple[str | None, Spec, TertiumError]] = field(default_factory=list)

    def plan(self, specs: Sequence[str]) -> None:
        """
        Resolve and load every metric before any data are read: what cannot run is known at once.
        """
        from tertium.registry import registry

        found = registry()
        for spec, lenient in self._wanted(specs):
            try:
                info = found.load(spec, allow_unpinned=self.options["allow_unpinned"]).info
                shown = spec if spec.metric.startswith("py:") else found.canonical(spec)
                if self.options["per_case"] and not info.additive:
                    raise Refused(f"per-case values of {spec}", "it has a corpus value only", "Use another provider")
            except TertiumError as error:
                self._fail(None, spec, error, lenient)
                continue
            if any(shown == other for other, _ in self.specs):
                self.notes.say(f"{shown} is asked for twice and scored once")
                continue
            self.needs |= info.needs
            self.specs.append((shown, lenient))

    def _wanted(self, specs: Sequence[str]) -> Iterator[tuple[Spec, bool]]:
        if not self.options["constants"]:
            yield from self._resolved(specs)
            return
        from tertium.console.constants import with_constants

        resolved = list(self._resolved(specs))
        frozen = with_constants([spec for spec, _ in resolved], self.options["constants"], self.notes.say)
        yield from ((spec, lenient) for spec, (_, lenient) in zip(frozen, resolved, strict=True))

    def _resolved(self, specs: Sequence[str]) -> Iterator[tuple[Spec, bool]]:
        look_here(specs)
        for text in specs:
            asked = parse(text)
            lenient = asked.provider == "all" or self.options["keep_going"]
            yield from ((spec, lenient) for spec in self._expand(asked, lenient))

    def _expand(self, asked: Spec, lenient: bool) -> list[Spec]:
        from tertium.registry import registry

        try:
            found = registry().expand(asked)
        except TertiumError as error:
            self._fail(None, asked, error, lenient and asked.provider != "all")
            return []
        if asked.provider == "all":
            for plugin in registry().plugins:
                if plugin.problems:
                    self.notes.say(f"the plugin {plugin.name} is left out of {asked}: {plugin.problems[0]}")
        return found

    def _fail(self, system: str | None, spec: Spec, error: TertiumError, lenient: bool) -> None:
        if not lenient:
            raise error
        self.failures.append((system, spec, error))

    def require_files(self) -> None:
        """
        Ask for references and sources that the metrics need and the command line does not name.
        """
        if not self.options["per_case"] and (self.options["clusters"] or self.options["labels"]):
            self.notes.say("--clusters and --labels are checked, and written with --per-case only")
        if not self.options["hypotheses"]:
            return
        lists = {"references", "one-reference", "reference-lists"}
        if self.needs & lists and not self.options["references"]:
            raise UsageError("a comparison with references", "no references are given", "Add --ref FILE")
        if "sources" in self.needs and not self.options["source"]:
            raise UsageError("a metric that needs sources", "no sources are given", "Add --src FILE")

    def score(self, system: str | None, cases: Cases) -> None:
        """
        Score one system with every metric.
        """
        from tertium.console.notes import Progress
        from tertium.noticing import about_data, about_metric
        from tertium.scoring import score

        for note in about_data(cases):
            self.notes.say(f"{system}: {note}" if system else note)
        for spec, lenient in self.specs:
            try:
                with Progress(f"{spec} {system or ''}".rstrip(), len(cases)) as progress:
                    result = score(
                        spec,
                        cases,
                        self.options["workers"],
                        chunk=self.options["chunk"],
                        allow_unpinned=self.options["allow_unpinned"],
                        progress=progress,
                    )
                if self.options["per_case"]:
                    result.per_case  # noqa: B018 - computed here, where a failure belongs to this metric
            except TertiumError as error:
                self._fail(system, spec, error, lenient)
                continue
            for note in about_metric(result.metric, cases):
                self.notes.say(f"{spec}: {note}")
            self.scores.append((system, cases, result))

    def report(self) -> dict[str, Any]:
        """
        Return the object that ``--json`` prints.
        """
        from importlib.metadata import version

        from tertium.reports.per_case import plain

        results = []
        for system, _, score in self.scores:
            result = ({} if system is None else {"system": system}) | score.to_dict()
            if self.options["as_json"] and self.options["per_case"] == "plain":
                result["per_case"] = {
                    name: [plain(value) for value in values.tolist()] for name, values in score.per_case.items()
                }
            results.append(result)
        report: dict[str, Any] = {
            "tertium": version("tertium"),
            "cases": len(self.scores[0][1]) if self.scores else 0,
            "results": results,
        }
        if self.scores and self.options["as_json"] and self.options["per_case"] == "plain":
            report |= {name: list(column) for name, column in _groups(self.scores[0][1]).items()}
        if self.failures:
            report["failures"] = [
                ({} if system is None else {"system": system})
                | {"spec": str(spec), "metric": spec.metric, "provider": spec.provider, "reason": str(error)}
                for system, spec, error in self.failures
            ]
        return report

    def write(self) -> int:
        """
        Write what was asked for and return the exit code.
        """
        from tertium.console.output import emit, show

        cases_form, file = self.options["per_case"], self.options["output"]
        if self.options["as_json"]:
            from tertium.reports import json

            emit(json.document(self.report()), None if cases_form in ("tsv", "jsonl") else file)
        elif not cases_form or file is not None or not self.scores:
            from tertium.reports import table

            parts = table.scores(self.report(), self.options["precision"], self.options["signature"])
            show(*parts, file=None if cases_form else file)
        if self.scores and cases_form and not (self.options["as_json"] and cases_form == "plain"):
            from tertium.reports import per_case

            writer = per_case.jsonl if cases_form == "jsonl" else per_case.tsv
            emit(writer(self._parts()), file)
        return self._code()

    def _parts(self) -> list[dict[str, Any]]:
        return [
            {
                "system": system,
                "spec": str(score.spec),
                "signature": score.signature,
                "ids": cases.ids,
                "groups": _groups(cases),
                "outputs": {name: values.tolist() for name, values in score.per_case.items()},
            }
            for system, cases, score in self.scores
        ]

    def _code(self) -> int:
        if not self.failures:
            return 0
        count, total = len(self.failures), len(self.failures) + len(self.scores)
        names = ", ".join(dict.fromkeys(str(spec) for _, spec, _ in self.failures))
        click.echo(f"tertium: {count} of {total} scores failed ({names}); the reasons stand in the result", err=True)
        codes = {error.exit_code for _, _, error in self.failures}
        return codes.pop() if not self.scores and len(codes) == 1 else PARTIAL


def _groups(cases: Cases) -> dict[str, Sequence[str]]:
    """
    Return what cases belong to: ``cluster`` and ``label.NAME``, one text a case, as every per-case form names them.
    """
    groups: dict[str, Sequence[str]] = {f"label.{name}": column for name, column in cases.labels.items()}
    return groups if cases.clusters is None else {"cluster": cases.clusters, **groups}
