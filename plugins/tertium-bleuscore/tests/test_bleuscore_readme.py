"""
Run the examples of the README.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_examples_print_what_they_say() -> None:
    """Every example of the README runs, and prints what stands there."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, README.name, str(README), 0)
    problems: list[str] = []

    outcome = doctest.DocTestRunner().run(example, out=problems.append)

    assert outcome.attempted > 2
    assert outcome.failed == 0, "".join(problems)
