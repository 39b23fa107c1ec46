"""
Find WordNet 3.0, verify every file by its SHA-256, and open it as NLTK's METEOR reads it.

It is looked for in tertium's own data folder, then in NLTK's data path, unpacked (``corpora/wordnet/``) or as NLTK's
downloader leaves it (``corpora/wordnet.zip``). A folder that is there but not whole is passed over and named.

WordNet: Fellbaum (ed.), *WordNet: An Electronic Lexical Database*, MIT Press 1998; file formats: wndb(5WN).
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium.errors import ResourceMissing
from tertium.resources.resource import Finding, Report, Resource, data_folder

if TYPE_CHECKING:
    from zipfile import ZipFile

COMMAND = "tertium fetch wordnet"

# WordNet 3.0 as Princeton released it, lines ended by LF: synset offsets are byte offsets, so other line ends break it.
# cntlist.rev and index.sense are not read for METEOR, but NLTK's reader lists them among its files.
_PRINCETON = {
    "adj.exc": "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016",
    "adv.exc": "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8",
    "cntlist.rev": "a198580b8f705fa02797bba8b13e5cbe4a9f9f40cb1697e774c7fc6a5865b035",
    "data.adj": "f24b635368be441501c9b8001e9271fd3b30b203f00d91e332979e6f8fe35646",
    "data.adv": "e66dbbda0e0359e41b7f225bff71dd0c263dc7c66c1b61abc9ba334973d92979",
    "data.noun": "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc",
    "data.verb": "29cc96ed80c9f47d94fe75e332a9df80f4b1c737205f92d2f433d63c6da2ab51",
    "index.adj": "42f58dda2c7cff66eb8fa55ba62e0a873a9b3f43c878e8201108f5dab6dcff28",
    "index.adv": "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea",
    "index.noun": "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
    "index.sense": "68b3a468cddfd8e92134b9b0624339a02a1b837159243c297c5f138a3d618392",
    "index.verb": "c7c79b558d787f1e31c6f8b3eeadb8fcbb26a64545ecc1241e21d9b61f95ee8e",
    "lexnames": "4767e2a1c6e68c1a93aa6b7c4ef7ebe9a815b50d7d5aac2788696f2cf3633bf1",
    "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
    "verb.exc": "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c",
}
# Debian's package wordnet-base 1:3.0-37 compiles the same lexicographer files again: other byte offsets, but the same
# synsets and words, in the same order, for each of the 147,306 lemmas. It leaves index.sense out.
_DEBIAN = {
    "data.adj": "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7",
    "data.adv": "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139",
    "data.noun": "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    "data.verb": "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2",
    "index.adj": "c9865d7b4d1f805bdef82ccdcea5282436e23083e6f6f1b33e716327c4eda810",
    "index.verb": "e2ac24816c3a8289dcb72aaa9cf8db81fdf25ec34d792bfc96ac5b7a20c8b4ae",
}


@dataclass(frozen=True)
class Edition:
    """
    Name a set of files that together are WordNet 3.0.

    Args:
        name: ``3.0`` (Princeton) or ``3.0-debian``.
        hashes: SHA-256 of each file, in hexadecimal.
    """

    name: str
    hashes: Mapping[str, str]

    @property
    def digest(self) -> str:
        """
        One SHA-256 over all names and hashes, for signatures.
        """
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.hashes.items()))
        return hashlib.sha256(lines.encode()).hexdigest()


EDITIONS = (
    Edition("3.0", _PRINCETON),
    Edition("3.0-debian", {name: hash_ for name, hash_ in (_PRINCETON | _DEBIAN).items() if name != "index.sense"}),
)


@dataclass(frozen=True)
class Place:
    """
    Hold a verified WordNet: where it is and which edition.
    """

    where: Path
    edition: Edition


_judged: dict[tuple[object, ...], tuple[Edition | None, str]] = {}
_readers: dict[str, Any] = {}
_lock = threading.RLock()


def home() -> Path:
    """
    Tell the folder into which ``tertium fetch wordnet`` writes; NLTK finds it too when NLTK_DATA is tertium's folder.
    """
    return data_folder() / "corpora" / "wordnet"


def nltk_folders() -> list[Path]:
    """
    List NLTK's data path without importing NLTK, which takes a third of a second.
    """
    if "nltk.data" in sys.modules:
        return [Path(str(folder)) for folder in sys.modules["nltk.data"].path if folder]
    folders = [folder for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    if "APPENGINE_RUNTIME" not in os.environ and os.path.expanduser("~/") != "~/":
        folders.append(os.path.expanduser("~/nltk_data"))
    folders += [
        os.path.join(sys.prefix, *parts) for parts in (("nltk_data",), ("share", "nltk_data"), ("lib", "nltk_data"))
    ]
    if os.name == "nt":
        folders.append(os.path.join(os.environ.get("APPDATA", "C:\\"), "nltk_data"))
        folders += [drive + "\\nltk_data" for drive in ("C:", "D:", "E:")]
    else:
        folders += ["/usr/" + part + "nltk_data" for part in ("share/", "local/share/", "lib/", "local/lib/")]
    return [Path(folder) for folder in folders]


def find() -> Place:
    """
    Find a WordNet whose files are all verified.

    Raises:
        ResourceMissing: There is none; says where it was looked for and which files are missing or damaged.
    """
    found, problem = _search()
    if found is None:
        raise ResourceMissing("wordnet", problem, COMMAND)
    return found


def read(names: Iterable[str]) -> dict[str, bytes]:
    """
    Read files of the verified WordNet; the bytes that are returned are the bytes that were verified.

    Args:
        names: File names such as ``data.noun``; ``index.sense`` is not in every edition.

    Raises:
        ResourceMissing: There is no whole WordNet, or a file changed since it was verified.
    """
    place = find()
    return {name: _read_verified(place, name) for name in names}


def load() -> Any:
    """
    Open WordNet as an NLTK ``WordNetCorpusReader``, once a process.

    The reader can be given to NLTK's ``meteor_score(wordnet=...)`` from several threads at the same time: its lookups
    of synsets are guarded, and it reads from memory, so that a forked process shares no file position with its parent.
    It knows English only.

    Raises:
        ResourceMissing: There is no whole WordNet.
        ImportError: NLTK is not installed.
    """
    place = find()
    with _lock:
        if place.edition.digest not in _readers:
            _readers[place.edition.digest] = _open_reader(place)
        return _readers[place.edition.digest]


def _search() -> tuple[Place | None, str]:
    own = home()
    folders = nltk_folders()
    problems = []
    candidates = [own, *(folder / "corpora" / "wordnet" for folder in folders)]
    candidates += [folder / "corpora" / "wordnet.zip" for folder in folders]
    for candidate in dict.fromkeys(candidates):
        edition, problem = judge(candidate)
        if edition is not None:
            return Place(candidate, edition), ""
        if problem:
            problems.append(f"{candidate}: {problem}")
    nowhere = f"WordNet 3.0 is neither in {own} nor in NLTK's data path"
    return None, "; ".join(problems) or nowhere


def judge(candidate: Path) -> tuple[Edition | None, str]:
    """
    Verify one folder or archive; the answer is remembered for as long as sizes and times of its files stay.

    Returns:
        (edition, ``""``), or (None, problem); the problem is empty when there is nothing at that path.
    """
    fingerprint = _fingerprint(candidate)
    if fingerprint is None:
        return None, ""
    key = (str(candidate), tuple(edition.digest for edition in EDITIONS), fingerprint)
    with _lock:
        if key not in _judged:
            _judged[key] = _judge(candidate)
        return _judged[key]


def _file_names() -> list[str]:
    return sorted({name for edition in EDITIONS for name in edition.hashes})


def _fingerprint(candidate: Path) -> tuple[object, ...] | None:
    files = [candidate] if candidate.suffix == ".zip" else [candidate / name for name in _file_names()]
    marks: list[tuple[str, int, int]] = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        marks.append((file.name, status.st_size, status.st_mtime_ns))
    if marks or candidate.is_dir():
        return tuple(marks)
    return None


def _judge(candidate: Path) -> tuple[Edition | None, str]:
    try:
        found = {name: hashlib.sha256(content).hexdigest() for name, content in _contents(candidate, _file_names())}
    except Exception as error:  # a damaged archive raises BadZipFile, zlib.error, EOFError, NotImplementedError...
        return None, f"cannot be read ({error})"
    if not found:
        return None, "holds none of WordNet's files"
    complaints = []
    for edition in EDITIONS:
        damaged = [name for name, digest in found.items() if name in edition.hashes and digest != edition.hashes[name]]
        missing = [name for name in edition.hashes if name not in found]
        if not damaged and not missing:
            return edition, ""
        complaints.append((damaged, missing))
    damaged, missing = min(complaints, key=lambda lists: len(lists[0]) + len(lists[1]))
    parts = []
    if damaged:
        parts.append(f"not WordNet 3.0's content (SHA-256): {', '.join(sorted(damaged))}")
    if missing:
        parts.append(f"missing: {', '.join(sorted(missing))}")
    return None, "; ".join(parts)


def _contents(candidate: Path, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """
    Yield the files that exist, from a folder or from ``wordnet/`` in a zip archive.
    """
    if candidate.suffix == ".zip":
        from zipfile import ZipFile

        with ZipFile(candidate) as archive:
            for name in names:
                content = _from_zip(archive, name)
                if content is not None:
                    yield name, content
        return
    for name in names:
        try:
            yield name, (candidate / name).read_bytes()
        except FileNotFoundError:
            continue


def _from_zip(archive: ZipFile, name: str) -> bytes | None:
    try:
        return archive.read(f"wordnet/{name}")
    except KeyError:
        return None


def _read_verified(place: Place, name: str) -> bytes:
    problem = f"{place.where}: {name} is not part of edition {place.edition.name}"
    wanted = place.edition.hashes.get(name)
    if wanted is not None:
        for _, content in _contents(place.where, [name]):
            if hashlib.sha256(content).hexdigest() == wanted:
                return content
        problem = f"{place.where}: {name} changed while it was in use"
    raise ResourceMissing("wordnet", problem, COMMAND)


def _open_reader(place: Place) -> Any:
    from nltk.data import FileSystemPathPointer

    return _reader_class()(FileSystemPathPointer(str(place.where)), _NoOtherLanguages(), place)


class _NoOtherLanguages:
    """
    Stand where NLTK's reader expects the Open Multilingual WordNet, and hold no language.
    """

    def fileids(self) -> list[str]:
        return []


@functools.cache
def _reader_class() -> Any:
    """
    Derive the guarded reader from NLTK's; made on first use, so that importing this module does not import NLTK.
    """
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import SeekableUnicodeStreamReader

    class VerifiedWordNet(WordNetCorpusReader):  # type: ignore[misc]
        """
        Read verified bytes from memory, and let several threads look synsets up.
        """

        def __init__(self, root: object, languages: object, place: Place) -> None:
            self._place = place
            self._guard = threading.RLock()  # re-entrant: a satellite adjective looks its head up while being parsed
            super().__init__(root, languages)
            for part in self._FILEMAP:
                self._data_file(part)  # all are read and verified now, none later in the middle of a corpus
                self._synset_offset_cache[part] = {}
            self._synset_offset_cache[self.ADJ_SAT] = {}

        def open(self, file: str) -> Any:
            return SeekableUnicodeStreamReader(io.BytesIO(_read_verified(self._place, file)), self._ENCODING)

        def map_wn(self, version: str = "wordnet") -> None:
            # NLTK maps its multilingual data from the WordNet in its data path to the one at hand; both are 3.0, and
            # there may be none in its data path.
            return None

        def synset_from_pos_and_offset(self, pos: str, offset: int) -> Any:
            known = self._synset_offset_cache[pos].get(offset)
            if known is not None:
                return known
            with self._guard:  # NLTK seeks and reads on a stream that all lookups share
                return super().synset_from_pos_and_offset(pos, offset)

    return VerifiedWordNet


def _inspect() -> Finding:
    place, problem = _search()
    return Finding(place.where, None) if place else Finding(None, problem)


def _bring(report: Report, source_folder: Path | None) -> None:
    from tertium.resources.wordnet_sources import fetch

    fetch(report, source_folder)


def _identify() -> str:
    edition = find().edition
    return f"{edition.name}:{edition.digest}"


WORDNET = Resource("wordnet", "WordNet 3.0, for METEOR's synonyms", COMMAND, _inspect, _bring, _identify)
