"""The examples that the five source documents print: what they print, and what came out here."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.words import LAYERS, PRINTED, REASONS, VIOLATIONS

FILE = Path(__file__).parents[2] / "data" / "sample" / "printed_examples.json"
"""Written by `python -m core.lab.printed_examples`."""
RUNS: Mapping[str, str] = {
    "own": "Its own preset",
    "as_printed": "The limits that the documents print",
    "default": "Default",
}
"""The runs of every example, each under another preset, with their titles. "own": the preset of its source document."""


@dataclass(frozen=True, kw_only=True)
class ExampleRun:
    """One example under one preset. outcome: in the words of its document.

    difference: why the outcome is not the printed one, "" if it is. answer: the text that the user gets. confidence: 0
    to 100, None if it was not measured. failed: names of the checks that did not pass.
    """

    outcome: str
    as_printed: bool
    difference: str
    route: str
    answer: str
    confidence: float | None
    failed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PrintedExample:
    """One example. row: the question with its answer, history and passages, as the command `judge` reads it.

    changes: thresholds that the example sets, as `check.threshold=value`. runs: by the keys of RUNS.
    """

    letter: str
    document: str
    name: str
    domain: str
    row: Mapping[str, Any]
    changes: tuple[str, ...]
    printed: str
    runs: Mapping[str, ExampleRun]

    @property
    def preset(self) -> str:
        """Name of the preset under which all checks but those of this document only monitor."""
        return f"seed_{self.letter.lower()}"


@cache
def printed_examples() -> tuple[PrintedExample, ...]:
    """All examples, in the order of the documents."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(_example(row, content["documents"]) for row in content["examples"])


def printed_outcome_count(examples: Sequence[PrintedExample], run: str) -> int:
    """Number of examples whose outcome under one of RUNS is the printed one."""
    return sum(example.runs[run].as_printed for example in examples)


def in_words(outcome: str) -> str:
    """An outcome in plain English; a message, or a path through the graph of document E, is returned unchanged."""
    words = [_step_words(step) for step in outcome.split(", ")]
    return ", ".join(words) if all(words) else outcome


def _step_words(step: str) -> str:
    """One step of an outcome in plain English; "" for a step that has no words."""
    violation = step.removeprefix("block ")
    if step in REASONS:
        return f"Rejected ({REASONS[step].short})"
    if step in LAYERS:
        return f"Abstains ({LAYERS[step]})"
    return f"Blocked ({VIOLATIONS[violation]})" if violation != step else PRINTED.get(step, "")


def _example(row: Mapping[str, Any], titles: Mapping[str, str]) -> PrintedExample:
    runs = {name: ExampleRun(**{**run, "failed": tuple(run["failed"])}) for name, run in row["runs"].items()}
    return PrintedExample(
        letter=row["document"], document=titles[row["document"]], name=row["name"], domain=row["domain"],
        row=MappingProxyType(row["input"]), changes=tuple(row["changes"]), printed=row["printed"],
        runs=MappingProxyType(runs),
    )  # fmt: skip
