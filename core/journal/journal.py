"""The journal itself: decisions written one by one, listed, counted, opened again, attended to and let go."""

import json
import sqlite3
import time
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.case import Trace
from core.chain import Verdict
from core.journal.entry import Decided, Entry, Opened, entry_of, opened
from core.journal.queries import COLUMNS, Filter, Keeping, insert, keep, keeping_of, let_go, since
from core.journal.sqlite_file import JournalError, JournalFile
from core.platform.access import may, require
from core.settings import Settings
from core.thresholds import Preset

AT_ONCE = 20
"""So many old decisions go with each new one at most: writing stays short, whatever has piled up."""
_EVERYTHING, _AS_LOADED = Filter(), Settings(writer="extractive")
_NEWEST = "ORDER BY at DESC, id DESC"
_GONE = "This decision is no longer in the journal; load the page anew."


@dataclass(frozen=True, kw_only=True)
class Lacking:
    """A question that was refused for want of coverage, for one reason: how often, and when last (since 1970)."""

    question: str
    reason: str
    asked: int
    last: float


class Journal:
    """The decisions of one run-time folder. Processes and threads may share it; every failure is a JournalError.

    Who may not change the journal sees none of its decisions but those of `seen_by`.
    """

    def __init__(self, home: Path) -> None:
        self._file, self._own = JournalFile(home), ()

    def seen_by(self, own: Collection[int]) -> "Journal":
        """The same journal as it is for a person whose decisions have these numbers."""
        seen = copy(self)
        seen._own = own
        return seen

    def record(
        self, trace: Trace, verdict: Verdict, preset: Preset, *, profile: str = "bundled",
        settings: Settings = _AS_LOADED, source: str = "app", at: float | None = None,
    ) -> int:  # fmt: skip
        """Write one decision down, in one short transaction; its number.

        source: where it was asked, "app", "command line" or "service". at: seconds since 1970, now unless given.
        """
        return self.add(entry_of(trace, verdict, preset, profile=profile, settings=settings, source=source, at=at))

    def add(self, entry: Entry) -> int:
        """Write down what `entry_of` made; without its question where questions are kept out."""
        with self._file.writing() as connection:
            keeping = keeping_of(connection)
            number = insert(connection, entry if keeping.questions else entry.without_question())
            let_go(connection, keeping, AT_ONCE)
        return number

    def rows(self, which: Filter = _EVERYTHING, most: int = -1) -> list[Decided]:
        """The decisions, the newest first: all of them, or at most `most`."""
        with self._file.reading() as connection:
            return _rows(connection, *self._where(connection, which), most)

    def counts(self, which: Filter = _EVERYTHING) -> dict[str, int]:
        """How many decisions ended on each route."""
        with self._file.reading() as connection:
            where, values = self._where(connection, which)
            return dict(connection.execute(f"SELECT route, count(*) FROM decisions WHERE {where} GROUP BY 1", values))

    def refusals(self, which: Filter = _EVERYTHING) -> dict[tuple[str, str], int]:
        """How often no answer went out, by day ("2026-11-22", as the clock here counts) and primary reason."""
        select = "SELECT date(at, 'unixepoch', 'localtime'), coalesce(reason, ''), count(*) FROM decisions"
        with self._file.reading() as connection:
            where, values = self._where(connection, which)
            found = connection.execute(f"{select} WHERE route NOT LIKE 'deliver%' AND {where} GROUP BY 1, 2", values)
            return {(day, reason): count for day, reason, count in found}

    def lacking(self, which: Filter = _EVERYTHING) -> list[Lacking]:
        """What was refused for want of coverage, the last asked first; of a question in parts, those parts."""
        with self._file.reading() as connection:
            where, values = self._where(connection, which)
            kept = f"lacking JOIN (SELECT id, at FROM decisions WHERE {where}) ON decision = id"
            select = f"SELECT question, reason, count(*), max(at) FROM {kept} GROUP BY 1, 2 ORDER BY 4 DESC"
            found = connection.execute(select, values)
            return [Lacking(question=q, reason=reason, asked=asked, last=at) for q, reason, asked, at in found]

    def scopes(self) -> tuple[list[int], list[str]]:
        """The classes and the subjects that decisions are about, sorted."""
        with self._file.reading() as connection:
            where, values = self._where(connection, _EVERYTHING)
            select = f"SELECT DISTINCT class_number, subject FROM decisions WHERE {where}"
            found = connection.execute(select, values).fetchall()
        return sorted({number for number, _ in found if number}), sorted({subject for _, subject in found if subject})

    def to_attend(self, most: int) -> tuple[int, list[Decided]]:
        """How many decisions wait for a person, and the newest of them."""
        with self._file.reading() as connection:
            where, values = self._where(connection, _EVERYTHING)
            where = f"handed_over AND attended IS NULL AND {where}"
            (count,) = connection.execute(f"SELECT count(*) FROM decisions WHERE {where}", values).fetchone()
            return count, _rows(connection, where, values, most)

    def open(self, number: int) -> Opened:
        """A decision with its trace and its preset; JournalError when it is gone or was kept without them."""
        select = "SELECT trace, why, preset, profile, settings FROM contents WHERE id = ?"
        with self._file.reading() as connection:
            decided = _rows(connection, f"id = ? AND {self._visible()}", [number], 1)
            found = connection.execute(select, [number]).fetchone()
        if not decided or not found:
            raise JournalError(_GONE)
        return opened(decided[0], dict(zip(("trace", "why", "preset", "profile", "settings"), found, strict=True)))

    def contents(self, which: Filter = _EVERYTHING) -> Iterator[tuple[Decided, dict[str, Any]]]:
        """Each decision, the newest first, with its preset in full, its models and its settings."""
        select = "SELECT profile, preset, models, settings FROM contents WHERE id = ?"
        with self._file.reading() as connection:
            for decided in _rows(connection, *self._where(connection, which), -1):
                profile, *stored = connection.execute(select, [decided.id]).fetchone()
                preset, models, settings = map(_loads, stored)
                yield decided, {"preset": preset, "models": models, "profile": profile, "settings": settings}

    def attend(self, number: int) -> None:
        """Say that a person has looked at a decision that was handed over."""
        self._mark("attended", number, time.time())

    def mark(self, number: int, should_be: str) -> None:
        """Say what a decision should have been."""
        self._mark("should_be", number, should_be)

    @property
    def keeping(self) -> Keeping:
        with self._file.reading() as connection:
            return keeping_of(connection)

    def keep(self, keeping: Keeping) -> None:
        """What is kept from now on, and for how long: older decisions go at once."""
        require("journal")
        with self._file.writing() as connection:
            keep(connection, keeping)
        self.tidy()

    def tidy(self) -> None:
        """Let go all that is too old, a little at a time, so that nobody waits long to write."""
        if self._let_go(20 * AT_ONCE):
            while self._let_go(20 * AT_ONCE):
                pass
            self._file.shrink()

    def empty(self) -> None:
        """Let every decision go, from the disk too."""
        require("journal")
        with self._file.writing() as connection:
            connection.execute("DELETE FROM decisions")
        self._file.shrink()

    def close(self) -> None:
        self._file.close()

    def _let_go(self, most: int) -> int:
        with self._file.writing() as connection:
            return let_go(connection, keeping_of(connection), most)

    def _visible(self) -> str:
        """The condition in SQL that holds for the decisions that may be seen."""
        return "TRUE" if may("journal") else f"id IN ({', '.join(str(int(number)) for number in self._own)})"

    def _where(self, connection: sqlite3.Connection, which: Filter) -> tuple[str, list[Any]]:
        """The condition in SQL with its values. What is too old is not shown, whether it has gone yet or not."""
        where, values = which.where()
        return f"at >= ? AND {self._visible()} AND {where}", [since(keeping_of(connection)), *values]

    def _mark(self, column: str, number: int, value: Any) -> None:
        require("journal")
        with self._file.writing() as connection:
            if not connection.execute(f"UPDATE decisions SET {column} = ? WHERE id = ?", [value, number]).rowcount:
                raise JournalError(_GONE)


@lru_cache(maxsize=64)
def _loads(text: str) -> Any:
    """JSON that many decisions have in common, read once; nobody may change it."""
    return json.loads(text)


def _rows(connection: sqlite3.Connection, where: str, values: list[Any], most: int) -> list[Decided]:
    select = f"SELECT {', '.join(COLUMNS)} FROM decisions WHERE {where} {_NEWEST} LIMIT ?"
    found = (dict(zip(COLUMNS, row, strict=True)) for row in connection.execute(select, [*values, most]))
    return [Decided(**row | {name: bool(row[name]) for name in ("given", "handed_over")}) for row in found]
