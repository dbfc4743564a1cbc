"""How much of a bank is measured, and the measuring in the background: begun, followed, stopped, gone on with."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.banks.background_measuring import Background, BankRun
from core.banks.measured_bank import MeasuredBank, conditions_of
from core.jobs import PEOPLE, time_left
from core.startup import home_folder
from pages.components.shared.safe_display import ERRORS, counted, plain, show

if TYPE_CHECKING:
    from core.graph import Explorer

POLLED = 1.0
"""Seconds between two looks at a bank that is being measured."""


@st.cache_resource(show_spinner=False)
def shared_background(home: str) -> Background:
    """The measuring of this process, whoever began it."""
    return Background(Path(home))


@dataclass(frozen=True, kw_only=True)
class Standing:
    """For each row of a bank "measured", "" or why it could not be; and what has changed since others were."""

    states: list[str]
    stale: str = ""


def standing(bank: MeasuredBank) -> Standing:
    """How a bank stands; the sentence is shown when what was measured cannot be read."""
    try:
        return Standing(states=bank.states(), stale=bank.stale())
    except ERRORS as error:
        show(error)
        return Standing(states=[""] * len(bank.rows))


def measuring_box(name: str, bank: MeasuredBank, now: Standing, explorer: "Explorer") -> None:
    """What is measured of a bank under the settings that are chosen now, and the button for the rest."""
    background = shared_background(str(home_folder()))
    run = background.run(name)
    busy = run is not None and not run.ended.is_set()
    with st.container(border=True, key="measuring"):
        if busy:
            st.fragment(_followed, run_every=POLLED)(background, run, conditions_of(run.explorer) == bank.conditions)
        elif bank.rows:
            _at_rest(background, run, name, now, explorer)
        else:
            st.caption("A bank is measured once it holds questions: add one below, or import a file above.")


def _followed(background: Background, run: BankRun, mine: bool) -> None:
    """Drawn again and again while the bank is measured; the whole page follows when that has ended.

    mine: it is measured with the models and settings that this person has chosen.
    """
    if run.ended.is_set():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(share(run), text=plain(line(run)))
        st.button(
            "Stop", key="stop measuring", icon=":material/stop_circle:", disabled=run.stopping.is_set(),
            on_click=background.stop, args=(run.name,), help="What is measured stays, and you can go on later",
        )  # fmt: skip
    if not mine:
        st.caption(
            "It is being measured with other models or settings than those you have chosen; measure it with yours "
            "after that."
        )
    st.caption("You can leave this page and ask questions meanwhile: whoever asks or moves a slider goes first.")


def share(run: BankRun) -> float:
    """How much of a bank is done, in [0, 1]."""
    return min(1.0, (run.done + len(run.failed)) / run.count) if run.count else 0.0


def line(run: BankRun) -> str:
    """How a run comes along: "12 of 40 questions measured, about 3 min left"."""
    done = f"{run.done:,} of {run.count:,} questions measured"
    if run.stopping.is_set():
        return f"{done}, stopping after this one …"
    if run.state == "waiting" or run.seconds_left is None:
        return f"{done}, the next one is being measured …"
    waits = ", waiting while somebody asks" if PEOPLE.busy else ""
    return f"{done}, {time_left(run.seconds_left)}{waits}"


def _at_rest(background: Background, run: BankRun | None, name: str, now: Standing, explorer: "Explorer") -> None:
    if run and run.sentence:
        st.error(plain(run.sentence), icon=":material/error:")
    count, missing = len(now.states), sum(state != "measured" for state in now.states)
    failed = missing - now.states.count("")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(said(count, missing, failed), width="stretch")
        if missing:
            begun = missing < count and not now.stale
            st.button(
                "Go on measuring" if begun else "Measure in the background", type="primary", key="measure",
                icon=":material/play_arrow:", on_click=background.start, args=(name, explorer),
            )  # fmt: skip
    if now.stale:
        st.warning(plain(now.stale), icon=":material/update:")
    elif missing == count:
        st.caption(
            "Each question is asked once, with every search and correction that any threshold could ask for. After "
            "that, moving a threshold on the whole bank runs no model."
        )


def said(count: int, missing: int, failed: int) -> str:
    """What is measured, in one line of Markdown."""
    under = "with the library, the models and the settings as they are now"
    if not missing:
        every = "The question is" if count == 1 else f"All {count:,} questions are"
        return f":green[:material/check_circle: {every} measured] {under}."
    done = f"**{count - missing:,} of {counted(count, 'question')}** measured {under}"
    more = f"; {counted(failed, 'question')} could not be, as the table says" if failed else ""
    return f":gray[:material/radio_button_unchecked:] {done}{more}."
