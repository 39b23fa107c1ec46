"""
Define what a metric is: per-case statistics that add up, and a vectorised finaliser.

With W any weight matrix over cases, ``aggregate(W @ statistics)`` is the corpus score (ones), the per-case scores
(identity), slices (indicator rows), resamples (multinomial counts), and leave-one-out influence.
"""

from __future__ import annotations

import functools
import importlib.metadata
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.parameters import bind, parameters_of

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class MetricInfo:
    """
    State the facts about a metric under its parameters.

    Attributes:
        outputs: Names of the values; the first is the headline.
        columns: Names of the statistics' columns (empty for a metric that is not additive).
        scale: Lowest and highest value; infinities are allowed.
        needs: Any of ``references``, ``reference-lists`` (a case's list may be empty), ``sources``, ``one-reference``.
        library: Distribution that computes the value, or None where the plugin itself does.
        pinned: The library's version that the plugin is made for.
        resources: Names of resources that must be there under these parameters.
        whole_corpus: Statistics need all cases in one call.
        order_dependent: Statistics depend on the cases' positions.
        additive: Whether per-case statistics add up; if not, there is a corpus value only.
        releases_gil: Whether threads speed it up; otherwise processes do.
        undefined: When the value is undefined, and why.
    """

    name: str
    provider: str
    summary: str
    outputs: tuple[str, ...]
    columns: tuple[str, ...]
    scale: tuple[float, float]
    higher_is_better: bool
    needs: frozenset[str]
    citation: str
    library: str | None
    pinned: str | None
    resources: tuple[str, ...]
    whole_corpus: bool
    order_dependent: bool
    additive: bool
    releases_gil: bool
    undefined: str


class Signature(Mapping[str, str]):
    """
    List, in order, everything that can change the number.

    Two equal signatures on equal data give equal numbers. As a text: ``bleu@native|max_order=4|...``.
    """

    def __init__(self, metric: str, provider: str, facts: Mapping[str, object]) -> None:
        self.metric, self.provider = metric, provider
        self._facts = {str(name): _fact(value) for name, value in facts.items()}

    def __getitem__(self, name: str) -> str:
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Signature) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        pairs = [f"{name}={_escape(value)}" for name, value in self._facts.items()]
        return "|".join([f"{self.metric}@{self.provider}", *pairs])

    def __repr__(self) -> str:
        return f"Signature({str(self)!r})"


def _fact(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if callable(value):
        owner = getattr(value, "__objclass__", value)  # str.split and its like have no module of their own
        return f"py:{getattr(owner, '__module__', '?')}:{getattr(value, '__qualname__', repr(value))}"
    return repr(value) if isinstance(value, float) else str(value)


def _escape(text: str) -> str:
    # A vertical bar parts facts; inside one it is doubled only where it would be read as the end of the fact.
    return f"[{text}]" if "|" in text else text


class Metric(Protocol):
    """
    Measure hypotheses, usually against references.

    Inheriting gives ``info``, ``preprocess``, ``constants``, ``signature`` and ``per_case``; a small plugin writes
    ``__init__``, ``statistics`` and ``aggregate``. Parameters are the constructor's keyword-only parameters (see
    :mod:`tertium.parameters`), each kept as an attribute of the same name. Declared facts are class attributes,
    and an instance may set its own ``columns``, ``outputs``, ``scale`` or ``resources`` where they depend on parameters.
    """

    name: ClassVar[str]
    provider: ClassVar[str]
    columns: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("score",)
    scale: tuple[float, float] = (0.0, 1.0)
    higher_is_better: bool = True
    needs: frozenset[str] | tuple[str, ...] = frozenset({"references"})
    summary: ClassVar[str] = ""
    """What it measures, in two sentences; by default the class docstring's first paragraph."""
    citation: ClassVar[str] = ""
    aliases: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Other names of the metric, each with the parameters that it implies: ``{"chrf++": {"word_order": 2}}``."""
    library: ClassVar[str | None] = None
    pinned: ClassVar[str | None] = None
    resources: tuple[str, ...] = ()
    whole_corpus: bool = False
    order_dependent: bool = False
    additive: bool = True
    releases_gil: bool = False
    undefined: str = ""
    refuses: str = ""
    """When data that can be read are refused by a DataError all the same, and why."""
    precision: ClassVar[str] = "double"
    """``single`` where values are computed in 32-bit floating point: they carry about seven digits, and are compared so."""

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        if args:
            raise ParameterError(f"{cls.__name__}({', '.join(map(repr, args))})", "parameters are given by name", "")
        if parameters:
            bind(cls, f"{cls.name}@{cls.provider}", parameters)
        return super().__new__(cls)

    def __init__(self) -> None:
        pass

    @property
    def info(self) -> MetricInfo:
        """
        The metric's facts under its parameters.
        """
        return MetricInfo(
            name=self.name,
            provider=self.provider,
            summary=self.summary or _first_paragraph(type(self).__doc__),
            outputs=tuple(self.outputs),
            columns=tuple(self.columns),
            scale=(float(self.scale[0]), float(self.scale[1])),
            higher_is_better=self.higher_is_better,
            needs=frozenset(self.needs),
            citation=self.citation,
            library=self.library,
            pinned=self.pinned,
            resources=tuple(self.resources),
            whole_corpus=self.whole_corpus,
            order_dependent=self.order_dependent,
            additive=self.additive,
            releases_gil=self.releases_gil,
            undefined=self.undefined,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """
        The values of all parameters, in the order of declaration.
        """
        return {name: getattr(self, name) for name in parameters_of(type(self))}

    def preprocess(self, cases: Cases) -> Any:
        """
        Return what ``statistics`` eats; by default the cases themselves.
        """
        return cases

    def constants(self, prepared: Any) -> Any:
        """
        Return what the metric learns once from the references, or None; two of them merge with ``|``.
        """
        return None

    def statistics(self, prepared: Any, constants: Any) -> Any:
        """
        Return a finite float64 matrix of shape (cases, columns) whose rows add up, or a :class:`~tertium.compact.Compact`.
        """
        ...

    def aggregate(self, sums: Matrix) -> Any:
        """
        Return outputs of shape (..., outputs) for sums of shape (..., columns).

        A value is NaN only where it is undefined, and then ``undefined`` says why.
        """
        ...

    def corpus(self, prepared: Any, constants: Any) -> Any:
        """
        Return the outputs, shape (outputs,), of a metric that declares ``additive = False``.
        """
        raise TypeError(f"{type(self).__name__} has no corpus value of its own: it must define `corpus`")

    def per_case(self, statistics: Any) -> Any:
        """
        Return the outputs of every case, shape (cases, outputs); by default the aggregate of each row.

        Args:
            statistics: What ``statistics`` gave, of all cases.
        """
        return self.aggregate(np.asarray(statistics))

    def check_cases(self, statistics: Any) -> None:
        """
        Refuse statistics of cases, shape (cases, columns), where a rule makes the value of a case by itself an error.

        Called before values of cases are given out; a value that is undefined is no error, and NaN.
        """
        return None  # noqa: RET501 - without a body it would be abstract

    def signature(self) -> Mapping[str, object]:
        """
        Return every convention in force, ordered; by default the parameters.
        """
        return self.parameters

    def data_signature(self, cases: Cases) -> Mapping[str, object]:
        """
        Return the conventions in force that depend on the data, for instance the number of references.
        """
        return {}

    def notes(self, cases: Cases) -> Sequence[str]:
        """
        Return what a reader of the score should know about these cases under these parameters, a sentence each.
        """
        return ()

    def equivalent(self) -> Any:
        """
        Return the native spec that gives the same numbers, or None where none is declared.
        """
        return None

    def tokens(self, text: str) -> Sequence[str] | None:
        """
        Return the units that a text is cut into, for people to look at; None where the metric shows none.
        """
        return None


@functools.lru_cache(maxsize=256)
def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").strip().split("\n\n")[0].split())


def signature_of(metric: Metric, cases: Cases | None = None, versions: Mapping[str, str] | None = None) -> Signature:
    """
    Complete a metric's signature with what the data decide, resources and versions.

    Args:
        versions: Distributions to versions, beside the library's and tertium's own.
    """
    from tertium import resources

    facts: dict[str, object] = dict(metric.signature())
    if cases is not None:
        facts.update(metric.data_signature(cases))
    for name in metric.info.resources:
        facts[f"resource.{name}"] = resources.identity(name)
    if metric.info.library is not None:
        facts[metric.info.library] = installed_version(metric.info.library) or "absent"
    for name, parameter in parameters_of(type(metric)).items():
        value = getattr(metric, name, None)
        if parameter.open_choices is not None and isinstance(value, str):
            facts.update(parameter.open_choices.distributions(value))
    facts.update(versions or {})
    facts["tertium"] = installed_version("tertium")
    return Signature(metric.info.name, metric.info.provider, facts)


def unit_of(metric: Metric) -> float:
    """
    Return the number that stands for 1 on a metric's scale.

    It is what the metric itself gives as ``unit_value``; else the upper end of the scale; where that is infinite, 100 if a
    parameter ``percent`` says so, else 1.
    """
    own = getattr(metric, "unit_value", None)
    if isinstance(own, float):
        return own
    low, high = metric.info.scale
    if math.isfinite(high) and high > 0 and low <= 0:
        return high
    return 100.0 if metric.parameters.get("percent") is True else 1.0


@functools.lru_cache(maxsize=256)
def installed_version(distribution: str) -> str | None:
    """
    Return the version of an installed distribution, or None.
    """
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
