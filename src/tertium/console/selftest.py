"""
Recompute textbook values: ``tertium selftest``.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import resources
from typing import Any

import click

from tertium.errors import TertiumError, UsageError

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Textbook:
    """
    Hold one value that a paper or a definition gives.

    Args:
        specs: What computes it; every provider that is installed is asked.
        value: The value, a number or a fraction as text.
        source: Where it is from, or how it follows from the definition.
        output: The output that has it; by default the headline.
        decimals: How many decimals the source prints, where it rounds.
        swapped: An output that must be the same when hypothesis and reference change places.
    """

    specs: tuple[str, ...]
    hypotheses: list[str]
    references: list[list[str]]
    value: float | str
    source: str
    sources: list[str] | None = None
    output: str | None = None
    decimals: int | None = None
    swapped: str | None = field(default=None)

    @property
    def number(self) -> float:
        """
        The value as a number.
        """
        return float(Fraction(self.value)) if isinstance(self.value, str) else float(self.value)

    def agrees(self, found: float) -> bool:
        """
        Say whether a result is the value, up to what the source's rounding hides.
        """
        hidden = 0.0 if self.decimals is None else 0.5 * 10.0**-self.decimals
        return math.isclose(found, self.number, rel_tol=TOLERANCE, abs_tol=hidden + 1e-12)


def textbook() -> tuple[Textbook, ...]:
    """
    Read the textbook values of the package.
    """
    text = resources.files("tertium").joinpath("textbook.toml").read_text(encoding="utf-8")
    return tuple(Textbook(**{**entry, "specs": tuple(entry["specs"])}) for entry in tomllib.loads(text)["value"])


@click.command("selftest", short_help="Recompute textbook values with every installed metric.")
@click.argument("metrics", metavar="[METRIC...]", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(metrics: tuple[str, ...], as_json: bool) -> int:
    """
    Recompute values that papers and definitions give, with every installed metric, and say which differ.

    Each value stands with its source. Google's GLEU is also counted from both sides: the matches must not change when
    hypothesis and reference change places. Exit code 1: something differs.
    """
    from tertium.console.output import emit

    names = _names(metrics)
    results = [result for entry in textbook() for result in _run(entry, names)]
    if as_json:
        from tertium.reports import json

        emit(json.document({"results": results}))
    else:
        emit(_lines(results))
    return 1 if any(result["status"] == "differs" for result in results) else 0


def _names(metrics: Sequence[str]) -> set[str] | None:
    if not metrics:
        return None
    from tertium.registry import registry
    from tertium.spec import parse

    names = {registry().name(name)[0] for name in metrics}
    known = {registry().name(parse(spec).metric)[0] for entry in textbook() for spec in entry.specs if _installed(spec)}
    unknown = names - known
    if unknown:
        raise UsageError(
            f"a selftest of {', '.join(sorted(unknown))}",
            "there is no textbook value of it",
            f"There are some of {', '.join(sorted(known))}",
        )
    return names


def _installed(spec: str) -> bool:
    from tertium.registry import registry
    from tertium.spec import parse

    try:
        registry().resolve(parse(spec))
    except TertiumError:
        return False
    return True


def _run(entry: Textbook, names: set[str] | None) -> Iterator[dict[str, Any]]:
    from tertium.cases import Cases
    from tertium.registry import registry
    from tertium.scoring import score
    from tertium.spec import parse

    cases = Cases(entry.hypotheses, entry.references, entry.sources)
    for spec in entry.specs:
        result: dict[str, Any] = {
            "spec": spec,
            "output": entry.output,
            "expected": entry.number,
            "source": entry.source,
        }
        if not _installed(spec):
            if names is None:
                yield {**result, "status": "absent", "value": None, "reason": "not installed"}
            continue
        if names is not None and registry().name(parse(spec).metric)[0] not in names:
            continue
        try:
            found = score(spec, cases)
            value = found[entry.output] if entry.output else found.value
            status = "agrees" if entry.agrees(value) else "differs"
            if entry.swapped is not None:
                other = score(
                    spec, Cases([texts[0] for texts in entry.references], [[text] for text in entry.hypotheses])
                )
                if other[entry.swapped] != found[entry.swapped]:
                    status = "differs"
                    result["reason"] = (
                        f"{entry.swapped} from both sides: {found[entry.swapped]} and {other[entry.swapped]}"
                    )
        except TertiumError as error:
            # A resource or library that is not there cannot be tested; anything else is a difference.
            absent = error.exit_code == 4
            yield {**result, "status": "absent" if absent else "differs", "value": None, "reason": str(error)}
            continue
        yield {**result, "status": status, "value": None if math.isnan(value) else value}


def _lines(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    for result in results:
        mark = {"agrees": "ok     ", "differs": "DIFFERS", "absent": "absent "}[result["status"]]
        shown = result["spec"] + (f".{result['output']}" if result["output"] else "")
        value = "" if result["value"] is None else f" = {result['value']:.10g}"
        wanted = "" if result["status"] == "agrees" else f", expected {result['expected']:.10g}"
        reason = f" ({result['reason']})" if result.get("reason") else ""
        yield f"{mark}  {shown}{value}{wanted}{reason}  [{result['source']}]\n"
    counts = {
        status: sum(result["status"] == status for result in results) for status in ("agrees", "differs", "absent")
    }
    yield f"{counts['agrees']} agree, {counts['differs']} differ, {counts['absent']} are not installed\n"
