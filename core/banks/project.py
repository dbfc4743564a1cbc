"""The banks that come with the project, their two halves, and reading a bank from a file."""

import hashlib
from pathlib import Path
from typing import Any

from core.banks.files import for_set
from core.banks.formats import raw_rows
from core.banks.row import checked
from core.question import CaseError

BANKS = Path(__file__).parents[2] / "data" / "banks"
TUNING = BANKS / "tuning"
"""Banks for choosing limits and for inspection while checks are developed."""
REPORTING = BANKS / "reporting"
"""Banks for reporting figures. Nothing that fits, trains, tunes or calibrates may open them."""
SAMPLE_BANKS = "reporting half of the sample banks"
"""The name that figures use for the default bank."""


def read_bank(path: Path, *, report: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a bank file, or of all JSONL banks in a folder, each with an id.

    Raises CaseError for an unreadable or invalid row, and for a bank of the reporting half unless `report` is True:
    only code that counts outcomes for a report may read that half.
    """
    if not report and path.resolve().is_relative_to(REPORTING.resolve()):
        raise CaseError(f"{path.name} is of the reporting half, which is only counted; read {TUNING.name}/ instead.")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise CaseError(f"{path.name} holds no bank; name a JSONL file, or a folder of them.")
    rows = []
    for file in files:
        try:
            with file.open("rb") as stream:
                lines = for_set(raw_rows(stream, file.name))
        except OSError as error:
            raise CaseError(
                f"{file.name} cannot be read ({error}); name a file of rows in JSONL, JSON, CSV, Parquet or Excel."
            ) from error
        for line in lines:
            try:
                if line.problem:
                    raise CaseError(line.problem)
                rows.append(checked(line.row)[0])
            except (CaseError, RecursionError) as error:
                raise CaseError(f"line {line.number} of {file.name} cannot be read: {error}") from error
    return rows


def for_fitting(question: str) -> bool:
    """True if the question belongs to the tuning half, on which models and limits are fitted. False for the reporting
    half, from which figures are reported.

    The half depends only on the question's text, so every part of the project splits alike.
    """
    return hashlib.sha256(question.strip().encode()).digest()[-1] % 2 == 0
