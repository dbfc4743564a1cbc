"""Reads and writes of the journal's tables, within a transaction of the caller."""

import sqlite3
import time
from dataclasses import astuple, dataclass, fields
from datetime import date, datetime, timedelta
from typing import Any

from core.journal.entry import DecisionRow, Entry
from core.journal.journal_file import JournalError

SHORTEST, LONGEST = 1, 3650
"""Minimum and maximum number of days for which decisions can be stored."""
MOST = 50_000
"""Maximum number of decisions; beyond it, each new one removes the oldest."""
MOST_ON_DISK = 1_000_000_000
"""Maximum size of the file in bytes; beyond it, the oldest decisions are removed."""
COLUMNS = tuple(f.name for f in fields(DecisionRow))
_DAY = 86_400
_OLDEST = "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions {which} ORDER BY at LIMIT ?)"


@dataclass(frozen=True, kw_only=True)
class Retention:
    """What the journal stores, and for how long.

    questions: False leaves out the question and everything that reveals it: answer, passages, trace. What remains is
    that a decision was made, when, by which route and why, under which thresholds. days: how many days a decision
    stays.
    """

    questions: bool = True
    days: int = 180

    def __post_init__(self) -> None:
        if not SHORTEST <= self.days <= LONGEST:
            raise JournalError(f"Decisions may stay from {SHORTEST} to {LONGEST} days, got {self.days}.")


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Conditions that must all hold; an empty filter matches every decision.

    reasons, routes: the decision has one of these; () for any. class_number, subject: of the decision. first, last:
    days in local time, both included. text: a substring of the question or the answer, ignoring case.
    """

    reasons: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    class_number: int | None = None
    subject: str = ""
    first: date | None = None
    last: date | None = None
    text: str = ""

    def where(self) -> tuple[str, list[Any]]:
        """The SQL condition, and its parameters."""
        conditions = [
            _any_of("reason", self.reasons), _any_of("route", self.routes),
            ("class_number = ?", [self.class_number] if self.class_number else []),
            ("subject = ?", [self.subject] if self.subject else []),
            ("at >= ?", [_day_begins(self.first)] if self.first else []),
            ("at < ?", [_day_begins(self.last + timedelta(days=1))] if self.last else []),
            ("instr(folded, ?)", [fold_text(self.text)] if fold_text(self.text) else []),
        ]  # fmt: skip
        active = [(condition, values) for condition, values in conditions if values]
        return " AND ".join(c for c, _ in active) or "TRUE", [v for _, values in active for v in values]


def fold_text(text: str) -> str:
    """Text with case and whitespace folded, for searching."""
    return " ".join(text.casefold().split()).encode("utf-8", "replace").decode("utf-8")


def _any_of(column: str, values: tuple[str, ...]) -> tuple[str, list[Any]]:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)


def _day_begins(day: date) -> float:
    """The start of a day in local time, in seconds since 1970."""
    try:
        return datetime(day.year, day.month, day.day).timestamp()
    except (OverflowError, OSError, ValueError):  # the first and last days of the calendar
        return 0.0 if day.year < 1970 else 1e12


def insert(connection: sqlite3.Connection, entry: Entry) -> int:
    """Write one decision with everything that belongs to it. Returns its number."""
    columns = dict(zip(COLUMNS, astuple(entry.decision_row), strict=True))
    del columns["id"]
    texts = (entry.decision_row.question, entry.decision_row.understood, entry.decision_row.answer)
    columns["folded"] = fold_text(" ".join(filter(None, texts))) if entry.decision_row.question else None
    statement = f"INSERT INTO decisions ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    number = connection.execute(statement, list(columns.values())).lastrowid
    content = {"id": number, **entry.content}
    names = f"({', '.join(content)}) VALUES ({', '.join(f':{name}' for name in content)})"
    connection.execute(f"INSERT INTO contents {names}", content)
    lacking = [(number, question, reason) for question, reason in entry.lacking]
    connection.executemany("INSERT INTO lacking VALUES (?, ?, ?)", lacking)
    return number


def delete_expired(connection: sqlite3.Connection, retention: Retention, max_count: int) -> int:
    """Remove expired decisions, and the oldest if there are too many, at most `max_count` of each. Returns the
    count."""
    removed = connection.execute(_OLDEST.format(which="WHERE at < ?"), [since(retention), max_count]).rowcount
    (count,) = connection.execute("SELECT count(*) FROM decisions").fetchone()
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    bytes_in_use = (pages - free) * size
    excess = max_count if bytes_in_use > MOST_ON_DISK else min(max_count, count - MOST)
    return removed + (connection.execute(_OLDEST.format(which=""), [excess]).rowcount if excess > 0 else 0)


def since(retention: Retention) -> float:
    """The time before which decisions have expired, in seconds since 1970."""
    return time.time() - _DAY * retention.days


def retention_of(connection: sqlite3.Connection) -> Retention:
    """The current retention, with defaults for what was never set."""
    values = dict(connection.execute("SELECT name, value FROM keeping"))
    default = Retention()
    return Retention(questions=bool(values.get("questions", default.questions)), days=values.get("days", default.days))


def write_retention(connection: sqlite3.Connection, retention: Retention) -> None:
    rows = [("questions", int(retention.questions)), ("days", retention.days)]
    connection.executemany("INSERT OR REPLACE INTO keeping VALUES (?, ?)", rows)
