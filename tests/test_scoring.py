"""
Scoring: the one path, its chunks and workers, its guards, and what a Score shows.
"""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tertium
from miniatures.metrics import Faulty, Learned, Lettered, Needy, Thirds, Whole
from tertium import Cases, Metric
from tertium.errors import (
    BadNesting,
    BadText,
    MissingReferences,
    MissingSources,
    ProviderBroken,
    Refused,
    TertiumError,
    UnknownOutput,
)
from tertium.scoring import BLOCK, total


def corpus(size: int) -> Cases:
    texts = ["x" * (i * i % 17) for i in range(size)]
    return Cases(texts, [[text, "y"] if i % 3 else ["z"] for i, text in enumerate(texts)])


@pytest.mark.parametrize(
    "metric",
    [Thirds(), Thirds(threads=True), Learned(), Lettered(), Lettered(threads=True)],
    ids=["processes", "threads", "constants", "compact", "compact-threads"],
)
def test_every_chunk_size_and_worker_count_gives_the_same_bits(metric: Metric) -> None:
    """Chunks of any size over any number of workers give bit-equal statistics and values."""
    cases = corpus(2 * BLOCK + 77)
    expected = tertium.score(metric, cases)

    for workers, chunk in [(1, 1000), (1, 7), (2, None), (3, 501)]:
        found = tertium.score(metric, cases, workers, chunk=chunk)
        assert expected.statistics is not None
        assert found.statistics is not None
        assert expected.statistics.tobytes() == found.statistics.tobytes()
        assert expected.outputs == found.outputs


def test_callers_executor_is_used() -> None:
    """Any concurrent.futures executor may run the chunks."""
    cases = corpus(50)
    with ThreadPoolExecutor(2) as executor:
        found = tertium.score(Thirds(), cases, executor=executor, chunk=7)

    assert tertium.score(Thirds(), cases).outputs == found.outputs


def test_totals_are_summed_by_blocks() -> None:
    """The total of n equal thirds is the sum by blocks, whatever the number of rows."""
    statistics = np.full((3 * BLOCK + 5, 1), 1 / 3)
    blocks = [np.add.reduce(statistics[i : i + BLOCK, 0]) for i in range(0, len(statistics), BLOCK)]

    assert math.isclose(len(statistics) / 3, float(total(statistics)[0]), rel_tol=1e-12)
    assert math.isclose(sum(map(float, blocks)), float(total(statistics)[0]), rel_tol=1e-12)


def test_compact_statistics_are_written_out_when_asked_for() -> None:
    """Statistics that come as sums give the value without rows, and rows, read-only, when somebody looks at them."""
    score = tertium.score(Lettered(), Cases(["aab", "b"], [["x"], ["x"]]), chunk=1)

    assert "statistics" not in vars(score)
    assert score.outputs == {"letters": 4.0, "value": 1.0 + 1 / 3}
    assert score.per_case["letters"].tolist() == [3.0, 1.0]
    assert score.statistics is not None
    assert score.statistics[:, [ord("a"), ord("b"), 128]].tolist() == [[2.0, 1.0, 1.0], [0.0, 1.0, 1 / 3]]
    assert score.statistics.shape == (2, 129)
    with pytest.raises(ValueError, match="read-only"):
        score.statistics[0, 0] = 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("rest", "nan for case 2 in 'value'"),
        ("sums", "the sums that it gives of them are not"),
        ("shape", r"shape \(3, 128\) instead of \(3, 129\)"),
    ],
)
def test_compact_statistics_are_checked(fault: str, words: str) -> None:
    """Statistics that come as sums must have the shape that was declared, and be finite."""
    with pytest.raises(ProviderBroken, match=words):
        tertium.score(Lettered(fault=fault), Cases(["a", "b", "c"], [["x"]] * 3))


def test_corpus_value_is_the_aggregate_of_the_total() -> None:
    """Value, outputs and per-case values follow from statistics worked by hand."""
    score = tertium.score(Thirds(), Cases(["abc", "ab"], [["abc"], ["x"]]))

    assert math.isclose((1 + 2 / 3) / 2, score.value, rel_tol=1e-12)
    assert {"mean": score.value, "rate": 0.5} == score.outputs
    assert score.per_case["rate"].tolist() == [1.0, 0.0]
    assert score["rate"] == 0.5
    with pytest.raises(UnknownOutput, match="it has mean, rate"):
        score["rates"]


def test_progress_counts_cases() -> None:
    """Progress reports the cases done after each chunk."""
    seen: list[tuple[int, int]] = []
    tertium.score(Thirds(), corpus(10), chunk=4, progress=lambda done, size: seen.append((done, size)))

    assert seen == [(4, 10), (8, 10), (10, 10)]


def test_metric_with_a_corpus_value_only_refuses_cases() -> None:
    """A metric that is not additive scores the corpus and refuses per-case values with the reason."""
    score = tertium.score(Whole(), corpus(20), workers=2)

    assert score.value == 16.0
    with pytest.raises(Refused, match="corpus value only"):
        _ = score.per_case


def test_given_constants_replace_learned_ones() -> None:
    """Frozen constants are used as they are given."""
    assert tertium.score(Learned(), Cases(["a"], [["ab"]]), constants={4}).value == 0.25


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("raises", "statistics raised ValueError: too hard"),
        ("import", r"test cannot be imported \(RuntimeError: no shared object\).*--force-reinstall"),
        ("exits", "statistics raised SystemExit: 7"),
        ("shape", r"statistics returned shape \(3, 2\) instead of \(3, 1\)"),
        ("rows", r"shape \(4, 1\) instead of \(3, 1\)"),
        ("nan", "hold nan for case 0 in 'a'"),
        ("inf", "hold inf"),
        ("text", "returned no numbers"),
        ("outputs", r"aggregate returned shape \(3, 3\) instead of \(1,\)"),
    ],
)
def test_provider_that_breaks_the_protocol_is_named(fault: str, words: str) -> None:
    """A wrong shape, a number that is not finite and an exception become an error with the provider's name."""
    with pytest.raises(ProviderBroken, match=f"faulty@test: .*{words}"):
        tertium.score(Faulty(fault=fault), corpus(3))


def test_errors_about_data_pass_unchanged_from_workers() -> None:
    """An error that a provider raises about the data arrives as it is, from processes too."""
    for workers in (1, 2):
        with pytest.raises(BadText):
            tertium.score(Faulty(fault="data"), corpus(8), workers)


def test_undefined_value_says_why() -> None:
    """A value that is undefined is NaN with a reason, and null in JSON."""
    score = tertium.score(Faulty(), corpus(3))

    assert math.isnan(score.value)
    assert score.reason == "nothing was counted"
    assert {"value": None, "reason": "nothing was counted"}.items() <= score.to_dict().items()
    json.dumps(score.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("metric", "cases", "kind", "words"),
    [
        (Thirds(), Cases(["a", "b"], [["a"], None]), MissingReferences, "case 1 .*has no references"),
        (Thirds(), Cases(["a", "b"], [["a"], []]), MissingReferences, "an empty list of references"),
        (Thirds(), Cases(["a", "b", "c"], None), MissingReferences, r"case 0 .*\(and 2 more\)"),
        (Needy(), Cases(["a"], [["a"]]), MissingSources, "no sources"),
        (Needy(), Cases(["a", "b"], [["a"], ["b", "c"]], ["s", "t"]), Refused, "case 1 .* has 2"),
    ],
)
def test_cases_that_lack_what_is_needed_are_refused(
    metric: Metric, cases: Cases, kind: type[TertiumError], words: str
) -> None:
    """Missing references and sources are named by case."""
    with pytest.raises(kind, match=words):
        tertium.score(metric, cases)


def test_no_worker_is_refused() -> None:
    """At least one worker is needed."""
    with pytest.raises(Refused, match="workers=0"):
        tertium.score(Thirds(), corpus(3), 0)


@pytest.mark.parametrize("wrong", [{"workers": "2"}, {"chunk": 0}, {"chunk": -1}])
def test_workers_and_chunks_are_counted_from_one(wrong: dict[str, Any]) -> None:
    """Anything but a whole number from 1 is refused by name."""
    with pytest.raises(Refused, match=next(iter(wrong))):
        tertium.score(Thirds(), corpus(3), **wrong)


def test_what_is_no_cases_is_refused() -> None:
    """Bare lists are led to Cases."""
    with pytest.raises(BadNesting, match=r"a list was given as cases\. Make tertium\.Cases"):
        tertium.score("wer", ["a"])  # type: ignore[arg-type]


def test_score_shows_itself() -> None:
    """The terminal sees value, direction and signature; the notebook sees escaped HTML."""
    score = tertium.score(Thirds(), corpus(3))

    assert "higher is better; 3 cases" in repr(score)
    assert score.signature in repr(score)
    assert score._repr_html_().startswith("<table>")
    assert "thirds@test|threads=false|tertium=" in score.signature


def test_json_door_has_its_keys() -> None:
    """The JSON form has the keys that other programs rely on, infinite bounds as texts."""
    door = tertium.score(Thirds(), corpus(3)).to_dict()

    assert list(door) == [
        "spec",
        "metric",
        "provider",
        "version",
        "value",
        "outputs",
        "scale",
        "higher_is_better",
        "signature",
    ]
    assert door["scale"] == [0.0, "Infinity"]


def test_input_is_not_changed() -> None:
    """Scoring leaves the cases as they were."""
    cases = corpus(9)
    before = cases.digest
    tertium.score(Thirds(), cases)

    assert before == Cases(cases.hypotheses, cases.references).digest
