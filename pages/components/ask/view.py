"""The layout of the Ask page: the verdict on one screen, and one section at a time that explains it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Trace
from core.decide import Verdict
from core.decide.sensitivity import MEASURE
from core.settings.domains import domain
from core.thresholds import Preset
from pages.components.ask.answer_comparison import changes, drafts, with_without
from pages.components.ask.class_note import class_note
from pages.components.ask.confidence import band, draw_watch_note, stages
from pages.components.ask.evidence import grid
from pages.components.ask.into_view import SECTIONS, bring_into_view
from pages.components.ask.passage_dialog import show_passage_dialog
from pages.components.ask.perturb_box import break_box, is_to_be_read
from pages.components.ask.route import rounds, route_box
from pages.components.ask.route_steps import brief
from pages.components.ask.sparklines import strips
from pages.components.ask.verdict_actions import add_to_bank, flip_box, report_button
from pages.components.ask.verdict_box import citations, figures, headline, reason, verdict_box
from pages.components.shared.limits import current_preset
from pages.components.shared.page_setup import require_access
from pages.components.shared.question_state import current_question, sensitivity_of
from pages.components.shared.safe_display import count_text, plain
from pages.components.shared.session import ASK, DETAILS
from pages.components.shared.sidebar import DECISION_FIELDS

if TYPE_CHECKING:
    from core.graph import Explorer

Decide = Callable[[Trace, Preset], Verdict]
"""Returns the verdict on a trace under a preset."""
OF_A_PART = DETAILS[:2]
"""The sections that show one part at a time of a question in parts."""
WIDTH = 370
"""Width of the box of a part in pixels."""


@dataclass(frozen=True, kw_only=True)
class ShownQuestion:
    """The question, or the part of it, that the sections below the verdict show.

    part: number of the question part, from 1; 0 for the whole question.
    """

    trace: Trace
    verdict: Verdict
    part: int = 0


def question_strips(keys: Collection[str]) -> dict[str, str]:
    """The strips under these sliders for the question on screen, by key; empty before it is measured."""
    question = current_question()
    return strips(question.trace, current_preset(), keys) if question and question.trace else {}


def needs_models() -> bool:
    """True if the question or its perturbed answer has to be measured under the current limits."""
    question, preset = current_question(), current_preset()
    if question is None or question.trace is None or ASK.write_now.value:
        return True
    return sensitivity_of(question.trace).ends(preset) == MEASURE or is_to_be_read(question.trace, preset)


@st.fragment(key=DECISION_FIELDS)
def draw_decisions(trace: Trace, decide: Decide, explorer: "Explorer") -> None:
    """Draw everything about a measured question that depends on limits.

    decide: returns the verdict on a trace under a preset. This function is a fragment, which runs alone when a limit
    moves or one of its own buttons is pressed. It runs no model, since a run of a fragment cannot be stopped.
    """
    require_access()
    if question := current_question():
        class_note(question.form)
    result(trace, current_preset(), decide, explorer)


def result(trace: Trace, preset: Preset, decide: Decide, explorer: "Explorer") -> None:
    """Draw the verdict that `decide` returns for the trace, and the sections that explain it."""
    verdict = decide(trace, preset)
    if (contexts := trace.question.contexts) is not None:
        texts = count_text(len(contexts), "text") + (" that came with it" if contexts else "")
        st.caption(
            f"This question was judged by {texts}, not by the library. If you ask it again, the library is searched."
        )
    flip_area = verdict_box(trace, verdict, preset, explorer)  # filled last: the verdict need not wait for it
    draw_watch_note(verdict, preset)
    parts_box(verdict, preset)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=SECTIONS):
        selected = st.segmented_control(
            "More",
            DETAILS,
            key=ASK.detail.key,
            required=True,
            label_visibility="collapsed",
            on_change=_rerun_if_unmeasured,
        )
        report_button(trace, verdict, preset, explorer)
        add_to_bank(trace)
    _detail(selected, trace, verdict, preset, explorer)
    show_passage_dialog(verdict, preset, explorer)
    with flip_area:
        flip_box(trace, preset)
    bring_into_view()


def _rerun_if_unmeasured() -> None:
    """Run the whole page if the opened section has to be measured first; a callback."""
    if needs_models():
        st.rerun()


def _detail(section: str, trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> None:
    """Draw only the chosen section; no other section is computed or sent to the browser."""
    if section in OF_A_PART:
        if section == "Decision path":
            st.caption(f"Decision path: {brief(verdict)}")
            if verdict.parts:
                with st.expander("How the question was split", icon=":material/route:"):
                    route_box(trace, verdict, preset, "route of all")
        _section(section, select_part(trace, verdict), preset, explorer)
    elif section == "Without the guardrail":
        with_without(verdict, preset)
        for part_verdict in verdict.parts or (verdict,):
            drafts(part_verdict)
    else:
        break_box(trace, verdict, preset)


def _section(section: str, subject: ShownQuestion, preset: Preset, explorer: "Explorer") -> None:
    """Draw a section of the question or of one of its parts."""
    if section == "Sentences":
        grid(subject.verdict, preset, subject.part)
        changes(subject.verdict)
    else:
        rounds(subject.trace, subject.verdict)
        route_box(subject.trace, subject.verdict, preset)
        stages(subject.verdict, preset, domain(explorer.settings.domain))


def parts_box(verdict: Verdict, preset: Preset) -> None:
    """Draw the parts of a question side by side; nothing for a question without parts."""
    if not verdict.parts:
        return
    with st.container(horizontal=True, gap="small"):
        for n, part in enumerate(verdict.parts, 1):
            with st.container(border=True, width=WIDTH, key=f"part {n}"):
                _part(n, part, preset)


def _part(n: int, part: Verdict, preset: Preset) -> None:
    st.markdown(f"**Part {n}: {plain(part.round.case.question.query)}**  \n**{headline(part)}**")
    st.markdown(f"“{plain(part.delivery.text)}”" if part.delivery else plain(part.answer))
    if not part.answered:
        st.markdown(reason(part))
    st.caption(figures(part, preset))
    band(part, preset)
    if part.answered:
        citations(part, n)


def select_part(trace: Trace, verdict: Verdict) -> ShownQuestion:
    """The question to show. For a question in parts, draw the choice of a part and return the selected one; otherwise
    return the whole question."""
    if not verdict.parts:
        return ShownQuestion(trace=trace, verdict=verdict)
    names = [f"Part {n}" for n in range(1, len(verdict.parts) + 1)]
    selected = st.segmented_control("Look closely at", names, default=names[0], required=True, key=ASK.part.key)
    index = names.index(selected) if selected in names else 0
    parts = [part for part in trace.parts if part.rounds]
    return ShownQuestion(trace=parts[index], verdict=verdict.parts[index], part=index + 1)
