"""What only the figures of the textbook chapters count: pairs of answers, questions with a reference, and a point that
lets few altered answers out."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from core.chain import Verdict, judge
from core.checks import all_checks
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import rate
from core.text.words import content
from core.thresholds import Preset

AGREES_FROM = 0.5


"""A delivered answer agrees with the reference when it holds at least this share of its content words' weight."""


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


"""Limits that an operating point may move, check by check; it may also let such a check only watch. Of equally good
points the first wins."""


def pair_outcomes(rows: Sequence[Mapping[str, Any]], delivered: Sequence[bool]) -> dict[str, Any]:
    """For supported and for altered answers the delivered and refused shares, over all and by kind of alteration."""
    kinds = sorted({row["kind"] for row in rows})
    found = {}
    for expected in sorted({row["expected"] for row in rows}, reverse=True):
        mine = [(row["kind"], out) for row, out in zip(rows, delivered, strict=True) if row["expected"] == expected]
        found[expected] = {"all": _both([out for _, out in mine])}
        found[expected] |= {kind: _both([out for k, out in mine if k == kind]) for kind in kinds}
    return found


def question_outcomes(
    rows: Sequence[Mapping[str, Any]], verdicts: Sequence[Verdict], idf: Callable[[str], float]
) -> dict[str, Any]:
    """What becomes of questions with a reference answer: answered, agreeing, refused; and the mean confidence.

    Rows hold "reference" and "absent" (the reference says that the book lacks it). The primary reasons of refusals
    are counted.
    """
    seen = list(zip(rows, verdicts, strict=True))
    recalls = [recall(r["reference"], v.answer, idf) for r, v in seen if v.answered and not r["absent"]]
    reasons = [v.primary_reason for _, v in seen if not v.answered]
    return {
        "answered": rate([v.answered for _, v in seen]).row(),
        "agrees": rate([r >= AGREES_FROM for r in recalls]).row(),
        "mean_recall": _mean(recalls),
        "refused_where_absent": rate([not v.answered for r, v in seen if r["absent"]]).row(),
        "mean_confidence": _mean([v.confidence for _, v in seen]),
        "primary_reasons": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
    }


def recall(reference: str, answer: str, idf: Callable[[str], float]) -> float:
    """Share of the reference's content words, weighted by `idf`, that the answer holds, in [0, 1]; 0 without any."""
    wanted, held = set(content(reference)), set(content(answer))
    whole = sum(idf(w) for w in wanted)
    return sum(idf(w) for w in wanted & held) / whole if whole else 0.0


def answer_checks_alone(preset: Preset) -> Preset:
    """`preset` with every query check only watching: what is left judges the answer, whatever was retrieved."""
    return preset.with_values({}, {c.name: "watches" for c in all_checks() if c.stage == "query"})


def operating_point(cases: Sequence[Labelled], base: Preset, most_refused: float) -> Preset:
    """`base` with the limits of SWEPT at which fewest altered answers are delivered.

    At most the share `most_refused` of the supported ones may be refused; where no point keeps to it, as few as any.
    """
    supported = np.array([case.row["expected"] == "supported" for case in cases])
    swept = [_distinct(name, cases, base) for name in SWEPT]
    rest = _passed(cases, base, [c.name for c in all_checks() if c.name not in SWEPT])
    allowed = most_refused * supported.sum() + 1e-9
    best, found = (np.inf, np.inf), ()
    for points in product(*(some.items() for some in swept)):
        out = np.logical_and.reduce([rest, *(np.frombuffer(passed, dtype=bool) for passed, _ in points)])
        cost = (max((supported & ~out).sum(), allowed), (~supported & out).sum())
        if cost < best:
            best, found = cost, [preset for _, preset in points]
    moved = [(p.thresholds, p.modes) for p in found]
    return base.with_values(*({k: v for moves in some for k, v in moves.items()} for some in zip(*moved, strict=True)))


def _distinct(name: str, cases: Sequence[Labelled], base: Preset) -> dict[bytes, Preset]:
    """What one check lets pass over its grid: each distinct outcome, with the first point that gives it."""
    limits = [dict(zip(SWEPT[name], point, strict=True)) for point in product(*SWEPT[name].values())]
    points = [Preset(thresholds={f"{name}.{t}": v for t, v in some.items()}) for some in limits]
    found: dict[bytes, Preset] = {}
    for point in [*points, Preset(modes={name: "watches"})]:
        passed = _passed(cases, base.with_values(point.thresholds, point.modes), [name])
        found.setdefault(passed.tobytes(), point)
    return found


def _passed(cases: Sequence[Labelled], preset: Preset, names: Sequence[str]) -> np.ndarray:
    """For each case whether none of the named checks blocks its first round: (cases,)."""
    return np.array([not _blocks(case, preset, names) for case in cases])


def _blocks(case: Labelled, preset: Preset, names: Sequence[str]) -> bool:
    results = judge(case.trace.rounds[0], preset)
    return any(results[name].blocks for name in names)


def _both(delivered: list[bool]) -> dict[str, Any]:
    return {"delivered": rate(delivered).row(), "refused": rate([not d for d in delivered]).row()}


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
