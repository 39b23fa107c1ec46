"""
Putting results where they were asked for: whole, or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium.console.output import check, emit
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


def test_standard_output_needs_no_check() -> None:
    """- and nothing stand for standard output."""
    check("-")
    check(None)
