"""Parses questions pasted one per line, and writes rows as CSV that no spreadsheet runs as formulas."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.case import CaseError, Evidence
from core.decide import Verdict

MOST = 200
"""Maximum number of questions in a list."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet may take a cell that starts with one of these for a formula."""


def parse_questions(text: str) -> list[dict[str, Any]]:
    """The questions in a text, one per line. Raises CaseError if there are none, or more than MOST."""
    questions = [line.strip() for line in text.splitlines() if line.strip()]
    if not questions:
        raise CaseError("The list holds no question; give at least one, one a line.")
    if len(questions) > MOST:
        raise CaseError(f"The list holds {len(questions):,} questions, at most {MOST} are added at a time; split it.")
    return [{"query": question} for question in questions]


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Rows as CSV. Cells are escaped so that spreadsheets do not run them as formulas."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: harmless(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def harmless(value: Any) -> Any:
    """`value`, with the sign ' before it if it is a text that looks like a formula: spreadsheets then read
    it as text."""
    return f"'{value}" if isinstance(value, str) and _needs_quote(value) else value


def without_escape(cell: str) -> str:
    """The inverse of `harmless`."""
    return cell[1:] if cell.startswith("'") and _needs_quote(cell[1:]) else cell


def _needs_quote(text: str) -> bool:
    """True for a text that starts like a formula, or like a formula that `harmless` has escaped."""
    return text.lstrip(" ").startswith(_FORMULA_STARTS) or (text.startswith("'") and _needs_quote(text.lstrip("'")))


def first_source(decision: Verdict) -> Evidence | None:
    """The first passage that a delivered answer cites, else the best one retrieved; None without passages."""
    evidence = decision.round.case.evidence
    if not evidence:
        return None
    citations = (
        [c for s in decision.delivered_sentences for c in s.citations if 1 <= c <= len(evidence)]
        if decision.answered
        else []
    )
    return evidence[citations[0] - 1] if citations else max(evidence, key=lambda e: e.answers)


def page_of(decision: Verdict, source: Evidence) -> int | None:
    """The page on which the text of `source` that the answer cites begins; None if unknown."""
    return decision.page_of(decision.round.case.evidence.index(source)) or None


def delimiter(text: str) -> str:
    """The column separator: the most frequent one in the first line."""
    first_line = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first_line.count)
