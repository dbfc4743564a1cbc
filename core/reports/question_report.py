"""The report on one question, as one HTML file."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from core.book_titles import book, book_title, origin, page_title, with_page
from core.case import Evidence, Passage, Question, Trace
from core.chain import CheckResult, Verdict
from core.chain.display_rounding import decision_text, number, threshold_value, whole
from core.chain.facts import ZONE_NAMES, limits, zones
from core.chain.judged_sentences import WORDS, JudgedSentence, deciding
from core.chain.verdicts import counted_sentences
from core.check import GROUPS, Check, source_title
from core.checks import all_thresholds
from core.judgements import LABELS, decisiveness
from core.library import LibraryError
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect
from core.presentation.check_tiles import in_order, tally, tile
from core.presets import Difference, differences, display_name, modes_of, preset_text, values
from core.reports.templating import TEMPLATES
from core.retrieval.scoring import SCORES
from core.thresholds import MODE_NAMES, Preset
from core.words import ROUTES, STATES

MOST_PAGES = 6
"""Maximum number of pages drawn: a report is meant to be sent and printed."""
WIDTH = 900
"""Width in pixels: enough for formulas at the width of a printed page."""
LOOKS = {"passed": "good", "failed": "bad", "not_run": "quiet"}
"""CSS class, which sets the colour, of each state."""
_LABELS = {"entailment": ("good", "✓"), "neutral": ("quiet", "○"), "contradiction": ("bad", "✗")}
_MAX_READINGS = 3
"""Number of passages quoted for each sentence; the one that decided its label comes first."""
_MOST = 100
Cell = str | tuple[str, ...]
"""A table cell: text, or (text, small text under it, class of its state)."""


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """A picture of a page of a document. page: from 1. label: the page number that is printed on it.

    png: empty if `why`, the reason why it cannot be drawn, is set. marked: number of marked rectangles. sentences:
    numbers, from 1, of the answer sentences that the marked text decided; empty if it decided none and only bears on
    the question.
    """

    document: str
    page: int
    label: str = ""
    png: bytes = b""
    why: str = ""
    marked: int = 0
    sentences: tuple[int, ...] = ()

    @property
    def caption(self) -> str:
        """The caption of the picture."""
        location = f"{page_title(self.page, self.label)} of {self.document}"
        if not self.marked:
            return f"{location}. Where the sentences stand on it is not known."
        numbers = ", ".join(map(str, self.sentences))
        return (
            f"{location}. Marked: what decided sentence {numbers}."
            if numbers
            else f"{location}. Marked: what bears on the question."
        )


@dataclass(kw_only=True)
class _Page:
    """A page under construction, with the rectangles to mark on it; the other fields are as in PagePicture."""

    name: str
    why: str = ""
    label: str = ""
    marks: list[PageRect] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)


def used_passages(verdict: Verdict) -> tuple[int, ...]:
    """The indices of the passages that were cited or that decided a sentence, cited ones first."""
    count = len(verdict.round.case.evidence)
    citations = [c - 1 for s in verdict.sentences for c in s.citations if 1 <= c <= count]
    return tuple(dict.fromkeys([*citations, *(p for p in range(count) if deciding(verdict.round, p))]))


def page_pictures(
    verdict: Verdict, library: Any, progress: Callable[[int, int], None] = lambda _, __: None
) -> tuple[PagePicture, ...]:
    """Pictures of the pages with the used passages of `verdict` and its parts, at most MOST_PAGES, each drawn once.

    progress: called with the number drawn and the total. If the library no longer has a page, its picture says why.
    """
    pages: dict[tuple[str, int], _Page] = {}
    for part in verdict.parts or (verdict,):
        for index in used_passages(part) if part.round.case.question.contexts is None else ():  # contexts have no pages
            _mark(pages, part, index, library)
    pages_to_draw = list(pages.items())[:MOST_PAGES]
    return tuple(_draw_pages(pages_to_draw, library, progress))


def _mark(pages: dict[tuple[str, int], _Page], verdict: Verdict, index: int, library: Any) -> None:
    """Add the rectangles of one passage to `pages`, by (document, page): of the sentences that decided an answer
    sentence, else of those that bear on the query. index: of the passage in the evidence."""
    evidence = verdict.round.case.evidence[index]
    passage, sentence_by_index = evidence.passage, deciding(verdict.round, index)
    sentence_rects, problem = _sentence_rects(evidence, library)
    marks = marks_of(sentence_rects, sorted(sentence_by_index) or evidence.kept)
    for page in sorted({mark[0] for mark in marks}) or [passage.page]:
        entry = pages.setdefault((document_of(passage.id), page), _Page(name=book(passage), why=problem))
        entry.label = entry.label or passage.label(page)
        entry.marks += [mark for mark in marks if mark[0] == page]
        entry.sentences |= {s + 1 for s in sentence_by_index.values()}


def _sentence_rects(evidence: Evidence, library: Any) -> tuple[tuple[tuple[PageRect, ...], ...], str]:
    """The rectangles of each sentence of a passage, and "". If the document was removed: (), and why."""
    try:
        return tuple(library.sentence_rects(evidence.passage.id)), ""
    except LibraryError as error:
        return (), str(error)


def _draw_pages(
    pages_to_draw: list[tuple[tuple[str, int], _Page]], library: Any, progress: Callable[[int, int], None]
) -> Iterator[PagePicture]:
    for page_count, ((document, page), entry) in enumerate(pages_to_draw):
        progress(page_count, len(pages_to_draw))
        picture = PagePicture(
            document=entry.name, page=page, label=entry.label, why=entry.why, marked=len(entry.marks),
            sentences=tuple(sorted(entry.sentences)),
        )  # fmt: skip
        yield picture if entry.why else _with_png(picture, document, entry.marks, library)


def _with_png(picture: PagePicture, document: str, marks: list[PageRect], library: Any) -> PagePicture:
    try:
        png = library.picture(document, picture.page, tuple(dict.fromkeys(marks)), width=WIDTH)
    except LibraryError as error:
        return replace(picture, why=str(error))
    return replace(picture, png=png)


def evidence(verdict: Verdict) -> dict[str, Any]:
    """The evidence for the sentences of a verdict, in the form that the template expects."""
    delivery, count = verdict.delivery, len(verdict.sentences)
    has_changes = delivery and verdict.route in ("deliver_part", "deliver_corrected")
    changes = verdict.changes if len(verdict.changes) == count else (None,) * count
    return {
        "sentences": [(s, changes[n], _label(s), _reading_rows(verdict, n))
            for n, s in enumerate(verdict.sentences[:_MOST])
        ],
        "left_out": max(0, count - _MOST), "checks": [_stage(name, verdict.checks.values()) for name in GROUPS],
        "again": tally(delivery.checks.values()) if has_changes else "", "scales": SCORES,
        "scores": [
            (_passage_cell(verdict, n), *(number(getattr(e, name)) for name in SCORES))
            for n, e in enumerate(verdict.round.case.evidence)
        ],
        "quoted": [(_passage_cell(verdict, n), _quoted_sentences(verdict, n)) for n in used_passages(verdict)],
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


def _reading_rows(verdict: Verdict, n: int) -> list[tuple[str, str, str, str]]:
    """(passage, label in words, probability, text) of the passages read for sentence `n`, the deciding one first."""
    signals, windows = verdict.round.signals.get("entailment"), verdict.round.windows
    if signals is None or n >= len(windows):
        return []
    considered = np.flatnonzero(signals["considered"][n])
    probabilities = np.stack([signals[x][n] for x in LABELS], -1)  # (passages, labels)
    most_decisive = sorted(considered, key=lambda p: -decisiveness(probabilities[p]))[:_MAX_READINGS]
    return [
        _window(verdict.round.case.evidence[p].passage, int(p), windows[n][p], probabilities[p]) for p in most_decisive
    ]


def _window(
    passage: Passage, index: int, window: Sequence[int], probabilities: Sequence[float]
) -> tuple[str, str, str, str]:
    label_index, page = int(np.argmax(probabilities)), passage.pages[window[0]] if window else passage.page
    text = " ".join(passage.sentences[i] for i in window)
    return (
        f"[{index + 1}] {with_page(passage, page)}",
        WORDS[LABELS[label_index]],
        number(float(probabilities[label_index])),
        text,
    )


def _stage(stage: str, results: Iterable[CheckResult]) -> tuple[str, list[tuple[Cell, ...]]]:
    """A title, and a row for every check of a stage, with its state or the reason why it did not run."""
    stage_results = in_order(r for r in results if r.stage == stage)
    return f"{GROUPS[stage]}: {tally(stage_results)}", [_check(r) for r in stage_results]


def _check(result: CheckResult) -> tuple[Cell, ...]:
    check, tile_ = Check.registry[result.name], tile(result)
    cells = (
        (check.plain, f"{result.name}, {source_title(check.source_document)}"),
        (f"{STATES[tile_.state].sign} {tile_.state_text}", tile_.mode, LOOKS[tile_.state]),
    )
    if result.margin is None:
        return *cells, "", "", "", result.why
    comparison = decision_text(result, check)
    return *cells, tile_.value, (tile_.limit, comparison.unit), comparison.margin, result.why


def _passage_cell(verdict: Verdict, index: int) -> Cell:
    passage, page = verdict.round.case.passages[index], verdict.page_of(index)
    return f"[{index + 1}] {with_page(passage, page)}", origin(passage)


def _quoted_sentences(verdict: Verdict, index: int) -> list[tuple[str, bool, int | None]]:
    """For each sentence of a passage: its text, whether it was read, and which answer sentence it decided."""
    e, sentence_by_index = verdict.round.case.evidence[index], deciding(verdict.round, index)
    return [(text, i in e.kept, sentence_by_index.get(i)) for i, text in enumerate(e.passage.sentences)]


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
    question, moves, draft = trace.question, differences(base, preset), verdict.round.case.draft
    writer = _WRITERS.get(draft.writer, draft.writer) if draft else "nobody"
    preset_name = preset_text(base, len(moves))
    return TEMPLATES.get_template("question.html").render(
        title=f"Report: {question.query}", question=question, verdict=verdict, date=date, pictures=pictures,
        asked=" · ".join((_scope(question), f"preset {preset_name}", f"answered by {writer}")),
        routes=ROUTES, figures=lambda v: _figures(v, preset), banded=lambda v: band(v, preset), rests_on=evidence,
        base=display_name(base.name), moved=[_moved_row(d) for d in moves], limits=_limits(preset),
        idle=[f"{name}: {MODE_NAMES[mode]}" for name, mode in modes_of(preset).items() if mode != "blocks"],
        made_with={
            "date": date, "preset": preset_name, "answer by": writer, **trace.models, **made_with,
            "measured in": f"{trace.seconds:.1f} s",
        },
    )  # fmt: skip


def _scope(question: Question) -> str:
    scope = question.scope
    names = [
        f"class {scope.class_number}" if scope.class_number else "", scope.subject,
        ", ".join(map(book_title, scope.documents)), f"pages {scope.pages_text}" if scope.pages else "",
    ]  # fmt: skip
    return "asked of " + (", ".join(n for n in names if n) or "the whole library")


def _figures(verdict: Verdict, preset: Preset) -> str:
    """The number of supported sentences and the tier, as text. The confidence is shown by the band."""
    sentences = counted_sentences(verdict, preset)
    sentences_with_label = [s for s in sentences if s.label is not None]
    noun = "sentence" if len(sentences) == 1 else "sentences"
    support = (
        f"{sum(s.supported for s in sentences_with_label)} of {len(sentences)} {noun} supported."
        if sentences_with_label
        else ""
    )
    tier = f"Stage 2: {verdict.tier} tier." if verdict.tier else ""
    return " ".join(part for part in (support or "No sentence was compared with the passages.", tier) if part)


def band(verdict: Verdict, preset: Preset) -> dict[str, Any]:
    """Data for the drawing of the evidence confidence: its value, the zones, and the limits between them."""
    named_limit, free = limits(preset)
    return {
        "confidence": verdict.confidence, "drawn": str(whole(verdict.confidence)),
        "zones": [(name, ZONE_NAMES[name], *ends) 
            for name, ends in zones(named_limit, free).items()
            if ends[1] > ends[0]
        ],
        "marks": [m for m in dict.fromkeys((f"{named_limit:g}", f"{free:g}")) if m not in ("0", "100")],
    }  # fmt: skip


def _moved_row(d: Difference) -> tuple[Cell, ...]:
    """The table row of a limit that differs between the preset that the user picked and the current one."""
    direction = {"first": "looser", "second": "stricter", "neither": ""}[d.stricter]
    unit = all_thresholds()[d.key].unit if d.key in all_thresholds() else "mode"
    return _limit_name(d.key), _value_text(d.key, d.first), _value_text(d.key, d.second), unit, direction


def _limits(preset: Preset) -> list[tuple[Cell, ...]]:
    """A table row for every limit: its current value, the printed one (its default in code), unit and direction."""
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
