"""The stored figures of `data/measured`, one JSON file for each command that measures."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.evaluation.outcomes import Rate

MEASUREMENTS = Path(__file__).parents[3] / "data" / "measured"


class FiguresError(ValueError):
    """A table was requested whose figures have not been stored."""


def read_measurement(name: str, folder: Path | None = None) -> Any:
    """The stored result of a command, from `folder` if given. Raises FiguresError if it has not run."""
    path = (folder or MEASUREMENTS) / f"{name}.json"
    if not path.is_file():
        raise FiguresError(f"{path.name} has not been measured; run the command that the README names for it.")
    return json.loads(path.read_text(encoding="utf-8"))


def share(rate: Mapping[str, Any]) -> str:
    """A rate as text: "12 of 60 (20 %, 12-32)", with the 95 % interval."""
    return Rate(count=rate["count"], n=rate["n"]).text
