"""Outcomes for the figures on the textbook chapters: those of answers in pairs and of questions with a reference
answer; and the limits at which few altered answers are delivered (the operating point)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from core.checks import all_checks
from core.decide import Verdict, judge, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import rate
from core.text.words import content
from core.thresholds import Preset

AGREES_FROM = 0.5
"""A delivered answer agrees with the reference if it has at least this share of the weight of its content words."""
SWEPT: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "entailment": {"nli_threshold": tuple(np.round(np.linspace(0.05, 1.0, 20), 2).tolist())},
    "fact_check": {"min_fact_check_score": tuple(np.round(np.linspace(0.0, 0.95, 20), 2).tolist())},
    "grounding": {
        "min_grounding_score": (0.7, 0.0, 0.5, 0.85, 1.0),
        "min_sentence_overlap": (0.5, 0.3, 0.4, 0.6, 0.7, 0.8),
    },
    "citations": {"min_citation_coverage": (0.8, 0.0, 0.5, 1.0), "min_attribution": (0.5, 0.3, 0.4, 0.6, 0.7)},
    "fact_grounding": {"medium": tuple(np.round(np.linspace(0.0, 0.95, 20), 2).tolist())},
    "numbers": {},
}
"""The thresholds that `operating_point` may move, by check, with the values that it tries; it also tries to let the
check only watch. Of equally good combinations, the first is chosen."""


def decide(cases: Sequence[LabelledCase], preset: Preset) -> list[Verdict]:
    """The verdict on every case under `preset`, without running a model."""
    return [verdict(case.trace, preset) for case in cases]


def pair_outcomes(rows: Sequence[Mapping[str, Any]], delivered: Sequence[bool]) -> dict[str, Any]:
    """The delivered and refused shares of supported and of altered answers, over all and by kind of alteration."""
    kinds = sorted({row["kind"] for row in rows})
    by_expectation = {}
    for expected in sorted({row["expected"] for row in rows}, reverse=True):
        results = [(row["kind"], out) for row, out in zip(rows, delivered, strict=True) if row["expected"] == expected]
        by_expectation[expected] = {"all": _shares([out for _, out in results])}
        by_expectation[expected] |= {kind: _shares([out for k, out in results if k == kind]) for kind in kinds}
    return by_expectation


def question_outcomes(
    rows: Sequence[Mapping[str, Any]], verdicts: Sequence[Verdict], idf: Callable[[str], float]
) -> dict[str, Any]:
    """The outcomes of questions with a reference answer: the shares answered, agreeing with the reference, and refused
    where the book has no answer; the mean recall and confidence; and the refusals by primary reason.

    rows: with "reference" and "absent" (True if the reference says that the book has no answer). idf: weight of a stem.
    """
    results = list(zip(rows, verdicts, strict=True))
    recalls = [recall(r["reference"], v.answer, idf) for r, v in results if v.answered and not r["absent"]]
    reasons = [v.primary_reason for _, v in results if not v.answered]
    return {
        "answered": rate([v.answered for _, v in results]).row(),
        "agrees": rate([r >= AGREES_FROM for r in recalls]).row(),
        "mean_recall": _mean(recalls),
        "refused_where_absent": rate([not v.answered for r, v in results if r["absent"]]).row(),
        "mean_confidence": _mean([v.confidence for _, v in results]),
        "primary_reasons": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
    }


def recall(reference: str, answer: str, idf: Callable[[str], float]) -> float:
    """The share of the content words of `reference` that `answer` contains, weighted by `idf`, in [0, 1]; 0 if the
    reference has no content word."""
    expected, actual = set(content(reference)), set(content(answer))
    total = sum(idf(w) for w in expected)
    return sum(idf(w) for w in expected & actual) / total if total else 0.0


def answer_checks_alone(preset: Preset) -> Preset:
    """`preset` with all query checks only watching, so that only checks of the answer can block."""
    return preset.with_values({}, {c.name: "watches" for c in all_checks() if c.stage == "query"})


def operating_point(cases: Sequence[LabelledCase], base: Preset, most_refused: float) -> Preset:
    """`base` with those values from SWEPT at which the fewest altered answers are delivered.

    Of all combinations, only those count that refuse at most the share `most_refused` of the supported answers; if
    there is none, those that refuse the fewest.
    """
    supported = np.array([case.row["expected"] == "supported" for case in cases])
    outcomes = [_distinct(name, cases, base) for name in SWEPT]
    rest = _passed(cases, base, [c.name for c in all_checks() if c.name not in SWEPT])
    allowed = most_refused * supported.sum() + 1e-9
    best, best_presets = (np.inf, np.inf), ()
    for points in product(*(moves.items() for moves in outcomes)):
        out = np.logical_and.reduce([rest, *(np.frombuffer(passed, dtype=bool) for passed, _ in points)])
        cost = (max((supported & ~out).sum(), allowed), (~supported & out).sum())
        if cost < best:
            best, best_presets = cost, [preset for _, preset in points]
    moved = [(p.thresholds, p.modes) for p in best_presets]
    return base.with_values(
        *({k: v for group in moves for k, v in group.items()} for moves in zip(*moved, strict=True))
    )


def _distinct(name: str, cases: Sequence[LabelledCase], base: Preset) -> dict[bytes, Preset]:
    """Map each distinct set of passed cases to the first values of one check in SWEPT that give it, as a preset.

    The key is the bytes of a boolean array of shape (cases,): True for a passed case.
    """
    limits = [dict(zip(SWEPT[name], point, strict=True)) for point in product(*SWEPT[name].values())]
    points = [Preset(thresholds={f"{name}.{t}": v for t, v in some.items()}) for some in limits]
    by_outcome: dict[bytes, Preset] = {}
    for point in [*points, Preset(modes={name: "watches"})]:
        passed = _passed(cases, base.with_values(point.thresholds, point.modes), [name])
        by_outcome.setdefault(passed.tobytes(), point)
    return by_outcome


def _passed(cases: Sequence[LabelledCase], preset: Preset, names: Sequence[str]) -> np.ndarray:
    """A boolean array of shape (cases,): True if none of the named checks blocks the first round of the case."""
    return np.array([not _blocks(case, preset, names) for case in cases])


def _blocks(case: LabelledCase, preset: Preset, names: Sequence[str]) -> bool:
    results = judge(case.trace.rounds[0], preset)
    return any(results[name].blocks for name in names)


def _shares(delivered: list[bool]) -> dict[str, Any]:
    return {"delivered": rate(delivered).row(), "refused": rate([not d for d in delivered]).row()}


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
