"""
Pieces of text that part the tokenizers of TER, the settings of its tokenizer, and the value of one case.
"""

from __future__ import annotations

import itertools
from typing import Any

import tertium
from tertium.native.ter import Ter

TERCOM: dict[str, Any] = {
    "search": "tercom",
    "tokenize": "tercom",
    "empty_reference": "infinite",
    "percent": False,
}
OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
FLAGS = [dict(zip(OPTIONS, flags, strict=True)) for flags in itertools.product((False, True), repeat=4)]
PIECES = [
    *(
        "a",
        "b",
        "The",
        "the",
        "cat",
        " ",
        " ",
        " ",
        "  ",
        ".",
        ",",
        "..",
        "-",
        "3",
        "3.5",
        "x,y",
        "(",
        "!",
        "/",
        "'s",
        "'s ",
    ),
    *(
        "&amp;",
        "&quot;",
        "&amp;lt;",
        "<b>",
        "<skipped>",
        "\n",
        "\n-",
        "\t",
        "\u00a0",
        "\u0085",
        "\u2028",
        "\u3000",
        "\x1c",
    ),
    *("猫", "が", "カー", "ㇰ", "㐀", "、", "．", "ｱ", "é", "e\u0301", "İ", "ß", "Σ", "ς", "🙂", "\u200b", "€", "\0"),
]


def value(hypothesis: str, *references: str, **parameters: Any) -> float:
    """
    Score one case.
    """
    return tertium.score(Ter(**parameters), tertium.Cases([hypothesis], [references])).value
