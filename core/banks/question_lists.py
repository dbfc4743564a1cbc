"""A list of questions without labels: read from text or CSV, asked one by one, told in rows, given out as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.case import CaseError, Evidence, Trace
from core.chain import Verdict, next_step, verdict
from core.chain.judged_sentences import cited_page
from core.chain.serialization import question_of
from core.thresholds import Preset

MOST = 200
"""Most questions of one list."""
COLUMNS = ("question", "class", "subject", "route", "reason", "confidence", "document", "page", "answer")
"""What is told of each question, in this order."""
_NAMES = {
    "question": "query", "query": "query", "class": "class_number", "class_number": "class_number",
    "subject": "subject",
}  # fmt: skip
_HARMFUL = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet may take a cell that begins so for a formula."""


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One question of a list with its trace, or with the sentence that says why it could not be asked."""

    row: Mapping[str, Any]
    trace: Trace | None = None
    error: str = ""


def pasted(text: str) -> list[dict[str, Any]]:
    """The questions of a text, one a line; CaseError when there is none, or more than MOST."""
    return within_limits([{"query": line.strip()} for line in text.splitlines() if line.strip()])


def uploaded(data: bytes) -> list[dict[str, Any]]:
    """The questions of a CSV file: its column "question" or "query", else the first; "class" and "subject" if there.

    Columns are parted by commas, semicolons or tabs. CaseError when it cannot be read, or as `pasted` says.
    """
    try:
        text = data.decode("utf-8-sig")
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text)) if any(line)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise CaseError(f"The file cannot be read ({error}); save it as CSV in UTF-8.") from error
    if "\0" in text:
        raise CaseError("The file is no text but something else; save the list as CSV in UTF-8.")
    head = [_NAMES.get(cell.strip().lower(), "") for cell in lines[0]] if lines else []
    if not any(head):
        return pasted(text) if _is_prose(text, lines) else within_limits(_rows(["query"], lines))
    if "query" not in head:
        head[0] = "query"
    if len(head) == 1:  # a comma in a question parts no columns where there is but one
        lines = [[delimiter(text).join(line)] for line in lines]
    return within_limits(_rows(head, lines[1:]))


def asked(rows: Iterable[Mapping[str, Any]], explorer: Any, preset: Preset) -> Iterator[Listed]:
    """Each question, measured as far as `preset` needs; one that cannot be asked says why, and the others go on."""
    for row in rows:
        try:
            yield Listed(row=row, trace=explorer.ask(question_of(dict(row)), preset)[0])
        except ValueError as error:
            yield Listed(row=row, error=str(error))


def told(listed: Listed, preset: Preset) -> dict[str, Any]:
    """What became of a question under `preset`, by COLUMNS; what is not there is None. No model is asked.

    Document and page are those of the first passage that a delivered answer cites, else of the best one found.
    """
    about = {"class": listed.row.get("class_number"), "subject": listed.row.get("subject") or None}
    found = {**dict.fromkeys(COLUMNS), "question": listed.row["query"], **about}
    if listed.trace is None:
        return found | {"route": "not asked", "reason": listed.error}
    now = verdict(listed.trace, preset)
    return found | _place(now) | {
        "route": now.route, "reason": now.explanation or None, "confidence": now.confidence,
        "answer": now.answer if now.answered else None,
    }  # fmt: skip


def unmeasured(listed: Listed, preset: Preset) -> bool:
    """True when `preset` asks for another search that was not measured."""
    return listed.trace is not None and next_step(listed.trace, preset).action == "measure"


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> str:
    """Rows as `told` gives them, or others by their columns; no cell is taken for a formula by a spreadsheet."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: harmless(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def harmless(value: Any) -> Any:
    """A text that could be taken for a formula with a ' before it, which spreadsheets read as "text"."""
    return f"'{value}" if isinstance(value, str) and _quoted(value) else value


def as_meant(cell: str) -> str:
    """The text of which `harmless` made `cell`."""
    return cell[1:] if cell.startswith("'") and _quoted(cell[1:]) else cell


def _quoted(text: str) -> bool:
    """True for a text that begins like a formula, or like one that was made harmless."""
    return text.lstrip(" ").startswith(_HARMFUL) or (text.startswith("'") and _quoted(text.lstrip("'")))


def first_shown(now: Verdict) -> Evidence | None:
    """The first passage that a delivered answer cites, else the best one found; None without passages."""
    evidence = now.round.case.evidence
    if not evidence:
        return None
    cited = [c for s in now.sentences for c in s.citations if 1 <= c <= len(evidence)] if now.answered else []
    return evidence[cited[0] - 1] if cited else max(evidence, key=lambda e: e.answers)


def _place(now: Verdict) -> dict[str, Any]:
    best = first_shown(now)
    return {"document": best.passage.name, "page": page_of(now, best)} if best else {}


def page_of(now: Verdict, shown: Evidence) -> int | None:
    """The page on which begins what a verdict cites of one of its passages, None where it is not known."""
    return cited_page(now.round, now.round.case.evidence.index(shown), now.sentences) or None


def delimiter(text: str) -> str:
    """What parts the columns: whichever stands most often in the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def _is_prose(text: str, lines: Sequence[Sequence[str]]) -> bool:
    """Are the lines of a file without a head whole questions? Their commas then differ in number from line to line, or
    have a space behind them, as people write; what a program parts has neither."""
    spaced = any(cell.startswith(" ") for line in lines for cell in line[1:])
    return len({len(line) for line in lines}) > 1 or (spaced and '"' not in text)


def _rows(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """A row for each line with a question; CaseError for a class that is no number."""
    found = ({name: cell.strip() for name, cell in zip(head, line, strict=False) if name} for line in lines)
    return [_row(cells) for cells in found if cells.get("query")]


def _row(cells: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {"query": as_meant(cells["query"])}
    if cells.get("subject"):
        row["subject"] = cells["subject"]
    if number := cells.get("class_number"):
        if not (number.isdecimal() and 1 <= int(number) <= 12):
            raise CaseError(
                f"class must be a whole number from 1 to 12, or empty, got {number!r:.40}; correct the file."
            )
        row["class_number"] = int(number)
    return row


def within_limits(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`rows`, a list that may be asked; CaseError when there is none, or more than MOST."""
    if not rows:
        raise CaseError("The list holds no question; give at least one, one a line.")
    if len(rows) > MOST:
        raise CaseError(f"The list holds {len(rows):,} questions, at most {MOST} are asked at a time; split it.")
    return rows
