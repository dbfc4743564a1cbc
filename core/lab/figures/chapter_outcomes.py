"""Outcomes for the figures on the textbook chapters: those of answers in pairs, and of questions with a reference
answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.checks import all_checks
from core.decide import Verdict, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import rate
from core.text.words import content
from core.thresholds import Preset

AGREES_FROM = 0.5
"""A delivered answer agrees with the reference if it has at least this share of the weight of its content words."""


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
    where the book has no answer.

    rows: with "reference" and "absent" (True if the reference says that the book has no answer). idf: weight of a stem.
    """
    results = list(zip(rows, verdicts, strict=True))
    recalls = [recall(r["reference"], v.answer, idf) for r, v in results if v.answered and not r["absent"]]
    return {
        "answered": rate([v.answered for _, v in results]).row(),
        "agrees": rate([r >= AGREES_FROM for r in recalls]).row(),
        "refused_where_absent": rate([not v.answered for r, v in results if r["absent"]]).row(),
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


def _shares(delivered: list[bool]) -> dict[str, Any]:
    return {"delivered": rate(delivered).row(), "refused": rate([not d for d in delivered]).row()}
