"""Limits on the use of servers of OpenAI's protocol.

Servers of the internal network are allowed only if the operator listed them; a key goes to its own server only; and
the size and time of a response are bounded.
"""

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
"""The variable with the address of a server; OPENAI_BASE_URL works as well."""
SERVERS_VARIABLE = "GUARDRAIL_ENDPOINTS"
"""The variable with addresses of servers, separated by blanks or commas. If it is set, only these are allowed."""


def own_address() -> str:
    """The server's address from the environment, or ""."""
    return os.environ.get(ADDRESS) or os.environ.get("OPENAI_BASE_URL", "")


def allowed_servers() -> tuple[str, ...]:
    """The servers that are allowed in any network, without a trailing slash.

    They are those in the variable SERVERS_VARIABLE and, if the user may choose models, the environment's own server.
    """
    addresses = (
        *os.environ.get(SERVERS_VARIABLE, "").replace(",", " ").split(),
        own_address() if may("models") else "",
    )
    return tuple(address.rstrip("/") for address in addresses if address)


def require_allowed(url: str) -> bool:
    """Raise ModelError if the server is not allowed. Returns True if it is listed, and thus trusted in any network."""
    if url.rstrip("/") in allowed_servers():
        return True
    host = urlsplit(url).hostname or ""
    if os.environ.get(SERVERS_VARIABLE, "").strip() or not may("models"):
        raise ModelError(
            f"The server {host} is not among those that may be asked here; name one of {SERVERS_VARIABLE}."
        )
    with suppress(OSError, UnicodeError):  # an unknown name causes an error at the request
        for *_, address in socket.getaddrinfo(host, None):
            require_outside(str(address[0]))
    return False


def require_outside(address: str) -> None:
    """Raise ModelError for an address of an internal network; this computer and the internet are allowed."""
    ip = ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if not ip.is_loopback and (not ip.is_global or ip.is_multicast):
        raise ModelError(
            f"The server's address {address} belongs to an internal network and is not asked; whoever runs this app "
            f"may list it in {SERVERS_VARIABLE}."
        )


KEY = "GUARDRAIL_ENDPOINT_KEY"
"""The variable with the key for the environment's server; OPENAI_API_KEY works as well."""
MODEL = "GUARDRAIL_ENDPOINT_MODEL"
_OPENAI = "https://api.openai.com/v1"


class Key:
    """A secret key, kept out of traces, logs, messages and files."""

    def __init__(self, value: str) -> None:
        self._value = value.strip()

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"

    def __reduce__(self) -> Any:
        raise TypeError("A key is not stored.")

    def __bool__(self) -> bool:
        return bool(self._value)

    def plain_text(self) -> str:
        """The key in plain text, for the request."""
        return self._value


def from_environment() -> tuple[str, str]:
    """The address and the model from the environment, "" if not set."""
    return own_address(), os.environ.get(MODEL, "")


def key_for(url: str, input_key: str = "") -> Key:
    """The typed key, or else the environment's if `url` is the environment's server."""
    if input_key.strip():
        return Key(input_key)
    address = from_environment()[0] or _OPENAI
    environment_key = os.environ.get(KEY) or os.environ.get("OPENAI_API_KEY", "")
    return Key(environment_key if url.rstrip("/") == address.rstrip("/") else "")


MOST_BYTES = 4_000_000
"""Maximum bytes of a response: far more than any answer needs, including the protocol's overhead."""


def logarithms(choice: Any) -> list[float]:
    """The log probability of each word of a choice or of a piece of it; [] if the server gives none."""
    return [float(one.logprob) for one in _words(choice)]


def yes_of(choice: Any) -> float | None:
    """P(yes) relative to yes and no as the first word of a choice; None if it is neither.

    Without probabilities from the server, the word in the text counts with probability 1.
    """
    words = [(one.token, math.exp(one.logprob)) for first in _words(choice)[:1] for one in first.top_logprobs or []]
    words = words or [(choice.message.content, 1.0)]
    yes, no = (sum(share for word, share in words if _first_word(word) == answer) for answer in ("yes", "no"))
    return yes / (yes + no) if yes + no else None


def _words(choice: Any) -> list[Any]:
    words = getattr(getattr(choice, "logprobs", None), "content", None) or []
    return [one for one in words if isinstance(getattr(one, "logprob", None), int | float)]


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"[a-z]+", text.casefold())), "")


class BoundedResponse(httpx2.SyncByteStream):
    """The bytes of a response. Raises ModelError after MOST_BYTES, or after `until` (of time.monotonic).

    late: the message when the time is over.
    """

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
