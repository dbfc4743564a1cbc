"""The service: its endpoints, who may call them, and how often."""

import hmac
import os
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.sse import EventSourceResponse, ServerSentEvent
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from core.case import Question
from core.checks import validate_preset
from core.graph import Explorer
from core.platform.access import AccessError, token_holder
from core.platform.quotas import Usage
from core.presets import preset_row, presets
from core.presets.by_class import for_scope, limits_by_class
from core.presets.saved import SavedPresets, named_preset
from core.reply.reply import Reply
from core.service.problems import MEDIA, add_problems, reply
from core.service.questions import Note, Questions
from core.service.schema import AskRequest, Event, Health, JudgeRequest, PresetRow, Problem
from core.thresholds import Preset

TOKENS = "GUARDRAIL_TOKENS"
"""Environment variable with the accepted tokens, separated by blanks."""
SHORTEST_TOKEN = 20
_LOCAL = ("localhost", "127.0.0.1")
_VISITORS = 10_000
_PROBLEMS = {
    status: {"model": Problem, "description": said, "content": {MEDIA: {}}}
    for status, said in ((401, "No token."), (403, "Not allowed here."), (413, "Too large."), (422, "Not readable."),
                         (429, "Too much for now."), (503, "Not now."))
}  # fmt: skip


def tokens() -> tuple[str, ...]:
    """The tokens in the environment. Raises AccessError for one that is too short."""
    token_values = tuple(os.environ.get(TOKENS, "").split())
    if any(len(token) < SHORTEST_TOKEN for token in token_values):
        raise AccessError(f"A token in {TOKENS} must have at least {SHORTEST_TOKEN} letters; make longer ones.")
    return token_values


def service(explorer: Explorer, default_preset: Preset, note: Note) -> FastAPI:
    """The application, ready to run; see core/service/README.md. note: called with every decision."""
    questions, door = Questions(explorer, note), Door(tokens())
    home = explorer.library.home
    app = FastAPI(
        title="Guardrail", version="1", description="Judges the answers of chatbots; limits decide, models measure.",
        docs_url=None, redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )  # fmt: skip
    add_problems(app)

    def read(request: JudgeRequest | AskRequest, visitor: str) -> tuple[Question, Preset, Any]:
        """The question in a request, the preset to judge it under, and its id; it counts against the quota.

        The preset is the one that the request names, else `default_preset`, with the limits of the question's class and
        subject, then with the limits and modes of the request.
        """
        question = request.question_to_judge()
        explorer.require_documents(question)
        named = named_preset(request.preset, home) if request.preset else default_preset
        base = for_scope(named, question.scope, limits_by_class(home))
        preset = validate_preset(base.with_values(request.limits or {}, request.modes or {}))
        door.take(visitor)
        return question, preset, request.id

    Visitor = Annotated[str, Depends(door.open)]  # noqa: N806 - a type

    @app.post("/judge", response_model=Reply, responses=_PROBLEMS)
    async def judge(body: JudgeRequest, visitor: Visitor, request: Request) -> Response:
        """The verdict on one row, in one reply."""
        async for kind, event in questions.events(*read(body, visitor)):
            if kind == "verdict":
                return JSONResponse(event)
            if kind == "problem":
                return JSONResponse(event, event["status"], media_type=MEDIA)
            if await request.is_disconnected():
                break
        return reply(503, "Nobody waits for this any more.")

    async def to_ask(body: AskRequest, visitor: Visitor) -> tuple[Question, Preset, Any]:
        return read(body, visitor)  # before the stream begins, so that an error has its own status

    @app.post(
        "/ask", response_class=EventSourceResponse,
        responses=_PROBLEMS | {200: {"model": Event, "description": "Events as they happen."}},
    )  # fmt: skip
    async def ask(inputs: Annotated[tuple, Depends(to_ask)]) -> AsyncIterator[ServerSentEvent]:
        """A question to the library. The reply streams its position in the queue, each step of the chain, and the
        verdict.

        No text is sent before it is checked.
        """
        async for kind, event in questions.events(*inputs):
            yield ServerSentEvent(event=kind, data=event)

    @app.get("/presets", responses=_PROBLEMS, dependencies=[Depends(door.open)])
    async def all_presets() -> list[PresetRow]:
        """The presets that a question may name, including those saved in this service."""
        saved_presets = SavedPresets(home)
        available = [*presets().values(), *map(saved_presets.preset, saved_presets.names())]
        return JSONResponse([preset_row(one) for one in available])

    @app.get("/health", responses=_PROBLEMS)
    async def health() -> Health:
        """Report whether questions can be answered."""
        documents = len(explorer.library.documents())
        return Health(status="ok", documents=documents, in_line=questions.in_line)

    @app.get("/metrics", dependencies=[Depends(door.open)], response_class=Response)
    async def metrics() -> Response:
        """Counts and times, for Prometheus."""
        return Response(questions.meters.text(), media_type=CONTENT_TYPE_LATEST)

    return app


class Door:
    """Authentication and quotas: callers need a token; without any configured token only local programs may call."""

    def __init__(self, tokens: tuple[str, ...]) -> None:
        self._tokens = tokens
        self._usage = lru_cache(_VISITORS)(lambda _: Usage())

    async def open(
        self,
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
    ) -> str:
        """Let a caller in, and return the name under which its usage is counted.

        Raises HTTPException (401) without an accepted token. If no tokens are configured, raises AccessError unless the
        request addresses localhost.
        """
        if not self._tokens:
            if request.url.hostname not in _LOCAL:  # guards against DNS rebinding by a web page
                raise AccessError(f"Without {TOKENS} only localhost is answered; name tokens to be called otherwise.")
            return request.client.host if request.client else ""
        token = credentials.credentials if credentials else ""
        if not any(hmac.compare_digest(token.encode(), accepted.encode()) for accepted in self._tokens):
            raise HTTPException(
                401, f"Send a token of {TOKENS} as Authorization: Bearer …", {"WWW-Authenticate": "Bearer"}
            )
        return token

    def take(self, visitor: str) -> None:
        """Count one question of this visitor. Raises QuotaError if the quota is used up."""
        with token_holder():
            self._usage(visitor).take(questions=1)
