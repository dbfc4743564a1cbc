"""The location of a library's vectors: in its own folder, or on a Chroma server that many machines use.

This module does not import Chroma, which takes seconds.
"""

import json
import os
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from core.library.documents import LibraryError
from core.platform.atomic_write import write_whole

NAME = "passages"
VARIABLE = "GUARDRAIL_LIBRARY"
"""Environment variable: the address of a Chroma server, or LOCAL for the folder. Unset: the vectors stay where they
are.
"""
LOCAL = "here"


@dataclass(frozen=True, kw_only=True)
class IndexLocation:
    """The location of a library's vectors. server: address of a Chroma server, "" for the library's own folder.
    collection: name of the collection on the server, unique to one library.
    """

    server: str = ""
    collection: str = NAME

    @property
    def text(self) -> str:
        return f"the Chroma server at {self.server}" if self.server else "the folder itself"

    @classmethod
    def recorded(cls, home: Path) -> "IndexLocation":
        """The location that is recorded in the folder for all machines that use it. Raises LibraryError if it cannot be
        read."""
        try:
            return cls(**json.loads(_file(home).read_bytes()))
        except FileNotFoundError:
            return cls()
        except (ValueError, TypeError) as error:
            raise LibraryError(
                f"{_file(home)} cannot be read ({error}); delete it, and name the server again."
            ) from error

    def store(self, home: Path) -> None:
        write_whole(_file(home), json.dumps(asdict(self)).encode())

    @classmethod
    def requested(cls, home: Path) -> "IndexLocation":
        """The location that the environment asks for, else the recorded one. Raises LibraryError for a bad address."""
        current, address = cls.recorded(home), os.environ.get(VARIABLE, "").strip().rstrip("/")
        if address in ("", current.server):
            return current
        if address == LOCAL:
            return cls() if current.server else current
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
        return cls(server=address, collection=f"{NAME}-{uuid.uuid4().hex}")


def _file(home: Path) -> Path:
    return home / "index.json"
