"""
Fill in the templates of a plugin project.
"""

from __future__ import annotations

import importlib.metadata
import re
from importlib import resources
from pathlib import Path

from tertium.errors import OutputError, UsageError

LIBRARY = "regex"
"""The library that a new adapter adapts, until its author names another: tertium itself needs it, so that it is there."""

FILES = {
    "native": ("__init__.py", "metric.py", "test_contract.py", "test_metric.py"),
    "adapter": ("__init__.py", "adapter.py", "test_contract.py", "test_adapter.py"),
    "program": ("__init__.py", "adapter.py", "program.py", "test_contract.py", "test_adapter.py"),
    "reader": ("__init__.py", "reader.py", "test_reader.py"),
}
"""The Python files of each kind; what begins with ``test_`` stands in ``tests``."""

SUMMARIES = {
    "native": "Measures how many of a reference's words an output holds.",
    "adapter": "Adapts a library to tertium.",
    "program": "Adapts a command-line program to tertium.",
    "reader": "Reads files of a format into tertium.",
}

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write(name: str, kind: str, target: Path) -> list[Path]:
    """
    Write a project.

    Args:
        name: What the metric (or format) and the provider are called; the distribution is ``tertium-NAME``.
        kind: A key of ``FILES``.
        target: The folder, which must not hold anything.

    Returns:
        The files, relative to the folder.

    Raises:
        UsageError: The name does not do, or is taken.
        OutputError: The folder holds something, or cannot be written.
    """
    _check(name, kind)
    module = f"tertium_{name.replace('-', '_')}"
    words = {
        "name": name,
        "NAME": name.replace("-", "_").upper(),
        "module": module,
        "Class": "".join(part.capitalize() for part in name.split("-")),
        "summary": SUMMARIES[kind],
        "library": LIBRARY,
        "version": importlib.metadata.version(LIBRARY),
        "tertium": importlib.metadata.version("tertium"),
        "ci": "" if kind == "reader" else f"      - run: tertium conform {name} --jobs 2",
    }
    pin = f'    "{LIBRARY}=={words["version"]}",  # the library, in the version whose numbers are tested\n'
    words["pins"] = pin if kind == "adapter" else ""
    texts = {
        Path("pyproject.toml"): _template("common", "pyproject.toml"),
        Path("README.md"): _template(kind, "README.md"),
        Path(".github/workflows/tests.yml"): _template("common", "tests.yml"),
    }
    for file in FILES[kind]:
        place = Path("tests") if file.startswith("test_") else Path("src") / module
        texts[place / file] = _template(kind, file)
    if kind != "reader":
        texts[Path("src") / module / f"{name}.jsonl"] = _template(kind, "cases.jsonl")
    texts[Path("src") / module / "py.typed"] = ""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"a project in {target}", "there is something already", "Name another folder (--folder)")
    try:
        for relative, text in texts.items():
            path = target / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_filled(text, words), encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"a project in {target}", f"it cannot be written ({error.strerror})", "Name another folder"
        ) from error
    return list(texts)


def _check(name: str, kind: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"a plugin {name!r}",
            "names are small letters and digits, with - between words",
            "Choose another, as my-metric",
        )
    from tertium.registry import registry

    found = registry()
    provided = {provider for providers in found.metrics.values() for provider in providers}
    if name in provided or name in {plugin.name for plugin in found.plugins} or name == "all":
        raise UsageError(f"a plugin {name!r}", "a provider or plugin of that name is installed", "Choose another name")
    from tertium.readers import FORMATS

    if (kind in ("native", "program") and name in found.metrics) or (kind == "reader" and name in FORMATS):
        raise UsageError(f"a plugin {name!r}", "that name is taken by tertium itself", "Choose another name")


def _template(kind: str, name: str) -> str:
    return resources.files("tertium.console").joinpath("projects", kind, f"{name}.txt").read_text(encoding="utf-8")


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace("{{" + word + "}}", value)
    return text
