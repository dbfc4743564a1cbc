"""The tables of the source documents, counted on a bank: with and without the guardrail, and reasons for refusals."""

from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from core.banks.open_bank import OpenBank
from core.case import Trace
from core.decide import needed_rounds
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import Rate, rate
from core.evaluation.outcomes import OVER_REFUSED, UNSAID, WRONG, is_checked, is_planted, outcome_of
from core.thresholds import Preset
from core.tuning.curves import decided_alone

TRUST = "not counted on a set: History counts it from the thumbs of users"
"""Text in place of the trust score of source document A, which is made of users' ratings of their answers."""
MEASURES = {
    "hallucinated": "Wrong answers, of those given out (hallucination rate)",
    "false_positives": "Refused, of what should be answered (false positives)",
    "rejected": "Refused or sent for clarification, of all (rejection rate)",
}
"""The measures that source document A asks for, in words, by the field of Side."""
TIME = "Time until the answer (median)"


@dataclass(frozen=True, kw_only=True)
class Side:
    """The rates of a bank, either with the guardrail or without it.

    hallucinated: share of wrong answers among all delivered answers that can be checked; planted answers do not count.
    false_positives: share of cases without an answer among those that should have one. rejected: share of cases without
    an answer among all cases.
    """

    hallucinated: Rate
    false_positives: Rate
    rejected: Rate


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Median seconds per question: until the first answer, and including all rounds and checks of the guardrail.

    n: number of timed questions; if it is 0, both medians are None.
    """

    n: int
    without: float | None
    guarded: float | None

    def cells(self) -> tuple[str, str]:
        """The two medians as text, with the guardrail first."""
        if not self.n:
            return ("not measured: nobody kept the time",) * 2
        added = self.guarded - self.without
        return f"{self.guarded:.2f} s (+{added:.2f} s), n {self.n}", f"{self.without:.2f} s, n {self.n}"


@dataclass(frozen=True, kw_only=True)
class SeedTables:
    """The figures of all tables under one preset.

    guarded, without: with and without the guardrail. n: number of cases counted for these. unsaid: number of cases left
    out, since they have no label or no draft. cases: number of all cases. refusals: share of each primary reason in all
    refusals, the most frequent first. abstained: share of the questions that should not be answered which get no
    answer. abstained_falsely: the same share of those that should be answered. alone: for each check, the cases whose
    outcome changes without it.
    """

    guarded: Side
    without: Side
    unsaid: int
    latency: Latency
    refusals: dict[str, Rate]
    abstained: Rate
    abstained_falsely: Rate
    alone: dict[str, int]
    n: int
    cases: int

    def row(self) -> dict[str, Any]:
        """The tables as JSON: each share with its count, n and 95 % interval."""
        sides = {
            name: {measure: r.row() for measure, r in vars(side).items()}
            for name, side in (("with", self.guarded), ("without", self.without))
        }
        return {
            "n": self.n, "unsaid": self.unsaid, **sides, "trust_score": TRUST, "latency": asdict(self.latency),
            "refusals": {reason: r.row() for reason, r in self.refusals.items()},
            "abstention_accuracy": self.abstained.row(), "false_abstention": self.abstained_falsely.row(),
            "decided_alone": {check: Rate(count=n, n=self.cases).row() for check, n in self.alone.items()},
        }  # fmt: skip


def seed_tables(bank: OpenBank, preset: Preset) -> SeedTables:
    """The tables of `bank` under `preset`. Every case must hold the rounds that `preset` needs."""
    decided, timed, unguarded = bank.decided_at(preset), [], []
    for case in bank.cases():
        timed += _seconds(case.trace, preset)
        unguarded.append(_worth_without(case))
    worths, goes_out, without = decided.worths[0], decided.goes_out[0], np.array(unguarded, dtype=int)
    counted = (worths != UNSAID) & (without != UNSAID)
    questions = counted & bank.rows.of_each(lambda row: row.get("answer") is None, bool)
    checked = counted & bank.rows.of_each(lambda row: is_checked(row) and not is_planted(row), bool)
    refusals = decided.refusals(counted)

    starts, ends = zip(*timed, strict=True) if timed else ((), ())
    latency = Latency(n=len(timed), without=median(starts) if timed else None, guarded=median(ends) if timed else None)

    def side(worths: np.ndarray, goes_out: np.ndarray) -> Side:
        return Side(
            hallucinated=rate(worths == WRONG, checked & goes_out),
            false_positives=rate(worths == OVER_REFUSED, counted & bank.should), rejected=rate(~goes_out, counted),
        )  # fmt: skip

    return SeedTables(
        guarded=side(worths, goes_out), without=side(without, np.full_like(goes_out, True)),
        unsaid=int((~counted).sum()), n=int(counted.sum()), cases=len(bank.rows), latency=latency,
        refusals={reason: Rate(count=n, n=sum(refusals.values())) for reason, n in refusals.items()},
        abstained=rate(~goes_out, questions & ~bank.should), abstained_falsely=rate(~goes_out, questions & bank.should),
        alone=decided_alone(bank, preset),
    )  # fmt: skip


def _worth_without(case: LabelledCase) -> int:
    """The worth of the outcome of a case if its first draft were delivered unchecked; UNSAID without a draft."""
    parts = [part for part in case.trace.parts if part.rounds] or [case.trace]
    drafts = [part.rounds[0].case.draft for part in parts if part.rounds]
    texts = [draft.text for draft in drafts if draft and draft.text.strip() and not draft.awaited]
    return outcome_of(case.row, "deliver", " ".join(texts)).worth if texts else UNSAID


def _seconds(trace: Trace, preset: Preset) -> list[tuple[float, float]]:
    """[(seconds until the first answer, seconds of all rounds)] of a question that was timed, else [].

    Supplied answers and questions in parts are not comparable, so they give [].
    """
    if trace.question.answer is not None or trace.parts:
        return []
    rounds = needed_rounds(trace, preset)
    if not rounds or not all(r.seconds for r in rounds):
        return []
    return [(rounds[0].seconds - rounds[0].checking, sum(r.seconds for r in rounds))]
