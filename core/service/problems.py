"""Everything that goes wrong as one sentence of problem+json (RFC 9457), with the status that fits."""

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.journal.sqlite_file import JournalError
from core.library import LibraryError
from core.models import ModelError
from core.platform.access import AccessError
from core.platform.quotas import QuotaError
from core.question import NO_ANSWER, NoAnswerError

log = logging.getLogger(__name__)
MEDIA = "application/problem+json"
_STATUS = (
    (QuotaError, 429), (AccessError, 403), ((LibraryError, ModelError, JournalError), 503), (ValueError, 422),
)  # fmt: skip
LARGEST = 2_000_000
"""Most bytes of a request: all that a question, its contexts and its history may have, as JSON writes them."""
_UNREAD = "The body cannot be read; send one JSON object, in UTF-8, as Content-Type: application/json."
_SAID = {
    400: _UNREAD,
    404: "There is nothing at {path}; /openapi.json lists what there is.",
    405: "{path} is not asked with {method}; /openapi.json says how.",
    413: "A request may have {most:,} bytes; send less.",
}
_BROKE = "Something broke in the service, and its log says what; nothing is delivered."


class BodyLimit:
    """No request with more than `most` bytes is read to its end; it ends with a 413 where it is read."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.most:
                raise HTTPException(413)
            return message

        await self.app(scope, limited if scope["type"] == "http" else receive, send)


class FullError(ValueError):
    """More questions wait than are let into the line."""


def sentence_of(error: Exception) -> tuple[int, str]:
    """The status and the sentence of an error; every error of this project is a ValueError meant for people."""
    if isinstance(error, FullError):
        return 503, str(error)
    for kinds, status in _STATUS:
        if isinstance(error, kinds):
            return status, str(error)
    log.error("a question broke", exc_info=error)
    return 500, _BROKE


def problem(status: int, detail: str) -> dict[str, str | int]:
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}


def reply(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem(status, detail), status, headers, MEDIA)


def add_problems(app: FastAPI) -> None:
    """From now on `app` says nothing but problem+json of what goes wrong, and of a request that is too large."""
    app.add_middleware(BodyLimit, most=LARGEST)

    def unread(_: Request, __: RequestValidationError) -> JSONResponse:
        return reply(422, _UNREAD)

    def refused(request: Request, error: HTTPException) -> JSONResponse:
        about = {"path": request.url.path[:200], "method": request.method, "most": LARGEST}
        said = _SAID[error.status_code].format_map(about) if error.status_code in _SAID else str(error.detail)
        return reply(error.status_code, said, dict(error.headers or {}))

    def broke(_: Request, error: Exception) -> JSONResponse:
        return reply(*sentence_of(error))

    def without_answer(_: Request, error: NoAnswerError) -> JSONResponse:
        return JSONResponse(problem(*sentence_of(error)) | {"state": NO_ANSWER}, 422, media_type=MEDIA)

    app.add_exception_handler(RequestValidationError, unread)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(NoAnswerError, without_answer)
    app.add_exception_handler(ValueError, broke)
    app.add_exception_handler(Exception, broke)
