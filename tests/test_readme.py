"""
The guides: every example in README.md and plugins/README.md runs and prints what it says.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tertium.errors

ROOT = Path(__file__).resolve().parents[1]
GUIDES = ("README.md", "plugins/README.md")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[tuple[str, str]]:
    """List the fenced blocks of a language, with the guide that they stand in."""
    return [
        (guide, body)
        for guide in GUIDES
        for found, body in BLOCK.findall((ROOT / guide).read_text(encoding="utf-8"))
        if found == language
    ]


def commands(body: str) -> list[tuple[str, str]]:
    """Split a console block into commands and what they print."""
    pieces = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)[1:]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


CONSOLE = [(guide, command, printed) for guide, body in blocks("console") for command, printed in commands(body)]


@pytest.mark.parametrize(("guide", "command", "printed"), CONSOLE, ids=[command for _, command, _ in CONSOLE])
def test_commands_print_what_the_guide_says(guide: str, command: str, printed: str) -> None:
    """A command of a guide succeeds and prints the lines that stand below it; three dots stand for any lines."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(printed, done.stdout, flags), f"{guide}: {done.stdout}"


@pytest.mark.parametrize(("guide", "body"), blocks("python"), ids=[guide for guide, _ in blocks("python")])
def test_python_examples_run(guide: str, body: str) -> None:
    """A session prints what it says; a plain block of code runs."""
    if ">>>" not in body:
        exec(compile(body, guide, "exec"), {"__name__": guide})
        return
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        doctest.DocTestParser().get_doctest(body, {}, guide, guide, 0)
    )
    assert (failed, tried > 0) == (0, True)


def test_readme_opens_with_the_two_commands() -> None:
    """README's first fenced block is the environment and the tests, one line each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = BLOCK.search(text)

    assert first is not None
    lines = first.group(2).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("python3 -m venv .venv && ")
    assert "pytest" in lines[1]


def test_guide_shows_the_example_plugin_as_it_is() -> None:
    """The author's guide holds the code of the example plugin, which stays under twenty lines."""
    source = (ROOT / "plugins/tertium-example/src/tertium_example.py").read_text(encoding="utf-8")

    assert source in [body for guide, body in blocks("python") if guide == "plugins/README.md"]
    assert len([line for line in source.splitlines() if line.strip()]) <= 20


def test_readme_lists_every_exit_code() -> None:
    """The table of exit codes has those of the exceptions, and 0, 1 and 130."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    kinds = [kind for kind in vars(tertium.errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]

    assert {0, 1, 130} | {kind.exit_code for kind in kinds if issubclass(kind, tertium.errors.TertiumError)} == listed


def test_guide_names_every_hook() -> None:
    """Each hook stands in the author's guide."""
    from tertium import hookspecs

    text = (ROOT / "plugins/README.md").read_text(encoding="utf-8")
    hooks = [name for name in vars(hookspecs) if name.startswith("tertium_")]

    assert sorted(hooks) == ["tertium_metrics", "tertium_resources"]
    assert [name for name in hooks if f"`{name}()`" not in text] == []
