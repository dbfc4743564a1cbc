"""The strip under each slider: a thin picture with a caption. The picture shows the scores of the question and of a
bank on the scale of the slider, and shades the values of the slider at which the question would end on another route.
"""

from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from core.case import Trace
from core.check import Check
from core.checks import all_thresholds
from core.decide.sensitivity import MEASURE, Effect, Segment, effects, judged_rounds, scores
from core.presets import preset
from core.reply.display_rounding import threshold_value
from core.thresholds import Preset, Threshold
from core.words import ROUTES
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.session import TUNE

if TYPE_CHECKING:
    from core.banks.open_bank import OpenBank

WIDTH, HEIGHT = 310, 10
"""Size of a strip in pixels; the width is that of the sidebar between its margins."""
_KNOB = 6
"""Pixels of a slider before its lowest value and after its highest; a strip leaves them too, so that scores align."""
ACCENT, GREY = "#4f83e3", "#8a93a1"  # readable in both themes, since an image does not know the theme
_LOOKS = {
    "other": f'fill="{ACCENT}" fill-opacity="0.5"', "unknown": f'fill="none" stroke="{GREY}" stroke-dasharray="3 3"',
}  # fmt: skip
"""SVG attributes of a range with another outcome, and of one whose outcome is not measured."""


@dataclass(frozen=True, kw_only=True)
class Band:
    """A shaded range of a strip: at these values of the slider, the question would end on another route.

    low, high: the ends of the range, as shares of the slider's length from 0 to 1. unknown: True if the route at these
    values is not measured.
    """

    low: float
    high: float
    unknown: bool


@dataclass(frozen=True, kw_only=True)
class Strip:
    """A strip to draw.

    title: the text alternative. caption: the text under the picture. bands: the shaded ranges. question, bank:
    positions of the scores of the question and of the bank, 0 to 1. of_switch: True for a threshold with two values;
    its strip is only the caption.
    """

    title: str
    caption: str
    bands: tuple[Band, ...]
    question: tuple[float, ...]
    bank: tuple[float, ...]
    of_switch: bool = False


QUESTION_LEGEND, SET_LEGEND = (
    f'<p class="legend">The thin line below each slider shows {text}</p>'
    for text in (
        'this question’s score <i class="score"></i> and values that change the outcome <i class="other"></i>.',
        "the scores of the questions in this set.",
    )
)
"""What the strips show for a question, and for a set, as HTML."""


def strip_html(strip: Strip) -> str:
    """The picture of a strip and its caption in one piece of HTML. As two elements they would cost two messages to the
    browser at every move."""
    picture = b64encode(svg(strip).encode()).decode()
    attribute = ' class="switch"' if strip.of_switch else ""
    return (
        f'<div class="strip"><img{attribute} src="data:image/svg+xml;base64,{picture}" alt="{escape(strip.title)}" '
        f'title="{escape(strip.title)}"/>'
        f"<p>{escape(strip.caption)}</p></div>"
    )


def svg(strip: Strip) -> str:
    """The picture as SVG. It contains only numbers, so nothing is escaped."""
    parts = [_box(0, 1, f'fill="{GREY}" fill-opacity="0.5"', top=HEIGHT / 2 - 0.5, height=1)]
    parts += [_box(band.low, band.high, _LOOKS["unknown" if band.unknown else "other"]) for band in strip.bands]
    if strip.bank:  # one path for all ticks, since a bank has many
        lines = "".join(f"M{_x(position):g} {HEIGHT / 2:g}v{HEIGHT / 2:g}" for position in strip.bank)
        parts.append(f'<path d="{lines}" stroke="{GREY}"/>')
    for x in (f"{_x(position):g}" for position in strip.question):
        parts.append(f'<line x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}" stroke="{ACCENT}" stroke-width="2"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'
    )


def _box(low: float, high: float, css_class: str, top: float = 0.5, height: float = 9) -> str:
    return f'<rect x="{_x(low):g}" y="{top:g}" width="{_x(high) - _x(low):g}" height="{height:g}" {css_class}/>'


def _x(position: float) -> float:
    """Pixels from the left edge for a position on the slider, 0 to 1."""
    return _KNOB + position * (WIDTH - 2 * _KNOB)


FINEST, COARSE = 200, 72
"""Number of tick positions on a strip, for a question and for a bank; ticks at the same position are drawn once."""
NOTHING = MappingProxyType({})
IDLE = {
    "off": "its check is off", "watches": "monitor only",
    "does not apply": "its check does not apply", "changes nothing": "the same at any value",
}  # fmt: skip
"""The reason why a slider changes nothing, by the kind of its effect; that other checks fail ("shadowed") is not
here."""
REFUSALS = ("refuse", "escalate")
FAR = 0.25
"""Share of a slider's range; a caption does not name a value farther away, since such a move would give up the
check."""


def strips(trace: Trace, preset: Preset, keys: Collection[str]) -> dict[str, str]:
    """The strips under the sliders of these keys as HTML, with the scores of the question and of the last opened bank.

    Keys of sliders without an effect on the question are missing.
    """
    bank_ticks = opened_ticks() or NOTHING
    question = sensitivity_of(trace)
    slider_effects = effects(question, preset)
    judged = [r.signals for r in judged_rounds(question.verdict(preset))] if slider_effects else []
    own_scores = scores(judged, preset)
    thresholds = all_thresholds()
    return {
        key: strip_html(strip(thresholds[key], slider_effects[key], own_scores.get(key, ()), bank_ticks.get(key, ())))
        for key in keys if key in slider_effects
    }  # fmt: skip


def bank_strips(ticks: Mapping[str, tuple[float, ...]] | None, keys: Collection[str]) -> dict[str, str]:
    """The strips under the sliders of these keys as HTML, for use while there is no question.

    ticks: positions of a bank's scores, from `ticks_of`; None without a bank, and then the result is empty.
    """
    thresholds = all_thresholds()
    return {} if ticks is None else {key: strip_html(bank_strip(thresholds[key], ticks.get(key, ()))) for key in keys}


def bank_strip(t: Threshold, positions: tuple[float, ...]) -> Strip:
    """The strip under a slider while there is no question. positions: of the bank's scores, 0 to 1, ascending."""
    ends = [threshold_value(t, t.low + position * (t.high - t.low)) for position in (*positions[:1], *positions[-1:])]
    text = "No question of the set is compared with it"
    if positions:
        text = f"Scores in this set: {' to '.join(dict.fromkeys(ends))}"
    return Strip(title=f"{t.label}: {text}.", caption=text, bands=(), question=(), bank=positions)


def strip(t: Threshold, effect: Effect, own: np.ndarray, others: tuple[float, ...] = ()) -> Strip:
    """The strip under the slider of `t`. effect: what the slider can change. own: scores of the question. others:
    positions of a bank's scores, 0 to 1."""
    text = caption(t, effect)
    values = ", ".join(threshold_value(t, float(v)) for v in own)
    title = f"{t.label}: {text}." + (f" Scores of this question: {values}." if values else "")
    bands = tuple(_band(t, segment) for segment in effect.segments if segment.ends != effect.ends)
    return Strip(title=title, caption=text, bands=bands, question=_positions(t, own), bank=others, of_switch=t.switch)


def caption(t: Threshold, effect: Effect) -> str:
    """A text: what raising the slider would do to the question, then what lowering it would do; or why the slider has
    no effect."""
    if effect.kind == "shadowed":
        others = effect.by
        failing = (
            f"“{Check.registry[others[0]].short}” fails" if len(others) == 1 else f"{len(others)} other checks fail"
        )
        return f"No effect: {failing} anyway"
    if effect.kind in IDLE:
        return f"No effect: {IDLE[effect.kind]}"
    below, above = effect.beside
    if t.switch:
        return f"Switched {'off' if below else 'on'}: {_words((below or above).ends)}"
    if above:
        raising = _at(t, above.low, "higher" if above.low < t.high <= above.high else "", above)
    elif effect.current >= t.high:
        raising = "The limit is already at its highest"
    else:
        raising = "Raising the limit changes nothing"
    if not below:
        return raising
    if effect.ends in REFUSALS and effect.current - below.high > FAR * (t.high - t.low):
        return f"{raising}. A much lower limit: {_words(below.ends)}"
    return f"{raising}. {_at(t, below.high, 'lower' if t.low < below.high and below.low <= t.low else '', below)}"


def _at(t: Threshold, value: float, further: str, segment: Segment) -> str:
    """A text: a limit, and the outcome of the question there. further: "higher" or "lower" if all limits beyond it have
    this outcome, too, otherwise ""."""
    return f"Limit {threshold_value(t, value)}{f' or {further}' if further else ''}: {_words(segment.ends)}"


def _band(t: Threshold, segment: Segment) -> Band:
    """The shaded range of a segment, widened by half a step on either side, so that a single value is visible."""
    half = t.step / 2
    low, high = max(segment.low - half, t.low), min(segment.high + half, t.high)
    return Band(low=_position(t, low), high=_position(t, high), unknown=segment.ends == MEASURE)


_MOST_TICKS = 1_000
"""Maximum questions of a bank whose scores are drawn on a strip."""


def opened_ticks() -> Mapping[str, tuple[float, ...]] | None:
    """The ticks of the bank that this user opened last; None if there is none."""
    bank = TUNE.opened_bank.value
    return None if bank is None else ticks_of(bank)


def ticks_of(bank: "OpenBank") -> Mapping[str, tuple[float, ...]]:
    """Positions of a bank's scores in its first searches, 0 to 1, by the key of the threshold; computed once per bank.

    For a large bank, only _MOST_TICKS of its questions are used, at equal distances in its order.
    """

    def ticks() -> dict[str, tuple[float, ...]]:
        bank_scores = scores(bank.measured.sample_signals(_MOST_TICKS), preset("default"))
        return {key: _positions(all_thresholds()[key], numbers, COARSE) for key, numbers in bank_scores.items()}

    return bank.cached("ticks", ticks)


def _positions(t: Threshold, numbers: np.ndarray, count: int = FINEST) -> tuple[float, ...]:
    """The distinct positions of scores on a strip, 0 to 1 in `count` steps, ascending; clipped to the range."""
    return tuple(sorted({round(_position(t, float(v)) * count) / count for v in numbers}))


def _position(t: Threshold, value: float) -> float:
    return min(max((value - t.low) / (t.high - t.low), 0.0), 1.0)


def _words(end: str) -> str:
    return "a new search" if end == MEASURE else ROUTES[end].words
