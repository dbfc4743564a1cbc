"""The seeds' own tables, counted on a bank: with and without the guardrail, why it refuses, when it abstains. Pure.

Seed A's "Performance Metrics" and "Rejection Analysis", seed C's "Success Metrics", and which check decided alone.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from core.banks.scored_bank import REFUSED, UNSAID, WRONG, ValuedBank, is_due, worth_of
from core.case import Trace
from core.chain import needed, verdict
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Outcome, Rate, ended, outcome, rate
from core.thresholds import Preset
from core.tuning.curves import Share, shares

TRUST = "not measured: it needs people"
"""Seed A's trust score: what users said of the answers that they got."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """What became of a bank with the guardrail, or without it.

    hallucinated: wrong answers, of all that went out; false_positives: without an answer, of those that should have
    one; rejected: without an answer, of all.
    """

    hallucinated: Rate
    false_positives: Rate
    rejected: Rate


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Median seconds of a question: until an answer stood, and with the rounds and checks of the guardrail.

    n: questions of which the time was kept; without any, both are None.
    """

    n: int
    without: float | None
    guarded: float | None


@dataclass(frozen=True, kw_only=True)
class SeedTables:
    """All of it under one preset. unsaid: cases that no label says anything about, or that nobody answered.

    refusals: by primary reason, of all refusals, the most frequent first. abstained: refused or asked back, of the
    questions that should not be answered; abstained_falsely: of those that should.
    """

    guarded: Side
    without: Side
    unsaid: int
    latency: Latency
    refusals: dict[str, Rate]
    abstained: Rate
    abstained_falsely: Rate
    alone: tuple[Share, ...]
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
            "decided_alone": {s.check: Rate(count=s.alone, n=self.cases).row() for s in self.alone},
        }  # fmt: skip


def seed_tables(bank: ValuedBank, preset: Preset) -> SeedTables:
    """The tables of `bank` under `preset`; every case holds the rounds that `preset` needs."""
    both = [(_guarded(case, preset), _without(case)) for case in bank.cases]
    said = [(g, w) for g, w in both if w is not None and UNSAID not in (worth_of(g), worth_of(w))]
    guarded, without = ([pair[n] for pair in said] for n in (0, 1))
    asked = [o for o in guarded if not o.judged]
    refused = [o.primary_reason or "" for o in guarded if o.route == "refuse"]
    return SeedTables(
        guarded=_side(guarded), without=_side(without), unsaid=len(both) - len(said), n=len(said),
        latency=_latency([case.trace for case in bank.cases], preset),
        refusals={reason: Rate(count=n, n=len(refused)) for reason, n in Counter(refused).most_common()},
        abstained=rate([not _out(o) for o in asked if not is_due(o.row)]),
        abstained_falsely=rate([not _out(o) for o in asked if is_due(o.row)]),
        alone=shares(bank, preset), cases=len(both),
    )  # fmt: skip


def _guarded(case: Labelled, preset: Preset) -> Outcome:
    return outcome(case.row, verdict(case.trace, preset))


def _without(case: Labelled) -> Outcome | None:
    """What would have become of a case had the first answer gone out unchecked; None where nobody wrote one."""
    parts = [part for part in case.trace.parts if part.rounds] or [case.trace]
    drafts = [part.rounds[0].case.draft for part in parts if part.rounds]
    written = [draft.text for draft in drafts if draft and draft.text.strip() and not draft.awaited]
    return ended(case.row, "deliver", " ".join(written)) if written else None


def _out(o: Outcome) -> bool:
    return o.route.startswith("deliver")


def _side(some: Sequence[Outcome]) -> Side:
    worths = [worth_of(o) for o in some]
    due = [(o, w) for o, w in zip(some, worths, strict=True) if is_due(o.row)]
    return Side(
        hallucinated=rate([w == WRONG for o, w in zip(some, worths, strict=True) if _out(o)]),
        false_positives=rate([w == REFUSED for _, w in due]),
        rejected=rate([not _out(o) for o in some]),
    )


def _latency(traces: Sequence[Trace], preset: Preset) -> Latency:
    """Of questions that were answered as a whole: a given answer takes no writing, and parts are written apart."""
    timed = [needed(t, preset) for t in traces if t.question.answer is None and not t.parts]
    timed = [rounds for rounds in timed if rounds and all(r.seconds for r in rounds)]
    if not timed:
        return Latency(n=0, without=None, guarded=None)
    without = median(rounds[0].seconds - rounds[0].checking for rounds in timed)
    return Latency(n=len(timed), without=without, guarded=median(sum(r.seconds for r in rounds) for rounds in timed))
