"""
The entry: help, lazy commands, exit codes and one-line errors.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tertium import console, errors
from tertium.console import COMMANDS, Commands, cli


def test_help_lists_every_command_with_the_command_s_own_short_help() -> None:
    """The table of commands says what each command says of itself."""
    context = click.Context(cli)

    for name, text in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert (name, text) == (command.name, command.short_help)
    output = CliRunner().invoke(cli, ["--help"]).stdout
    assert all(f"  {name} " in output and text in output for name, text in COMMANDS.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    """`tertium COMMAND --help` prints a usage line and exits with 0."""
    result = CliRunner().invoke(cli, [name, "--help"])

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: tertium {name}")


def test_help_names_exit_codes_and_how_to_complete_in_three_shells() -> None:
    """`tertium --help` documents exit codes and shell completion."""
    output = CliRunner().invoke(cli, ["--help"]).stdout

    assert all(word in output for word in ("bash", "zsh", "fish", "130", "tertium completion"))


def test_version() -> None:
    """`tertium --version` prints the installed version."""
    import tertium

    assert f"tertium {tertium.__version__}\n" == CliRunner().invoke(cli, ["--version"]).stdout


def test_no_words_print_the_help_on_standard_error() -> None:
    """Without any word the help goes to standard error, as it is not what was asked for."""
    result = CliRunner().invoke(cli, [])

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: tertium")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["scroe"], ["no command 'scroe'", "Did you mean score?"]),
        (["metrics", "--jsn"], ["--jsn", "tertium metrics --help"]),
        (["completion", "tcsh"], ["tcsh", "bash"]),
    ],
)
def test_a_wrong_request_is_one_line_and_exit_code_2(words: list[str], parts: list[str]) -> None:
    """A usage error says what is wrong in one line that starts with the program's name."""
    result = CliRunner().invoke(cli, words)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("tertium: ")
    assert result.stderr.count("\n") == 1
    assert all(part in result.stderr for part in parts)


def _group(work: Callable[[], Any]) -> click.Group:
    class Single(Commands):
        def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
            return click.Group.resolve_command(self, ctx, args)

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            return click.Command("act", callback=work)

    return Single("tertium")


def _raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.SpecError("bleu@", 5, "a provider's name"), 2),
        (errors.OutputError("writing", "no space", ""), 2),
        (errors.EmptyCorpus(), 3),
        (errors.FormatError("a.txt", "it is no text", line=3), 3),
        (errors.ProviderMissing("bleu@x", "it is not installed", "Install it"), 4),
        (errors.TertiumError("asked", "the answer is no"), 1),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (BrokenPipeError(), 141),
    ],
)
def test_exit_codes(error: BaseException, code: int) -> None:
    """Every branch of the tree of errors has its exit code, and none prints a traceback."""
    result = CliRunner().invoke(_group(_raising(error)), ["act"])

    assert code == result.exit_code
    assert "Traceback" not in result.output
    assert result.stderr.count("\n") == (0 if code == 141 else 1)


def test_a_command_s_number_is_the_exit_code() -> None:
    """What a command returns becomes the exit code; nothing returned is success."""
    assert CliRunner().invoke(_group(lambda: 4), ["act"]).exit_code == 4
    assert CliRunner().invoke(_group(lambda: None), ["act"]).exit_code == 0


def test_an_error_s_text_cannot_steer_the_terminal_or_add_lines() -> None:
    """Control characters and line ends inside a message arrive visible, on one line."""
    error = errors.FormatError("bad\x1b[31m.txt", "first\nsecond")

    result = CliRunner().invoke(_group(_raising(error)), ["act"])

    assert result.stderr == "tertium: bad\\x1b[31m.txt: first second\n"


def test_a_fault_of_our_own_is_no_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An unforeseen exception prints its traceback, asks for a report and exits with 70, not with 1."""
    monkeypatch.setattr(console, "cli", _group(_raising(ZeroDivisionError("by nought"))))
    monkeypatch.setattr(sys, "argv", ["tertium", "act"])

    with pytest.raises(SystemExit) as exit_:
        console.main()

    captured = capsys.readouterr().err
    assert exit_.value.code == 70
    assert "ZeroDivisionError: by nought" in captured
    assert "fault of tertium's own" in captured


def test_help_imports_next_to_nothing() -> None:
    """`tertium --help` imports neither numpy nor rich, pluggy, plugins or the module of any command."""
    code = (
        "import sys\n"
        "from tertium.console import cli\n"
        "try:\n    cli.main(['--help'])\n"
        "except SystemExit as e:\n    assert e.code == 0\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in"
        " ('numpy', 'rich', 'pluggy', 'numba', 'sacrebleu') or m.startswith('tertium.console.')))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "['tertium.console.guests']"
