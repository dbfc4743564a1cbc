"""Reads the rows of a file in JSONL, JSON, CSV or Parquet, with our column names or those of another program."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.banks.dataset_columns import LIST_FIELDS, convert_values, field_of, normalize_row, split_contexts
from core.banks.question_lists import delimiter, without_escape
from core.banks.rows import ANSWER_EXPECTATIONS, value_of
from core.case import CaseError

MOST_BYTES = 10 * 2**20
"""Maximum file size; far more than the rows of a bank need."""
NAMES: Mapping[str, str] = {
    "question": "query", "class": "class_number", "label": "expected", "should be": "expected",
    "answer to judge": "answer", "answer": "answer or reference", "reference answer": "reference",
}  # fmt: skip
"""The field for each column name that is accepted besides the field names. A column called only "answer" may hold
either of two fields, see ANSWERS.
"""
ANSWERS = ("answer", "reference")
"""The fields that a column called only "answer" may mean: the answer to judge, or the reference answer."""
_EITHER = NAMES["answer"]
FIRST = ("id", "query", "class_number", "subject", "documents", "pages", "answer", "expected", "kind", "facts")
"""The first columns of a table that is written, in order."""
_FIELDS = (*FIRST, "contexts", "history", "citations", "attribute", "tool_results", "false_facts")
_PARQUET = b"PAR1"
_MAX_EXPANSION = 8
"""Maximum ratio of a Parquet file's size in memory to the limit on its file size."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of a file. number: its first line, counted from 1, or its row number where a file has no lines.

    row: None if the line holds no row. problem: one sentence on what is wrong; "" for a valid row.
    """

    number: int
    row: Mapping[str, Any] | None
    problem: str = ""


class AmbiguousAnswerColumn(CaseError):  # noqa: N818 - a question, not an error
    """Raised if a table has a column "answer" and it is unclear which field of ANSWERS it holds."""


def lines_of(data: bytes, name: str) -> Iterator[Line]:
    """Yield every row of a file: Parquet or JSON if its name or first bytes say so, else CSV.

    Raises CaseError if the file as a whole is unreadable: not UTF-8, not a table, or without a question column.
    """
    if data.startswith(_PARQUET):
        return _of_parquet(data)
    text, ending = _decode(data), name.lower().rpartition(".")[2]
    if text.lstrip().startswith("[") and ending not in ("csv", "tsv", "txt", "jsonl", "ndjson"):
        return _of_array(text)
    is_json = ending in ("jsonl", "ndjson", "json") or text.lstrip().startswith("{")
    return (_of_json if is_json else _of_csv)(text)


def json_lines(data: bytes) -> Iterator[Line]:
    """Yield every row of a file in JSONL. Raises CaseError if the file is not UTF-8."""
    return _of_json(_decode(data))


def resolve_answer_column(lines: Iterable[Line], answer: str = "") -> list[Line]:
    """Resolve a column called only "answer" to one of ANSWERS, in every line.

    If every row has the label "supported" or "altered", the column holds answers to judge. Otherwise the argument
    `answer` names the field; AmbiguousAnswerColumn is raised if that is empty. A row with an empty answer becomes a
    question without an answer.
    """
    lines = list(lines)
    rows = [line.row for line in lines if line.row and not _is_empty(line.row.get(_EITHER))]
    has_only_answers = all(row.get("expected") in ANSWER_EXPECTATIONS for row in rows)
    field = answer or ("answer" if has_only_answers else "")
    if not field:
        raise AmbiguousAnswerColumn(
            "The column answer may hold the answer to judge or what a right answer says; "
            "call it “answer to judge” or “reference”."
        )
    new_lines = rename_answer_column(lines, field)
    return [
        replace(line, row={k: v for k, v in line.row.items() if k not in ANSWERS or not _is_empty(v)})
        if line.row
        else line
        for line in new_lines
    ]


def rename_answer_column(lines: Iterable[Line], field: str) -> Iterator[Line]:
    """Yield the lines with the column called only "answer" renamed to `field`, one of ANSWERS."""
    for line in lines:
        new_row = line.row and {field if name == _EITHER else name: value for name, value in line.row.items()}
        yield replace(line, row=new_row)


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _decode(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CaseError(
            f"Line {line} of the file holds the byte 0x{data[error.start]:02x}, which is no UTF-8; "
            "save the file as CSV in UTF-8 (or as JSONL in UTF-8)."
        ) from error
    if "\0" in text.partition("\n")[0]:
        raise CaseError("The file is no text but something else; save the bank as CSV or JSONL in UTF-8.")
    return text


def _of_json(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield Line(number=number, row=_object(json.loads(line)))
            except (ValueError, RecursionError) as error:
                yield Line(number=number, row=None, problem=_problem_of(error))


def _of_array(text: str) -> Iterator[Line]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"The file is no list of JSON that can be read ({error}); write one object a line.") from error
    for number, row in enumerate(rows, 1):
        try:
            yield Line(number=number, row=_object(row))
        except CaseError as error:
            yield Line(number=number, row=None, problem=str(error))


def _object(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise CaseError(f"A row must be a JSON object, got {type(row).__name__}.")
    return normalize_row(row)


def _problem_of(error: Exception) -> str:
    if isinstance(error, CaseError):
        return str(error)
    return f"The line is no row of JSON ({type(error).__name__}: {error}); write one object in braces a line."


def _of_parquet(data: bytes) -> Iterator[Line]:
    import pyarrow as pa
    from pyarrow import parquet

    number, byte_count = 0, 0
    try:
        for batch in parquet.ParquetFile(io.BytesIO(data)).iter_batches(batch_size=16):
            byte_count += batch.nbytes
            if byte_count > _MAX_EXPANSION * max(MOST_BYTES, len(data)):
                raise CaseError("The table is far larger than its file; give it as JSONL, or in parts.")
            for index in range(batch.num_rows):
                number += 1
                yield _of_cells(number, batch.slice(index, 1))
    except (pa.ArrowException, OSError) as error:
        raise CaseError(f"The file is no Parquet that can be read ({error}); save it as JSONL instead.") from error


def _of_cells(number: int, table: Any) -> Line:
    """The line for an Arrow table of one row. A text that is not UTF-8 makes only this line invalid."""
    try:
        return Line(number=number, row=normalize_row(_plain(table.to_pylist()[0])))
    except (ValueError, RecursionError) as error:
        problem = f"Row {number} of the table cannot be read ({error}); write its texts in UTF-8."
        return Line(number=number, row=None, problem=problem)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table as JSON values. Fields that need a number, a boolean or a list may hold it as text.

    A cell is empty if it is null or NaN, as in pandas. Empty cells are left out, except an empty answer, which becomes
    null.
    """
    plain = json.loads(json.dumps(row, default=str), parse_constant=lambda name: None if name == "NaN" else float(name))
    present = {name: v for name, v in plain.items() if v is not None or field_of(name, row) == "answer"}
    return {name: _value(name, value) for name, value in present.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return value_of(name, value) if name in ("class_number", "attribute", "expected", *LIST_FIELDS) else value
    whole = isinstance(value, float) and value.is_integer() and name == "class_number"
    return int(value) if whole else value


def _of_csv(text: str) -> Iterator[Line]:
    """Yield a line for each row of a table. Raises CaseError if the table cannot be parsed."""
    csv.field_size_limit(max(MOST_BYTES, len(text)))  # a long cell must fail its own row, not the file
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text), strict=True)
    names: list[str] = []
    fields: list[str] = []
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
        if fields and any(cell.strip() for cell in cells):
            yield _line(number, names, fields, cells)
        elif any(cell.strip() for cell in cells):
            names = [without_escape(cell.strip()) for cell in cells]
            fields = _fields(names)


def _fields(names: Sequence[str]) -> list[str]:
    """The field of each column. Raises CaseError if no column holds the question, or two have the same name."""
    fields = [_field(name, names) or f"column {n}" for n, name in enumerate(names, 1)]
    if "query" not in fields:
        raise CaseError(
            f"The file has no column question (or query), its first line says {', '.join(names)!r:.120}; name one so."
        )
    if duplicates := [field for n, field in enumerate(fields) if field in fields[:n]]:
        raise CaseError(f"Two columns are called {duplicates[0]!r:.60}; give each a name of its own.")
    return fields


def _field(name: str, among: Sequence[str]) -> str:
    field_key = " ".join(name.casefold().replace("_", " ").split())
    field_by_name = {field.replace("_", " "): field for field in _FIELDS}
    if field_key == "answer" and any(_field(n, ()) == "reference" for n in among if n != name):
        return "answer"  # the reference answers have a column of their own
    return NAMES.get(field_key) or field_by_name.get(field_key) or field_of(name, among)


def _line(number: int, names: Sequence[str], fields: Sequence[str], cells: Sequence[str]) -> Line:
    if any(cell.strip() for cell in cells[len(fields) :]):
        problem = f"It has {len(cells)} cells and the first line names {len(fields)}; put a text with commas in quotes."
        return Line(number=number, row=None, problem=problem)
    texts = [split_contexts(name, without_escape(cell.strip())) for name, cell in zip(names, cells, strict=False)]
    values = {f: value_of(f, cell) for f, cell in zip(fields, texts, strict=False)}
    may_be_empty = {
        f for name, f in zip(names, fields, strict=True) if f in ("answer", _EITHER) and not _is_of_a_bank(name)
    }
    row = {f: v for f, v in values.items() if v is not None or f in may_be_empty}
    return Line(number=number, row=convert_values(row))


def _is_of_a_bank(name: str) -> bool:
    """True for the answer column of our own banks, in which an empty cell means a question without an answer."""
    return " ".join(name.casefold().replace("_", " ").split()) == "answer to judge"
