"""The facts of measured questions that the decision flow reads, as arrays (units, points). An axis along which nothing
varies has length 1.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from core.check import Bound, Check
from core.checks import check_of
from core.decide.measured import NO_REASON, RANKS, MeasuredSet, Rows
from core.decide.points import Limits
from core.decide.results import checks_of, codes, first_reason, values
from core.decide.routes import BROKE, FAILED, KINDS, LAYERS, NOT_RUN, ROUND_KEYS, WATCHED, RoundKey
from core.thresholds import DUST, MODES
from core.words import REASONS

_BLOCKS, _OFF = MODES.index("blocks"), MODES.index("off")
NO_PART = -1
LEANS = "It depends on a sentence that is left out."
UNSUPPORTED = REASONS["low_grounding"].objection


class Facts:
    """The facts on which the flow decides, for each question under each preset: (units, points).

    round_: an index into ROUND_KEYS, or an array of them, (units, points). where: the cells for which the result is
    used; others may hold anything.

    kinds: (units, 1). talks: a turn that asks nothing of the books. is_about_books: its answer can be corrected from
    the books; greetings and tool results are unrelated to them. has_parts, refine_rounds: as they say. scope_first:
    stage 1 blocks and may decide on an answer whose search failed. escalates, corrects, rechecks, gives_parts:
    switches. grounding_blocks: stage 2 can block. part_number: the number of the partial answer that is delivered,
    NO_PART for none; part_sentences: the indices of the sentences of each partial answer, by its number.
    """

    def __init__(self, measured: MeasuredSet, limits: Limits) -> None:
        self.measured, self.limits, self.shape = measured, limits, (len(measured), limits.count)
        self._units = np.arange(len(measured))[:, None]
        self._is_measured = np.stack([measured.at(key) >= 0 for key in ROUND_KEYS], axis=1)
        self._reasons: dict[tuple[str, str, RoundKey], np.ndarray] = {}
        self.part_number = np.full(self.shape, NO_PART, dtype=np.int32)
        self.part_sentences: list[tuple[int, ...]] = []
        interest = limits.blocks(check_of("interest"))
        self.kinds = measured.kinds[:, None]
        self.talks = (self.kinds != KINDS.index("question")) & interest
        self.is_about_books = np.isin(self.kinds, [KINDS.index("question"), KINDS.index("about_last_turn")])
        self.has_parts = measured.parts[:, None] > 0
        can_refine = limits.blocks(check_of("confidence"))
        self.refine_rounds = np.where(can_refine, limits.value("confidence.refine_rounds"), 0)
        self.scope_first = interest & limits.is_on("interest.decides_first")
        self.escalates = limits.is_on("fact_grounding.escalation")
        self.rechecks = limits.is_on("fact_grounding.recheck")
        can_correct = limits.blocks(check_of("fact_check")) | limits.blocks(check_of("support"))
        self.corrects = can_correct & limits.is_on("fact_check.correction")
        self.gives_parts = limits.is_on("grounding.partial_answers")
        self.grounding_blocks = limits.blocks(check_of("fact_grounding"))

    def is_measured(self, round_: Any) -> np.ndarray:
        return self._is_measured[self._units, round_]

    def column(self, name: str, round_: Any) -> np.ndarray:
        """One of the columns of the set; 0 where a round was never measured."""
        return self.measured.by_round[name][self._units, round_]

    def state(self, check: str, round_: Any, where: Any = True) -> np.ndarray:
        """The result of a check under its mode, NOT_RUN to WATCHED."""
        own = check_of(check)
        result, mode = self._codes(own, round_, where), self.limits.mode(own)
        no_block = np.where(result == FAILED, WATCHED, np.where(result == BROKE, NOT_RUN, result))
        return np.where(mode == _OFF, NOT_RUN, np.where(mode == _BLOCKS, result, no_block))

    def needs_search(self, search: int) -> np.ndarray:
        """True if this search has too low an evidence confidence, and another one may give a higher one."""
        check, limits = check_of("confidence"), self.limits
        is_weak = (self._codes(check, search) == FAILED) & (limits.mode(check) != _OFF)
        topic_limit = limits.value("topic_relevance.max_topic_mismatch_score")
        # Below the topic limit in the whole library no other search can help.
        is_off_topic = (self.column("closest", search) < topic_limit) & limits.blocks(check_of("topic_relevance"))
        confidence = self.column("confidence", search)
        change = np.abs(confidence - self.column("confidence", search - 1)) if search else np.asarray(np.inf)
        is_changing = change >= limits.value("confidence.stable_within") - DUST
        return is_weak & ~is_off_topic & is_changing & (self.column("may find more", search) > 0)

    def faults(self, round_: Any, where: Any) -> tuple[np.ndarray, np.ndarray]:
        """(a blocking answer check could not be measured, a blocking answer check other than stage 2 failed)."""
        reason = self.reason("answer", round_, where, "fact_grounding")
        broke = np.minimum(reason, self.reason("fact_grounding", round_, where)) == RANKS["model_failure"]
        return broke, (reason < NO_REASON) & ~broke

    def abstains(self, round_: Any, where: Any) -> np.ndarray:
        """True if abstention is on, and a layer of source document C forbids the answer of a round."""
        is_on = self.limits.is_on("hedging.abstention")
        if not is_on.any():
            return is_on
        layers = [name for name in LAYERS if check_of(name).stage == "answer"]
        return is_on & reduce(np.logical_or, [self.state(name, round_, where) == FAILED for name in layers])

    def is_medium(self, round_: Any, where: Any) -> np.ndarray:
        """True if stage 2 puts the answer into its medium tier."""
        tiers = {name: self.limits.value(f"fact_grounding.{name}") for name in ("medium", "high")}
        return check_of("fact_grounding").tiers(self.grounding_score(round_, where), Bound(**tiers)) == 1

    def grounding_score(self, round_: Any, where: Any) -> np.ndarray:
        """The score that stage 2 gives the answer; -1 if there is none."""
        check = check_of("fact_grounding")
        cells, is_off = self.limits.cells(check), self.limits.mode(check) == _OFF

        def table(key: RoundKey) -> np.ndarray:
            return np.where(is_off, -1.0, cells.spread(values(self.measured.rounds[key], check, cells)))

        return self._pick(table, round_, where)

    def has_partial_answer(self, round_: Any, where: np.ndarray) -> np.ndarray:
        """True where some sentences of the answer, but not all, can be delivered; asked for the cells `where`."""
        round_ = np.broadcast_to(round_, self.shape)
        for n in np.unique(round_[where]).tolist():
            self._find_parts(ROUND_KEYS[n], *np.nonzero(where & (round_ == n)))
        return where & (self.part_number != NO_PART)

    def _find_parts(self, key: RoundKey, units: np.ndarray, points: np.ndarray) -> None:
        """Set the numbers of the partial answers of the round `key` in some cells. units, points: (cells,)."""
        rows, columns = self.measured.at(key)[units], self.measured.columns[key]
        rejected = is_rejected(self.measured, key, self.limits, rows, points)
        kept = ~withheld(rejected, columns["leans"][rows, : rejected.shape[1]])
        some = np.flatnonzero(kept.any(1) & (kept.sum(1) < columns["sentences"][rows]))
        if not len(some):
            return
        units, points, rows, kept = units[some], points[some], rows[some], kept[some]
        packed = np.concatenate([rows[:, None].astype(np.int32).view(np.uint8), np.packbits(kept, axis=1)], 1)
        _, first, index = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        index, masks = index.reshape(-1), kept[first]
        forbidden = first_reason(self._partial_answers(key, rows[first], masks), checks_of("answer"), self.limits)
        passes = forbidden[index, points if forbidden.shape[1] > 1 else 0] == NO_REASON
        self.part_number[units[passes], points[passes]] = len(self.part_sentences) + index[passes]
        self.part_sentences += [tuple(np.flatnonzero(mask).tolist()) for mask in masks]

    def _partial_answers(self, key: RoundKey, rows: np.ndarray, masks: np.ndarray) -> Rows:
        """Some rounds with only some of their sentences. The last ones are kept, with what was decided on them."""
        rounds, content = self.measured.rounds[key], (rows.tobytes(), masks.tobytes())
        if len(self.measured.wholes) == 1:
            seen = rounds.tables.setdefault("partial answers seen", {})
            seen.update(((row, mask.tobytes()), mask) for row, mask in zip(rows.tolist(), masks, strict=True))
        if rounds.tables.get("partial answers", ((),))[0] != content:
            rounds.tables["partial answers"] = content, rounds.restricted(rows, masks)
        return rounds.tables["partial answers"][1]

    def reason(self, checks: str, round_: Any, where: Any, without: str = "") -> np.ndarray:
        """The most important reason for which a check of a stage, or one check, forbids the answer of a round: an index
        into REASONS, or NO_REASON.
        """

        def table(key: RoundKey) -> np.ndarray:
            if (checks, without, key) not in self._reasons:
                own = checks_of(checks, without) if checks in ("query", "answer") else [check_of(checks)]
                self._reasons[checks, without, key] = first_reason(self.measured.rounds[key], own, self.limits)
            return self._reasons[checks, without, key]

        return self._pick(table, round_, where)

    def _codes(self, check: Check, round_: Any, where: Any = True) -> np.ndarray:
        cells = self.limits.cells(check)
        return self._pick(lambda key: cells.spread(codes(self.measured.rounds[key], check, cells)), round_, where)

    def _pick(self, table: Callable[[RoundKey], np.ndarray], round_: Any, where: Any) -> np.ndarray:
        """For each cell the entry of one round in that round's table, (rows, points or 1). It has no meaning outside
        `where`, so that only the tables of rounds that matter are made.
        """
        numbers = np.unique(np.asarray(round_)[where] if np.ndim(round_) else round_).tolist()
        picked = np.zeros((1, 1), dtype=np.int64)
        for n in numbers:
            if (key := ROUND_KEYS[n]) in self.measured.rounds:
                own = table(key)[self.measured.at(key)]
                picked = own if len(numbers) == 1 else np.where(round_ == n, own, picked)
        return picked


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
    by_support = np.broadcast_to(limits.blocks(check_of("support")), limits.count)[points]
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
        else UNSUPPORTED
        for n in range(count)
    ]  # fmt: skip


def withheld(rejected: np.ndarray, leans: np.ndarray) -> np.ndarray:
    """True for the sentences that stay out: rejected ones, and those that depend on the sentence before if that stays
    out. All are bool (..., sentence).
    """
    out = np.array(rejected)
    for n in range(1, out.shape[-1]):
        out[..., n] |= out[..., n - 1] & leans[..., n]
    return out
