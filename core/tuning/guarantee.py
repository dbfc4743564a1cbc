"""Limits with a guarantee: a share of errors that is not exceeded, with a stated confidence.

The method is Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei, 2021). Each value of a threshold is one
hypothesis: "with this value, more errors than promised". An exact binomial test rejects it or not. The values are
tested in a fixed order, from the strictest to the most lenient, so that with at least the confidence no rejection is
wrong. The strictest values let few answers out and prove nothing, so the order begins at STARTS values, each with an
equal part of the permitted error, 1 - confidence.

The guarantee holds for questions like those of the set, and for the models that measured it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import ValuedBank, state_of
from core.case import CaseError
from core.checks import all_thresholds, threshold_of
from core.evaluation.outcomes import Rate
from core.evaluation.worth import OVER_REFUSED, UNSAID, WRONG, is_checked, is_planted
from core.sweep.outcomes import SweepDecisions
from core.sweep.settings_grid import Points
from core.thresholds import Preset, Threshold
from core.tuning.curves import steps_of

STARTS = 5
"""Number of values at which the fixed order of tests begins; they share the permitted error."""
MOST_ROWS = 1_000_000
"""The largest number of rows that a shortfall considers."""
RISKS: Mapping[str, str] = {
    "wrong": "wrong answers among those that go out",
    "over_refused": "refusals among the questions that the books answer",
    "off_topic": "answers among the questions that are off the topic",
}
"""What a guarantee can limit: risk -> in words, the errors and what they are a share of."""
GROUPS = ("class_number", "subject")
"""The fields of a row by which a set can be divided, to give each group a guarantee of its own."""


class PromiseError(ValueError):
    """A promise has an invalid risk, share or confidence; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Promise:
    """Upper limits on the shares of errors.

    shares: risk -> a share between 0 and 1. confidence: between 0.5 and 1, for all shares at once.
    """

    shares: Mapping[str, float]
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for risk, share in self.shares.items():
            if risk not in RISKS:
                raise PromiseError(f"A guarantee can limit {', '.join(RISKS)}, got {risk!r:.80}.")
            if not 0 < share < 1:
                raise PromiseError(f"A guarantee needs a share of {risk} above 0 and below 1, got {share!r}.")
        if not self.shares:
            raise PromiseError(f"A guarantee needs at least one share, of {', '.join(RISKS)}, such as wrong=0.05.")
        if not 0.5 <= self.confidence < 1:
            raise PromiseError(f"The confidence must be at least 0.5 and below 1, got {self.confidence!r}.")


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The errors of one risk in the set, at one limit.

    observed: share of errors among the cases that count. bound: upper confidence bound of the share, in [0, 1], at the
    confidence of the promise.
    """

    promised: float
    observed: Rate
    bound: float


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The most lenient value of one threshold that keeps a promise.

    risks: the evidence for each risk. out: delivered answers, of all rows. over_refused: the price, refusals among the
    questions that the books answer.
    """

    key: str
    value: float
    promise: Promise
    risks: Mapping[str, Evidence]
    out: Rate
    over_refused: Rate


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """The result if no value of the threshold keeps the promise.

    value, risks: the value that comes nearest, and the evidence for each risk there. rows: about how many more labelled
    rows of the same kind would suffice; None if no number would, because the observed share of errors is above the
    promise at every value.
    """

    key: str
    value: float
    promise: Promise
    risks: Mapping[str, Evidence]
    rows: int | None


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts at every value of a threshold, the strictest value first; each array is (values,).

    errors, totals: risk -> number of errors, and number of cases that count for this risk. out: delivered answers.
    refused: over-refusals. due: number of cases that should be answered. n: number of labelled cases.
    """

    key: str
    values: np.ndarray
    errors: Mapping[str, np.ndarray]
    totals: Mapping[str, np.ndarray]
    out: np.ndarray
    refused: np.ndarray
    due: int
    n: int


def guarantee(
    bank: ValuedBank, preset: Preset, key: str, promise: Promise, share_of_error: float = 1.0
) -> Certificate | Shortfall:
    """The most lenient value of the threshold `key` that keeps the promise, with the others as in `preset`.

    share_of_error: the part of 1 - confidence that this guarantee may use, if several are given on one set.
    Raises CaseError if the threshold has no stricter direction or no row counts for a risk.
    """
    counts = count_errors(bank, preset, key, tuple(promise.shares))
    error = (1 - promise.confidence) * share_of_error
    valid = rejected_indices(p_values(counts, promise), error)
    if not len(valid):
        return _shortfall(counts, promise, error)
    best = max(valid, key=lambda n: (counts.out[n], -n))
    return Certificate(
        key=key, value=float(counts.values[best]), promise=promise, risks=_evidence(counts, promise, best, error),
        out=Rate(count=int(counts.out[best]), n=counts.n),
        over_refused=Rate(count=int(counts.refused[best]), n=counts.due),
    )  # fmt: skip


def guarantees(
    bank: ValuedBank, preset: Preset, key: str, promise: Promise, by: str
) -> dict[str, Certificate | Shortfall]:
    """A guarantee for each class or subject of the set; the confidence of the promise holds for all of them together.

    by: one of GROUPS. Raises CaseError if no row has the field, and PromiseError if `by` is not in GROUPS.
    """
    if by not in GROUPS:
        raise PromiseError(f"A guarantee can be given by {' or '.join(GROUPS)}, got {by!r:.80}.")
    group_of_case = bank.labels.of_each(lambda row: str(row.get(by) or ""), object)
    groups = {name: np.flatnonzero(group_of_case == name) for name in sorted(set(group_of_case) - {""})}
    if not groups:
        raise CaseError(f"No row of the set has a {by}, so there is no group to give a guarantee for; fill the column.")
    part = 1 / len(groups)
    return {name: guarantee(bank.some(cases), preset, key, promise, part) for name, cases in groups.items()}


def count_errors(bank: ValuedBank, preset: Preset, key: str, risks: Sequence[str]) -> Counts:
    """Count the errors of `risks` at every step of one threshold, and at its current value; cached by the bank.

    A case that is not measured at a value counts as an error there. Planted answers do not count: how many of them a
    set holds says nothing about the questions of users. For "wrong", an answer counts only if it can be checked
    (core.evaluation.worth.is_checked).
    """
    steps, extra = steps_of(preset, key)
    order = steps[::-1] if threshold_with_order(key).stricter == "higher" else steps
    return bank.cached(
        ("guarantee", state_of(preset, key), tuple(risks), *extra),
        lambda: _count_errors(bank, preset, key, risks, order),
    )


def _count_errors(bank: ValuedBank, preset: Preset, key: str, risks: Sequence[str], order: np.ndarray) -> Counts:
    decisions = bank.decide(Points.along(preset, key, order))
    masks, worths = _masks(bank, decisions), decisions.worths
    has_label = _labelled(bank)
    due = has_label & bank.should
    errors = {risk: (masks[risk][0] & masks[risk][1]).sum(1) for risk in risks}
    totals = {risk: masks[risk][0].sum(1) for risk in risks}
    for risk in risks:
        if not totals[risk].any():
            raise CaseError(f"No row of the set counts for a guarantee on {RISKS[risk]}; add labelled questions.")
    return Counts(
        key=key, values=order, errors=errors, totals=totals, out=(decisions.goes_out & has_label).sum(1),
        refused=((worths == OVER_REFUSED) & due).sum(1), due=int(due.sum()), n=int(has_label.sum()),
    )  # fmt: skip


def errors_at(bank: ValuedBank, preset: Preset, risks: Sequence[str]) -> dict[str, Rate]:
    """The errors of each risk under `preset`, among the cases that count for it, counted as in `count_errors`."""
    masks = _masks(bank, bank.decided_at(preset))
    return {
        risk: Rate(count=int((masks[risk][0] & masks[risk][1]).sum()), n=int(masks[risk][0].sum())) for risk in risks
    }


def _masks(bank: ValuedBank, decided: SweepDecisions) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each risk, (which cases count for it, which of all cases are errors): boolean arrays (points, cases)."""
    worths, out, labelled = decided.worths, decided.goes_out, _labelled(bank)
    off_topic = bank.labels.of_each(lambda row: row.get("kind") == "off_topic", bool)
    checked = bank.labels.of_each(is_checked, bool)
    unknown = worths == UNSAID
    return {
        "wrong": ((out | unknown) & labelled & checked, (worths == WRONG) | unknown),
        "over_refused": (np.broadcast_to(labelled & bank.should, worths.shape), (worths == OVER_REFUSED) | unknown),
        "off_topic": (np.broadcast_to(off_topic, worths.shape), out | unknown),
    }


def _labelled(bank: ValuedBank) -> np.ndarray:
    """True for a case with a label, unless its answer was planted: (cases,)."""
    return bank.labels.of_each(lambda row: bool(row.get("expected")) and not is_planted(row), bool)


def p_values(counts: Counts, promise: Promise) -> np.ndarray:
    """The p-value of each value: the probability of so few errors if the promise were broken there, (values,).

    It is the largest over the risks, because every risk must be kept.
    """
    from scipy.stats import binom  # slow to import and rarely needed

    each = [binom.cdf(counts.errors[risk], counts.totals[risk], share) for risk, share in promise.shares.items()]
    return np.max(each, axis=0)


def rejected_indices(p: np.ndarray, error: float) -> np.ndarray:
    """The indices of the values whose hypothesis is rejected, by fixed-sequence tests from STARTS values.

    error: the permitted probability that any rejection is wrong.
    """
    from mapie.risk_control.fwer_control import FWERFixedSequenceTesting, control_fwer  # slow to import

    return control_fwer(p, error, FWERFixedSequenceTesting(n_starts=min(STARTS, len(p))))


def threshold_with_order(key: str) -> Threshold:
    """The threshold `key`. Raises ThresholdError if there is none, and CaseError if neither direction is stricter."""
    threshold = threshold_of(key)
    if threshold.stricter not in ("higher", "lower"):
        able = ", ".join(t.key for t in all_thresholds().values() if t.stricter in ("higher", "lower"))
        raise CaseError(f"{key} has no stricter direction, so a guarantee cannot move it; use one of {able}.")
    return threshold


def bounds(counts: Counts, risk: str, error: float) -> np.ndarray:
    """The exact upper confidence bound of the share of errors at each value: (values,); 1 if no case counts.

    error: the probability that a bound is exceeded. Each of the STARTS tests gets an equal part of it.
    """
    from scipy.stats import beta  # slow to import and rarely needed

    errors, totals = counts.errors[risk], counts.totals[risk]
    exact = beta.ppf(1 - error / STARTS, errors + 1, np.maximum(totals - errors, 1))
    return np.where(errors == totals, 1.0, exact)


def _evidence(counts: Counts, promise: Promise, index: int, error: float) -> dict[str, Evidence]:
    """The evidence for each risk at one value."""
    return {
        risk: Evidence(
            promised=share, bound=float(bounds(counts, risk, error)[index]),
            observed=Rate(count=int(counts.errors[risk][index]), n=int(counts.totals[risk][index])),
        )
        for risk, share in promise.shares.items()
    }  # fmt: skip


def _shortfall(counts: Counts, promise: Promise, error: float) -> Shortfall:
    """The shortfall at the value that needs the fewest further rows to keep the promise.

    If no number of rows suffices at any value, it is that at the value whose upper bound exceeds the promise least.
    """
    row_counts = [_needed_row_count(counts, promise, n, error) for n in range(len(counts.values))]
    excess = np.max([bounds(counts, risk, error) / share for risk, share in promise.shares.items()], axis=0)
    best = min(range(len(row_counts)), key=lambda n: (row_counts[n] is None, row_counts[n] or 0, excess[n]))
    return Shortfall(
        key=counts.key, value=float(counts.values[best]), promise=promise,
        risks=_evidence(counts, promise, best, error), rows=row_counts[best],
    )  # fmt: skip


def _needed_row_count(counts: Counts, promise: Promise, index: int, error: float) -> int | None:
    """About how many more rows one value needs, if errors are as frequent in them as in the set; None if none
    suffice."""
    from scipy.stats import binom  # slow to import and rarely needed

    largest = 0
    for risk, share in promise.shares.items():
        errors, total = int(counts.errors[risk][index]), int(counts.totals[risk][index])
        if not total or errors / total >= share:
            return None
        sizes = np.unique(np.geomspace(total, max(total, MOST_ROWS), 400).astype(int))
        enough = sizes[binom.cdf(np.ceil(errors / total * sizes), sizes, share) <= error / STARTS]
        if not len(enough):
            return None
        largest = max(largest, int(np.ceil(enough[0] / total * counts.n)))
    return max(1, largest - counts.n)
