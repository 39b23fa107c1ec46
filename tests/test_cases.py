"""
Cases: columns, checks, slices, and the digest.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import Cases
from tertium.errors import BadNesting, BadText, CountMismatch, EmptyCorpus, TertiumError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CORPORA = st.lists(st.tuples(TEXT, st.none() | st.lists(TEXT, max_size=3)), min_size=1, max_size=9)


@pytest.fixture
def corpus() -> Cases:
    return Cases(
        ["a", "b", "c", "d"],
        [["x"], None, [], ["", "y"]],
        sources=["p", "q", "r", "s"],
        ids=["i", "j", "k", "l"],
        clusters=["m", "m", "n", "n"],
        labels={"domain": ["u", "v", "u", "v"]},
    )


def test_no_entry_empty_list_and_empty_text_are_three_things(corpus: Cases) -> None:
    """None, [] and [""] stay apart."""
    assert corpus.references == (("x",), None, (), ("", "y"))
    assert corpus.reference_counts.tolist() == [1, 0, 0, 2]
    assert frozenset({1}) == corpus.absent


def test_case_shows_its_row(corpus: Cases) -> None:
    """Indexing gives every column's value of that case."""
    case = corpus[-1]

    assert (
        case.id,
        case.position,
        case.hypothesis,
        case.references,
        case.source,
        case.cluster,
        dict(case.labels),
    ) == ("l", 3, "d", ("", "y"), "s", "n", {"domain": "v"})


@pytest.mark.parametrize("key", [slice(1, 3), [1, 2], np.array([1, 2]), np.array([False, True, True, False])])
def test_selections_keep_positions_and_columns(corpus: Cases, key: Any) -> None:
    """A slice, indices and a mask select the same rows with all their columns."""
    part = corpus[key]

    assert list(corpus)[1:3] == list(part)
    assert part.positions.tolist() == [1, 2]


def test_reversed_slice_reverses(corpus: Cases) -> None:
    """A slice with a negative step selects backwards."""
    assert list(corpus)[::-1] == list(corpus[::-1])


@given(CORPORA, st.integers(1, 4))
def test_chunks_lose_nothing(rows: list[tuple[str, list[str] | None]], size: int) -> None:
    """Chunks put one after the other hold the same cases."""
    cases = Cases([hypothesis for hypothesis, _ in rows], [references for _, references in rows])

    assert list(cases) == [case for chunk in cases.chunks(size) for case in chunk]
    assert [None if r is None else tuple(r) for _, r in rows] == list(cases.references)


@given(CORPORA, CORPORA)
def test_digest_is_equal_just_for_equal_cases(one: Any, other: Any) -> None:
    """Two corpora have equal digests just when all their columns are equal."""
    first, second = (Cases([h for h, _ in rows], [r for _, r in rows]) for rows in (one, other))

    assert (one == other) == (first.digest == second.digest)
    assert first == pickle.loads(pickle.dumps(first))


def test_digest_sees_where_one_text_ends() -> None:
    """Texts that join to the same characters have different digests."""
    assert Cases(["ab", "c"], None).digest != Cases(["a", "bc"], None).digest


def test_map_changes_every_text_and_nothing_else(corpus: Cases) -> None:
    """`map` puts hypotheses, references and sources through the function and leaves the rest."""
    upper = corpus.map(str.upper)

    assert upper.hypotheses == ("A", "B", "C", "D")
    assert upper.references == (("X",), None, (), ("", "Y"))
    assert upper.sources == ("P", "Q", "R", "S")
    assert corpus.ids == upper.ids
    assert corpus.digest != upper.digest


def test_streams_may_lack_a_reference() -> None:
    """None inside a stream means that the set has no reference for that case."""
    cases = Cases.from_streams(["a", "b"], [["x", "y"], [None, "z"]])

    assert cases.references == (("x",), ("y", "z"))


def test_any_iterable_is_read_once() -> None:
    """Generators, arrays and other iterables of texts serve as columns."""
    cases = Cases((t for t in ["a b", "c"]), (r for r in [np.array(["a b"]), ("c", "d")]))

    assert cases.hypotheses == ("a b", "c")
    assert cases.references == (("a b",), ("c", "d"))
    assert {str} == {type(text) for text in cases.flat_references}


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ((["a", "b"], [["a"]]), CountMismatch, "hypotheses has 2 segments but references has 1"),
        ((["a"], [["a"]], ["s", "t"]), CountMismatch, "sources has 2"),
        (([], []), EmptyCorpus, "holds no segments"),
        ((["a", None], [["a"], ["b"]]), BadText, "hypothesis of case 1 is None"),
        ((["a", float("nan")], [["a"], ["b"]]), BadText, "hypothesis of case 1 is nan of type float"),
        ((["a", 7], [["a"], ["b"]]), BadText, "7 of type int"),
        ((["a", b"b"], [["a"], ["b"]]), BadText, "decode"),
        ((["a"], [["a", None]]), BadText, "reference 1 of case 0 is None"),
        ((["a", "b"], [["a"], ["x", "\ud800"]]), BadText, r"reference 1 of case 1 has the lone surrogate U\+D800"),
        ((["a", "b"], ["a", "b"]), BadNesting, "case 0 has the text 'a'"),
        ((["a"], "a"), BadNesting, "one text 'a' was given"),
        (("a", [["a"]]), BadNesting, "one text 'a' was given"),
        ((["a"], [[["a"]]]), BadNesting, "one level too deep"),
        ((["a"], [3]), BadNesting, "case 0 has a int"),
        ((["a"], [{"a": 1}]), BadNesting, "case 0 has a dict"),
        ((["a"], [{"a"}]), BadNesting, "case 0 has a set"),
        ((["a"], 5), BadNesting, "references must be .* 5 was given"),
        ((5, [["a"]]), BadNesting, "hypotheses must be .* 5 was given"),
        ((None, None), BadNesting, "hypotheses must be .* None was given"),
        (([["the", "dog"]], [["the dog"]]), BadNesting, "hypothesis of case 0 is a list"),
        ((["a", "b"], None, None, ["x", "x"]), BadText, "'x' stands twice"),
    ],
)
def test_bad_input_is_named(arguments: tuple[Any, ...], kind: type[TertiumError], words: str) -> None:
    """What cannot be scored is refused with the place and the kind of the fault."""
    with pytest.raises(kind, match=f"(?i){words}"):
        Cases(*arguments)


def test_transposed_references_are_caught_by_length() -> None:
    """References by stream instead of by case are refused with the way out."""
    with pytest.raises(CountMismatch, match="from_streams"):
        Cases(["a", "b", "c"], [["a", "b", "c"]])


def test_stream_of_another_length_is_refused() -> None:
    """A stream that is too short is refused, never cut."""
    with pytest.raises(CountMismatch, match="reference stream 2 has 1"):
        Cases.from_streams(["a", "b"], [["a", "b"], ["a"]])


def test_empty_selection_is_refused(corpus: Cases) -> None:
    """A selection without cases is an error and not an empty corpus."""
    with pytest.raises(EmptyCorpus):
        corpus[2:2]


def test_columns_cannot_be_written(corpus: Cases) -> None:
    """The arrays refuse writing."""
    with pytest.raises(ValueError, match="read-only"):
        corpus.bounds[0] = 1
