"""Tables as CSV that no spreadsheet runs as formulas."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.question import CaseError

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet may take a cell that starts with one of these for a formula."""


def csv_text(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], heads: Mapping[str, str] | None = None) -> str:
    """Rows as CSV, in the order of `columns`. heads: what to call a column, if not by its name."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless((heads or {}).get(name, name)) for name in columns])
    writer.writerows([harmless(row.get(name)) for name in columns] for row in rows)
    return out.getvalue()


def csv_cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a CSV text with the number of its first line. Columns are separated by the sign that the first
    line has most of: comma, semicolon or tab.

    Raises CaseError if a row cannot be told from the next one.
    """
    first_line = next((line for line in text.splitlines() if line.strip()), "")
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a long cell must fail its own row, not the file
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first_line.count), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise CaseError(
                f"Line {number} of the file cannot be read ({error}); close every quotation mark and double those "
                "within a cell."
            ) from error
        if cells is None:
            return
        yield number, [without_escape(cell.strip()) for cell in cells]


def harmless(value: Any) -> Any:
    """`value`, with the sign ' before it if it is a text that looks like a formula: spreadsheets then read
    it as text."""
    return f"'{value}" if isinstance(value, str) and _needs_quote(value) else value


def without_escape(cell: str) -> str:
    """The inverse of `harmless`."""
    return cell[1:] if cell.startswith("'") and _needs_quote(cell[1:]) else cell


def _needs_quote(text: str) -> bool:
    """True for a text that starts like a formula, or like a formula that `harmless` has escaped."""
    return text.lstrip(" ").startswith(_FORMULA_STARTS) or (text.startswith("'") and _needs_quote(text.lstrip("'")))
