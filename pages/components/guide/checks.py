"""The checks on the Guide page: what each asks, catches and is blind to, its default, and its last result."""

import streamlit as st

from core.check import Check, mode_of, source_title
from core.checks import all_checks
from core.decide import CheckResult, Verdict
from core.presentation.check_guide import check_guide
from core.presentation.check_tiles import tile
from core.presets import preset as named
from core.reply.display_rounding import threshold_value
from core.thresholds import MODE_NAMES, Preset, Threshold
from pages.components.ask.lights import MARKS
from pages.components.shared.safe_display import plain

STAGES = {"query": "Checks of the question", "answer": "Checks of the answer"}


def draw_checks(verdict: Verdict | None, preset: Preset) -> None:
    """Draw every check in a folded box, grouped by stage. verdict: that of the last question; None if none was
    asked."""
    st.caption(
        "Each check measures one thing. If it fails, it either stops the answer (Block) or is only noted (Monitor)."
    )
    for stage, title in STAGES.items():
        checks = [check for check in all_checks() if check.stage == stage]
        with st.container(gap="xsmall"):
            st.markdown(f"**{plain(title)}** :gray[{len(checks)} checks]")
            for check in checks:
                label = f"**{plain(check.short)}:** {plain(check.plain)}"
                with st.expander(label, key=f"explained {check.name}"):
                    st.markdown(explanation(check, preset))
                    if result := verdict.checks.get(check.name) if verdict else None:
                        st.markdown(last_result(result))


def explanation(check: Check, preset: Preset) -> str:
    """A check as Markdown: what it asks, catches and is blind to, its limits, its mode and its origin."""
    guide, limits = check_guide(check), [f"- {limit_text(t, preset)}" for t in check.thresholds().values()]
    default_mode, mode = (MODE_NAMES[mode_of(check, p)] for p in (named("default"), preset))
    mode_text = f"Mode: {default_mode}{f', now {mode}' if mode != default_mode else ''}."
    source = "our own" if check.source_document == "ours" else source_title(check.source_document)
    lines = [
        f"**Asks:** {plain(guide.asks)}", f"**How:** {plain(guide.how)}" if guide.how else "",
        f"**Catches:** {plain(guide.catches)}", f"**Blind to:** {plain(guide.blind_to)}",
        "\n".join([f"**Default{'s' * (len(limits) > 1)}:**", "", *limits]) if limits else "",
        f":gray[{plain(mode_text)} {plain(f'From: {source}. In files: {check.name}.')}]",
    ]  # fmt: skip
    return "\n\n".join(line for line in lines if line)


def limit_text(threshold: Threshold, preset: Preset) -> str:
    """A limit as Markdown: its label, default, unit, stricter direction, and its value now if that differs."""
    default, value = (threshold_value(threshold, p.value(threshold)) for p in (named("default"), preset))
    unit = f" {plain(threshold.unit)}" if threshold.unit else ""
    stricter = "" if threshold.stricter == "neither" else f", {plain(f'{threshold.stricter} is stricter')}"
    now = f" :orange[now {plain(value)}]" if value != default else ""
    return f"{plain(threshold.label)} **{plain(default)}**{unit}{stricter}{now}"


def last_result(result: CheckResult) -> str:
    """The result of a check for the last question, as Markdown: state, then reason with its numbers."""
    tile_ = tile(result)
    return f"Your last question: {MARKS[tile_.state]} {plain(tile_.state_text)}. {plain(tile_.reason)}"
