"""
Keep worker processes: one a provider, stopped when it hangs or grows too large, started again when it crashed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import IO, Any

from tertium.conformance.memory import resident
from tertium.conformance.outcomes import Failed
from tertium.conformance.worker import SHOWN, shortened

STARTING = 120.0
"""Seconds that a worker may take to start; imports of libraries come later, with the first case."""

GLANCE = 0.1
"""Seconds between two looks at the memory of a worker that has not answered yet."""

MEMORY_LIMIT = 4.0
"""Gigabytes (2**30 bytes) that a worker may hold, together with what it started."""


class Broken(Exception):
    """
    Carry what became of a job whose worker did not answer, and what it had printed.
    """

    def __init__(self, outcome: Failed, printed: str) -> None:
        self.outcome, self.printed = outcome, printed
        super().__init__(str(outcome))


class Worker:
    """
    Hold one worker process, started when it is first asked.

    Args:
        memory_limit: Gigabytes that it may hold, together with what it started.
    """

    def __init__(self, memory_limit: float = MEMORY_LIMIT) -> None:
        self._memory_limit = memory_limit
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._said: IO[bytes] | None = None

    def ask(self, job: Mapping[str, Any], limit: float) -> dict[str, Any]:
        """
        Have one job done.

        Args:
            limit: Seconds.

        Raises:
            Broken: The worker crashed, or was stopped because it gave no answer in time or grew too large.
        """
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
        except OSError:
            raise self._crashed() from None
        return self._answer(limit)

    def _answer(self, limit: float) -> dict[str, Any]:
        line = self._awaited(limit)
        if line is None:
            raise self._crashed()
        found: dict[str, Any] = json.loads(line)
        return found

    def _awaited(self, limit: float) -> str | None:
        end = time.monotonic() + limit
        while True:
            left = end - time.monotonic()
            try:
                return self._answers.get(timeout=max(0.0, min(left, GLANCE)))
            except queue.Empty:
                process = self._process
                if left <= GLANCE:
                    raise self._stopped("hang", f"no answer within {limit:g} s") from None
                if process is not None and resident(process.pid) > self._memory_limit * 2**30:
                    raise self._stopped("memory", f"it took more than {self._memory_limit:g} GB") from None

    def _stopped(self, kind: str, why: str) -> Broken:
        return Broken(Failed(kind, f"{why}; its process was stopped"), self.stop())

    def _start(self) -> None:
        # Plugins must be found where this process finds them, wherever that is.
        paths = [path for path in sys.path if path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
        self._answers = queue.SimpleQueue()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tertium.conformance.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=environment,
            text=True,
            encoding="ascii",
            start_new_session=True,
        )
        threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
        self._answer(STARTING)

    def _crashed(self) -> Broken:
        process = self._process
        if process is None:
            return Broken(Failed("crash", "its process was stopped with the run"), "")
        try:
            code = process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            code = 0
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return Broken(Failed("crash", f"its process ended with {how}"), self.stop())

    def stop(self) -> str:
        """
        End the process and all that it started.

        Returns:
            What it had printed since its last answer.
        """
        process, self._process = self._process, None
        if process is None:
            return ""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        assert self._said is not None
        with self._said as said:
            said.seek(0)
            return shortened(said.read(4 * SHOWN))


def _listen(process: subprocess.Popen[str], answers: queue.SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):  # closed while it is read
        for line in process.stdout:
            answers.put(line)
    answers.put(None)
