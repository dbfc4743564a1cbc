"""The stored figures of `data/measured`, one JSON file for each command that measures: when they were measured, and
what has changed in the program since.

A command stores its date with its figures; the docs draw it above their table.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.evaluation.counts import Rate
from core.lab.figure_files import DATE
from core.models.profile import READER
from core.models.weights import SHIPPED

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


CHANGES: Mapping[str, tuple[str, str]] = {
    "reading": ("2026-11-29", "books are cut into sentences and passages by other rules"),
    "questions": (
        "2026-11-29",
        "a question is understood without the words around it, one about several things stays one, and a text that "
        "gives another value than asked is no answer",
    ),
    "facts": (
        "2026-11-29",
        "`support` counts a fact that belongs to another thing as contradicted, and `numbers` counts a condition that "
        "the book sets and the answer leaves out",
    ),
}
"""The last change of each part of the program since any of the figures: its date, and what changed."""
_ASKED = ("reading", "questions", "facts")
"""The parts on which figures of whole questions depend."""
SOURCES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "questions": (("ncert_qa",), _ASKED), "pairs": (("chapter_pairs",), _ASKED), "kinds": (("chapter_pairs",), _ASKED),
    "words": (("reading",), ("reading",)), "recall": (("reading",), ("reading",)),
    "nli": (("models", "nli"), ()), "changes": (("models", "nli"), ()),
    "paired": (("models", "paired"), ("reading", "facts")), "ranking": (("models", "ranking"), ("reading",)),
    "proposals": (("proposals",), _ASKED), "judge": (("judge",), ("reading", "facts")),
    "bench": (("bench",), ()),
}  # fmt: skip
"""For each table without a date of its own: its file in data/measured, with the part of it if there are several, and
the keys in CHANGES of what it depends on. Weights and calibrations have not changed since any of them."""
_BESIDE_MODELS = {
    "calibration": (next((SHIPPED / "calibration").glob("*.json")), ()),
    "reader": (SHIPPED / READER / "figures.json", ()),
}
"""The tables whose figures are stored with the models: their file, and the keys in CHANGES."""


def date_sentence(table: str) -> str:
    """When a table was measured, and what has changed since on which it depends. "" for a table that is not measured,
    or that says its date itself. table: its name in the comments around it."""
    if table in _BESIDE_MODELS:
        path, topics = _BESIDE_MODELS[table]
        return _sentence(json.loads(path.read_text(encoding="utf-8")), topics)
    if table not in SOURCES:
        return ""
    (file, *parts), topics = SOURCES[table]
    if not is_measured(file):
        return ""
    stored = read_measurement(file)
    return _sentence(stored[parts[0]] if parts else stored, topics)


def changes_since(date: str, topics: tuple[str, ...] = _ASKED) -> str:
    """ " Since then: ..." with the changes after `date` (YYYY-MM-DD) in the parts `topics`, keys in CHANGES; "" without
    a change."""
    later = [text for changed, text in (CHANGES[topic] for topic in topics) if changed > date]
    return f" Since then: {'; '.join(later)}." if later else ""


def _sentence(stored: Mapping[str, Any], topics: tuple[str, ...]) -> str:
    date = stored.get(DATE)
    return f"Measured on {date}.{changes_since(date, topics)}" if date else "Its date was not stored."
