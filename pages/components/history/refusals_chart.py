"""Questions without an answer over time: bars by day, week or month, one colour for each reason."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.journal import Filter, Journal
from core.words import reason_text
from pages.components.shared.safe_display import plain

_DAYS, _WEEKS = 45, 300
"""Longest spans in days with one bar a day and one bar a week; a longer span has one bar a month."""
_HEIGHT = 220
Counts = Mapping[tuple[str, str], int]
"""(ISO day, reason) -> number of questions."""


def refusals_chart(journal: Journal, selection: Filter) -> None:
    """Draw the chart of the decisions in `selection` under its title; one sentence if every question was answered."""
    st.subheader("Refusals over time", anchor=False)
    counts = journal.refusals(selection)
    if not counts:
        st.caption("All of these questions were answered.")
        return
    st.markdown(f"**{plain(title(counts))}**")
    st.plotly_chart(
        _figure(counts), key="refusals", config={"displayModeBar": False}, height=_HEIGHT, alt=title(counts)
    )


def title(counts: Counts) -> str:
    """How many questions got no answer, and the most frequent reason."""
    total, (reason, count) = sum(counts.values()), _by_reason(counts)[0]
    most = f"most common reason: {reason_text(reason)} ({count})"
    return f"{total} question{'s' * (total != 1)} without an answer; {most}"


def _by_reason(counts: Counts) -> list[tuple[str, int]]:
    """The number of questions for each reason, the most frequent first."""
    totals: Counter[str] = Counter()
    for (_, reason), count in counts.items():
        totals[reason] += count
    return totals.most_common()


def bars(counts: Counts) -> pd.DataFrame:
    """The bars: the first day of each, the reason in words, and the number of questions; no row for a number of 0."""
    rows = [(pd.Timestamp(day), reason_text(reason), count) for (day, reason), count in counts.items()]
    table = pd.DataFrame(rows, columns=["From", "Reason", "Questions"])
    span = (table["From"].max() - table["From"].min()).days
    unit = "D" if span <= _DAYS else "W" if span <= _WEEKS else "M"
    table["From"] = table["From"].dt.to_period(unit).dt.start_time
    return table.groupby(["From", "Reason"], as_index=False)["Questions"].sum()


def _figure(counts: Counts) -> Any:
    """The chart; the most frequent reason is at the bottom of each bar."""
    import plotly.express as px  # half a second, and only where something was refused

    order = [reason_text(reason) for reason, _ in _by_reason(counts)]
    figure = px.bar(bars(counts), x="From", y="Questions", color="Reason", category_orders={"Reason": order})
    figure.update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8}, xaxis_title=None, legend_title=None)
    figure.update_xaxes(tickformat="%d %b %Y", nticks=6, fixedrange=True)
    figure.update_yaxes(tickformat="d", fixedrange=True)
    return figure
