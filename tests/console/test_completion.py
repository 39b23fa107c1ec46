"""
`tertium completion`, and what shells are told.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tertium.console.score import _complete


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_the_shell_s(run: Callable[..., Result], shell: str, tmp_path: Path) -> None:
    """Each shell gets a script that calls tertium, and that the shell itself accepts where it is installed."""
    result = run("completion", shell)

    assert result.exit_code == 0
    assert "_TERTIUM_COMPLETE" in result.stdout
    if shutil.which(shell):
        (tmp_path / "script").write_text(result.stdout)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True, timeout=20)


def test_metrics_and_providers_complete(run: Callable[..., Result]) -> None:
    """A beginning completes to metrics, and behind @ to providers; anything else is a file."""
    context: Any = None

    assert sorted(item.value for item in _complete(context, context, "l")) == ["length", "loud"]
    assert {"size@gone", "size@left", "size@whole"} == {item.value for item in _complete(context, context, "size@")}
    assert [item.type for item in _complete(context, context, "data/x")] == ["file"]


def test_a_shell_s_question_is_answered(process: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    """The variable that shells set makes tertium list completions instead of running."""
    asked = {"_TERTIUM_COMPLETE": "bash_complete", "COMP_WORDS": "tertium metr", "COMP_CWORD": "1"}

    done = process(env={**os.environ, **asked})

    assert b"plain,metrics" in done.stdout
