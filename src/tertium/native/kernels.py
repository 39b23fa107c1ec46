"""
Compile kernels with numba, lazily, into a cache folder of our own.

A module that holds kernels decorates them with :func:`kernel`; importing that module is what loads numba, so
metrics import their kernel modules inside functions. ``NUMBA_DISABLE_JIT=1`` leaves every kernel plain Python.

The compiled code is kept in the user's cache folder (``TERTIUM_CACHE_DIR`` names another one), under a key made
of everything that changes it: the sources of the kernel's module and of every module of this package that it
imports, numba, Python, the machine and numba's code generation flags (to which numba itself adds the processor). numba
alone looks at one file, and so would keep code whose inner kernel has changed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import logging
import os
import platform
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = __name__.rpartition(".")[0]
COMPILER = f"{PACKAGE}.kernel_compiler"
LOGGER = logging.getLogger("tertium")

# the series of numba that our own compiler of kernels was tested with
_KNOWN = ("0.68",)

# numba's settings that change the code it makes
_FLAGS = ("BOUNDSCHECK", "CPU_FEATURES", "CPU_NAME", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "LOOP_VECTORIZE", "OPT")

unsigned = np.uint64
"""
Says that a place in an array is not negative: ``array[unsigned(place)]``. Otherwise compiled code asks each time
whether it counts from the end.
"""

_lock = threading.Lock()
_ours: set[str] = set()
_said: set[str] = set()


# What no kernel needs and every one would pay for at its first call: a second entry for calls by address, a search for
# array expressions to rewrite, and the counting of references to arrays, which are the caller's throughout.
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, "no_rewrites": True, "_nrt": False}


def kernel(function: Function) -> Function:
    """
    Compile a function over arrays with numba: serial, without the interpreter lock, cached on disk.

    Args:
        function: A function of a module, written in the part of Python that numba compiles in nopython mode, without
            ``raise``, ``with``, comprehensions and functions of its own. It makes no array and returns none, but for
            views within it (see :func:`allocating_kernel`). In plain Python it must give the same results: convert
            elements with ``np.int64(...)`` before arithmetic.

    Returns:
        The compiled function, or the function itself under ``NUMBA_DISABLE_JIT=1``.
    """
    return _compiled(function, _OPTIONS)


def allocating_kernel(function: Function) -> Function:
    """
    Compile a function as :func:`kernel` does that makes arrays or returns them, at the price of slower compilation.

    Args:
        function: See :func:`kernel`.

    Returns:
        As :func:`kernel`.
    """
    return _compiled(function, {**_OPTIONS, "_nrt": True})


def inner_kernel(function: Function) -> Function:
    """
    Compile a function that only kernels call: no machine code is made of it apart from theirs, and none is kept.

    Python may call it all the same, as tests do, and has it compiled as any kernel then.

    Args:
        function: See :func:`kernel`.

    Returns:
        As :func:`kernel`.
    """
    import numba

    compiled = kernel(function)
    if compiled is not function and _pipeline(numba.__version__):
        from tertium.native.kernel_compiler import InnerCompiler, link_within

        options = {**_OPTIONS, "no_cpython_wrapper": True, "pipeline_class": InnerCompiler}
        link_within(compiled, numba.njit(**options)(function))
    return compiled


def _compiled(function: Function, options: dict[str, Any]) -> Function:
    import numba

    config: Any = numba.config
    if config.DISABLE_JIT:
        return function
    options = {**options, **_pipeline(numba.__version__)}
    _listen()
    folder = cache_folder(function.__module__)
    _ours.add(f"{function.__module__}.{function.__qualname__}")
    if folder is None:
        return cast(Function, numba.njit(**options)(function))
    with _lock:  # numba reads its folder when a function is defined; users' own numba code keeps its own
        kept = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            return cast(Function, numba.njit(cache=True, **options)(function))
        finally:
            config.CACHE_DIR = kept


@functools.cache
def _pipeline(version: str) -> dict[str, Any]:
    """
    Give the option that chooses our own compiler, where it knows this version of numba.
    """
    if version.rpartition(".")[0] not in _KNOWN:
        return {}
    from tertium.native.kernel_compiler import KernelCompiler

    return {"pipeline_class": KernelCompiler}


def cache_root() -> Path:
    """
    Give the folder below which compiled kernels are kept: ``TERTIUM_CACHE_DIR``, or one in the user's cache folder.
    """
    chosen = os.environ.get("TERTIUM_CACHE_DIR")
    if chosen:
        return Path(chosen) / "kernels"
    import platformdirs

    return Path(platformdirs.user_cache_dir("tertium", appauthor=False)) / "kernels"


@functools.cache
def cache_folder(module: str) -> Path | None:
    """
    Give the folder for the compiled kernels of a module, made if need be, or None where nothing can be written or the
    module has no file, so that nothing would tell its kernels from others.

    Only the user's own folder is tried: compiled code is loaded by unpickling, so a place that others can write
    to (a shared temporary folder) must not hold it.
    """
    if _file(module) is None:
        return None
    root = cache_root()
    folder = root / cache_key(module)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        _note(f"compiled kernels cannot be kept in {root} ({error.strerror}): compiling anew in every process")
        return None
    return folder


def cache_key(module: str) -> str:
    """
    Name everything that changes the code of a module's kernels, as a hash.
    """
    import numba

    digest = hashlib.sha256()
    for name, source in sorted(_sources(module)):
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    facts = [numba.__version__, sys.version, sys.platform, platform.machine()]
    facts += [f"{flag}={getattr(numba.config, flag, None)}" for flag in _FLAGS]
    digest.update("\0".join(facts).encode())
    return digest.hexdigest()[:24]


def _sources(module: str) -> Iterator[tuple[str, bytes]]:
    waiting = [module, COMPILER]
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path is None:
            continue
        source = path.read_bytes()
        yield name, source
        for imported in _imports(source):
            if imported not in seen:
                seen.add(imported)
                waiting.append(imported)


def _file(module: str) -> Path | None:
    """
    Give the file that a module's source is in, or None without one, as for what is typed at a prompt.
    """
    if module == "__main__":
        origin = getattr(sys.modules[module], "__file__", None)
    else:
        found = find_spec(module)
        origin = None if found is None else found.origin
    return Path(origin) if origin and os.path.isfile(origin) else None


@functools.cache
def _imports(source: bytes) -> tuple[str, ...]:
    """
    Name the modules of this package that a module imports: of many kernels' modules each imports the same few.
    """
    found: list[str] = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            inner = [f"{statement.module}.{alias.name}" for alias in statement.names]
            names = [name for name in inner if name.startswith(PACKAGE + ".") and _is_module(name)] or [
                statement.module
            ]
        else:
            continue
        found += [name for name in names if name.startswith(PACKAGE + ".")]
    return tuple(found)


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the part before the last dot is a module, not a package
        return False


@functools.cache
def _listen() -> None:
    from numba.core import event

    register: Any = event.register

    class Compiling(event.Listener):
        def on_start(self, event: Any) -> None:
            compiled = event.data["dispatcher"].py_func
            if (
                f"{compiled.__module__}.{compiled.__qualname__}" in _ours
                and sys.stderr is not None
                and sys.stderr.isatty()
            ):
                _note("compiling kernels for their first use; later runs load them")

        def on_end(self, event: Any) -> None:
            pass

    register("numba:compile", Compiling())


def _note(text: str) -> None:
    if text not in _said:
        _said.add(text)
        LOGGER.warning("tertium: %s", text)
