"""One question from start to end as an HTML file: question, answer, reasons, and all the evidence."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.case import Question, Trace
from core.chain import Verdict
from core.chain.display_rounding import beside, threshold_value
from core.chain.facts import ZONE_NAMES, limits, zones
from core.chain.messages import ENDS
from core.chain.verdicts import counted_sentences
from core.check import Check
from core.checks import all_thresholds
from core.presets import Difference, differences, modes_of, preset_text, titled, values
from core.reports.html_page import TEMPLATES
from core.reports.question_evidence import Cell, PagePicture, evidence
from core.text.book_titles import book_title
from core.thresholds import MODE_NAMES, Preset

_WRITERS = {
    "extractive": "the library's own sentences", "correction": "the library's own sentences", "given": "a given answer",
    "reply": "a ready reply",
}  # fmt: skip
"""Writers in plain words; any other writer is shown under its own name."""


def file_name(query: str) -> str:
    """A file name for the report on `query` that is valid on every system: "report-what-is-sound.html"."""
    words = "-".join(re.findall(r"[a-z0-9]+", query.lower()))[:60].strip("-")
    return f"report-{words}.html" if words else "report.html"


def page(
    *, trace: Trace, verdict: Verdict, preset: Preset, base: Preset, date: str,
    made_with: Mapping[str, str] = MappingProxyType({}), pictures: Sequence[PagePicture] = (),
) -> str:  # fmt: skip
    """The whole report as HTML that loads nothing and runs no script. All external text is escaped.

    preset: the preset that decided. base: the preset that the user picked before moving limits.
    date: as it is to be shown. made_with: further settings in words, such as {"passages fetched": "8"}.
    """
    question, moved, writer = trace.question, differences(base, preset), _writer(verdict)
    picked = preset_text(base, len(moved))
    return TEMPLATES.get_template("question.html").render(
        title=f"Report: {question.query}", question=question, verdict=verdict, date=date, pictures=pictures,
        asked=" · ".join((_scope(question), f"preset {picked}", f"answered by {writer}")),
        ends=ENDS, figures=lambda v: _figures(v, preset), banded=lambda v: band(v, preset), rests_on=evidence,
        base=titled(base.name), moved=[_moved_row(d) for d in moved], limits=_limits(preset),
        idle=[f"{name}: {MODE_NAMES[mode]}" for name, mode in modes_of(preset).items() if mode != "blocks"],
        made_with={
            "date": date, "preset": picked, "answer by": writer, **trace.models, **made_with,
            "measured in": f"{trace.seconds:.1f} s",
        },
    )  # fmt: skip


def _scope(question: Question) -> str:
    scope = question.scope
    named = [
        f"class {scope.class_number}" if scope.class_number else "", scope.subject,
        ", ".join(map(book_title, scope.documents)), f"pages {scope.pages_text}" if scope.pages else "",
    ]  # fmt: skip
    return "asked of " + (", ".join(n for n in named if n) or "the whole library")


def _writer(verdict: Verdict) -> str:
    draft = verdict.round.case.draft
    return _WRITERS.get(draft.writer, draft.writer) if draft else "nobody"


def _figures(verdict: Verdict, preset: Preset) -> str:
    """The number of supported sentences and the tier, as text. The confidence is shown by the band."""
    sentences = counted_sentences(verdict, preset)
    labelled = [s for s in sentences if s.label is not None]
    noun = "sentence" if len(sentences) == 1 else "sentences"
    support = f"{sum(s.supported for s in labelled)} of {len(sentences)} {noun} supported." if labelled else ""
    tier = f"Stage 2: {verdict.tier} tier." if verdict.tier else ""
    return " ".join(part for part in (support or "No sentence was compared with the passages.", tier) if part)


def band(verdict: Verdict, preset: Preset) -> dict[str, Any]:
    """Data for the drawing of the evidence confidence: its value, the zones, and the limits between them."""
    named, free = limits(preset)
    return {
        "confidence": verdict.confidence, "drawn": beside(verdict.confidence, named, free, least=0),
        "zones": [(name, ZONE_NAMES[name], *ends) for name, ends in zones(named, free).items() if ends[1] > ends[0]],
        "marks": [m for m in dict.fromkeys((f"{named:g}", f"{free:g}")) if m not in ("0", "100")],
    }  # fmt: skip


def _moved_row(d: Difference) -> tuple[Cell, ...]:
    """The table row of a limit that differs between the picked preset and this one."""
    direction = {"first": "looser", "second": "stricter", "neither": ""}[d.stricter]
    unit = all_thresholds()[d.key].unit if d.key in all_thresholds() else "mode"
    return _limit_name(d.key), _value_text(d.key, d.first), _value_text(d.key, d.second), unit, direction


def _limits(preset: Preset) -> list[tuple[Cell, ...]]:
    """A table row for every limit: its current value and its printed one."""
    current = values(preset)
    return [
        (_limit_name(key), _value_text(key, current[key]), _value_text(key, t.default), t.unit, t.stricter)
        for key, t in all_thresholds().items()
    ]


def _limit_name(key: str) -> Cell:
    threshold = all_thresholds().get(key)
    return threshold.label if threshold else f"Mode: {Check.registry[key.partition('.')[0]].plain}", key


def _value_text(key: str, value: float | str) -> str:
    return MODE_NAMES[value] if isinstance(value, str) else threshold_value(all_thresholds()[key], value)
