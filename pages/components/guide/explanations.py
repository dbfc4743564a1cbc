"""The Guide page: an introduction, the map of the chain, and each check explained by its docstring."""

import streamlit as st

from core.case import Trace
from core.chain import CheckResult, Verdict
from core.chain.display_rounding import threshold_value
from core.check import GROUPS, Check, mode_of, source_title
from core.checks import all_checks
from core.presentation.check_tiles import tile
from core.thresholds import Preset, Threshold
from pages.components.ask.route import lead, lit, picture_title
from pages.components.ask.route_steps import legs
from pages.components.ask.verdict_box import headline
from pages.components.shared.chain_map import PLACES, SPINE, WIDTH, drawing, shapes
from pages.components.shared.safe_display import plain
from pages.components.shared.settings_box import house
from pages.components.shared.sidebar import ARROWS

INTRODUCTION = """
A language model can sound sure and be wrong. Here an answer goes out only when **the {sources} support it**, and you
can see why it did or did not.

1. **Find.** The question is looked up in your {sources}. If too little is found, it is asked again in other words.
2. **Check the question.** Is it clear, on a topic of these {sources}, with enough found to answer from? If not, it is
   refused, or you are asked what you mean.
3. **Write and check the answer.** Every sentence is read against the passages: are they saying it, and do the numbers
   and the sources agree?
4. **Mend, or stop.** What the {sources} do not say is put in their own words, left out, handed to a person, or refused.

Models only measure, and do so once. **Limits decide**, and you can move every one of them on the Ask page: the verdict
follows at once.
"""
ADVICE = {
    "blocks": "", "watches": "Monitor only: it is shown and stops nothing.", "off": "It is switched off now.",
}  # fmt: skip
BARE = "The map of all ways. Ask a question, come back, and you see its own way here."
_LIST = 600


def own_words() -> None:
    """Draw the introduction, in the words of the chosen domain."""
    st.markdown(INTRODUCTION.format_map(house().words))


def overview(trace: Trace | None, verdict: Verdict | None, preset: Preset) -> None:
    """Draw the map and a list of its boxes. The map highlights the path of the last question, if there is one."""
    steps = legs(trace, verdict, preset) if verdict else ()
    if verdict:
        st.markdown(f"Lit up: your last question, “{plain(trace.question.query)}”, {headline(verdict)}")
    else:
        st.caption(BARE)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key="works_map"):
            title = picture_title(steps, verdict) if verdict else BARE
            drawing("works", title, shapes(lit(steps, verdict) if verdict else None, steps))
        with st.container(width=_LIST, key="works_list"):
            st.markdown(places_listed())


def places_listed() -> str:
    """The boxes of the map with what happens at each, as a Markdown list in the order of the chain."""
    side_boxes = {"critic": "refine", "answer": "correct", "stage 2": "recheck"}
    names = [name for box in SPINE[:-1] for name in (box.name, side_boxes.get(box.name)) if name]
    return "\n".join(f"- {lead(PLACES[name].text)} {plain(PLACES[name].about)}" for name in names)


def checks_explained(verdict: Verdict | None, preset: Preset) -> None:
    """Draw every check by group: its docstring, its current limits, and its result for the last question."""
    st.caption("What each check asks, what it catches and what it is blind to; below it the limits as they stand now.")
    for stage, title in GROUPS.items():
        st.markdown(f"**{plain(title)}**")
        for check in (c for c in all_checks() if c.stage == stage):
            with st.expander(f"{plain(check.plain)} :gray[({plain(check.name)})]", key=f"explained {check.name}"):
                st.markdown(explanation(check, preset))
                if result := verdict.checks.get(check.name) if verdict else None:
                    st.markdown(last_result(result))


def explanation(check: Check, preset: Preset) -> str:
    """A check as Markdown: its docstring, its limits under `preset`, and its origin."""
    head = [plain(paragraph) for paragraph in check.doc().split("\n\n")]
    limits = [f"- {limit(t, preset)}" for t in check.thresholds().values()]
    tail = f":gray[{plain(f'From: {source_title(check.source_document)}. {ADVICE[mode_of(check, preset)]}'.strip())}]"
    return "\n\n".join(part for part in (*head, "\n".join(limits), tail) if part)


def limit(t: Threshold, preset: Preset) -> str:
    """A limit under `preset` as Markdown: its label, value, unit and stricter direction."""
    value = threshold_value(t, preset.thresholds.get(t.key, t.default))
    direction = f", {t.stricter} is stricter {ARROWS[t.stricter]}" if ARROWS[t.stricter] else ""
    return f"{plain(t.label)}: **{plain(value)}** {plain(t.unit)}{direction}"


LOOKS = {
    "passed": ("green", ":material/check_circle:"), "failed": ("red", ":material/cancel:"),
    "not_run": ("gray", ":material/radio_button_unchecked:"),
}  # fmt: skip
"""Colour and icon of each state."""


def last_result(result: CheckResult) -> str:
    """The result of a check for the last question, as Markdown: state, then reason with its numbers."""
    shown = tile(result)
    colour, icon = LOOKS[shown.state]
    return f"Your last question: :{colour}[{icon} {plain(shown.state_text)}] {plain(shown.reason)}"
