"""Every failure as one sentence of problem+json (RFC 9457), with a fitting status."""

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import FOR_PEOPLE, UserError
from core.journal.journal_file import JournalError
from core.library import LibraryError
from core.models import ModelError
from core.platform.access import AccessError
from core.platform.quotas import QuotaError
from core.question import NO_ANSWER, NoAnswerError
from core.reply.serialization import problem_of

log = logging.getLogger(__name__)


class FullError(UserError):
    """The queue of waiting questions is full."""


MEDIA = "application/problem+json"
_STATUS = (
    (QuotaError, 429), (AccessError, 403), ((LibraryError, ModelError, JournalError, FullError), 503),
    (FOR_PEOPLE, 422),
)  # fmt: skip
LARGEST = 2_000_000
"""Maximum size of a request in bytes: a question with its contexts and history at their limits, as JSON."""
_UNREADABLE = "The body cannot be read; send one JSON object, in UTF-8, as Content-Type: application/json."
_SENTENCES = {
    400: _UNREADABLE,
    404: "There is nothing at {path}; /openapi.json lists what there is.",
    405: "{path} is not asked with {method}; /openapi.json says how.",
    413: "A request may have {most:,} bytes; send less.",
}
_INTERNAL_ERROR = "Something broke in the service, and its log says what; nothing is delivered."


class BodyLimit:
    """Ends a request of more than `max_bytes` with a 413 while it is read."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app, self.max_bytes = app, max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def receive_within_limit() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.max_bytes:
                raise HTTPException(413)
            return message

        await self.app(scope, receive_within_limit if scope["type"] == "http" else receive, send)


def sentence_of(error: Exception) -> tuple[int, str]:
    """The status and the sentence for an error; that of an error that is none for people goes into the log."""
    for kinds, status in _STATUS:
        if isinstance(error, kinds):
            return status, str(error)
    log.error("a question broke", exc_info=error)
    return 500, _INTERNAL_ERROR


def problem(status: int, detail: str, **state: str) -> dict[str, str | int]:
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **state}


def reply(status: int, detail: str, headers: Mapping[str, str] | None = None, **state: str) -> JSONResponse:
    return JSONResponse(problem(status, detail, **state), status, headers, MEDIA)


def add_problems(app: FastAPI) -> None:
    """Make `app` report every failure, and a request that is too large, as problem+json."""
    app.add_middleware(BodyLimit, max_bytes=LARGEST)

    def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first["type"] == "json_invalid" or (first["type"], first["loc"]) == ("missing", ("body",)):
            return reply(422, _UNREADABLE)
        return answer_error(request, problem_of(error.errors(), error.body))

    def http_error(request: Request, error: HTTPException) -> JSONResponse:
        values = {"path": request.url.path[:200], "method": request.method, "most": LARGEST}
        template = _SENTENCES.get(error.status_code)
        sentence = template.format_map(values) if template else str(error.detail)
        return reply(error.status_code, sentence, error.headers)

    def answer_error(_: Request, error: Exception) -> JSONResponse:
        return reply(*sentence_of(error), **({"state": NO_ANSWER} if isinstance(error, NoAnswerError) else {}))

    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, http_error)
    for kind in (*FOR_PEOPLE, Exception):
        app.add_exception_handler(kind, answer_error)
