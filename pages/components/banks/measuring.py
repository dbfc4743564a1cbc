"""Measured banks: open and cache one, show how much of it is measured, and measure the rest in the background."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.banks.background_measuring import Background, BankRun
from core.banks.measured_bank import MeasuredBank, StoredTraces, conditions_of
from core.banks.saved import SavedBanks, set_title
from core.banks.scored_bank import ValuedBank
from core.graph.startup import home_folder
from core.platform.jobs import PEOPLE, time_left
from core.presets import preset
from pages.components.ask.sparklines import OPENED
from pages.components.banks.chosen_bank import empty
from pages.components.shared.resources import shared_background
from pages.components.shared.safe_display import ERRORS, counted, plain, show
from pages.components.shared.session import BANK, fill, notes, value

if TYPE_CHECKING:
    from core.graph import Explorer

POLLED = 1.0
"""Seconds between two redraws while a bank is measured."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far a bank is measured. states: for each row "measured", "" (not yet), or why it could not be measured.

    stale: a sentence on what has changed since other measurements; "" without a change.
    """

    states: list[str]
    stale: str = ""


def standing(bank: MeasuredBank) -> Standing:
    """How far a bank is measured; show an error if its measurements cannot be read."""
    try:
        return Standing(states=bank.states(), stale=bank.stale())
    except ERRORS as error:
        show(error)
        return Standing(states=[""] * len(bank.rows))


def measuring_box(name: str, bank: MeasuredBank, progress: Standing, explorer: "Explorer") -> None:
    """Draw how far a bank is measured under the current settings, and the button that measures the rest."""
    background = shared_background(str(home_folder()))
    run = background.run(name)
    busy = run is not None and not run.ended.is_set()
    with st.container(border=True, key="measuring"):
        if busy:
            st.fragment(_progress, run_every=POLLED)(background, run, conditions_of(run.explorer) == bank.conditions)
        elif bank.rows:
            _status(background, run, name, progress, explorer)
        else:
            st.caption("A set can be run once it has questions: add one below, or import a file above.")


def _progress(background: Background, run: BankRun, has_own_settings: bool) -> None:
    """Draw the progress of a run; repeated until it ends, then the whole page reruns.

    has_own_settings: True if it measures with the models and settings that this user has selected.
    """
    if run.ended.is_set():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(share(run), text=plain(line(run)))
        st.button(
            "Stop", key="stop measuring", icon=":material/stop_circle:", disabled=run.stopping.is_set(),
            on_click=background.stop, args=(run.name,), help="What is measured stays, and you can go on later",
        )  # fmt: skip
    if not has_own_settings:
        st.caption(
            "It is being measured with other models or settings than those you have chosen; measure it with yours "
            "after that."
        )
    st.caption("You can leave this page and ask questions meanwhile: whoever asks or moves a slider goes first.")


def share(run: BankRun) -> float:
    """The share of a run that is done, in [0, 1]; failed questions count as done."""
    return min(1.0, (run.done + len(run.failed)) / run.count) if run.count else 0.0


def line(run: BankRun) -> str:
    """The progress of a run in words: "12 of 40 questions measured, about 3 min left"."""
    done = f"{run.done:,} of {run.count:,} questions measured"
    if run.stopping.is_set():
        return f"{done}, stopping after this one …"
    if run.state == "waiting" or run.seconds_left is None:
        return f"{done}, the next one is being measured …"
    waits = ", waiting while somebody asks" if PEOPLE.busy else ""
    return f"{done}, {time_left(run.seconds_left)}{waits}"


def _status(background: Background, run: BankRun | None, name: str, progress: Standing, explorer: "Explorer") -> None:
    """Draw how far a bank is measured while no run is active, and the button that starts one."""
    if run and run.sentence:
        st.error(plain(run.sentence), icon=":material/error:")
    count, missing = len(progress.states), sum(state != "measured" for state in progress.states)
    failed = missing - progress.states.count("")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(said(count, missing, failed), width="stretch")
        if missing:
            is_partial = missing < count and not progress.stale
            st.button(
                "Continue the run" if is_partial else "Run set", type="primary", key="measure",
                icon=":material/play_arrow:", on_click=background.start, args=(name, explorer),
            )  # fmt: skip
    if progress.stale:
        st.warning(plain(progress.stale), icon=":material/update:")
    elif missing == count:
        st.caption(
            "Each question is asked once, with every search and correction that any threshold could ask for. After "
            "that, moving a threshold on the whole set runs no model."
        )


def said(count: int, missing: int, failed: int) -> str:
    """How much of a bank is measured, as one line of Markdown. count: all questions. missing: not measured.

    failed: those of the missing ones that could not be measured.
    """
    conditions = "with the library, the models and the settings as they are now"
    if not missing:
        subject = "The question is" if count == 1 else f"All {count:,} questions are"
        return f":green[:material/check_circle: {subject} measured] {conditions}."
    done = f"**{count - missing:,} of {counted(count, 'question')}** measured {conditions}"
    more = f"; {counted(failed, 'question')} could not be, as the table says" if failed else ""
    return f":gray[:material/radio_button_unchecked:] {done}{more}."


_STAMP = "opened bank"
"""Key of the note with the name of the open bank and its stamp."""


def open_bank(explorer: "Explorer") -> ValuedBank | None:
    """Draw the choice of a bank; return its measured part. If nothing is measured, draw what to do and return None."""
    banks = SavedBanks(home_folder())
    notes(OPENED).clear()
    if not banks.names():
        empty(banks)
        return None
    try:
        bank = _select(banks, explorer)
    except ERRORS as error:
        show(error)
        return None
    if not bank.cases:
        st.info(
            "This question set has not been run yet. Run it once; after that every slider moves over all of it.",
            icon=":material/timer:",
        )
        return None
    notes(OPENED)[:] = [bank]
    return bank


def _select(banks: SavedBanks, explorer: "Explorer") -> ValuedBank:
    names = banks.names()
    if value(BANK) not in names:
        fill(BANK, names[0])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Question set", names, key=BANK, format_func=set_title, width=300)
        if st.button("Edit it", key="edit bank", icon=":material/edit:", type="tertiary"):
            st.switch_page("pages/banks.py")
    name, home = value(BANK), home_folder()
    stamp = _stamp(banks, name, home, explorer)
    bank = _opened(str(home), name, stamp, explorer)
    total = len(_rows(str(home), name, stamp[0]))
    st.caption(plain(to_tune_on(total, len(bank.cases), explorer.models.profile)))
    if len(bank.cases) < total:
        measured = MeasuredBank(home, banks.rows(name), conditions_of(explorer))
        measuring_box(name, measured, standing(measured), explorer)
    return bank


def to_tune_on(total: int, measured: int, profile: str) -> str:
    """How much of a bank is measured, and with which models."""
    amount = f"{counted(total, 'question')}, all measured" if total == measured else f"{measured} of {total} measured"
    return f"{amount}, {profile} models"


def _stamp(banks: SavedBanks, name: str, home: Path, explorer: "Explorer") -> tuple[Any, ...]:
    """A value that changes with the bank, its measurements and the conditions: the cache key of the open bank.

    It stays constant while the bank is measured, so that a slider does not reopen the bank after every question.
    """
    run = shared_background(str(home)).run(name)
    stored = notes(_STAMP)
    key = conditions_of(explorer).key
    if run and not run.ended.is_set() and stored and stored[0][0] == name and stored[0][1][2] == key:
        return stored[0][1]
    file = StoredTraces(home).path
    stamp = (_file_stats(banks.path(name)), _file_stats(file, file.with_name(f"{file.name}-wal")), key)
    stored[:] = [(name, stamp)]
    return stamp


def _file_stats(*paths: Path) -> tuple[tuple[int, int], ...]:
    """Modification time in nanoseconds and size in bytes of those files that exist."""
    stats = [path.stat() for path in paths if path.exists()]
    return tuple((s.st_mtime_ns, s.st_size) for s in stats)


@st.cache_resource(show_spinner="Opening what was measured of this question set …", max_entries=3, show_time=True)
def _opened(home: str, name: str, stamp: tuple[Any, ...], _explorer: "Explorer") -> ValuedBank:
    """The measured part of a bank. stamp: the cache key for the state of its files, from `_stamp`."""
    rows = _rows(home, name, stamp[0])
    bank = ValuedBank(MeasuredBank(Path(home), rows, conditions_of(_explorer)).cases())
    bank.at(preset("default"))  # the first decision is slow, so it is made here, under the spinner
    return bank


@st.cache_resource(show_spinner=False, max_entries=8)
def _rows(home: str, name: str, stamp: tuple[Any, ...]) -> Sequence[dict[str, Any]]:  # noqa: ARG001 - part of the cache key
    return SavedBanks(Path(home)).rows(name)
