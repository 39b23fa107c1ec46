"""
Line the misbehaving metrics up, each under the check that it must fail: ``python -m tertium.testing miniatures.lineup``.
"""

from __future__ import annotations

from miniatures.culprits import (
    Addressed,
    AsciiOnly,
    Backwards,
    BadMerge,
    BadScale,
    Calling,
    Counting,
    EmptyOutput,
    EmptyReference,
    ExtraRow,
    FlatAggregate,
    FlatPerCase,
    Forgetful,
    Greedy,
    HalfDeclared,
    Hashing,
    Infinite,
    InPlace,
    Leaking,
    NeverPerfect,
    OverTheTop,
    Positional,
    Raising,
    Relative,
    Rewriting,
    Secretive,
    Seeding,
    Shared,
    Talking,
    Unexplained,
    Unpicklable,
    Wavering,
    WrongEquivalent,
)
from miniatures.heavy import Heavy
from miniatures.printing import Printing
from miniatures.sound import Sound
from tertium import Metric

CULPRITS: dict[str, Metric] = {
    "check_facts_are_sound": BadScale(),
    "check_scores_plain_text": Raising(),
    "check_statistics_shape": ExtraRow(),
    "check_statistics_are_finite": Infinite(),
    "check_aggregate_shape": FlatAggregate(),
    "check_per_case_shape": FlatPerCase(),
    "check_splits_add_up": Relative(),
    "check_order_is_free": Positional(),
    "check_constants_merge": BadMerge(),
    "check_cases_stay_as_they_are": Rewriting(),
    "check_sums_stay_as_they_are": InPlace(),
    "check_repeats_itself": Counting(),
    "check_same_in_other_processes": Hashing(),
    "check_pickles": Unpicklable(),
    "check_reference_lists_stay_apart": Leaking(),
    "check_parameters_round_trip": Forgetful(),
    "check_declared_values_work": HalfDeclared(),
    "check_signature_is_complete": Secretive(),
    "check_signature_is_stable": Addressed(),
    "check_wrong_parameters_are_refused": Greedy(),
    "check_scale_holds": OverTheTop(),
    "check_identity_is_an_end_of_the_scale": NeverPerfect(),
    "check_direction_is_honoured": Backwards(),
    "check_more_damage_never_helps": Wavering(),
    "check_equivalent_holds": WrongEquivalent(),
    "check_unicode_is_scored": AsciiOnly(),
    "check_empty_outputs_are_scored": EmptyOutput(),
    "check_empty_references_are_scored": EmptyReference(),
    "check_undefined_is_explained": Unexplained(),
    "check_threads_agree": Shared(),
    "check_import_is_quiet": Printing(),
    "check_import_is_light": Heavy(),
    "check_scoring_leaves_no_trace": Seeding(),
    "check_scoring_prints_nothing": Talking(),
    "check_scoring_needs_no_network": Calling(),
}
"""The metric that fails each check, and no other check."""

SOUND: Metric = Sound()
