"""
ROUGE-L and ROUGE-Lsum: longest common subsequences of words.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any

import tertium
from tertium.errors import ResourceMissing
from tertium_rouge_score.rouge import RougeMetric, Stemmer, TokenizerName
from tertium_rouge_score.tokenizers import DEFAULT


class RougeL(RougeMetric):
    """
    Longest common subsequence of words, each text taken as one sequence: F1, precision and recall of each case, then
    their means.
    """

    name = "rougeL"

    def __init__(self, *, stemmer: Stemmer = False, tokenizer: TokenizerName = DEFAULT) -> None:
        self.accept(stemmer, tokenizer)


class RougeLsum(RougeMetric):
    """
    Union of the longest common subsequences of each reference sentence with all output sentences: F1, precision and
    recall of each case, then their means. A sentence is a line, or with ``split_summaries`` what NLTK takes for one.
    """

    name = "rougeLsum"

    def __init__(
        self,
        *,
        stemmer: Stemmer = False,
        split_summaries: Annotated[bool, "Let NLTK's Punkt model find sentences, instead of taking lines"] = False,
        tokenizer: TokenizerName = DEFAULT,
    ) -> None:
        self.split_summaries = split_summaries
        self.accept(stemmer, tokenizer)

    @property
    def scorer(self) -> Any:
        """
        Return the scorer, after making sure that sentences can be found.
        """
        if self.split_summaries:
            punkt_folder()
        return super().scorer

    def data_signature(self, cases: tertium.Cases) -> dict[str, object]:
        """
        Return what all types have there, and the content of the model that decides the sentences.
        """
        facts = super().data_signature(cases)
        if self.split_summaries:
            digest = hashlib.sha256()
            for file in sorted(path for path in punkt_folder().iterdir() if path.is_file()):
                digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
            facts["punkt.sha256"] = digest.hexdigest()
        return facts


def punkt_folder() -> Path:
    """
    Return the folder of NLTK's English Punkt model.

    Raises:
        ResourceMissing: It is nowhere in NLTK's data path.
    """
    import nltk

    try:
        return Path(str(nltk.data.find("tokenizers/punkt_tab/english/")))
    except LookupError:
        raise ResourceMissing(
            "punkt_tab",
            "split_summaries=true lets NLTK find sentences, and its model is nowhere in NLTK's data path; "
            "texts with each sentence on a line of its own need neither",
            "python -m nltk.downloader punkt_tab",
        ) from None
