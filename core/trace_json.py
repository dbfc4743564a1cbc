"""Traces as JSON: written with every signal, opened again without a model."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from core.case import (
    Absence,
    Case,
    Closest,
    Draft,
    Evidence,
    Opinion,
    Passage,
    Question,
    Round,
    Scope,
    Sentence,
    Trace,
    Turn,
)  # fmt: skip

FORMAT = 1
"""Raised when a stored trace of an older format can no longer be read."""


class StoreError(ValueError):
    """A stored trace cannot be read; the message says why."""


def dumps(trace: Trace) -> str:
    """`trace` as one line of JSON."""
    return json.dumps({"format": FORMAT, **asdict(trace)}, default=_plain, ensure_ascii=False)


def loads(text: str) -> Trace:
    """The trace that `dumps` wrote; StoreError when the text is something else."""
    try:
        stored = json.loads(text)
        if stored.pop("format") != FORMAT:
            raise StoreError(f"The trace is not of format {FORMAT}; measure the question again.")
        return _trace(stored)
    except StoreError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise StoreError(
            f"The text is no stored trace ({type(error).__name__}); measure the question again."
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no place in a trace")


def _trace(row: dict[str, Any]) -> Trace:
    """A trace, or a part of one; what an older trace lacks keeps its default."""
    return Trace(
        question=_question(row.pop("question")), rounds=tuple(_round(r) for r in row.pop("rounds")),
        parts=tuple(_trace(p) for p in row.pop("parts", ())), **_lists(row),
    )  # fmt: skip


def _round(row: dict[str, Any]) -> Round:
    signals = {
        check: {name: np.asarray(v, dtype=float) for name, v in measured.items()}
        for check, measured in row["signals"].items()
    }
    return Round(
        name=row["name"], of=row.get("of", ""), case=_case(row["case"]), signals=signals,
        absent={k: Absence(**v) for k, v in row["absent"].items()}, windows=_tuples(row["windows"]),
        seconds=row.get("seconds", 0.0), checking=row.get("checking", 0.0),
    )  # fmt: skip


def _case(row: dict[str, Any]) -> Case:
    draft = row["draft"] and Draft(
        **{**row["draft"], "sentences": tuple(Sentence(**_lists(s)) for s in row["draft"]["sentences"])}
    )
    return Case(
        question=_question(row["question"]), query=row["query"], draft=draft, kind=row.get("kind", "question"),
        language=row.get("language", ""),
        evidence=tuple(_evidence(e) for e in row["evidence"]), closest=row["closest"] and Closest(**row["closest"]),
        opinion=Opinion(**_lists(row["opinion"])) if row.get("opinion") else None,
    )  # fmt: skip


def _evidence(row: dict[str, Any]) -> Evidence:
    return Evidence(**{**_lists(row), "passage": Passage(**_lists(row["passage"]))})


def _question(row: dict[str, Any]) -> Question:
    scope = Scope(**_lists(row["scope"]))
    return Question(**{**_lists(row), "scope": scope, "history": tuple(Turn(**t) for t in row["history"])})


def _lists(row: dict[str, Any]) -> dict[str, Any]:
    """`row` with its lists as tuples, as the dataclasses hold them."""
    return {k: _tuples(v) if isinstance(v, list) else v for k, v in row.items()}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value
