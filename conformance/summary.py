"""
Summarise the stored reports as a table in Markdown: outcomes by implementation and version.

    python conformance/summary.py            print it
    python conformance/summary.py --write    put it into README, where the last one stands
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tertium.conformance.recorded import load_recorded
from tertium.reports.matrix import VERDICTS

README = Path(__file__).resolve().parents[1] / "README.md"
BETWEEN = re.compile(r"(<!-- conformance/summary\.py -->\n).*?(<!-- end -->)", re.DOTALL)


def summary() -> str:
    """
    Return the table, native first, with the sums in its last row.
    """
    rows = [
        (provider, version, [report.counts.get(verdict, 0) for verdict in VERDICTS])
        for provider, versions in load_recorded().reports.items()
        for version, report in versions.items()
    ]
    rows.sort(key=lambda row: (row[0] != "native", row[0], row[1]))
    total = [sum(counts) for counts in zip(*(counts for _, _, counts in rows), strict=True)]
    lines = [f"| implementation | version | {' | '.join(VERDICTS)} |", f"|---|---|{'--:|' * len(VERDICTS)}"]
    lines += [f"| {name} | {version} | {' | '.join(map(str, counts))} |" for name, version, counts in rows]
    lines.append(f"| together | | {' | '.join(map(str, total))} |")
    return "\n".join(lines) + "\n"


def in_readme(text: str) -> str:
    """
    Return README's text with the table of today in it.
    """
    return BETWEEN.sub(lambda found: f"{found.group(1)}{summary()}{found.group(2)}", text)


def main(words: list[str]) -> None:
    """
    Print the table, or write it into README.
    """
    if words == ["--write"]:
        README.write_text(in_readme(README.read_text(encoding="utf-8")), encoding="utf-8")
        return
    sys.stdout.write(summary())


if __name__ == "__main__":
    main(sys.argv[1:])
