"""Partial answers: the sentences of an answer that no check objects to, if the checks pass on these alone."""

import numpy as np

from core.decide.flow import SUPPORT
from core.decide.measured import NO_REASON, MeasuredSet, Rows
from core.decide.points import Columns
from core.decide.results import checks_of, first_reason

NO_PART = -1


class PartialAnswers:
    """The partial answers of a set at some points.

    number: for each cell, (units, points), the number of the partial answer that is delivered, NO_PART for none.
    sentences: the indices of the sentences of each of them, by its number.
    """

    def __init__(self, measured: MeasuredSet, columns: Columns) -> None:
        self._measured, self._columns = measured, columns
        self.number = np.full((len(measured), columns.count), NO_PART, dtype=np.int32)
        self.sentences: list[tuple[int, ...]] = []

    def find(self, units: np.ndarray, points: np.ndarray, rows: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        """True for the cells where a part of the answer can be delivered: (units, points).

        units, points: the cells in question, (cells,). rows: the row of the judged round of each.
        """
        kept = self._kept_sentences(rows, points)
        count = kept.sum(1)
        some = np.flatnonzero((count > 0) & (count < self._measured.columns["sentences"][rows]))
        found = np.zeros(shape, dtype=bool)
        if len(some):
            units, points = units[some], points[some]
            keys = np.concatenate(
                [rows[some, None].astype(np.int32).view(np.uint8), np.packbits(kept[some], axis=1)], 1
            )
            _, first, index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            index = index.reshape(-1)
            answers = self._answers(rows[some][first], kept[some][first])
            forbidden = first_reason(answers, checks_of("answer"), self._columns) < NO_REASON
            passes = ~forbidden[index, points if forbidden.shape[1] > 1 else 0]
            found[units[passes], points[passes]] = True
            self.number[units[passes], points[passes]] = len(self.sentences) + index[passes]
            self.sentences += [tuple(np.flatnonzero(mask).tolist()) for mask in kept[some][first]]
        return found

    def _kept_sentences(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """The sentences that no check objects to: (cells, longest)."""
        rejected = is_rejected(self._measured, self._columns, rows, points)
        return ~withheld(rejected, self._measured.columns["leans"][rows, : rejected.shape[1]])

    def _answers(self, rows: np.ndarray, masks: np.ndarray) -> Rows:
        """Some rounds with only some of their sentences. The last ones are kept, with what was decided on them."""
        tables, key = self._measured.rounds.tables, (rows.tobytes(), masks.tobytes())
        if len(self._measured.wholes) == 1:
            seen = tables.setdefault("partial answers seen", {})
            seen.update(((row, mask.tobytes()), mask) for row, mask in zip(rows.tolist(), masks, strict=True))
        if "partial answers" not in tables or tables["partial answers"][0] != key:
            tables["partial answers"] = key, self._measured.rounds.restricted(rows, masks)
        return tables["partial answers"][1]


def partial_answers_seen(measured: MeasuredSet) -> Rows:
    """Every partial answer that the checks of a set of one question have decided so far."""
    seen = measured.rounds.tables.get("partial answers seen", {})
    longest = int(measured.columns["sentences"].max(initial=0))
    masks = np.zeros((len(seen), longest), dtype=bool)
    for n, mask in enumerate(seen.values()):
        masks[n, : len(mask)] = mask
    return measured.rounds.restricted(np.array([row for row, _ in seen], dtype=np.int64), masks)


def is_rejected(measured: MeasuredSet, columns: Columns, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """True for each sentence that cannot be delivered as an answer of its own, and after the last: (cells, longest).

    rows, points: the row and the point of each cell. A sentence of an abstention can be delivered.
    """
    singles, first = measured.singles
    reasons = first_reason(singles, checks_of("answer"), columns)
    counts = measured.columns["sentences"][rows]
    sentence = np.arange(counts.max(initial=0))
    is_there = sentence < counts[:, None]
    at = np.where(is_there, first[rows][:, None] + sentence, 0)
    forbidden = reasons[at, points[:, None] if reasons.shape[1] > 1 else 0] < NO_REASON
    by_support = _support_judges(columns, points)
    said, abstains = (measured.columns[name][rows][:, sentence] for name in ("said", "abstains"))
    return np.where(is_there, (forbidden | (~said & ~by_support[:, None])) & ~abstains, True)


def withheld(rejected: np.ndarray, leans: np.ndarray) -> np.ndarray:
    """The sentences that stay out: rejected ones, and those that depend on the sentence before if that stays out.

    All are bool (..., sentence).
    """
    out = np.array(rejected)
    for n in range(1, out.shape[-1]):
        out[..., n] |= out[..., n - 1] & leans[..., n]
    return out


def _support_judges(columns: Columns, points: np.ndarray) -> np.ndarray:
    """True where the check `support` judges a sentence instead of its NLI label: (cells,)."""
    check = next((c for c in checks_of("answer") if c.name == SUPPORT), None)
    blocks = columns.blocks(check)
    return blocks[points] if blocks.ndim else np.full(len(points), bool(blocks))
