"""The report on the evaluation of a bank: the tables of the source documents, its metrics, and one HTML file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Literal

import numpy as np

from core.banks.open_bank import OpenBank
from core.case import CaseError, Trace
from core.check import Check
from core.decide import needed_rounds, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import Counts, Rate, as_row, count_outcomes, counts, grouped, rate
from core.evaluation.outcomes import (
    ANSWERS,
    OVER_REFUSED,
    QUESTIONS,
    UNSAID,
    WRONG,
    Outcome,
    is_checked,
    is_planted,
    outcome,
    outcome_of,
)
from core.presets import values
from core.reply.display_rounding import decimals_for
from core.reports.templating import TEMPLATES
from core.thresholds import DUST, Preset
from core.tuning.curves import SCALES, best_scores, decided_alone, of_confidence
from core.words import OUTCOMES, REASONS, reason_text

TRUST = "not counted on a set: History counts it from the thumbs of users"
"""Text in place of the trust score of source document A, which is made of users' ratings of their answers."""
MEASURES = {
    "hallucinated": "Wrong answers among those given out (hallucination rate)",
    "false_positives": "Refused, but should be answered (false positives)",
    "rejected": "Cases that get no answer (rejection rate)",
}
"""The measures that source document A asks for, in words: the share of wrong answers among all delivered answers that
can be checked (planted answers do not count); of cases without an answer among those that should have one; and of cases
without an answer among all cases.
"""
TIME = "Time until the answer (median)"


def seed_tables(bank: OpenBank, preset: Preset) -> dict[str, Any]:
    """The tables of `bank` under `preset`, by their names in JSON, each share as a Rate. Every case must hold the
    rounds that `preset` needs.

    with, without: MEASURES with the guardrail and without it. n: cases counted for these. unsaid: cases left out, since
    they have no label or no draft. latency: median seconds until the first answer (without) and including all rounds
    and checks (guarded), None if none of the n questions was timed. refusals: share of each primary reason in all
    refusals, the most frequent first. abstention_accuracy: share of the questions that should not be answered which get
    no answer; false_abstention: the same of those that should be answered. decided_alone: for each check, the cases
    whose outcome changes without it, of all cases.
    """
    decided, unguarded, seconds = bank.decided_at(preset), [], []
    for case in bank.cases():
        unguarded.append(_worth_without(case))
        seconds += _seconds(case.trace, preset)
    worths, goes_out, without = decided.worths[0], decided.goes_out[0], np.array(unguarded, dtype=int)
    counted = (worths != UNSAID) & (without != UNSAID)
    questions = counted & np.array([row.get("answer") is None for row in bank.rows], dtype=bool)
    checked = counted & bank.rows.mask(is_checked) & ~bank.rows.mask(is_planted)
    refusals = decided.refusals(counted)
    medians = [median(column) for column in zip(*seconds, strict=True)] or [None, None]

    def side(worths: np.ndarray, goes_out: np.ndarray) -> dict[str, Rate]:
        return {
            "hallucinated": rate(worths == WRONG, checked & goes_out),
            "false_positives": rate(worths == OVER_REFUSED, counted & bank.should),
            "rejected": rate(~goes_out, counted),
        }

    return {
        "n": int(counted.sum()), "unsaid": int((~counted).sum()),
        "with": side(worths, goes_out), "without": side(without, np.full_like(goes_out, True)), "trust_score": TRUST,
        "latency": {"n": len(seconds), "without": medians[0], "guarded": medians[1]},
        "refusals": {reason: Rate(count=n, n=sum(refusals.values())) for reason, n in refusals.items()},
        "abstention_accuracy": rate(~goes_out, questions & ~bank.should),
        "false_abstention": rate(~goes_out, questions & bank.should),
        "decided_alone": {
            check: Rate(count=n, n=len(bank.rows)) for check, n in decided_alone(bank, preset).items()
        },
    }  # fmt: skip


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


METRICS: Mapping[str, tuple[str, Callable[[Counts], Rate]]] = {
    "right": ("share of all cases that ended as they should", lambda t: Rate(count=t.right + t.held, n=t.n)),
    "acceptable": ("share of all cases that ended as they should or acceptably", lambda t: t.as_it_should_be),
    "wrong": ("share of all cases that got a wrong answer", lambda t: t.wrong_answer),
    "over_refused": ("share of the cases to answer that got no answer", lambda t: t.over_refusal),
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
        sign = 1 if self.bound == "under" else -1
        return rate.share is not None and sign * (rate.share - self.limit) >= -DUST

    def text(self, rate: Rate) -> str:
        if rate.share is None:
            return (
                f"{self.metric} cannot be counted, since no row has a label that says what is right; label some rows."
            )
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
                f"--fail-{bound} has no metric {metric!r:.60}; allowed are {', '.join(METRICS)}, as in right=0.8."
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


_LIMITS = {
    "cosine": "context_sufficiency.min_similarity_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "context_sufficiency.min_rerank_score",
}  # fmt: skip
"""By scale, the key of the limit that is drawn as a line through the scores on this scale."""


def in_words(evaluation: Mapping[str, Any]) -> str:
    """The JSON of an evaluation as plain sentences, one line for each kind and expectation."""
    lines = [_headline(evaluation)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        lines += [""] if evaluation[group]["all"]["n"] else []
        for label, numbers in _lines(evaluation[group]):
            texts = [f"{plain} {_rate(numbers[name])}" for name, plain in names.items() if numbers[name]["count"]]
            lines.append(f"{label}: n {numbers['n']}; {'; '.join(texts)}")
    return "\n".join(lines)


def _headline(evaluation: Mapping[str, Any]) -> str:
    questions, answers = (evaluation[group]["all"]["n"] for group in ("questions", "answers"))
    text = (
        f"{evaluation['bank']}: {questions} questions and {answers} answers, preset {evaluation['preset']}, "
        f"{evaluation['profile']} models, {evaluation['date']}."
    )
    if (rows := evaluation.get("rows", 0)) > questions + answers:
        text += f" Only {questions + answers} of its {rows} rows are measured; the others are in no table."
    if missing := evaluation["missing_documents"]:
        text += f" The library lacks {', '.join(missing)}, so these counts say little."
    return text


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


def _time_cells(n: int, without: float | None, guarded: float | None) -> tuple[str, str]:
    """The median seconds of n questions as text, with the guardrail first."""
    if not n:
        return ("not measured: no times were recorded",) * 2
    return f"{guarded:.2f} s (+{guarded - without:.2f} s), n {n}", f"{without:.2f} s, n {n}"


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
        outcomes = [outcome(case.row, verdict(case.trace, preset)) for case in bank.cases()]
        return cls(outcomes=outcomes, bank=bank, preset=preset, about=about)

    @cached_property
    def tables(self) -> dict[str, Any]:
        return seed_tables(self.bank, self.preset)

    @cached_property
    def total(self) -> Counts:
        """The counts of all rows; an unreadable row counts as `unsaid`."""
        return count_outcomes(self.outcomes)

    @cached_property
    def groups(self) -> dict[str, dict[str, Counts]]:
        """The same counts by class, subject and kind."""
        groups = {}
        for grouping, label in _GROUPS.items():
            in_order = sorted(self.outcomes, key=lambda o: (label(o) in (None, ""), str(label(o)).zfill(3)))
            groups[grouping] = grouped(in_order, lambda o: label(o) or "not given", count_outcomes)  # noqa: B023
        return groups

    def rate(self, metric: str) -> Rate:
        """A metric of METRICS over all rows."""
        return METRICS[metric][1](self.total)

    @property
    def unchecked_count(self) -> int:
        """Number of answers that count as right only because their rows have no facts to check."""
        right = (o.row for o in self.outcomes if o.name == "right_answer")
        return sum(not (row.get("facts") or row.get("false_facts")) for row in right)

    def row(self) -> dict[str, Any]:
        """All counts as JSON: outcomes by kind, metrics by group, and the tables of the source documents."""

        def row(t: Counts) -> dict[str, Any]:
            return {"n": t.n, "unsaid": t.unsaid} | {name: rate(t).row() for name, (_, rate) in METRICS.items()}

        groups = {grouping: {name: row(t) for name, t in own.items()} for grouping, own in self.groups.items()}
        metrics = {"all": row(self.total), **groups}
        return {**self.about, **counts(self.outcomes), "metrics": metrics, "seeds": as_row(self.tables)}

    def page(self) -> str:
        """The report: an HTML file for print that loads nothing and runs no script. All external text is escaped."""
        row, limits, tables = self.row(), values(self.preset), self.tables
        groups = (("Questions", row["questions"], QUESTIONS), ("Judged answers", row["answers"], ANSWERS))
        lines = [("all", self.total)]
        for group, own in self.groups.items():
            lines += [(f"{group} {name}", t) for name, t in own.items()] if len(own) > 1 else []
        return TEMPLATES.get_template("evaluation.html").render(
            title=f"Evaluation of {self.about['bank']}", headline=_headline(row), tables=tables,
            measures=[(label, tables["with"][name], tables["without"][name]) for name, label in MEASURES.items()],
            time=(TIME, *_time_cells(**tables["latency"])), reasons=REASONS, reason_text=reason_text,
            checks=Check.registry, beside=_beside, metric_names=METRICS, unsaid=self.total.unsaid,
            lines_of_groups=lines, curve=of_confidence(self.bank),
            scales=[(words, *best_scores(self.bank, s), limits[_LIMITS[s]]) for s, words in SCALES.items()],
            counted=[group for group in groups if group[1]["all"]["n"]], not_defined=ANSWERS, outcome_names=OUTCOMES,
            lines=_lines, rate_text=_rate,
            outcomes=[_row(o) for o in self.outcomes],
            made_with={
                **{k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")},
                "limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"],
            },
        )  # fmt: skip
