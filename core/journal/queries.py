"""What is asked of the journal's file, and written into it within a transaction of the caller."""

import sqlite3
import time
from dataclasses import astuple, dataclass, fields
from datetime import date, datetime, timedelta
from typing import Any

from core.journal.entry import Decided, Entry
from core.journal.sqlite_file import JournalError

SHORTEST, LONGEST = 1, 3650
"""Days that decisions may stay."""
MOST = 50_000
"""Most decisions that are kept; then the oldest goes for each new one."""
MOST_ON_DISK = 1_000_000_000
"""Most bytes of the file; then the oldest go too."""
COLUMNS = tuple(f.name for f in fields(Decided))
_DAY = 86_400
_OLDEST = "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions {which} ORDER BY at LIMIT ?)"


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """questions: False leaves out the question and all that tells it: the answer, the passages, the trace.

    What is left then says that something was decided, when, by which route and why, under which thresholds.
    days: how long a decision stays.
    """

    questions: bool = True
    days: int = 180

    def __post_init__(self) -> None:
        if not SHORTEST <= self.days <= LONGEST:
            raise JournalError(f"Decisions may stay from {SHORTEST} to {LONGEST} days, got {self.days}.")


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Every condition that is set must hold; an empty one lets everything through.

    reasons: primary reasons, any of them. first, last: days as the clock on the wall counts them, both included.
    text: letters in a row of the question or of its answer, whatever their case.
    """

    reasons: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    class_number: int | None = None
    subject: str = ""
    first: date | None = None
    last: date | None = None
    text: str = ""

    def where(self) -> tuple[str, list[Any]]:
        """The condition in SQL, and the values that it asks for."""
        found = [
            _any_of("reason", self.reasons), _any_of("route", self.routes),
            ("class_number = ?", [self.class_number] if self.class_number else []),
            ("subject = ?", [self.subject] if self.subject else []),
            ("at >= ?", [_day_begins(self.first)] if self.first else []),
            ("at < ?", [_day_begins(self.last + timedelta(days=1))] if self.last else []),
            ("instr(folded, ?)", [folded(self.text)] if folded(self.text) else []),
        ]  # fmt: skip
        set_ = [(condition, values) for condition, values in found if values]
        return " AND ".join(c for c, _ in set_) or "TRUE", [v for _, values in set_ for v in values]


def folded(text: str) -> str:
    """Text without case and with its white space folded, as it is searched."""
    return " ".join(text.casefold().split()).encode("utf-8", "replace").decode("utf-8")


def _any_of(column: str, values: tuple[str, ...]) -> tuple[str, list[Any]]:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)


def _day_begins(day: date) -> float:
    """When a day begins here, in seconds since 1970."""
    try:
        return datetime(day.year, day.month, day.day).timestamp()
    except (OverflowError, OSError, ValueError):  # the very first and last days that a calendar knows
        return 0.0 if day.year < 1970 else 1e12


def insert(connection: sqlite3.Connection, entry: Entry) -> int:
    """Write one decision with all that belongs to it; its number."""
    decided = dict(zip(COLUMNS, astuple(entry.decided), strict=True))
    del decided["id"]
    told = (entry.decided.question, entry.decided.understood, entry.decided.answer)
    decided["folded"] = folded(" ".join(filter(None, told))) if entry.decided.question else None
    into = f"INSERT INTO decisions ({', '.join(decided)}) VALUES ({', '.join('?' * len(decided))})"
    number = connection.execute(into, list(decided.values())).lastrowid
    content = [number, entry.trace, entry.why, entry.preset, entry.models, entry.profile, entry.settings]
    connection.execute("INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?, ?)", content)
    lacking = [(number, question, reason) for question, reason in entry.lacking]
    connection.executemany("INSERT INTO lacking VALUES (?, ?, ?)", lacking)
    return number


def let_go(connection: sqlite3.Connection, keeping: Keeping, most: int) -> int:
    """Remove at most `most` decisions that are too old, and `most` of the oldest of too many; how many went."""
    old = connection.execute(_OLDEST.format(which="WHERE at < ?"), [since(keeping), most]).rowcount
    (count,) = connection.execute("SELECT count(*) FROM decisions").fetchone()
    spare = most if _bytes(connection) > MOST_ON_DISK else min(most, count - MOST)
    return old + (connection.execute(_OLDEST.format(which=""), [spare]).rowcount if spare > 0 else 0)


def since(keeping: Keeping) -> float:
    """Decisions from before this moment, in seconds since 1970, are too old."""
    return time.time() - _DAY * keeping.days


def keeping_of(connection: sqlite3.Connection) -> Keeping:
    """What is kept, as it was last chosen."""
    chosen = dict(connection.execute("SELECT name, value FROM keeping"))
    default = Keeping()
    return Keeping(questions=bool(chosen.get("questions", default.questions)), days=chosen.get("days", default.days))


def keep(connection: sqlite3.Connection, keeping: Keeping) -> None:
    rows = [("questions", int(keeping.questions)), ("days", keeping.days)]
    connection.executemany("INSERT OR REPLACE INTO keeping VALUES (?, ?)", rows)


def _bytes(connection: sqlite3.Connection) -> int:
    """How much of the file is in use."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
