"""
Coalitions of conventions: who plays, who stands together, and what a mixture is worth.
"""

from __future__ import annotations

import pytest

import tertium
from tertium.coalitions import Coalitions, Contradiction
from tertium.players import Setting

CASES = tertium.Cases(["The cat sat.", "a dog"], [["the cat sat"], ["a dog ran"]])


def game(a: str, b: str, cases: tertium.Cases = CASES) -> Coalitions:
    return Coalitions(Setting(tertium.load(a), None), Setting(tertium.load(b), None), cases, 1.0)


def test_players_are_the_axes_on_which_the_settings_differ() -> None:
    """Each player changes the parameters of one axis, in the order of the vocabulary."""
    found = game("wer", "wer(strip_punctuation=true,case=lower)")

    assert [player.name for player in found.players] == ["case", "punctuation"]
    assert found.players[0].changes == {"case": ("sensitive", "lower")}
    assert found.players[0].axes[0].id == "wer.case"


def test_a_coalition_is_the_metric_with_its_choices() -> None:
    """Nobody is the first setting, everybody the second, and a mixture is worth what that metric gives."""
    found = game("wer", "wer(strip_punctuation=true,case=lower)")

    assert found.value(0) == tertium.score("wer", CASES).value
    assert found.value(found.everybody) == tertium.score("wer(strip_punctuation=true,case=lower)", CASES).value
    assert found.value(0b01) == tertium.score("wer(case=lower)", CASES).value
    assert found.value(0b10) == tertium.score("wer(strip_punctuation=true)", CASES).value


def test_mixtures_of_the_aggregate_stage_share_statistics() -> None:
    """Four mixtures of two axes, one of which changes nothing that is counted, take two passes."""
    found = game("bleu", "bleu(lowercase=true,smoothing=floor)")
    wanted = {
        mask: tertium.score(spec, CASES).value / 100
        for mask, spec in enumerate(
            ("bleu", "bleu(lowercase=true)", "bleu(smoothing=floor)", "bleu(lowercase=true,smoothing=floor)")
        )
    }

    assert [player.name for player in found.players] == ["case", "smoothing"]
    assert {mask: found.value(mask) for mask in range(4)} == pytest.approx(wanted, rel=1e-12)
    assert found.passes == 2


def test_coalitions_valued_together_are_those_valued_one_by_one() -> None:
    """Sums that are finished in the same way are finished in one call, and every value has the bits it has alone."""
    spec = "bleu(lowercase=true,tokenize=none,smoothing=floor,effective_order=true,reference_length=shortest)"
    together, alone = game("bleu", spec), game("bleu", spec)

    assert together.value_all() == {}
    assert [together.value(mask) for mask in range(32)] == [alone.value(mask) for mask in range(32)]
    assert together.passes == alone.passes == 8


def test_coalitions_without_a_value_are_told_from_those_with_one() -> None:
    """Where some mixtures of settings have no value, the others keep theirs, and each of the former has its reason."""
    found = game("wer", "wer(case=lower,empty_reference=undefined)", tertium.Cases(["a", "b c"], [[""], [""]]))
    failed = found.value_all()

    assert sorted(failed) == [2, 3]
    assert all("no units" in reason for reason in failed.values())
    assert found.value(0) == found.value(1) == 3.0
    assert found.passes == 4


def test_scores_that_are_there_need_no_pass() -> None:
    """Statistics that were made before are taken as they are."""
    found = game("bleu", "bleu(smoothing=floor)")
    found.take(tertium.score("bleu", CASES))

    assert found.value(0) != found.value(1)
    assert found.passes == 0


def test_a_mean_of_cases_shares_no_statistics() -> None:
    """Where each case is finished by itself, smoothing is counted into the statistics."""
    found = game("bleu(aggregation=mean)", "bleu(aggregation=mean,smoothing=floor)")

    assert found.value(0) != found.value(1)
    assert found.passes == 2


def test_contradictions_make_one_player() -> None:
    """sclite's markup needs its costs, ties and split: they play as one, and the other axis for itself."""
    found = game("wer", "wer(markup=sclite,costs=sclite,ties=sclite,split=ascii,case=ascii)")

    assert {frozenset(axis.name for axis in player.axes) for player in found.players} == {
        frozenset({"case"}),
        frozenset({"markup", "alignment-weights", "tie-breaking", "word-split"}),
    }


def test_what_cannot_be_valued_is_told() -> None:
    """A mixture that refuses the cases is a contradiction with a reason."""
    found = game("wer", "wer(empty_reference=error)", tertium.Cases(["a"], [[""]]))

    with pytest.raises(Contradiction, match="no units"):
        found.value(1)


def test_metrics_that_differ_in_defaults_alone_need_no_player_for_it() -> None:
    """CIDEr and CIDEr-D are one computation with other choices."""
    found = game("cider-d(tokenizer=none)", "cider(tokenizer=none)")

    assert [player.name for player in found.players] == ["length-penalty", "stemming", "tf", "clipping"]
    assert found.scale is not None
    assert found.value(found.everybody) == pytest.approx(tertium.score("cider(tokenizer=none)", CASES).value, abs=1e-12)
