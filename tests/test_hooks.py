"""
What plugins add beside metrics: every hook is used by the host, and guarded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tertium
import tertium.registry
from tertium import hookspecs
from tertium.errors import ParameterError, ProviderBroken
from tertium.plugins import discover
from tertium.registry import Registry

OFFERS = """
from pathlib import Path
import tertium
from tertium import Cases
from tertium.conventions import Axis, Family
from tertium.readers import Format

def syllables(text):
    return [text[i:i + 2] for i in range(0, len(text), 2)]

def plain_dashes(text):
    return text.replace("\\u2013", "-")

def load(content, options):
    rows = [line.split(";") for line in content.data.decode("utf-8").splitlines()]
    return Cases([row[0] for row in rows], [[row[1]] for row in rows])

@tertium.hookimpl
def tertium_tokenizers():
    return {"syllables": syllables}

@tertium.hookimpl
def tertium_normalizers():
    return {"plain-dashes": plain_dashes}

@tertium.hookimpl
def tertium_readers():
    return [Format("semicolons", (".ssv",), load)]

@tertium.hookimpl
def tertium_cases():
    return [Path(__file__).with_name("syllables.jsonl")]

@tertium.hookimpl
def tertium_divergences():
    return [Path(__file__).with_name("known.toml")]

@tertium.hookimpl
def tertium_conventions():
    axes = {"dash": Axis("bleu", "dash", "Which dashes are told apart.", (), "statistics")}
    return [Family("bleu", (), axes), Family("syllables", ("syllable-rate",), {
        "case": Axis("syllables", "case", "Whether the case of letters counts.", ("lowercase",), "statistics")})]
"""

CASE = {
    "id": "syllables-of-one-word",
    "family": "syllables",
    "metric": "exact-match",
    "title": "One word against itself",
    "explanation": "Equal texts match.",
    "tags": ["short"],
    "axes": ["case"],
    "params": {},
    "cases": [{"hyp": "a", "refs": ["a"]}],
    "textbook": {"value": 1.0, "scale": "0-1", "source": "by definition"},
    "results": {},
}

Install = Callable[..., None]


@pytest.fixture
def offering(install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """
    Install a plugin that offers one thing of each kind, and let the host find its plugins anew.
    """
    install("offering", OFFERS, version="1.5")
    (tmp_path / "site" / "syllables.jsonl").write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    (tmp_path / "site" / "known.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr(tertium.registry, "_registry", None)
    yield install
    monkeypatch.undo()


def run(*words: str, site: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where the plugins of a folder are installed."""
    return subprocess.run(
        [sys.executable, "-c", "from tertium.console import main; main()", *words],
        env={**os.environ, "PYTHONPATH": str(site), "NO_COLOR": "1", "COLUMNS": "120", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_tokenizer_is_used_by_native_metrics(offering: Install) -> None:
    """A plugin's tokenizer is a value of `tokenize`, and the signature tells the plugin's version."""
    cases = tertium.Cases(["abcd"], [["abxy"]])

    found = tertium.score("token-f1(tokenize=syllables)", cases)

    assert found.value == pytest.approx(0.5, rel=1e-12)  # ab of ab, cd and of ab, xy
    assert "tokenize=syllables|" in found.signature
    assert "tertium-offering=1.5" in found.signature


def test_normalizer_stands_before_a_tokenizer(offering: Install) -> None:
    """A plugin's normalizer changes texts before any tokenizer, for exact match and for error rates."""
    cases = tertium.Cases(["a \u2013 b c d"], [["a - b c d"]])

    values = [
        tertium.score(spec, cases).value
        for spec in (
            "bleu(tokenize='plain-dashes+whitespace')",
            "exact-match(normalizer='plain-dashes+lowercase')",
            "wer(normalize='plain-dashes')",
            "bleu(tokenize='nfc+whitespace')",
        )
    ]

    assert values[:3] == [pytest.approx(100), 1.0, 0.0]
    assert values[3] < 100


def test_normalizer_among_other_steps_is_told(offering: Install) -> None:
    """A plugin's normalizer stands anywhere among steps, and the signature tells the plugin's version."""
    cases = tertium.Cases(["A \u2013 B uh"], [["a - b"]])
    steps = """lowercase+plain-dashes+remove-words(["uh", "+("])+strip"""

    for spec in (f"wer(normalize='{steps}')", f"exact-match(normalizer='{steps}')"):
        found = tertium.score(spec, cases)
        assert found.value == (0.0 if spec.startswith("wer") else 1.0)
        assert "tertium-offering=1.5" in found.signature
    assert "tertium-offering" not in tertium.score("wer(normalize=lowercase+strip)", cases).signature


def test_unknown_tokenizer_names_what_plugins_offer(offering: Install) -> None:
    """A wrong name is refused with the nearest."""
    with pytest.raises(ParameterError, match="what plugins offer"):
        tertium.load("bleu(tokenize=sylables)")


def test_extended_metrics_work_in_worker_processes(offering: Install, tmp_path: Path) -> None:
    """A process that is sent a metric finds the plugin's tokenizer by itself."""
    import pickle

    work = pickle.dumps(
        (tertium.load("token-f1(tokenize='plain-dashes+syllables')"), tertium.Cases(["abcd"], [["abxy"]]))
    )
    code = "import pickle, sys; m, c = pickle.load(sys.stdin.buffer); import tertium; print(tertium.score(m, c).value)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=work,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        check=True,
    )

    assert float(done.stdout) == pytest.approx(0.5, rel=1e-12)


def test_reader_is_found_by_suffix_and_by_name(offering: Install, tmp_path: Path) -> None:
    """A plugin's format is read by its suffix, packed or not, and under its name."""
    (tmp_path / "data.ssv").write_text("a b;a b\nc;d\n", encoding="utf-8")
    (tmp_path / "data.unknown").write_text("a b;a b\n", encoding="utf-8")

    assert tertium.read(tmp_path / "data.ssv") == tertium.Cases(["a b", "c"], [["a b"], ["d"]])
    assert len(tertium.read(tmp_path / "data.unknown", file_format="semicolons")) == 1
    done = run("score", "exact-match@native", str(tmp_path / "data.ssv"), "--json", site=tmp_path / "site")
    assert json.loads(done.stdout)["results"][0]["value"] == 0.5


def test_reader_that_fails_is_named(offering: Install, tmp_path: Path) -> None:
    """What a plugin's reader raises becomes an error that names the plugin."""
    (tmp_path / "data.ssv").write_text("no semicolon\n", encoding="utf-8")

    with pytest.raises(ProviderBroken, match=r"semicolons of tertium-offering: reading .*IndexError"):
        tertium.read(tmp_path / "data.ssv")


def test_cases_are_part_of_the_suite(offering: Install) -> None:
    """A plugin's conformance cases stand beside the host's, and run like them."""
    from tertium.conformance import load_cases, run

    case = next(case for case in load_cases() if case.id == "syllables-of-one-word")

    report = run([case], providers=["native"])
    assert report.result(case.id, "native").verdict == "agrees"  # type: ignore[union-attr]


def test_a_file_of_cases_that_is_off_is_a_problem_of_its_plugin(offering: Install, tmp_path: Path) -> None:
    """A plugin's broken file leaves the suite as it is, and is listed."""
    from tertium.conformance import load_cases

    (tmp_path / "site" / "syllables.jsonl").write_text('{"id": "x"}\n', encoding="utf-8")

    assert len(load_cases()) > 50
    plugin = next(plugin for plugin in tertium.registry.registry().plugins if plugin.name == "offering")
    assert "syllables.jsonl" in plugin.problems[0]


def test_conventions_join_the_vocabulary(offering: Install) -> None:
    """A plugin adds a family of its own, and axes to one that there is."""
    from tertium.conventions import axis_of, families

    assert families()["bleu"].axes["dash"].meaning == "Which dashes are told apart."
    assert {"smoothing", "dash"} <= set(families()["bleu"].axes)
    assert axis_of("syllable-rate", "lowercase") == families()["syllables"].axes["case"]


def test_every_hook_has_an_example() -> None:
    """Each hook's docstring shows how it is written."""
    for name in HOOKS:
        assert f"def {name}():" in (getattr(hookspecs, name).__doc__ or ""), name


def test_every_hook_is_tested_here() -> None:
    """A new hook takes its place in the plugin above or in the tests of plugins and resources."""
    elsewhere = {"tertium_metrics", "tertium_resources"}

    assert [name for name in HOOKS if f"def {name}():" not in OFFERS and name not in elsewhere] == []


HOOKS = [name for name in vars(hookspecs) if name.startswith("tertium_")]

WRONG = {
    "takes-a-built-in-tokenizer": (
        "tertium_tokenizers",
        "{'13a': str.split}",
        "the tokenizer '13a' is already offered by tertium; refused",
    ),
    "takes-a-built-in-normalizer": ("tertium_normalizers", "{'nfc': str.lower}", "already offered by tertium; refused"),
    "names-a-tokenizer-oddly": ("tertium_tokenizers", "{'a+b': str.split}", "names of letters"),
    "gives-no-function": ("tertium_tokenizers", "{'abc': 7}", "names of letters"),
    "gives-a-list": ("tertium_tokenizers", "['abc']", "names of letters"),
    "gives-nothing": ("tertium_normalizers", "None", "TypeError"),
    "never-ends": ("tertium_readers", "__import__('itertools').count()", "more than 10,000 things"),
    "takes-a-suffix": (
        "tertium_readers",
        "[__import__('tertium.readers').readers.Format('mine', ('.jsonl',), print)]",
        "claims .jsonl, which tertium (jsonl) reads",
    ),
    "takes-a-format": (
        "tertium_readers",
        "[__import__('tertium.readers').readers.Format('csv', ('.mine',), print)]",
        "the reader 'csv' is built in",
    ),
    "gives-no-format": ("tertium_readers", "['jsonl']", "must give tertium.readers.Format"),
    "names-no-file": ("tertium_cases", "['/no/such/file.jsonl']", "must give paths of files that are there"),
    "names-no-list": ("tertium_divergences", "['/no/such/file.toml']", "must give paths of files that are there"),
    "gives-no-family": ("tertium_conventions", "['bleu']", "must give tertium.conventions.Family"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_offer_is_refused_and_listed(name: str, install: Install) -> None:
    """What a hook must not give is refused with the reason, and what is built in stays."""
    hook, given, reason = WRONG[name]
    install(name, f"import tertium\n@tertium.hookimpl\ndef {hook}():\n    return {given}\n")

    registry = Registry(discover())
    kept = registry.offers

    plugin = next(plugin for plugin in registry.plugins if plugin.name == name)
    assert reason in plugin.problems[0]
    assert not any(plugin.offers.values())
    assert f"tertium-{name}" not in {offer.distribution for offer in kept["tokenizers"].values()}
    assert kept["tokenizers"]["13a"].distribution == "tertium"


def commands(site: Path, declared: str, source: str, name: str = "guest") -> None:
    """Install a distribution that brings commands."""
    site.mkdir(exist_ok=True)
    info = site / f"tertium_{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tertium-{name}\nVersion: 1.0\nSummary: Draw bars.\n")
    (info / "entry_points.txt").write_text(f"[tertium.commands]\n{declared}\n")
    (site / f"{name}.py").write_text(source)


COMMAND = """
import click, sys
print("importing")

@click.command("bars")
@click.argument("how")
def bars(how):
    '''Draw bars.'''
    if how == "raise":
        raise RuntimeError("no pencil")
    if how == "exit":
        sys.exit(1)
    click.echo(f"bars: {how}")
"""


def test_command_is_listed_without_being_imported(tmp_path: Path) -> None:
    """`tertium --help` names a plugin's command from its metadata alone, even where the module is broken."""
    commands(tmp_path, "bars = guest:bars", "raise RuntimeError('imported')")

    done = run("--help", site=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Commands of plugins:" in done.stdout
    assert "Draw bars. [tertium-guest]" in done.stdout


@pytest.mark.parametrize(
    ("word", "code", "printed", "said"),
    [
        ("plain", 0, "bars: plain\n", ""),
        ("exit", 1, "", ""),
        ("raise", 4, "", "the command bars of tertium-guest: it raised RuntimeError: no pencil"),
    ],
)
def test_command_runs_under_a_guard(tmp_path: Path, word: str, code: int, printed: str, said: str) -> None:
    """A plugin's command prints and exits as it wants; what it raises is named, with exit code 4 and no traceback."""
    commands(tmp_path, "bars = guest:bars", COMMAND)

    done = run("bars", word, site=tmp_path)

    assert (done.returncode, done.stdout) == (code, printed)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_command_cannot_take_the_place_of_another(tmp_path: Path) -> None:
    """A command that is built in, or that another plugin brings, is refused and listed."""
    commands(tmp_path, "score = guest:bars\nbars = guest:bars", COMMAND)
    commands(tmp_path, "bars = later:bars", COMMAND, name="later")

    done = run("plugins", site=tmp_path)

    assert "the command 'score' is built in; refused" in done.stdout
    assert "tertium-later: the command 'bars' is brought by tertium-guest; refused" in done.stdout
    assert "bars: x" in run("bars", "x", site=tmp_path).stdout


def test_broken_command_says_who_brought_it(tmp_path: Path) -> None:
    """A command that cannot be imported, or is none, is an error that names its distribution."""
    commands(tmp_path, "bars = guest:bars\nnone = guest:nothing", "nothing = 7")

    assert "tertium-guest: importing guest:bars raised AttributeError" in run("bars", site=tmp_path).stderr
    assert "guest:nothing is a int, not a click.Command" in run("none", site=tmp_path).stderr
