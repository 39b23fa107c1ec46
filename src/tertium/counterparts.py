"""
Find the native metrics that a plain function is held to: the one that it computes, its declared equivalent, and the one
whose tokenizer cuts its texts.
"""

from __future__ import annotations

from dataclasses import replace

from tertium.conventions import family_of
from tertium.errors import ParameterError, TertiumError
from tertium.metric import Metric
from tertium.parameters import parameters_of
from tertium.shapes import Cut
from tertium.spec import Spec, parse


def named(metric: str | None) -> Metric | None:
    """
    Return the native metric of a name; None where there is none, or no resource that it needs.
    """
    if metric is None:
        return None
    from tertium.registry import DEFAULT_PROVIDER, registry

    name, implied = registry().name(metric)
    if DEFAULT_PROVIDER not in registry().metrics[name]:
        return None
    try:
        return registry().load(Spec(name, DEFAULT_PROVIDER, params=implied))
    except TertiumError:  # it needs a resource that is not there: nothing to hold the function to
        return None


def check_equivalent(equivalent: str | None, label: str, metric: str | None) -> None:
    """
    Refuse a declared equivalent that is no native metric, or measures something else than the function is said to.

    Args:
        label: What the function is called.
        metric: The metric that it is said to compute, or None.

    Raises:
        ParameterError: The equivalent cannot be one.
    """
    if equivalent is None:
        return
    from tertium.registry import DEFAULT_PROVIDER, registry

    asked = f"{label} with equivalent={equivalent}"
    found = registry().resolve(parse(equivalent))
    if found.provider != DEFAULT_PROVIDER:
        raise ParameterError(
            asked,
            "it is held to a native metric, and that is none",
            "Name a native one, as bleu(tokenize=none), or leave it out",
        )
    name = None if metric is None else registry().name(metric)[0]
    family = None if name is None else family_of(name)
    if name not in (None, found.metric) and (family is None or family is not family_of(found.metric)):
        could = ", ".join(one for one in (family.metrics if family else (name,)) if one is not None)
        raise ParameterError(
            asked,
            f"it is said to compute {name}, and {found.metric} measures something else",
            f"Name a setting of {could}, or say metric={found.metric}",
        )


def cutter(tokenize: str, label: str) -> Cut:
    """
    Return what cuts a text into tokens as the native BLEU does with that tokenizer.

    Raises:
        ParameterError: There is no such tokenizer.
    """
    if tokenize == "whitespace":
        return str.split
    from tertium.registry import registry

    asked = Spec("bleu", "native", params={"tokenize": tokenize})
    known = replace(parameters_of(registry().get(asked))["tokenize"], callable=False, default="whitespace")
    known.check(label, tokenize)
    cut = registry().load(asked).tokens
    return lambda text: cut(text) or ()
