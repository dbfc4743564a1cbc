"""Answers the facts of the decision flow for a whole bank: each fact for many pairs of a unit and a point at once.

Each method mirrors a method of core/chain/facts.py, which answers for a single trace. An answer consists of an array of
codes, (pairs,), or a single code if it is the same for all pairs, and of the sequence of values that the codes index.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.chain.check_results import find_check
from core.chain.facts import is_still_changing, off_topic
from core.chain.routing import CONFIDENCE, FACT_GROUNDING, INTEREST, STATES, TOPIC, DecidingRounds, Path, RoundKey
from core.check import DUST, Bound
from core.sweep.bank import Bank, Pairs
from core.sweep.decision_tables import ANSWER, FAILED, QUERY, CheckCodes, checks_of
from core.sweep.settings_grid import Columns
from core.sweep.signal_batches import NO_REASON, RANKS
from core.thresholds import MODES

Fact = tuple[Any, ...]
"""A fact that the decision flow asks for: a method name of core.chain.routing.Asking, then its arguments."""
Answer = tuple[np.ndarray | int, Sequence[Any]]
"""Codes, (pairs,) or a single one, and the values that they index."""
YES_OR_NO = (False, True)
_STATE_OF = np.array([[1, 3, 0, 4], [1, 2, 0, 0], [0, 0, 0, 0]])
"""Index into STATES, by the index of the mode in MODES (row) and by PASSED, FAILED, NOT_RUN or BROKE (column)."""


class BatchFacts:
    """Answers the facts of the decision flow (core/chain/routing.py) for every unit of a bank at every point."""

    def __init__(self, bank: Bank, columns: Columns) -> None:
        self._bank, self._columns, self._sheets = bank, columns, CheckCodes(bank, columns)
        self._partial_numbers: dict[RoundKey, np.ndarray] = {}
        self.partial_sentences: list[tuple[int, ...]] = []
        """The sentences of each partial answer that can be delivered, indexed by the numbers that `cuts` returns."""

    def ask(self, fact: Fact, pairs: Pairs) -> Answer:
        """The answer to one fact."""
        name, *arguments = fact
        return getattr(self, name)(pairs, *arguments)

    def kind(self, pairs: Pairs) -> Answer:
        names, kind_of_unit = self._bank.kinds
        return kind_of_unit[pairs.units], names

    def asks_nothing(self, pairs: Pairs) -> Answer:
        names, kind_of_unit = self._bank.kinds
        is_talk = np.array([name != "question" for name in names])
        return is_talk[kind_of_unit[pairs.units]] & pairs.at(self._in_force(INTEREST)), YES_OR_NO

    def has_parts(self, pairs: Pairs) -> Answer:
        return self._bank.parts[pairs.units] > 0, YES_OR_NO

    def is_measured(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return self._bank.at(round_key)[pairs.units] >= 0, YES_OR_NO

    def has_answer(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return self._bank.column("sentences", round_key)[pairs.units] > 0, YES_OR_NO

    def awaits_draft(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return self._bank.column("awaited", round_key)[pairs.units], YES_OR_NO

    def makes_claims(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return self._bank.column("claims", round_key)[pairs.units], YES_OR_NO

    def converses(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return self._bank.column("converses", round_key)[pairs.units], YES_OR_NO

    def state(self, pairs: Pairs, rounds: DecidingRounds, name: str) -> Answer:
        check = find_check(name)
        if check is None or (check.stage == QUERY and rounds.query is None):
            return STATES.index("not run"), STATES
        round_key = rounds.query if check.stage == QUERY else rounds.answer
        return _STATE_OF[pairs.at(self._columns.mode(check)), self._sheets.codes(check, round_key, pairs)], STATES

    def can_block(self, pairs: Pairs, name: str) -> Answer:
        return pairs.at(self._in_force(name)), YES_OR_NO

    def switched_on(self, pairs: Pairs, name: str, switch: str) -> Answer:
        on = self._columns.value(f"{name}.{switch}") >= 1 if find_check(name) else np.asarray(False)
        return pairs.at(on), YES_OR_NO

    def refine_rounds(self, pairs: Pairs) -> Answer:
        key = f"{CONFIDENCE}.refine_rounds"
        highest = int(find_check(CONFIDENCE).thresholds()["refine_rounds"].high)
        rounds = np.where(self._in_force(CONFIDENCE), self._columns.value(key), 0).astype(int)
        return pairs.at(rounds), range(highest + 1)

    def needs_search(self, pairs: Pairs, round_keys: tuple[RoundKey, ...]) -> Answer:
        latest, confidence = round_keys[-1], find_check(CONFIDENCE)
        weak = self._sheets.codes(confidence, latest, pairs) == FAILED
        is_on = pairs.at(self._columns.mode(confidence)) != MODES.index("off")
        limit = pairs.at(self._columns.value(f"{TOPIC}.max_topic_mismatch_score"))
        closest = self._bank.column("closest", latest)[pairs.units]
        is_off_topic = off_topic(closest, limit) & pairs.at(self._in_force(TOPIC))
        stable_within = pairs.at(self._columns.value(f"{CONFIDENCE}.stable_within"))
        moves = is_still_changing(self._confidence_change(pairs, round_keys), stable_within)
        return weak & is_on & ~is_off_topic & moves & self._bank.column("may find more", latest)[pairs.units], YES_OR_NO

    def best_search(self, pairs: Pairs, round_keys: tuple[RoundKey, ...]) -> Answer:
        if len(round_keys) == 1:
            return 0, round_keys
        return np.argmax([self._bank.column("confidence", p)[pairs.units] for p in round_keys], axis=0), round_keys

    def fails_query_checks(self, pairs: Pairs, rounds: DecidingRounds) -> Answer:
        return self._sheets.reason(checks_of(QUERY), rounds.query, pairs) < NO_REASON, YES_OR_NO

    def faults(self, pairs: Pairs, rounds: DecidingRounds) -> Answer:
        reasons, grounding = self._answer_reasons(rounds.answer, pairs)
        broke = np.minimum(reasons, grounding) == RANKS["model_failure"]  # no failed check has this reason
        return np.where(broke, 2, reasons < NO_REASON), ("none", "failed", "broke")

    def passes_answer_checks(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        return np.minimum(*self._answer_reasons(round_key, pairs)) == NO_REASON, YES_OR_NO

    def is_medium(self, pairs: Pairs, rounds: DecidingRounds) -> Answer:
        check = find_check(FACT_GROUNDING)
        limits = {name: pairs.at(self._columns.value(f"{FACT_GROUNDING}.{name}")) for name in ("medium", "high")}
        return check.tiers(self._sheets.score(check, rounds.answer, pairs), Bound(**limits)) == 1, YES_OR_NO

    def scores_higher(self, pairs: Pairs, round_key: RoundKey, rounds: DecidingRounds) -> Answer:
        corrected, before = (
            self._sheets.score(find_check(FACT_GROUNDING), key, pairs) for key in (round_key, rounds.answer)
        )
        return corrected > before + DUST, YES_OR_NO

    def has_partial_answer(self, pairs: Pairs, round_key: RoundKey) -> Answer:
        numbers, sentences = self._sheets.partial_answers(round_key, pairs)
        if round_key not in self._partial_numbers:
            shape = (len(self._bank), self._columns.count)
            self._partial_numbers[round_key] = np.full(shape, -1, dtype=np.int32)
        self._partial_numbers[round_key].ravel()[pairs.flat] = np.where(
            numbers < 0, -1, numbers + len(self.partial_sentences)
        )
        self.partial_sentences += sentences
        return numbers >= 0, YES_OR_NO

    def cuts(self, pairs: Pairs, round_key: RoundKey) -> np.ndarray:
        """The partial answer that is delivered, as an index into `partial_sentences`; -1 for none: (pairs,)."""
        return self._partial_numbers[round_key].ravel()[pairs.flat]

    def reasons(self, pairs: Pairs, path: Path) -> np.ndarray:
        """The primary reason at the end of `path`, as an index into REASONS; NO_REASON without one: (pairs,)."""
        rounds = path.rounds
        if rounds.claims:
            ranks = np.minimum(*self._answer_reasons(rounds.answer, pairs))
        else:
            ranks = self._sheets.reason((find_check(INTEREST),), rounds.answer, pairs)
        if rounds.query:
            ranks = np.minimum(ranks, self._sheets.reason(checks_of(QUERY), rounds.query, pairs))
        if path.route == "refuse":  # an empty answer is never grounded, whichever checks are on
            empty = self._bank.column("sentences", path.round_key)[pairs.units] == 0
            ranks = np.where(empty, np.minimum(ranks, RANKS["low_grounding"]), ranks)
        return ranks

    def _answer_reasons(self, round_key: RoundKey, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
        """The first reason among all answer checks except stage 2, and the reason of stage 2: two arrays (pairs,)."""
        grounding = tuple(c for c in checks_of(ANSWER) if c.name == FACT_GROUNDING)
        groups = (checks_of(ANSWER, but=FACT_GROUNDING), grounding)
        return tuple(self._sheets.reason(group, round_key, pairs) for group in groups)

    def _confidence_change(self, pairs: Pairs, round_keys: tuple[RoundKey, ...]) -> np.ndarray:
        """Mirrors facts.confidence_change: how far the last search changed the confidence, (pairs,); infinite for the
        first one."""
        if len(round_keys) == 1:
            return np.asarray(np.inf)
        before, now = (self._bank.column("confidence", round_key)[pairs.units] for round_key in round_keys[-2:])
        return np.abs(now - before)

    def _in_force(self, name: str) -> np.ndarray:
        return self._columns.blocks(find_check(name)) if find_check(name) else np.asarray(False)
