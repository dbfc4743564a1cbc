"""The sentences of an answer beside the book: one list for the red pen and for the answer without the guardrail."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import streamlit as st

from core.case import with_marks
from core.checks.consensus import MIN_AGREEMENT
from core.decide import Verdict
from core.decide.delivery import bearing_passages
from core.decide.judged_sentences import JudgedSentence
from core.words import count_of
from pages.components.ask.verdict_words import headline, reason
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK

NOT_IN_BOOK = "not in the book"
OPEN = "the book leaves this open"
NO_AGREEMENT = ":red[:material/cancel: not every draft says this]"
AGREEMENT = ":green[:material/check_circle: the other drafts say this]"
NOT_CALLED = "The question was refused before anybody had to answer it, so this writer was not asked."
NOBODY = "Nothing was written, so there is nothing to compare."
WORDS = re.compile(r"\S+\s*")
MOST = 40
"""Maximum number of sentences of one answer that are shown."""


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


def differences(old: str, new: str, mark: str = ":blue-background[**{}**]") -> str:
    """`new` as Markdown, with `mark` around the words that `old` lacks."""
    old_words, new_words = WORDS.findall(old), WORDS.findall(new)
    matcher = SequenceMatcher(None, [w.strip() for w in old_words], [w.strip() for w in new_words], autojunk=False)
    pieces = []
    for tag, _, _, start, end in matcher.get_opcodes():
        if text := plain("".join(new_words[start:end])):
            pieces.append(text if tag == "equal" else mark.format(text))
    return " ".join(pieces)


def with_without(verdict: Verdict, note: str = "") -> None:
    """Draw the answer without and with the guardrail side by side; one sentence if no answer was written. note: what
    was broken in the answer, as Markdown."""
    can_write = any(v.round.case.awaits_draft for v in verdict.parts or (verdict,))
    lines = sentence_lines(verdict)
    if not lines and not can_write:
        st.caption(NOBODY)
        return
    if lines:
        st.markdown(f"**{plain(summary(verdict, lines))}** {note}")
    without, guarded = st.columns(2, gap="small")
    with without, st.container(border=True, key="without"):
        st.markdown(f"**Unguarded answer** :gray[({plain(writer(verdict))})]")
        if lines:
            st.markdown(red_pen(lines))
        else:
            st.markdown(NOT_CALLED)
            st.button("Write an answer anyway", icon=":material/edit:", on_click=ASK.write_now.set, args=(True,))
        if len(lines) >= MOST:
            st.caption(f"The first {MOST} sentences are shown.")
    with guarded, st.container(border=True, key="with"):
        st.markdown(guarded_text(verdict))
    for part in verdict.parts or (verdict,):
        _drafts(part)


def summary(verdict: Verdict, lines: Sequence[Line]) -> str:
    """A sentence on what would be delivered without the guardrail, and what is delivered with it."""
    failing = sum(sentence.state == "fails" for sentence, _ in lines)
    count, is_plural = count_of(len(lines), "sentence"), len(lines) > 1
    quality = f"{f'{failing} of them ' if is_plural else ''}with problems" if failing else "without problems"
    outcomes = {
        "deliver": "the same",
        "deliver_part": "only what is supported",
        "deliver_corrected": "the answer, corrected to match the book",
    }
    outcome = outcomes.get(verdict.route, "no answer")
    return f"Without the guardrail, {count} would be shown, {quality}; with it, {outcome}."


def guarded_text(verdict: Verdict) -> str:
    """The delivered answer, or the refusal with its reason, as Markdown."""
    head = f"**Guarded answer** {headline(verdict)}"
    if verdict.answered:
        return f"{head}\n\n“{plain(verdict.answer)}”"
    return f"{head}\n\n{plain(verdict.answer)}\n\n{reason(verdict)}"


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
