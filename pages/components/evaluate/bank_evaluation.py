"""The evaluation of the guardrail on a measured bank: tables, report, and the stored figures of the sample bank."""

import time
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.banks.saved import SavedBanks
from core.banks.scored_bank import ValuedBank, state_of
from core.evaluation.cases import missing_documents
from core.graph.startup import home_folder
from core.presets import differences
from core.reports.evaluation_report import Evaluation
from core.reports.metrics import FiguresError, sample_marks
from core.reports.seed_tables import Table, told_tables
from core.thresholds import Preset
from pages.components.banks.measuring import open_bank
from pages.components.shared.safe_display import plain
from pages.components.shared.session import BANK, value

if TYPE_CHECKING:
    from core.graph import Explorer


def evaluation(explorer: "Explorer", preset: Preset, base: Preset) -> None:
    """Draw the evaluation of the open bank under `preset`. base: the preset before sliders were moved."""
    st.subheader("What the guardrail does to a question set", anchor=False)
    bank = open_bank(explorer)
    if bank is None:
        return
    rows = SavedBanks(home_folder()).rows(value(BANK))
    moved = [f"{d.key}={d.second}" for d in differences(base, preset)]
    conditions = {
        "bank": value(BANK), "preset": base.name, "moved": moved, "profile": explorer.models.profile,
        "writer": explorer.settings.writer, "models": explorer.models.names, "date": time.strftime("%Y-%m-%d"),
        "missing_documents": missing_documents(rows, [d.name for d in explorer.library.documents()]), "rows": len(rows),
    }  # fmt: skip
    with st.spinner("Counting what becomes of every question …"):
        result = _evaluated(bank, preset, conditions)
    st.markdown(f"**{plain(summary(result))}**")
    for table in (*told_tables(result.tables), result.metrics.table()):
        _draw(table)
    st.download_button(
        "Report", result.page, f"evaluation-{value(BANK)}.html", "text/html", key="evaluation report",
        icon=":material/description:", on_click="ignore", type="primary",
        help="One HTML file with these tables, pictures and every question; it prints well",
    )  # fmt: skip


def summary(result: Evaluation) -> str:
    """The effect of the guardrail on this bank, in one sentence."""
    guarded, without = result.tables.guarded, result.tables.without
    wrong, wrong_without, over_refused = guarded.hallucinated, without.hallucinated, guarded.false_positives
    refusals = f"{over_refused.count} of {over_refused.n} wrongly refused."
    checked, unchecked = wrong.n - result.unchecked, f"{result.unchecked} answered, not checked against facts"
    if result.unchecked and not checked:
        return f"With the guardrail {unchecked}; {refusals}"
    effect = f"With the guardrail {wrong.count} of {checked} answers that go out are wrong"
    if result.unchecked:  # answers without the guardrail are not checked against facts either
        return f"{effect} ({unchecked}); {refusals}"
    return f"{effect}, without it {wrong_without.count} of {wrong_without.n}; {refusals}"


def _evaluated(bank: ValuedBank, preset: Preset, conditions: dict[str, Any]) -> Evaluation:
    """The evaluation, computed once for each state of the sliders."""
    coverage = conditions["rows"], tuple(conditions["missing_documents"])
    key = ("evaluation", state_of(preset), conditions["preset"], conditions["writer"], *coverage)
    return bank.remembered(key, lambda: Evaluation.of(bank, preset, conditions))


def _draw(table: Table) -> None:
    lines = [
        table.heads,
        ["---"] * len(table.heads),
        *([text if set(text) == {"-"} else plain(text) for text in row] for row in table.rows),
    ]
    st.markdown(f"**{plain(table.title)}**")
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    st.caption(plain(table.note))


def measured_figures() -> None:
    """Draw the figures of the sample bank, if they are stored."""
    try:
        conditions, table = sample_marks()
    except FiguresError as error:
        st.caption(plain(str(error)))
        return
    if table:
        st.subheader("Measured on the sample questions", anchor=False)
        st.markdown(table)
        st.caption(f"{plain(conditions)} Beside each share its interval at 95 %.")
