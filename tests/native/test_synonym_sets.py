"""
Synonym sets: equal to what NLTK reads from WordNet, compiled once, verified, and safe for several processes.
"""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from needs import needs_wordnet
from tertium.native import synonym_sets
from tertium.native.compiled_files import Compiled
from tertium.resources import data_folder, wordnet

pytestmark = needs_wordnet


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Let the data folder be empty but for the WordNet at hand; give the file that will be compiled.
    """
    place = wordnet.find()
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    (corpora / place.where.name).symlink_to(place.where)
    monkeypatch.setattr(synonym_sets, "_opened", {})
    monkeypatch.setattr(wordnet, "nltk_folders", lambda: [tmp_path])
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    return Compiled("synonym-sets", place.edition.digest).place


def test_equal_nltk_for_lemmas_inflections_and_exceptions() -> None:
    """
    For a sample of lemmas, of forms with endings, of irregular forms and of odd texts, the names are those that NLTK
    reads through its synsets.
    """
    pytest.importorskip("nltk")
    reader = wordnet.load()
    sets = synonym_sets.synonym_sets()
    rng = random.Random(3)
    lemmas = sorted({lemma for known in sets.entries.values() for lemma in known})
    words = rng.sample(lemmas, 2_000)
    words += [word + end for word in rng.sample(lemmas, 300) for end in ("s", "es", "ed", "ing", "er", "est", "men")]
    irregular = sorted({form for known in sets.irregular.values() for form in known})
    words += rng.sample(irregular, 1_000)
    words += ["", "s", "ies", "men", "The", "ÉTÉ", "İ", "galore", "Paris", "paris", "good", "better", "lying"]
    for word in words:
        expected = {
            name
            for name in chain.from_iterable(synset.lemma_names() for synset in reader.synsets(word))
            if "_" not in name
        }
        assert sets.synonyms(word) == expected, word


def test_are_compiled_once_and_kept(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The first use compiles into the data folder; the next process's reads the file and compiles nothing.
    """
    assert data_folder() in compiled.parents
    first = synonym_sets.synonym_sets()
    assert compiled.is_file()
    assert [path.name for path in compiled.parent.iterdir()] == [compiled.name]
    monkeypatch.setattr(synonym_sets, "_opened", {})
    monkeypatch.setattr(synonym_sets, "compile_sets", pytest.fail)
    second = synonym_sets.synonym_sets()
    assert second is not first
    assert second.synonyms("car") == first.synonyms("car") >= {"automobile", "auto"}


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_a_damaged_file_is_made_anew(compiled: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A file that is cut short, changed, empty or of another WordNet is not believed.
    """
    expected = synonym_sets.synonym_sets().synonyms("car")
    whole = compiled.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    compiled.write_bytes(
        {"cut": whole[:-1], "changed": bytes(changed), "empty": b"", "other": whole.replace(b"1 ", b"1 0", 1)}[damage]
    )
    monkeypatch.setattr(synonym_sets, "_opened", {})
    assert synonym_sets.synonym_sets().synonyms("car") == expected
    assert compiled.read_bytes() == whole


def test_nowhere_to_write_is_no_obstacle(compiled: Path) -> None:
    """
    Where the data folder takes no file, the sets are compiled for the process alone.
    """
    compiled.parent.write_text("a file where a folder is wanted")
    assert "automobile" in synonym_sets.synonym_sets().synonyms("car")


def test_processes_may_compile_at_once(compiled: Path) -> None:
    """
    Three processes that start without the file all succeed, and one whole file is left.
    """
    code = "from tertium.native.synonym_sets import synonym_sets; print('auto' in synonym_sets().synonyms('car'))"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].strip() for process in running] == ["True"] * 3
    assert [path.name for path in compiled.parent.iterdir()] == [compiled.name]
