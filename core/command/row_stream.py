"""The rows that the command `judge` reads, one after the other, and the results that an earlier run has written."""

import codecs
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.banks.file_formats import lines_of, rename_answer_column
from core.case import CaseError

_TABLES = (".csv", ".tsv", ".parquet")
_BLOCK = 2**20


@contextmanager
def readable_twice(source: Path) -> Iterator[Path]:
    """The file itself; for a pipe, such as /dev/stdin, a copy of all that comes through it, deleted afterwards."""
    if source.is_file() or source.is_dir() or not source.exists():
        yield source
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / source.name
        with source.open("rb") as pipe, copy.open("wb") as file:
            shutil.copyfileobj(pipe, file)
        yield copy


def numbered_rows(source: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number of each row with the row; for JSONL, the raw line, since it may not be a valid row.

    JSONL is read line by line, so that a file of any length takes the same memory. Other files are read whole.
    """
    with source.open("rb") as file:
        first_bytes = file.read(_BLOCK).removeprefix(codecs.BOM_UTF8).lstrip()[:1]
        file.seek(0)
        if source.suffix.lower() in _TABLES or (source.suffix == ".json" and first_bytes == b"["):
            data = file.read().removeprefix(codecs.BOM_UTF8)
            for line in rename_answer_column(lines_of(data, source.name), "answer"):
                yield line.number, line.row if line.row is not None else line.problem
            return
        for number, text in enumerate(file, 1):
            line_text = text.removeprefix(codecs.BOM_UTF8) if number == 1 else text
            if line_text.strip():
                yield number, line_text.removesuffix(b"\n")


def keep_whole_results(target: Path) -> tuple[int, Any]:
    """The number of results in a file that an earlier run has written, and the id of the last one.

    A last line without its end is cut off: the run was ended while it wrote. Raises CaseError if the last whole line is
    no result.
    """
    count, end, last = 0, 0, b""
    with target.open("r+b") as file:
        for line in file:
            if line.endswith(b"\n"):
                count, end, last = count + 1, end + len(line), line
        file.truncate(end)
    try:
        return count, json.loads(last)["id"] if count else None
    except (ValueError, TypeError, KeyError) as error:
        raise CaseError(f"Line {count} of {target.name} is no result of judge; name another --out.") from error
