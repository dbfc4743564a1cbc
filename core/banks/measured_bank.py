"""A bank with its stored measurements: the traces on disk, the missing ones, and what has changed since."""

import json
import logging
import time
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.banks.row import SetRows
from core.banks.shipped_traces import ShippedTraces, shipped_traces
from core.case import CaseError, Trace
from core.evaluation.cases import LabelledCase
from core.evaluation.conditions import Conditions, conditions_with
from core.library.store import version_in
from core.models.calibration import calibration_of
from core.models.profile import names_of
from core.models.weights import MINILM_SHA256
from core.platform.sqlite_file import SqliteFile
from core.reply.serialization import StoreError, dumps, loads
from core.settings import Settings

log = logging.getLogger(__name__)

STORED_CONDITIONS = 4
"""Number of `Conditions` whose traces stay in the file, the most recently used ones: whoever undoes a change of the
library or of a setting then need not measure again.
"""
_ENCODING = ("utf-8", "surrogatepass")
"""Encoding and error handler of stored traces. A question from JSON may hold half of a surrogate pair, on which plain
UTF-8 would raise and end the run of a bank.
"""
_TABLES = """
CREATE TABLE IF NOT EXISTS conditions (key TEXT PRIMARY KEY, said TEXT NOT NULL, used INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS traces (
    key TEXT NOT NULL, question TEXT NOT NULL, trace BLOB NOT NULL, PRIMARY KEY (key, question)
);
CREATE TABLE IF NOT EXISTS failures (
    key TEXT NOT NULL, question TEXT NOT NULL, sentence TEXT NOT NULL, PRIMARY KEY (key, question)
);
"""
_PUT = """
INSERT OR REPLACE INTO traces (rowid, key, question, trace)
VALUES ((SELECT max(coalesce(max(rowid), 0) + 1, ?) FROM traces), ?, ?, ?)
"""
"""Insert or replace a trace. Its row id is the time in nanoseconds or larger, so that no id of a deleted trace is used
again.
"""
_AT_ONCE = 200
"""Number of traces that are read together."""
CONDITION_NAMES: Mapping[str, str] = {
    "library": "the library", "models": "the models", "settings": "a setting", "program": "this program",
}  # fmt: skip
"""The fields of `Conditions` in plain words."""
_OF_THE_WRITER = {"writer", "consensus", "endpoint", "endpoint_model", "endpoint_seconds"}
"""The settings that only decide who writes the answers."""


class StoredTraces(SqliteFile):
    """The traces of measured questions and the reasons of failed ones.

    key: identifies the conditions of a measurement. question: digest of a question (`question_digest`).
    """

    def __init__(self, home: Path) -> None:
        super().__init__(
            Path(home) / "banks" / "measured.sqlite", _TABLES, kind="file of measurements", error=CaseError,
            remedy="delete it and measure again.",
        )  # fmt: skip

    def digests(self, key: str) -> frozenset[str]:
        """The questions that are measured under these conditions."""
        return frozenset(q for (q,) in self.select("SELECT question FROM traces WHERE key = ?", key))

    def stamps(self, key: str) -> dict[str, int]:
        """A version number for each question that is measured under these conditions; no two measurements share one."""
        return dict(self.select("SELECT question, rowid FROM traces WHERE key = ?", key))

    def traces(self, key: str, questions: Sequence[str]) -> Iterator[Trace | None]:
        """The trace of each question, in the order of `questions`; None for a question without a readable trace."""
        if not self.path.exists():
            yield from (None for _ in questions)
            return
        with self.reading() as base:
            for question in questions:
                cursor = base.execute("SELECT trace FROM traces WHERE key = ? AND question = ?", (key, question))
                yield self._decode(cursor.fetchone(), key, question)

    def store(self, key: str, question: str, trace: Trace) -> None:
        """Store a trace, and delete an earlier failure of the same question."""
        data = zlib.compress(dumps(trace).encode(*_ENCODING))
        with self.writing() as base:
            base.execute(_PUT, (time.time_ns(), key, question, data))
            base.execute("DELETE FROM failures WHERE key = ? AND question = ?", (key, question))

    def fail(self, key: str, question: str, sentence: str) -> None:
        """Store why a question could not be measured."""
        with self.writing() as base:
            base.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", (key, question, sentence))

    def failures(self, key: str) -> dict[str, str]:
        """The reason for each question that could not be measured under these conditions."""
        return dict(self.select("SELECT question, sentence FROM failures WHERE key = ?", key))

    def use(self, key: str, content: dict[str, str]) -> None:
        """Mark these conditions as the most recently used; delete the traces of all but the last STORED_CONDITIONS
        conditions.
        """
        with self.writing() as base:
            (last,) = base.execute("SELECT coalesce(max(used), 0) FROM conditions").fetchone()
            base.execute("INSERT OR REPLACE INTO conditions VALUES (?, ?, ?)", (key, json.dumps(content), last + 1))
            base.execute(
                "DELETE FROM conditions WHERE key NOT IN (SELECT key FROM conditions ORDER BY used DESC LIMIT ?)",
                (STORED_CONDITIONS,),
            )
            for table in ("traces", "failures"):
                base.execute(f"DELETE FROM {table} WHERE key NOT IN (SELECT key FROM conditions)")

    def conditions(self) -> list[tuple[str, dict[str, str]]]:
        """The key and the content of all stored conditions, most recently used first."""
        rows = self.select("SELECT key, said FROM conditions ORDER BY used DESC")
        return [(key, json.loads(content)) for key, content in rows]

    def forget(self, questions: Collection[str], key: str = "") -> None:
        """Delete the traces and failures of these questions under the conditions `key`; under all conditions if `key`
        is "".
        """
        with self.writing() as base:
            for table in ("traces", "failures"):
                base.executemany(
                    f"DELETE FROM {table} WHERE question = ? AND ? IN ('', key)", [(q, key) for q in questions]
                )

    def _decode(self, row: tuple[bytes] | None, key: str, question: str) -> Trace | None:
        """Decode the trace of a database row. An unreadable trace is deleted, so that it is measured again."""
        try:
            return loads(zlib.decompress(row[0]).decode(*_ENCODING)) if row else None
        except (zlib.error, StoreError, UnicodeDecodeError) as error:
            log.warning("a measured question cannot be read and has to be measured again: %s", error)
            self.forget([question], key)
            return None


def conditions_in(home: Path, profile: str, settings: Settings) -> Conditions:
    """The conditions that an explorer over `home` would have, read without loading a model or opening the library.

    A library that was never used counts as one with the sample chapters, which the app adds to it.
    """
    bundle = shipped_traces()
    library = version_in(home) or (bundle.conditions["library"] if bundle else "")
    return conditions_with(library, names_of(profile), calibration_of(MINILM_SHA256), settings)


class MeasuredBank:
    """The rows of any bank with their stored measurements under `conditions`. Every call reads the disk again.

    any_library: True to accept measurements that come with the app although they were made with another library.
    """

    def __init__(
        self, home: Path, rows: Sequence[Mapping[str, Any]], conditions: Conditions, *, any_library: bool = False
    ) -> None:
        self.rows, self.conditions, self.stored_traces = SetRows.of(rows), conditions, StoredTraces(home)
        self._any_library = any_library

    @property
    def questions(self) -> list[str]:
        """The question digest of each row."""
        return self.rows.questions

    def cases(self) -> Iterator[LabelledCase]:
        """Yield the measured rows, in order, each with its trace; at most _AT_ONCE traces are in memory."""
        for first in range(0, len(self.rows), _AT_ONCE):
            rows = self.rows[first : first + _AT_ONCE]
            for row, trace in zip(rows, self.traces(range(first, first + len(rows))), strict=True):
                if trace:
                    yield LabelledCase(row=row, trace=trace)

    def traces(self, indices: Sequence[int]) -> list[Trace | None]:
        """The traces of the rows at these indices; None for a row that is not measured, or unreadable."""
        questions = [self.questions[n] for n in indices]
        own = list(self.stored_traces.traces(self.conditions.key, questions))
        missing = [q for q, trace in zip(questions, own, strict=True) if trace is None]
        shipped = self.bundled_traces.traces(missing) if missing and self.bundled_traces else {}
        return [trace or shipped.get(q) for q, trace in zip(questions, own, strict=True)]

    def identities(self) -> list[bytes]:
        """For each row, a value that identifies its measurement and changes when the row is measured again; b"" for a
        row that is not measured.
        """
        bundle = self.bundled_traces
        stamps: dict[str, Any] = dict.fromkeys(bundle.questions, bundle.stamp) if bundle else {}
        stamps |= self.stored_traces.stamps(self.conditions.key)
        return [f"{q} {stamps[q]}".encode() if q in stamps else b"" for q in self.questions]

    @property
    def bundled_traces(self) -> ShippedTraces | None:
        """The measurements that come with the app, if they were made under the conditions of this bank; else None.

        With `any_library`, measurements of another library are accepted as long as no row is measured with the present
        one.
        """
        bundle = shipped_traces()
        changes = self._changes_since(bundle.conditions) if bundle else ["everything"]
        if self._any_library and changes == ["library"]:
            return None if self.stored_traces.digests(self.conditions.key) & frozenset(self.questions) else bundle
        return None if changes else bundle

    @property
    def is_of_sample_library(self) -> bool:
        """True if the measurements were made with the sample chapters while the library is another one now."""
        bundle = self.bundled_traces
        return bundle is not None and self._changes_since(bundle.conditions) == ["library"]

    def measured_digests(self) -> frozenset[str]:
        """The digests of all measured questions: those stored in the run-time folder, and those shipped
        with the app."""
        digests = self.stored_traces.digests(self.conditions.key)
        return digests | self.bundled_traces.questions if self.bundled_traces else digests

    def missing(self) -> int:
        """Number of rows that are not measured under these conditions."""
        digests = self.measured_digests()
        return sum(q not in digests for q in self.questions)

    def missing_rows(self) -> dict[str, Mapping[str, Any]]:
        """The rows that are not measured under these conditions, by question digest; of equal questions the last."""
        digests = self.measured_digests()
        return {q: row for q, row in zip(self.questions, self.rows, strict=True) if q not in digests}

    def states(self) -> list[str]:
        """For each row "measured", "" if not yet measured, or the reason why it could not be measured."""
        digests, failures = self.measured_digests(), self.stored_traces.failures(self.conditions.key)
        return ["measured" if q in digests else failures.get(q, "") for q in self.questions]

    def stale(self) -> str:
        """One sentence on what has changed since the stale rows were measured; "" if no row is stale. A row is stale if
        it was measured only under other conditions.
        """
        missing, bundle, store = set(self.missing_rows()), shipped_traces(), self.stored_traces
        keys = [(key, old) for key, old in store.conditions() if key != self.conditions.key] if missing else []
        measured = [(old, store.digests(key)) for key, old in keys]
        if missing and bundle and self.bundled_traces is None:
            measured.append((bundle.conditions, bundle.questions))
        for old, questions in measured:
            if count := len(missing & questions):
                changes = [
                    "the writer" if part == "settings" and self._only_writer_changed(old) else CONDITION_NAMES[part]
                    for part in self._changes_since(old)
                ]
                return (
                    f"{count:,} of {len(self.rows):,} questions were measured before {' and '.join(changes)} changed; "
                    "measure them again, since they may be answered otherwise now."
                )
        return ""

    def _changes_since(self, old: Mapping[str, str]) -> list[str]:
        """The names of the fields of Conditions in which `old` differs from those of this bank."""
        return [part for part, current in asdict(self.conditions).items() if old.get(part) != current]

    def _only_writer_changed(self, old: Mapping[str, str]) -> bool:
        """True if the settings differ from those of `old` conditions in who writes the answers, and in nothing else."""
        try:
            before, now = json.loads(old["settings"]), json.loads(self.conditions.settings)
            changed = {name for name in before | now if before.get(name) != now.get(name)}
        except (ValueError, KeyError, TypeError):  # stored by a version that wrote something else there
            return False
        return bool(changed) and changed <= _OF_THE_WRITER
