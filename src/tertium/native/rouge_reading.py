"""
Turn the texts of ROUGE into columns of tokens: limit, split, cut, drop stop words, stem.

What was read last is remembered, so that ROUGE-1, ROUGE-2 and ROUGE-L of the same cases read them once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import BadText, ParameterError, ResourceMissing
from tertium.native.cache import Memo, reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn, offsets_of
from tertium.native.tokenizers import Tokenizer

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary

Splitter = Callable[[str], list[str]]

EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
"""In the order in which ROUGE-1.5.5's list is built: of entries for one word the last holds."""
STEMMED_FROM = 4
"""Words of fewer letters are left alone by every stemmer."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """
    Hold the tokens of some texts, sentence by sentence.

    Args:
        ids: Token ids.
        offsets: Where each sentence starts, and the end of the last.
        sentences: Text i owns the sentences ``sentences[i]:sentences[i + 1]``.
    """

    ids: Ids
    offsets: Offsets
    sentences: Offsets

    @property
    def edges(self) -> Offsets:
        """
        Give where each text starts among the ids, and the end of the last.
        """
        return self.offsets[self.sentences]

    @property
    def lengths(self) -> Offsets:
        """
        Give the number of tokens of each text.
        """
        return np.diff(self.edges)

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        return int(self.ids.nbytes + self.offsets.nbytes + self.sentences.nbytes)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """
    Hold what was read of a chunk of cases.

    Args:
        hypotheses: One text a case.
        references: All references.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        counted: The texts whose tokens limit the credit, hypotheses and references, where a length limit makes them
            other ones.
    """

    hypotheses: Rows
    references: Rows
    bounds: Offsets
    counted: tuple[Rows, Rows] | None = None

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        rows: list[Rows] = [self.hypotheses, self.references, *(self.counted or ())]
        return int(self.bounds.nbytes) + sum(one.nbytes for one in rows)


READ: Memo[Read] = Memo(128 << 20)
"""Chunks as they were read, by manner of reading and texts: 128 MB."""


@dataclass(frozen=True)
class Reading:
    """
    Say how texts are read.

    Args:
        tokenizer: How to cut them.
        stem: The stemmer for words of more than three letters.
        exceptions: What some words become instead.
        exceptions_digest: Tells one such list from another.
        stopwords: Tokens to drop, before stemming.
        split: Gives the sentences of a text; None takes each text as one.
        split_name: ``newline`` or another name of the splitter.
        word_limit: Words to keep of each text.
        byte_limit: Bytes to keep of each text.
    """

    tokenizer: Tokenizer
    stem: Callable[[str], str] | None = None
    exceptions: Mapping[str, str] | None = None
    exceptions_digest: str = ""
    stopwords: frozenset[str] = frozenset()
    split: Splitter | None = None
    split_name: str = "none"
    word_limit: int | None = None
    byte_limit: int | None = None

    @property
    def key(self) -> Hashable:
        """
        Give what tells this manner of reading from others.
        """
        changes = self.stem, self.exceptions_digest, self.stopwords
        return self.tokenizer.key, changes, self.split, self.word_limit, self.byte_limit

    def read(self, cases: Cases) -> Read:
        """
        Read the texts of a chunk of cases, or give them as they were read before.
        """
        hypotheses, references = cases.hypotheses, cases.flat_references

        def size(made: Read) -> int:
            # the key keeps the texts alive: four bytes a character at most, and what a string takes besides
            texts = len(hypotheses) + len(references)
            return made.nbytes + 4 * (sum(map(len, hypotheses)) + sum(map(len, references))) + 64 * texts

        bounds = np.array(cases.bounds, np.int64)
        key = self.key, hypotheses, references, bounds.tobytes()
        return READ.get(key, lambda: self._read(hypotheses, references, bounds), size)

    def _read(self, hypotheses: tuple[str, ...], references: tuple[str, ...], bounds: Offsets) -> Read:
        by_sentence = self.byte_limit is not None and self.split is not None
        texts, sentences = _sentences(self._limited(hypotheses, not by_sentence), self.split, self.split_name)
        their_texts, their_sentences = _sentences(
            self._limited(references, not by_sentence), self.split, self.split_name
        )
        theirs = reference_tokens(their_texts, self.tokenizer)
        columns = [self.tokenizer.column(texts, theirs.vocabulary), theirs]
        if by_sentence:
            whole = self.tokenizer.column(self._limited(hypotheses, True), columns[0].vocabulary)
            columns = [*columns, self.tokenizer.column(self._limited(references, True), whole.vocabulary), whole]
        last = columns[2] if by_sentence else columns[0]
        rows = self._worded(columns, last.vocabulary)
        counted = None
        if by_sentence:
            counted = _whole(rows[3]), _whole(rows[2])
        return Read(Rows(*rows[0], sentences), Rows(*rows[1], their_sentences), bounds, counted)

    def _limited(self, texts: tuple[str, ...], accumulated: bool) -> tuple[str, ...]:
        if self.word_limit is None and self.byte_limit is None:
            return texts
        return tuple(limited(text, self.word_limit, self.byte_limit, accumulated) for text in texts)

    def _worded(self, columns: list[TokenColumn], vocabulary: Vocabulary) -> list[tuple[Ids, Offsets]]:
        """
        Drop stop words and stem; the vocabulary extends those of all columns.
        """
        rows = [(column.ids, column.offsets) for column in columns]
        if self.stem is None and not self.stopwords:
            return rows
        words = vocabulary.words()
        if self.stopwords:
            kept = np.fromiter((word not in self.stopwords for word in words), np.bool_, len(words))
            rows = [_filtered(ids, offsets, kept) for ids, offsets in rows]
        if self.stem is not None:
            from tertium.native.interning import intern_words

            stems = intern_words([[self._stemmed(word) for word in words]]).ids
            rows = [(stems[ids], offsets) for ids, offsets in rows]
        return rows

    def _stemmed(self, word: str) -> str:
        if len(word) < STEMMED_FROM or self.stem is None:
            return word
        if self.exceptions is not None and word in self.exceptions:
            return self.exceptions[word]
        return self.stem(word)


def _whole(row: tuple[Ids, Offsets]) -> Rows:
    return Rows(*row, np.arange(len(row[1]), dtype=np.int64))


def _filtered(ids: Ids, offsets: Offsets, kept: NDArray[Any]) -> tuple[Ids, Offsets]:
    chosen = kept[ids]
    before = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(chosen, out=before[1:])
    return ids[chosen], before[offsets]


def _sentences(texts: tuple[str, ...], split: Splitter | None, name: str) -> tuple[tuple[str, ...], Offsets]:
    if split is None or (split is lines and all(texts) and "\n" not in "".join(texts)):
        return texts, np.arange(len(texts) + 1, dtype=np.int64)
    found = []
    counts = []
    for text in texts:
        pieces = [piece for piece in split(text) if _is_text(piece, name, text)]
        found += pieces
        counts.append(len(pieces))
    return tuple(found), offsets_of(counts, len(counts))


def _is_text(piece: object, name: str, text: str) -> bool:
    if not isinstance(piece, str):
        raise BadText(
            f"sentences={name}",
            f"it gave a sentence of type {type(piece).__name__} for {text[:40]!r}",
            "Let it give strings",
        )
    return bool(piece)


def lines(text: str) -> list[str]:
    """
    Split a text at line feeds.
    """
    return text.split("\n")


def periods(text: str) -> list[str]:
    """
    Split a text at every period.
    """
    return text.split(".")


def punkt(text: str) -> list[str]:
    """
    Split a text as NLTK's ``sent_tokenize`` does.

    Raises:
        ResourceMissing: NLTK or its English Punkt model is not there.
    """
    try:
        import nltk
    except ImportError:
        raise ResourceMissing(
            "nltk", "sentences=nltk lets NLTK find sentences, and NLTK is not installed", "pip install nltk"
        ) from None
    try:
        return list(nltk.sent_tokenize(text))
    except LookupError:
        raise ResourceMissing(
            "punkt_tab",
            "sentences=nltk lets NLTK find sentences, and its model is nowhere in NLTK's data path; texts with each "
            "sentence on a line need neither",
            "python -m nltk.downloader punkt_tab",
        ) from None


SPLITTERS: Mapping[str, Splitter | None] = {"none": None, "newline": lines, "period": periods, "nltk": punkt}
"""Ways to find sentences, by name."""


def limited(text: str, words: int | None, size: int | None, accumulated: bool = True) -> str:
    """
    Keep the beginning of a text as ROUGE-1.5.5 does: whole lines, and of the line that reaches the limit a part.

    Args:
        text: The text; empty lines do not count.
        words: The most words. White space at the start of a line makes one more, an empty one.
        size: The most bytes, line ends not counted.
        accumulated: Whether the bytes of all lines count together. If not, each line is held against the limit by
            itself and the first that reaches it is the last (the program does so for its ROUGE-L and ROUGE-W).
    """
    kept = []
    used = 0
    for line in text.encode("utf-8", "surrogatepass").split(b"\n"):
        if not line:
            continue
        if words is not None:
            parts = line.split()
            if parts and line[:1].isspace():
                parts.insert(0, b"")
            if used + len(parts) >= words:
                kept.append(b" ".join(parts[: words - used]))
                break
            used += len(parts)
        elif size is not None:
            if used + len(line) >= size:
                kept.append(line[: size - used])
                break
            used += len(line) if accumulated else 0
        kept.append(line)
    return b"\n".join(kept).decode("utf-8", "replace")


def exceptions_from(place: str) -> Mapping[str, str]:
    """
    Read lists of irregular forms: a word and what it comes from on each line.

    Args:
        place: ``wordnet`` for those of WordNet 3.0, or a folder that holds the four ``.exc`` files. ROUGE-1.5.5 comes
            with those of WordNet 2.0, to which 3.0 adds thirteen nouns (ashes, gps, halfpence, morses...) and nothing else.

    Raises:
        ParameterError: A file is not there.
        ResourceMissing: WordNet is not there.
    """
    if place == "wordnet":
        from tertium.resources import wordnet

        contents = wordnet.read(EXCEPTION_FILES)
    else:
        contents = {name: _content(Path(place) / name, f"exceptions={place}") for name in EXCEPTION_FILES}
    found: dict[str, str] = {}
    for name in EXCEPTION_FILES:
        for line in contents[name].decode("utf-8", "replace").splitlines():
            forms = line.split()
            if len(forms) > 1:
                found[forms[0]] = forms[1]
    return found


def stopwords_from(file: str) -> frozenset[str]:
    """
    Read a list of stop words, one a line.

    Raises:
        ParameterError: The file is not there.
    """
    return frozenset(_content(Path(file), f"stopwords={file}").decode("utf-8", "replace").split())


def digest_of(words: Sequence[str] | frozenset[str] | Mapping[str, str]) -> str:
    """
    Give a short SHA-256 of a list, for the signature.
    """
    import hashlib

    pairs = sorted(words.items()) if isinstance(words, Mapping) else sorted((word, "") for word in words)
    return hashlib.sha256("\n".join(f"{one} {other}" for one, other in pairs).encode()).hexdigest()[:16]


def _content(file: Path, asked: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ParameterError(
            asked, f"{file} cannot be read ({error.strerror})", "Give the place of the lists that you mean"
        ) from None
