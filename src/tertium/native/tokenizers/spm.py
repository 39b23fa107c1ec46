"""
Cut text into the pieces of a SentencePiece model.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tertium.errors import ParameterError, ResourceMissing
from tertium.native.tokenizers.tokenizer import FunctionTokenizer


def sentence_pieces(path: str) -> FunctionTokenizer:
    """
    Make the tokenizer of a SentencePiece model.

    Args:
        path: The model's file.

    Raises:
        ResourceMissing: The package sentencepiece is not installed.
        ParameterError: The file cannot be read or is no SentencePiece model.
    """
    name = f"spm:{path}"
    try:
        import sentencepiece  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise ResourceMissing(
            f"tokenizer {name}", f"a package it needs is not installed ({error})", "pip install sentencepiece"
        ) from error
    try:
        model = Path(path).read_bytes()
    except OSError as error:
        raise ParameterError(
            f"tokenizer {name}",
            f"the model cannot be read ({error.strerror})",
            "Give the path of a SentencePiece model",
        ) from error
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(model)
    except RuntimeError as error:
        raise ParameterError(
            f"tokenizer {name}", f"the file is no SentencePiece model ({error})", "Give the path of a .model file"
        ) from error

    def words(text: str) -> str:
        return " ".join(processor.encode(text.rstrip(), out_type=str))

    return FunctionTokenizer(f"spm-{hashlib.sha256(model).hexdigest()[:16]}", function=words)
