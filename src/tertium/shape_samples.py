"""
A few lines of text whose order is known: equal to their references, equal in part, and without a word in common.
"""

from __future__ import annotations

from tertium.cases import Cases

_HYPOTHESES = (
    ("a little cat was lying upon my rug", "a dog ran over the green hill today", "we saw seven ships near the coast"),
    ("a little cat was lying upon my rug", "a dog ran over the green hill", "we saw seven ships"),
    (
        "blue tables never sing loud songs outdoors",
        "any paper moon wants much colder tea please",
        "his uncle paints round yellow doors fast",
    ),
)
_FIRST = (
    "the small cat sat on the old mat",
    "a dog ran over the green hill today",
    "we saw seven ships near the coast",
)
_SECOND = (
    "a little cat was lying upon my rug",
    "one dog was running over that green hill today",
    "they met several boats by some beach",
)
_ONLY = (_SECOND[0], _FIRST[1], _FIRST[2])


def samples(several: bool) -> tuple[Cases, Cases, Cases]:
    """
    Return three corpora: hypotheses that equal a reference, that do so in part, and that share no word with any.

    Args:
        several: Two references a case instead of one. The one that fits is not always the first, so that layouts that
            are taken for each other show.
    """
    references = list(zip(_FIRST, _SECOND, strict=True)) if several else [(text,) for text in _ONLY]
    one, part, none = (Cases(texts, references, texts) for texts in _HYPOTHESES)
    return one, part, none
