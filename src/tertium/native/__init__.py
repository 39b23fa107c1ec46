"""
Bundle the native metrics: every convention a parameter, at compiled speed.

They come in through the same hook as any plugin. Importing this package imports no metric and not numba; a kernel
module, once imported, does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from tertium.hookspecs import hookimpl

if TYPE_CHECKING:
    from tertium.metric import Metric
    from tertium.resources import Resource

# One line a metric: the module below this package and the class, or a tuple of classes, in it.
_METRICS: tuple[str, ...] = (
    "bleu:Bleu",
    "chrf:Chrf",
    "cider:Cider",
    "cider:CiderD",
    "exact:ExactMatch",
    "gec_gleu:GecGleu",
    "gleu:Gleu",
    "levenshtein:Levenshtein",
    "meteor:Meteor",
    "nist:Nist",
    "overlap:Dice",
    "overlap:Jaccard",
    "overlap:TokenF1",
    "ribes:Ribes",
    "rouge_ngrams:ORDERS",
    "rouge_sequences:SEQUENCES",
    "rouge_skips:SKIPS",
    "squad:SquadEm",
    "squad:SquadF1",
    "ter:Ter",
    "wer:Cer",
    "wer:Wer",
    "word_information:Mer",
    "word_information:Wil",
    "word_information:Wip",
)


@hookimpl
def tertium_metrics() -> Sequence[type[Metric]]:
    """
    Give the native metric classes.
    """
    found: list[type[Metric]] = []
    for place in _METRICS:
        module, _, attribute = place.partition(":")
        made = getattr(import_module(f"{__name__}.{module}"), attribute)
        found += made if isinstance(made, tuple) else [made]
    return found


@hookimpl
def tertium_resources() -> Sequence[Resource]:
    """
    Give the resources that native metrics may need beside those of the host.
    """
    found: Sequence[Resource] = import_module(f"{__name__}.meteor_data").RESOURCES
    return found


@hookimpl
def tertium_tokenizers() -> Mapping[str, Callable[[str], Sequence[str]]]:
    """
    Give the tokenizers that are built in, so that their names are taken and anybody can use them.
    """
    names: Sequence[str] = import_module(f"{__name__}.tokenizers").NAMES
    return {name: functools.partial(_tokens, name) for name in names}


@hookimpl
def tertium_normalizers() -> Mapping[str, Callable[[str], str]]:
    """
    Give the normalizers that are built in.
    """
    steps: Mapping[str, Callable[[str], str]] = import_module(f"{__name__}.exact").STEPS
    return {name: step for name, step in steps.items() if name != "none"}


def _tokens(name: str, text: str) -> Sequence[str]:
    found: Sequence[str] = import_module(f"{__name__}.tokenizers").tokenizer(name).tokens(text)
    return found
