"""The facts of a whole bank at many settings: each asked of many pairs of a unit and a point, and answered together.

Method by method what core/chain/facts.py answers of one trace. An answer is an array of codes, (pairs,), or one
code where it is the same for all, and what the codes stand for.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.chain.check_results import check_named
from core.chain.facts import off_topic, still_moves
from core.chain.routing import CONFIDENCE, GROUNDING, INTEREST, STATES, TOPIC, Look, Path, Place
from core.check import DUST, Bound, Check
from core.sweep.bank import Bank, Pairs
from core.sweep.decision_tables import ANSWER, FAILED, QUERY, Sheets, checks_of
from core.sweep.signal_batches import NO_REASON, RANKS
from core.sweep.threshold_columns import Columns
from core.thresholds import MODES

Fact = tuple[Any, ...]
"""A question that the way asks: the name of a method of core.chain.routing.Asking, and what it is asked about."""
Answer = tuple[np.ndarray | int, Sequence[Any]]
YES_OR_NO = (False, True)
_STATE_OF = np.array([[1, 3, 0, 4], [1, 2, 0, 0], [0, 0, 0, 0]])
"""The place in STATES, by that of the mode in MODES and by PASSED, FAILED, NOT_RUN or BROKE."""


class BatchFacts:
    """Answers what the way asks (core/chain/routing.py) for every unit of a bank at every one of its points."""

    def __init__(self, bank: Bank, columns: Columns) -> None:
        self._bank, self._columns, self._sheets = bank, columns, Sheets(bank, columns)
        self._cuts: dict[Place, np.ndarray] = {}
        self.kept: list[tuple[int, ...]] = []
        """The sentences of each part of an answer that can go out, by the numbers that `cuts` gives."""

    def ask(self, fact: Fact, pairs: Pairs) -> Answer:
        """The answer to one fact of the way."""
        name, *about = fact
        return getattr(self, name)(pairs, *about)

    def kind(self, pairs: Pairs) -> Answer:
        names, places = self._bank.kinds
        return places[pairs.units], names

    def talks(self, pairs: Pairs) -> Answer:
        names, places = self._bank.kinds
        talk = np.array([name != "question" for name in names])
        return talk[places[pairs.units]] & pairs.at(self._in_force(INTEREST)), YES_OR_NO

    def in_parts(self, pairs: Pairs) -> Answer:
        return self._bank.parts[pairs.units] > 0, YES_OR_NO

    def there(self, pairs: Pairs, place: Place) -> Answer:
        return self._bank.at(place)[pairs.units] >= 0, YES_OR_NO

    def written(self, pairs: Pairs, place: Place) -> Answer:
        return self._bank.column("sentences", place)[pairs.units] > 0, YES_OR_NO

    def awaited(self, pairs: Pairs, place: Place) -> Answer:
        return self._bank.column("awaited", place)[pairs.units], YES_OR_NO

    def claims(self, pairs: Pairs, place: Place) -> Answer:
        return self._bank.column("claims", place)[pairs.units], YES_OR_NO

    def state(self, pairs: Pairs, look: Look, name: str) -> Answer:
        check = check_named(name)
        place = _place_of(look, check) if check else None
        if place is None:
            return STATES.index("not run"), STATES
        return _STATE_OF[pairs.at(self._columns.mode(check)), self._sheets.said(check, place, pairs)], STATES

    def in_force(self, pairs: Pairs, name: str) -> Answer:
        return pairs.at(self._in_force(name)), YES_OR_NO

    def switched_on(self, pairs: Pairs, name: str, switch: str) -> Answer:
        on = self._columns.value(f"{name}.{switch}") >= 1 if check_named(name) else np.asarray(False)
        return pairs.at(on), YES_OR_NO

    def refinements(self, pairs: Pairs) -> Answer:
        key = f"{CONFIDENCE}.refine_rounds"
        most = int(check_named(CONFIDENCE).thresholds()["refine_rounds"].high)
        rounds = np.where(self._in_force(CONFIDENCE), self._columns.value(key), 0).astype(int)
        return pairs.at(rounds), range(most + 1)

    def wants_another(self, pairs: Pairs, places: tuple[Place, ...]) -> Answer:
        now, critic = places[-1], check_named(CONFIDENCE)
        weak = self._sheets.said(critic, now, pairs) == FAILED
        asked = pairs.at(self._columns.mode(critic)) != MODES.index("off")
        limit = pairs.at(self._columns.value(f"{TOPIC}.max_topic_mismatch_score"))
        far = off_topic(self._bank.column("closest", now)[pairs.units], limit) & pairs.at(self._in_force(TOPIC))
        within = pairs.at(self._columns.value(f"{CONFIDENCE}.stable_within"))
        moves = still_moves(self._moved(pairs, places), within)
        return weak & asked & ~far & moves & self._bank.column("may find more", now)[pairs.units], YES_OR_NO

    def best(self, pairs: Pairs, places: tuple[Place, ...]) -> Answer:
        if len(places) == 1:
            return 0, places
        return np.argmax([self._bank.column("confidence", p)[pairs.units] for p in places], axis=0), places

    def unfit(self, pairs: Pairs, look: Look) -> Answer:
        return self._sheets.reason(checks_of(QUERY), look.query, pairs) < NO_REASON, YES_OR_NO

    def faults(self, pairs: Pairs, look: Look) -> Answer:
        found, grounding = self._answer_reasons(look.answer, pairs)
        broke = np.minimum(found, grounding) == RANKS["model_failure"]  # which no check says where it only fails
        return np.where(broke, 2, found < NO_REASON), ("none", "failed", "broke")

    def sound(self, pairs: Pairs, place: Place) -> Answer:
        return np.minimum(*self._answer_reasons(place, pairs)) == NO_REASON, YES_OR_NO

    def middling(self, pairs: Pairs, look: Look) -> Answer:
        check = check_named(GROUNDING)
        limits = {name: pairs.at(self._columns.value(f"{GROUNDING}.{name}")) for name in ("medium", "high")}
        return check.tiers(self._sheets.score(check, look.answer, pairs), Bound(**limits)) == 1, YES_OR_NO

    def better(self, pairs: Pairs, place: Place, look: Look) -> Answer:
        anew, before = (self._sheets.score(check_named(GROUNDING), one, pairs) for one in (place, look.answer))
        return anew > before + DUST, YES_OR_NO

    def part(self, pairs: Pairs, place: Place) -> Answer:
        found, kept = self._sheets.parts(place, pairs)
        if place not in self._cuts:
            self._cuts[place] = np.full((len(self._bank.units), self._columns.count), -1, dtype=np.int32)
        self._cuts[place].ravel()[pairs.place] = np.where(found < 0, -1, found + len(self.kept))
        self.kept += kept
        return found >= 0, YES_OR_NO

    def cuts(self, pairs: Pairs, place: Place) -> np.ndarray:
        """Which part of the answer goes out where one does, as a place in `kept`: (pairs,)."""
        return self._cuts[place].ravel()[pairs.place]

    def reasons(self, pairs: Pairs, path: Path) -> np.ndarray:
        """The primary reason at the end of `path`, as a place in REASONS, NO_REASON without one: (pairs,)."""
        look = path.look
        if look.claims:
            found = np.minimum(*self._answer_reasons(look.answer, pairs))
        else:
            found = self._sheets.reason((check_named(INTEREST),), look.answer, pairs)
        if look.query:
            found = np.minimum(found, self._sheets.reason(checks_of(QUERY), look.query, pairs))
        if path.route == "refuse":  # an empty answer is not grounded, whichever checks are on
            empty = self._bank.column("sentences", path.place)[pairs.units] == 0
            found = np.where(empty, np.minimum(found, RANKS["low_grounding"]), found)
        return found

    def _answer_reasons(self, place: Place, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
        """The first reason of all answer checks but stage 2, and that of stage 2: two (pairs,)."""
        grounding = tuple(c for c in checks_of(ANSWER) if c.name == GROUNDING)
        groups = (checks_of(ANSWER, but=GROUNDING), grounding)
        return tuple(self._sheets.reason(group, place, pairs) for group in groups)

    def _moved(self, pairs: Pairs, places: tuple[Place, ...]) -> np.ndarray:
        """As facts.moved_by: by how much the last search moved the confidence, endlessly the first."""
        if len(places) == 1:
            return np.asarray(np.inf)
        before, now = (self._bank.column("confidence", place)[pairs.units] for place in places[-2:])
        return np.abs(now - before)

    def _in_force(self, name: str) -> np.ndarray:
        return self._columns.blocks(check_named(name)) if check_named(name) else np.asarray(False)


def _place_of(look: Look, check: Check) -> Place | None:
    """The round whose result of `check` stands; None where nobody asks it."""
    return look.query if check.stage == QUERY else look.answer
