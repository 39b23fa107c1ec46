"""
Spread chunks of cases over threads, processes or whatever executor the caller has, and take results in order.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tertium.cases import Cases
from tertium.errors import ProviderBroken, Refused
from tertium.metric import Metric, MetricInfo

_Warned = tuple[type[Warning], str, str, int]
_Logged = tuple[str, int, str]


class Workers:
    """
    Give a ``run(function, metric, chunks, constants)`` that yields results in order, over whatever executor fits.

    Args:
        info: Facts of the metric: threads where it releases the interpreter's lock, processes otherwise.
        executor: Run chunks there instead of on workers of our own.
        workers: How many; with one, chunks run here and now.
    """

    def __init__(self, info: MetricInfo, executor: Executor | None, workers: int) -> None:
        self._info, self._executor, self._workers = info, executor, workers
        self._own: Executor | None = None

    def __enter__(self) -> Callable[..., Iterator[Any]]:
        if self._executor is None and self._workers > 1:
            if self._info.releases_gil:
                self._own = ThreadPoolExecutor(self._workers, thread_name_prefix="tertium")
            else:
                spawn = multiprocessing.get_context("spawn")
                self._own = ProcessPoolExecutor(self._workers, mp_context=spawn, initializer=_settle)
            self._executor = self._own
        return self._run

    def _run(self, function: Any, metric: Metric, chunks: Iterator[Cases], constants: Any) -> Iterator[Any]:
        if self._executor is None:
            for piece in chunks:
                yield function(metric, piece, constants)
            return
        if isinstance(self._own, ProcessPoolExecutor):
            run = functools.partial(_observed, self._packed(function, metric, constants))
            for result, warned, logged in self._in_order(chunks, lambda piece: self._submit(run, piece)):
                self._repeat(warned, logged)
                yield result
            return
        yield from self._in_order(chunks, lambda piece: self._submit(function, metric, piece, constants))

    def _in_order(self, chunks: Iterator[Cases], submit: Callable[[Cases], Future[Any]]) -> Iterator[Any]:
        # A window of pending chunks bounds the memory: results are taken in order as new chunks go in.
        window = max(4, 3 * (self._workers or os.cpu_count() or 1))
        pending = [submit(piece) for piece in itertools.islice(chunks, window)]
        try:
            while pending:
                result = pending.pop(0).result()
                pending += [submit(piece) for piece in itertools.islice(chunks, 1)]
                yield result
        except BrokenProcessPool as error:
            raise ProviderBroken(
                f"{self._info.name}@{self._info.provider} in worker processes",
                "a worker process ended unexpectedly",
                'Put the script\'s work under `if __name__ == "__main__":`, or use workers=1 to see what it does',
            ) from error
        finally:
            for future in pending:
                future.cancel()

    def _packed(self, function: Any, metric: Metric, constants: Any) -> bytes:
        # Once for all chunks, and here: in the executor's own thread a failure would come too late to be told apart.
        try:
            return pickle.dumps((function, metric, constants))
        except Exception as error:
            raise Refused(
                f"{self._info.name}@{self._info.provider} in worker processes",
                f"it cannot be sent to them ({error})",
                "Use workers=1, or define its class, and callables among its parameters, at the top level of a module",
            ) from error

    def _repeat(self, warned: list[_Warned], logged: list[_Logged]) -> None:
        try:
            for category, text, file, line in warned:
                warnings.warn_explicit(text, category, file, line)
        except Warning as error:  # the filters of this process make errors of them
            raise ProviderBroken(
                f"{self._info.name}@{self._info.provider}",
                f"a worker process raised {type(error).__name__}: {error}",
                "Use another provider, or tell the plugin's author",
            ) from error
        for name, level, text in logged:
            logging.getLogger(name).log(level, "%s", text)

    def _submit(self, *work: Any) -> Future[Any]:
        assert self._executor is not None
        with _interrupts_held() if self._own is not None else contextlib.nullcontext():
            return self._executor.submit(*work)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._own is None:
            return
        if kind is not None and not issubclass(kind, Exception) and isinstance(self._own, ProcessPoolExecutor):
            # Interrupted: a chunk of a slow metric may take minutes, and nobody waits for it any more.
            for process in list((self._own._processes or {}).values()):
                process.terminate()
        self._own.shutdown(wait=True, cancel_futures=True)


def _settle() -> None:
    """
    Prepare a worker process: interrupts are the parent's, and so is standard output, which holds the result alone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    with contextlib.suppress(OSError):
        os.dup2(2, 1)


@functools.lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> tuple[Any, Metric, Any]:
    function, metric, constants = pickle.loads(packed)
    return function, metric, constants


def _observed(packed: bytes, piece: Cases) -> tuple[Any, list[_Warned], list[_Logged]]:
    """
    Run one chunk in a worker process, and return beside the result what was warned and logged, each once.

    The parent says these again where its own filters, handlers and notes decide over them.
    """
    function, metric, constants = _unpacked(packed)
    listener = _Listener()
    root = logging.getLogger()
    root.addHandler(listener)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = function(metric, piece, constants)
    finally:
        root.removeHandler(listener)
    warned = [(_known(one.category), str(one.message), one.filename, one.lineno) for one in caught]
    return result, list(dict.fromkeys(warned)), list(dict.fromkeys(listener.heard))


def _known(category: type[Warning]) -> type[Warning]:
    try:
        pickle.dumps(category)
    except Exception:
        return UserWarning
    return category


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[_Logged] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append((record.name, record.levelno, record.getMessage()))


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """
    Hold interrupts back while worker processes start: they inherit it, so that Ctrl-C reaches this process alone.

    Otherwise a worker that is still importing would print a traceback of its own.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
