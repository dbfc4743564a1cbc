"""The measurements of a bank: its traces in the run-time folder, those that come with the app in one compressed file of
JSON lines (`python -m core.lab.figures.measured_sample` makes it), the missing ones, and what has changed since.
"""

import json
import logging
import lzma
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from core.banks.project import BANKS
from core.banks.row import SetRows
from core.case import CaseError, Trace
from core.evaluation.conditions import Conditions, conditions_with
from core.library.store import version_in
from core.models.calibration import calibration_of
from core.models.profile import names_of
from core.models.weights import MINILM_SHA256
from core.platform.sqlite_file import SqliteFile
from core.reply.serialization import StoreError, dumps, loads
from core.settings import Settings

FILE = BANKS / "sample_measured.jsonl.xz"
FORMAT = 1
_DAMAGES = (OSError, EOFError, lzma.LZMAError, ValueError, LookupError, TypeError, StopIteration, StoreError)
"""Errors that the reading of a damaged file may raise."""


@dataclass(frozen=True, kw_only=True)
class ShippedTraces:
    """The measured questions in one file.

    conditions: what the measurements depend on, by the field names of `Conditions`. questions: the digests of the
    measured questions.
    """

    path: Path
    conditions: Mapping[str, str]
    questions: frozenset[str]

    @property
    def stamp(self) -> str:
        """A value that changes whenever the file changes."""
        stat = self.path.stat()
        return f"shipped {stat.st_mtime_ns} {stat.st_size}"

    def traces(self, digests: Iterable[str]) -> dict[str, Trace]:
        """The traces of those of `digests` that are in the file, by digest. Raises CaseError if the file is damaged."""
        missing, traces = set(digests) & self.questions, {}
        if not missing:
            return traces
        with _readable(self.path) as file:
            next(file)
            for line in file:
                question, _, text = line.partition(" ")
                if question in missing:
                    traces[question] = loads(text)
                    missing.discard(question)
        return traces


def shipped_traces(path: Path = FILE) -> ShippedTraces | None:
    """The measurements at `path`; None if there is no such file.

    Only the first line of the file is read, and read again only after the file has changed. Raises CaseError if the
    file is damaged.
    """
    return _load(path, path.stat().st_mtime_ns) if path.is_file() else None


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> ShippedTraces:  # noqa: ARG001 - part of the cache key
    with _readable(path) as file:
        head: dict[str, Any] = json.loads(next(file))
        if head["format"] != FORMAT:
            raise ValueError(head["format"])
        return ShippedTraces(path=path, conditions=head["conditions"], questions=frozenset(head["questions"]))


@contextmanager
def _readable(path: Path) -> Iterator[TextIO]:
    """The open file. Raises CaseError if the block finds it damaged."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            yield file
    except _DAMAGES as error:
        raise CaseError(
            f"{path.name}, the measurement of the sample questions, cannot be read; get the project's data/banks "
            "again, or run the set."
        ) from error


def write_traces(path: Path, conditions: Mapping[str, str], traces: Mapping[str, Trace]) -> int:
    """Write measurements to `path`, completely or not at all; return the size of the file in bytes.

    traces: question digest -> trace.
    """
    head = {"format": FORMAT, "conditions": dict(conditions), "questions": list(traces)}
    lines = [json.dumps(head), *(f"{question} {dumps(trace)}" for question, trace in traces.items())]
    part = path.with_suffix(".part")
    part.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))
    part.replace(path)
    return path.stat().st_size


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

    def stamps(self, key: str) -> dict[str, int]:
        """The questions that are measured under these conditions, each with a number that no other measurement has."""
        return dict(self.select("SELECT question, rowid FROM traces WHERE key = ?", key))

    def traces(self, key: str, questions: Sequence[str]) -> Iterator[Trace | None]:
        """The trace of each question, in the order of `questions`; None for a question without a readable trace. An
        unreadable trace is deleted, so that it is measured again.
        """
        if not self.path.exists():
            yield from (None for _ in questions)
            return
        with self.reading() as base:
            for question in questions:
                cursor = base.execute("SELECT trace FROM traces WHERE key = ? AND question = ?", (key, question))
                row = cursor.fetchone()
                try:
                    yield loads(zlib.decompress(row[0]).decode(*_ENCODING)) if row else None
                except (zlib.error, StoreError, UnicodeDecodeError) as error:
                    log.warning("a measured question cannot be read and has to be measured again: %s", error)
                    self.forget([question], key)
                    yield None

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

    def traces(self, indices: Sequence[int]) -> list[Trace | None]:
        """The traces of the rows at these indices; None for a row that is not measured, or unreadable."""
        questions = [self.questions[n] for n in indices]
        own = list(self.stored_traces.traces(self.conditions.key, questions))
        missing = [q for q, trace in zip(questions, own, strict=True) if trace is None]
        shipped = self.bundled_traces.traces(missing) if missing and self.bundled_traces else {}
        return [trace or shipped.get(q) for q, trace in zip(questions, own, strict=True)]

    def stamps(self) -> dict[str, Any]:
        """All measured questions: those stored in the run-time folder, and those that come with the app. Each has a
        value that changes when it is measured again.
        """
        bundle = self.bundled_traces
        shipped = dict.fromkeys(bundle.questions, bundle.stamp) if bundle else {}
        return shipped | self.stored_traces.stamps(self.conditions.key)

    @property
    def bundled_traces(self) -> ShippedTraces | None:
        """The measurements that come with the app, if they were made under the conditions of this bank; else None.

        With `any_library`, measurements of another library are accepted as long as no row is measured with the present
        one.
        """
        bundle = shipped_traces()
        changes = self._changes_since(bundle.conditions) if bundle else ["everything"]
        if self._any_library and changes == ["library"]:
            return None if self.stored_traces.stamps(self.conditions.key).keys() & self.questions else bundle
        return None if changes else bundle

    @property
    def is_of_sample_library(self) -> bool:
        """True if the measurements were made with the sample chapters while the library is another one now."""
        bundle = self.bundled_traces
        return bundle is not None and self._changes_since(bundle.conditions) == ["library"]

    def missing_rows(self) -> dict[str, Mapping[str, Any]]:
        """The rows that are not measured under these conditions, by question digest; of equal questions the last."""
        measured = self.stamps()
        return {q: row for q, row in zip(self.questions, self.rows, strict=True) if q not in measured}

    def states(self) -> list[str]:
        """For each row "measured", "" if not yet measured, or the reason why it could not be measured."""
        measured, failures = self.stamps(), self.stored_traces.failures(self.conditions.key)
        return ["measured" if q in measured else failures.get(q, "") for q in self.questions]

    def stale(self) -> str:
        """One sentence on what has changed since the stale rows were measured; "" if no row is stale. A row is stale if
        it was measured only under other conditions.
        """
        missing, bundle, store = self.missing_rows().keys(), shipped_traces(), self.stored_traces
        if not missing:
            return ""
        measured = [(old, store.stamps(key)) for key, old in store.conditions() if key != self.conditions.key]
        if bundle and self.bundled_traces is None:
            measured.append((bundle.conditions, bundle.questions))
        for old, questions in measured:
            if count := len(missing & set(questions)):
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
