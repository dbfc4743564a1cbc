"""Under each slider what it meets: the scores of this question and of a bank, and where it changes anything."""

from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

import numpy as np

from core.banks.scored_bank import ValuedBank
from core.case import Trace
from core.chain.display_rounding import threshold_value
from core.check import Check
from core.checks import all_thresholds
from core.presets import preset
from core.sweep.sensitivity import MEASURE, Effect, Segment, effects, judged_rounds, scores
from core.thresholds import Preset, Threshold
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.session import notes

WIDTH, HEIGHT = 310, 10
"""Pixels of the sidebar between its margins: drawn at its own size or stretched, the strip is as wide."""
_KNOB = 6
"""Pixels of a slider before its lowest value and behind its highest: a score lies under the value that it equals."""
ACCENT, GREY = "#4f83e3", "#8a93a1"  # between their light and their dark shades: a picture does not know the theme
_LOOKS = {
    "other": f'fill="{ACCENT}" fill-opacity="0.35"', "unknown": f'fill="none" stroke="{GREY}" stroke-dasharray="3 3"',
}  # fmt: skip
"""A range in which a question ends otherwise, and one in which nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Band:
    """A shaded range from `low` to `high`, 0 to 1; unknown: it is not known how a question ends there."""

    low: float
    high: float
    unknown: bool


@dataclass(frozen=True, kw_only=True)
class Strip:
    """What is drawn. title: what it shows, for those who cannot see it. question, bank: places of scores, 0 to 1."""

    title: str
    caption: str
    bands: tuple[Band, ...]
    question: tuple[float, ...]
    bank: tuple[float, ...]


def drawn(strip: Strip) -> str:
    """The picture and the words under it as one piece of HTML: every element is a message at every move."""
    picture = b64encode(svg(strip).encode()).decode()
    return (
        f'<div class="strip"><img src="data:image/svg+xml;base64,{picture}" alt="{escape(strip.title)}"/>'
        f"<p>{escape(strip.caption)}</p></div>"
    )


def svg(strip: Strip) -> str:
    """The picture: numbers only, so that there is nothing to escape."""
    parts = [_box(0, 1, f'fill="{GREY}" fill-opacity="0.5"', top=HEIGHT / 2 - 0.5, height=1)]
    parts += [_box(band.low, band.high, _LOOKS["unknown" if band.unknown else "other"]) for band in strip.bands]
    if strip.bank:  # one line for all of them, since a bank has many
        lines = "".join(f"M{_across(place)} {HEIGHT / 2:g}v{HEIGHT / 2:g}" for place in strip.bank)
        parts.append(f'<path d="{lines}" stroke="{GREY}"/>')
    for x in map(_across, strip.question):
        parts.append(f'<line x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}" stroke="{ACCENT}" stroke-width="2"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'
    )


def _box(low: float, high: float, look: str, top: float = 0.5, height: float = 9) -> str:
    return f'<rect x="{_x(low):g}" y="{top:g}" width="{_x(high) - _x(low):g}" height="{height:g}" {look}/>'


def _across(place: float) -> str:
    return f"{_x(place):g}"


def _x(place: float) -> float:
    """Pixels from the left of a place on the slider, 0 to 1."""
    return _KNOB + place * (WIDTH - 2 * _KNOB)


FINEST, COARSE = 200, 72
"""Places on a strip for a question's scores, and for a bank's: ticks that fall on the same one are drawn once."""
OPENED = "bank on the strips"
"""Holds the bank that this person opened last."""
NOTHING = MappingProxyType({})
IDLE = {
    "off": "its check is off", "watches": "its check only watches",
    "does not apply": "its check does not apply", "changes nothing": "the same at any value",
}  # fmt: skip
"""Why a slider does nothing, where it is no other check's doing."""
DOES = {
    "deliver": "answer this", "deliver_part": "answer this in part", "deliver_corrected": "answer this, corrected",
    "clarify": "ask back", "refuse": "refuse this", "escalate": "hand this over", MEASURE: "need another look first",
}  # fmt: skip
"""What a move that leads to each end would do."""


def strips(trace: Trace, preset: Preset, keys: Collection[str]) -> dict[str, str]:
    """What stands under the sliders of these keys: the scores of this question, and of the bank that was opened last.

    As HTML; nothing where no question decides anything.
    """
    bank = ticks_of(notes(OPENED)[0]) if notes(OPENED) else NOTHING
    question = sensitivity_of(trace)
    found = effects(question, preset)
    held = scores(judged_rounds(question.verdict(preset)), preset) if found else NOTHING
    known = all_thresholds()
    return {
        key: drawn(strip(known[key], found[key], held.get(key, ()), bank.get(key, ()))) for key in keys if key in found
    }


def bank_strips(found: Mapping[str, tuple[float, ...]] | None, keys: Collection[str]) -> dict[str, str]:
    """What stands under the sliders of these keys: the scores of a whole bank, as `ticks_of` gives them."""
    known = all_thresholds()
    return {} if found is None else {key: drawn(bank_strip(known[key], found.get(key, ()))) for key in keys}


def bank_strip(t: Threshold, places: tuple[float, ...]) -> Strip:
    """What is drawn under one slider where no question is open. places: of the bank's scores, 0 to 1."""
    ends = [threshold_value(t, t.low + place * (t.high - t.low)) for place in (*places[:1], *places[-1:])]
    said = f"the bank scores {' to '.join(dict.fromkeys(ends))}" if places else "nothing of the bank is held against it"
    return Strip(title=f"{t.label}: {said}.", caption=said, bands=(), question=(), bank=places)


def strip(t: Threshold, effect: Effect, own: np.ndarray, others: tuple[float, ...] = ()) -> Strip:
    """What is drawn under one slider. own: scores of this question; others: places of a bank's scores, 0 to 1."""
    said = caption(t, effect)
    title = f"{t.label}: {said}." + (f" Scores of this question: {_listed(t, own)}." if len(own) else "")
    bands = tuple(_band(t, s) for s in effect.segments if s.ends != effect.ends)
    return Strip(title=title, caption=said, bands=bands, question=_places(t, own), bank=others)


def caption(t: Threshold, effect: Effect) -> str:
    """What raising the slider does to this question, then what lowering it does; or that nothing does, and why."""
    if effect.why == "shadowed":
        return f"Changes nothing here: {_failing(effect.by)} anyway"
    if effect.why in IDLE:
        return f"Changes nothing here: {IDLE[effect.why]}"
    below, above = effect.beside
    if t.switch:
        return f"Switching it {'off' if below else 'on'} would {DOES[(below or above).ends]}"
    raised = _move("Raising", t, above.low, above) if above else _nothing(t, effect.stands)
    return "; ".join([raised, *([_move("lowering", t, below.high, below)] if below else [])])


def _move(way: str, t: Threshold, to: float, there: Segment) -> str:
    return f"{way} it to {threshold_value(t, to)} would {DOES[there.ends]}"


def _nothing(t: Threshold, stands: float) -> str:
    return (
        "It stands at its highest"
        if stands >= t.high
        else f"Raising it up to {threshold_value(t, t.high)} does nothing"
    )


def _failing(names: tuple[str, ...]) -> str:
    """The check that fails in any case, or how many do."""
    return f"“{Check.registry[names[0]].plain}” fails" if len(names) == 1 else f"{len(names)} other checks fail"


def _band(t: Threshold, stretch: Segment) -> Band:
    """A stretch as a shaded range: half a step wider on either side, so that a single value is seen."""
    half = t.step / 2
    low, high = max(stretch.low - half, t.low), min(stretch.high + half, t.high)
    return Band(low=_place(t, low), high=_place(t, high), unknown=stretch.ends == MEASURE)


def ticks_of(bank: ValuedBank) -> Mapping[str, tuple[float, ...]]:
    """Places of the scores that a bank's first searches were given, by the key of the limit; found once a bank."""

    def found() -> dict[str, tuple[float, ...]]:
        traces = [part for case in bank.cases for part in (case.trace.parts or (case.trace,)) if part.rounds]
        held = scores([trace.rounds[0] for trace in traces], preset("default"))
        return {key: _places(all_thresholds()[key], numbers, COARSE) for key, numbers in held.items()}

    return bank.remembered("ticks", found)


def _places(t: Threshold, numbers: np.ndarray, finest: int = FINEST) -> tuple[float, ...]:
    """Where scores lie on the strip, 0 to 1, those beyond its ends at them; each place once."""
    return tuple(sorted({round(_place(t, float(v)) * finest) / finest for v in numbers}))


def _place(t: Threshold, value: float) -> float:
    return min(max((value - t.low) / (t.high - t.low), 0.0), 1.0)


def _listed(t: Threshold, numbers: np.ndarray) -> str:
    return ", ".join(threshold_value(t, float(v)) for v in numbers)
