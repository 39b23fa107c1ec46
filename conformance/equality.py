"""
Print the equality matrix: metric x implementation x settings, agreeing or diverging for a documented reason.

    python conformance/equality.py [FAMILY ...] [--details]

Every measured outcome of ``cases/`` is held against the native metric under the parameters that stand for that
implementation (``points/``). What differs must have its documented reason, and a reason that explains nothing any more
is an error too. Exit code 0: nothing is unexplained.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import tertium
from measured import Outcome, Record, records
from tertium.errors import BadNesting, BadText, CountMismatch, EmptyCorpus, MissingReferences, TertiumError
from tertium.spec import Spec, format_value

RELATIVE = 1e-9

REFUSED = (BadNesting, BadText, CountMismatch, EmptyCorpus, MissingReferences)
"""Input that no metric of tertium scores, whatever an implementation makes of it."""


@dataclass(frozen=True)
class Verdict:
    """
    Say how the native metric stands to one implementation on one case.

    Args:
        kind: ``agrees``, ``documented``, ``unexplained`` or ``stale``.
        settings: The native parameters, as a spec writes them.
        detail: The two values, or the reason.
    """

    family: str
    metric: str
    implementation: str
    version: str
    settings: str
    case: str
    kind: str
    detail: str


def families() -> list[str]:
    """
    List the families that have a module in ``points/``.
    """
    return sorted(path.stem for path in (Path(__file__).parent / "points").glob("*.py") if path.stem != "__init__")


def judge(family: str) -> list[Verdict]:
    """
    Hold every measured outcome of a family against the native metric.
    """
    points = importlib.import_module(f"points.{family}")
    verdicts: list[Verdict] = []
    used: set[tuple[str, str]] = set()
    for record in records(getattr(points, "FAMILY", family).replace("_", "-")):
        for outcome in record.outcomes:
            reason = _reason(points, record, outcome, used)
            params = points.point(outcome.implementation, record.params)
            if isinstance(params, str):
                kind, settings, detail = "documented", "", params
            else:
                settings = ",".join(f"{name}={_shown(value)}" for name, value in sorted(params.items()))
                kind, detail = _compare(points, record, outcome, params)
                if reason is not None and kind != "documented":
                    kind, detail = (
                        ("documented", reason) if detail else ("stale", f"agrees, yet a reason stands: {reason}")
                    )
            verdicts.append(
                Verdict(
                    family,
                    _metric(points, record, outcome),
                    outcome.implementation,
                    outcome.version,
                    settings,
                    record.id,
                    kind,
                    detail,
                )
            )
    for case, implementation in sorted(set(points.DIVERGENCES) - used):
        verdicts.append(
            Verdict(family, points.METRIC, implementation, "", "", case, "stale", "no such case or outcome")
        )
    return verdicts


def _metric(points: ModuleType, record: Record, outcome: Outcome) -> str:
    choose = getattr(points, "metric", None)
    return str(points.METRIC if choose is None else choose(outcome.implementation, record.params))


def _reason(points: ModuleType, record: Record, outcome: Outcome, used: set[tuple[str, str]]) -> str | None:
    for key in ((record.id, outcome.implementation), (record.id, "*")):
        if key in points.DIVERGENCES:
            used.add(key)
            return str(points.DIVERGENCES[key])
    return None


def _shown(value: Any) -> str:
    return format_value(value) if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _compare(points: ModuleType, record: Record, outcome: Outcome, params: dict[str, Any]) -> tuple[str, str]:
    """
    Say whether the native metric agrees with an outcome, and how it differs where it does not.
    """
    fails = outcome.status in ("error", "rejected", "undefined")
    try:
        score = _score(_metric(points, record, outcome), record, params)
    except REFUSED as error:
        return ("agrees", "") if fails else ("documented", f"such input is refused, not scored: {error.truth}")
    except TertiumError as error:
        return ("agrees", "") if fails else ("unexplained", f"{outcome.unit!r} against {type(error).__name__}: {error}")
    value = score[points.OUTPUT] if hasattr(points, "OUTPUT") else score.value
    unit = value / (100 if score.info.scale[1] == 100 else 1)
    if outcome.status == "undefined" and math.isnan(unit):
        return "agrees", ""
    if fails or outcome.unit is None:
        return "documented", f"the implementation gives no number ({outcome.status}); native gives {unit!r}"
    tolerance = getattr(points, "TOLERANCE", {}).get(outcome.implementation, 0.0)
    both_undefined = math.isnan(outcome.unit) and math.isnan(unit)
    if not both_undefined and not math.isclose(outcome.unit, unit, rel_tol=RELATIVE, abs_tol=tolerance):
        return "unexplained", f"{outcome.unit!r} against {unit!r}"
    compare = getattr(points, "compare", None)
    detail = str(compare(outcome, score)) if compare is not None else ""
    return ("unexplained", detail) if detail else ("agrees", "")


def _score(metric: str, record: Record, params: dict[str, Any]) -> tertium.Score:
    cases = tertium.Cases(record.hypotheses, record.references, record.sources)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = {
            name: value for name, value in params.items() if value is None or isinstance(value, (bool, int, float, str))
        }
        if len(plain) == len(params):
            return tertium.score(Spec(metric, "native", None, plain), cases)
        return tertium.score(type(tertium.load(Spec(metric, "native")))(**params), cases)


def main(arguments: list[str] | None = None) -> int:
    """
    Print the matrix of the families asked for.
    """
    parser = argparse.ArgumentParser(description="Hold the native metrics against every measured implementation.")
    parser.add_argument("family", nargs="*", help="families to judge; by default all")
    parser.add_argument("--details", action="store_true", help="print every case that does not agree")
    chosen = parser.parse_args(arguments)
    verdicts = [verdict for family in chosen.family or families() for verdict in judge(family)]
    table: dict[tuple[str, str, str, str], Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        table[verdict.metric, verdict.implementation, verdict.version, verdict.settings][verdict.kind] += 1
    out = sys.stdout
    out.write(f"{'metric':<14} {'implementation':<24} {'agree':>6} {'documented':>10} {'unexplained':>11}  settings\n")
    for (metric, implementation, _, settings), counts in sorted(table.items()):
        wrong = counts["unexplained"] + counts["stale"]
        out.write(
            f"{metric:<14} {implementation:<24} {counts['agrees']:>6} {counts['documented']:>10} {wrong:>11}  {settings}\n"
        )
    for verdict in verdicts:
        if verdict.kind in ("unexplained", "stale") or (chosen.details and verdict.kind != "agrees"):
            out.write(f"{verdict.kind}: {verdict.family}/{verdict.case} {verdict.implementation}: {verdict.detail}\n")
    totals = Counter(verdict.kind for verdict in verdicts)
    wrong = totals["unexplained"] + totals["stale"]
    out.write(f"{totals['agrees']:,} agree, {totals['documented']:,} diverge as documented, {wrong:,} unexplained\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
