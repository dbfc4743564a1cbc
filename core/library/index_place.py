"""Where the vectors of a library are: in its own folder, or in a Chroma server that many machines ask."""

import json
import os
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from core.atomic_write import write_whole
from core.library.documents import LibraryError
from core.library.vector_store import NAME

VARIABLE = "GUARDRAIL_LIBRARY"
"""Where the environment says it: the address of a server, or HERE; without it they stay where they are."""
HERE = "here"


@dataclass(frozen=True, kw_only=True)
class IndexPlace:
    """server: its address, "" for the folder. collection: its name there, of which no other library has one alike."""

    server: str = ""
    collection: str = NAME

    @property
    def said(self) -> str:
        return f"the Chroma server at {self.server}" if self.server else "the folder itself"


def stored(home: Path) -> IndexPlace:
    """Where they are, as the folder itself says, for all machines that see it."""
    try:
        return IndexPlace(**json.loads(_file(home).read_bytes()))
    except FileNotFoundError:
        return IndexPlace()
    except (ValueError, TypeError) as error:
        raise LibraryError(f"{_file(home)} cannot be read ({error}); delete it, and name the server again.") from error


def store(home: Path, place: IndexPlace) -> None:
    write_whole(_file(home), json.dumps(asdict(place)).encode())


def wanted(home: Path) -> IndexPlace:
    """Where they shall be: as the environment says, else where they are. LibraryError for what is no address."""
    now, said = stored(home), os.environ.get(VARIABLE, "").strip().rstrip("/")
    if said in ("", now.server):
        return now
    if said == HERE:
        return IndexPlace() if now.server else now
    url = urlsplit(said)
    try:
        named = url.scheme in ("http", "https") and url.hostname and (url.port or 1) > 0
    except ValueError:
        named = False
    if not named or url.username or url.path or url.query or url.fragment:
        raise LibraryError(
            f"{VARIABLE} must be the address of a Chroma server such as http://localhost:8000, or {HERE}, got "
            f"{said!r:.80}."
        )
    return IndexPlace(server=said, collection=f"{NAME}-{uuid.uuid4().hex}")


def _file(home: Path) -> Path:
    return home / "index.json"
