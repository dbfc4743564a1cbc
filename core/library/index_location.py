"""The Chroma server that holds a library's vectors, if there is one. This module does not import Chroma, which takes
seconds.
"""

import os
from urllib.parse import urlsplit

from core.library.documents import LibraryError

VARIABLE = "GUARDRAIL_LIBRARY"
"""Environment variable: the address of a Chroma server. Unset or LOCAL: the vectors are in the library's own folder."""
LOCAL = "here"


def requested_server() -> str:
    """The address of the server that the environment names, "" for the library's own folder.

    Raises LibraryError for a bad address.
    """
    address = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if address in ("", LOCAL):
        return ""
    url = urlsplit(address)
    try:
        is_address = url.scheme in ("http", "https") and url.hostname and (url.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or url.username or url.path or url.query or url.fragment:
        raise LibraryError(
            f"{VARIABLE} must be the address of a Chroma server such as http://localhost:8000, or {LOCAL}, got "
            f"{address!r:.80}."
        )
    return address
