"""
CMU Meteor 1.5: worked examples, its quirks, and equality with everything that was recorded of the Java program.
"""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import pytest

import tertium
from needs import needs_archive, needs_paraphrases
from tertium.errors import ParameterError, Refused, ResourceMissing
from tertium.native import meteor_data
from tertium.native.meteor import Meteor
from tertium.native.meteor_cmu import java_hash
from tertium.native.meteor_normalizer import LANGUAGES, Normalizer, abbreviations
from tertium.native.meteor_stems import stems


def meteor(hypothesis: str, *references: str, **parameters: Any) -> float:
    """
    Score one case under version 1.5, by default without language data but function words.
    """
    chosen = parameters if parameters else {"language": "other"}
    return tertium.score(Meteor(version="1.5", **chosen), tertium.Cases([hypothesis], [list(references)])).value


@needs_archive
@pytest.mark.parametrize("words", [1, 2, 9, 40])
def test_an_exact_match_of_any_length_is_perfect(words: int) -> None:
    """
    All words of both sides in one chunk: no penalty, unlike the formula of 2005.
    """
    text = " ".join(f"w{number}" for number in range(words))
    assert meteor(text, text) == 1.0


@needs_archive
def test_worked_example() -> None:
    """
    One of five words, language-independent parameters: P = 1, R = 1/5, F = 1 / (0.25 / 1 + 0.75 / 0.2) = 1/4; one chunk
    of one word has fragmentation 1, so 1/4 * (1 - 0.7) = 0.075.
    """
    assert meteor("alpha", "alpha beta gamma delta epsilon") == pytest.approx(0.075, rel=1e-12)


@needs_archive
def test_function_words_weigh_less() -> None:
    """
    delta 0.75: of "the dog" and "the cat" only the function word matches, so P = R = 0.25 / (0.75 + 0.25) = 1/4; F = 1/4,
    fragmentation 1, and 1/4 * (1 - 0.6) = 0.1.
    """
    assert meteor("the dog", "the cat", language="en", stages="exact") == pytest.approx(0.1, rel=1e-12)


@needs_archive
def test_stages_have_weights() -> None:
    """
    A stem match of weight 0.6 gives P = R = F = 0.6; as all words match in one chunk there is no penalty.
    """
    assert meteor("dogs", "dog", language="en", stages="exact,stem") == pytest.approx(0.6, rel=1e-12)
    assert meteor("dogs", "dog", language="en", stages="exact,stem", weights="1,0.3") == pytest.approx(0.3, rel=1e-12)
    assert meteor("car", "automobile", language="en", stages="exact,stem,synonym") == pytest.approx(0.8, rel=1e-12)


@needs_archive
def test_hashes_of_java_collide() -> None:
    """
    "Aa" and "BB" have the same 32-bit hash, so the program takes them for one word; comparing words is a choice.
    """
    assert java_hash("Aa") == java_hash("BB") == 65 * 31 + 97
    assert meteor("Aa x", "BB x") == 1.0
    assert meteor("Aa x", "BB x", language="other", hashes=False) < 0.5


@needs_archive
def test_pooled_scores_leave_out_the_chunk_of_a_perfect_segment() -> None:
    """
    "a b" matched whole and 1 of "c x" / "c y": 3 of 4 words, chunks 0 + 1, so fragmentation 1/3, by the formula once.
    """
    cases = tertium.Cases(["a b", "c x"], [["a b"], ["c y"]])
    score = tertium.score(Meteor(version="1.5", language="other", alpha=0.5, beta=1, gamma=0.6, delta=0.5), cases)
    assert score.value == pytest.approx(3 / 4 * (1 - 0.6 / 3), rel=1e-12)
    assert (score["precision"], score["recall"], score["penalty"]) == pytest.approx((0.75, 0.75, 0.2))
    mean = tertium.score(Meteor(version="1.5", language="other", aggregation="mean"), cases)
    assert mean.value == pytest.approx(sum(mean.per_case["meteor"]) / 2)


@needs_archive
def test_an_empty_side_scores_0() -> None:
    """
    Nothing matches where a side has no word; a good reference beside an empty one counts.
    """
    assert [meteor(*pair) for pair in (("", "a"), ("a", ""), ("", ""), (" \t", "a"))] == [0, 0, 0, 0]
    assert meteor("a b", "", "a b") == 1.0


@needs_archive
def test_tokens_may_come_from_a_function() -> None:
    """
    Tokens of a function are joined by spaces; two functions of one name are not taken for each other.
    """
    comma, dash = (eval(f"lambda text: text.split({mark!r})") for mark in ",-")
    assert meteor("a,b", "b,a", language="other", tokenize=comma) < 1
    assert meteor("a,b", "a-b", language="other", tokenize=dash) == 0
    assert meteor("a-b", "a-b", language="other", tokenize=dash) == 1


@needs_archive
def test_long_texts_end_in_time() -> None:
    """
    A hypothesis of 100,000 words against a short reference ends, and one against its like, with billions of matches, is
    refused.
    """
    rng = random.Random(9)
    text = " ".join(rng.choices("abcdefghij", k=100_000))
    assert 0 < meteor(text, "a b c d e f g a b c") < 0.01
    with pytest.raises(Refused, match="25,000,000 possible matches"):
        meteor(text, text[::-1])


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"alignment": "optimal"}, "alignment"),
        ({"alignment": "greedy"}, "alignment"),
        ({"stemmer": "porter"}, "stemmer"),
        ({"tie": "chunks"}, "tie"),
        ({"budget": 10}, "budget"),
        ({"synonym_form": "word"}, "synonym_form"),
        ({"gamma": 2}, "gamma"),
        ({"beam": 0}, "beam"),
        ({"language": "xx"}, "language"),
        ({"language": "de", "task": "hter"}, "hter"),
        ({"language": "de"}, "paraphrase"),
        ({"language": "other", "preprocessing": "normalize"}, "normalize"),
        ({"preprocessing": "casefold"}, "preprocessing"),
        ({"punctuation": False}, "punctuation"),
        ({"stages": "stem"}, "exact"),
        ({"stages": "exact,synonym", "language": "fr"}, "synonym"),
        ({"weights": "1,2"}, "weights"),
        ({"weights": "1,a,0,0"}, "weights"),
        ({"task": "universal", "stages": "exact,stem,paraphrase"}, "weights"),
    ],
)
def test_contradictions_are_refused(parameters: dict[str, Any], named: str) -> None:
    """
    What version 1.5 does not have, or the language lacks, is an error that names it.
    """
    with pytest.raises(ParameterError, match=named):
        Meteor(version="1.5", **parameters)
    for name in ("delta", "weights", "punctuation", "language", "task", "characters", "hashes"):
        with pytest.raises(ParameterError, match=name):
            Meteor(**{name: {"delta": 0.5, "weights": "1", "language": "en", "task": "li"}.get(name, True)})


@pytest.mark.parametrize("state", ["absent", "changed"])
def test_missing_and_changed_data_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    """
    Without pycocoevalcap, or with another file in its place, the error names the resource and what brings it.
    """
    monkeypatch.setattr(meteor_data, "folder", lambda: tmp_path if state == "changed" else None)
    (tmp_path / "meteor-1.5.jar").write_bytes(b"another")
    with pytest.raises(ResourceMissing, match="pip install pycocoevalcap") as caught:
        meteor("a", "b", language="en", stages="exact,stem,synonym", preprocessing="normalize")
    assert caught.value.name == "meteor-1.5"
    assert ("not installed" if state == "absent" else "SHA-256") in caught.value.problem


@needs_archive
@needs_paraphrases
def test_signature_tells_what_decides() -> None:
    """
    The signature holds the parameters of language and task, and the digests of the data.
    """
    signature = str(tertium.score("meteor(version=1.5,task=adq)", tertium.Cases(["a"], [["a"]])).signature)
    for fact in ("version=1.5", "language=en", "task=adq", "weights=1.0,1.0,0.6,0.8", "beta=1.4", "hashes=true"):
        assert fact in signature
    assert "resource.meteor-1.5=1e57b4c72c08" in signature
    assert "resource.meteor-1.5-paraphrases-en=c147ac7d2c91" in signature


# ------------------------------------------------------------------------------------ against the recorded Java program

LISTED = {"-l": "language", "-t": "task", "-x": "beam", "-m": "stages", "-w": "weights"}
UNSUPPORTED = {
    "meteor15/lang-tr:-l tr": "Turkish stems",
    "meteor15/real-wmt17-0:-l de -norm": "paraphrases of German, which pycocoevalcap does not carry; the program failed",
    "meteor15/edge-empty-hyp:-l other -norm": "there is no such normaliser; the program failed",
}


def parameters_of(arguments: str) -> dict[str, Any]:
    """
    Translate Meteor's options.
    """
    made: dict[str, Any] = {"version": "1.5"}
    for option, text in re.findall(r"(-[a-zP]+)((?: (?!-[a-z])\S+)*)", arguments):
        values = text.split()
        if option in ("-norm", "-lower"):
            made["preprocessing"] = {"-norm": "normalize", "-lower": "lower"}[option]
        elif option == "-noPunct":
            made["punctuation"] = False
        elif option == "-ch":
            made["characters"] = True
        elif option == "-p":
            made |= dict(zip(("alpha", "beta", "gamma", "delta"), map(float, values), strict=True))
        else:
            made[LISTED[option]] = int(values[0]) if option == "-x" else ",".join(values)
    if made.get("language") == "sv":
        made["language"] = "se"
    return made


def golden(shared: Path, name: str) -> list[dict[str, Any]]:
    """
    Read recorded results.
    """
    return [json.loads(line) for line in (shared / "golden" / f"{name}.jsonl").read_text("utf-8").splitlines()]


@needs_archive
@needs_paraphrases
@pytest.mark.parametrize("name", ["meteor-1.5", "meteor-1.5-options"])
def test_equals_every_recorded_score(shared: Path, name: str) -> None:
    """
    Corpus and segment scores agree to 1e-9 and all 23 statistics exactly, for every language, task and option recorded.
    """
    count = 0
    for record in golden(shared, name):
        if record["id"] in UNSUPPORTED:
            with pytest.raises(ParameterError):
                Meteor(**parameters_of(record["params"]["args"]))
            continue
        cases = tertium.Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        score = tertium.score(Meteor(**parameters_of(record["params"]["args"])), cases)
        assert math.isclose(score.value, record["expected"]["corpus"]["score"], rel_tol=1e-9, abs_tol=1e-12), record[
            "id"
        ]
        assert score.statistics is not None
        for expected, value, row in zip(
            record["expected"]["per_case"], score.per_case["meteor"], score.statistics.tolist(), strict=True
        ):
            assert math.isclose(value, expected["score"], rel_tol=1e-9, abs_tol=1e-12), record["id"]
            recorded = [float(number) for number in expected["stats"].split()]
            if recorded[20] == 1 and recorded[21:] == row[23:]:
                recorded[20] = 0  # the chunk that is left out of pooled counts
            assert row[:23] == recorded, record["id"]
            count += 1
    assert count == {"meteor-1.5": 331, "meteor-1.5-options": 699}[name]


@needs_archive
@needs_paraphrases
def test_equals_conformance_cases(shared: Path) -> None:
    """
    Every measured conformance case of three settings has its score to 1e-9.
    """
    settings = {
        "meteor-1.5-coco": {"preprocessing": "normalize"},
        "meteor-1.5-en": {},
        "meteor-1.5-other": {"language": "other"},
    }
    count = 0
    for line in (shared / "conformance-cases" / "meteor.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        for name, parameters in settings.items():
            found = record["results"].get(name)
            if found is None or found["status"] != "ok" or not all(case["refs"] for case in record["cases"]):
                continue
            cases = tertium.Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
            got = tertium.score(Meteor(version="1.5", **parameters), cases).value
            assert math.isclose(got, found["score"], rel_tol=1e-9, abs_tol=1e-12), (record["id"], name)
            count += 1
    assert count == 87


@needs_archive
@needs_paraphrases
def test_equals_coco_caption_evaluation_without_java(shared: Path) -> None:
    """
    With the PTB tokenizer before the normaliser, 200 captions with 48 references each score what pycocoevalcap and its
    two Java programs gave, to 1e-12.
    """
    folder = shared / "data" / "captioning" / "abstract-50s"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["results"]
    references: dict[int, list[str]] = {}
    for note in json.loads((folder / "annotations.json").read_text("utf-8"))["annotations"]:
        references.setdefault(note["image_id"], []).append(note["caption"])
    for name in ("B1", "B2"):
        results = json.loads((folder / f"results_{name}.json").read_text("utf-8"))
        cases = tertium.Cases(
            [result["caption"] for result in results], [references[result["image_id"]] for result in results]
        )
        got = tertium.score("meteor(version=1.5,preprocessing=normalize,tokenize=ptb)", cases, workers=2).value
        assert math.isclose(got, expected[name]["meteor 1.5"], rel_tol=1e-12), name


@needs_archive
def test_normalises_as_recorded(shared: Path) -> None:
    """
    The normaliser gives every recorded text of six languages, with and without punctuation.
    """
    count = 0
    for record in golden(shared, "meteor-1.5-normalizer-stemmer"):
        if record["metric"] != "MeteorNormalizer":
            continue
        language = record["params"]["language"]
        known = meteor_data.abbreviations(LANGUAGES[language])
        for case, expected in zip(record["cases"], record["expected"]["per_case"], strict=True):
            assert Normalizer(language, known)(case["hyp"]) == expected["norm"]
            assert Normalizer(language, known, punctuation=False)(case["hyp"]) == expected["norm_nopunct"]
            count += 1
    assert count == 245


def test_stems_as_recorded(shared: Path) -> None:
    """
    Stems of ten languages are those of the program.
    """
    count = 0
    for record in golden(shared, "meteor-1.5-normalizer-stemmer"):
        language = {"sv": "se"}.get(record["params"]["language"], record["params"]["language"])
        if record["metric"] != "MeteorStemmer" or language == "tr":
            continue
        if language != "en":
            pytest.importorskip("nltk")
        words = [case["hyp"] for case in record["cases"]]
        assert stems(language, words) == [expected["stem"] for expected in record["expected"]["per_case"]]
        count += len(words)
    assert count == 2220


def test_normalisers_rules() -> None:
    """
    Dots, commas, dashes and apostrophes by the rules, on invented texts.
    """
    known = abbreviations(["#no word", "Mr", "No #NUMERIC_ONLY#", ""])
    assert known == {"Mr": False, "No": True}
    english, french, other = (Normalizer(language, known) for language in ("en", "fr", "es"))
    assert english("Mr. A. told No. 5 of the U.S. end.") == "Mr. A. told No. 5 of the US end ."
    assert english("It's 1,000,5 or so, don't well-known--yes... 'quoted'") == (
        "It 's 1,000,5 or so , don 't well known yes ... ' quoted '"
    )
    assert french("l'ami 5'a") == "l' ami 5 ' a"
    assert english("5's a-- b") == "5 's a- b"
    assert other("l'ami") == "l ' ami"
    assert Normalizer("en", known, punctuation=False)("a, b; c's") == "a b c s"
    assert english("") == english(" \t ") == ""


def test_upper_case_letters_are_consonants() -> None:
    """
    Stemmers leave case alone: a word in upper case keeps its ending.
    """
    assert stems("en", ["The", "RUNNING", "Running"]) == ["The", "RUNNING", "Run"]
    pytest.importorskip("nltk")
    assert stems("de", ["Häuser", "HÄUSER", "häuser"]) == ["Haus", "HÄUSER", "haus"]
