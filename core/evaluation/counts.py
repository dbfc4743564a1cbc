"""The numbers of cases with each outcome under one setting; each share has its n and interval."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.evaluation.outcomes import FAIR, OVER_REFUSED, RIGHT, UNSAID, WRONG, Rate


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts of cases under one preset.

    due: cases that should be answered. others: cases that should not be.
    right, fair, wrong, over_refused: due cases by the worth of their outcome; fair is acceptable, such as an answer
    with half of the facts.
    held, not_due_fair, not_due_wrong: the other cases by the worth of their outcome: as it should be; acceptable,
    such as refused instead of asked back; wrong, since an answer goes out.
    unsaid: cases in no other count, because this preset needs a round that was never measured, or the row is
    unreadable.
    """

    due: int
    right: int
    fair: int
    wrong: int
    over_refused: int
    others: int
    held: int
    not_due_fair: int
    not_due_wrong: int
    unsaid: int

    @property
    def n(self) -> int:
        return self.due + self.others

    @property
    def over_refusal(self) -> Rate:
        """Over-refused cases as a share of the cases that should be answered."""
        return Rate(count=self.over_refused, n=self.due)

    @property
    def wrong_answer(self) -> Rate:
        """Wrong answers as a share of all cases, whether or not the case should be answered."""
        return Rate(count=self.wrong + self.not_due_wrong, n=self.n)

    @property
    def as_it_should_be(self) -> Rate:
        """Right or acceptable outcomes as a share of all cases."""
        return Rate(count=self.right + self.fair + self.held + self.not_due_fair, n=self.n)

    def row(self) -> dict[str, Any]:
        """A JSON row: n, the counts, and each share with its 95 % interval. The top-level "interval" is that of the
        share `as_it_should_be`.
        """
        good = self.as_it_should_be.row()
        return {
            "n": self.n, "interval": good["interval"], "counts": asdict(self), "as_it_should_be": good,
            "wrong_answers": self.wrong_answer.row(), "over_refusals": self.over_refusal.row(),
        }  # fmt: skip


def count_worths(worths: np.ndarray, should: np.ndarray) -> Counts:
    """Count the cases under one preset or set of threshold values.

    worths: the worth of each case, (cases,). should: True for each case that should be answered, (cases,).
    """
    due, others = ({w: int((worths[side] == w).sum()) for w in (RIGHT, FAIR, OVER_REFUSED, WRONG, UNSAID)}
                   for side in (should, ~should))  # fmt: skip
    unsaid = due.pop(UNSAID), others.pop(UNSAID)
    return Counts(
        due=sum(due.values()), right=due[RIGHT], fair=due[FAIR], wrong=due[WRONG], over_refused=due[OVER_REFUSED],
        others=sum(others.values()), held=others[RIGHT], not_due_fair=others[FAIR] + others[OVER_REFUSED],
        not_due_wrong=others[WRONG], unsaid=sum(unsaid),
    )  # fmt: skip
