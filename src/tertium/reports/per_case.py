"""
Write scores case by case, as TSV or JSON Lines, at full precision and with signatures.

Both writers take parts: one a system and spec, each ``{"system", "spec", "signature", "ids", "outputs"}`` where
``outputs`` maps an output's name to one number a case; ``groups``, where it is there, maps ``cluster`` and
``label.NAME`` to one text a case. Parts of one system stand side by side on one line a case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from tertium.reports import json
from tertium.reports.text import exact, field

Part = Mapping[str, Any]


def tsv(parts: Sequence[Part]) -> Iterator[str]:
    """
    Yield a header and then one line a case.

    The columns are ``system`` (where several were scored), ``position`` (counted from 0), ``id``, ``cluster`` and
    ``label.NAME`` where there are any, one ``SPEC/OUTPUT`` a spec and output, and last one ``SPEC/signature`` a spec. An undefined value is ``null``;
    tabs, line ends and other control characters in an id are written as ``\\t``, ``\\n``, ``\\x1b``.
    """
    groups = _by_system(parts)
    named = groups[0][0]["system"] is not None
    shapes = dict.fromkeys((part["spec"], tuple(part["outputs"])) for part in parts)
    header = ["system"] if named else []
    header += ["position", "id", *groups[0][0].get("groups", ())]
    header += [f"{spec}/{output}" for spec, outputs in shapes for output in outputs]
    header += [f"{spec}/signature" for spec, _ in shapes]
    yield "\t".join(map(field, header)) + "\n"
    for group in groups:
        ids = group[0]["ids"]
        found = {part["spec"]: part for part in group}
        start = f"{field(str(group[0]['system']))}\t" if named else ""
        end = "".join("\t" + field(str(found[spec]["signature"]) if spec in found else "null") for spec, _ in shapes)
        # A spec that failed for this system only has no values here: its cells are null.
        nothing = [math.nan] * len(ids)
        columns = [
            found[spec]["outputs"][output] if spec in found else nothing
            for spec, outputs in shapes
            for output in outputs
        ]
        names = ["\t".join(map(field, found)) for found in zip(ids, *group[0].get("groups", {}).values(), strict=True)]
        for position, (name, *numbers) in enumerate(zip(names, *columns, strict=True)):
            yield f"{start}{position}\t{name}\t" + "\t".join(map(exact, numbers)) + end + "\n"


def jsonl(parts: Sequence[Part]) -> Iterator[str]:
    """
    Yield one object a case: ``{"position", "id", "scores": {SPEC: {OUTPUT: number}}, "signatures": {SPEC: text}}``.

    ``system`` stands first where several were scored, ``cluster`` and ``label.NAME`` after the id where there are any.
    """
    for group in _by_system(parts):
        start = {} if group[0]["system"] is None else {"system": group[0]["system"]}
        signatures = {part["spec"]: part["signature"] for part in group}
        shapes = [(part["spec"], tuple(part["outputs"])) for part in group]
        columns = [values for part in group for values in part["outputs"].values()]
        groups = group[0].get("groups", {})
        names = [
            dict(zip(("id", *groups), row, strict=True)) for row in zip(group[0]["ids"], *groups.values(), strict=True)
        ]
        for position, (name, *numbers) in enumerate(zip(names, *columns, strict=True)):
            values = iter(numbers)
            scores = {spec: {output: plain(next(values)) for output in outputs} for spec, outputs in shapes}
            yield json.line({**start, "position": position, **name, "scores": scores, "signatures": signatures})


def plain(value: float) -> float | str | None:
    """
    Return a number that JSON can carry.
    """
    if math.isfinite(value):
        return float(value)
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _by_system(parts: Sequence[Part]) -> list[list[Part]]:
    if not parts:
        raise ValueError("there is nothing to write")
    return [list(group) for _, group in groupby(parts, key=lambda part: part["system"])]
