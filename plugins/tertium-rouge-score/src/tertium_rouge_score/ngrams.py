"""
ROUGE-1 to ROUGE-9: shared n-grams of one length.
"""

from __future__ import annotations

from tertium_rouge_score.rouge import RougeMetric, Stemmer, TokenizerName
from tertium_rouge_score.tokenizers import DEFAULT


class RougeN(RougeMetric):
    """
    Join the types that count n-grams.
    """

    def __init__(self, *, stemmer: Stemmer = False, tokenizer: TokenizerName = DEFAULT) -> None:
        self.accept(stemmer, tokenizer)


class Rouge1(RougeN):
    """
    Words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge1"


class Rouge2(RougeN):
    """
    Word pairs that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge2"


class Rouge3(RougeN):
    """
    Word triples that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge3"


class Rouge4(RougeN):
    """
    Runs of 4 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge4"


class Rouge5(RougeN):
    """
    Runs of 5 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge5"


class Rouge6(RougeN):
    """
    Runs of 6 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge6"


class Rouge7(RougeN):
    """
    Runs of 7 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge7"


class Rouge8(RougeN):
    """
    Runs of 8 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge8"


class Rouge9(RougeN):
    """
    Runs of 9 words that output and reference share, clipped: F1, precision and recall of each case, then their means.
    """

    name = "rouge9"
