"""
Hold Meteor 1.5 to the real program, to the library's class, to recorded values and to its native equivalent.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from pycocoevalcap.meteor import meteor as library

import tertium
from tertium import resources
from tertium.conformance import ConformanceCase, load_cases
from tertium.conformance.outcomes import Number
from tertium.errors import ProviderBroken
from tertium_pycocoevalcap import Meteor, meteor_program

WORDS = [
    "a",
    "The",
    "dog",
    "dogs",
    "running",
    "ran",
    "fast",
    "quickly",
    ".",
    "naïve",
    "日本",
    "U.S.",
    "isn't",
    "big large",
]


def corpus(seed: int, size: int = 20) -> tertium.Cases:
    """
    Invent captions with one to three references, blank ones among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 9)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


# The real program, started once for all of these tests


@pytest.fixture(scope="module")
def running() -> Meteor:
    """
    Keep the program running: it reads its table of paraphrases for seconds.
    """
    problem = resources.get("java").problem()
    if problem:
        pytest.skip(f"there is no Java ({problem})")
    metric = Meteor(tokenizer="none")
    tertium.score(metric, tertium.Cases(["a"], [["a"]]))
    return metric


class Held(library.Meteor):  # type: ignore[misc]
    """
    Be the library's class with a program that runs already, and leave it running.
    """

    def __init__(self, process: Any) -> None:
        self.meteor_p, self.lock = process, threading.Lock()

    def __del__(self) -> None:
        """
        End nothing.
        """


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_library(running: Meteor, seed: int) -> None:
    """Corpus value and every case's value are those of the library's ``compute_score``, bit for bit."""
    cases = corpus(seed)
    held = Held(meteor_program.program()._process)

    value, values = held.compute_score(
        {place: list(case.references or ()) for place, case in enumerate(cases)},
        {place: [text] for place, text in enumerate(cases.hypotheses)},
    )

    score = tertium.score(running, cases)
    assert score.value == value
    assert score.per_case["meteor"].tolist() == values


def recorded() -> list[Any]:
    """
    List the suite's cases on which the library was measured, and which tertium takes: those with references.
    """
    found = []
    for case in load_cases():
        measured = case.measured.get("meteor-1.5-coco")
        if measured is not None and isinstance(measured.outcome, Number) and all(case.columns()[1]):
            found.append(pytest.param(case, id=case.id))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", recorded())
def test_gives_what_was_recorded(running: Meteor, case: ConformanceCase) -> None:
    """Values, and the counts where they were taken down, are those that the library gave on its own."""
    outcome = case.measured["meteor-1.5-coco"].outcome
    assert isinstance(outcome, Number)

    score = tertium.score(running, case.cases())

    assert score.value == pytest.approx(outcome.value, rel=1e-12)
    assert score.per_case["meteor"].tolist() == pytest.approx(outcome.components["per_case"], rel=1e-12)
    if "stats" not in outcome.components:
        return
    program = meteor_program.program()
    counts = [program.counts(one.hypothesis, one.references or ()) for one in case.cases()]
    lines = [" ".join(map(repr, row)) for row in counts]
    assert lines == [line.strip() for line in outcome.components["stats"]]


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["none", "ptb"])
def test_equivalent_gives_the_same_numbers(running: Meteor, tokenizer: str) -> None:
    """Value and every case's value agree with the native metric under the declared parameters, to 1e-9."""
    for name in ("meteor-1.5", "meteor-1.5-paraphrases-en"):
        if resources.get(name).problem():
            pytest.skip(f"the resource {name} is not there")
    metric = Meteor(tokenizer=tokenizer)

    theirs, ours = tertium.score(metric, corpus(7, 40)), tertium.score(metric.equivalent(), corpus(7, 40))

    assert ours.value == pytest.approx(theirs.value, rel=1e-9)
    assert ours.per_case["meteor"] == pytest.approx(theirs.per_case["meteor"], rel=1e-9, abs=1e-15)


@pytest.mark.slow
def test_separators_and_line_breaks_never_reach_the_program(running: Meteor) -> None:
    """Texts that would part the program's lines are scored as one, and a note tells how many there are."""
    hostile = tertium.Cases(["a dog ||| ran\nfast", "a"], [["a dog |||ran\r\nfast"], ["a"]])

    score = tertium.score(running, hostile)

    assert score.per_case["meteor"].tolist() == [1.0, 1.0]
    assert [note for note in score.notes if "2 captions hold line breaks" in note]
    assert not running.notes(tertium.Cases(["a"], [["b"]]))


@pytest.mark.slow
def test_many_rows_are_asked_for_at_once(running: Meteor) -> None:
    """More rows than fit one question come back in their order."""
    counts = tertium.score(running, corpus(3)).statistics
    rows = [counts[place % len(counts)].tolist() for place in range(1201)]

    found = meteor_program.program().scores(rows)

    single = [meteor_program.program().scores([row])[0] for row in rows[: len(counts)]]
    assert found == [single[place % len(counts)] for place in range(1201)]


@pytest.mark.slow
def test_one_program_serves_all_metrics(running: Meteor) -> None:
    """Another metric asks the same program, and pickling leaves the program out."""
    copy = pickle.loads(pickle.dumps(running))

    tertium.score(copy, tertium.Cases(["a"], [["a"]]))

    assert copy._program is running._program is not None


# A program that misbehaves stands in for Java

FAKE = f"""#!{sys.executable}
import os, sys
if "-version" in sys.argv:
    print('openjdk version "17.0.1"', file=sys.stderr)
    sys.exit(0)
counts = " ".join(["1.0"] * 23)
sys.stderr.write("the fake says hello\\n")
sys.stderr.flush()
for line in sys.stdin:
    score = line.startswith("SCORE")
    {{behaviour}}
    sys.stdout.flush()
"""

SOUND = "print(counts if score else '0.5\\n0.5')"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """
    Put a script in Java's place, with a behaviour of its own for each line.
    """
    started: list[Any] = []

    def start(behaviour: str) -> Meteor:
        program = tmp_path / "bin" / "java"
        program.parent.mkdir(exist_ok=True)
        program.write_text(FAKE.format(behaviour=behaviour))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        monkeypatch.setattr(meteor_program, "_running", type(meteor_program._running)())
        started.append(Meteor(tokenizer="none"))
        return started[-1]

    return start


PAIR = tertium.Cases(["a"], [["a"]])


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("sys.exit(3)", "it ended with 3 and says: the fake says hello"),
        ("print('Error: specify hypothesis')", "answered 'Error: specify hypothesis' in place of 23 numbers"),
        ("print(counts + ' 1.0')", "in place of 23 numbers and says: the fake says hello"),
        ("print(counts.replace('1.0', 'NaN', 1))", "in place of 23 numbers"),
        ("print(counts if score else counts)", "in place of one number"),
        ("print(counts) if score else sys.exit(0)", "it ended with 0"),
        ("os.close(1)", "it (closed its output|ended)"),
    ],
)
def test_a_program_that_misbehaves_is_an_error_that_quotes_it(fake: Any, behaviour: str, said: str) -> None:
    """An end, another number of numbers or other words stop the score, with what the program said."""
    metric = fake(behaviour)

    with pytest.raises(ProviderBroken, match=said):
        tertium.score(metric, PAIR)


def test_after_a_failure_the_next_score_starts_anew(fake: Any, tmp_path: Path) -> None:
    """A program that broke the protocol is ended, and another one answers the next question."""
    with pytest.raises(ProviderBroken):
        tertium.score(fake("print('nonsense')"), PAIR)

    assert tertium.score(fake(SOUND), PAIR).value == 0.5


def test_the_program_ends_with_the_last_metric(fake: Any) -> None:
    """While a metric is used its program runs; nothing is left behind after that."""
    metric = fake(SOUND)
    metric.statistics(metric.preprocess(PAIR), None)
    pid = metric._program.pid
    assert Path(f"/proc/{pid}").exists() or os.name != "posix" or sys.platform != "linux"

    metric._program = None
    gc.collect()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_program_is_started_as_the_library_starts_it(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arguments are the library's, beside those that name the encoding and the language of numbers."""
    theirs: list[list[str]] = []

    class Started:
        def __init__(self, command: list[str], **_: Any) -> None:
            theirs.append(command)

    monkeypatch.setattr(library.subprocess, "Popen", Started)
    monkeypatch.setattr(library.Meteor, "__del__", lambda _: None)
    library.Meteor()
    monkeypatch.undo()
    metric = fake(SOUND)
    metric.statistics(metric.preprocess(PAIR), None)
    ours = metric._program._process.args

    assert [word for word in ours[1:] if not word.startswith("-D")] == sorted(
        theirs[0][1:], key=lambda word: ["-Xmx2G", "-jar"].index(word) if word in ("-Xmx2G", "-jar") else 9
    )
