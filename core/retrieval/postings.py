"""The postings of texts: which words each text has and how often, with the BM25 score of each word, in arrays."""

import hashlib
import math
from array import array
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np

from core.text.words import content, words

_K1, _B = 1.5, 0.75
"""BM25: how soon a repeated word adds no more, and how much a long text loses."""
_TEXTS, _POSTINGS = 10_000, 1_000_000
"""Numbers of texts and of postings that are computed at once, so that a large library needs less memory."""
_Columns = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Postings: the number of a word, the index of a text, and how often it has the word; each (postings,)."""


class Postings(NamedTuple):
    """A posting is one word in one text. Postings are in the order of their words, then of their texts.

    letters: all stems in UTF-8, one after the other, sorted. word_starts: the start of each in `letters`, and their
    end, (words + 1,). starts: the first posting of each word, and their end, (words + 1,). texts, counts, scores: for
    each posting the index of its text, how often that has the word, and the BM25 score. lengths, digests: for each text
    the number of its content words, and its digest.
    """

    letters: np.ndarray
    word_starts: np.ndarray
    starts: np.ndarray
    texts: np.ndarray
    counts: np.ndarray
    scores: np.ndarray
    lengths: np.ndarray
    digests: np.ndarray

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.starts) - 1

    def word(self, number: int) -> bytes:
        """A stem in UTF-8. number: its index."""
        start, end = self.word_starts[number : number + 2].tolist()
        return self.letters[start:end].tobytes()


NO_POSTINGS = Postings(*(np.zeros(n, dtype=np.int32) for n in (0, 1, 1, 0, 0, 0, 0, 0)))
"""The postings of no texts."""


def encoded(text: str) -> bytes:
    """`text` in UTF-8; a text of a PDF may hold half a character."""
    return text.encode("utf-8", "surrogatepass")


def digests_of(texts: Iterable[str]) -> np.ndarray:
    """A digest of each text, (texts,), 64 bits."""
    digests = (hashlib.blake2b(encoded(text), digest_size=8).digest() for text in texts)
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


def rarity(count: int, size: int) -> float:
    """Rarity of a word that `count` of `size` texts hold: its inverse document frequency."""
    return math.log(1 + (size - count + 0.5) / (count + 0.5))


def postings_of(texts: Iterable[str], digests: np.ndarray, old: Postings = NO_POSTINGS) -> Postings:
    """The postings of `texts`. digests: of each. Texts that `old` holds are not read again."""
    in_old = _find(digests, old.digests)
    is_new, lengths = in_old < 0, np.empty(len(digests), dtype=np.int32)
    stems, tokens, lengths[is_new] = _tokens(compress(texts, is_new), [old.word(n) for n in range(old.words)])
    lengths[~is_new] = old.lengths[in_old[~is_new]]
    parts = [_taken_over(old, in_old), *_counted(tokens, lengths[is_new], np.flatnonzero(is_new))]
    word, text, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    by_name = sorted(np.flatnonzero(np.bincount(word)).tolist(), key=stems.__getitem__)  # words of removed texts go
    rank = np.empty(len(stems), dtype=np.int32)
    rank[by_name] = np.arange(len(by_name))
    keys = rank[word].astype(np.int64)
    keys *= len(digests)  # in place, as every array of postings is large
    keys += text
    order = np.argsort(keys)
    word, text, count = rank[word[order]], text[order], count[order]
    frequency = np.bincount(word, minlength=len(by_name))
    return Postings(
        letters=np.frombuffer(b"".join(stems[n] for n in by_name), dtype=np.uint8),
        word_starts=_starts([len(stems[n]) for n in by_name]), starts=_starts(frequency), texts=text,
        counts=count.astype(np.min_scalar_type(count.max(initial=0))),
        scores=_scores(word, text, count, frequency, lengths), lengths=lengths, digests=digests,
    )  # fmt: skip


def _find(digests: np.ndarray, among: np.ndarray) -> np.ndarray:
    """The index in `among` of each digest, -1 if it is not there. Of equal digests only the first has an index."""
    indices = np.full(len(digests), -1)
    _, own, others = np.intersect1d(digests, among, return_indices=True)
    indices[own] = others
    return indices


def _starts(lengths: Iterable[int]) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def _tokens(texts: Iterable[str], stems: list[bytes]) -> tuple[list[bytes], np.ndarray, np.ndarray]:
    """All stems in UTF-8, those of `texts` after `stems`; the number of the stem of each content word, in the order of
    the texts; and the number of content words of each text."""
    number_by_stem = {stem: number for number, stem in enumerate(stems)}
    number_by_word: dict[str, int] = {}  # -1 for a stopword; every word is stemmed once, because that takes longest

    def number(word: str) -> int:
        if word not in number_by_word:
            stem = content(word)
            number_by_word[word] = number_by_stem.setdefault(encoded(stem[0]), len(number_by_stem)) if stem else -1
        return number_by_word[word]

    tokens, lengths = array("i"), array("i")
    for text in texts:
        numbers = [n for word in words(text) if (n := number(word)) >= 0]
        tokens.extend(numbers)
        lengths.append(len(numbers))
    return list(number_by_stem), np.array(tokens, dtype=np.int32), np.array(lengths, dtype=np.int32)


def _taken_over(old: Postings, in_old: np.ndarray) -> _Columns:
    """The postings of `old` for texts that are still there. in_old: index in `old` of each text, -1 for a new one."""
    now = np.full(len(old.lengths), -1, dtype=np.int32)
    now[in_old[in_old >= 0]] = np.flatnonzero(in_old >= 0)
    text, word = now[old.texts], np.repeat(np.arange(old.words, dtype=np.int32), np.diff(old.starts))
    return word[text >= 0], text[text >= 0], old.counts[text >= 0].astype(np.int32)


def _counted(tokens: np.ndarray, lengths: np.ndarray, indices: np.ndarray) -> Iterator[_Columns]:
    """Yield the postings of `tokens`, _TEXTS texts at a time. lengths: tokens of each text. indices: of each text."""
    ends = np.cumsum(lengths, dtype=np.int64)
    for first in range(0, len(lengths), _TEXTS):
        of_texts = slice(first, first + _TEXTS)
        own = tokens[ends[first] - lengths[first] : ends[of_texts][-1]].astype(np.int64)
        text = np.repeat(np.arange(len(lengths[of_texts])), lengths[of_texts])
        keys, count = np.unique(own * _TEXTS + text, return_counts=True)
        columns = keys // _TEXTS, indices[first + keys % _TEXTS], count
        yield tuple(column.astype(np.int32) for column in columns)


def _scores(
    word: np.ndarray, text: np.ndarray, count: np.ndarray, frequency: np.ndarray, lengths: np.ndarray
) -> np.ndarray:
    """The BM25 score of each posting. frequency: number of texts that hold each word. lengths: words of each text."""
    scores = np.empty(len(word), dtype=np.float32)
    idf = np.array([rarity(n, len(lengths)) for n in frequency.tolist()], dtype=np.float32)
    discount = _K1 * ((1 - _B) + _B * lengths / (lengths.mean() if len(word) else 1))
    for first in range(0, len(word), _POSTINGS):
        own = slice(first, first + _POSTINGS)
        scores[own] = idf[word[own]] * (count[own] / (discount[text[own]] + count[own]))
    return scores
