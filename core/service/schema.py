"""The requests and events of the service, as its OpenAPI describes them; a verdict is a `Reply` (core/reply)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, RootModel, WithJsonSchema

from core.checks import all_checks, all_thresholds
from core.graph.explorer import NODES
from core.question import Question
from core.reply.document_records import Record
from core.reply.reply import Reply
from core.reply.serialization import QuestionRow, QuestionToAsk
from core.thresholds import MODES

_LIMIT_SCHEMAS = {
    t.key: {
        "type": "number", "title": t.label, "minimum": t.low, "maximum": t.high,
        "description": f"{t.help} In {t.unit}; stricter is {t.stricter}; as printed {t.default:g}.",
    }
    for t in all_thresholds().values()
}  # fmt: skip
_MODE_SCHEMAS = {c.name: {"enum": list(MODES), "description": f"{c.plain}."} for c in all_checks()}
Limits = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "properties": _LIMIT_SCHEMAS})]
"""Limits by their key. The thresholds themselves check the values, and say in a sentence what is allowed."""
Modes = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "properties": _MODE_SCHEMAS})]


class Deciding(BaseModel):
    """The part of a request that says under which limits it is decided."""

    preset: str | None = Field(default=None, description="A preset that GET /presets lists; it decides.")
    limits: Limits | None = Field(default=None, description="Limits moved away from those of the preset.")
    modes: Modes | None = Field(default=None, description="Checks that do something else than there.")


class AskRequest(Deciding, QuestionToAsk):
    """A question to the library of this service."""

    def question_to_judge(self) -> Question:
        return self.question()


class JudgeRequest(Deciding, QuestionRow):
    """A question with the passages and the answer of another program."""


class Waiting(Record):
    """The question waits while another one is processed; sent repeatedly."""

    place: int = Field(description="The place in line, from 1.")
    seconds: float | None = Field(description="Until its turn, by how long the last ones took; null: nobody knows yet.")


class Stage(Record):
    """A step of the chain begins or has ended."""

    step: Literal[NODES] = Field(description="Which step.")
    state: Literal["begins", "done"] = Field(description="Whether it begins or is done.")
    round: str = Field(description="The round that it measures.")
    part: int | None = Field(description="The part of the question, from 0; null for the whole.")
    query: str | None = Field(description="What was searched for; null until it is done.")
    confidence: float | None = Field(
        description="Evidence confidence of the round; null until it is done, or where the search broke."
    )
    failed: list[str] = Field(description="The checks that fail on it; empty until it is done.")


class Problem(Record):
    """RFC 9457: what is wrong, in one sentence."""

    type: str = Field(default="about:blank", description="Always about:blank: the status says it.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What is wrong, which value, what is allowed, what to do.")
    state: Literal["no answer to judge"] | None = Field(
        default=None, description="Only there when the field answer came without an answer in it."
    )


class PresetRow(Record):
    name: str = Field(description="Its name.")
    help: str = Field(description="What it is for.")
    thresholds: Limits = Field(description="All its limits.")
    modes: Modes = Field(description="What each check does.")


class Health(Record):
    status: Literal["ok"] = Field(description="ok; a problem otherwise.")
    documents: int = Field(description="Documents in the library.")
    in_line: int = Field(description="Questions that are worked on or wait.")


class Event(RootModel[Waiting | Stage | Reply | Problem]):
    """One event of the stream. `event` names its type: waiting, stage, verdict or problem; the last two end the stream.
    `data` holds the object of that type."""
