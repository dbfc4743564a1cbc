"""One evaluation of a bank under one preset: as JSON, and as a report to take away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.banks.scored_bank import ValuedBank
from core.chain import verdict
from core.evaluation.outcomes import Outcome, counts, outcome
from core.reports.counts import page
from core.reports.evaluation_page import evaluation_parts
from core.reports.seed_tables import SeedTables, seed_tables
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What became of each row, and the measured ones as a bank that can be decided again.

    about: "bank", "preset", "moved" (limits, as --set names them), "profile", "writer", "date", "models" (name by job),
    "missing_documents", and "rows", how many the bank has; those that are not measured are in no table.
    """

    outcomes: Sequence[Outcome]
    bank: ValuedBank
    preset: Preset
    about: Mapping[str, Any]

    @classmethod
    def of(cls, bank: ValuedBank, preset: Preset, about: Mapping[str, Any]) -> "Evaluation":
        """A bank that is measured already, decided under `preset`."""
        found = [outcome(case.row, verdict(case.trace, preset)) for case in bank.cases]
        return cls(outcomes=found, bank=bank, preset=preset, about=about)

    @cached_property
    def tables(self) -> SeedTables:
        return seed_tables(self.bank, self.preset)

    def row(self) -> dict[str, Any]:
        """Every count as JSON: what became of the rows by kind, and the seeds' tables."""
        return {**self.about, **counts(self.outcomes), "seeds": self.tables.row()}

    def page(self) -> str:
        """The report: one HTML file that prints well, loads nothing and runs nothing."""
        made_with = {k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")}
        made_with |= {"limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"]}
        parts = evaluation_parts(self.bank, self.tables, self.preset, made_with)
        return page(self.row(), self.outcomes, parts)
