"""
Look at how a function behaves beside the values it gives: whether it raises, changes its arguments, draws at random, or
remembers what it was called with before.

A few calls are made again and again: in one order and the other, with the same and with other seeds. Where the platform
can fork, each run starts in a copy of this process, so that nothing that the function remembers from one run is there in
the next; elsewhere runs follow each other, and what one leaves behind is told together with randomness.
"""

from __future__ import annotations

import contextlib
import io
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.callables import CallableMetric
from tertium.cases import Cases
from tertium.errors import TertiumError
from tertium.shapes import seeded

QUICK = 8
"""Calls that a quick look makes in each run."""

THOROUGH = 60
"""Calls that a thorough look makes in each run."""

PATIENCE = {QUICK: 1.0, THOROUGH: 15.0}
"""Seconds after which a run stops with what it has."""

GRACE = 4.0
"""Times that, after which a copy of the process is given up: a library with threads may hang in it for ever."""

CORPUS = 12
"""Cases a corpus for functions that take a corpus."""

SAME = 1e-9
"""Relative difference up to which two values count as equal."""

SEEDS = (20_240_229, 7)

PROGRAM = "from tertium.behaving import serve; serve()"
"""What another Python process runs to make the same calls."""

AFRESH = 60.0
"""Seconds that such a process may take, its imports included."""


@dataclass(frozen=True)
class Remark:
    """
    Say one thing about a function's behaviour.

    Attributes:
        kind: ``raises``, ``undefined``, ``mutates``, ``random``, ``remembers``, ``order`` or ``hashing``.
        text: What was seen, in one sentence, with what helps.
    """

    kind: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        """
        Return the remark as JSON-ready values.
        """
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class Behaviour:
    """
    Hold what was seen of a function.

    Attributes:
        calls: Different calls that were made, each in several runs.
        remarks: What is wrong with it; empty where nothing is.
        apart: Whether every run had a copy of the process of its own.
    """

    calls: int
    remarks: tuple[Remark, ...]
    apart: bool

    def to_dict(self) -> dict[str, Any]:
        """
        Return what was seen as JSON-ready values.
        """
        return {"calls": self.calls, "apart": self.apart, "remarks": [one.to_dict() for one in self.remarks]}


@dataclass(frozen=True)
class Call:
    """
    Hold one call: what it is called in messages, and its cases.
    """

    label: str
    cases: Cases


Value = float | str
"""A number, or the message of what was raised."""

Values = dict[int, tuple[Value, Value]]
"""A call's place to what it gave twice in a row."""


def behaviour(metric: CallableMetric, cases: Cases, limit: int = QUICK) -> Behaviour:
    """
    Call a function with some of the cases, several times over, and say what is amiss.

    Args:
        limit: Calls a run: ``QUICK`` or ``THOROUGH``.
    """
    calls = _calls(metric, cases, limit)
    order = list(range(len(calls)))
    plans = [(order, SEEDS[0]), (order, SEEDS[0]), (order[::-1], SEEDS[0]), (order, SEEDS[1])]
    # A call that is made twice in a row belongs to the run: what a function keeps may show the second time only.
    runs = [_Run(metric, calls, plan, seed, PATIENCE.get(limit, PATIENCE[THOROUGH])) for plan, seed in plans]
    copies = _copies(runs)
    first, again, backwards, reseeded = copies or [run() for run in runs]
    apart = copies is not None
    remarks = [*_raised(calls, first), *_undefined(calls, first), *_mutated(metric, calls)]
    remarks += _unsteady(calls, first, again, reseeded, apart)
    if not any(one.kind == "random" for one in remarks):
        remarks += _remembering(metric, calls, first, backwards, apart)
    if limit >= THOROUGH and not remarks:
        remarks += _hashing(metric, calls)
    return Behaviour(len(calls), tuple(remarks), apart)


def _calls(metric: CallableMetric, cases: Cases, limit: int) -> list[Call]:
    if metric.additive:
        count = min(limit, len(cases))
        rows = sorted({int(row) for row in np.linspace(0, len(cases) - 1, count)})
        return [Call(f"case {cases.positions[row]}", cases[row : row + 1]) for row in rows]
    size = min(CORPUS if limit == QUICK else 4 * CORPUS, len(cases))
    whole = cases[:size]
    found = [Call(f"the first {size} cases", whole)]
    if size > 1:
        found += [Call("the first half of them", whole[: size // 2]), Call("the second half", whole[size // 2 :])]
        found.append(Call("the same in reverse", whole[list(range(size))[::-1]]))
    return found


class _Run:
    """
    Make calls in an order, each under the same seed, and note the values.
    """

    def __init__(self, metric: CallableMetric, calls: Sequence[Call], plan: Sequence[int], seed: int, seconds: float):
        self.metric, self.calls, self.plan, self.seed, self.seconds = metric, calls, plan, seed, seconds

    def __call__(self) -> Values:
        end = time.monotonic() + self.seconds
        found: Values = {}
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for place in self.plan:
                found[place] = self.value(place), self.value(place)
                if time.monotonic() > end:
                    break
        return found

    def value(self, place: int) -> Value:
        """
        Make one call, seeded.
        """
        try:
            with np.errstate(all="ignore"), seeded(self.seed):
                return self.metric.call(self.calls[place].cases)
        except TertiumError as error:
            return str(error.truth)


def _copies(runs: Sequence[_Run]) -> list[Values] | None:
    """
    Make every run in a copy of this process; None where that cannot be done, or the function fails only there.
    """
    if not hasattr(os, "fork") or sys.platform == "darwin":  # macOS' own libraries do not stand it
        return None
    found: list[Values] = []
    for run in runs:
        values = _apart(run)
        if values is None:
            return None
        failed = [place for place, (value, _) in values.items() if isinstance(value, str)]
        if failed and not found and not isinstance(run.value(failed[0]), str):
            return None  # what it uses, a graphics card for instance, does not outlive the copying
        found.append(values)
    return found


def _apart(run: _Run) -> Values | None:
    """
    Make a run in a copy of this process; None where that did not work out.
    """
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    worker = context.Process(target=_send, args=(there, run), daemon=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            worker.start()
        there.close()
        found = here.recv() if here.poll(run.seconds * GRACE) else None
    except Exception:  # the copy crashed, or none may be made here
        return None
    finally:
        here.close()
        if worker.pid is not None:
            worker.kill()
            worker.join()
    if found is None:
        return None
    values, run.metric.met = found
    return dict(values)


def _send(there: Any, run: _Run) -> None:
    with open(os.devnull, "w") as nowhere:
        sys.stdout = sys.stderr = nowhere
        there.send((run(), run.metric.met))
        there.close()


def _hashing(metric: CallableMetric, calls: Sequence[Call]) -> list[Remark]:
    """
    Make the calls in two other Python processes, in which sets have other orders.

    Nothing is said of a function that other processes cannot import, as one of a notebook.
    """
    found: list[list[Value]] = []
    for seed in ("1", "2"):
        path = os.pathsep.join(place or os.getcwd() for place in sys.path)
        try:
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM],
                input=pickle.dumps((metric, calls)),
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=AFRESH,
                check=True,
            )
            found.append(pickle.loads(done.stdout))
        except Exception:
            return []
    for call, one, other in zip(calls, *found, strict=False):  # a process may have run out of time
        if not _same(one, other):
            values = f"{_shown(one)} or {_shown(other)} for {call.label}"
            text = f"it depends on the order of sets: {values}, by the seed of Python's hashes (PYTHONHASHSEED), which "
            return [Remark("hashing", f"{text}changes from one process to the next; sort what comes out of a set")]
    return []


def serve() -> None:
    """
    Make the calls that stand on standard input, and write their values to standard output.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    metric, calls = pickle.load(sys.stdin.buffer)
    values = _Run(metric, calls, range(len(calls)), SEEDS[0], PATIENCE[THOROUGH])()
    answers.write(pickle.dumps([values[place][0] for place in sorted(values)]))
    answers.close()


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str)
    return one == other or math.isclose(one, other, rel_tol=SAME) or (math.isnan(one) and math.isnan(other))


def _shown(value: Value) -> str:
    return "an error" if isinstance(value, str) else f"{value:.10g}"


def _raised(calls: Sequence[Call], first: Values) -> list[Remark]:
    failed = [place for place, (value, _) in first.items() if isinstance(value, str)]
    if not failed:
        return []
    more = f" (and {len(failed) - 1} more of {len(calls)} calls)" if len(failed) > 1 else ""
    return [Remark("raises", f"{first[failed[0]][0]}{more}")]


def _undefined(calls: Sequence[Call], first: Values) -> list[Remark]:
    places = [place for place, (value, _) in first.items() if isinstance(value, float) and not math.isfinite(value)]
    if not places:
        return []
    more = f" (and {len(places) - 1} more of {len(calls)} calls)" if len(places) > 1 else ""
    return [Remark("undefined", f"it returns {first[places[0]][0]} for {calls[places[0]].label}{more}")]


def _mutated(metric: CallableMetric, calls: Sequence[Call]) -> list[Remark]:
    for call in calls:
        for _, what in metric.seen("mutated", call.cases)[:1]:
            return [Remark("mutates", f"it changes its arguments ({what} of {call.label}); copy them before")]
    return []


def _unsteady(
    calls: Sequence[Call],
    first: Values,
    again: Values,
    reseeded: Values,
    apart: bool,
) -> list[Remark]:
    for place in first:
        values = [run[place][0] for run in (first, again, reseeded) if place in run]
        if len(values) == 3 and _same(values[0], values[1]) and not _same(values[0], values[2]):
            said = f"{_shown(values[0])} or {_shown(values[2])} for {calls[place].label}"
            return [Remark("random", f"it draws at random: {said}, by the seed of random or numpy.random; seed it")]
    for place in first:
        if place in again and apart and not _same(first[place][0], again[place][0]):
            said = f"{_shown(first[place][0])}, then {_shown(again[place][0])} for {calls[place].label}"
            return [
                Remark(
                    "random",
                    f"it is not deterministic: {said}, though random and numpy.random are seeded alike; give it a "
                    "seeded generator of its own, and let it read no clock",
                )
            ]
    return []


def _remembering(
    metric: CallableMetric,
    calls: Sequence[Call],
    first: Values,
    backwards: Values,
    apart: bool,
) -> list[Remark]:
    cause = "it depends on what was called before (global state, or a random generator of its own)"
    if not apart:
        cause = "it depends on what was called before, or draws at random by itself"
    for place, (one, other) in first.items():
        if not _same(one, other):
            values = f"{_shown(one)}, and {_shown(other)} when called again"
            return [Remark("remembers", f"{cause}: for {calls[place].label} it gives {values}")]
    for place, (one, _) in first.items():
        if place in backwards and not _same(one, backwards[place][0]):
            values = f"{_shown(one)} after those before it, and {_shown(backwards[place][0])} after those behind it"
            return [
                Remark(
                    "remembers", f"{cause}: for {calls[place].label} it gives {values}; what was scored before counts"
                )
            ]
    last = len(calls) - 1
    if not metric.additive and len(calls) > 1 and last in first and not _same(first[0][0], first[last][0]):
        values = f"{_shown(first[0][0])}, and {_shown(first[last][0])} in reverse"
        return [Remark("order", f"it depends on the order of the cases: {calls[0].label} give {values}")]
    return []
