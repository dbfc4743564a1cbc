"""A client of any server that speaks OpenAI's protocol, with limits. Every failure is a ModelError in one sentence."""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.request import getproxies

import httpx2
from pydantic import SecretStr

from core.models import ModelError
from core.text.words import visible
from core.writers.endpoint_access import KEY, require_allowed, require_outside
from core.writers.language_model import LIKELIEST, Completion, Listen, Manner, run_with_listener
from core.writers.prompts import Message

MOST_CHARACTERS = 8_000
"""Maximum length of an answer."""
MOST_BYTES = 4_000_000
"""Maximum bytes of a response: far more than any answer needs, including the protocol's overhead."""
_NO_KEY = "none"
"""Sent as the key to a server that needs none, such as one on this computer."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A server, one of its models, and the key.

    seconds: maximum time for an answer, including all `retries`. answer_tokens: maximum length of an answer.
    passage_characters, judged_characters: maximum characters of passages in the prompt of a writer and of a judge.
    """

    url: str
    model: str
    key: SecretStr = field(default=SecretStr(""), compare=False)
    seconds: float = 60.0
    retries: int = 2
    answer_tokens = 400
    passage_characters, judged_characters = 12_000, 8_000

    @property
    def host(self) -> str:
        """The server's name, for messages."""
        return self.url.split("://", 1)[-1].split("/", 1)[0]

    @property
    def name(self) -> str:
        return self.model

    @property
    def writer_name(self) -> str:
        return f"endpoint ({self.model} at {self.host})"

    def write(
        self, messages: list[Message], max_tokens: int, listen: Listen | None = None, manner: Manner = LIKELIEST
    ) -> Completion:
        """The answer to a chat, in at most `max_tokens`. Raises ModelError if there is none.

        listen: called with the text so far whenever a piece of it arrives.
        """
        options = {
            "stream": True, "max_tokens": max_tokens, "temperature": manner.temperature, "seed": manner.seed,
        }  # fmt: skip

        def request(client: Any, on_text: Listen) -> Completion:
            text, finish_reason, log_probabilities = "", "", []
            with self._completion(client, messages, options, {"logprobs": True}) as stream:
                for choice in (choice for chunk in stream for choice in (getattr(chunk, "choices", None) or [])[:1]):
                    finish_reason = choice.finish_reason or finish_reason
                    log_probabilities += [token.logprob for token in _tokens(choice)]
                    if piece := choice.delta.content:
                        text = self._valid_text(text + piece)
                        on_text(self._without_key(visible(text)))
            if not finish_reason:
                raise ModelError(self._format_error("an answer that breaks off"))
            logarithm = sum(log_probabilities) if log_probabilities else None
            is_whole = finish_reason == "stop"
            return Completion(text=text.strip(), whole=is_whole, logarithm=logarithm, tokens=len(log_probabilities))

        return self._in_time(request, listen)

    def reply(self, messages: list[Message], max_tokens: int, pattern: str = "") -> str:  # noqa: ARG002 - no server knows one
        """The answer to a chat as one text, requested as a JSON object. Raises ModelError if there is none.

        pattern is ignored, because no server can be held to a regular expression.
        """
        options = {
            "max_tokens": max_tokens, "temperature": 0, "seed": 0, "response_format": {"type": "json_object"},
        }  # fmt: skip

        def request(client: Any, _: Listen) -> str:
            choice = self._completion(client, messages, options).choices[0]
            if choice.finish_reason == "length":
                raise ModelError(
                    f"The answer of {self.model} was cut off at {max_tokens} tokens; choose another model."
                )
            return self._valid_text(choice.message.content)

        return self._in_time(request)

    def yes(self, messages: list[Message]) -> float | None:
        """P(yes) relative to yes and no as the first word of the answer; None if the model says neither.

        It is 1 or 0 if the server gives no probabilities.
        """
        options, wishes = {"max_tokens": 4, "temperature": 0, "seed": 0}, {"logprobs": True, "top_logprobs": 20}

        def request(client: Any, _: Listen) -> float | None:
            choice = self._completion(client, messages, options, wishes).choices[0]
            alternatives = [one for first in _tokens(choice)[:1] for one in first.top_logprobs or []]
            words = [(one.token, math.exp(one.logprob)) for one in alternatives] or [(choice.message.content, 1.0)]
            first = [(re.search(r"[a-z]+|$", word.casefold())[0], share) for word, share in words]
            yes, no = (sum(share for word, share in first if word == answer) for answer in ("yes", "no"))
            return yes / (yes + no) if yes + no else None

        return self._in_time(request)

    def _in_time(self, ask: Callable[[Any, Listen], Any], listen: Listen | None = None) -> Any:
        """The result of `ask`, which runs in another thread, within the time limit.

        The client's own limits apply to each read, not to the whole request. When the time is over, the connection is
        closed while `ask` may still use it.
        """
        until = time.monotonic() + self.seconds
        with self._client(until) as client:

            @self._errors_as_sentences()
            def attempt(on_text: Listen) -> Any:
                return ask(client, on_text)

            try:
                return run_with_listener(attempt, listen, until)
            except TimeoutError:
                raise ModelError(self._slow()) from None

    def _completion(
        self, client: Any, messages: list[Message], options: Mapping[str, Any], wishes: Mapping[str, Any] | None = None
    ) -> Any:
        """The server's response.

        wishes: options that the server may not know. If it rejects the request, it is sent again without `wishes`, and
        then without any options.
        """
        from openai import BadRequestError

        request = {"model": self.model, "messages": messages, "stream": options.get("stream", False)}
        for known in ([{**options, **wishes}] if wishes else []) + [options]:
            with suppress(BadRequestError):
                return client.chat.completions.create(**{**request, **known})
        return client.chat.completions.create(**request)

    def _without_key(self, text: str) -> str:
        """A partial `text` without an end that could be the start of the key."""
        key, lower_text = self.key.get_secret_value().casefold(), text.casefold()
        overlap = next((n for n in range(len(key) - 1, 0, -1) if lower_text.endswith(key[:n])), 0)
        return text[: len(text) - overlap]

    def _valid_text(self, text: str) -> str:
        """Return `text`. Raises ModelError if it is too long or contains the key, which must not be shown or stored."""
        if self.key and self.key.get_secret_value().casefold() in visible(text).casefold():
            raise ModelError(f"The server {self.host} sent the key back, which is shown to nobody; use another server.")
        if len(text) > MOST_CHARACTERS:
            raise ModelError(
                f"The answer of {self.model} has over {MOST_CHARACTERS:,} characters; choose a model that keeps to "
                "short answers."
            )
        return text

    @contextmanager
    def _client(self, until: float) -> Iterator[Any]:
        """A client for one call. until: its deadline, as a value of time.monotonic().

        It follows no redirects, so that the key goes only to the address in the settings.
        """
        from openai import DefaultHttpxClient, OpenAI, Timeout  # it takes a second to import

        is_trusted = require_allowed(self.url) or bool(getproxies())

        def check_address(event: str, about: dict[str, Any]) -> None:
            """Check the address again before anything is sent, since the name may resolve differently by now."""
            if event == "connection.connect_tcp.complete" and not is_trusted:
                require_outside(about["return_value"].get_extra_info("server_addr")[0])

        def limit_tries(request: Any) -> None:
            if time.monotonic() > until:
                raise ModelError(self._slow())
            request.extensions["trace"] = check_address

        def limit_size(response: Any) -> None:
            # a compressed response of a few bytes could expand to any size
            if response.headers.get("content-encoding", "identity") != "identity":
                raise ModelError(self._format_error("a packed answer"))
            response.stream = _LimitedStream(response.stream)

        limits = Timeout(self.seconds, connect=min(5.0, self.seconds))
        hooks = {"request": [limit_tries], "response": [limit_size]}
        with DefaultHttpxClient(timeout=limits, follow_redirects=False, event_hooks=hooks) as http:
            yield OpenAI(
                base_url=self.url, api_key=self.key.get_secret_value() or _NO_KEY, max_retries=self.retries,
                timeout=limits, http_client=http, organization="", project="",
                default_headers={"Accept-Encoding": "identity"},
            )  # fmt: skip

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        """Turn every error of the client into a ModelError without its message, which may quote the request."""
        import openai

        try:
            yield
        except ModelError:
            raise
        except openai.APITimeoutError:
            raise ModelError(self._slow()) from None
        except openai.APIStatusError as error:
            raise ModelError(self._status_error(error.status_code)) from None
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, ModelError):
                raise error.__cause__ from None
            raise ModelError(
                f"The server {self.host} cannot be reached; start it, or check the address and the network."
            ) from None
        except httpx2.HTTPError:
            raise ModelError(self._format_error("an answer that breaks off")) from None
        except (openai.OpenAIError, ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            raise ModelError(self._format_error(type(error).__name__)) from None

    def _status_error(self, status: int) -> str:
        """The message for an HTTP status."""
        if status in (401, 403):
            problem = "did not accept the key" if self.key else "asks for a key"
            return f"The server {self.host} {problem}; type the right one, or set {KEY}."
        if status == 404:
            return f"The server {self.host} has no model {self.model!r:.80}; check the model's name and the address."
        if status == 429:
            return f"The server {self.host} takes no more questions for now (429); wait a little, or check its quota."
        if 300 <= status < 400:
            return f"The server {self.host} points to another address ({status}); name that address yourself."
        return f"The server {self.host} could not answer ({status}); try again, or look at the server's own log."

    def _slow(self) -> str:
        return (
            f"The model {self.model} at {self.host} did not answer within {self.seconds:g} s; ask again, or choose a "
            "faster model."
        )

    def _format_error(self, problem: str) -> str:
        return (
            f"The server {self.host} sent something that is no answer of OpenAI's protocol ({problem}); check that the "
            "address ends as the server's own page says, often in /v1."
        )


class _LimitedStream(httpx2.SyncByteStream):
    """The bytes of a response. Raises ModelError after MOST_BYTES."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise ModelError(f"The server sent over {MOST_BYTES:,} bytes for one answer; use another server.")
            yield part

    def close(self) -> None:
        self._stream.close()


def _tokens(choice: Any) -> list[Any]:
    """The tokens of a choice, or of a piece of it, with their log probabilities; [] if the server gives none."""
    tokens = getattr(getattr(choice, "logprobs", None), "content", None) or []
    return [token for token in tokens if isinstance(getattr(token, "logprob", None), int | float)]
