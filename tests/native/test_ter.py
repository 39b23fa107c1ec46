"""
Native TER against sacreBLEU, TERCOM's recorded runs and values worked by hand, and at its limits.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tertium
from miniatures.ter_texts import FLAGS, PIECES, TERCOM, value
from tertium.errors import MissingReferences, ParameterError
from tertium.native.ter import LimitWarning, Ter
from text_lines import lines_of

texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g", ",", "."]), max_size=14)


@st.composite
def corpora(draw: st.DrawFn) -> list[tuple[str, list[str]]]:
    """
    Give outputs with one to three references; some outputs are a reference whose blocks changed places.
    """
    found = []
    for _ in range(draw(st.integers(1, 4))):
        references = draw(st.lists(st.one_of(texts, words.map(" ".join)), min_size=1, max_size=3))
        output = draw(texts)
        if draw(st.booleans()):
            parts = references[0].split(" ")
            a, b, c = sorted(draw(st.integers(0, len(parts))) for _ in range(3))
            output = " ".join(parts[:a] + parts[b:c] + parts[a:b] + parts[c:])
        found.append((output, references))
    return found


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(corpus=corpora())
def test_equals_sacrebleu(flags: dict[str, bool], corpus: list[tuple[str, list[str]]]) -> None:
    """On texts of many scripts, with entities, odd white space and moved blocks, edits and lengths are the library's."""
    library = sacrebleu.TER(**flags)
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    most = max(len(references) for _, references in corpus)
    streams = [[row[min(i, len(row) - 1)] for _, row in corpus] for i in range(most)]
    cases = tertium.Cases.from_streams(hypotheses, streams)

    ours = tertium.score(Ter(**flags), cases)
    assert ours.statistics is not None
    statistics = library._extract_corpus_statistics(hypotheses, streams)
    np.testing.assert_allclose(ours.statistics[:, :2], np.array(statistics), rtol=1e-14)
    assert ours.value == pytest.approx(library.corpus_score(hypotheses, streams).score, rel=1e-12)
    assert ours.per_case["ter"][0] == pytest.approx(
        library.sentence_score(hypotheses[0], [stream[0] for stream in streams]).score, rel=1e-12
    )


@pytest.mark.parametrize(
    "folder", ["wmt17-en-de", "four-references", "three-optimiser-runs", "newstest2020-ru-en", "ted-sk-en"]
)
def test_equals_sacrebleu_on_real_translations(folder: str, shared: Path) -> None:
    """Every system's TER, edits and reference length are those recorded from sacreBLEU 2.6.0."""
    data = shared / "data" / "mt" / folder
    expected = json.loads((data / "expected.json").read_text("utf-8"))["systems"]
    references = [lines_of(path) for path in sorted(data.glob("ref*.txt"))]

    for system, recorded in expected.items():
        (path,) = [path for path in (data / "systems").iterdir() if path.name.startswith(system)]
        found = tertium.score("ter", tertium.Cases.from_streams(lines_of(path), references))

        assert found.value == pytest.approx(recorded["ter"]["score"], rel=1e-12), system
        assert found["edits"] == recorded["ter"]["num_edits"], system
        assert found["reference_length"] == pytest.approx(recorded["ter"]["ref_length"], rel=1e-12), system
    assert expected


@pytest.mark.parametrize(
    ("hypothesis", "reference", "search", "edits"),
    [
        ("a b c", "a b c", "sacrebleu", 0),  # an exact match
        ("b a", "a b", "sacrebleu", 1),  # one shift
        ("dog bites man", "man bites dog", "sacrebleu", 2),  # two substitutions, or two shifts
        ("c d a b", "a b c d", "sacrebleu", 1),  # one shift of two words
        ("a x y", "a", "sacrebleu", 2),  # two words too many
        ("", "a b c d", "sacrebleu", 4),  # all words missing
        ("a b c", "", "sacrebleu", 3),  # all words too many
        ("k c d l a b m", "k a b l c d m", "sacrebleu", 2),  # two blocks around a word: two shifts, not four words
    ],
)
def test_edits_worked_by_hand(hypothesis: str, reference: str, search: str, edits: int) -> None:
    """Small cases have the fewest edits that one can find on paper, by every search."""
    for name in ("sacrebleu", "tercom", "pyter3"):
        found = tertium.score(Ter(search=name), tertium.Cases([hypothesis], [[reference]]))
        assert found["edits"] == edits, name
        assert found["edits"] == sum(found[kind] for kind in ("shifts", "insertions", "deletions", "substitutions"))


def swapped(half: int) -> tuple[str, str]:
    """
    Give two blocks of different words in either order.
    """
    first = " ".join(f"a{i}" for i in range(half))
    second = " ".join(f"b{i}" for i in range(half))
    return f"{second} {first}", f"{first} {second}"


@pytest.mark.parametrize(
    ("half", "sacrebleu_edits", "tercom_edits"), [(5, 1, 1), (10, 1, 1), (11, 2, 2), (20, 40, 2), (40, 80, 6)]
)
def test_swapped_blocks(half: int, sacrebleu_edits: int, tercom_edits: int) -> None:
    """Two swapped blocks are one shift up to ten words; then the limits differ (measured), and pyter3 has none."""
    hypothesis, reference = swapped(half)
    cases = tertium.Cases([hypothesis], [[reference]])

    ours = tertium.score(Ter(), cases)
    assert ours["edits"] == sacrebleu_edits
    assert ours["cut_off"] == (half >= 20)
    assert tertium.score(Ter(**TERCOM), cases)["edits"] == tercom_edits
    assert tertium.score(Ter(search="pyter3"), cases)["edits"] == 1


def test_counts_of_the_best_reference_over_the_mean_length() -> None:
    """The fewest edits count, over the mean length of all references: 1 / mean(3, 9), in percent."""
    score = tertium.score("ter", tertium.Cases(["a b"], [["a b c", "a b c d e f g h i"]]))

    assert score.value == pytest.approx(100 / 6)
    assert (score["edits"], score["reference_length"], score["deletions"]) == (1, 6, 1)


def test_first_of_equal_references_counts() -> None:
    """Of two references with as many edits the first one's kinds of edits are reported."""
    one = tertium.score("ter", tertium.Cases(["a b"], [["a b c", "a"]]))
    other = tertium.score("ter", tertium.Cases(["a b"], [["a", "a b c"]]))

    assert (one["deletions"], one["insertions"]) == (1, 0)
    assert (other["deletions"], other["insertions"]) == (0, 1)


def test_case_counts_only_on_demand() -> None:
    """Case is ignored by default."""
    assert value("The Cat Sat Down Here", "the cat sat down here") == 0
    assert value("The Cat Sat Down Here", "the cat sat down here", case_sensitive=True) == 100


def test_empty_references_by_rule() -> None:
    """Without a word in any reference the rate is 0 or 1, infinite, or undefined, and statistics stay finite."""
    assert value("", "") == 0
    assert value("a b", "", "") == 100
    assert value("a b", "", empty_reference="infinite") == math.inf
    assert math.isnan(value("", "", empty_reference="infinite"))
    assert math.isnan(value("a b", "", empty_reference="undefined"))

    score = tertium.score(Ter(empty_reference="infinite", percent=False), tertium.Cases(["a b", ""], [[""], [""]]))
    assert score.value == math.inf
    assert score.per_case["ter"].tolist() == [1, 0]
    undefined = tertium.score(Ter(empty_reference="undefined"), tertium.Cases(["a"], [[""]]))
    assert undefined.reason == "there are no words in the references"


def test_torchmetrics_edits_the_reference() -> None:
    """With the reference edited, an empty output can be free, and limits apply the other way round (measured)."""
    torchmetrics = {"edited": "reference", "max_shift_size": 9, "empty_hypothesis": "free", "percent": False}

    assert value("", "a b c d", **torchmetrics) == 0
    assert value("", "a b c d", edited="reference") == 100
    assert value(*swapped(10), **torchmetrics) == pytest.approx(0.1)
    score = tertium.score(Ter(edited="reference"), tertium.Cases(["a x y b"], [["a b c"]]))
    assert (score["insertions"], score["deletions"]) == (2, 1) or score["substitutions"] > 0


def test_direction_keeps_the_names_of_edits() -> None:
    """Whichever side is edited, insertions are words that the output has beyond the reference."""
    for edited in ("hypothesis", "reference"):
        longer = tertium.score(Ter(edited=edited), tertium.Cases(["a b c d"], [["a b"]]))
        assert (longer["insertions"], longer["deletions"]) == (2, 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"tokenize": "13a", "normalized": True}, "normalized=true with tokenize=13a"),
        ({"no_tag_brackets": True, "normalized": True}, "no_tag_brackets=true with tokenize=sacrebleu"),
        ({"tokenize": "tercom", "no_tag_brackets": True}, "no_tag_brackets=true with normalized=false"),
        ({"shift_cost": 0.5}, "shift_cost=0.5 with search=sacrebleu"),
        ({"search": "pyter3", "beam": 5}, "beam=5 with search=pyter3"),
        ({"search": "pyter3", "max_shift_size": 5}, "max_shift_size=5 with search=pyter3"),
        ({"reference_passes": 2}, "reference_passes=2 with tokenize=sacrebleu, normalized=false"),
        ({"search": "tercom", "insert_cost": 0}, "insert_cost=0"),
        ({"beam": -1}, "beam=-1"),
        ({"search": "tercon"}, "tercon"),
    ],
)
def test_contradictions_are_refused(parameters: dict[str, Any], message: str) -> None:
    """Parameters that would be ignored, or are out of range, are an error that names both sides."""
    with pytest.raises(ParameterError, match=message.replace(".", r"\.")):
        Ter(**parameters)


def test_a_search_that_is_cut_says_so() -> None:
    """At ``max_work`` the score is still one of valid edits; a warning names the cases and an output counts them."""
    rng = random.Random(3)
    long = [" ".join(rng.choice("abcd") for _ in range(300)) for _ in range(2)]
    cases = tertium.Cases(["x", long[0]], [["x"], [long[1]]])

    with pytest.warns(LimitWarning, match=r"max_work=1,000 in 1 cases \(positions 1\)"):
        score = tertium.score(Ter(max_work=1000, max_shift_candidates=10**6), cases)
    assert score["limited"] == 1
    assert score.per_case["limited"].tolist() == [0, 1]
    assert 0 < score.value <= 100


def test_missing_references_are_an_error() -> None:
    """A case without references is not scored."""
    with pytest.raises(MissingReferences):
        tertium.score("ter", tertium.Cases(["a", "b"], [["a"], []]))


@pytest.mark.parametrize("parameters", [{}, TERCOM, {"search": "pyter3"}, {"edited": "reference", "normalized": True}])
def test_chunks_and_threads_change_nothing(parameters: dict[str, Any]) -> None:
    """The statistics have the same bits for every size of chunks and number of workers."""
    rng = random.Random(8)
    made = [
        [" ".join(rng.choices(["a", "b", "c", "d", "e", ",", "."], k=rng.randrange(12))) for _ in range(300)]
        for _ in range(4)
    ]
    cases = tertium.Cases(made[0], [row[: 1 + i % 3] for i, row in enumerate(zip(*made[1:], strict=True))])

    whole = tertium.score(Ter(**parameters), cases)
    parts = tertium.score(Ter(**parameters), cases, workers=2, chunk=7)
    assert whole.statistics is not None
    assert parts.statistics is not None
    assert whole.statistics.tobytes() == parts.statistics.tobytes()
    assert whole.signature == parts.signature


def test_signature_names_the_limits_in_force() -> None:
    """A limit that is left to the search stands in the signature with its value, and the metric pickles."""
    metric = pickle.loads(pickle.dumps(Ter(search="tercom")))
    score = tertium.score(metric, tertium.Cases(["a"], [["a"]]))

    assert score.conventions["beam"] == "20"
    assert score.conventions["max_shift_candidates"] == "none"
    assert tertium.score("ter", tertium.Cases(["a"], [["a"]])).conventions["max_shift_candidates"] == "1000"


def test_documents_equal_sacrebleu() -> None:
    """Two texts of 250 words over 40 types get the library's score."""
    rng = random.Random(76)
    first, second = (" ".join(f"w{rng.randrange(40)}" for _ in range(250)) for _ in range(2))

    library = sacrebleu.TER().sentence_score(first, [second])
    ours = tertium.score("ter", tertium.Cases([first], [[second]]))
    assert ours.value == pytest.approx(library.score, rel=1e-12)
    assert ours["edits"] == library.num_edits


@pytest.mark.slow
@pytest.mark.parametrize("search", ["sacrebleu", "tercom", "pyter3"])
def test_very_long_texts_end(search: str) -> None:
    """A text of 10,000 words that repeats itself is scored within the limit of work, in bounded time."""
    rng = random.Random(1)
    first, second = (" ".join(f"w{rng.randrange(50)}" for _ in range(10_000)) for _ in range(2))
    metric = Ter(search=search, max_work=2 * 10**9)

    began = time.perf_counter()
    with pytest.warns(LimitWarning) if search != "sacrebleu" else _nothing():
        score = tertium.score(metric, tertium.Cases([first], [[second]]))
    assert time.perf_counter() - began < 60
    assert 0 < score["edits"] <= 20_000


class _nothing:  # noqa: N801 - reads as what it is
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def test_plain_python_gives_the_same() -> None:
    """With NUMBA_DISABLE_JIT=1 and warnings as errors the kernels give the same statistics."""
    program = """
import json, random
import tertium
from tertium.native.ter import Ter
rng = random.Random(6)
make = lambda longest: " ".join(rng.choices("a b c d e f".split(), k=rng.randrange(longest)))
pairs = [(make(12), make(12)) for _ in range(12)] + [(make(9), make(90)), (make(80), make(75))]
cases = tertium.Cases([a for a, _ in pairs], [[b] for _, b in pairs])
settings = [{}, {"beam": 1}, {"search": "tercom"}, {"search": "pyter3"}, {"edited": "reference", "max_shift_candidates": 30}]
print(json.dumps([tertium.score(Ter(**one), cases).statistics.tolist() for one in settings]))
"""
    outputs = []
    for extra in ({"NUMBA_DISABLE_JIT": "1"}, {}):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
            env={**os.environ, **extra},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(json.loads(done.stdout))
    assert outputs[0] == outputs[1]
    assert sum(row[2] for row in outputs[1][0]) > 3  # some shifts were made
