"""Converts questions and traces to and from JSON: the row of a question in a file or a request, and stored traces."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)  # fmt: skip

from core.case import MAX_QUERY, CaseError, Question, Scope, Trace, Turn
from core.checks import all_checks
from core.errors import UserError
from core.features.sentence_facts import complete
from core.question import page_range
from core.retrieval.contexts import LONGEST, MOST, MOST_TOGETHER, context_row, contexts_of
from core.text.given_answer import require_answer

FORMAT = 1
"""Version of the format of stored traces; it is raised when older ones can no longer be read."""


class StoreError(UserError):
    """Raised for a stored trace that is unreadable; the message says why."""


def dumps(trace: Trace) -> str:
    """`trace` as one line of JSON, with all signals."""
    rows = traces_adapter().dump_python(trace, warnings="none")
    return json.dumps({"format": FORMAT, **rows}, ensure_ascii=False)


def loads(text: str) -> Trace:
    """Parse a text that `dumps` wrote. Raises StoreError if the text is not a trace.

    Fields that an older trace lacks get their defaults. A question from JSON may contain half of a surrogate pair; it
    is accepted, although pydantic's own JSON parser would reject it.
    """
    try:
        rows = json.loads(text)
        if rows.pop("format") != FORMAT:
            raise StoreError(f"The trace is not of format {FORMAT}; measure the question again.")
        return complete(_add_new_signals(traces_adapter().validate_python(rows)))
    except StoreError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise StoreError(
            f"The text is no stored trace ({type(error).__name__}); measure the question again."
        ) from error


def _add_new_signals(trace: Trace) -> Trace:
    """Add, in place, the signals that checks did not have yet when `trace` was stored."""
    for measured_round in trace.rounds:
        for check in all_checks():
            if check.name in measured_round.signals:
                measured_round.signals[check.name] = check.completed(measured_round.signals[check.name])
    for part in trace.parts:
        _add_new_signals(part)
    return trace


@cache
def traces_adapter() -> TypeAdapter[Trace]:
    """Converts traces to and from JSON's types."""
    return TypeAdapter(Trace)  # building it takes 50 ms


def _stripped(text: str) -> str:
    if not text.strip():
        raise ValueError("blank")
    return text.strip()


Filled = Annotated[str, AfterValidator(_stripped)]
"""A text that is not blank, without the blanks around it."""


class TurnRow(BaseModel):
    role: str = Field(description="Who spoke: user or assistant.")
    text: str = Field(description="What was said.")


class ContextRow(BaseModel):
    """One text that another search found; `contexts_of` reads it."""

    text: str = Field(description=f"What was found, at most {LONGEST:,} characters.")
    document: str = Field(default="", description="The name of the document that it comes from.")
    page: int = Field(default=0, description="Its page, from 1; 0 where nobody knows.")
    score: float | None = Field(default=None, description="Its cosine to the question, -1 to 1; measured without one.")
    class_number: int | None = Field(default=None, description="The class that the document is for.")
    subject: str = Field(default="", description="The subject of the document.")


_PAGE = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}
_CONTEXT = {"anyOf": [{"type": "string"}, ContextRow.model_json_schema()]}
_CONTEXTS = {"anyOf": [{"type": "array", "items": _CONTEXT}, {"type": "null"}]}


class QuestionToAsk(BaseModel):
    """A question to the library. Unknown fields are ignored, because a bank stores its labels there."""

    model_config = ConfigDict(strict=True, extra="ignore")

    id: Any = Field(default=None, description="A text or a whole number that comes back, to tell replies apart.")
    query: Filled = Field(description="The question.", json_schema_extra={"minLength": 1, "maxLength": MAX_QUERY})
    class_number: int | None = Field(default=None, description="Search books of this class only.")
    subject: str | None = Field(default=None, description="Search books of this subject only.")
    documents: list[str] | None = Field(default=None, description="Search these documents only, by their names.")
    pages: list[Annotated[tuple[int, int], BeforeValidator(page_range), WithJsonSchema(_PAGE)]] | None = Field(
        default=None, description='Search these pages only: a number, "first-last" or [first, last].'
    )
    history: list[TurnRow] | None = Field(
        default=None, description="Earlier turns of the conversation, the oldest first."
    )
    tool_results: list[str] | None = Field(default=None, description="What tools gave for this turn.")

    def question(self) -> Question:
        """The question. Raises CaseError or NoAnswerError for an answer or contexts that nothing can be judged with."""
        scope = Scope(
            class_number=self.class_number, subject=self.subject or "", documents=tuple(self.documents or ()),
            pages=tuple(self.pages or ()),
        )  # fmt: skip
        history = tuple(Turn(role=turn.role, text=turn.text) for turn in self.history or ())
        return Question(query=self.query, scope=scope, history=history, tool_results=tuple(self.tool_results or ()))


def _given(answer: str) -> str:
    require_answer(answer)
    return answer


class QuestionRow(QuestionToAsk):
    """A question with the passages and the answer of another program."""

    answer: Annotated[str, AfterValidator(_given)] | None = Field(
        default=None,
        description="The answer to judge. Leave the field out to have the writer of this service answer; null or an "
        "empty text is refused, since there is no answer to judge.",
    )
    citations: list[list[int]] | None = Field(
        default=None, description="For each sentence of the answer the numbers of its passages, from 1."
    )
    attribute: bool | None = Field(default=None, description="Find the passage of each sentence, whatever it cites.")
    contexts: Annotated[
        Any,  # tuple[Context, ...] | None; OpenAPI would list the type beside the schema below
        PlainValidator(lambda items: None if items is None else contexts_of(items)),
        WithJsonSchema(_CONTEXTS),
    ] = Field(
        default=None,
        description=f"What was found for the question, at most {MOST} and {MOST_TOGETHER:,} characters together; "
        "without them the library is searched.",
    )

    def question(self) -> Question:
        citations = None if self.citations is None else tuple(map(tuple, self.citations))
        return replace(
            super().question(), answer=self.answer, citations=citations, attribute=bool(self.attribute),
            contexts=self.contexts,
        )  # fmt: skip

    def question_to_judge(self) -> Question:
        """Like `question`, for a row from another chatbot: a null answer raises NoAnswerError too.

        A null means that the chatbot gave no answer. An answer by our own writer must not be judged in its place.
        """
        if "answer" in self.model_fields_set:
            require_answer(self.answer)
        return self.question()


MUST_BE = {
    "query": "a text that is not empty", "class_number": "a whole number", "subject": "a text",
    "documents": "a list of texts", "pages": "a list of pages", "history": 'a list of turns {"role", "text"}',
    "tool_results": "a list of texts", "answer": "a text", "attribute": "true or false",
    "citations": "a list of passage numbers for each sentence", "preset": "the name of a preset",
    "limits": "an object with a value for each name", "modes": "an object with a value for each name",
}  # fmt: skip
"""What each field of a row or a request must be, in words."""


def problem_of(errors: Sequence[Mapping[str, Any]], row: Any) -> ValueError:
    """The first of pydantic's errors in a row, as an error with one sentence.

    A validator of our own has its sentence already. A row that is no object has no field.
    """
    first = errors[0]
    cause, path = first.get("ctx", {}).get("error"), [name for name in first["loc"] if name != "body"]
    if isinstance(cause, CaseError):
        return cause
    if not path or not isinstance(row, dict):
        return CaseError(f"A row must be a JSON object, got {type(row).__name__}.")
    name = path[0]
    return CaseError(f"{name} must be {MUST_BE.get(name, first['msg'])}, got {row.get(name)!r:.80}.")


def question_of(row: Any) -> Question:
    """The question in one row of a bank, of the command line or of a state. Raises CaseError if a field is unreadable.

    A row without an answer is a question to answer; an empty answer raises NoAnswerError.
    """
    return _read(row).question()


def question_to_judge(row: Any) -> Question:
    """The question in one row from another chatbot, see `QuestionRow.question_to_judge`."""
    return _read(row).question_to_judge()


def _read(row: Any) -> QuestionRow:
    try:
        return QuestionRow.model_validate(row)
    except ValidationError as error:
        raise problem_of(error.errors(include_url=False), row) from error


def question_row(question: Question) -> dict[str, Any]:
    """The row from which `question_of` makes `question` again, without empty fields.

    `understood` is left out, because it is worked out anew whenever the question is asked.
    """
    row = {"query": question.query, **vars(question.scope), **vars(question)}
    row |= {"scope": None, "understood": None, "history": [{**vars(turn)} for turn in question.history]}
    row |= {"contexts": question.contexts and tuple(map(context_row, question.contexts))}
    fields = {k: _lists(v) for k, v in row.items()}
    return {k: v for k, v in fields.items() if v or (k in ("answer", "citations", "contexts") and v is not None)}


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value
