"""
Make the small corpora that checks score, cut to what a metric needs.

Sentences are long enough for every usual n-gram order, and hold what parameters turn on: capitals, punctuation, numbers,
hyphens, plurals, repeated words, several references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tertium import Cases, MetricInfo

_PAIRS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "The old ferry crosses the river twice a day, at 7.30 and at 18.45.",
        ("The old ferry crosses the river two times a day: at 7.30 and 18.45.", "Twice a day the ferry goes across."),
    ),
    (
        "Nobody had expected that so many visitors would come on a Monday.",
        ("No one expected so many visitors to come on a Monday.", "Nobody had thought so many would visit on Monday."),
    ),
    (
        "Fresh bread and fresh butter are sold in the small shop next to the station.",
        ("The small shop near the station sells fresh bread and butter.",),
    ),
    (
        "It's a well-known fact that cats don't like cold water very much.",
        ("It is well known that a cat does not like cold water much.", "Cats hardly like cold water, as we know."),
    ),
    (
        "the meeting was moved to 1,200 Main Street because of the heavy rains",
        ("The meeting moved to 1,200 Main Street because of heavy rain.",),
    ),
    (
        'She said: "We will start again tomorrow morning," and closed the door.',
        ('"We start again tomorrow morning", she said and closed the door.', "She closed the door and said so."),
    ),
    (
        "Most of the letters were written by the sailors during their long journeys.",
        ("Sailors wrote most of the letters on their long journey.", "The sailors wrote letters while travelling."),
    ),
    (
        "A new bridge, a new road and a new school were promised last year.",
        ("Last year a new bridge, a new road and a new school were promised.",),
    ),
    (
        "Please turn off the lights before you leave the room tonight!",
        ("Turn off the light before leaving the room tonight, please.", "Please turn the lights off when you leave."),
    ),
    (
        "Our neighbours' dogs bark whenever the postman walks up the hill.",
        ("The dogs of our neighbours bark when the postman walks up the hill.",),
    ),
    (
        "Only three of the seven houses on this street have a garden behind them.",
        ("Only three of the seven houses in this street have gardens.", "Of seven houses only three have a garden."),
    ),
    (
        "the train left without him and he walked home in the dark, whistling softly",
        ("The train left without him, so he walked home whistling in the dark.",),
    ),
)

_UNRELATED = "Quartz volcanoes erupt beneath zinc-coloured yachts while jazz quintets improvise fugues."

RICH: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Le caf\u00e9 \u00e9tait ferm\u00e9 \u00ab hier \u00bb \u2013 dit-elle.",
        ("Le cafe\u0301 e\u0301tait ferme hier, dit-elle.",),
    ),
    (
        "\u6771\u4eac\u306e\u5929\u6c17\u306f\u6674\u308c\u3067\u3059\u3002",
        ("\u6771\u4eac\u306f\u4eca\u65e5\u6674\u308c\u3060\u3002",),
    ),
    (
        "\u0415\u0433\u043e \u0434\u043e\u043c \u0441\u0442\u043e\u0438\u0442 \u043d\u0430 \u0433\u043e\u0440\u0435.",
        (
            "\u0414\u043e\u043c \u0441\u0442\u043e\u0438\u0442 \u043d\u0430 \u0433\u043e\u0440\u0435 \u0434\u0430\u0432\u043d\u043e.",
        ),
    ),
    (
        "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u05d9\u05e4\u05d4",
        ("\u05e9\u05dc\u05d5\u05dd \u05dc\u05e2\u05d5\u05dc\u05dd",),
    ),
    (
        "STRA\u00dfE \u0130stanbul \u039f\u0394\u039f\u03a3 \ufb01ne",
        ("strasse istanbul \u03bf\u03b4\u03bf\u03c2 fine",),
    ),
    (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 and \U0001f1eb\U0001f1f7 \U0001d4b6\U0001d4b7",
        ("\U0001f468 \U0001f469 and FR ab",),
    ),
    ("soft\u00adhyphen zero\u200bwidth \ufeffmark", ("softhyphen zerowidth mark",)),
    ("line\u2028para\u2029next\x85tab\tend\x0bfeed\x0c", ("line para next tab end feed",)),
    ("nul\x00byte \x1b[31m bell\x07", ("nul byte bell",)),
    ("a\u0301\u0302\u0303\u0304\u0305 e\u0323\u0301", ("a e",)),
    (
        "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
        ("\u0928\u092e\u0938\u094d\u0924\u0947 \u092d\u093e\u0930\u0924",),
    ),
    ("\uff21\uff22\uff23 \uff11\uff12\uff13\uff0c\u3000full", ("ABC 123, full",)),
)
"""Pairs from many scripts, with marks, invisible characters and controls."""


def made(pairs: Sequence[tuple[str, Sequence[str]]], info: MetricInfo) -> Cases:
    """
    Make cases of pairs: one reference a case where the metric takes one, sources where it needs them.
    """
    single = "one-reference" in info.needs
    references: list[list[str]] = [list(found[:1] if single else found) for _, found in pairs]
    sources: Any = None
    if "sources" in info.needs:
        sources = [" ".join(reversed(hypothesis.split())) or hypothesis for hypothesis, _ in pairs]
    return Cases([hypothesis for hypothesis, _ in pairs], references, sources)


def ordinary(info: MetricInfo) -> Cases:
    """
    Give a dozen plain English cases.
    """
    return made(_PAIRS, info)


def identical(info: MetricInfo) -> Cases:
    """
    Give the same references, each with itself as the hypothesis and as its only reference.
    """
    return made([(references[0], references[:1]) for _, references in _PAIRS], info)


def unrelated(info: MetricInfo) -> Cases:
    """
    Give the references of ``identical`` with hypotheses that share no word with them.
    """
    return made([(_UNRELATED, references[:1]) for _, references in _PAIRS], info)


def damaged(info: MetricInfo, share: float) -> Cases:
    """
    Give the cases of ``identical`` with the last ``share`` of the words of each hypothesis replaced by strange ones.
    """
    pairs = []
    for _, references in _PAIRS:
        words = references[0].split()
        kept = len(words) - round(share * len(words))
        pairs.append((" ".join([*words[:kept], *(f"zq{i}xj" for i in range(kept, len(words)))]), references[:1]))
    return made(pairs, info)


def cut(info: MetricInfo) -> Cases:
    """
    Give the ordinary cases with the first half of the first reference as the hypothesis, and a shorter and a longer reference.
    """
    pairs = []
    for _, references in _PAIRS:
        words = references[0].split()
        half = words[: len(words) // 2]
        pairs.append((" ".join(half), [references[0], " ".join(half[:-2]), " ".join([*half, "then"])]))
    return made(pairs, info)


def repeated(info: MetricInfo) -> Cases:
    """
    Give cases of repeated words, on one side, the other or both.
    """
    many, one = "rain rain rain rain rain rain", "rain"
    return made([(many, [one]), (one, [many]), (many, [many]), ("a b a b a b", ["b a"]), ("b a", ["a b a b"])], info)


def rich(info: MetricInfo) -> Cases:
    """
    Give cases of many scripts, with marks, invisible characters and controls.
    """
    return made(RICH, info)


def blank(info: MetricInfo, side: str) -> Cases:
    """
    Give the ordinary cases with some texts of one side empty or blank: ``hypotheses`` or ``references``.
    """
    pairs: list[tuple[str, Sequence[str]]] = []
    for i, (hypothesis, references) in enumerate(_PAIRS):
        text = ("", " ", "", " \t ")[i % 4]
        if i % 2:
            pairs.append((hypothesis, references))
        else:
            pairs.append((text, references) if side == "hypotheses" else (hypothesis, [text]))
    return made(pairs, info)
