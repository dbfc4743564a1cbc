"""The open question set: its rows, the state of each, and its measured part, which is cached until something
changes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.background_measuring import Background, BankRun
from core.banks.bank_files import open_bank
from core.banks.measured_bank import MeasuredBank, StoredTraces, conditions_in
from core.banks.open_bank import OpenBank
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.banks.shipped_traces import FILE
from core.errors import UserError
from core.evaluation.conditions import Conditions, conditions_of
from core.platform.home import home_folder
from core.presets import preset
from core.writers.auto_writer import for_many_questions
from pages.components.shared.safe_display import show
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using


@dataclass(frozen=True, kw_only=True)
class OpenSet:
    """The open question set with its measurements under the current conditions (models and settings).

    name: of the set. rows: its questions. measured_bank: reads the measurements. states: for each row "measured", ""
    (not measured yet), or why it could not be measured. stale: a sentence on what has changed since measurements that
    no longer apply; "" if there are none. bank: the measured part, None if nothing is measured. is_saved: False for the
    sample as it comes with the app.
    """

    name: str
    rows: Sequence[Mapping[str, Any]]
    measured_bank: MeasuredBank
    states: Sequence[str] = field(default_factory=tuple)
    stale: str = ""
    bank: OpenBank | None = None
    is_saved: bool = True

    @property
    def missing(self) -> int:
        """The number of rows that are not measured."""
        return len(self.states) - self.states.count("measured")

    def is_measured_by(self, run: BankRun) -> bool:
        """True if a run of measuring has the conditions of this set, so that its results belong here."""
        return conditions_of(run.explorer) == self.measured_bank.conditions


@st.cache_resource(show_spinner=False)
def shared_background(home: str) -> Background:
    """The background measuring of this process, shared by all sessions."""
    return Background(Path(home))


def active_run(name: str) -> BankRun | None:
    """The run of a set that has not ended; None if there is none."""
    run = shared_background(str(home_folder())).run(name)
    return run if run and not run.ended.is_set() else None


def growth(done_count: int) -> int:
    """A counter of the progress of a run: it rises by 1 each time that about a fifth more questions are measured. The
    page opens the set again whenever this number rises.

    done_count: questions measured so far.
    """
    return int(math.log(done_count + 1, 1.2))


def opened_set(name: str, using: Using) -> OpenSet | None:
    """The set called `name` with its measurements under these models and settings. If the set cannot be read, draw the
    error and return None."""
    banks, home = SavedBanks(home_folder()), home_folder()
    TUNE.opened_bank.clear()
    try:
        conditions = conditions_in(home, using[0], for_many_questions(using[1]))
        rows_stamp = (banks.changed(name), conditions.key)
        measured_bank = _rows_with_measurements(str(home), name, rows_stamp, conditions)
        rows = measured_bank.rows
    except UserError as error:
        show(error)
        return None
    is_saved = name in banks.names()
    try:
        states, stale = _states(str(home), name, (*rows_stamp, *_store_stats()), measured_bank)
        stamp = (*rows_stamp, _measured_stamp(name, conditions))
        bank = _measured_part(str(home), name, stamp, measured_bank) if "measured" in states else None
    except UserError as error:
        show(error)
        return OpenSet(name=name, rows=rows, measured_bank=measured_bank, states=[""] * len(rows), is_saved=is_saved)
    if bank is not None and bank.rows:
        TUNE.opened_bank.value = bank
        return OpenSet(
            name=name, rows=rows, measured_bank=measured_bank, states=states, stale=stale, bank=bank, is_saved=is_saved
        )
    return OpenSet(name=name, rows=rows, measured_bank=measured_bank, states=states, stale=stale, is_saved=is_saved)


def _measured_stamp(name: str, conditions: Conditions) -> Any:
    """A value that changes with what is measured of a set.

    While the set is being measured, the key changes only now and then (see `growth`), so that the set is not opened
    again after every question.
    """
    run = active_run(name)
    return growth(run.done) if run and conditions_of(run.explorer) == conditions else _store_stats()


def _store_stats() -> tuple[tuple[int, int], ...]:
    """A value that changes with what is measured."""
    store = StoredTraces(home_folder()).path
    return _file_stats(store, store.with_name(f"{store.name}-wal"), FILE)


def _file_stats(*paths: Path) -> tuple[tuple[int, int], ...]:
    """Modification time in nanoseconds and size in bytes of those files that exist."""
    stats = [path.stat() for path in paths if path.exists()]
    return tuple((s.st_mtime_ns, s.st_size) for s in stats)


@st.cache_resource(show_spinner=False, max_entries=3)
def _rows_with_measurements(home: str, name: str, stamp: tuple[Any, ...], _conditions: Conditions) -> MeasuredBank:  # noqa: ARG001 - the cache key
    """The rows of a set, cached until `stamp` changes, in an object that reads the measurements from the disk at every
    request."""
    rows = rows_of(SavedBanks(Path(home)), name)
    return MeasuredBank(Path(home), rows, _conditions, any_library=name == SAMPLE)


@st.cache_resource(show_spinner=False, max_entries=3)
def _states(home: str, name: str, stamp: tuple[Any, ...], _bank: MeasuredBank) -> tuple[list[str], str]:  # noqa: ARG001 - the cache key
    """For each row how it stands, and a sentence on what has changed since; read again when something was measured."""
    return _bank.states(), _bank.stale()


@st.cache_resource(show_spinner="Opening the results of this question set …", max_entries=3, show_time=True)
def _measured_part(home: str, name: str, stamp: tuple[Any, ...], _bank: MeasuredBank) -> OpenBank:  # noqa: ARG001 - the cache key
    """The measured part of a set, cached until `stamp` changes."""
    bank = open_bank(_bank)
    bank.at(preset("default"))  # the first decision is slow, so it is made here, under the spinner
    return bank
