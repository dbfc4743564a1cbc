"""The reader: whether a text answers a question, and where. One network reads both, and has outputs for every token."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tokenizers import Encoding

from core.models import Memory
from core.models.calibration import beside
from core.models.cross_encoders import Room, cross_encoder, readings, require_fits
from core.models.stretches import AnswerWeights

OUTPUTS = ("start", "end", "answered")
"""The network's outputs for each token: logits that the answer starts there, that it ends there, and, at the first
token only, that the text answers the question.
"""
_MOST_QUESTION, _MOST_TEXT = 340, 160
"""Maximum tokens of a question, and of a window of text; a longer text is read in overlapping windows."""
_LONGEST = 90
"""Maximum tokens of an answer."""
_TEXT = 1
"""The token type of the second text."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The reader's result for one text.

    probability: P(the text answers the question). span: (start, end) of the most probable answer, in characters. at:
    for each token, the character at which it begins. starts: for each token, P(the answer starts there); they sum to 1.
    answered, margin: the two logits from which ReaderMap computes `probability`.
    """

    probability: float
    span: tuple[int, int]
    at: tuple[int, ...]
    starts: tuple[float, ...]
    answered: float = 0.0
    margin: float = 0.0

    def share(self, first: int, last: int) -> float:
        """P(the answer starts at a character from `first` up to, but not including, `last`), provided that the text has
        an answer.
        """
        return sum(p for offset, p in zip(self.at, self.starts, strict=True) if first <= offset < last)


@dataclass(frozen=True, kw_only=True)
class ReaderMap:
    """A sigmoid of two weighted logits that gives P(the text answers the question). The weights are fitted once and
    stored in calibration.json.

    answered: weight of the logit of the first token. span: weight of the margin, by which the logits of the best span
    exceed those of "no answer". offset: added to the sum of both.
    """

    answered: float = 1.0
    span: float = 0.0
    offset: float = 0.0

    def __call__(self, probabilities: np.ndarray, span: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.answered * probabilities + self.span * span + self.offset)))


class Reader:
    """Reads a question together with a text. Results are cached by question and text.

    weights: the fitted model that gives P(a stretch answers the question) from the hints on the stretch.
    """

    def __init__(self, folder: Path, digest: str) -> None:
        self.model = cross_encoder(folder)
        self.digest = digest
        content = beside(folder)
        self._map = ReaderMap(**content.get("answered", {}))
        self.weights = AnswerWeights(**content.get("stretches", {}))
        self._room = Room(self.model.tokens, _MOST_TEXT)
        self.memory = Memory()

    def read(self, question: str, texts: Sequence[str]) -> list[Answer]:
        """The result for each text; for a long text, the result of its most probable window.

        Raises ModelError if the question is too long.
        """
        return self.memory.outputs([(question, text) for text in texts], self._read)

    def _read(self, pairs: list[tuple[str, str]]) -> list[Answer]:
        """The results for pairs (question, text) with the same question."""
        require_fits(self.model, pairs[0][0], _MOST_QUESTION, "question")
        windows = [readings(text, self._room) for _, text in pairs]
        flat = [(pair[0], window) for pair, own in zip(pairs, windows, strict=True) for window in own]
        answers = iter(_answer_of(*outputs, self._map) for outputs in self.model.token_logits(flat))
        results = []
        for (_, text), own in zip(pairs, windows, strict=True):
            window, answer = max(((w, next(answers)) for w in own), key=lambda one: one[1].probability)
            shift = max(0, text.find(window))
            span = (answer.span[0] + shift, answer.span[1] + shift)
            results.append(replace(answer, span=span, at=tuple(offset + shift for offset in answer.at)))
        return results


def _answer_of(encoding: Encoding, logits: np.ndarray, probability: ReaderMap) -> Answer:
    """The result for one pair from its outputs, shape (tokens, OUTPUTS). The logits of the first token are those of "no
    answer".
    """
    inside = [n for n, kind in enumerate(encoding.type_ids) if kind == _TEXT and encoding.offsets[n][1] > 0]
    start, end = logits[inside, 0], logits[inside, 1]
    first, last = best_span(start, end)
    margin = start[first] + end[last] - logits[0, 0] - logits[0, 1]
    powers = np.exp(start - start.max())
    offsets = [encoding.offsets[n] for n in inside]
    return Answer(
        probability=float(probability(logits[0, 2], margin)), span=(offsets[first][0], offsets[last][1]),
        at=tuple(a for a, _ in offsets), starts=tuple((powers / powers.sum()).tolist()),
        answered=float(logits[0, 2]), margin=float(margin),
    )  # fmt: skip


def best_span(start: np.ndarray, end: np.ndarray) -> tuple[int, int]:
    """The indices of the first and last token of the best answer: the span of at most _LONGEST tokens with the largest
    sum of its start logit and end logit.

    start, end: logits, shape (tokens,).
    """
    sums = start[:, None] + end[None, :]
    allowed = np.triu(np.tril(np.ones_like(sums, dtype=bool), _LONGEST - 1))
    first, last = np.unravel_index(np.argmax(np.where(allowed, sums, -np.inf)), sums.shape)
    return int(first), int(last)
