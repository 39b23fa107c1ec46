"""
`tertium conventions`, and the axes that `tertium show` links.
"""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from tertium.console import cli


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), env={"COLUMNS": "140"})


def test_families_are_listed() -> None:
    """Without a name, each family stands with its metrics and implementations."""
    output = run("conventions").stdout

    assert "rougeLsum" in output
    assert "ntt-ribes" in output


def test_a_family_is_axes_by_provider() -> None:
    """A family, or a metric of it, is a table of axes with one column an installed provider."""
    output = run("conventions", "cer").stdout
    heading = next(line for line in output.splitlines() if line.startswith("axis")).split()

    assert heading == ["axis", "native", "jiwer", "sctk"]
    assert "tie-breaking" in output
    assert "fastwer" not in output


def test_all_lists_what_was_measured() -> None:
    """--all shows implementations that are no provider, gathered by what they do."""
    output = " ".join(run("conventions", "ter", "--all").stdout.split())

    assert "tercom, pyter3 any number" in output


def test_an_axis_is_explained_with_its_cases() -> None:
    """An axis shows meaning, native parameters, each implementation's value and the cases that show it."""
    output = " ".join(run("conventions", "bleu.reference-length").stdout.split())

    assert "native parameters: reference_length" in output
    assert "5-1-reference-length-closest:" in output
    assert "torcheval" in output


def test_json_has_cells_with_evidence() -> None:
    """--json gives each cell's words, evidence, cases and the native parameters in force."""
    (family,) = json.loads(run("conventions", "chrf", "--json").stdout)["families"]
    cells = next(axis for axis in family["axes"] if axis["id"] == "chrf.order-averaging")["cells"]

    assert set(cells["sacrebleu"]["parameters"]) == {"order_average"}
    assert cells["sacrebleu"]["evidence"] == "cases"
    assert all(isinstance(value, float) for value in cells["sacrebleu"]["shows"].values())
    assert cells["nltk"]["version"] == "3.10.0"


def test_verify_runs_the_cases() -> None:
    """--verify runs what the cells of a family point to and finds that all hold."""
    result = run("conventions", "gleu", "--verify", "--json")
    findings = json.loads(result.stdout)

    assert (result.exit_code, findings["contradictions"], findings["unseen"]) == (0, [], 0)
    assert findings["held"] >= 8


def test_an_unknown_name_gets_a_hint() -> None:
    """A family or an axis that does not exist is an error that offers the nearest."""
    assert "Did you mean bleu" in run("conventions", "blue").stderr
    assert "Did you mean bleu.smoothing" in run("conventions", "bleu.smoothin").stderr


def test_show_links_parameters_to_axes() -> None:
    """Parameters of native metrics and of adapters name the axes that they move."""
    native, adapter = json.loads(run("show", "chrf", "chrf@sacrebleu", "--json").stdout)["metrics"]
    axes = [{row["name"]: row["axes"] for row in facts["parameters"]} for facts in (native, adapter)]

    assert axes[0]["epsilon"] == ["chrf.epsilon"]
    assert axes[1]["word_order"] == ["chrf.word-order"]
    assert set(axes[1]["eps_smoothing"]) == {"chrf.order-averaging", "chrf.epsilon"}
    assert "tertium conventions chrf" in run("show", "chrf").stdout
