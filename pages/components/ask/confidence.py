"""How sure a verdict is: the evidence confidence on its scale, and the two stages of the guardrail, part by part."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from core.chain import CheckResult, Verdict
from core.chain.display_rounding import beside, number
from core.chain.facts import limits, zones
from core.chain.routing import GROUNDING, INTEREST
from core.check import Check, mode_of
from core.checks import all_checks
from core.checks.fact_grounding import WEIGHTS
from core.reports.seed_outputs import metadata
from core.settings.domains import Domain
from core.thresholds import Preset
from pages.components.shared.limits import chosen_preset
from pages.components.shared.safe_display import plain

ZONES = {"never": ("never", "bad"), "named_only": ("named only", "quiet"), "answer": ("answer", "good")}
"""What each zone is called, and its look."""
_ROOM = (36, 75)
"""From the first on there is room for the words of a limit to the left of it, up to the second one to the right."""
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only when documents or pages are named",
    "answer": "above the limit for any search",
}


def confidence_drawn(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in as many digits as it takes not to contradict its band."""
    return beside(verdict.confidence, *limits(preset), least=0)


def searched(verdict: Verdict) -> bool:
    """True when the books were searched: a greeting, a question that is asked back, and one whose search broke have no
    evidence to draw."""
    found = "retrieve" in verdict.steps and verdict.confidence is not None
    return found or any(searched(part) for part in verdict.parts)


def band(verdict: Verdict, preset: Preset) -> None:
    """The picture; nothing where nothing was searched."""
    if searched(verdict):
        scale(title(verdict, preset), *band_parts(limits(preset)), verdict.confidence)


def title(verdict: Verdict, preset: Preset) -> str:
    """What the picture shows."""
    return f"Evidence confidence {confidence_drawn(verdict, preset)} of 100: {_TITLES[verdict.band]}"


def band_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """The zones side by side, and the limits below them, as `scale` takes both. ends: documents named, any search."""
    named, free = ends
    found = [(low, high, *ZONES[name]) for name, (low, high) in zones(named, free).items() if high > low]
    marks = [(free, f"{free:g} any search" if free < _ROOM[1] else f"{free:g}", "right" if free < 95 else "left")]
    if named < free:
        words = f"documents named {named:g}" if named > _ROOM[0] else f"{named:g}"
        marks.insert(0, (named, words, "left" if named > 5 else "right"))
    return found, marks


def scale(
    title: str, zones: Sequence[tuple[float, float, str, str]], marks: Sequence[tuple[float, str, str]], value: float
) -> None:
    """Draws it as wide as there is room, all places in percent of its width, 0 to 100; its words keep their size.

    title: what it shows, on hover and for those who cannot see it. zones: from, to, word and look (bad, quiet or good)
    of each, side by side. marks: place and words of each limit below the bar, and on which side of it they stand (left,
    middle or right).
    """
    bar = "".join(
        f'<span class="zone {look}" style="width:{high - low:g}%">{escape(word)}</span>'
        for low, high, word, look in zones if high > low
    )  # fmt: skip
    below = "".join(f'<span class="{side}" style="left:{at:g}%">{escape(text)}</span>' for at, text, side in marks)
    stands = f'<i class="value" style="left:{min(max(value, 0.0), 100.0):g}%"></i>'
    st.html(
        f'<div class="scale" role="img" aria-label="{escape(title)}" title="{escape(title)}">'
        f'<div class="bar">{bar}{stands}</div><div class="marks">{below}</div></div>'
    )


VIOLATIONS = {
    "off_topic": "off the topic of this house", "competitor_info": "speaks of a competitor",
    "fabricated_product": "names something invented", "fabricated_policy": "states an invented rule",
}  # fmt: skip
PARTS = {
    "grounding": "The passages say what it states", "retrieval": "These passages resemble the question",
    "certainty": "The model is sure of itself",
}  # fmt: skip
"""Each part of stage 2 in plain words."""
TIERS = {"low": "bad", "medium": "quiet", "high": "good"}
CLAIMS = "It states something, so it needs a fact check."
TEST_MODE = "Test mode: both stages only watch. They say what they find; nothing is stopped by them."


def watched(verdict: Verdict, current: Preset) -> None:
    """Said where a person has set both stages to watch; a preset that is not about them says nothing."""
    both = [check for check in all_checks() if check.name in (INTEREST, GROUNDING)]
    base = chosen_preset()
    if {mode_of(c, current) for c in both} == {"watches"} and {mode_of(c, base) for c in both} != {"watches"}:
        st.info(plain(test_mode(verdict)), icon=":material/science:")


def test_mode(verdict: Verdict) -> str:
    """What test mode means, and what each stage would have stopped."""
    found = [r for name in (INTEREST, GROUNDING) if (r := verdict.checks[name]).state == "failed"]
    return " ".join([TEST_MODE, *(f"It would have been stopped: {r.why}" for r in found)])


def stages(verdict: Verdict, current: Preset, house: Domain) -> None:
    """Both stages; nothing where no answer was read by them."""
    about = metadata(verdict, current, house)
    if about["companyInterest"] is None and about["confidence"] is None:
        return
    st.subheader("The two stages", anchor=False)
    with st.container(horizontal=True, gap="small"):
        with st.container(border=True, width=256, key="stage 1"):
            st.markdown(first_stage(about["companyInterest"], verdict.checks[INTEREST]))
        with st.container(border=True, width=494, key="stage 2"):
            _second_stage(about, verdict, current)


def first_stage(found: Mapping[str, object] | None, result: CheckResult) -> str:
    """Stage 1 as Markdown: what it found, how grave that is, and why."""
    head = "**Stage 1: may this be said here?**"
    if found is None:
        return f"{head}  \n:gray[:material/radio_button_unchecked: not run:] {plain(result.why)}"
    if found["violationType"] == "none":
        lines = [":green[:material/check_circle: nothing against it]"]
    else:
        what = VIOLATIONS[found["violationType"]]
        stops = "stops the answer" if found["shouldBlock"] else "only watches"
        lines = [f":red[:material/cancel: **{plain(what)}**] :gray[· {plain(found['violationType'])}]"]
        lines.append(f"severity **{plain(found['severity'])}** · {stops}")
    checked = CLAIMS if found["requiresFactCheck"] else "It states nothing that needs a fact check."
    reasoning = plain(found["reasoning"]) if found["violationType"] != "none" else ""
    return "  \n".join(line for line in (head, *lines, reasoning, checked) if line)


def _second_stage(about: Mapping[str, object], verdict: Verdict, current: Preset) -> None:
    st.markdown("**Stage 2: how well is it borne out?**")
    result = verdict.checks[GROUNDING]
    if about["confidence"] is None:
        st.markdown(f":gray[:material/radio_button_unchecked: not run:] {plain(result.why)}")
        return
    t = Check.registry[GROUNDING].bind(current)
    ends = float(t.medium), float(t.high)
    drawn = beside(about["confidence"], *ends)
    st.markdown(f"Score **{drawn}**: the **{about['confidenceTier']}** tier")
    title = f"Score {drawn}: low below {ends[0]:.2f}, medium below {ends[1]:.2f}, high from there"
    scale(title, *tier_parts(ends), 100 * about["confidence"])
    st.markdown(parts_listed(about["confidenceBreakdown"]))
    if given := given_away(about["confidenceBreakdown"]):
        st.caption(given)


def tier_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """The tiers from 0 to 1 side by side, and their limits, as `scale` takes both: in percent."""
    low, high = ends[0], max(ends)
    zones = {"low": (0.0, low), "medium": (low, high), "high": (high, 1.0)}
    found = [(100 * a, 100 * b, name, TIERS[name]) for name, (a, b) in zones.items() if b > a]
    return found, [(100 * limit, f"{limit:.2f}", "middle") for limit in dict.fromkeys((low, high))]


def parts_listed(parts: Mapping[str, float | None]) -> str:
    """Each part with its value, the weight that counts and what it adds to the score; as a Markdown list."""
    there = sum(WEIGHTS[name] for name, value in parts.items() if value is not None)
    return "\n".join(f"- {_part(name, value, there)}" for name, value in parts.items())


def _part(name: str, value: float | None, there: float) -> str:
    """One part. there: the weights of all parts that are there, which share the weight of the others."""
    about = f"{PARTS[name]} :gray[({name})]"
    if value is None:
        return f"{about}: :gray[:material/radio_button_unchecked: not measured]"
    weight = WEIGHTS[name] / there
    return f"{about}: **{number(value)}** × {number(weight)} = **{number(value * weight)}**"


def given_away(parts: Mapping[str, float | None]) -> str:
    """What becomes of the weight of the parts that are not there; "" when all are."""
    gone = [name for name, value in parts.items() if value is None]
    others = [name for name in parts if name not in gone]
    if not gone or not others:
        return ""
    weight = sum(WEIGHTS[name] for name in gone)
    return f"No {' and no '.join(gone)} was measured: its weight of {weight:g} goes to {' and '.join(others)}."
