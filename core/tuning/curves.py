"""The effect of thresholds on the outcomes of a bank, and how well its scores separate good from bad cases."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks.open_bank import Decisions, OpenBank, state_of
from core.case import Trace
from core.check import Bound, Check, mode_of
from core.checks import all_checks, all_thresholds
from core.decide.evidence import confidence_of
from core.decide.points import Limits
from core.evaluation.counts import Rate, rate, rates
from core.evaluation.outcomes import OVER_REFUSED, UNSAID, WRONG, is_checked, is_due, is_planted
from core.presets import values
from core.text.words import contains_fact
from core.thresholds import Preset

SCALES = {"cosine": "Similarity", "related": "About the topic", "hybrid": "Search score", "answers": "Answers it"}
"""The four absolute scores of a passage, in plain words."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The values of one check in the first round of each case, and its limit.

    good, bad: values of the cases that should and should not be answered, ascending. by: the threshold with the limit;
    "" for a rule without a threshold. left_out: number of cases to which the check does not apply, or which another of
    its limits decided.
    """

    check: str
    by: str
    limit: float
    unit: str
    good: np.ndarray
    bad: np.ndarray
    left_out: int


def spread(bank: OpenBank, preset: Preset, check: Check, by: str = "") -> Spread | None:
    """The scores of `check` under `preset`; None if it decides no case.

    by: the threshold whose limit to show if it decides any case; otherwise the one that decides most cases.
    """
    signals, has_signals = bank.cached(("stacked", check.name), lambda: bank.measured.first_signals(check))
    bound = check.bind(preset)
    decision = check.decide(Bound(**signals), bound)
    has_run = has_signals & ~np.isnan(decision.margin)
    if not has_run.any():
        return None
    deciding = np.broadcast_to(np.asarray(decision.by, dtype=object), has_run.shape)
    names = [str(n) for n in deciding[has_run]]
    threshold_name = by if by in names else max(set(names), key=lambda name: (names.count(name), name))
    is_shown = has_run & (deciding == threshold_name)
    threshold = check.thresholds().get(threshold_name)
    unit = threshold.unit if threshold else next(iter(check.signals().values())).unit
    return Spread(
        check=check.name, by=threshold_name, limit=float(decision.limit[is_shown][0]), unit=unit,
        left_out=int((~is_shown).sum()),
        good=np.sort(decision.value[is_shown & bank.should]), bad=np.sort(decision.value[is_shown & ~bank.should]),
    )  # fmt: skip


def best_scores(bank: OpenBank, scale: str) -> tuple[list[float], list[float]]:
    """(scores of the questions that the books answer, scores of the others), each ascending: the best score of a
    passage of the first search on one scale, 0 without passages.

    Judged answers and vague questions are left out.
    """
    inside, outside = [], []
    for row, trace in _questions(bank):
        best = max((float(getattr(e, scale)) for e in trace.rounds[0].case.evidence), default=0.0)
        (inside if is_due(row) else outside).append(best)
    return sorted(inside), sorted(outside)


def _questions(bank: OpenBank) -> Iterator[tuple[Mapping[str, Any], Trace]]:
    """Each question that was searched for, with what is kept of its trace; without judged answers and vague ones."""
    for row, trace in zip(bank.rows, bank.measured.traces(), strict=True):
        if row.get("answer") is None and trace.rounds and row.get("expected") != "clarified":
            yield row, trace


BINS = 10


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The cases with probabilities in one tenth of the range: the mean probability, and how often it came true."""

    predicted: float
    true: Rate


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """A reliability curve. error: mean distance between probability and observed rate, over the cases of all bins."""

    bins: tuple[Bin, ...]

    @property
    def n(self) -> int:
        return sum(b.true.n for b in self.bins)

    @property
    def error(self) -> float | None:
        return self._mean(abs)

    @property
    def lean(self) -> float | None:
        """Mean of probability minus observed rate: above 0 is overconfident, below 0 underconfident."""
        return self._mean(float)

    def _mean(self, part: Callable[[float], float]) -> float | None:
        return sum(b.true.n * part(b.predicted - b.true.share) for b in self.bins) / self.n if self.n else None


def reliability(probabilities: Sequence[float], true: Sequence[bool]) -> Reliability:
    """The reliability curve of probabilities in [0, 1] against outcomes; empty bins are left out."""
    p, y = np.asarray(probabilities, dtype=float), np.asarray(true, dtype=bool)
    bin_of_case = np.minimum((p * BINS).astype(int), BINS - 1)
    in_bins = (bin_of_case == b for b in np.unique(bin_of_case))
    return Reliability(bins=tuple(Bin(predicted=float(p[own].mean()), true=rate(y, own)) for own in in_bins))


def of_confidence(bank: OpenBank) -> Reliability:
    """The reliability of evidence confidence / 100 as the probability that the passage answers the question.

    A passage answers if it holds every fact of the row; a row without facts is judged by its label. Vague questions,
    judged answers and failed searches are left out.
    """
    probabilities, answers = [], []
    for row, trace in _questions(bank):
        confidence, evidence = confidence_of(trace.rounds[0]), trace.rounds[0].case.evidence
        if confidence is not None:
            best = max(evidence, key=lambda e: e.answers).passage.text if evidence else ""
            has_facts = bool(best) and all(contains_fact(best, fact) for fact in row.get("facts") or ())
            probabilities.append(confidence / 100)
            answers.append(is_due(row) and has_facts)
    return reliability(probabilities, answers)


GRID = 21
"""Number of values of each threshold when two are moved together."""


@dataclass(frozen=True, kw_only=True)
class OperatingPoint:
    """The effect of one setting of all limits on a set. Planted answers and cases without a known outcome do not count.

    risk: wrong answers among those that are delivered and can be checked. coverage: questions that get an answer, of
    all.
    """

    risk: Rate
    coverage: Rate


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The effect of every value of one threshold: each array is (points,).

    wrong: wrong answers. over_refused: over-refusals. unsaid: cases without a known outcome. points: risk and coverage
    at each value. promised: the wrong answers of those given out, as a guarantee counts them (`checked_answers`).
    """

    key: str
    values: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray
    unsaid: np.ndarray
    points: tuple[OperatingPoint, ...]
    promised: tuple[Rate, ...]

    def nearest_index(self, value: float) -> int:
        return int(np.argmin(np.abs(self.values - value)))


@dataclass(frozen=True, kw_only=True)
class Step:
    """The nearest value of a threshold at which the counts change, and the changes; negative means fewer.

    unmeasured: of the cases that only a search which was never made would decide.
    """

    value: float
    wrong: int
    over_refused: int
    unmeasured: int


@dataclass(frozen=True, kw_only=True)
class Heat:
    """Numbers of wrong answers, over-refusals and cases that are not measured (unsaid), for each pair of values of two
    thresholds: (values, others)."""

    key: str
    other: str
    values: np.ndarray
    others: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray
    unsaid: np.ndarray


def curve(bank: OpenBank, preset: Preset, key: str) -> Curve:
    """The effect of every step of one threshold and of its current value, with the others as in `preset`."""
    grid, current = all_thresholds()[key].grid(), values(preset)[key]
    extra = [] if np.isclose(grid, current).any() else [current]  # a value on the slider's grid needs no extra point
    steps = np.union1d(grid, extra)

    def count() -> Curve:
        decided = bank.decide(Limits.along(preset, key, steps))
        return Curve(
            key=key, values=steps, **_counts(bank, decided.worths), points=_operating_points(bank, decided),
            promised=checked_answers(bank, decided),
        )  # fmt: skip

    return bank.cached(("along", state_of(preset, key), *extra), count)


def operating_point(bank: OpenBank, preset: Preset) -> OperatingPoint:
    key = ("operating point", state_of(preset))
    return bank.cached(key, lambda: _operating_points(bank, bank.decided_at(preset))[0])


def _operating_points(bank: OpenBank, decided: Decisions) -> tuple[OperatingPoint, ...]:
    is_counted = ~bank.rows.mask(is_planted) & (decided.worths != UNSAID)
    is_checkable = is_counted & decided.goes_out & bank.rows.mask(is_checked)
    risks, coverages = rates(decided.worths == WRONG, is_checkable), rates(decided.goes_out, is_counted)
    return tuple(OperatingPoint(risk=r, coverage=c) for r, c in zip(risks, coverages, strict=True))


def _is_labelled(row: Mapping[str, Any]) -> bool:
    return bool(row.get("expected"))


def checked_answers(bank: OpenBank, decided: Decisions) -> tuple[Rate, ...]:
    """At each point the wrong answers of those given out, among the labelled cases that can be checked.

    A case that is not measured at a point counts as a wrong answer there. Planted answers do not count: how many of
    them a set holds says nothing about the questions of users.
    """
    counts = bank.rows.mask(_is_labelled) & bank.rows.mask(is_checked) & ~bank.rows.mask(is_planted)
    unknown = decided.worths == UNSAID
    return rates(unknown | (decided.worths == WRONG), (decided.goes_out | unknown) & counts)


def step(counts: Curve, current: float, direction: int) -> Step | None:
    """The Step to the nearest value above `current` (direction 1) or below it (-1) at which the counts change.

    None if there is no such value.
    """
    here, end = counts.nearest_index(current), len(counts.values) if direction > 0 else -1
    numbers = np.stack([counts.wrong, counts.over_refused, counts.unsaid], axis=1).astype(int)
    for index in range(here + direction, end, direction):
        wrong, over_refused, unmeasured = (numbers[index] - numbers[here]).tolist()
        if wrong or over_refused:
            value = float(counts.values[index])
            return Step(value=value, wrong=wrong, over_refused=over_refused, unmeasured=unmeasured)
    return None


def heat(bank: OpenBank, preset: Preset, key: str, other: str) -> Heat:
    """Counts over two thresholds at GRID values each (or every step if fewer), with the others as in `preset`."""

    def count() -> Heat:
        sliders = [all_thresholds()[k] for k in (key, other)]
        grids = [t.grid() if len(t.grid()) <= GRID else t.grid(GRID) for t in sliders]
        worths = bank.decide(Limits.over(preset, key, other, *grids)).worths
        shape = tuple(map(len, grids))
        counts = {name: column.reshape(shape) for name, column in _counts(bank, worths).items()}
        return Heat(key=key, other=other, values=grids[0], others=grids[1], **counts)

    return bank.cached(("over", state_of(preset, key, other)), count)


def decided_alone(bank: OpenBank, preset: Preset) -> dict[str, int]:
    """For each check that blocks under `preset`, the number of cases that would end differently if it only watched;
    the largest first.
    """
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    if not names:
        return {}
    modes = {name: ["watches" if name == other_name else "blocks" for other_name in names] for name in names}

    def count() -> dict[str, int]:
        flips = bank.decide(Limits(base=preset, modes=modes)).differs(bank.decided_at(preset)).sum(1)
        return dict(sorted(zip(names, flips.tolist(), strict=True), key=lambda pair: -pair[1]))

    return bank.cached(("alone", state_of(preset)), count)


def _counts(bank: OpenBank, worths: np.ndarray) -> dict[str, np.ndarray]:
    """Numbers of wrong answers, over-refusals and cases without a known outcome: (points,) each."""
    over_refused = (worths == OVER_REFUSED) & bank.should
    masks = {"wrong": worths == WRONG, "over_refused": over_refused, "unsaid": worths == UNSAID}
    return {name: mask.sum(1) for name, mask in masks.items()}
