"""Lists of unlabelled questions, read from text or CSV; and rows as CSV that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.case import CaseError, Evidence
from core.chain import Verdict
from core.chain.judged_sentences import cited_page

MOST = 200
"""Maximum number of questions in a list."""
_NAMES = {
    "question": "query", "query": "query", "class": "class_number", "class_number": "class_number",
    "subject": "subject",
}  # fmt: skip
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet may take a cell that starts with one of these for a formula."""


def pasted(text: str) -> list[dict[str, Any]]:
    """The questions in a text, one per line. Raises CaseError if there are none, or more than MOST."""
    return within_limits([{"query": line.strip()} for line in text.splitlines() if line.strip()])


def uploaded(data: bytes) -> list[dict[str, Any]]:
    """The questions in a CSV file: its column "question" or "query", else the first; with "class" and "subject" if
    present.

    Columns are separated by commas, semicolons or tabs. Raises CaseError if the file is unreadable, or as `pasted`
    does.
    """
    try:
        text = data.decode("utf-8-sig")
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text)) if any(line)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise CaseError(f"The file cannot be read ({error}); save it as CSV in UTF-8.") from error
    if "\0" in text:
        raise CaseError("The file is no text but something else; save the list as CSV in UTF-8.")
    head = [_NAMES.get(cell.strip().lower(), "") for cell in lines[0]] if lines else []
    if not any(head):
        return pasted(text) if _is_prose(text, lines) else within_limits(_rows(["query"], lines))
    if "query" not in head:
        head[0] = "query"
    if len(head) == 1:  # with a single column, a comma belongs to the question
        lines = [[delimiter(text).join(line)] for line in lines]
    return within_limits(_rows(head, lines[1:]))


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Rows as CSV; cells are escaped so that a spreadsheet takes none for a formula."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: harmless(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def harmless(value: Any) -> Any:
    """Prefix text that looks like a formula with ', which spreadsheets read as a mark for text."""
    return f"'{value}" if isinstance(value, str) and _needs_quote(value) else value


def as_meant(cell: str) -> str:
    """The inverse of `harmless`."""
    return cell[1:] if cell.startswith("'") and _needs_quote(cell[1:]) else cell


def _needs_quote(text: str) -> bool:
    """True for a text that starts like a formula, or like one that was escaped."""
    return text.lstrip(" ").startswith(_FORMULA_STARTS) or (text.startswith("'") and _needs_quote(text.lstrip("'")))


def first_shown(decision: Verdict) -> Evidence | None:
    """The first passage that a delivered answer cites, else the best one retrieved; None without passages."""
    evidence = decision.round.case.evidence
    if not evidence:
        return None
    cited = [c for s in decision.sentences for c in s.citations if 1 <= c <= len(evidence)] if decision.answered else []
    return evidence[cited[0] - 1] if cited else max(evidence, key=lambda e: e.answers)


def page_of(decision: Verdict, shown: Evidence) -> int | None:
    """The page on which the cited text of a passage begins; None if unknown."""
    return cited_page(decision.round, decision.round.case.evidence.index(shown), decision.sentences) or None


def delimiter(text: str) -> str:
    """The column separator: the most frequent one in the first line."""
    first_line = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first_line.count)


def _is_prose(text: str, lines: Sequence[Sequence[str]]) -> bool:
    """True if the lines of a file without a header are whole questions.

    Their number of commas then varies, or a space follows the commas, unlike in a file written by a program.
    """
    spaced = any(cell.startswith(" ") for line in lines for cell in line[1:])
    return len({len(line) for line in lines}) > 1 or (spaced and '"' not in text)


def _rows(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """A row for each line with a question. Raises CaseError for an invalid class."""
    cells_of_lines = ({name: cell.strip() for name, cell in zip(head, line, strict=False) if name} for line in lines)
    return [_row(cells) for cells in cells_of_lines if cells.get("query")]


def _row(cells: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {"query": as_meant(cells["query"])}
    if cells.get("subject"):
        row["subject"] = cells["subject"]
    if number := cells.get("class_number"):
        if not (number.isdecimal() and 1 <= int(number) <= 12):
            raise CaseError(
                f"class must be a whole number from 1 to 12, or empty, got {number!r:.40}; correct the file."
            )
        row["class_number"] = int(number)
    return row


def within_limits(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return `rows` if they may be asked. Raises CaseError if there are none, or more than MOST."""
    if not rows:
        raise CaseError("The list holds no question; give at least one, one a line.")
    if len(rows) > MOST:
        raise CaseError(f"The list holds {len(rows):,} questions, at most {MOST} are asked at a time; split it.")
    return rows
