"""What a search for thresholds is after: the least cost, or the fewest wrong answers under a limit on refusals."""

import math
from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import REFUSED, UNSAID, WRONG


class AimError(ValueError):
    """An aim was set to what nobody can aim for; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """wrong_cost: how many over-refusals one wrong answer is as bad as. Where max_over_refusal, a share of what should
    be answered, is given, that limit is kept first and then wrong answers are counted alone (seed C asks for 0.1).

    A case that cannot be decided without a new measurement costs as much as a wrong answer, so that nothing is gained
    by leading cases there.
    """

    wrong_cost: float = 5.0
    max_over_refusal: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.wrong_cost) and 0 < self.wrong_cost <= 1000):
            raise AimError(f"A wrong answer may cost from above 0 to 1000 over-refusals, got {self.wrong_cost!r}.")
        if self.max_over_refusal is not None and not 0 <= self.max_over_refusal <= 1:
            raise AimError(f"The limit on over-refusals must be a share from 0 to 1, got {self.max_over_refusal!r}.")

    @property
    def of_one_wrong(self) -> float:
        """What one wrong answer costs, in the unit of `costs`."""
        return self.wrong_cost if self.max_over_refusal is None else 1.0

    def costs(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """What each case costs, in over-refusals; under a limit in wrong answers. worths: (..., cases)."""
        refused = (worths == REFUSED) & should
        wrong = (worths == WRONG) | (worths == UNSAID)
        if self.max_over_refusal is None:
            return self.wrong_cost * wrong + refused
        return wrong + refused / (should.sum() + 1)  # over-refusals only decide between as many wrong answers

    def excess(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """How many over-refusals there are above what a search allows itself: (...,), 0 without a limit.

        It stays one standard error below the limit, since what just keeps to it on these cases breaks it on others.
        """
        refused = ((worths == REFUSED) & should).sum(-1)
        if self.max_over_refusal is None:
            return np.zeros(refused.shape)
        most, n = self.max_over_refusal, int(should.sum())
        return np.maximum(0, refused - math.floor(max(0.0, most * n - math.sqrt(n * most * (1 - most))) + 1e-9))

    def total(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """One number to make small, (...,): what all cases cost, every over-refusal above the limit counting first."""
        return self.costs(worths, should).sum(-1) + self.excess(worths, should) * (worths.shape[-1] + 1)
