"""Who may do what: the mode in which the app runs, asked wherever something that others share is changed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

VARIABLE = "GUARDRAIL_MODE"
MODES = {
    "open": "Open: whoever opens this page may change everything; meant for one person.",
    "demo": "Demonstration: ask, move and share what you like. Books, banks, presets and the journal stay as they "
    "are, and you see no decisions but your own.",
}
"""What VARIABLE may name, and what it means for whoever opens a page."""
SHARED = {
    "library": "the library", "banks": "banks", "presets": "saved presets", "journal": "the journal",
    "models": "the choice of models",
}  # fmt: skip
"""What belongs to all who use an app, as a sentence says it."""
_ALLOWED = {"open": frozenset(SHARED), "demo": frozenset()}
"""Which of SHARED a visitor may change, by mode."""
_operator = ContextVar("operator", default=False)


class AccessError(ValueError):
    """It may not be done here, or the mode is none; the message says what is allowed."""


def mode() -> str:
    """The mode of MODES in which the app runs; AccessError for another one, so that a slip of the pen opens nothing."""
    named = os.environ.get(VARIABLE, "").strip() or "open"
    if named not in MODES:
        raise AccessError(f"{VARIABLE} must be one of {', '.join(MODES)}, got {named!r:.40}.")
    return named


def may(change: str) -> bool:
    """May whoever asks change this one of SHARED, and see all of it?"""
    return _operator.get() or change in _ALLOWED[mode()]


def require(change: str) -> None:
    """AccessError when whoever asks may not change this one of SHARED."""
    if not may(change):
        raise AccessError(f"In a demonstration nobody changes {SHARED[change]}; ask whoever runs this app.")


@contextmanager
def operator() -> Iterator[None]:
    """Within the block it is whoever runs the app that acts, at a terminal or by starting it: everything is allowed.

    A thread that is started within the block does not belong to it.
    """
    before = _operator.set(True)
    try:
        yield
    finally:
        _operator.reset(before)
