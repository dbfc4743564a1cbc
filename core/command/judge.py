"""The command `judge`: writes a result for each row of a file, in any supported format and any program's column
names.
"""

import json
import shutil
import tempfile
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from core.banks.columns import COLUMNS
from core.banks.files import KINDS, Kind, write_for_program
from core.banks.formats import Line, own_lines, raw_rows
from core.banks.row import require_storable
from core.case import CaseError
from core.command.cluster import measuring_of
from core.command.terminal import preset_of, settings_for_rows, track_progress
from core.decide import verdict
from core.evaluation.cases import MeasureRows
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.journal.export import DecisionRecorder
from core.question import NO_ANSWER, NoAnswerError, Question, Scope
from core.reply.reply import reply_of
from core.reply.serialization import question_to_judge
from core.settings.domains import domain
from core.thresholds import Preset

_VERDICT = (
    "route", "answered", "delivered", "judged", "confidence", "band", "tier", "primary_reason", "abstention", "failed",
)  # fmt: skip
"""The fields of a verdict that are added to a row when it is written in another program's columns."""


def add_options(sub: ArgumentParser) -> None:
    sub.add_argument(
        "--in", dest="source", type=Path, required=True, metavar="cases.jsonl",
        help="a row without the field answer (response, actual_output) is a question that is answered here; where the "
        "field is there and empty, the row gets an error and the state 'no answer to judge'",
    )  # fmt: skip
    sub.add_argument("--out", dest="target", type=Path, required=True, metavar="results.jsonl")
    sub.add_argument(
        "--columns", choices=list(COLUMNS), help="write this program's columns; the ending of --out sets the format"
    )
    sub.add_argument(
        "--resume", action="store_true",
        help="go on where an earlier run with the same --in and --out has ended; its results stay as they are",
    )  # fmt: skip


def judge(options: Namespace) -> int:
    """Judge every row of the file --in, in order; the result of a row that cannot be judged is an error.

    The file is read twice: once to count its rows, once to judge them. Rows are read, judged and written one after the
    other: JSONL of any length takes the same memory, and everything judged so far is written, even if the run ends
    early.
    """
    preset, settings, kind = preset_of(options), settings_for_rows(options), _kind_of(options)
    with _readable_twice(options.source) as source:
        try:
            count, scopes = _count_rows(source)
            options.target.open("ab").close()
            start = _finished_rows(options, source, count) if options.resume else 0
        except OSError as error:
            raise CaseError(f"{error}; name a file in UTF-8 to read and a place to write to.") from error
        measuring = measuring_of(options)
        explorer = open_explorer(options.home, options.profile, settings)
        recorder = DecisionRecorder(options, preset, explorer.settings)
        lines = islice(lines_in(source), start, None)
        checked = ((line.row, _error_of(line, explorer, portable=bool(options.columns))) for line in lines)
        presets = {scope: preset_of(options, scope) for scope in scopes}
        results = track_progress(_judge_rows(checked, measuring, explorer, presets, recorder), count - start)
        if options.columns:
            with options.target.open("wb") as out:
                write_for_program(out, (_program_row(*result) for result in results), options.columns, kind)
        else:
            with options.target.open("a" if options.resume else "w", encoding="utf-8", buffering=1) as out:
                out.writelines(f"{json.dumps(result, allow_nan=False)}\n" for _, result in results)
    return recorder.code


def _kind_of(options: Namespace) -> Kind:
    """The output format, by file name ending. Raises CaseError for a table without --columns."""
    ending = options.target.suffix.lower().removeprefix(".")
    if not options.columns and ending in ("csv", "parquet"):
        raise CaseError(
            f"{options.target.name} needs --columns ({', '.join(COLUMNS)}); without --columns, write JSONL."
        )
    return next((kind for kind in KINDS if kind == ending), "jsonl")


def _count_rows(source: Path) -> tuple[int, list[Scope]]:
    """The number of rows in a file, and the classes and subjects that they name, as scopes without repeats."""
    count, scopes = 0, {Scope(): None}
    for count, line in enumerate(lines_in(source), 1):  # noqa: B007 - the last number is the count
        with suppress(ValueError, RecursionError):  # an error of its row, see _error_of
            scopes[_class_and_subject(question_to_judge(line.row))] = None
    return count, list(scopes)


def _class_and_subject(question: Question) -> Scope:
    """A scope of only the class and subject of a question. Rows with the same scope share a preset, since a preset may
    have other limits for a class or subject.
    """
    return Scope(class_number=question.scope.class_number, subject=question.scope.subject)


def _finished_rows(options: Namespace, source: Path, count: int) -> int:
    """The number of rows whose results the file --out holds already. A last line without its end is cut off: the run
    was ended while it wrote. Raises CaseError if its lines are not results of the `count` rows of --in.
    """
    if options.columns:
        raise CaseError("--resume continues only JSONL, a result a line; leave --columns out.")
    name, finished, end, last = options.target.name, 0, 0, b""
    with options.target.open("r+b") as file:
        for line in file:
            if line.endswith(b"\n"):
                finished, end, last = finished + 1, end + len(line), line
        file.truncate(end)
    try:
        last_id = json.loads(last)["id"] if finished else None
    except (ValueError, TypeError, KeyError) as error:
        raise CaseError(f"Line {finished} of {name} is no result of judge; name another --out.") from error
    if finished > count:
        raise CaseError(f"{name} holds {finished} results, --in only {count} rows; name the --in of that run.")
    for line in islice(lines_in(source), max(0, finished - 1), finished):
        if last_id != (own_id := _id_of(line.row)):
            raise CaseError(
                f"Result {finished} in {name} has the id {last_id!r:.80}, row {finished} of --in has {own_id!r:.80}; "
                "name the --in of that run, or leave --resume out."
            )
    return finished


def _error_of(line: Line, explorer: Explorer, *, portable: bool) -> ValueError | None:
    """Why a row cannot be judged, found before anything is; None if it can. One invalid row does not stop the others.

    portable: every text must be storable in any file format.
    """
    try:
        if line.problem:
            raise CaseError(line.problem)
        require_storable(line.row, texts=portable)
        explorer.require_documents(question_to_judge(line.row))
    except RecursionError:
        return CaseError(f"Row {line.number} is nested too deeply to be read; flatten it.")
    except ValueError as error:
        return error
    return None


def _judge_rows(
    checked: Iterator[tuple[Any, Exception | None]],
    measuring: MeasureRows,
    explorer: Explorer,
    presets: Mapping[Scope, Preset],
    recorder: DecisionRecorder,
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield every row with its result, in order. checked: each row with its error. presets: class and subject of a
    question -> preset.

    Reading and measuring are some blocks of rows ahead of the results. Only the rows that wait for their result are in
    memory.
    """
    waiting: deque[tuple[Any, Exception | None]] = deque()

    def valid_rows() -> Iterator[Any]:
        for row, error in checked:
            waiting.append((row, error))
            if error is None:
                yield row

    distinct_presets = [preset for n, preset in enumerate(presets.values()) if preset not in [*presets.values()][:n]]
    for trace in measuring(valid_rows(), explorer, distinct_presets):
        while waiting[0][1] is not None:
            yield _failed(*waiting.popleft())
        row, _ = waiting.popleft()
        if isinstance(trace, ValueError | RecursionError):
            yield _failed(row, trace)
        elif isinstance(trace, Exception):
            raise trace
        else:
            preset = presets[_class_and_subject(trace.question)]
            decision = verdict(trace, preset)
            recorder(trace, decision, preset)
            reply = reply_of(trace, decision, preset, domain(explorer.settings.domain))
            yield row, {**reply.row(), "id": row.get("id")}
    yield from (_failed(*entry) for entry in waiting)


def _failed(row: Any, error: Exception) -> tuple[Any, dict[str, Any]]:
    """A row that cannot be judged, and its result."""
    state = {"state": NO_ANSWER} if isinstance(error, NoAnswerError) else {}
    return row, {"id": _id_of(row), "error": str(error), **state}


def _id_of(row: Any) -> str | int | None:
    """The id of `row` if it is a text or a whole number, else None. `row` may be something else than a valid row."""
    id_ = row.get("id") if isinstance(row, dict) else None
    return id_ if isinstance(id_, str | int) else None


def _program_row(row: Any, result: Mapping[str, Any]) -> dict[str, Any]:
    """A row for another program: the input row with the verdict added. Its answer is the text that the user gets, and
    its contexts are the passages that the answer was checked against.
    """
    fields = row if isinstance(row, dict) else {}
    if "error" in result:
        return {**fields, "contexts": None, **result}
    contexts = [passage["text"] for passage in result["passages"]]
    return {**fields, "contexts": contexts, **{name: result[name] for name in ("answer", "id", *_VERDICT)}}


@contextmanager
def _readable_twice(source: Path) -> Iterator[Path]:
    """The file itself; for a pipe, such as /dev/stdin, a copy of all that comes through it, deleted afterwards."""
    if source.is_file() or source.is_dir() or not source.exists():
        yield source
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / source.name
        with source.open("rb") as pipe, copy.open("wb") as file:
            shutil.copyfileobj(pipe, file)
        yield copy


def lines_in(source: Path) -> Iterator[Line]:
    """Yield every row of a file; in a table, the column called only "answer" holds the answers to judge."""
    with source.open("rb") as file:
        yield from own_lines(raw_rows(file, source.name))
