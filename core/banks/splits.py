"""Banks: labelled questions in a file, and the two halves of those that come with the project."""

import hashlib
from pathlib import Path
from typing import Any, Literal

from core.banks.lines import Line, lines_of, settled
from core.banks.rows import check_labels
from core.case import CaseError
from core.serialization import question_of

BANKS = Path(__file__).parents[2] / "data" / "banks"
TUNING = BANKS / "tuning"
"""What limits may be chosen on, and what may be looked at while the checks are written."""
REPORTING = BANKS / "reporting"
"""What figures are reported on. Nothing that fits, trains, tunes or calibrates may open it."""
SAMPLE_BANKS = "reporting half of the sample banks"
"""What figures call the bank that is counted when none is named."""


def read_bank(path: Path, *, report: bool = False) -> list[dict[str, Any]]:
    """The rows of a bank, or of all JSONL banks in a folder, each one readable as `judge` reads it.

    CaseError names the line that cannot be read, and refuses the reporting half unless `report` says that its rows
    are only counted.
    """
    if not report and path.resolve().is_relative_to(REPORTING.resolve()):
        raise CaseError(f"{path.name} is of the reporting half, which is only counted; read {TUNING.name}/ instead.")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise CaseError(f"{path.name} holds no bank; name a JSONL file, or a folder of them.")
    return [row for file in files for row in _rows(file)]


def for_fitting(question: str) -> bool:
    """True when this question belongs to the half that may be fitted on; figures are reported on the other half.

    The half depends on the question's text alone, so that every part of the project splits alike.
    """
    return hashlib.sha256(question.strip().encode()).digest()[-1] % 2 == 0


def half_of(query: str) -> Literal["tuning", "reporting"]:
    """The half that a question belongs to, by its text alone, so that both rows of a pair stay together."""
    return "tuning" if for_fitting(query) else "reporting"


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        lines = settled(lines_of(file.read_bytes(), file.name))
        return [_row(line, f"line {line.number} of {file.name}") for line in lines]
    except OSError as error:
        raise CaseError(
            f"{file.name} cannot be read ({error}); name a JSONL file, or one of JSON, CSV or Parquet."
        ) from error


def _row(line: Line, where: str) -> dict[str, Any]:
    try:
        if line.problem:
            raise CaseError(line.problem)
        question_of(line.row)
        check_labels(line.row)
    except CaseError as error:
        raise CaseError(f"{where} cannot be read: {error}") from error
    return dict(line.row)
