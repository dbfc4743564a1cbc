"""The facts of one trace under one preset: how good its evidence is, and what every check says of each round. Pure.

A result is made when it is first asked for, and once.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from core.case import Round, Trace
from core.chain.check_results import CheckResult, Results, check_named, in_force, not_asked, result
from core.chain.delivery import Delivery, corrected, part, whole
from core.chain.routing import CLARITY, CONFIDENCE, GROUNDING, INTEREST, TOPIC, Look, Path, Place, State
from core.check import DUST, Check
from core.checks import all_checks
from core.thresholds import Preset

Band = Literal["never", "named_only", "answer"]
NO_QUESTION = "This turn asks nothing of the library."
OF_A_WHOLE = "The whole question was clear."
NO_CLAIM = "The answer claims nothing that needs a check."


class TraceFacts:
    """Answers what the way asks (core/chain/routing.py), for a trace that holds at least its first round."""

    def __init__(self, trace: Trace, preset: Preset, *, of_a_whole: bool = False) -> None:
        """of_a_whole: `trace` is a part of a question that was clear as a whole, so nobody asks whether the part is."""
        self.trace, self.preset, self.of_a_whole = trace, preset, of_a_whole
        self._results: dict[tuple[Place, str], CheckResult] = {}
        self._parts: dict[Place, Delivery | None] = {}

    def round(self, place: Place) -> Round | None:
        return self.trace.round(*place)

    def results(self, look: Look) -> dict[str, CheckResult]:
        """What every check says at the end of a way, query checks first; some of them as not asked."""
        found = {c.name: self._result(self._looked_at(look, c), c) for c in all_checks()}
        found = not_asked(found, {CLARITY}, OF_A_WHOLE) if self.of_a_whole else found
        if look.query is None:
            found = not_asked(found, [c.name for c in all_checks() if c.stage == "query"], NO_QUESTION)
        return found if look.claims else not_asked(found, _with_passages(), NO_CLAIM)

    def delivery(self, path: Path) -> Delivery | None:
        """What goes out at the end of `path`; None when nothing does."""
        judged = self.round(path.place)
        if path.route == "deliver":
            return whole(judged, _of_answer(self.results(path.look)), self.preset)
        if path.route == "deliver_corrected":
            return corrected(judged, self.round(path.out), _of_answer(self.results(Look(query=None, answer=path.out))))
        return self._part(path.place) if path.route == "deliver_part" else None

    def kind(self) -> str:
        return self.trace.rounds[0].case.kind

    def talks(self) -> bool:
        return self.kind() != "question" and in_force(INTEREST, self.preset)

    def in_parts(self) -> bool:
        return not self.of_a_whole and bool(self.trace.parts)

    def there(self, place: Place) -> bool:
        return self.round(place) is not None

    def written(self, place: Place) -> bool:
        return bool(self.round(place).case.sentences)

    def awaited(self, place: Place) -> bool:
        return self.round(place).case.awaits_draft

    def claims(self, place: Place) -> bool:
        return claims_something(self.round(place))

    def state(self, look: Look, name: str) -> State:
        check = check_named(name)
        if check is None or (name == CLARITY and (self.of_a_whole or look.query is None)):
            return "not run"
        found = self._result(self._looked_at(look, check), check)
        if found.state == "failed":
            return "blocked" if found.blocks else "watched"
        return "broke" if found.blocks else "passed" if found.state == "passed" else "not run"

    def in_force(self, name: str) -> bool:
        return in_force(name, self.preset)

    def switched_on(self, name: str, switch: str) -> bool:
        check = check_named(name)
        return check is not None and bool(getattr(check.bind(self.preset), switch) >= 1)

    def refinements(self) -> int:
        critic = check_named(CONFIDENCE)
        return int(critic.bind(self.preset).refine_rounds) if in_force(CONFIDENCE, self.preset) else 0

    def wants_another(self, places: tuple[Place, ...]) -> bool:
        now, critic = self.round(places[-1]), check_named(CONFIDENCE)
        if self._result(places[-1], critic).state != "failed" or not now.case.may_find_more:
            return False
        if in_force(TOPIC, self.preset) and self._off_topic(now):
            return False
        moved = moved_by(*(self.round(place) for place in places[-2:]))
        return bool(still_moves(moved, critic.bind(self.preset).stable_within))

    def best(self, places: tuple[Place, ...]) -> Place:
        return max(places, key=lambda place: reached(self.round(place)))

    def unfit(self, look: Look) -> bool:
        return any(self._blocking(look, c) for c in all_checks() if c.stage == "query")

    def faults(self, look: Look) -> Literal["none", "failed", "broke"]:
        found = [self._result(look.answer, c) for c in all_checks() if c.stage == "answer"]
        if any(r.blocks and r.cause == "error" for r in found):
            return "broke"
        return "failed" if any(r.blocks and r.name != GROUNDING for r in found) else "none"

    def sound(self, place: Place) -> bool:
        return not any(self._result(place, c).blocks for c in all_checks() if c.stage == "answer")

    def middling(self, look: Look) -> bool:
        found, check = self._result(look.answer, check_named(GROUNDING)), check_named(GROUNDING)
        return found.value is not None and check.tier_of(found.value, check.bind(self.preset)) == "medium"

    def better(self, place: Place, look: Look) -> bool:
        return self._score(place) > self._score(look.answer) + DUST

    def part(self, place: Place) -> bool:
        return self._part(place) is not None

    def _off_topic(self, measured: Round) -> bool:
        limit = check_named(TOPIC).bind(self.preset).max_topic_mismatch_score
        return bool(off_topic(closest_of(measured), limit))

    def _part(self, place: Place) -> Delivery | None:
        if place not in self._parts:
            self._parts[place] = part(self.round(place), self.preset)
        return self._parts[place]

    def _result(self, place: Place, check: Check) -> CheckResult:
        key = (place, check.name)
        if key not in self._results:
            self._results[key] = result(check, self.round(place), self.preset)
        return self._results[key]

    def _looked_at(self, look: Look, check: Check) -> Place:
        return look.query if check.stage == "query" and look.query else look.answer

    def _blocking(self, look: Look, check: Check) -> bool:
        unasked = self.of_a_whole and check.name == CLARITY
        return not unasked and self._result(look.query, check).blocks

    def _score(self, place: Place) -> float:
        """Stage 2's score; below every other where it has none."""
        found = self._result(place, check_named(GROUNDING)).value
        return -1.0 if found is None else found


def claims_something(measured: Round) -> bool:
    """False when stage 1 looked at the answer and found nothing in it that needs a fact check."""
    signals = measured.signals.get(INTEREST)
    return signals is None or bool((signals["needs_fact_check"] > 0).any())


def _with_passages() -> list[str]:
    """The names of the checks that read an answer against passages: all of its stage but the first stage's own."""
    return [c.name for c in all_checks() if c.stage == "answer" and c.name != INTEREST]


def _of_answer(results: Mapping[str, CheckResult]) -> Results:
    return {n: r for n, r in results.items() if r.stage == "answer"}


def confidence_of(measured: Round) -> float | None:
    """Seed B's evidence confidence of one round: 100 times the best `answers`, 0 without passages.

    None where the search broke: its evidence is not poor, nobody has seen it.
    """
    return None if measured.broken else 100 * max((e.answers for e in measured.case.evidence), default=0.0)


def reached(measured: Round) -> float:
    """The confidence by which searches are compared: one that broke comes to nothing."""
    return confidence_of(measured) or 0.0


def band_of(confidence: float | None, preset: Preset) -> Band | None:
    """The zone of the band in which a confidence lies, None without one; the zones move with the two limits."""
    if confidence is None:
        return None
    named, free = limits(preset)
    if confidence / 100 >= free / 100 - 1e-9:
        return "answer"
    return "named_only" if confidence / 100 >= named / 100 - 1e-9 else "never"


def limits(preset: Preset) -> tuple[float, float]:
    """The two limits of the evidence confidence: with documents named, and for a free search."""
    t = check_named(CONFIDENCE).bind(preset)
    return float(t.min_confidence_named), float(t.min_confidence)


def zones(named: float, free: float) -> dict[Band, tuple[float, float]]:
    """Where each zone begins and ends, 0 to 100. The middle one is gone when naming documents asks for more."""
    low = min(named, free)
    return {"never": (0, low), "named_only": (low, free), "answer": (free, 100)}


def moved_by(*last: Round) -> float:
    """By how much the last of two searches moved the confidence; endlessly for the only one."""
    return abs(reached(last[1]) - reached(last[0])) if len(last) > 1 else np.inf


def still_moves(moved: np.ndarray | float, stable_within: np.ndarray | float) -> np.ndarray | bool:
    """True where a search moved the confidence by enough to try another."""
    return moved >= stable_within - 1e-9


def closest_of(measured: Round) -> float:
    """The cosine of the closest passage of the library; below every limit without one."""
    return measured.case.closest.cosine if measured.case.closest else -np.inf


def off_topic(closest: np.ndarray | float, limit: np.ndarray | float) -> np.ndarray | bool:
    """True where even the closest passage of the library is below the topic limit: another search is no use.

    Only where the topic check blocks: a limit of one document says nothing of the search of another.
    """
    return closest < limit
