"""
Say what was found: the settings that give all of a provider's answers, axis by axis, and what none of them gives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tertium.callables import CallableMetric, adapt
from tertium.errors import Refused, UnknownOutput
from tertium.fingerprinting.account import Convention, Fingerprint, Miss, said
from tertium.fingerprinting.answering import DIFFERENT, Answers, Natives, Probe
from tertium.fingerprinting.asking import Subject
from tertium.fingerprinting.outputs import Hearing
from tertium.fingerprinting.probing import groups, long, one_sided, suite
from tertium.fingerprinting.separating import Separation, separation
from tertium.fingerprinting.space import Setting, Space
from tertium.metric import Metric
from tertium.registry import registry
from tertium.scoring import Progress
from tertium.sides import Answer
from tertium.spec import Spec, parse
from tertium.targets import is_metric, label_of

BUDGET = 200
"""Questions, at most, by default."""

FEWEST = 10


def fingerprint(
    p: str | Spec | Metric | Callable[..., Any],
    *,
    metric: str | None = None,
    probes: int = BUDGET,
    tolerance: float = 1e-9,
    digits: int | None = None,
    seed: int = 12345,
    allow_unpinned: bool = False,
    progress: Progress | None = None,
) -> Fingerprint:
    """
    Infer the conventions of a provider by probing it.

    Args:
        p: A spec, a metric, or a Python function whose shape can be found out by trying. What it says of itself,
            parameters and declared equivalent, is not looked at.
        metric: The native metric that it computes, where its own name does not say so.
        probes: Probes, at most. One probe is one scoring call with one small corpus; calls by which the shape of a
            plain function is found out come before and are not counted.
        tolerance: How far apart two equal answers may lie, relative to the larger one; from 0 to below 1.
        digits: Decimals that it rounds to; by default that is told from its answers.
        seed: Where invented inputs begin.
        progress: Called with the probes asked and allowed, as they are asked.

    Raises:
        Refused: The metric has no native counterpart, or an argument is out of range.
        TertiumError: The provider cannot be loaded.

    Example:
        >>> import tertium
        >>> tertium.fingerprint("exact-match@example(lowercase=true)").spec
        'exact-match@native(normalizer=lowercase)'
    """
    _check(probes, tolerance, digits)
    label, subject = _subject(p, metric, (probes, tolerance, digits, progress), allow_unpinned)
    info = subject.metric.info
    space = Space(metric or info.name)
    natives = Natives(space)
    sources = "sources" in space.classes[space.start[0].metric]().info.needs
    library = suite(space.family, sources)
    own = [probe for probe in library if probe.own]
    library += [*groups(own, seed, sources), *one_sided(sources)]
    if not sources:
        library += long({name for dimension in space.dimensions for name in dimension.parameters})
    one_reference = "one-reference" in info.needs
    beyond = [probe for probe in library if one_reference and probe.references > 1]
    inference = Hearing(space, natives, subject, [probe for probe in library if probe not in beyond], seed)
    inference.one_reference, inference.sources = one_reference, sources
    inference.run()
    if not subject.answers:
        raise Refused(
            f"a fingerprint of {label}",
            f"it gave no number on any of {subject.spent} probes (the first refusal: {subject.refusal()})",
            "Check that it scores one small corpus, and that its shape is what was said",
        )
    return _told(label, inference, beyond)


def _check(probes: int, tolerance: float, digits: int | None) -> None:
    if probes < FEWEST:
        raise Refused(f"probes={probes}", f"a fingerprint takes {FEWEST} probes or more", f"Give {FEWEST} or more")
    if not 0 <= tolerance < 1:
        raise Refused(
            f"tolerance={tolerance}", "it is a share of the value, from 0 to below 1", "Give 1e-9, for instance"
        )
    if digits is not None and not 0 <= digits <= 15:
        raise Refused(
            f"digits={digits}", "values are rounded to 0 to 15 decimals", "Give one of these, or leave it out"
        )


def _subject(
    p: str | Spec | Metric | Callable[..., Any],
    metric: str | None,
    limits: tuple[int, float, int | None, Progress | None],
    allow_unpinned: bool,
) -> tuple[str, Subject]:
    if isinstance(p, (str, Spec)):
        spec = registry().resolve(parse(p) if isinstance(p, str) else p)
        silent = spec.metric.startswith("py:") and spec.params.get("metric") is None
        told = metric is not None and silent and registry().get(spec) is CallableMetric
        full = spec.with_params({**spec.params, "metric": metric}) if told else spec
        made = registry().load(full, allow_unpinned=allow_unpinned)
        if spec.output is not None and spec.output not in made.info.outputs:
            raise UnknownOutput(str(spec), spec.output, made.info.outputs)
        return str(spec), Subject(made, spec.output, *limits)
    if is_metric(p):
        given = cast("Metric", p)
        return f"{given.name}@{given.provider}", Subject(given, None, *limits)
    function = cast("Callable[..., Any]", p)
    return label_of(function), Subject(adapt(function, metric=metric), None, *limits)


def _told(label: str, inference: Hearing, beyond: Sequence[Probe]) -> Fingerprint:
    subject, natives, space = inference.subject, inference.natives, inference.space
    tried = len(natives.probes)
    classes = inference.classes(inference.survivors())
    home = next(members for members in classes if inference.best in members)
    best = _simplest(inference, home)
    tolerance = subject.tolerance
    rivals = []
    for members in classes:
        if members is not home:
            rival = space.simplest(members)
            rivals.append((rival, separation(natives, best, rival, tolerance)))
    heard = subject.heard
    verdicts = inference.verdicts(best, heard)
    ours = natives.answers(best, [question.place for question in heard])
    missed = [
        Miss(question.probe, question.answer, _answer(ours, at))
        for at, question in enumerate(heard)
        if verdicts[at] == DIFFERENT
    ]
    declared, agrees = _declared(inference, best)
    conventions = tuple(_conventions(inference, best, beyond))
    return Fingerprint(
        label,
        best,
        tuple(rivals),
        conventions,
        subject.spent,
        subject.budget,
        tried,
        tolerance,
        tuple(sorted(missed, key=lambda miss: miss.probe.size)),
        tuple(subject.refused.values()),
        tuple(f"{_text(one.answer)}, then {_text(again)}" for one, again in subject.unsteady),
        tuple(sorted(space.missing)),
        declared,
        agrees,
        inference.compared,
        inference.left_out,
        tuple(subject.asked),
    )


def _simplest(inference: Hearing, members: Sequence[Setting]) -> Setting:
    """
    Return the simplest setting that does the same on all inputs: choices go back to their defaults while they can.
    """
    best = inference.space.simplest(members)
    while True:
        for name, _ in best.params:
            fewer = inference.space.without(best, name)
            same = inference.space.readable(fewer) and len(inference.classes([best, fewer])) == 1
            if same and inference.rank(fewer) == inference.rank(best):
                best = fewer
                break
        else:
            return best


def _conventions(inference: Hearing, best: Setting, beyond: Sequence[Probe]) -> list[Convention]:
    space, natives, tolerance = inference.space, inference.natives, inference.subject.tolerance
    rank = inference.rank(best)
    natives.add(beyond)  # what cannot be asked may still show what two settings differ in
    found = []
    for dimension in space.dimensions:
        choice = space.value(best, dimension)
        if not choice:
            continue
        same = [one for one in space.along(best, dimension) if inference.rank(one) == rank]
        apart: Separation | None = None
        for one, name in itertools.product(same, (None, *inference.compared)):
            pair = (best, one) if name is None else (inference.reading(best, name), inference.reading(one, name))
            if pair[0] is not None and pair[1] is not None:
                apart = separation(natives, pair[0], pair[1], tolerance)
            if apart is not None:
                break
        others = tuple(
            dict(pairs) for pairs in dict.fromkeys(tuple(space.value(one, dimension).items()) for one in same)
        )
        found.append(Convention(dimension.name, dimension.meaning, choice, not same, others, apart))
    return found


def _declared(inference: Hearing, best: Setting) -> tuple[str | None, bool | None]:
    """
    Look, when all is over, at what the provider says of itself.
    """
    spec = inference.subject.metric.equivalent()
    if spec is None:
        return None, None
    asked = parse(spec) if isinstance(spec, str) else spec
    resolved = registry().canonical(asked)
    if resolved.metric not in inference.space.classes or resolved.provider != "native":
        return str(resolved), False
    stands = inference.space.with_params(Setting(resolved.metric, (), best.output), resolved.params)
    return str(resolved), len(inference.classes([best, stands])) == 1


def _answer(found: Answers, at: int) -> Answer:
    return ("number", "infinite", "undefined", "error")[int(found.kinds[at])], float(found.values[at])


def _text(found: Answer) -> str:
    return f"{found[1]:.17g}" if np.isfinite(found[1]) else str(said(found))
