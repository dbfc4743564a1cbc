"""The journal: every decision with all its inputs, in one SQLite file of the run-time folder."""

from core.journal.entry import Decided, Entry, Opened, entry_of
from core.journal.journal import Journal, Lacking
from core.journal.queries import Filter, Keeping
from core.journal.sqlite_file import JournalError

__all__ = ["Decided", "Entry", "Filter", "Journal", "JournalError", "Keeping", "Lacking", "Opened", "entry_of"]
