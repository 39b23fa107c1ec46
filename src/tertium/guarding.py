"""
Stand between the host and what is handed to it: cases that lack what a metric needs, and providers that break the protocol.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium.cases import Cases
from tertium.errors import MissingReferences, MissingSources, ProviderBroken, Refused, TertiumError
from tertium.metric import Matrix, MetricInfo


def check_needs(info: MetricInfo, cases: Cases) -> None:
    """
    Refuse cases that lack what a metric needs.

    Raises:
        MissingReferences: A case has no reference, or not even an empty list of them.
        MissingSources: The cases have no sources.
        Refused: A case has several references and the metric takes one.
    """
    label = f"{info.name}@{info.provider}"
    if "reference-lists" in info.needs and cases.absent:
        case = cases[min(cases.absent)]
        raise MissingReferences(label, case.position, case.id, len(cases.absent), False)
    if "references" in info.needs or "one-reference" in info.needs:
        without = np.flatnonzero(cases.reference_counts == 0)
        if len(without):
            case = cases[int(without[0])]
            raise MissingReferences(label, case.position, case.id, len(without), case.references is not None)
    if "one-reference" in info.needs and int(cases.reference_counts.max()) > 1:
        case = cases[int(np.argmax(cases.reference_counts > 1))]
        raise Refused(
            f"{label} takes one reference a case",
            f"case {case.position} (id {case.id!r}) has {len(case.references or ()):,}",
            "Choose one of them, or another provider",
        )
    if "sources" in info.needs and cases.sources is None:
        raise MissingSources(label)


def errstate() -> Any:
    """
    Let divisions by zero and the like pass: what comes of them is checked.
    """
    return np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore")


class Guard:
    """
    Turn what a provider's code raises into an error that names the provider.
    """

    def __init__(self, info: MetricInfo, step: str) -> None:
        self._info, self._step = info, step

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if error is None or isinstance(error, (TertiumError, KeyboardInterrupt, MemoryError)):
            return
        if not isinstance(error, (Exception, SystemExit)):
            return
        if _while_importing(error):
            library = self._info.library or self._info.provider
            pin = f"{library}=={self._info.pinned}" if self._info.pinned else library
            raise ProviderBroken(
                f"{self._info.name}@{self._info.provider}",
                f"{library} cannot be imported ({type(error).__name__}: {error})",
                f"Run `pip install --force-reinstall {pin}`, or use another provider",
            ) from error
        raise ProviderBroken(
            f"{self._info.name}@{self._info.provider}",
            f"{self._step} raised {type(error).__name__}: {error}",
            "Use another provider, or tell the plugin's author",
        ) from error


def _while_importing(error: BaseException) -> bool:
    place = error.__traceback__
    while place is not None:  # below the guard, only an import runs the body of a module
        if place.tb_frame.f_code.co_name == "<module>":
            return True
        place = place.tb_next
    return isinstance(error, ImportError)


def checked(values: Any, shape: tuple[int, ...], info: MetricInfo, step: str) -> Matrix:
    """
    Return what a provider gave as float64, or say in which shape it came instead.

    Raises:
        ProviderBroken: It holds no numbers, or has another shape.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ProviderBroken(
            f"{info.name}@{info.provider}", f"{step} returned no numbers ({error})", "Tell the plugin's author"
        ) from error
    if array.shape != shape:
        raise ProviderBroken(
            f"{info.name}@{info.provider}",
            f"{step} returned shape {array.shape} instead of {shape}",
            "Tell the plugin's author",
        )
    return array
