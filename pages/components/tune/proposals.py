"""Proposed thresholds for a bank, which the user accepts one by one."""

import time

import streamlit as st

from core.banks.open_bank import OpenBank
from core.checks import all_thresholds
from core.errors import UserError
from core.platform.jobs import time_left
from core.presentation.set_words import share
from core.presets import values
from core.reply.display_rounding import number, threshold_value
from core.thresholds import Preset
from core.tuning.proposals import Aim, MovedLimit, Proposal, propose
from pages.components.shared.limits import current_preset, move_sliders
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import TUNE

AIMS = {"cost": "the least cost", "limit": "few wrong answers, under a limit on wrong refusals"}


def proposals(bank: OpenBank, preset: Preset) -> None:
    """Draw the form of the search and the latest proposal, if it was made from this bank as it is now."""
    st.subheader("Propose thresholds", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Look for", list(AIMS), **TUNE.aim.kept, format_func=AIMS.get, width=300)
        if TUNE.aim.value == "cost":
            label = "How many wrong refusals are as bad as one wrong answer?"
            st.number_input(label, 0.1, 1000.0, **TUNE.cost.kept, step=1.0, width=400)
        else:
            st.number_input("Wrongly refused at most (%)", 0, 100, **TUNE.max_refused.kept, step=1, width=200)
        is_search = st.button("Propose", type="primary", key="propose")
    st.caption(
        "The search starts at your sliders and moves all limits together. It uses one half of the questions; its "
        "result is then measured on the other half. It takes seconds."
    )
    if is_search:
        _search(bank, preset)
    proposal_bank, proposal = TUNE.proposal.value or (None, None)
    if proposal and proposal_bank is bank:
        _proposal(proposal)


def _search(bank: OpenBank, preset: Preset) -> None:
    """Search for better thresholds and store the proposal. If a button such as Cancel is pressed, the search ends at
    its next step."""
    limit = TUNE.max_refused.value / 100 if TUNE.aim.value == "limit" else None
    area, started = st.empty(), time.monotonic()
    with area.container(horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, text="Searching …")
        st.button("Cancel", key="cancel search", icon=":material/stop_circle:")

    def listen(done_share: float) -> None:
        seconds = (time.monotonic() - started) / done_share * (1 - done_share) if done_share > 0 else 0
        bar.progress(done_share, text=f"Searching all limits together, {time_left(seconds)}")

    try:
        proposal = propose(bank, preset, Aim(wrong_cost=TUNE.cost.value, max_over_refusal=limit), listen)
    except UserError as error:
        show(error)
    else:
        TUNE.proposal.value = (bank, proposal)
    area.empty()


def _proposal(proposal: Proposal) -> None:
    """Draw a proposal with its figures and a button for each move."""
    if not proposal.moves:
        st.info(
            "The search found no thresholds that are better than the current ones by more than chance, so none are "
            "proposed.", icon=":material/balance:",
        )  # fmt: skip
        return
    if proposal.is_silent:
        st.warning(
            "This proposal answers nothing: at this cost of a wrong answer, refusing everything is cheapest on this "
            "set. Let a wrong answer cost less, or set a limit on wrong refusals.", icon=":material/volume_off:",
        )  # fmt: skip
    st.markdown("  \n".join(figure_lines(proposal)))
    current = values(current_preset())
    for move in proposal.moves:
        saves = f" · saves {number(move.saves, 3)} per case" if proposal.aim.max_over_refusal is None else ""
        _move(move, saves, is_accepted=current[move.key] == move.after)
    open_moves = {m.key: m.after for m in proposal.moves if current[m.key] != m.after}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Accept all", key="accept all", on_click=move_sliders, args=(open_moves,), disabled=not open_moves)
        st.button(
            "Undo all", key="take all back", type="tertiary", disabled=len(open_moves) == len(proposal.moves),
            on_click=move_sliders, args=({m.key: m.before for m in proposal.moves},),
        )  # fmt: skip
        st.caption("Accept moves the slider; in the sidebar you can save all sliders as a preset.", width="stretch")


def figure_lines(proposal: Proposal) -> list[str]:
    """The figures on the half that the search never saw, under the current and the proposed limits, as Markdown
    lines."""
    half = proposal.held_out
    base, new, limit = half.base, half.proposed, proposal.aim.max_over_refusal
    limits = () if limit is None else (limit,)
    lines = [
        f"On the **{new.n}** cases that the search did not use: wrong answers **{base.wrong + base.not_due_wrong}** "
        f"({share(base.wrong_answer)}) → **{new.wrong + new.not_due_wrong}** ({share(new.wrong_answer)}); wrongly "
        f"refused **{base.over_refused}** of {base.due} ({share(base.over_refusal, *limits)}) → "
        f"**{new.over_refused}** of {new.due} ({share(new.over_refusal, *limits)})."
    ]
    if limit is None:
        low, high = half.saved
        chance = " – that may be chance" if low <= 0 <= high else ""
        lines.append(
            f"On average a case costs {number(half.cost)} wrong refusals instead of {number(half.base_cost)}; saving "
            f"per case: {number((low + high) / 2)} ({number(low)} to {number(high)}){chance}."
        )
    elif new.over_refusal.share is not None:
        result = "is met" if new.over_refusal.share <= limit else "is exceeded"
        lines.append(f"The limit of {number(100 * limit, 0)} % on wrong refusals {result} on these cases.")
    return lines


def _move(move: MovedLimit, saves: str, *, is_accepted: bool) -> None:
    """Draw a proposed move of a threshold, with the button that accepts it or, if it is accepted, takes it back."""
    t = all_thresholds()[move.key]
    label, icon, kind, target = (
        ("Take back", ":material/undo:", "tertiary", move.before)
        if is_accepted
        else ("Accept", None, "secondary", move.after)
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            label, key=f"accept {move.key}", icon=icon, type=kind, width=120, on_click=move_sliders,
            args=({move.key: target},),
        )  # fmt: skip
        st.markdown(
            f"{':green[✓ accepted] ' if is_accepted else ''}{plain(t.label)} :gray[({plain(t.key)})]: "
            f"{threshold_value(t, move.before)} → **{threshold_value(t, move.after)}** {plain(t.unit)}:gray[{saves}]",
            width="stretch",
        )  # fmt: skip
