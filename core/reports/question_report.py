"""One question from end to end as one HTML file: what was asked and said, why, and everything that it rests on."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.case import Question, Trace
from core.chain import Verdict
from core.chain.display_rounding import beside, threshold_value
from core.chain.facts import limits, zones
from core.chain.messages import ENDS
from core.chain.verdicts import counted_sentences
from core.check import Check
from core.checks import all_thresholds
from core.presets import Difference, differences, modes_of, titled, told, values
from core.reports.html_page import TEMPLATES
from core.reports.question_evidence import Cell, PagePicture, evidence
from core.text.book_titles import book_title
from core.thresholds import Preset

_WRITERS = {
    "extractive": "the library's own sentences", "correction": "the library's own sentences", "given": "a given answer",
    "reply": "a ready reply",
}  # fmt: skip
"""Writers in plain words; others are called as they call themselves."""


def file_name(query: str) -> str:
    """A name for the report on `query` that any system takes: "report-what-is-sound.html"."""
    words = "-".join(re.findall(r"[a-z0-9]+", query.lower()))[:60].strip("-")
    return f"report-{words}.html" if words else "report.html"


def page(
    *, trace: Trace, verdict: Verdict, preset: Preset, base: Preset, date: str,
    made_with: Mapping[str, str] = MappingProxyType({}), pictures: Sequence[PagePicture] = (),
) -> str:  # fmt: skip
    """The whole report as HTML that loads nothing and runs nothing. All text of others in it is escaped.

    preset: what decided; base: the one that was picked, before anything was moved. date: when, as it is to be read.
    made_with: what else was set, in words, such as {"passages fetched": "8"}.
    """
    question, moved, writer = trace.question, differences(base, preset), _writer(verdict)
    picked = told(base, len(moved))
    return TEMPLATES.get_template("question.html").render(
        title=f"Report: {question.query}", question=question, verdict=verdict, date=date, pictures=pictures,
        asked=" · ".join((_scope(question), f"preset {picked}", f"answered by {writer}")),
        ends=ENDS, figures=lambda v: _figures(v, preset), banded=lambda v: band(v, preset), rests_on=evidence,
        base=titled(base.name), moved=[_moved(d) for d in moved], limits=_limits(preset),
        idle=[f"{name} {mode}" for name, mode in modes_of(preset).items() if mode != "blocks"],
        made_with={
            "date": date, "preset": picked, "answer by": writer, **trace.models, **made_with,
            "measured in": f"{trace.seconds:.1f} s",
        },
    )  # fmt: skip


def _scope(question: Question) -> str:
    scope = question.scope
    pages = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in scope.pages)
    named = [
        f"class {scope.class_number}" if scope.class_number else "", scope.subject,
        ", ".join(map(book_title, scope.documents)), f"pages {pages}" if pages else "",
    ]  # fmt: skip
    return "asked of " + (", ".join(n for n in named if n) or "the whole library")


def _writer(verdict: Verdict) -> str:
    draft = verdict.round.case.draft
    return _WRITERS.get(draft.writer, draft.writer) if draft else "nobody"


def _figures(verdict: Verdict, preset: Preset) -> str:
    """Supported sentences and the tier, each under its own name; the band says the confidence."""
    counted = counted_sentences(verdict, preset)
    read = [s for s in counted if s.label is not None]
    noun = "sentence" if len(counted) == 1 else "sentences"
    said = f"Supported: {sum(s.supported for s in read)} of {len(counted)} {noun}." if read else ""
    tier = f"Stage 2: {verdict.tier} tier." if verdict.tier else ""
    return " ".join(part for part in (said or "No sentence was read against the passages.", tier) if part)


def band(verdict: Verdict, preset: Preset) -> dict[str, Any]:
    """What the drawing of the evidence confidence shows: its value, the zones, and the limits that part them."""
    named, free = limits(preset)
    return {
        "confidence": verdict.confidence, "drawn": beside(verdict.confidence, named, free, least=0),
        "zones": [(name, *ends) for name, ends in zones(named, free).items() if ends[1] > ends[0]],
        "marks": [m for m in dict.fromkeys((f"{named:g}", f"{free:g}")) if m not in ("0", "100")],
    }  # fmt: skip


def _moved(d: Difference) -> tuple[Cell, ...]:
    """A limit in the preset that was picked and here."""
    way = {"first": "looser", "second": "stricter", "neither": ""}[d.stricter]
    unit = all_thresholds()[d.key].unit if d.key in all_thresholds() else "mode"
    return _named(d.key), _drawn(d.key, d.first), _drawn(d.key, d.second), unit, way


def _limits(preset: Preset) -> list[tuple[Cell, ...]]:
    """Every limit as it is here and as it is printed."""
    here = values(preset)
    return [
        (_named(key), _drawn(key, here[key]), _drawn(key, t.default), t.unit, t.stricter)
        for key, t in all_thresholds().items()
    ]


def _named(key: str) -> Cell:
    threshold = all_thresholds().get(key)
    return threshold.label if threshold else f"Mode: {Check.registry[key.partition('.')[0]].plain}", key


def _drawn(key: str, value: float | str) -> str:
    return value if isinstance(value, str) else threshold_value(all_thresholds()[key], value)
