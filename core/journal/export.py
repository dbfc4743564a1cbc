"""Decisions taken away: as CSV for a spreadsheet, as JSON with every threshold of then."""

import json
from datetime import UTC, datetime
from typing import Any

from core.journal.entry import Decided
from core.journal.filters import Filter
from core.journal.journal import Journal
from core.question_lists import as_csv

COLUMNS = (
    "id", "at", "source", "question", "class", "subject", "route", "reason", "confidence", "document", "page", "answer",
    "given", "preset", "seconds", "handed_over", "attended", "should_be", "profile", "models",
)  # fmt: skip
"""What a line of the CSV holds; the JSON has the preset in full and the settings besides."""


def csv_of(journal: Journal, which: Filter) -> str:
    """The decisions, the newest first, a line each; no cell is taken for a formula by a spreadsheet."""
    lines = (told(decided) | about for decided, about in journal.contents(which))
    return as_csv(
        ({**line, "preset": line["preset"]["name"], "models": _named(line["models"])} for line in lines), COLUMNS
    )


def json_of(journal: Journal, which: Filter) -> str:
    """The decisions, the newest first, as one list, a line each; what is not there is null."""
    lines = (json.dumps(told(decided) | about, ensure_ascii=False) for decided, about in journal.contents(which))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def told(decided: Decided) -> dict[str, Any]:
    """One decision by the names of COLUMNS; times as ISO 8601 in UTC."""
    row = {name: value for name, value in vars(decided).items() if name not in ("at", "attended", "class_number")}
    times = {"at": _iso(decided.at), "attended": decided.attended and _iso(decided.attended)}
    return {"id": decided.id, **times, "class": decided.class_number, **row, "subject": decided.subject or None}


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _named(models: dict[str, str]) -> str:
    return "; ".join(f"{role}: {name}" for role, name in models.items())
