"""The parts of a question that asks several things, and the one that is looked at closely."""

from dataclasses import dataclass

import streamlit as st

from core.case import Trace
from core.chain import Verdict
from core.thresholds import Preset
from pages.components.ask.confidence_band import band
from pages.components.ask.verdict_box import citations, figures, headline, reason
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import PART_FIELD

WIDTH = 370


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the sections below the verdict are about. part: of the question, from 1; 0 for all of it."""

    trace: Trace
    verdict: Verdict
    part: int = 0


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
    band(part, preset, f"band {n}")
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
