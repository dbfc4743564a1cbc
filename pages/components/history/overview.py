"""Two summaries of the history, for educators: a bar for each day, and the topics that the library lacks."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from html import escape

import streamlit as st

from core.journal import Filter, Journal, Lacking, coverage_gaps
from core.journal.coverage_gaps import gaps_of
from core.platform.access import may
from core.presentation.history import gap_columns, gap_title
from core.settings import Settings
from core.words import count_of, reason_text
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import frame_of, plain, safe_table

MOST_DAYS = 180
"""Days that are drawn at most, the latest ones."""
_STEP, _TALLEST = 4, 48
"""Pixels of one decision, and of the tallest bar: a few decisions a day are no taller than a line of text."""
_ROW = "display:flex;align-items:flex-end;gap:2px;border-bottom:1px solid var(--line)"
_COLUMN = "display:flex;flex-direction:column;flex:0 1 12px;min-height:16px;justify-content:flex-end"
Counts = Mapping[tuple[str, str | None], int]
"""(ISO day, reason of a question without an answer or None for an answer) -> number of decisions."""


def day_strip(journal: Journal, selection: Filter) -> None:
    """Draw the decisions in `selection`: a bar a day, answered below and without an answer above."""
    counts = journal.by_day(selection)
    st.html(strip(counts))
    st.caption(title(counts))


def title(counts: Counts) -> str:
    """The number of questions without an answer and the most frequent reason, in words."""
    reasons = Counter[str]()
    for (_, reason), count in counts.items():
        if reason is not None:
            reasons[reason] += count
    if not reasons:
        return "Every question was answered."
    ((reason, count),) = reasons.most_common(1)
    questions = count_of(reasons.total(), "question")
    return f"{questions} without an answer; most common reason: {reason_text(reason)} ({count})"


def strip(counts: Counts) -> str:
    """The bars as HTML, from the first day to the last, the latest MOST_DAYS of them."""
    answered, refused = Counter[str](), Counter[str]()
    for (day, reason), count in counts.items():
        (answered if reason is None else refused)[day] += count
    first, last = (date.fromisoformat(edge(day for day, _ in counts)) for edge in (min, max))
    step = min(_STEP, _TALLEST / max((answered + refused).values()))
    bars = []
    for back in range(min(MOST_DAYS - 1, (last - first).days), -1, -1):
        day = last - timedelta(days=back)
        pair = ((refused[day.isoformat()], "--bad"), (answered[day.isoformat()], "--good"))
        parts = "".join(
            f'<i style="height:{count * step:.0f}px;background:var({colour})"></i>' for count, colour in pair if count
        )
        text = f"{day:%d %b %Y}: {pair[1][0]} answered, {pair[0][0]} not"
        bars.append(f'<span title="{text}" style="{_COLUMN}">{parts}</span>')
    return f'<div role="img" aria-label="{escape(title(counts))}" style="{_ROW}">{"".join(bars)}</div>'


MAX_TOPICS, _ROWS = 100, 4
"""Maximum topics in the table, and maximum rows that are visible without scrolling."""


def missing_topics(refusals: list[Lacking], profile: str) -> None:
    """Draw the questions that were refused because the library lacks their topic, grouped by topic.

    profile: the name of the models whose embedder compares the questions.
    """
    if not refusals:
        st.caption(":material/check: No missing topics: no question was refused for lack of an answer in the books.")
        return
    with st.spinner("Comparing the refused questions …", show_time=True):
        gaps = gaps_of(refusals, shared_explorer(profile, Settings()).models.embedder.encode)
    method = (
        "The topic that was asked about most often is first. Questions with a similar meaning count as one topic; "
        "about one in five pairs of similar questions is not noticed. The newest "
        f"{coverage_gaps.MOST} different questions are compared."
    )
    cut_note = f" The first {MAX_TOPICS} topics are shown." if len(gaps) > MAX_TOPICS else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(gap_title(gaps))}**", width="stretch", help=method + cut_note)
        if may("library") and st.button("Add a chapter", key="add a chapter", icon=":material/upload_file:"):
            st.switch_page("pages/library.py")
    column = st.column_config
    columns = {
        "Asked": column.NumberColumn(width=70, help="How often this was asked, in any wording."),
        "Question": column.TextColumn(width=330), "Also asked as": column.TextColumn(width=380),
        "Why refused": column.TextColumn(width=230), "Last asked": column.TextColumn(width=110),
    }  # fmt: skip
    table = frame_of(gap_columns(gaps[:MAX_TOPICS]), {"Asked": "Int64"})
    safe_table(table, "gaps", _ROWS, columns, "Topics that the library lacks, one per row")
