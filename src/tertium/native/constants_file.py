"""
Freeze what a metric learned from one corpus to a file, and read it back.

The file is a NumPy archive: a header that names what was counted and how, the distinct words, and for every order the
n-grams as pairs of numbers with their counts. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import FormatError, OutputError, ParameterError
from tertium.native.columns import text_column
from tertium.native.frequencies import Frequencies, restored

FORMAT = "tertium constants 1"
PLAIN_FORMAT = "tertium document frequencies 1"
"""The JSON in which the plugin for pycocoevalcap keeps document frequencies."""
LONGEST = 64
"""Orders that a file may hold at most."""


@dataclass(frozen=True)
class Frozen:
    """
    Hold constants that were read from a file.

    Args:
        frequencies: The counts.
        facts: What was counted and how: ``kind``, ``orders``, ``tokenizer`` and so on.
        digest: SHA-256 of the counts and facts, whatever the file's bytes are.
    """

    frequencies: Frequencies
    facts: Mapping[str, Any]
    digest: str

    def __or__(self, other: Frozen) -> Frozen:
        return self

    def check(self, asked: str, wanted: Mapping[str, Any]) -> None:
        """
        Refuse constants that were built under other parameters.

        Args:
            asked: The metric and file, for the message.
            wanted: What the metric needs; ``orders`` may be fewer than the file has.

        Raises:
            ParameterError: Something differs; names both sides.
        """
        for name, value in wanted.items():
            given = self.facts.get(name)
            if given == value or (name == "orders" and isinstance(given, int) and given >= value):
                continue
            raise ParameterError(
                asked,
                f"the file was built with {name}={given}, and this metric needs {name}={value}",
                "Build it again with `tertium constants build` and the same parameters, or give the metric those of the file",
            )


def save(path: str | Path, frequencies: Frequencies, facts: Mapping[str, Any]) -> str:
    """
    Write constants to a file, whole or not at all, and return their digest.

    Raises:
        OutputError: The file cannot be written.
    """
    import os
    import tempfile

    whole = frequencies.merged
    arrays: dict[str, Any] = {
        "contents": whole.vocabulary.contents[: whole.vocabulary.edges[-1]],
        "edges": whole.vocabulary.edges,
    }
    for order, (keys, counts) in enumerate(zip(whole.keys, whole.counts, strict=True), 1):
        arrays[f"counts_{order}"] = counts
        if order > 1:
            arrays[f"keys_{order}"] = keys
    header = {"format": FORMAT, **facts, "cases": whole.cases}
    header["sha256"] = _digest(header, arrays)
    target = Path(path)
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            np.savez_compressed(file, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)
        os.replace(file.name, target)
    except OSError as error:
        raise OutputError(
            f"constants were to be written to {path}",
            f"{error.strerror or error}",
            "Name a file in a folder that can be written to",
        ) from error
    return str(header["sha256"])


def load(path: str | Path) -> Frozen:
    """
    Read constants from a file.

    Raises:
        FormatError: It cannot be read, or is not such a file, or not whole.
    """
    remedy = "Write it with `tertium constants build SPEC DATA -o FILE`"
    try:
        if not zipfile.is_zipfile(path):
            return _plain(Path(path))
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(
            str(path), f"cannot be read ({error.strerror or error})", "Name a file of constants"
        ) from error
    except (ValueError, KeyError, zipfile.BadZipFile, EOFError, NotImplementedError, zlib_error()) as error:
        raise FormatError(str(path), f"is not a whole archive of constants ({error})", remedy) from error
    try:
        header = json.loads(arrays.pop("header").tobytes())
        problem = _problem(header, arrays)
        if not problem:
            return _restored(header, arrays)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = str(error) or type(error).__name__
    raise FormatError(str(path), f"is no file of constants: {problem}", remedy)


def zlib_error() -> type[Exception]:
    """
    Give the exception that broken compressed data raise.
    """
    import zlib

    return zlib.error


def _restored(header: dict[str, Any], arrays: Mapping[str, Any]) -> Frozen:
    orders = header["orders"]
    words = len(arrays["edges"]) - 1
    keys = [np.arange(words, dtype=np.int64)] + [arrays[f"keys_{order}"] for order in range(2, orders + 1)]
    counts = [arrays[f"counts_{order}"] for order in range(1, orders + 1)]
    made = restored(header["cases"], arrays["contents"], arrays["edges"], keys, counts)
    facts = {name: value for name, value in header.items() if name not in ("format", "sha256")}
    return Frozen(made, facts, header["sha256"])


def _problem(header: Any, arrays: Mapping[str, Any]) -> str:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        return f"its header does not name the format {FORMAT!r}"
    orders, cases = header.get("orders"), header.get("cases")
    if not isinstance(orders, int) or not 1 <= orders <= LONGEST or not isinstance(cases, int) or cases < 1:
        return f"orders={orders!r} and cases={cases!r} must be whole numbers from 1"
    names = {
        "contents",
        "edges",
        *(f"counts_{n}" for n in range(1, orders + 1)),
        *(f"keys_{n}" for n in range(2, orders + 1)),
    }
    if set(arrays) != names:
        return f"it holds {', '.join(sorted(arrays))}"
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype != (np.uint32 if name == "contents" else np.int64):
            return f"{name} is {array.dtype} of {array.ndim} dimensions"
    if _digest(header, arrays) != header.get("sha256"):
        return "its contents do not match its checksum"
    edges, known = arrays["edges"], len(arrays["edges"]) - 1
    if known < 0 or edges[0] != 0 or edges[-1] != len(arrays["contents"]) or (np.diff(edges) < 0).any():
        return "the edges of its words are out of order"
    words = known
    for order in range(1, orders + 1):
        counts, keys = arrays[f"counts_{order}"], arrays.get(f"keys_{order}", arrays["edges"][:-1])
        if len(counts) != len(keys) or (counts < 1).any():
            return f"the counts of order {order} are not one positive number an n-gram"
        if order > 1:
            if ((keys < 0) | (keys >> 32 >= known) | (keys & 0xFFFFFFFF >= words)).any():
                return f"an n-gram of order {order} names a word that is not there"
            known = len(keys)
    return ""


def _digest(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps({k: v for k, v in header.items() if k != "sha256"}, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"\0{name}\0{len(arrays[name])}\0".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def _plain(path: Path) -> Frozen:
    """
    Read document frequencies that are kept as JSON.
    """
    remedy = "Write it with `tertium constants build SPEC DATA -o FILE`"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.get("format") != PLAIN_FORMAT:
            raise ValueError("it is neither an archive of constants nor JSON of document frequencies")
        made = _from_ngrams(content["frequencies"], int(content["documents"]), int(content["n"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(str(path), f"is no file of constants: {error}", remedy) from error
    facts = {"kind": "document frequencies", "orders": content["n"], "tokenizer": content["tokenizer"], "stem": "none"}
    shown = (
        json.dumps(sorted(content["frequencies"].items()))
        + json.dumps(facts, sort_keys=True)
        + str(content["documents"])
    )
    return Frozen(made, facts, hashlib.sha256(shown.encode()).hexdigest())


def _from_ngrams(frequencies: Mapping[str, int], documents: int, orders: int) -> Frequencies:
    levels: list[dict[tuple[str, ...], int]] = [{} for _ in range(orders)]
    counts: list[list[int]] = [[] for _ in range(orders)]
    split = {tuple(key.split(" ")): int(count) for key, count in frequencies.items()}
    for ngram in sorted(split, key=len):
        if not 1 <= split[ngram] <= documents or not 1 <= len(ngram) <= orders:
            raise ValueError(f"{' '.join(ngram)!r} stands in {split[ngram]} of {documents} documents")
        levels[len(ngram) - 1][ngram] = len(counts[len(ngram) - 1])
        counts[len(ngram) - 1].append(split[ngram])
    words = {ngram[0]: number for ngram, number in levels[0].items()}
    keys = [np.arange(len(words), dtype=np.int64)]
    for shorter, level in pairwise(levels):
        keys.append(np.array([shorter[ngram[:-1]] << 32 | words[ngram[-1]] for ngram in level], np.int64))
    column = text_column(list(words))
    contents = column.points.astype(np.uint32)
    return restored(documents, contents, column.offsets, keys, [np.array(row, np.int64) for row in counts])
