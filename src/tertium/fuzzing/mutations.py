"""
Change texts a little, such that a hypothesis resembles its reference and real text meets what it seldom holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from random import Random

from tertium.fuzzing import scripts

_WORDS = re.compile(r"\s+|\S+")

_STRANGE: tuple[tuple[str, ...], ...] = (
    *(scripts.SPACES, scripts.INVISIBLE, scripts.MARKS, scripts.PUNCTUATION, scripts.NUMBERS, scripts.GLUED),
    tuple(word for words in scripts.WORDS.values() for word in words),
)


def mutated(text: str, random: Random) -> str:
    """
    Change a text in one to four places.
    """
    for _ in range(random.choice((1, 1, 2, 2, 3, 4))):
        text = random.choice(_CHANGES)(text, random)
    return text


def _drop(text: str, random: Random) -> str:
    pieces, places = _cut(text)
    if not places:
        return text
    place = random.choice(places)
    count = random.choice((1, 1, 1, 2, 4))
    return "".join(pieces[:place] + pieces[place + 2 * count :])


def _swap(text: str, random: Random) -> str:
    pieces, places = _cut(text)
    if len(places) < 2:
        return text[::-1] if random.random() < 0.1 else text
    one, other = random.sample(places, 2)
    pieces[one], pieces[other] = pieces[other], pieces[one]
    return "".join(pieces)


def _repeat(text: str, random: Random) -> str:
    pieces, places = _cut(text)
    if not places:
        return text
    place = random.choice(places)
    return "".join([*pieces[:place], *([pieces[place], " "] * random.choice((1, 1, 2, 5))), *pieces[place:]])


def _shift(text: str, random: Random) -> str:
    words = text.split(" ")
    if len(words) < 3:
        return text
    size = random.randint(1, min(len(words) - 1, 6))
    start = random.randint(0, len(words) - size)
    rest = words[:start] + words[start + size :]
    place = random.randint(0, len(rest))
    return " ".join(rest[:place] + words[start : start + size] + rest[place:])


def _replace(text: str, random: Random) -> str:
    pieces, places = _cut(text)
    if not places:
        return random.choice(random.choice(_STRANGE))
    # A word of the same text makes repeats and ties; another one makes an error.
    own = random.random() < 0.5
    pieces[random.choice(places)] = pieces[random.choice(places)] if own else random.choice(random.choice(_STRANGE))
    return "".join(pieces)


def _insert(text: str, random: Random) -> str:
    place = random.randint(0, len(text))
    return text[:place] + random.choice(random.choice(_STRANGE)) + text[place:]


def _lose(text: str, random: Random) -> str:
    if not text:
        return text
    place = random.randrange(len(text))
    return text[:place] + text[place + random.choice((1, 1, 2)) :]


def _double(text: str, random: Random) -> str:
    if not text:
        return text
    place = random.randrange(len(text))
    return text[: place + 1] + text[place:]


def _space(text: str, random: Random) -> str:
    spaces = [place for place, character in enumerate(text) if character == " "]
    if not spaces:
        return random.choice((text + " ", " " + text, text + "\n"))
    place = random.choice(spaces)
    return text[:place] + random.choice((*scripts.SPACES, "")) + text[place + 1 :]


def _fold(text: str, random: Random) -> str:
    change: Callable[[str], str] = random.choice((str.lower, str.upper, str.title, str.swapcase, str.casefold))
    if random.random() < 0.5:
        return change(text)
    pieces, places = _cut(text)
    for place in random.sample(places, min(2, len(places))):
        pieces[place] = change(pieces[place])
    return "".join(pieces)


def _form(text: str, random: Random) -> str:
    return unicodedata.normalize(random.choice(("NFC", "NFD", "NFKC", "NFKD")), text)


def _trim(text: str, random: Random) -> str:
    return random.choice((text.strip(), text.rstrip(".!?。"), text[: len(text) // 2], text[len(text) // 2 :]))


def _cut(text: str) -> tuple[list[str], Sequence[int]]:
    """
    Cut a text into words and what stands between them, with the places of the words.
    """
    pieces = _WORDS.findall(text)
    return pieces, [place for place, piece in enumerate(pieces) if not piece.isspace()]


_CHANGES: tuple[Callable[[str, Random], str], ...] = (
    *(_drop, _drop, _swap, _swap, _repeat, _shift, _shift, _replace, _replace, _insert, _lose, _double),
    *(_space, _fold, _form, _trim),
)
"""What can happen to a text; what stands twice happens twice as often."""
