"""The examples of the five source documents, each with the outcome that its document prints and the outcome here, for
people who compare this program with the documents."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from core.words import LAYERS, PRINTED, REASONS, VIOLATIONS

FILE = Path(__file__).parents[2] / "data" / "sample" / "printed_examples.json"
"""Written by `python -m core.lab.printed_examples`."""
RUNS: Mapping[str, str] = {
    "own": "The document's preset",
    "as_printed": "The limits that the documents print",
    "default": "Default",
}
"""The runs of every example, each under another preset, with their titles. "own": the preset of its source document."""
SIGNS = {True: "✓ as printed", False: "✗ differs"}


class ExampleRun(BaseModel):
    """One example under one preset. outcome: in the words of its document.

    difference: why the outcome is not the printed one, "" if it is. answer: the text that the user gets.
    """

    model_config = ConfigDict(frozen=True)

    outcome: str
    as_printed: bool
    difference: str
    answer: str


class PrintedExample(BaseModel):
    """One example. row: the question with its answer, history and passages, as the command `judge` reads it.

    changes: thresholds that the example sets, as `check.threshold=value`. runs: by the keys of RUNS.
    """

    model_config = ConfigDict(frozen=True)

    letter: str = Field(validation_alias="document")
    document: str = Field(validation_alias="title")
    name: str
    domain: str
    row: dict[str, Any] = Field(validation_alias="input")
    changes: tuple[str, ...]
    printed: str
    runs: dict[str, ExampleRun]

    @property
    def preset(self) -> str:
        """Name of the preset under which all checks but those of this document only monitor."""
        return f"seed_{self.letter.lower()}"

    @property
    def title(self) -> str:
        """The document, the number in it if there is one, and what the example is about: "A1: quantum entanglement"."""
        number, _, about = self.name.partition(" ")
        return f"{self.letter}{number}: {about}" if number[0].isdigit() else f"{self.letter}: {self.name}"

    @property
    def passages(self) -> tuple[str, ...]:
        """The texts that the example is judged against, in order."""
        return tuple(c if isinstance(c, str) else c["text"] for c in self.row.get("contexts") or ())


@cache
def printed_examples() -> tuple[PrintedExample, ...]:
    """All examples, in the order of the documents."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        PrintedExample.model_validate(row | {"title": content["documents"][row["document"]]})
        for row in content["examples"]
    )


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


def finding(examples: Sequence[PrintedExample], run: str) -> str:
    """The number of examples that end as printed in a run, as the title of the gallery."""
    same, count = printed_outcome_count(examples, run), len(examples)
    rest = f"; {count - same} differ{'s' * (count - same == 1)}, each with its reason" if same < count else ""
    return f"{same} of {count} printed examples end as the document says{rest}"


def example_columns(examples: Sequence[PrintedExample], run: str) -> dict[str, list[Any]]:
    """The table of these examples, column by column, a cell for each example."""
    runs = [e.runs[run] for e in examples]
    return {
        "Result": [SIGNS[one.as_printed] for one in runs], "From": [e.letter for e in examples],
        "Example": [e.name for e in examples], "Expected": [in_words(e.printed) for e in examples],
        "Actual": [in_words(one.outcome) for one in runs], "Why it differs": [one.difference or None for one in runs],
        "Question": [e.row["query"] for e in examples],
    }  # fmt: skip
