"""The stored figures of `data/measured`, one JSON file for each command that measures, and rates as text."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.evaluation.outcomes import Rate

MEASUREMENTS = Path(__file__).parents[3] / "data" / "measured"
NOT_YET = "Not measured yet."


class FiguresError(UserError):
    """A table was requested whose figures have not been stored."""


def is_measured(name: str) -> bool:
    """True if a command has stored this file."""
    return (MEASUREMENTS / f"{name}.json").is_file()


def read_measurement(name: str) -> Any:
    """The stored result of a command. Raises FiguresError if it has not run."""
    if not is_measured(name):
        raise FiguresError(f"{name}.json has not been measured; run the command that the README names for it.")
    return json.loads((MEASUREMENTS / f"{name}.json").read_text(encoding="utf-8"))


def share(rate: Mapping[str, Any]) -> str:
    """A rate as text: "12 of 60 (20 %, 12-32)", with the 95 % interval."""
    return Rate(count=rate["count"], n=rate["n"]).text


def percent(value: float) -> str:
    """A share as text with one decimal: "91.5 %"."""
    return f"{100 * value:.1f} %"
