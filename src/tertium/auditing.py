"""
Audit a function that computes a metric: how it behaves, which native setting it does as, how it stands on the suite, and
what makes it differ on a corpus.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from typing import Any

from tertium.behaving import QUICK, THOROUGH, Behaviour, Remark, behaviour
from tertium.callables import CallableMetric
from tertium.cases import Cases
from tertium.differing import Difference, diff
from tertium.errors import Refused, TertiumError
from tertium.example_files import examples
from tertium.explaining import Explanation, explain
from tertium.fingerprinting import BUDGET, Fingerprint, fingerprint
from tertium.metric import Metric
from tertium.registry import DEFAULT_PROVIDER, registry
from tertium.scoring import Progress
from tertium.shape_samples import samples
from tertium.sides import Asked, Side, side_of
from tertium.spec import Spec, Value
from tertium.standing import Standing, standing, told
from tertium.targets import is_metric

UNSTEADY = ("random", "remembers", "order", "raises", "hashing")
"""Behaviour that no setting of a native metric has."""


@dataclass(frozen=True)
class Audit:
    """
    Hold what an audit found.

    Attributes:
        side: The function.
        name: The metric that it computes.
        behaviour: How it behaves, or None for a metric that is no plain function.
        fingerprint: The native setting that it does as, or None where none can be inferred.
        problem: Why not.
        standing: How it does on the conformance cases of the metric.
        corpus: What the cases are called.
        difference: The native default against it on the cases.
        explanation: What of that is due to which convention, or None where no setting is known.
    """

    side: Side
    name: str
    behaviour: Behaviour | None
    fingerprint: Fingerprint | None
    problem: str
    standing: Standing
    corpus: str
    difference: Difference
    explanation: Explanation | None

    @property
    def label(self) -> str:
        """
        The function as it was named, without its shape.
        """
        return self.side.metric.label if isinstance(self.side.metric, CallableMetric) else self.side.label

    @property
    def equal(self) -> bool:
        """
        Whether it does as one native setting in everything that was tried.
        """
        found = self.fingerprint
        if found is None or found.unexplained or found.unsteady or self.standing.differing("setting"):
            return False
        return not self._amiss()

    def _amiss(self) -> list[Remark]:
        return [] if self.behaviour is None else [one for one in self.behaviour.remarks if one.kind in UNSTEADY]

    @property
    def verdict(self) -> str:
        """
        The result in one sentence.
        """
        found = self.fingerprint
        if found is None:
            return f"No setting of {self.name}@native can be held to {self.label}: {self.problem}."
        same, apart = self.standing.counts.get("setting", (0, 0))
        if self.equal:
            rivals = "".join(f", or {setting}, which was not told apart from it" for setting, _ in found.rivals[:1])
            return (
                f"{self.label} equals {found.setting}{rivals}: in {found.asked} answers on probes and on "
                f"{same} conformance cases."
            )
        what = [f"it differs from it in {len(found.unexplained)} of {found.asked} answers on probes"]
        if apart:
            what.append(f"on {apart} of {same + apart} conformance cases")
        if found.unexplained or apart:
            return f"{self.label} equals no known setting; the closest is {found.setting}: {' and '.join(what)}."
        amiss = self._amiss()
        why = amiss[0].text if amiss else "it answers otherwise when it is asked again"
        return f"{self.label} is no steady metric, though its values are those of {found.setting}: {why}."

    def to_dict(self) -> dict[str, Any]:
        """
        Return the audit as JSON-ready values.
        """
        metric = self.side.metric
        shape = {} if not isinstance(metric, CallableMetric) else dict(metric.parameters)
        shape = {key: value for key, value in shape.items() if key not in ("function", "equivalent")}
        fingerprint = None if self.fingerprint is None else {**self.fingerprint.to_dict(), "provider": self.label}
        return {
            "tertium": version("tertium"),
            "function": self.label,
            "metric": self.name,
            "shape": shape,
            "notes": [*self.difference.notes],
            "verdict": self.verdict,
            "equal": self.equal,
            "behaviour": None if self.behaviour is None else self.behaviour.to_dict(),
            "fingerprint": fingerprint,
            "problem": self.problem,
            "suite": {**self.standing.to_dict(), "meanings": told(self.standing.axes)},
            "corpus": self.corpus,
            "difference": self.difference.to_dict(),
            "explanation": None if self.explanation is None else self.explanation.to_dict(),
        }

    @cached_property
    def text(self) -> str:
        """
        The audit as plain text.
        """
        from tertium.reports.audit import audit as drawn
        from tertium.reports.terminal import render

        return render(*drawn(self.to_dict()))

    @cached_property
    def html(self) -> str:
        """
        The audit as one page of HTML that needs no network.
        """
        from tertium.reports.audit_page import page

        return page(self.to_dict())

    def _repr_html_(self) -> str:
        # A frame keeps the page's styles from the notebook's, and a sandbox keeps it from everything else.
        return (
            f'<iframe sandbox="" title="{html.escape(f"Audit of {self.label}")}" srcdoc="{html.escape(self.html)}" '
            'style="width:100%;height:40rem;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Audit({self.verdict})"


def audit(
    function: Callable[..., Any] | str | Spec | Metric,
    metric: str | None = None,
    cases: Cases | None = None,
    *,
    probes: int = BUDGET,
    seed: int = 12345,
    corpus: str = "",
    allow_unpinned: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    **shape: Value,
) -> Audit:
    """
    Audit a function that computes a metric.

    Args:
        function: A function of hypotheses and references, a spec such as ``py:module:function``, or a metric.
        metric: The metric that it computes, for instance ``bleu``.
        cases: What it is diffed on; an example corpus that comes along by default.
        probes: Calls at most by which its conventions are inferred.
        seed: Where invented probes begin.
        corpus: What the cases are called in the report.
        progress: Called with the number of steps done, of all, and what the steps are: probes, then conformance cases.
        shape: How the function is called, as :func:`tertium.adapt` takes it.

    Raises:
        Refused: It is not known which metric the function computes, or there is no native metric of that name.
        ParameterError: Its shape cannot be told; the message says what each shape gave.

    Example:
        >>> import tertium
        >>> def hits(hypothesis, reference):
        ...     return float(hypothesis.strip() == reference.strip())
        >>> found = tertium.audit(hits, metric="exact-match", level="segment")
        >>> found.equal, str(found.fingerprint.setting.spec)
        (True, 'exact-match@native(normalizer=strip)')
    """
    side, name = _audited(function, metric, shape, allow_unpinned)
    if cases is None:
        cases, corpus = _example(side.metric)
    if isinstance(side.metric, CallableMetric):
        side.behaviour = _behaviour(side.metric, cases)
    found, problem = _fingerprint(side, name, probes, seed, _counting(progress, "probes"))
    setting = None if found is None else found.setting.spec
    stand = standing(side.metric, name, setting, progress=_counting(progress, "conformance cases"))
    native = f"{name}@{DEFAULT_PROVIDER}"
    difference = diff(native, side.metric, cases, top=3)
    difference = replace(difference, b=replace(difference.b, asked=side.asked, behaviour=side.behaviour))
    explanation = None
    if found is not None and isinstance(side.metric, CallableMetric):
        explanation = explain(native, side.metric.holding(str(found.setting.spec)), cases)
        explanation = replace(explanation, b=replace(explanation.b, asked=side.asked))
    return Audit(
        side,
        name,
        side.behaviour,
        found,
        problem,
        stand,
        corpus or f"{len(cases):,} cases",
        difference,
        explanation,
    )


def _audited(function: Asked, metric: str | None, shape: Mapping[str, Value], allow_unpinned: bool) -> tuple[Side, str]:
    from tertium.callables import adapt

    asked: Asked = function
    if not isinstance(function, (str, Spec)) and not is_metric(function):
        asked = adapt(function, metric=metric, **shape)  # type: ignore[arg-type]
    elif isinstance(function, (str, Spec)) and (metric is not None or shape):
        spec = registry().resolve(function)
        asked = spec.with_params({**spec.params, **({} if metric is None else {"metric": metric}), **shape})
    elif shape:
        raise Refused("an audit of a metric", "it has its shape already", "Leave the shape out")
    side = side_of(asked, allow_unpinned)
    name = side.metric.metric if isinstance(side.metric, CallableMetric) else side.metric.name
    if name is None:
        raise Refused(
            f"an audit of {side.label}",
            "it is not known which metric it computes",
            'Name it: metric="bleu", --metric bleu',
        )
    if DEFAULT_PROVIDER not in registry().metrics.get(name, ()):
        known = ", ".join(one for one, providers in registry().metrics.items() if DEFAULT_PROVIDER in providers)
        raise Refused(
            f"an audit of {side.label} as {name}", "there is no native metric to hold it to", f"There are {known}"
        )
    if isinstance(function, (str, Spec)):
        side.asked = registry().resolve(function)
    return side, name


def _behaviour(metric: CallableMetric, cases: Cases) -> Behaviour:
    """
    Look at some of the cases, and at lines on which several references stand in no order.
    """
    looked = [behaviour(metric, samples(metric.references != "one")[1], QUICK)]
    side = Side(metric, metric)
    side.look(cases, THOROUGH)
    looked += [] if side.behaviour is None else [side.behaviour]
    kinds = {one.kind: one for found in looked for one in found.remarks}
    return Behaviour(sum(one.calls for one in looked), tuple(kinds.values()), all(one.apart for one in looked))


def _counting(progress: Callable[[int, int, str], None] | None, unit: str) -> Progress | None:
    return None if progress is None else lambda done, total: progress(done, total, unit)


def _fingerprint(
    side: Side, name: str, probes: int, seed: int, progress: Progress | None
) -> tuple[Fingerprint | None, str]:
    unsteady = [
        one for one in (side.behaviour.remarks if side.behaviour else ()) if one.kind in ("random", "remembers")
    ]
    if unsteady:
        return None, unsteady[0].text
    try:
        return fingerprint(side.metric, metric=name, probes=probes, seed=seed, progress=progress), ""
    except TertiumError as error:
        return None, str(error)


def _example(metric: Metric) -> tuple[Cases, str]:
    from tertium.readers import read

    if "sources" in metric.info.needs:
        return samples("one-reference" not in metric.info.needs)[1], "three lines that were made up"
    cases = read(examples() / "captions.jsonl")
    if "one-reference" not in metric.info.needs:
        return cases, "the example corpus of captions"
    first = [[(row or ("",))[0]] for row in cases.references]
    return Cases(
        cases.hypotheses, first, ids=cases.ids
    ), "the example corpus of captions, each with its first reference"
