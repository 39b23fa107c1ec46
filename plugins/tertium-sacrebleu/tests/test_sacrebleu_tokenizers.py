"""
Tokenizers that need something which may not be there.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import tertium
from tertium.errors import ProviderMissing, ResourceMissing

NAMES = {
    "spm": "sacrebleu_tokenizer_spm.model",
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
CASES = tertium.Cases(["the cat sat on the mat", "a small dog ran"], [["the cat sat on a mat"], ["a small dog ran"]])


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Give an empty folder in which the library looks for models.
    """
    import sacrebleu.tokenizers.tokenizer_spm as library

    pytest.importorskip("sentencepiece", reason="the package sentencepiece is not installed")
    from tertium_sacrebleu.scorer import _SCORERS

    monkeypatch.setattr(library, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(sacrebleu, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(_SCORERS, "made", {})
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """
    Give a small model trained on invented sentences.
    """
    sentencepiece = pytest.importorskip("sentencepiece", reason="the package sentencepiece is not installed")
    folder = tmp_path_factory.mktemp("spm")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat on the mat", "a small dog ran home", "cats and dogs sat and ran"] * 20),
        model_prefix=str(folder / "small"),
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return (folder / "small.model").read_bytes()


@pytest.mark.parametrize("tokenize", NAMES)
def test_a_model_that_is_not_there_is_a_clear_error(
    tokenize: str, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its model a tokenizer is refused at once, with the place and the command, and nothing is downloaded."""
    import sacrebleu.tokenizers.tokenizer_spm as library

    monkeypatch.setattr(library, "download_file", lambda *_: pytest.fail("a score must not download"))
    with pytest.raises(ResourceMissing) as caught:
        tertium.score(tertium.Spec("bleu", "sacrebleu", params={"tokenize": tokenize}), CASES)

    assert str(models / NAMES[tokenize]) in str(caught.value)
    assert f"sacrebleu.BLEU(tokenize='{tokenize}')" in caught.value.command
    assert list(models.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_a_damaged_model_is_a_clear_error(content: bytes, models: Path) -> None:
    """A file that is empty or no model is refused, not tokenized with."""
    (models / NAMES["flores200"]).write_bytes(content)

    with pytest.raises(ResourceMissing, match="flores200"):
        tertium.score("bleu@sacrebleu:tokenize=flores200", CASES)


@pytest.mark.parametrize("tokenize", NAMES)
def test_a_model_that_is_there_is_used_as_the_library_uses_it(tokenize: str, models: Path, model: bytes) -> None:
    """With a model the value is the library's own, and the model's hash stands in the signature."""
    (models / NAMES[tokenize]).write_bytes(model)
    score = tertium.score(tertium.Spec("bleu", "sacrebleu", params={"tokenize": tokenize}), CASES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        library = sacrebleu.BLEU(tokenize=tokenize)
    value = library.corpus_score(CASES.hypotheses, [CASES.flat_references])

    assert 0 < score.value < 100
    assert score.value == value.score
    assert score.conventions["sacrebleu.signature"] == str(library.get_signature())
    assert score.conventions["tokenizer.sha256"] == hashlib.sha256(model).hexdigest()
    renamed = [note for note in score.notes if "flores101" in note]
    assert len(renamed) == (tokenize == "spm")


def test_missing_sentencepiece_is_a_clear_error(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package sentencepiece the error names it."""
    monkeypatch.setitem(sys.modules, "sentencepiece", None)

    with pytest.raises(ProviderMissing, match="pip install sentencepiece"):
        tertium.score("bleu@sacrebleu:tokenize=flores200", CASES)


@pytest.mark.parametrize(
    ("parameters", "resources"),
    [
        ({}, ()),
        ({"tokenize": "ja-mecab"}, ("mecab-ja",)),
        ({"tokenize": "ko-mecab"}, ("mecab-ko",)),
        ({"trg_lang": "ja"}, ("mecab-ja",)),
        ({"trg_lang": "ko"}, ("mecab-ko",)),
        ({"trg_lang": "ja", "tokenize": "char"}, ()),
    ],
)
def test_dictionaries_are_resources(parameters: dict[str, Any], resources: tuple[str, ...]) -> None:
    """A tokenizer that needs MeCab says which dictionary, also where the library chose it for the language."""
    assert tertium.load(tertium.Spec("bleu", "sacrebleu", params=parameters)).info.resources == resources


@pytest.mark.parametrize(
    ("tokenize", "module", "library"),
    [("ja-mecab", "ja", "tokenizer_ja_mecab"), ("ko-mecab", "ko", "tokenizer_ko_mecab")],
)
def test_missing_mecab_is_a_clear_error(
    tokenize: str, module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the library finds no MeCab, the error names the resource and what to install."""
    import importlib

    from tertium_sacrebleu import BLEU
    from tertium_sacrebleu.scorer import _SCORERS

    monkeypatch.setattr(importlib.import_module(f"sacrebleu.tokenizers.{library}"), "MeCab", None)
    monkeypatch.setattr(_SCORERS, "made", {})
    with pytest.raises(ResourceMissing) as caught:
        tertium.score(BLEU(tokenize=tokenize), CASES)

    assert caught.value.name == f"mecab-{module}"
    assert f'"sacrebleu[{module}]"' in caught.value.command
