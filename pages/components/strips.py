"""Under each slider what it meets: the scores of this question and of a bank, and where it changes anything."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from core.case import Trace
from core.check import Check, all_thresholds
from core.effects import Effect, effects, judged_rounds, scores
from core.stretches import MEASURE, Stretch
from core.thresholds import Preset, Threshold
from pages.components.digits import threshold_value
from pages.components.session import replayed, rooms
from pages.components.strip import Band, Strip, draw
from pages.components.way import ENDS

FINEST = 200
"""Places on a strip: ticks that fall on the same one are drawn once."""
NOTHING = MappingProxyType({})
IDLE = {
    "off": "its check is off", "watches": "its check only watches",
    "does not apply": "its check does not apply", "changes nothing": "the same at any value",
}  # fmt: skip
"""Why a slider does nothing, where it is no other check's doing."""


def strips(trace: Trace, preset: Preset, bank: Mapping[str, np.ndarray] = NOTHING) -> None:
    """Fills the room under every slider.

    bank: for each limit by its key what was measured of a bank that it is held against, each of shape (values,).
    """
    replay = replayed(trace)
    found = effects(replay, preset)
    held = scores(judged_rounds(replay.verdict(preset)), preset) if found else NOTHING
    for key, effect in found.items():
        if key in rooms():
            with rooms()[key]:
                draw(strip(all_thresholds()[key], effect, held.get(key, ()), bank.get(key, ())))


def strip(t: Threshold, effect: Effect, own: np.ndarray, others: np.ndarray) -> Strip:
    """What is drawn under one slider. own, others: scores of this question and of a bank that it is held against."""
    said = caption(t, effect)
    title = f"{t.label}: {said}." + (f" Scores of this question: {_listed(t, own)}." if len(own) else "")
    bands = tuple(_band(t, s) for s in effect.stretches if s.ends != effect.ends)
    return Strip(title=title, caption=said, bands=bands, question=_places(t, own), bank=_places(t, others))


def caption(t: Threshold, effect: Effect) -> str:
    """Where the slider changes anything for this question, or that it does not, and why."""
    if effect.why == "shadowed":
        return f"no effect here: {_failing(effect.by)} anyway"
    if effect.why in IDLE:
        return f"no effect here: {IDLE[effect.why]}"
    below, above = effect.beside
    if t.switch:
        return f"{_word((below or above).ends)} when {'off' if below else 'on'}"
    said = [f"{_word(s.ends)} {way} {at}" for s, way, at in _edges(t, below, above)]
    return ", ".join(said)


def _edges(t: Threshold, below: Stretch | None, above: Stretch | None) -> list[tuple[Stretch, str, str]]:
    """The two edges between which nothing changes, as far as they are there."""
    found = [(below, "up to", threshold_value(t, below.high))] if below else []
    return found + ([(above, "from", threshold_value(t, above.low))] if above else [])


def _word(ends: str) -> str:
    return "another look needed" if ends == MEASURE else ENDS[ends].lower()


def _failing(names: tuple[str, ...]) -> str:
    """The check that fails in any case, or how many do."""
    return f"“{Check.registry[names[0]].plain}” fails" if len(names) == 1 else f"{len(names)} other checks fail"


def _band(t: Threshold, stretch: Stretch) -> Band:
    """A stretch as a shaded range: half a step wider on either side, so that a single value is seen."""
    half = t.step / 2
    low, high = max(stretch.low - half, t.low), min(stretch.high + half, t.high)
    return Band(low=_place(t, low), high=_place(t, high), unknown=stretch.ends == MEASURE)


def _places(t: Threshold, numbers: np.ndarray) -> tuple[float, ...]:
    """Where scores lie on the strip, 0 to 1, those beyond its ends at them; each place once."""
    return tuple(sorted({round(_place(t, float(v)) * FINEST) / FINEST for v in numbers}))


def _place(t: Threshold, value: float) -> float:
    return min(max((value - t.low) / (t.high - t.low), 0.0), 1.0)


def _listed(t: Threshold, numbers: np.ndarray) -> str:
    return ", ".join(threshold_value(t, float(v)) for v in numbers)
