"""
WordNet: finding it, verifying it and reading it as NLTK does.

Most tests use a make-believe WordNet of three small files, in two editions; the last ones need the real one.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tertium import resources
from tertium.errors import ResourceMissing
from tertium.resources import wordnet, wordnet_sources

FILES = {"data.noun": b"00000000 entity\n", "index.noun": b"entity n 1\n", "lexnames": wordnet_sources.lexnames()}
OTHER = {"data.noun": b"00000001 entity\n", "lexnames": wordnet_sources.lexnames()}
SHARED = Path(__file__).resolve().parents[1].parent / "shared"


def edition(name: str, files: dict[str, bytes]) -> wordnet.Edition:
    return wordnet.Edition(name, {file: hashlib.sha256(content).hexdigest() for file, content in files.items()})


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Put the make-believe editions in force, with empty search places; give tertium's folder for WordNet."""
    monkeypatch.setattr(wordnet, "EDITIONS", (edition("small", FILES), edition("small-other", OTHER)))
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(wordnet, "nltk_folders", lambda: [tmp_path / "nltk"])
    return tmp_path / "data" / "corpora" / "wordnet"


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def test_nothing_anywhere_is_a_problem_with_the_command(small: Path) -> None:
    """Without WordNet the error says where it was looked for and names the command."""
    with pytest.raises(ResourceMissing) as caught:
        resources.require("wordnet")
    assert caught.value.command == "tertium fetch wordnet"
    assert str(small) in caught.value.problem
    assert "NLTK's data path" in caught.value.problem


@pytest.mark.parametrize(("files", "name"), [(FILES, "small"), (OTHER, "small-other")])
def test_a_whole_folder_is_found_with_its_edition(small: Path, files: dict[str, bytes], name: str) -> None:
    """Either edition is accepted as a whole, and told apart by name and digest."""
    write(small, files)
    place = wordnet.find()
    assert (place.where, place.edition.name) == (small, name)
    assert wordnet.EDITIONS[0].digest != wordnet.EDITIONS[1].digest
    assert resources.get("wordnet").problem() is None


def test_a_changed_file_is_named(small: Path) -> None:
    """One flipped byte is found by content, also when the file's size and name stay right."""
    write(small, FILES | {"data.noun": b"00000000 entitY\n"})
    problem = resources.get("wordnet").problem()
    assert problem is not None
    assert "SHA-256" in problem
    assert "data.noun" in problem
    assert "index.noun" not in problem


def test_windows_line_ends_are_damage(small: Path) -> None:
    """Synset offsets are byte offsets, so CRLF files must not pass where they are used."""
    write(small, {name: content.replace(b"\n", b"\r\n") for name, content in FILES.items()})
    assert "SHA-256" in str(resources.get("wordnet").problem())


def test_a_missing_file_is_named_and_editions_do_not_mix(small: Path) -> None:
    """A folder with a file of each edition is none of them."""
    write(small, FILES)
    (small / "index.noun").unlink()
    assert "missing: index.noun" in str(resources.get("wordnet").problem())
    write(small, FILES | {"data.noun": OTHER["data.noun"], "lexnames": b"other"})
    assert resources.get("wordnet").locate() is None


def test_a_change_after_verifying_is_noticed(small: Path) -> None:
    """The remembered verdict ends when a file's size or time changes."""
    write(small, FILES)
    assert resources.get("wordnet").locate() == small
    (small / "index.noun").write_bytes(b"entity n 2\n")
    os.utime(small / "index.noun", ns=(1, 1))
    assert "index.noun" in str(resources.get("wordnet").problem())


def test_nltks_folder_and_archive_are_accepted(small: Path, tmp_path: Path) -> None:
    """WordNet is found in NLTK's data path unpacked or zipped, by the same verification."""
    archive = tmp_path / "nltk" / "corpora" / "wordnet.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in FILES.items():
            target.writestr(f"wordnet/{name}", content)
    assert wordnet.find().where == archive
    assert wordnet.read(["data.noun"]) == {"data.noun": FILES["data.noun"]}
    folder = write(tmp_path / "nltk" / "corpora" / "wordnet", FILES)
    assert wordnet.find().where == folder


def test_a_broken_archive_is_named_and_passed_over(small: Path, tmp_path: Path) -> None:
    """A cut archive is reported with its path, and does not hide a whole folder."""
    archive = tmp_path / "nltk" / "corpora" / "wordnet.zip"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"PK\x03\x04 cut")
    problem = resources.get("wordnet").problem()
    assert f"{archive}: cannot be read" in str(problem)
    write(small, FILES)
    assert wordnet.find().where == small


def test_damaged_own_folder_does_not_hide_nltks(small: Path, tmp_path: Path) -> None:
    """A half folder of tertium's is passed over when NLTK's is whole."""
    write(small, {"data.noun": b"?"})
    folder = write(tmp_path / "nltk" / "corpora" / "wordnet", FILES)
    assert wordnet.find().where == folder


def test_what_is_read_is_what_was_verified(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file swapped between verifying and reading is refused; a file outside the edition too."""
    write(small, FILES)
    place = wordnet.find()
    monkeypatch.setattr(wordnet, "find", lambda: place)
    (small / "data.noun").write_bytes(b"swapped")
    with pytest.raises(ResourceMissing, match=r"data\.noun changed"):
        wordnet.read(["data.noun"])
    with pytest.raises(ResourceMissing, match=r"index\.sense is not part of edition small"):
        wordnet.read(["index.sense"])


def test_the_search_path_is_nltks_own(tmp_path: Path) -> None:
    """The path computed without importing NLTK equals the one NLTK computes."""
    pytest.importorskip("nltk", reason="NLTK is not installed")
    code = (
        "import sys; from tertium.resources import wordnet; mine = wordnet.nltk_folders(); "
        "assert 'nltk' not in sys.modules; import nltk.data; from pathlib import Path; "
        "assert mine == [Path(folder) for folder in nltk.data.path], (mine, nltk.data.path); "
        "assert mine == wordnet.nltk_folders(); print(len(mine))"
    )
    places = os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")])
    environment = os.environ | {"NLTK_DATA": places}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert said.returncode == 0, said.stderr
    assert int(said.stdout) >= 8


@pytest.fixture(scope="module")
def reader() -> Any:
    """Give the real WordNet, or skip."""
    pytest.importorskip("nltk", reason="NLTK is not installed")
    problem = resources.get("wordnet").problem()
    if problem is not None:
        pytest.skip(f"{problem}; run `tertium fetch wordnet`")
    return wordnet.load()


def shape(found: Any, word: str) -> list[tuple[str, list[str]]]:
    """Reduce a lookup to names, in order: all that METEOR sees of it."""
    return [(synset.name(), [lemma.name() for lemma in synset.lemmas()]) for synset in found.synsets(word)]


def test_the_real_one_has_wordnets_published_counts(reader: Any) -> None:
    """Words by part of speech are those of wnstats(7WN) for WordNet 3.0."""
    counts = {part: sum(1 for _ in reader.all_lemma_names(part)) for part in "nvar"}
    assert counts == {"n": 117_798, "v": 11_529, "a": 21_479, "r": 4_481}


def plain_nltk_reader(place: wordnet.Place, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open the same files with NLTK's own class, as `nltk.corpus.wordnet` would."""
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.corpus.util import LazyCorpusLoader

    monkeypatch.setattr(nltk.data, "path", [str(place.where.parents[1])])
    other_languages = LazyCorpusLoader("omw-2.0", WordNetCorpusReader)
    return WordNetCorpusReader(nltk.data.find(f"corpora/{place.where.name}"), other_languages)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_lookups_equal_nltks_own_reader(reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hundredth lemma, inflected forms and nonsense give the same synsets and lemmas as NLTK's class."""
    theirs = plain_nltk_reader(wordnet.find(), monkeypatch)
    words = [*list(reader.all_lemma_names())[::100], "dogs", "geese", "Running", "better", "zzzz", "", "été", "."]
    for word in words:
        assert shape(reader, word) == shape(theirs, word)
    above = {synset.name() for synset in reader.synset("dog.n.01").hypernyms()}
    assert above == {"canine.n.02", "domestic_animal.n.01"}
    assert reader.langs() == ["eng"]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_eight_threads_load_one_reader_and_look_up_safely(reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight threads that start together get the same object, and their interleaved lookups are never mixed up."""
    theirs = plain_nltk_reader(wordnet.find(), monkeypatch)
    words = list(theirs.all_lemma_names())[7::400]
    expected = {word: shape(theirs, word) for word in words}
    opened: list[wordnet.Place] = []
    open_reader: Callable[[wordnet.Place], Any] = wordnet._open_reader
    monkeypatch.setattr(wordnet, "_readers", {})
    monkeypatch.setattr(wordnet, "_open_reader", lambda place: opened.append(place) or open_reader(place))
    gate = threading.Barrier(8)

    def work(turn: int) -> tuple[Any, list[str]]:
        gate.wait()
        mine = wordnet.load()
        own = words[turn * 40 :] + words[: turn * 40]
        return mine, [word for word in own if shape(mine, word) != expected[word]]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads are switched often, so that an unguarded stream is caught
    try:
        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(work, range(8)))
    finally:
        sys.setswitchinterval(interval)
    assert len(opened) == 1
    assert len({id(mine) for mine, _ in outcomes}) == 1
    assert [wrong for _, wrong in outcomes] == [[]] * 8


def test_meteor_over_this_reader_gives_the_recorded_value(reader: Any) -> None:
    """NLTK's METEOR of a system with four references equals the value recorded for NLTK 3.10.0, to 1e-12."""
    import json

    from nltk.translate.meteor_score import meteor_score

    folder = SHARED / "data" / "mt" / "four-references"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")

    def lines(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").split("\n")[:-1]

    references = zip(*(lines(folder / f"ref{i}.txt") for i in range(4)), strict=True)
    pairs = zip(lines(folder / "systems" / "out0.txt"), references, strict=True)
    scores = [meteor_score([r.split() for r in refs], text.split(), wordnet=reader) for text, refs in pairs]
    recorded = json.loads((folder / "expected.json").read_text())["systems"]["out0"]["meteor@nltk"]
    assert len(scores) == 1357
    assert sum(scores) / len(scores) == pytest.approx(recorded, rel=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_debians_edition_gives_the_same_synonyms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For every twentieth lemma, Debian's compilation and Princeton's have the same synsets in the same order."""
    pytest.importorskip("nltk", reason="NLTK is not installed")
    folders = [Path(os.environ.get("TERTIUM_WORDNET", "/nowhere")), wordnet_sources.DEBIAN_FOLDER]
    debian = next((folder for folder in folders if (folder / "data.noun").is_file()), None)
    if debian is None:
        pytest.skip("Debian's package wordnet-base is not installed")
    princeton = wordnet.load()
    if wordnet.find().edition.name != "3.0":
        pytest.skip("Princeton's edition is not installed")
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    monkeypatch.setattr(wordnet, "nltk_folders", list)
    resources.fetch_all(["wordnet"], source_folder=debian)
    assert wordnet.find().edition.name == "3.0-debian"
    other = wordnet.load()
    assert other is not princeton
    for word in list(princeton.all_lemma_names())[::20]:
        assert shape(other, word) == shape(princeton, word)
