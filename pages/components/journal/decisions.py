"""The tables of decisions: those that wait for a person, and all that match the filters; open, correct, download."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.saved import JUDGED, LABELS, OWN, label, set_title
from core.chain import REASONS
from core.chain.facts import limits
from core.chain.routing import ROUTES as ALL_ROUTES
from core.graph.startup import home_folder
from core.journal import Decided, Filter, Journal, Opened
from core.journal.export import csv_of, json_of
from core.platform.access import may
from core.presentation.outcome_words import ROUTES
from core.presets import preset
from pages.components.ask.asking import form_of, or_any
from pages.components.shared.decision_columns import BUTTONS, HEAD, label_columns, put_text, rounded_confidence
from pages.components.shared.question_state import Asked, open_asked
from pages.components.shared.safe_display import frame_of, safe_table, show_outcome
from pages.components.shared.session import JOURNAL, REOPENED, clear_filters, clicked, notes, noting, restore, value
from pages.components.shared.settings_box import chosen_settings

SHORT = {
    "model_failure": "something broke", "interest": "out of scope", "unclear": "unclear question",
    "insufficient_context": "too little in the library", "off_topic": "no topic of the library",
    "outside_scope": "another class or subject", "other_language": "another language",
    "low_confidence": "passages not close enough",
    "abstained": "says that there is no answer", "computed": "computed, not checked",
    "hallucination_detected": "contradicted or made up",
    "unreadable_citations": "a citation cannot be read", "invalid_citations": "cites what is not there",
    "missing_citations": "not cited", "low_grounding": "not supported",
    "beside_question": "beside the question", "hedging": "hedges",
    "": "no reason",
}  # fmt: skip
"""Each reason in a few plain words."""


def reason_words(reason: str) -> str:
    """A reason in plain words, with its technical name in brackets."""
    return f"{SHORT.get(reason, reason)} ({reason})" if reason else SHORT[""]


def filters(journal: Journal) -> Filter:
    """Draw the filters; return their current values."""
    classes, subjects = journal.scopes()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Words", key="journal text", placeholder="in the question or its answer", width=230, max_chars=200
        )
        st.multiselect(
            "Reason", list(REASONS), key="journal reasons", format_func=reason_words, placeholder="any", width=270
        )
        st.multiselect(
            "Outcome", list(ALL_ROUTES), key="journal routes", format_func=ROUTES.get, placeholder="any", width=200
        )
        st.selectbox("Class", _options(0, classes, "journal class"), key="journal class", format_func=or_any, width=80)
        st.selectbox(
            "Subject", _options("", subjects, "journal subject"), key="journal subject", format_func=or_any, width=150
        )
        st.date_input("From", value=None, key="journal first", format="YYYY-MM-DD", width=140)
        st.date_input("Until", value=None, key="journal last", format="YYYY-MM-DD", width=140)
        st.button(
            "Clear", key="clear filters", icon=":material/filter_alt_off:", on_click=clear_filters,
            disabled=all(value(key) == empty for key, empty in JOURNAL.items()),
        )  # fmt: skip
    return Filter(
        reasons=tuple(value("journal reasons")), routes=tuple(value("journal routes")),
        class_number=value("journal class") or None, subject=value("journal subject"), first=value("journal first"),
        last=value("journal last"), text=value("journal text"),
    )  # fmt: skip


def _options(empty: Any, values: list[Any], key: str) -> list[Any]:
    """The options of a filter: the empty one, the known values, and the current value, which may no longer exist."""
    return sorted({empty, *values, value(key)})


SHOWN, WAITING = 200, 50
"""Most decisions in the table of all and in that of waiting ones; the newest are shown."""
_ROWS, _WAITING_ROWS = 12, 5
GIVEN = {"answered": "supported", "refused": "altered", "clarified": "clarified"}
"""The label that each button gives to a case whose answer was pasted."""
WITHHELD = "(kept out of the journal)"
"""Shown instead of a question that the journal does not keep."""
WIDTHS = {
    "Open": 70, "When": 130, "Question": 270, "Outcome": 128, "Reason": 190, "Confidence": 92,
    **dict.fromkeys(BUTTONS.values(), 92), "Attended": 92,
}  # fmt: skip
"""Width of each column in pixels; further columns scroll."""


def to_attend(journal: Journal) -> None:
    """Draw the decisions that were handed over and that no person has attended to yet."""
    count, waiting = journal.to_attend(WAITING)
    if not count:
        st.caption(":material/check: No reviews pending.")
        return
    subject = "One decision waits" if count == 1 else f"{count:,} decisions wait"
    st.subheader(f"{subject} for a person", anchor=False)
    table = rows(waiting)[["Open", "When", "Question", "Reason"]]
    if may("journal"):
        table.insert(1, "Attended", pd.array(["Attended"] * len(table), dtype="string"))
    numbers = [d.id for d in waiting]
    button = st.column_config.ButtonColumn(
        "", width=WIDTHS["Attended"], key="attend", on_click=_attend, args=(journal, numbers),
        help="A person has looked at it; it leaves this list and stays in the journal.",
    )  # fmt: skip
    _draw_table(
        table, "to attend", _WAITING_ROWS, {"Attended": button, "Open": _open_column("open waiting", journal, numbers)}
    )
    if count > len(waiting):
        st.caption(f"The newest {len(waiting)} are shown; the others follow as these are attended to.")


def decisions(journal: Journal, which: Filter) -> None:
    """Draw the decisions that match the filter `which`, the newest first, with downloads."""
    newest, total = journal.rows(which, SHOWN), sum(journal.counts(which).values())
    show_outcome(notes("journal said"), notes("journal refused"))
    numbers = [d.id for d in newest]
    buttons = label_columns("put right", _put_right, journal, numbers)
    table = rows(newest) if may("journal") else rows(newest).drop(columns=list(BUTTONS.values()))
    _draw_table(table, "decisions", _ROWS, {"Open": _open_column("open decided", journal, numbers), **buttons})
    more = f"The newest {SHOWN} of {total:,} are shown; the files hold them all. " if total > len(newest) else ""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _download("CSV", lambda: csv_of(journal, which).encode("utf-8-sig"), "text/csv")
        _download("JSON", lambda: json_of(journal, which).encode(), "application/json")
        hint = (
            f"A wrong decision? The buttons under “{HEAD}” put it right, in {set_title(OWN)}." if may("journal") else ""
        )
        st.caption(f"{more}{hint}", width="stretch")


def rows(decisions: Sequence[Decided]) -> pd.DataFrame:
    """The table of these decisions, in their order."""
    count, ends = len(decisions), limits(preset("default"))
    columns = {
        "Open": ["Open"] * count, "When": [f"{datetime.fromtimestamp(d.at):%Y-%m-%d %H:%M}" for d in decisions],
        "Question": [_question(d) for d in decisions],
        "Outcome": [ROUTES.get(d.route, d.route) for d in decisions],
        "Reason": [SHORT.get(d.reason, d.reason) if d.reason else None for d in decisions],
        "Confidence": [rounded_confidence(d.confidence, ends) for d in decisions],
        **{title: [title] * count for title in BUTTONS.values()},
        "Put right": [{**LABELS, **JUDGED}.get(d.should_be or "") for d in decisions],
        "Class": [d.class_number for d in decisions], "Subject": [d.subject or None for d in decisions],
        "Preset": [d.preset for d in decisions], "Asked in": [d.source for d in decisions],
    }  # fmt: skip
    return frame_of(columns, {"Confidence": "Float64", "Class": "Int64"})


def _draw_table(table: pd.DataFrame, key: str, most: int, buttons: dict[str, Any]) -> None:
    column = st.column_config
    config = {name: column.TextColumn(width=WIDTHS[name]) for name in ("When", "Question", "Outcome", "Reason")}
    config["Confidence"] = column.NumberColumn(
        width=WIDTHS["Confidence"], format="%g/100", help="How good the passages are."
    )
    safe_table(table, key, most, config | buttons, f"{key.capitalize()}, one a row")


def _question(decision: Decided) -> str:
    """The question, followed by how a follow-up was understood; WITHHELD if the journal did not keep it."""
    if decision.question is None:
        return WITHHELD
    return " → ".join(filter(None, (decision.question, decision.understood)))


def _open_column(key: str, journal: Journal, numbers: Sequence[int]) -> Any:
    return st.column_config.ButtonColumn(
        "", width=WIDTHS["Open"], key=key, on_click=_open, args=(journal, numbers, key),
        help="On the Ask page as it was decided: from what was measured then, under the thresholds of then.",
    )  # fmt: skip


def _download(kind: str, make: Callable[[], bytes], mime: str) -> None:
    """Draw a download button. make: creates the file when the button is pressed, not at every redraw."""
    st.download_button(
        f"Download as {kind}", make, f"journal.{kind.lower()}", mime, key=f"download journal {kind}",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _open(journal: Journal, numbers: Sequence[int], column: str) -> None:
    """Show a decision on the Ask page with its trace and its limits; a callback."""
    if (decision := _clicked_decision(journal, numbers, column)) is None:
        return
    patterns = "\n".join(decision.settings.get("patterns", ()))
    restore(decision.preset, {**decision.settings, "patterns": patterns, "profile": decision.profile})
    question = decision.trace.question
    open_asked(
        Asked(form=form_of(question), trace=decision.trace, measured_with=chosen_settings(), history=question.history)
    )
    moment = datetime.fromtimestamp(decision.decided.at)
    notes(REOPENED)[:] = [
        f"From the journal: as it was decided on {moment:%Y-%m-%d at %H:%M}, under the limits of then."
    ]
    notes("opened from the journal")[:] = [decision.decided.id]


def _clicked_decision(journal: Journal, numbers: Sequence[int], column: str) -> Opened | None:
    """The decision whose button was pressed in `column`; None if it cannot be opened, with the error noted."""
    for key in ("journal said", "journal refused"):
        notes(key).clear()
    with noting("journal refused"):
        return None if (number := clicked(column, numbers)) is None else journal.open(number)
    return None


def _put_right(journal: Journal, numbers: Sequence[int], expected: str) -> None:
    """Add a case to the bank with the label `expected`, and mark its decision as corrected; a callback."""
    if (decision := _clicked_decision(journal, numbers, f"put right {expected}")) is None:
        return
    expected = GIVEN[expected] if decision.trace.question.answer is not None else expected
    row = (
        decision.row
        if expected in JUDGED
        else {k: v for k, v in decision.row.items() if k not in ("answer", "citations")}
    )
    with noting("journal refused"):
        label(home_folder(), row, expected)
        journal.mark(decision.decided.id, expected)
        notes("journal said").append(put_text(row, expected))


def _attend(journal: Journal, numbers: Sequence[int]) -> None:
    """Mark a decision as attended to by a person; a callback."""
    with noting("journal refused"):
        if (number := clicked("attend", numbers)) is not None:
            journal.attend(number)
