"""The measured bank that the Tune page works on, opened once and kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.banks.measured_bank import KeptTraces, MeasuredBank, conditions_of
from core.banks.saved import SavedBanks
from core.banks.scored_bank import ValuedBank
from core.presets import preset
from core.startup import home_folder
from pages.components.ask.sparklines import OPENED
from pages.components.banks.choice import empty
from pages.components.banks.measuring import measuring_box, shared_background, standing
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.plain_text import counted, plain
from pages.components.shared.resettable import notes
from pages.components.shared.session import BANK, fill, value

if TYPE_CHECKING:
    from core.graph import Explorer

_STAMP = "opened bank"


def open_bank(explorer: "Explorer") -> ValuedBank | None:
    """The bank that is chosen, as far as it is measured; None, with what to do about it, where there is nothing yet."""
    banks = SavedBanks(home_folder())
    notes(OPENED).clear()
    if not banks.names():
        empty(banks)
        return None
    try:
        bank = _chosen(banks, explorer)
    except ERRORS as error:
        show(error)
        return None
    if not bank.cases:
        st.info(
            "Nothing of this bank is measured yet. Measure it once; after that every slider moves over all of it.",
            icon=":material/timer:",
        )
        return None
    notes(OPENED)[:] = [bank]
    return bank


def _chosen(banks: SavedBanks, explorer: "Explorer") -> ValuedBank:
    names = banks.names()
    if value(BANK) not in names:
        fill(BANK, names[0])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Bank", names, key=BANK, width=300)
        if st.button("Edit it", key="edit bank", icon=":material/edit:", type="tertiary"):
            st.switch_page("pages/banks.py")
    name, home = value(BANK), home_folder()
    stamp = _stamp(banks, name, home, explorer)
    bank = _opened(str(home), name, stamp, explorer)
    total = len(_rows(str(home), name, stamp[0]))
    st.caption(plain(said(total, len(bank.cases), explorer.models.profile)))
    if len(bank.cases) < total:
        measured = MeasuredBank(home, banks.rows(name), conditions_of(explorer))
        measuring_box(name, measured, standing(measured), explorer)
    return bank


def said(total: int, measured: int, profile: str) -> str:
    """How much of a bank there is to tune on."""
    what = f"{counted(total, 'question')}, all measured" if total == measured else f"{measured} of {total} measured"
    return f"{what}, {profile} models"


def _stamp(banks: SavedBanks, name: str, home: Path, explorer: "Explorer") -> tuple[Any, ...]:
    """What changes when the bank, or what is measured of it, does. While it is being measured it stands still, so
    that a slider does not open it anew with every question."""
    run = shared_background(str(home)).run(name)
    kept = notes(_STAMP)
    key = conditions_of(explorer).key
    if run and not run.ended.is_set() and kept and kept[0][0] == name and kept[0][1][2] == key:
        return kept[0][1]
    file = KeptTraces(home).path
    stamp = (_times(banks.path(name)), _times(file, file.with_name(f"{file.name}-wal")), key)
    kept[:] = [(name, stamp)]
    return stamp


def _times(*paths: Path) -> tuple[tuple[int, int], ...]:
    """When these files were written last, and how long they are."""
    found = [path.stat() for path in paths if path.exists()]
    return tuple((s.st_mtime_ns, s.st_size) for s in found)


@st.cache_resource(show_spinner="Opening what was measured of this bank …", max_entries=3, show_time=True)
def _opened(home: str, name: str, stamp: tuple[Any, ...], _explorer: "Explorer") -> ValuedBank:
    """stamp: only tells one state of the files from another."""
    rows = _rows(home, name, stamp[0])
    bank = ValuedBank(MeasuredBank(Path(home), rows, conditions_of(_explorer)).cases())
    bank.at(preset("default"))  # the first decision takes as long as many later ones, so it belongs to the opening
    return bank


@st.cache_resource(show_spinner=False, max_entries=8)
def _rows(home: str, name: str, stamp: tuple[Any, ...]) -> Sequence[dict[str, Any]]:  # noqa: ARG001 - tells states apart
    return SavedBanks(Path(home)).rows(name)
