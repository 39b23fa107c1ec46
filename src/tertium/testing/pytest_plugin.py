"""
Let ``pytest --metric SPEC`` run tertium's own metric tests against any implementation, and say in the header which versions run.

With ``--metric`` and no files named, nothing else is collected.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """
    Add ``--metric``.
    """
    group = parser.getgroup("tertium")
    group.addoption(
        "--metric",
        action="append",
        default=[],
        metavar="SPEC",
        help="Hold this implementation to tertium's contract and conformance cases (may be given several times; "
        "bleu@all stands for every installed provider)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """
    Collect the suite in place of the project's own tests.
    """
    if not config.getoption("--metric"):
        return
    import pytest

    if config.args_source != pytest.Config.ArgsSource.ARGS:
        config.args = [str(Path(__file__).with_name("suite.py"))]


def pytest_report_header(config: pytest.Config) -> str:
    """
    Name the versions of tertium and, under ``--metric``, of each implementation that is held to the suite.
    """
    from importlib.metadata import version

    parts = [f"tertium {version('tertium')}"]
    for spec in specs(config):
        from tertium.metric import installed_version
        from tertium.registry import registry

        kind = registry().get(spec)
        plugin = registry().origin(kind)
        made_by = f"{plugin.distribution} {plugin.version}" if plugin is not None else kind.__module__
        library = f", {kind.library} {installed_version(kind.library) or 'absent'}" if kind.library else ""
        parts.append(f"{spec} ({made_by}{library})")
    return ", ".join(parts)


def specs(config: pytest.Config) -> list[Any]:
    """
    Return the resolved specs that were asked for.

    Raises:
        pytest.UsageError: One cannot be resolved.
    """
    import pytest

    asked = config.getoption("--metric")
    if not asked:
        return []
    from tertium.errors import TertiumError
    from tertium.registry import registry

    try:
        return [spec for text in asked for spec in registry().expand(text)]
    except TertiumError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Give the suite's tests their runs.
    """
    if getattr(metafunc.module, "__name__", "").split(".")[-1] == "suite" and hasattr(metafunc.module, "runs"):
        metafunc.module.runs(metafunc, specs(metafunc.config))
