"""An evaluation of a bank for people: sentences for a terminal, rows of JSON, and one HTML file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.banks.scored_bank import ValuedBank
from core.chain import verdict
from core.evaluation.outcomes import ANSWERS, QUESTIONS, Outcome, Rate, counts, outcome
from core.presets import values
from core.reports.html_page import TEMPLATES
from core.reports.metrics import Metrics
from core.reports.seed_tables import SeedTables, Table, measures, seed_tables, told_tables
from core.thresholds import Preset
from core.tuning.score_distributions import SCALES, of_confidence, rulers

_LIMITS = {
    "cosine": "context_sufficiency.min_similarity_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "context_sufficiency.min_rerank_score",
}  # fmt: skip
"""The limit that stands on each scale, for the line through the scores."""


def in_words(found: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, a line for each kind and expectation."""
    lines = [_headline(found)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if found[group]["all"]["n"]:
            lines += ["", *(f"{label}: {_said(counted, names)}" for label, counted in _lines(found[group]))]
    return "\n".join(lines)


def _headline(found: Mapping[str, Any]) -> str:
    asked, judged = found["questions"]["all"]["n"], found["answers"]["all"]["n"]
    lacking = found["missing_documents"]
    rows = found.get("rows", asked + judged)
    partly = f" Only {asked + judged} of its {rows} rows are measured; the others are in no table."
    partly = partly if rows > asked + judged else ""
    lacks = f" The library lacks {', '.join(lacking)}, so these counts say little." if lacking else ""
    return (
        f"{found['bank']}: {asked} questions and {judged} answers, preset {found['preset']}, "
        f"{found['profile']} models, {found['date']}.{partly}{lacks}"
    )


def _lines(group: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """("kind, expected ..., alteration", its counts), the sums of a kind before its alterations."""
    for kind, expected in group["kinds"].items():
        for due, counted in expected.items():
            for alteration, some in counted.items():
                yield f"{kind}, {due}" + ("" if alteration == "all" else f", {alteration}"), some


def _said(counted: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """What became of them, the outcomes that did not happen left out."""
    happened = [f"{plain} {_rate(counted[name])}" for name, plain in names.items() if counted[name]["count"]]
    return f"n {counted['n']}; " + "; ".join(happened)


def _rate(rate: Mapping[str, Any]) -> str:
    if not rate["n"]:
        return "none"
    low, high = (100 * x for x in rate["interval"])
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {low:.0f}-{high:.0f})"


def _counted(title: str, group: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """The counts as a table; an outcome that never happened has no column."""
    shown = [name for name in names if group["all"][name]["count"]]
    return Table(
        title=title, note="; ".join(f"{name.replace('_', ' ')}: {names[name]}" for name in shown) + ".",
        heads=tuple(name.replace("_", " ") for name in ("kind", "n", *shown)),
        rows=tuple(
            (label, str(counted["n"]), *(_rate(counted[name]) for name in shown)) for label, counted in _lines(group)
        ),
    )  # fmt: skip


def _row(o: Outcome) -> tuple[tuple[str, str], ...]:
    """Each cell of a row with what stands small under it."""
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (o.primary_reason or "").replace("_", " ")
    return (
        (o.row.get("id") or "", kind), (o.row["query"], o.row.get("answer") or ""), (o.name.replace("_", " "), reason),
        (o.answer, ""),
    )  # fmt: skip


def _sides(found: SeedTables) -> Iterator[tuple[str, Rate, str]]:
    """(label, rate, look) of each measure, with the guardrail and without it."""
    for (label, guarded), (_, without) in zip(measures(found.guarded), measures(found.without), strict=True):
        for end, rate, look in ((", with", guarded, "good"), (", without", without, "bad")):
            yield f"{label.partition(' (')[0]}{end}"[:44], rate, look


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

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics.of(self.outcomes)

    @property
    def unchecked(self) -> int:
        """Answers that count as right only because their rows have no facts to hold them against."""
        right = (o.row for o in self.outcomes if o.name == "right_answer")
        return sum(not (row.get("facts") or row.get("false_facts")) for row in right)

    def row(self) -> dict[str, Any]:
        """Every count as JSON: what became of the rows by kind, the metrics by group, and the seeds' tables."""
        return {
            **self.about, **counts(self.outcomes), "metrics": self.metrics.row(), "seeds": self.tables.row()
        }  # fmt: skip

    def page(self) -> str:
        """The report: one HTML file that prints well, loads nothing and runs nothing. All text of others is escaped."""
        found, limits = self.row(), values(self.preset)
        both = (("Questions", "questions", QUESTIONS), ("Judged answers", "answers", ANSWERS))
        return TEMPLATES.get_template("evaluation.html").render(
            title=f"Evaluation of {self.about['bank']}", headline=_headline(found), tables=told_tables(self.tables),
            sides=list(_sides(self.tables)), groups=self.metrics.table(), curve=of_confidence(self.bank.cases),
            reasons=[(name.replace("_", " "), rate, "quiet") for name, rate in self.tables.refusals.items()],
            scales=[(words, rulers(self.bank.cases, s)[:1], limits[_LIMITS[s]]) for s, words in SCALES.items()],
            counted=[_counted(title, found[group], names) for title, group, names in both if found[group]["all"]["n"]],
            outcomes=[_row(o) for o in self.outcomes],
            made_with={
                **{k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")},
                "limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"],
            },
        )  # fmt: skip
