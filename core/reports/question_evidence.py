"""What a report says of the checks, sentences and passages of a verdict, with pictures of the pages. All is escaped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np

from core.case import Evidence
from core.chain import CheckResult, Verdict
from core.chain.check_results import passed
from core.chain.delivery import Change
from core.chain.display_rounding import compared, number
from core.chain.judged_sentences import WORDS, JudgedSentence, cited_page, deciding
from core.check import GROUPS, Check
from core.judgements import LABELS, decided
from core.library import LibraryError
from core.library.passage_store import document_of, marks_of
from core.pdf.page import Place
from core.reports.html_page import table, two
from core.retrieval.scoring import SCORES
from core.text.book_titles import book, origin, with_page

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
_MOST_SENTENCES = 100


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """A page, counted from 1, of a document under the title that readers know it by.

    png: empty where `why` says why there is none. sentences: those of the answer, from 1, that what is marked decided;
    none where the marks are what was read.
    """

    document: str
    page: int
    png: bytes = b""
    why: str = ""
    marked: int = 0
    sentences: tuple[int, ...] = ()

    @property
    def caption(self) -> str:
        """What the picture shows."""
        said = f"Page {self.page} of {self.document}"
        if not self.marked:
            return f"{said}. Where the sentences stand on it is not known."
        numbers = ", ".join(map(str, self.sentences))
        return f"{said}. Marked: what decided sentence {numbers}." if numbers else f"{said}. Marked: what was read."


@dataclass(kw_only=True)
class _Page:
    """What is to be marked on one page."""

    name: str
    why: str = ""
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
            document=about.name, page=page, why=about.why, marked=len(about.marks),
            sentences=tuple(sorted(about.sentences)),
        )  # fmt: skip
        yield picture if about.why else _with_png(picture, document, about.marks, library)


def _with_png(picture: PagePicture, document: str, marks: list[Place], library: Any) -> PagePicture:
    try:
        png = library.picture(document, picture.page, tuple(dict.fromkeys(marks)), width=WIDTH)
    except LibraryError as error:
        return replace(picture, why=str(error))
    return replace(picture, png=png)


def checks(results: Mapping[str, CheckResult]) -> Iterator[str]:
    """A table for each stage: every check with its state or the cause why it did not run."""
    heads = (("check", 23), ("state", 12), ("found", 8), ("asked for", 15), ("margin", 8), ("why", 34))
    for stage, title in GROUPS.items():
        mine = [r for r in results.values() if r.stage == stage]
        yield f"<h3>{escape(title)}: {passed(mine)}</h3>"
        yield table(heads, (_check(r) for r in mine))


def _check(result: CheckResult) -> list[str]:
    check = Check.registry[result.name]
    look, words = STATES[result.state]
    cause = {"error": ", it broke", None: ""}.get(result.cause, f", {result.cause}")
    state = f'<b class="{look}">{escape(words + cause)}</b><br><small>{escape(_MODE_WORDS[result.mode])}</small>'
    source = "ours" if check.seed == "ours" else f"seed {check.seed}"
    about = [two(check.plain, f"{result.name}, {source}"), state]
    if result.margin is None:
        return [*about, "", "", "", escape(result.why)]
    drawn = compared(result, check)
    asked = f"{drawn.relation} {drawn.limit} {drawn.unit}"
    return [*about, escape(drawn.value), escape(asked), escape(drawn.margin), escape(result.why)]


def sentences(verdict: Verdict) -> Iterator[str]:
    """Each sentence of the judged answer with its label, what became of it, and the words that it was read against."""
    if not verdict.sentences:
        yield "<p>No answer was written, so there is no sentence to read.</p>"
    changes = verdict.changes if len(verdict.changes) == len(verdict.sentences) else (None,) * len(verdict.sentences)
    for n, (sentence, change) in enumerate(zip(verdict.sentences, changes, strict=True)):
        if n == _MOST_SENTENCES:
            yield f"<p>The other {len(verdict.sentences) - n} sentences are left out here.</p>"
            return
        yield '<section class="sentence">'
        yield f"<h3>Sentence {n + 1} {_label(sentence)}</h3>"
        yield f"<blockquote>{escape(sentence.text)}{_marks(sentence)}</blockquote>"
        yield from _became(change)
        yield from _read_against(verdict, n)
        yield "</section>"


def _label(sentence: JudgedSentence) -> str:
    """What language inference says of a sentence, in plain words with its three probabilities beside them."""
    if sentence.label is None:
        return '<span class="quiet">○ not read against the passages</span>'
    look, shape = _LABELS[sentence.label]
    listed = ", ".join(f"{label} {number(getattr(sentence, label))}" for label in LABELS)
    return f'<span class="{look}">{shape} the evidence {WORDS[sentence.label]}</span> <small>{listed}</small>'


def _marks(sentence: JudgedSentence) -> str:
    marks = "".join(f" [{c}]" for c in sentence.citations)
    note = "source found by us" if sentence.attributed else "" if marks else "no source"
    return f"{marks} <small>({note})</small>" if note else marks


def _became(change: Change | None) -> Iterator[str]:
    if change and change.done == "left_out":
        yield f'<p class="bad">✗ Left out. {escape(change.why)}</p>'
    if change and change.done == "changed":
        yield f'<p class="good">✓ Said instead: {escape(change.after)}</p>'


def _read_against(verdict: Verdict, n: int) -> Iterator[str]:
    """The words of the passages that sentence `n` was read against, the passage that gave its label first."""
    signals, windows = verdict.round.signals.get("entailment"), verdict.round.windows
    if signals is None or n >= len(windows):
        return
    considered = np.flatnonzero(signals["considered"][n])
    read = np.stack([signals[x][n] for x in LABELS], -1)  # (passage, label)
    most_decided = sorted(considered, key=lambda p: -decided(read[p]))[:_MOST_READ]
    lines = [_quoted(verdict.round.case.evidence[p], int(p), windows[n][p], read[p]) for p in most_decided]
    yield "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def _quoted(evidence: Evidence, place: int, window: Sequence[int], probabilities: Sequence[float]) -> str:
    passage, best = evidence.passage, int(np.argmax(probabilities))
    text = " ".join(passage.sentences[i] for i in window)
    where = escape(f"[{place + 1}] {with_page(passage, passage.pages[window[0]] if window else passage.page)}")
    return f"{where} <b>{WORDS[LABELS[best]]}</b> ({number(float(probabilities[best]))}): “{escape(text)}”"


def passages(verdict: Verdict) -> Iterator[str]:
    """The scores of all passages, then the text of those that were cited or decided a sentence."""
    evidence = verdict.round.case.evidence
    if not evidence:
        yield "<p>Nothing was found.</p>"
        return
    heads = (("passage", 44), *((name, 14) for name in SCORES))
    yield table(heads, ([_where(verdict, n), *_scores(e)] for n, e in enumerate(evidence)))
    meaning = "; ".join(f"{name}: {words}" for name, words in SCORES.items())
    yield f"<p><small>{escape(meaning)}. Marked below: what was read; bold: what decided a sentence.</small></p>"
    for place in used(verdict):
        e, decided = evidence[place], deciding(verdict.round, place)
        text = " ".join(_marked(s, i in e.kept, decided.get(i)) for i, s in enumerate(e.passage.sentences))
        yield f'<div class="passage"><p><b>{_where(verdict, place)}</b></p>\n<p>{text}</p></div>'


def _marked(text: str, kept: bool, decided: int | None) -> str:
    text = escape(text)
    if decided is not None:
        text = f"<b>{text}</b> <small>(sentence {decided + 1})</small>"
    return f"<mark>{text}</mark>" if kept else text


def _where(verdict: Verdict, place: int) -> str:
    passage, page = verdict.round.case.passages[place], cited_page(verdict.round, place, verdict.sentences)
    return two(f"[{place + 1}] {with_page(passage, page)}", origin(passage))


def _scores(evidence: Evidence) -> list[str]:
    return [number(getattr(evidence, name)) for name in SCORES]
