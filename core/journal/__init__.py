"""The journal: every decision with all its inputs, in one SQLite file of the run-time folder."""

from core.journal.entry import DecisionRow, Entry, StoredDecision, entry_of
from core.journal.journal import Filter, Journal, Lacking, Retention
from core.journal.journal_file import JournalError

__all__ = [
    "DecisionRow", "Entry", "Filter", "Journal", "JournalError", "Lacking", "Retention", "StoredDecision", "entry_of",
]  # fmt: skip
