"""A digest of this program, for files that hold what its rules made of other files."""

import hashlib
from functools import lru_cache
from pathlib import Path

_CORE = Path(__file__).parents[1]
_DATA = _CORE.parent / "data"


@lru_cache(maxsize=1)
def program_digest() -> str:
    """A digest of every module of `core` except the laboratory, and of its tables of words in `data`; 16 hexadecimal
    digits.
    """
    modules = (path for path in _CORE.rglob("*.py") if "lab" not in path.relative_to(_CORE).parts)
    files = (*sorted(modules), *sorted(_DATA.glob("*.json")))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
