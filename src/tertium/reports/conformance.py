"""
Show a conformance report in a terminal: counts by provider, what is not in order, groups of implementations.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tertium.reports.terminal import grid, say

VERDICTS = ("agrees", "explained", "unexplained", "error", "skipped")
COLOURS = {"agrees": "green", "explained": "cyan", "unexplained": "bold red", "error": "bold magenta", "skipped": "dim"}

Line = Mapping[str, Any]


def summary(lines: Sequence[Line]) -> list[Any]:
    """
    Draw the counts of verdicts by provider, and of all.

    Args:
        lines: A report's lines as plain data, header first and footer last.
    """
    header, footer = lines[0], lines[-1]
    counts: dict[str, Counter[str]] = {one["provider"]: Counter() for one in header["providers"]}
    for line in lines:
        if line["line"] == "result":
            counts[line["provider"]][line["verdict"]] += 1
    table = grid("provider", "version", *VERDICTS, right=VERDICTS)
    for one in header["providers"]:
        found = counts[one["provider"]]
        cells = [say(f"{found[verdict]:,}", COLOURS[verdict] if found[verdict] else "dim") for verdict in VERDICTS]
        table.add_row(say(one["provider"]), say(one["version"]), *cells)
    totals = ", ".join(f"{footer['counts'][verdict]:,} {verdict}" for verdict in VERDICTS)
    time = "" if footer["seconds"] is None else f" in {footer['seconds']:.1f} s"
    return [table, f"{header['suite']['cases']:,} cases, {footer['results']:,} results: {totals}{time}"]


def problems(lines: Iterable[Line], verdicts: Sequence[str]) -> list[Any]:
    """
    Draw every result of some verdicts: where, why, and the command that shows it alone.
    """
    found: list[Any] = []
    for line in lines:
        if line["line"] == "result" and line["verdict"] in verdicts:
            axes = f" [{', '.join(line['axes'])}]" if line["axes"] else ""
            found.append(
                f"{line['verdict']}: {line['case']} {line['metric']}@{line['provider']}: {line['reason']}{axes}"
            )
            if line["printed"]:
                found.append(f"    it printed: {' '.join(line['printed'].split())[:200]}")
            found.append(f"    $ {line['reproduce']}")
    return found


def skipped(lines: Iterable[Line], *, every: bool) -> list[Any]:
    """
    Draw why results were skipped.

    Args:
        every: Draw each reason with its number, not only the most frequent one of each provider.
    """
    reasons: dict[str, Counter[str]] = {}
    for line in lines:
        if line["line"] == "result" and line["verdict"] == "skipped":
            reasons.setdefault(line["provider"], Counter())[line["reason"]] += 1
    found: list[Any] = []
    for provider, counts in sorted(reasons.items()):
        if every:
            found += [f"skipped: {count:,} of {provider}: {reason}" for reason, count in sorted(counts.items())]
            continue
        reason, _ = counts.most_common(1)[0]
        others = f", and {len(counts) - 1:,} other reasons (--explained lists them)" if len(counts) > 1 else ""
        found.append(f"skipped: {counts.total():,} of {provider}: {reason}{others}")
    return found


def drift(lines: Iterable[Line]) -> list[Any]:
    """
    Draw what became other than in the stored report of another version.
    """
    found: list[Any] = []
    compared: Counter[tuple[str, str]] = Counter()
    changed: Counter[tuple[str, str]] = Counter()
    for line in lines:
        for one in line["against"] if line["line"] == "result" else ():
            if one["with"] == "drift":
                key = (line["provider"], one["version"])
                compared[key] += 1
                if not one["agrees"]:
                    changed[key] += 1
                    found.append(f"drift: {line['case']} {line['metric']}@{line['provider']}: {one['detail']}")
    totals = [
        f"{provider} against its stored version {version}: {changed[provider, version]:,} of {count:,} results changed"
        for (provider, version), count in sorted(compared.items())
    ]
    return [*found, *totals]


def groups(found: Iterable[tuple[str, str, Sequence[tuple[str, Sequence[str]]]]]) -> list[Any]:
    """
    Draw cases with the groups of implementations that agree.

    Args:
        found: Case, title, and what was given with the names of those that gave it.
    """
    parts: list[Any] = []
    for case, title, rows in found:
        parts.append(f"{case}: {title}")
        parts += [f"    {given}: {', '.join(names)}" for given, names in rows]
    return parts


def case(line: Line, results: Iterable[Line]) -> list[Any]:
    """
    Draw one case in full: its input, what is expected, and what each provider gave.
    """
    parts: list[Any] = [f"{line['id']}: {line['title']}", f"    {line['explanation']}"]
    parts.append(f"    axes {', '.join(line['axes'])}; tags {', '.join(line['tags'])}; params {_json(line['params'])}")
    for row in line["segments"]:
        source = f", source {_json(row['src'])}" if "src" in row else ""
        parts.append(f"    hypothesis {_json(row['hyp'])}, references {_json(row['refs'])}{source}")
    if line["textbook"] is not None:
        book = line["textbook"]
        exact = f" = {book['exact']}" if "exact" in book else ""
        parts.append(f"    textbook {_json(book['value'])}{exact} ({book.get('source', 'left open')})")
    for one in results:
        parts.append(f"    {one['provider']}: {one['verdict']}: {_outcome(one['outcome'])}  {one['spec'] or ''}")
        for other in one["against"]:
            detail = f": {other['detail']}" if other["detail"] else ""
            parts.append(f"        {other['with']} {'agrees' if other['agrees'] else 'differs'}{detail}")
    return parts


def _outcome(found: Line) -> str:
    if found["type"] in ("number", "infinite"):
        components = ", ".join(f"{name} {_json(value)}" for name, value in found["components"].items())
        return f"{found['value']} ({components})" if components else str(found["value"])
    return f"{found['type']} ({found.get('reason') or found.get('notice') or found.get('kind')})"


def _json(value: Any) -> str:
    return json.dumps(value)  # ASCII only, so that every invisible character shows
