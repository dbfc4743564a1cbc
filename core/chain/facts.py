"""The facts that the decision flow asks for about one trace under one preset: its evidence and the results of the
checks on each round. Pure.

A result is computed when it is first needed, and once.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from core.case import Round, Trace
from core.chain.check_results import CheckResult, Results, find_check, in_force, not_applicable, result
from core.chain.delivery import Delivery, correct, part, whole
from core.chain.routing import (
    CLARITY,
    CONFIDENCE,
    FACT_GROUNDING,
    INTEREST,
    TOPIC,
    DecidingRounds,
    Path,
    RoundKey,
    State,
)
from core.check import DUST, Check
from core.checks import all_checks
from core.thresholds import Preset

Band = Literal["never", "named_only", "answer"]
NO_QUESTION = "This message is not a question to the library."
HEDGING = "hedging"
OF_A_WHOLE = "The whole question was clear."
NO_CLAIM = "The answer claims nothing that needs a check."


class TraceFacts:
    """Answers what the decision flow asks about one trace: implements `Facts` (core/chain/routing.py). The trace must
    hold its first round.
    """

    def __init__(self, trace: Trace, preset: Preset, *, is_part: bool = False) -> None:
        """is_part: True if `trace` is a part of a question that was clear as a whole; the clarity of the part is then
        not checked.
        """
        self.trace, self.preset, self.is_part = trace, preset, is_part
        self._results: dict[tuple[RoundKey, str], CheckResult] = {}
        self._parts: dict[RoundKey, Delivery | None] = {}

    def round(self, round_key: RoundKey) -> Round | None:
        return self.trace.round(*round_key)

    def results(self, rounds: DecidingRounds) -> dict[str, CheckResult]:
        """Results of all checks at the end of a path, query checks first. A check that plays no role on that path gets
        "not applicable".

        rounds: the rounds whose results decide.
        """
        results = {c.name: self._result(self._round_of(rounds, c), c) for c in all_checks()}
        results = not_applicable(results, {CLARITY}, OF_A_WHOLE) if self.is_part else results
        if rounds.query is None:
            cause = NO_QUESTION if self.asks_nothing() else NO_CLAIM
            results = not_applicable(results, [c.name for c in all_checks() if c.stage == "query"], cause)
        about_passages = [c.name for c in all_checks() if c.stage == "answer" and c.name != INTEREST]
        return results if rounds.claims else not_applicable(results, about_passages, NO_CLAIM)

    def delivery(self, path: Path) -> Delivery | None:
        """The delivery at the end of `path`; None if nothing is delivered."""
        judged_round = self.round(path.round_key)
        if path.route == "deliver":
            return whole(judged_round, _answer_results(self.results(path.rounds)), self.preset)
        if path.route == "deliver_corrected":
            return correct(
                judged_round,
                self.round(path.delivery_key),
                _answer_results(self.results(DecidingRounds(query=None, answer=path.delivery_key))),
            )
        return self._part(path.round_key) if path.route == "deliver_part" else None

    def kind(self) -> str:
        return self.trace.rounds[0].case.kind

    def asks_nothing(self) -> bool:
        return self.kind() != "question" and in_force(INTEREST, self.preset)

    def has_parts(self) -> bool:
        return not self.is_part and bool(self.trace.parts)

    def is_measured(self, round_key: RoundKey) -> bool:
        return self.round(round_key) is not None

    def has_answer(self, round_key: RoundKey) -> bool:
        return bool(self.round(round_key).case.sentences)

    def awaits_draft(self, round_key: RoundKey) -> bool:
        return self.round(round_key).case.awaits_draft

    def makes_claims(self, round_key: RoundKey) -> bool:
        return claims_something(self.round(round_key))

    def converses(self, round_key: RoundKey) -> bool:
        return only_talks(self.round(round_key))

    def state(self, rounds: DecidingRounds, name: str) -> State:
        check = find_check(name)
        if check is None or (name == CLARITY and (self.is_part or rounds.query is None)):
            return "not run"
        result = self._result(self._round_of(rounds, check), check)
        if result.state == "failed":
            return "blocked" if result.blocks else "watched"
        return "broke" if result.blocks else "passed" if result.state == "passed" else "not run"

    def can_block(self, name: str) -> bool:
        return in_force(name, self.preset)

    def switched_on(self, name: str, switch: str) -> bool:
        check = find_check(name)
        return check is not None and bool(getattr(check.bind(self.preset), switch) >= 1)

    def refine_rounds(self) -> int:
        critic = find_check(CONFIDENCE)
        return int(critic.bind(self.preset).refine_rounds) if in_force(CONFIDENCE, self.preset) else 0

    def needs_search(self, searches: tuple[RoundKey, ...]) -> bool:
        latest, critic = self.round(searches[-1]), find_check(CONFIDENCE)
        if self._result(searches[-1], critic).state != "failed" or not latest.case.may_find_more:
            return False
        if in_force(TOPIC, self.preset):
            limit = find_check(TOPIC).bind(self.preset).max_topic_mismatch_score
            if off_topic(closest_of(latest), limit):
                return False
        change = confidence_change(*(self.round(round_key) for round_key in searches[-2:]))
        return bool(is_still_changing(change, critic.bind(self.preset).stable_within))

    def best_search(self, searches: tuple[RoundKey, ...]) -> RoundKey:
        return max(searches, key=lambda round_key: search_confidence(self.round(round_key)))

    def fails_query_checks(self, rounds: DecidingRounds) -> bool:
        checks = [c for c in all_checks() if c.stage == "query" and not (self.is_part and c.name == CLARITY)]
        return any(self._result(rounds.query, check).blocks for check in checks)

    def faults(self, rounds: DecidingRounds) -> Literal["none", "failed", "broke"]:
        results = [self._result(rounds.answer, c) for c in all_checks() if c.stage == "answer"]
        if any(r.blocks and r.cause == "error" for r in results):
            return "broke"
        return "failed" if any(r.blocks and r.name != FACT_GROUNDING for r in results) else "none"

    def passes_answer_checks(self, round_key: RoundKey) -> bool:
        return not any(self._result(round_key, c).blocks for c in all_checks() if c.stage == "answer")

    def is_medium(self, rounds: DecidingRounds) -> bool:
        result, check = self._result(rounds.answer, find_check(FACT_GROUNDING)), find_check(FACT_GROUNDING)
        return result.value is not None and check.tier_of(result.value, check.bind(self.preset)) == "medium"

    def scores_higher(self, round_key: RoundKey, rounds: DecidingRounds) -> bool:
        return self._score(round_key) > self._score(rounds.answer) + DUST

    def has_partial_answer(self, round_key: RoundKey) -> bool:
        return self._part(round_key) is not None

    def _part(self, round_key: RoundKey) -> Delivery | None:
        if round_key not in self._parts:
            self._parts[round_key] = part(self.round(round_key), self.preset)
        return self._parts[round_key]

    def _result(self, round_key: RoundKey, check: Check) -> CheckResult:
        key = (round_key, check.name)
        if key not in self._results:
            self._results[key] = result(check, self.round(round_key), self.preset)
        return self._results[key]

    def _round_of(self, rounds: DecidingRounds, check: Check) -> RoundKey:
        return rounds.query if check.stage == "query" and rounds.query else rounds.answer

    def _score(self, round_key: RoundKey) -> float:
        """Score that stage 2 gives the answer of a round; -1 if there is none."""
        score = self._result(round_key, find_check(FACT_GROUNDING)).value
        return -1.0 if score is None else score


def claims_something(measured_round: Round) -> bool:
    """False if stage 1 measured the answer and no sentence needs a fact check; else True."""
    signals = measured_round.signals.get(INTEREST)
    return signals is None or bool((signals["needs_fact_check"] > 0).any())


def only_talks(measured_round: Round) -> bool:
    """True if the answer is conversation that needs no passage: it states nothing and hedges nothing.

    An abstention must also ask back, as in "I can't help with the weather. Is there anything else?".
    """
    interest, hedging = measured_round.signals.get(INTEREST), measured_round.signals.get(HEDGING)
    if interest is None or hedging is None or (interest["needs_fact_check"] > 0).any() or (hedging["hits"] > 0).any():
        return False
    has_question = measured_round.flags("asks").any()
    return bool(has_question) or not bool((hedging["abstains"] > 0).all())


def _answer_results(results: Mapping[str, CheckResult]) -> Results:
    return {n: r for n, r in results.items() if r.stage == "answer"}


def confidence_of(measured_round: Round) -> float | None:
    """Evidence confidence of one round, 0 to 100: 100 times the largest score `answers` of its passages, 0 without
    passages.

    None if the search broke: its evidence is then unknown, not poor.
    """
    return None if measured_round.broken else 100 * max((e.answers for e in measured_round.case.evidence), default=0.0)


def search_confidence(measured_round: Round) -> float:
    """The evidence confidence by which searches are compared, 0 to 100; a search that broke counts as 0."""
    return confidence_of(measured_round) or 0.0


def band_of(confidence: float | None, preset: Preset) -> Band | None:
    """The band of an evidence confidence (0 to 100) under `preset`; None if there is no confidence."""
    if confidence is None:
        return None
    named_limit, free = limits(preset)
    if confidence / 100 >= free / 100 - 1e-9:
        return "answer"
    return "named_only" if confidence / 100 >= named_limit / 100 - 1e-9 else "never"


def limits(preset: Preset) -> tuple[float, float]:
    """The two limits of the evidence confidence, 0 to 100: (limit for a question that names documents or pages, limit
    for any other question).
    """
    t = find_check(CONFIDENCE).bind(preset)
    return float(t.min_confidence_named), float(t.min_confidence)


ZONE_NAMES: Mapping[Band, str] = {
    "never": "Refuse", "named_only": "Only if a book is picked", "answer": "Answer",
}  # fmt: skip
"""The name of each band on screen: what the guardrail does with a question in it."""


def zones(named_limit: float, free: float) -> dict[Band, tuple[float, float]]:
    """Start and end of each band on the scale from 0 to 100. named_limit, free: the two values of `limits`.

    The band `named_only` is empty if the limit for named documents is the higher of the two.
    """
    low = min(named_limit, free)
    return {"never": (0, low), "named_only": (low, free), "answer": (free, 100)}


def confidence_change(*last: Round) -> float:
    """Absolute change of the evidence confidence, in points of 100, between the two last searches; infinite if there is
    only one search.
    """
    return abs(search_confidence(last[1]) - search_confidence(last[0])) if len(last) > 1 else np.inf


def is_still_changing(movement: np.ndarray | float, stable_within: np.ndarray | float) -> np.ndarray | bool:
    """True where `movement`, the change of the evidence confidence in the last search, is at least `stable_within`:
    another search is then worth trying.
    """
    return movement >= stable_within - 1e-9


def closest_of(measured_round: Round) -> float:
    """Cosine of the closest passage of the library; -inf if there is none."""
    return measured_round.case.closest.cosine if measured_round.case.closest else -np.inf


def off_topic(closest: np.ndarray | float, limit: np.ndarray | float) -> np.ndarray | bool:
    """True where the cosine of the closest passage of the whole library is below the topic limit: no other search can
    then help.

    Use it only if the topic check blocks.
    """
    return closest < limit
