"""The measurements of the sample questions that come with the app, in one compressed file of JSON lines.

`python -m core.lab.figures.measured_sample` makes it. The first line holds what the measurements depend on.
"""

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.banks.project import BANKS
from core.case import CaseError, Trace
from core.reply.serialization import StoreError, dumps, loads

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
        try:
            with lzma.open(self.path, "rt", encoding="utf-8") as file:
                next(file)
                for line in file:
                    question, _, text = line.partition(" ")
                    if question in missing:
                        traces[question] = loads(text)
                        missing.discard(question)
        except _DAMAGES as error:
            raise _damage_error(self.path) from error
        return traces


def shipped_traces(path: Path = FILE) -> ShippedTraces | None:
    """The measurements at `path`; None if there is no such file.

    Only the first line of the file is read, and read again only after the file has changed. Raises CaseError if the
    file is damaged.
    """
    return _load(path, path.stat().st_mtime_ns) if path.is_file() else None


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> ShippedTraces:  # noqa: ARG001 - part of the cache key
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            head: dict[str, Any] = json.loads(next(file))
        if head["format"] != FORMAT:
            raise ValueError(head["format"])
        return ShippedTraces(path=path, conditions=head["conditions"], questions=frozenset(head["questions"]))
    except _DAMAGES as error:
        raise _damage_error(path) from error


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


def _damage_error(path: Path) -> CaseError:
    return CaseError(
        f"{path.name}, the measurement of the sample questions, cannot be read; get the project's data/banks again, or "
        "run the set."
    )
