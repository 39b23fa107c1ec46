"""
Make a metric of a plain function, so that everything works on code that is no plugin.

``py:module:attribute`` names a function in a spec, and its shape stands where parameters stand::

    py:my_module:my_bleu(metric=bleu,input=tokens,level=corpus,references=list,first=references,scale=1)

In Python :func:`adapt` takes the function itself. What is not declared is found out by trying (see
:mod:`tertium.shape_trials`), and said in a note.
"""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Case, Cases
from tertium.counterparts import check_equivalent, cutter, named
from tertium.errors import ParameterError, ProviderBroken, TertiumError
from tertium.metric import Matrix, Metric, unit_of
from tertium.parameters import Range, bind
from tertium.shape_trials import settle
from tertium.shapes import BadResult, First, Input, Level, References, copied, number, picked
from tertium.spec import Spec, Value, parse
from tertium.targets import digest, is_metric, label_of

PROVIDER = "py"

SHOWN = 3
"""Cases that a note names."""

REMEMBERED = 1000
"""Cases of which is kept what the function did with them."""


class CallableMetric(Metric):
    """
    Score with a Python function.
    """

    name, provider = "callable", PROVIDER

    def __init__(
        self,
        *,
        function: Annotated[Callable[..., Any], "The function"],
        metric: Annotated[str | None, "The metric that it computes, for instance bleu"] = None,
        input: Annotated[Input | None, "A text is a string, or a list of tokens"] = None,  # noqa: A002 - what it is
        tokenize: Annotated[
            str, "What cuts texts into tokens: whitespace, or a tokenizer of bleu@native"
        ] = "whitespace",
        level: Annotated[Level | None, "It is called once a segment, or once with the whole corpus"] = None,
        references: Annotated[
            References | None,
            "One reference a case, a list of them a case, or a list a set of references (a corpus only)",
        ] = None,
        first: Annotated[First | None, "What its first argument is"] = None,
        source: Annotated[
            Literal["first", "last"] | None, "Whether the source is an argument, before or after the others"
        ] = None,
        result: Annotated[
            str | int | None, "Where the value stands in what it returns: number, or a key, attribute or index"
        ] = None,
        scale: Annotated[
            float | None, "The value that stands for 1: 1, or 100 for percent", Range(0, open_low=True)
        ] = None,
        equivalent: Annotated[str | None, "The native spec that is held to give the same numbers"] = None,
        label: Annotated[str | None, "What it is called in messages and results"] = None,
    ) -> None:
        self.function, self.tokenize, self.equivalent_spec = function, tokenize, equivalent
        self.label = label or label_of(function)
        self._cut = cutter(tokenize, self.label)
        check_equivalent(equivalent, self.label, metric)
        native = named(metric)
        self.metric = None if metric is None else metric if native is None else native.name
        declared: dict[str, Any] = {"input": input, "level": level, "references": references, "first": first}
        declared |= {"source": source, "result": result, "scale": scale}
        settled = settle(function, self.label, declared, native, self._cut)
        self.shape = settled.shape
        self.input, self.level, self.references = self.shape.input, self.shape.level, self.shape.references
        self.first, self.source, self.result = self.shape.first, self.shape.source, settled.result
        self.found, self.advice = settled.note, settled.advice
        self.asked = {"metric": metric, "tokenize": tokenize, "equivalent": equivalent, **declared}
        self._declare(native, settled.scale, settled.higher_is_better)
        self.met: dict[str, dict[tuple[int, str], str]] = {}
        """What was noteworthy: kind to the cases, by position and hypothesis, with what is to be said of each."""

    def _declare(self, native: Metric | None, scale: float | None, higher: bool | None) -> None:
        own = str(getattr(self.function, "__name__", type(self.function).__name__))
        self.name = self.metric or own  # type: ignore[misc]
        self.needs = frozenset({"one-reference" if self.references == "one" else "references"})
        if self.source != "none":
            self.needs |= {"sources"}
        self.additive = self.level == "segment"
        self.outputs = ("score",)
        self.columns = ("values", "nan", "infinite", "minus_infinite", "cases") if self.additive else ()
        self.undefined = "the function returns NaN"
        self.whole_corpus = not self.additive
        if native is None:
            self.scale = (0.0, math.inf if scale is None else scale)
            self.higher_is_better = higher is not False
            self.unit_value = scale or 1.0
            return
        self.higher_is_better = native.info.higher_is_better
        self.unit_value = scale or self._likely_unit(native)
        low, high = native.info.scale
        factor = self.unit_value / unit_of(native)
        self.scale = (low * factor, high * factor)

    def _likely_unit(self, native: Metric) -> float:
        """
        Take the scale, which nothing tells, to be that of the equivalent or else of the native metric, and say so.
        """
        from tertium.registry import registry

        unit, like = unit_of(native), self.equivalent()
        if like is not None:
            with contextlib.suppress(TertiumError):  # it needs a resource that is not there
                unit = unit_of(registry().load(like))
        if unit != 1 and self.found:
            self.found += f"; nothing tells its scale, which is taken as that of {like or native.name}, 0–{unit:g}"
        return unit

    @property
    def parameters(self) -> dict[str, Any]:
        """
        The shape in force, what was found out included.
        """
        return {
            "function": self.function,
            "metric": self.metric,
            "input": self.input,
            "tokenize": self.tokenize,
            "level": self.level,
            "references": self.references,
            "first": self.first,
            "source": self.source,
            "result": self.result,
            "scale": self.unit_value,
            "equivalent": self.equivalent_spec,
        }

    @property
    def spec(self) -> Spec:
        """
        The spec as it was asked for: what was declared, and nothing that was found out.
        """
        kept = {name: value for name, value in self.asked.items() if value is not None}
        if self.tokenize == "whitespace":
            del kept["tokenize"]
        return Spec(self.label, params=kept)

    def signature(self) -> Mapping[str, object]:
        """
        Return the shape in force, and the digest of the function's own source text.
        """
        return {**self.parameters, "code": digest(self.function)}

    def equivalent(self) -> Spec | None:
        """
        Return the native spec that was declared to give the same numbers.
        """
        return None if self.equivalent_spec is None else parse(self.equivalent_spec)

    def holding(self, spec: str) -> CallableMetric:
        """
        Return the same metric, held to a native spec.
        """
        found = copy.copy(self)
        found.equivalent_spec = spec
        return found

    def tokens(self, text: str) -> Sequence[str] | None:
        """
        Cut a text as it is cut for the function; None where it is given strings.
        """
        return list(self._cut(text)) if self.input == "tokens" else None

    def statistics(self, prepared: Cases, constants: Any) -> Matrix:
        """
        Call the function once a case.

        Returns:
            Shape (cases, 5): the value where it is finite, whether it is NaN, infinite, minus infinite, and 1.
        """
        rows = np.zeros((len(prepared), len(self.columns)))
        rows[:, 4] = 1
        ends, flat, sources = prepared.bounds.tolist(), prepared.flat_references, prepared.sources
        for row, hypothesis in enumerate(prepared.hypotheses):
            source = None if sources is None else sources[row]
            arguments = self.shape.segment(hypothesis, flat[ends[row] : ends[row + 1]], source, self._cut)
            value = self._value(arguments, prepared, row)
            if math.isfinite(value):
                rows[row, 0] = value
            else:
                rows[row, 1 if math.isnan(value) else 2 if value > 0 else 3] = 1
        return rows

    def aggregate(self, sums: Matrix) -> Any:
        """
        Return the mean of the cases' values; NaN where one of them is, infinite where one is.
        """
        values = sums[..., 0] / sums[..., 4]
        high, low = sums[..., 2] > 0, sums[..., 3] > 0
        values = np.where(high, np.inf, np.where(low, -np.inf, values))
        return np.where((sums[..., 1] > 0) | (high & low), np.nan, values)[..., None]

    def corpus(self, prepared: Cases, constants: Any) -> Any:
        """
        Call the function once with all cases.
        """
        return np.array([self.call(prepared)])

    def call(self, cases: Cases) -> float:
        """
        Call the function once: with one case, or with a corpus, as its shape is.

        Raises:
            ProviderBroken: It raises, or returns no number; the message names the case.
            DataError: The references cannot be laid out that way.
        """
        return self._value(self.shape.arguments(cases, self._cut), cases, 0)

    def _value(self, arguments: list[Any], cases: Cases, row: int) -> float:
        before = copied(arguments)
        try:
            value = number(picked(self.shape.call(self.function, arguments), self.result))
        except (TertiumError, KeyboardInterrupt, MemoryError):
            raise
        except BadResult as error:
            raise ProviderBroken(
                self.label,
                f"it returns {error} for {self._place(cases, row)}",
                self._remedy("Return a number, or declare where it stands with result=KEY"),
            ) from None
        except (Exception, SystemExit) as error:
            raise ProviderBroken(
                self.label,
                f"it raises {type(error).__name__} for {self._place(cases, row)}: {' '.join(str(error).split())}".rstrip(
                    ": "
                ),
                self._remedy("Mend the function, or leave the case out"),
            ) from error
        if math.isnan(value):
            self._remember("nan", cases[row], "")
        if arguments != before:
            changed = [name for name, one, other in zip(self._names(), arguments, before, strict=True) if one != other]
            self._remember("mutated", cases[row], " and ".join(changed))
        return value

    def _remedy(self, usual: str) -> str:
        return f"Perhaps the shape is wrong: {self.advice}" if self.advice else usual

    def _names(self) -> list[str]:
        names = ["hypothesis", "references"] if self.first == "hypothesis" else ["references", "hypothesis"]
        if self.source != "none":
            names.insert(0 if self.source == "first" else 2, "source")
        return names

    def _place(self, cases: Cases, row: int) -> str:
        return f"case {cases[row].position} (id {cases[row].id!r})" if self.additive else f"{len(cases):,} cases"

    def _remember(self, kind: str, case: Case, what: str) -> None:
        met = self.met.setdefault(kind, {})
        if len(met) < REMEMBERED:
            met[case.position, case.hypothesis] = what

    def seen(self, kind: str, cases: Cases) -> list[tuple[Case, str]]:
        """
        List the cases among these that the function was called with when it did something noteworthy.

        Args:
            kind: ``nan``, or ``mutated``: it changed its arguments.
        """
        known = self.met.get(kind, {})
        if not known:
            return []
        places = {int(position): row for row, position in enumerate(cases.positions)}
        rows = [(places[position], text, what) for (position, text), what in known.items() if position in places]
        return [(cases[row], what) for row, text, what in sorted(rows) if cases[row].hypothesis == text]

    def notes(self, cases: Cases) -> Sequence[str]:
        """
        Say what was found out by trying, and what the function did beside giving values.
        """
        said = [text for text in (self.found, self.advice) if text]
        mutated = self.seen("mutated", cases)
        if mutated:
            what = ", ".join(dict.fromkeys(what for _, what in mutated))
            said.append(f"it changes its arguments ({what}; {_listed(mutated, self)}); it was given copies")
        undefined = self.seen("nan", cases)
        if undefined:
            said.append(f"it returns NaN for {_listed(undefined, self)}")
        return said

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_cut"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._cut = cutter(self.tokenize, self.label)


def _listed(found: list[tuple[Case, str]], metric: CallableMetric) -> str:
    if not metric.additive:
        return "the corpus"
    count = len(found)
    return f"{count:,} case{'s' if count > 1 else ''} (first: {', '.join(case.id for case, _ in found[:SHOWN])})"


def adapt(function: Callable[..., Any], *, metric: str | None = None, **shape: Value) -> CallableMetric:
    """
    Make a metric of a function.

    Args:
        function: Takes hypotheses and references and returns a number.
        metric: The metric that it computes, which it is compared with.
        shape: How it is called; what is left open is found out by calling it on a few lines of text. ``input``:
            ``strings`` or ``tokens`` (cut by ``tokenize``); ``level``: ``segment`` or ``corpus``; ``references``: ``one``,
            ``list`` (a list for each case) or ``streams`` (a list for each set of references); ``first``: ``hypothesis``
            or ``references``; ``source``: ``first`` or ``last`` where it is an argument; ``result``: ``number``, or a key, attribute or
            index; ``scale``: the value that stands for 1; ``equivalent``: a native spec that gives the same.

    Raises:
        ParameterError: A declaration is off, or the shape cannot be told; the message says what each shape gave.

    Example:
        >>> import tertium
        >>> def hits(hypothesis, reference):
        ...     return float(hypothesis == reference)
        >>> mine = tertium.adapt(hits, metric="exact-match")
        >>> mine.input, mine.level, mine.references, mine.first
        ('strings', 'segment', 'one', 'hypothesis')
        >>> tertium.score(mine, tertium.Cases(["a", "b"], [["a"], ["c"]])).value
        0.5
    """
    if not callable(function):
        raise ParameterError(
            f"a metric of {type(function).__name__}",
            "it cannot be called",
            "Give a function of hypothesis and references",
        )
    from tertium.registry import registry

    label = str(shape.get("label") or label_of(function))
    bound = bind(CallableMetric, label, {"function": function, "metric": metric, **shape})
    made = registry().make(CallableMetric, label, bound)
    assert isinstance(made, CallableMetric)
    return made


def class_of(thing: Any) -> type[Metric]:
    """
    Return the class that something imported is scored with.
    """
    if isinstance(thing, type):
        return thing
    return type(thing) if is_metric(thing) else CallableMetric
