"""
Explain a difference: split the gap between two metrics over the conventions on which they differ.

Each metric stands for the native setting that gives the same numbers, its declared equivalent. The conventions on which the
two settings differ share the gap by Shapley values; what is left, because an equivalent is not quite equal, is the
remainder, and everything sums to the gap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tertium.callables import CallableMetric
from tertium.cases import Cases
from tertium.coalitions import Coalitions, Contradiction
from tertium.errors import Refused
from tertium.exemplars import Effect, effects
from tertium.metric import Metric
from tertium.players import Player, Setting
from tertium.scoring import json_number
from tertium.shapley import EXACT, Shares, exact, interactions, sampled, sampled_interactions
from tertium.sides import Asked, Side, answer, no_gap, rescaled, scale_of, shared_unit, sides

NOTABLE = 0.1
"""Share of the gap from which an interaction is told."""


@dataclass(frozen=True)
class Part:
    """
    Hold one convention's share of a gap.

    Attributes:
        name: The axis, or all axes that make no sense apart.
        axes: Their ids in the vocabulary, for instance ``bleu.smoothing``.
        meaning: One sentence an axis.
        share: In the unit of the gap.
        error: Standard error of the share where it is sampled, else 0.
        choices: Parameters with both sides' choices.
        case: The case that shows it best, or None where no case does.
        reason: Why several axes stand together, where they do.
    """

    name: str
    axes: tuple[str, ...]
    meaning: str
    share: float
    error: float
    choices: Mapping[str, tuple[Any, Any]]
    case: Effect | None = None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """
        Return the part as JSON-ready values.
        """
        found: dict[str, Any] = {
            "name": self.name,
            "axes": list(self.axes),
            "meaning": self.meaning,
            "share": json_number(self.share),
            "choices": {name: [_plain(one), _plain(other)] for name, (one, other) in self.choices.items()},
            "case": None if self.case is None else self.case.to_dict(),
        }
        if self.error:
            found["standard_error"] = self.error
        return found | ({"reason": self.reason} if self.reason else {})


@dataclass(frozen=True)
class Explanation:
    """
    Hold how the gap between two metrics comes about.

    Attributes:
        a: The first metric with its score, or the reason why it has none.
        b: The second.
        cases: Number of cases.
        unit: The number that stands for 1 on the scale of the gap and its parts: that of both metrics where they share
            one, else 1.
        gap: The second value less the first, on one scale; NaN where one of them is no number.
        conventions: Every convention on which the two differ, with its share.
        remainder: What the conventions leave of the gap: how far the metrics lie from their native equivalents.
        remainders: The same for each metric, its value less its equivalent's.
        interactions: Pairs of conventions that add more, or less, together than apart by over a tenth of the gap.
        orders: Orders that were drawn where there are more than eight conventions, else 0.
        seed: Where the draw began.
        passes: Passes over the texts.
        finding: What is to be said where there is no gap to share, else None.
        interaction_errors: The standard error of each interaction where they are sampled.
        notes: What is to be said of plain functions: their shape, and the native setting that they were held to.
    """

    a: Side
    b: Side
    cases: int
    unit: float
    gap: float
    conventions: tuple[Part, ...]
    remainder: float
    remainders: tuple[float, float] = (0.0, 0.0)
    interactions: Mapping[tuple[str, str], float] = field(default_factory=dict)
    orders: int = 0
    seed: int = 0
    passes: int = 0
    finding: str | None = None
    interaction_errors: Mapping[tuple[str, str], float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, float]:
        """
        The share of every convention by its name; with the remainder they sum to the gap.
        """
        return {part.name: part.share for part in self.conventions}

    @property
    def factor(self) -> float:
        """
        How many times as large the second metric writes the same value.
        """
        return self.b.unit / self.a.unit

    def to_dict(self) -> dict[str, Any]:
        """
        Return the explanation as JSON-ready values.
        """
        found: dict[str, Any] = {
            "cases": self.cases,
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "unit": self.unit,
            "on": scale_of(self.a, self.b),
            "factor": self.factor,
            "gap": json_number(self.gap),
            "parts": {name: json_number(share) for name, share in self.parts.items()},
            "remainder": json_number(self.remainder),
            "remainders": [json_number(one) for one in self.remainders],
            "conventions": [part.to_dict() for part in self.conventions],
            "interactions": [self._interaction(pair, index) for pair, index in self.interactions.items()],
            "exact": self.orders == 0,
        }
        if self.orders:
            found |= {"orders": self.orders, "seed": self.seed}
        return found | ({} if self.finding is None else {"finding": self.finding})

    def _interaction(self, pair: tuple[str, str], index: float) -> dict[str, Any]:
        found = {"between": list(pair), "index": index}
        return found | ({"standard_error": self.interaction_errors[pair]} if pair in self.interaction_errors else {})

    def __repr__(self) -> str:
        head = f"{self.b.label} less {self.a.label}: {self.gap:+.6g} {scale_of(self.a, self.b)}"
        lines = [self.finding] if self.finding else []
        lines += [f"{part.share:+.6g}  {part.name}" for part in self.conventions]
        return "\n  ".join([head, *lines, f"{self.remainder:+.6g}  remainder"])


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def explain(
    a: Asked,
    b: Asked,
    cases: Cases,
    *,
    workers: int = 1,
    orders: int = 32,
    seed: int = 12345,
    allow_unpinned: bool = False,
    infer: bool = True,
) -> Explanation:
    """
    Split the gap between two metrics over the conventions on which they differ.

    Args:
        a: A spec or a metric; a gap is counted from here.
        b: Another one of the same name or family.
        workers: Threads or processes that each scoring may use.
        orders: Orders to draw where more than eight conventions differ.
        seed: Where the draw begins.
        infer: Whether a plain function that declares no equivalent is held to the native setting that probing it gives.

    Returns:
        Shares that sum, with the remainder, to the gap. The axis ``scale`` has the share 0: values are brought to one
        scale first, and the explanation's ``factor`` says what it multiplies printed values by.

    Raises:
        Refused: The metrics measure different things, or a provider declares no equivalent.
        TertiumError: One of them cannot be loaded.

    Example:
        >>> import tertium
        >>> cases = tertium.Cases(["The cat", "a  dog"], [["the cat"], ["a dog"]])
        >>> found = tertium.explain("exact-match", "exact-match(normalizer=lowercase)", cases)
        >>> found.gap, found.parts, found.remainder
        (0.5, {'normaliser': 0.5}, 0.0)
    """
    left, right = sides(a, b, "an explanation", allow_unpinned)
    notes = tuple(text for side in (left, right) for text in (*side.notes, *(_held(side) if infer else ())))
    settings = _settings(left, right)
    for side in (left, right):
        side.run(cases, workers, allow_unpinned)
    unit = shared_unit((left, right))
    values = [rescaled(side.value, side.unit, unit) for side in (left, right)]
    game = Coalitions(*settings, cases, unit, workers)
    for side, setting in zip((left, right), settings, strict=True):
        if side.score is not None and side.metric is setting.metric:
            game.take(side.score)
    if {left.state, right.state} != {"number"}:
        return replace(_unsplit(left, right, len(cases), unit, game), notes=notes)
    shares, ends = _shares(game, orders, seed, (left, right))
    gap = values[1] - values[0]
    remainders = values[0] - ends[0], values[1] - ends[1]
    shown = effects(game, shares.values)
    parts = [_part(*found) for found in zip(game.players, shares.values, shares.errors, shown, strict=True)]
    if game.scale is not None:
        parts.append(_part(game.scale, 0.0, 0.0, None))
    together = _together(game, shares.orders, seed, NOTABLE * abs(gap))
    return Explanation(
        left,
        right,
        len(cases),
        unit,
        gap,
        tuple(parts),
        remainders[1] - remainders[0],
        remainders,
        {pair: index for pair, (index, _) in together.items()},
        shares.orders,
        seed,
        game.passes,
        None if gap or any(shares.values) else "the two give the same value on these cases",
        {pair: error for pair, (_, error) in together.items() if error},
        notes,
    )


def _held(side: Side) -> list[str]:
    """
    Hold a plain function that declares no equivalent to the setting that probing it gives, and say so.
    """
    metric = side.metric
    if not isinstance(metric, CallableMetric) or metric.equivalent_spec is not None:
        return []
    from tertium.fingerprinting import fingerprint

    found = fingerprint(metric)
    side.metric = metric.holding(found.spec)
    missed = f", and {len(found.unexplained)} of them not" if found.unexplained else ""
    return [f"{metric.label}: {found.asked} answers on probes are those of {found.spec}{missed}; it is held to that"]


def _settings(left: Side, right: Side) -> tuple[Setting, Setting]:
    natives = left.native, right.native
    if natives[0] is not None and natives[1] is not None:
        return _setting(left, natives[0]), _setting(right, natives[1])
    if type(left.metric) is type(right.metric):
        # Without equivalents, two settings of one metric still differ by its own parameters.
        return Setting(left.metric, left.output), Setting(right.metric, right.output)
    side = left if natives[0] is None else right
    raise Refused(
        f"an explanation of {left.label} and {right.label}",
        f"{side.label} declares no native equivalent, so its conventions are not known",
        f"See where the two part with `tertium diff`, infer its conventions with `tertium fingerprint {side.label}`, or "
        "name a native spec that stands for it",
    )


def _setting(side: Side, native: Metric) -> Setting:
    if isinstance(side.metric, CallableMetric):
        equal = side.metric.equivalent()
        return Setting(native, None if equal is None else equal.output)
    if side.output is not None and side.output not in native.info.outputs:
        raise Refused(
            f"an explanation of {side.label}",
            f"its native equivalent has no output {side.output!r}; it has {', '.join(native.info.outputs)}",
            "Ask for one of these",
        )
    return Setting(native, side.output)


def _shares(game: Coalitions, orders: int, seed: int, both: tuple[Side, Side]) -> tuple[Shares, tuple[float, float]]:
    while True:
        count = len(game.players)
        failed: dict[int, str] = {}
        ends = []
        for mask, side in zip((0, game.everybody), both, strict=True):
            try:
                ends.append(game.value(mask))
            except Contradiction as error:
                raise Refused(
                    f"an explanation of {side.label}",
                    f"it gives a value on these cases, and its declared equivalent does not ({error.reason})",
                    "See where the two part with `tertium diff`, and tell the plugin's author",
                ) from error
        if count <= EXACT:
            failed = game.value_all()
        else:
            try:
                return sampled(count, game.value, orders, seed), (ends[0], ends[1])
            except Contradiction as error:
                failed[error.mask] = error.reason
        if not failed:
            return exact(count, game.value), (ends[0], ends[1])
        game.join(list(failed), next(iter(failed.values())))


def _together(game: Coalitions, orders: int, seed: int, notable: float) -> dict[tuple[str, str], tuple[float, float]]:
    """
    Return the interactions over a size with their standard errors, the largest first.
    """
    count = len(game.players)
    if count < 2:
        return {}
    if orders:
        try:
            found = sampled_interactions(count, game.value, orders, seed)
        except Contradiction:  # a mixture that no order of the shares met has no value, so there is no index
            return {}
    else:
        found = {pair: (index, 0.0) for pair, index in interactions(count, game.value).items()}
    told = [(pair, both) for pair, both in found.items() if abs(both[0]) > notable]
    told.sort(key=lambda one: -abs(one[1][0]))
    return {(game.players[i].name, game.players[j].name): both for (i, j), both in told}


def _unsplit(left: Side, right: Side, cases: int, unit: float, game: Coalitions) -> Explanation:
    """
    Say which conventions decide whether there is a value, where one side or both have none to subtract.
    """
    said = [no_gap(left, right)]
    deciding = []
    if left.state != right.state:
        states = _state(game, 0), _state(game, game.everybody)
        for place, player in enumerate(game.players):
            alone, without = _state(game, 1 << place), _state(game, game.everybody ^ 1 << place)
            if states[0] != states[1] and (alone == states[1] or without == states[0]):
                deciding.append(player)
    if deciding:
        said.append(f"decided by {', '.join(player.name for player in deciding)}")
    parts = [_part(player, math.nan, 0.0, None) for player in deciding]
    return Explanation(
        left, right, cases, unit, math.nan, tuple(parts), math.nan, passes=game.passes, finding="; ".join(said)
    )


def _state(game: Coalitions, mask: int) -> str:
    metric = game.metric(mask)
    found = answer(metric, game.column(mask, metric), game.cases)[0]
    return found if found in ("number", "infinite", "undefined") else "error"


def _part(player: Player, share: float, error: float, case: Effect | None) -> Part:
    return Part(
        player.name,
        tuple(axis.id for axis in player.axes),
        player.meaning,
        share,
        error,
        player.changes,
        case,
        player.reason,
    )
