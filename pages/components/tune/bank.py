"""The measured bank that the Tune page works on, opened once and kept, and what becomes of it under the sliders."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from core.banks.measured_bank import KeptTraces, MeasuredBank, conditions_of
from core.banks.saved import SavedBanks
from core.banks.scored_bank import REFUSED, UNSAID, WRONG, Tally, ValuedBank, tally
from core.chain.number_format import beside, number
from core.checks import check_of
from core.evaluation.outcomes import Rate
from core.presets import preset
from core.startup import home_folder
from core.sweep.outcomes import OUTCOMES, REASON_NAMES
from core.thresholds import Preset
from core.tuning.curves import Curve, curve
from core.tuning.score_distributions import Spread, spread
from pages.components.ask.sparklines import OPENED
from pages.components.banks.chosen_bank import empty
from pages.components.banks.measuring import measuring_box, shared_background, standing
from pages.components.shared.safe_display import ERRORS, counted, plain, show
from pages.components.shared.session import BANK, fill, notes, value

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


@dataclass(frozen=True, kw_only=True)
class Change:
    """One case that ends otherwise than under the preset. case: its place in the bank; way: 1 better, -1 worse, 0."""

    case: int
    before: str
    after: str
    way: int


@dataclass(frozen=True, kw_only=True)
class View:
    """The sliders (`now`) against the preset as it was picked (`before`), and one threshold's curve and scores.

    unmeasured: cases that cannot be said, of those that should be answered and of the others. inside, outside: refusals
    by their primary reason, of the same two. amiss: what does not end as it should now.
    """

    now: Tally
    before: Tally
    unmeasured: tuple[int, int]
    inside: dict[str, int]
    outside: dict[str, int]
    changes: tuple[Change, ...]
    amiss: tuple[Change, ...]
    curve: Curve
    spread: Spread | None


def view(bank: ValuedBank, preset: Preset, base: Preset, key: str) -> View:
    """What becomes of `bank` under `preset`, beside `base`; key: the threshold whose curve is drawn. No model runs."""
    now, before = bank.at(preset), bank.at(base)
    decided = bank.decided_at(preset)
    unsaid = now == UNSAID
    parts = (decided.refusals(where) for where in (bank.should, ~bank.should))
    inside, outside = ({name: int(found[name][0]) for name in REASON_NAMES if name in found} for found in parts)
    return View(
        now=tally(now, bank.should), before=tally(before, bank.should), inside=inside, outside=outside,
        unmeasured=(int((unsaid & bank.should).sum()), int((unsaid & ~bank.should).sum())),
        changes=changes(bank, preset, base), amiss=amiss(bank, preset), curve=curve(bank, preset, key),
        spread=spread(bank, preset, check_of(key), key.partition(".")[2]),
    )  # fmt: skip


def changes(bank: ValuedBank, preset: Preset, base: Preset) -> tuple[Change, ...]:
    """The cases with another outcome or route than under `base`: worse ones first, then better, in the bank's order."""
    found = bank.decided_at(preset).changed(bank.decided_at(base))
    ways = np.sign(bank.at(preset).astype(int) - bank.at(base).astype(int))
    told = [Change(case=c.case, before=c.before, after=c.after, way=int(ways[c.case])) for c in found]
    return tuple(sorted(told, key=lambda c: ({-1: 0, 1: 1, 0: 2}[c.way], c.case)))


def amiss(bank: ValuedBank, preset: Preset) -> tuple[Change, ...]:
    """The cases that go out wrong, then those refused wrongly, under `preset`."""
    now, ends = bank.at(preset), bank.decided_at(preset).outcomes[0]
    wrong, refused = np.flatnonzero(now == WRONG), np.flatnonzero((now == REFUSED) & bank.should)
    names = {int(case): OUTCOMES[ends[case]] for case in (*wrong, *refused)}
    return tuple(Change(case=case, before=name, after=name, way=-1) for case, name in names.items())


def share(rate: Rate, *limits: float) -> str:
    """ "10 %, 5–18": a share with its interval. limits: shares that stand beside it, of which it keeps its side."""
    if rate.share is None:
        return "none"
    low, high = (number(100 * x, 0) for x in rate.interval)
    return f"{beside(100 * rate.share, *(100 * limit for limit in limits), least=0)} %, {low}–{high}"
