"""The report on the evaluation of a bank: its metrics, and one HTML file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from core.banks.open_bank import OpenBank
from core.case import CaseError
from core.check import Check
from core.decide import verdict
from core.evaluation.counts import Counts, Rate, count_worths, counts, grouped
from core.evaluation.outcomes import ANSWERS, QUESTIONS, Outcome, is_due, outcome
from core.presets import values
from core.reply.display_rounding import decimals_for
from core.reports.seed_tables import MEASURES, TIME, SeedTables, seed_tables
from core.reports.templating import TEMPLATES
from core.thresholds import DUST, Preset
from core.tuning.curves import SCALES, best_scores, of_confidence
from core.words import OUTCOMES, REASONS, reason_text

METRICS: Mapping[str, tuple[str, Callable[[Counts], Rate]]] = {
    "right": ("ended as it should, of all", lambda t: Rate(count=t.right + t.held, n=t.n)),
    "acceptable": ("right, or less than that and not wrong, of all", lambda t: t.as_it_should_be),
    "wrong": ("a wrong answer went out, of all", lambda t: t.wrong_answer),
    "over_refused": ("got no answer, of what should be answered", lambda t: t.over_refusal),
}  # fmt: skip
"""The metrics that a Gate can compare with a limit: name -> (meaning in plain words, rate in counts)."""
_GROUPS: Mapping[str, Callable[[Outcome], Any]] = {
    "class": lambda o: o.row.get("class_number"), "subject": lambda o: o.row.get("subject"), "kind": lambda o: o.kind,
}  # fmt: skip
Bound = Literal["under", "over"]


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A limit for a build, which fails if the share of `metric` is under it (bound "under") or over it (bound "over").

    A share equal to the limit passes.
    """

    metric: str
    bound: Bound
    limit: float

    def passes(self, rate: Rate) -> bool:
        """True if the rate is within the limit. False without data: an unmeasured metric does not pass."""
        if rate.share is None:
            return False
        margin = rate.share - self.limit if self.bound == "under" else self.limit - rate.share
        return margin >= -DUST

    def text(self, rate: Rate) -> str:
        """The rate beside the limit, in one sentence."""
        if rate.share is None:
            return f"{self.metric} cannot be told, since no row has a label that says what is right; label some."
        share = 100 * rate.share
        share_text = f"{share:.{decimals_for(share, (100 * self.limit,), 1)}f} % ({rate.count} of n {rate.n})"
        position = "within" if self.passes(rate) else self.bound
        return f"{self.metric} is {share_text}, {position} the limit of {100 * self.limit:g} %."


def gates(under: Sequence[str], over: Sequence[str]) -> tuple[Gate, ...]:
    """The gates for limits in command line form, such as "right=0.8". Raises CaseError for an invalid one."""
    found = []
    for bound, text in (*(("under", text) for text in under), *(("over", text) for text in over)):
        metric, _, share = text.partition("=")
        if metric not in METRICS:
            raise CaseError(
                f"--fail-{bound} names no metric {metric!r:.60}; allowed are {', '.join(METRICS)}, as right=0.8."
            )
        try:
            limit = float(share)
        except ValueError:
            limit = -1.0
        if not 0 <= limit <= 1:
            raise CaseError(
                f"--fail-{bound} {metric} needs a share from 0 to 1, got {share!r:.60}; 0.8 stands for 80 %."
            )
        found.append(Gate(metric=metric, bound=bound, limit=limit))
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Metrics:
    """The metrics of all rows, and of each group by class, subject and kind."""

    all: Counts
    groups: Mapping[str, Mapping[str, Counts]]

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "Metrics":
        """Count outcomes; that of an unreadable row counts as `unsaid`."""

        def counted(own: Sequence[Outcome]) -> Counts:
            worths, should = [o.worth for o in own], [is_due(o.row) for o in own]
            return count_worths(np.array(worths, dtype=int), np.array(should, dtype=bool))

        groups = {}
        for grouping, label in _GROUPS.items():
            in_order = sorted(outcomes, key=lambda o: (label(o) in (None, ""), str(label(o)).zfill(3)))
            own = grouped(in_order, lambda o: label(o) or "not given")  # noqa: B023
            groups[grouping] = {name: counted(some) for name, some in own.items()}
        return cls(all=counted(outcomes), groups=groups)

    def rate(self, metric: str) -> Rate:
        return METRICS[metric][1](self.all)

    def row(self) -> dict[str, Any]:
        """All metrics as JSON: each share with its count, n and 95 % interval."""

        def row(t: Counts) -> dict[str, Any]:
            return {"n": t.n, "unsaid": t.unsaid} | {name: rate(t).row() for name, (_, rate) in METRICS.items()}

        groups = {grouping: {name: row(t) for name, t in own.items()} for grouping, own in self.groups.items()}
        return {"all": row(self.all), **groups}

    def lines(self) -> list[tuple[str, Counts]]:
        """All rows, and each group with its name; a grouping with a single group is left out."""
        lines = [("all", self.all)]
        for grouping, own in self.groups.items():
            lines += [(f"{grouping} {name}", t) for name, t in own.items()] if len(own) > 1 else []
        return lines


_LIMITS = {
    "cosine": "context_sufficiency.min_similarity_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "context_sufficiency.min_rerank_score",
}  # fmt: skip
"""By scale, the key of the limit that is drawn as a line through the scores on this scale."""


def in_words(evaluation: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, one line for each kind and expectation."""
    lines = [_headline(evaluation)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if evaluation[group]["all"]["n"]:
            lines.append("")
            for label, numbers in _lines(evaluation[group]):
                texts = [f"{plain} {_rate(numbers[name])}" for name, plain in names.items() if numbers[name]["count"]]
                lines.append(f"{label}: n {numbers['n']}; {'; '.join(texts)}")
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
        for label, numbers in expected.items():
            for alteration, alteration_counts in numbers.items():
                yield f"{kind}, {label}" + ("" if alteration == "all" else f", {alteration}"), alteration_counts


def _rate(rate: Mapping[str, Any]) -> str:
    if not rate["n"]:
        return "none"
    low, high = (100 * x for x in rate["interval"])
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {low:.0f}-{high:.0f})"


def _row(o: Outcome) -> tuple[tuple[str, str], ...]:
    """The cells of a row, each with the small text under it."""
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (reason_text(o.primary_reason) if o.primary_reason else "")
    question = o.row["query"], o.row.get("answer") or ""
    return (o.row.get("id") or "", kind), question, (OUTCOMES[o.name], reason), (o.answer, "")


def _beside(rate: Rate, limit: float) -> str:
    """A rate with enough decimals not to look equal to a limit (in percent) that it has not reached."""
    return rate.text_with_decimals(decimals_for(100 * (rate.share or 0.0), (limit,), 0))


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The outcome of each row, and the measured rows as a bank that can be decided again.

    about: "bank", "preset", "moved" (limits in the form of --set), "profile", "writer", "date", "models" (name by job),
    "missing_documents", and "rows" (size of the bank; rows that are not measured are in no table).
    """

    outcomes: Sequence[Outcome]
    bank: OpenBank
    preset: Preset
    about: Mapping[str, Any]

    @classmethod
    def of(cls, bank: OpenBank, preset: Preset, about: Mapping[str, Any]) -> "Evaluation":
        """Evaluate a measured bank under `preset`."""
        outcomes = [outcome(case.row, verdict(case.trace, preset)) for case in bank.cases()]
        return cls(outcomes=outcomes, bank=bank, preset=preset, about=about)

    @cached_property
    def tables(self) -> SeedTables:
        return seed_tables(self.bank, self.preset)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics.of(self.outcomes)

    @property
    def unchecked_count(self) -> int:
        """Number of answers that count as right only because their rows have no facts to check."""
        right = (o.row for o in self.outcomes if o.name == "right_answer")
        return sum(not (row.get("facts") or row.get("false_facts")) for row in right)

    def row(self) -> dict[str, Any]:
        """All counts as JSON: outcomes by kind, metrics by group, and the tables of the source documents."""
        return {
            **self.about, **counts(self.outcomes), "metrics": self.metrics.row(), "seeds": self.tables.row(),
        }  # fmt: skip

    def page(self) -> str:
        """The report: an HTML file for print that loads nothing and runs no script. All external text is escaped."""
        row, limits, tables = self.row(), values(self.preset), self.tables
        measures = [(label, getattr(tables.guarded, n), getattr(tables.without, n)) for n, label in MEASURES.items()]
        groups = (("Questions", row["questions"], QUESTIONS), ("Judged answers", row["answers"], ANSWERS))
        return TEMPLATES.get_template("evaluation.html").render(
            title=f"Evaluation of {self.about['bank']}", headline=_headline(row), tables=tables, measures=measures,
            time=(TIME, *tables.latency.cells()), reasons=REASONS, reason_text=reason_text, checks=Check.registry,
            rate_of=Rate, beside=_beside, metrics=self.metrics, metric_names=METRICS, curve=of_confidence(self.bank),
            scales=[(words, *best_scores(self.bank, s), limits[_LIMITS[s]]) for s, words in SCALES.items()],
            counted=[group for group in groups if group[1]["all"]["n"]], not_defined=ANSWERS, outcome_names=OUTCOMES,
            lines=_lines, rate_text=_rate,
            outcomes=[_row(o) for o in self.outcomes],
            made_with={
                **{k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")},
                "limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"],
            },
        )  # fmt: skip
