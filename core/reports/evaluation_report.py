"""The evaluation of a bank as sentences for a terminal, rows of JSON, or one HTML file."""

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
"""The limit on each scale, drawn as a line through the scores."""


def in_words(evaluation: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, one line for each kind and expectation."""
    lines = [_headline(evaluation)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if evaluation[group]["all"]["n"]:
            lines += [
                "",
                *(f"{label}: {_outcome_text(counted, names)}" for label, counted in _lines(evaluation[group])),
            ]
    return "\n".join(lines)


def _headline(evaluation: Mapping[str, Any]) -> str:
    question_count, answer_count = evaluation["questions"]["all"]["n"], evaluation["answers"]["all"]["n"]
    missing = evaluation["missing_documents"]
    rows = evaluation.get("rows", question_count + answer_count)
    partly = f" Only {question_count + answer_count} of its {rows} rows are measured; the others are in no table."
    partly = partly if rows > question_count + answer_count else ""
    warning = f" The library lacks {', '.join(missing)}, so these counts say little." if missing else ""
    return (
        f"{evaluation['bank']}: {question_count} questions and {answer_count} answers, preset {evaluation['preset']}, "
        f"{evaluation['profile']} models, {evaluation['date']}.{partly}{warning}"
    )


def _lines(group: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (label, counts) per kind, expectation and alteration; the total of a kind precedes its alterations."""
    for kind, expected in group["kinds"].items():
        for label, counted in expected.items():
            for alteration, alteration_counts in counted.items():
                yield f"{kind}, {label}" + ("" if alteration == "all" else f", {alteration}"), alteration_counts


def _outcome_text(counted: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The outcomes that occurred, as text."""
    occurred = [f"{plain} {_rate(counted[name])}" for name, plain in names.items() if counted[name]["count"]]
    return f"n {counted['n']}; " + "; ".join(occurred)


def _rate(rate: Mapping[str, Any]) -> str:
    if not rate["n"]:
        return "none"
    low, high = (100 * x for x in rate["interval"])
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {low:.0f}-{high:.0f})"


def _count_table(title: str, group: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """The counts as a table. An outcome that never occurred has no column."""
    shown = [name for name in names if group["all"][name]["count"]]
    return Table(
        title=title, note="; ".join(f"{name.replace('_', ' ')}: {names[name]}" for name in shown) + ".",
        heads=tuple(name.replace("_", " ") for name in ("kind", "n", *shown)),
        rows=tuple(
            (label, str(counted["n"]), *(_rate(counted[name]) for name in shown)) for label, counted in _lines(group)
        ),
    )  # fmt: skip


def _row(o: Outcome) -> tuple[tuple[str, str], ...]:
    """The cells of a row, each with the small text under it."""
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (o.primary_reason or "").replace("_", " ")
    return (
        (o.row.get("id") or "", kind), (o.row["query"], o.row.get("answer") or ""), (o.name.replace("_", " "), reason),
        (o.answer, ""),
    )  # fmt: skip


def _measure_bars(tables: SeedTables) -> Iterator[tuple[str, Rate, str]]:
    """Yield (label, rate, colour class) for each measure, with and without the guardrail."""
    for (label, guarded), (_, without) in zip(measures(tables.guarded), measures(tables.without), strict=True):
        for end, rate, look in ((", with", guarded, "good"), (", without", without, "bad")):
            yield f"{label.partition(' (')[0]}{end}"[:44], rate, look


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The outcome of each row, and the measured rows as a bank that can be decided again.

    about: "bank", "preset", "moved" (limits in the form of --set), "profile", "writer", "date", "models" (name by job),
    "missing_documents", and "rows" (size of the bank; rows that are not measured are in no table).
    """

    outcomes: Sequence[Outcome]
    bank: ValuedBank
    preset: Preset
    about: Mapping[str, Any]

    @classmethod
    def of(cls, bank: ValuedBank, preset: Preset, about: Mapping[str, Any]) -> "Evaluation":
        """Evaluate a measured bank under `preset`."""
        outcomes = [outcome(case.row, verdict(case.trace, preset)) for case in bank.cases]
        return cls(outcomes=outcomes, bank=bank, preset=preset, about=about)

    @cached_property
    def tables(self) -> SeedTables:
        return seed_tables(self.bank, self.preset)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics.of(self.outcomes)

    @property
    def unchecked(self) -> int:
        """Number of answers that count as right only because their rows have no facts to check."""
        right = (o.row for o in self.outcomes if o.name == "right_answer")
        return sum(not (row.get("facts") or row.get("false_facts")) for row in right)

    def row(self) -> dict[str, Any]:
        """All counts as JSON: outcomes by kind, metrics by group, and the tables of the source documents."""
        return {
            **self.about, **counts(self.outcomes), "metrics": self.metrics.row(), "seeds": self.tables.row()
        }  # fmt: skip

    def page(self) -> str:
        """The report: an HTML file for print that loads nothing and runs no script. All external text is escaped."""
        row, limits = self.row(), values(self.preset)
        groups = (("Questions", "questions", QUESTIONS), ("Judged answers", "answers", ANSWERS))
        return TEMPLATES.get_template("evaluation.html").render(
            title=f"Evaluation of {self.about['bank']}", headline=_headline(row), tables=told_tables(self.tables),
            sides=list(_measure_bars(self.tables)), groups=self.metrics.table(), curve=of_confidence(self.bank.cases),
            reasons=[(name.replace("_", " "), rate, "quiet") for name, rate in self.tables.refusals.items()],
            scales=[(words, rulers(self.bank.cases, s)[:1], limits[_LIMITS[s]]) for s, words in SCALES.items()],
            counted=[_count_table(title, row[g], names) for title, g, names in groups if row[g]["all"]["n"]],
            outcomes=[_row(o) for o in self.outcomes],
            made_with={
                **{k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")},
                "limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"],
            },
        )  # fmt: skip
