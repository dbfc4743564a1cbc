"""The index of words: BM25 of texts, in arrays that are computed in memory or mapped from a file.

The file of a library lies in its run-time folder: one process makes it, and all of a computer share its memory. Its
name is a digest of the texts and of the program, so a change of either makes a new one, for which only new texts are
read. All files can be deleted at any time.
"""

import hashlib
import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import Stemmer
from filelock import FileLock

from core.case import Passage
from core.platform.mapped_arrays import ArraysError, map_arrays, write_arrays
from core.platform.program import program_digest
from core.retrieval.postings import NO_POSTINGS, Postings, digests_of, encoded, postings_of, rarity
from core.text.words import content

log = logging.getLogger(__name__)

_FILES = 2
"""Number of files that stay: another process may still read the one before the last."""


class Bm25Index:
    """A BM25 index of texts. Scores are absolute, 0 to 1: they do not depend on the other texts that match."""

    def __init__(self, postings: Postings) -> None:
        self._postings, self.size = postings, len(postings.lengths)

    def idf(self, word: str) -> float:
        """Rarity of a stem in the texts; one that they do not hold is the rarest."""
        first, end = self._range(word)
        return rarity(end - first, self.size)

    def shares(self, query: str) -> np.ndarray:
        """BM25 score of `query` for each text, divided by the largest possible one: in [0, 1], (texts,).

        Words that the texts do not hold count in the largest score, so a query of unknown words stays low.
        """
        ranges = [self._range(word) for word in dict.fromkeys(content(query))]
        scores = np.zeros(self.size, dtype=np.float32)
        for first, end in ranges:
            np.add.at(scores, self._postings.texts[first:end], self._postings.scores[first:end])
        return scores / (sum(rarity(end - first, self.size) for first, end in ranges) or 1.0)

    def _range(self, word: str) -> tuple[int, int]:
        """The first posting of a stem, and their end; (0, 0) if no text holds it."""
        key, postings = encoded(word), self._postings
        number = bisect_left(range(postings.words), key, key=postings.word)
        if number == postings.words or postings.word(number) != key:
            return 0, 0
        return tuple(postings.starts[number : number + 2].tolist())


def index_of(texts: Iterable[str]) -> Bm25Index:
    """The index of a few texts, in the memory of this process."""
    texts = list(texts)
    return Bm25Index(postings_of(texts, digests_of(texts)))


def stored_index(folder: Path, passages: Sequence[Passage]) -> Bm25Index:
    """The index of `passages`, mapped from a file in `folder`.

    A file that is missing or damaged is made anew; other processes that need it wait meanwhile. If it cannot be
    written, the index is in the memory of this process.
    """
    digests = digests_of(p.text for p in passages)
    path = folder / f"{_conditions()}-{hashlib.blake2b(digests.tobytes(), digest_size=8).hexdigest()}.arrays"
    if postings := _stored(path, digests):
        return Bm25Index(postings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            return Bm25Index(_stored(path, digests) or _made(path, passages, digests))
    except OSError as error:
        _warn(path, error)
        return Bm25Index(postings_of((p.text for p in passages), digests))


def best_first(scores: np.ndarray) -> Iterator[int]:
    """Yield the indices of the scores above 0, highest first; of equal scores the earlier one first.

    Only as many are sorted as are used, because a large library has many.
    """
    positive = np.flatnonzero(scores > 0)
    values, sorted_count, count = scores[positive], 0, 256
    while sorted_count < len(values):
        least = np.partition(values, -count)[-count] if count < len(values) else 0
        best = positive[values >= least]  # also those that equal the last one
        yield from best[np.argsort(-scores[best], kind="stable")][sorted_count:].tolist()
        sorted_count, count = len(best), 8 * count


def _conditions() -> str:
    """A digest of what makes words from a text: this program and its stemmer."""
    return hashlib.blake2b(f"{program_digest()} {Stemmer.version()}".encode(), digest_size=4).hexdigest()


def _stored(path: Path, digests: np.ndarray | None = None) -> Postings | None:
    """The postings in the file at `path`; None if it is missing, damaged, or not that of texts with these digests."""
    try:
        postings = Postings(**map_arrays(path, verified=True).arrays)
    except (ArraysError, TypeError):
        return None
    return postings if digests is None or np.array_equal(postings.digests, digests) else None


def _made(path: Path, passages: Sequence[Passage], digests: np.ndarray) -> Postings:
    """Write the postings of `passages` to `path`, map them, and remove the files of earlier versions."""
    earlier = (_stored(file) for file in _newest(path.parent, f"{_conditions()}-*.arrays"))
    postings = postings_of((p.text for p in passages), digests, next(filter(None, earlier), NO_POSTINGS))
    try:
        write_arrays(path, postings._asdict().items(), {})
        for file in (*_newest(path.parent, "*.arrays")[_FILES:], *path.parent.glob("*.part")):
            file.unlink(missing_ok=True)
    except OSError as error:
        _warn(path, error)
    return _stored(path, digests) or postings


def _newest(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern), key=lambda file: file.stat().st_mtime_ns, reverse=True)


def _warn(path: Path, error: OSError) -> None:
    log.warning("%s cannot be written (%s); each process holds an index of words of its own", path, error)
