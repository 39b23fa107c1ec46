"""
Find out in which shape a function takes texts, by reading its signature and calling it on a few lines of text.

A small sample with known answers is given in every shape that the declaration, the names of the arguments and their
annotations leave open. A shape is taken only where it alone gives sensible values: right order from identical to
unrelated texts, then the ends of the scale, then the values of the native metric of that name.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.argument_names import Arguments, arguments_of
from tertium.errors import ParameterError
from tertium.metric import Metric
from tertium.shape_samples import Native, samples
from tertium.shapes import NUMBER, BadResult, Cut, Shape, described, number, parts_of, picked, seeded

SCALES = (1.0, 100.0, 10.0)
"""Values that may stand for 1, the likelier ones first."""

SEED = 20_240_229

ALIKE = 0.5
"""Powers of ten by which values may miss the native ones and still tell the scale."""

NEAR = 0.02
"""How close to the end of the scale identical (or unrelated) texts must come."""


@dataclass(frozen=True)
class Trial:
    """
    Hold what a function gave in one shape.

    Attributes:
        shape: How it was called.
        result: Where the number stands in what it returned.
        values: For identical, partly equal and unrelated texts; empty where it gave no numbers.
        problem: Why there are none.
        tier: 3 where the native metric gives the same, 2 where the ends of the scale are right, 1 where the order is,
            0 where nothing is.
        scale: The value that stands for 1, where that is known.
    """

    shape: Shape
    result: str | int = NUMBER
    values: tuple[float, ...] = ()
    problem: str = ""
    tier: int = 0
    scale: float | None = None

    @property
    def said(self) -> str:
        """
        What it gave, in words.
        """
        return self.problem or " / ".join(f"{value:.6g}" for value in self.values)


@dataclass(frozen=True)
class Settled:
    """
    Hold what was found out about a function.

    Attributes:
        scale: The value that stands for 1, or None where it cannot be told.
        higher_is_better: Whether identical texts have the greater value, or None where nothing was tried.
        note: What was found by trying, and how to declare it; empty where all was declared.
        advice: Why the declaration looks wrong, and which one does not; empty where it does not look wrong.
    """

    shape: Shape
    result: str | int
    scale: float | None
    higher_is_better: bool | None
    note: str = ""
    advice: str = ""


def settle(
    function: Callable[..., Any], label: str, declared: Mapping[str, Any], metric: Metric | None, cut: Cut
) -> Settled:
    """
    Complete a declaration, calling the function only where something is left open.

    Args:
        declared: ``input``, ``level``, ``references``, ``first``, ``source``, ``result`` and ``scale``; None is open.
        metric: The native metric of the name that the function is said to compute, or None.
        cut: Cuts a text into tokens.

    Raises:
        ParameterError: No shape gives sensible values, or several do; the message lists what each gave.
    """
    arguments = arguments_of(function, label, declared)
    shapes = _candidates(declared, arguments)
    if not shapes:
        raise ParameterError(
            f"{arguments.label} with references=streams and level=segment",
            "streams are lists as long as the corpus, and one segment has none",
            "Declare level=corpus, or references=list",
        )
    asked = {name for name in ("input", "level", "references", "first", "result", "scale") if declared[name] is None}
    native = Native(metric)
    if not asked:
        advice = _advice(function, label, declared, native, cut)
        return Settled(shapes[0], declared["result"], declared["scale"], None, "", advice)
    trials = [_tried(function, shape, declared, native, cut) for shape in shapes]
    best = max(trial.tier for trial in trials)
    # Our lines tell nothing, and nothing is left to be told: the declaration stands as a whole one does.
    if best == 0 and asked <= {"result", "scale"} and not trials[0].problem.startswith("returns "):
        result = trials[0].result
        advice = _advice(function, label, {**declared, "result": result}, native, cut)
        note = "" if declared["result"] is not None else f"it is taken as result={result}. Declare that to be sure"
        return Settled(shapes[0], result, declared["scale"], None, note, advice)
    if best == 0:
        raise _nothing_fits(label, trials, metric, _order(function, declared, arguments, best, native, cut))
    fitting, remarks = _merged([trial for trial in trials if trial.tier == best], asked)
    if len(fitting) > 1:
        raise _several_fit(label, fitting)
    (found,) = fitting
    shown = [f"{name}={value}" for name, value in _told(found).items() if name in asked and value is not None]
    if declared["source"] is None and found.shape.source != "none":
        shown.append(f"source={found.shape.source}")
    note = f"tried on a few lines, it is taken as {','.join(shown)}" + "".join(f"; {one}" for one in remarks)
    higher = found.values[0] > found.values[2]
    advice = _order(function, declared, arguments, best, native, cut)
    return Settled(found.shape, found.result, found.scale, higher, f"{note}. Declare that to be sure", advice)


def _order(
    function: Callable[..., Any], declared: Mapping[str, Any], arguments: Arguments, tier: int, native: Native, cut: Cut
) -> str:
    """
    Say where the names of the arguments look swapped, or declared to be: taken the other way round they fit better.
    """
    swapped = arguments.swapped
    if swapped is None or tier == 3:
        return ""
    called = f"its arguments are called {' and '.join(arguments.called)}"
    if declared["first"] is not None:
        if declared["first"] == arguments.named:
            return ""
        return f"{called}, and first={declared['first']} was declared: perhaps they are the other way round"
    trials = [_tried(function, shape, declared, native, cut) for shape in _candidates(declared, swapped)]
    found = max(trials, key=lambda trial: trial.tier)
    if found.tier < (3 if native.names else 2) or found.tier <= tier:
        return ""
    return (
        f"{called}, and with first={swapped.first} it gives {found.said} for identical / partly equal / unrelated texts"
        + (f", as {native.names[0]} does" if found.tier == 3 else "")
        + ": perhaps the names are swapped"
    )


def _advice(function: Callable[..., Any], label: str, declared: Mapping[str, Any], native: Native, cut: Cut) -> str:
    """
    Hold a whole declaration against the other shapes, where it does not give what the native metric gives.
    """
    arguments = arguments_of(function, label, declared)
    (shape,) = _candidates(declared, arguments)
    mine = _tried(function, shape, declared, native, cut)
    if mine.tier == 3 or (not native.names and mine.tier):
        return _order(function, declared, arguments, mine.tier, native, cut)
    nothing = dict.fromkeys(declared)
    arguments = arguments_of(function, label, nothing)
    shapes = _candidates(nothing, arguments)
    shapes += [] if arguments.swapped is None else _candidates(nothing, arguments.swapped)
    trials = [_tried(function, one, nothing, native, cut) for one in shapes]
    better = [trial for trial in trials if trial.tier > max(mine.tier, 1)]
    better, _ = _merged([trial for trial in better if trial.tier == max(one.tier for one in better)], set())
    if not better and mine.tier:
        return ""
    said = mine.problem or f"gives {mine.said}"
    return f"as declared, it {said} for identical / partly equal / unrelated texts" + "".join(
        f"; with {','.join(f'{name}={value}' for name, value in _told(one).items())} it gives {one.said}"
        for one in better[:3]
    )


def _candidates(declared: Mapping[str, Any], arguments: Arguments) -> list[Shape]:
    found = []
    for input_, level, references, first in itertools.product(
        *(
            (declared[name],) if declared[name] is not None else choices
            for name, choices in (
                ("input", ("strings", "tokens")),
                ("level", ("segment", "corpus")),
                ("references", ("one", "list", "streams")),
                ("first", (arguments.first,) if arguments.first else ("hypothesis", "references")),
            )
        )
    ):
        if level == "segment" and references == "streams":
            continue
        shape = Shape(input_, level, references, first, arguments.source, arguments.names)
        if arguments.allows(shape):
            found.append(shape)
    return found


def _tried(function: Callable[..., Any], shape: Shape, declared: Mapping[str, Any], native: Native, cut: Cut) -> Trial:
    several = shape.references != "one" and not native.one_reference
    result = declared["result"]
    values = []
    for cases in samples(several):
        pieces = [cases] if shape.level == "corpus" else [cases[row : row + 1] for row in range(len(cases))]
        found = []
        for piece in pieces:
            try:
                with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), seeded(SEED):
                    warnings.simplefilter("ignore")
                    returned = shape.call(function, shape.arguments(piece, cut))
                result = _chosen(returned, native) if result is None else result
                found.append(number(picked(returned, result)))
            except BadResult as error:
                return Trial(shape, problem=f"returns {error}")
            except (Exception, SystemExit) as error:
                known = NUMBER if result is None else result
                return Trial(shape, known, problem=" ".join(f"raises {type(error).__name__}: {error}".split())[:160])
        values.append(sum(found) / len(found))
    assert result is not None
    trial = Trial(shape, result, tuple(values))
    if not all(map(math.isfinite, values)):
        return trial
    tier, scale = _tier(values, native.values(several, shape.level), declared["scale"])
    return Trial(shape, result, tuple(values), "", tier, scale)


def _chosen(returned: Any, native: Native) -> str | int:
    """
    Name the entry of a result that must be meant, or say which there are.
    """
    with contextlib.suppress(BadResult):
        number(returned)
        return NUMBER
    parts = parts_of(returned)
    likely = [name for name in ("score", "value", *native.names) if name in parts]
    if len(parts) == 1 or likely:
        return likely[0] if likely else next(iter(parts))
    listed = ", ".join(f"{name} ({value:.6g})" for name, value in list(parts.items())[:8])
    raise BadResult(f"{described(returned)}" + (f"; declare result= with one of {listed}" if parts else ""))


def _tier(values: Sequence[float], expected: Sequence[float] | None, scale: float | None) -> tuple[int, float | None]:
    same, part, none = values
    if same == none or not (same >= part >= none or same <= part <= none):
        return 0, scale
    scales = SCALES if scale is None else (scale,)
    if expected is None:
        for one in scales[:2]:
            if abs(max(same, none) / one - 1) <= NEAR:
                return 2, one
        return 1, scale
    if (same > none) != (expected[0] > expected[2]):
        return 0, scale
    end = 0 if same > none else 2
    for one in scales:
        pairs = [(value / one, wanted) for value, wanted in zip(values, expected, strict=True)]
        # Unrelated texts are left out where they have the least value: smoothing gives them more than nothing.
        if all(math.isclose(*pair, rel_tol=1e-6, abs_tol=1e-9) for pair in (pairs[:2] if end == 0 else pairs)):
            return 3, one
    for one in scales:
        if abs(values[end] / one - expected[end]) <= NEAR * max(1.0, expected[end]):
            return 2, one
    if scale is None and values[end] > 0 and expected[end] > 0:
        # Not the native values, but of their size on one scale only.
        apart = {one: abs(math.log10(values[end] / one / expected[end])) for one in scales}
        likely = min(scales, key=apart.__getitem__)
        scale = likely if apart[likely] < ALIKE else None
    return 1, scale


def _merged(trials: list[Trial], asked: set[str]) -> tuple[list[Trial], list[str]]:
    """
    Take shapes that give the same values and differ only in what then makes no difference as one.
    """
    remarks = []
    for name, worse, remark in (
        ("first", "references", "the order of its arguments makes no difference there"),
        ("input", "tokens", "tokens give the same there"),
        ("references", "one", "one reference may stand without a list there"),
    ):
        kept = []
        for trial in trials:
            others = [
                other
                for other in trials
                if getattr(other.shape, name) != worse
                and other.values == trial.values
                and _without(other.shape, name) == _without(trial.shape, name)
            ]
            if not others or getattr(trial.shape, name) != worse:
                kept.append(trial)
            elif remark not in remarks and name in asked:
                remarks.append(remark)
        trials = kept
    return trials, remarks


def _without(shape: Shape, name: str) -> tuple[Any, ...]:
    return tuple(value for key, value in vars(shape).items() if key != name)


def _told(trial: Trial) -> dict[str, Any]:
    shape = trial.shape
    scale = None if trial.scale is None else f"{trial.scale:g}"
    return {
        "input": shape.input,
        "level": shape.level,
        "references": shape.references,
        "first": shape.first,
        "result": trial.result,
        "scale": scale,
    }


_DECLARE = (
    "Declare its shape in parentheses, py:MODULE:FUNCTION(...): input=strings|tokens, level=segment|corpus, "
    "references=one|list|streams, first=hypothesis|references, and result=KEY where it returns more than a number"
)


def _several_fit(label: str, trials: Sequence[Trial]) -> ParameterError:
    listed = "; ".join(f"{trial.shape} gives {trial.said}" for trial in trials[:8])
    return ParameterError(
        f"{label} without a declared shape",
        f"several shapes give sensible values for identical / partly equal / unrelated texts: {listed}",
        "Declare what tells them apart, for instance "
        + ",".join(f"{name}={value}" for name, value in _told(trials[0]).items() if _differs(name, trials)),
    )


def _differs(name: str, trials: Sequence[Trial]) -> bool:
    return len({str(_told(trial)[name]) for trial in trials}) > 1


def _nothing_fits(label: str, trials: Sequence[Trial], metric: Metric | None, advice: str) -> ParameterError:
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.said if trial.problem else f"gives {trial.said}", []).append(trial)
    listed = [
        f"{rows[0].shape} {said}" + (f" (and {len(rows) - 1} more shapes do so)" if len(rows) > 1 else "")
        for said, rows in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:6]
    ]
    what = f"as {metric.name}" if metric is not None else "as a metric"
    return ParameterError(
        f"{label} {what}",
        "it was called on identical / partly equal / unrelated texts, and no shape gives sensible values: "
        + "; ".join([*listed, *([advice] if advice else [])]),
        _DECLARE,
    )
