"""
Read what commands that compare two metrics take: two specs and one corpus.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.console.corpus import read_systems
from tertium.errors import UsageError

if TYPE_CHECKING:
    from tertium.cases import Cases


def two_specs(words: Sequence[str], hypotheses: Sequence[str], command: str) -> tuple[str, str, str | None]:
    """
    Part positional words into two specs and, where no ``--hyp`` is given, the data file at the end.

    Raises:
        UsageError: There are more or fewer words.
    """
    wanted = 2 if hypotheses else 3
    if len(words) != wanted:
        what = "two specs" if hypotheses else "two specs and a data file"
        raise UsageError(
            f"`tertium {command}` takes {what}",
            f"{len(words)} word{'s were' if len(words) != 1 else ' was'} given: {' '.join(words)}",
            f"Write `tertium {command} A B DATA`, or `tertium {command} A B --hyp FILE --ref FILE`",
        )
    if len(hypotheses) > 1:
        raise UsageError(
            f"`tertium {command}` with {len(hypotheses)} systems", "it looks at one corpus at a time", "Give one --hyp"
        )
    look_here(words[:2])
    return words[0], words[1], None if hypotheses else words[2]


def look_here(specs: Iterable[str]) -> None:
    """
    Let specs name modules of the current folder, as ``python -c`` does.
    """
    if any(spec.startswith("py:") for spec in specs) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def read_one(data: str | None, options: Mapping[str, Any], say: Callable[[str], None]) -> Cases:
    """
    Read the corpus.
    """
    return read_systems(data, options, say)[0][1]
