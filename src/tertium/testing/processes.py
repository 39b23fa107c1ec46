"""
Score and import in other processes: under another hash seed, and in an interpreter that knows nothing yet.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import pickle
import random
import signal
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from tertium.testing.trial import CheckFailed, Matrix, Trial


def state() -> dict[str, Any]:
    """
    Take down what an import or a call may change for everybody else in the process.
    """
    import logging

    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "the working folder": os.getcwd(),
        "the environment": dict(os.environ),
        "the random generator": random.getstate(),
        "NumPy's random generator": repr(np.random.get_state()),
        "NumPy's error handling": np.geterr(),
        "warning filters": [repr(entry) for entry in warnings.filters],
        "signal handlers": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
        "the root logger": (logging.getLogger().level, [repr(handler) for handler in logging.getLogger().handlers]),
        "the exception hook": sys.excepthook,
        "the recursion limit": sys.getrecursionlimit(),
    }


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """
    Say what has changed between two states.
    """
    return [f"{name} changed" for name in before if before[name] != after[name]]


_IMPORTING = """
import contextlib, importlib, io, json, os, sys
sys.path[:] = json.loads(sys.stdin.readline())
names = json.loads(sys.stdin.readline())
import numpy, tertium, tertium.metric, tertium.parameters, tertium.errors, tertium.hookspecs
from tertium.testing import processes
numpy.random.get_state()
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
before, printed = processes.state(), io.StringIO()
known = set(sys.modules)
with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
    importlib.import_module(names)
found = processes.changes(before, processes.state())
if printed.getvalue():
    found.append(f"it printed {printed.getvalue()[:60]!r}")
print(json.dumps({"changes": found, "modules": sorted({name.split(".")[0] for name in sys.modules})}), file=out)
out.flush()
os._exit(0)
"""


@functools.lru_cache(maxsize=256)
def imported(module: str) -> dict[str, list[str]]:
    """
    Import a module in a fresh interpreter.

    Returns:
        ``changes``: what the import changed, in words. ``modules``: the top-level packages that are loaded then.

    Raises:
        CheckFailed: It cannot be imported there.
    """
    given = f"{json.dumps(sys.path)}\n{json.dumps(module)}\n"
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTING], input=given, capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise CheckFailed(f"{module} can be imported by its name", last, "Put the class into an importable module")
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


class Child:
    """
    Keep one other interpreter that scores what it is sent.

    Args:
        seed: Its PYTHONHASHSEED.
    """

    def __init__(self, seed: int) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from tertium.testing import processes; processes.serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        atexit.register(self.close)

    def outcome(self, work: bytes) -> Matrix:
        """
        Return the corpus outputs of a pickled pair of metric and cases.

        Raises:
            CheckFailed: The other process could not score them.
        """
        with self._lock:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            _send(self._process.stdin, work)
            answer = _receive(self._process.stdout)
        if answer is None:
            raise CheckFailed("another process can score", "it ended unexpectedly")
        found = pickle.loads(answer)
        if isinstance(found, str):
            raise CheckFailed("another process can score", found, "Put the class into an importable module")
        values: Matrix = found
        return values

    def close(self) -> None:
        """
        End the other process.
        """
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
        self._process.kill()
        self._process.wait()


@functools.lru_cache(maxsize=4)
def child(seed: int) -> Child:
    """
    Return the process with a hash seed, started on first use and kept until the end.
    """
    return Child(seed)


def serve() -> None:
    """
    Score what comes by standard input until it ends.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever prints must not come between the answers
    while (work := _receive(sys.stdin.buffer)) is not None:
        try:
            metric, cases = pickle.loads(work)
            found: Any = Trial(metric).outcome(cases)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        _send(answers, pickle.dumps(found))


def _send(pipe: Any, content: bytes) -> None:
    pipe.write(struct.pack("<Q", len(content)) + content)
    pipe.flush()


def _receive(pipe: Any) -> bytes | None:
    head = pipe.read(8)
    if len(head) < 8:
        return None
    (size,) = struct.unpack("<Q", head)
    content: bytes = pipe.read(size)
    return content
