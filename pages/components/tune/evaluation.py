"""The effect of the guardrail on a measured question set in a sentence, and the report with its tables."""

import time
from typing import Any

import streamlit as st

from core.banks.open_bank import OpenBank, state_of
from core.evaluation.cases import missing_documents
from core.library import sample_names
from core.library.store import documents_in
from core.models.profile import names_of
from core.platform.home import home_folder
from core.presets import differences
from core.reports.evaluation_report import Evaluation
from core.thresholds import Preset
from core.writers.writer_choice import for_many_questions
from pages.components.shared.safe_display import plain
from pages.components.shared.session_types import Using
from pages.components.tune.open_set import OpenSet


def evaluation(open_set: OpenSet, preset: Preset, base: Preset, using: Using) -> None:
    """Draw what the guardrail changes on the open set under `preset`, and the button of the report.

    base: the preset before sliders were moved.
    """
    with st.spinner("Counting what becomes of every question …"):
        result = _evaluate(open_set.bank, preset, _conditions(open_set, preset, base, using))
    st.markdown(f"**{plain(summary(result))}**")
    st.caption("The tables and pictures behind it are in the report.")
    st.download_button(
        "Report", result.page, f"evaluation-{open_set.name}.html", "text/html", key="evaluation report",
        icon=":material/description:", on_click="ignore", type="primary",
        help="One HTML file with tables, pictures and every question; it prints well",
    )  # fmt: skip


def _conditions(open_set: OpenSet, preset: Preset, base: Preset, using: Using) -> dict[str, Any]:
    """The conditions under which the figures of the report were measured, by name, as the report prints them."""
    profile, settings = using
    in_library = {document.name for document in documents_in(home_folder())}
    library_names = sample_names() if open_set.measured_bank.bundled_traces else in_library
    return {
        "bank": open_set.name, "preset": base.name, "moved": [f"{d.key}={d.second}" for d in differences(base, preset)],
        "profile": profile, "writer": for_many_questions(settings).writer, "models": names_of(profile),
        "date": time.strftime("%Y-%m-%d"), "missing_documents": missing_documents(open_set.rows, library_names),
        "rows": len(open_set.rows),
    }  # fmt: skip


def summary(result: Evaluation) -> str:
    """The effect of the guardrail on this set, in one sentence, with the figures of the first table."""
    guarded, without = result.tables.guarded, result.tables.without
    wrong, over_refused = guarded.hallucinated, guarded.false_positives
    refusals = f"{over_refused.count} of {over_refused.n} wrongly refused."
    unchecked_text = f"{result.unchecked_count} answered, not checked against facts"
    if not wrong.n and result.unchecked_count:
        return f"With the guardrail {unchecked_text}; {refusals}"
    effect = f"With the guardrail, {wrong.count} of {wrong.n} answers that the app wrote itself are wrong"
    more = f" ({unchecked_text})" if result.unchecked_count else ""
    return f"{effect}, without it {without.hallucinated.count} of {without.hallucinated.n}{more}; {refusals}"


def _evaluate(bank: OpenBank, preset: Preset, conditions: dict[str, Any]) -> Evaluation:
    """The evaluation of a bank, computed once for each state of the sliders."""
    coverage = conditions["rows"], tuple(conditions["missing_documents"])
    key = ("evaluation", state_of(preset), conditions["preset"], conditions["writer"], *coverage)
    return bank.cached(key, lambda: Evaluation.of(bank, preset, conditions))
