"""
Score cases: preprocess -> constants -> statistics -> sums -> aggregate, the one path that every metric takes.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from tertium.callables import CallableMetric, adapt
from tertium.cases import Cases
from tertium.compact import Compact
from tertium.errors import BadNesting, ProviderBroken, Refused
from tertium.guarding import Guard, check_needs, checked, errstate
from tertium.metric import Matrix, Metric, MetricInfo, Signature, signature_of
from tertium.spec import Spec, parse
from tertium.targets import is_metric
from tertium.workers import Workers

BLOCK = 4096
"""Cases a block of summation: real-valued columns are summed in case order within blocks, then over blocks."""

Progress = Callable[[int, int], None]
"""Called with the number of cases done and the number of all."""


class Score:
    """
    Hold what a metric says about cases.

    Attributes:
        info: The metric's facts.
        spec: The resolved spec, with the output that was asked for.
        cases: Number of cases.
        outputs: Every output's name to its corpus value; NaN where undefined.
        signature: The complete account of how the numbers came about.
        notes: What the metric says about these cases, for instance that they look tokenized.
    """

    def __init__(
        self,
        metric: Metric,
        spec: Spec,
        cases: int,
        statistics: Matrix | Compact | None,
        values: Matrix,
        signature: Signature,
    ) -> None:
        self.metric, self.info, self.spec, self.cases = metric, metric.info, spec, cases
        self._statistics = statistics
        self.outputs: dict[str, float] = dict(zip(self.info.outputs, values.tolist(), strict=True))
        self._signature = signature
        self.notes: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """
        Name of the output that counts as the value.
        """
        return self.spec.output or self.info.outputs[0]

    @property
    def value(self) -> float:
        """
        The headline's corpus value, on the metric's scale.
        """
        return self.outputs[self.headline]

    @property
    def signature(self) -> str:
        """
        The signature as one line.
        """
        return str(self._signature)

    @property
    def conventions(self) -> Signature:
        """
        The signature as a mapping.
        """
        return self._signature

    @property
    def reason(self) -> str | None:
        """
        Why the value is undefined, or None where it is a number.
        """
        return (self.info.undefined or "the value is undefined on these cases") if math.isnan(self.value) else None

    def __getitem__(self, output: str) -> float:
        if output not in self.outputs:
            from tertium.errors import UnknownOutput

            raise UnknownOutput(f"{self.info.name}@{self.info.provider}", output, self.info.outputs)
        return self.outputs[output]

    @cached_property
    def statistics(self) -> Matrix | None:
        """
        Float64 of shape (cases, columns), or None for a metric that is not additive.

        Compact statistics are written out on first use.
        """
        if self._statistics is None:
            return None
        rows = np.asarray(self._statistics)
        rows.flags.writeable = False
        return rows

    @cached_property
    def per_case(self) -> Mapping[str, np.ndarray[Any, np.dtype[np.float64]]]:
        """
        Every output's values case by case, each of shape (cases,), computed on first use.

        Raises:
            Refused: The metric has a corpus value only.
            DataError: A rule of the metric makes the value of a case by itself an error.
        """
        if self._statistics is None:
            raise Refused(
                f"per-case values of {self.info.name}@{self.info.provider}",
                "it has a corpus value only (additive = False)",
                "Score one case at a time, or use another provider",
            )
        with errstate():
            self.metric.check_cases(self._statistics)
            values = self.metric.per_case(self._statistics)
        values = checked(values, (self.cases, len(self.info.outputs)), self.info, "per_case")
        return {name: values[:, i] for i, name in enumerate(self.info.outputs)}

    def to_dict(self) -> dict[str, Any]:
        """
        Return the score as JSON-ready values at full precision, as ``tertium score --json`` prints it.
        """
        info = self.info
        result: dict[str, Any] = {
            "spec": str(self.spec),
            "metric": info.name,
            "provider": info.provider,
            "version": self._signature.get(info.library or "tertium", "unknown"),
            "value": json_number(self.value),
            "outputs": {name: json_number(value) for name, value in self.outputs.items()},
            "scale": [json_number(bound) for bound in info.scale],
            "higher_is_better": info.higher_is_better,
            "signature": self.signature,
        }
        if self.reason is not None:
            result["reason"] = self.reason
        return result

    def __repr__(self) -> str:
        others = ", ".join(f"{name}={value:.6g}" for name, value in self.outputs.items() if name != self.headline)
        low, high = self.info.scale
        arrow = "higher is better" if self.info.higher_is_better else "lower is better"
        lines = [f"{self.spec} = {self.value:.6g}  ({low:g} to {high:g}, {arrow}; {self.cases:,} cases)"]
        lines += [f"  {others}"] if others else []
        lines += [f"  {self.reason}"] if self.reason else []
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join([*lines, f"  {self.signature}"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td style='text-align:right'>{value:.6g}</td></tr>"
            for name, value in self.outputs.items()
        )
        note = "".join(f"<div>{html.escape(text)}</div>" for text in (self.reason, *self.notes) if text)
        return (
            f"<table><caption>{html.escape(str(self.spec))} · {self.cases:,} cases</caption>{rows}</table>{note}"
            f"<code>{html.escape(self.signature)}</code>"
        )


def json_number(value: float) -> float | str | None:
    """
    Return a number that JSON can carry: infinities become texts, an undefined value becomes null.
    """
    if math.isnan(value):
        return None
    return ("Infinity" if value > 0 else "-Infinity") if math.isinf(value) else float(value)


def total(statistics: Matrix | Compact) -> Matrix:
    """
    Sum statistics over cases, in case order within blocks and then over blocks: the same bits for every chunking.

    Args:
        statistics: Shape (cases, columns).

    Returns:
        Shape (columns,).
    """
    if isinstance(statistics, Compact):
        return np.concatenate([statistics.sums, total(statistics.rest)])
    starts = np.arange(0, len(statistics), BLOCK)
    return np.add.reduceat(statistics, starts, axis=0).sum(axis=0) if len(starts) else np.zeros(statistics.shape[1])


def score(
    spec: str | Spec | Metric | Callable[..., Any],
    cases: Cases,
    workers: int = 1,
    *,
    chunk: int | None = None,
    executor: Executor | None = None,
    constants: Any = None,
    allow_unpinned: bool = False,
    progress: Progress | None = None,
) -> Score:
    """
    Score cases with one metric.

    Args:
        spec: A spec, as text or parsed, a metric, or a plain function of hypothesis and references (see
            :func:`tertium.adapt`).
        cases: What is scored.
        workers: Threads (for metrics that release the interpreter's lock) or processes to spread chunks over. The
            result has the same bits for every number. Processes are spawned: a script that asks for them needs
            ``if __name__ == "__main__":`` around its work.
        chunk: Cases a chunk; by default chosen from the number of cases and workers.
        executor: Run chunks there instead of on ``workers`` of our own.
        constants: Use these constants instead of learning them from the references of these cases.
        allow_unpinned: Accept another version of a library than its pin, with a warning.
        progress: Called as chunks finish.

    Returns:
        The corpus value, outputs, statistics and signature; per-case values on demand.

    Raises:
        TertiumError: The spec, the data or the provider cannot do it; the message says what to do.

    Example:
        >>> import tertium
        >>> tertium.score("exact-match@example", tertium.Cases(["a", "b"], [["a"], ["c"]])).value
        0.5
    """
    from tertium.registry import registry

    if not isinstance(cases, Cases):
        raise BadNesting(
            f"{spec} was asked for",
            f"a {type(cases).__name__} was given as cases",
            "Make tertium.Cases(hypotheses, references)",
        )
    for name, number in (("workers", workers), ("chunk", 1 if chunk is None else chunk)):
        if not isinstance(number, int) or number < 1:
            raise Refused(f"{name}={number!r}", "it is a whole number from 1", f"Give {name}=1 or more")
    if isinstance(spec, (str, Spec)):
        asked = registry().resolve(parse(spec) if isinstance(spec, str) else spec)
        metric = registry().load(asked, allow_unpinned=allow_unpinned)
        shown = registry().canonical(asked) if not asked.metric.startswith("py:") else asked
    elif isinstance(spec, CallableMetric) or not is_metric(spec):
        metric = spec if isinstance(spec, CallableMetric) else adapt(cast("Callable[..., Any]", spec))
        shown = metric.spec
    else:
        metric = cast("Metric", spec)
        shown = Spec(metric.name, metric.provider).with_params(
            {
                name: value
                for name, value in metric.parameters.items()
                if value is None or isinstance(value, (bool, int, float, str))
            }
        )
        if metric.name in registry().metrics and registry().origin(type(metric)) is not None:
            shown = registry().canonical(shown)
    check_needs(metric.info, cases)
    with errstate():
        found = _compute(metric, cases, workers, chunk, executor, constants, progress)
    plugin = registry().origin(type(metric))
    versions = {plugin.distribution: plugin.version} if plugin is not None else {}
    if constants is not None:
        versions = {"constants": str(getattr(constants, "digest", "given")), **versions}
    made = Score(metric, shown, len(cases), found.statistics, found.values, signature_of(metric, cases, versions))
    with Guard(metric.info, "notes"):
        made.notes = tuple(metric.notes(cases))
    return made


class Measured(NamedTuple):
    """
    Hold what comes of one pass over the cases; a metric that is not additive has outputs alone.

    Attributes:
        statistics: Shape (cases, columns).
        sums: Shape (columns,).
        values: Shape (outputs,).
    """

    statistics: Matrix | Compact | None
    sums: Matrix | None
    values: Matrix


def measure(metric: Metric, cases: Cases, workers: int = 1) -> Measured:
    """
    Compute statistics, sums and outputs alone, without the account of how they came about.
    """
    check_needs(metric.info, cases)
    with errstate():
        return _compute(metric, cases, workers, None, None, None, None)


def aggregated(metric: Metric, sums: Matrix) -> Matrix:
    """
    Finish sums of shape (..., columns), checked as everything is that a provider returns.
    """
    info = metric.info
    with Guard(info, "aggregate"), errstate():
        values = metric.aggregate(sums)
    return checked(values, (*sums.shape[:-1], len(info.outputs)), info, "aggregate")


def _compute(
    metric: Metric,
    cases: Cases,
    workers: int,
    chunk: int | None,
    executor: Executor | None,
    constants: Any,
    progress: Progress | None,
) -> Measured:
    info = metric.info
    outputs = (len(info.outputs),)
    if not info.additive:
        with Guard(info, "corpus"):
            prepared = metric.preprocess(cases)
            learned = metric.constants(prepared) if constants is None else constants
            return Measured(None, None, checked(metric.corpus(prepared, learned), outputs, info, "corpus"))
    size = len(cases) if info.whole_corpus else (chunk or _chunk_size(info, len(cases), workers))
    pieces = -(-len(cases) // size)
    matrix: Matrix | None = None
    compact: list[Compact] = []
    done = 0
    with Workers(info, executor, min(workers, pieces)) as run:
        learned = constants
        if learned is None and type(metric).constants is not Metric.constants:
            for found in run(_learn, metric, cases.chunks(size), None):
                learned = found if learned is None else learned | found
        for rows in run(_count, metric, cases.chunks(size), learned):
            if isinstance(rows, Compact):
                compact.append(rows)
            elif pieces == 1:  # the whole: no copy
                matrix = rows.view()
            else:
                if matrix is None:
                    matrix = np.empty((len(cases), len(info.columns)))
                matrix[done : done + len(rows)] = rows
            done += len(rows)
            if progress is not None:
                progress(done, len(cases))
    if matrix is not None:
        matrix.flags.writeable = False
    statistics = type(compact[0]).joined(compact) if matrix is None else matrix
    sums = total(statistics)
    with Guard(info, "aggregate"):
        values = metric.aggregate(sums)
    return Measured(statistics, sums, checked(values, outputs, info, "aggregate"))


def _chunk_size(info: MetricInfo, size: int, workers: int) -> int:
    # Threads share memory and columns: a few whole blocks, and two pieces or more for each thread. Processes pay for
    # pickling, but slow libraries gain from balance.
    if info.releases_gil:
        return BLOCK * min(4, max(1, -(-size // (2 * workers * BLOCK))))
    return BLOCK if workers == 1 else max(1, min(BLOCK, -(-size // (4 * workers))))


def _learn(metric: Metric, cases: Cases, _: Any) -> Any:
    with Guard(metric.info, "constants"):
        return metric.constants(metric.preprocess(cases))


def _count(metric: Metric, cases: Cases, constants: Any) -> Matrix | Compact:
    info = metric.info
    with Guard(info, "statistics"), errstate():
        given = metric.statistics(metric.preprocess(cases), constants)
    shape = (len(cases), len(info.columns))
    if isinstance(given, Compact) and given.shape == shape and given.finite:
        return given
    rows = checked(given, shape, info, "statistics")
    if not np.isfinite(rows).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(rows))[0])
        raise ProviderBroken(
            f"{info.name}@{info.provider}",
            f"its statistics hold {rows[row, column]} for case {cases[row].position} in {info.columns[column]!r}",
            "Statistics must be finite; tell the plugin's author",
        )
    if isinstance(given, Compact):
        raise ProviderBroken(
            f"{info.name}@{info.provider}",
            "its statistics are finite, and the sums that it gives of them are not",
            "Tell the plugin's author",
        )
    return rows
