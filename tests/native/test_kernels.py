"""
The kernel cache: keyed by all that changes the code, private, safe at first entry; and kernels that stay in bounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.native import kernels

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SCORE = """
import tertium
cases = tertium.Cases(["a b c d", "Ł 1,5.", "", "😀 a"], [["a b x d", "a"], ["Ł 1,5"], ["x"], ["a 😀", "b"]])
print([tertium.score(spec, cases).value for spec in ("bleu", "bleu:tokenize=zh", "bleu:tokenize=intl,reference_length=average")])
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """
    Give a function that runs a program in a fresh interpreter with a cache folder of its own.
    """

    def start(program: str, folder: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        return subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**clean, "TERTIUM_CACHE_DIR": str(folder or tmp_path / "cache"), **settings},
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    return start


def test_compiled_checked_and_plain_give_the_same(run: Run) -> None:
    """
    The first run compiles, the second loads; with bounds checks and as plain Python the values are the same.
    """
    first, second = run(SCORE), run(SCORE)
    checked = run(SCORE, NUMBA_BOUNDSCHECK="1")
    plain = run(SCORE, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    for other in (first, second, checked, plain):
        assert other.returncode == 0, other.stderr
        assert other.stderr == ""
        assert other.stdout == first.stdout


CULPRIT = """
import numpy as np
from tertium.native.kernels import kernel

@kernel
def read_past_the_end(numbers):
    total = 0
    for position in range(len(numbers) + 1):
        total += numbers[position]
    return total

read_past_the_end(np.ones(4, np.int64))
"""


def test_bounds_checks_bite(run: Run, tmp_path: Path) -> None:
    """
    A kernel that reads one element too far fails under NUMBA_BOUNDSCHECK=1, even where unchecked code is in the cache.
    """
    (tmp_path / "culprit.py").write_text(CULPRIT, encoding="utf-8")
    assert run("import culprit").returncode == 0
    caught = run("import culprit", NUMBA_BOUNDSCHECK="1")
    assert caught.returncode == 1
    assert "IndexError" in caught.stderr


def test_kernels_stay_in_bounds_on_every_edge(run: Run) -> None:
    """
    Under bounds checks, empty texts, one character, no tokens, long texts, every width and every tokenizer score.
    """
    program = """
    import itertools
    import tertium
    texts = ["", " ", "a", ".", "5-", "-", "a.", ".a", " . ", "中", "中.", "😀", "x " * 300, "\\0", "1.1.1.", "é" * 50]
    pairs = list(itertools.product(texts, texts))
    cases = tertium.Cases([a for a, _ in pairs], [[b, a + b][: 1 + len(a) % 2] for a, b in pairs])
    narrow = tertium.Cases(["a b", ""], [["a b", ""], [""]])
    for name in ("none", "13a", "intl", "char", "zh", "mteval-v13a", "mteval-v14-intl", "mteval-v14-intl-e"):
        for rule in ("closest", "average", "longest"):
            spec = f"bleu:tokenize={name},reference_length={rule},max_order=7"
            tertium.score(spec, cases), tertium.score(spec, narrow)
    """
    checked = run(program, NUMBA_BOUNDSCHECK="1")
    assert checked.returncode == 0, checked.stderr


def test_threads_and_processes_may_enter_at_once(run: Run, tmp_path: Path) -> None:
    """
    Eight threads in each of two processes make the first call at the same time, on one empty cache.
    """
    program = """
    import threading
    import tertium
    cases = tertium.Cases(["a b c d"] * 3, [["a b c d"]] * 3)
    values, gate = [], threading.Barrier(8)
    def work():
        gate.wait()
        values.append(tertium.score("bleu", cases).value)
    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert values == [100.0] * 8, values
    """
    running = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**os.environ, "TERTIUM_CACHE_DIR": str(tmp_path / "cache")},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors


def test_nowhere_to_write_is_said_once_and_does_no_harm(run: Run, tmp_path: Path) -> None:
    """
    Where the cache folder cannot be made, kernels compile in memory after one note on stderr.
    """
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run(SCORE, folder=blocked)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run(SCORE).stdout
    assert done.stderr.count("compiling anew in every process") == 1


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="the system has no pseudo-terminals")
def test_a_terminal_is_told_once_that_kernels_compile(tmp_path: Path) -> None:
    """
    Compiling for the first time is said on a terminal, once; from the cache nothing is said.
    """
    said = []
    for _ in range(2):
        reader, terminal = os.openpty()
        subprocess.run(
            [sys.executable, "-c", "import tertium; tertium.score('bleu', tertium.Cases(['a b'], [['a b']]))"],
            env={**os.environ, "TERTIUM_CACHE_DIR": str(tmp_path / "cache")},
            stderr=terminal,
            check=True,
        )
        os.close(terminal)
        with os.fdopen(reader, "rb") as stream:
            try:
                said.append(stream.read1(4096).decode())
            except OSError:  # nothing was written before the other end closed
                said.append("")
    assert said[0].count("compiling kernels for their first use") == 1
    assert said[1] == ""


def test_numba_code_of_others_keeps_its_own_cache(run: Run, tmp_path: Path) -> None:
    """
    Importing kernels does not move the cache of a user's own compiled functions.
    """
    (tmp_path / "users.py").write_text("import numba\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n")
    program = "import tertium.native.effective_lengths, users, numba; users.twice(2); assert not numba.config.CACHE_DIR, numba.config.CACHE_DIR"
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "__pycache__").glob("users.twice*.nbi"))


SQUARES = """
from tertium.native.kernels import kernel
@kernel
def square(x):
    return x * x
print(square(12))
"""


def test_kernels_of_a_script_and_of_a_prompt_compile(run: Run, tmp_path: Path) -> None:
    """
    A kernel may stand in a script that is run, where it is kept for the next run, or be typed, where it is not kept.
    """
    script, folder = tmp_path / "squares.py", tmp_path / "cache"
    script.write_text(SQUARES)
    for _ in range(2):
        settings = {**os.environ, "TERTIUM_CACHE_DIR": str(folder)}
        done = subprocess.run([sys.executable, str(script)], env=settings, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "144\n"), done.stderr
    assert len(list(folder.rglob("squares.square*.nbc"))) == 1
    typed = run(SQUARES, tmp_path / "other")
    assert (typed.returncode, typed.stdout) == (0, "144\n"), typed.stderr
    assert not list((tmp_path / "other").rglob("*.nbc"))


def test_a_change_in_an_imported_kernel_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The key covers the module's own source and those of the kernel modules that it imports, and numba's flags.
    """
    import numba

    package = tmp_path / "grounds"
    package.mkdir()
    (package / "__init__.py").write_text("")
    inner, outer = package / "inner.py", package / "outer.py"
    inner.write_text("A = 1\n")
    outer.write_text("from grounds import inner\nfrom grounds.inner import A\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(kernels, "PACKAGE", "grounds")
    before = kernels.cache_key("grounds.outer")
    assert kernels.cache_key("grounds.outer") == before
    inner.write_text("A = 2\n")
    changed = kernels.cache_key("grounds.outer")
    assert changed != before
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    assert kernels.cache_key("grounds.outer") != changed


def test_only_the_users_own_folder_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Compiled code is kept in the user's cache folder, never in a shared temporary one.
    """
    import tempfile

    import platformdirs

    monkeypatch.delenv("TERTIUM_CACHE_DIR", raising=False)
    assert kernels.cache_root() == Path(platformdirs.user_cache_dir("tertium", appauthor=False)) / "kernels"
    assert Path(tempfile.gettempdir()) not in kernels.cache_root().parents or "XDG_CACHE_HOME" in os.environ
