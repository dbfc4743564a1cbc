"""Rows for a set: reads them from a file with one problem a row, and writes them, also under the column names of other
programs.
"""

import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any, Literal, get_args

from core.banks.columns import COLUMNS, FIRST, cell_of, joined_contexts, to_program_columns
from core.banks.formats import EITHER, MOST_BYTES, Line, own_lines, raw_rows
from core.banks.row import ANSWER_EXPECTATIONS, UNWRITABLE, validate_row
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
    """Rows of a file as those of a set, in which an empty answer is none: it makes the row a question.

    A column called only "answer" holds answers to judge if every row with one has the label of such an answer; else
    CaseError is raised.
    """
    lines = list(own_lines(raw_lines, EITHER))
    unclear = [line.row for line in lines if line.row and not is_empty(line.row.get(EITHER))]
    if any(row.get("expected") not in ANSWER_EXPECTATIONS for row in unclear):
        raise CaseError(
            "The column answer may hold the answer to judge or what a right answer says; "
            "call it “answer to judge” or “reference”."
        )
    for n, line in enumerate(lines):
        if line.row is not None:
            named = (("answer" if field == EITHER else field, value) for field, value in line.row.items())
            row = {f: value for f, value in named if f not in ("answer", "reference") or not is_empty(value)}
            lines[n] = replace(line, row=row)
    return lines


def recheck(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Validate every line and return it with its current problem. A line with the same id as an earlier valid line has
    a problem too.
    """
    line_of_id: dict[str, int] = {}

    def check(line: Line) -> Line:
        if line.row is None:
            return line
        try:
            id_ = validate_row(line.row)["id"]
            if id_ in line_of_id:
                subject = f"The id {id_!r:.90}" if line.row.get("id") else "The same question"
                raise CaseError(
                    f"{subject} stands in line {line_of_id[id_]} already; give it an id of its own, or leave it out."
                )
            line_of_id[id_] = line.number
        except (ValueError, RecursionError) as error:
            return replace(line, problem=str(error))
        return replace(line, problem="")

    return tuple(map(check, lines))


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
    if kind == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        schema = pa.schema([(f, pa.list_(pa.string()) if f == contexts else pa.string()) for f in fields])
        cells = [{f: v if f == contexts or v is None else cell_of(f, v) for f, v in row.items()} for row in rows]
        out = io.BytesIO()
        parquet.write_table(pa.Table.from_pylist(cells, schema=schema), out)
        return out.getvalue()

    def cell(field: str, value: Any) -> str:
        if field == contexts and program == "deepeval" and value is not None:
            return joined_contexts(value)
        return cell_of("contexts" if field == contexts else field, value)

    return csv_text(({f: cell(f, v) for f, v in row.items()} for row in rows), fields).encode()


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
