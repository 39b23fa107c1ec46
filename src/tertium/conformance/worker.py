"""
Score cases in a process of its own: one job a line on standard input, one answer a line on what was standard output.

What a provider writes to its standard streams goes into a file instead, and comes back with the answer. The process
ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Mapping
from typing import IO, Any

from tertium.cases import Cases
from tertium.conformance.outcomes import Failed, Outcome, Rejected, Undefined, Unsupported, value_outcome
from tertium.errors import (
    BadNesting,
    BadText,
    CountMismatch,
    DataError,
    EmptyCorpus,
    MissingReferences,
    MissingSources,
    ProviderBroken,
    ProviderError,
    TertiumError,
    UsageError,
)

HOST = (BadNesting, BadText, CountMismatch, EmptyCorpus, MissingReferences, MissingSources)
"""Data that tertium refuses, whichever provider is asked."""

SHOWN = 2000
"""Characters that are kept of what a provider printed."""

Job = Mapping[str, Any]


class Overheard:
    """
    Read what is written to the standard streams, also by code below Python.

    Standard error is a file that the starting process made and can read after a crash; standard output joins it.
    """

    def __init__(self) -> None:
        os.dup2(2, 1)

    def take(self) -> str:
        """
        Return what was written since the last time, shortened.
        """
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if not os.lseek(2, 0, os.SEEK_CUR):
            return ""
        os.lseek(2, 0, os.SEEK_SET)
        found = os.read(2, 4 * SHOWN)
        os.lseek(2, 0, os.SEEK_SET)
        os.ftruncate(2, 0)
        return shortened(found)


def shortened(said: bytes) -> str:
    """
    Keep the beginning of what was said.
    """
    text = said.decode("utf-8", "replace")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... and more"


def serve(overheard: Overheard, answers: IO[str]) -> None:
    """
    Answer jobs until there are no more.
    """
    answers.write(json.dumps({"ready": os.getpid()}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answer = answered(json.loads(line))
        answer["printed"] = overheard.take()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def answered(job: Job) -> dict[str, Any]:
    """
    Do one job.

    Args:
        job: ``metric``, ``provider``, ``params``, the columns of the cases and ``allow_unpinned``; or ``anticipate``,
            a list of columns that a metric is going to be given.

    Returns:
        ``outcome``, ``spec``, ``equivalent`` (a spec or None) and ``seconds``.
    """
    from tertium.registry import registry
    from tertium.spec import Spec

    start = time.perf_counter()
    spec = Spec(job["metric"], job["provider"], params=job["params"])
    found: dict[str, Any] = {"spec": str(spec), "equivalent": None}
    if "anticipate" in job:
        _anticipate(spec, job)
        return found
    outcome: Outcome
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found["spec"] = str(registry().canonical(spec))
            metric = registry().load(spec, allow_unpinned=job["allow_unpinned"])
            equivalent = metric.equivalent()
            if equivalent is not None:
                found["equivalent"] = str(registry().canonical(equivalent))
            outcome = _scored(metric, job)
    except UsageError as error:
        outcome = Unsupported(str(error))
    except HOST as error:
        outcome = Rejected("tertium", type(error).__name__, str(error))
    except DataError as error:
        outcome = Rejected("provider", type(error).__name__, str(error))
    except ProviderBroken as error:
        cause = error.__cause__
        outcome = Failed("protocol" if cause is None else type(cause).__name__, str(error))
    except ProviderError as error:
        outcome = Unsupported(str(error))
    except TertiumError as error:
        outcome = Failed(type(error).__name__, str(error))
    except (Exception, SystemExit) as error:
        outcome = Failed(type(error).__name__, str(error))
    found["outcome"] = outcome.to_json()
    found["seconds"] = round(time.perf_counter() - start, 6)
    return found


def _cases(columns: Mapping[str, Any]) -> Cases:
    return Cases(columns["hypotheses"], columns["references"], columns["sources"])


def _scored(metric: Any, job: Job) -> Outcome:
    from tertium.conformance.settings import unit_scale
    from tertium.scoring import score

    found = score(metric, _cases(job))
    output = job["output"] or found.info.outputs[0]
    components: dict[str, Any] = dict(found.outputs)
    if found.statistics is not None and len(found.statistics) > 1:
        components["per_case"] = found.per_case[output].tolist()
    value = found[output]
    outcome = value_outcome(value, unit_scale(metric), components, metric.info.undefined)
    if isinstance(outcome, Undefined) and not outcome.reason:
        return Failed("protocol", f"{output} is NaN, and the metric does not say when it is undefined")
    return outcome


def _anticipate(spec: Any, job: Job) -> None:
    """
    Tell a metric which cases are coming, if it wants to know, so that it can start a costly program once for all.
    """
    from tertium.registry import registry

    try:
        metric = registry().load(spec, allow_unpinned=job["allow_unpinned"])
        expecting = getattr(metric, "anticipate", None)
        if expecting is not None:
            expecting([_cases(columns) for columns in job["anticipate"] if _sound(columns)])
    except (Exception, SystemExit):
        return  # what is wrong shows in the results of the cases themselves


def _sound(columns: Mapping[str, Any]) -> bool:
    try:
        return int(_cases(columns).reference_counts.min()) > 0
    except TertiumError:
        return False


def main() -> None:
    """
    Serve the process that started this one.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.set_inheritable(answers.fileno(), False)
    serve(Overheard(), answers)


if __name__ == "__main__":
    main()
