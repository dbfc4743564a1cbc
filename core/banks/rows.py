"""One row of a bank: validation, the text form of each field in a table cell, and the digest of its question."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.case import MAX_QUERY, CaseError, Question
from core.chain.serialization import question_of
from core.question import NoAnswerError, pages_text, read_pages
from core.text.answer_sentences import given_draft
from core.text.printed_lists import is_cut_short, printed_list

MOST_CHARACTERS = 100_000
"""Maximum length of a row as JSON: answer, conversation and facts together."""
CLASSES = range(1, 13)
EXPECTATIONS = ("answered", "part", "refused", "clarified", "supported", "altered")
"""Allowed labels; "supported" and "altered" need a row with an answer."""
ANSWER_EXPECTATIONS = ("supported", "altered")
"""Allowed labels that need an answer to judge."""
_LISTS = ("documents", "facts", "false_facts", "tool_results")
_JSON = ("history", "citations")
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")
"""Characters that some formats cannot store: NUL, and half of a surrogate pair, which JSON can write as "\\ud800"."""
_TEXTS = ("kind", "expected", "query", "subject", "answer", "note")


def validate_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Validate `row` and give it an id. Raises CaseError with one sentence on what is wrong."""
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
    """`row` with an id; a row without one gets an id derived from its question."""
    id_ = row.get("id")
    text_id = str(id_) if isinstance(id_, int) and not isinstance(id_, bool) else id_
    return {**row, "id": text_id or f"row-{question_digest(question_of(dict(row)))[:12]}"}


def question_digest(question: Question) -> str:
    """Hash of everything in a row that is measured, 64 hexadecimal digits. Labels do not affect it."""
    content = dict(vars(question))
    del content["understood"]  # it follows from the history
    if question.contexts is None:
        del content["contexts"]  # traces measured before contexts existed keep their digest
    text = json.dumps(content, sort_keys=True, default=vars)  # five times as fast as asdict, with the same bytes
    return hashlib.sha256(text.encode()).hexdigest()


def value_of(field: str, cell: str) -> Any:
    """Parse a table cell of `field`; None if it is empty. A cell that cannot be parsed is returned as text, which
    `validate_row` rejects.
    """
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
        return read_pages(text)
    if field == "contexts":
        return _contexts(text)
    if field in _JSON or (field in _LISTS and text.startswith("[")):
        return _json(text)
    return [part.strip() for part in text.split(";") if part.strip()] if field in _LISTS else text


def cell_of(field: str, value: Any) -> str:
    """Format a value as a cell, so that `value_of` reads the same value back."""
    if field == "contexts" and value == []:
        return "[]"  # an empty search result differs from no contexts
    if value in (None, [], False) and (value is not False or field == "attribute"):
        return ""
    if isinstance(value, str):
        return value
    if field == "pages" and isinstance(value, list):
        return pages_text(value)
    if field in _LISTS and isinstance(value, list) and all(_plain(part) for part in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)


def check_labels(row: Mapping[str, Any]) -> None:
    """Raise CaseError if `expected`, `facts` or `false_facts` has a value that the evaluation cannot use, and
    NoAnswerError if `expected` needs an answer that the row lacks. All three fields are optional.
    """
    if row.get("expected") not in (None, *EXPECTATIONS):
        raise CaseError(f"expected must be one of {', '.join(EXPECTATIONS)}, got {row['expected']!r:.80}.")
    if row.get("expected") in ANSWER_EXPECTATIONS and row.get("answer") is None:
        raise NoAnswerError(f"A row that expects {row['expected']!r} needs the answer that is to be judged.")
    for name in ("facts", "false_facts"):
        facts = row.get(name) or []
        if not isinstance(facts, list) or not all(isinstance(f, str) and f.strip() for f in facts):
            raise CaseError(f"{name} must be a list of texts that are not empty, got {facts!r:.80}.")


def check_id(row: Mapping[str, Any]) -> None:
    """Raise CaseError if `id`, which is optional, is neither a text nor a whole number."""
    if not isinstance(row.get("id"), str | None) and type(row["id"]) is not int:
        raise CaseError(f"id must be a text, got {row['id']!r:.80}.")


def _check_texts(row: Mapping[str, Any]) -> None:
    check_id(row)
    for name in _TEXTS:
        if not isinstance(row.get(name), str | None):
            raise CaseError(f"{name} must be a text, got {row[name]!r:.80}.")
    if len(str(row.get("id") or "")) > 80:
        raise CaseError(f"id may have at most 80 characters, but this one has {len(str(row['id'])):,}; shorten it.")
    require_numbers(row)
    require_texts(row)


def require_texts(row: Any) -> None:
    """Raise CaseError if any field holds a text that some file format cannot store."""
    for value in _parts(row):
        if isinstance(value, str) and UNWRITABLE.search(value):
            raise CaseError(f"{value!r:.80} holds a NUL or half a character, which is no text; delete it.")


def require_numbers(row: Any) -> None:
    """Raise CaseError if any field holds a number that JSON cannot store: NaN or Infinity."""
    for value in _parts(row):
        if isinstance(value, float) and not math.isfinite(value):
            raise CaseError(f"{value} is no number of JSON; give null, or leave the field out.")


def _parts(value: Any) -> Iterator[Any]:
    """Yield every text, number, boolean and null in a JSON value, and the names of its fields."""
    if isinstance(value, list | dict):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _parts(part)
    else:
        yield value


def _plain(part: Any) -> bool:
    """True for a text that survives being joined with semicolons."""
    return isinstance(part, str) and part == part.strip() != "" and ";" not in part and not part.startswith("[")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _contexts(text: str) -> Any:
    """A list in the notation of JSON, Python or NumPy (as Ragas and pandas write it); any other text is one context.

    A truncated list stays text, so that `contexts_of` rejects it.
    """
    value = _json(text) if text.startswith("[") else text
    value = value if isinstance(value, list) else printed_list(text)
    if value is None:
        return text if is_cut_short(text) else [text]
    return value
