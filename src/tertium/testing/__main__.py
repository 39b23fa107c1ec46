"""
List the checks, or print the table of checks and the metrics that fail them: ``python -m tertium.testing [MODULE]``.

The module gives ``CULPRITS``, a mapping from the name of a check to the metric that must fail it and nothing else,
and may give ``SOUND``, a metric that passes all.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module

from tertium import Metric
from tertium.testing.contracts import Check, all_checks
from tertium.testing.trial import Blocked, CheckFailed

MARKS = {"passed": ".", "failed": "F", "blocked": "-", "out": " "}


def verdict(check: Check, metric: Metric, examples: int = 12) -> str:
    """
    Return how a metric does in a check: ``passed``, ``failed``, ``blocked`` by a more basic one, or ``out`` of its reach.
    """
    check = replace(check, claims=frozenset({"monotone"}), examples=examples)
    if not check.applies(metric):
        return "out"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            check(metric)
    except CheckFailed:
        return "failed"
    except Blocked:
        return "blocked"
    return "passed"


def table(culprits: Mapping[str, Metric], examples: int = 12) -> dict[str, dict[str, str]]:
    """
    Try every check on every metric.

    Returns:
        By the metrics' keys and then the checks' names, the verdict.
    """
    return {
        key: {check.name: verdict(check, metric, examples) for check in all_checks()}
        for key, metric in culprits.items()
    }


def lines(found: Mapping[str, Mapping[str, str]], names: Mapping[str, str]) -> list[str]:
    """
    Write the table: a row a metric, a column a check.
    """
    order = [check.name for check in all_checks()]
    shown = [f"{i:2}  {name.removeprefix('check_').replace('_', ' ')}" for i, name in enumerate(order, 1)]
    head = [
        "checks:",
        *(f"  {text}" for text in shown),
        "",
        "F failed   . passed   - blocked by the failure   blank: does not apply",
        "",
    ]
    width = max(map(len, names.values()))
    head.append(" " * width + " " + "".join(f"{i:3}" for i in range(1, len(order) + 1)))
    rows = [
        f"{names[key]:{width}} " + "".join(f"{MARKS[verdicts[name]]:>3}" for name in order)
        for key, verdicts in found.items()
    ]
    return [*head, *rows]


def main(words: Sequence[str]) -> int:
    """
    Print the checks, or the table for a module; 1 if a metric does not fail exactly its check.
    """
    if not words:
        for check in all_checks():
            sys.stdout.write(f"{check.theme:12} {check.name:40} {check.behaviour}\n")
        return 0
    sys.path.insert(0, "")
    module = import_module(words[0])
    culprits: dict[str, Metric] = dict(module.CULPRITS)
    if hasattr(module, "SOUND"):
        culprits = {"": module.SOUND, **culprits}
    found = table(culprits)
    names = {key: type(metric).__name__ for key, metric in culprits.items()}
    sys.stdout.write("\n".join(lines(found, names)) + "\n")
    wrong = [
        key for key, row in found.items() if [name for name, how in row.items() if how == "failed"] != [key] * bool(key)
    ]
    sys.stdout.write(f"{len(culprits)} metrics, {len(wrong)} that do not fail exactly their check\n")
    for key in wrong:
        failed = [name for name, how in found[key].items() if how == "failed"]
        sys.stdout.write(f"  {names[key]}: {', '.join(failed) or 'nothing'} instead of {key or 'nothing'}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
