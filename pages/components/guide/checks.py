"""The checks on the Guide page: what each asks, catches and is blind to, its default, and its last result."""

import streamlit as st

from core.checks import all_checks
from core.decide import CheckResult, Verdict
from core.presentation.check_guide import CheckGuide, Limit, check_guide
from core.presentation.check_tiles import tile
from core.thresholds import Preset
from pages.components.shared.safe_display import plain

STAGES = {"query": "Checks of the question", "answer": "Checks of the answer"}
LOOKS = {
    "passed": ("green", ":material/check_circle:"), "failed": ("red", ":material/cancel:"),
    "not_run": ("gray", ":material/radio_button_unchecked:"),
}  # fmt: skip
"""Colour and icon of each state."""


def draw_checks(verdict: Verdict | None, preset: Preset) -> None:
    """Draw every check in a folded box, grouped by stage. verdict: that of the last question; None if none was
    asked."""
    st.caption(
        "Each check measures one thing. If it fails, it either stops the answer (Block) or is only noted (Monitor)."
    )
    for stage, title in STAGES.items():
        guides = [check_guide(check, preset) for check in all_checks() if check.stage == stage]
        with st.container(gap="xsmall"):
            st.markdown(f"**{plain(title)}** :gray[{len(guides)} checks]")
            for guide in guides:
                label = f"**{plain(guide.short)}:** {plain(guide.requirement)}"
                with st.expander(label, key=f"explained {guide.name}"):
                    st.markdown(explanation(guide))
                    if result := verdict.checks.get(guide.name) if verdict else None:
                        st.markdown(last_result(result))


def explanation(guide: CheckGuide) -> str:
    """A check as Markdown: what it asks, catches and is blind to, its limits, its mode and its origin."""
    limits = [f"- {limit_text(limit)}" for limit in guide.limits]
    lines = [
        f"**Asks:** {plain(guide.asks)}", f"**How:** {plain(guide.how)}" if guide.how else "",
        f"**Catches:** {plain(guide.catches)}", f"**Blind to:** {plain(guide.blind_to)}",
        "\n".join([f"**Default{'s' * (len(guide.limits) > 1)}:**", "", *limits]) if limits else "",
        f":gray[{plain(_mode_text(guide))} {plain(f'From: {guide.source}. In files: {guide.name}.')}]",
    ]  # fmt: skip
    return "\n\n".join(line for line in lines if line)


def limit_text(limit: Limit) -> str:
    """A limit as Markdown: its label, default, unit, stricter direction, and its value now if that differs."""
    unit = f" {plain(limit.unit)}" if limit.unit else ""
    stricter = f", {plain(limit.stricter)}" if limit.stricter else ""
    now = f" :orange[now {plain(limit.now)}]" if limit.now else ""
    return f"{plain(limit.label)} **{plain(limit.default)}**{unit}{stricter}{now}"


def _mode_text(guide: CheckGuide) -> str:
    now = f", now {guide.mode}" if guide.mode != guide.default_mode else ""
    return f"Mode: {guide.default_mode}{now}."


def last_result(result: CheckResult) -> str:
    """The result of a check for the last question, as Markdown: state, then reason with its numbers."""
    tile_ = tile(result)
    colour, icon = LOOKS[tile_.state]
    return f"Your last question: :{colour}[{icon} {plain(tile_.state_text)}] {plain(tile_.reason)}"
