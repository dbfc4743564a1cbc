"""The confidence of a verdict: the evidence confidence on its scale, and the two stages of the guardrail."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from core.check import Check, mode_of
from core.checks import all_checks
from core.decide import CheckResult, Verdict
from core.decide.evidence import ZONE_NAMES, limits, zones
from core.decide.flow import FACT_GROUNDING, INTEREST
from core.reply.display_rounding import beside, number, whole
from core.reply.document_records import CompanyInterest, Metadata, metadata
from core.settings.domains import Domain
from core.thresholds import Preset
from core.words import VIOLATIONS
from pages.components.shared.limits import chosen_preset
from pages.components.shared.safe_display import plain

ZONES = {"never": "bad", "named_only": "quiet", "answer": "good"}
"""CSS class of each zone of the evidence confidence."""
_SHORT, _NARROW = {"named_only": "If chosen"}, 20
"""Short labels of zones, used where a zone takes up less than _NARROW percent of the scale."""
_ROOM = (36, 75)
"""A limit above the first value has room for a worded label to its left, one below the second value to its right."""
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only if you choose the book or its pages",
    "answer": "above the limit for a search in any book",
}
"""The meaning of each zone, in the title of the picture."""


def confidence_text(verdict: Verdict) -> str:
    """The evidence confidence, 0 to 100, rounded down."""
    return str(whole(verdict.confidence))


def has_search(verdict: Verdict) -> bool:
    """True if the books were searched for the question or a part of it, and the search did not fail."""
    has_evidence = "retrieve" in verdict.steps and verdict.confidence is not None
    return has_evidence or any(has_search(part) for part in verdict.parts)


def band(verdict: Verdict, preset: Preset) -> None:
    """Draw the evidence confidence on its scale; nothing if there was no search."""
    if has_search(verdict):
        scale(title(verdict), *band_parts(limits(preset)), verdict.confidence)


def title(verdict: Verdict) -> str:
    """The title of the picture: the evidence confidence and the meaning of its zone."""
    return f"Evidence confidence {confidence_text(verdict)} of 100: {_TITLES[verdict.band]}"


def band_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """(zones, limits) of the evidence confidence, in the form in which `scale` draws them.

    ends: two limits, 0 to 100: that for a search in named documents, and that for any search.
    """
    named_limit, free = ends
    bands = [
        (low, high, _SHORT.get(name, ZONE_NAMES[name]) if high - low < _NARROW else ZONE_NAMES[name], ZONES[name])
        for name, (low, high) in zones(named_limit, free).items() if high > low
    ]  # fmt: skip
    marks = [
        (
            free,
            f"limit if no book is chosen: {free:g}" if free < _ROOM[1] else f"{free:g}",
            "right" if free < 95 else "left",
        )
    ]
    if named_limit < free:
        words = f"limit if a book is chosen: {named_limit:g}" if named_limit > _ROOM[0] else f"{named_limit:g}"
        marks.insert(0, (named_limit, words, "left" if named_limit > 5 else "right"))
    return bands, marks


def scale(
    title: str, zones: Sequence[tuple[float, float, str, str]], marks: Sequence[tuple[float, str, str]], value: float
) -> None:
    """Draw a value on a scale of full width; all positions are in percent of the width, 0 to 100.

    title: shown on hover, and the text alternative. zones: (start, end, label, look) of each zone, side by side; a look
    is bad, quiet or good. marks: (position, label, side) of each limit below the bar; side is where its label is: left,
    middle or right.
    """
    bar = "".join(
        f'<span class="zone {css_class}{" narrow" * (high - low < _NARROW)}" style="width:{high - low:g}%">'
        f"{escape(word)}</span>"
        for low, high, word, css_class in zones if high > low
    )  # fmt: skip
    below = "".join(
        f'<span class="{side}" style="left:{position:g}%">{escape(text)}</span>' for position, text, side in marks
    )
    pointer = f'<i class="value" style="left:{min(max(value, 0.0), 100.0):g}%"></i>'
    st.html(
        f'<div class="scale" role="img" aria-label="{escape(title)}" title="{escape(title)}">'
        f'<div class="bar">{bar}{pointer}</div><div class="marks">{below}</div></div>'
    )


PARTS = {
    "grounding": "The passages support what it states", "retrieval": "These passages resemble the question",
    "certainty": "The model is sure of itself",
}  # fmt: skip
"""Each part of stage 2 in plain words."""
TIERS = {"low": "bad", "medium": "quiet", "high": "good"}
CLAIMS = "It states something, so it needs a fact check."
TEST_MODE = "Test mode: both stages monitor only. They report what they find and stop nothing."


def draw_watch_note(verdict: Verdict, current: Preset) -> None:
    """Draw a note if the user has set both stages to watch. Draw nothing if both stages already watch in the chosen
    preset."""
    both = [check for check in all_checks() if check.name in (INTEREST, FACT_GROUNDING)]
    base = chosen_preset()
    if {mode_of(c, current) for c in both} == {"watches"} and {mode_of(c, base) for c in both} != {"watches"}:
        st.info(plain(test_mode(verdict)), icon=":material/science:")


def test_mode(verdict: Verdict) -> str:
    """A text: what it means that both stages only watch (test mode), and why each failed stage would have stopped the
    answer."""
    failures = [r for name in (INTEREST, FACT_GROUNDING) if (r := verdict.checks[name]).state == "failed"]
    return " ".join([TEST_MODE, *(f"The answer would have been stopped: {r.why}" for r in failures)])


def stages(verdict: Verdict, current: Preset, domain: Domain) -> None:
    """Draw both stages; nothing if neither judged an answer."""
    output = metadata(verdict, current, domain)
    if output.company_interest is None and output.confidence is None:
        return
    st.subheader("The two stages", anchor=False)
    with st.container(horizontal=True, gap="small"):
        with st.container(border=True, width=256, key="stage 1"):
            st.markdown(first_stage(output.company_interest, verdict.checks[INTEREST]))
        with st.container(border=True, width=494, key="stage 2"):
            _second_stage(output, verdict, current)


def first_stage(output: CompanyInterest | None, result: CheckResult) -> str:
    """Stage 1 as Markdown: the violation, its severity, and the reason.

    output: the record of stage 1; None if it did not run. result: that of the check `interest`.
    """
    head = "**Stage 1: in scope?**"
    if output is None:
        return f"{head}  \n:gray[:material/radio_button_unchecked: not run:] {plain(result.why)}"
    if output.violation_type == "none":
        lines = [":green[:material/check_circle: Yes]"]
    else:
        violation = VIOLATIONS[output.violation_type]
        stops = "stops the answer" if output.should_block else "monitor only"
        lines = [f":red[:material/cancel: **{plain(violation)}**] :gray[· {plain(output.violation_type)}]"]
        lines.append(f"severity **{plain(output.severity)}** · {stops}")
    check_text = CLAIMS if output.requires_fact_check else "It states nothing that needs a fact check."
    reasoning = plain(output.reasoning) if output.violation_type != "none" else ""
    return "  \n".join(line for line in (head, *lines, reasoning, check_text) if line)


def _second_stage(output: Metadata, verdict: Verdict, current: Preset) -> None:
    st.markdown("**Stage 2: how well is it supported?**")
    result = verdict.checks[FACT_GROUNDING]
    if output.confidence is None:
        st.markdown(f":gray[:material/radio_button_unchecked: not run:] {plain(result.why)}")
        return
    thresholds = Check.registry[FACT_GROUNDING].bind(current)
    tier_limits = float(thresholds.medium), float(thresholds.high)
    score = beside(output.confidence, *tier_limits)
    st.markdown(f"Score **{score}**: the **{output.confidence_tier}** tier")
    title = f"Score {score}: low below {tier_limits[0]:.2f}, medium below {tier_limits[1]:.2f}, high from there"
    scale(title, *tier_parts(tier_limits), 100 * output.confidence)
    weights = weights_of(current)
    parts = dict(output.confidence_breakdown)
    st.markdown(parts_list(parts, weights))
    if redistribution := weight_note(parts, weights):
        st.caption(redistribution)


def tier_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """(tiers, limits) of the score of stage 2, in the form in which `scale` draws them, in percent.

    ends: the limits between the tiers, 0 to 1.
    """
    low, high = ends[0], max(ends)
    zones = {"low": (0.0, low), "medium": (low, high), "high": (high, 1.0)}
    bands = [(100 * a, 100 * b, name, TIERS[name]) for name, (a, b) in zones.items() if b > a]
    return bands, [(100 * limit, f"{limit:.2f}", "middle") for limit in dict.fromkeys((low, high))]


def weights_of(current: Preset) -> dict[str, float]:
    """The weight of each component of the stage 2 score under a preset."""
    check = Check.registry[FACT_GROUNDING]
    return {name: float(weight) for name, weight in check.weights(check.bind(current)).items()}


def parts_list(parts: Mapping[str, float | None], weights: Mapping[str, float]) -> str:
    """The components of the stage 2 score as a Markdown list: value, effective weight, and the product of the two.

    parts: the value of each component, 0 to 1; None if it was not measured. The effective weights are those of the
    measured components, scaled to the sum 1.
    """
    total = sum(weights[name] for name, value in parts.items() if value is not None)
    lines = []
    for name, value in parts.items():
        label = f"- {PARTS[name]} :gray[({name})]"
        if value is None:
            lines.append(f"{label}: :gray[:material/radio_button_unchecked: not measured]")
        else:
            weight = weights[name] / total
            lines.append(f"{label}: **{number(value)}** × {number(weight)} = **{number(value * weight)}**")
    return "\n".join(lines)


def weight_note(parts: Mapping[str, float | None], weights: Mapping[str, float]) -> str:
    """A sentence: which components of the score receive the weight of those that were not measured; "" if all were
    measured, or none."""
    missing = [name for name, value in parts.items() if value is None]
    part_names = [name for name in parts if name not in missing]
    if not missing or not part_names:
        return ""
    weight = sum(weights[name] for name in missing)
    return f"No {' and no '.join(missing)} was measured: its weight of {weight:g} goes to {' and '.join(part_names)}."
