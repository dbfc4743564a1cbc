"""Any server that speaks OpenAI's protocol: asked with limits, and every way it fails said in one sentence."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.request import getproxies

from core.models import ModelError
from core.text.words import visible
from core.writers.endpoint_access import KEY, Bounded, Key, logarithms, require_allowed, require_outside, yes_of
from core.writers.language_model import LIKELIEST, Listen, Manner, Written, heard
from core.writers.prompts import Message

MOST_CHARACTERS = 8_000
"""Longest answer that is taken."""
_NO_KEY = "none"
"""What is sent to a server that wants no key, such as one on this computer."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A server, one of its models, and the key for it. seconds: longest time for an answer with all `retries`."""

    url: str
    model: str
    key: Key = field(default=Key(""), compare=False)
    seconds: float = 60.0
    retries: int = 2

    @property
    def host(self) -> str:
        """The server's name, for messages."""
        return self.url.split("://", 1)[-1].split("/", 1)[0]

    @property
    def name(self) -> str:
        """What its model is called."""
        return self.model

    def write(
        self, messages: list[Message], most: int, listen: Listen | None = None, manner: Manner = LIKELIEST
    ) -> Written:
        """The answer to a chat, piece by piece as it comes, in at most `most` tokens. ModelError when there is none."""

        def asked(client: Any, tell: Listen) -> Written:
            text, why, sure = "", "", []
            form = {"stream": True, "temperature": manner.temperature, "seed": manner.seed}
            with self._created(client, messages, most, form, {"logprobs": True}) as stream:
                for piece, ended, logarithms in self._pieces(stream):
                    text, why = self._taken(text + piece), ended
                    sure += logarithms
                    if piece:
                        tell(self._without_key(visible(text)))
            logarithm = sum(sure) if sure else None
            return Written(text=text.strip(), whole=why == "stop", logarithm=logarithm, tokens=len(sure))

        return self._in_time(asked, listen)

    def reply(self, messages: list[Message], most: int, pattern: str = "") -> str:  # noqa: ARG002 - no server knows one
        """The answer to a chat as one text, asked for as a JSON object. ModelError when there is none."""

        def asked(client: Any, _: Listen) -> str:
            found = self._whole(self._created(client, messages, most, {"response_format": {"type": "json_object"}}))
            if found.finish_reason == "length":
                raise ModelError(f"The answer of {self.model} was cut off at {most} tokens; choose another model.")
            return self._taken(found.message.content)

        return self._in_time(asked)

    def yes(self, messages: list[Message]) -> float:
        """P(yes) of a chat that asks for Yes or No: of the two words where the server tells it, else 1 or 0.

        ModelError when the model says neither.
        """

        def asked(client: Any, _: Listen) -> float:
            found = self._whole(self._created(client, messages, 4, {}, {"logprobs": True, "top_logprobs": 20}))
            if (sure := yes_of(found)) is None:
                raise ModelError(f"{self.model} answered neither yes nor no; let another model judge.")
            return sure

        return self._in_time(asked)

    def _whole(self, found: Any) -> Any:
        """The one choice of an answer that is not streamed, which holds a text."""
        choices = getattr(found, "choices", None) or ()
        if not choices or not isinstance(getattr(choices[0].message, "content", None), str):
            raise ModelError(self._malformed("an answer without text"))
        return choices[0]

    def _in_time(self, ask: Callable[[Any, Listen], Any], listen: Listen | None = None) -> Any:
        """What `ask` gives, asked in a thread of its own: a client's limits are for each byte, these for everything.

        Once the time is over the connection is closed under it.
        """

        def asked(client: Any, tell: Listen) -> Any:
            with self._sentences():
                return ask(client, tell)

        with self._client() as (client, until):
            try:
                return heard(lambda tell: asked(client, tell), listen, until)
            except TimeoutError:
                raise ModelError(self._slow()) from None

    def _created(
        self, client: Any, messages: list[Message], most: int, form: dict[str, Any], more: dict[str, Any] | None = None
    ) -> Any:
        """What the server answers: the likeliest words, and the same again, where it can.

        A server that does not know `more` is asked once more without, one that knows no option at all without any.
        """
        from openai import BadRequestError

        bare = {"model": self.model, "messages": messages, "stream": form.get("stream", False)}
        asked = {"max_tokens": most, "temperature": 0, "seed": 0, **form}
        for options in (asked | more, asked) if more else (asked,):
            try:
                return client.chat.completions.create(**bare | options)
            except BadRequestError:
                continue
        return client.chat.completions.create(**bare)

    def _pieces(self, stream: Iterable[Any]) -> Iterator[tuple[str, str, list[float]]]:
        """(text, why it ended, the logarithms of the probabilities of its words where they are told) of each piece."""
        ended = ""
        for chunk in stream:
            for choice in (getattr(chunk, "choices", None) or ())[:1]:
                ended = choice.finish_reason or ended
                piece = getattr(choice.delta, "content", None) or ""
                if not isinstance(piece, str):
                    raise ModelError(self._malformed("text that is none"))
                yield piece, ended, logarithms(choice)
        if not ended:
            raise ModelError(self._malformed("an answer that breaks off"))

    def _without_key(self, text: str) -> str:
        """`text` while it is written, without an end that may become the key."""
        key, said = self.key.shown().casefold(), text.casefold()
        begun = next((n for n in range(len(key) - 1, 0, -1) if said.endswith(key[:n])), 0)
        return text[: len(text) - begun]

    def _taken(self, text: str) -> str:
        """`text`; ModelError when it is too long, or holds the key, which must not be shown or written down."""
        if self.key and self.key.shown().casefold() in visible(text).casefold():
            raise ModelError(f"The server {self.host} sent the key back, which is shown to nobody; use another server.")
        if len(text) > MOST_CHARACTERS:
            raise ModelError(
                f"The answer of {self.model} has over {MOST_CHARACTERS:,} characters; choose a model that keeps to "
                "short answers."
            )
        return text

    @contextmanager
    def _client(self) -> Iterator[tuple[Any, float]]:
        """A client for one call, and the time.monotonic() when it ends.

        It follows no redirects: the key goes to the address that was named, only.
        """
        from openai import DefaultHttpxClient, OpenAI, Timeout  # it takes a second to import

        until = time.monotonic() + self.seconds
        trusted = require_allowed(self.url) or bool(getproxies())

        def look(event: str, about: dict[str, Any]) -> None:
            """Before anything is sent: the name may have another address by now."""
            if event == "connection.connect_tcp.complete" and not trusted:
                require_outside(about["return_value"].get_extra_info("server_addr")[0])

        def hurry(request: Any) -> None:
            if (left := until - time.monotonic()) <= 0:
                raise ModelError(self._slow())
            waits, request.extensions["trace"] = request.extensions["timeout"], look
            request.extensions["timeout"] = {step: min(seconds, left) for step, seconds in waits.items()}

        def bound(response: Any) -> None:
            if response.headers.get("content-encoding", "identity") != "identity":  # a few bytes could unpack to any
                raise ModelError(self._malformed("a packed answer"))
            response.stream = Bounded(response.stream, until, self._slow())

        limits = Timeout(self.seconds, connect=min(5.0, self.seconds))
        hooks = {"request": [hurry], "response": [bound]}
        with DefaultHttpxClient(timeout=limits, follow_redirects=False, event_hooks=hooks) as http:
            client = OpenAI(
                base_url=self.url, api_key=self.key.shown() or _NO_KEY, max_retries=self.retries, timeout=limits,
                http_client=http, organization="", project="", default_headers={"Accept-Encoding": "identity"},
            )  # fmt: skip
            yield client, until

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Every error of the client as one sentence; its own words may hold what was sent, so they are left out."""
        import httpx2
        import openai

        try:
            yield
        except ModelError:
            raise
        except openai.APITimeoutError:
            raise ModelError(self._slow()) from None
        except openai.APIStatusError as error:
            raise ModelError(self._refused(error.status_code)) from None
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, ModelError):
                raise error.__cause__ from None
            raise ModelError(
                f"The server {self.host} cannot be reached; start it, or check the address and the network."
            ) from None
        except httpx2.HTTPError:
            raise ModelError(self._malformed("an answer that breaks off")) from None
        except (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise ModelError(self._malformed(type(error).__name__)) from None

    def _refused(self, status: int) -> str:
        """What a status of the server means."""
        if status in (401, 403):
            wrong = "did not accept the key" if self.key else "asks for a key"
            return f"The server {self.host} {wrong}; type the right one, or set {KEY}."
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

    def _malformed(self, what: str) -> str:
        return (
            f"The server {self.host} sent something that is no answer of OpenAI's protocol ({what}); check that the "
            "address ends as the server's own page says, often in /v1."
        )
