"""The guarantee: with this limit at most 5 % of the answers given out are wrong, with 95 % confidence.

It is for tuners who have to vouch for a limit. Each value of the limit gets one exact binomial test: if more
than the promised share of the answers were wrong there, would so few errors be that rare?

Choosing among values after looking at all of them would make a lucky one look proven. So the values are tested in an
order that is fixed beforehand, from the strictest to the most lenient, until the first that is not proven. That is
valid without a further correction: to claim too much, the test would have to pass the first value that breaks the
promise, and it does so with no more than its permitted error; what lies behind is tested only after that. The strictest
values give out too few answers to prove anything, so the order begins at STARTS values instead of one, each with an
equal part of the permitted error (1 - confidence), and these parts add up.
"""

from dataclasses import dataclass

import numpy as np

from core.banks.open_bank import OpenBank
from core.case import CaseError
from core.checks import all_thresholds, threshold_of
from core.errors import UserError
from core.evaluation.counts import Rate
from core.thresholds import Preset, Threshold
from core.tuning.curves import checked_answers, curve

STARTS = 5
"""Number of values at which the order of tests begins; they share the permitted error."""
_GROWTHS = np.geomspace(1, 1000, 400)[1:]
"""Sizes of a set, as multiples of the present one, that are tried for the number of missing rows."""


class PromiseError(UserError):
    """A promise has an invalid share or confidence; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Promise:
    """At most this share of the answers given out is wrong, with this confidence.

    share: above 0 and below 1. confidence: at least 0.5 and below 1.
    """

    share: float = 0.05
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise PromiseError(
                f"A guarantee needs a share of wrong answers above 0 and below 1, such as 0.05, got {self.share!r}."
            )
        if not 0.5 <= self.confidence < 1:
            raise PromiseError(f"The confidence must be at least 0.5 and below 1, got {self.confidence!r}.")

    @property
    def error(self) -> float:
        """The permitted probability that the promise is given and broken."""
        return 1 - self.confidence


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """Whether a limit can keep a promise, and at which value.

    kept: the values of the threshold that keep it, the strictest first. value: the one of these that gives out most
    answers; if there is none, the value that comes nearest. wrong: at `value`, the wrong answers of those given out.
    bound: the largest share of wrong answers that `wrong` does not rule out. rows_needed: without a value that keeps
    the promise, about how many more labelled rows of the same kind would do; None if no number would.
    """

    key: str
    promise: Promise
    kept: tuple[float, ...]
    value: float
    wrong: Rate
    bound: float
    rows_needed: int | None = None

    def holds_at(self, value: float) -> bool:
        return bool(np.isclose(self.kept, value).any())

    def row(self) -> dict[str, object]:
        return {
            "holds": bool(self.kept), "key": self.key, "value": self.value, "promised": self.promise.share,
            "confidence": self.promise.confidence, "bound": round(self.bound, 4), **self.wrong.row(),
            "rows_needed": self.rows_needed,
        }  # fmt: skip


def guarantee(bank: OpenBank, preset: Preset, key: str, promise: Promise) -> Guarantee:
    """Find the most lenient value of the threshold `key` that keeps the promise, with the others as in `preset`.

    Raises CaseError if the threshold has no stricter direction, or if the set has no answer that can be checked.
    """
    is_ascending, along = threshold_with_order(key).stricter != "higher", curve(bank, preset, key)
    grid, wrong = (along.values, along.promised) if is_ascending else (along.values[::-1], along.promised[::-1])
    errors, totals = np.array([(w.count, w.n) for w in wrong]).T
    if not totals.any():
        raise CaseError("No answer of this set can be checked; add questions with the facts of a right answer.")
    kept, rows_needed = _proven(errors, totals, promise), None
    if len(kept):
        best = max(kept, key=lambda n: (totals[n], -n))
    else:
        best, rows_needed = _nearest(errors, totals, len(bank.rows), promise)
    return Guarantee(
        key=key, promise=promise, kept=tuple(grid[kept].tolist()), value=float(grid[best]), wrong=wrong[best],
        bound=upper_bound(wrong[best], promise.error / STARTS), rows_needed=rows_needed,
    )  # fmt: skip


def wrong_answers(bank: OpenBank, preset: Preset) -> Rate:
    """The wrong answers of those given out under `preset`, as `checked_answers` counts them."""
    return checked_answers(bank, bank.decided_at(preset))[0]


def upper_bound(wrong: Rate, error: float) -> float:
    """The exact (Clopper-Pearson) upper bound of a share, in [0, 1]; 1 without a case. error: that it is exceeded."""
    from scipy.special import betaincinv  # slow to import and rarely needed

    return float(betaincinv(wrong.count + 1, wrong.n - wrong.count, 1 - error)) if wrong.count < wrong.n else 1.0


def threshold_with_order(key: str) -> Threshold:
    """The threshold `key`. Raises ThresholdError if there is none, and CaseError if neither direction is stricter."""
    threshold = threshold_of(key)
    if threshold.stricter not in ("higher", "lower"):
        able = ", ".join(t.key for t in all_thresholds().values() if t.stricter in ("higher", "lower"))
        raise CaseError(f"{key} has no stricter direction, so a guarantee cannot move it; use one of {able}.")
    return threshold


def _proven(errors: np.ndarray, totals: np.ndarray, promise: Promise) -> np.ndarray:
    """The indices of the values that are proven to keep the promise, by the tests that the module describes.

    errors, totals: wrong answers and answers given out at each value, the strictest first.
    """
    from scipy.special import bdtr  # slow to import and rarely needed

    starts = range(0, len(errors), max(1, len(errors) // STARTS))[:STARTS]
    is_rare = bdtr(errors, totals, promise.share) <= promise.error / STARTS
    proven = np.zeros(len(errors), dtype=bool)
    for start in starts:
        length = np.argmin(np.append(is_rare[start:], False))
        proven[start : start + length] = True
    return np.flatnonzero(proven)


def _nearest(errors: np.ndarray, totals: np.ndarray, row_count: int, promise: Promise) -> tuple[int, int | None]:
    """The value that the fewest more rows would prove, and about how many these are if errors stay as frequent.

    Without such a value: the one with the lowest bound, and None.
    """
    for growth in _GROWTHS if (errors < promise.share * totals).any() else ():
        grown = np.floor(totals * growth).astype(int)
        proven = _proven(np.minimum(np.ceil(errors * growth), grown), grown, promise)
        if len(proven):
            return max(proven, key=lambda n: (totals[n], -n)), int(np.ceil(row_count * (growth - 1)))
    bounds = [upper_bound(Rate(count=int(k), n=int(n)), promise.error) for k, n in zip(errors, totals, strict=True)]
    return int(np.argmin(bounds)), None
