"""What stands below the form: the verdict with the three lights and the band, the page of the book beside it, and one
section that explains it."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.book_titles import titles_of, with_page
from core.case import Scope, Trace, in_scope, with_marks
from core.decide import Verdict, offered_questions, verdict
from core.decide.delivery import confidences
from core.decide.sensitivity import check_moves
from core.errors import UserError
from core.evaluation.prepared_case import MIXED, needed_document
from core.library import Shelf, library_documents
from core.platform.home import home_folder
from core.presentation.check_tiles import limit_words
from core.thresholds import Preset
from core.words import count_of
from pages.components.ask.asking import ask_everywhere, ask_instead
from pages.components.ask.conversation import draw_reading, open_to_break
from pages.components.ask.lights import lights, test_mode_note
from pages.components.ask.page_beside import page_beside
from pages.components.ask.perturb_box import ORIGIN, break_box, broken_answer, change, measure_broken
from pages.components.ask.sentences import grid, marked_page, red_pen, rewritten, sentence_lines, with_without
from pages.components.ask.sparklines import strips
from pages.components.ask.verdict_actions import actions, flip_box
from pages.components.ask.verdict_words import (
    band,
    evidence_text,
    figures,
    has_search,
    headline,
    reason,
    support_text,
)
from pages.components.shared.limits import SLIDERS, chosen_preset, class_limits, current_preset
from pages.components.shared.path import draw_path
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.resources import shared_shelf
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import ASK, DETAILS
from pages.components.shared.settings_box import current_domain

_into_view = st.components.v2.component(
    "guardrail.section", js=Path(__file__).with_name("section.js").read_text("utf-8"),
    css=".st-key-into-view { position: absolute; }", isolate_styles=False,
)  # fmt: skip
_LOOKS_EVERY = 3.0
"""Seconds between two looks whether the chapter of the prepared case is in the library."""
WIDTH = 252
"""Width of the box of a part in pixels."""
LONG = 1200
"""Maximum characters of an answer that is shown in full; a longer one scrolls in its own box."""
MEDIUM = "Medium confidence: the passages support the answer, but not strongly, so it was checked again."
EDITED = "The text was changed: press Ask to judge it."


def question_strips(keys: Collection[str]) -> dict[str, str]:
    """The strips under these sliders for the question on screen, by key; empty before it is measured."""
    question = ASK.current.value
    return strips(question.trace, current_preset(), keys) if question and question.trace else {}


def draw_verdict(trace: Trace, preset: Preset, explorer: Any, beside: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw the verdict here, the page of the book in `beside`, and the sections that explain the verdict in `below`."""
    question, found = ASK.current.value, sensitivity_of(trace).verdict(preset)
    _class_note(question.form)
    if (contexts := trace.question.contexts) is not None:
        texts = count_of(len(contexts), "text") + (" that came with the question" if contexts else "")
        st.caption(f"We checked against {texts}, not against the library. If you ask again, the library is searched.")
    verdict_box(trace, found, preset, explorer)
    if note := test_mode_note(found, preset, chosen_preset()):
        st.info(plain(note), icon=":material/science:")
    parts_box(found, preset)
    actions(trace, found, preset, explorer)
    with below:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sections"):
            st.markdown("How was this decided?", width="content")
            opened = st.segmented_control(
                "More", DETAILS, **ASK.detail.kept, label_visibility="collapsed", on_change=_prepare_to_break
            )
        if opened:
            _section(opened, trace, found, preset)
        breaking = ASK.breaking.value
        _into_view(key="into view", data={"opened": opened, "broken": breaking and breaking.broken.answer})
    with beside:  # last, since a page takes longest to draw
        draft = found.round.case.draft
        if found.answered or (draft and draft.given):  # a refusal of our own cites nothing
            citations(found)
        if not question.prepared:
            page_beside(found, preset, explorer.library)
        elif _is_added(shelf := shared_shelf(str(home_folder()))):
            page_beside(found, preset, shelf)
        else:
            _page_to_come(found, preset, shelf)


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
        tune = ":material/tune:"
        area = st.container() if verdict.answered else st.expander("What would change the verdict", icon=tune)
        with area.container(key="flip", horizontal=True, vertical_alignment="center", gap="small"):
            flip_box(trace, preset)


def _answer(verdict: Verdict) -> None:
    """Draw the delivered text, or for a pasted answer its sentences with a red pen. For a partial answer, draw also its
    introduction, a note on omitted sentences, and the confidence in each sentence."""
    phrase, _, note = verdict.answer.partition(verdict.delivery.text)
    draft = verdict.round.case.draft
    if draft and draft.given and not verdict.parts:
        _text(red_pen(sentence_lines(verdict)), len(draft.text))
        if new := rewritten(verdict):
            _text(f"**What goes out instead:** “{plain(new)}”", len(new))
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
            st.caption(f"Citations added automatically{'' if all(attributions) else ' to sentences without one'}.")


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
    scope, sources = trace.question.scope, current_domain().words["sources"]
    if scope != Scope() and verdict.stage == "query checks":  # the filters of the search may be why it was refused
        filter_text = scope.in_words(titles_of(scope.documents, library_documents(home_folder())))
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"Only {plain(filter_text)} was searched.", width="content")
            st.button(
                f"Ask in all {sources}", key="ask in all books", icon=":material/filter_alt_off:",
                on_click=ask_everywhere,
            )  # fmt: skip
    if verdict.route == "clarify":
        from core.retrieval.question_parts import with_meaning, without_section_number

        meanings = {without_section_number(m): with_meaning(trace.question.standalone, m) for m in trace.meanings}
        _question_buttons("Ask about:", "meaning", meanings)
        return
    if trace.question.contexts is None:
        questions = offered_questions(trace, verdict) or chapter_questions(explorer, scope)
        lead = f"Questions that these {sources} can answer:"
        _question_buttons(lead, "suggestion", {question: question for question in questions})
    draft = verdict.round.case.draft
    if draft and draft.given and not verdict.parts:
        _text(red_pen(sentence_lines(verdict)), len(draft.text))
    elif draft and draft.sentences:
        with st.expander("Withheld draft", icon=":material/visibility:"):
            st.markdown(f":gray[“{plain(with_marks(draft.sentences))}”]")


def chapter_questions(explorer: Any, scope: Scope) -> tuple[str, ...]:
    """Questions that passages of the chosen documents define an answer to, at most MAX_SUGGESTIONS. Only of documents
    that the user chose: those of any other chapter have nothing to do with the question."""
    from core.retrieval.suggestions import MAX_SUGGESTIONS, questions_of

    found: dict[str, None] = {}
    for passage in explorer.library.passages() if scope.documents else ():
        if len(found) >= MAX_SUGGESTIONS:
            break
        if in_scope(passage, scope):
            found |= dict.fromkeys(questions_of(passage))
    return tuple(found)[:MAX_SUGGESTIONS]


def _question_buttons(lead: str, key: str, questions: dict[str, str]) -> None:
    """Draw a button for each question to ask instead, after `lead`. questions: button label -> question."""
    if not questions:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(lead, width="content")
        for n, (words, question) in enumerate(questions.items()):
            st.button(plain(words), key=f"{key} {n}", on_click=ask_instead, args=(question,))


def _class_note(form: Mapping[str, Any]) -> None:
    """Draw how many of the limits of the class and subject in `form` the sliders have; nothing if these have none."""
    try:
        own = class_limits(form)
    except UserError as error:
        show(error)
        return
    if own:
        in_use = sum(SLIDERS.widgets[key].value == value for key, value in own.items())
        scope = " and ".join(filter(None, (form["subject"], form["class_number"] and f"class {form['class_number']}")))
        st.caption(
            plain(f"Limits for {scope}: {in_use} of {len(own)} in use."),
            help=plain("; ".join(" ".join(limit_words(key, value)[:2]) for key, value in own.items())),
        )


def measure_shown(trace: Trace, preset: Preset, explorer: Any) -> None:
    """Measure the perturbed answer if the open section shows it: "Break it", or "Without the guardrail", which then
    compares the broken answer."""
    if ASK.detail.value in DETAILS[2:]:
        measure_broken(trace, preset, explorer)


def _is_added(shelf: Shelf) -> bool:
    """True if the chapter of the prepared case is in the library; on a first visit it is added meanwhile."""
    return any(document.name == needed_document() for document in shelf.documents())


@st.fragment(run_every=_LOOKS_EVERY)
def _page_to_come(found: Verdict, preset: Preset, shelf: Shelf) -> None:
    """Draw the passage in words, and its page as soon as the chapter is in the library."""
    if _is_added(shelf):
        st.rerun()
    page_beside(found, preset, shelf)


def _prepare_to_break() -> None:
    """If "Break it" was opened on the prepared wrong answer, open the prepared true one; a callback."""
    if ASK.detail.value == DETAILS[-1] and ASK.current.value.prepared == MIXED:
        open_to_break()


def _section(name: str, trace: Trace, found: Verdict, preset: Preset) -> None:
    """Draw only the open section; no other one is computed or sent to the browser."""
    if name == "Break it":
        break_box(trace, found, preset)
    elif name == "Without the guardrail":
        if broken := broken_answer(trace, found):
            with_without(verdict(broken.trace, preset), f"Broken: {change(broken.broken)}.", ORIGIN)
        else:
            with_without(found)
    elif name == "Sentences":
        _, part, number = select_part(trace, found)
        grid(part, preset, number)
        draft = part.round.case.draft
        if part.route in ("deliver_part", "deliver_corrected") and not draft.given:  # else it stands in the verdict
            st.markdown(red_pen(sentence_lines(part)))
    else:
        if found.parts:
            with st.expander("How the question was split", icon=":material/route:"):
                draw_path(trace, found, preset)
        trace, part, _ = select_part(trace, found)
        draw_path(trace, part, preset)


def parts_box(whole: Verdict, preset: Preset) -> None:
    """Draw the parts of a question side by side; nothing for a question without parts."""
    with st.container(horizontal=True, gap="small"):
        for n, part in enumerate(whole.parts, 1):
            with st.container(border=True, width=WIDTH, key=f"part {n}"):
                st.markdown(f"**Part {n}: {plain(part.round.case.question.query)}**  \n**{headline(part)}**")
                st.markdown(f"“{plain(part.delivery.text)}”" if part.delivery else plain(part.answer))
                if not part.answered:
                    st.markdown(reason(part))
                st.caption(figures(part, preset))
                band(part, preset)
                if part.answered:
                    citations(part, n)


def select_part(trace: Trace, whole: Verdict) -> tuple[Trace, Verdict, int]:
    """(trace, verdict, number) of the question to show. For a question in parts, draw the choice of a part, numbered
    from 1; otherwise this is the whole question, 0."""
    if not whole.parts:
        return trace, whole, 0
    names = [f"Part {n}" for n in range(1, len(whole.parts) + 1)]
    selected = st.segmented_control("Look closely at", names, default=names[0], required=True, key=ASK.part.key)
    index = names.index(selected) if selected in names else 0
    return [part for part in trace.parts if part.rounds][index], whole.parts[index], index + 1
