"""
Memory: what a process and its children hold is known, whatever the system has to tell it by.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tertium.conformance import memory

HOLD = """
import subprocess, sys
kept = b"x" * 2**26
if len(sys.argv) == 2:
    child = subprocess.Popen([sys.executable, "-c", sys.argv[1], "and", "no more"], stdout=subprocess.PIPE)
    child.stdout.readline()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def group() -> Iterator[subprocess.Popen[bytes]]:
    """
    Start a process that leads a group and holds 64 MB, with a child that holds as much.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"ready\n"
    yield process
    process.stdin.close()
    process.wait()
    process.stdout.close()


def test_a_group_holds_what_its_processes_hold(group: subprocess.Popen[bytes]) -> None:
    """Both processes count, each with the 64 MB that it filled, and nothing of this process."""
    found = memory.resident(group.pid)

    assert 2 * 2**26 < found < 4 * 2**26


@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps")
def test_where_there_is_no_proc_ps_tells(group: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without /proc the same is read from ps."""
    known = memory.resident(group.pid)
    monkeypatch.setattr(memory, "PROCESSES", memory.PROCESSES / "nowhere")

    assert memory.resident(group.pid) == pytest.approx(known, rel=0.05)


def test_a_system_that_does_not_tell_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither is there, no process is ever too large."""
    monkeypatch.setattr(memory, "PROCESSES", memory.PROCESSES / "nowhere")
    monkeypatch.setenv("PATH", "")

    assert memory.resident(os.getpgrp()) == 0


def test_a_group_that_has_ended_holds_nothing() -> None:
    """The memory of a process that is gone is 0."""
    process = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    process.wait()

    assert memory.resident(process.pid) == 0
