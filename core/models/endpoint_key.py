"""The key for a server, which goes to that server only, and what the environment says of it."""

import os
from typing import Any

from core.models.endpoint_addresses import own_address

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
