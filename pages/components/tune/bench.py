"""The bench of the Tune page, for tuners: the outcomes of a set, the curve of the limit that moved
last, the changed outcomes, and one promise.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core.banks.bank_counts import ENDS, compare, outcome_matrix
from core.banks.open_bank import OpenBank
from core.checks import all_thresholds
from core.errors import UserError
from core.platform.home import home_folder
from core.presentation.set_words import (
    ASSUMES,
    LIKELY,
    changes_heading,
    comparison_lines,
    guarantee_line,
    headline,
    sentences,
)
from core.presets import PresetError, display_name, values
from core.presets.saved import named_preset
from core.thresholds import Preset
from core.tuning.curves import curve, operating_point
from core.tuning.guarantee import Promise, guarantee, wrong_answers
from core.words import count_of
from pages.components.shared.figure import picture
from pages.components.shared.limits import (
    chosen_preset,
    current_preset,
    follow_last_move,
    move_sliders,
    select_preset_next,
)
from pages.components.shared.page_run import require_access
from pages.components.shared.presets import preset_names
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.shared.sidebar import label
from pages.components.tune.open_set import OpenSet
from pages.components.tune.outcome_tables import changed_table
from pages.components.tune.pictures import PINNED, PRESET, curve_title, pressed_point, risk_picture

_TESTED = "Each value of the limit in the picture is tested, the strictest first, with 95 % confidence. "
ALL = "All questions"


@st.fragment
def bench(open_set: OpenSet, using: Using) -> None:
    """Draw the outcomes of a set under the current limits, compared with those under others. No model runs."""
    require_access()
    follow_last_move()  # the curve belongs to the slider that moved last, unless the user chose another since
    preset, key = current_preset(), TUNE.curve.value
    outcomes, along, changed = st.columns(3, gap="medium")
    with outcomes:
        bank = _slice(open_set.bank)
    with changed:
        named = _named_limits()
        name, base = _against(named)
    result, steps = compare(bank, base, preset), curve(bank, preset, key)
    with outcomes:
        counts = result.after
        st.markdown(f"**{plain(headline(counts))}**", help="\n\n".join([*sentences(counts), LIKELY]))
        st.markdown("\n".join(matrix_lines(outcome_matrix(bank, preset), outcome_matrix(bank, base))))
        if counts.unsaid:
            st.caption(
                f"{count_of(counts.unsaid, 'question')} not counted: without a measurement for these limits or a label."
            )
        st.caption(plain(curve_title(steps, values(preset)[key])))
    with along:
        st.selectbox(
            "Limit of the curve", list(all_thresholds()), **TUNE.curve.kept, label_visibility="collapsed",
            format_func=lambda key: label(all_thresholds()[key]),
            help="The limit that you moved last, unless you choose another",
        )  # fmt: skip
        points = {title: operating_point(bank, limits) for title, limits in named.items()}
        picture(risk_picture(steps, operating_point(bank, preset), points), on_press=partial(_press, named))
    with changed:
        lines = comparison_lines(result, name, "Current limits") if result.changes else []
        st.markdown(f"**{plain(changes_heading(result.changes))}**", help="\n\n".join(lines) or None)
        if result.changes:
            changed_table("changed", bank, result.changes, using, f"With {name}", "Now")
        else:
            st.caption("Move a slider, or press a point of the curve.")
    _promise_line(bank, preset, key)


def _named_limits() -> dict[str, Preset]:
    """Every preset and the pinned limits, by title. For a preset that cannot be read, draw the error."""
    found = {}
    for name in preset_names():
        try:
            found[display_name(name)] = named_preset(name, home_folder())
        except PresetError as error:
            show(error)
    return found | ({PINNED: TUNE.pinned.value} if TUNE.pinned.value else {})


def _against(named: Mapping[str, Preset]) -> tuple[str, Preset]:
    """Draw the choice of the limits to compare with, and a button that pins the current ones; return the title and the
    limits of the choice. named: as from `_named_limits`."""
    own = display_name(chosen_preset().name)
    others = [title for title in named if title != own]
    if TUNE.against.value not in ("", *others):
        TUNE.against.value = ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.selectbox(
            "Compared with", ["", *others], **TUNE.against.kept, label_visibility="collapsed",
            format_func=lambda title: f"against {title or own}",
        )  # fmt: skip
        st.button(
            "Pin", key="pin limits", icon=":material/keep:", on_click=_pin,
            help="Keep the limits as they are now, and compare with them",
        )  # fmt: skip
    return chosen or own, named.get(chosen, chosen_preset())


def _pin() -> None:
    """Keep the current limits, and compare with them from now on; a callback."""
    TUNE.pinned.value, TUNE.against.value = current_preset(), PINNED


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
        values = np.array([str(row.get(field) or "") for row in bank.rows], dtype=object)
        found = sorted(set(values) - {""}, key=lambda value: (len(value), value))
        slices |= {name.format(value.replace("_", " ")): np.flatnonzero(values == value) for value in found}
    return slices


Matrix = tuple[np.ndarray, np.ndarray]
"""(right outcomes, wrong outcomes), each (2, 3), as `outcome_matrix` gives it."""


def matrix_lines(now: Matrix, before: Matrix) -> list[str]:
    """An outcome matrix as a Markdown table, an end a row: in each cell the right outcomes, then the wrong ones, each
    with its difference from the matrix `before`."""
    good, bad = sum(now).sum(1).tolist()
    lines = [f"| | {good} to answer | {bad} to stop |", "|---|---:|---:|"]
    for end, name in enumerate(ENDS):
        cells = []
        for side in (0, 1):
            texts = []
            for colour, mark, counts, old_counts in zip(("green", "red"), "✓✗", now, before, strict=True):
                new, change = counts[side, end], counts[side, end] - old_counts[side, end]
                if new or change:
                    difference = f"\u00a0:gray[{change:+d}]" if change else ""
                    texts.append(f":{colour}[{mark}\u00a0{new}]{difference}")
            cells.append(" ".join(texts) or "0")
        lines.append(f"| **{name}** | {' | '.join(cells)} |")
    return lines


def _press(named: Mapping[str, Preset]) -> None:
    """Set the limit, or take the preset, of the point of the curve that was pressed; a callback. named: as from
    `_named_limits`."""
    kind, value = pressed_point(TUNE.pressed.value)
    if kind == PRESET:
        select_preset_next(named[value])
        st.rerun()
    elif kind:
        move_sliders({TUNE.curve.value: float(value)})


def _promise_line(bank: OpenBank, preset: Preset, key: str) -> None:
    """Draw the promise with its share to change, whether the threshold `key` keeps it, and a button that sets a value
    that does. No model runs.
    """
    left, middle, right, last = st.columns([2, 2, 12, 4], vertical_alignment="center", gap="small")
    left.markdown("At most")
    middle.number_input("Share of wrong answers, %", 1, 50, **TUNE.promised_percent.kept, label_visibility="collapsed")
    promise = Promise(share=TUNE.promised_percent.value / 100)
    try:
        result, now = guarantee(bank, preset, key, promise), values(preset)[key]
    except UserError as error:
        right.markdown(plain(f"% of the answers given out are wrong: {error}"))
        return
    line = guarantee_line(result, now, wrong_answers(bank, preset))
    right.markdown(f"% of the answers are wrong (95 % confidence): **{plain(line)}**", help=_TESTED + ASSUMES)
    if result.kept and not result.holds_at(now):
        last.button(
            f"Set {all_thresholds()[key].label} to {result.value:g}", key="set guaranteed limit",
            on_click=move_sliders, args=({key: result.value},),
        )  # fmt: skip
