"""
Fuzz native against every pinned adapter, and write a table of what was found.

    python conformance/fuzz.py                                  ten minutes a pair
    python conformance/fuzz.py --time 60 --jobs 2               one minute a pair, two pairs at a time
    python conformance/fuzz.py --only jiwer --only rouge1@rouge-score

Each pair is an adapter and the native metric that it declares equivalent, so that every difference is unexplained or a
documented divergence; an adapter whose equivalent is not the native default is held against that as well, for the
conventions. A pair runs in a process of its own as ``tertium fuzz``. The table grows pair by pair; ``--save`` keeps the
smallest inputs as conformance cases. Exit code 0: nothing is unexplained.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import tertium
from tertium.errors import TertiumError
from tertium.registry import registry

HEAD = """\
| A | B | seed | cases | corpora | seconds | a second | differing | unexplained | explained by |
|---|---|--:|--:|--:|--:|--:|--:|--:|---|
"""

START = "from tertium.console import main; main()"

TWICE = frozenset({"chrf++", "gec-gleu+", "google-gleu"})
"""Other names of metrics that are there already."""


def pairs(only: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """
    Give native against adapter, first the declared equivalent and then, where that is another spec, the default.

    Args:
        only: Words of which a pair must hold one: a metric, a provider, or both as in ``bleu@nltk``.
    """
    for metric, providers in tertium.metrics().items():
        for provider in providers:
            spec = f"{metric}@{provider}"
            if metric in TWICE or provider == "native" or (only and not {metric, provider, spec} & set(only)):
                continue
            try:
                loaded = tertium.load(spec)
                if loaded.info.library is None:  # an example, which pins no library
                    continue
                equivalent = loaded.equivalent()
            except TertiumError as error:
                sys.stderr.write(f"{spec} is left out: {error}\n")
                continue
            native = str(registry().canonical(metric))
            exact = native if equivalent is None else str(registry().canonical(equivalent))
            yield exact, spec
            if exact != native:
                yield native, spec


def fuzzed(a: str, b: str, options: argparse.Namespace) -> dict[str, Any]:
    """
    Run one pair and return what ``tertium fuzz --json`` printed, or why there is nothing.
    """
    words = [sys.executable, "-c", START, "fuzz", a, b, "--json", "--seed", str(options.seed)]
    words += ["--count", str(options.count)] if options.count else ["--time", str(options.time)]
    words += ["--save", options.save] if options.save else []
    words += ["--corpus", options.corpus] if options.corpus else []
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"broken": (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]}
    return found


def row(a: str, b: str, seed: int, found: dict[str, Any]) -> str:
    """
    Write one row of the table.
    """
    names = [one.replace("|", "\\|") for one in (a.replace("@native", ""), b)]
    if "broken" in found:
        return f"| {names[0]} | {names[1]} | {seed} | | | | | | | {found['broken']} |\n"
    explained = [
        f"{', '.join(one['by'])}{' (documented)' if 'divergence' in one else ''} ×{one['seen']:,}"
        for one in found["findings"]
        if one["explained"]
    ]
    numbers = [f"{found['cases']:,}", f"{found['corpora']:,}", f"{found['seconds']:.0f}", f"{found['rate']:,.0f}"]
    numbers += [f"{found['differing']:,}", str(found["unexplained"])]
    return f"| {names[0]} | {names[1]} | {seed} | {' | '.join(numbers)} | {'; '.join(explained)} |\n"


def main(words: Sequence[str] | None = None) -> int:
    """
    Fuzz the pairs and return the exit code.
    """
    parser = argparse.ArgumentParser(description="Fuzz native against every pinned adapter.")
    parser.add_argument("--time", type=float, default=600.0, help="seconds a pair")
    parser.add_argument("--count", type=int, help="cases a pair, instead of a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="pairs at a time")
    parser.add_argument("--only", action="append", default=[], help="a metric, a provider, or metric@provider")
    parser.add_argument("--equivalents", action="store_true", help="leave out pairs that conventions part")
    parser.add_argument("--corpus", help="a data file whose text is changed, too")
    parser.add_argument("--save", help="folder for the smallest inputs")
    parser.add_argument("--table", type=Path, help="file that the table grows in; by default it is printed")
    parser.add_argument("--details", type=Path, help="file of JSON Lines for everything that was found")
    options = parser.parse_args(words)
    wanted = list(pairs(options.only))
    if options.equivalents:
        seen: set[str] = set()
        wanted = [pair for pair in wanted if not (pair[1] in seen or seen.add(pair[1]))]  # type: ignore[func-returns-value]
    lock, bad = threading.Lock(), []

    def put(text: str, first: bool = False) -> None:
        if options.table is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            with options.table.open("w" if first else "a", encoding="utf-8") as target:
                target.write(text)

    def one(pair: tuple[str, str]) -> None:
        found = fuzzed(*pair, options)
        with lock:
            put(row(*pair, options.seed, found))
            if options.details is not None:
                with options.details.open("a", encoding="utf-8") as target:
                    target.write(json.dumps({"pair": pair, **found}) + "\n")
            if found.get("unexplained", 1):
                bad.append(pair)

    put(HEAD, first=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, wanted))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
