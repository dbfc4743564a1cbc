"""Banks as files: read row by row with what is wrong in each, and given out again, under the names of others too; and
those that come with the project, in two halves."""

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Literal, get_args

from core.banks.dataset_columns import COLUMNS, joined, renamed
from core.banks.file_formats import FIRST, MOST_BYTES, Line, lines_of, settled
from core.banks.question_lists import harmless, uploaded, within_limits
from core.banks.rows import UNWRITABLE, cell_of, check_labels, checked, value_of
from core.case import CaseError
from core.chain.serialization import question_of

BANKS = Path(__file__).parents[2] / "data" / "banks"
TUNING = BANKS / "tuning"
"""What limits may be chosen on, and what may be looked at while the checks are written."""
REPORTING = BANKS / "reporting"
"""What figures are reported on. Nothing that fits, trains, tunes or calibrates may open it."""
SAMPLE_BANKS = "reporting half of the sample banks"
"""What figures call the bank that is counted when none is named."""
Kind = Literal["csv", "jsonl", "json", "parquet"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of file that rows are written into in the columns of another program."""

MOST_ROWS = 5_000
"""Most rows of one bank. The Tune page holds what was measured of each: 5,000 take 30 s to read and 1.8 GB, and 20 ms
at another limit (`python -m core.lab.load.bank_size 5000`).
"""
_HEADS = {"query": "question", "class_number": "class", "answer": "answer to judge"}


def read(data: bytes, name: str, answer: str = "") -> tuple[Line, ...]:
    """Every row of a file of JSONL, JSON, CSV or Parquet, sound or not.

    answer: the field, of ANSWERS, that a column called only "answer" is; AnswerUnclear when it is needed and not said.
    CaseError when the file as a whole is no bank: too large, no text in UTF-8, without a question, without a row.
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
    return rechecked(settled(lines, answer))


def listed(data: bytes, name: str) -> list[dict[str, Any]]:
    """The rows of a file whose questions are asked one by one: as `uploaded` reads a list, and with all that rows of a
    bank may bring where they bring contexts, or are no CSV. CaseError names the first row that is wrong.
    """
    if name.lower().endswith((".csv", ".tsv", ".txt")):
        try:
            lines = read(data, name)
        except CaseError:
            lines = ()
        if not any("contexts" in (line.row or {}) for line in lines):
            return uploaded(data)
    else:
        lines = read(data, name)
    if wrong := [line for line in lines if line.problem]:
        raise CaseError(f"Line {wrong[0].number} cannot be asked: {wrong[0].problem}")
    return within_limits(sound(lines))


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
    fields = [f for f in FIRST if f in held] + [f for f in held if f not in FIRST]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(_HEADS.get(field, field)) for field in fields])
    writer.writerows([harmless(cell_of(field, row.get(field))) for field in fields] for row in rows)
    return out.getvalue()


def for_program(rows: Sequence[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """Rows of ours as a file of this kind in the columns of a program of COLUMNS."""
    out = io.BytesIO()
    write_for_program(out, rows, program, kind)
    return out.getvalue()


def write_for_program(out: IO[bytes], rows: Iterable[Mapping[str, Any]], program: str, kind: Kind) -> None:
    """Write rows of ours in the columns of a program of COLUMNS; what `rows` gave before it raised is written, too.

    A line of JSONL is written as soon as its row is there. The other kinds need every row before they begin. JSON and
    Parquet hold every text as it is; in CSV none is taken for a formula by a spreadsheet. A character that no file
    holds becomes the sign for an unknown one (U+FFFD).
    """
    if kind == "jsonl":
        for row in rows:
            out.write(as_jsonl(renamed([_portable(row)], program)).encode())
            out.flush()
        return
    held: list[dict[str, Any]] = []
    try:
        held.extend(map(_portable, rows))
    finally:
        out.write(_whole(renamed(held, program), program, kind))


def _portable(row: Mapping[str, Any]) -> dict[str, Any]:
    """`row` as every kind of file can hold it: without half characters, NUL, NaN, and lists that are too deep."""
    found = {}
    for name, value in row.items():
        try:
            found[UNWRITABLE.sub("\ufffd", name)] = _portable_value(value)
        except RecursionError:
            found[UNWRITABLE.sub("\ufffd", name)] = None
    return found


def _portable_value(value: Any) -> Any:
    if isinstance(value, str):
        return UNWRITABLE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {UNWRITABLE.sub("\ufffd", name): _portable_value(part) for name, part in value.items()}
    return [_portable_value(part) for part in value] if isinstance(value, list) else value


def _whole(theirs: Sequence[Mapping[str, Any]], program: str, kind: Kind) -> bytes:
    """All rows, in the columns of `program`, as one file of a kind that is not written row by row."""
    if kind == "json":
        return json.dumps(theirs, ensure_ascii=False, indent=1).encode()
    fields = list(dict.fromkeys(field for row in theirs for field in row))
    contexts = COLUMNS[program].contexts
    if kind == "parquet":
        return _parquet(theirs, fields, contexts)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(field) for field in fields])
    for row in theirs:
        cells = {f: cell_of("contexts" if f == contexts else f, row.get(f)) for f in fields}
        if program == "deepeval" and row.get(contexts) is not None:
            cells[contexts] = joined(row[contexts])
        writer.writerow([harmless(cell) for cell in cells.values()])
    return out.getvalue().encode()


def _parquet(rows: Sequence[Mapping[str, Any]], fields: Sequence[str], contexts: str) -> bytes:
    """A table whose columns are texts, but for the one of `contexts`, which holds lists of them."""
    import pyarrow as pa
    from pyarrow import parquet

    kinds = pa.schema([(f, pa.list_(pa.string()) if f == contexts else pa.string()) for f in fields])
    plain = [{f: row.get(f) if f == contexts else _stored(f, row.get(f)) for f in fields} for row in rows]
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(plain, schema=kinds), out)
    return out.getvalue()


def _stored(field: str, value: Any) -> str | None:
    return None if value is None else cell_of(field, value)


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


def read_bank(path: Path, *, report: bool = False) -> list[dict[str, Any]]:
    """The rows of a bank, or of all JSONL banks in a folder, each one readable as `judge` reads it.

    CaseError names the line that cannot be read, and refuses the reporting half unless `report` says that its rows
    are only counted.
    """
    if not report and path.resolve().is_relative_to(REPORTING.resolve()):
        raise CaseError(f"{path.name} is of the reporting half, which is only counted; read {TUNING.name}/ instead.")
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise CaseError(f"{path.name} holds no bank; name a JSONL file, or a folder of them.")
    return [row for file in files for row in _rows(file)]


def for_fitting(question: str) -> bool:
    """True when this question belongs to the half that may be fitted on; figures are reported on the other half.

    The half depends on the question's text alone, so that every part of the project splits alike.
    """
    return hashlib.sha256(question.strip().encode()).digest()[-1] % 2 == 0


def half_of(query: str) -> Literal["tuning", "reporting"]:
    """The half that a question belongs to, by its text alone, so that both rows of a pair stay together."""
    return "tuning" if for_fitting(query) else "reporting"


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        lines = settled(lines_of(file.read_bytes(), file.name))
        return [_row(line, f"line {line.number} of {file.name}") for line in lines]
    except OSError as error:
        raise CaseError(
            f"{file.name} cannot be read ({error}); name a JSONL file, or one of JSON, CSV or Parquet."
        ) from error


def _row(line: Line, where: str) -> dict[str, Any]:
    try:
        if line.problem:
            raise CaseError(line.problem)
        question_of(line.row)
        check_labels(line.row)
    except CaseError as error:
        raise CaseError(f"{where} cannot be read: {error}") from error
    return dict(line.row)
