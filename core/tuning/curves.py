"""The effect of thresholds on the outcomes of a bank, and how well its scores separate good from bad cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks.decisions import Decisions
from core.banks.open_bank import OpenBank, state_of
from core.case import Trace
from core.check import Bound, Check, mode_of
from core.checks import all_checks, all_thresholds
from core.decide.evidence import confidence_of
from core.decide.points import Limits
from core.evaluation.outcomes import OVER_REFUSED, UNSAID, WRONG, Rate, is_checked, is_planted
from core.models.weights import MINILM_SHA256
from core.presets import values
from core.text.words import contains_fact
from core.thresholds import Preset

SCALES = {"cosine": "Similarity", "related": "About the topic", "hybrid": "Search score", "answers": "Answers it"}
"""The four absolute scores of a passage, in plain words."""
_NAMES = {MINILM_SHA256[:16]: "all-MiniLM-L6-v2"}


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


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """The best passage scores of the questions of a bank on one scale, ascending.

    inside, outside: scores of the questions that the books answer, and of the others. model: the embedding model.
    """

    scale: str
    model: str
    inside: tuple[float, ...]
    outside: tuple[float, ...]


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


def rulers(bank: OpenBank, scale: str) -> tuple[Ruler, ...]:
    """One ruler for the questions of each embedding model.

    Judged answers and vague questions are left out. A score is the best of the first search; 0 without passages.
    """
    scores: dict[str, tuple[list[float], list[float]]] = {}
    for row, trace in zip(bank.rows, bank.measured.traces(), strict=True):
        expected = _expectation(row)
        if row.get("answer") is None and trace.rounds and expected != "clarified":
            digest = trace.models.get("embedder", "not named")
            inside, outside = scores.setdefault(_NAMES.get(digest, digest), ([], []))
            best = max((float(getattr(e, scale)) for e in trace.rounds[0].case.evidence), default=0.0)
            (inside if expected in ("answered", "part") else outside).append(best)
    return tuple(
        Ruler(scale=scale, model=model, inside=tuple(sorted(inside)), outside=tuple(sorted(outside)))
        for model, (inside, outside) in scores.items()
    )


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
        return sum(b.true.n * abs(b.predicted - b.true.share) for b in self.bins) / self.n if self.n else None

    @property
    def lean(self) -> float | None:
        """Mean of probability minus observed rate: above 0 is overconfident, below 0 underconfident."""
        return sum(b.true.n * (b.predicted - b.true.share) for b in self.bins) / self.n if self.n else None


def reliability(probabilities: Sequence[float], true: Sequence[bool]) -> Reliability:
    """The reliability curve of probabilities in [0, 1] against outcomes; empty bins are left out."""
    p, y = np.asarray(probabilities, dtype=float), np.asarray(true, dtype=bool)
    bin_of_case = np.minimum((p * BINS).astype(int), BINS - 1)
    bins = [
        Bin(
            predicted=float(p[bin_of_case == b].mean()),
            true=Rate(count=int(y[bin_of_case == b].sum()), n=int((bin_of_case == b).sum())),
        )
        for b in np.unique(bin_of_case)
    ]
    return Reliability(bins=tuple(bins))


def of_confidence(bank: OpenBank) -> Reliability:
    """The reliability of evidence confidence / 100 as the probability that the passage answers the question.

    A passage answers if it holds every fact of the row; a row without facts is judged by its label. Vague questions,
    judged answers and failed searches are left out.
    """
    pairs = [
        (confidence, _answers(row, trace)) for row, trace in zip(bank.rows, bank.measured.traces(), strict=True)
        if row.get("answer") is None and trace.rounds and _expectation(row) != "clarified"
        and (confidence := confidence_of(trace.rounds[0])) is not None
    ]  # fmt: skip
    return reliability([confidence / 100 for confidence, _ in pairs], [answers for _, answers in pairs])


def _answers(row: Mapping[str, Any], trace: Trace) -> bool:
    """True if the best passage of the first search holds what the row asks for."""
    if _expectation(row) not in ("answered", "part"):
        return False
    evidence = trace.rounds[0].case.evidence
    best = max(evidence, key=lambda e: e.answers).passage.text if evidence else ""
    return bool(best) and all(contains_fact(best, fact) for fact in row.get("facts") or ())


def _expectation(row: Mapping[str, Any]) -> str:
    return row.get("expected") or "answered"


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
    at each value. promised: (wrong answers, answers given out), as a guarantee counts them (`checked_answers`).
    """

    key: str
    values: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray
    unsaid: np.ndarray
    points: tuple[OperatingPoint, ...]
    promised: tuple[np.ndarray, np.ndarray]

    def nearest_index(self, value: float) -> int:
        """The index of the point nearest to `value`."""
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
    steps, extra = steps_of(preset, key)

    def count() -> Curve:
        decided = bank.decide(Limits.along(preset, key, steps))
        return Curve(
            key=key, values=steps, **_counts(bank, decided.worths),
            points=_operating_points(bank, decided), promised=checked_answers(bank, decided),
        )  # fmt: skip

    return bank.cached(("along", state_of(preset, key), *extra), count)


def operating_point(bank: OpenBank, preset: Preset) -> OperatingPoint:
    """The operating point of `preset` on the set."""
    key = ("operating point", state_of(preset))
    return bank.cached(key, lambda: _operating_points(bank, bank.decided_at(preset))[0])


def _operating_points(bank: OpenBank, decided: Decisions) -> tuple[OperatingPoint, ...]:
    """The operating point at each point of `decided`."""
    is_own_question, is_checkable = ~bank.labels.of_each(is_planted, bool), bank.labels.of_each(is_checked, bool)
    counts = is_own_question & (decided.worths != UNSAID)
    out = counts & decided.goes_out
    checkable = out & is_checkable
    columns = (checkable & (decided.worths == WRONG), checkable, out, counts)
    return tuple(
        OperatingPoint(risk=Rate(count=wrong, n=total), coverage=Rate(count=answer_count, n=n))
        for wrong, total, answer_count, n in zip(*(column.sum(1).tolist() for column in columns), strict=True)
    )


def checked_answers(bank: OpenBank, decided: Decisions) -> tuple[np.ndarray, np.ndarray]:
    """(wrong answers, answers given out) among the labelled cases that can be checked, (points,) each.

    A case that is not measured at a point counts as a wrong answer there. Planted answers do not count: how many of
    them a set holds says nothing about the questions of users.
    """
    counts = bank.labels.of_each(lambda row: row.get("expected") and is_checked(row) and not is_planted(row), bool)
    unknown = decided.worths == UNSAID
    given_out = (decided.goes_out | unknown) & counts
    return (given_out & (unknown | (decided.worths == WRONG))).sum(1), given_out.sum(1)


def steps_of(preset: Preset, key: str) -> tuple[np.ndarray, list[float]]:
    """Return (steps of one threshold and its value in `preset`, ascending; [that value] if it is no step, else [])."""
    grid, current = all_thresholds()[key].grid(), values(preset)[key]
    extra = [] if np.isclose(grid, current).any() else [current]  # a value on the slider's grid needs no extra point
    return np.union1d(grid, extra), extra


def step(counts: Curve, current: float, direction: int) -> Step | None:
    """The Step to the nearest value above `current` (direction 1) or below it (-1) at which the counts change.

    None if there is no such value.
    """
    current_index = counts.nearest_index(current)
    same_wrong = counts.wrong == counts.wrong[current_index]
    same = same_wrong & (counts.over_refused == counts.over_refused[current_index])
    beyond = range(current_index + 1, len(counts.values)) if direction > 0 else range(current_index - 1, -1, -1)
    index = next((n for n in beyond if not same[n]), None)
    if index is None:
        return None
    numbers = (counts.wrong, counts.over_refused, counts.unsaid)
    wrong, over_refused, unmeasured = (int(a[index]) - int(a[current_index]) for a in numbers)
    return Step(value=float(counts.values[index]), wrong=wrong, over_refused=over_refused, unmeasured=unmeasured)


def heat(bank: OpenBank, preset: Preset, key: str, other: str) -> Heat:
    """Counts over two thresholds at GRID values each (or every step if fewer), with the others as in `preset`."""

    def count() -> Heat:
        grids = [
            t.grid() if len(t.grid()) <= GRID else t.grid(GRID) for t in (all_thresholds()[k] for k in (key, other))
        ]
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
        flips = bank.decide(Limits(base=preset, modes=modes)).flips(bank.decided_at(preset))
        return dict(sorted(zip(names, flips.tolist(), strict=True), key=lambda pair: -pair[1]))

    return bank.cached(("alone", state_of(preset)), count)


def _counts(bank: OpenBank, worths: np.ndarray) -> dict[str, np.ndarray]:
    over_refused = ((worths == OVER_REFUSED) & bank.should).sum(1)
    return {"wrong": (worths == WRONG).sum(1), "over_refused": over_refused, "unsaid": (worths == UNSAID).sum(1)}
