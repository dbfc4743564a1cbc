"""The Ask page as it is drawn, whoever decides: the verdict in one fold, and what explains it one level deeper."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Trace
from core.chain import Verdict
from core.settings.domains import domain
from core.sweep.sensitivity import MEASURE, check_moves
from core.thresholds import Preset
from pages.components.ask.answer_comparison import changes, drafts, with_without
from pages.components.ask.check_table import check_table
from pages.components.ask.confidence import band, stages, watched
from pages.components.ask.evidence import grid, show_opened
from pages.components.ask.perturb_box import break_box, is_to_be_read
from pages.components.ask.route import rounds, route_box
from pages.components.ask.route_steps import brief
from pages.components.ask.sparklines import strips
from pages.components.ask.verdict_actions import add_to_bank, flip_box, report_button
from pages.components.ask.verdict_box import citations, figures, headline, reason, verdict_box
from pages.components.shared.limits import current_preset
from pages.components.shared.page_setup import let_in
from pages.components.shared.question_state import asked, is_to_write, sensitivity_of
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import DETAILS, DETAILS_FIELD, PART_FIELD
from pages.components.shared.sidebar import DECIDED

if TYPE_CHECKING:
    from core.graph import Explorer

Decide = Callable[[Trace, Preset], Verdict]
OF_A_PART = DETAILS[:3]
"""What is looked at part by part of a question that has several."""
WIDTH = 370


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the sections below the verdict are about. part: of the question, from 1; 0 for all of it."""

    trace: Trace
    verdict: Verdict
    part: int = 0


def question_strips(keys: Collection[str]) -> dict[str, str]:
    """The strips under these sliders for the question on screen; none before it is measured."""
    now = asked()
    return strips(now.trace, current_preset(), keys) if now and now.trace else {}


def needs_models() -> bool:
    """True where the question, or its broken answer, has to be measured under the limits as they stand."""
    now, preset = asked(), current_preset()
    if now is None or now.trace is None or is_to_write():
        return True
    return sensitivity_of(now.trace).ends(preset) == MEASURE or is_to_be_read(now.trace, preset)


@st.fragment(key=DECIDED)
def decided(trace: Trace, decide: Decide, explorer: "Explorer") -> None:
    """All that limits decide of a measured question: drawn again alone when one was moved, and when its own buttons
    are pressed. Nothing in it is measured, since nobody could stop that."""
    let_in()
    result(trace, current_preset(), decide, explorer)


def result(trace: Trace, preset: Preset, decide: Decide, explorer: "Explorer") -> None:
    """The verdict of `decide` on what was measured, with everything that led to it, down to the pages of the books."""
    verdict = decide(trace, preset)
    if (contexts := trace.question.contexts) is not None:
        came = counted(len(contexts), "text") + (" that came with it" if contexts else "")
        st.caption(f"This question was read against {came}, not against the library; asked anew here, it searches it.")
    room = verdict_box(trace, verdict, preset)  # filled last: the verdict does not wait for what would change it
    watched(verdict, preset)
    parts_box(trace, verdict, preset)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.segmented_control(
            "More", DETAILS, key=DETAILS_FIELD, required=True, label_visibility="collapsed", on_change=_opened
        )
        report_button(trace, verdict, preset, explorer)
        add_to_bank(trace)
    _detail(chosen, trace, verdict, preset, explorer)
    show_opened(verdict, explorer.library)
    with room:
        flip_box(trace, preset)


def _opened() -> None:
    """The whole page runs where what is opened has to be measured first; a callback."""
    if needs_models():
        st.rerun()


def _detail(chosen: str, trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> None:
    """What explains the verdict, one kind at a time: what is not looked at is neither decided nor sent."""
    if chosen in OF_A_PART:
        if chosen == "The way":
            _as_a_whole(trace, verdict, preset)
        _closely(chosen, shown(trace, verdict), trace, preset, explorer)
    elif chosen == "With and without":
        with_without(verdict, preset)
        for one in verdict.parts or (verdict,):
            drafts(one)
    else:
        break_box(trace, verdict, preset)


def _as_a_whole(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    st.caption(f"The way: {brief(verdict)}")
    if verdict.parts:
        with st.expander("How the question was taken apart", icon=":material/route:"):
            route_box(trace, verdict, preset, "route of all")


def _closely(chosen: str, now: Shown, trace: Trace, preset: Preset, explorer: "Explorer") -> None:
    """One kind of what was found on one question, or on one part of it."""
    if chosen == "Sentences":
        changes(now.verdict)
        grid(now.verdict, preset, now.part)
    elif chosen == "Checks":
        check_table(now.verdict, check_moves(sensitivity_of(trace), now.verdict.round, preset))
        stages(now.verdict, preset, domain(explorer.settings.domain))
    else:
        rounds(now.trace, now.verdict, preset)
        route_box(now.trace, now.verdict, preset)


def parts_box(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """Each part side by side; nothing for a question that asks one thing."""
    if not verdict.parts:
        return
    answered = sum(part.answered for part in verdict.parts)
    st.markdown(f"**{answered} of {counted(len(trace.parts), 'part')} of the question answered**")
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


def shown(trace: Trace, verdict: Verdict) -> Shown:
    """What a person looks at closely: the whole question, or one of its parts, which they choose."""
    if not verdict.parts:
        return Shown(trace=trace, verdict=verdict)
    names = [f"Part {n}" for n in range(1, len(verdict.parts) + 1)]
    chosen = st.segmented_control("Look closely at", names, default=names[0], required=True, key=PART_FIELD)
    place = names.index(chosen) if chosen in names else 0
    measured = [part for part in trace.parts if part.rounds]
    return Shown(trace=measured[place], verdict=verdict.parts[place], part=place + 1)
