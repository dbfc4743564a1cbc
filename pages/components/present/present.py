"""Present, for a room of stakeholders: one question in large type, in four steps that the arrow keys turn."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from core.case import MAX_QUERY, Trace
from core.check import GROUPS
from core.decide import Verdict, verdict
from core.presentation.check_tiles import tally
from core.settings import Settings
from core.text.citation_marks import without_marks
from core.thresholds import Preset
from pages.components.ask.asking import measure_current
from pages.components.ask.perturb_box import (
    LABELS,
    another,
    break_buttons,
    broken_answer,
    change,
    highlighted,
    measure_broken,
    offer_another,
    result_text,
)
from pages.components.ask.verdict_words import headline
from pages.components.shared.limits import current_preset
from pages.components.shared.question_state import ask_form, sensitivity_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK, FORM
from pages.components.shared.session_types import Breaking

if TYPE_CHECKING:
    from core.graph import Explorer

STEPS = ("Ask", "Break it", "Without and with", "How we decided")
_LARGE = """<style>
:is([data-testid=stSidebar], [data-testid=stTopNav], [data-testid=stExpandSidebarButton]) { display: none; }
:is(.st-key-ask-page, [data-testid=stCaptionContainer]) { display: none; }
[data-testid=stMainBlockContainer] { max-width: 1500px; padding-top: 4.5rem; }
[data-testid=stMainBlockContainer] :is(p, li, input, button p) { font-size: 24px; line-height: 1.4; }
[data-testid=stMainBlockContainer] h2 { font-size: 36px; }
</style>"""


def present(explorer: "Explorer", profile: str, settings: Settings, draw_sidebar: Callable[[], object]) -> None:
    """Draw the presentation alone, and end the page.

    draw_sidebar: draws the sidebar, which is hidden here; but sliders that are not drawn lose their values.
    """
    st.html(_LARGE)
    preset = current_preset()
    trace = measure_current(explorer, profile, settings, preset)
    step = ASK.step_presented.value if trace else 0
    found = sensitivity_of(trace).verdict(preset) if trace else None
    if step == 0 or found is None:
        _ask(trace, found)
    elif (broken := _broken(trace, found, preset, explorer)) is None:
        offer_another(found)
    else:
        _DRAWN[step](found, broken, verdict(broken.trace, preset))
    _turn(step, len(STEPS) if found else 1)
    draw_sidebar()  # last: if the models cannot be opened above, `explorer` has drawn it already and stopped the page
    st.stop()


def _turn(step: int, count: int) -> None:
    """Draw which step this is, and the buttons that turn to the first `count` steps."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="present steps"):
        for label, shortcut, new in (("Back", "Left", step - 1), ("Next", "Right", step + 1)):
            st.button(
                label, key=f"present {label}", shortcut=shortcut, disabled=not 0 <= new < count,
                on_click=ASK.step_presented.set, args=(new,),
            )  # fmt: skip
        st.markdown(f":gray[{step + 1} of {len(STEPS)}: {STEPS[step]}]", width="stretch")
        st.button("Leave", key="present leave", shortcut="Esc", type="tertiary", on_click=ASK.presents.clear)


def _ask(trace: Trace | None, found: Verdict | None) -> None:
    with st.form("present ask", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Question", **FORM.question.kept, max_chars=MAX_QUERY, label_visibility="collapsed")
        st.form_submit_button("Ask", type="primary", on_click=ask_form)
    if trace and found:
        st.header(plain(trace.question.query), anchor=False)
        st.markdown(_outcome(found))


def _outcome(found: Verdict) -> str:
    """The outcome of a question in large words, with its answer or the reason why there is none."""
    reason = "" if found.answered else f"\n\n:gray[{plain(found.explanation)}]"
    return f"**{headline(found)}**\n\n{plain(without_marks(found.answer))}{reason}"


def _broken(trace: Trace, found: Verdict, preset: Preset, explorer: "Explorer") -> Breaking | None:
    """The broken answer, measured; the first way that the answer allows, unless one was chosen here or on Ask. None if
    no answer goes out as written, or if it cannot be broken."""
    draft, breaking = found.round.case.draft, ASK.breaking.value
    if draft is None or found.route != "deliver":
        return None
    if breaking is None or (breaking.question, breaking.text) != (trace.question, draft.text):
        answers = [another(kind, draft.text, found.round.case.passages, None) for kind in LABELS]
        changed = next((answer for answer in answers if answer.has_changed), None)
        if changed is None:
            return None
        ASK.breaking.value = Breaking(question=trace.question, text=draft.text, broken=changed)
    measure_broken(trace, preset, explorer)
    return broken_answer(trace, found)


def _break_it(found: Verdict, broken: Breaking, second: Verdict) -> None:
    """Draw the broken answer with what was changed, and buttons for another change."""
    st.header(f"We changed one thing: {change(broken.broken)}", anchor=False)
    st.markdown(_marked(broken))
    st.markdown(result_text(found, second))
    break_buttons(broken.question, broken.text, found.round.case.passages, broken, "present")


def _without_and_with(_: Verdict, broken: Breaking, second: Verdict) -> None:
    """Draw what a reader would get of the broken answer without the guardrail, and what goes out with it."""
    without, guarded = st.columns(2, gap="large")
    with without, st.container(border=True, key="present without"):
        st.header("Without the guardrail", anchor=False)
        st.markdown(_marked(broken))
    with guarded, st.container(border=True, key="present with"):
        st.header("With the guardrail", anchor=False)
        st.markdown(_outcome(second))


def _how(found: Verdict, _: Breaking, second: Verdict) -> None:
    """Draw what the checks said of the broken answer, by stage, and why each stopped it."""
    st.header("How we decided", anchor=False)
    for stage, title in GROUPS.items():
        results = [result for result in second.checks.values() if result.stage == stage]
        st.markdown(f"**{plain(title)}**: {plain(tally(results))}")
    st.markdown(result_text(found, second))


def _marked(broken: Breaking) -> str:
    answer = broken.broken
    return highlighted(answer.answer, answer.place, answer.after)


_DRAWN: Mapping[int, Callable[[Verdict, Breaking, Verdict], None]] = {1: _break_it, 2: _without_and_with, 3: _how}
"""How each step after the first is drawn."""
