"""The command `judge`: a row in, a row out, in any supported format and under any supported program's column names."""

import codecs
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from core.banks.dataset_columns import COLUMNS, normalize_row
from core.banks.file_formats import lines_of, rename_answer_column
from core.banks.files import KINDS, Kind, write_for_program
from core.banks.rows import require_numbers, require_texts
from core.case import CaseError
from core.chain import verdict
from core.chain.document_records import full_row
from core.chain.serialization import question_to_judge
from core.command.cluster import measuring_of
from core.command.terminal import preset_of, settings_for_rows, track_progress
from core.evaluation.cases import MeasureRows
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.journal.export import DecisionRecorder
from core.question import NO_ANSWER, NoAnswerError, Scope
from core.settings.domains import domain
from core.thresholds import Preset

_VERDICT = (
    "route", "answered", "delivered", "judged", "confidence", "band", "tier", "primary_reason", "abstention", "failed",
)  # fmt: skip
"""Fields of a verdict that are added to a row in another program's columns."""


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


def judge(options: Namespace) -> int:
    """Judge every row, in order; a row that cannot be judged gets an error instead.

    Everything judged so far is written, even if the run ends early.
    """
    preset, settings = preset_of(options), settings_for_rows(options)
    kind = _kind_of(options)
    try:
        lines = _lines(options.source)
        options.target.open("ab").close()
    except OSError as error:
        raise CaseError(f"{error}; name a file in UTF-8 to read and a place to write to.") from error
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings)
    recorder = DecisionRecorder(options, preset, explorer.settings)
    checked_rows = [_check_row(number, read, explorer, portable=bool(options.columns)) for number, read in lines]
    deciding = partial(preset_of, options)
    results = track_progress(_judge_rows(checked_rows, measuring, explorer, deciding, recorder), len(checked_rows))
    if options.columns:
        with options.target.open("wb") as out:
            rows = (_program_row(row, json.loads(result_text)) for row, result_text in results)
            write_for_program(out, rows, options.columns, kind)
    else:
        with options.target.open("w", encoding="utf-8", buffering=1) as out:
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


def _lines(source: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number of each row with the row; for JSONL, the raw line, since it may not be a valid row."""
    data = source.read_bytes().removeprefix(codecs.BOM_UTF8)
    if source.suffix.lower() in (".csv", ".tsv", ".parquet") or (
        source.suffix == ".json" and data.lstrip()[:1] == b"["
    ):
        lines = rename_answer_column(lines_of(data, source.name), "answer")
        return ((line.number, line.row if line.row is not None else line.problem) for line in lines)
    return ((number, text) for number, text in enumerate(data.split(b"\n"), 1) if text.strip())


class _CheckedRow(NamedTuple):
    """A row as read. problem: one sentence on what is wrong; "" if valid. state: NO_ANSWER if that is the problem."""

    row: Any
    problem: str = ""
    state: str = ""


def _check_row(number: int, source: Any, explorer: Explorer, *, portable: bool) -> _CheckedRow:
    """Read and validate a row before anything is judged. portable: every text must be storable in any file format."""
    row = None
    try:
        row = _row(source)
        require_numbers(row)
        if portable:
            require_texts(row)
        explorer.require_documents(question_to_judge(row))
    except NoAnswerError as error:
        return _CheckedRow(row, str(error), NO_ANSWER)
    except (ValueError, RecursionError) as error:  # one invalid row must not stop the others
        return _CheckedRow(row, _problem_sentence(error, number))
    return _CheckedRow(row)


def _judge_rows(
    checked_rows: Sequence[_CheckedRow],
    measuring: MeasureRows,
    explorer: Explorer,
    deciding: Callable[[Scope], Preset],
    recorder: DecisionRecorder,
) -> Iterator[tuple[Any, str]]:
    """Yield every row with its result as one line of JSON. deciding: the preset for questions with a scope."""
    valid_rows = [checked_row.row for checked_row in checked_rows if not checked_row.problem]
    scopes = dict.fromkeys(question_to_judge(row).scope for row in valid_rows)
    presets = {scope: deciding(scope) for scope in scopes}
    traces = measuring(iter(valid_rows), explorer, _distinct(presets.values()))
    for row, problem, state in checked_rows:
        trace = CaseError(problem) if problem else next(traces)
        if isinstance(trace, ValueError | RecursionError):
            id_ = row.get("id") if isinstance(row, dict) else None
            result = {"id": id_ if isinstance(id_, str | int) else None, "error": str(trace)}
            result |= {"state": state} if state else {}
        elif isinstance(trace, Exception):
            raise trace
        else:
            preset = presets[trace.question.scope]
            decision = verdict(trace, preset)
            recorder(trace, decision, preset)
            result = {"id": row.get("id"), **full_row(trace, decision, preset, domain(explorer.settings.domain))}
        yield row, json.dumps(result, allow_nan=False)


def _distinct(presets: Iterable[Preset]) -> list[Preset]:
    """The presets without repeats."""
    distinct: list[Preset] = []
    for preset in presets:
        if preset not in distinct:
            distinct.append(preset)
    return distinct


def _row(source: Any) -> Any:
    """A row under our column names, from a line of JSONL or a row of a table."""
    if isinstance(source, str):
        raise CaseError(source)
    row = json.loads(source.decode("utf-8"), parse_constant=_no_number) if isinstance(source, bytes) else source
    return normalize_row(row) if isinstance(row, dict) else row


def _no_number(text: str) -> None:
    raise CaseError(f"{text} is no number of JSON; give null, or leave the field out.")


def _program_row(row: Any, result: dict[str, Any]) -> dict[str, Any]:
    """A row for another program: the input, with the user's answer in place of its answer, and the verdict.

    Its contexts are the passages that the answer was checked against.
    """
    fields = row if isinstance(row, dict) else {}
    if "error" in result:
        return {**fields, "contexts": None, **result}
    verdict = {name: result[name] for name in _VERDICT}
    contexts = [passage["text"] for passage in result["passages"]]
    return {**fields, "contexts": contexts, "answer": result["answer"], "id": result["id"], **verdict}


def _problem_sentence(error: Exception, number: int) -> str:
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return f"Row {number} is no JSON that can be read ({error}); write one object a line, in UTF-8."
    return str(error)
