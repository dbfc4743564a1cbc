"""The report on one question, as one HTML file."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from core.book_titles import book_title, origin, with_page
from core.case import Trace
from core.check import GROUPS, Check, source_title
from core.checks import all_thresholds
from core.decide import CheckResult, Verdict
from core.decide.evidence import ZONE_NAMES, limits, zones
from core.decide.judged_sentences import WORDS, JudgedSentence, deciding
from core.decide.verdicts import counted_sentences
from core.judgements import LABELS, decisiveness
from core.presentation.check_tiles import in_order, limit_words, tally, tile
from core.presets import differences, display_name, modes_of, preset_text, values
from core.reply.display_rounding import decision_text, number, whole
from core.reports.page_pictures import PagePicture, used_passages
from core.reports.templating import TEMPLATES
from core.retrieval.scoring import SCORES
from core.thresholds import MODE_NAMES, Preset
from core.words import ROUTES, STATES

LOOKS = {"passed": "good", "failed": "bad", "not_run": "quiet"}
"""CSS class, which sets the colour, of each state."""
_LABELS = {"entailment": ("good", "✓"), "neutral": ("quiet", "○"), "contradiction": ("bad", "✗")}
_MAX_READINGS = 3
"""Number of passages quoted for each sentence; the one that decided its label comes first."""
_MOST = 100
_WRITERS = {
    "extractive": "the library's own sentences", "correction": "the library's own sentences",
    "given": "a pasted answer", "reply": "a ready reply",
}  # fmt: skip
"""Writers in plain words; any other writer is shown under its own name."""
Cell = str | tuple[str, ...]
"""A table cell: text, or (text, small text under it, class of its state)."""


def page(
    *, trace: Trace, verdict: Verdict, preset: Preset, base: Preset, date: str,
    made_with: Mapping[str, str] = MappingProxyType({}), pictures: Sequence[PagePicture] = (),
) -> str:  # fmt: skip
    """The whole report as HTML that loads nothing and runs no script. All external text is escaped.

    preset: the preset that decided. base: the preset that the user picked before moving limits.
    date: as it is to be shown. made_with: further settings in words, such as {"passages fetched": "8"}.
    """
    scope = trace.question.scope.in_words(map(book_title, trace.question.scope.documents)) or "the whole library"
    question, moves, draft = trace.question, differences(base, preset), verdict.round.case.draft
    writer = _WRITERS.get(draft.writer, draft.writer) if draft else "none"
    preset_name, current = preset_text(base, len(moves)), values(preset)
    directions = {"first": "looser", "second": "stricter", "neither": ""}
    return TEMPLATES.get_template("question.html").render(
        title=f"Report: {question.query}", question=question, verdict=verdict, date=date, pictures=pictures,
        asked=" · ".join((f"searched: {scope}", f"preset {preset_name}", f"answer: {writer}")),
        routes=ROUTES, counted=lambda v: counted_sentences(v, preset), banded=lambda v: band(v, preset),
        rests_on=evidence, base=display_name(base.name),
        moved=[(*_limit(d.key, d.first, d.second), directions[d.stricter]) for d in moves],
        limits=[(*_limit(key, current[key], t.default), t.stricter) for key, t in all_thresholds().items()],
        idle=[f"{name}: {MODE_NAMES[mode]}" for name, mode in modes_of(preset).items() if mode != "blocks"],
        made_with={
            "date": date, "preset": preset_name, "answer": writer, **trace.models, **made_with,
            "measured in": f"{trace.seconds:.1f} s",
        },
    )  # fmt: skip


def _limit(key: str, *limit_values: float | str) -> tuple[Cell, ...]:
    """The cells of a limit or a mode in a table: its name with its key, these values of it, and its unit."""
    name, *texts = limit_words(key, *limit_values)
    return (name, key), *texts


def band(verdict: Verdict, preset: Preset) -> dict[str, Any]:
    """Data for the drawing of the evidence confidence: its value, the zones, and the limits between them."""
    named_limit, free = limits(preset)
    drawn_zones = [(name, *ends) for name, ends in zones(named_limit, free).items() if ends[1] > ends[0]]
    return {
        "confidence": verdict.confidence, "drawn": str(whole(verdict.confidence)),
        "zones": [(name, ZONE_NAMES[name], low, high) for name, low, high in drawn_zones],
        "marks": [m for m in dict.fromkeys((f"{named_limit:g}", f"{free:g}")) if m not in ("0", "100")],
    }  # fmt: skip


def evidence(verdict: Verdict) -> dict[str, Any]:
    """The evidence for the sentences of a verdict, in the form that the template expects."""
    delivery, count, case = verdict.delivery, len(verdict.sentences), verdict.round.case
    has_changes = delivery and verdict.route in ("deliver_part", "deliver_corrected")
    changes = verdict.changes if len(verdict.changes) == count else (None,) * count
    stages = {name: in_order(r for r in verdict.checks.values() if r.stage == name) for name in GROUPS}
    passages = [
        (f"[{n + 1}] {with_page(e.passage, verdict.page_of(n))}", origin(e.passage))
        for n, e in enumerate(case.evidence)
    ]
    return {
        "sentences": [
            (s, changes[n], _label(s), _readings(verdict, n)) for n, s in enumerate(verdict.sentences[:_MOST])
        ],
        "left_out": max(0, count - _MOST),
        "checks": [(f"{GROUPS[name]}: {tally(results)}", map(_check, results)) for name, results in stages.items()],
        "again": tally(delivery.checks.values()) if has_changes else "", "scales": SCORES,
        "scores": [
            (passages[n], *(number(getattr(e, name)) for name in SCORES)) for n, e in enumerate(case.evidence)
        ],
        "quoted": [
            (passages[n], case.evidence[n].passage.sentences, case.evidence[n].kept, deciding(verdict.round, n))
            for n in used_passages(verdict)
        ],
    }  # fmt: skip


def _label(sentence: JudgedSentence) -> tuple[str, str, str]:
    """(colour class, plain words, the three probabilities) of the NLI label of a sentence."""
    if sentence.abstains:
        return "quiet", "○ says that there is no answer", ""
    if sentence.label is None:
        return "quiet", "○ not compared with the passages", ""
    css_class, shape = _LABELS[sentence.label]
    probabilities = ", ".join(f"{label} {number(getattr(sentence, label))}" for label in LABELS)
    return css_class, f"{shape} the evidence {WORDS[sentence.label]}", probabilities


def _readings(verdict: Verdict, n: int) -> list[tuple[str, str, str, str]]:
    """(passage, label in words, probability, text) of the passages read for sentence `n`, the deciding one first."""
    signals, windows = verdict.round.signals.get("entailment"), verdict.round.windows
    if signals is None or n >= len(windows):
        return []
    probabilities = np.stack([signals[x][n] for x in LABELS], -1)  # (passages, labels)
    most_decisive = sorted(np.flatnonzero(signals["considered"][n]), key=lambda p: -decisiveness(probabilities[p]))
    rows = []
    for p in most_decisive[:_MAX_READINGS]:
        passage, window, label = verdict.round.case.evidence[p].passage, windows[n][p], int(np.argmax(probabilities[p]))
        place = with_page(passage, passage.pages[window[0]] if window else passage.page)
        text = " ".join(passage.sentences[i] for i in window)
        rows.append((f"[{p + 1}] {place}", WORDS[LABELS[label]], number(float(probabilities[p, label])), text))
    return rows


def _check(result: CheckResult) -> tuple[Cell, ...]:
    """The row of a check, with its state or the reason why it did not run."""
    check, tile_ = Check.registry[result.name], tile(result)
    cells = (
        (check.plain, f"{result.name}, {source_title(check.source_document)}"),
        (f"{STATES[tile_.state].sign} {tile_.state_text}", tile_.mode, LOOKS[tile_.state]),
    )
    if result.margin is None:
        return *cells, "", "", "", result.why
    comparison = decision_text(result, check)
    return *cells, tile_.value, (tile_.limit, comparison.unit), comparison.margin, result.why
