"""Banks as files: JSONL or CSV read line by line with what is wrong in each, and given out again."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.banks.rows import JUDGED, cell_of, checked, value_of
from core.banks.splits import REPORTING, TUNING, check_labels
from core.case import CaseError
from core.question_lists import as_meant, delimiter, harmless
from core.serialization import question_of

MOST_BYTES = 10 * 2**20
"""Largest file: far more than the rows of a bank take."""
MOST_ROWS = 5_000
"""Most rows of one bank."""
NAMES: Mapping[str, str] = {
    "question": "query", "class": "class_number", "label": "expected", "should be": "expected",
    "answer to judge": "answer", "answer": "answer or reference", "reference answer": "reference",
}  # fmt: skip
"""What a column may be called beside the name of its field; one that is called only "answer" may be either of two."""
ANSWERS = ("answer", "reference")
"""The fields that a column called only "answer" may be: the answer to judge, or what a right answer says."""
_FIRST = ("id", "query", "class_number", "subject", "documents", "pages", "answer", "expected", "kind", "facts")
_HEADS = {"query": "question", "class_number": "class", "answer": "answer to judge"}
_EITHER = NAMES["answer"]
_TABLES = (".csv", ".tsv")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of a file. number: of its first line, from 1. row: None where the line holds no row at all.

    problem: what is wrong with it in one sentence, "" for a row that is sound.
    """

    number: int
    row: Mapping[str, Any] | None
    problem: str = ""


class AnswerUnclear(CaseError):  # noqa: N818 - a question, not an error
    """A table has a column "answer", and nothing says which of ANSWERS it is."""


def read_bank(path: Path, *, report: bool = False) -> list[dict[str, Any]]:
    """The rows of a bank, JSONL or a table, or of all JSONL banks in a folder, each one readable as `judge` reads it.

    CaseError names the line that cannot be read, and refuses the reporting half unless `report` says that its rows
    are only counted.
    """
    if not report and path.resolve().is_relative_to(REPORTING.resolve()):
        raise CaseError(f"{path.name} is of the reporting half, which is only counted; read {TUNING.name}/ instead.")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise CaseError(f"{path.name} holds no bank; name a JSONL file, or a folder of them.")
    return [row for file in files for row in _rows(file)]


def read(data: bytes, name: str, answer: str = "") -> tuple[Line, ...]:
    """Every row of a file, sound or not: of JSONL when its name or its first sign says so, else of CSV.

    answer: the field, of ANSWERS, that a column called only "answer" is; AnswerUnclear when it is needed and not said.
    CaseError when the file as a whole is no bank: too large, no text in UTF-8, without a question, without a row.
    """
    if len(data) > MOST_BYTES:
        raise CaseError(
            f"The file has {len(data) / 2**20:.1f} MB, at most {MOST_BYTES // 2**20} are read; add it in parts."
        )
    text = _decoded(data)
    is_json = name.lower().endswith((".jsonl", ".ndjson", ".json")) or text.lstrip().startswith("{")
    lines = [line for _, line in zip(range(MOST_ROWS + 1), (_of_json if is_json else _of_csv)(text), strict=False)]
    if not lines:
        raise CaseError("The file holds no question; give at least one row below the names of the columns.")
    if len(lines) > MOST_ROWS:
        raise CaseError(f"The file holds over {MOST_ROWS:,} rows, more than a bank may have; add it in parts.")
    return rechecked(_settled(lines, answer))


def rechecked(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Each line with what is wrong with it; an id that stands in an earlier sound line is wrong too."""
    seen: dict[str, int] = {}
    return tuple(_checked(line, seen) for line in lines)


def amended(lines: Sequence[Line], place: int, cells: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines after some fields of the one at `place` were typed anew, all of them checked again."""
    line = lines[place]
    changed = {**(line.row or {}), **{field: value_of(field, cell) for field, cell in cells.items()}}
    row = {field: value for field, value in changed.items() if value is not None}
    return rechecked([*lines[:place], replace(line, row=row), *lines[place + 1 :]])


def sound(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The rows with which nothing is wrong, each with an id."""
    return [checked(line.row) for line in lines if line.row is not None and not line.problem]


def as_jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    """One row a line, every field as it is."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table with a column for each field that any row has; no cell is taken for a formula by a spreadsheet."""
    held = dict.fromkeys(field for row in rows for field in row)
    fields = [f for f in _FIRST if f in held] + [f for f in held if f not in _FIRST]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(_HEADS.get(field, field)) for field in fields])
    writer.writerows([harmless(cell_of(field, row.get(field))) for field in fields] for row in rows)
    return out.getvalue()


def _settled(lines: Sequence[Line], answer: str) -> list[Line]:
    """The lines with what a column called only "answer" holds under the field that it is.

    Rows that are all expected to be supported or altered say themselves that theirs are to be judged.
    """
    held = [line.row for line in lines if line.row and _EITHER in line.row]
    field = answer or ("answer" if all(row.get("expected") in JUDGED for row in held) else "")
    if not field:
        raise AnswerUnclear(
            "The column answer may hold the answer to judge or what a right answer says; "
            "call it “answer to judge” or “reference”."
        )
    names = {_EITHER: field}
    return [replace(n, row={names.get(k, k): v for k, v in n.row.items()}) if n.row else n for n in lines]


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        data = file.read_bytes()
        if file.suffix.lower() in _TABLES:
            return [_sound(line, file.name) for line in read(data, file.name)]
        lines = data.decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{file.name} cannot be read ({error}); name a JSONL file in UTF-8.") from error
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return [_row(line, f"line {number} of {file.name}") for number, line in numbered]


def _sound(line: Line, name: str) -> dict[str, Any]:
    if line.problem:
        raise CaseError(f"line {line.number} of {name} cannot be read: {line.problem}")
    return checked(line.row)


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
        question_of(row)
        check_labels(row)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{where} cannot be read: {error}") from error
    return row


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
                yield Line(number=number, row=_object(line))
            except (ValueError, RecursionError) as error:
                yield Line(number=number, row=None, problem=_said(error))


def _object(line: str) -> dict[str, Any]:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise CaseError(f"A row must be a JSON object, got {type(row).__name__}.")
    return row


def _said(error: Exception) -> str:
    if isinstance(error, CaseError):
        return str(error)
    return f"The line is no row of JSON ({type(error).__name__}: {error}); write one object in braces a line."


def _of_csv(text: str) -> Iterator[Line]:
    """A line for each row of a table; CaseError for one that no question can be read from."""
    csv.field_size_limit(MOST_BYTES)  # a long cell is one row's fault, and is said of that row
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text), strict=True)
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
            yield _line(number, fields, cells)
        elif any(cell.strip() for cell in cells):
            fields = _fields(cells)


def _fields(head: Sequence[str]) -> list[str]:
    """The field of each column; CaseError when none holds the question, or two are the same."""
    said = [as_meant(cell.strip()) for cell in head]
    fields = [_field(cell) or f"column {n}" for n, cell in enumerate(said, 1)]
    if "query" not in fields:
        raise CaseError(
            f"The file has no column question (or query), its first line says {', '.join(said)!r:.120}; name one so."
        )
    if twice := [field for n, field in enumerate(fields) if field in fields[:n]]:
        raise CaseError(f"Two columns are called {twice[0]!r:.60}; give each a name of its own.")
    return fields


def _field(name: str) -> str:
    folded = " ".join(name.casefold().replace("_", " ").split())
    known = {field.replace("_", " "): field for field in (*_FIRST, "history", "citations", "attribute")}
    return NAMES.get(folded) or known.get(folded) or name


def _line(number: int, fields: Sequence[str], cells: Sequence[str]) -> Line:
    meant = [as_meant(cell.strip()) for cell in cells]
    row = {f: v for f, cell in zip(fields, meant, strict=False) if (v := value_of(f, cell)) is not None}
    if any(meant[len(fields) :]):
        problem = f"It has {len(cells)} cells and the first line names {len(fields)}; put a text with commas in quotes."
        return Line(number=number, row=None, problem=problem)
    return Line(number=number, row=row)


def _checked(line: Line, seen: dict[str, int]) -> Line:
    if line.row is None:
        return line
    try:
        id_ = checked(line.row)["id"]
        if id_ in seen:
            what = f"The id {id_!r:.90}" if line.row.get("id") else "The same question"
            raise CaseError(f"{what} stands in line {seen[id_]} already; give it an id of its own, or leave it out.")
        seen[id_] = line.number
    except (ValueError, RecursionError) as error:
        return replace(line, problem=str(error))
    return replace(line, problem="")
