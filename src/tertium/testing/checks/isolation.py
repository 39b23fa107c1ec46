"""
Check that a metric keeps to itself: no side effects, no output, no network.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import random
import sys
from collections.abc import Iterator

import numpy as np

from tertium.testing import processes
from tertium.testing.trial import Trial, require


def check_import_is_quiet(trial: Trial) -> None:
    """
    Importing the metric's module prints nothing, starts no thread, and leaves the interpreter's state as it is.
    """
    found = processes.imported(type(trial.metric).__module__)
    require(not found["changes"], "importing the module has no side effects", "; ".join(found["changes"]))


def check_import_is_light(trial: Trial) -> None:
    """
    Importing the metric's module imports neither the library behind it nor numba or torch.
    """
    heavy = {"numba", "torch"}
    if trial.info.library is not None:
        heavy |= _packages(trial.info.library)
    found = processes.imported(type(trial.metric).__module__)
    loaded = sorted(heavy & set(found["modules"]))
    require(not loaded, "a library is imported when it is first used", f"importing the module imports {', '.join(loaded)}",
            "Import it inside the function that needs it")  # fmt: skip


def check_scoring_leaves_no_trace(trial: Trial) -> None:
    """
    Scoring leaves random generators, environment, working folder, warnings and NumPy's error handling as they are.
    """
    trial.sound_outcome(trial.ordinary)  # what a library sets up on its first use is not the metric's doing
    state, numbers = random.getstate(), np.random.get_state()
    try:
        random.seed(987654321)
        np.random.seed(123456789)
        before = processes.state()
        trial.outcome(trial.ordinary)
        changes = processes.changes(before, processes.state())
    finally:
        random.setstate(state)
        np.random.set_state(numbers)
    require(not changes, "scoring leaves no trace", "; ".join(changes), "Draw from a generator of your own")


def check_scoring_prints_nothing(trial: Trial) -> None:
    """
    Scoring writes nothing to standard output, which belongs to results.
    """
    caught = io.StringIO()
    with contextlib.redirect_stdout(caught):
        trial.sound_outcome(trial.ordinary)
    require(not caught.getvalue(), "standard output belongs to results", f"scoring printed {caught.getvalue()[:60]!r}")


def check_scoring_needs_no_network(trial: Trial) -> None:
    """
    Scoring opens no connection to another machine.
    """
    trial.sound_outcome(trial.ordinary[:1])
    with _connections() as asked:
        try:
            trial.outcome(trial.ordinary)
        except Exception:
            if not asked:
                raise
    require(
        not asked,
        "scoring opens no connection",
        f"it asked for {', '.join(sorted(asked))}",
        "Bring data by a resource that the user fetches once",
    )


class _Watch:
    def __init__(self) -> None:
        self.asked: set[str] | None = None

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.asked is None or event not in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
            return
        place = arguments[1] if event == "socket.connect" else arguments[0]
        host = place[0] if isinstance(place, tuple) else place
        if isinstance(place, tuple) or event != "socket.connect":
            if str(host) in ("127.0.0.1", "::1", "localhost"):
                return
            self.asked.add(str(host))
            raise ConnectionRefusedError(f"a metric may not connect to {host}")


_watch: _Watch | None = None


@contextlib.contextmanager
def _connections() -> Iterator[set[str]]:
    global _watch
    if _watch is None:
        _watch = _Watch()
        sys.addaudithook(_watch)  # it cannot be taken out again, and does nothing while it is not asked to
    asked: set[str] = set()
    _watch.asked = asked
    try:
        yield asked
    finally:
        _watch.asked = None


def _packages(library: str) -> set[str]:
    try:
        files = importlib.metadata.distribution(library).files or []
    except importlib.metadata.PackageNotFoundError:
        return set()
    tops = {path.parts[0] for path in files if path.suffix == ".py" and ".." not in path.parts}
    return {top.removesuffix(".py") for top in tops}
