"""Compares the writer's answer with the delivered one: both side by side, what the guardrail changed in each sentence,
and all drafts if several were written.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import streamlit as st

from core.case import with_marks
from core.checks.consensus import MIN_AGREEMENT
from core.decide import Verdict
from core.decide.contrasts import MOST, Contrast, contrasts
from core.decide.delivery import Change
from core.reply.display_rounding import number
from core.thresholds import Preset
from pages.components.ask.verdict_box import headline, reason
from pages.components.shared.question_state import request_draft
from pages.components.shared.safe_display import count_text, plain

MARKS = {
    "said": ":green[:material/check_circle: The book supports this.]",
    "open": ":gray[:material/radio_button_unchecked: The book leaves this open, and no limit stops it.]",
    "fails": ":red[:material/cancel: {}]",
}
"""Icon, words and colour for each state of a sentence."""
NO_AGREEMENT = ":red[:material/cancel: not every draft says this]"
AGREEMENT = ":green[:material/check_circle: the other drafts say this]"
NOT_CALLED = "The question was refused before anybody had to answer it, so this writer was not asked."
NOTHING = "The writer said nothing."
NOBODY = "Nothing was written, so there is nothing to compare."


def with_without(verdict: Verdict, preset: Preset) -> None:
    """Draw the answer without and with the guardrail side by side; one sentence if no answer was written."""
    can_write = any(v.round.case.awaits_draft for v in verdict.parts or (verdict,))
    sentences = contrasts(verdict, preset)
    if not sentences and not can_write:
        st.caption(NOBODY)
        return
    if sentences:
        st.markdown(f"**{plain(summary(verdict, sentences))}**")
    without, guarded = st.columns(2, gap="small")
    with without, st.container(border=True, key="without"):
        _without(verdict, sentences, can_write)
    with guarded, st.container(border=True, key="with"):
        st.markdown(guarded_text(verdict))


def summary(verdict: Verdict, contrasts_: tuple[Contrast, ...]) -> str:
    """A sentence on what would be delivered without the guardrail, and what is delivered with it."""
    failing = sum(c.state == "fails" for c in contrasts_)
    count, is_plural = count_text(len(contrasts_), "sentence"), len(contrasts_) > 1
    quality = f"{f'{failing} of them ' if is_plural else ''}with problems" if failing else "without problems"
    outcomes = {
        "deliver": "the same",
        "deliver_part": "only what is supported",
        "deliver_corrected": "the answer, corrected to match the book",
    }
    outcome = outcomes.get(verdict.route, "no answer")
    return f"Without the guardrail, {count} would be shown, {quality}; with it, {outcome}."


def _without(verdict: Verdict, sentences: tuple[Contrast, ...], can_write: bool) -> None:
    st.markdown(f"**Unguarded answer** :gray[({plain(writer(verdict))})]")
    if can_write and not sentences:
        st.markdown(NOT_CALLED)
        st.button("Write an answer anyway", icon=":material/edit:", on_click=request_draft)
        return
    st.markdown("\n".join(line(c) for c in sentences) or NOTHING)
    if len(sentences) >= MOST:
        st.caption(f"The first {MOST} sentences are shown.")


def line(contrast: Contrast) -> str:
    """A sentence of the draft as a Markdown list item: icon and words for its state, and what a passage says instead if
    one contradicts it."""
    mark = MARKS[contrast.state].format(plain(contrast.why))
    instead = f"  \n  Passage {contrast.passage} says: “{plain(contrast.instead)}”" if contrast.instead else ""
    return f"- “{plain(contrast.text)}”  \n  {mark}{instead}"


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


CHANGE_TEXTS = {
    "kept": ":green[:material/check_circle: kept]",
    "changed": ":blue[:material/edit: replaced with the book's wording]",
    "left_out": ":red[:material/cancel: left out]",
}
"""Icon, words and colour for each change of a sentence."""
REPLACED_TOO = "Even a supported sentence is replaced if the book has one that says the same."
WORDS = re.compile(r"\S+\s*")


def changes(verdict: Verdict) -> None:
    """Draw what was changed, sentence by sentence; nothing if the answer is delivered unchanged or not at all."""
    if verdict.route not in ("deliver_part", "deliver_corrected"):
        return
    st.markdown(f"**{title(verdict.changes)}**")
    replaced = sum(c.done == "changed" for c in verdict.changes)
    if replaced > sum(not s.supported and not s.abstains for s in verdict.sentences):
        st.caption(REPLACED_TOO)
    for n, change in enumerate(verdict.changes, 1):
        with st.container(border=True, key=f"change {n}"):
            st.markdown(change_text(f"Sentence {n}" if len(verdict.changes) > 1 else "The answer", change))


def title(sentence_changes: Sequence[Change]) -> str:
    """A heading: how many sentences remain as they were, were rewritten, and were left out; no numbers for a single
    sentence."""
    if len(sentence_changes) == 1:
        return "What was changed"
    counts = {kind: sum(c.done == kind for c in sentence_changes) for kind in CHANGE_TEXTS}
    words = {"kept": "kept", "changed": "replaced with the book's wording", "left_out": "left out"}
    first, *others = (f"{counts[kind]}@ {text}" for kind, text in words.items() if counts[kind])
    of_all = f" of {count_text(len(sentence_changes), 'sentence')}"
    return ", ".join([f"What was changed: {first.replace('@', of_all)}", *(other.replace("@", "") for other in others)])


def change_text(of_what: str, change: Change) -> str:
    """A change as Markdown: what was done to the sentence, its old and new words, why, and the confidence in it.

    of_what: what was changed, such as "Sentence 2" or "The answer".
    """
    confidence = "not compared with the passages" if change.confidence is None else f"**{number(change.confidence)}**"
    head = f"**{of_what}:** {CHANGE_TEXTS[change.done]} :gray[· support] {confidence}"
    why = "" if change.done == "changed" else plain(change.why)  # the head says it already
    return "  \n".join(part for part in (head, marked_change(change), why) if part)


def marked_change(change: Change) -> str:
    """The sentence as Markdown. A changed sentence has two lines, the old words and the new ones: a line with both in
    one sentence cannot be read without its colours."""
    if change.done == "kept":
        return plain(change.after)
    if change.done == "left_out":
        return f"~~{plain(change.before)}~~"
    removed, added = differences(change.after, change.before, "~~{}~~"), differences(change.before, change.after)
    return f":gray[Was:] {removed}  \n:gray[Now:] {added}"


def differences(old: str, new: str, mark: str = ":blue-background[**{}**]") -> str:
    """`new` as Markdown, with `mark` around the words that `old` lacks."""
    old_words, new_words = WORDS.findall(old), WORDS.findall(new)
    matcher = SequenceMatcher(None, [w.strip() for w in old_words], [w.strip() for w in new_words], autojunk=False)
    pieces = []
    for tag, _, _, start, end in matcher.get_opcodes():
        if text := plain("".join(new_words[start:end])):
            pieces.append(text if tag == "equal" else mark.format(text))
    return " ".join(pieces)


def drafts(verdict: Verdict) -> None:
    """Draw the answer, with the agreement of the other drafts on each of its sentences, and then each draft with its
    differences from the answer.

    Draw nothing if only one draft was written.
    """
    case, signals = verdict.round.case, verdict.round.signals.get("consensus")
    if not case.drafts or signals is None:
        return
    st.markdown(f"**{1 + len(case.drafts)} drafts of the same model. {plain(verdict.checks['consensus'].why)}**")
    first, *others = st.columns(1 + len(case.drafts), gap="small")
    with first, st.container(border=True):
        ratings = zip(case.sentences, signals["agreement"], strict=True)
        st.markdown("**The answer**\n" + "\n".join(f"- {plain(s.text)}  \n  {mark(a)}" for s, a in ratings))
    text = " ".join(s.text for s in case.sentences)
    for n, (column, draft) in enumerate(zip(others, case.drafts, strict=True), 2):
        with column, st.container(border=True):
            st.markdown(f"**Draft {n}**\n\n{differences(text, with_marks(draft.sentences))}")


def mark(agreement: float) -> str:
    """Icon, words and colour for a sentence of the answer as Markdown, by the agreement of the other drafts with it, 0
    to 1."""
    return AGREEMENT if agreement >= MIN_AGREEMENT else NO_AGREEMENT
