"""A decision of the journal opened again, as it was taken."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.case import Trace
from core.checks import all_checks, all_thresholds, validated
from core.journal.entry import MOST_BYTES, Decided
from core.journal.errors import JournalError
from core.thresholds import Preset
from core.trace_json import loads


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A verdict is a function of its trace and its preset, which has every threshold and mode of then.

    settings: what it was measured with, by name; some of them may no longer be known.
    """

    decided: Decided
    trace: Trace
    preset: Preset
    profile: str
    settings: Mapping[str, Any]

    @property
    def row(self) -> dict[str, Any]:
        """What was asked, as a bank holds it."""
        asked = self.trace.question
        about = {
            "query": asked.query, "class_number": asked.scope.class_number, "subject": asked.scope.subject,
            "documents": list(asked.scope.documents), "pages": [list(ends) for ends in asked.scope.pages],
            "history": [asdict(turn) for turn in asked.history], "tool_results": list(asked.tool_results),
            "answer": asked.answer, "citations": asked.citations and [list(c) for c in asked.citations],
            "attribute": asked.attribute,
        }  # fmt: skip
        return {name: value for name, value in about.items() if value}


def opened(decided: Decided, stored: Mapping[str, Any]) -> Opened:
    """A decision from what was stored of it; JournalError when that cannot be read, or was left out."""
    if stored["trace"] is None:
        raise JournalError(f"{stored['why']}, so this decision cannot be opened; ask the question again.")
    try:
        return Opened(
            decided=decided, trace=_unpacked(stored["trace"]), preset=preset_of(json.loads(stored["preset"])),
            profile=stored["profile"], settings=dict(json.loads(stored["settings"])),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise JournalError(f"This decision can no longer be opened ({error}); ask its question again.") from error


def preset_of(stored: Mapping[str, Any]) -> Preset:
    """A preset as it stood then. What is no longer there is left out; a check that was not there then is off."""
    thresholds = {key: value for key, value in stored["thresholds"].items() if key in all_thresholds()}
    modes = {c.name: stored["modes"].get(c.name, "off") for c in all_checks()}
    return validated(Preset(name=stored["name"], help=stored["help"], thresholds=thresholds, modes=modes))


def _unpacked(packed: bytes) -> Trace:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, MOST_BYTES)
    if not unpacking.eof:
        raise JournalError("its trace was cut off, or is longer than any that is kept")
    return loads(text.decode("utf-8", "surrogatepass"))
