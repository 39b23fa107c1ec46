"""
Span the space of native settings: every choice that an axis of conventions offers, and the steps between settings.

Nothing here knows a provider. What can be chosen is read from the native metrics' declared parameters; where a
parameter takes any number, the numbers that implementations use are tried, and :mod:`refining` solves for others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium import resources
from tertium.conventions import SCALE, Family, family_of
from tertium.errors import ProviderError, Refused, TertiumError
from tertium.extensions import offered
from tertium.metric import Metric
from tertium.parameters import Parameter, Range, parameters_of
from tertium.registry import registry
from tertium.spec import Spec

WHOLE = (*range(11), 12, 15, 20, 25, 50, 100, 665)
"""Whole numbers to try; 665 bytes is the length limit of the Document Understanding Conferences."""

REAL = (
    *(0.0, 1e-16, 1e-9, 1e-8, 1e-6, 1e-3, 0.01, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 0.8, 0.85, 0.9, 1.0, 1.2, 1.5, 2.0),
    *(3.0, 4.0, 5.0, 6.0, 10.0, 100.0),
)
"""Other numbers to try."""

LARGEST = 1_000
"""Default from which a whole number is a limit of effort, which changes nothing but how long a search may take."""

EFFORT = frozenset({"resamples", "budget", "max_work"})
"""Parameters that say how much work is done, not what is computed; they keep their defaults."""

LIMITS: Mapping[str, int] = {"budget": 2_000}
"""Effort that settings may take where a parameter bounds it: one whose search would take more counts as refusing."""

TEXTS: Mapping[str, tuple[str, ...]] = {
    "weights": ("0.5,0.5", "0.4,0.3,0.2,0.1", "0.1,0.2,0.3,0.4"),
    "stages": (
        *("exact", "exact,stem", "exact,synonym", "exact,stem,synonym", "exact,paraphrase", "exact,stem,paraphrase"),
        "exact,stem,synonym,paraphrase",
    ),
    "exceptions": ("wordnet",),
}
"""Texts to try for parameters that take any text."""

FACTORS = (1.0, 100.0, 0.01)
"""What native values may be multiplied by, where no parameter of the metric says how they are written."""

PRODUCT = 160
"""Combinations of parameters of one axis up to which all are tried; beyond, one parameter changes at a time."""

USUAL = {"aggregation": "mean", "average": "mean", "percent": False, "tokenize": "none", "no_match": "zero-any"}
"""Choices of code that is written by hand, where a metric has them."""

THIN = 5
"""Values of a parameter that takes any number, where two axes change at once."""

JOINT = (frozenset({"rougeL", "rougeLsum"}), frozenset({"cider", "cider-d"}))
"""Metrics that libraries call by one name."""

METRIC, OUTPUT = "metric", "output"


@dataclass(frozen=True)
class Setting:
    """
    Name one point of the space.

    Attributes:
        metric: A native metric's name.
        params: Parameters away from their defaults, in the order of declaration.
        output: The output that is read, or None for the headline.
        factor: What its values are multiplied by.
    """

    metric: str
    params: tuple[tuple[str, Any], ...] = ()
    output: str | None = None
    factor: float = 1.0

    @property
    def spec(self) -> Spec:
        """
        The setting as a spec; the factor has no place in it.
        """
        return Spec(self.metric, "native", output=self.output).with_params(dict(self.params))

    @property
    def complexity(self) -> tuple[int, str]:
        """
        Parameters away from their defaults, then the spec: of two that do the same the simpler one is told.
        """
        steps = sum(value.count("+") for _, value in self.params if isinstance(value, str))
        count = len(self.params) + steps + (self.output is not None) + (self.factor != 1.0)
        return count, f"{self.spec}*{self.factor:g}"

    def __str__(self) -> str:
        return str(self.spec) if self.factor == 1.0 else f"{self.factor:g} × {self.spec}"


@dataclass(frozen=True)
class Dimension:
    """
    Hold the choices of one axis.

    Attributes:
        name: The axis.
        meaning: One sentence.
        parameters: The native parameters that move it; none for the metric, the output and the factor.
        choices: Assignments of these parameters.
    """

    name: str
    meaning: str
    parameters: tuple[str, ...]
    choices: tuple[Mapping[str, Any], ...]


class Space:
    """
    Hold the settings that could be a provider's.

    Args:
        metric: The name of the metric that the provider computes.

    Raises:
        Refused: No native metric has that name.
    """

    def __init__(self, metric: str) -> None:
        classes = {name: found["native"] for name, found in registry().metrics.items() if "native" in found}
        family = family_of(metric)
        if metric not in classes or family is None:
            known = ", ".join(name for name in classes if family_of(name) is not None)
            raise Refused(
                f"a fingerprint as {metric!r}",
                f"conventions are inferred against native metrics, and there is none of that name; they are {known}",
                "Name one of them with --metric (in Python: metric=...)",
            )
        self.family: Family = family
        group = next((names for names in JOINT if metric in names), frozenset({metric}))
        self.metrics = (metric, *sorted(group - {metric}))
        self.classes = {name: classes[name] for name in self.metrics}
        self._made: dict[tuple[str, tuple[tuple[str, Any], ...]], Metric | None] = {}
        self._there: dict[str, bool] = {}
        self.missing: set[str] = set()
        self.dimensions = tuple(self._span())
        self.start = tuple(Setting(name) for name in self.metrics)
        self.elsewhere = tuple(self._elsewhere())

    # -- what can be chosen ---------------------------------------------------------------------------------------

    def _elsewhere(self) -> Iterator[Setting]:
        """
        Yield what people write by hand, several steps from the defaults: no single one of the steps explains more.
        """
        own = {name for dimension in self.dimensions for name in dimension.parameters}
        usual = [pair for pair in USUAL.items() if pair[0] in own]
        for count in range(2, len(usual) + 1):
            for chosen in itertools.combinations(usual, count):
                found = self.with_params(self.start[0], dict(chosen))
                if self.readable(found):
                    yield found

    def _span(self) -> Iterator[Dimension]:
        if len(self.metrics) > 1:
            meaning = f"Which metric of the family is computed: {' or '.join(self.metrics)}."
            yield Dimension(METRIC, meaning, (), tuple({METRIC: name} for name in self.metrics))
        declared: dict[str, Parameter] = {}
        for kind in self.classes.values():
            declared = {**parameters_of(kind), **declared}
        for axis in self.family.axes.values():
            names = tuple(name for name in axis.parameters if name in declared and name not in EFFORT)
            choices = tuple(_assignments({name: domain(declared[name]) for name in names}))
            if choices:
                yield Dimension(axis.name, axis.meaning, names, choices)
        outputs: dict[str, None] = {}
        for kind in self.classes.values():
            outputs |= dict.fromkeys(kind().info.outputs[1:])
        if outputs:
            chosen = tuple({OUTPUT: name} for name in (None, *outputs))
            yield Dimension(OUTPUT, "Which of the metric's values is read.", (), chosen)
        if not any("percent" in axis.parameters or "factor" in axis.parameters for axis in self.family.axes.values()):
            factors = tuple({SCALE: factor} for factor in FACTORS)
            yield Dimension(SCALE, "What the value is multiplied by when it is written.", (), factors)

    def floats(self, setting: Setting) -> Iterator[tuple[str, Range]]:
        """
        Yield the parameters of a setting that take any number, with their ranges.
        """
        for name, parameter in parameters_of(self.classes[setting.metric]).items():
            if float in parameter.kinds and name not in EFFORT:
                yield name, parameter.range or Range()

    def weighs(self, setting: Setting) -> bool:
        """
        Tell whether a setting weighs the precisions of n-grams, as BLEU does.
        """
        made = self.make(setting)
        return made is not None and "weights" in made.parameters and "brevity_penalty" in made.info.outputs

    # -- settings -------------------------------------------------------------------------------------------------

    def make(self, setting: Setting) -> Metric | None:
        """
        Make the metric of a setting; None where its choices contradict each other, or a resource is missing.
        """
        key = setting.metric, setting.params
        if key not in self._made:
            if len(self._made) > 50_000:
                self._made.clear()
            self._made[key] = self._attempt(setting)
        return self._made[key]

    def _attempt(self, setting: Setting) -> Metric | None:
        try:
            made = self._bounded(setting)
            return made if all(self._is_there(name) for name in made.info.resources) else None
        except ProviderError as error:
            self.missing.add(str(error))
        except (TertiumError, TypeError, ValueError):
            pass
        return None

    def _bounded(self, setting: Setting) -> Metric:
        kind, chosen = self.classes[setting.metric], dict(setting.params)
        limits = {name: most for name, most in LIMITS.items() if name in parameters_of(kind)}
        if limits:
            try:
                return kind(**chosen, **limits)
            except TertiumError:  # nothing to bound under these choices
                pass
        return kind(**chosen)

    def _is_there(self, name: str) -> bool:
        if name not in self._there:
            try:
                resources.require(name)
                self._there[name] = True
            except TertiumError as error:
                self.missing.add(str(error))
                self._there[name] = False
        return self._there[name]

    def with_params(self, setting: Setting, changes: Mapping[str, Any]) -> Setting:
        """
        Return a setting with other choices; those that its metric does not have are dropped.
        """
        metric = changes.get(METRIC, setting.metric)
        declared = parameters_of(self.classes[metric])
        chosen = {**dict(setting.params), **changes}
        params = tuple(
            (name, chosen[name])
            for name, parameter in declared.items()
            if name in chosen and not _same(chosen[name], parameter.default)
        )
        output = changes.get(OUTPUT, setting.output)
        return Setting(metric, params, output, changes.get(SCALE, setting.factor))

    def value(self, setting: Setting, dimension: Dimension) -> dict[str, Any]:
        """
        Return what a setting chooses on an axis.
        """
        if dimension.name == METRIC:
            return {METRIC: setting.metric}
        if dimension.name == OUTPUT and not dimension.parameters:
            return {OUTPUT: setting.output}
        if dimension.name == SCALE and not dimension.parameters:
            return {SCALE: setting.factor}
        chosen, declared = dict(setting.params), parameters_of(self.classes[setting.metric])
        return {name: chosen.get(name, declared[name].default) for name in dimension.parameters if name in declared}

    def moves(self, setting: Setting, dimensions: Sequence[Dimension] | None = None) -> Iterator[Setting]:
        """
        Yield every setting that differs on one axis; where a choice contradicts another, also one that gives way.
        """
        for dimension in self.dimensions if dimensions is None else dimensions:
            yield from self.along(setting, dimension)

    def along(self, setting: Setting, dimension: Dimension) -> Iterator[Setting]:
        """
        Yield the settings that differ on one axis, as far as they can be made.
        """
        seen = {setting}
        for choice in dimension.choices:
            step = self.with_params(setting, choice)
            if step in seen:
                continue
            seen.add(step)
            if self.readable(step):
                yield step
                continue
            for other in self.dimensions:
                if other is not dimension and other.parameters:
                    way = self.with_params(step, dict.fromkeys(other.parameters, _DEFAULT))
                    if way not in seen and self.readable(way):
                        seen.add(way)
                        yield way

    def readable(self, setting: Setting) -> bool:
        """
        Tell whether a setting can be made and has the output that it reads.
        """
        made = self.make(setting)
        return made is not None and (setting.output is None or setting.output in made.info.outputs)

    def simplest(self, settings: Sequence[Setting]) -> Setting:
        """
        Return the setting with the fewest choices away from the defaults.
        """
        return min(settings, key=lambda one: (self.metrics.index(one.metric), *one.complexity))

    def thinned(self, dimension: Dimension) -> Dimension:
        """
        Return an axis with a few values of each parameter that takes any number.
        """
        declared = {name: one for kind in self.classes.values() for name, one in parameters_of(kind).items()}
        numeric = {name for name in dimension.parameters if {int, float} & set(declared[name].kinds)}
        if not numeric or len(dimension.choices) <= 2 * THIN:
            return dimension
        plain: list[Mapping[str, Any]] = []
        counted: dict[str, list[Mapping[str, Any]]] = {name: [] for name in sorted(numeric)}
        for choice in dimension.choices:
            own = [name for name in choice if name in numeric]
            (counted[own[0]] if own and len(choice) == 1 else plain).append(choice)
        most = 12 * THIN
        few = [one for choices in counted.values() for one in choices[:: max(1, -(-len(choices) // THIN))]]
        return replace(dimension, choices=(*plain[:: max(1, -(-len(plain) // most))], *few))

    def without(self, setting: Setting, name: str) -> Setting:
        """
        Return a setting with one parameter at its default.
        """
        return replace(setting, params=tuple(pair for pair in setting.params if pair[0] != name))


class _Default:
    """
    Stand for a parameter's default, whatever it is.
    """


_DEFAULT = _Default()


def _same(value: Any, default: Any) -> bool:
    return value is _DEFAULT or (value == default and isinstance(value, bool) == isinstance(default, bool))


def _assignments(domains: Mapping[str, Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    size = 1
    for values in domains.values():
        size *= len(values)
    if domains and size <= PRODUCT:
        for values in itertools.product(*domains.values()):
            yield dict(zip(domains, values, strict=True))
        return
    for name, values in domains.items():
        for value in values:
            yield {name: value}


def domain(parameter: Parameter) -> tuple[Any, ...]:
    """
    Return the values of a parameter that are tried, its default among them.
    """
    found: list[Any] = [parameter.default] if parameter.has_default else []
    bounds = parameter.range or Range()
    if parameter.choices:
        found += parameter.choices
    elif bool in parameter.kinds:
        found += (False, True)
    elif int in parameter.kinds:
        if not (isinstance(parameter.default, int) and parameter.default > LARGEST):
            found += [value for value in WHOLE if bounds.holds(value)]
    elif float in parameter.kinds:
        found += [value for value in REAL if bounds.holds(value)]
    elif parameter.open_choices is not None:
        named = [value for value in parameter.open_choices.values if "<" not in value]
        found += named
        if parameter.name == "normalizer":
            found += ["+".join(steps) for steps in itertools.combinations(named, 2) if "none" not in steps]
        if parameter.open_choices.offers is not None:
            found += offered(parameter.open_choices.offers)
    else:
        found += TEXTS.get(parameter.name, ())
        if parameter.name == "tokenize":
            found += offered("tokenizers")
    if parameter.nullable:
        found.append(None)
    return tuple(value for _, value in dict.fromkeys((type(value), value) for value in found))
