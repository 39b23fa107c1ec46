"""
Naming a corpus: which words are specs, which options go together, and messages in the command line's own words.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tertium.console.corpus import split_words
from tertium.errors import UsageError

Run = Callable[..., Result]


def test_the_last_word_is_the_data_file_without_hyp() -> None:
    """Without --hyp the last word is the data; with it every word is a spec."""
    assert split_words(["bleu", "chrf", "data.jsonl"], ()) == (["bleu", "chrf"], "data.jsonl")
    assert split_words(["bleu", "chrf"], ("sys.txt",)) == (["bleu", "chrf"], None)


@pytest.mark.parametrize("words", [["bleu", "-"], []])
def test_hyp_leaves_no_place_for_data(words: list[str]) -> None:
    """With --hyp, standard input as data, or no spec at all, is refused."""
    with pytest.raises(UsageError):
        split_words(words, ("sys.txt",))


def test_parallel_files_as_words_are_led_to_options(run: Run, files: Path) -> None:
    """Two files named as words get the two options that they belong to, not a search for a metric of that name."""
    result = run("score", "length", "a.txt", "ref.txt")

    assert result.exit_code == 2
    assert "--hyp a.txt --ref ref.txt" in result.stderr


def test_systems_share_one_reading_of_their_references(run: Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """References are read once, however many systems there are."""
    from tertium.readers import parallel

    read: list[str] = []
    lines = parallel.read_lines
    monkeypatch.setattr(parallel, "read_lines", lambda path, **kept: read.append(str(path)) or lines(path, **kept))
    (files / "b2.txt").write_bytes((files / "a.txt").read_bytes())

    assert run("score", "length", "--hyp", "a.txt", "--hyp", "b2.txt", "--ref", "ref.txt").exit_code == 0
    assert read == ["a.txt", "b2.txt", "ref.txt"]


def value(result: Result) -> float:
    """Return the first result's value."""
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)["results"][0]["value"]
    assert isinstance(found, float)
    return found


def test_columns_can_be_named(run: Run, files: Path) -> None:
    """Columns of other names are read when they are named, and '' says that there are none."""
    (files / "table.csv").write_text("said,meant,id\nab,abcd,\nabcd,abcd,\n")

    words = ("score", "ratio", "table.csv", "--hyp-column", "said", "--json")

    # (2 + 4) / (4 + 4); the ids are blank and must not be taken for ids
    assert value(run(*words, "--ref-column", "meant", "--id-column", "")) == 0.75
    without = run(*words, "--ref-column", "", "--id-column", "")
    assert without.exit_code == 3
    assert "no references" in without.stderr


def test_tables_without_header_and_with_other_delimiters(run: Run, files: Path) -> None:
    """--no-header, --format and --delimiter read what a suffix does not tell; \\t stands for a tab."""
    (files / "semicolons.csv").write_text("ab;abcd\nabcd;abcd\n")
    (files / "tabs.data").write_text("ab\tabcd\nabcd\tabcd\n")
    columns = ("--no-header", "--hyp-column", "1", "--ref-column", "2", "--json")

    assert value(run("score", "ratio", "semicolons.csv", "--delimiter", ";", *columns)) == 0.75
    assert value(run("score", "ratio", "tabs.data", "--format", "tsv", "--delimiter", "\\t", *columns)) == 0.75


def test_references_in_one_line_and_empty_ones(run: Run, files: Path) -> None:
    """--reference-separator cuts a line into references, and --empty-reference absent drops empty ones."""
    (files / "cut.txt").write_text("*#abcdef\n*#ab\n")
    cut = ("score", "ratio", "--hyp", "a.txt", "--ref", "cut.txt", "--reference-separator", "*#", "--json")

    # the first reference is empty as a text, and abcdef or ab where empty means none: (3 + 4) / (6 + 2)
    assert json.loads(run(*cut).stdout)["results"][0]["value"] == "Infinity"
    assert value(run(*cut, "--empty-reference", "absent")) == 0.875


def test_ids_and_sources_beside_parallel_files(run: Run, files: Path) -> None:
    """--ids names the cases in per-case output, and --src serves a metric that needs sources."""
    (files / "ids.txt").write_text("first\nsecond\n")

    lines = run("score", "length", "--hyp", "a.txt", "--ref", "ref.txt", "--ids", "ids.txt", "--per-case").stdout
    sourced = run("score", "sourced", "--hyp", "a.txt", "--src", "ref.txt", "--json")

    assert [line.split("\t")[1] for line in lines.splitlines()[1:]] == ["first", "second"]
    assert value(sourced) == 3.5


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["table.csv"], ["--hyp-column"]),
        (["table.csv", "--hyp-column", "said"], ["--ref-column"]),
        (["data.jsonl", "--no-header"], ["--no-header"]),
        (["data.jsonl", "--format", "xls"], ["--format", "jsonl"]),
        (["data.jsonl", "--encoding", "utf-9"], ["--encoding"]),
        (["data.jsonl", "--empty-reference", "drop"], ["--empty-reference", "absent"]),
        (["data.jsonl", "--ids", "ids.txt"], ["--ids", "--hyp"]),
    ],
)
def test_readers_messages_speak_the_command_line_s_words(
    run: Run, files: Path, words: list[str], parts: list[str]
) -> None:
    """A message about an argument calls it by its option."""
    (files / "table.csv").write_text("said,meant\nab,abcd\n")

    result = run("score", "length", *words)

    assert result.exit_code in (2, 3)
    assert all(part in result.stderr for part in parts)


def test_table_options_do_not_go_with_parallel_files(run: Run, files: Path) -> None:
    """Every option of a data file is refused beside --hyp, never ignored."""
    for option in (
        ["--hyp-column", "x"],
        ["--ref-column", "x"],
        ["--src-column", "x"],
        ["--id-column", "x"],
        ["--format", "csv"],
        ["--delimiter", ";"],
        ["--no-header"],
    ):
        result = run("score", "length", "--hyp", "a.txt", "--ref", "ref.txt", *option)
        assert result.exit_code == 2
        assert option[0] in result.stderr


def test_clusters_and_labels_beside_parallel_files(run: Run, files: Path) -> None:
    """--clusters and --labels name what lines belong to, in per-case output of every form."""
    (files / "talks.txt").write_text("t1\nt\t2\n")
    (files / "genres.txt").write_text("news\n\n")
    words = ["score", "length", "--hyp", "a.txt", "--ref", "ref.txt", "--clusters", "talks.txt"]
    words += ["--labels", "genre=genres.txt", "--labels", "talk=talks.txt"]

    rows = [line.split("\t") for line in run(*words, "--per-case").stdout.splitlines()]
    first, second = map(json.loads, run(*words, "--per-case", "jsonl").stdout.splitlines())

    assert rows[0][:5] == ["position", "id", "cluster", "label.genre", "label.talk"]
    assert [row[1:5] for row in rows[1:]] == [["0", "t1", "news", "t1"], ["1", "t\\t2", "", "t\\t2"]]
    assert (first["cluster"], first["label.genre"]) == ("t1", "news")
    assert (second["cluster"], second["label.talk"]) == ("t\t2", "t\t2")
    whole = json.loads(run(*words, "--per-case", "--json").stdout)
    assert (whole["cluster"], whole["label.genre"]) == (["t1", "t\t2"], ["news", ""])
    assert "cluster" not in json.loads(run(*words, "--json").stdout)


def test_clusters_and_labels_of_a_data_file(run: Run, files: Path) -> None:
    """Columns of a data file are clusters and labels by their usual names or by option, and '' is none."""
    (files / "table.csv").write_text("hypothesis,reference,cluster,label.genre,who\na,b,t1,news,x\n")

    def header(*words: str) -> list[str]:
        return run("score", "length", "table.csv", *words, "--per-case").stdout.split("\n")[0].split("\t")[2:-3]

    assert header() == ["cluster", "label.genre"]
    assert header("--cluster-column", "who", "--label-column", "who") == ["cluster", "label.who"]
    assert header("--cluster-column", "") == ["label.genre"]


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["--hyp", "a.txt", "--ref", "ref.txt", "--clusters", "short.txt"], 3, "short.txt has 1"),
        (["--hyp", "a.txt", "--ref", "ref.txt", "--labels", "genres.txt"], 2, "Write NAME=FILE"),
        (["--hyp", "a.txt", "--ref", "ref.txt", "--labels", "a=a.txt", "--labels", "a=b.txt"], 2, "a is named twice"),
        (["--hyp", "a.txt", "--ref", "ref.txt", "--cluster-column", "x"], 2, "--cluster-column beside --hyp"),
        (["--hyp", "a.txt", "--ref", "ref.txt", "--label-column", "x"], 2, "--label-column beside --hyp"),
        (["data.jsonl", "--clusters", "a.txt"], 2, "--clusters beside the data file"),
        (["data.jsonl", "--labels", "a=a.txt"], 2, "--labels beside the data file"),
        (["data.jsonl", "--label-column", "genre"], 3, "genre"),
    ],
)
def test_groups_that_do_not_fit(run: Run, files: Path, words: list[str], code: int, part: str) -> None:
    """A file of another length, a label without a name, or an option of the other kind of data is an error."""
    result = run("score", "length", *words, "--per-case")

    assert (result.exit_code, part in result.stderr) == (code, True), result.stderr


def test_groups_without_cases_are_noted(run: Run, files: Path) -> None:
    """A score of the corpus says that clusters and labels are written case by case."""
    result = run("score", "length", "--hyp", "a.txt", "--ref", "ref.txt", "--clusters", "b.txt")

    assert result.exit_code == 0
    assert "note: --clusters and --labels are checked, and written with --per-case only" in result.stderr
