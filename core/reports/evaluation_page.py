"""The seeds' tables and pictures as parts of a report that prints well and runs nothing."""

from collections.abc import Iterator, Mapping
from html import escape

from core.banks.scored_bank import ValuedBank
from core.presets import values
from core.reports.html_page import table
from core.reports.plain_tables import Table, measures, told_tables
from core.reports.seed_tables import SeedTables
from core.reports.svg import BAD, GOOD, QUIET, bars, promises, strips
from core.thresholds import Preset
from core.tuning.reliability import of_confidence
from core.tuning.score_distributions import SCALES, rulers

PICTURE_STYLE = """
svg { width: 100%; max-width: 46rem; height: auto; display: block; margin: .6rem 0 1rem; font: 12px Georgia, serif;
  break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
"""
_LIMITS = {
    "cosine": "context_sufficiency.min_similarity_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "context_sufficiency.min_rerank_score",
}  # fmt: skip
"""The limit that stands on each scale, for the line through the scores."""


def evaluation_parts(bank: ValuedBank, found: SeedTables, preset: Preset, made_with: Mapping[str, str]) -> list[str]:
    """Tables with their pictures, then what was measured with which models; HTML in which all text is escaped."""
    performance, refusals, *others = told_tables(found)
    return [
        *_table(performance), _sides(found), *_table(refusals), _reasons(found),
        *(line for one in others for line in _table(one)), "<h2>Are the probabilities right?</h2>",
        _reliability(bank), "<h2>Where the syllabus ends</h2>", *_scores(bank, preset),
        "<h2>Measured with</h2>", _facts(made_with),
    ]  # fmt: skip


def _table(one: Table) -> Iterator[str]:
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


def _facts(made_with: Mapping[str, str]) -> str:
    return table((("what", 30), ("which", 70)), ((escape(k), escape(str(v))) for k, v in made_with.items()))
