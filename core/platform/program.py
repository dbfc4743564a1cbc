"""A digest of this program, for files that hold what its rules made of other files."""

import hashlib
from functools import lru_cache
from pathlib import Path

_CORE = Path(__file__).parents[1]


@lru_cache(maxsize=1)
def program_digest() -> str:
    """A digest of every module of `core` except the laboratory; 16 hexadecimal digits."""
    files = sorted(path for path in _CORE.rglob("*.py") if "lab" not in path.relative_to(_CORE).parts)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
