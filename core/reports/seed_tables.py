"""The seeds' own tables, counted on a bank and told in plain words: with and without the guardrail, why it refuses."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from core.banks.scored_bank import REFUSED, UNSAID, WRONG, ValuedBank, is_due, worth_of
from core.case import Trace
from core.chain import REASONS, needed, verdict
from core.chain.display_rounding import decimals_for
from core.check import Check
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Outcome, Rate, ended, outcome, rate
from core.thresholds import Preset
from core.tuning.curves import Share, shares

TRUST = "not measured: it needs people"
"""Seed A's trust score: what users said of the answers that they got."""
MEASURES = {
    "hallucinated": "Wrong answers, of those given out (hallucination rate)",
    "false_positives": "Refused, of what should be answered (false positives)",
    "rejected": "Refused or asked back, of all (rejection rate)",
}
"""Seed A's measures, by the names of Side."""
TIME = "Time until the answer (median)"


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


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with its title, and a sentence on what its figures mean."""

    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def told_tables(found: SeedTables) -> tuple[Table, ...]:
    """Every table, in the order of the seeds. What could not be measured says so, and is no number."""
    return (_performance_table(found), _refusals_table(found), _abstention_table(found), _alone_table(found))


def measures(side: Side) -> Iterator[tuple[str, Rate]]:
    """Each measure of one side with what it is called."""
    return ((label, getattr(side, name)) for name, label in MEASURES.items())


def _performance_table(found: SeedTables) -> Table:
    both = zip(measures(found.guarded), measures(found.without), strict=True)
    cases = "1 case is" if found.unsaid == 1 else f"{found.unsaid} cases are"
    left = f" {cases} left out: nobody answered, or no label says what is right." if found.unsaid else ""
    return Table(
        title="With and without the guardrail (seed A)", heads=("", "with the guardrail", "without it"),
        note="Without the guardrail the writer's first answer goes out as it is, whatever the checks say of it."
        + left,
        rows=(
            *((label, guarded.said, without.said) for (label, guarded), (_, without) in both),
            ("User trust score", TRUST, TRUST), _latency_row(found.latency),
        ),
    )  # fmt: skip


def _latency_row(found: Latency) -> tuple[str, str, str]:
    if not found.n:
        return TIME, "not measured: nobody kept the time", "not measured: nobody kept the time"
    added = found.guarded - found.without
    return TIME, f"{found.guarded:.2f} s (+{added:.2f} s), n {found.n}", f"{found.without:.2f} s, n {found.n}"


def _refusals_table(found: SeedTables) -> Table:
    rows = ((REASONS.get(name, "No reason was kept."), name, rate.said) for name, rate in found.refusals.items())
    return Table(
        title="Refusals by reason (seed A)", heads=("reason", "its name", "of all refusals"),
        note="Each refusal is counted once, under its primary reason.",
        rows=tuple(rows) or (("Nothing was refused", "", "none"),),
    )  # fmt: skip


def _abstention_table(found: SeedTables) -> Table:
    abstained, falsely = _beside(found.abstained, 40), _beside(found.abstained_falsely, 10)
    return Table(
        title="Abstention (seed C)", heads=("", "measured", "seed C asks for"),
        note="Questions only, without judged answers; to abstain is to refuse, to ask back or to hand over.",
        rows=(
            ("Abstention accuracy: abstained, of what cannot be answered", abstained, "at least 40 %"),
            ("False abstention: abstained, of what can be answered", falsely, "under 10 %"),
        ),
    )  # fmt: skip


def _beside(rate: Rate, limit: float) -> str:
    """A rate with as many decimals as it takes not to look like a limit, in percent, that it has not reached."""
    return rate.said_with(decimals_for(100 * (rate.share or 0.0), (limit,), 0))


def _alone_table(found: SeedTables) -> Table:
    rows = ((Check.registry[s.check].plain, s.check, Rate(count=s.alone, n=found.cases).said) for s in found.alone)
    return Table(
        title="Which check decided alone", heads=("check", "its name", "cases that would end otherwise without it"),
        note="Each check is let to watch only, one at a time; what no other check stops then ends otherwise.",
        rows=tuple(rows) or (("No check blocks under this preset", "", "none"),),
    )  # fmt: skip
