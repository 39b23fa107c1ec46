"""
Time tertium beside its peers, in one run: ``python benchmarks/run.py [METRIC...]``.

Every figure goes from lists of strings to the value. tertium and its peers take turns, so that what else the machine
does hits all alike; the least of the runs counts. Two threads are allowed to every side. What the first call costs,
with kernels to compile and with kernels from the cache, is measured apart, in fresh processes.

``--growth`` shows time and memory at 10,000, 100,000 and 1,000,000 segments instead.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OTHERS = {"run", "rows", "corpora"}


def main() -> int:
    """
    Run the rows that were asked for and print a table.
    """
    parser = argparse.ArgumentParser(description="Time tertium beside its peers.")
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="which metrics; all by default")
    parser.add_argument("--segments", type=int, default=48_064, help="segments of the corpus (default 48,064)")
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the fastest counts (default 5)")
    parser.add_argument("--workers", type=int, default=2, help="threads for each side (default 2)")
    parser.add_argument("--no-peers", action="store_true", help="time tertium alone")
    parser.add_argument("--no-first-call", action="store_true", help="leave out what the first call costs")
    parser.add_argument("--growth", action="store_true", help="time and memory at 10,000 to 1,000,000 segments")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--one", nargs=2, metavar=("MODE", "SEGMENTS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS"):  # before any peer is imported
        os.environ[name] = str(options.workers)
    rows = [row for row in _rows() if not options.metrics or row.metric in options.metrics]
    unknown = set(options.metrics) - {row.metric for row in rows}
    if unknown:
        parser.error(
            f"no rows for {', '.join(sorted(unknown))}; there are {', '.join(sorted({r.metric for r in _rows()}))}"
        )
    if options.one:
        print(json.dumps(_one(rows[0], options.one[0], int(options.one[1]), options.workers)))
        return 0
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, ",
        end="",
    )
    print(
        f"tertium {importlib.metadata.version('tertium')}, {options.workers} threads, least of {options.repeat} runs\n"
    )
    figures = _growth(rows, options) if options.growth else _compare(rows, options)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def _rows() -> list[Any]:
    sys.path.insert(0, str(HERE))
    modules = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in OTHERS)
    return [row for name in modules for row in importlib.import_module(name).ROWS]


def _compare(rows: Sequence[Any], options: argparse.Namespace) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = []
    _line("metric", "segments", "tertium", "peer", "time", "ratio", "wanted", "values")
    _line(*["---"] * 8)
    for row in rows:
        for count, peers in _by_size(row, options):
            corpus = (row.corpus or importlib.import_module("corpora").translations)(count)
            figures += _side_by_side(row, corpus, peers, options)
    if not options.no_first_call:
        print("\nfirst call, with 100 segments:")
        for row in rows:
            figures.append(_first_call(row, options))
    return figures


def _by_size(row: Any, options: argparse.Namespace) -> list[tuple[int, list[Any]]]:
    sizes: dict[int, list[Any]] = {}
    for peer in () if options.no_peers else row.peers:
        sizes.setdefault(min(peer.segments or options.segments, options.segments), []).append(peer)
    return list(sizes.items()) or [(options.segments, [])]


def _side_by_side(row: Any, corpus: Any, peers: Sequence[Any], options: argparse.Namespace) -> list[dict[str, Any]]:
    runs: dict[str, Any] = {"tertium": row.ours(corpus, options.workers)}
    absent: dict[str, str] = {}
    for peer in peers:
        try:
            installed = importlib.metadata.version(peer.distribution) if peer.version else ""
            runs[peer.distribution] = peer.make(corpus)
        except ImportError as error:
            absent[peer.distribution] = (
                "absent" if isinstance(error, importlib.metadata.PackageNotFoundError) else str(error)
            )
            continue
        if installed != peer.version:
            absent[peer.distribution] = f"{installed} is installed"
            del runs[peer.distribution]
    runs["tertium"]()  # kernels in memory before anything is timed
    times: dict[str, float] = dict.fromkeys(runs, math.inf)
    values: dict[str, float] = {}
    for _ in range(options.repeat):
        for name, run in runs.items():
            start = time.perf_counter()
            values[name] = run()
            times[name] = min(times[name], time.perf_counter() - start)
    figures: list[dict[str, Any]] = []
    ours = times["tertium"]
    if not peers:
        _line(row.title, f"{len(corpus):,}", _seconds(ours), "", "", "", "", f"{values['tertium']:.6g}")
        figures.append({"row": row.title, "segments": len(corpus), "tertium": ours})
    for peer in peers:
        label = f"{peer.distribution} {peer.version}".rstrip() + (f" ({peer.note})" if peer.note else "")
        figure = {"row": row.title, "corpus": corpus.name, "segments": len(corpus), "tertium": ours, "peer": label}
        if peer.distribution in absent:
            figures.append({**figure, "absent": absent[peer.distribution]})
            _line(
                row.title,
                f"{len(corpus):,}",
                _seconds(ours),
                label,
                absent[peer.distribution],
                "",
                f"{peer.wanted:g}",
                "",
            )
            continue
        theirs = times[peer.distribution]
        ratio = theirs / ours
        shown = _agreement(values["tertium"], values[peer.distribution] * peer.scale, peer.tolerance)
        figures.append({**figure, "time": theirs, "ratio": ratio, "wanted": peer.wanted, "values": shown})
        wanted = f"{peer.wanted:g}" + ("" if ratio >= peer.wanted else " (missed)")
        _line(row.title, f"{len(corpus):,}", _seconds(ours), label, _seconds(theirs), f"{ratio:.1f}", wanted, shown)
    return figures


def _agreement(ours: float, theirs: float, tolerance: float | None) -> str:
    if tolerance is None:
        return "not the same quantity"
    if math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=1e-12):
        return "equal"
    return f"{ours:.10g} against {theirs:.10g}"


def _first_call(row: Any, options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        cold = _process(row, "first", 100, options, TERTIUM_CACHE_DIR=folder)
        warm = _process(row, "first", 100, options, TERTIUM_CACHE_DIR=folder)
    print(
        f"  {row.title}: {_seconds(cold['first'])} with kernels to compile, {_seconds(warm['first'])} with kernels from the cache"
    )
    return {"row": row.title, "compiling": cold["first"], "cached": warm["first"]}


def _growth(rows: Sequence[Any], options: argparse.Namespace) -> list[dict[str, Any]]:
    figures = []
    _line("metric", "segments", "tertium", "a segment", "memory beyond the input")
    _line(*["---"] * 5)
    for row in rows:
        for count in (10_000, 100_000, 1_000_000):
            found = _process(row, "growth", count, options)
            each = f"{found['time'] / count * 1e6:.2f} µs"
            _line(row.title, f"{count:,}", _seconds(found["time"]), each, f"{found['memory'] / 2**20:,.0f} MB")
            figures.append({"row": row.title, "segments": count, **found})
    return figures


def _process(row: Any, mode: str, count: int, options: argparse.Namespace, **environment: str) -> dict[str, float]:
    command = [
        sys.executable,
        str(HERE / "run.py"),
        row.metric,
        "--one",
        mode,
        str(count),
        "--workers",
        str(options.workers),
    ]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _one(row: Any, mode: str, count: int, workers: int) -> dict[str, float]:
    corpus = (row.corpus or importlib.import_module("corpora").translations)(count)
    run = row.ours(corpus, workers)
    if mode == "first":
        start = time.perf_counter()
        run()
        return {"first": time.perf_counter() - start}
    row.ours(corpus.first(100), workers)()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    run()
    took = time.perf_counter() - start
    return {"time": took, "memory": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024}


def _seconds(value: float) -> str:
    return f"{value:.3f} s"


def _line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
