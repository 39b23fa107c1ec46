"""
`tertium new`: every kind of project works as it is written.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tertium.console.project import FILES, LIBRARY, write
from tertium.errors import OutputError, UsageError

COUNTS = {"native": 60, "adapter": 60, "program": 30, "reader": 6}
"""At least as many tests has a project of each kind."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_new_project_passes_its_own_tests(kind: str, tmp_path: Path) -> None:
    """A project that was just written is installed, and every one of its tests passes; none is skipped."""
    project, site = tmp_path / "project", tmp_path / "site"
    write(f"some-{kind}", kind, project)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(site), str(project)], check=True, capture_output=True, timeout=120)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    found = re.search(r"^(\d+) passed in", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout[-2000:]
    assert int(found.group(1)) >= COUNTS[kind]


@pytest.mark.parametrize("kind", FILES)
def test_new_project_is_complete(kind: str, tmp_path: Path) -> None:
    """It has an entry point, a README with a table of conventions, a file for CI, and no placeholder left."""
    files = write("some-name", kind, tmp_path / "project")
    texts = {file: (tmp_path / "project" / file).read_text(encoding="utf-8") for file in files}

    facts = tomllib.loads(texts[Path("pyproject.toml")])["project"]
    assert facts["entry-points"]["tertium"] == {"some-name": "tertium_some_name"}
    assert "## Conventions" in texts[Path("README.md")]
    assert "| axis |" in texts[Path("README.md")]
    assert Path(".github/workflows/tests.yml") in texts
    assert [str(file) for file, text in texts.items() if re.search(r"\{\{\w+\}\}", text)] == []
    if kind == "adapter":
        assert f"{LIBRARY}=={importlib.metadata.version(LIBRARY)}" in facts["dependencies"]
    if kind != "reader":
        assert Path("src/tertium_some_name/some-name.jsonl") in texts


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("Upper", "native", "small letters"),
        ("two words", "native", "small letters"),
        ("-dash", "reader", "small letters"),
        ("bleu", "native", "taken by tertium itself"),
        ("csv", "reader", "taken by tertium itself"),
        ("native", "adapter", "provider or plugin of that name is installed"),
    ],
)
def test_name_that_does_not_do_is_refused(name: str, kind: str, reason: str, tmp_path: Path) -> None:
    """A name that cannot be written in a spec, or that is taken, is refused before anything is written."""
    with pytest.raises(UsageError, match=reason):
        write(name, kind, tmp_path / "project")
    assert not (tmp_path / "project").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder that holds something stays as it is."""
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(OutputError, match="there is something already"):
        write("some-name", "native", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
