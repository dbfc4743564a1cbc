"""The strip under each slider: a thin picture with a caption. The picture shows the scores of the question and of a
bank on the scale of the slider, and shades the values of the slider at which the question would end on another route.
"""

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from core.case import Trace
from core.check import Check
from core.checks import all_thresholds
from core.decide.sensitivity import MEASURE, Effect, Segment, effects, judged_rounds, scores
from core.presets import preset
from core.reply.display_rounding import threshold_value
from core.thresholds import Preset, Threshold
from core.words import ROUTES
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.safe_display import MARKUP
from pages.components.shared.session import TUNE

if TYPE_CHECKING:
    from core.banks.open_bank import OpenBank

WIDTH, HEIGHT = 310, 10
"""Size of a strip in pixels; the width is that of the sidebar between its margins."""
_KNOB = 6
"""Pixels of a slider before its lowest value and after its highest; a strip leaves them too, so that scores align."""
QUESTION_LEGEND, SET_LEGEND = (
    f'<p class="legend">The thin line below each slider shows {text}</p>'
    for text in (
        'this question’s score <i class="score"></i> and values that change the outcome <i class="other"></i>.',
        "the scores of the questions in this set.",
    )
)
"""What the strips show for a question, and for a set, as HTML."""
FINEST, COARSE = 200, 72
"""Number of tick positions on a strip, for a question and for a bank; ticks at the same position are drawn once."""
IDLE = {
    "off": "the check is off", "watches": "monitor only",
    "does not apply": "the check does not apply", "changes nothing": "same outcome at any value",
}  # fmt: skip
"""The reason why a slider changes nothing, by the kind of its effect; that other checks fail ("shadowed") is not
here."""
REFUSALS = ("refuse", "escalate")
FAR = 0.25
"""Share of a slider's range; a caption does not name a value farther away, since such a move would give up the
check."""
_MOST_TICKS = 1_000
"""Maximum questions of a bank whose scores are drawn on a strip."""


def strips(trace: Trace, preset: Preset, keys: Collection[str]) -> dict[str, str]:
    """The strips under the sliders of these keys as HTML, with the scores of the question and of the last opened bank.

    Keys of sliders without an effect on the question are missing.
    """
    bank_ticks, question = opened_ticks() or {}, sensitivity_of(trace)
    slider_effects = effects(question, preset, keys)
    judged = [r.signals for r in judged_rounds(question.verdict(preset))] if slider_effects else []
    own_scores = scores(judged, preset)
    return {
        key: question_strip(all_thresholds()[key], effect, own_scores.get(key, ()), bank_ticks.get(key, ()))
        for key, effect in slider_effects.items()
    }


def question_strip(t: Threshold, effect: Effect, own: Sequence[float], bank: Sequence[float] = ()) -> str:
    """The strip under the slider of `t`. effect: what the slider can change. own: scores of the question. bank:
    positions of a bank's scores, 0 to 1."""
    return _strip(t, caption(t, effect), bank, own, [s for s in effect.segments if s.ends != effect.ends])


def bank_strips(ticks: Mapping[str, Sequence[float]] | None, keys: Collection[str]) -> dict[str, str]:
    """The strips under the sliders of these keys as HTML, for use while there is no question.

    ticks: positions of a bank's scores, 0 to 1, ascending, from `ticks_of`; None without a bank, and then the result is
    empty.
    """
    found = {}
    for key in keys if ticks is not None else ():
        t, positions = all_thresholds()[key], ticks.get(key, ())
        ends = [threshold_value(t, t.low + end * (t.high - t.low)) for end in (*positions[:1], *positions[-1:])]
        range_text = " to ".join(dict.fromkeys(ends))
        text = f"Scores in this set: {range_text}" if ends else "Not used by this set"
        found[key] = _strip(t, text, positions)
    return found


def _strip(
    t: Threshold, text: str, bank: Sequence[float], own: Sequence[float] = (), segments: Sequence[Segment] = ()
) -> str:
    """A strip as HTML.

    text: the caption. bank: positions of a bank's scores, 0 to 1. own: scores of the question. segments: the ranges to
    shade.
    """

    def x(position: float) -> float:
        """Pixels from the left edge for a position on the slider, 0 to 1."""
        return round(_KNOB + position * (WIDTH - 2 * _KNOB), 3)

    half, bands = t.step / 2, []  # a range is widened by half a step on either side, so that a single value is visible
    for segment in segments:
        left, right = x(_position(t, segment.low - half)), x(_position(t, segment.high + half))
        bands.append((left, round(right - left, 3), segment.ends == MEASURE))
    own_ticks = [x(position) for position in _positions(t, own)]
    picture = MARKUP.strip_picture(WIDTH, HEIGHT, _KNOB, bands, [x(position) for position in bank], own_ticks)
    values = ", ".join(threshold_value(t, float(v)) for v in own)
    title = f"{t.label}: {text}." + (f" Scores of this question: {values}." if values else "")
    return MARKUP.strip(b64encode(picture.encode()).decode(), title, text, t.switch)


def caption(t: Threshold, effect: Effect) -> str:
    """A text: what raising the slider would do to the question, then what lowering it would do; or why the slider has
    no effect."""
    if effect.kind == "shadowed":
        others = effect.by
        one = f"“{Check.registry[others[0]].short}” fails"
        return f"No effect: {one if len(others) == 1 else f'{len(others)} other checks fail'} anyway"
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


def _words(end: str) -> str:
    return "a new search" if end == MEASURE else ROUTES[end].words


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


def _positions(t: Threshold, numbers: Sequence[float], count: int = FINEST) -> tuple[float, ...]:
    """The distinct positions of scores on a strip, 0 to 1 in `count` steps, ascending; clipped to the range."""
    return tuple(sorted({round(_position(t, float(v)) * count) / count for v in numbers}))


def _position(t: Threshold, value: float) -> float:
    return min(max((value - t.low) / (t.high - t.low), 0.0), 1.0)
