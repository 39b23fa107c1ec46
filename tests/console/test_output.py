"""
Putting results where they were asked for: whole, or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tertium.console import cli
from tertium.console.output import check, check_folder, emit
from tertium.errors import OutputError


def test_a_file_is_replaced_at_once_and_keeps_its_mode(tmp_path: Path) -> None:
    """The old content stands until the new one is complete; permissions stay."""
    file = tmp_path / "out.txt"
    file.write_text("old")
    file.chmod(0o640)
    seen: list[str] = []

    def pieces() -> Iterator[str]:
        yield "new "
        seen.append(file.read_text())
        yield "é\r\n"

    emit(pieces(), str(file))

    assert seen == ["old"]
    assert "new é\r\n".encode() == file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [file] == list(tmp_path.iterdir())


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    """A new file gets the permissions that any program would give it."""
    (tmp_path / "usual").touch()

    emit("x", str(tmp_path / "out"))

    assert (tmp_path / "usual").stat().st_mode == (tmp_path / "out").stat().st_mode


def test_a_failure_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    """When the text breaks off, neither half a file nor a draft stays behind."""

    def pieces() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        emit(pieces(), str(tmp_path / "out"))

    assert not list(tmp_path.iterdir())


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Writing to a symbolic link replaces the file that it leads to."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")

    emit("new", str(tmp_path / "link"))

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_device_is_an_output_error() -> None:
    """No space left is an error with exit code 2."""
    with pytest.raises(OutputError, match="No space left") as caught:
        emit("x" * 100_000, "/dev/full")

    assert caught.value.exit_code == 2


def test_devices_are_written_to_and_not_replaced() -> None:
    """/dev/null stays a device."""
    emit("x", "/dev/null")

    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("place", ["no/such/folder/out", "."])
def test_a_place_that_cannot_be_is_found_before_work(tmp_path: Path, place: str) -> None:
    """A missing folder, or a folder instead of a file, is known before anything is scored."""
    with pytest.raises(OutputError):
        check(str(tmp_path / place))


@pytest.mark.parametrize(
    "place",
    [
        "x" * 300,
        pytest.param(
            "/proc/out", marks=pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
        ),
    ],
    ids=["a name that is too long", "a folder that takes no files"],
)
def test_a_place_that_takes_no_file_is_found_by_trying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """What permissions do not show, and a superuser is permitted everything, is known before anything is scored, too."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(OutputError):
        check(place)


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    """A place that was looked at is as it was, and so is a file that stood there."""
    (tmp_path / "old").write_text("old")

    check(str(tmp_path / "old"))
    check(str(tmp_path / "new"))
    check_folder(str(tmp_path))
    check_folder(str(tmp_path / "to" / "be" / "made"))

    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


def test_a_folder_that_cannot_be_made_is_found_before_work(tmp_path: Path) -> None:
    """Below a file there is no folder; nothing at all needs none."""
    (tmp_path / "file").write_text("")
    check_folder(None)

    for place in ("file", "file/below"):
        with pytest.raises(OutputError, match="is no folder"):
            check_folder(str(tmp_path / place))


BELOW_A_FILE = [
    ("fuzz", "wer", "wer(case=lower)", "--save", "file/found"),
    ("conform", "native", "--save-recorded", "file/stored"),
    ("conform", "native", "--html", "file/matrix.html"),
    ("conform", "native", "--output", "file/report.jsonl"),
    ("audit", "py:json:dumps", "--metric", "wer", "--html", "file/page.html"),
    ("explain", "wer", "wer(case=lower)", "data.jsonl", "--output", "file/out"),
    ("diff", "wer", "wer(case=lower)", "data.jsonl", "--output", "file/out"),
    ("fingerprint", "wer@jiwer", "--output", "file/out"),
    ("score", "wer", "data.jsonl", "--output", "file/out"),
    ("align", "wer", "a", "b", "--output", "file/out"),
    ("constants", "build", "nist", "data.jsonl", "--output", "file/df.npz"),
]


@pytest.mark.parametrize("words", BELOW_A_FILE, ids=lambda words: " ".join(words[:2] + words[-2:-1]))
def test_every_command_looks_at_its_file_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A file or folder that cannot be written is refused before any data are read: there are none here to read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(cli, list(words))

    assert result.exit_code == 2
    assert "file/" in result.stderr
    assert "folder" in result.stderr


def test_standard_output_needs_no_check() -> None:
    """- and nothing stand for standard output."""
    check("-")
    check(None)
