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
from typing import Any, NamedTuple

from core.banks.columns import COLUMNS
from core.banks.files import KINDS, Kind, write_for_program
from core.banks.formats import Line, own_lines, raw_rows
from core.banks.row import require_storable
from core.case import CaseError, Trace
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
        "--columns", choices=list(COLUMNS), help="write for this program, in a file of the kind that --out ends with"
    )
    sub.add_argument(
        "--resume", action="store_true",
        help="go on where an earlier run with the same --in and --out has ended; its results stay as they are",
    )  # fmt: skip


def judge(options: Namespace) -> int:
    """Judge every row of the file --in, in order; the result of a row that cannot be judged is an error."""
    with _readable_twice(options.source) as source:
        return _judge_file(Namespace(**vars(options) | {"source": source}))


def _judge_file(options: Namespace) -> int:
    """Judge the rows of a file that can be read twice: once to count them, once to judge them.

    Rows are read, judged and written one after the other: JSONL of any length takes the same memory, and everything
    judged so far is written, even if the run ends early.
    """
    preset, settings, kind = preset_of(options), settings_for_rows(options), _kind_of(options)
    try:
        count, scopes = _count_rows(options.source)
        options.target.open("ab").close()
        start = _finished_rows(options, count) if options.resume else 0
    except OSError as error:
        raise CaseError(f"{error}; name a file in UTF-8 to read and a place to write to.") from error
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings)
    recorder = DecisionRecorder(options, preset, explorer.settings)
    lines = islice(lines_in(options.source), start, None)
    checked_rows = (_check_row(line, explorer, portable=bool(options.columns)) for line in lines)
    presets = {scope: preset_of(options, scope) for scope in scopes}
    results = track_progress(_judge_rows(checked_rows, measuring, explorer, presets, recorder), count - start)
    if options.columns:
        with options.target.open("wb") as out:
            program_rows = (_program_row(row, json.loads(result_text)) for row, result_text in results)
            write_for_program(out, program_rows, options.columns, kind)
    else:
        with options.target.open("a" if options.resume else "w", encoding="utf-8", buffering=1) as out:
            out.writelines(f"{result_text}\n" for _, result_text in results)
    return recorder.code


def _kind_of(options: Namespace) -> Kind:
    """The output format, by file name ending. Raises CaseError for a table without --columns."""
    ending = options.target.suffix.lower().removeprefix(".")
    if not options.columns and ending in ("csv", "parquet"):
        raise CaseError(
            f"{options.target.name} needs --columns ({', '.join(COLUMNS)}); without it write JSONL, a result a line."
        )
    return next((kind for kind in KINDS if kind == ending), "jsonl")


def _count_rows(source: Path) -> tuple[int, list[Scope]]:
    """The number of rows in a file, and the classes and subjects that they name, as scopes without repeats."""
    count, scopes = 0, {Scope(): None}
    for count, line in enumerate(lines_in(source), 1):  # noqa: B007 - the last number is the count
        with suppress(ValueError, RecursionError):  # an error of its row, see _check_row
            scopes[_class_and_subject(question_to_judge(line.row))] = None
    return count, list(scopes)


def _class_and_subject(question: Question) -> Scope:
    """A scope of only the class and subject of a question. Rows with the same scope share a preset, since a preset may
    have other limits for a class or subject.
    """
    return Scope(class_number=question.scope.class_number, subject=question.scope.subject)


def _finished_rows(options: Namespace, count: int) -> int:
    """The number of rows whose results the file --out holds already. Raises CaseError if its lines are not results of
    the rows of --in.
    """
    if options.columns:
        raise CaseError("--resume goes on with JSONL, a result a line; leave --columns out.")
    finished_count, last_id = _keep_whole_results(options.target)
    if finished_count > count:
        raise CaseError(f"{options.target.name} holds {finished_count} results, --in only {count} rows; name its --in.")
    for line in islice(lines_in(options.source), max(0, finished_count - 1), finished_count):
        own_id = _id_of(line.row)
        if last_id != own_id:
            raise CaseError(
                f"Result {finished_count} in {options.target.name} has the id {last_id!r:.80}, row {finished_count} of "
                f"--in has {own_id!r:.80}; name the --in of that run, or leave --resume out."
            )
    return finished_count


class _CheckedRow(NamedTuple):
    """A row as read. problem: one sentence on what is wrong; "" if valid. state: NO_ANSWER if that is the problem."""

    row: Any
    problem: str = ""
    state: str = ""


def _check_row(line: Line, explorer: Explorer, *, portable: bool) -> _CheckedRow:
    """Validate a row before anything is judged. portable: every text must be storable in any file format."""
    row = line.row
    try:
        if line.problem:
            raise CaseError(line.problem)
        require_storable(row, texts=portable)
        explorer.require_documents(question_to_judge(row))
    except NoAnswerError as error:
        return _CheckedRow(row, str(error), NO_ANSWER)
    except (ValueError, RecursionError) as error:  # one invalid row must not stop the others
        too_deep = f"Row {line.number} is nested too deeply to be read; flatten it."
        return _CheckedRow(row, too_deep if isinstance(error, RecursionError) else str(error))
    return _CheckedRow(row)


def _judge_rows(
    checked_rows: Iterator[_CheckedRow],
    measuring: MeasureRows,
    explorer: Explorer,
    presets: Mapping[Scope, Preset],
    recorder: DecisionRecorder,
) -> Iterator[tuple[Any, str]]:
    """Yield every row with its result as one line of JSON, in order. presets: class and subject of a question ->
    preset.

    Reading and measuring are some blocks of rows ahead of the results. Only the rows that wait for their result are in
    memory.
    """
    waiting: deque[_CheckedRow] = deque()

    def valid_rows() -> Iterator[Any]:
        for checked_row in checked_rows:
            waiting.append(checked_row)
            if not checked_row.problem:
                yield checked_row.row

    def judge_row(trace: Trace) -> dict[str, Any]:
        preset = presets[_class_and_subject(trace.question)]
        decision = verdict(trace, preset)
        recorder(trace, decision, preset)
        return reply_of(trace, decision, preset, domain(explorer.settings.domain)).row()

    distinct_presets = [preset for n, preset in enumerate(presets.values()) if preset not in [*presets.values()][:n]]
    for trace in measuring(valid_rows(), explorer, distinct_presets):
        while waiting[0].problem:
            yield _result(waiting.popleft())
        checked_row = waiting.popleft()
        if isinstance(trace, ValueError | RecursionError):
            yield _result(checked_row._replace(problem=str(trace)))
        elif isinstance(trace, Exception):
            raise trace
        else:
            yield _result(checked_row, judge_row(trace))
    yield from map(_result, waiting)


def _result(checked_row: _CheckedRow, judgement: Mapping[str, Any] | None = None) -> tuple[Any, str]:
    """(row, its result as one line of JSON). The result is `judgement`, or, without one, the problem of the row."""
    row, problem, state = checked_row
    if judgement is not None:
        return row, json.dumps({**judgement, "id": row.get("id")}, allow_nan=False)
    result = {"id": _id_of(row), "error": problem, **({"state": state} if state else {})}
    return row, json.dumps(result, allow_nan=False)


def _id_of(row: Any) -> str | int | None:
    """The id of `row` if it is a text or a whole number, else None. `row` may be something else than a valid row."""
    id_ = row.get("id") if isinstance(row, dict) else None
    return id_ if isinstance(id_, str | int) else None


def _program_row(row: Any, result: dict[str, Any]) -> dict[str, Any]:
    """A row for another program: the input row with the verdict added. Its answer is the text that the user gets, and
    its contexts are the passages that the answer was checked against.
    """
    fields = row if isinstance(row, dict) else {}
    if "error" in result:
        return {**fields, "contexts": None, **result}
    verdict = {name: result[name] for name in _VERDICT}
    contexts = [passage["text"] for passage in result["passages"]]
    return {**fields, "contexts": contexts, "answer": result["answer"], "id": result["id"], **verdict}


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


def _keep_whole_results(target: Path) -> tuple[int, Any]:
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
