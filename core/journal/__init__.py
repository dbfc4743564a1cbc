"""The journal: every decision with all its inputs, in one SQLite file of the run-time folder."""

from core.journal.entry import DecisionRow, Entry, StoredDecision, entry_of
from core.journal.journal import Journal, Lacking
from core.journal.queries import Filter, Retention
from core.journal.sqlite_file import JournalError

__all__ = [
    "DecisionRow",
    "Entry",
    "Filter",
    "Journal",
    "JournalError",
    "Lacking",
    "Retention",
    "StoredDecision",
    "entry_of",
]
