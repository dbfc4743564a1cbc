"""Partial answers: the sentences of an answer that no check objects to, if the checks pass on these alone."""

import numpy as np

from core.checks import check_of
from core.decide.measured import NO_REASON, MeasuredSet, Rows
from core.decide.points import Limits
from core.decide.results import checks_of, first_reason
from core.decide.routes import SUPPORT, RoundKey
from core.words import REASONS

NO_PART = -1
LEANS = "It depends on a sentence that is left out."
UNSAID = REASONS["low_grounding"].objection


class PartialAnswers:
    """The partial answers of a set at some points.

    number: for each cell, (units, points), the number of the partial answer that is delivered, NO_PART for none.
    sentences: the indices of the sentences of each of them, by its number.
    """

    def __init__(self, measured: MeasuredSet, limits: Limits) -> None:
        self._measured, self._limits = measured, limits
        self.number = np.full((len(measured), limits.count), NO_PART, dtype=np.int32)
        self.sentences: list[tuple[int, ...]] = []

    def find(self, key: RoundKey, units: np.ndarray, points: np.ndarray) -> np.ndarray:
        """True for the cells where a part of the answer of the round `key` can be delivered: (units, points).

        units, points: the cells in question, (cells,).
        """
        rows, columns = self._measured.at(key)[units], self._measured.columns[key]
        rejected = is_rejected(self._measured, key, self._limits, rows, points)
        kept = ~withheld(rejected, columns["leans"][rows, : rejected.shape[1]])
        count = kept.sum(1)
        some = np.flatnonzero((count > 0) & (count < columns["sentences"][rows]))
        found = np.zeros(self.number.shape, dtype=bool)
        if len(some):
            units, points = units[some], points[some]
            keys = np.concatenate(
                [rows[some, None].astype(np.int32).view(np.uint8), np.packbits(kept[some], axis=1)], 1
            )
            _, first, index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            index = index.reshape(-1)
            answers = self._answers(key, rows[some][first], kept[some][first])
            forbidden = first_reason(answers, checks_of("answer"), self._limits) < NO_REASON
            passes = ~forbidden[index, points if forbidden.shape[1] > 1 else 0]
            found[units[passes], points[passes]] = True
            self.number[units[passes], points[passes]] = len(self.sentences) + index[passes]
            self.sentences += [tuple(np.flatnonzero(mask).tolist()) for mask in kept[some][first]]
        return found

    def _answers(self, key: RoundKey, rows: np.ndarray, masks: np.ndarray) -> Rows:
        """Some rounds with only some of their sentences. The last ones are kept, with what was decided on them."""
        rounds, content = self._measured.rounds[key], (rows.tobytes(), masks.tobytes())
        if len(self._measured.wholes) == 1:
            seen = rounds.tables.setdefault("partial answers seen", {})
            seen.update(((row, mask.tobytes()), mask) for row, mask in zip(rows.tolist(), masks, strict=True))
        if "partial answers" not in rounds.tables or rounds.tables["partial answers"][0] != content:
            rounds.tables["partial answers"] = content, rounds.restricted(rows, masks)
        return rounds.tables["partial answers"][1]


def partial_answers_seen(measured: MeasuredSet) -> list[Rows]:
    """Every partial answer that the checks of a set of one question have decided so far."""
    found = []
    for rounds in measured.rounds.values():
        if seen := rounds.tables.get("partial answers seen"):
            masks = np.zeros((len(seen), max(map(len, seen.values()))), dtype=bool)
            for n, mask in enumerate(seen.values()):
                masks[n, : len(mask)] = mask
            found.append(rounds.restricted(np.array([row for row, _ in seen], dtype=np.int64), masks))
    return found


def is_rejected(
    measured: MeasuredSet, key: RoundKey, limits: Limits, rows: np.ndarray, points: np.ndarray
) -> np.ndarray:  # fmt: skip
    """True for each sentence that cannot be delivered as an answer of its own, and after the last: (cells, longest).

    rows: among the rounds `key`. points: of each cell. A sentence of an abstention can be delivered.
    """
    singles, first = measured.singles(key)
    reasons = first_reason(singles, checks_of("answer"), limits)
    counts = measured.columns[key]["sentences"][rows]
    sentence = np.arange(counts.max(initial=0))
    is_there = sentence < counts[:, None]
    at = np.where(is_there, first[rows][:, None] + sentence, 0)
    forbidden = reasons[at, points[:, None] if reasons.shape[1] > 1 else 0] < NO_REASON
    by_support = _support_judges(limits, points)
    said, abstains = (measured.columns[key][name][rows][:, sentence] for name in ("said", "abstains"))
    return np.where(is_there, (forbidden | (~said & ~by_support[:, None])) & ~abstains, True)


def objections(measured: MeasuredSet, key: RoundKey, limits: Limits, unit: int) -> list[str]:
    """For each sentence of an answer, why it cannot be delivered; "" if it can. A sentence of an abstention can be
    delivered unless it depends on a sentence that cannot.

    key: of the round with the answer. limits: of one point.
    """
    rows, only = measured.at(key)[[unit]], np.zeros(1, dtype=np.int64)
    columns, (singles, first) = measured.columns[key], measured.singles(key)
    count = columns["sentences"][rows[0]]
    leans = columns["leans"][rows[0], :count]
    out = withheld(is_rejected(measured, key, limits, rows, only)[0], leans)
    ranks = first_reason(singles, checks_of("answer"), limits)[first[rows[0]] :, 0]
    reasons = [*REASONS.values()]
    return [
        "" if not out[n]
        else LEANS if n and out[n - 1] and leans[n]
        else reasons[ranks[n]].objection if ranks[n] < NO_REASON
        else UNSAID
        for n in range(count)
    ]  # fmt: skip


def withheld(rejected: np.ndarray, leans: np.ndarray) -> np.ndarray:
    """The sentences that stay out: rejected ones, and those that depend on the sentence before if that stays out.

    All are bool (..., sentence).
    """
    out = np.array(rejected)
    for n in range(1, out.shape[-1]):
        out[..., n] |= out[..., n - 1] & leans[..., n]
    return out


def _support_judges(limits: Limits, points: np.ndarray) -> np.ndarray:
    """True where the check `support` judges a sentence instead of its NLI label: (cells,)."""
    blocks = limits.blocks(check_of(SUPPORT))
    return blocks[points] if blocks.ndim else np.full(len(points), bool(blocks))
