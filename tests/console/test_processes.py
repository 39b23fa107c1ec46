"""
The command line as a process of its own: streams, pipes, signals and full disks.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Process = Callable[..., subprocess.CompletedProcess[bytes]]

SLOW = """
import time
import numpy as np
import tertium

class Slow(tertium.Metric):
    '''Sleep.'''
    name, provider, columns, outputs = "slow", "slow", ("ones",), ("ones",)

    def statistics(self, prepared, constants):
        open({started!r} + prepared[0].id, "w").close()
        time.sleep(60)
        return np.ones((len(prepared), 1))

    def aggregate(self, sums):
        return sums

@tertium.hookimpl
def tertium_metrics():
    return [Slow]
"""


def test_result_and_errors_go_to_their_streams(process: Process, files: Path) -> None:
    """The result is on standard output alone, an error on standard error alone."""
    good = process("score", "exact-match", "data.jsonl", "--json", cwd=files)
    bad = process("score", "exact-match", "nope.jsonl", "--json", cwd=files)

    # one of two hypotheses equals its reference
    assert (good.returncode, good.stderr, json.loads(good.stdout)["results"][0]["value"]) == (0, b"", 0.5)
    assert (bad.returncode, bad.stdout) == (3, b"")
    assert bad.stderr.startswith(b"tertium: nope.jsonl: ")
    assert bad.stderr.count(b"\n") == 1


def test_output_is_utf_8_whatever_the_locale(process: Process, files: Path) -> None:
    """JSON is UTF-8 under every locale, and a table survives an encoding without arrows."""
    (files / "u.jsonl").write_text('{"id": "é", "hypothesis": "é", "references": ["é"]}\n', encoding="utf-8")
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}

    lines = process("score", "exact-match", "u.jsonl", "--per-case", "jsonl", cwd=files, env=ascii_only)
    table = process("score", "exact-match", "u.jsonl", cwd=files, env=ascii_only)

    assert json.loads(lines.stdout.decode("utf-8"))["id"] == "é"
    assert (table.returncode, table.stderr) == (0, b"")
    assert b"1.0000" in table.stdout
    assert table.stdout.isascii()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["score", "exact-match", "data.jsonl"], ["metrics"], ["--help"]])
def test_a_full_standard_output_is_exit_code_2(process: Process, files: Path, words: list[str]) -> None:
    """A result that cannot be written is an error in one line, without a traceback."""
    with open("/dev/full", "w") as full:
        done = process(*words, cwd=files, stdout=full, stderr=subprocess.PIPE)

    assert done.returncode == 2
    assert done.stderr.startswith(b"tertium: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "words", [["score", "exact-match", "data.jsonl"], ["score", "exact-match", "data.jsonl", "--per-case"]]
)
def test_a_closed_pipe_is_quiet(process: Process, files: Path, words: list[str]) -> None:
    """When nobody reads any more, the program ends without a word and with the status of SIGPIPE."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = process(*words, cwd=files, stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)

    assert (done.returncode, done.stderr) == (141, b"")


FOREGROUND = """
import signal
from tertium.console import main
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
"""
"""The program as it is run in the foreground of a terminal: jobs in a shell's background ignore Ctrl-C from the start."""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_everything_at_once(files: Path, tmp_path: Path, workers: str) -> None:
    """An interrupt ends the program and its workers at once: 130, one line, no traceback, no file, no process left."""
    site = tmp_path / "site"
    (site / "tertium_slow-1.dist-info").mkdir(parents=True)
    (site / "slow.py").write_text(SLOW.format(started=str(tmp_path / "started-")))
    (site / "tertium_slow-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tertium-slow\nVersion: 1\n"
    )
    (site / "tertium_slow-1.dist-info" / "entry_points.txt").write_text("[tertium]\nslow = slow\n")
    script = tmp_path / "run.py"
    script.write_text(FOREGROUND)
    words = ["score", "slow", "data.jsonl", "--workers", workers, "--chunk", "1", "--json", "--output", "out.json"]
    with subprocess.Popen(
        [sys.executable, str(script), *words],
        cwd=files,
        env={**os.environ, "PYTHONPATH": str(site), "TERTIUM_PLUGINS": "slow"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        try:
            deadline = time.monotonic() + 30
            while len(list(tmp_path.glob("started-*"))) < int(workers) and time.monotonic() < deadline:
                time.sleep(0.05)
            begun = time.monotonic()
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to every process of the group
            out, err = child.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            raise

    assert (child.returncode, out, err) == (130, b"", b"tertium: interrupted\n")
    assert time.monotonic() - begun < 10
    assert not list(files.glob("*out.json*"))
    with pytest.raises(ProcessLookupError):
        _wait_for_end_of_group(child.pid)


def _wait_for_end_of_group(group: int) -> None:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        os.killpg(group, 0)
        time.sleep(0.05)


def test_a_broken_plugin_does_not_stop_the_others(process: Process, files: Path, tmp_path: Path) -> None:
    """A plugin that fails to import is listed with its reason while the others score."""
    info = tmp_path / "site" / "tertium_torn-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tertium-torn\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tertium]\ntorn = torn_module_that_is_not_there\n")
    site = {"PYTHONPATH": str(tmp_path / "site"), "TERTIUM_PLUGINS": "torn,example"}

    listed = process("plugins", cwd=files, env=site)
    scored = process("score", "exact-match@all", "data.jsonl", "--json", cwd=files, env=site)

    assert b"No module named 'torn_module_that_is_not_there'" in listed.stdout
    assert json.loads(scored.stdout)["results"][0]["value"] == 0.5
    assert b"note: the plugin torn is left out" in scored.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor as a shell does")
@pytest.mark.parametrize(("closed", "code"), [(1, 2), (2, 0)])
def test_closed_streams_are_no_fault(files: Path, closed: int, code: int) -> None:
    """A closed standard output is an error in one line; a closed standard error changes nothing."""
    words = [sys.executable, "-c", "from tertium.console import main; main()", "score", "exact-match", "data.jsonl"]
    result = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *words], cwd=files, capture_output=True, timeout=120, check=False
    )

    assert result.returncode == code
    assert b"Traceback" not in result.stdout + result.stderr
    assert (b"standard output: it is closed" in result.stderr) == (closed == 1)
