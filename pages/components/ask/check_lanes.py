"""The checks as two lanes of tiles (checks of the question, checks of the answer), and a sentence on the checks that
stopped the question or its answer."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.check import GROUPS, Check
from core.checks import all_checks, threshold_of
from core.decide import Verdict
from core.decide.flow import CLARITY
from core.decide.points import Move, limit
from core.decide.sensitivity import objecting_checks
from core.presentation.check_tiles import Tile, failing, in_order, line, numbers_text, tally, tile
from core.thresholds import MODE_NAMES, MODES, Preset, Threshold, ThresholdError
from core.words import STATES
from pages.components.shared.limits import as_widget, mode_key, move_limit
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK

LANES = {"query": "Question", "answer": "Answer"}
"""The title of each lane, by stage."""
# Styles are not isolated, so that the page's style sheet applies to the marks of the lanes.
_lanes = st.components.v2.component(
    "guardrail.lanes", html='<div class="lanes"></div>', js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)  # fmt: skip


def lanes(verdict: Verdict, preset: Preset, moves: Mapping[str, Move] = MappingProxyType({})) -> None:
    """Draw every check as a tile. A click on a tile opens the sliders of the check, its reason, and the sentence that
    decided.

    moves: the smallest move of a limit that changes the result of its check, by the key of the limit.
    """
    tiles = [_row(tile(r, moves), preset) for r in in_order(verdict.checks.values())]
    rows = [
        {"title": LANES[stage], "about": GROUPS[stage], "tiles": [t for t in tiles if t["stage"] == stage]}
        for stage in LANES
    ]
    modes = [{"value": mode, "label": MODE_NAMES[mode]} for mode in MODES]
    title = f"The checks: {tally(verdict.checks.values())}"
    _lanes(key=ASK.tiles.key, data={"title": title, "lanes": rows, "modes": modes}, on_moved_change=_apply)


def _row(tile_: Tile, preset: Preset) -> dict[str, Any]:
    """The fields of a tile that check_lanes.js reads. The script inserts them as text, so nothing is escaped here."""
    check = Check.registry[tile_.check]
    label = f"{tile_.name}: {tile_.state_text}. {tile_.line}. {tile_.mode}"
    sliders = [_slider(t, preset) for t in check.thresholds().values()]
    mode = {"key": mode_key(check.name), "value": preset.modes.get(check.name, check.mode)}
    return {**asdict(tile_), "label": label, "sliders": sliders, "mode_slider": mode}


def _slider(t: Threshold, preset: Preset) -> dict[str, Any]:
    return {
        "key": t.key, "label": t.label, "unit": t.unit, "low": t.low, "high": t.high, "step": t.step,
        "value": limit(preset, t), "decimals": 0 if t.whole else 2, "is_switch": t.switch, "help": t.help,
    }  # fmt: skip


def _apply() -> None:
    """Set the limit or the mode that the user has just changed in a tile; a callback."""
    moves = ASK.tiles.value.get("moved") or {}
    key, new = str(moves.get("key", "")), moves.get("value")
    if key in {mode_key(check.name) for check in all_checks()}:
        if new in MODES:
            move_limit(key, new)
        return
    try:
        threshold = threshold_of(key)
        move_limit(key, as_widget(threshold, threshold.validate(new)))
    except ThresholdError:  # the browser sent a value that no slider can have
        return


def stopped_by(verdict: Verdict) -> str:
    """A sentence as Markdown that names the failed checks that block, with their numbers: first the checks that stopped
    the answer, then the others.

    "" if no check that blocks has failed, if the route is `deliver`, or for a question in parts, since each part has
    its own sentence.
    """
    blocking = [] if verdict.parts else failing(verdict.checks.values())[0]
    if not blocking or verdict.route == "deliver":
        return ""
    names = (CLARITY,) if verdict.route == "clarify" else objecting_checks(verdict)
    first = [r for r in blocking if r.name in names] or blocking
    others = [r for r in blocking if r not in first]
    lead = "The original answer was blocked by" if verdict.answered else "Stopped by"
    mark = f":red[{STATES['failed'].sign}]"
    names = [f"“{Check.registry[r.name].short}” ({line(r)})" for r in others]
    also = f" The draft also fails {plain(', '.join(names))}." if others else ""
    return f"{lead} {mark} **{plain('; '.join(map(numbers_text, first)))}**.{also}"
