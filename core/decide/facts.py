"""What the decision flow asks of measured questions at many points, as arrays (units, points), of length 1 where
nothing varies.
"""

from typing import Any

import numpy as np

from core.check import Bound
from core.checks import all_thresholds, check_of
from core.decide.evidence import is_still_changing, off_topic
from core.decide.flow import (
    BLOCKED,
    BROKE,
    CONFIDENCE,
    FACT_GROUNDING,
    FACTS,
    INTEREST,
    KINDS,
    NOT_RUN,
    PASSED,
    ROUND_KEYS,
    SUPPORT,
    TOPIC,
    WATCHED,
)  # fmt: skip
from core.decide.measured import NO_REASON, RANKS, MeasuredSet
from core.decide.partial import PartialAnswers
from core.decide.points import Columns
from core.decide.results import BROKE as BROKEN
from core.decide.results import FAILED, checks_of, codes, first_reason, values
from core.decide.results import PASSED as HOLDS
from core.thresholds import MODES

QUERY, ANSWER = "query", "answer"
_BLOCKS, _WATCHES = MODES.index("blocks"), MODES.index("watches")


class SetFacts:
    """Implements `Facts` (flow.py). `round_` is an index into ROUND_KEYS, or an array of them, (units, points or 1)."""

    def __init__(self, measured: MeasuredSet, columns: Columns) -> None:
        self.measured, self.columns, self.shape = measured, columns, (len(measured), columns.count)
        self._rows = np.stack([measured.at(key) for key in ROUND_KEYS], axis=1)
        self._units, self._points = np.arange(len(measured))[:, None], np.arange(columns.count)
        self._reasons: dict[tuple[str, str], np.ndarray] = {}
        self.partial = PartialAnswers(measured, columns)
        interest = columns.blocks(_check(INTEREST))
        self.kinds = measured.kinds[:, None]
        self.talks = (self.kinds != KINDS.index("question")) & interest
        self.has_parts = measured.parts[:, None] > 0
        self.refine_rounds = np.where(
            columns.blocks(_check(CONFIDENCE)), columns.value(f"{CONFIDENCE}.refine_rounds"), 0
        )
        self.scope_first = interest & columns.is_on(f"{INTEREST}.decides_first")
        self.escalates = columns.is_on(f"{FACT_GROUNDING}.escalation")
        self.rechecks = columns.is_on(f"{FACT_GROUNDING}.recheck")
        can_correct = columns.blocks(_check(FACTS)) | columns.blocks(_check(SUPPORT))
        self.corrects = can_correct & columns.is_on(f"{FACTS}.correction")
        self.grounding_blocks = columns.blocks(_check(FACT_GROUNDING))

    def row(self, round_: Any) -> np.ndarray:
        """The row of a round of each unit, -1 if it was never measured."""
        return self._rows[self._units, round_]

    def is_measured(self, round_: Any) -> np.ndarray:
        return self.row(round_) >= 0

    def column(self, name: str, round_: Any) -> np.ndarray:
        """One of the columns of the set. Without meaning where a round was never measured, as is every other fact."""
        return self.measured.columns[name][self.row(round_)]

    def state(self, check: str, round_: Any) -> np.ndarray:
        """The state of a check, NOT_RUN to BROKE."""
        if (own := _check(check)) is None:
            return np.full((1, 1), NOT_RUN)
        mode = self.columns.mode(own)
        result = self._pick(self._codes(own), round_)
        blocks, watches = mode == _BLOCKS, mode == _WATCHES
        return np.select(
            [
                (result == HOLDS) & (blocks | watches), (result == FAILED) & watches,
                (result == FAILED) & blocks, (result == BROKEN) & blocks,
            ],
            [PASSED, WATCHED, BLOCKED, BROKE], NOT_RUN,
        )  # fmt: skip

    def needs_search(self, search: int) -> np.ndarray:
        """True if this search has too low an evidence confidence, and another one may give a higher one."""
        check, columns = check_of(CONFIDENCE), self.columns
        is_weak = (self._pick(self._codes(check), search) == FAILED) & (columns.mode(check) != MODES.index("off"))
        topic_limit = columns.value(f"{TOPIC}.max_topic_mismatch_score")
        is_off_topic = off_topic(self.column("closest", search), topic_limit) & columns.blocks(_check(TOPIC))
        confidence = self.column("confidence", search)
        change = np.abs(confidence - self.column("confidence", search - 1)) if search else np.asarray(np.inf)
        is_changing = is_still_changing(change, columns.value(f"{CONFIDENCE}.stable_within"))
        return is_weak & ~is_off_topic & is_changing & self.column("may find more", search).astype(bool)

    def fails_query_checks(self, round_: Any) -> np.ndarray:
        return self.reason(QUERY, round_) < NO_REASON

    def faults(self, round_: Any) -> tuple[np.ndarray, np.ndarray]:
        """(a blocking answer check could not be measured, a blocking answer check other than stage 2 failed)."""
        reason = self.reason(ANSWER, round_, FACT_GROUNDING)
        broke = np.minimum(reason, self.reason(FACT_GROUNDING, round_)) == RANKS["model_failure"]
        return broke, (reason < NO_REASON) & ~broke

    def passes_answer_checks(self, round_: Any) -> np.ndarray:
        return self.reason(ANSWER, round_) == NO_REASON

    def is_medium(self, round_: Any) -> np.ndarray:
        """True if stage 2 puts the answer into its medium tier."""
        limits = {name: self.columns.value(f"{FACT_GROUNDING}.{name}") for name in ("medium", "high")}
        return check_of(FACT_GROUNDING).tiers(self.grounding_score(round_), Bound(**limits)) == 1

    def grounding_score(self, round_: Any) -> np.ndarray:
        """The score that stage 2 gives the answer; -1 if there is none."""
        check = check_of(FACT_GROUNDING)
        cells = self.columns.cells(check)
        scores = np.where(self.columns.mode(check) == MODES.index("off"), -1.0, cells.spread(
            values(self.measured.rounds, check, cells)
        ))  # fmt: skip
        return self._pick(scores, round_)

    def has_partial_answer(self, where: np.ndarray, round_: Any) -> np.ndarray:
        """True where some sentences of the answer, but not all, can be delivered; asked for the cells `where`."""
        units, points = np.nonzero(where)
        return self.partial.find(
            units, points, np.broadcast_to(self.row(round_), self.shape)[units, points], self.shape
        )

    def reason(self, checks: str, round_: Any, without: str = "") -> np.ndarray:
        """The most important reason for which a check of a stage, or one check, forbids the answer of a round: an index
        into REASONS, or NO_REASON.
        """
        key = checks, without
        if key not in self._reasons:
            own = checks_of(checks, without) if checks in (QUERY, ANSWER) else tuple(filter(None, [_check(checks)]))
            self._reasons[key] = first_reason(self.measured.rounds, own, self.columns)
        return self._pick(self._reasons[key], round_)

    def _codes(self, check: Any) -> np.ndarray:
        cells = self.columns.cells(check)
        return cells.spread(codes(self.measured.rounds, check, cells))

    def _pick(self, table: np.ndarray, round_: Any) -> np.ndarray:
        """Entries of a table (rows, points or 1) for one round of each unit."""
        return table[self.row(round_), self._points if table.shape[1] > 1 else 0]


def _check(name: str) -> Any:
    """The check with this name; None if there is none, so that the flow goes on without it."""
    all_thresholds()
    return check_of(name) if name in {c.name for c in checks_of(QUERY) + checks_of(ANSWER)} else None
