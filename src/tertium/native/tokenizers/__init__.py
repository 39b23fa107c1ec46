"""
Find a tokenizer by name.

None of the modules here loads numba before a text is cut.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tertium.errors import ParameterError, did_you_mean
from tertium.extensions import find, offered
from tertium.native.text_steps import plugged
from tertium.native.tokenizers.tokenizer import FunctionTokenizer, NormalizingTokenizer, ScanTokenizer, Tokenizer

__all__ = ["NAMES", "FunctionTokenizer", "ScanTokenizer", "Tokenizer", "ptb_lines", "tokenizer"]

_MADE = {
    "none": "whitespace:NONE",
    "whitespace": "whitespace:WHITESPACE",
    "13a": "v13a:V13A",
    "intl": "intl:INTL",
    "char": "char:CHAR",
    "zh": "zh:ZH",
    "ja-mecab": "mecab:japanese_mecab",
    "ko-mecab": "mecab:korean_mecab",
    "mteval-v13a": "mteval:V13A",
    "mteval-v14-intl": "mteval:V14_INTL",
    "mteval-v14-intl-e": "mteval:V14_INTL_E",
    "edges": "edges:EDGES",
    "ptb": "ptb:PTB",
    "rouge-score": "rouge:ROUGE_SCORE",
    "rouge-1.5.5": "rouge:ROUGE_155",
    "words": "rouge:WORDS",
    "single-space": "rouge:SINGLE_SPACE",
    "periods": "rouge:PERIODS",
}

NAMES = tuple(_MADE)
"""The names of all tokenizers but ``spm:<file>`` and callables."""


def tokenizer(choice: str | Callable[[str], Any], lowercase: bool = False) -> Tokenizer:
    """
    Make a tokenizer.

    Args:
        choice: One of ``NAMES``, a plugin's, ``spm:`` and the file of a SentencePiece model, any of these after
            normalizers with ``+`` between, or a function that takes a text and
            gives its tokens (a list of strings, or one string with white space between the tokens).
        lowercase: Lower the case of each text first.

    Raises:
        ParameterError: There is no tokenizer of that name.
        ResourceMissing: It needs a package or file that is not there; the message names it.
    """
    if isinstance(choice, str):
        found = _named(choice) if choice in _MADE or choice.startswith("spm:") else _plugged(choice)
        return found.lowering(lowercase)
    name = f"{getattr(choice, '__module__', '?')}:{getattr(choice, '__qualname__', type(choice).__qualname__)}"
    return FunctionTokenizer(f"py:{name}", lowercase, function=choice)


def _plugged(name: str) -> Tokenizer:
    *steps, last = name.split("+")
    if steps:
        return NormalizingTokenizer(name, steps=tuple(map(plugged, steps)), inner=tokenizer(last))
    offer = find("tokenizers", name)
    if offer is None:
        known = sorted({*NAMES, *offered("tokenizers")})
        raise ParameterError(
            f"tokenizer {name!r}",
            f"there are {', '.join(known)}, spm:<file>, and Python functions",
            did_you_mean(name, known),
        )
    return FunctionTokenizer(name, function=offer.value)


def ptb_lines() -> Tokenizer:
    """
    Make the tokenizer ``ptb`` for metrics that part the COCO evaluation's lines at spaces alone.
    """
    found: Tokenizer = import_module(f"{__name__}.ptb").PTB_LINES
    return found


@functools.lru_cache(maxsize=64)
def _named(name: str) -> Tokenizer:
    if name.startswith("spm:"):
        from tertium.native.tokenizers.spm import sentence_pieces

        return sentence_pieces(name.removeprefix("spm:"))
    module, _, attribute = _MADE[name].partition(":")
    made = getattr(import_module(f"{__name__}.{module}"), attribute)
    return made if isinstance(made, Tokenizer) else made()
