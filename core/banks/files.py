"""Banks as files: reads them with a problem report for each row, writes them (also under other programs' names), and
splits questions into two halves, one for tuning and one for reporting.
"""

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Literal, get_args

from core.banks.dataset_columns import COLUMNS, join_contexts, to_program_columns
from core.banks.file_formats import FIRST, MOST_BYTES, Line, lines_of, resolve_answer_column
from core.banks.question_lists import harmless
from core.banks.rows import UNWRITABLE, cell_of, check_id, check_labels, require_texts, validate_row, value_of
from core.case import CaseError
from core.chain.serialization import question_of

BANKS = Path(__file__).parents[2] / "data" / "banks"
TUNING = BANKS / "tuning"
"""Banks for choosing limits and for inspection while checks are developed."""
REPORTING = BANKS / "reporting"
"""Banks for reporting figures. Nothing that fits, trains, tunes or calibrates may open them."""
SAMPLE_BANKS = "reporting half of the sample banks"
"""The name that figures use for the default bank."""
Kind = Literal["csv", "jsonl", "json", "parquet"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""File formats in which rows can be written under another program's column names."""

MOST_ROWS = 100_000
"""Maximum number of rows in a bank: as many as Tune opens in 5 s, decides anew in a tenth of a second when a slider
moves, and holds in 2 GB. `python -m core.lab.load.bank_size 100000` measures it."""
_HEADS = {"query": "question", "class_number": "class", "answer": "answer to judge"}


def read_lines(data: bytes, name: str, answer: str = "") -> tuple[Line, ...]:
    """Every row of a file in JSONL, JSON, CSV or Parquet, valid or not.

    answer: which of ANSWERS a column called only "answer" is. Raises AmbiguousAnswerColumn if that is needed and not
    given, and CaseError if the file as a whole is not a bank: too large, not UTF-8, without a
    question column, or without rows.
    """
    if len(data) > MOST_BYTES:
        raise CaseError(
            f"The file has {len(data) / 2**20:.1f} MB, at most {MOST_BYTES // 2**20} are read; add it in parts."
        )
    lines = [line for _, line in zip(range(MOST_ROWS + 1), lines_of(data, name), strict=False)]
    if not lines:
        raise CaseError("The file holds no question; give at least one row below the names of the columns.")
    if len(lines) > MOST_ROWS:
        raise CaseError(f"The file holds over {MOST_ROWS:,} rows, more than a bank may have; add it in parts.")
    return recheck(resolve_answer_column(lines, answer))


def recheck(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Validate every line and return it with its current problem. A line with the same id as an earlier valid line has
    a problem too.
    """
    line_of_id: dict[str, int] = {}
    return tuple(_check(line, line_of_id) for line in lines)


def edit_line(lines: Sequence[Line], index: int, cells: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines after some fields of one line were edited; all lines are checked again."""
    line = lines[index]
    values = {**(line.row or {}), **{field: value_of(field, cell) for field, cell in cells.items()}}
    row = {field: value for field, value in values.items() if value is not None}
    return recheck([*lines[:index], replace(line, row=row), *lines[index + 1 :]])


def sound(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The validated rows of the lines without a problem, each with an id."""
    return [validate_row(line.row) for line in lines if line.row is not None and not line.problem]


def as_jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as JSONL: one row per line, all fields unchanged."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a table with one column per field. Cells are escaped so that spreadsheets do not run them as
    formulas."""
    all_fields = dict.fromkeys(field for row in rows for field in row)
    fields = [f for f in FIRST if f in all_fields] + [f for f in all_fields if f not in FIRST]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(_HEADS.get(field, field)) for field in fields])
    writer.writerows([harmless(cell_of(field, row.get(field))) for field in fields] for row in rows)
    return out.getvalue()


def for_program(rows: Sequence[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """Our rows as a file of the format `kind`, under the column names of a program of COLUMNS."""
    out = io.BytesIO()
    write_for_program(out, rows, program, kind)
    return out.getvalue()


def write_for_program(out: IO[bytes], rows: Iterable[Mapping[str, Any]], program: str, kind: Kind) -> None:
    """Write our rows under the column names of a program of COLUMNS. If `rows` raises, the rows before it are written.

    JSONL is written row by row; the other formats need all rows first. JSON and Parquet keep every text unchanged; CSV
    escapes formulas. Characters that no file can store become U+FFFD.
    """
    if kind == "jsonl":
        for row in rows:
            out.write(as_jsonl(to_program_columns([_portable(row)], program)).encode())
            out.flush()
        return
    buffer: list[dict[str, Any]] = []
    try:
        buffer.extend(map(_portable, rows))
    finally:
        out.write(_whole(to_program_columns(buffer, program), program, kind))


def _portable(row: Mapping[str, Any]) -> dict[str, Any]:
    """`row` in a form that every format can store: NUL characters and lone surrogates become U+FFFD; NaN, infinity and
    values that are nested too deeply become null.
    """
    portable = {}
    for name, value in row.items():
        try:
            portable[UNWRITABLE.sub("\ufffd", name)] = _portable_value(value)
        except RecursionError:
            portable[UNWRITABLE.sub("\ufffd", name)] = None
    return portable


def _portable_value(value: Any) -> Any:
    if isinstance(value, str):
        return UNWRITABLE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {UNWRITABLE.sub("\ufffd", name): _portable_value(part) for name, part in value.items()}
    return [_portable_value(part) for part in value] if isinstance(value, list) else value


def _whole(rows: Sequence[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """All rows under the column names of `program`, as one file in a format that is not written row by row."""
    if kind == "json":
        return json.dumps(rows, ensure_ascii=False, indent=1).encode()
    fields = list(dict.fromkeys(field for row in rows for field in row))
    contexts = COLUMNS[program].contexts
    if kind == "parquet":
        return _parquet(rows, fields, contexts)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(field) for field in fields])
    for row in rows:
        cells = {f: cell_of("contexts" if f == contexts else f, row.get(f)) for f in fields}
        if program == "deepeval" and row.get(contexts) is not None:
            cells[contexts] = join_contexts(row[contexts])
        writer.writerow([harmless(cell) for cell in cells.values()])
    return out.getvalue().encode()


def _parquet(rows: Sequence[Mapping[str, Any]], fields: Sequence[str], contexts: str) -> bytes:
    """A table whose columns are texts, except `contexts`, which holds lists of texts."""
    import pyarrow as pa
    from pyarrow import parquet

    kinds = pa.schema([(f, pa.list_(pa.string()) if f == contexts else pa.string()) for f in fields])
    plain = [
        {f: v if f == contexts or v is None else cell_of(f, v) for f, v in ((f, row.get(f)) for f in fields)}
        for row in rows
    ]
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(plain, schema=kinds), out)
    return out.getvalue()


def _check(line: Line, line_of_id: dict[str, int]) -> Line:
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


def read_bank(path: Path, *, report: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a bank file, or of all JSONL banks in a folder.

    Raises CaseError for an unreadable or invalid row, and for a bank of the reporting half unless `report` is True:
    only code that counts outcomes for a report may read that half.
    """
    if not report and path.resolve().is_relative_to(REPORTING.resolve()):
        raise CaseError(f"{path.name} is of the reporting half, which is only counted; read {TUNING.name}/ instead.")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise CaseError(f"{path.name} holds no bank; name a JSONL file, or a folder of them.")
    return [row for file in files for row in _rows(file)]


def for_fitting(question: str) -> bool:
    """True if the question belongs to the tuning half, on which models and limits are fitted. False for the reporting
    half, from which figures are reported.

    The half depends only on the question's text, so every part of the project splits alike.
    """
    return hashlib.sha256(question.strip().encode()).digest()[-1] % 2 == 0


def half_of(query: str) -> Literal["tuning", "reporting"]:
    """The half of a question, "tuning" or "reporting". It depends on the text alone, so that a supported and an altered
    answer to the same question are in the same half.
    """
    return "tuning" if for_fitting(query) else "reporting"


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        return [row for _, row in valid_rows(lines_of(file.read_bytes(), file.name), file.name)]
    except OSError as error:
        raise CaseError(
            f"{file.name} cannot be read ({error}); name a JSONL file, or one of JSON, CSV or Parquet."
        ) from error


def valid_rows(
    lines: Iterable[Line], name: str, *, writable: bool = False
) -> Iterator[tuple[Line, dict[str, Any]]]:  # fmt: skip
    """Yield each line of the file called `name` with its row. Raises CaseError for a line that is no row of a bank.

    writable: True to raise it also for a row that some file format cannot store.
    """
    for line in resolve_answer_column(lines):
        yield line, _row(line, f"line {line.number} of {name}", writable=writable)


def _row(line: Line, where: str, *, writable: bool) -> dict[str, Any]:
    try:
        if line.problem:
            raise CaseError(line.problem)
        question_of(line.row)
        check_id(line.row)
        check_labels(line.row)
        if writable:
            require_texts(line.row)
    except (CaseError, RecursionError) as error:
        raise CaseError(f"{where} cannot be read: {error}") from error
    return dict(line.row)
