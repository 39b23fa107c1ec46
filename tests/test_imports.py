"""
Imports: who may import whom, and how light the package is.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[1] / "src" / "tertium"

LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "extensions": {"errors", "registry"},  # on a name that is not built in, the registry is asked to load plugins
    "conventions": {"extensions"},
    "spec": {"errors"},
    "parameters": {"errors", "spec", "extensions"},
    "texts": {"errors"},
    "cases": {"errors", "texts"},
    "resources": {"errors"},
    "compact": set(),
    "metric": {"errors", "spec", "parameters", "cases", "resources"},
    "hookspecs": {"metric", "resources", "conventions", "readers"},
    "plugins": {"errors", "extensions", "parameters", "metric", "hookspecs", "resources", "conventions", "readers"},
    "registry": {
        "errors",
        "extensions",
        "readers",
        "spec",
        "parameters",
        "metric",
        "hookspecs",
        "plugins",
        "resources",
        "callables",  # where a spec names a Python function
        "targets",
    },
    "targets": {"errors", "spec"},
    "shapes": {"errors", "cases"},
    "argument_names": {"errors", "shapes"},
    "shape_samples": {"errors", "cases", "metric"},
    "shape_trials": {"errors", "cases", "metric", "shapes", "shape_samples", "argument_names"},
    "counterparts": {"errors", "conventions", "spec", "parameters", "metric", "shapes", "registry"},
    "callables": {
        "errors",
        "spec",
        "parameters",
        "cases",
        "metric",
        "shapes",
        "shape_trials",
        "counterparts",
        "targets",
        "registry",
    },
    "behaving": {"errors", "cases", "callables", "shapes"},
    "workers": {"errors", "cases", "metric"},
    "guarding": {"errors", "cases", "metric"},
    "scoring": {
        "errors",
        "spec",
        "cases",
        "compact",
        "metric",
        "registry",
        "callables",
        "targets",
        "guarding",
        "workers",
    },
    "noticing": {"cases", "metric"},
    "shapley": set(),
    "sides": {
        "errors",
        "conventions",
        "spec",
        "cases",
        "metric",
        "registry",
        "callables",
        "targets",
        "behaving",
        "guarding",
        "scoring",
    },
    "differing": {"errors", "cases", "metric", "guarding", "scoring", "sides"},
    "players": {"errors", "conventions", "parameters", "metric"},
    "coalitions": {"errors", "conventions", "parameters", "cases", "metric", "scoring", "sides", "players"},
    "exemplars": {"errors", "cases", "metric", "scoring", "sides", "coalitions"},
    "explaining": {
        "errors",
        "cases",
        "metric",
        "callables",
        "scoring",
        "shapley",
        "sides",
        "players",
        "coalitions",
        "exemplars",
        "fingerprinting",  # where a plain function declares no equivalent
    },
    "findings": {"cases", "metric", "sides"},
    "shrinking": {"errors", "cases", "scoring", "sides", "differing", "findings"},
    "fuzzing": {
        "errors",
        "spec",
        "cases",
        "metric",
        "guarding",
        "scoring",
        "sides",
        "differing",
        "players",
        "coalitions",
        "explaining",
        "findings",
        "shrinking",
        "conformance",
    },
    "fingerprinting": {
        "errors",
        "extensions",
        "conventions",
        "spec",
        "parameters",
        "cases",
        "callables",
        "targets",
        "resources",
        "metric",
        "registry",
        "guarding",
        "scoring",
        "sides",
        "shrinking",
        "conformance",
    },
    "example_files": {"errors"},
    "standing": {
        "errors",
        "conventions",
        "spec",
        "cases",
        "metric",
        "registry",
        "callables",
        "guarding",
        "scoring",
        "sides",
        "conformance",
    },
    "auditing": {
        "errors",
        "spec",
        "cases",
        "metric",
        "registry",
        "callables",
        "targets",
        "shape_samples",
        "behaving",
        "scoring",
        "sides",
        "differing",
        "explaining",
        "fingerprinting",
        "standing",
        "example_files",
        "readers",
        "reports",
    },
    "readers": {"cases", "errors", "extensions"},
    "reports": {"errors"},
    "testing": {"", "errors", "spec", "parameters", "metric", "registry", "conformance"},
    "conformance": {
        "extensions",
        "errors",
        "conventions",
        "spec",
        "parameters",
        "cases",
        "resources",
        "metric",
        "registry",
        "scoring",
    },
}
"""Module or package to those it may import; `console` may import everything, `native` the public names."""

PUBLIC = {"errors", "extensions", "compact", "metric", "cases", "parameters", "hookspecs", "spec", "resources", ""}

HEAVY = ("numba", "torch", "sacrebleu", "rouge_score", "jiwer", "nltk", "pycocoevalcap", "regex", "pyarrow")


def imported(file: Path) -> set[str]:
    """List the tertium modules that a file imports at any depth, by their first name below `tertium`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{alias.name}" if node.module == "tertium" else node.module for alias in node.names]
        else:
            continue
        for name in names:
            if name == "tertium" or name.startswith("tertium."):
                part = [*name.split("."), ""][1]
                found.add(part if (SOURCES / part).is_dir() or (SOURCES / f"{part}.py").exists() else "")
    return found


def files(layer: str) -> list[Path]:
    folder = SOURCES / layer
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [SOURCES / f"{layer}.py"]


@pytest.mark.parametrize("layer", LAYERS)
def test_arrows_point_one_way(layer: str) -> None:
    """A module imports only what stands below it."""
    for file in files(layer):
        assert set() == imported(file) - LAYERS[layer] - {layer}, file.name


def test_native_imports_public_names_only() -> None:
    """The bundled metrics use what a third party may use."""
    for file in files("native"):
        assert set() == imported(file) - PUBLIC - {"native"}, file.name


def test_nothing_imports_the_console() -> None:
    """The command line stands on top."""
    for file in SOURCES.rglob("*.py"):
        if "console" not in file.parts and file.parent != SOURCES / "console":
            assert "console" not in imported(file), file.name


def test_every_module_has_a_layer() -> None:
    """A new module takes its place in the table above."""
    names = {
        path.stem if path.is_file() else path.name
        for path in SOURCES.iterdir()
        if path.suffix == ".py" or path.is_dir()
    }

    assert set() == names - set(LAYERS) - {"__init__", "__main__", "__pycache__", "console", "native", "examples"}


@pytest.mark.parametrize("statement", ["import tertium", "import tertium.console", "import tertium; tertium.metrics()"])
def test_heavy_libraries_stay_out(statement: str) -> None:
    """Importing tertium and listing metrics import no adapter library, no numba and no torch."""
    code = f"{statement}\nimport sys\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_import_stays_within_its_budget() -> None:
    """Importing tertium costs under 0.2 s beyond the interpreter and click; the least of five runs counts."""

    def seconds(code: str) -> float:
        program = f"import time; start = time.process_time()\n{code}\nprint(time.process_time() - start)"
        runs = [
            subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            for _ in range(5)
        ]
        return min(float(run.stdout) for run in runs)

    assert seconds("import click, tertium, tertium.console") - seconds("import click") < 0.2


HELP = "import sys; sys.argv = ['tertium', '--help']; from tertium.console import main\ntry: main()\nexcept SystemExit: pass\n"


def test_help_loads_no_plugin_and_stays_quick() -> None:
    """`tertium --help`, commands of plugins included, reads metadata only, in under 0.2 s beyond click."""
    code = "import click, time; start = time.process_time()\n" + HELP
    code += "print('MARK', time.process_time() - start, [name for name in ('pluggy', 'numpy', 'tertium.plugins') if name in sys.modules])"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(5)
    ]

    seconds, loaded = zip(*(run.rsplit("MARK ", 1)[1].strip().split(" ", 1) for run in runs), strict=True)
    assert set(loaded) == {"[]"}
    assert min(map(float, seconds)) < 0.2
