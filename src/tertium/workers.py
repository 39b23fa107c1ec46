"""
Spread chunks of cases over threads, processes or whatever executor the caller has, and take results in order.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tertium.cases import Cases
from tertium.errors import ProviderBroken
from tertium.metric import Metric, MetricInfo


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
                self._own = ProcessPoolExecutor(self._workers, mp_context=spawn, initializer=_leave_interrupts)
            self._executor = self._own
        return self._run

    def _run(self, function: Any, metric: Metric, chunks: Iterator[Cases], constants: Any) -> Iterator[Any]:
        if self._executor is None:
            for piece in chunks:
                yield function(metric, piece, constants)
            return
        # A window of pending chunks bounds the memory: results are taken in order as new chunks go in.
        window = max(4, 3 * (self._workers or os.cpu_count() or 1))
        pending = [self._submit(function, metric, piece, constants) for piece in itertools.islice(chunks, window)]
        try:
            while pending:
                result = pending.pop(0).result()
                pending += [self._submit(function, metric, piece, constants) for piece in itertools.islice(chunks, 1)]
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


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
