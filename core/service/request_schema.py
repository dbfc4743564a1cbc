"""The fields of a request, as its OpenAPI describes them; rows are read as `judge` reads them."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from core.case import MAX_QUERY
from core.checks import all_checks, all_thresholds
from core.retrieval.contexts import LONGEST, MOST, MOST_TOGETHER
from core.thresholds import Mode


class DocumentedAs:
    """Annotation of a request field that OpenAPI describes as `model`, while FastAPI passes the value on unchecked.

    `question_of` and the thresholds check the value, and report errors in the project's own sentences.
    """

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.any_schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(self.model.__pydantic_core_schema__)


def _limits() -> type[BaseModel]:
    """A model with every threshold, its bounds and its help, from the one declaration of each."""
    fields = {
        t.key.replace(".", "__"): (
            float,
            Field(
                default=None, alias=t.key, title=t.label,
                description=f"{t.help} In {t.unit}; stricter is {t.stricter}; as printed {t.default:g}.",
                json_schema_extra={"minimum": t.low, "maximum": t.high},
            ),
        )
        for t in all_thresholds().values()
    }  # fmt: skip
    return create_model("Limits", __config__=ConfigDict(title="Limits"), **fields)


def _modes() -> type[BaseModel]:
    fields = {c.name: (Mode, Field(default=None, description=f"{c.plain}.")) for c in all_checks()}
    return create_model("Modes", **fields)


Limits, Modes = _limits(), _modes()


class TurnIn(BaseModel):
    role: str = Field(description="Who spoke: user or assistant.")
    text: str = Field(description="What was said.")


class ContextIn(BaseModel):
    text: str = Field(description=f"What was found, at most {LONGEST:,} characters.")
    document: str = Field(default="", description="The name of the document that it comes from.")
    page: int = Field(default=0, description="Its page, from 1; 0 where nobody knows.")
    score: float | None = Field(default=None, description="Its cosine to the question, -1 to 1; measured without one.")
    class_number: int | None = Field(default=None, description="The class that the document is for.")
    subject: str = Field(default="", description="The subject of the document.")


class AskRequest(BaseModel):
    """A question to the library of this service."""

    id: str | int | None = Field(default=None, description="Comes back as it is, to tell replies apart.")
    query: str = Field(description="The question.", min_length=1, max_length=MAX_QUERY)
    class_number: int | None = Field(default=None, description="Search books of this class only.")
    subject: str | None = Field(default=None, description="Search books of this subject only.")
    documents: list[str] = Field(default=[], description="Search these documents only, by their names.")
    pages: list[str | int | list[int]] = Field(
        default=[], description='Search these pages only: a number, "first-last" or [first, last].'
    )
    history: list[TurnIn] = Field(default=[], description="Earlier turns of the conversation, the oldest first.")
    tool_results: list[str] = Field(default=[], description="What tools gave for this turn.")
    preset: str = Field(default="default", description="A preset that GET /presets lists; it decides.")
    limits: Annotated[Any, DocumentedAs(Limits)] = Field(
        default={}, description="Limits moved away from those of the preset."
    )
    modes: Annotated[Any, DocumentedAs(Modes)] = Field(
        default={}, description="Checks that do something else than there."
    )


class JudgeRequest(AskRequest):
    """A question with the passages and the answer of another program."""

    answer: str | None = Field(
        default=None,
        description="The answer to judge. Leave the field out to have the writer of this service answer; null or an "
        "empty text is refused, since there is no answer to judge.",
    )
    citations: list[list[int]] | None = Field(
        default=None, description="For each sentence of the answer the numbers of its passages, from 1."
    )
    attribute: bool = Field(default=False, description="Find the passage of each sentence, whatever it cites.")
    contexts: list[str | ContextIn] | None = Field(
        default=None,
        description=f"What was found for the question, at most {MOST} and {MOST_TOGETHER:,} characters together; "
        "without them the library is searched.",
    )
