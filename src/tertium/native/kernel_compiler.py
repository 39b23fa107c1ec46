"""
Compile kernels in about half of the time that numba's own order of passes takes.

numba compiles any Python; kernels are loops over arrays of numbers. What they never need is left out: the passes for
closures, ``with`` blocks, generators and literal loops, the deletions that end the lives of counted references, and
two of the three times that LLVM optimizes each function. Which signature ``+`` or ``a[i]`` has for given types is
looked up once and remembered; numba asks some fifteen candidates each time. The machine code is the same kind of code,
and numba's type inference, lowering and cache do the work.

The classes stand on parts of numba that are not its public interface, so :mod:`tertium.native.kernels` takes them only
under a numba that they were tested with; another one compiles kernels in its own, slower way, to the same results.
"""

from __future__ import annotations

import gc
import operator
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import codegen, compiler, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.core.utils import OPERATORS_TO_BUILTINS
from numba.cpython import builtins
from numba.extending import intrinsic, register_model

_PASSES: tuple[Any, ...] = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,  # for kernels that count references: it says where the life of each ends
    NativeLowering,
    NoPythonBackend,
)

_NUMBERS = (types.Number, types.Boolean)

# Types that say all about themselves: what an operation on them gives does not change while a process runs.
_PLAIN = (*_NUMBERS, types.Array, types.BaseTuple, types.RangeType, types.RangeIteratorType)

_lock = threading.Lock()
_compiling = 0
_collected = False


class KernelCompiler(compiler.CompilerBase):
    """
    Take a kernel through the passes that kernels need: what ``numba.njit(pipeline_class=...)`` asks for.
    """

    library: Any = None

    def define_pipelines(self) -> list[Any]:
        """
        Give the one pipeline, after telling the state to remember signatures and to optimize once.
        """
        state: Any = self.state
        state.typingctx = _remembering(state.typingctx)
        state.targetctx = _direct(state.targetctx.subtarget(typing_context=state.typingctx))
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [_KernelPasses()]

    def _compile_core(self) -> Any:
        with _no_collection():
            return super()._compile_core()  # type: ignore[no-untyped-call]


class InnerCompiler(KernelCompiler):
    """
    Stop before machine code, for kernels that only kernels call: what calls them takes them in and optimizes the whole.
    """

    def define_pipelines(self) -> list[Any]:
        """
        Give the pipeline of kernels, with an entry point that numba can tell from others and that is never entered.
        """
        pipelines = super().define_pipelines()
        self.state.targetctx = self.state.targetctx.subtarget(get_executable=_entry)
        return pipelines


def _entry(library: Any, *_: Any) -> Any:
    """
    Make a built-in function of its own for a library: numba finds compiled functions by their entry points.
    """
    return library.__sizeof__


def link_within(function: Any, inner: Any) -> None:
    """
    Let what other kernels call be compiled as inner kernels are, beside what Python calls.

    Args:
        function: The dispatcher that Python sees.
        inner: A dispatcher of the same function that compiles with :class:`InnerCompiler` and that Python never calls.
    """
    function.get_call_template = inner.get_call_template
    function.get_overload = inner.get_overload


class _KernelPasses:
    """
    Stand in for numba's pass manager, which checks and analyses the whole function again after each pass.
    """

    pipeline_name = "kernel"

    def __init__(self) -> None:
        self.exec_times: dict[str, Any] = {}

    @global_compiler_lock  # type: ignore[untyped-decorator]
    def run(self, state: Any) -> None:
        for compiler_pass in _PASSES:
            if compiler_pass is not IRLegalization or state.flags.nrt:
                compiler_pass().run_pass(state)


class _KernelLibrary(codegen.JITCodeLibrary):
    """
    Optimize a kernel once, whole, after the kernels that it calls are linked in.

    numba optimizes each function before, and the whole once more, to bring pairs of reference counts together.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        generator: Any = self._codegen
        passes, builder = generator._module_pass_manager()
        passes.run(self._final_module, builder)


KernelCompiler.library = _KernelLibrary


class _InnerLibrary(_KernelLibrary):
    """
    Hold the code of an inner kernel, and that of the kernels that it calls, as it was written down.
    """

    def finalize(self) -> None:
        """
        Take in what the kernel calls.
        """
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


InnerCompiler.library = _InnerLibrary


class _RememberingFunction(types.Function):
    """
    A function of numba's, such as ``+``, that remembers its signatures, and for which types there is none.
    """

    _known: dict[tuple[Any, ...], Any]
    _impl_keys: dict[Any, Any]
    _short: Any
    _arity: int

    def get_call_type(self, context: Any, args: tuple[Any, ...], kws: Any) -> Any:
        known = self._known
        if kws or not all(isinstance(given, _PLAIN) for given in args):
            return super().get_call_type(context, args, kws)
        if self._short and len(args) == self._arity and all(isinstance(given, _NUMBERS) for given in args):
            signature = self._short.get_call_type(context, args, kws)
            self._impl_keys[signature.args] = self._short.get_impl_key(signature)
            return signature
        if args not in known:
            try:
                known[args] = super().get_call_type(context, args, kws)
            except TypingError as error:
                known[args] = error.with_traceback(None)
        found = known[args]
        if isinstance(found, TypingError):
            raise found.with_traceback(None)
        return found


@intrinsic
def _least(context: Any, first: Any, second: Any) -> Any:
    return _chosen(context, first, second, operator.lt)


@intrinsic
def _greatest(context: Any, first: Any, second: Any) -> Any:
    return _chosen(context, first, second, operator.gt)


def _chosen(context: Any, first: Any, second: Any, better: Any) -> Any:
    """
    Give the type of one of two numbers, and what writes down which: numba's own code for that, without a tuple of them.
    """

    def write(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        minmax: Any = builtins.do_minmax
        return minmax(target, builder, signature.args, values, better)

    return context.unify_types(first, second)(first, second), write


_SHORT: dict[Any, tuple[Any, int]] = {int: (builtins.cast_int, 1), min: (_least, 2), max: (_greatest, 2)}
"""What stands for a function of numba's that would be compiled as a function of its own, and for how many numbers."""

register_model(_RememberingFunction)(models.OpaqueModel)


def _direct(target: Any) -> Any:
    """
    Make a target, one that is ours alone, answer at once where it has no special code.

    numba asks at each operator for code for its constants, at each element of an array for code for its kind of array,
    and where there is none, as always in kernels, looks through all its registries before it goes on.
    """
    kind: type = type(target)

    class Direct(kind):  # type: ignore[misc]
        def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
            if fn == "__array__":
                _firstcall = False
            elif isinstance(fn, _RememberingFunction) and fn.typing_key in OPERATORS_TO_BUILTINS:
                _firstcall = _firstcall and not any(isinstance(given, types.Literal) for given in sig.args)
            return super().get_function(fn, sig, _firstcall)

    target.__class__ = _directs.setdefault(kind, Direct)
    return target


_directs: dict[type, type] = {}


def _remembering(context: Any) -> Any:
    """
    Give a view of a typing context that remembers signatures: one for each context, with whose state it goes on.
    """
    made = _views.get(context)
    if made is None:
        made = _views[context] = _view(context)
    return made


_views: dict[Any, Any] = {}


def _view(context: Any) -> Any:
    functions: dict[Any, Any] = {}
    signatures: dict[tuple[Any, tuple[Any, ...]], Any] = {}

    class Remembering(type(context)):  # type: ignore[misc]
        def resolve_value_type(self, val: Any) -> Any:
            found = super().resolve_value_type(val)
            if type(found) is not types.Function:
                return found
            if found not in functions:
                function = object.__new__(_RememberingFunction)
                short, arity = _SHORT.get(found.typing_key, (None, 0))
                function.__dict__.update(found.__dict__, _known={}, _arity=arity)
                function._short = super().resolve_value_type(short) if short else None
                functions[found] = function
            return functions[found]

        def resolve_function_type(self, func: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            if (
                kws
                or isinstance(func, (types.Dispatcher, types.BoundFunction))
                or not all(isinstance(given, _PLAIN) for given in args)
            ):
                return super().resolve_function_type(func, args, kws)
            key = func, args
            if key not in signatures:
                signatures[key] = super().resolve_function_type(func, args, kws)
            return signatures[key]

    view = object.__new__(Remembering)
    view.__dict__ = context.__dict__
    return view


@contextmanager
def _no_collection() -> Iterator[None]:
    """
    Hold back the search for unreachable objects while any thread compiles: each would look at all that numba holds.
    """
    global _compiling, _collected
    with _lock:
        if not _compiling:
            _collected = gc.isenabled()
            gc.disable()
        _compiling += 1
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            if not _compiling and _collected:
                gc.enable()


def _after_fork() -> None:
    """
    Let a forked process, to which a thread that was compiling did not come along, collect again.
    """
    global _lock, _compiling
    _lock = threading.Lock()
    if _compiling and _collected:
        gc.enable()
    _compiling = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
