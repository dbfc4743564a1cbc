"""The journal: every decision that was taken, with all that led to it, in one SQLite file of the run-time folder."""

from core.journal.entry import Decided, Entry, entry_of
from core.journal.errors import JournalError
from core.journal.filters import Filter
from core.journal.journal import Journal, Lacking
from core.journal.reopened import Opened
from core.journal.retention import Keeping

__all__ = ["Decided", "Entry", "Filter", "Journal", "JournalError", "Keeping", "Lacking", "Opened", "entry_of"]
