"""
Specs: the grammar, its errors, and the round trip.
"""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import SpecError
from tertium.spec import Spec, parse

WORDS = st.from_regex(r"[A-Za-z0-9_+-]{1,12}", fullmatch=True)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
SPECS = st.builds(
    Spec,
    metric=WORDS,
    provider=WORDS,
    version=st.none() | st.from_regex(r"[0-9][A-Za-z0-9_.+!-]{0,8}", fullmatch=True),
    params=st.dictionaries(WORDS, VALUES, max_size=4),
    output=st.none() | WORDS,
)
FUNCTIONS = st.builds(
    Spec,
    metric=st.from_regex(r"py:[a-z_]\w{0,4}(\.[a-z_]\w{0,4})?:[a-z_]\w{0,4}(\.[a-z_]\w{0,4})?", fullmatch=True),
    params=st.dictionaries(WORDS, VALUES, max_size=3),
    output=st.none() | WORDS,
)


@given(SPECS | FUNCTIONS)
def test_text_of_a_spec_reads_back_as_the_same_spec(spec: Spec) -> None:
    """`parse(str(spec))` equals the spec, and its text is canonical."""
    again = parse(str(spec))

    assert spec == again
    assert [type(value) for value in spec.params.values()] == [type(value) for value in again.params.values()]
    assert str(spec) == str(again)


@given(st.text(max_size=30))
def test_any_text_parses_or_raises_a_spec_error(text: str) -> None:
    """A text either is a spec or gives a SpecError that points into it."""
    fault = None
    try:
        parse(text)
    except SpecError as error:
        fault = error

    assert fault is None or 0 <= fault.position <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bleu", Spec("bleu")),
        ("chrf++@sacrebleu", Spec("chrf++", "sacrebleu")),
        ("bleu@sacrebleu(tokenize=intl)", Spec("bleu", "sacrebleu", None, {"tokenize": "intl"})),
        (
            "bleu@sacrebleu:tokenize=intl,lowercase=true",
            Spec("bleu", "sacrebleu", None, {"tokenize": "intl", "lowercase": True}),
        ),
        ("bleu@sacrebleu==2.6.0(tokenize='13a')", Spec("bleu", "sacrebleu", "2.6.0", {"tokenize": "13a"})),
        ("bleu@sacrebleu==2.6.0(tokenize=13a)", Spec("bleu", "sacrebleu", "2.6.0", {"tokenize": "13a"})),
        (
            "rougeL@rouge-score(stemmer=true).recall",
            Spec("rougeL", "rouge-score", None, {"stemmer": True}, "recall"),
        ),
        ("bleu@all", Spec("bleu", "all")),
        ("bleu(tokenize='spm:my.model')", Spec("bleu", None, None, {"tokenize": "spm:my.model"})),
        ("meteor(alpha=0.9,beta=3).score", Spec("meteor", None, None, {"alpha": 0.9, "beta": 3}, "score")),
        ("meteor:beta=3.score", Spec("meteor", None, None, {"beta": 3}, "score")),
        ("meteor:beta=3.5.score", Spec("meteor", None, None, {"beta": 3.5}, "score")),
        ("bleu@sacrebleu=='2.6.0'.bp", Spec("bleu", "sacrebleu", "2.6.0", {}, "bp")),
        ("bleu()", Spec("bleu")),
        ("py:my.module:make.metric", Spec("py:my.module:make.metric")),
        ("py:mine:bleu(level=corpus)", Spec("py:mine:bleu", params={"level": "corpus"})),
        ("py:mine:bleu:level=corpus,scale=1", Spec("py:mine:bleu", params={"level": "corpus", "scale": 1})),
        ("py:mine:scorers.f1().recall", Spec("py:mine:scorers.f1", output="recall")),
        ("py:mine:bleu:scale=0.5.score", Spec("py:mine:bleu", params={"scale": 0.5}, output="score")),
        (r"bleu(tokenize='it\'s \\')", Spec("bleu", None, None, {"tokenize": "it's \\"})),
        ("bleu(smooth=none,text='none')", Spec("bleu", None, None, {"smooth": None, "text": "none"})),
    ],
)
def test_written_forms(text: str, expected: Spec) -> None:
    """Each form of the grammar gives the spec that it stands for."""
    assert expected == parse(text)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("bleu@", 5),
        ("bleu(", 5),
        ("bleu(tokenize)", 13),
        ("bleu(tokenize=)", 14),
        ("bleu(tokenize='13a)", 14),
        ("bleu(a=1,a=2)", 9),
        ("bleu(a=1", 8),
        ("bleu tokenize", 4),
        ("bleu.", 5),
        ("bleu(a=1e999)", 7),
        ("py:module", 3),
        ("py:../module:f", 3),
        ("py:module:f(", 12),
        ("py:module:f:level", 17),
        ("py:module:f@native", 11),
    ],
)
def test_faults_are_located(text: str, position: int) -> None:
    """A fault is reported at the character where it is."""
    with pytest.raises(SpecError, match="is not a spec") as caught:
        parse(text)

    assert position == caught.value.position


def test_specs_are_values() -> None:
    """Specs pickle, hash and refuse changes."""
    spec = parse("bleu@sacrebleu(tokenize=intl,lowercase=true)")

    assert spec == pickle.loads(pickle.dumps(spec))
    assert hash(spec) == hash(parse("bleu@sacrebleu:lowercase=true,tokenize=intl"))
    with pytest.raises(TypeError):
        spec.params["tokenize"] = "char"  # type: ignore[index]


@pytest.mark.parametrize("text", ["py:", "py:module", "py:module:", "py:module:f:g", "py:a/b:f"])
def test_a_python_name_that_is_none_is_shown_its_form(text: str) -> None:
    """What begins with ``py:`` is told how something in Python is named, not how an installed metric is."""
    with pytest.raises(SpecError) as caught:
        parse(text)

    assert (
        caught.value.remedy == "Write py:module:name[(name=value,...)], for instance py:my_module:my_bleu(metric=bleu)"
    )
