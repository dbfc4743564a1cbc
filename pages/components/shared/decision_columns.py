"""Columns that tables of decisions share: buttons that label a question, and the confidence beside its limits."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.banks.saved import JUDGED, LABELS, OWN, set_title
from core.chain.display_rounding import decimals_for
from pages.components.shared.safe_display import plain, shortened

BUTTONS = {"answered": "Answered", "refused": "Refused", "clarified": "Vague"}
"""The titles of the buttons that label a question, by the label."""
HEAD = "Expected"
WIDTH = 92
"""Width of a button's column in pixels."""


def rounded_confidence(confidence: float | None, ends: tuple[float, ...]) -> float | None:
    """A confidence rounded to the fewest digits that keep it on the correct side of every limit; None for None."""
    return None if confidence is None else round(confidence, decimals_for(confidence, ends, 0))


def label_columns(key: str, put: Callable[..., None], *args: Any) -> dict[str, Any]:
    """The columns of buttons that add a question to the bank. put: the callback, called with `args` and the label."""
    return {
        title: st.column_config.ButtonColumn(
            "" if n else HEAD, width=WIDTH, key=f"{key} {expected}", on_click=put, args=(*args, expected),
            help=plain(f"Save to {set_title(OWN)}. Expected: {expected_text(expected)}"),
        )
        for n, (expected, title) in enumerate(BUTTONS.items())
    }  # fmt: skip


def put_text(row: Mapping[str, Any], expected: str) -> str:
    """A sentence on the labelled question that was saved."""
    return f"Saved to {set_title(OWN)}: “{shortened(row['query'], 80)}”. Expected: {expected_text(expected)}."


def expected_text(expected: str) -> str:
    """The meaning of a label in words."""
    return {**LABELS, **JUDGED}[expected]
