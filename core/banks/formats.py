"""Reads the rows of a file: CSV, TSV, JSONL, JSON, Parquet or Excel, with our column names or another program's."""

import codecs
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any

from core.banks.columns import fields_of, folded, own_row
from core.banks.row import ANSWER_EXPECTATIONS
from core.banks.spreadsheet import csv_cells
from core.question import CaseError

MOST_BYTES = 10 * 2**20
"""Maximum size of a file with rows for a set; far more than they need."""
ENDINGS = ("csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet", "xlsx")
"""The endings of files that can be read."""
_TABLES, _SHEETS, _LINES = ("csv", "tsv"), ("xlsx", "xlsm", "xls", "ods"), ("jsonl", "ndjson")
_HEAD = 2**16
_MAX_EXPANSION = 8
"""Maximum ratio of the content of a compressed table to the limit on its file size."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of a file, as it is written there or under our names.

    number: its first line, counted from 1, or its row number where a file has no lines. row: its values by column; None
    if the line holds no row. problem: one sentence on what is wrong; "" if nothing is. is_table: any value may be
    written as text, and null means an empty cell. is_sheet: all values are texts, as in CSV and Excel, and every row
    has the same columns.
    """

    number: int
    row: Mapping[str, Any] | None
    problem: str = ""
    is_table: bool = False
    is_sheet: bool = False


def own_lines(raw_lines: Iterable[Line], *, is_set: bool = False) -> Iterator[Line]:
    """The rows of a file under our names. Raises CaseError if a table has no column for the question, or two for the
    same field.

    is_set: True for rows of a set. In these, a table's column called only "answer" may also hold what a right answer
    says: CaseError is raised unless each row with one has the label of an answer to judge.
    """
    for raw in raw_lines:
        if raw.row is None:
            yield raw
            continue
        row = own_row(raw.row, is_table=raw.is_table)
        if raw.is_sheet:
            _require_columns(tuple(raw.row))
            for name, cell in raw.row.items():
                if folded(name) == "answer to judge" and not cell:  # in our own tables: a question without an answer
                    row.pop("answer", None)
                elif is_set and cell and folded(name) == "answer" and "reference" not in fields_of(tuple(raw.row)):
                    _require_label(row)
        yield Line(number=raw.number, row=row)


def raw_rows(file: IO[bytes], name: str) -> Iterator[Line]:
    """Yield every row of a file as it is written there, by its ending or first bytes. JSONL is read line by line, other
    files as a whole. Raises CaseError if the file as a whole is unreadable.
    """
    head, ending = file.read(_HEAD), name.lower().rpartition(".")[2]
    file.seek(0)
    first = head.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if head.startswith(b"PAR1") or ending == "parquet":
        return _of_parquet(file.read())
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")) or ending in _SHEETS:
        return _of_table(_sheet_cells(file.read()))
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 4 * head[:100].count(0) > len(head[:100]):
        raise CaseError("The file is written in UTF-16, or is no text; save it in UTF-8, as CSV or JSONL.")
    if ending in _LINES or (first == b"{" and ending not in (*_TABLES, "json")):
        return _of_lines(file)
    if first in (b"[", b"{") and ending not in (*_TABLES, "txt"):
        return _of_json(_decoded(file.read()))
    return _of_table(csv_cells(_decoded(file.read())))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CaseError(
            f"Line {line} of the file holds the byte 0x{data[error.start]:02x}, which is no UTF-8; "
            "save the file as CSV in UTF-8 (or as JSONL in UTF-8)."
        ) from error


def _of_lines(file: IO[bytes]) -> Iterator[Line]:
    for number, data in enumerate(file, 1):
        text = data.removeprefix(codecs.BOM_UTF8) if number == 1 else data
        if text.strip():
            try:
                yield _raw_object(number, json.loads(text.decode("utf-8")))
            except (ValueError, RecursionError) as error:
                problem = f"Line {number} is no row of JSON ({error}); write one object in braces a line, in UTF-8."
                yield Line(number=number, row=None, problem=problem)


def _raw_object(number: int, row: Any) -> Line:
    if isinstance(row, dict):
        return Line(number=number, row=row)
    return Line(number=number, row=None, problem=f"A row must be a JSON object, got {type(row).__name__}.")


def _of_json(text: str) -> Iterator[Line]:
    """Rows of a JSON file: a list of objects, one object a line, or the shapes in which pandas writes a table."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("{"):
            return _of_lines(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        raise CaseError(f"The file is no list of JSON that can be read ({error}); write one object a line.") from error
    return (_raw_object(number, row) for number, row in enumerate(_objects(value), 1))


def _objects(value: Any) -> Sequence[Any]:
    """The rows in a JSON value: a list of them, or an object that pandas makes of a table: a list for each column, an
    object for each column with its values by index, or the names of the columns beside a list of lists.
    """
    if isinstance(value, list):
        return value
    if isinstance(value.get("data"), list):
        names = value.get("columns")
        return [dict(zip(names, row, strict=False)) for row in value["data"]] if names else value["data"]
    columns = {name: list(v.values()) if isinstance(v, dict) else v for name, v in value.items()}
    questions = [v for v, field in zip(columns.values(), fields_of(tuple(columns)), strict=True) if field == "query"]
    if not any(isinstance(v, list) for v in questions):
        return [value]
    counts = {name: len(v) if isinstance(v, list) else 0 for name, v in columns.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} in {name}" for name, count in counts.items())
        raise CaseError(
            f"The file has columns of different lengths: {told:.120}; give each column one value for each row, or "
            "write one object for each row."
        )
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _of_parquet(data: bytes) -> Iterator[Line]:
    import pyarrow as pa
    from pyarrow import parquet

    number, byte_count = 0, 0
    try:
        for batch in parquet.ParquetFile(io.BytesIO(data)).iter_batches(batch_size=16):
            byte_count += batch.nbytes
            _require_size(byte_count, data)
            for index in range(batch.num_rows):
                number += 1
                try:  # a text that is not UTF-8 makes only its own row invalid
                    row = json.loads(json.dumps(batch.slice(index, 1).to_pylist()[0], default=str))
                    full = {name: None if v != v else v for name, v in row.items()}  # NaN is empty
                    yield Line(number=number, row=full, is_table=True)
                except (ValueError, RecursionError) as error:
                    problem = f"Row {number} of the table cannot be read ({error}); write its texts in UTF-8."
                    yield Line(number=number, row=None, problem=problem)
    except (pa.ArrowException, OSError) as error:
        raise CaseError(f"The file is no Parquet that can be read ({error}); save it as JSONL instead.") from error


def _require_size(byte_count: int, data: bytes) -> None:
    if byte_count > _MAX_EXPANSION * max(MOST_BYTES, len(data)):
        raise CaseError("The table is far larger than its file; give it as JSONL, or in parts.")


def _sheet_cells(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of the only sheet with cells in an Excel file, as texts, with its number."""
    import pandas as pd

    try:
        if zipfile.is_zipfile(io.BytesIO(data)):
            _require_size(sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(data)).infolist()), data)
        sheets = pd.read_excel(
            io.BytesIO(data), sheet_name=None, header=None, dtype=str, keep_default_na=False, engine="calamine"
        )
    except CaseError:
        raise
    except ImportError as error:
        raise CaseError("Excel sheets cannot be read here; save the sheet as CSV in UTF-8.") from error
    except Exception as error:  # the reader may raise anything on a broken file
        raise CaseError(f"The file is no sheet that can be read ({error}); save it as CSV in UTF-8.") from error
    filled = [sheet for sheet in sheets.values() if sheet.size]
    if len(filled) != 1:
        raise CaseError(f"The file has {len(filled)} sheets with cells; keep one, or save it as CSV in UTF-8.")
    for number, cells in enumerate(filled[0].itertuples(index=False), 1):
        yield number, [cell.strip() if isinstance(cell, str) else "" for cell in cells]


def _of_table(rows: Iterator[tuple[int, list[str]]]) -> Iterator[Line]:
    """A row for each below the one with the names of the columns. Raises CaseError if two columns have one name, or if
    there is no row below and no column for the question.
    """
    names: list[str] = []
    is_empty = True
    for number, cells in rows:
        if not any(cells):
            continue
        if not names:
            names = [name or f"column {n}" for n, name in enumerate(cells, 1)]
            if duplicates := [name for n, name in enumerate(names) if name in names[:n]]:
                raise _two_columns(duplicates[0])
            continue
        is_empty = False
        if any(cells[len(names) :]):
            problem = (
                f"It has {len(cells)} cells and the first line names {len(names)}; put a text with commas in quotes."
            )
            yield Line(number=number, row=None, problem=problem)
        else:
            values = dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=False))
            raw = {name: cell or None for name, cell in values.items()}
            yield Line(number=number, row=raw, is_table=True, is_sheet=True)
    if names and is_empty:
        _require_columns(tuple(names))


def _require_label(row: Mapping[str, Any]) -> None:
    if row.get("expected") not in ANSWER_EXPECTATIONS:
        raise CaseError(
            "The column answer may hold the answer to judge or what a right answer says; "
            "call it “answer to judge” or “reference”."
        )


@lru_cache(maxsize=1)
def _require_columns(names: tuple[str, ...]) -> None:
    fields = fields_of(names)
    if "query" not in fields:
        raise CaseError(
            f"The file has no column question (or query), its first line says {', '.join(names)!r:.120}; name one so."
        )
    if duplicates := [field for n, field in enumerate(fields) if field in fields[:n]]:
        raise _two_columns(duplicates[0])


def _two_columns(name: str) -> CaseError:
    return CaseError(f"Two columns are called {name!r:.60}; give each a name of its own.")
