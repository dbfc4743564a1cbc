"""A bank with what was measured of it: the traces on disk, which are missing, and what has changed since."""

import hashlib
import json
import logging
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.banks.rows import question_digest
from core.case import CaseError, Trace
from core.chain.serialization import FORMAT, StoreError, dumps, loads, question_of
from core.checks import all_checks
from core.evaluation.cases import Labelled

if TYPE_CHECKING:
    from core.graph import Explorer

log = logging.getLogger(__name__)

KEPT = 4
"""Conditions of which traces stay on disk: those used last, for a change that is taken back."""
_PATIENCE = 30  # seconds
_HALVES = ("utf-8", "surrogatepass")
"""A question from JSON may hold half of a character; it must not end the run of a bank."""
_TABLES = """
CREATE TABLE IF NOT EXISTS conditions (key TEXT PRIMARY KEY, said TEXT NOT NULL, used INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS traces (
    key TEXT NOT NULL, question TEXT NOT NULL, trace BLOB NOT NULL, PRIMARY KEY (key, question)
);
CREATE TABLE IF NOT EXISTS failures (
    key TEXT NOT NULL, question TEXT NOT NULL, sentence TEXT NOT NULL, PRIMARY KEY (key, question)
);
"""
SAID: Mapping[str, str] = {
    "library": "the library", "models": "the models", "settings": "a setting", "program": "this program",
}  # fmt: skip
"""What a measurement depends on, in plain words."""
_MEASURES_AS = 6
"""Counts up when the same question would get another draft or other signals: what was kept is then measured again."""


class KeptTraces:
    """A SQLite file in `home`/banks. Threads and processes may share it; what was put in survives a kill.

    key: names the conditions of a measurement. question: names what was asked (`question_digest`). CaseError in one
    sentence when the file cannot be read or written.
    """

    def __init__(self, home: Path) -> None:
        self.path = Path(home) / "banks" / "measured.sqlite"

    def known(self, key: str) -> frozenset[str]:
        """The questions that are measured under these conditions."""
        return frozenset(q for (q,) in self._rows("SELECT question FROM traces WHERE key = ?", key))

    def traces(self, key: str, questions: Sequence[str]) -> Iterator[Trace | None]:
        """What was measured of each question, in this order; None where nothing is that can be read."""
        if not self.path.exists():
            yield from (None for _ in questions)
            return
        with self._base() as base:
            for question in questions:
                found = base.execute("SELECT trace FROM traces WHERE key = ? AND question = ?", (key, question))
                yield self._unpacked(found.fetchone(), key, question)

    def put(self, key: str, question: str, trace: Trace) -> None:
        """Keep a trace; what could not be measured before is forgotten."""
        packed = zlib.compress(dumps(trace).encode(*_HALVES))
        with self._writing() as base:
            base.execute("INSERT OR REPLACE INTO traces VALUES (?, ?, ?)", (key, question, packed))
            base.execute("DELETE FROM failures WHERE key = ? AND question = ?", (key, question))

    def fail(self, key: str, question: str, sentence: str) -> None:
        """Keep why a question could not be measured."""
        with self._writing() as base:
            base.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", (key, question, sentence))

    def failures(self, key: str) -> dict[str, str]:
        """For each question that could not be measured under these conditions, why."""
        return dict(self._rows("SELECT question, sentence FROM failures WHERE key = ?", key))

    def use(self, key: str, said: dict[str, str]) -> None:
        """Begin to measure under these conditions; what belongs to none of the last KEPT is let go."""
        with self._writing() as base:
            (last,) = base.execute("SELECT coalesce(max(used), 0) FROM conditions").fetchone()
            base.execute("INSERT OR REPLACE INTO conditions VALUES (?, ?, ?)", (key, json.dumps(said), last + 1))
            base.execute(
                "DELETE FROM conditions WHERE key NOT IN (SELECT key FROM conditions ORDER BY used DESC LIMIT ?)",
                (KEPT,),
            )
            for table in ("traces", "failures"):
                base.execute(f"DELETE FROM {table} WHERE key NOT IN (SELECT key FROM conditions)")

    def conditions(self) -> list[tuple[str, dict[str, str]]]:
        """The key of all conditions of which traces are kept and what they were, the last used first."""
        found = self._rows("SELECT key, said FROM conditions ORDER BY used DESC")
        return [(key, json.loads(said)) for key, said in found]

    def forget(self, questions: Collection[str], key: str = "") -> None:
        """Let go of what was measured of these questions, under one key or all."""
        with self._writing() as base:
            for table in ("traces", "failures"):
                base.executemany(
                    f"DELETE FROM {table} WHERE question = ? AND ? IN ('', key)", [(q, key) for q in questions]
                )

    def _unpacked(self, found: tuple[bytes] | None, key: str, question: str) -> Trace | None:
        """The trace of a row; one that cannot be read is let go, so that it is measured again."""
        try:
            return loads(zlib.decompress(found[0]).decode(*_HALVES)) if found else None
        except (zlib.error, StoreError, UnicodeDecodeError) as error:
            log.warning("a measured question cannot be read and has to be measured again: %s", error)
            self.forget([question], key)
            return None

    def _rows(self, query: str, *values: Any) -> list[tuple]:
        if not self.path.exists():
            return []
        with self._base() as base:
            return base.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One change, kept whole or not at all."""
        with self._base() as base, base:
            base.execute("BEGIN IMMEDIATE")
            yield base

    @contextmanager
    def _base(self) -> Iterator[sqlite3.Connection]:
        """The file, made where it is missing. A write-ahead log lets people read while it is written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)) as base:
                base.execute("PRAGMA journal_mode = WAL")
                base.execute("PRAGMA synchronous = NORMAL")
                base.executescript(_TABLES)
                yield base
        except (sqlite3.Error, OSError) as error:
            raise CaseError(
                f"{self.path.name} cannot be used ({error}); free the disk, or delete the file and measure again."
            ) from error


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """All that a measurement depends on beside the question, each as a text that differs when it does."""

    library: str
    models: str
    settings: str
    program: str

    @property
    def key(self) -> str:
        """A name for these conditions; 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:16]


def conditions_of(explorer: "Explorer") -> Conditions:
    """What `explorer` would measure with now: the documents with their passages, models, settings, checks."""
    signals = {check.name: sorted(check.signals()) for check in all_checks()}
    return Conditions(
        library=explorer.library.version,
        models=json.dumps([explorer.models.names, asdict(explorer.models.calibration)], sort_keys=True),
        settings=json.dumps(asdict(explorer.settings), sort_keys=True),
        program=json.dumps([FORMAT, _MEASURES_AS, signals], sort_keys=True),
    )


def require_unchanged(explorer: "Explorer", conditions: Conditions) -> None:
    """CaseError when `explorer` would now measure something else: what it measured meanwhile belongs to neither."""
    if conditions_of(explorer) != conditions:
        raise CaseError("The library changed while the bank was measured; measure it again with what it holds now.")


class MeasuredBank:
    """Rows of any bank, beside what is kept of them under `home` for these conditions. Asked anew each time."""

    def __init__(self, home: Path, rows: Sequence[Mapping[str, Any]], conditions: Conditions) -> None:
        self.rows, self.conditions, self.kept = tuple(rows), conditions, KeptTraces(home)

    def cases(self) -> list[Labelled]:
        """The rows that are measured, in their order, each with its trace to full depth."""
        traces = self.kept.traces(self.conditions.key, self.questions)
        return [Labelled(row=row, trace=trace) for row, trace in zip(self.rows, traces, strict=True) if trace]

    def missing(self) -> int:
        """How many rows are not measured under these conditions."""
        known = self.kept.known(self.conditions.key)
        return sum(q not in known for q in self.questions)

    def states(self) -> list[str]:
        """For each row "measured", "" when it is not yet, else the sentence that says why it could not be."""
        known, failures = self.kept.known(self.conditions.key), self.kept.failures(self.conditions.key)
        return ["measured" if q in known else failures.get(q, "") for q in self.questions]

    def stale(self) -> str:
        """What has changed since rows were measured that have to be measured again, in one sentence; "" if nothing."""
        known = self.kept.known(self.conditions.key)
        missing = frozenset(self.questions) - known
        for key, said in self.kept.conditions() if missing else ():
            before = len(missing & self.kept.known(key)) if key != self.conditions.key else 0
            if before:
                now = asdict(self.conditions)
                changed = [words for part, words in SAID.items() if said.get(part) != now[part]]
                return (
                    f"{before:,} of {len(self.rows):,} questions were measured before {' and '.join(changed)} changed; "
                    "measure them again, since they may be answered otherwise now."
                )
        return ""

    @property
    def state(self) -> str:
        """A text that changes when `cases` would give something else."""
        known = self.kept.known(self.conditions.key)
        about = [self.conditions.key, [dict(row) for row in self.rows], [q in known for q in self.questions]]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The name of what is asked in each row."""
        return question_names(self.rows)


def question_names(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What names all of each row that is measured."""
    return tuple(question_digest(question_of(dict(row))) for row in rows)
