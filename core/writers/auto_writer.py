"""The writer that `auto` stands for on this computer, for one question and for many."""

import os
from dataclasses import replace
from pathlib import Path

from core.settings import SettingError, Settings
from core.writers.qwen import missing

VARIABLE = "GUARDRAIL_WRITER"
"""The variable with which the operator sets the meaning of `auto`: auto (the best installed writer) or extractive."""


def with_resolved_writer(settings: Settings, home: Path | None) -> Settings:
    """`settings` with `auto` replaced by a real writer: `local` if it is installed, else `extractive`.

    Traces and journal name this writer. The model is neither imported nor loaded. home: the run-time folder, or None.
    Raises SettingError if VARIABLE has an unknown value.
    """
    if settings.writer != "auto":
        return settings
    local = auto_may_use_model() and home is not None and not missing(home)
    return replace(settings, writer="local" if local else "extractive")


def auto_may_use_model() -> bool:
    """True if `auto` means the best installed writer, False if VARIABLE says extractive. Raises SettingError."""
    word = os.environ.get(VARIABLE, "").strip() or "auto"
    if word not in ("auto", "extractive"):
        raise SettingError(f"{VARIABLE} must be auto or extractive, got {word!r:.80}; correct or remove it.")
    return word == "auto"


def for_many_questions(settings: Settings) -> Settings:
    """`settings` for many questions, such as a bank or a file: `auto` becomes `extractive`.

    A language model takes seconds per draft, and a row of a bank has several drafts, so minutes would become hours. A
    writer chosen by name stays.
    """
    return replace(settings, writer="extractive") if settings.writer == "auto" else settings
