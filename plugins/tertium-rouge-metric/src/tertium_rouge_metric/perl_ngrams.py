"""
Let the Perl program ROUGE-1.5.5 count n-grams.
"""

from __future__ import annotations

from tertium_rouge_metric.perl import PerlRouge


class Rouge1(PerlRouge):
    """
    Words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge1"


class Rouge2(PerlRouge):
    """
    Word pairs that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge2"


class Rouge3(PerlRouge):
    """
    Word triples that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge3"


class Rouge4(PerlRouge):
    """
    Runs of 4 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge4"


class Rouge5(PerlRouge):
    """
    Runs of 5 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge5"


class Rouge6(PerlRouge):
    """
    Runs of 6 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge6"


class Rouge7(PerlRouge):
    """
    Runs of 7 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge7"


class Rouge8(PerlRouge):
    """
    Runs of 8 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge8"


class Rouge9(PerlRouge):
    """
    Runs of 9 words that output and reference share, clipped: means of F, precision and recall over resamples of the cases.
    """

    name = "rouge9"


TYPES: tuple[type[PerlRouge], ...] = (Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9)
