"""What is written into the journal's file, within a transaction of the caller."""

import sqlite3
import time
from dataclasses import astuple, fields

from core.journal.entry import Decided, Entry
from core.journal.filters import folded
from core.journal.retention import Keeping

MOST = 50_000
"""Most decisions that are kept; then the oldest goes for each new one."""
MOST_ON_DISK = 1_000_000_000
"""Most bytes of the file; then the oldest go too."""
COLUMNS = tuple(f.name for f in fields(Decided))
_DAY = 86_400
_OLDEST = "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions {which} ORDER BY at LIMIT ?)"


def insert(connection: sqlite3.Connection, entry: Entry) -> int:
    """Write one decision with all that belongs to it; its number."""
    decided = dict(zip(COLUMNS, astuple(entry.decided), strict=True))
    del decided["id"]
    decided["folded"] = folded(f"{entry.decided.question} {entry.decided.answer}") if entry.decided.question else None
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
