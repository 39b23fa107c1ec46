"""
Make the corpora that the benchmarks use: real text where it is at hand, generated text elsewhere.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

from rows import Corpus

SHARED = Path(__file__).resolve().parents[2] / "shared"


def lines_of(path: Path) -> list[str]:
    """
    Read the lines of a file; only a line feed ends one.
    """
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def translations(segments: int) -> Corpus:
    """
    Give the systems of newstest2017 English-German one after the other, again and again up to a number of segments.
    """
    folder = SHARED / "data" / "mt" / "wmt17-en-de"
    if not folder.is_dir():
        return generated(segments)
    reference = lines_of(folder / "ref.txt")
    systems = [lines_of(path) for path in sorted((folder / "systems").glob("*.txt"))]
    pairs = itertools.cycle(
        (hypothesis, text) for system in systems for hypothesis, text in zip(system, reference, strict=True)
    )
    taken = list(itertools.islice(pairs, segments))
    return Corpus("newstest2017 en-de", [hypothesis for hypothesis, _ in taken], [[text] for _, text in taken])


def generated(segments: int) -> Corpus:
    """
    Give sentences of invented words with Zipf's frequencies, and hypotheses that change, drop and move some.
    """
    rng = random.Random(17)
    letters = "enisratdhulcgmobwfkzvüpäßjöyqxENISRATDHUL"
    words = ["".join(rng.choices(letters, k=min(rng.randrange(2, 12), rng.randrange(2, 16)))) for _ in range(30_000)]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    hypotheses, references = [], []
    for _ in range(segments):
        reference = rng.choices(words, cum_weights=weights, k=rng.randrange(4, 40))
        hypothesis = [rng.choices(words, cum_weights=weights)[0] if rng.random() < 0.3 else word for word in reference]
        if len(hypothesis) > 8 and rng.random() < 0.5:
            hypothesis = hypothesis[4:] + hypothesis[:4]
        references.append([" ".join(reference) + "."])
        hypotheses.append(" ".join(hypothesis[: len(hypothesis) - rng.randrange(2)]) + ".")
    return Corpus("generated", hypotheses, references)


def captions(images: int) -> Corpus:
    """
    Give captions of COCO images with their references, again and again up to a number of images.
    """
    folder = SHARED / "data" / "captioning" / "coco-1000"
    if not folder.is_dir():
        corpus = generated(images)
        return Corpus("generated", corpus.hypotheses, [texts * 5 for texts in corpus.references])
    references: dict[int, list[str]] = {}
    for annotation in json.loads((folder / "annotations.json").read_text(encoding="utf-8"))["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    pairs = itertools.cycle([(result["caption"], references[result["image_id"]]) for result in results])
    taken = list(itertools.islice(pairs, images))
    return Corpus("COCO captions", [hypothesis for hypothesis, _ in taken], [texts for _, texts in taken])


def corrections(sentences: int) -> Corpus:
    """
    Give learners' sentences as they are with four corrections each, again and again up to a number of sentences.
    """
    folder = SHARED / "data" / "gec" / "jfleg"
    if not folder.is_dir():
        corpus = generated(sentences)
        return Corpus("generated", corpus.hypotheses, [texts * 4 for texts in corpus.references], corpus.hypotheses)
    sources = lines_of(folder / "source.txt")
    columns = zip(*(lines_of(folder / f"ref{number}.txt") for number in range(4)), strict=True)
    pairs = itertools.cycle([(source, list(texts)) for source, texts in zip(sources, columns, strict=True)])
    taken = list(itertools.islice(pairs, sentences))
    originals = [source for source, _ in taken]
    return Corpus("JFLEG", originals, [references for _, references in taken], originals)
