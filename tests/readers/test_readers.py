"""
The door of the readers: which format a file has, and what importing them costs.
"""

from __future__ import annotations

import gc
import gzip
import io
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import EmptyCorpus, FormatError, ParameterError
from tertium.readers import FORMATS, read, read_lines

Write = Callable[[str, bytes | str], str]
JSON = '{"hypothesis": "a", "references": ["b"]}\n'
CSV = "hyp,ref\na,b\n"
TSV = "hyp\tref\na\tb\n"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.jsonl", JSON),
        ("a.ndjson", JSON),
        ("a.jsonlines", JSON),
        ("a.JSONL", JSON),
        ("a.json", JSON),
        ("a.csv", CSV),
        ("a.tsv", TSV),
        ("a.tab", TSV),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_format_follows_the_suffix(name: str, body: str, packed: bool, write: Write) -> None:
    """
    The suffix before that of a compression says the format.
    """
    path = write(name + ".gz", gzip.compress(body.encode())) if packed else write(name, body)
    case = read(path)[0]
    assert (case.hypothesis, case.references) == ("a", ("b",))


def test_format_can_be_named(write: Write) -> None:
    """
    A named format wins over the suffix; an unknown one is a usage error with a suggestion.
    """
    assert read(write("a.jsonl", CSV), file_format="csv").hypotheses == ("a",)
    assert set(FORMATS) == {"jsonl", "csv", "tsv"}
    with pytest.raises(ParameterError, match="Did you mean jsonl") as caught:
        read(write("a", JSON), file_format="json")
    assert caught.value.exit_code == 2


def test_stream_without_a_name_shows_json_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Standard input that begins with an object is JSON Lines; for anything else the format must be said.
    """
    for body, options in ((JSON, {}), (CSV, {"file_format": "csv"})):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body.encode())))
        assert read("-", **options).hypotheses == ("a",)  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
    with pytest.raises(FormatError, match="standard input: its format is not known from its name"):
        read("-")


@pytest.mark.parametrize("body", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_empty_stream_is_called_empty(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    """
    Standard input without any content is an empty corpus, not one of an unknown format.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
    with pytest.raises(EmptyCorpus, match="standard input is empty"):
        read("-")


@pytest.mark.parametrize(
    "body", ['[\n  {"hypothesis": "a", "references": ["b"]}\n]\n', '[{"hypothesis": "a"}]', " [ ]"]
)
def test_array_on_a_stream_is_led_to_lines(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """
    A JSON array on standard input, pretty-printed or not, gets the command that makes lines of it, as in a file.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body.encode())))
    with pytest.raises(FormatError, match=r"JSON array.*jq -c '\.\[\]'"):
        read("-")


def test_text_in_brackets_is_no_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A stream of plain lines may begin with a bracket.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[laugh] yes\n")))
    with pytest.raises(FormatError, match="its format is not known"):
        read("-")


def test_file_of_plain_lines_is_no_data_file(write: Write) -> None:
    """
    A .txt file alone is an error that says how plain lines are read.
    """
    with pytest.raises(FormatError, match="plain lines are read as hypotheses with references beside them"):
        read(write("hyp.txt", "a\nb\n"))


def test_collector_is_on_again_after_an_error(write: Write) -> None:
    """
    Reading pauses the garbage collector and gives it back, also when it fails.
    """
    assert gc.isenabled()
    with pytest.raises(FormatError):
        read(write("a.jsonl", "{"))
    assert gc.isenabled()
    gc.disable()
    try:
        read(write("b.jsonl", JSON))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_import_is_light() -> None:
    """
    The readers load no compiler, no table library and no decompressor until one is needed.
    """
    heavy = ("numba", "pandas", "pyarrow", "zstandard", "lzma", "sacrebleu")
    code = f"import sys, tertium.readers; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_memory_is_in_proportion_to_the_text(tmp_path: Path) -> None:
    """
    At its peak, reading needs less than twice the bytes of the file and one and a half times what is kept.
    """
    path = tmp_path / "long"
    path.write_bytes("the déjà red fox ran home today and sang\n".encode() * 200_000)
    tracemalloc.start()
    try:
        texts = read_lines(path)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(texts) == 200_000
    assert peak < 2 * path.stat().st_size + 1.5 * kept


@pytest.mark.slow
def test_a_million_lines_take_well_under_two_seconds(tmp_path: Path) -> None:
    """
    One million lines of twelve words are read in less than 1.5 s of processor time.
    """
    path = tmp_path / "long"
    path.write_bytes("the déjà red fox ran home today and sang a long song\r\n".encode() * 1_000_000)
    start = time.process_time()
    texts = read_lines(path)
    spent = time.process_time() - start
    assert len(texts) == 1_000_000
    assert spent < 1.5
