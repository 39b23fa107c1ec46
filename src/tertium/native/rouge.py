"""
ROUGE-1 to ROUGE-9, and what all ROUGE types share.
"""

from __future__ import annotations

import functools
import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import Memo
from tertium.native.porter import STEMMERS
from tertium.native.rouge_reading import SPLITTERS, Read, Reading, Rows, digest_of, exceptions_from, stopwords_from
from tertium.native.rouge_scores import Scoring, bootstrap_sums
from tertium.native.tokenizers import Tokenizer, ptb_lines, tokenizer
from tertium.parameters import Choices, Range

_CITATION = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries (Text Summarization Branches Out)"
_ALPHANUMERIC = "rouge-score", "rouge-1.5.5"
_KEPT = re.compile("[A-Za-z0-9\u0130\u212a]")  # with the two other characters that lower to an ASCII letter
_NOTHING_KEPT = re.compile("\n[^A-Za-z0-9\u0130\u212a\n]*(?=\n)")

TokenizerName = Annotated[
    str | Callable[[str], Any],
    "Tokenizer; rouge-score lower-cases and keeps runs of a-z and 0-9",
    Choices(
        *("rouge-score", "rouge-1.5.5", "whitespace", "single-space", "periods", "words", "char", "13a", "intl", "zh"),
        *("ja-mecab", "ko-mecab", "ptb", "spm:<file>", "py:<module>:<attribute>"),
        offers="tokenizers",
    ),
]
Lowercase = Annotated[bool, "Lower-case all texts first (rouge-score and rouge-1.5.5 always do)"]
StemmerName = Annotated[
    Literal["none", "nltk", "porter", "rouge-1.5.5"],
    "Stem words of more than 3 letters: NLTK's Porter, Porter 1980, or that of ROUGE-1.5.5",
]
Exceptions = Annotated[
    str | None, "Irregular forms to use before the stemmer: wordnet (3.0), or a folder of adj/adv/noun/verb.exc files"
]
Stopwords = Annotated[str | None, "File of words to drop before stemming, one a line"]
WordLimit = Annotated[int | None, "Keep that many words of each text, counted as ROUGE-1.5.5 does", Range(1)]
ByteLimit = Annotated[int | None, "Keep that many bytes of each text, counted as ROUGE-1.5.5 does", Range(1)]
MultiReference = Annotated[
    Literal["best-f", "best-recall", "best-each", "pooled", "mean"],
    "Several references: the best by F or by recall, best P and R apart, counts summed, or scores averaged",
]
Jackknife = Annotated[bool, "Average over the sets of references that lack one"]
Alpha = Annotated[float, "F = PR / ((1 - alpha) P + alpha R); 0 is recall, 1 is precision", Range(0, 1)]
Beta = Annotated[float | None, "F = (1 + beta^2) PR / (R + beta^2 P), instead of alpha", Range(0)]
FEpsilon = Annotated[float, "Added to P + R where F1 divides by it", Range(0)]
Empty = Annotated[
    Literal["zero", "one", "skip"],
    "A side without units: 0; 1 if both sides have none; or leave the case out of the mean",
]
Decimals = Annotated[int | None, "Round P and R, then F, to so many decimals", Range(0, 15)]
Corpus = Annotated[
    Literal["mean", "f-of-means", "pooled", "bootstrap", "bootstrap-pooled"],
    "Corpus value: mean of cases; F of mean P and mean R; summed counts; means of ROUGE-1.5.5's resamples (-t 0, -t 1)",
]
Resamples = Annotated[int | None, "Resamples of corpus_value=bootstrap; by default 1,000", Range(1)]
Counting = Annotated[Literal["multiset", "set"], "Count an n-gram as often as both sides hold it, or once"]


class Rouge(Metric):
    """
    Join what all ROUGE types share: how texts are read, and how counts become scores.

    Each type counts units of output and reference and those that match. P = matches / units of the output, R = matches
    / units of the reference, F = 2PR / (P + R), each 0 where it would divide by 0; the corpus value is the mean of the
    cases. The defaults are those of rouge-score 0.1.2: of several references the one with the best F counts. As other
    points of the same parameters (L stands for ``rougeLsum`` where sentences matter):

    ========================  ======================================================================================
    ROUGE-1.5.5               ``tokenizer=rouge-1.5.5, multi_reference=pooled (-f A) or best-recall (-f B), decimals=5``;
                              ``-m``: ``stemmer=rouge-1.5.5, exceptions=<folder>``; ``-s``: ``stopwords=<file>``; ``-l``,
                              ``-b``: ``word_limit``, ``byte_limit``; ``-p``: ``alpha``; reported averages (means over
                              resamples): ``corpus_value=bootstrap``; W: ``credit=runs, sentences=newline,
                              double_weighting=true``; SU: ``unigrams=all-but-last``
    rouge-metric (Python)     ``tokenizer=whitespace, multi_reference=pooled, corpus_value=f-of-means``; L, W and SU as above
    rouge (pltrdy)            ``tokenizer=periods, f_epsilon=1e-8, counting=set``; L: ``sentences=period,
                              credit=distinct, tie=hypothesis``
    py-rouge                  ``multi_reference=pooled, stemmer=porter, exceptions=<folder>, byte_limit=665``; its words
                              come from NLTK's tokenizer, which parts "gonna" and the like
    TorchMetrics              the defaults; ``accumulate=avg``: ``multi_reference=mean``
    pycocoevalcap (L)         ``tokenizer=single-space, multi_reference=best-each, beta=1.2``
    PyTorch-Ignite            ``tokenizer=whitespace, multi_reference=pooled, alpha=0``
    sumeval                   ``tokenizer=rouge-1.5.5, multi_reference=pooled, stopwords=<file>``
    ========================  ======================================================================================
    """

    provider = "native"
    citation = _CITATION
    outputs = ("fmeasure", "precision", "recall")
    columns: tuple[str, ...] = ("fmeasure", "precision", "recall", "cases")
    scale = (0.0, 1.0)
    releases_gil = True
    undefined = "there is no case to take the mean of"

    tokenizer: str | Callable[[str], Any]
    lowercase: bool
    stemmer: str
    exceptions: str | None
    stopwords: str | None
    word_limit: int | None
    byte_limit: int | None
    multi_reference: str
    jackknife: bool
    alpha: float
    beta: float | None
    f_epsilon: float
    empty: str
    decimals: int | None
    corpus_value: str
    resamples: int | None
    sentences: str | Callable[[str], list[str]] = "none"

    def accept(self, given: dict[str, Any]) -> None:
        """
        Keep the parameters, once they are known to go together.

        Args:
            given: The constructor's parameters by name (and ``self``).

        Raises:
            ParameterError: Two of them contradict each other.
        """
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)
        corpus = self.corpus_value
        if self.beta is not None and self.alpha != 0.5:
            self._refuse(f"alpha={self.alpha} and beta={self.beta}", "both weigh precision and recall", "Give one")
        if self.f_epsilon and (self.beta not in (None, 1.0) or self.alpha != 0.5):
            self._refuse("f_epsilon beside alpha or beta", "it is a term of F1", "Leave alpha and beta as they are")
        if self.exceptions is not None and self.stemmer == "none":
            self._refuse(
                f"exceptions={self.exceptions} and stemmer=none",
                "irregular forms are replaced by the stemmer only",
                "Choose a stemmer, such as rouge-1.5.5",
            )
        if self.word_limit is not None and self.byte_limit is not None:
            self._refuse("word_limit and byte_limit", "one limit at a time is held", "Give one of them")
        if corpus in ("pooled", "bootstrap-pooled") and (
            self.jackknife or self.multi_reference in ("best-each", "mean")
        ):
            rule = "jackknife=true" if self.jackknife else f"multi_reference={self.multi_reference}"
            self._refuse(
                f"corpus_value={corpus} and {rule}",
                "that rule leaves no counts to sum",
                "Use best-f or corpus_value=mean",
            )
        if self.empty == "skip" and corpus not in ("mean", "f-of-means"):
            self._refuse(f"empty=skip and corpus_value={corpus}", "only means can leave cases out", "Use another rule")
        if self.resamples is not None and not corpus.startswith("bootstrap"):
            self._refuse(f"resamples={self.resamples} and corpus_value={corpus}", "nothing is resampled", "Drop one")
        if corpus == "pooled":
            self.columns = ("matches", "hypothesis units", "reference units")
        if corpus.startswith("bootstrap"):
            self.additive = False
            self.columns = ()
        if self.exceptions == "wordnet":
            self.resources = ("wordnet",)
        if self.empty == "skip":
            self.undefined = "every case has a side without units, and empty=skip leaves such cases out"

    def _refuse(self, asked: str, truth: str, remedy: str) -> None:
        raise ParameterError(f"{self.name}@{self.provider} with {asked}", truth, remedy)

    def _cutting(self) -> Tokenizer:
        if self.tokenizer == "ptb":  # COCO's ROUGE parts the tokenizer's lines at spaces alone
            return ptb_lines().lowering(self.lowercase)
        return tokenizer(self._imported(self.tokenizer, "tokenizer"), self.lowercase)

    @functools.cached_property
    def reading(self) -> Reading:
        """
        How texts are read under these parameters.
        """
        exceptions = exceptions_from(self.exceptions) if self.exceptions is not None else None
        split = SPLITTERS[self.sentences] if isinstance(self.sentences, str) else self.sentences
        return Reading(
            tokenizer=self._cutting(),
            stem=STEMMERS.get(self.stemmer),
            exceptions=exceptions,
            exceptions_digest=digest_of(exceptions) if exceptions is not None else "",
            stopwords=stopwords_from(self.stopwords) if self.stopwords is not None else frozenset(),
            split=split,
            split_name=str(self.sentences),
            word_limit=self.word_limit,
            byte_limit=self.byte_limit,
        )

    def _imported(self, choice: Any, parameter: str) -> Any:
        if isinstance(choice, str) and choice.startswith("py:"):
            return imported(choice, parameter)
        return choice

    @functools.cached_property
    def scoring(self) -> Scoring:
        """
        How counts become scores under these parameters.
        """
        alpha = self.alpha if self.beta is None else 1 / (1 + self.beta * self.beta)
        return Scoring(
            multi_reference=self.multi_reference,
            jackknife=self.jackknife,
            alpha=alpha,
            f_epsilon=self.f_epsilon,
            empty=self.empty,
            decimals=self.decimals,
            **self._scoring_facts(),
        )

    def _scoring_facts(self) -> dict[str, Any]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("reading", "scoring")}

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self.reading.tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Read:
        """
        Return the texts as columns of tokens.
        """
        return self.reading.read(cases)

    @abstractmethod
    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Count, for each reference, matches, the hypothesis's units and its own, shape (references, 3).

        Returns:
            The counts, and what ``best-recall`` ranks references by where it is not the recall.
        """

    def statistics(self, prepared: Read, constants: None) -> Matrix:
        """
        Return F, precision and recall of each case and a one; or the counts of each case, if they are to be pooled.
        """
        counts, ranks = self.counts(prepared)
        if self.corpus_value == "pooled":
            return self.scoring.chosen(counts, prepared.bounds, ranks)
        return self.scoring.per_case(counts, prepared.bounds, ranks)

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return F, precision and recall.
        """
        if self.corpus_value == "pooled":
            return self.scoring.scores(*sums.reshape(-1, 3).T).reshape(sums.shape)
        means: Matrix = sums[..., :3] / sums[..., 3:]
        if self.corpus_value == "f-of-means":
            defined = sums[..., 3] > 0
            means[..., 0] = np.where(defined, self.scoring.f(means[..., 1], means[..., 2]), np.nan)
        return means

    def corpus(self, prepared: Read, constants: None) -> Matrix:
        """
        Return the mean F, precision and recall of ROUGE-1.5.5's resamples.
        """
        counts, ranks = self.counts(prepared)
        resamples = self.resamples or 1000
        if self.corpus_value == "bootstrap":
            values = self.scoring.per_case(counts, prepared.bounds, ranks)[:, :3]
            drawn = bootstrap_sums(values, resamples) / len(values)
        else:
            exact = self.scoring.of_totals()
            drawn = exact.scores(*bootstrap_sums(self.scoring.chosen(counts, prepared.bounds, ranks), resamples).T)
        # sorted and summed one by one, as the program does: the last decimal of a tie depends on it
        return self.scoring.shown(np.cumsum(np.sort(drawn, axis=0), axis=0)[-1] / resamples)

    def signature(self) -> dict[str, object]:
        """
        Return the parameters, with the versions and contents of what they name.
        """
        facts: dict[str, object] = {**self.parameters}
        facts["tokenizer"] = self.reading.tokenizer.signature
        if self.reading.exceptions is not None:
            facts["exceptions.sha256"] = self.reading.exceptions_digest
        if self.stopwords is not None:
            facts["stopwords.sha256"] = digest_of(self.reading.stopwords)
        if self.sentences == "nltk":
            from importlib.metadata import version

            facts["nltk"] = version("nltk")
        if self.corpus_value.startswith("bootstrap"):
            facts["resamples"] = self.resamples or 1000
        return facts

    def data_signature(self, cases: Cases) -> dict[str, object]:
        """
        Return the number of references.
        """
        counts = np.unique(cases.reference_counts)
        return {"references": int(counts[0]) if len(counts) == 1 else "var"}

    def notes(self, cases: Cases) -> list[str]:
        """
        Return a note on texts of which the tokenizer leaves nothing.
        """
        if self.tokenizer not in _ALPHANUMERIC:
            return []
        bounds = cases.bounds
        without = set(_empty_texts(cases.hypotheses).tolist())
        blank = _empty_texts(cases.flat_references)
        if len(blank):
            owners, counts = np.unique(np.searchsorted(bounds, blank, side="right") - 1, return_counts=True)
            without.update(owners[counts == cases.reference_counts[owners]].tolist())
        if not without:
            return []
        others = f" and {len(without) - 1:,} more" if len(without) > 1 else ""
        return [
            f"case {cases[min(without)].id}{others}: no token is left of the output or of all references (only a-z and "
            "0-9 make tokens); tokenizer=words or char keeps other scripts"
        ]


_EMPTY: Memo[NDArray[np.int64]] = Memo(64 << 20)


def _empty_texts(texts: tuple[str, ...]) -> NDArray[np.int64]:
    """
    Give the rows of the texts that hold no letter or digit to keep.
    """

    def look() -> NDArray[np.int64]:
        # one search over all texts instead of one a text; a blank line within a text only looks like an empty text
        if _NOTHING_KEPT.search("\n".join(["", *texts, ""])) is None:
            return np.empty(0, np.int64)
        return np.array([row for row, text in enumerate(texts) if _KEPT.search(text) is None], np.int64)

    return _EMPTY.get(texts, look, lambda rows: rows.nbytes + 4 * sum(map(len, texts)) + 64 * len(texts))


@functools.cache
def imported(target: str, parameter: str) -> Any:
    """
    Return the function that ``py:module:attribute`` names.

    Raises:
        ParameterError: There is no such module, attribute or function.
    """
    import importlib

    module, _, attribute = target.removeprefix("py:").partition(":")
    remedy = f"Write {parameter}='py:module:attribute' with a function that takes a text and gives a list of strings"
    if not module or not attribute:
        raise ParameterError(f"{parameter}={target!r}", "it names no module and attribute", remedy)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ParameterError(
            f"{parameter}={target!r}", f"it cannot be imported ({type(error).__name__}: {error})", remedy
        ) from error
    if not callable(found):
        raise ParameterError(f"{parameter}={target!r}", f"{attribute} is a {type(found).__name__}", remedy)
    return found


def units(read: Read) -> tuple[Rows, Rows]:
    """
    Give the texts of which units are counted: hypotheses and references.
    """
    return read.counted or (read.hypotheses, read.references)
