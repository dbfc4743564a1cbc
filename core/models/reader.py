"""Reading: does a text answer a question, and where? One network reads both together and speaks of every token."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tokenizers import Encoding

from core.models import Memory, ModelError
from core.models.answer_hints import AnswerWeights
from core.models.calibration import beside
from core.models.cross_encoders import Room, cross_encoder, read_whole, readings

OUTPUTS = ("start", "end", "answered")
"""What the network says of each token: the answer starts, or ends, here; and of the first one, that there is one."""
_MOST_QUESTION, _MOST_TEXT = 340, 160
"""Most tokens of a question, and of a text that is read at once; a longer one is read in overlapping windows."""
_LONGEST = 90
"""Most tokens of an answer."""
_REMEMBERED = 20_000
_TEXT = 1
"""The kind that a tokenizer gives to the tokens of the second text."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the reader says of one text. probability: P(the text answers the question). span: from which letter to
    which the likeliest answer stands. starts, at: P(the answer starts here) of each place in letters, summing to 1.
    answered, margin: the two logits that the probability comes from (ReaderMap)."""

    probability: float
    span: tuple[int, int]
    at: tuple[int, ...]
    starts: tuple[float, ...]
    answered: float = 0.0
    margin: float = 0.0

    def share(self, first: int, last: int) -> float:
        """P(the answer starts in the letters from `first` up to `last`), if there is one."""
        return sum(p for place, p in zip(self.at, self.starts, strict=True) if first <= place < last)


@dataclass(frozen=True, kw_only=True)
class ReaderMap:
    """From what the network says to P(the text answers): a sigmoid of two logits, fitted once (calibration.json).

    answered: that of the first token; span: the best span's margin, its logit less that of no span.
    """

    answered: float = 1.0
    span: float = 0.0
    offset: float = 0.0

    def __call__(self, answered: np.ndarray, span: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.answered * answered + self.span * span + self.offset)))


class Reader:
    """A question and a text are read once and remembered by their content. weights: of the hints on a stretch."""

    def __init__(self, folder: Path, digest: str) -> None:
        self.model = cross_encoder(folder)
        if tuple(self.model.id2label.values()) != OUTPUTS:
            raise ModelError(f"{Path(folder).name} is no reader: it must say {', '.join(OUTPUTS)}; choose another.")
        self.digest = digest
        stored = beside(folder)
        self._map = ReaderMap(**stored.get("answered", {}))
        self.weights = AnswerWeights(**stored.get("stretches", {}))
        self._room = Room(self.model.tokens, _MOST_TEXT)
        self._memory = Memory(_REMEMBERED)
        self.forget = self._memory.forget

    def read(self, question: str, texts: Sequence[str]) -> list[Answer]:
        """What it says of each text. Of a long one the likeliest window counts. ModelError for a question too long."""
        return self._memory.each([(question, text) for text in texts], self._read)

    def _read(self, pairs: list[tuple[str, str]]) -> list[Answer]:
        """Of pairs that share their question."""
        read_whole(self.model, pairs[0][0], _MOST_QUESTION, "question")
        windows = [(pair, readings(pair[1], self._room)) for pair in pairs]
        flat = [(question, window) for (question, _), found in windows for window in found]
        each = iter(answer_of(*said, self._map) for said in self.model.token_logits(flat))
        return [_likeliest(text, [(w, next(each)) for w in found]) for (_, text), found in windows]


def answer_of(encoding: Encoding, logits: np.ndarray, probability: ReaderMap) -> Answer:
    """What the outputs of one pair, shape (tokens, outputs), say. The first token stands for "no answer here"."""
    inside = [n for n, kind in enumerate(encoding.type_ids) if kind == _TEXT and encoding.offsets[n][1] > 0]
    start, end = logits[inside, 0], logits[inside, 1]
    first, last = best_span(start, end)
    margin = start[first] + end[last] - logits[0, 0] - logits[0, 1]
    powers = np.exp(start - start.max())
    places = [encoding.offsets[n] for n in inside]
    return Answer(
        probability=float(probability(logits[0, 2], margin)), span=(places[first][0], places[last][1]),
        at=tuple(a for a, _ in places), starts=tuple((powers / powers.sum()).tolist()),
        answered=float(logits[0, 2]), margin=float(margin),
    )  # fmt: skip


def best_span(start: np.ndarray, end: np.ndarray) -> tuple[int, int]:
    """The places of the first and last token whose logits sum to most, at most _LONGEST apart; shape (tokens,) each."""
    sums = start[:, None] + end[None, :]
    allowed = np.triu(np.tril(np.ones_like(sums, dtype=bool), _LONGEST - 1))
    first, last = np.unravel_index(np.argmax(np.where(allowed, sums, -np.inf)), sums.shape)
    return int(first), int(last)


def _likeliest(text: str, windows: list[tuple[str, Answer]]) -> Answer:
    """The answer of the window that answers most probably, its places counted in `text`."""
    window, found = max(windows, key=lambda one: one[1].probability)
    moved = max(0, text.find(window))
    span = (found.span[0] + moved, found.span[1] + moved)
    return replace(found, span=span, at=tuple(place + moved for place in found.at))
