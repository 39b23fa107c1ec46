"""
Make sure that a tokenizer of the library can be had before it is asked for.

The library downloads SentencePiece models on first use. Here nothing is downloaded by a score: a model that is not
there is an error which names the command that brings it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tertium.errors import ProviderMissing, ResourceMissing

SENTENCE_PIECE = ("spm", "flores101", "flores200", "spBLEU-1K")
"""Tokenizers that need a SentencePiece model."""

MECAB: Mapping[str, str] = MappingProxyType({"ja-mecab": "mecab-ja", "ko-mecab": "mecab-ko"})
"""Tokenizers that need MeCab with a dictionary, to the name of the resource."""

BY_LANGUAGE: Mapping[str, str] = MappingProxyType({"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"})
"""The library's choice for a target language; every other language gets ``13a``."""


def in_force(tokenize: str, trg_lang: str) -> str:
    """
    Return the tokenizer that the library uses: the one asked for, or its choice for the language.
    """
    return BY_LANGUAGE.get(trg_lang, "13a") if tokenize == "auto" else tokenize


def model_file(tokenize: str) -> Path:
    """
    Return the place where the library keeps the SentencePiece model of a tokenizer.
    """
    import sacrebleu
    from sacrebleu.tokenizers import tokenizer_spm as library

    name = library.SPM_MODELS[tokenize]["url"].rsplit("/", 1)[-1]
    return Path(sacrebleu.SACREBLEU_DIR) / "models" / name


def require_model(tokenize: str) -> Mapping[str, str]:
    """
    Check that SentencePiece and the model are there.

    Returns:
        The model's SHA-256, for the signature: the library's own signature names the model but not its content.

    Raises:
        ProviderMissing: The package sentencepiece is not installed.
        ResourceMissing: The model is not there, or is none.
    """
    try:
        import sentencepiece
    except ImportError:
        raise ProviderMissing(
            f"bleu@sacrebleu(tokenize={tokenize})",
            "the package sentencepiece is not installed",
            "Run `pip install sentencepiece`, or choose another tokenizer, for instance intl or char",
        ) from None
    file = model_file(tokenize)
    name = f"SentencePiece model of {tokenize}"
    command = f"python -c \"import sacrebleu; sacrebleu.BLEU(tokenize='{tokenize}')\""
    if not file.is_file() or not file.stat().st_size:
        raise ResourceMissing(
            name,
            f"{file} is not there, and a score downloads nothing; without a network, copy the file to that place or "
            "choose another tokenizer, for instance intl or char",
            command,
        )
    try:
        sentencepiece.SentencePieceProcessor().Load(str(file))
    except (OSError, RuntimeError) as error:
        raise ResourceMissing(name, f"{file} is damaged ({error}); remove it first", command) from error
    return {"tokenizer.sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
