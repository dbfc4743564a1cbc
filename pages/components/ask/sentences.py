"""The sentences of an answer beside the book: the red pen, the grid with a column for each passage, and the answer
without the guardrail beside that with it."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.book_titles import in_short, with_page
from core.case import with_marks
from core.check import Check, mode_of
from core.checks.consensus import MIN_AGREEMENT
from core.decide import Verdict
from core.decide.delivery import bearing_passages
from core.decide.judged_sentences import WORDS, JudgedSentence
from core.judgements import LABELS
from core.reply.display_rounding import beside, number
from core.thresholds import Preset
from core.words import count_of
from pages.components.ask.verdict_words import has_search, headline, reason
from pages.components.shared.safe_display import MARKUP, all_of, plain, shorten
from pages.components.shared.session import ASK

NOT_IN_BOOK = "not in the book"
OPEN = "the book leaves this open"
NO_AGREEMENT = ":red[:material/cancel: not every draft agrees]"
AGREEMENT = ":green[:material/check_circle: the other drafts say this]"
NOT_CALLED = "The question was refused before an answer was written."
NOBODY = "No answer was written, so there is nothing to compare."
GUARDED = {
    "deliver": "the same answer", "deliver_part": "only the supported sentences",
    "deliver_corrected": "an answer corrected to match the book",
}  # fmt: skip
"""What is shown with the guardrail, by the route of an answer that goes out."""
_WORDS = re.compile(r"\S+\s*")
MOST = 40
"""Maximum sentences of one answer that are drawn; a text states the total of a longer answer."""
SHORT = dict(zip(LABELS, ("Agrees", "Unclear", "Disagrees"), strict=True))
"""What one passage says to a sentence, by NLI label. Whether the sentence is supported is another matter: all passages
decide that together, and the words differ so that the two cannot be mistaken for each other."""
IN_ALL = "Overall"
"""Title of the column that says whether a sentence is supported."""
_DECIDES = "This column decides: it shows whether all passages together support the sentence well enough."

Line = tuple[JudgedSentence, int]
"""A sentence, and the page of the passage that supports it or of what the book says instead; 0 if unknown."""


def sentence_lines(verdict: Verdict) -> list[Line]:
    """Every sentence of the judged answer, of each part at most MOST."""
    lines = []
    for part in verdict.parts or (verdict,):
        count = len(part.round.case.passages)
        for n, sentence in enumerate(part.sentences[:MOST]):
            numbers = [sentence.instead_passage] if sentence.instead else bearing_passages(part.round, n)
            page = next((part.page_of(number - 1) for number in numbers if 1 <= number <= count), 0)
            lines.append((sentence, page))
    return lines


def red_pen(lines: Sequence[Line]) -> str:
    """The sentences as Markdown: a supported one word for word with its page, a wrong one struck with the sentence of
    the book beside it, and "not in the book" where the book has none."""
    return "  \n".join(line_text(*line) for line in lines)


def line_text(sentence: JudgedSentence, page: int = 0) -> str:
    text, page_text = plain(sentence.text), f"p\\.\u00a0{page}" if page else ""
    if sentence.state == "said":
        return f":green[:material/check:] {text} :gray[{page_text}]".removesuffix(" :gray[]")
    if sentence.state == "open":
        return f":gray[:material/question_mark:] {text} :gray[{OPEN}]"
    if sentence.instead and not sentence.supported:
        book = differences(sentence.text, sentence.instead)
        return f":red[:material/close:] ~~{text}~~ :gray[{page_text}] “{book}”"
    why = plain(sentence.objection) if sentence.supported else NOT_IN_BOOK
    return f":red[:material/question_mark:] {text} :gray[{why}]"


def rewritten(verdict: Verdict) -> str:
    """The delivered text, if it has a sentence that the red pen does not show; else ""."""
    drawn = {text for s in verdict.sentences for text in (s.text, s.instead)}
    is_shown = all(sentence.text in drawn for sentence in verdict.delivered_sentences)
    return "" if is_shown else verdict.delivery.text


def differences(old: str, new: str) -> str:
    """`new` as Markdown, with the words highlighted that `old` lacks."""
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, [w.strip() for w in old_words], [w.strip() for w in new_words], autojunk=False)
    pieces = []
    for tag, _, _, start, end in matcher.get_opcodes():
        if text := plain("".join(new_words[start:end])):
            pieces.append(text if tag == "equal" else f":blue-background[**{text}**]")
    return " ".join(pieces)


def grid(verdict: Verdict, preset: Preset, part: int = 0) -> None:
    """Draw the grid, and a button for each passage that shows its page beside the answer. If no sentence was compared
    with a passage, draw a sentence that says so.

    part: number of the question part that `verdict` is about, from 1; 0 for the whole question.
    """
    if why := no_grid(verdict):
        st.caption(why)
        return
    st.markdown(f"**{title(verdict)}**")
    st.html(grid_html(verdict, preset))
    count = len(verdict.sentences)
    more = f" The first {MOST} of {count} sentences are shown." if count > MOST else ""
    st.caption(
        "Each cell compares one sentence with one passage: dark cells count towards the verdict, pale ones do not, "
        f"○ means not compared. The column “{IN_ALL}” gives the verdict on each sentence.{more}"
    )
    with st.container(horizontal=True, gap="small", key="passages"):
        for n, evidence in enumerate(verdict.round.case.evidence):
            page = verdict.page_of(n)
            st.button(
                plain(marked_page(n + 1, page)), key=f"passage {n}", type="tertiary", on_click=ASK.opened.set,
                args=((part, n),), help=plain(f"Read the passage of {with_page(evidence.passage, page)}"),
            )  # fmt: skip


def no_grid(verdict: Verdict) -> str:
    """A sentence: why there is no grid to draw; "" if there is one."""
    if not has_search(verdict):
        return "The library was not searched for this question, so there is no passage to compare with."
    if verdict.round.signals.get("entailment") is None or not verdict.sentences:
        return "No sentence was compared with a passage."
    return ""


def title(verdict: Verdict) -> str:
    """The title of the grid: how many sentences the book does not clearly support, or that the answer has no sentence
    that needs support."""
    if verdict.answered and verdict.round.case.kind == "small_talk":
        return "A greeting needs no support"
    count = sum(not s.abstains for s in verdict.sentences)
    if not count:
        return "The answer only says that there is no answer"
    open_count, subject = count - verdict.supported, whose(verdict)
    if not open_count:
        sentences = "this sentence" if count == 1 and not subject else all_of(count)
        return f"The book supports {sentences}{subject}"
    one = "The one sentence" if subject else "This sentence"
    if open_count == count > 1:
        none_ = "Neither sentence" if count == 2 else f"None of the {count} sentences"
        return f"{none_}{subject} is clearly supported by the book"
    sentences = one if count == 1 else f"{open_count} of {count} sentences"
    return f"{sentences}{subject} {'is' if open_count == 1 else 'are'} not clearly supported by the book"


def whose(verdict: Verdict) -> str:
    """The end of a title: whose sentences it is about, where they do not go out as they were written; else ""."""
    if verdict.route in ("deliver_part", "deliver_corrected"):
        return " of the original answer"
    draft = verdict.round.case.draft
    return "" if verdict.answered else f" of the {'pasted answer' if draft and draft.given else 'withheld draft'}"


def grid_html(verdict: Verdict, preset: Preset) -> str:
    """The grid as HTML: a row for each sentence, a column for each passage."""
    judgement, signals = verdict.round.case.judgement, verdict.round.signals.get("support")
    needs, supports = "", [""] * len(verdict.sentences)
    if signals is not None and mode_of(Check.registry["support"], preset) == "blocks":
        limit = float(Check.registry["support"].bind(preset).min_support)
        needs, supports = f"needs {number(limit)}", [beside(float(p), limit) for p in signals["probability"]]
    headers = [(IN_ALL, needs, _DECIDES)]
    for n, passage in enumerate(verdict.round.case.passages):
        page = verdict.page_of(n)
        headers.append((marked_page(n + 1, page), shorten(in_short(passage), 12), with_page(passage, page)))
    headers += [("a language model", "says yes", judgement.by)] if judgement else []
    rows = []
    for n, (s, row) in enumerate(zip(verdict.sentences, cells(verdict, preset)[:MOST], strict=False)):
        text = f"S{n + 1} {''.join(f'[{c}]' for c in s.citations)} {shorten(s.text, 44)}"
        in_all = "says nothing" if s.abstains else "✓ Supported" if s.supported else "✗ Not supported"
        verdict_cell = Cell(in_all, "" if s.abstains else supports[n], _DECIDES, "in_all")
        opinion = []
        if judgement:  # P(yes) of a language model that was asked whether the passages support the sentence
            yes, said = judgement.yes[n], f"P(yes) {judgement.yes[n]:.3f}, for all passages together"
            label, look = ("YES", "entailment pale") if yes >= 0.5 else ("NO", "contradiction pale")
            opinion.append(Cell(label, number(yes), said, look))
        css_class = "sentence" if s.supported or s.abstains else "sentence fails"
        rows.append(((text, "", s.text, css_class), [verdict_cell, *row, *opinion]))
    return MARKUP.grid(title(verdict), headers, rows)


def marked_page(number: int, page: int) -> str:
    """The number of a passage with its page, such as "[2] p. 5"; without the page if it is 0."""
    return f"[{number}] p. {page}" if page else f"[{number}]"


class Cell(NamedTuple):
    """What a passage says to a sentence. number: the probability of the label; "" if the two were not compared. said:
    on hover. look: CSS class."""

    label: str
    number: str
    said: str
    look: str


def cells(verdict: Verdict, preset: Preset) -> list[list[Cell]]:
    """The cell of each sentence and each passage; empty if no sentence was compared."""
    if (signals := verdict.round.signals.get("entailment")) is None:
        return []
    limit = float(Check.registry["entailment"].bind(preset).nli_threshold)
    probabilities = np.stack([signals[label] for label in LABELS], -1)
    return [
        [cell(p, limit, is_read=bool(j)) for p, j in zip(row, is_read, strict=True)]
        for row, is_read in zip(probabilities, signals["considered"] > 0, strict=True)
    ]


def cell(row: np.ndarray, limit: float, *, is_read: bool) -> Cell:
    """The cell of a sentence and a passage.

    row: P(each NLI label), shape (labels,), NaN if the two were not compared. limit: the limit for the label neutral;
    the probability is rounded so that it stays on its side of the limit. is_read: True if the sentence is judged by
    this passage; else the cell is pale.
    """
    if np.isnan(row).any():
        return Cell("○", "", "Not compared: another passage decides about the sentence", "")
    label, probability = LABELS[int(row.argmax())], float(row.max())
    shown = beside(probability, limit) if label == "neutral" else number(probability)
    said = f"The passage {WORDS[label]}: {', '.join(f'{name} {p:.3f}' for name, p in zip(LABELS, row, strict=True))}"
    return Cell(SHORT[label], shown, said, label if is_read else f"{label} pale")


def with_without(verdict: Verdict, note: str = "", origin: str = "") -> None:
    """Draw the answer without and with the guardrail side by side; one sentence if no answer was written.

    note: what was broken in the answer, as Markdown. origin: where the answer comes from, if no writer wrote it and no
    user pasted it.
    """
    parts, lines = verdict.parts or (verdict,), sentence_lines(verdict)
    if not lines and not any(part.round.case.awaits_draft for part in parts):
        st.caption(NOBODY)
        return
    if lines:
        st.markdown(f"**{plain(summary(verdict, lines))}** {note}")
    without, guarded = st.columns(2, gap="small")
    with without, st.container(border=True, key="without"):
        st.markdown(f"**Unguarded answer** :gray[({plain(origin or writer(verdict))})]")
        if lines:
            st.markdown(red_pen(lines))
        else:
            st.markdown(NOT_CALLED)
            st.button("Write an answer anyway", icon=":material/edit:", on_click=ASK.write_now.set, args=(True,))
        if any(len(part.sentences) > MOST for part in parts):
            st.caption(f"The first {MOST} sentences are shown.")
    with guarded, st.container(border=True, key="with"):
        st.markdown(guarded_text(verdict))
    for part in parts:
        _drafts(part)


def summary(verdict: Verdict, lines: Sequence[Line]) -> str:
    """A sentence on what would be delivered without the guardrail, and what is delivered with it."""
    failing = sum(sentence.state == "fails" for sentence, _ in lines)
    count, is_plural = count_of(len(lines), "sentence"), len(lines) > 1
    quality = f"{f'{failing} of them ' if is_plural else ''}with problems" if failing else "without problems"
    outcome = GUARDED.get(verdict.route, "no answer")
    return f"Without the guardrail, {count} would be shown, {quality}; with the guardrail, {outcome}."


def guarded_text(verdict: Verdict) -> str:
    """The delivered answer, or the refusal with its reason, as Markdown."""
    answer = plain(verdict.answer)
    text = f"“{answer}”" if verdict.answered else f"{answer}\n\n{reason(verdict)}"
    return f"**Guarded answer** {headline(verdict)}\n\n{text}"


def writer(verdict: Verdict) -> str:
    """The names of the writers of the drafts; "pasted" for an answer that the user brought."""
    drafts = [part.round.case.draft for part in verdict.parts] or [verdict.round.case.draft]
    return " and ".join(dict.fromkeys("pasted" if d.given else d.writer for d in drafts if d))


def _drafts(verdict: Verdict) -> None:
    """Draw the agreement of further drafts with each sentence of the answer, and each draft with its differences;
    nothing if only one draft was written."""
    case, signals = verdict.round.case, verdict.round.signals.get("consensus")
    if not case.drafts or signals is None:
        return
    st.markdown(f"**{1 + len(case.drafts)} drafts of the same model. {plain(verdict.checks['consensus'].why)}**")
    first, *others = st.columns(1 + len(case.drafts), gap="small")
    with first, st.container(border=True):
        ratings = zip(case.sentences, signals["agreement"], strict=True)
        marks = (f"- {plain(s.text)}  \n  {AGREEMENT if a >= MIN_AGREEMENT else NO_AGREEMENT}" for s, a in ratings)
        st.markdown("**The answer**\n" + "\n".join(marks))
    text = " ".join(s.text for s in case.sentences)
    for n, (column, draft) in enumerate(zip(others, case.drafts, strict=True), 2):
        with column, st.container(border=True):
            st.markdown(f"**Draft {n}**\n\n{differences(text, with_marks(draft.sentences))}")
