"""
Share fixtures: where the real corpora are, and plugins installed for one test.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """
    Give the folder of real corpora and recorded outputs beside the repository, or skip.
    """
    if not SHARED.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    return SHARED


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """
    Give a function that installs a plugin distribution for the length of the test.
    """
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    modules: list[str] = []

    def add(name: str, source: str, *, version: str = "1.0", requires: tuple[str, ...] = ()) -> None:
        module = name.replace("-", "_")
        modules.append(module)
        (folder / f"{module}.py").write_text(source, encoding="utf-8")
        info = folder / f"tertium_{module}-{version}.dist-info"
        info.mkdir()
        lines = [f"Metadata-Version: 2.1\nName: tertium-{name}\nVersion: {version}"]
        lines += [f"Requires-Dist: {requirement}" for requirement in requires]
        (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[tertium]\n{name} = {module}\n", encoding="utf-8")

    yield add
    for module in modules:
        sys.modules.pop(module, None)
