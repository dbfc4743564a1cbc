"""The seeds' tables in plain words, for a page and for the report: heads, and rows of cells that are text."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.chain import REASONS
from core.chain.number_format import decimals_for
from core.check import Check
from core.evaluation.outcomes import Rate
from core.reports.seed_tables import TRUST, Latency, SeedTables, Side

MEASURES = {
    "hallucinated": "Wrong answers, of those given out (hallucination rate)",
    "false_positives": "Refused, of what should be answered (false positives)",
    "rejected": "Refused or asked back, of all (rejection rate)",
}
"""Seed A's measures, by the names of Side."""
TIME = "Time until the answer (median)"


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with its title, and a sentence on what its figures mean."""

    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def told_tables(found: SeedTables) -> tuple[Table, ...]:
    """Every table, in the order of the seeds. What could not be measured says so, and is no number."""
    return (_performance(found), _refusals(found), _abstention(found), _alone(found))


def measures(side: Side) -> Iterator[tuple[str, Rate]]:
    """Each measure of one side with what it is called."""
    return ((label, getattr(side, name)) for name, label in MEASURES.items())


def _performance(found: SeedTables) -> Table:
    both = zip(measures(found.guarded), measures(found.without), strict=True)
    cases = "1 case is" if found.unsaid == 1 else f"{found.unsaid} cases are"
    left = f" {cases} left out: nobody answered, or no label says what is right." if found.unsaid else ""
    return Table(
        title="With and without the guardrail (seed A)", heads=("", "with the guardrail", "without it"),
        note="Without the guardrail the writer's first answer goes out as it is, whatever the checks say of it."
        + left,
        rows=(
            *((label, guarded.said, without.said) for (label, guarded), (_, without) in both),
            ("User trust score", TRUST, TRUST), _latency(found.latency),
        ),
    )  # fmt: skip


def _latency(found: Latency) -> tuple[str, str, str]:
    if not found.n:
        return TIME, "not measured: nobody kept the time", "not measured: nobody kept the time"
    added = found.guarded - found.without
    return TIME, f"{found.guarded:.2f} s (+{added:.2f} s), n {found.n}", f"{found.without:.2f} s, n {found.n}"


def _refusals(found: SeedTables) -> Table:
    rows = ((REASONS.get(name, "No reason was kept."), name, rate.said) for name, rate in found.refusals.items())
    return Table(
        title="Refusals by reason (seed A)", heads=("reason", "its name", "of all refusals"),
        note="Each refusal is counted once, under its primary reason.",
        rows=tuple(rows) or (("Nothing was refused", "", "none"),),
    )  # fmt: skip


def _abstention(found: SeedTables) -> Table:
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


def _alone(found: SeedTables) -> Table:
    rows = ((Check.registry[s.check].plain, s.check, Rate(count=s.alone, n=found.cases).said) for s in found.alone)
    return Table(
        title="Which check decided alone", heads=("check", "its name", "cases that would end otherwise without it"),
        note="Each check is let to watch only, one at a time; what no other check stops then ends otherwise.",
        rows=tuple(rows) or (("No check blocks under this preset", "", "none"),),
    )  # fmt: skip
