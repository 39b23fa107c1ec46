"""
CIDEr and CIDEr-D against the COCO scorer, recorded outputs, and values worked by hand.
"""

from __future__ import annotations

import json
import math
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import Cases
from tertium.errors import FormatError, MissingReferences, ParameterError
from tertium.native.constants_file import load, save
from tertium.native.frequencies import Frequencies, counted
from tertium.native.tokenizers import tokenizer


def captions(folder: Path, results: str = "results.json") -> Cases:
    references: dict[int, list[str]] = {}
    for entry in json.loads((folder / "annotations.json").read_text(encoding="utf-8"))["annotations"]:
        references.setdefault(entry["image_id"], []).append(entry["caption"])
    found = json.loads((folder / results).read_text(encoding="utf-8"))
    return Cases([entry["caption"] for entry in found], [references[entry["image_id"]] for entry in found])


def library(cases: Cases, n: int = 4, sigma: float = 6.0) -> Any:
    scorer = pytest.importorskip("pycocoevalcap.cider.cider_scorer", reason="pycocoevalcap is not installed")
    made = scorer.CiderScorer(n=n, sigma=sigma)
    made.ctest = [scorer.cook_test(case.hypothesis, n) for case in cases]
    made.crefs = [scorer.cook_refs(case.references, n) for case in cases]
    return made.compute_score()[1]


def test_real_captions_equal_recorded_values(shared: Path) -> None:
    """COCO captions and Abstract-50S with 48 references score what pycocoevalcap 1.2 gave them, Java included."""
    folder = shared / "data" / "captioning"
    expected = json.loads((folder / "coco-1000" / "expected.json").read_text(encoding="utf-8"))
    coco = captions(folder / "coco-1000")
    assert math.isclose(tertium.score("cider-d@native", coco).value, expected["cider-d ptb"], rel_tol=1e-9)
    assert math.isclose(
        tertium.score("cider-d@native(tokenizer=none)", coco).value, expected["cider-d none"], rel_tol=1e-9
    )
    expected = json.loads((folder / "abstract-50s" / "expected.json").read_text(encoding="utf-8"))["results"]
    for name, values in expected.items():
        cases = captions(folder / "abstract-50s", f"results_{name}.json")
        assert math.isclose(tertium.score("cider-d@native", cases).value, values["cider-d"], rel_tol=1e-9), name


def test_recorded_outputs_of_the_original_scorer(shared: Path) -> None:
    """Every record of the COCO scorers has the recorded corpus value and values of images."""
    compared = 0
    for line in (shared / "golden" / "coco-caption-3a9afb2.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        expected = record["expected"]
        if "error" in expected or not isinstance(expected["corpus"].get("cider"), float):
            continue
        cases = Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        found = tertium.score("cider-d@native(tokenizer=none)", cases)
        wanted = [case["cider"] for case in expected["per_case"]]
        assert np.allclose(found.per_case["cider-d"], wanted, rtol=1e-9, atol=1e-12), record["id"]
        assert math.isclose(found.value, expected["corpus"]["cider"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
        compared += 1
    assert compared > 100


def invented(rng: random.Random) -> Cases:
    words = list("abcdef")[: rng.randrange(1, 7)]

    def text() -> str:
        return " ".join(rng.choices(words, k=rng.randrange(0, 9)))

    images = rng.randrange(2, 7)
    references = [[text() for _ in range(rng.randrange(1, 5))] for _ in range(images)]
    return Cases([text() for _ in range(images)], [*references[:-1], [*references[-1], "a"]])


def test_invented_captions_equal_the_library() -> None:
    """300 invented sets, with empty texts, repeats and ties, have the library's values for every n and sigma."""
    rng = random.Random(11)
    for _ in range(300):
        cases, n, sigma = invented(rng), rng.randrange(2, 6), rng.choice([0.5, 6.0, 30.0])
        found = tertium.score(f"cider-d@native(tokenizer=none,n={n},sigma={sigma})", cases).per_case["cider-d"]
        assert np.allclose(found, library(cases, n, sigma), rtol=1e-9, atol=1e-12), list(cases)


def test_every_chunk_and_number_of_threads_gives_the_same_bits(shared: Path) -> None:
    """Document frequencies of chunks merge to those of the corpus, whatever the chunks are."""
    cases = captions(shared / "data" / "captioning" / "coco-1000")
    whole = tertium.score("cider-d@native", cases)

    for chunk, workers in ((1, 1), (37, 1), (100, 2)):
        cut = tertium.score("cider-d@native", cases, workers, chunk=chunk)
        assert np.array_equal(whole.statistics, cut.statistics)  # type: ignore[arg-type]


def test_original_cider_worked_by_hand() -> None:
    """Two images, one word order: stems match, weights are shares times log 2, and the cosine is not clipped."""
    cases = Cases(["dogs dogs bus", "cat"], [["dog bus", "x y"], ["cat"]])

    found = tertium.score("cider@native(tokenizer=none,n=1)", cases).per_case["cider"]

    cosine = (2 / 3 * 1 / 2 + 1 / 3 * 1 / 2) / (math.hypot(2 / 3, 1 / 3) * math.hypot(1 / 2, 1 / 2))
    assert np.allclose(found, [cosine / 2, 1.0], rtol=1e-12)


def test_lengths_count_words_or_bigrams() -> None:
    """Captions of one and two words differ by one word and by one bigram; of none and one by a word and no bigram."""
    cases = Cases(["bus", "two dogs"], [["bus road"], ["two dogs"]])
    words = tertium.score("cider-d@native(tokenizer=none,n=1,length=words)", cases).per_case["cider-d"][0]
    none = tertium.score("cider-d@native(tokenizer=none,n=1,sigma=none)", cases).per_case["cider-d"][0]

    assert math.isclose(words, none * math.exp(-1 / 72), rel_tol=1e-12)


def test_values_that_are_zero_say_why() -> None:
    """One image, references without words, and n-grams that stand everywhere give 0 and the reason."""
    alone = tertium.score("cider-d@native", Cases(["a bus"], [["a bus"]]))
    empty = tertium.score("cider-d@native", Cases(["a bus", "b"], [["", " "], [""]]))
    same = tertium.score("cider-d@native", Cases(["a bus", "a bus"], [["a bus"], ["a bus"]]))

    for score, word in ((alone, "one image"), (empty, "no reference holds a word"), (same, "every n-gram")):
        assert score.value == 0.0
        assert len(score.notes) == 1
        assert word in score.notes[0]
    assert tertium.score("cider-d@native", Cases(["a bus", "b"], [["a bus"], ["b"]])).notes == ()


def test_a_case_without_references_is_an_error() -> None:
    """There is nothing to compare with, and nothing is scored."""
    with pytest.raises(MissingReferences):
        tertium.score("cider-d@native", Cases(["a", "b"], [["a"], []]))


def test_a_hypothesis_of_100_000_words() -> None:
    """A very long hypothesis is scored in time that grows with its length."""
    text = " ".join(f"w{number % 977}" for number in range(100_000))
    assert tertium.score("cider-d@native(tokenizer=none)", Cases([text, "b"], [["w1 w2"], ["b"]])).value > 0


def frozen(path: Path, cases: Cases, **facts: Any) -> Frequencies:
    made = counted(tokenizer("ptb").column(cases.flat_references), cases.bounds, 4, once=True)
    save(path, made, {"kind": "document frequencies", "orders": 4, "tokenizer": "ptb", "stem": "none", **facts})
    return made


CORPUS = Cases(["a red bus", "two dogs", "x"], [["a red bus on a road", "the bus"], ["two dogs run"], ["a dog"]])


def test_frozen_frequencies_give_the_same_values(tmp_path: Path) -> None:
    """Frequencies of the scored references, kept in a file, change no value; fewer orders may be used."""
    frozen(tmp_path / "df.npz", CORPUS)

    for spec in ("cider-d@native", "cider-d@native(n=2)"):
        learned = tertium.score(spec, CORPUS)
        kept = tertium.load(spec)
        given = tertium.score(
            type(kept)(**{**kept.parameters, "frequencies": f"file:{tmp_path / 'df.npz'}"}), CORPUS[:2]
        )
        assert np.array_equal(learned.per_case["cider-d"][:2], given.per_case["cider-d"])
        assert "frequencies=sha256:" in given.signature


def test_frequencies_survive_pickling() -> None:
    """Tables are made anew where frequencies arrive, so that another process finds its n-grams."""
    made = counted(tokenizer("none").column(CORPUS.flat_references), CORPUS.bounds, 3, once=True)
    back = pickle.loads(pickle.dumps(made))

    assert [counts.tolist() for counts in back.merged.counts] == [counts.tolist() for counts in made.merged.counts]
    assert (back | made).merged.counts[0].tolist() == (2 * made.merged.counts[0]).tolist()


def test_frequencies_of_other_parameters_are_refused(tmp_path: Path) -> None:
    """A file that was built with another tokenizer, stemmer, order or for another metric names both sides."""
    frozen(tmp_path / "df.npz", CORPUS)
    file = f"file:{tmp_path / 'df.npz'}"
    for metric, parameters, words in (
        ("cider-d", {"tokenizer": "none"}, ("tokenizer=ptb", "tokenizer=none")),
        ("cider-d", {"n": 5}, ("orders=4", "orders=5")),
        ("cider", {}, ("stem=none", "stem=porter")),
        ("nist", {}, ("kind=document frequencies", "kind=n-gram counts")),
    ):
        with pytest.raises(ParameterError) as caught:
            type(tertium.load(f"{metric}@native"))(**parameters, frequencies=file)
        assert all(word in str(caught.value) for word in words)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A missing, cut, changed or foreign file is an error of its format that names the file."""
    path = tmp_path / "df.npz"
    frozen(path, CORPUS)
    whole = path.read_bytes()
    changed = tmp_path / "changed.npz"
    with np.load(path) as archive:
        np.savez(changed, **{**archive, "counts_1": archive["counts_1"] + 1})
    lacking = tmp_path / "lacking.npz"
    with np.load(path) as archive:
        np.savez(lacking, **{name: archive[name] for name in archive.files if name != "keys_2"})
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.npz").write_text("hello", encoding="utf-8")
    np.savez(tmp_path / "foreign.npz", a=np.arange(3))
    for name in ("changed", "lacking", "cut", "text", "foreign", "missing"):
        with pytest.raises(FormatError, match=f"{name}.npz"):
            load(tmp_path / f"{name}.npz")


def test_frequencies_kept_as_json_are_read(tmp_path: Path) -> None:
    """The JSON that the plugin for pycocoevalcap writes gives the same frequencies; counts beyond the images do not."""
    content = {
        "format": "tertium document frequencies 1",
        "tokenizer": "none",
        "n": 2,
        "documents": 3,
        "frequencies": {"a": 2, "bus": 1, "a bus": 1},
    }
    (tmp_path / "df.json").write_text(json.dumps(content), encoding="utf-8")
    found = load(tmp_path / "df.json").frequencies.merged
    assert (found.cases, [counts.tolist() for counts in found.counts]) == (3, [[2, 1], [1]])
    content["frequencies"] = {"a": 4}
    (tmp_path / "df.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(FormatError, match="4 of 3"):
        load(tmp_path / "df.json")


def test_contradictory_parameters_are_refused() -> None:
    """A unit of length without a Gaussian would change nothing."""
    with pytest.raises(ParameterError, match="Gaussian"):
        tertium.load("cider-d@native(sigma=none,length=words)")


def test_ngrams_of_more_rows_go_on_from_those_of_others() -> None:
    """Rows numbered after others have the numbers that they have where all are numbered at once, of every order."""
    from tertium.native.corpus_grams import chunk_grams

    rng = np.random.default_rng(3)
    tokens = rng.integers(0, 4, 400).astype(np.int32)
    offsets = np.array([0, 0, 1, 90, 93, 200, 330, 330, 400])
    whole = chunk_grams(tokens, offsets, 4, 5)

    for cut in range(len(offsets)):
        place = offsets[cut]
        before = chunk_grams(tokens[:place], offsets[: cut + 1], 4, 5)
        after = chunk_grams(tokens[place:], offsets[cut:] - place, 4, 5, before)
        for (numbers, pairs), (first, _), (second, known) in zip(whole, before, after, strict=True):
            assert numbers.tolist() == [*first, *second]
            assert pairs.tolist() == known.tolist()
