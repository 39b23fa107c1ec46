"""
Bring together what a provider can be asked: the cases of the conformance suite, small corpora made of them, and short
random texts.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence

from tertium.cases import Cases
from tertium.conformance.case_files import ConformanceCase, load_cases
from tertium.conventions import Family
from tertium.errors import TertiumError
from tertium.fingerprinting.answering import Probe

LONGEST = 1_500
"""Size of a suite's case beyond which it is not asked: a question is a small corpus."""

MOST = 8
"""Cases of a corpus, at most."""

OTHERS = 200
"""Cases of other families that are offered beside those of the metric's own."""

GROUPS = 40
"""Corpora that are put together of single cases of the metric's own family."""

WORDS: Sequence[Sequence[str]] = (
    ("the", "cat", "sat", "on", "a", "mat", "dog", "ran", "home", "small", "of", "and", "is", "red"),
    ("running", "runs", "ran", "easily", "ties", "tie", "children", "child", "was", "were", "better", "studies", "study"),
    ("car", "automobile", "big", "large", "quick", "fast", "begin", "start"),
    ("The", "CAT", "Dog", "iPhone", "USA", "ＮＡＴＯ", "Straße", "STRASSE", "İstanbul", "naïve", "nai\u0308ve", "ﬁne", "é"),
    ("don't", "can't", "gonna", "it's", "o'clock", "’tis", "“so”", '"so"', "U.S.", "e.g.", "well-known", "a-b", "re\u00adad"),
    ("3.14", "1,000", "2024", "10", "0", "5%", "$9", "½", "٣", "no.5", "12:30", "0"),
    ("<b>", "[noise]", "<unk>", "&amp;", "&quot;", "(or)", "{", "a_b", "x@y.z", "#tag", "http://a.b/c", "…", "--", "—"),
    ("我", "喜歡", "狗", "貓。", "東京", "タワー", "한국어", "문장", "日本語を", "ไทย"),
    ("привет", "мир", "Γειά", "σου", "سلام", "नमस्ते", "क्ष", "שלום", "👍🏽", "👨\u200d👩\u200d👧", "a\u200bb", "x\ufeff"),
)  # fmt: skip
"""Vocabularies, each of one kind of trouble; the first one has none."""

GAPS = (" ", " ", " ", " ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\x1f", "")
MARKS = (".", ",", "!", "?", ";", ":", "'", '"', ")", "(", "-", "/", "。", "、", "«", "%")


def suite(family: Family, sources: bool = False) -> list[Probe]:
    """
    Return the suite's cases that can be asked: all of the metric's own family, and some of the others, small ones first.

    Args:
        sources: Ask only with source texts.
    """
    own: list[Probe] = []
    others: list[Probe] = []
    seen: set[Cases] = set()
    for case in load_cases():
        probe = _probe(case, sources, case.metric in family.metrics)
        if probe is not None and probe.cases not in seen:
            seen.add(probe.cases)
            (own if probe.own else others).append(probe)
    others.sort(key=lambda probe: probe.size)
    return own + others[:: max(1, len(others) // OTHERS)]


def _probe(case: ConformanceCase, sources: bool, own: bool) -> Probe | None:
    try:
        cases = case.cases()
    except TertiumError:
        return None
    if not all(cases.references) or len(cases) > MOST or (sources and cases.sources is None):
        return None
    probe = Probe(case.id, cases if sources else Cases(cases.hypotheses, cases.references), own)
    return probe if probe.size <= LONGEST else None


PLAIN = "the small caf\u00e9 is on the left"
ALTERED: Sequence[tuple[str, str]] = (
    ("a space before", f" {PLAIN}"),
    ("a space behind", f"{PLAIN} "),
    ("a line feed behind", f"{PLAIN}\n"),
    ("two spaces", PLAIN.replace(" ", "  ", 1)),
    ("capitals", PLAIN.title()),
    ("a full stop", f"{PLAIN}."),
    ("decomposed", PLAIN.replace("\u00e9", "e\u0301")),
)
"""Small changes that a provider may undo on both sides, or by a fault on one alone."""


def one_sided(sources: bool = False) -> list[Probe]:
    """
    Make outputs and references that differ by one small change, once on each side.

    Args:
        sources: Ask only with source texts.
    """
    return [
        Probe(f"{name} on one side", Cases([output], [[reference]], [PLAIN] if sources else None), True, True)
        for name, text in ALTERED
        for output, reference in ((text, PLAIN), (PLAIN, text))
    ]


def long(parameters: Container[str]) -> list[Probe]:
    """
    Make the long texts without which limits of length do not show, where a metric has such limits.

    Args:
        parameters: Names of the metric's parameters.
    """
    found = []
    if "word_limit" in parameters:
        words = [f"w{number}" for number in range(1100)]
        changed = [f"x{number}" if number % 7 == 3 else word for number, word in enumerate(words)]
        found.append(Probe("long texts", Cases([" ".join(changed)], [[" ".join(words)]]), True))
    if "max_shift_distance" in parameters:
        for distance in (22, 40, 70):
            words = [f"w{number}" for number in range(distance + 10)]
            moved = [*words[4:distance], *words[:4], *words[distance:]]
            cases = Cases([" ".join(moved)], [[" ".join(words)]])
            found.append(Probe(f"a block that moves {distance - 4} words", cases, True))
    return found


def groups(probes: Sequence[Probe], seed: int, sources: bool = False) -> list[Probe]:
    """
    Put single cases together to corpora of two to five: only there do rules for a corpus show.
    """
    draw = random.Random(seed)
    single = [probe for probe in probes if len(probe.cases) == 1 and probe.size < 120]
    found = []
    for number in range(GROUPS if len(single) > 5 else 0):
        chosen = draw.sample(single, draw.choice((2, 2, 3, 5)))
        texts = [probe.cases[0] for probe in chosen]
        cases = Cases(
            [case.hypothesis for case in texts],
            [list(case.references or ()) for case in texts],
            [case.source or "" for case in texts] if sources else None,
        )
        found.append(Probe(f"group {number + 1}", cases))
    return found


def invented(seed: int, count: int, one_reference: bool = False, sources: bool = False) -> Iterator[Probe]:
    """
    Yield random corpora: a few words of one or two kinds, and outputs that are the references with a few changes.

    Args:
        seed: Equal seeds give equal corpora.
        one_reference: Give each case one reference.
    """
    draw = random.Random(seed)
    for number in range(count):
        size = draw.choice((1, 1, 1, 1, 2, 3))
        hypotheses, references, origins = [], [], []
        for _ in range(size):
            words = [*draw.choice(WORDS), *WORDS[0]] if draw.random() < 0.7 else list(WORDS[0])
            base = [draw.choice(words) for _ in range(draw.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16)))]
            versions = 1 if one_reference or draw.random() < 0.7 else draw.choice((2, 3))
            references.append([_text(draw, _changed(draw, base, words)) for _ in range(versions)])
            hypotheses.append(_text(draw, _changed(draw, base, words)))
            origins.append(_text(draw, _changed(draw, base, words)))
        yield Probe(f"invented {seed}.{number}", Cases(hypotheses, references, origins if sources else None))


def _changed(draw: random.Random, base: Sequence[str], words: Sequence[str]) -> list[str]:
    found = list(base)
    for _ in range(draw.choice((0, 0, 1, 1, 2, 3))):
        place = draw.randrange(len(found) + 1)
        kind = draw.randrange(8)
        if kind == 0 or not found:
            found.insert(place, draw.choice(words))
            continue
        place = min(place, len(found) - 1)
        word = found[place]
        if kind == 1:
            del found[place]
        elif kind == 2:
            found[place] = draw.choice(words)
        elif kind == 3:
            found.insert(place, word)
        elif kind == 4:
            found[place] = draw.choice((word.lower(), word.upper(), word.capitalize(), word.casefold()))
        elif kind == 5:
            mark = draw.choice(MARKS)
            found[place] = draw.choice((word + mark, mark + word, f"{word} {mark}"))
        elif kind == 6:
            block = found[place : place + draw.choice((1, 2, 3))]
            rest = found[:place] + found[place + len(block) :]
            target = draw.randrange(len(rest) + 1)
            found = rest[:target] + block + rest[target:]
        else:
            draw.shuffle(found)
    return found


def _text(draw: random.Random, words: Sequence[str]) -> str:
    usual = draw.random() < 0.75
    text = "".join(word + (" " if usual else draw.choice(GAPS)) for word in words)
    if draw.random() < 0.9:
        text = text.removesuffix(" ")
    return text + (draw.choice((".", "!", "\n", " ")) if draw.random() < 0.15 else "")
