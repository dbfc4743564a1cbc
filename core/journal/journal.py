"""The journal: records, lists, counts, opens and removes decisions, and stores which outcome people find right."""

import json
import sqlite3
import time
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.case import Trace
from core.decide import Verdict
from core.journal.entry import CONTENT_COLUMNS, WITHHELD, DecisionRow, Entry, StoredDecision, entry_of, open_decision
from core.journal.journal_file import JournalError, JournalFile
from core.platform.access import may, require
from core.settings import Settings
from core.thresholds import Preset

LONGEST_NOTE = 500
"""Most characters of a note."""
DELETE_BATCH = 20
"""Maximum number of old decisions removed with each new one, so that a write stays short."""
SHORTEST, LONGEST = 1, 3650
"""Minimum and maximum number of days for which decisions can be stored."""
MOST = 50_000
"""Maximum number of decisions; beyond it, each new one removes the oldest."""
MOST_ON_DISK = 1_000_000_000
"""Maximum size of the file in bytes; beyond it, the oldest decisions are removed."""
COLUMNS = tuple(f.name for f in fields(DecisionRow))
_DAY = 86_400
_OLDEST = "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions {which} ORDER BY at LIMIT ?)"
_AS_LOADED = Settings(writer="extractive")
_NEWEST = "ORDER BY at DESC, id DESC"
_MISSING_DECISION = "This decision is no longer in the journal; load the page anew."


@dataclass(frozen=True, kw_only=True)
class Lacking:
    """A question that was refused, for one reason, because the library does not cover it. asked: number of times. last:
    time of the latest one (seconds since 1970).
    """

    question: str
    reason: str
    asked: int
    last: float


@dataclass(frozen=True, kw_only=True)
class Retention:
    """Two settings of the journal. questions: False leaves out the question and everything that reveals it: answer,
    passages, trace. What remains is that a decision was made, when, by which route and why, under which thresholds.
    days: number of days for which a decision is stored.
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
            ("instr(folded, ?)", [_fold(self.text)] if _fold(self.text) else []),
        ]  # fmt: skip
        active = [(condition, values) for condition, values in conditions if values]
        return " AND ".join(c for c, _ in active) or "TRUE", [v for _, values in active for v in values]


_EVERYTHING = Filter()


def _fold(text: str) -> str:
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


class Journal:
    """The decisions of one run-time folder. Safe across processes and threads; every failure is a JournalError.

    A user without the right "journal" sees only the decisions that were passed to `seen_by`.
    """

    def __init__(self, home: Path) -> None:
        self._file, self._own_numbers = JournalFile(home), ()

    def seen_by(self, own: Collection[int]) -> "Journal":
        """A view of the journal for a user whose own decisions have the numbers `own`."""
        view = copy(self)
        view._own_numbers = own
        return view

    def record(
        self, trace: Trace, verdict: Verdict, preset: Preset, *, profile: str = "bundled",
        settings: Settings = _AS_LOADED, source: str = "app", at: float | None = None,
    ) -> int:  # fmt: skip
        """Write one decision in one short transaction. Returns its number.

        source: where the question came from: "app", "command line" or "service". at: seconds since 1970; None for now.
        """
        return self.add(entry_of(trace, verdict, preset, profile=profile, settings=settings, source=source, at=at))

    def add(self, entry: Entry) -> int:
        """Write an entry, without its question if the retention excludes questions. Returns its number."""
        with self._file.writing() as connection:
            retention = retention_of(connection)
            row, content, lacking = entry.decision_row, entry.content, entry.lacking
            if not retention.questions:  # nothing may reveal the question
                row = replace(row, question=None, understood=None, answer=None, document=None, page=None)
                content, lacking = {**content, "trace": None, "why": WITHHELD}, ()
            texts = filter(None, (row.question, row.understood, row.answer))
            columns = vars(row) | {"folded": _fold(" ".join(texts)) if row.question else None}
            del columns["id"]  # the file gives it one
            number = _insert(connection, "decisions", columns)
            _insert(connection, "contents", {"id": number, **content})
            for question, reason in lacking:
                _insert(connection, "lacking", {"decision": number, "question": question, "reason": reason})
            delete_expired(connection, retention, DELETE_BATCH)
        return number

    def rows(self, filters: Filter = _EVERYTHING, max_count: int = -1) -> list[DecisionRow]:
        """The decisions that match `filters`, newest first. max_count: how many at most; -1 for all."""
        with self._file.reading() as connection:
            return _rows(connection, *self._where(connection, filters), max_count)

    def row(self, number: int) -> DecisionRow:
        """The decision with this number. Raises JournalError if it is gone."""
        with self._file.reading() as connection:
            return self._row(connection, number)

    def counts(self, filters: Filter = _EVERYTHING) -> dict[str, int]:
        """Number of decisions per route."""
        return dict(self._select("SELECT route, count(*) FROM decisions WHERE {where} GROUP BY 1", filters))

    def ratings(self, filters: Filter = _EVERYTHING) -> dict[tuple[str, bool, str], int]:
        """Number of decisions that a person rated, by (route, True if the caller supplied the answer, the outcome that
        the person chose as the right one).
        """
        select = "SELECT route, given, should_be, count(*) FROM decisions WHERE should_be IS NOT NULL"
        rows = self._select(f"{select} AND {{where}} GROUP BY 1, 2, 3", filters)
        return {(route, bool(given), label): count for route, given, label, count in rows}

    def by_day(self, filters: Filter = _EVERYTHING) -> dict[tuple[str, str | None], int]:
        """Number of decisions by (day in local time such as "2026-11-22", primary reason if there was no answer, or
        None).
        """
        reason = "CASE WHEN route LIKE 'deliver%' THEN NULL ELSE coalesce(reason, '') END"
        select = f"SELECT date(at, 'unixepoch', 'localtime'), {reason}, count(*) FROM decisions"
        rows = self._select(f"{select} WHERE {{where}} GROUP BY 1, 2", filters)
        return {(day, reason): count for day, reason, count in rows}

    def lacking(self, filters: Filter = _EVERYTHING) -> list[Lacking]:
        """The questions that were refused because the library does not cover them, the most recent first. For a
        question in parts, its refused parts.
        """
        source = "lacking JOIN (SELECT id, at FROM decisions WHERE {where}) ON decision = id"
        select = f"SELECT question, reason, count(*), max(at) FROM {source} GROUP BY 1, 2 ORDER BY 4 DESC"
        rows = self._select(select, filters)
        return [Lacking(question=q, reason=reason, asked=times, last=at) for q, reason, times, at in rows]

    def scopes(self) -> tuple[list[int], list[str]]:
        """The classes and subjects of all decisions, sorted."""
        rows = self._select("SELECT DISTINCT class_number, subject FROM decisions WHERE {where}")
        return sorted({number for number, _ in rows if number}), sorted({subject for _, subject in rows if subject})

    def to_attend(self, max_count: int) -> tuple[int, list[DecisionRow]]:
        """(number of escalated decisions that no person has looked at, the newest `max_count` of them)."""
        with self._file.reading() as connection:
            where, values = self._where(connection, _EVERYTHING)
            where = f"handed_over AND attended IS NULL AND {where}"
            (count,) = connection.execute(f"SELECT count(*) FROM decisions WHERE {where}", values).fetchone()
            return count, _rows(connection, where, values, max_count)

    def open(self, number: int) -> StoredDecision:
        """A decision with its trace and preset. Raises JournalError if it is gone or was stored without them."""
        with self._file.reading() as connection:
            row = self._row(connection, number)
            select = f"SELECT {', '.join(CONTENT_COLUMNS)} FROM contents WHERE id = ?"
            content = connection.execute(select, [number]).fetchone()
        if not content:
            raise JournalError(_MISSING_DECISION)
        return open_decision(row, dict(zip(CONTENT_COLUMNS, content, strict=True)))

    def rows_with_settings(self, filters: Filter = _EVERYTHING) -> Iterator[tuple[DecisionRow, dict[str, Any]]]:
        """Yield each decision, newest first, with its full preset, models and settings."""
        select = "SELECT profile, preset, models, settings FROM contents WHERE id = ?"
        with self._file.reading() as connection:
            for decision_row in _rows(connection, *self._where(connection, filters), -1):
                profile, *content = connection.execute(select, [decision_row.id]).fetchone()
                preset, models, settings = map(_loads, content)
                yield decision_row, {"preset": preset, "models": models, "profile": profile, "settings": settings}

    def attend(self, number: int) -> None:
        """Record that a person has looked at an escalated decision."""
        self._mark("attended", number, time.time())

    def mark(self, number: int, should_be: str) -> None:
        """Store the outcome that a person chose as the right one for a decision."""
        self._mark("should_be", number, should_be)

    def annotate(self, number: int, note: str) -> None:
        """Store what a person notes about a decision; "" removes the note."""
        self._mark("note", number, note.strip()[:LONGEST_NOTE] or None)

    @property
    def retention(self) -> Retention:
        with self._file.reading() as connection:
            return retention_of(connection)

    def set_retention(self, retention: Retention) -> None:
        """Change the settings of the journal from now on; expired decisions are removed at once."""
        require("journal")
        rows = [("questions", int(retention.questions)), ("days", retention.days)]
        with self._file.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO keeping VALUES (?, ?)", rows)
        self.tidy()

    def tidy(self) -> None:
        """Remove all expired decisions in small batches, so that other writers wait only briefly."""
        if self._remove_expired():
            while self._remove_expired():
                pass
            self._file.shrink()

    def empty(self) -> None:
        """Remove every decision, also from the disk."""
        require("journal")
        with self._file.writing() as connection:
            connection.execute("DELETE FROM decisions")
        self._file.shrink()

    def _remove_expired(self) -> int:
        with self._file.writing() as connection:
            return delete_expired(connection, retention_of(connection), 20 * DELETE_BATCH)

    def _row(self, connection: sqlite3.Connection, number: int) -> DecisionRow:
        rows = _rows(connection, f"id = ? AND {self._visible()}", [number], 1)
        if not rows:
            raise JournalError(_MISSING_DECISION)
        return rows[0]

    def _visible(self) -> str:
        """The SQL condition for the decisions that the current user may see."""
        return "TRUE" if may("journal") else f"id IN ({', '.join(str(int(number)) for number in self._own_numbers)})"

    def _select(self, query: str, filters: Filter = _EVERYTHING) -> list[tuple]:
        """The rows of a query in which {where} stands for the condition of `_where`."""
        with self._file.reading() as connection:
            where, values = self._where(connection, filters)
            return connection.execute(query.format(where=where), values).fetchall()

    def _where(self, connection: sqlite3.Connection, filters: Filter) -> tuple[str, list[Any]]:
        """The SQL condition for the decisions that match `filters`, are visible and have not expired, and its
        parameters.
        """
        where, values = filters.where()
        return f"at >= ? AND {self._visible()} AND {where}", [since(retention_of(connection)), *values]

    def _mark(self, column: str, number: int, value: Any) -> None:
        require("journal")
        with self._file.writing() as connection:
            if not connection.execute(f"UPDATE decisions SET {column} = ? WHERE id = ?", [value, number]).rowcount:
                raise JournalError(_MISSING_DECISION)


@lru_cache(maxsize=64)
def _loads(text: str) -> Any:
    """Parse JSON that many decisions share, once. The result must not be changed."""
    return json.loads(text)


def _rows(connection: sqlite3.Connection, where: str, values: list[Any], max_count: int) -> list[DecisionRow]:
    select = f"SELECT {', '.join(COLUMNS)} FROM decisions WHERE {where} {_NEWEST} LIMIT ?"
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in connection.execute(select, [*values, max_count]))
    return [DecisionRow(**row | {name: bool(row[name]) for name in ("given", "handed_over")}) for row in rows]


def _insert(connection: sqlite3.Connection, table: str, columns: dict[str, Any]) -> int:
    """Write one row of a table. Returns its number."""
    values = ", ".join(f":{name}" for name in columns)
    return connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})", columns).lastrowid


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
