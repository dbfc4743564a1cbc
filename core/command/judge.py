"""The command `judge`: a row in, a row out, in whatever file and under whosever names."""

import codecs
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.banks.dataset_columns import COLUMNS, as_ours
from core.banks.file_formats import lines_of, with_answer_as
from core.banks.files import KINDS, Kind, write_for_program
from core.banks.rows import require_numbers, require_texts
from core.case import CaseError
from core.chain import verdict
from core.chain.serialization import question_to_judge, verdict_row
from core.command.cluster import measuring_of
from core.command.terminal import preset_of, settings_for_rows, with_time_left
from core.evaluation.cases import Measuring
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.journal.export import Noting
from core.question import NO_ANSWER, NoAnswerError
from core.thresholds import Preset

_VERDICT = (
    "route", "answered", "delivered", "judged", "confidence", "band", "tier", "primary_reason", "abstention", "failed",
)  # fmt: skip
"""What is told of a verdict beside a row in the columns of another program."""


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
    """A row in, a row out, in the same order; a row that cannot be judged has an error in its place.

    What was judged is written, even where something ends the run before its last row.
    """
    under, settings = preset_of(options), settings_for_rows(options)
    kind = _kind_of(options)
    try:
        lines = _lines(options.source)
        options.target.open("ab").close()
    except OSError as error:
        raise CaseError(f"{error}; name a file in UTF-8 to read and a place to write to.") from error
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings)
    noting = Noting(options, under, explorer.settings)
    asked = [_asked(number, read, explorer, portable=bool(options.columns)) for number, read in lines]
    judged = with_time_left(_judged(asked, measuring, explorer, under, noting), len(asked))
    if options.columns:
        with options.target.open("wb") as out:
            rows = (_beside(row, json.loads(said)) for row, said in judged)
            write_for_program(out, rows, options.columns, kind)
    else:
        with options.target.open("w", encoding="utf-8", buffering=1) as out:
            out.writelines(f"{said}\n" for _, said in judged)
    return noting.code


def _kind_of(options: Namespace) -> Kind:
    """The kind of file that is written, by its ending; CaseError for a table without columns to write it in."""
    ending = options.target.suffix.lower().removeprefix(".")
    if not options.columns and ending in ("csv", "parquet"):
        raise CaseError(
            f"{options.target.name} needs --columns ({', '.join(COLUMNS)}); without it write JSONL, a result a line."
        )
    return next((kind for kind in KINDS if kind == ending), "jsonl")


def _lines(source: Path) -> Iterator[tuple[int, Any]]:
    """The number of each row of a file with the row: of JSONL the line itself, since it may be no row at all."""
    data = source.read_bytes().removeprefix(codecs.BOM_UTF8)
    if source.suffix.lower() in (".csv", ".tsv", ".parquet") or (
        source.suffix == ".json" and data.lstrip()[:1] == b"["
    ):
        found = with_answer_as(lines_of(data, source.name), "answer")
        return ((line.number, line.row if line.row is not None else line.problem) for line in found)
    return ((number, text) for number, text in enumerate(data.split(b"\n"), 1) if text.strip())


class _Asked(NamedTuple):
    """A row as it was read; problem: what stands in its way in one sentence, "" for a sound one. state: NO_ANSWER where
    that is the problem."""

    row: Any
    problem: str = ""
    state: str = ""


def _asked(number: int, read: Any, explorer: Explorer, *, portable: bool) -> _Asked:
    """A row, checked before anything is judged. portable: every text of it must be one that any file can hold."""
    row = None
    try:
        row = _row(read)
        require_numbers(row)
        if portable:
            require_texts(row)
        explorer.require_documents(question_to_judge(row))
    except NoAnswerError as error:
        return _Asked(row, str(error), NO_ANSWER)
    except (ValueError, RecursionError) as error:  # one bad row must not end the others
        return _Asked(row, _said(error, number))
    return _Asked(row)


def _judged(
    asked: Sequence[_Asked], measuring: Measuring, explorer: Explorer, under: Preset, noting: Noting
) -> Iterator[tuple[Any, str]]:
    """Every row as it was read with what became of it as one line of JSON, whatever is in it."""
    found = measuring((one.row for one in asked if not one.problem), explorer, [under])
    for row, problem, state in asked:
        trace = CaseError(problem) if problem else next(found)
        if isinstance(trace, ValueError | RecursionError):
            said = {"id": _id_of(row), "error": str(trace)} | ({"state": state} if state else {})
        elif isinstance(trace, Exception):
            raise trace
        else:
            decided = verdict(trace, under)
            noting(trace, decided)
            said = {"id": row.get("id"), **verdict_row(trace, decided)}
        yield row, json.dumps(said, allow_nan=False)


def _row(read: Any) -> Any:
    """A row under our names, from a line of JSONL or as a table gave it."""
    if isinstance(read, str):
        raise CaseError(read)
    row = json.loads(read.decode("utf-8"), parse_constant=_no_number) if isinstance(read, bytes) else read
    return as_ours(row) if isinstance(row, dict) else row


def _no_number(read: str) -> None:
    raise CaseError(f"{read} is no number of JSON; give null, or leave the field out.")


def _beside(row: Any, result: dict[str, Any]) -> dict[str, Any]:
    """A row for another program: what was read, its answer the one that the user gets, with the verdict beside it.

    Its contexts are the passages that the answer was read against.
    """
    asked = row if isinstance(row, dict) else {}
    if "error" in result:
        return {**asked, "contexts": None, **result}
    verdict = {name: result[name] for name in _VERDICT}
    contexts = [passage["text"] for passage in result["passages"]]
    return {**asked, "contexts": contexts, "answer": result["answer"], "id": result["id"], **verdict}


def _id_of(row: Any) -> Any:
    """The id of a row that cannot be judged, when it has one that JSON can hold."""
    known = row.get("id") if isinstance(row, dict) else None
    return known if isinstance(known, str | int) else None


def _said(error: Exception, number: int) -> str:
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return f"Row {number} is no JSON that can be read ({error}); write one object a line, in UTF-8."
    return str(error)
