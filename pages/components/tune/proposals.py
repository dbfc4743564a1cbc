"""Thresholds proposed from the bank, to accept one by one; and seed C's own calibration sweep."""

import time

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.chain.display_rounding import number, threshold_value
from core.checks import all_thresholds
from core.platform.jobs import time_left
from core.thresholds import Preset
from core.tuning.proposals import MOST_REFUSED as SEED_C_MOST_REFUSED
from core.tuning.proposals import SEED_C_KEY, SEED_C_VALUES, Calibration, Half, Move, Proposal, calibration, propose
from core.tuning.search import Aim
from pages.components.shared.limits import move_sliders
from pages.components.shared.safe_display import ERRORS, plain, show
from pages.components.shared.session import AIM, COST, MOST_REFUSED, notes, value
from pages.components.tune.changed_questions import share

AIMS = {"cost": "the least cost", "limit": "few wrong answers, under a limit on over-refusals"}
_KEPT = "proposal"
_SILENT = (
    "This proposal answers nothing: at this cost of a wrong answer silence is the cheapest on this bank. Let a wrong "
    "answer cost less, or set a limit on over-refusals."
)


def proposals(bank: ValuedBank, preset: Preset) -> None:
    """The form, and the proposal that was made last for this bank."""
    st.subheader("Propose thresholds", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Look for", list(AIMS), key=AIM, format_func=AIMS.get, width=300)
        if value(AIM) == "cost":
            st.number_input("A wrong answer costs … over-refusals", 0.1, 1000.0, key=COST, step=1.0, width=240)
        else:
            st.number_input("Over-refusals at most (%)", 0, 100, key=MOST_REFUSED, step=1, width=200)
        wanted = st.button("Propose", type="primary", key="propose")
        seed_c = st.button("Seed C’s own sweep", key="seed c sweep", help="Five values of its top-score limit")
    st.caption(
        "All limits are searched together, from the sliders as they stand, on one half of the bank, chosen by the hash "
        "of each question; the figures are counted on the other half, which the search never saw. No model runs."
    )
    if wanted:
        _search(bank, preset)
    if seed_c:
        seed_c_calibration(bank)
    for kept, found in notes(_KEPT):
        if kept is bank:
            _shown(found)


def proposed() -> bool:
    """True where a proposal stands on the page, which says what of it is accepted."""
    return bool(notes(_KEPT))


def _search(bank: ValuedBank, preset: Preset) -> None:
    """The search itself; any press, such as Cancel, ends it at its next step."""
    limit = value(MOST_REFUSED) / 100 if value(AIM) == "limit" else None
    place, started = st.empty(), time.monotonic()
    with place.container(horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, text="Searching …")
        st.button("Cancel", key="cancel search", icon=":material/stop_circle:")

    def told(done: float) -> None:
        left = (time.monotonic() - started) / done * (1 - done) if done > 0 else 0
        bar.progress(done, text=f"Searching all limits together, {time_left(left)}")

    try:
        found = propose(bank.cases, preset, Aim(wrong_cost=value(COST), max_over_refusal=limit), told)
    except ERRORS as error:
        show(error)
    else:
        notes(_KEPT)[:] = [(bank, found)]
    place.empty()


def _shown(found: Proposal) -> None:
    if not found.moves:
        st.info(
            "No other thresholds do better than today’s by more than chance on the half that was searched, so none are "
            "proposed.", icon=":material/balance:",
        )  # fmt: skip
        return
    if found.refuses_all:
        st.warning(_SILENT, icon=":material/volume_off:")
    st.markdown("  \n".join(told_of(found)))
    now = {key: float(value(key)) for key in all_thresholds()}
    for move in found.moves:
        _move(move, now[move.key] == move.after, "case" if found.aim.max_over_refusal is None else "")
    rest = {m.key: m.after for m in found.moves if now[m.key] != m.after}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Accept all", key="accept all", on_click=move_sliders, args=(rest,), disabled=not rest)
        st.button(
            "Take all back", key="take all back", type="tertiary", disabled=len(rest) == len(found.moves),
            on_click=move_sliders, args=({m.key: m.before for m in found.moves},),
        )  # fmt: skip
        st.caption(
            "What you accept moves the sliders; the sidebar saves them as a preset of your own.", width="stretch"
        )


def told_of(found: Proposal) -> list[str]:
    """The figures of the half that the search never saw, today's beside the proposed ones."""
    half = found.held_out
    base, new, limit = half.base, half.proposed, found.aim.max_over_refusal
    limits = () if limit is None else (limit,)
    lines = [
        f"On the **{new.n}** cases that the search never saw: wrong answers **{base.wrong + base.let_out}** "
        f"({share(base.wrong_answer)}) → **{new.wrong + new.let_out}** ({share(new.wrong_answer)}); over-refused "
        f"**{base.over_refused}** of {base.due} ({share(base.over_refusal, *limits)}) → **{new.over_refused}** of "
        f"{new.due} ({share(new.over_refusal, *limits)})."
    ]
    if limit is None:
        lines.append(_saved(half))
    elif new.over_refusal.share is not None:
        kept = "is kept" if new.over_refusal.share <= limit else "is not kept"
        lines.append(f"The limit of {number(100 * limit, 0)} % {kept} there.")
    return lines


def _saved(half: Half) -> str:
    low, high = half.saved
    what = f"A case costs {number(half.cost)} over-refusals instead of {number(half.base_cost)}"
    chance = " – that may be chance" if low <= 0 <= high else ""
    return f"{what}; saved a case: {number((low + high) / 2)} ({number(low)} to {number(high)}){chance}."


def _move(move: Move, accepted: bool, per: str) -> None:
    t = all_thresholds()[move.key]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if accepted:
            st.button(
                "Take back", key=f"accept {move.key}", icon=":material/undo:", type="tertiary", width=120,
                on_click=move_sliders, args=({move.key: move.before},),
            )  # fmt: skip
        else:
            st.button(
                "Accept", key=f"accept {move.key}", width=120, on_click=move_sliders, args=({move.key: move.after},)
            )
        saves = f" · saves {number(move.saves, 3)} a {per}" if per else ""
        sign = ":green[✓ accepted] " if accepted else ""
        st.markdown(
            f"{sign}{plain(t.label)} :gray[({plain(t.key)})]: {threshold_value(t, move.before)} → "
            f"**{threshold_value(t, move.after)}** {plain(t.unit)}:gray[{saves}]", width="stretch",
        )  # fmt: skip


def seed_c_calibration(bank: ValuedBank) -> None:
    """Sweep, and say what came out of it."""
    try:
        with st.spinner("Sweeping the five values …"):
            found = calibration(bank.cases)
    except ERRORS as error:
        show(error)
        return
    with st.container(border=True):
        st.markdown("\n".join(table(found)))
        st.markdown(sentence(found))
        st.button(
            "Move the slider there", key="accept seed c", on_click=move_sliders, args=({SEED_C_KEY: found.chosen},),
            help="Only this slider; the preset Seed C lets nothing but that seed's checks block",
        )  # fmt: skip


def table(found: Calibration) -> list[str]:
    """A line for each of the seed's values."""
    t = all_thresholds()[SEED_C_KEY]
    lines = [f"| {t.label} | as it should be, on the half that is swept |", "|---|---|"]
    for tried, rate in zip(SEED_C_VALUES, found.accuracy, strict=True):
        sign = " :blue[**chosen**]" if tried == found.chosen else ""
        lines.append(f"| {threshold_value(t, tried)}{sign} | {rate.count} of {rate.n} ({share(rate)}) |")
    return lines


def sentence(found: Calibration) -> str:
    """What the chosen value comes to on the other half, beside the seed's own, and beside the seed's limit."""
    mine, seed = found.held_out, found.default
    kept = "keeps" if found.keeps else "does not keep"
    return (
        f"On the other half, with only seed C’s checks blocking: {share(mine.as_it_should_be)} as it should be "
        f"(the seed’s 0.30: {share(seed.as_it_should_be)}), {mine.over_refused} of {mine.due} over-refused "
        f"({share(mine.over_refusal, SEED_C_MOST_REFUSED)}), which {kept} the seed’s limit of "
        f"{number(100 * SEED_C_MOST_REFUSED, 0)} %."
    )
