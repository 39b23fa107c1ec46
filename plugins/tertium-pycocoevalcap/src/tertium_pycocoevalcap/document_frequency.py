"""
Count in how many images each n-gram stands, and freeze the counts to a file.

CIDEr weighs an n-gram by the share of images whose references hold it. By default these are the scored images; a small
test set then has poor weights, and one image alone has none. Frozen counts of a larger set give every score the same
weights.

The file is JSON: ``{"format": ..., "tokenizer": "ptb", "n": 4, "documents": 40504, "frequencies": {"a red bus": 12}}``.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

import tertium
from tertium.errors import FormatError, MissingReferences
from tertium_pycocoevalcap import ptb

FORMAT = "tertium document frequencies 1"
LONGEST = 4
"""The longest n-gram that pycocoevalcap's scorer counts of its own accord."""

REMEDY = "Write it with tertium_pycocoevalcap.document_frequency.DocumentFrequencies.learn(...).save(path)"

Ngram = tuple[str, ...]


@dataclass(frozen=True)
class DocumentFrequencies:
    """
    Hold the number of images whose references contain each n-gram.

    Attributes:
        documents: Number of images.
        counts: N-grams to numbers of images, 1 to ``documents``.
        n: Longest n-gram that was counted.
        tokenizer: What made words of the references: ``ptb`` or ``none``.
    """

    documents: int
    counts: Mapping[Ngram, float]
    n: int
    tokenizer: str

    @classmethod
    def learn(cls, cases: tertium.Cases, *, tokenizer: str = "ptb", n: int = LONGEST) -> DocumentFrequencies:
        """
        Count n-grams over the references of cases, a case being an image, with the library's own counter.

        Raises:
            MissingReferences: A case has no reference.
            ResourceMissing: There is no Java for ``ptb``.
        """
        from pycocoevalcap.cider.cider_scorer import CiderScorer, cook_refs

        without = [case for case in cases if not case.references]
        if without:
            first = without[0]
            raise MissingReferences(
                "document frequencies", first.position, first.id, len(without), first.references is not None
            )
        references: list[str] = list(cases.flat_references)
        if tokenizer == "ptb":
            (references,) = ptb.tokenize(references)
        bounds = cases.bounds.tolist()
        scorer = CiderScorer(n=n)
        scorer.crefs = [cook_refs(references[bounds[i] : bounds[i + 1]], n) for i in range(len(cases))]
        scorer.compute_doc_freq()
        return cls(len(cases), dict(scorer.document_frequency), n, tokenizer)

    def save(self, path: str | Path) -> None:
        """
        Write the counts to a file.
        """
        Path(path).write_text(self._text, encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> DocumentFrequencies:
        """
        Read counts from a file.

        Raises:
            FormatError: It cannot be read, or is not such a file.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise FormatError(str(path), f"cannot be read ({error.strerror})", "Name a file of frequencies") from error
        except ValueError as error:
            remedy = f"{REMEDY}; what `tertium constants build` writes is for the native cider-d and --constants"
            raise FormatError(str(path), f"is not JSON in UTF-8 ({error})", remedy) from error
        problem = _problem(content)
        if problem:
            raise FormatError(str(path), problem, REMEDY)
        counts = {tuple(key.split(" ")): float(count) for key, count in content["frequencies"].items()}
        return cls(content["documents"], counts, content["n"], content["tokenizer"])

    @cached_property
    def digest(self) -> str:
        """
        SHA-256 of the file that ``save`` writes, for signatures.
        """
        return hashlib.sha256(self._text.encode()).hexdigest()

    @property
    def _text(self) -> str:
        frequencies = {" ".join(ngram): int(count) for ngram, count in sorted(self.counts.items())}
        content = {
            "format": FORMAT,
            "tokenizer": self.tokenizer,
            "n": self.n,
            "documents": self.documents,
            "frequencies": frequencies,
        }
        return json.dumps(content, ensure_ascii=False, indent=0) + "\n"

    def scorer(self, n: int, sigma: float) -> Any:
        """
        Return the library's scorer with these counts in place of those of the scored references.

        The scorer sets the number of images from what it scores, whenever it computes; here that number stays.
        """
        from pycocoevalcap.cider.cider_scorer import CiderScorer

        logarithm = np.log(float(self.documents))

        class FrozenScorer(CiderScorer):  # type: ignore[misc]
            @property
            def ref_len(self) -> Any:
                return logarithm

            @ref_len.setter
            def ref_len(self, _: Any) -> None:
                return None

        made = FrozenScorer(n=n, sigma=sigma)
        made.document_frequency = defaultdict(float, self.counts)
        return made


def _problem(content: Any) -> str:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        return f"does not say that its format is {FORMAT!r}"
    documents, n, frequencies = content.get("documents"), content.get("n"), content.get("frequencies")
    if not _is_count(documents) or not _is_count(n):
        return f"documents={documents!r} and n={n!r} must be whole numbers from 1"
    if content.get("tokenizer") not in ("ptb", "none"):
        return f"tokenizer={content.get('tokenizer')!r} must be ptb or none"
    if not isinstance(frequencies, dict):
        return "frequencies must map n-grams to numbers"
    for key, count in frequencies.items():
        words = key.split(" ")
        if not _is_count(count) or count > documents:
            return f"{key!r} stands in {count!r} of {documents:,} documents"
        if not 1 <= len(words) <= n or key.split() != words:
            return f"{key!r} is no n-gram of 1 to {n} words parted by single spaces"
    return ""


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
