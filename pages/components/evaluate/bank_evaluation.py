"""What the guardrail does to a measured bank: the seeds' tables, the report, and the stored figures of the sample."""

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
    """The bank that is chosen, under the sliders of the Ask page; base: the preset from which they were moved."""
    st.subheader("What the guardrail does to a bank", anchor=False)
    bank = open_bank(explorer)
    if bank is None:
        return
    rows = SavedBanks(home_folder()).rows(value(BANK))
    moved = [f"{d.key}={d.second}" for d in differences(base, preset)]
    about = {
        "bank": value(BANK), "preset": base.name, "moved": moved, "profile": explorer.models.profile,
        "writer": explorer.settings.writer, "models": explorer.models.names, "date": time.strftime("%Y-%m-%d"),
        "missing_documents": missing_documents(rows, [d.name for d in explorer.library.documents()]), "rows": len(rows),
    }  # fmt: skip
    with st.spinner("Counting what becomes of every question …"):
        found = _counted(bank, preset, about)
    st.markdown(f"**{plain(summary(found))}**")
    for one in (*told_tables(found.tables), found.metrics.table()):
        _table(one)
    st.download_button(
        "Report", found.page, f"evaluation-{value(BANK)}.html", "text/html", key="evaluation report",
        icon=":material/description:", on_click="ignore", type="primary",
        help="One HTML file with these tables, pictures and every question; it prints well",
    )  # fmt: skip


def summary(found: Evaluation) -> str:
    """What the guardrail is worth on this bank, in one sentence."""
    guarded, without = found.tables.guarded, found.tables.without
    wrong, before, silent = guarded.hallucinated, without.hallucinated, guarded.false_positives
    refused = f"{silent.count} of {silent.n} that should be answered are not."
    checked, unchecked = wrong.n - found.unchecked, f"{found.unchecked} answered, not checked against facts"
    if found.unchecked and not checked:
        return f"With the guardrail {unchecked}; {refused}"
    said = f"With the guardrail {wrong.count} of {checked} answers that go out are wrong"
    if found.unchecked:  # without the guardrail others go out, of which nobody knows either
        return f"{said} ({unchecked}); {refused}"
    return f"{said}, without it {before.count} of {before.n}; {refused}"


def _counted(bank: ValuedBank, preset: Preset, about: dict[str, Any]) -> Evaluation:
    """CaseCounts once for each state of the sliders."""
    covered = about["rows"], tuple(about["missing_documents"])
    key = ("evaluation", state_of(preset), about["preset"], about["writer"], *covered)
    return bank.remembered(key, lambda: Evaluation.of(bank, preset, about))


def _table(one: Table) -> None:
    lines = [one.heads, ["---"] * len(one.heads), *one.rows]
    st.markdown(f"**{plain(one.title)}**")
    st.markdown("\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines))
    st.caption(plain(one.note))


def _cell(text: str) -> str:
    return text if set(text) == {"-"} else plain(text)


def measured_figures() -> None:
    """What the sample bank was counted to, where that is stored."""
    try:
        about, table = sample_marks()
    except FiguresError as error:
        st.caption(plain(str(error)))
        return
    if table:
        st.subheader("Measured on the sample bank", anchor=False)
        st.markdown(table)
        st.caption(f"{plain(about)} Beside each share its interval at 95 %.")
