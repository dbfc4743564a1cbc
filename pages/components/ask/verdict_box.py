"""The verdict: the headline, what the user gets or why not, the three lights, and the band."""

from typing import Any

import streamlit as st

from core.book_titles import titles_of, with_page
from core.case import Scope, Trace, in_scope, with_marks
from core.decide import Verdict, offered_questions
from core.decide.delivery import confidences
from core.decide.sensitivity import check_moves
from core.library import library_documents
from core.platform.home import home_folder
from core.thresholds import Preset
from pages.components.ask.asking import ask_everywhere, ask_instead
from pages.components.ask.conversation import draw_reading
from pages.components.ask.grid import marked_page
from pages.components.ask.lights import lights
from pages.components.ask.sentences import red_pen, sentence_lines
from pages.components.ask.verdict_actions import flip_box
from pages.components.ask.verdict_words import band, evidence_text, has_search, headline, reason, support_text
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK
from pages.components.shared.settings_box import current_domain

LONG = 1200
"""Maximum characters of an answer that is shown in full; a longer one scrolls in its own box."""
MEDIUM = "Medium tier: the passages support it, but not strongly. It was checked again."
EDITED = "The text was changed: press Ask to judge it."


def verdict_box(trace: Trace, verdict: Verdict, preset: Preset, explorer: Any) -> None:
    """Draw the verdict on a question."""
    with st.container(border=True, key="verdict", gap="small"):
        st.html(f'<p class="edited" role="status">{EDITED}</p>')  # shown by style.css while the text differs
        with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="headline"):
            st.header(headline(verdict), anchor=False, width="content")
            st.caption(support_text(verdict, preset), width="content")
        draw_reading(trace)
        if verdict.answered:
            _answer(verdict)
        else:
            st.markdown(f"**{plain(verdict.answer)}** {reason(verdict)}")
            _refusal(trace, verdict, explorer)
        for takeover in trace.takeovers:
            st.caption(f":material/info: {plain(takeover)}")
        lights(verdict, preset, {} if verdict.parts else check_moves(sensitivity_of(trace), verdict.round, preset))
        if has_search(verdict):
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="evidence"):
                st.caption(evidence_text(verdict), width="content")
                if not verdict.parts:
                    band(verdict, preset)
        area = st.container() if verdict.answered else st.expander("What would let it through", icon=":material/tune:")
        with area.container(key="flip", horizontal=True, vertical_alignment="center", gap="small"):
            flip_box(trace, preset)


def _answer(verdict: Verdict) -> None:
    """Draw the delivered text, or for a pasted answer its sentences with a red pen. For a partial answer, draw also its
    introduction, a note on omitted sentences, and the confidence in each sentence."""
    phrase, _, note = verdict.answer.partition(verdict.delivery.text)
    draft = verdict.round.case.draft
    if draft and draft.given and not verdict.parts:
        _text(red_pen(sentence_lines(verdict)), len(draft.text))
    else:
        if phrase.strip():
            st.markdown(plain(phrase.strip()))
        _text(f"“{plain(verdict.delivery.text)}”", len(verdict.delivery.text))
    if note.strip():
        st.markdown(f":material/info: {plain(note.strip())}")
    if verdict.route == "deliver_part" and (sure := confidences(verdict.changes)):
        st.caption(plain(sure))
    if corrected_marks := verdict.delivery.marks_put_right:
        st.caption(plain(corrected_marks))
    if verdict.route == "deliver" and verdict.tier == "medium" and "recheck" in verdict.steps:
        st.caption(MEDIUM)


def _text(markdown: str, characters: int) -> None:
    with st.container(height=260 if characters > LONG else "content", border=False):
        st.markdown(markdown)


def citations(verdict: Verdict, part: int = 0) -> None:
    """Draw a button for each passage that the answer cites; it shows the page of the passage beside the answer. part:
    number of the question part, from 1; 0 for the whole question."""
    evidence = verdict.round.case.evidence
    citation_numbers = sorted({c for s in verdict.delivered_sentences for c in s.citations if 1 <= c <= len(evidence)})
    with st.container(horizontal=True, gap="small", key=f"citations {part}"):
        for cited in citation_numbers:
            own_part, source, index = cited_source(verdict, cited)
            passage, page = source.round.case.evidence[index].passage, source.page_of(index)
            st.button(
                plain(marked_page(cited, page)), key=f"cite {part} {cited}", type="tertiary",
                icon=":material/menu_book:", on_click=ASK.opened.set, args=((part or own_part, index),),
                help=plain(f"Show {with_page(passage, page)}"),
            )  # fmt: skip
        attributions = [s.attributed for s in verdict.sentences]
        if verdict.route != "deliver_corrected" and any(attributions):
            whole = "Citations added automatically."
            st.caption(whole if all(attributions) else "Citations added automatically to sentences without one.")


def cited_source(verdict: Verdict, number: int) -> tuple[int, Verdict, int]:
    """The part of the question that a citation number refers to, from 1, its verdict, and the index of its passage. The
    part is 0 for a question without parts.

    The passages of the second part are numbered after those of the first.
    """
    index = number - 1
    for part, own in enumerate(verdict.parts, 1):
        if index < len(own.round.case.evidence):
            return part, own, index
        index -= len(own.round.case.evidence)
    return 0, verdict, index


def _refusal(trace: Trace, verdict: Verdict, explorer: Any) -> None:
    """Draw what to ask instead of a refused question, and the withheld draft; a pasted one with a red pen."""
    filters(trace.question.scope, verdict)
    if verdict.route == "clarify":
        from core.retrieval.question_parts import with_meaning, without_section_number

        meanings = {without_section_number(m): with_meaning(trace.question.standalone, m) for m in trace.meanings}
        _question_buttons("Ask about:", "meaning", meanings)
        return
    if trace.question.contexts is None:
        scope = trace.question.scope
        questions = offered_questions(trace, verdict) or (
            chapter_questions(explorer.library, scope) if scope.documents else ()
        )
        lead = f"Questions that these {current_domain().words['sources']} can answer:"
        _question_buttons(lead, "suggestion", {question: question for question in questions})
    draft = verdict.round.case.draft
    if draft and draft.given and not verdict.parts:
        _text(red_pen(sentence_lines(verdict)), len(draft.text))
    elif draft and draft.sentences:
        with st.expander("Withheld draft", icon=":material/visibility:"):
            st.markdown(f":gray[“{plain(with_marks(draft.sentences))}”]")


def chapter_questions(library: Any, scope: Scope) -> tuple[str, ...]:
    """Questions that passages of the chosen documents define an answer to, at most MAX_SUGGESTIONS. Only of documents
    that the user chose: those of any other chapter have nothing to do with the question."""
    from core.retrieval.suggestions import MAX_SUGGESTIONS, questions_of

    found: dict[str, None] = {}
    for passage in library.passages():
        if in_scope(passage, scope):
            found |= dict.fromkeys(questions_of(passage))
        if len(found) >= MAX_SUGGESTIONS:
            break
    return tuple(found)[:MAX_SUGGESTIONS]


def filters(scope: Scope, verdict: Verdict) -> None:
    """If a query check refused the question and its search had filters, draw the filters and a button that asks without
    them."""
    if scope == Scope() or verdict.stage != "query checks":
        return
    filter_text = scope.in_words(titles_of(scope.documents, library_documents(home_folder())))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"Only {plain(filter_text)} was searched.", width="content")
        st.button(
            f"Ask in all {current_domain().words['sources']}", key="ask in all books", icon=":material/filter_alt_off:",
            on_click=ask_everywhere,
        )  # fmt: skip


def _question_buttons(lead: str, key: str, questions: dict[str, str]) -> None:
    """Draw a button for each question to ask instead, after `lead`. questions: button label -> question."""
    if not questions:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(lead, width="content")
        for n, (words, question) in enumerate(questions.items()):
            st.button(plain(words), key=f"{key} {n}", on_click=ask_instead, args=(question,))
