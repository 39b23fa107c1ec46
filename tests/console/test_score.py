"""
`tertium score`: what it prints for people and programs, and how it ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import tertium

Run = Callable[..., Result]

TWO = ("--hyp", "a.txt", "--ref", "ref.txt")


def test_table_shows_value_direction_scale_outputs_and_signature(run: Run, files: Path) -> None:
    """The table holds the score with four decimals, an arrow, the scale, further outputs and the signature."""
    result = run("score", "length", *TWO)

    # one and four: 3 + 4 characters, 3.5 on average
    assert result.exit_code == 0
    row = next(line for line in result.stdout.splitlines() if line.startswith("length@left "))
    assert row.split() == ["length@left", "3.5000", "↓", "0–∞", "total=7"]
    assert "length@left|factor=1.0|tertium-left=1.5|tertium=" in result.stdout
    assert "2 cases" in result.stdout
    assert result.stderr == ""


def test_precision_and_signature_are_choices(run: Run, files: Path) -> None:
    """--precision sets the decimals and --no-signature leaves signatures out."""
    result = run("score", "length", *TWO, "--precision", "1", "--no-signature")

    assert " 3.5 " in result.stdout
    assert "factor" not in result.stdout


def test_json_is_the_fixed_door(run: Run, files: Path) -> None:
    """--json prints exactly the documented keys, unrounded, with infinite bounds as texts."""
    result = run("score", "length:factor=2", "ratio", "data.jsonl", "--json")

    report = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(name))
    assert list(report) == ["tertium", "cases", "results"]
    assert (tertium.__version__, 2) == (report["tertium"], report["cases"])
    first, second = report["results"]
    keys = ["spec", "metric", "provider", "version", "value", "outputs", "scale", "higher_is_better", "signature"]
    assert keys == list(first)
    assert {key: first[key] for key in keys if key not in ("version", "signature")} == {
        "spec": "length@left(factor=2)",
        "metric": "length",
        "provider": "left",
        "value": 7.0,
        "outputs": {"mean": 7.0, "total": 14.0},
        "scale": [0.0, "Infinity"],
        "higher_is_better": False,
    }
    assert first["signature"].startswith("length@left|factor=2.0|")
    # (3 + 4) / (3 + 4)
    assert second["value"] == 1.0


def test_per_case_inside_the_object(run: Run, files: Path) -> None:
    """--json --per-case adds every output's values case by case, wherever the option stands."""
    for words in (["data.jsonl", "--json", "--per-case"], ["--json", "--per-case", "data.jsonl"]):
        report = json.loads(run("score", "length", *words).stdout)
        assert report["results"][0]["per_case"] == {"mean": [3.0, 4.0], "total": [3.0, 4.0]}


@pytest.mark.parametrize("option", [["--per-case"], ["--per-case", "tsv"], ["--per-case=tsv"]])
def test_per_case_as_tsv(run: Run, files: Path, option: list[str]) -> None:
    """--per-case writes one line a case under a header, with ids and signatures."""
    result = run("score", *option, "length", "ratio", "data.jsonl")

    header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert header[:5] == ["position", "id", "length@left/mean", "length@left/total", "ratio@left/ratio"]
    assert header[5:] == ["length@left/signature", "ratio@left/signature"]
    assert [row[:5] for row in rows] == [["0", "s1", "3.0", "3.0", "1.0"], ["1", "s2", "4.0", "4.0", "1.0"]]
    assert all(row[5].startswith("length@left|") and row[6].startswith("ratio@left|") for row in rows)


def test_per_case_as_json_lines(run: Run, files: Path) -> None:
    """--per-case jsonl writes one object a case."""
    lines = [
        json.loads(line) for line in run("score", "length", "data.jsonl", "--per-case", "jsonl").stdout.split("\n")[:-1]
    ]

    assert [(line["position"], line["id"]) for line in lines] == [(0, "s1"), (1, "s2")]
    assert lines[1]["scores"] == {"length@left": {"mean": 4.0, "total": 4.0}}
    assert lines[0]["signatures"]["length@left"].startswith("length@left|factor=1.0")


def test_per_case_to_a_file_leaves_the_table_on_standard_output(run: Run, files: Path) -> None:
    """With --output the cases go to the file and the corpus scores stay visible."""
    result = run("score", "length", "data.jsonl", "--per-case", "tsv", "--output", "cases.tsv")

    assert "3.5000" in result.stdout
    assert (files / "cases.tsv").read_text().count("\n") == 3


def test_json_and_per_case_lines_need_two_places(run: Run, files: Path) -> None:
    """--json --per-case tsv is refused without --output, and with it writes both."""
    refused = run("score", "length", "data.jsonl", "--json", "--per-case", "tsv")
    both = run("score", "length", "data.jsonl", "--json", "--per-case", "tsv", "--output", "cases.tsv")

    assert refused.exit_code == 2
    assert "--output" in refused.stderr
    assert "per_case" not in json.loads(both.stdout)["results"][0]
    assert (files / "cases.tsv").read_text().startswith("position\tid\t")


def test_undefined_and_infinite_values_are_null_and_text(run: Run, files: Path) -> None:
    """An undefined score is null with its reason, an infinite one a text; a table says so in words."""
    (files / "empty.jsonl").write_text(
        '{"hypothesis": "", "references": [""]}\n{"hypothesis": "x", "references": [""]}\n'
    )
    (files / "none.jsonl").write_text('{"hypothesis": "", "references": [""]}\n')

    infinite = json.loads(run("score", "ratio", "empty.jsonl", "--json", "--per-case").stdout)["results"][0]
    undefined = json.loads(run("score", "ratio", "none.jsonl", "--json").stdout)["results"][0]
    table = run("score", "ratio", "none.jsonl").stdout
    rows = run("score", "ratio", "empty.jsonl", "--per-case").stdout.splitlines()

    assert (infinite["value"], infinite["per_case"]["ratio"]) == ("Infinity", [None, "Infinity"])
    assert (undefined["value"], undefined["reason"]) == (None, "neither side has a character")
    assert "undefined" in table
    assert "neither side has a character" in table
    assert [row.split("\t")[2] for row in rows[1:]] == ["null", "Infinity"]


def test_several_systems_stand_in_one_table(run: Run, files: Path) -> None:
    """--hyp may be repeated: one row a system, one column a spec, and the name in the object."""
    words = ("score", "length", "ratio", "--hyp", "a.txt", "--hyp", "b.txt", "--ref", "ref.txt")

    table = run(*words).stdout
    results = json.loads(run(*words, "--json").stdout)["results"]

    # a.txt: (3 + 4) / 2; b.txt: (5 + 4) / 2; seven characters of references
    rows = [line.split() for line in table.splitlines() if ".txt" in line and "|" not in line]
    assert rows == [["a.txt", "3.5000", "1.0000"], ["b.txt", "4.5000", "1.2857"]]
    assert [(result["system"], result["value"]) for result in results] == [
        ("a.txt", 3.5),
        ("a.txt", 1.0),
        ("b.txt", 4.5),
        ("b.txt", 9 / 7),
    ]


def test_several_systems_case_by_case(run: Run, files: Path) -> None:
    """Per-case output of several systems names the system on every line."""
    words = ("score", "length", "--hyp", "a.txt", "--hyp", "b.txt", "--ref", "ref.txt", "--per-case")

    rows = [line.split("\t")[:4] for line in run(*words).stdout.splitlines()]

    assert rows[0] == ["system", "position", "id", "length@left/mean"]
    assert rows[1:3] == [["a.txt", "0", "0", "3.0"], ["a.txt", "1", "1", "4.0"]]
    assert rows[3:] == [["b.txt", "0", "0", "5.0"], ["b.txt", "1", "1", "4.0"]]


def test_all_providers_run_though_one_fails(run: Run, files: Path) -> None:
    """bleu@all shows each provider's failure as a row with its reason, and ends with 4."""
    result = run("score", "size@all", *TWO)
    report = json.loads(run("score", "size@all", *TWO, "--json").stdout)

    assert result.exit_code == 4
    assert "a-library-that-nobody-has is not installed" in " ".join(result.stdout.split())
    assert sum("3.5000" in line for line in result.stdout.splitlines()) == 2
    assert "tertium: 1 of 3 scores failed (size@gone)" in result.stderr
    assert "the plugin torn is left out" in result.stderr
    assert [row["spec"] for row in report["results"]] == ["size@left", "size@whole"]
    assert [row["spec"] for row in report["failures"]] == ["size@gone"]
    assert "a-library-that-nobody-has" in report["failures"][0]["reason"]


def test_a_named_provider_that_is_missing_stops_everything(run: Run, files: Path) -> None:
    """A provider that was asked for by name and is missing is an error before any score, with exit code 4."""
    result = run("score", "size@left", "size@gone", *TWO)

    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.count("\n") == 1


def test_keep_going_scores_the_others(run: Run, files: Path) -> None:
    """--keep-going scores what can be scored and ends with 4."""
    result = run("score", "size@left", "size@gone", "nosuch", *TWO, "--keep-going", "--json")

    report = json.loads(result.stdout)
    assert result.exit_code == 4
    assert (
        [row["spec"] for row in report["results"]],
        [row["spec"] for row in report["failures"]],
    ) == (["size@left"], ["size@gone", "nosuch"])


def test_nothing_scored_ends_with_the_common_code(run: Run, files: Path) -> None:
    """When every provider fails for one reason, its exit code is the end: a wrong parameter is still usage."""
    assert run("score", "size@all:factr=2", *TWO).exit_code == 2
    assert run("score", "size@gone", *TWO, "--keep-going").exit_code == 4


def test_a_corpus_only_provider_has_no_cases(run: Run, files: Path) -> None:
    """--per-case of a metric with a corpus value only is refused by name, and a failure row under @all."""
    refused = run("score", "size@whole", *TWO, "--per-case")
    rows = run("score", "size@all", *TWO, "--json", "--per-case")

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "corpus value only" in refused.stderr
    report = json.loads(rows.stdout)
    assert {"size@gone", "size@whole"} == {row["spec"] for row in report["failures"]}


def test_notes_go_to_standard_error_once(run: Run, files: Path) -> None:
    """What libraries print, warn or log, and what readers and metrics note, stands on standard error as notes."""
    (files / "marked.txt").write_bytes(b"\xef\xbb\xbf\nfour\n")

    result = run("score", "loud", "length", "--hyp", "marked.txt", "--ref", "ref.txt", "--json", "--chunk", "1")

    assert len(json.loads(result.stdout)["results"]) == 2
    lines = result.stderr.splitlines()
    assert lines.count("note: warned by a library") == 1
    assert lines.count("note: some.library: logged by a library") == 1
    assert "note: length@left: the first case is empty" in lines
    assert any("byte order mark" in line for line in lines)
    assert "printed by a library" in lines


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        (["length"], 2, ["no data"]),
        (["data.jsonl"], 2, ["no metric", "data.jsonl"]),
        (["lenght", "data.jsonl"], 2, ["lenght", "Did you mean length?"]),
        (["length@nowhere", "data.jsonl"], 2, ["length@nowhere", "left"]),
        (["length:factr=2", "data.jsonl"], 2, ["factr", "Did you mean factor"]),
        (["length:factor=11", "data.jsonl"], 2, ["factor=11", "0 to 10"]),
        (["length@left==9", "data.jsonl"], 4, ["9"]),
        (["ratio.nothing", "data.jsonl"], 2, ["nothing", "ratio"]),
        (["length", "--hyp", "a.txt"], 2, ["--ref"]),
        (["sourced", "--hyp", "a.txt", "--ref", "ref.txt"], 2, ["--src"]),
        (["sourced", "data.jsonl"], 3, ["sources"]),
        (["length", "--hyp", "a.txt", "--hyp", "a.txt", "--ref", "ref.txt"], 2, ["twice"]),
        (["length", "--hyp", "a.txt", "--ref", "short.txt"], 3, ["a.txt", "2", "short.txt", "1"]),
        (["length", "--hyp", "nope.txt", "--ref", "ref.txt"], 3, ["nope.txt", "no such file"]),
        (["length", "nope.jsonl"], 3, ["nope.jsonl", "no such file"]),
        (["length", "data.jsonl", "--ref", "ref.txt"], 2, ["--ref", "--hyp"]),
        (["length", "data.jsonl", "--output", "no/such/folder/x"], 2, ["no/such/folder"]),
        (["length", "data.jsonl", "--output", "."], 2, ["folder"]),
        (["length", "data.jsonl", "--workers", "0"], 2, ["--workers"]),
        (["length", "data.jsonl", "--per-case=xml"], 2, ["xml", "tsv", "jsonl"]),
    ],
)
def test_wrong_requests_say_what_to_do(run: Run, files: Path, words: list[str], code: int, parts: list[str]) -> None:
    """Each mistake has its exit code and one line that names the culprit; nothing is printed as a result."""
    result = run("score", *words)

    assert (code, "") == (result.exit_code, result.stdout)
    line = [line for line in result.stderr.splitlines() if line.startswith("tertium: ")]
    assert len(line) == 1
    assert all(part in line[0] for part in parts)


def test_data_from_standard_input(run: Run, files: Path) -> None:
    """- reads the data from standard input."""
    result = run("score", "length", "-", "--json", stdin=(files / "data.jsonl").read_bytes())

    assert json.loads(result.stdout)["results"][0]["value"] == 3.5


def test_the_same_spec_twice_is_scored_once(run: Run, files: Path) -> None:
    """Two spellings of one spec make one row, with a note."""
    result = run("score", "length", "Length@left:factor=1.0", *TWO, "--json")

    assert len(json.loads(result.stdout)["results"]) == 1
    assert "asked for twice" in result.stderr


def test_one_output_can_be_the_score(run: Run, files: Path) -> None:
    """length.total makes total the score."""
    assert json.loads(run("score", "length.total", *TWO, "--json").stdout)["results"][0]["value"] == 7.0


def test_hostile_ids_and_names_stay_harmless(run: Run, files: Path) -> None:
    """Escape sequences and markup in ids, texts and file names never reach a terminal raw or as markup."""
    (files / "evil.jsonl").write_text(
        '{"id": "\\u001b[31mred[/]\\u009b1m\\t[bold]x", "hypothesis": "\\u001b[2J", "references": ["\\u202eabc"]}\n'
    )
    (files / "\x1b[31m[bold]a.txt").write_text("one\nfour\n")

    outputs = [
        run("score", "length", "evil.jsonl", *option).stdout
        for option in ([], ["--json", "--per-case"], ["--per-case"])
    ]
    outputs += [run("score", "length", "evil.jsonl", "--per-case", "jsonl").stdout]
    outputs += [run("score", "length", "--hyp", "a.txt", "--hyp", "\x1b[31m[bold]a.txt", "--ref", "ref.txt").stdout]

    assert all(not {"\x1b", "\x9b", "\u202e"} & set(output) for output in outputs)
    assert outputs[2].count("\n") == 2
    assert "\\x1b[31mred[/]\\x9b1m\\t[bold]x" in outputs[2]
    assert json.loads(outputs[3])["id"] == "\x1b[31mred[/]\x9b1m\t[bold]x"
    assert "\\x1b[31m[bold]a.txt" in outputs[4]


def test_output_is_whole_or_not_there(run: Run, files: Path) -> None:
    """A run that fails leaves a file that was there before as it was."""
    (files / "out.json").write_text("before")

    failed = run("score", "length", "--hyp", "a.txt", "--ref", "short.txt", "--json", "--output", "out.json")
    kept = (files / "out.json").read_text()
    done = run("score", "length", "data.jsonl", "--json", "--output", "out.json")

    assert (failed.exit_code, kept) == (3, "before")
    assert (done.exit_code, done.stdout) == (0, "")
    assert json.loads((files / "out.json").read_text())["results"][0]["value"] == 3.5
    assert not list(files.glob(".out*"))


def test_a_table_in_a_file_has_no_colour(run: Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--output writes the table as plain text even where colour is forced."""
    monkeypatch.setenv("FORCE_COLOR", "1")

    run("score", "length", "data.jsonl", "--output", "table.txt")

    text = (files / "table.txt").read_text(encoding="utf-8")
    assert "3.5000" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("words", [["--workers", "3"], ["--chunk", "1"], ["--workers", "2", "--chunk", "1"]])
def test_workers_and_chunks_change_nothing(process: Run, files: Path, words: list[str]) -> None:
    """The object is the same, to the last digit, for every number of workers and every chunk."""
    alone = process("score", "exact-match", "data.jsonl", "--json", "--per-case", cwd=files)
    spread = process("score", "exact-match", "data.jsonl", "--json", "--per-case", *words, cwd=files)

    # one of the two cases equals its reference
    assert json.loads(alone.stdout)["results"][0]["value"] == 0.5
    assert (0, alone.stdout) == (spread.returncode, spread.stdout)


def test_a_metric_of_one_s_own(process: Run, files: Path) -> None:
    """py:module:class names a metric class in a module of this folder, also for worker processes."""
    source = Path(__file__).resolve().parents[2] / "plugins" / "tertium-example" / "src" / "tertium_example.py"
    (files / "mine.py").write_text(source.read_text(encoding="utf-8").replace('"example"', '"mine"'))

    for words in ([], ["--workers", "2", "--chunk", "1"]):
        done = process("score", "py:mine:ExactMatch", "data.jsonl", "--json", *words, cwd=files)

        # one of the two hypotheses equals its reference
        assert done.returncode == 0, done.stderr
        (result,) = json.loads(done.stdout)["results"]
        assert (result["spec"], result["provider"], result["value"]) == ("py:mine:ExactMatch", "mine", 0.5)
