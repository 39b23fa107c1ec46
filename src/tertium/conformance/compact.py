"""
Write out the texts that a compact description stands for.
"""

from __future__ import annotations

from typing import Any


def written_out(value: Any) -> Any:
    """
    Make the text or list that a description stands for.

    ``{"$repeat": s, "times": n, "suffix": t}`` is s n times and then t; ``{"$range": "w%d", "start": a, "stop": b}``
    numbered tokens joined by ``sep``; ``{"$concat": [x, y]}`` one after the other; ``{"$list": s, "times": n}`` n equal
    references; ``{"$nan": 1}`` the number that is none. Anything else stands for itself.

    Example:
        >>> written_out({"$range": "w%d", "stop": 3})
        'w0 w1 w2'
    """
    if isinstance(value, list):
        return [written_out(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return value["$repeat"] * value["times"] + value.get("suffix", "")
    if "$range" in value:
        numbers = range(value.get("start", 0), value["stop"])
        return value.get("sep", " ").join(value["$range"].replace("%d", str(number)) for number in numbers)
    if "$concat" in value:
        return "".join(written_out(item) for item in value["$concat"])
    if "$list" in value:
        return [written_out(value["$list"])] * value["times"]
    return float("nan")
