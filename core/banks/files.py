"""Rows for a set: reads them from a file with one problem a row, and writes them, also under the column names of other
programs. In a file whose columns and labels have names of their own, people say what these hold.
"""

import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any, Literal, get_args

from core.banks.columns import COLUMNS, FIRST, cell_of, fields_of, folded, joined_contexts, to_program_columns, value_of
from core.banks.formats import MOST_BYTES, Line, own_lines, raw_rows
from core.banks.row import ANSWER_EXPECTATIONS, EXPECTATIONS, UNWRITABLE, validate_row
from core.banks.spreadsheet import csv_text
from core.question import CaseError

MOST_ROWS = 100_000
"""Maximum number of rows in a set: as many as Tune opens in 5 s, decides anew in a tenth of a second when a slider
moves, and holds in 2 GB. `python -m core.lab.load.bank_size 100000` measures it."""
MOST_PASTED = 200
"""Maximum number of questions in a list."""
Kind = Literal["csv", "jsonl", "json", "parquet"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""File formats in which rows can be written under another program's column names."""
_HEADS = {"query": "question", "class_number": "class", "answer": "answer to judge"}


def read_raw(data: bytes, name: str) -> tuple[Line, ...]:
    """Every row of a file as it is written there. Raises CaseError if the file is too large, unreadable, or empty."""
    if len(data) > MOST_BYTES:
        raise CaseError(
            f"The file has {len(data) / 2**20:.1f} MB, at most {MOST_BYTES // 2**20} are read; add it in parts."
        )
    rows = [row for _, row in zip(range(MOST_ROWS + 1), raw_rows(io.BytesIO(data), name), strict=False)]
    if not rows:
        raise CaseError("The file holds no question; give at least one row below the names of the columns.")
    if len(rows) > MOST_ROWS:
        raise CaseError(f"The file holds over {MOST_ROWS:,} rows, more than a bank may have; add it in parts.")
    return tuple(rows)


def for_set(raw_lines: Iterable[Line]) -> list[Line]:
    """Rows of a file as those of a set, in which an empty answer is none: it makes the row a question. Raises CaseError
    as `own_lines` does.
    """
    lines = list(own_lines(raw_lines, is_set=True))
    for n, line in enumerate(lines):
        if line.row is not None:
            cells = line.row.items()
            row = {f: value for f, value in cells if f not in ("answer", "reference") or not is_empty(value)}
            lines[n] = replace(line, row=row)
    return lines


def recheck(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Validate every line and return it with its current problem. A line with the same id as an earlier valid line has
    a problem too.
    """
    line_of_id: dict[str, int] = {}

    def problem_of(line: Line) -> str:
        try:
            id_ = validate_row(line.row)["id"]
        except (ValueError, RecursionError) as error:
            return str(error)
        if line_of_id.setdefault(id_, line.number) == line.number:
            return ""
        subject = f"The id {id_!r:.90}" if line.row.get("id") else "The same question"
        return f"{subject} stands in line {line_of_id[id_]} already; give it an id of its own, or leave it out."

    return tuple(line if line.row is None else replace(line, problem=problem_of(line)) for line in lines)


def sound(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The validated rows of the lines without a problem, each with an id."""
    return [validate_row(line.row) for line in lines if line.row is not None and not line.problem]


def parse_questions(text: str) -> list[dict[str, Any]]:
    """A row for each question in a text, one a line. Raises CaseError if there are none, or more than MOST_PASTED."""
    questions = [line.strip() for line in text.splitlines() if line.strip()]
    if not questions:
        raise CaseError("The list holds no question; give at least one, one a line.")
    if len(questions) > MOST_PASTED:
        raise CaseError(
            f"The list holds {len(questions):,} questions, at most {MOST_PASTED} are added at a time; split it."
        )
    return [{"query": question} for question in questions]


def as_jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as JSONL: one row per line, all fields unchanged."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a table with one column per field."""
    fields = sorted(_all_fields(rows), key=lambda field: FIRST.index(field) if field in FIRST else len(FIRST))
    return csv_text(({f: cell_of(f, v) for f, v in row.items()} for row in rows), fields, _HEADS)


def for_program(rows: Iterable[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """Our rows as a file of the format `kind`, under the column names of a program of COLUMNS."""
    out = io.BytesIO()
    write_for_program(out, rows, program, kind)
    return out.getvalue()


def write_for_program(out: IO[bytes], rows: Iterable[Mapping[str, Any]], program: str, kind: Kind) -> None:
    """Write our rows under the column names of a program of COLUMNS. If `rows` raises, the rows before it are written.

    JSONL is written row by row; the other formats need all rows first. JSON and Parquet keep every text unchanged; CSV
    escapes formulas. Characters that no file can store become U+FFFD.
    """
    portable_rows = (to_program_columns(_portable(row), program) for row in rows)
    if kind == "jsonl":
        for row in portable_rows:
            out.write(as_jsonl([row]).encode())
            out.flush()
        return
    buffer: list[dict[str, Any]] = []
    try:
        buffer.extend(portable_rows)
    finally:
        out.write(_whole_file(buffer, program, kind))


def _whole_file(rows: Sequence[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """All rows as one file. A table has one text a cell, but for contexts in Parquet, which stay lists of texts."""
    if kind == "json":
        return json.dumps(rows, ensure_ascii=False, indent=1).encode()
    fields, contexts = _all_fields(rows), COLUMNS[program].contexts

    def cell(field: str, value: Any) -> Any:
        if field != contexts:
            return value if value is None else cell_of(field, value)
        if kind == "parquet":
            return value
        return joined_contexts(value) if program == "deepeval" and value is not None else cell_of("contexts", value)

    cells = [{field: cell(field, value) for field, value in row.items()} for row in rows]
    if kind == "csv":
        return csv_text(cells, fields).encode()
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(f, pa.list_(pa.string()) if f == contexts else pa.string()) for f in fields])
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(cells, schema=schema), out)
    return out.getvalue()


def _all_fields(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(field for row in rows for field in row))


def _portable(value: Any) -> Any:
    """`value` in a form that every format can store: NUL characters and lone surrogates become U+FFFD; NaN, infinity
    and values that are nested too deeply become null.
    """
    if isinstance(value, str):
        return UNWRITABLE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_portable(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    portable = {}
    for name, part in value.items():
        try:
            portable[UNWRITABLE.sub("\ufffd", name)] = _portable(part)
        except RecursionError:
            portable[UNWRITABLE.sub("\ufffd", name)] = None
    return portable


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


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

    def renamed(line: Line) -> Line:
        cells: dict[str, Any] = {}
        for name, value in (line.row or {}).items():
            field = columns.get(name, OWN_COLUMN)
            if field != LEFT_OUT:
                is_label = field == "expected" and not is_empty(value)
                cells[FIELDS.get(field, name)] = labels.get(_cell_text(value), value) if is_label else value
        return line if line.row is None else replace(line, row=cells, is_table=True, is_sheet=False)

    return recheck(for_set(map(renamed, lines)))


def _cell_text(value: Any) -> str:
    return str(value).strip().casefold().removesuffix(".0")
