"""The rows of a file, whatever it is: JSONL, JSON, CSV or Parquet, under our names or those of another program."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.banks.dataset_columns import LISTED, as_ours, field_of, meant, parted
from core.banks.rows import JUDGED, value_of
from core.case import CaseError
from core.question_lists import as_meant, delimiter

MOST_BYTES = 10 * 2**20
"""Largest file: far more than the rows of a bank take."""
NAMES: Mapping[str, str] = {
    "question": "query", "class": "class_number", "label": "expected", "should be": "expected",
    "answer to judge": "answer", "answer": "answer or reference", "reference answer": "reference",
}  # fmt: skip
"""What a column may be called beside the name of its field; one that is called only "answer" may be either of two."""
ANSWERS = ("answer", "reference")
"""The fields that a column called only "answer" may be: the answer to judge, or what a right answer says."""
_EITHER = NAMES["answer"]
FIRST = ("id", "query", "class_number", "subject", "documents", "pages", "answer", "expected", "kind", "facts")
"""The columns that a table begins with."""
_FIELDS = (*FIRST, "contexts", "history", "citations", "attribute", "tool_results", "false_facts")
_PARQUET = b"PAR1"
_UNPACKED = 8
"""A file of Parquet may hold this many times its own limit once it is read."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of a file. number: of its first line, from 1, or of the row where a file has no lines.

    row: None where the line holds no row at all. problem: what is wrong with it in one sentence, "" for a sound one.
    """

    number: int
    row: Mapping[str, Any] | None
    problem: str = ""


class AnswerUnclear(CaseError):  # noqa: N818 - a question, not an error
    """A table has a column "answer", and nothing says which of ANSWERS it is."""


def lines_of(data: bytes, name: str) -> Iterator[Line]:
    """Every row of a file: of Parquet or JSON when its name or its first signs say so, else of CSV.

    CaseError when the file as a whole holds no rows: no text in UTF-8, no table, without a question.
    """
    if data.startswith(_PARQUET):
        return _of_parquet(data)
    text, ending = _decoded(data), name.lower().rpartition(".")[2]
    if text.lstrip().startswith("[") and ending not in ("csv", "tsv", "txt", "jsonl", "ndjson"):
        return _of_array(text)
    is_json = ending in ("jsonl", "ndjson", "json") or text.lstrip().startswith("{")
    return (_of_json if is_json else _of_csv)(text)


def settled(lines: Iterable[Line], answer: str = "") -> list[Line]:
    """The lines with what a column called only "answer" holds under the field of ANSWERS that it is.

    Rows that are all expected to be supported or altered say themselves that theirs are to be judged. AnswerUnclear
    where nothing says it, `answer` neither.
    """
    lines = list(lines)
    held = [line.row for line in lines if line.row and _EITHER in line.row]
    judged = all(row.get("expected") in JUDGED for row in held)
    field = answer or ("answer" if judged else "")
    if not field:
        raise AnswerUnclear(
            "The column answer may hold the answer to judge or what a right answer says; "
            "call it “answer to judge” or “reference”."
        )
    names = {_EITHER: field}
    return [replace(n, row={names.get(k, k): v for k, v in n.row.items()}) if n.row else n for n in lines]


def _decoded(data: bytes) -> str:
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
                yield Line(number=number, row=None, problem=_said(error))


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
    return as_ours(row)


def _said(error: Exception) -> str:
    if isinstance(error, CaseError):
        return str(error)
    return f"The line is no row of JSON ({type(error).__name__}: {error}); write one object in braces a line."


def _of_parquet(data: bytes) -> Iterator[Line]:
    import pyarrow as pa
    from pyarrow import parquet

    number, held = 0, 0
    try:
        for batch in parquet.ParquetFile(io.BytesIO(data)).iter_batches(batch_size=16):
            held += batch.nbytes
            if held > _UNPACKED * max(MOST_BYTES, len(data)):
                raise CaseError("The table is far larger than its file; give it as JSONL, or in parts.")
            for row in batch.to_pylist():
                number += 1
                yield Line(number=number, row=as_ours(_plain(row)))
    except (pa.ArrowException, OSError) as error:
        raise CaseError(f"The file is no Parquet that can be read ({error}); save it as JSONL instead.") from error


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table as JSON has it, empty cells left out; numbers and switches of ours may be told in texts."""
    said = {k: v for k, v in row.items() if v is not None and not (isinstance(v, float) and math.isnan(v))}
    plain = json.loads(json.dumps(said, default=str))
    return {name: _value(name, value) for name, value in plain.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return value_of(name, value) if name in ("class_number", "attribute", "expected", *LISTED) else value
    whole = isinstance(value, float) and value.is_integer() and name == "class_number"
    return int(value) if whole else value


def _of_csv(text: str) -> Iterator[Line]:
    """A line for each row of a table; CaseError for one that no question can be read from."""
    csv.field_size_limit(MOST_BYTES)  # a long cell is one row's fault, and is said of that row
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
            names = [as_meant(cell.strip()) for cell in cells]
            fields = _fields(names)


def _fields(names: Sequence[str]) -> list[str]:
    """The field of each column; CaseError when none holds the question, or two are the same."""
    fields = [_field(name, names) or f"column {n}" for n, name in enumerate(names, 1)]
    if "query" not in fields:
        raise CaseError(
            f"The file has no column question (or query), its first line says {', '.join(names)!r:.120}; name one so."
        )
    if twice := [field for n, field in enumerate(fields) if field in fields[:n]]:
        raise CaseError(f"Two columns are called {twice[0]!r:.60}; give each a name of its own.")
    return fields


def _field(name: str, among: Sequence[str]) -> str:
    folded = " ".join(name.casefold().replace("_", " ").split())
    known = {field.replace("_", " "): field for field in _FIELDS}
    if folded == "answer" and any(_field(n, ()) == "reference" for n in among if n != name):
        return "answer"  # the right ones have a column of their own
    return NAMES.get(folded) or known.get(folded) or field_of(name, among)


def _line(number: int, names: Sequence[str], fields: Sequence[str], cells: Sequence[str]) -> Line:
    if any(cell.strip() for cell in cells[len(fields) :]):
        problem = f"It has {len(cells)} cells and the first line names {len(fields)}; put a text with commas in quotes."
        return Line(number=number, row=None, problem=problem)
    said = [parted(name, as_meant(cell.strip())) for name, cell in zip(names, cells, strict=False)]
    row = {f: v for f, cell in zip(fields, said, strict=False) if (v := value_of(f, cell)) is not None}
    return Line(number=number, row=meant(row))
