"""The files of figures that commands store, JSON with the date of the measurement, and figures drawn as a table."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.platform.atomic_write import write_whole

DATE = "date"
"""The key of the date among stored figures."""


def dated(figures: Mapping[str, Any]) -> dict[str, Any]:
    """`figures` with the date of today, YYYY-MM-DD."""
    return {DATE: time.strftime("%Y-%m-%d"), **without_date(figures)}


def without_date(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored figures without their date."""
    return {name: figures for name, figures in stored.items() if name != DATE}


def stored_figures(path: Path) -> dict[str, Any]:
    """The content of a file of figures; {} if there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def store_figures(path: Path, figures: Mapping[str, Any]) -> None:
    """Write a file of figures, completely or not at all; its folder is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(figures, indent=1, ensure_ascii=False) + "\n").encode())


def table(heads: Sequence[Any], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table. A bar within a cell is escaped."""
    lines = ["".join(f"| {str(cell).replace('|', chr(92) + '|')} " for cell in row) + "|" for row in (heads, *rows)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])
