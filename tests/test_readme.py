"""
The guides: every example in README.md and plugins/README.md runs and prints what it says.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

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
def test_commands_print_what_the_guide_says(guide: str, command: str, printed: str, tmp_path: Path) -> None:
    """A command of a guide succeeds and prints the lines that stand below it; three dots stand for any lines."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1"}
    place = tmp_path if command.startswith("tertium new ") else ROOT
    done = subprocess.run(command, shell=True, cwd=place, env=environment, capture_output=True, text=True, check=False)

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
    """Each hook stands in the author's guide, in its table and (but for resources) in code."""
    from tertium import hookspecs

    text = (ROOT / "plugins/README.md").read_text(encoding="utf-8")
    hooks = [name for name in vars(hookspecs) if name.startswith("tertium_")]

    assert len(hooks) == 8
    assert [name for name in hooks if f"| `{name}()` |" not in text] == []
    assert [name for name in hooks if f"def {name}():" not in text] == ["tertium_resources"]


def namespace(part: str) -> dict[str, Any]:
    """Run the block of the author's guide that holds a text, and return its names."""
    body = next(body for guide, body in blocks("python") if guide == "plugins/README.md" and part in body)
    names: dict[str, Any] = {"__name__": "guide", "__file__": str(ROOT / "guide.py")}
    exec(compile(body, "guide", "exec"), names)
    return names


def test_hooks_of_the_guide_give_what_they_say() -> None:
    """The plugin that the guide shows tokenizes, normalizes, reads and declares."""
    import tertium
    from tertium.readers import Content

    names = namespace("def tertium_readers")

    assert names["tertium_tokenizers"]()["letters"]("ab") == ["a", "b"]
    assert names["tertium_normalizers"]()["plain-dashes"]("a\u2013b") == "a-b"
    (made,) = names["tertium_readers"]()
    options = type("Options", (), {"encoding": "utf-8"})()
    assert made.load(Content("x.ssv", b"a;b;c\n", ""), options) == tertium.Cases(["a"], [["b", "c"]])
    with pytest.raises(tertium.errors.FormatError, match=r"x\.ssv:1: the line has no reference"):
        made.load(Content("x.ssv", b"a\n", ""), options)
    assert [path.name for path in names["tertium_cases"]()] == ["syllables.jsonl"]
    assert names["tertium_conventions"]()[0].axes["case"].parameters == ("lowercase",)


def test_command_of_the_guide_runs() -> None:
    """The command that the guide shows draws a bar a case."""
    from click.testing import CliRunner

    done = CliRunner().invoke(namespace("click.command")["command"], [str(ROOT / "examples/captions.jsonl")])

    assert (done.exit_code, len(done.output.splitlines())) == (0, 12)
    assert set(done.output) == {"#", "\n"}


def test_toml_of_the_guide_names_the_groups() -> None:
    """The entry points that the guide shows are those of the example plugin, and of the group that is listed."""
    import tomllib

    from tertium.console.guests import GROUP

    first, _, second = (tomllib.loads(body) for guide, body in blocks("toml") if guide == "plugins/README.md")
    example = tomllib.loads((ROOT / "plugins/tertium-example/pyproject.toml").read_text(encoding="utf-8"))

    assert first["project"]["entry-points"] == example["project"]["entry-points"]
    assert list(second["project"]["entry-points"]) == [GROUP]


def test_divergence_of_the_guide_can_be_read(tmp_path: Path) -> None:
    """The list that the guide shows is one, about a case that the guide shows."""
    from tertium.conformance.divergences import load_divergences

    file = tmp_path / "divergences.toml"
    texts = [body for guide, body in blocks("toml") if guide == "plugins/README.md"]
    file.write_text(next(text for text in texts if "[[divergence]]" in text), encoding="utf-8")

    (one,) = load_divergences(file, {"my-metric-half"}).entries
    assert (one.provider, one.against, one.axis) == ("example", "native", "fault")


def test_case_of_the_guide_fits_the_schema() -> None:
    """The conformance case that the guide shows is one, and the one that `tertium new` writes."""
    import json

    from tertium.conformance.case_files import case_of
    from tertium.conformance.schemas import problem
    from tertium.console.project import _filled, _template

    (body,) = (body for guide, body in blocks("json") if guide == "plugins/README.md")
    written = _filled(_template("native", "cases.jsonl"), {"name": "my-metric"}).splitlines()

    assert not problem(json.loads(body), "case")
    assert case_of(json.loads(body)).textbook_value() == 0.5
    assert json.loads(body) == json.loads(written[0])


def test_every_block_of_the_guide_is_executed() -> None:
    """The author's guide has no block of a language that no test here runs."""
    text = (ROOT / "plugins/README.md").read_text(encoding="utf-8")

    assert {"python", "console", "toml", "json"} == {language for language, _ in BLOCK.findall(text)}


def test_guide_names_every_kind_of_project() -> None:
    """What `tertium new` writes stands in the author's guide."""
    from tertium.console.new import KINDS

    text = (ROOT / "plugins/README.md").read_text(encoding="utf-8")

    assert [kind for kind in KINDS if f"| `{kind}` |" not in text] == []


def test_guide_names_the_tags_of_cases() -> None:
    """The words that a case may be tagged with stand in the author's guide, all of them and no other."""
    schema = json.loads((ROOT / "conformance/schemas/case.schema.json").read_text(encoding="utf-8"))
    text = (ROOT / "plugins/README.md").read_text(encoding="utf-8")
    listed = text.partition("and `tags` are of the suite's:")[2].partition(".\n")[0]

    assert re.findall(r"`([\w-]+)`", listed) == schema["properties"]["tags"]["items"]["enum"]
