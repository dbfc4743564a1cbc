"""The word lists and tables of English that rules read, in data/*.json."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[2] / "data"


@lru_cache(maxsize=8)
def table(name: str) -> dict[str, Any]:
    """The JSON object in data/NAME.json."""
    return json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))


def listed(name: str) -> tuple[str, ...]:
    """The words of one list of data/english.json, in their order there. Raises KeyError if there is no such list."""
    return tuple(" ".join(table("english")[name]).split())
