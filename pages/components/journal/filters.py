"""Which decisions of the journal are looked at: by reason, route, class, subject, day and text."""

from typing import Any

import streamlit as st

from core.chain import REASONS
from core.chain.routing import ROUTES
from core.journal import Filter, Journal
from pages.components.evaluate.list_table import ROUTES as WORDS
from pages.components.shared.session import JOURNAL, clear_filters, value

SHORT = {
    "model_failure": "something broke", "interest": "not to be said here", "unclear": "unclear question",
    "insufficient_context": "too little in the books", "off_topic": "no topic of these books",
    "outside_scope": "another class or subject", "other_language": "another language",
    "low_confidence": "passages not close enough", "hallucination_detected": "contradicted or made up",
    "invalid_citations": "cites what is not there", "missing_citations": "not cited",
    "low_grounding": "not said by the passages", "beside_question": "beside the question", "hedging": "hedges",
    "": "no reason",
}  # fmt: skip
"""Each reason in a few plain words."""


def reason_words(reason: str) -> str:
    """A reason in plain words, its technical name beside them."""
    return f"{SHORT.get(reason, reason)} ({reason})" if reason else SHORT[""]


def filters(journal: Journal) -> Filter:
    """Draws them; what they say now."""
    classes, subjects = journal.scopes()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Words", key="journal text", placeholder="in the question or its answer", width=230, max_chars=200
        )
        st.multiselect(
            "Reason", list(REASONS), key="journal reasons", format_func=reason_words, placeholder="any", width=270
        )
        st.multiselect("Route", list(ROUTES), key="journal routes", format_func=WORDS.get, placeholder="any", width=200)
        st.selectbox("Class", _with(0, classes, "journal class"), key="journal class", format_func=_any, width=80)
        st.selectbox(
            "Subject", _with("", subjects, "journal subject"), key="journal subject", format_func=_any, width=150
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


def _with(empty: Any, known: list[Any], key: str) -> list[Any]:
    """What can be picked: anything, what is known, and what is picked now, though it may be gone."""
    return sorted({empty, *known, value(key)})


def _any(option: object) -> str:
    return str(option or "any")
