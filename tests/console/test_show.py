"""
`tertium show`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import CliRunner, Result

from tertium.console import cli
from tertium.registry import registry

Run = Callable[..., Result]


def test_show_says_all_that_is_known(run: Run) -> None:
    """Definition, outputs, scale, direction, needs, source, and parameters with values, range and help."""
    output = " ".join(run("show", "length:factor=2").stdout.split())

    for part in (
        "length@left(factor=2)",
        "Mean number of characters. A second sentence explains `factor`.",
        "outputs mean, total",
        "scale 0–∞",
        "↓ lower is better",
        "needs references",
        "plugin tertium-left" if "plugin" in output else "computed by tertium-left",
        "published Anon 1901, On Counting",
        "factor 2.0 (default 1.0) a number, 0 to 10 Multiplies every length",
    ):
        assert part in output


def test_show_of_a_missing_library_says_so(run: Run) -> None:
    """A provider whose library is missing is still explained, with the pin and what is wrong."""
    result = run("show", "size@gone")

    assert result.exit_code == 0
    assert "a-library-that-nobody-has 1.0, which is not installed" in result.stdout


def test_show_of_all_explains_every_provider(run: Run) -> None:
    """size@all shows one page a provider."""
    output = run("show", "size@all").stdout

    assert all(name in output for name in ("size@gone", "size@left", "size@whole"))
    assert "no per-case values" in output


def test_show_as_json_has_real_values(run: Run) -> None:
    """--json gives parameters as numbers and truth values, not as texts."""
    (facts,) = json.loads(run("show", "length:factor=2", "--json").stdout)["metrics"]

    (parameter,) = facts["parameters"]
    assert (
        parameter["value"],
        parameter["default"],
        parameter["required"],
        parameter["takes"],
    ) == (2.0, 1.0, False, "a number, 0 to 10")
    assert (facts["resources"], facts["equivalent"], facts["problems"][1:]) == ([], None, [])


def test_show_refuses_what_does_not_exist(run: Run) -> None:
    """Unknown parameters and values are usage errors here as in `score`."""
    assert run("show", "length:factr=2").exit_code == 2
    assert run("show", "length:factor=99").exit_code == 2
    assert run("show", "size").exit_code == 2


NEEDS = {
    "gec-gleu": "references, sources",
    "squad-em": "references; the list of a case may be empty",
    "squad-f1": "references; the list of a case may be empty",
}
"""What native metrics need that is more or less than references."""


def test_every_native_metric_says_what_it_needs() -> None:
    """All native metrics compare with references, and their pages say so."""
    metrics = [name for name, found in registry().metrics.items() if "native" in found]
    assert set(NEEDS) < set(metrics)

    for name in metrics:
        lines = CliRunner().invoke(cli, ["show", f"{name}@native"], env={"COLUMNS": "100"}).stdout.splitlines()
        (line,) = [line for line in lines if line.split()[:1] == ["needs"]]
        assert line.split(maxsplit=1)[1] == NEEDS.get(name, "references"), name


def test_joined_corpora_need_one_reference() -> None:
    """Where the corpus is one text, a case has one reference, and there are no values of cases."""
    page = " ".join(CliRunner().invoke(cli, ["show", "wer:joined=true"]).stdout.split())

    assert "needs exactly one reference a case" in page
    assert "a corpus value only" in page


def test_pages_name_the_source_of_defaults() -> None:
    """The page of an error rate or edit distance says whose numbers its defaults give."""
    for name, source in (
        *((name, "JiWER 4.0.0") for name in ("wer", "cer", "mer", "wil", "wip")),
        ("levenshtein", "RapidFuzz 3.14.6 and of NLTK 3.10.0"),
    ):
        page = " ".join(CliRunner().invoke(cli, ["show", name]).stdout.split())
        assert f"The defaults give the numbers of {source}" in page, name
