"""The bench of the Tune page, for whoever moves limits by eye: what becomes of a set, the curve of the limit in hand,
what changed, and one promise.
"""

import numpy as np
import streamlit as st

from core.banks.bank_counts import ENDS, compare, outcome_matrix
from core.banks.open_bank import OpenBank
from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.presentation.set_words import LIKELY, changes_heading, headline, sentences
from core.presets import display_name
from core.presets.saved import named_preset
from core.tuning.curves import curve, operating_point
from pages.components.shared.figure import picture
from pages.components.shared.limits import (
    chosen_preset,
    current_preset,
    follow_last_move,
    move_sliders,
    select_preset_next,
)
from pages.components.shared.page_setup import require_access
from pages.components.shared.presets import preset_names
from pages.components.shared.safe_display import plain
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.shared.sliders import label
from pages.components.tune.changed_questions import changed_table
from pages.components.tune.open_set import OpenSet
from pages.components.tune.promise_line import promise_line
from pages.components.tune.risk_picture import PRESET, pressed_point, risk_picture

ALL = "All questions"


@st.fragment
def bench(open_set: OpenSet, using: Using) -> None:
    """Draw the bench of a set under the current limits. No model runs."""
    require_access()
    follow_last_move()  # the curve belongs to the slider that moved last, unless the user chose another since
    outcomes, along, changed = st.columns([5, 6, 6], gap="medium")
    with outcomes:
        bank = _slice(open_set.bank)
        preset, base = current_preset(), chosen_preset()
        result = compare(bank, base, preset)
        counts = result.after
        st.markdown(f"**{plain(headline(counts))}**", help="\n\n".join([*sentences(counts), LIKELY]))
        st.markdown("\n".join(matrix_lines(*outcome_matrix(bank, preset))))
        if counts.unsaid:
            st.caption(f"{counts.unsaid} not counted: not measured under these limits, or without a label.")
    with along:
        key = st.selectbox(
            "Limit of the curve", list(all_thresholds()), **TUNE.curve.kept, label_visibility="collapsed",
            format_func=lambda key: label(all_thresholds()[key]), help="It follows the slider that you moved last",
        )  # fmt: skip
        presets = {display_name(name): named_preset(name, home_folder()) for name in preset_names()}
        points = {name: operating_point(bank, named) for name, named in presets.items()}
        picture(risk_picture(curve(bank, preset, key), operating_point(bank, preset), points), on_press=_press)
    with changed:
        st.markdown(f"**{plain(changes_heading(result.changes))}**")
        if result.changes:
            changed_table("changed", bank, result.changes, using, "Was, under the preset", "Now")
        else:
            st.caption("Move a slider, or press a point of the curve.")
    promise_line(bank, preset, key)


def _slice(bank: OpenBank) -> OpenBank:
    """Draw the choice of a class, a subject or a kind, and return the questions of the set that belong to it."""
    slices = bank.cached("slices", lambda: slices_of(bank))
    if TUNE.slice.value not in slices:
        TUNE.slice.value = ALL
    name = st.selectbox(
        "Slice", list(slices), **TUNE.slice.kept, label_visibility="collapsed",
        format_func=lambda name: f"{name} ({len(slices[name])})",
    )  # fmt: skip
    return bank if name == ALL else bank.cached(("slice", name), lambda: bank.some(slices[name]))


def slices_of(bank: OpenBank) -> dict[str, np.ndarray]:
    """The indices of the cases of each class, subject and kind, after those of all cases; by a name for the choice."""
    slices = {ALL: np.arange(len(bank.rows))}
    for field, name in (("class_number", "Class {}"), ("subject", "{}"), ("kind", "Kind: {}")):
        values = bank.labels.of_each(lambda row, field=field: str(row.get(field) or ""), object)
        found = sorted(set(values) - {""}, key=lambda value: (len(value), value))
        slices |= {name.format(value.replace("_", " ")): np.flatnonzero(values == value) for value in found}
    return slices


def matrix_lines(right: np.ndarray, wrong: np.ndarray) -> list[str]:
    """An outcome matrix as a Markdown table, an end a row: in each cell the right outcomes, then the wrong ones."""
    good, bad = (right + wrong).sum(1).tolist()
    lines = [f"| | {good} good | {bad} bad |", "|---|---:|---:|"]
    for end, good_cells, bad_cells in zip(ENDS, right.T.tolist(), wrong.T.tolist(), strict=True):
        cells = [
            " ".join([f":green[✓ {r}]"] * bool(r) + [f":red[✗ {w}]"] * bool(w)) or "0"
            for r, w in zip(good_cells, bad_cells, strict=True)
        ]
        lines.append(f"| **{end}** | {' | '.join(cells)} |")
    return lines


def _press() -> None:
    """Set the limit, or take the preset, of the point of the curve that was pressed; a callback."""
    kind, value = pressed_point(TUNE.pressed.value)
    if kind == PRESET:
        names = {display_name(name): name for name in preset_names()}
        select_preset_next(named_preset(names[value], home_folder()))
        st.rerun()
    elif kind:
        move_sliders({TUNE.curve.value: float(value)})
