"""Files whose columns and labels have names of their own: what they seem to hold, and their rows under our names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.banks.columns import fields_of, folded, value_of
from core.banks.files import for_set, is_empty, recheck
from core.banks.formats import Line
from core.banks.row import ANSWER_EXPECTATIONS, EXPECTATIONS
from core.question import CaseError

FIELDS: Mapping[str, str] = {
    "query": "query", "expected": "expected", "answer": "answer to judge", "reference": "reference",
    "class_number": "class", "subject": "subject", "documents": "documents", "pages": "pages", "contexts": "contexts",
    "facts": "facts", "kind": "kind", "note": "note", "id": "id",
}  # fmt: skip
"""The fields that a column of a file may hold, each with a name under which a file of ours has it."""
OWN_COLUMN, LEFT_OUT = "own column", "left out"
"""A column that holds none of the fields is kept under its own name, or is not read."""
MOST_COLUMNS = 100
"""Maximum columns of a file whose columns are mapped one by one."""
_MOST_LABELS = 12
"""Maximum different labels of a file that can be given a meaning one by one."""


def columns_in(lines: Sequence[Line]) -> dict[str, str]:
    """The columns of a file, each with the field that it seems to hold, or OWN_COLUMN; "" for a column called only
    "answer" in a table, whose meaning somebody must say unless all labels are those of answers to judge. Raises
    CaseError if they are more than MOST_COLUMNS."""
    names = tuple(dict.fromkeys(name for line in lines for name in line.row or ()))
    if len(names) > MOST_COLUMNS:
        raise CaseError(
            f"The file has {len(names):,} columns, at most {MOST_COLUMNS} are read; leave out those that hold nothing "
            "about the questions."
        )
    found = {n: f if f in FIELDS else OWN_COLUMN for n, f in zip(names, fields_of(names), strict=True)}
    bare = [name for name in names if folded(name) == "answer" and any(line.is_sheet for line in lines)]
    if bare and "reference" not in found.values():
        label = next((name for name, field in found.items() if field == "expected"), None)
        labels = {label_of(value) for value in label_counts(lines, label)}
        found[bare[0]] = "answer" if labels and labels <= set(ANSWER_EXPECTATIONS) else ""
    return found


def can_be_kept(name: str) -> bool:
    """False if a column of this name would be read as one of FIELDS although it is to be kept as it is."""
    return fields_of((FIELDS["query"], name))[1] not in FIELDS


def label_counts(lines: Sequence[Line], column: str | None) -> dict[str, int]:
    """The different labels in a column as texts, each with its number of rows; empty if they are too many to be given a
    meaning, or there is no such column."""
    cells = ((line.row or {}).get(column) for line in lines) if column else ()
    counts = Counter(_cell_text(cell) for cell in cells if not is_empty(cell))
    return dict(counts) if len(counts) <= _MOST_LABELS else {}


def label_of(text: str, *, has_answer: bool = True) -> str:
    """The label of ours that a label of a file seems to mean; "" if none. has_answer: True if the file has answers to
    judge: a yes is then a right answer, else a question that should be answered."""
    found = value_of("expected", text)
    if not has_answer and text not in ANSWER_EXPECTATIONS:
        found = {"supported": "answered", "altered": "refused"}.get(found, found)
    return found if found in EXPECTATIONS else ""


def mapped_lines(lines: Sequence[Line], columns: Mapping[str, str], labels: Mapping[str, str]) -> tuple[Line, ...]:
    """The rows of a file, read as if its columns and its labels were named as ours.

    columns: for each column a field of FIELDS, OWN_COLUMN or LEFT_OUT. labels: our label for labels of the file, ""
    for one that says nothing of what is expected. Raises CaseError if no column holds the question, two hold the same
    field, or one is kept under the name of a field. A file without any column gives the problems of its lines.
    """
    fields = [field for field in columns.values() if field in FIELDS]
    if columns and "query" not in fields:
        raise CaseError("No column holds the question; say which one does.")
    if duplicates := [field for n, field in enumerate(fields) if field in fields[:n]]:
        raise CaseError(f"Two columns are read as {FIELDS[duplicates[0]]}; leave one of them out.")
    if taken := [name for name, field in columns.items() if field == OWN_COLUMN and not can_be_kept(name)]:
        read_as = FIELDS[fields_of((FIELDS["query"], taken[0]))[1]]
        raise CaseError(
            f"The column {taken[0]} cannot be kept as it is, since a set reads it as {read_as}; say what it holds, or "
            "leave it out."
        )
    return recheck(for_set(_renamed(line, columns, labels) for line in lines))


def _renamed(line: Line, columns: Mapping[str, str], labels: Mapping[str, str]) -> Line:
    if line.row is None:
        return line
    cells: dict[str, Any] = {}
    for name, value in line.row.items():
        field = columns.get(name, OWN_COLUMN)
        if field == LEFT_OUT:
            continue
        is_label = field == "expected" and not is_empty(value)
        cells[FIELDS.get(field, name)] = labels.get(_cell_text(value), value) if is_label else value
    return replace(line, row=cells, is_table=True, is_sheet=False)


def _cell_text(value: Any) -> str:
    return str(value).strip().casefold().removesuffix(".0")
