"""
Answer the command line: find the command, run it, and turn what goes wrong into one line and an exit code.

A command's module is imported when the command is asked for, so that ``tertium --help`` stays quick.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tertium.errors import OutputError, TertiumError, did_you_mean

if TYPE_CHECKING:
    from tertium.console.guests import Guest

COMMANDS: dict[str, str] = {
    "score": "Score hypotheses against references.",
    "diff": "Show where two implementations part.",
    "explain": "Say which conventions make two implementations differ.",
    "fuzz": "Search for inputs on which two implementations part.",
    "audit": "Audit a Python function that computes a metric.",
    "fingerprint": "Infer the conventions of a provider by probing it.",
    "align": "Show texts aligned, with every edit marked.",
    "conform": "Hold implementations against the suite of edge cases.",
    "constants": "Freeze what a metric learns from references.",
    "conventions": "Show what implementations do, axis by axis.",
    "metrics": "List metrics, or the providers of one.",
    "show": "Explain a metric: parameters, outputs, scale, versions.",
    "plugins": "List plugins, versions, resources and what is wrong.",
    "fetch": "Bring resources that metrics need, such as WordNet.",
    "new": "Write a plugin project whose tests pass.",
    "demo": "Score a small example corpus that comes along.",
    "selftest": "Recompute textbook values with every installed metric.",
    "completion": "Print the completion script for a shell.",
}
"""Every command's name with its help; the command is ``command`` in the module of its name in this package."""

INTERRUPTED = 130
CLOSED_PIPE = 141  # as a shell reports a program that SIGPIPE ended
FAULT = 70  # EX_SOFTWARE: a fault of tertium's own, which must not look like one of the answers

EPILOG = """\
\b
Specs:
  bleu                                      the default provider
  bleu@sacrebleu:tokenize=intl              a provider, with parameters
  'rougeL@rouge-score(stemmer=true).recall'  one output of several
  bleu@all                                  every installed provider

\b
Exit codes:
  0  done, or the answer is yes     3  the data cannot be scored
  1  the answer is no               4  a provider or resource is missing
  2  the request is off           130  interrupted

\b
Shell completion:
  bash   eval "$(tertium completion bash)"      in ~/.bashrc
  zsh    eval "$(tertium completion zsh)"       in ~/.zshrc
  fish   tertium completion fish | source       in ~/.config/fish/config.fish
"""


class Commands(click.Group):
    """
    Hold commands that are imported when they are asked for.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(guest.name for guest in self.guests)]

    @functools.cached_property
    def guests(self) -> list[Guest]:
        """
        The commands that plugins bring, found by metadata alone.
        """
        from tertium.console.guests import guests

        return [guest for guest in guests(COMMANDS) if not guest.problem]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            guest = next((guest for guest in self.guests if guest.name == cmd_name), None)
            return None if guest is None else guest.load()
        found = import_module(f"tertium.console.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            names = self.list_commands(ctx)
            if args[0] not in names:
                hint = did_you_mean(args[0], names)
                raise click.UsageError(f"no command {args[0]!r}: there are {', '.join(names)}. {hint}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        if self.guests:
            with formatter.section("Commands of plugins"):
                formatter.write_dl([(guest.name, guest.help) for guest in self.guests])

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        words = list(sys.argv[1:] if args is None else args)
        code = _guarded(lambda: self._run(words))
        _leave_threads(code)
        sys.exit(code)

    def _run(self, words: list[str]) -> int:
        instruction = os.environ.get("_TERTIUM_COMPLETE")
        if instruction:
            from click.shell_completion import shell_complete

            return shell_complete(self, {}, "tertium", "_TERTIUM_COMPLETE", instruction)
        with self.make_context("tertium", words) as context:
            result = self.invoke(context)
        return result if isinstance(result, int) else 0


def _leave_threads(code: int) -> None:
    """
    End at once where a thread that a plugin started would keep the interpreter waiting.
    """
    plugins = sys.modules.get("tertium.plugins")
    if plugins is not None and plugins.left_running():
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _guarded(work: Callable[[], int]) -> int:
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except click.exceptions.Exit as done:
        return done.exit_code
    except TertiumError as error:
        if isinstance(error, OutputError):
            _drop_output()
        _complain(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        _complain(_with_help(error))
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return CLOSED_PIPE
    except OSError as error:
        if error.filename is not None or not _is_full(error):
            raise
        # What was printed could not be flushed: the place that standard output leads to is full.
        _drop_output()
        _complain(f"standard output cannot be written: {error.strerror}. Free some space or write elsewhere")
        return 2


def _is_full(error: OSError) -> bool:
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def _with_help(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message if message.endswith(('.', '?')) else message + '.'} See `{context.command_path} --help`"


def _complain(message: str) -> None:
    from tertium.reports.text import visible

    with contextlib.suppress(OSError):  # where nobody reads standard error, the exit code still tells
        click.echo(f"tertium: {visible(' '.join(message.split()))}", err=True)


def _drop_output() -> None:
    # What is still buffered has nowhere to go; the interpreter would complain when it flushes at the end.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tertium", message="%(prog)s %(version)s", prog_name="tertium")
def cli() -> None:
    """
    Score text against references with every serious implementation of every surface metric.
    """


def main() -> None:
    """
    Run the command line; the entry point ``tertium``.
    """
    try:
        cli.main()
    except SystemExit:
        raise
    except Exception:
        import traceback

        traceback.print_exc()
        _complain("this is a fault of tertium's own; please report it with the lines above")
        raise SystemExit(FAULT) from None
