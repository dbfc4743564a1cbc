"""The texts of the Guide page: what the app does, the path of a question in four steps, and each check."""

import html
from collections.abc import Mapping

import streamlit as st

from core.check import Check, mode_of, source_title
from core.checks import all_checks
from core.decide import Verdict
from core.presentation.check_guide import check_guide
from core.presentation.check_tiles import tile
from core.presets import preset as named
from core.reply.display_rounding import threshold_value
from core.thresholds import MODE_NAMES, Preset, Threshold
from pages.components.ask.lights import MARKS
from pages.components.shared.safe_display import plain
from pages.components.shared.settings_box import current_domain

LEAD = "A language model can sound sure and be wrong. We answer only what your {sources} support, and show why."
STEPS = {
    "Find": "We look your question up in the {sources}. If too little is found, we search again in other words.",
    "Check the question": "Is the question clear and on a topic of the {sources}, and is there enough to answer from?",
    "Check the answer": "Each sentence is compared with the passages: do they support it, with the same numbers?",
    "Answer, correct or refuse": (
        "What the {sources} do not support is corrected, left out, refused, or passed to a person."
    ),
}
"""The title and the text of each step."""
STAGES = {
    "query": ("Check the question", "Checks of the question"),
    "answer": ("Check the answer", "Checks of the answer"),
}
"""For each stage of the checks, its step and the title of its checks."""


def introduction() -> None:
    """Draw the introduction, in the words of the chosen domain."""
    words = current_domain().words
    st.markdown(plain(LEAD.format_map(words)))
    st.html(path_picture({title: text.format_map(words) for title, text in STEPS.items()}))
    st.caption(
        "Each check gives a score. Limits turn scores into a verdict: move a limit on the Ask page, and the verdict "
        "follows."
    )


def path_picture(steps: Mapping[str, str]) -> str:
    """The steps as HTML: an ordered list of boxes with arrows between them. steps: the text of each, by its title."""
    items = []
    for title, text in steps.items():
        count = sum(STAGES[check.stage][0] == title for check in all_checks())
        checks = f"<small>{count} checks</small>" if count else ""
        items.append(f"<li><b>{html.escape(title)}</b>{checks}<p>{html.escape(text)}</p></li>")
    return f'<ol class="steps" aria-label="The path of a question in four steps">{"".join(items)}</ol>'


def draw_checks(verdict: Verdict | None, preset: Preset) -> None:
    """Draw every check in a folded box, grouped by stage. verdict: that of the last question; None if none was
    asked."""
    st.caption(
        "Each check measures one thing. If a check fails, the answer does not go out as it is (Block), or the "
        "failure is only noted (Monitor)."
    )
    for stage, (_, title) in STAGES.items():
        checks = [check for check in all_checks() if check.stage == stage]
        with st.container(gap="xsmall"):
            st.markdown(f"**{plain(title)}** :gray[{len(checks)} checks]")
            for check in checks:
                label = f"**{plain(check.short)}:** {plain(check.plain)}"
                with st.expander(label, key=f"explained {check.name}"):
                    st.markdown(explanation(check, preset))
                    if result := verdict.checks.get(check.name) if verdict else None:
                        last = tile(result)
                        words = f"{plain(last.state_text)}. {plain(last.reason)}"
                        st.markdown(f"Your last question: {MARKS[last.state]} {words}")


def explanation(check: Check, preset: Preset) -> str:
    """A check as Markdown: what it asks, catches and is blind to, its limits, its mode and its origin."""
    limits = [f"- {limit_text(t, preset)}" for t in check.thresholds().values()]
    default_mode, mode = (MODE_NAMES[mode_of(check, p)] for p in (named("default"), preset))
    mode_text = f"Mode: {default_mode}{f', now {mode}' if mode != default_mode else ''}."
    source = "our own" if check.source_document == "ours" else source_title(check.source_document)
    lines = [
        *(f"**{title}:** {plain(text)}" for title, text in check_guide(check).items() if text),
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
