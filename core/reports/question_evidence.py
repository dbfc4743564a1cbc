"""What a report says of the checks, sentences and passages of a verdict, with pictures of the pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.case import Evidence, Passage
from core.chain import CheckResult, Verdict
from core.chain.check_results import passed
from core.chain.display_rounding import compared, number
from core.chain.judged_sentences import WORDS, JudgedSentence, cited_page, deciding
from core.check import GROUPS, Check
from core.judgements import LABELS, decided
from core.library import LibraryError
from core.library.passage_store import document_of, marks_of
from core.pdf.page import Place
from core.retrieval.scoring import SCORES
from core.text.book_titles import book, origin, page_title, with_page

MOST_PAGES = 6
"""More pages than this are not drawn: a report is to be sent and printed."""
WIDTH = 900
"""Pixels: enough for formulae at the width of a printed page."""
STATES = {"passed": ("good", "✓ passed"), "failed": ("bad", "✗ failed"), "not_run": ("quiet", "○ not run")}
"""Colour, and shape with word, of each state."""
_LABELS = {"entailment": ("good", "✓"), "neutral": ("quiet", "○"), "contradiction": ("bad", "✗")}
_MODE_WORDS = {"blocks": "blocks", "watches": "watches only", "off": "off"}
_MOST_READ = 3
"""Passages that are quoted for each sentence, the one that gave the label first."""
_MOST = 100
Cell = str | tuple[str, ...]
"""Of a table: text, or (text, what stands small under it, class of its state)."""


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """A page, counted from 1, of a document under the title that readers know it by.

    png: empty where `why` says why there is none. sentences: those of the answer, from 1, that what is marked decided;
    none where the marks are what was read.
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
        """What the picture shows."""
        said = f"{page_title(self.page, self.label)} of {self.document}"
        if not self.marked:
            return f"{said}. Where the sentences stand on it is not known."
        numbers = ", ".join(map(str, self.sentences))
        return f"{said}. Marked: what decided sentence {numbers}." if numbers else f"{said}. Marked: what was read."


@dataclass(kw_only=True)
class _Page:
    """What is to be marked on one page."""

    name: str
    why: str = ""
    label: str = ""
    marks: list[Place] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)


def used(verdict: Verdict) -> tuple[int, ...]:
    """Places in the evidence of the passages that were cited or decided a sentence, those cited first."""
    count = len(verdict.round.case.evidence)
    cited = [c - 1 for s in verdict.sentences for c in s.citations if 1 <= c <= count]
    return tuple(dict.fromkeys([*cited, *(p for p in range(count) if deciding(verdict.round, p))]))


def page_pictures(
    verdict: Verdict, library: Any, progress: Callable[[int, int], None] = lambda _, __: None
) -> tuple[PagePicture, ...]:
    """The pages of the used passages of `verdict`, and of its parts, at most MOST of them, each drawn once.

    progress: called with how many are drawn, of how many. Where the library no longer has a page, it says why.
    """
    pages: dict[tuple[str, int], _Page] = {}
    for one in verdict.parts or (verdict,):
        for place in used(one) if one.round.case.question.contexts is None else ():  # those are of no book
            _mark(pages, one, place, library)
    shown = list(pages.items())[:MOST_PAGES]
    return tuple(_drawn(shown, library, progress))


def _mark(pages: dict[tuple[str, int], _Page], verdict: Verdict, place: int, library: Any) -> None:
    """Add what mattered of one passage to the pages that it stands on."""
    evidence = verdict.round.case.evidence[place]
    passage, decided = evidence.passage, deciding(verdict.round, place)
    places, why = _places(evidence, library)
    marks = marks_of(places, sorted(decided) or evidence.kept)
    for page in sorted({mark[0] for mark in marks}) or [passage.page]:
        about = pages.setdefault((document_of(passage.id), page), _Page(name=book(passage), why=why))
        about.label = about.label or passage.label(page)
        about.marks += [mark for mark in marks if mark[0] == page]
        about.sentences |= {s + 1 for s in decided.values()}


def _places(evidence: Evidence, library: Any) -> tuple[tuple[tuple[Place, ...], ...], str]:
    """Where the sentences of a passage stand; nowhere, and why, when its document was removed."""
    try:
        return tuple(library.places(evidence.passage.id)), ""
    except LibraryError as error:
        return (), str(error)


def _drawn(
    shown: list[tuple[tuple[str, int], _Page]], library: Any, progress: Callable[[int, int], None]
) -> Iterator[PagePicture]:
    for done, ((document, page), about) in enumerate(shown):
        progress(done, len(shown))
        picture = PagePicture(
            document=about.name, page=page, label=about.label, why=about.why, marked=len(about.marks),
            sentences=tuple(sorted(about.sentences)),
        )  # fmt: skip
        yield picture if about.why else _with_png(picture, document, about.marks, library)


def _with_png(picture: PagePicture, document: str, marks: list[Place], library: Any) -> PagePicture:
    try:
        png = library.picture(document, picture.page, tuple(dict.fromkeys(marks)), width=WIDTH)
    except LibraryError as error:
        return replace(picture, why=str(error))
    return replace(picture, png=png)


def evidence(verdict: Verdict) -> dict[str, Any]:
    """What the sentences of a verdict rest on, as the template of that name shows it."""
    delivery, count = verdict.delivery, len(verdict.sentences)
    changed = delivery and verdict.route in ("deliver_part", "deliver_corrected")
    changes = verdict.changes if len(verdict.changes) == count else (None,) * count
    return {
        "sentences": [(s, changes[n], _label(s), _read(verdict, n)) for n, s in enumerate(verdict.sentences[:_MOST])],
        "left_out": max(0, count - _MOST), "checks": [_stage(name, verdict.checks.values()) for name in GROUPS],
        "again": passed(list(delivery.checks.values())) if changed else "", "scales": SCORES,
        "scores": [
            (_where(verdict, n), *(number(getattr(e, name)) for name in SCORES))
            for n, e in enumerate(verdict.round.case.evidence)
        ],
        "quoted": [(_where(verdict, n), _marked(verdict, n)) for n in used(verdict)],
    }  # fmt: skip


def _label(sentence: JudgedSentence) -> tuple[str, str, str]:
    """(look, plain words, three probabilities) of what language inference says of a sentence."""
    if sentence.abstains:
        return "quiet", "○ says that there is no answer", ""
    if sentence.label is None:
        return "quiet", "○ not read against the passages", ""
    look, shape = _LABELS[sentence.label]
    listed = ", ".join(f"{label} {number(getattr(sentence, label))}" for label in LABELS)
    return look, f"{shape} the evidence {WORDS[sentence.label]}", listed


def _read(verdict: Verdict, n: int) -> list[tuple[str, str, str, str]]:
    """(passage, what it does, probability, words) of what sentence `n` was read against, what gave its label first."""
    signals, windows = verdict.round.signals.get("entailment"), verdict.round.windows
    if signals is None or n >= len(windows):
        return []
    considered = np.flatnonzero(signals["considered"][n])
    read = np.stack([signals[x][n] for x in LABELS], -1)  # (passage, label)
    most_decided = sorted(considered, key=lambda p: -decided(read[p]))[:_MOST_READ]
    return [_window(verdict.round.case.evidence[p].passage, int(p), windows[n][p], read[p]) for p in most_decided]


def _window(passage: Passage, place: int, window: Sequence[int], read: Sequence[float]) -> tuple[str, str, str, str]:
    best, page = int(np.argmax(read)), passage.pages[window[0]] if window else passage.page
    text = " ".join(passage.sentences[i] for i in window)
    return f"[{place + 1}] {with_page(passage, page)}", WORDS[LABELS[best]], number(float(read[best])), text


def _stage(stage: str, results: Iterable[CheckResult]) -> tuple[str, list[tuple[Cell, ...]]]:
    """A title, and a row for every check of a stage with its state or the cause why it did not run."""
    mine = [r for r in results if r.stage == stage]
    return f"{GROUPS[stage]}: {passed(mine)}", [_check(r) for r in mine]


def _check(result: CheckResult) -> tuple[Cell, ...]:
    check = Check.registry[result.name]
    look, words = STATES[result.state]
    cause = {"error": ", it broke", None: ""}.get(result.cause, f", {result.cause}")
    source = "ours" if check.seed == "ours" else f"seed {check.seed}"
    about = ((check.plain, f"{result.name}, {source}"), (words + cause, _MODE_WORDS[result.mode], look))
    if result.margin is None:
        return *about, "", "", "", result.why
    drawn = compared(result, check)
    return *about, drawn.value, f"{drawn.relation} {drawn.limit} {drawn.unit}", drawn.margin, result.why


def _where(verdict: Verdict, place: int) -> Cell:
    passage, page = verdict.round.case.passages[place], cited_page(verdict.round, place, verdict.sentences)
    return f"[{place + 1}] {with_page(passage, page)}", origin(passage)


def _marked(verdict: Verdict, place: int) -> list[tuple[str, bool, int | None]]:
    """(text, whether it was read, which sentence of the answer it decided) of each sentence of a passage."""
    e, by = verdict.round.case.evidence[place], deciding(verdict.round, place)
    return [(text, i in e.kept, by.get(i)) for i, text in enumerate(e.passage.sentences)]
