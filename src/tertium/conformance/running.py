"""
Run the suite: cases x providers in worker processes, judged group by group, into a report that grows as it goes.
"""

from __future__ import annotations

import json
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.divergences import Divergences, load_divergences
from tertium.conformance.headers import Selection, chosen_providers, report_header
from tertium.conformance.judging import Answer, Evidence, judge
from tertium.conformance.outcomes import Failed, Unsupported, outcome_of
from tertium.conformance.processes import MEMORY_LIMIT, Broken, Worker
from tertium.conformance.recorded import Recorded, load_recorded
from tertium.conformance.report_file import Report, Result, compare_headers, dumped, read_interrupted
from tertium.conformance.report_file import write_report as write_whole
from tertium.conformance.settings import declared_tolerance, settings
from tertium.errors import FormatError
from tertium.registry import DEFAULT_PROVIDER, registry
from tertium.spec import parse

GROUP = 24
"""Cases that are run and judged at a time: an interrupted run loses at most as many."""

ONCE_FOR_ALL = 4
"""Cases' time that a provider may take for what it does once for a whole group."""

Progress = Callable[[int, int], None]


@dataclass
class Options:
    """
    Gather how a run is done.

    Args:
        jobs: Groups of cases that are worked on at a time.
        time_limit: Seconds that one case may take.
        memory_limit: Gigabytes that a provider's process may hold, together with what it started.
        allow_unpinned: Accept other versions of libraries than the pinned ones.
        output: The report grows in this file.
        resume: Go on with the report that is there.
        suite: How a reproducing command names the cases, where they are not those that come along.
        progress: Called with the number of cases done and of all.
    """

    jobs: int = 2
    time_limit: float = 30.0
    memory_limit: float = MEMORY_LIMIT
    allow_unpinned: bool = False
    output: Path | None = None
    resume: bool = False
    suite: str = ""
    progress: Progress | None = None
    recorded: Recorded | None = None
    divergences: Divergences | None = None


@dataclass
class Outcome:
    """
    Hold what a run gives.

    Attributes:
        report: The results.
        unneeded: What stands in the lists of divergences and explains nothing.
        refused: What is wrong with lists that the plugins of these providers bring, none of whose entries counted.
    """

    report: Report
    unneeded: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def run(
    cases: Iterable[ConformanceCase], providers: Iterable[str] = (), selection: Selection | None = None, **how: Any
) -> Report:
    """
    Run cases with providers and return the report; see :class:`Options` for what else can be given.

    Raises:
        ProviderError: A provider that was named is not installed.
        UsageError: There is no such provider.
        FormatError: The report that is to be resumed is of another run.
    """
    return run_all(cases, providers, selection, Options(**how)).report


def run_all(
    cases: Iterable[ConformanceCase], providers: Iterable[str], selection: Selection | None, options: Options
) -> Outcome:
    """
    Run cases with providers, and say as well which known divergences were not needed.
    """
    chosen = selection or Selection(providers=tuple(providers))
    picked = [case for case in cases if chosen.picks(case)]
    names = chosen_providers(tuple(providers) or chosen.providers, picked)
    header = report_header(picked, names, chosen)
    done = _resumed(header, options) if options.resume and options.output is not None else {}
    running = _Run(picked, names, header, options, done)
    with running:
        running.work()
    report = running.report()
    compared = {
        (one.provider, against, one.case)
        for one in report.results
        for against in ("outcome", *(other.against for other in one.against))
    }
    known = running.divergences
    refused = [one for name in names for one in known.refused.get(name, ())]
    return Outcome(report, known.unneeded(compared), list(dict.fromkeys(refused)))


class _Run:
    """
    Work through groups of cases in a few threads, which share one worker process a provider.
    """

    def __init__(
        self,
        cases: Sequence[ConformanceCase],
        providers: Sequence[str],
        header: Mapping[str, Any],
        options: Options,
        done: Mapping[tuple[str, str], Result],
    ) -> None:
        self.cases, self.providers, self.header, self.options = cases, providers, header, options
        self.results = dict(done)
        self.recorded = options.recorded if options.recorded is not None else load_recorded()
        self.divergences = options.divergences if options.divergences is not None else load_divergences()
        self.versions = {one["provider"]: one["version"] for one in header["providers"]}
        self.workers = {name: Worker(options.memory_limit) for name in {*providers, DEFAULT_PROVIDER}}
        self.turns = {name: threading.Lock() for name in self.workers}
        self.stopped = threading.Event()
        self.writing = threading.Lock()
        self.start = time.monotonic()
        self.finished = 0
        self._closing = ExitStack()
        self._file: Any = None
        for one in done.values():  # what was judged before has used entries as well
            for against in ("outcome", *(other.against for other in one.against if not other.agrees)):
                if against != "outcome" or (isinstance(one.outcome, Failed) and one.verdict == "explained"):
                    self.divergences.explaining(one.provider, against, one.case)

    def __enter__(self) -> None:
        self._closing.callback(self._stop)
        if self.options.output is not None:
            self._file = self._closing.enter_context(open(self.options.output, "w", encoding="ascii", newline="\n"))
            lines = [self.header, *(case.to_json() for case in self.cases)]
            lines += [one.to_json() for one in self.results.values()]
            self._file.writelines(map(dumped, lines))
            self._file.flush()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._closing.close()
        if kind is None and self.options.output is not None:
            write_whole(self.options.output, self.report())

    def _stop(self) -> None:
        self.stopped.set()
        for worker in self.workers.values():
            worker.stop()

    def report(self) -> Report:
        """
        Give the report, its results in the order of cases and providers.
        """
        pairs = [(case.id, name) for case in self.cases for name in self.providers]
        results = tuple(self.results[pair] for pair in pairs if pair in self.results)
        seconds = round(time.monotonic() - self.start, 3)
        return Report(self.header, {case.id: case.to_json() for case in self.cases}, results, seconds)

    def work(self) -> None:
        """
        Run and judge every group that has something left to do.
        """
        groups = _groups(self.cases)
        with ThreadPoolExecutor(max(1, self.options.jobs), thread_name_prefix="conform") as pool:
            futures = [pool.submit(self._group, group) for group in groups]
            try:
                finished, _ = wait(futures, return_when=FIRST_EXCEPTION)
                for future in finished:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self._stop()
                raise

    def _group(self, cases: Sequence[ConformanceCase]) -> None:
        metric = cases[0].metric
        offered = [name for name in self.providers if name in registry().metrics.get(metric, {})]
        wanted = {name: [case for case in cases if (case.id, name) not in self.results] for name in offered}
        pending = [case for case in cases if any(case in rows for rows in wanted.values())]
        answers: dict[tuple[str, str], Answer] = {}
        if DEFAULT_PROVIDER in registry().metrics.get(metric, {}):
            answers |= {(case.id, DEFAULT_PROVIDER): self._answer(case, DEFAULT_PROVIDER) for case in pending}
        for name in offered:
            rows = wanted[name] if name != DEFAULT_PROVIDER else []
            if rows:
                self._anticipate(rows, name)
            answers |= {(case.id, name): self._answer(case, name) for case in rows}
        found = [self._judged(case, name, answers) for case in pending for name in offered if case in wanted[name]]
        with self.writing:
            for result in found:
                self.results[result.case, result.provider] = result
                if self._file is not None:
                    self._file.write(dumped(result.to_json()))
            if self._file is not None:
                self._file.flush()
            self.finished += len(cases)
            if self.options.progress is not None:
                self.options.progress(self.finished, len(self.cases))

    def _judged(self, case: ConformanceCase, name: str, answers: Mapping[tuple[str, str], Answer]) -> Result:
        answer, native = answers[case.id, name], answers.get((case.id, DEFAULT_PROVIDER))
        version = self.versions[name]
        other = self.recorded.other(name, version)
        before = self.recorded.outcome(name, other, case.id) if other is not None else None
        evidence = Evidence(
            native=native if name != DEFAULT_PROVIDER else None,
            equivalent=self._equivalent(case, answer, native),
            recorded=self.recorded.outcome(name, version, case.id),
            drift=(other, before) if other is not None and before is not None else None,
            version=version,
            witnesses=[one.outcome for (id_, who), one in answers.items() if id_ == case.id and who != name],
            tolerance=declared_tolerance(registry().metrics[case.metric][name]),
        )
        words = ["tertium", "conform", name, "--case", case.id]
        words += ["--cases", self.options.suite] if self.options.suite else []
        words += ["--allow-unpinned"] if self.options.allow_unpinned else []
        return judge(case, name, answer, evidence, self.divergences, shlex.join(words))

    def _equivalent(self, case: ConformanceCase, answer: Answer, native: Answer | None) -> Answer | None:
        if answer.equivalent is None or (native is not None and answer.equivalent == native.spec):
            return None
        spec = parse(answer.equivalent)
        if spec.provider != DEFAULT_PROVIDER or spec.metric not in registry().metrics:
            return None
        return self._ask(case, DEFAULT_PROVIDER, spec.metric, dict(spec.params))

    def _answer(self, case: ConformanceCase, provider: str) -> Answer:
        params = settings(case, registry().metrics[case.metric][provider])
        if isinstance(params, str):
            return Answer(None, Unsupported(params))
        return self._ask(case, provider, case.metric, params)

    def _ask(self, case: ConformanceCase, provider: str, metric: str, params: Mapping[str, Any]) -> Answer:
        job = {**self._job(provider, metric, params), **_columns(case), "output": case.output}
        start = time.monotonic()
        try:
            found = self._send(provider, job)
        except Broken as broken:
            seconds = round(time.monotonic() - start, 3)
            return Answer(f"{metric}@{provider}", broken.outcome, printed=broken.printed, seconds=seconds)
        outcome = outcome_of(found["outcome"])
        return Answer(found["spec"], outcome, found["equivalent"], found["printed"], found["seconds"])

    def _send(self, provider: str, job: Mapping[str, Any], cases: float = 1) -> dict[str, Any]:
        with self.turns[provider]:
            if self.stopped.is_set():
                raise _Stopped
            return self.workers[provider].ask(job, cases * self.options.time_limit)

    def _job(self, provider: str, metric: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "metric": metric,
            "provider": provider,
            "params": dict(params),
            "allow_unpinned": self.options.allow_unpinned,
        }

    def _anticipate(self, cases: Sequence[ConformanceCase], provider: str) -> None:
        metric = registry().metrics[cases[0].metric][provider]
        if not hasattr(metric, "anticipate"):
            return
        alike: dict[str, list[ConformanceCase]] = {}
        for case in cases:
            params = settings(case, metric)
            if not isinstance(params, str):
                alike.setdefault(json.dumps(params, sort_keys=True), []).append(case)
        for key, rows in alike.items():
            job = self._job(provider, metric.name, json.loads(key))
            try:
                self._send(provider, {**job, "anticipate": [_columns(case) for case in rows]}, ONCE_FOR_ALL)
            except Broken:
                return  # the cases themselves will tell


class _Stopped(Exception):
    """
    End a thread after the run was interrupted.
    """


def _columns(case: ConformanceCase) -> dict[str, Any]:
    hypotheses, references, sources = case.columns()
    return {"hypotheses": hypotheses, "references": references, "sources": sources}


def _groups(cases: Sequence[ConformanceCase]) -> list[list[ConformanceCase]]:
    by_metric: dict[str, list[ConformanceCase]] = {}
    for case in cases:
        by_metric.setdefault(case.metric, []).append(case)
    rows = [rows[i : i + GROUP] for rows in by_metric.values() for i in range(0, len(rows), GROUP)]
    return sorted(rows, key=lambda group: (not any("long" in case.tags for case in group), -len(group)))


def _resumed(header: Mapping[str, Any], options: Options) -> dict[tuple[str, str], Result]:
    assert options.output is not None
    if not options.output.is_file():
        return {}
    before = read_interrupted(options.output)
    others = compare_headers(before.header, header, ("format", "tertium", "suite", "selection", "providers"))
    if others:
        truth = f"it is of another run: {', '.join(others)} differ"
        raise FormatError(str(options.output), truth, "Run without --resume to begin anew", line=1)
    return {(one.case, one.provider): one for one in before.results}
