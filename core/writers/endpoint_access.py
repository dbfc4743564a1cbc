"""Which servers of OpenAI's protocol may be asked, and which key each one gets.

Servers of the internal network are asked only if the operator lists them; a key goes to its own server only.
"""

import os
import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import SecretStr

from core.models import ModelError
from core.platform.access import may

ADDRESS = "GUARDRAIL_ENDPOINT"
"""The variable with the address of a server; OPENAI_BASE_URL works as well."""
MODEL = "GUARDRAIL_ENDPOINT_MODEL"
KEY = "GUARDRAIL_ENDPOINT_KEY"
"""The variable with the key for the environment's server; OPENAI_API_KEY works as well."""
SERVERS_VARIABLE = "GUARDRAIL_ENDPOINTS"
"""The variable with addresses of servers, separated by blanks or commas. If it is set, only these are allowed."""
_OPENAI = "https://api.openai.com/v1"


def from_environment() -> tuple[str, str]:
    """The address and the model from the environment, "" if not set."""
    return os.environ.get(ADDRESS) or os.environ.get("OPENAI_BASE_URL", ""), os.environ.get(MODEL, "")


def key_for(url: str, typed: str = "") -> SecretStr:
    """The typed key, or else the environment's if `url` is the environment's server; "" for no key."""
    if typed.strip():
        return SecretStr(typed.strip())
    own_server = from_environment()[0] or _OPENAI
    environment_key = os.environ.get(KEY) or os.environ.get("OPENAI_API_KEY", "")
    return SecretStr(environment_key.strip() if url.rstrip("/") == own_server.rstrip("/") else "")


def allowed_servers() -> tuple[str, ...]:
    """The servers that may be asked in any network, without a trailing slash: those in SERVERS_VARIABLE and, if the
    user may choose models, the environment's own."""
    listed = os.environ.get(SERVERS_VARIABLE, "").replace(",", " ").split()
    own_server = [from_environment()[0]] if may("models") else []
    return tuple(address.rstrip("/") for address in [*listed, *own_server] if address)


def require_allowed(url: str) -> bool:
    """Raise ModelError if the server may not be asked. True if it is listed, and thus trusted in any network."""
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
            f"The server's address {address} belongs to an internal network and is not asked; the person who runs this "
            f"app may list it in {SERVERS_VARIABLE}."
        )
