"""One row of a bank: what makes it sound, how a cell of a table says each of its fields, and what names it."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from core.case import MAX_QUERY, CaseError, Question
from core.chain.serialization import question_of
from core.question import NoAnswerError
from core.text.answer_sentences import given_draft
from core.text.printed_lists import is_cut_short, printed_list

MOST_CHARACTERS = 100_000
"""Longest row as JSON: an answer, a conversation and facts together."""
CLASSES = range(1, 13)
EXPECTED = ("answered", "part", "refused", "clarified", "supported", "altered")
"""What a row may expect; "supported" and "altered" are for rows with an answer."""
JUDGED = ("supported", "altered")
"""What a row with an answer to judge may expect."""
_LISTS = ("documents", "facts", "false_facts", "tool_results")
_JSON = ("history", "citations")
_PAGES = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?", re.ASCII)
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")
"""What is no text in some file: NUL, and half of a character, which JSON can write as "\\ud800"."""
_TEXTS = ("id", "kind", "expected", "query", "subject", "answer", "note")


def checked(row: Mapping[str, Any]) -> dict[str, Any]:
    """`row` with an id, once it is found sound; CaseError in one sentence says what is wrong with it."""
    size = len(json.dumps(row, ensure_ascii=False)) if isinstance(row, Mapping) else 0
    if size > MOST_CHARACTERS:
        raise CaseError(f"The row has {size:,} characters, at most {MOST_CHARACTERS:,} are allowed; shorten it.")
    question = question_of(dict(row) if isinstance(row, Mapping) else row)
    _check_texts(row)
    if len(question.query) > MAX_QUERY:
        raise CaseError(f"query may have {MAX_QUERY:,} characters, this one has {len(question.query):,}; shorten it.")
    if question.scope.class_number not in (None, *CLASSES):
        raise CaseError(f"class_number must be from 1 to 12, got {question.scope.class_number!r:.40}.")
    if question.answer is not None:
        given_draft(question)
    check_labels(dict(row))
    return with_id(row)


def with_id(row: Mapping[str, Any]) -> dict[str, Any]:
    """`row` with an id; one without gets a name that only its question decides."""
    id_ = row.get("id")
    named = str(id_) if isinstance(id_, int) and not isinstance(id_, bool) else id_
    return {**row, "id": named or f"row-{question_digest(question_of(dict(row)))[:12]}"}


def question_digest(question: Question) -> str:
    """A name for all of a row that is measured, 64 hexadecimal digits: labels may change and it stays the same."""
    asked = asdict(question)
    del asked["understood"]  # it follows from the history
    if question.contexts is None:
        del asked["contexts"]  # so that what was measured before there were any keeps its name
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def value_of(field: str, cell: str) -> Any:
    """What a cell says of a field, None when it is empty. What cannot be read stays text, for `checked` to refuse."""
    text = cell if field == "answer" else cell.strip()
    if not text.strip():
        return None
    if field == "class_number":
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text
    if field == "expected":
        return text.casefold()
    if field == "attribute":
        return _BOOLEANS.get(text.casefold(), text)
    if field == "pages":
        return [_pages(part.strip()) for part in text.split(",") if part.strip()]
    if field == "contexts":
        return _contexts(text)
    if field in _JSON or (field in _LISTS and text.startswith("[")):
        return _json(text)
    return [part.strip() for part in text.split(";") if part.strip()] if field in _LISTS else text


def cell_of(field: str, value: Any) -> str:
    """A value as a cell says it, so that `value_of` reads the same again."""
    if field == "contexts" and value == []:
        return "[]"  # a search that found nothing, which is not the same as none
    if value in (None, [], False) and (value is not False or field == "attribute"):
        return ""
    if isinstance(value, str):
        return value
    if field == "pages" and isinstance(value, list):
        return ", ".join(_range(part) for part in value)
    if field in _LISTS and isinstance(value, list) and all(_plain(part) for part in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)


def check_labels(row: Mapping[str, Any]) -> None:
    """CaseError when a label is of no use for counting; labels may be left out."""
    if row.get("expected") not in (None, *EXPECTED):
        raise CaseError(f"expected must be one of {', '.join(EXPECTED)}, got {row['expected']!r:.80}.")
    if row.get("expected") in JUDGED and row.get("answer") is None:
        raise NoAnswerError(f"A row that expects {row['expected']!r} needs the answer that is to be judged.")
    for name in ("facts", "false_facts"):
        facts = row.get(name) or []
        if not isinstance(facts, list) or not all(isinstance(f, str) and f.strip() for f in facts):
            raise CaseError(f"{name} must be a list of texts that are not empty, got {facts!r:.80}.")


def _check_texts(row: Mapping[str, Any]) -> None:
    for name in _TEXTS:
        if not isinstance(row.get(name), str | None) and not (name == "id" and type(row[name]) is int):
            raise CaseError(f"{name} must be a text, got {row[name]!r:.80}.")
    if len(str(row.get("id") or "")) > 80:
        raise CaseError(f"id may have 80 characters, this one has {len(str(row['id'])):,}; shorten it.")
    require_numbers(row)
    require_texts(row)


def require_texts(row: Any) -> None:
    """CaseError for a row with a text, in whatever field, that some file cannot hold."""
    for value in _parts(row):
        if isinstance(value, str) and UNWRITABLE.search(value):
            raise CaseError(f"{value!r:.80} holds a NUL or half a character, which is no text; delete it.")


def require_numbers(row: Any) -> None:
    """CaseError for a row with a number, in whatever field, that JSON cannot hold: NaN and Infinity."""
    for value in _parts(row):
        if isinstance(value, float) and not math.isfinite(value):
            raise CaseError(f"{value} is no number of JSON; give null, or leave the field out.")


def _parts(value: Any) -> Iterator[Any]:
    """Every text, number and other single value in a value of JSON, names of fields too."""
    if isinstance(value, list | dict):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _parts(part)
    else:
        yield value


def _pages(text: str) -> Any:
    found = _PAGES.fullmatch(text)
    ends = [int(end) for end in found.groups() if end] if found else []
    return text if not found else ends if len(ends) == 2 else ends[0]


def _range(part: Any) -> str:
    return "-".join(str(end) for end in part) if isinstance(part, list) else str(part)


def _plain(part: Any) -> bool:
    """True for a text that stays as it is between semicolons."""
    return isinstance(part, str) and part == part.strip() != "" and ";" not in part and not part.startswith("[")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _contexts(text: str) -> Any:
    """A list as JSON, Python or NumPy writes it, which a table of Ragas or pandas holds; any other text is one context.

    A list that is not whole stays text, so that `contexts_of` refuses it.
    """
    found = _json(text) if text.startswith("[") else text
    found = found if isinstance(found, list) else printed_list(text)
    if found is None:
        return text if is_cut_short(text) else [text]
    return found
