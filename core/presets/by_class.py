"""Limits of a class or a subject, for an educator of several classes: a file of the run-time folder that changes a
preset for questions with that scope.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.presets import PresetError, with_content
from core.question import Scope, fold_subject
from core.thresholds import Mode, Preset

FILE = "limits_by_class.json"
_FIELDS = {"class_number", "subject", "thresholds", "modes"}


@dataclass(frozen=True, kw_only=True)
class ClassLimits:
    """The limits and modes for one class, one subject, or one subject of one class. None and "" stand for any."""

    class_number: int | None = None
    subject: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    modes: Mapping[str, Mode] = field(default_factory=dict)

    def covers(self, scope: Scope) -> bool:
        """True if a question with this scope has these limits."""
        is_class = self.class_number in (None, scope.class_number)
        return is_class and (not self.subject or fold_subject(self.subject) == fold_subject(scope.subject))


def for_scope(base: Preset, scope: Scope, by_class: Sequence[ClassLimits]) -> Preset:
    """Return `base` with the limits for the class and the subject of `scope`; `base` itself if there are none.

    Of several entries the more exact one wins: a subject within a class wins over the class, and the class wins over
    the subject.
    """
    fitting = [one for one in by_class if one.covers(scope)]
    for one in sorted(fitting, key=lambda one: (one.class_number is not None, bool(one.subject))):
        base = base.with_values(one.thresholds, one.modes)
    return base


def limits_by_class(home: Path) -> tuple[ClassLimits, ...]:
    """The entries of the file in the run-time folder; () if there is none. Raises PresetError if it cannot be read."""
    path = Path(home) / FILE
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else ()


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> tuple[ClassLimits, ...]:  # noqa: ARG001 - part of the cache key
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(rows, list):
            raise PresetError("it must be a list of objects")
        return tuple(_entry(row) for row in rows)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise PresetError(f"{FILE} cannot be read: {str(error).rstrip('.')}; mend it, or delete it.") from error


def _entry(row: Any) -> ClassLimits:
    if not isinstance(row, dict) or set(row) - _FIELDS or not ({"class_number", "subject"} & set(row)):
        raise PresetError(f"each entry must name class_number or subject, and thresholds or modes, got {row!r:.80}")
    class_number, subject = row.get("class_number"), row.get("subject", "")
    if type(class_number) not in (int, type(None)) or not isinstance(subject, str):
        raise PresetError(f"class_number must be a whole number and subject a text, got {row!r:.80}")
    with_content(Preset(), row)
    return ClassLimits(**row)
