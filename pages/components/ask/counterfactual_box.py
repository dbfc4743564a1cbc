"""Under the verdict: the smallest change of the sliders that would turn it, and a button that makes it."""

import streamlit as st

from core.case import Trace
from core.chain.number_format import threshold_value
from core.check import Check
from core.checks import all_thresholds
from core.sweep.counterfactuals import Flip, Outlook, outlook
from core.sweep.sensitivity import MEASURE
from core.sweep.settings_grid import Move
from core.thresholds import Preset
from pages.components.shared.asked_question import sensitivity_of
from pages.components.shared.limits import move_sliders
from pages.components.shared.safe_display import plain

ARROW = ":material/arrow_right_alt:"
TURNS = {True: "answer", False: "refuse"}
"""What a change would do to the question."""
NAMED = 3
"""Checks that are named; of more only the number is said."""


def flip_box(trace: Trace, preset: Preset) -> None:
    """The smallest change that flips the verdict, what would have to be measured first, or what stands in the way."""
    found = outlook(sensitivity_of(trace), preset)
    if found.ends == MEASURE:
        return
    if found.flip:
        _offer(flip_text(found), "Move it there" if len(found.flip.moves) == 1 else "Move both", found.flip.moves)
    elif not found.unmeasured:
        st.caption(stuck_text(found))
    if found.unmeasured:
        _offer(unmeasured_text(found), "Move it and look", (found.unmeasured,))


def _offer(text: str, label: str, moves: tuple[Move, ...]) -> None:
    """A line and the button that does what it says."""
    st.caption(text, width="content")
    st.button(
        label, key=f"flip {label}", icon=":material/tune:", type="tertiary", on_click=move_sliders,
        args=({m.key: m.new for m in moves},), help=plain(", ".join(m.key for m in moves)),
    )  # fmt: skip


def flip_text(found: Outlook) -> str:
    """The change as Markdown; with two sliders, what stands in the way while only one of them is moved."""
    flip: Flip = found.flip
    lead = f"Smallest change that would {TURNS[flip.answered]} this:"
    text = f"{lead} {' **and** '.join(move_text(m) for m in flip.moves)}"
    alone = [
        f"with {plain(all_thresholds()[move.key].label)} alone, {checks_text(names)}"
        for move, names in zip(flip.moves, flip.still, strict=False) if names
    ]  # fmt: skip
    return "  \n".join([text, *[f":gray[{'; '.join(alone)} in the way]" for _ in alone[:1]]])


def move_text(move: Move) -> str:
    """One slider from where it stands to where it would go."""
    t = all_thresholds()[move.key]
    old, new = threshold_value(t, move.old), threshold_value(t, move.new)
    return f"**{plain(t.label)} {plain(old)} {ARROW} {plain(new)}**"


def stuck_text(found: Outlook) -> str:
    """That no change of the sliders helps, and the checks in the way."""
    turns = TURNS[not found.ends.startswith("deliver")]
    why = f": {checks_text(found.blocking)} in the way" if found.blocking and turns == "answer" else ""
    return f":gray[No move of one slider or of two would {turns} this{why}.]"


def unmeasured_text(found: Outlook) -> str:
    """That a change leads to where nobody has looked yet."""
    move = move_text(found.unmeasured)
    if found.flip:
        return f"A smaller one needs another look first, of which nothing is known yet: {move}"
    turns = TURNS[not found.ends.startswith("deliver")]
    return f"Might {turns} this after another look, of which nothing is known yet: {move}"


def checks_text(names: tuple[str, ...]) -> str:
    """Checks in plain words: "A stands", "A and B stand", or their number where there are many."""
    said = [f"“{plain(Check.registry[name].plain)}”" for name in names]
    if len(said) > NAMED:
        return f"{len(said)} checks stand"
    return f"{' and '.join(part for part in (', '.join(said[:-1]), said[-1]) if part)} stand{'s' * (len(said) == 1)}"
