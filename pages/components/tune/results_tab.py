"""The tab Results of the Tune page: one chart, what changed since the preset, and every question behind it."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.evaluation.outcomes import Rate
from core.presentation.outcome_words import LIKELY, share
from core.presentation.set_counts import SetCounts, changes_heading, counts_of, sentences
from core.thresholds import Preset
from core.words import REASONS
from pages.components.shared.figure import picture
from pages.components.shared.limits import chosen_preset, current_preset
from pages.components.shared.page_setup import require_access
from pages.components.shared.safe_display import count_text, plain
from pages.components.shared.session_types import Using
from pages.components.shared.sidebar import DECISION_FIELDS
from pages.components.tune.changed_questions import changed_table
from pages.components.tune.evaluation import evaluation
from pages.components.tune.open_set import OpenSet
from pages.components.tune.outcome_picture import outcome_picture
from pages.components.tune.question_results import question_checks, question_results


@st.fragment(key=DECISION_FIELDS)
def results(open_set: OpenSet, using: Using, counted_at: Callable[[Preset, Preset], SetCounts] | None = None) -> None:
    """Draw the outcomes of the measured questions under the current limits; this fragment runs alone when a limit
    moves.

    counted_at: a function of two presets, the current limits and the preset before sliders were moved; it returns the
    counts under both. With None, they are counted here.
    """
    require_access()
    preset, base, bank = current_preset(), chosen_preset(), open_set.bank
    counts = counted_at(preset, base) if counted_at else counts_of(bank, preset, base)
    picture(outcome_picture(counts))
    st.markdown("  \n".join(sentences(counts.now)).replace(" %", "\u00a0%"))
    st.caption(LIKELY)
    st.subheader(changes_heading(counts.changes), anchor=False)
    if not counts.changes:
        st.caption("Move a slider, or set a check to Monitor: the questions whose outcome changes appear here.")
    changed_table("changed", bank, counts.changes, using, "Was, under the preset", "Now")
    if counts.wrong and (box := _open_expander(count_text(len(counts.wrong), "wrong outcome"), "rule", "amiss")):
        with box:
            changed_table("amiss", bank, counts.wrong, using, "", "Now")
    if box := _open_expander("Which checks each question passed", "grid_on", "matrix"):
        with box:
            question_checks(bank, counts, preset)
    if box := _open_expander("Every question", "format_list_bulleted", "every"):
        with box:
            question_results(bank, preset, using)
    if box := _open_expander("Refusals by reason", "list", "refusals"):
        with box:
            _refusals(counts.refusals)
    if box := _open_expander("More comparisons, and a report", "table_chart", "tables"):
        with box:
            evaluation(open_set, preset, base, using)


def _open_expander(title: str, icon: str, key: str) -> Any:
    """Draw an expander; return it if it is open, else None, since closed content is neither drawn nor sent."""
    box = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    return box if box.open else None


def _refusals(reasons: Mapping[str, tuple[int, int]]) -> None:
    """Draw the refusals by primary reason."""
    lines = refusal_lines(reasons)
    if not lines:
        st.caption("Nothing is refused under these limits.")
        return
    head = ["| Refused because | Should be answered | Should not | Of all refusals |", "|---|---:|---:|---:|"]
    st.markdown("\n".join(head + lines))


def refusal_lines(reasons: Mapping[str, tuple[int, int]]) -> list[str]:
    """A Markdown table row for each reason that occurs, the most frequent first.

    reasons: for each reason, (refusals of cases that should be answered, refusals of other cases).
    """
    known_reasons = {name: pair for name, pair in reasons.items() if name in REASONS}
    n = sum(map(sum, known_reasons.values()))
    lines = []
    for name, (due, others) in sorted(known_reasons.items(), key=lambda item: -sum(item[1])):
        rate = Rate(count=due + others, n=n)
        lines.append(
            f"| {plain(REASONS[name].sentence.rstrip('.'))} :gray[({plain(name)})] | {due} | {others} "
            f"| {rate.count} ({share(rate)}) |"
        )
    return lines
