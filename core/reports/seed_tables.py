"""The tables of the source documents, counted on a bank: with and without the guardrail, and reasons for refusals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from core.banks.decisions import REASON_NAMES, REFUSE_INDEX
from core.banks.open_bank import OpenBank
from core.case import Trace
from core.check import Check
from core.decide import needed_rounds
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import OVER_REFUSED, UNSAID, WRONG, Rate, is_checked, is_planted, outcome_of, rate
from core.reply.display_rounding import decimals_for
from core.thresholds import Preset
from core.tuning.curves import decided_alone
from core.words import REASONS

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
    questions = counted & bank.labels.of_each(lambda row: row.get("answer") is None, bool)
    checked = counted & bank.labels.of_each(lambda row: is_checked(row) and not is_planted(row), bool)
    refusals = decided.reasons[0, counted & (decided.routes[0] == REFUSE_INDEX)].tolist()

    def side(worths: np.ndarray, goes_out: np.ndarray) -> Side:
        return Side(
            hallucinated=rate(worths == WRONG, checked & goes_out),
            false_positives=rate(worths == OVER_REFUSED, counted & bank.should), rejected=rate(~goes_out, counted),
        )  # fmt: skip

    return SeedTables(
        guarded=side(worths, goes_out), without=side(without, np.full_like(goes_out, True)),
        unsaid=int((~counted).sum()), n=int(counted.sum()), cases=len(bank.rows), latency=_latency(timed),
        refusals={REASON_NAMES[r]: Rate(count=n, n=len(refusals)) for r, n in Counter(refusals).most_common()},
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


def _latency(timed: Sequence[tuple[float, float]]) -> Latency:
    without, guarded = zip(*timed, strict=True) if timed else ((), ())
    return Latency(n=len(timed), without=median(without) if timed else None, guarded=median(guarded) if timed else None)


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with its title, and a note on what its figures mean."""

    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def text_tables(tables: SeedTables) -> tuple[Table, ...]:
    """Every table, in the order of the source documents. A figure that could not be measured is shown as text."""
    return (_performance_table(tables), _refusals_table(tables), _abstention_table(tables), _alone_table(tables))


def measures(side: Side) -> Iterator[tuple[str, Rate]]:
    """The label and the rate of each measure of one side."""
    return ((label, getattr(side, name)) for name, label in MEASURES.items())


def _performance_table(tables: SeedTables) -> Table:
    measure_pairs = zip(measures(tables.guarded), measures(tables.without), strict=True)
    cases = "1 case is" if tables.unsaid == 1 else f"{tables.unsaid} cases are"
    omission = f" {cases} left out: nobody answered, or no label says what is right." if tables.unsaid else ""
    return Table(
        title="With and without the guardrail", heads=("", "with the guardrail", "without it"),
        note="Without the guardrail the writer's first answer goes out as it is, whatever the checks say of it. The "
        "hallucination rate leaves out answers that were planted to test the checks, and those without facts to check."
        + omission,
        rows=(
            *((label, guarded.text, without.text) for (label, guarded), (_, without) in measure_pairs),
            _latency_row(tables.latency),
        ),
    )  # fmt: skip


def _latency_row(latency: Latency) -> tuple[str, str, str]:
    if not latency.n:
        return TIME, "not measured: nobody kept the time", "not measured: nobody kept the time"
    added = latency.guarded - latency.without
    return TIME, f"{latency.guarded:.2f} s (+{added:.2f} s), n {latency.n}", f"{latency.without:.2f} s, n {latency.n}"


def _refusals_table(tables: SeedTables) -> Table:
    refusals = tables.refusals.items()
    rows = ((REASONS[name].sentence if name else "No reason was kept.", name, rate.text) for name, rate in refusals)
    return Table(
        title="Refusals by reason", heads=("reason", "its name", "of all refusals"),
        note="Each refusal is counted once, under its primary reason.",
        rows=tuple(rows) or (("Nothing was refused", "", "none"),),
    )  # fmt: skip


def _abstention_table(tables: SeedTables) -> Table:
    abstained, falsely = _rate_beside_limit(tables.abstained, 40), _rate_beside_limit(tables.abstained_falsely, 10)
    return Table(
        title="Abstention", heads=("", "measured", "target"),
        note="Questions only, without judged answers; to abstain is to refuse, to ask what is meant or to hand over.",
        rows=(
            ("Abstention accuracy: abstained, of what cannot be answered", abstained, "at least 40 %"),
            ("False abstention: abstained, of what can be answered", falsely, "under 10 %"),
        ),
    )  # fmt: skip


def _rate_beside_limit(rate: Rate, limit: float) -> str:
    """A rate with enough decimals not to look equal to a limit (in percent) that it has not reached."""
    return rate.text_with_decimals(decimals_for(100 * (rate.share or 0.0), (limit,), 0))


def _alone_table(tables: SeedTables) -> Table:
    rows = ((Check.registry[c].plain, c, Rate(count=n, n=tables.cases).text) for c, n in tables.alone.items())
    return Table(
        title="Which check decided alone", heads=("check", "its name", "cases whose outcome changes without it"),
        note="Each check is set to Monitor, one at a time; what no other check stops then changes its outcome.",
        rows=tuple(rows) or (("No check blocks under this preset", "", "none"),),
    )  # fmt: skip
