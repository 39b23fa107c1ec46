"""
Kernels that our own order of passes compiles do what numba's own makes of them, and what they take they give back.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tertium.native import kernels

SCORE = """
import gc, json
import tertium
from tertium.native import kernels
{before}
cases = tertium.Cases(
    ["a b c d", "Ł 1,5.", "", "😀 a", "the cat sat on the mat . the end"],
    [["a b x d", "a"], ["Ł 1,5"], ["x"], ["a 😀", "b"], ["on the mat the cat sat .", "an end"]],
)
specs = "bleu", "ter", "wer", "rougeLsum", "cider-d", "ribes"
results = [tertium.score(spec, cases) for spec in specs]
values = [[result.to_dict(), [list(map(float, column)) for column in result.per_case.values()]] for result in results]
assert gc.isenabled()
print(json.dumps(values, default=str))
"""


def scored(folder: Path, before: str) -> str:
    """
    Compile and score in a fresh interpreter with a cache of its own.
    """
    done = subprocess.run(
        [sys.executable, "-c", SCORE.format(before=before)],
        env={**os.environ, "TERTIUM_CACHE_DIR": str(folder), "NUMBA_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_compilers_give_the_same(tmp_path: Path) -> None:
    """
    Every figure of six metrics is equal to the last bit, whichever compiler made their kernels.
    """
    ours = scored(tmp_path / "ours", "assert kernels._pipeline(__import__('numba').__version__)")
    stock = scored(tmp_path / "stock", "kernels._KNOWN = ()")
    assert ours == stock


def test_only_a_known_numba_is_compiled_with() -> None:
    """
    The compiler stands on numba's inner parts, so a series that it was not tested with compiles in its own way.
    """
    assert set(kernels._pipeline("0.68.1")) == {"pipeline_class"}
    assert kernels._pipeline("0.68.0rc1") == kernels._pipeline("0.68.1")
    assert kernels._pipeline("0.69.0") == {}
    assert kernels._pipeline("1.0") == {}


def test_the_installed_numba_is_known() -> None:
    """
    When the pinned numba moves on, this says that the compiler wants looking at.
    """
    import numba

    assert kernels._pipeline(numba.__version__)


def test_arrays_that_kernels_make_are_given_back(tmp_path: Path) -> None:
    """
    A kernel that makes arrays frees what it does not return, and its caller frees the rest.
    """
    (tmp_path / "growing.py").write_text(
        textwrap.dedent(
            """
    import numpy as np
    from numba.core.runtime import rtsys
    from tertium.native.kernels import allocating_kernel

    @allocating_kernel
    def grow(values):
        room = np.empty(2, np.int64)
        used = 0
        for value in values:
            if used == len(room):
                larger = np.empty(2 * used, np.int64)
                larger[:used] = room
                room = larger
            room[used] = value
            used += 1
        return room[:used]

    values = np.arange(1000)
    for _ in range(20):
        assert (grow(values) == values).all()
    stats = rtsys.get_allocation_stats()
    assert stats.alloc == stats.free > 0, stats
    """
        )
    )
    done = subprocess.run(
        [sys.executable, "-c", "import growing"],
        env={**os.environ, "NUMBA_NRT_STATS": "1", "TERTIUM_CACHE_DIR": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # newer Pythons warn where there are threads
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_collection_goes_on_after_compiling() -> None:
    """
    Python's search for unreachable objects rests while threads compile, and is then as it was, on or off; in a forked process, too.
    """
    compiler = pytest.importorskip("tertium.native.kernel_compiler")
    assert gc.isenabled()
    with compiler._no_collection():
        assert not gc.isenabled()
        with compiler._no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with compiler._no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
    with compiler._no_collection():
        child = os.fork()
        if child == 0:
            os._exit(0 if gc.isenabled() and not compiler._compiling else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert not gc.isenabled()
    with pytest.raises(RuntimeError, match="stopped"), compiler._no_collection():
        raise RuntimeError("stopped")
    assert gc.isenabled()


def test_inner_kernels_are_part_of_what_calls_them(tmp_path: Path) -> None:
    """
    Kernels call an inner kernel, which calls another; Python calls it, too, before and after; only the last is kept.
    """
    (tmp_path / "nested.py").write_text(
        textwrap.dedent(
            """
    import sys
    import numpy as np
    from tertium.native.kernels import inner_kernel, kernel

    @inner_kernel
    def low(values, place):
        return values[place] * 2

    @inner_kernel
    def middle(values, place):
        return low(values, place) + 1

    @kernel
    def top(values, first):
        total = 0
        for place in range(first, len(values)):
            total += middle(values, place)
        return total

    values = np.arange(1000)
    if sys.argv[1] == "inner first":
        assert middle(values, 3) == 7
    for array in values, values.astype(np.int32), values[::2]:
        assert top(array, 0) == 2 * array.sum() + len(array)
    assert middle(values, 3) == 7 and low(values, 4) == 8
    """
        )
    )
    kept = tmp_path / "cache"
    for order in "top first", "inner first", "inner first":
        done = subprocess.run(
            [sys.executable, "-c", "import nested", order],
            env={**os.environ, "TERTIUM_CACHE_DIR": str(kept)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert len(list(kept.rglob("nested.top*.nbc"))) == 3
    assert len(list(kept.rglob("nested.low*.nbc"))) == 1, "what kernels call is kept only as Python called it"
