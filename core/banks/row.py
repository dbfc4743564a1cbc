"""A row of a question set: a question with its labels. Sets keep columns of their own, so a row is a plain dict."""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from pydantic import ValidationError

from core.question import MAX_QUERY, CaseError, NoAnswerError, Question, unknown_documents
from core.reply.serialization import Filled, QuestionRow, problem_of, question_of
from core.text.answer_sentences import given_draft

MOST_CHARACTERS = 100_000
"""Maximum length of a row as JSON: answer, conversation and facts together."""
CLASSES = range(1, 13)
Expectation = Literal["answered", "part", "refused", "clarified", "supported", "altered"]
EXPECTATIONS: tuple[Expectation, ...] = get_args(Expectation)
"""Allowed labels."""
ANSWER_EXPECTATIONS = ("supported", "altered")
"""Allowed labels that need an answer to judge."""
UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")
"""Characters that some formats cannot store: NUL, and half of a surrogate pair, which JSON can write as "\\ud800"."""
_FACTS = "a list of texts that are not empty"
_MUST_BE = {"expected": f"one of {', '.join(EXPECTATIONS)}", "facts": _FACTS, "false_facts": _FACTS} | dict.fromkeys(
    ("id", "kind", "note"), "a text"
)
"""The allowed values of each label, as words of an error message."""


class Row(QuestionRow):
    """A question with its labels. expected: what should become of it, one of EXPECTATIONS. kind: a group of similar
    rows. facts: what a right answer says; false_facts: what only a wrong one says. All other columns are free.
    """

    id: str | int | None = None
    kind: str | None = None
    expected: Expectation | None = None
    facts: list[Filled] | None = None
    false_facts: list[Filled] | None = None
    note: str | None = None


def question_digest(question: Question) -> str:
    """Hash of everything in a row that is measured, 64 hexadecimal digits. Labels do not affect it."""
    content = dict(vars(question))
    del content["understood"]  # it follows from the question and its history
    if question.contexts is None:
        del content["contexts"]  # traces measured before contexts existed keep their digest
    text = json.dumps(content, sort_keys=True, default=vars)  # five times as fast as asdict, with the same bytes
    return hashlib.sha256(text.encode()).hexdigest()


def checked(row: Any) -> tuple[dict[str, Any], Question]:
    """A row with an id, and its question. Without an id of its own it gets one derived from its question.

    Raises CaseError for a field or a label that cannot be read, and NoAnswerError for a label that needs an answer
    where there is none.
    """
    try:
        fields = Row.model_validate(row)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        field = next(iter(errors[0]["loc"]), None)
        if field in _MUST_BE:
            raise CaseError(f"{field} must be {_MUST_BE[field]}, got {row.get(field)!r:.80}.") from error
        raise problem_of(errors, row) from error
    if fields.expected in ANSWER_EXPECTATIONS and fields.answer is None:
        raise NoAnswerError(f"A row that expects {fields.expected!r} needs the answer that is to be judged.")
    question = fields.question()
    id_ = "" if fields.id is None else str(fields.id)
    return {**row, "id": id_ or f"row-{question_digest(question)[:12]}"}, question


def validate_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a set may hold it, with an id. Raises CaseError with one sentence on what is wrong, see `checked`;
    here also for a row that is too long, or that some file format cannot store.
    """
    size = len(json.dumps(row, ensure_ascii=False)) if isinstance(row, Mapping) else 0
    if size > MOST_CHARACTERS:
        raise CaseError(f"The row has {size:,} characters, at most {MOST_CHARACTERS:,} are allowed; shorten it.")
    valid_row, question = checked(row)
    if len(valid_row["id"]) > 80:
        raise CaseError(f"id may have at most 80 characters, but this one has {len(valid_row['id']):,}; shorten it.")
    require_storable(row)
    if len(question.query) > MAX_QUERY:
        raise CaseError(f"query may have {MAX_QUERY:,} characters, this one has {len(question.query):,}; shorten it.")
    if question.scope.class_number not in (None, *CLASSES):
        raise CaseError(f"class_number must be from 1 to 12, got {question.scope.class_number!r:.40}.")
    if question.answer is not None:
        given_draft(question)
    return valid_row


def require_storable(row: Any, *, texts: bool = True) -> None:
    """Raise CaseError if some field holds a number that JSON cannot store, such as NaN, or a text that some file format
    cannot store. texts: False to allow such texts.
    """
    for value in _parts(row):
        if isinstance(value, float) and not math.isfinite(value):
            raise CaseError(f"{value} is no number of JSON; give null, or leave the field out.")
        if texts and isinstance(value, str) and UNWRITABLE.search(value):
            raise CaseError(f"{value!r:.80} holds a NUL or half a character, which is no text; delete it.")


def _parts(value: Any) -> Iterator[Any]:
    """Yield every text, number, boolean and null in a JSON value, and the names of its fields."""
    if isinstance(value, list | dict):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _parts(part)
    else:
        yield value


class SetRows(list[dict[str, Any]]):
    """The rows of a set. questions: the digest of the question of each row, if they are known already."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], questions: Sequence[str] | None = None) -> None:
        super().__init__(rows)
        self._masks: dict[Callable[[Mapping[str, Any]], Any], np.ndarray] = {}
        if questions is not None:
            self.questions = list(questions)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "SetRows":
        """`rows` themselves if they are those of a set already."""
        return rows if isinstance(rows, cls) else cls(rows)

    @cached_property
    def questions(self) -> list[str]:
        return [question_digest(question_of(dict(row))) for row in self]

    def mask(self, function: Callable[[Mapping[str, Any]], Any]) -> np.ndarray:
        """True for the rows of which `function` is true, computed once for each function: (rows,)."""
        if function not in self._masks:
            self._masks[function] = np.fromiter(map(bool, map(function, self)), dtype=bool, count=len(self))
        return self._masks[function]

    def some(self, indices: Iterable[int]) -> "SetRows":
        chosen = list(indices)
        known = self.__dict__.get("questions")
        return SetRows([self[n] for n in chosen], known and [known[n] for n in chosen])


def missing_documents(rows: Sequence[Mapping[str, Any]], library_names: Iterable[str]) -> list[str]:
    """The documents that `rows` name as the source of their facts and that are not among `library_names`, sorted.

    Rows with contexts of their own need no library and are skipped.
    """
    named = (row.get(f) for row in rows if row.get("contexts") is None for f in ("document", "other_document"))
    return sorted(unknown_documents({name for name in named if isinstance(name, str) and name}, library_names))
