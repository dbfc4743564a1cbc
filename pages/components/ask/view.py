"""What stands below the form: the verdict, the page of the book beside it, and one section that explains it."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.case import Trace
from core.decide import Verdict, verdict
from core.errors import UserError
from core.evaluation.prepared_case import MIXED, needed_document
from core.library import Shelf
from core.platform.home import home_folder
from core.presentation.check_tiles import limit_words
from core.thresholds import Preset
from core.words import count_of
from pages.components.ask.conversation import open_to_break
from pages.components.ask.grid import grid
from pages.components.ask.lights import draw_watch_note
from pages.components.ask.page_beside import page_beside
from pages.components.ask.sentences import red_pen, sentence_lines, with_without
from pages.components.ask.sparklines import strips
from pages.components.ask.verdict_actions import actions
from pages.components.ask.verdict_box import citations, verdict_box
from pages.components.ask.verdict_words import band, figures, headline, reason
from pages.components.shared.limits import class_limits, current_preset, limit_widgets
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.resources import shared_shelf
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import ASK, DETAILS

_into_view = st.components.v2.component(
    "guardrail.section", js=Path(__file__).with_name("section.js").read_text("utf-8"),
    css=".st-key-into-view { position: absolute; }", isolate_styles=False,
)  # fmt: skip
_LOOKS_EVERY = 3.0
"""Seconds between two looks whether the chapter of the prepared case is in the library."""
WIDTH = 252
"""Width of the box of a part in pixels."""


def question_strips(keys: Collection[str]) -> dict[str, str]:
    """The strips under these sliders for the question on screen, by key; empty before it is measured."""
    question = ASK.current.value
    return strips(question.trace, current_preset(), keys) if question and question.trace else {}


def draw_verdict(trace: Trace, preset: Preset, explorer: Any, beside: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw the verdict here, the page of the book in `beside`, and the sections that explain the verdict in `below`."""
    question, found = ASK.current.value, sensitivity_of(trace).verdict(preset)
    _class_note(question.form)
    if (contexts := trace.question.contexts) is not None:
        texts = count_of(len(contexts), "text") + (" that came with it" if contexts else "")
        st.caption(
            f"This question was judged by {texts}, not by the library. If you ask it again, the library is searched."
        )
    verdict_box(trace, found, preset, explorer)
    draw_watch_note(found, preset)
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
        _into_view(key="into view", data={"opened": opened})
    with beside:  # last, since a page takes longest to draw
        citations(found)
        if not question.prepared:
            page_beside(found, preset, explorer.library)
        elif _is_added(shelf := shared_shelf(str(home_folder()))):
            page_beside(found, preset, shelf)
        else:
            _page_to_come(found, preset, shelf)


def _class_note(form: Mapping[str, Any]) -> None:
    """Draw how many of the limits of the class and subject in `form` the sliders have; nothing if these have none."""
    try:
        own = class_limits(form)
    except UserError as error:
        show(error)
        return
    if own:
        in_use = sum(limit_widgets()[key].value == value for key, value in own.items())
        scope = " and ".join(filter(None, (form["subject"], form["class_number"] and f"class {form['class_number']}")))
        st.caption(
            plain(f"Limits for {scope}: {in_use} of {len(own)} in use."),
            help=plain("; ".join(" ".join(limit_words(key, value)[:2]) for key, value in own.items())),
        )


def measure_shown(trace: Trace, preset: Preset, explorer: Any) -> None:
    """Measure the perturbed answer if the open section shows it: "Break it", or "Without the guardrail", which then
    compares the broken answer."""
    if ASK.detail.value in DETAILS[2:]:
        from pages.components.ask.perturb_box import measure_broken

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
    """Draw only the open section; no other one is computed, sent to the browser or imported."""
    if name == "Without the guardrail":
        from pages.components.ask.perturb_box import broken_answer, change

        broken = broken_answer(trace, found)
        if broken:
            with_without(verdict(broken.trace, preset), f"Broken: {change(broken.broken)}.")
        else:
            with_without(found)
    elif name == "Break it":
        from pages.components.ask.perturb_box import break_box

        break_box(trace, found, preset)
    elif name == "Sentences":
        _, part, number = select_part(trace, found)
        grid(part, preset, number)
        draft = part.round.case.draft
        if part.route in ("deliver_part", "deliver_corrected") and not draft.given:  # else it stands in the verdict
            st.markdown(red_pen(sentence_lines(part)))
    else:
        from pages.components.shared.path import draw_path

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
