"""What passes between this app and a server of OpenAI's protocol: which may be asked, none within the network behind
this computer unless whoever runs the app listed it; with which key, since one goes to its own server only; and how much
of what it sends is read, lest it go on for ever or fill the memory."""

import math
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx2

from core.models import ModelError
from core.platform.access import may

ADDRESS = "GUARDRAIL_ENDPOINT"
"""Where the environment names a server; OPENAI_BASE_URL does as well."""
LISTED = "GUARDRAIL_ENDPOINTS"
"""Addresses of servers with blanks or commas between them: where it is set, only these may be named."""


def own_address() -> str:
    """The server that the environment names, "" when it names none."""
    return os.environ.get(ADDRESS) or os.environ.get("OPENAI_BASE_URL", "")


def listed() -> tuple[str, ...]:
    """The servers that may be named wherever they stand, without a slash at their ends: those of LISTED, and, where
    a visitor may choose models, the environment's own."""
    named = (*os.environ.get(LISTED, "").replace(",", " ").split(), own_address() if may("models") else "")
    return tuple(address.rstrip("/") for address in named if address)


def require_allowed(url: str) -> bool:
    """ModelError for a server that may not be named; True when it is listed, wherever it stands."""
    if url.rstrip("/") in listed():
        return True
    host = urlsplit(url).hostname or ""
    if os.environ.get(LISTED, "").strip() or not may("models"):
        raise ModelError(f"The server {host} is not among those that may be asked here; name one of {LISTED}.")
    with suppress(OSError, UnicodeError):  # one that is not known cannot be reached either, which is said then
        for *_, address in socket.getaddrinfo(host, None):
            require_outside(str(address[0]))
    return False


def require_outside(address: str) -> None:
    """ModelError for an address of an internal network: neither of this very computer nor of the internet."""
    found = ip_address(address.partition("%")[0])
    found = getattr(found, "ipv4_mapped", None) or found
    if not found.is_loopback and (not found.is_global or found.is_multicast):
        raise ModelError(
            f"The server's address {address} belongs to an internal network and is not asked; whoever runs this app "
            f"may list it in {LISTED}."
        )


KEY = "GUARDRAIL_ENDPOINT_KEY"
"""Where the environment has the key for its server; OPENAI_API_KEY does as well."""
MODEL = "GUARDRAIL_ENDPOINT_MODEL"
_OPENAI = "https://api.openai.com/v1"


class Key:
    """A key that is never written: not into a trace, a log, a message or a file."""

    def __init__(self, value: str) -> None:
        self._value = value.strip()

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"

    def __reduce__(self) -> Any:
        raise TypeError("A key is not stored.")

    def __bool__(self) -> bool:
        return bool(self._value)

    def shown(self) -> str:
        """The key itself, for the one call that needs it."""
        return self._value


def from_environment() -> tuple[str, str]:
    """The address and the model that the environment names, "" for what it does not."""
    return own_address(), os.environ.get(MODEL, "")


def key_for(url: str, typed: str = "") -> Key:
    """The key that was typed, else the environment's, which goes to the environment's own server and to no other."""
    if typed.strip():
        return Key(typed)
    address = from_environment()[0] or _OPENAI
    known = os.environ.get(KEY) or os.environ.get("OPENAI_API_KEY", "")
    return Key(known if url.rstrip("/") == address.rstrip("/") else "")


MOST_BYTES = 4_000_000
"""Far more than any answer needs, with all that the protocol wraps around its words."""


def logarithms(choice: Any) -> list[float]:
    """Of the probability of each word of a choice, or of a piece of it; [] where the server tells none."""
    return [float(one.logprob) for one in _words(choice)]


def yes_of(choice: Any) -> float | None:
    """P(yes) among what a choice may begin with, yes or no; None where that is neither.

    A server that tells no probabilities has said one of the two.
    """
    said = [(one.token, math.exp(one.logprob)) for first in _words(choice)[:1] for one in first.top_logprobs or []]
    said = said or [(choice.message.content, 1.0)]
    yes, no = (sum(sure for word, sure in said if _first_word(word) == answer) for answer in ("yes", "no"))
    return yes / (yes + no) if yes + no else None


def _words(choice: Any) -> list[Any]:
    found = getattr(getattr(choice, "logprobs", None), "content", None) or []
    return [one for one in found if isinstance(getattr(one, "logprob", None), int | float)]


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"[a-z]+", text.casefold())), "")


class Bounded(httpx2.SyncByteStream):
    """The bytes of a response until MOST_BYTES or the moment `until` (of time.monotonic); then a ModelError."""

    def __init__(self, stream: Any, until: float, late: str) -> None:
        self._stream, self._until, self._late = stream, until, late

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise ModelError(f"The server sent over {MOST_BYTES:,} bytes for one answer; use another server.")
            if time.monotonic() > self._until:
                raise ModelError(self._late)
            yield part

    def close(self) -> None:
        self._stream.close()
