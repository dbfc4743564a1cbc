"""An evaluation of a bank for people: sentences for a terminal, rows of JSON, and one HTML file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from core.banks.scored_bank import ValuedBank
from core.chain import verdict
from core.evaluation.outcomes import ANSWERS, QUESTIONS, Outcome, counts, outcome
from core.presets import values
from core.reports.html_page import BAD, GOOD, QUIET, bars, html_page, promises, strips, table, two
from core.reports.metrics import Metrics
from core.reports.seed_tables import SeedTables, Table, measures, seed_tables, told_tables
from core.thresholds import Preset
from core.tuning.score_distributions import SCALES, of_confidence, rulers

PICTURE_STYLE = """
svg { width: 100%; max-width: 46rem; height: auto; display: block; margin: .6rem 0 1rem; font: 12px Georgia, serif;
  break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
"""
_LIMITS = {
    "cosine": "context_sufficiency.min_similarity_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "context_sufficiency.min_rerank_score",
}  # fmt: skip
"""The limit that stands on each scale, for the line through the scores."""


def evaluation_parts(
    bank: ValuedBank, found: SeedTables, groups: Table, preset: Preset, made_with: Mapping[str, str]
) -> list[str]:
    """Tables with their pictures, then what was measured with which models; HTML in which all text is escaped."""
    performance, refusals, *others = told_tables(found)
    return [
        *_seed_table(performance), _sides(found), *_seed_table(refusals), _reasons(found),
        *(line for one in (*others, groups) for line in _seed_table(one)), "<h2>Are the probabilities right?</h2>",
        _reliability(bank), "<h2>Where the syllabus ends</h2>", *_scores(bank, preset),
        "<h2>Measured with</h2>",
        table((("what", 30), ("which", 70)), ((escape(k), escape(str(v))) for k, v in made_with.items())),
    ]  # fmt: skip


def _seed_table(one: Table) -> Iterator[str]:
    yield f"<h2>{escape(one.title)}</h2>\n<p>{escape(one.note)}</p>"
    yield table([(head, 0) for head in one.heads], ([escape(cell) for cell in row] for row in one.rows))


def _sides(found: SeedTables) -> str:
    both = zip(measures(found.guarded), measures(found.without), strict=True)
    rows = [
        (f"{label.partition(' (')[0]}{end}", rate, colour)
        for (label, guarded), (_, without) in both
        for end, rate, colour in ((", with", guarded, GOOD), (", without", without, BAD))
    ]
    return bars("What the guardrail changes, with 95 % intervals", [(r[0][:44], *r[1:]) for r in rows])


def _reasons(found: SeedTables) -> str:
    rows = [(name.replace("_", " "), rate, QUIET) for name, rate in found.refusals.items()]
    return bars("Why it refuses: share of all refusals", rows) if rows else ""


def _reliability(bank: ValuedBank) -> str:
    curve = of_confidence(bank.cases)
    if not curve.n:
        return "<p>Not measured: this bank holds no question with a label.</p>"
    title = f"Evidence confidence: off by {100 * curve.error:.0f} points in the mean of {curve.n} questions"
    points = [(b.said, b.true) for b in curve.bins]
    return promises(title, points, "confidence that was said", "share of questions whose best passage answers")


def _scores(bank: ValuedBank, preset: Preset) -> Iterator[str]:
    now = values(preset)
    for scale, words in SCALES.items():
        found = rulers(bank.cases, scale)
        if not found:
            yield f"<p>{escape(words)}: not measured, since this bank holds no question to lay a ruler along.</p>"
            continue
        one = found[0]
        rows = [
            (f"of the syllabus, n {len(one.inside)}", one.inside, GOOD),
            (f"not of the syllabus, n {len(one.outside)}", one.outside, BAD),
        ]
        title = f"{words}: the best score of each question ({one.model})"
        yield strips(title, rows, now[_LIMITS[scale]])


def in_words(found: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, a line for each kind and expectation."""
    lines = [_headline(found)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if found[group]["all"]["n"]:
            lines += ["", *(f"{label}: {_said(counted, names)}" for label, counted in _lines(found[group]))]
    return "\n".join(lines)


def page(found: Mapping[str, Any], outcomes: Sequence[Outcome], parts: Sequence[str] = ()) -> str:
    """The evaluation as one HTML page: `parts`, which are HTML already, counts, then every row with what became of it.

    All text of others is escaped.
    """
    tables = [
        _counts_table(title, found[group], names)
        for title, group, names in (("Questions", "questions", QUESTIONS), ("Judged answers", "answers", ANSWERS))
        if found[group]["all"]["n"]
    ]
    title = f"Evaluation of {found['bank']}"
    head = [
        f"<h1>{escape(title)}</h1>\n<p>{escape(_headline(found))}</p>",
        "<p>Each count stands with its share and a 95 % interval (Wilson).</p>",
    ]
    return html_page(title, [*head, *parts, *tables, _rows_table(outcomes)], style=PICTURE_STYLE)


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


def _counts_table(title: str, group: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The counts as a table; an outcome that never happened has no column."""
    shown = [name for name in names if group["all"][name]["count"]]
    heads = [(name.replace("_", " "), 0) for name in ("kind", "n", *shown)]
    rows = [
        (escape(label), str(counted["n"]), *(_rate(counted[name]) for name in shown))
        for label, counted in _lines(group)
    ]
    meaning = "; ".join(f"{name.replace('_', ' ')}: {names[name]}" for name in shown)
    return f"<h2>{escape(title)}</h2>\n<p>{escape(meaning)}.</p>\n{table(heads, rows)}"


def _rows_table(outcomes: Sequence[Outcome]) -> str:
    heads = (("row", 18), ("question, and the answer to judge", 34), ("became", 14), ("what the user gets", 34))
    return f"<h2>Every row</h2>\n{table(heads, map(_row, outcomes))}"


def _row(o: Outcome) -> list[str]:
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (o.primary_reason or "").replace("_", " ")
    cells = (
        (o.row.get("id") or "", kind), (o.row["query"], o.row.get("answer") or ""), (o.name.replace("_", " "), reason),
        (o.answer, ""),
    )  # fmt: skip
    return [two(*cell) for cell in cells]


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
        """The report: one HTML file that prints well, loads nothing and runs nothing."""
        made_with = {k: self.about[k] for k in ("bank", "preset", "profile", "writer", "date")}
        made_with |= {"limits moved": ", ".join(self.about["moved"]) or "none", **self.about["models"]}
        parts = evaluation_parts(self.bank, self.tables, self.metrics.table(), self.preset, made_with)
        return page(self.row(), self.outcomes, parts)
